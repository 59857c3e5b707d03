// satisfied
A[] (P.B imply i == 21) && (P.C imply i == 8) && (P.D imply i == 1) && (P.E imply i == 5)
// satisfied
E<> P.E
