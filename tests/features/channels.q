// violated: one sender, one receiver
E<> Sender.B && Receiver(1).A == Receiver(2).A
// satisfied: 7 and then 10 * 2, or 7 * 2 and then 10
A[] Sender.C imply (got == 27 || got == 24)
// satisfied 27
sup: got
// satisfied 7: what the sender writes is there when the receiver reads
inf{got > 0}: got
// satisfied
A[] not Lonely.B
