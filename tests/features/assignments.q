// satisfied
A[] P.B imply (a == 7 && b == 5 && c == 6 && d == 7)
// satisfied
A[] P.C imply (a == 2 && b == 16 && c == 13 && d == 2)
// satisfied
E<> P.C
