//! Random networks: the engine against a brute-force oracle that uses no zones.
//!
//! The oracle explores the region graph with the interpreter. Engine and oracle must agree on
//! every query, in every search order and with every abstraction, also in ways drawn at random
//! with approximations, several threads and reductions on or off; and every trace that the engine
//! gives must replay and prove the verdict.
//!
//! `TAKT_ORACLE_CASES` sets the number of networks, `TAKT_ORACLE_SEED` the first seed.

mod compare;
mod graph;
mod known;
mod region;
mod rough;
mod verdict;
mod walk;

use compare::{Outcome, compare};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use takt_testing::networks::{Sample, generate, shrink};
use takt_testing::setting;

/// A panic of the engine is a disagreement like any other.
fn judge(sample: &Sample) -> Result<Outcome, String> {
    catch_unwind(AssertUnwindSafe(|| compare(sample))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panic: {}", text.unwrap_or("without words")))
    })
}

/// The sample, made small, with the seed that brings it back.
fn report(seed: u64, message: &str) -> String {
    let sample = generate(seed);
    let small = shrink(sample, |smaller| match judge(smaller) {
        Ok(_) => false,
        Err(found) => !found.starts_with("refused"),
    });
    let small_message = judge(&small).err().unwrap_or_default();
    format!(
        "seed {seed}: {message}\n\nTAKT_ORACLE_SEED={seed} TAKT_ORACLE_CASES=1\n\n{small}\n{}\n{}\n\n\
         {small_message}",
        small.query,
        small.further.join("\n")
    )
}

#[test]
fn engine_and_oracle_agree_on_random_networks() {
    let first = setting("TAKT_ORACLE_SEED", 1);
    let cases = setting("TAKT_ORACLE_CASES", 500);
    let counts: [AtomicUsize; 4] = Default::default();
    let failures: Vec<String> = std::thread::scope(|scope| {
        let halves = [0, 1].map(|half| {
            let counts = &counts;
            scope.spawn(move || {
                let mut failures = Vec::new();
                for seed in (first + half..first + cases).step_by(2) {
                    match judge(&generate(seed)) {
                        Ok(outcome) => {
                            counts[outcome as usize].fetch_add(1, Ordering::Relaxed);
                        }
                        Err(message) => {
                            println!("seed {seed} disagrees");
                            failures.push(report(seed, &message));
                        }
                    }
                    if failures.len() == 3 {
                        break;
                    }
                }
                failures
            })
        });
        halves.into_iter().flat_map(|half| half.join().expect("the judge catches")).collect()
    });
    let [agreed, refused, too_large, faulty] = counts.map(AtomicUsize::into_inner);
    println!("{agreed} agreed, {refused} refused, {too_large} too large, {faulty} faulty");
    assert!(failures.is_empty(), "{}", failures.join("\n\n=====\n\n"));
    let is_telling = cases < 10 || agreed as u64 * 2 > cases;
    assert!(is_telling, "only {agreed} of {cases} networks said anything");
}
