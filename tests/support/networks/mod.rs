//! Random networks of timed automata with queries, as pieces of text that can be dropped one by one.

mod generate;
mod sample;
mod shrink;

pub use generate::{LARGEST, LARGEST_RESET, generate};
pub use sample::Sample;
pub use shrink::shrink;
