// satisfied: at 2 it is too late for C
(P.A && x == 2) --> P.D
// violated: at 1 it is not
(P.A && x == 1) --> P.D
// satisfied: all runs pass 5 on the way
(P.A && x == 3) --> (P.B && x == 5)
// violated: B may be left before 7
(P.A && x == 3) --> (P.B && x == 7)
// satisfied: time goes on everywhere
A<> x == 5
// violated
E[] x != 5
// satisfied
E[] (x != 3 || P.C)
// violated
A<> (P.A && x == 3)
// satisfied: before it is observed, x has been 1 already
x == 1 --> x >= 1
// violated
x == 1 --> x < 1
