// satisfied: a cell can fail
E<> Cell(1).error

// satisfied: and both can succeed
E<> Cell(1).safe && Cell(2).safe

// satisfied: a cell may leave the region soon after another entered it
E<> Cell(1).critical && Cell(2).requesting

// satisfied 20: nobody stays longer
sup{Cell(1).critical}: Cell(1).x

// satisfied: a cell may never get ready
E[] not Cell(1).requesting
