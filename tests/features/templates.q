// satisfied 6: three instances add 1, 2 and 3
sup: low
// satisfied 2: one instance adds 2
sup: high
// satisfied 2
inf{Early(2).B}: x
// satisfied 5
inf{Last.B}: y
