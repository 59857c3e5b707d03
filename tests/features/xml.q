// satisfied 2
sup: P(1).n
// satisfied 3
inf{P(1).C}: x
// satisfied 4
sup{P(0).B}: x
