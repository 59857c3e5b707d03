// satisfied
E<> P.B
// satisfied 2 open: y grew beyond 3 when x was set to 1
inf{P.B}: t
// satisfied: y is set to 1 at 0, x to 1 at 4
E<> y - x == 4
// violated
E<> y - x > 4
// satisfied: the other way round
E<> P.C && t == 2
// violated
E<> P.C && x - y != 2
// violated: the invariant forbids it
E<> P.D
// violated: x and y agree for ever if nothing is set
A<> x != y
// satisfied: nothing is set after 4
(P.A && x < y && t > 4) --> t > 9
