//! Between operations of a wafer scanner, runs of its network, and rows of a schedule.
//!
//! [`scanner_rows`] follows the wafers and gives one row per component taken. [`scanner_run`] finds
//! the moves of the timed network that stand for the operations; whether the automata accept them at
//! their times is for an interpreter to say.

mod rows;
mod run;

pub use rows::scanner_rows;
pub use run::{ScannerRun, scanner_run};
