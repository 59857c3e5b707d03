// satisfied: the environment gets its turn
E<> P.finished

// satisfied 100000 open
inf{P.finished}: P.z

// satisfied 3 open: the first visit is that of the original
inf{P.L1}: P.z
