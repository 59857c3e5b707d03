//! Wafer scanners, the whole way: the layout in whole numbers, its safe states, its best rhythm, the
//! automata that stand for it, and schedules as runs of them.
//!
//! At this door stand the scanner, made by [`describe`], with what it does as plain data, and the
//! way back from the automata: [`scanner_rows`] and [`scanner_run`]. Three rooms ask something of a
//! scanner, each by one verb: [`safety::analyse`] without time, [`rhythm::solve`] with time, and
//! [`lower::lower_scanner`] for automata.

mod layout;
mod lift;
pub mod lower;
pub mod rhythm;
pub mod safety;

pub use layout::{
    Content, Cycle, Heuristic, Hold, Infinite, Lock, Op, OpKind, Robot, Scanner, Track, describe,
};
pub use lift::{ScannerRun, scanner_rows, scanner_run};
