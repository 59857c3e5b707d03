// satisfied 0: P0 first, then P1
inf{deadlock}: x
// satisfied 0
inf{P0.L1 && P1.L1}: x
