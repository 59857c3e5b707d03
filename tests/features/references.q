// satisfied
A[] P.B imply (a == 2 && b == 1 && list[0] == 4 && list[1] == 5)
// satisfied
E<> P.B
