// satisfied 2
sup{P.A}: x
// satisfied
A<> P.B
