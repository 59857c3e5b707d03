//! One way of many to search: every reduction on or off, every order, one thread or several.

use takt_automata::engine::{Abstraction, Approximation, Keep, Options, Order};
use takt_testing::Random;

/// The way with nothing left out and nothing shared.
pub fn plain() -> Options {
    Options {
        order: Some(Order::Bfs),
        abstraction: Some(Abstraction::K),
        without_symmetry: true,
        without_acceleration: true,
        ..Options::default()
    }
}

/// Each switch by itself, so that every pair of them comes up in some way of a few dozen.
pub fn options(r: &mut Random) -> Options {
    let orders: Vec<Option<Order>> = [None].into_iter().chain(Order::ALL.map(Some)).collect();
    let approximation = match r.below(10) {
        0 | 1 => Approximation::Hull,
        2 | 3 => Approximation::Bitstate(*r.pick(&[6, 10, 20])),
        _ => Approximation::Exact,
    };
    let threads = *r.pick(&[1, 1, 1, 2, 2, 3]);
    Options {
        order: *r.pick(&orders),
        abstraction: *r.pick(&[None, None, None, Some(Abstraction::K), Some(Abstraction::Lu)]),
        seed: r.below(1000) as u64,
        approximation,
        keep: *r.pick(&[Keep::All, Keep::Loops]),
        threads,
        // Several threads take part from the first state on, or join later.
        alone: (threads > 1).then(|| *r.pick(&[0, 0, 50])),
        without_symmetry: r.percent(35),
        without_acceleration: r.percent(35),
    }
}
