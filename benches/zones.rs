//! Sizes and speed of the plain zone search on the gallery: states, states per second, bytes per
//! stored state. Usage: `cargo bench --bench zones [-- NAME=N ...]`, such as `fischer=9`.

use std::ops::ControlFlow;
use std::time::Instant;
use takt_automata::engine::{Control, Options, Progress, Stop, check};
use takt_automata::model::build;
use takt_automata::xta;
use takt_diagnostic::FileId;

struct Unlimited;

impl Control for Unlimited {
    fn poll(&self, _: &Progress) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| a.contains('=')).collect();
    let usual = ["train-gate=5", "csma-cd=9", "csma-cd=10", "fischer=8", "fischer=9"];
    let names = match asked.is_empty() {
        true => usual.map(String::from).to_vec(),
        false => asked,
    };
    let heads = ["explored", "stored", "seconds", "explored/s", "B/state"];
    println!("{:16} {}", "model", heads.map(|head| format!("{head:>11}")).join(" "));
    for name in names {
        let (name, n) = name.split_once('=').expect("NAME=N");
        run(name, n.parse().expect("a number"));
    }
}

/// Explores the whole zone graph of a gallery model with N components.
fn run(name: &str, n: u32) {
    let path =
        format!("{}/specs/automata/{name}.xta", concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let text = std::fs::read_to_string(path).expect("a model of the gallery");
    let at = text.find("const int N = ").expect("the model's size is a constant N");
    let end = at + text[at..].find(';').expect("the constant ends");
    let text = format!("{}const int N = {n}{}", &text[..at], &text[end..]);
    let network = xta::parse(&text, FileId(0)).expect("the gallery is well-formed");
    let (mut model, _) = build(&network).expect("the gallery is well-typed");
    let query = xta::parse_query("A[] true", FileId(1)).expect("a query");
    let query = model.resolve_query(&query).expect("a query");
    let before = memory("VmRSS:");
    let begin = Instant::now();
    let answers = check(&model, &[query], &Options::default(), &Unlimited);
    let seconds = begin.elapsed().as_secs_f64();
    let answer = &answers.expect("no fault in the gallery")[0];
    // The store is gone by now; the peak of the process tells what it took.
    let bytes = memory("VmHWM:").saturating_sub(before) as f64 / answer.stored.max(1) as f64;
    println!(
        "{:16} {:>11} {:>11} {seconds:>11.3} {:>11.0} {bytes:>11.0}",
        format!("{name} {n}"),
        answer.explored,
        answer.stored,
        answer.explored as f64 / seconds,
    );
}

/// A line of the process's status, in bytes; 0 where there is none.
fn memory(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|l| l.starts_with(key)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) * 1024
}
