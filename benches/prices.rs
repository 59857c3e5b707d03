//! What prices cost: the search of the whole zone graph for a state that does not exist, with
//! plain zones and with priced ones, on the same network with all rates zero.
//! Usage: `cargo bench --bench prices [-- NAME=N ...]`, such as `fischer=8`.

use std::ops::ControlFlow;
use std::time::Instant;
use takt_automata::engine::{Control, Options, Order, Progress, Stop, Verdict, check};
use takt_automata::model::{Model, build};
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
    let usual = ["fischer=7", "fischer=8", "csma-cd=8", "train-gate=5"];
    let names = match asked.is_empty() {
        true => usual.map(String::from).to_vec(),
        false => asked,
    };
    let heads = ["plain", "explored/s", "priced", "explored/s", "ratio"];
    println!("{:16} {}", "model", heads.map(|head| format!("{head:>11}")).join(" "));
    for name in names {
        let (name, n) = name.split_once('=').expect("NAME=N");
        compare(name, n.parse().expect("a number"));
    }
}

fn compare(name: &str, n: u32) {
    let folder = format!("{}/specs/automata", concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let read = |ending| std::fs::read_to_string(format!("{folder}/{name}.{ending}")).expect("read");
    let text = read("xta");
    let at = text.find("const int N = ").expect("the model's size is a constant N");
    let end = at + text[at..].find(';').expect("the constant ends");
    let text = format!("{}const int N = {n}{}", &text[..at], &text[end..]);
    let network = xta::parse(&text, FileId(0)).expect("the gallery is well-formed");
    let (mut model, _) = build(&network).expect("the gallery is well-typed");
    // What never happens, by the first invariant of the gallery.
    let queries = read("q");
    let never = queries.lines().find_map(|line| line.strip_prefix("A[] ")).expect("an invariant");
    let (plain, plain_speed) = run(&mut model, &format!("E<> !({never})"));
    let (priced, priced_speed) = run(&mut model, &format!("inf{{!({never})}}: cost"));
    println!(
        "{:16} {plain:>11} {plain_speed:>11.0} {priced:>11} {priced_speed:>11.0} {:>11.2}",
        format!("{name} {n}"),
        plain_speed / priced_speed
    );
}

/// States explored, and how many of them per second.
fn run(model: &mut Model, query: &str) -> (u64, f64) {
    let query = xta::parse_query(query, FileId(1)).expect("a query");
    let query = model.resolve_query(&query).expect("a query");
    let options = Options { order: Some(Order::Bfs), ..Options::default() };
    let begin = Instant::now();
    let answers = check(model, &[query], &options, &Unlimited).expect("no fault in the gallery");
    let seconds = begin.elapsed().as_secs_f64();
    assert_eq!(answers[0].verdict, Verdict::Violated);
    (answers[0].explored, answers[0].explored as f64 / seconds)
}
