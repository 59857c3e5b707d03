// satisfied: there is no deadlock at all
deadlock --> (((y <= 2) && P0.L0) || (deadlock && P0.L1))
// satisfied
A[] not deadlock
