// satisfied 55: Fisher and Thompson
inf{forall (j : job_t) Job(j).done}: now
