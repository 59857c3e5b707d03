// satisfied
E<> Q.B
// violated
E<> Q.C
