// satisfied: before High can go, or after, Low may be first
E<> Low.B && High.A && x - since < 2
// satisfied
E<> Low.B && High.A && x - since > 4
// violated: while High can go, Low cannot
E<> Low.B && High.A && x - since >= 2 && x - since <= 4
// violated: what Strong takes part in goes before High, whoever sends
E<> Low.B && High.B && Weak.A && order == 2
