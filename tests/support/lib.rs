//! What the tests of several crates share. It depends on no crate of takt, so that whatever it judges
//! it judges by its own reading of the rules.

pub mod airland;
pub mod networks;
pub mod plants;
mod random;
pub mod schema;

pub use random::Random;

/// The number that an environment variable holds, for tests that can be asked for more.
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}
