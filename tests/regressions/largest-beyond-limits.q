// satisfied inf
sup{Bound.L0}: x
