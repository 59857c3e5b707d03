// satisfied 60: sixty minutes of walking are paid for
inf{forall (i : viking_t) Viking(i).safe}: cost

// satisfied 60
inf{forall (i : viking_t) Viking(i).safe}: now

// satisfied: the bound comes down to nothing
A[] (forall (i : viking_t) Viking(i).safe) imply remaining == 0
