// satisfied
E<> P.B && i == -2
// satisfied 7
sup: i
