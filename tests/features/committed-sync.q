// violated: the step of Q alone has the higher priority, but P is committed
E<> n == 9
// violated: P could go on alone, but Q is committed
E<> Q.B && P.C
// satisfied
A<> n == 4
// satisfied
A[] Q.B imply n == 1
