// violated
E<> exists (i : S) P(i).c && now < 5
// satisfied 5
inf{exists (i : S) P(i).c}: now
// satisfied 1
inf{exists (i : S) P(i).e}: now
// satisfied 5
inf{forall (i : S) P(i).e}: now
