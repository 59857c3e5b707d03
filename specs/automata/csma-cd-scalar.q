// satisfied: two stations may speak at once
E<> exists (i : station_t) exists (j : station_t) i != j && Station(i).Start && Station(j).Start

// satisfied: but not for long; once a message is 2 * SIGMA old it is alone
A[] forall (i : station_t) forall (j : station_t) (Station(i).Start && Station(i).x >= 2 * SIGMA && Station(j).Start) imply i == j

// satisfied: a message can get through
E<> exists (i : station_t) Station(i).Start && Station(i).x == LAMBDA

// satisfied: this names a station, so all states are looked at
E<> Station(1).Retry
