//! Wafer scanners, the whole way: the layout in whole numbers, its safe states, its best rhythm, the
//! automata that stand for it, and schedules as runs of them.

pub mod layout;
pub mod lift;
pub mod lower;
pub mod rhythm;
pub mod safety;
