//! Reductions, approximations, orders and threads change what is looked at, never an answer.
//!
//! Random models over scalar sets, with fast cycles, or both, are asked some queries in the plainest
//! way and in a few ways drawn at random. Exact ways give the same verdicts and values; approximate
//! ones the same or none; every trace is a run that proves its answer; an error is met by all or by
//! none. `TAKT_CROSSINGS` sets the number of models (scripts/oracle.sh: thousands),
//! `TAKT_CROSSING_SEED` the first seed.

pub(crate) mod draw;
mod loops;
mod rings;
mod scalars;

use crate::asking::{Patience, compile, makes, proves};
use takt_automata::engine::{Answer, Approximation, Failure, Options, Stop, Verdict, check};
use takt_automata::model::{Model, Query};
use takt_testing::{Random, setting};

/// How many ways a model is asked in, besides the plain one.
const WAYS: usize = 4;

/// Searches that look at more states are given up.
const PATIENCE: u64 = 6000;

/// How often something was at work.
#[derive(Debug, Default)]
struct Count {
    answers: usize,
    values: usize,
    traces: usize,
    reduced: usize,
    accelerated: usize,
    both: usize,
    unknown: usize,
    given_up: usize,
    errors: usize,
}

type Outcome = Result<Vec<Answer>, Box<Failure>>;

struct Trial {
    model: Model,
    queries: Vec<Query>,
    texts: Vec<String>,
    plain: Outcome,
}

impl Trial {
    fn new(seed: u64) -> (Trial, Random, String) {
        let mut r = Random::new(seed);
        let (text, texts) = match seed % 5 {
            0 | 1 => scalars::sample(&mut r),
            2 => rings::alone(&mut r),
            3 => loops::sample(&mut r),
            _ => rings::alike(&mut r),
        };
        let (model, queries) = compile(&text, &texts);
        let plain = check(&model, &queries, &draw::plain(), &Patience(PATIENCE));
        (Trial { model, queries, texts, plain }, r, text)
    }

    fn compare(&self, options: &Options, count: &mut Count) -> Result<(), String> {
        let found = check(&self.model, &self.queries, options, &Patience(PATIENCE));
        match (&self.plain, &found) {
            (Ok(plain), Ok(found)) => {
                for (k, (plain, found)) in plain.iter().zip(found).enumerate() {
                    self.one(k, plain, found, options, count)
                        .map_err(|wrong| format!("{}: {wrong}", self.texts[k]))?;
                }
                Ok(())
            }
            (plain, Err(failure)) => {
                count.errors += 1;
                makes(&self.model, failure)?;
                // Nothing is left out by the first query, which has to see all states.
                match plain.as_ref().is_ok_and(|plain| plain[0].stopped.is_none()) {
                    true => Err(format!("only so: {failure:?}")),
                    false => Ok(()),
                }
            }
            (Err(failure), Ok(found)) => {
                let is_partial = options.approximation != Approximation::Exact
                    || found.iter().any(|answer| answer.stopped.is_some());
                if is_partial { Ok(()) } else { Err(format!("not so: {failure:?}")) }
            }
        }
    }

    fn one(
        &self,
        k: usize,
        plain: &Answer,
        found: &Answer,
        options: &Options,
        count: &mut Count,
    ) -> Result<(), String> {
        if plain.stopped.is_some() || found.stopped == Some(Stop::Time) {
            count.given_up += 1;
            return Ok(());
        }
        if found.verdict == Verdict::Unknown {
            count.unknown += 1;
            let is_rough = options.approximation != Approximation::Exact;
            return match found.stopped {
                Some(Stop::Approximation) if is_rough => Ok(()),
                other => Err(format!("unknown, stopped by {other:?}")),
            };
        }
        let (expected, here) = ((plain.verdict, plain.value), (found.verdict, found.value));
        if expected != here {
            return Err(format!("{here:?}, not {expected:?}"));
        }
        if plain.trace.is_some() != found.trace.is_some() {
            return Err(format!("a trace: {}", found.trace.is_some()));
        }
        proves(&self.model, &self.queries[k], found)?;
        count.answers += 1;
        count.values += usize::from(found.value.is_some());
        count.traces += usize::from(found.trace.is_some());
        let (reduced, accelerated) = (!found.reduced.is_empty(), !found.accelerated.is_empty());
        count.reduced += usize::from(reduced);
        count.accelerated += usize::from(accelerated);
        count.both += usize::from(reduced && accelerated);
        Ok(())
    }
}

#[test]
fn answers_do_not_depend_on_how_they_are_found() {
    let first = setting("TAKT_CROSSING_SEED", 0);
    let cases = setting("TAKT_CROSSINGS", 100);
    let mut count = Count::default();
    for seed in first..first + cases {
        let (trial, mut r, text) = Trial::new(seed);
        for _ in 0..WAYS {
            let options = draw::options(&mut r);
            if let Err(wrong) = trial.compare(&options, &mut count) {
                let queries = trial.texts.join("\n");
                panic!("seed {seed}, {options:?}\n{wrong}\n{text}\n{queries}");
            }
        }
    }
    println!("{cases} models: {count:?}");
    let often = |n: usize, part: u64| n as u64 * part > cases;
    assert!(cases < 100 || often(count.answers, 1) && often(count.values, 1), "{count:?}");
    assert!(cases < 100 || often(count.reduced, 1) && often(count.accelerated, 3), "{count:?}");
    assert!(cases < 100 || often(count.both, 20) && often(count.unknown, 4), "{count:?}");
    assert!(cases < 100 || often(count.errors, 20), "{count:?}");
}
