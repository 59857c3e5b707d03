// satisfied: B may be kept for ever, and C may go round without time passing
E[] not P.D
// violated
A<> P.D
// satisfied: A is left, or time stops at 2; it can always be left
A<> not P.A
// violated: C may go round for ever
P.C --> P.D
// satisfied: C is left once x is over 1
(P.C && x > 1) --> P.D
// violated: A has to be left, for both steps stay possible until time stops
E[] P.A
