// violated
E<> P.B
// satisfied 2
sup{P.A}: x
// satisfied 1
sup{P.A && i == 3}: x
// satisfied
E<> P.C
