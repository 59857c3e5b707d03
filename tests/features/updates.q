// satisfied: (0 + 1 + 10 + 3) * 2
A[] P.B imply n == 28
// satisfied
E<> P.B
