// satisfied: too late to leave A
E<> P.A && deadlock
// violated
E<> P.A && x <= 3 && deadlock
// violated: B only has to wait, or may go at once
E<> P.B && deadlock && x <= 20
// satisfied
E<> P.C && deadlock
// violated: not before 9
E<> P.C && deadlock && x < 9
