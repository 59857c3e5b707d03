//! Hostile input from the outside: specs, models, tables, schedules and templates are changed at
//! random, the program is run on them, and whatever it does must be one of the things it promises.
//!
//! Every case has a seed. `TAKT_HOSTILE_CASES` and `TAKT_HOSTILE_SEED` say how many and from where
//! on; `TAKT_HOSTILE_KEEP` names a folder that is given the files of each finding. See
//! `scripts/hostile.sh`.

mod case;
mod corpus;
mod judge;
mod text;
mod tree;

use corpus::Corpus;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use takt_testing::{Random, setting};

#[test]
fn whatever_is_read_ends_as_promised() {
    let cases = setting("TAKT_HOSTILE_CASES", 300);
    let first = setting("TAKT_HOSTILE_SEED", 1);
    let corpus = Corpus::read();
    let next = AtomicU64::new(first);
    let (findings, kinds) = (Mutex::new(Vec::new()), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + cases {
                        break;
                    }
                    let case = case::draw(&mut Random::new(seed), &corpus);
                    let (code, faults) = judge::run(&case, seed);
                    let kind = (case.kind.to_owned(), code);
                    *kinds.lock().unwrap().entry(kind).or_insert(0) += 1;
                    findings.lock().unwrap().extend(faults);
                }
            });
        }
    });
    let kinds: BTreeMap<(String, i32), u64> = kinds.into_inner().unwrap();
    for ((kind, code), count) in &kinds {
        println!("{kind:10} exit {code:3} {count:7}");
    }
    let findings: Vec<String> = findings.into_inner().unwrap();
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
    // Changes that only ever break the syntax would find nothing.
    let read =
        kinds.iter().filter(|((_, code), _)| *code != 2).map(|(_, count)| count).sum::<u64>();
    assert!(cases < 100 || read * 10 > cases, "only {read} of {cases} cases get past reading");
}
