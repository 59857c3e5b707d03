// satisfied
E<> b[1][2] == 4
// violated
E<> b[0][2] != 0 || b[1][3] != 0 || b[1][4] != 0
// satisfied: only x[1] is reset
E<> P.B
// satisfied 2 open
inf{P.B}: x[0]
