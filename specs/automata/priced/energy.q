// satisfied 1320
inf{forall (i : task_t) Task(i).done}: cost

// satisfied 12
inf{forall (i : task_t) Task(i).done}: now

// satisfied 1390: haste costs
inf{(forall (i : task_t) Task(i).done) && now <= 12}: cost

// satisfied 1370
inf{(forall (i : task_t) Task(i).done) && now <= 13}: cost

// satisfied 1340
inf{(forall (i : task_t) Task(i).done) && now <= 14}: cost

// satisfied 1340
inf{(forall (i : task_t) Task(i).done) && now <= 16}: cost

// satisfied 1320: nobody saves by taking longer than this
inf{(forall (i : task_t) Task(i).done) && now <= 17}: cost

// violated: nor can it be done faster than in 12
E<> (forall (i : task_t) Task(i).done) && now < 12
