// satisfied
E<> P.C && n == 3 && b == true
// satisfied
A[] P.A + P.B + P.C == 1
// satisfied 1: a boolean never holds more than a truth value
sup: b
