// satisfied inf
sup: x
// satisfied 1
sup: y
