// satisfied 9
sup: got
// satisfied 3
inf{P.B}: got
// violated
E<> got == 6
