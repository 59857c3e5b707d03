// satisfied: there is never more than one train on the bridge
A[] forall (i : train_t) forall (j : train_t) Train(i).Cross && Train(j).Cross imply i == j

// satisfied: one can cross while all others wait
E<> Train(0).Cross && (forall (i : train_t) i != 0 imply Train(i).Stop)

// satisfied: the queue never overflows
A[] Gate.queue[N] == 0

// satisfied: every train that approaches crosses
Train(0).Appr --> Train(0).Cross

// satisfied
A[] not deadlock

// satisfied 20: a train approaches for at most so long
sup{Train(0).Appr}: Train(0).x

// satisfied 3: the queue's length
sup: Gate.len
