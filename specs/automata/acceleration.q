// satisfied: the environment gets its turn
E<> P.finished

// satisfied 100 open: but not before L
inf{P.finished}: P.z

// satisfied 3 open: the first visit
inf{P.L1}: P.z

// violated: z - y > 3 at every visit
E<> P.L1 && P.z - P.y <= 3

// satisfied 2: how long the loop rests in L1
sup{P.L1}: P.y

// satisfied: a loop that never ends
E[] not P.finished
