// satisfied
E<> s == 2
// satisfied 4
sup: s
// satisfied 2
inf{P.c}: x
// satisfied
A[] VP[0] == 1 && first == 1 && low == -4 && P.own == 2
// violated
E[] !P.b
// satisfied
P.b --> P.b && s == 2
