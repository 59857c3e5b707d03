// satisfied: who is believed halted has halted, and its last message came strictly before (7.1)
A[] has_halted imply (Process.halted && (forall (i : message_t) Message(i).idle) && t > 0)

// satisfied: a halt is noticed within T, unless the observer halts itself (7.2)
A[] (Process.halted && Process.x > T) imply (Observer.halted || has_halted)

// satisfied: it can be noticed at all
E<> has_halted

// satisfied: T is tight: it can take that long
E<> Process.halted && Process.x == T && !Observer.halted && !has_halted
