// satisfied
E<> P.B
// satisfied: the broadcast is heard by nobody
E<> Q.B && P.B
// satisfied 1
inf{P.B && Q.B}: P.x
// violated
E<> P.A && P.x > 1
