// satisfied 11
inf{forall (j : job_t) Job(j).done}: now

// satisfied 52
inf{forall (j : job_t) Job(j).done}: cost

// satisfied 55: the shortest schedule is not the cheapest
inf{(forall (j : job_t) Job(j).done) && now <= 11}: cost
