// satisfied: two stations may speak at once
E<> Station(1).Start && Station(2).Start

// satisfied: but not for long; once a message is 2 * SIGMA old it is alone
A[] forall (i : station_t) forall (j : station_t) (Station(i).Start && Station(i).x >= 2 * SIGMA && Station(j).Start) imply i == j

// satisfied: a message can get through
E<> Station(1).Start && Station(1).x == LAMBDA

// violated: a station that speaks may have to try again for ever
Station(1).Start --> Station(1).Wait

// satisfied 52 open: the longest that a station waits before it tries again
sup{Station(1).Retry}: Station(1).x
