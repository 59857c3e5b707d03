// satisfied 4 open: z is not reset once y is over 1
sup{P.L1 && z < 3 && y > 1}: y
// satisfied inf
sup{P.L1}: y
