// violated: nobody is left behind who can receive
E<> Sender.B && Receiver.A && x - sent >= 2 && x - sent <= 5
// satisfied: too early
E<> Sender.B && Receiver.A && x - sent < 2
// satisfied: too late
E<> Sender.B && Receiver.A && x - sent > 5
// satisfied 2
inf{Receiver.B}: x
// violated
E<> Receiver.B && x - sent >= 4
// satisfied: both edges are open
E<> Receiver.B && x - sent == 3
// satisfied
E<> Receiver.C && x - sent == 5
