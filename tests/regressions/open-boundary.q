// violated: wait in L0 until x is over 1, and for ever after
A<> (P.L1 && x <= 1 && deadlock)
// violated
P.L1 --> (x <= 0 && x >= 1)
