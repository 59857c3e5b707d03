//! Calendars that meet rarely: one order on several of them at once, against a walk through time
//! with nothing but remainders.
//!
//! The story: calendars that repeat every 99,991 and 99,989 meet again only after 10^10 units; the
//! windows were cut at 10^9, and "infeasible" was proved of what can be done. Six machines with
//! rhythms of their own were refused because of a common period that nobody needs.

use super::{Patient, Plant};
use std::fmt::Write;
use takt_automata::engine::{self, Extremum, Options, Order, Verdict};
use takt_diagnostic::FileId;
use takt_spec as spec;
use takt_testing::Random;

/// Open in `[open, close)` of each round.
#[derive(Clone, Copy, Debug)]
struct Round {
    open: i64,
    close: i64,
    length: i64,
}

impl Round {
    /// The stretch `[from, to)` that is open and ends after the instant.
    fn next(self, at: i64) -> (i64, i64) {
        if (self.open, self.close) == (0, self.length) {
            return (0, i64::MAX);
        }
        let begin = at - at.rem_euclid(self.length);
        let begin = if begin + self.close > at { begin } else { begin + self.length };
        (begin + self.open, begin + self.close)
    }
}

#[derive(Clone, Debug)]
struct Step {
    on: Vec<usize>,
    duration: i64,
    /// From the end of the step before.
    max: Option<i64>,
}

#[derive(Clone, Debug)]
struct Case {
    rounds: Vec<Round>,
    steps: Vec<Step>,
}

impl Case {
    /// The first start from an instant on, before another.
    fn start(&self, step: &Step, mut from: i64, until: i64) -> Option<i64> {
        while from < until {
            let open = step.on.iter().map(|&on| self.rounds[on].next(from));
            let (open, close) =
                open.fold((from, i64::MAX), |all, one| (all.0.max(one.0), all.1.min(one.1)));
            if open + step.duration <= close {
                return Some(open).filter(|&start| start < until);
            }
            // Whoever closes first opens again later.
            from = close.max(from + 1);
        }
        None
    }

    /// The earliest end of all steps from `number` on, the first of which starts by `latest`.
    fn end(&self, number: usize, from: i64, latest: i64, until: i64) -> Option<i64> {
        let Some(step) = self.steps.get(number) else { return Some(from) };
        let limit = self.steps.get(number + 1).and_then(|next| next.max);
        let mut at = from;
        loop {
            let start = self.start(step, at, latest.saturating_add(1).min(until))?;
            let end = start + step.duration;
            let next = limit.map_or(until, |max| end + max);
            let found = self.end(number + 1, end, next, until);
            if found.is_some() || limit.is_none() {
                return found;
            }
            at = start + 1;
        }
    }

    fn best(&self, until: i64) -> Option<i64> {
        self.end(0, 0, until, until)
    }

    fn yaml(&self) -> String {
        let mut text = String::from("takt: 1\ncalendars:\n");
        for (k, round) in self.rounds.iter().enumerate() {
            let Round { open, close, length } = round;
            let _ = writeln!(text, "  c{k}: {{windows: [[{open}, {close}]], repeat: {length}}}");
        }
        text.push_str("resources:\n");
        for k in 0..self.rounds.len() {
            let _ = writeln!(text, "  m{k}: {{calendar: c{k}}}");
        }
        text.push_str("recipes:\n  r:\n    steps:\n");
        for (k, step) in self.steps.iter().enumerate() {
            let on: Vec<String> = step.on.iter().map(|on| format!("m{on}")).collect();
            let on = on.join(", ");
            let _ = write!(text, "      - {{name: s{k}, on: [{on}], duration: {}", step.duration);
            if let (Some(max), Some(before)) = (step.max, k.checked_sub(1)) {
                let _ = write!(text, ", after: {{s{before}: {{max: {max}}}}}");
            }
            text.push_str("}\n");
        }
        text.push_str("orders: [{id: A, recipe: r}]\n");
        text
    }
}

