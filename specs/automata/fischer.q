// satisfied: no two processes are in their critical sections
A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j

// satisfied: each can get there
E<> P(1).cs

// satisfied: some process can always move, now or later
A[] not deadlock

// violated: whoever asks may be overtaken for ever
P(1).req --> P(1).cs

// satisfied 10 open: nobody enters before it has waited for more than K
inf{P(1).cs}: P(1).x
