// satisfied 3
sup{!P.B}: x
// satisfied: urgency makes it happen
A<> P.B