fn case(r: &mut Random, lengths: &[i64]) -> Case {
    let count = 2 + r.below(2);
    let mut rounds: Vec<Round> = Vec::new();
    while rounds.len() < count {
        let length = lengths[r.below(lengths.len())];
        if rounds.iter().any(|known| known.length == length) {
            continue;
        }
        let width = 1 + r.amount(length.min(12));
        let open = r.amount(length - width + 1);
        rounds.push(Round { open, close: open + width, length });
    }
    let widest = rounds.iter().map(|round| round.close - round.open).min().unwrap_or(1);
    let steps = (0..1 + r.amount(3)).map(|k| {
        let mut on: Vec<usize> = (0..count).filter(|_| r.percent(60)).collect();
        if on.is_empty() {
            on.push(r.below(count));
        }
        let max = (k > 0 && r.percent(30)).then(|| r.amount(30));
        Step { on, duration: 1 + r.amount(widest), max }
    });
    let steps = steps.collect();
    Case { rounds, steps }
}

/// What the search finds; an error of the plan where it says that it cannot tell.
fn found(text: &str) -> Result<Option<i64>, &'static str> {
    let spec = spec::read(text, FileId(0)).unwrap().0;
    if let Err(found) = takt_plant::plan(&spec) {
        return Err(found.iter().next().unwrap().code);
    }
    let plant = Plant::read(text);
    let options = Options { order: Some(Order::Best), ..Options::default() };
    let answer =
        engine::earliest(&plant.model, &plant.goal, plant.now, None, &options, &Patient).unwrap();
    if answer.verdict == Verdict::Violated {
        return Ok(None);
    }
    plant.schedule(&answer);
    match answer.value {
        Some(Extremum::Finite { value, attained: true }) => Ok(Some(value)),
        other => panic!("{other:?}\n{text}"),
    }
}

fn compare(seeds: std::ops::Range<u64>, lengths: &[i64], until: i64) -> (u32, u32, u32) {
    let (mut met, mut never, mut untold) = (0, 0, 0);
    for seed in seeds {
        let case = case(&mut Random::new(seed), lengths);
        let best = case.best(until);
        let text = case.yaml();
        match found(&text) {
            Ok(found) => assert_eq!(found, best, "seed {seed}\n{text}"),
            Err(code) => {
                assert_eq!((code, best), ("too-large", None), "seed {seed}\n{text}");
                untold += 1;
                continue;
            }
        }
        (met, never) = (met + u32::from(best.is_some()), never + u32::from(best.is_none()));
    }
    (met, never, untold)
}

#[test]
fn small_coprime_rhythms() {
    let (met, never, untold) = compare(0..150, &[1, 2, 3, 5, 7, 11, 13, 17, 19, 23], 2_000_000);
    assert!(met > 100 && never > 2 && untold == 0, "{met} met, {never} never, {untold} untold");
}

#[test]
fn large_coprime_rhythms() {
    let lengths = [9973, 99_989, 99_991, 999_983, 1_000_000_000];
    let (met, _, untold) = compare(0..30, &lengths, 1_000_000_000);
    assert!(met > 12 && untold > 0, "{met} met, {untold} untold");
}

/// The case of the story, and one whose windows meet only after 10^9: no proof of anything.
#[test]
fn what_meets_rarely_is_found_or_left_open() {
    let two = |open: i64| {
        let rounds = vec![
            Round { open: 0, close: 10, length: 99_991 },
            Round { open, close: open + 10, length: 99_989 },
        ];
        Case { rounds, steps: vec![Step { on: vec![0, 1], duration: 6, max: None }] }
    };
    assert_eq!(found(&two(20).yaml()), Ok(Some(799_938)));
    assert_eq!(found(&two(50_001).yaml()), Err("too-large"));
}

#[test]
fn machines_with_rhythms_of_their_own_need_no_common_period() {
    let lengths = [7, 11, 13, 17, 19, 23];
    let rounds = lengths.map(|length| Round { open: 0, close: 5, length }).to_vec();
    let step = |on: usize| Step { on: vec![on], duration: 4, max: (on == 1).then_some(2) };
    let case = Case { rounds, steps: (0..6).map(step).collect() };
    let best = case.best(1000);
    assert!(best.is_some());
    assert_eq!(found(&case.yaml()), Ok(best));
}
