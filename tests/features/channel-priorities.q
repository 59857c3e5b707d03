// satisfied
A[] (P.B imply first == 2) && (P.C imply first == 3) && (P.D imply first == 0)
// satisfied
E<> P.D
