// satisfied 3 open
sup{P.A}: x
// satisfied 2 open
inf{P.B}: x
// satisfied 4
sup{P.B}: y
// satisfied 5 open
inf{P.C}: x
// violated
E<> P.D
// satisfied inf
sup{P.C}: x
