//! Job shops, proved by the learning search alone: `cargo bench -p takt --bench learn -- FILE…`.

use std::path::Path;
use std::time::Instant;
use takt_learn::{Choice, Outcome, Point, Solver, Span, Var};

fn main() {
    let mut limit = 30.0;
    let mut files: Vec<String> = Vec::new();
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time" => limit = arguments.next().and_then(|t| t.parse().ok()).unwrap_or(limit),
            file => files.push(file.to_owned()),
        }
    }
    if files.is_empty() {
        let shops = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/shops");
        files = ["ft06", "la01", "la06"].map(|f| shops.join(f).display().to_string()).into();
    }
    for file in files {
        let shop = read(&std::fs::read_to_string(&file).expect("a readable file"));
        prove(Path::new(&file).file_name().unwrap().to_str().unwrap(), &shop, limit);
    }
}

/// Machine and duration of each step of each job.
fn read(text: &str) -> Vec<Vec<(usize, i64)>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let numbers = |line: &str| -> Vec<i64> {
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    let jobs = lines.skip(1).map(numbers);
    jobs.map(|job| job.chunks(2).map(|pair| (pair[0] as usize, pair[1])).collect()).collect()
}

fn prove(name: &str, shop: &[Vec<(usize, i64)>], limit: f64) {
    let begun = Instant::now();
    let horizon: i64 = shop.iter().flatten().map(|step| step.1).sum();
    let mut solver = Solver::new();
    let end = solver.variable(0, horizon, Choice::Least(0));
    let mut machines: Vec<Vec<(Var, i64)>> = Vec::new();
    for job in shop {
        let mut last: Option<(Var, i64)> = None;
        for &(machine, duration) in job {
            let start = solver.variable(0, horizon, Choice::Least(0));
            if let Some((before, gap)) = last {
                solver.before(before, gap, start, None);
            }
            machines.resize_with(machines.len().max(machine + 1), Vec::new);
            machines[machine].push((start, duration));
            last = Some((start, duration));
        }
        if let Some((before, gap)) = last {
            solver.before(before, gap, end, None);
        }
    }
    for steps in &machines {
        let count = steps.len();
        let mut before = vec![None; count * count];
        for (k, &(a, first)) in steps.iter().enumerate() {
            for (l, &(b, second)) in steps[..k].iter().enumerate() {
                let order = solver.boolean();
                before[k * count + l] = Some(order);
                before[l * count + k] = Some(!order);
                solver.before(a, first, b, Some(order));
                solver.before(b, second, a, Some(!order));
            }
        }
        let span = |&(start, length): &(Var, i64)| Span {
            start: start.into(),
            end: Point::from(start).plus(length),
            length,
            presence: None,
        };
        solver.disjunctive(steps.iter().map(span).collect(), before);
    }
    let mut best = None;
    loop {
        let outcome = solver.search(&[], u64::MAX, &mut || begun.elapsed().as_secs_f64() > limit);
        let seconds = begun.elapsed().as_secs_f64();
        match outcome {
            Outcome::Solution => {
                let value = solver.min(end);
                best = Some(value);
                solver.suggest_all();
                solver.clause([end.at_most(value - 1)]);
            }
            _ => {
                let counts = solver.counts();
                let word = if outcome == Outcome::Spent { "stopped" } else { "proved" };
                println!(
                    "{name:8} {word:8} {best:?} {seconds:7.2} s {:9} conflicts {:9} decisions {:6.1} M propagations {:5} restarts {:4} MB",
                    counts.conflicts,
                    counts.decisions,
                    counts.propagations as f64 / 1e6,
                    counts.restarts,
                    solver.bytes() >> 20
                );
                return;
            }
        }
    }
}
