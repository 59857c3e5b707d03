// satisfied 0
sup{P.B}: x
// violated: Q cannot move between the two steps of P
E<> P.B && Q.B && i == 0 && x > 0
// satisfied: Q may have moved before
E<> P.B && Q.B
