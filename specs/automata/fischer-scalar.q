// satisfied: no two processes are in their critical sections
A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j

// satisfied: some process can get there
E<> exists (i : pid_t) P(i).cs

// satisfied
A[] not deadlock
