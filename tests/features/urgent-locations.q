// satisfied 0
sup{P.B}: x
// satisfied
E<> between
