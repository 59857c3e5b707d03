// satisfied
A[] P.B imply (r[0] == 14 && r[1] == -3 && r[2] == -1 && r[3] == 4 && r[4] == 10 && r[5] == 5)
// satisfied
A[] P.B imply (r[6] == 3 && r[7] == 5 && r[8] == 10 && r[9] == 2 && r[10] == 1 && r[11] == 0)
// satisfied
A[] P.B imply (r[12] == 4 && r[13] == 6)
// satisfied
E<> P.B
