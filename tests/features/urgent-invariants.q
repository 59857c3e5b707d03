// satisfied 0: no time passes in B, whether P can still go or not
sup{P.A && Q.B}: y
// satisfied: after 2 the step does not exist
E<> Q.B && deadlock
// satisfied 2 open
inf{Q.B && P.A && deadlock}: x
// violated
E<> P.A && Q.A && deadlock
// satisfied
E<> P.B && x == 2
