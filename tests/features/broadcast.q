// satisfied: 1, then 1 * 2 + 1, then 3 * 2 + 3
A[] Sender.B imply (Receiver(1).B && Receiver(2).A && Receiver(3).B && n == 9)
// satisfied
E<> Sender.B
