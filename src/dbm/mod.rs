//! Zones as difference bound matrices; knows nothing of automata.
