// satisfied
A[] (p.B imply p.k == 14) && (q.B imply q.k == 24) && k == 50 && p.own == 3
// satisfied 22
sup: grid[1][1]
// satisfied 31
inf{q.B}: grid[0][1]
// satisfied 0
sup: grid[0][0] + grid[1][0]
// satisfied 1
inf{p.B}: x[1]
// satisfied 2
inf{p.B && q.A}: x[0]
// satisfied 5
sup{p.A}: x[1]
