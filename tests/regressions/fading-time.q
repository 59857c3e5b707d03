// satisfied: from 3 on time fades
E[] P.a
// violated
A<> P.b
// violated
P.a --> P.b
// satisfied: every run that stays in a comes so near
A<> x > 4
// violated: time does not stop before
E[] P.a && x <= 4
// satisfied: it can always be left until time would end
P.c --> P.d
// violated
E[] P.a && x >= 1
// violated: at 4 there is no way to b any more
(P.a && x == 4) --> P.b
// satisfied
(P.a && x == 4) --> x > 4
