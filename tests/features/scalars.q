// satisfied 3
sup: count
// satisfied
A[] (forall (i : id) chosen[i] == P(i).B)
