// satisfied
E<> p.B && Q.B && i == 4
// satisfied 2
inf{p.B}: x
// satisfied 3
sup{p.A}: x
