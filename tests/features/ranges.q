// satisfied
E<> P.B
// satisfied
A[] i == 3
// violated
E<> i < 3 && a[i] == 0
