// satisfied 3
sup{P.A && on[0]}: t
// satisfied 8: x[2] is set back at 3 and may then reach 5
sup{P.A}: t
// satisfied 3
inf{P.B}: t
// satisfied 5
inf{P.B && !on[0]}: t
// satisfied
A[] P.B imply exists (i : id) x[i] >= 3
// violated
E<> exists (i : id) x[i] > x[1]
// satisfied
E<> exists (i : id) x[i] < x[1]
// satisfied
A[] forall (i : id) Q(i).A imply Q(i).y <= i + 1
// satisfied
A<> forall (i : id) Q(i).B || t >= 3
// satisfied 2 open
inf{forall (i : id) Q(i).B}: t
