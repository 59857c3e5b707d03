//! Random small problems, and all their values tried one by one: no solution gets lost, every explanation
//! holds by itself, the search tells what there is.
//!
//! `TAKT_LEARN_CASES` sets the number of cases of each test, `TAKT_LEARN_SEED` the first seed.

mod bench;
mod cumulative;
mod difference;
mod disjunctive;
mod draw;
mod judge;
mod linear;
mod proof;
mod script;
mod search;
mod timing;

use bench::Bench;
use std::cell::Cell;
use takt_testing::{Random, setting};

/// Names the seed where a test fails, wherever that is.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("TAKT_LEARN_SEED={} TAKT_LEARN_CASES=1", self.0);
        }
    }
}

/// Walks on so many benches, and sees to it that there was something to look at.
fn each_bench(cases: u64, bench: impl Fn(&mut Random) -> Bench) {
    let total = Cell::new((0, 0));
    each_seed(cases, |_, r| {
        // Most of them can be kept.
        let (mut tries, least) = (0, if r.percent(85) { 10 } else { 0 });
        let mut bench = loop {
            let drawn = bench(r);
            tries += 1;
            if drawn.solutions() >= least || tries == 20 {
                break drawn;
            }
        };
        bench.walk(r, 40);
        let (events, conflicts) = total.get();
        total.set((events + bench.tally.events, conflicts + bench.tally.conflicts));
    });
    let (events, conflicts) = total.get();
    println!("{events} reasons and {conflicts} conflicts");
    let cases = setting("TAKT_LEARN_CASES", cases) as usize;
    let is_busy = events >= cases / 2 && conflicts >= cases / 10;
    assert!(is_busy || cases < 100, "too little was looked at");
}

/// Runs the test with so many seeds, or with as many as were asked for.
fn each_seed(cases: u64, test: impl Fn(u64, &mut Random)) {
    let first = setting("TAKT_LEARN_SEED", 0);
    for seed in first..first + setting("TAKT_LEARN_CASES", cases) {
        let _named = Seed(seed);
        test(seed, &mut Random::new(seed));
    }
}
