// satisfied 60: in an hour, and not faster
inf{forall (i : viking_t) Viking(i).safe}: now

// satisfied 60: so a coin a minute makes sixty
inf{forall (i : viking_t) Viking(i).safe}: cost
