// satisfied 36
sup: all
// satisfied: each process has its own variables
E<> P(0, false).own == 9 && P(1, true).own == 1
