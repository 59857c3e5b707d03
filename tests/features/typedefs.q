// satisfied 4
sup: p[1]
// satisfied 2
inf: p[1]
