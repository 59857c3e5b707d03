// satisfied 18
inf{forall (j : job_t) Job(j).done}: now

// satisfied 82
inf{forall (j : job_t) Job(j).done}: cost
