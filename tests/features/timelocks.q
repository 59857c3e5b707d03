// satisfied: until time stops at 3
E[] P.A
// violated
A<> not P.A
// satisfied 2 open: later than 2 nothing is possible any more
inf{P.A && deadlock}: x
// satisfied 1 open
sup{P.U && deadlock}: x
// satisfied
E<> P.K && deadlock
// satisfied: without end, in no time
E[] (P.A || P.U || P.Z) && x <= 1
// violated
P.Z --> x == 2
// satisfied: before 1 there is no way on
(P.U && x < 1) --> P.U
// violated
P.A --> (P.U || P.K || P.Z)
// violated
E<> P.Z && deadlock
