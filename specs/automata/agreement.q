// satisfied: agreement: no two decide differently (7.3)
A[] forall (i : pid_t) forall (j : pid_t) dec[i] >= 0 && dec[j] >= 0 imply dec[i] == dec[j]

// satisfied: validity: a decision is somebody's input (7.4)
A[] forall (i : pid_t) dec[i] >= 0 imply exists (j : pid_t) dec[i] == v[j]

// satisfied: termination: by U all have decided or failed (7.5)
A[] (exists (i : pid_t) P(i).wait) imply t <= U

// satisfied: there are enough broadcasts (7.6)
A[] forall (i : pid_t) !Timeout(i).error

// satisfied: where nothing can happen all have finished, or one could not be told in time (7.7)
A[] deadlock imply ((forall (i : pid_t) P(i).finished) || (exists (i : pid_t) exists (j : pid_t) P(j).x - P(i).x > T - c1))

// satisfied: somebody can decide for 1
E<> exists (i : pid_t) dec[i] == 1

// satisfied: all may decide
E<> forall (i : pid_t) dec[i] >= 0
