//! Cheapest ways found with priced zones, against a solver that walks whole instants.
//!
//! With closed guards and whole constants a cheapest run exists at whole instants, so trying every
//! delay of one unit is enough: Dijkstra's algorithm over states of the interpreter. Models are
//! random; a failing one is printed with its seed. `TAKT_PRICES=5000` runs more of them.

mod random;

use random::Random;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::ControlFlow;
use takt::diagnostic::FileId;
use takt::engine::{
    Abstraction, Control, Extremum, Options, Order, Progress, Stop, Verdict, check,
};
use takt::interpret::{Concrete, Interpreter, replay};
use takt::model::{Formula, Model, Query, build};
use takt::trace::{Time, cheapest};
use takt::xta;

/// Constants of the random models are at most this; clocks beyond it look alike.
const LARGEST: i64 = 4;

struct Patience;

impl Control for Patience {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        match progress.explored > 20_000 {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The cheapest cost of a state where the formula holds.
fn corner_points(model: &Model, goal: &Formula) -> Option<i64> {
    let interpreter = Interpreter::new(model);
    let mut best: BTreeMap<(Vec<i32>, Vec<i64>), i64> = BTreeMap::new();
    let mut queue = BinaryHeap::new();
    let initial = interpreter.initial();
    if interpreter.is_valid(&initial).unwrap() {
        queue.push((Reverse(0), key(&initial)));
    }
    while let Some((Reverse(cost), (state, clocks))) = queue.pop() {
        if best.get(&(state.clone(), clocks.clone())).is_some_and(|&known| known <= cost) {
            continue;
        }
        best.insert((state.clone(), clocks.clone()), cost);
        let at = Concrete {
            state,
            clocks: clocks.iter().map(|&c| Time::from_integer(c)).collect(),
            cost: Time::from_integer(cost),
        };
        if interpreter.holds(&at, goal, false).unwrap() {
            return Some(cost);
        }
        let moved = interpreter.successors(&at).unwrap().into_iter().map(|(_, next)| next);
        let waited = interpreter.delay(&at, Time::from_integer(1)).unwrap();
        for next in moved.chain(waited) {
            queue.push((Reverse(next.cost.to_integer()), key(&next)));
        }
    }
    None
}

fn key(at: &Concrete) -> (Vec<i32>, Vec<i64>) {
    let capped = at.clocks.iter().map(|c| c.to_integer().min(LARGEST + 1)).collect();
    (at.state.clone(), capped)
}

/// Two or three processes with closed guards, rates and increments.
fn model(random: &mut Random) -> String {
    let mut text =
        String::from("clock x, y;\nint[0,2] n;\nchan a;\nurgent chan b;\nbroadcast chan c;\n");
    let processes = 1 + random.below(3);
    for p in 0..processes {
        text += &process(random, p);
    }
    let names: Vec<String> = (0..processes).map(|p| format!("P{p}")).collect();
    text + &format!("system {};\n", names.join(", "))
}

fn process(random: &mut Random, number: usize) -> String {
    let locations = 2 + random.below(3);
    let mut text = format!("process P{number}() {{\n  clock z;\n  state ");
    let states: Vec<String> = (0..locations).map(|l| location(random, l)).collect();
    text += &format!("{};\n", states.join(", "));
    for kind in ["commit", "urgent"] {
        if random.percent(15) {
            text += &format!("  {kind} L{};\n", 1 + random.below(locations - 1));
            break;
        }
    }
    text += "  init L0;\n  trans ";
    let edges: Vec<String> =
        (0..locations + random.below(3)).map(|k| edge(random, k, locations)).collect();
    text + &edges.join(", ") + ";\n}\n"
}

fn location(random: &mut Random, number: usize) -> String {
    let mut parts = Vec::new();
    if random.percent(40) {
        parts.push(format!("{} <= {}", random.pick(&["x", "y", "z"]), random.within(1, LARGEST)));
    }
    if random.percent(60) {
        parts.push(format!("cost' == {}", random.within(0, 3)));
    }
    match parts.is_empty() {
        true => format!("L{number}"),
        false => format!("L{number} {{ {} }}", parts.join(" && ")),
    }
}

fn edge(random: &mut Random, number: usize, locations: usize) -> String {
    // A ring through all locations, so that most goals can be reached, and some more.
    let (source, target) = match number < locations {
        true => (number, (number + 1) % locations),
        false => (random.below(locations), random.below(locations)),
    };
    let mut text = format!("L{source} -> L{target} {{ ");
    let sync = match random.percent(30) {
        true => Some(*random.pick(&["a!", "a?", "b!", "b?", "c!", "c?"])),
        false => None,
    };
    // Urgent edges have no clock guards; those of broadcast receivers act like strict ones: not
    // to be heard is to be just beside them, and then no whole instant is the cheapest.
    let is_timed = !sync.is_some_and(|s| s.starts_with('b') || s == "c?");
    if is_timed && random.percent(60) {
        let clock = random.pick(&["x", "y", "z"]);
        let op = random.pick(&["<=", ">=", "=="]);
        text += &format!("guard {clock} {op} {}; ", random.within(0, LARGEST));
    } else if random.percent(20) {
        text += &format!("guard n == {}; ", random.within(0, 2));
    }
    if let Some(sync) = sync {
        text += &format!("sync {sync}; ");
    }
    let mut updates = Vec::new();
    for clock in ["x", "y", "z"] {
        if random.percent(30) {
            updates.push(format!("{clock} = {}", if random.percent(80) { 0 } else { 2 }));
        }
    }
    if random.percent(40) {
        updates.push(format!("cost += {}", random.within(0, 5)));
    }
    if random.percent(20) {
        updates.push(format!("n = {}", random.within(0, 2)));
    }
    if !updates.is_empty() {
        text += &format!("assign {}; ", updates.join(", "));
    }
    text + "}"
}

fn goal(random: &mut Random) -> String {
    let mut text = String::from("P0.L1");
    if random.percent(40) {
        let op = random.pick(&["<=", ">=", "=="]);
        text += &format!(" && {} {op} {}", random.pick(&["x", "y"]), random.within(0, LARGEST));
    }
    if random.percent(20) {
        text += " && n == 2";
    }
    text
}

/// Compares one random model in all orders; tells whether the goal could be reached.
fn compare(seed: u64) -> bool {
    let mut random = Random::new(seed);
    let text = model(&mut random);
    let query = format!("inf{{{}}}: cost", goal(&mut random));
    let network = xta::parse(&text, FileId(0)).unwrap_or_else(|e| panic!("{seed}\n{text}\n{e:?}"));
    let (mut model, _) = build(&network).unwrap_or_else(|e| panic!("{seed}\n{text}\n{e:?}"));
    let asked = xta::parse_query(&query, FileId(1)).unwrap();
    let resolved = model.resolve_query(&asked).unwrap();
    let Query::Infimum { within, .. } = &resolved else { unreachable!() };
    let expected = corner_points(&model, within);
    for order in Order::ALL {
        let kinds = [Abstraction::Lu, Abstraction::K];
        for abstraction in kinds.into_iter().take(1 + usize::from(order == Order::Best)) {
            let options = Options { order: Some(order), abstraction: Some(abstraction), seed };
            let story = || format!("seed {seed}, {order:?}, {abstraction:?}\n{text}\n{query}");
            let answers = check(&model, std::slice::from_ref(&resolved), &options, &Patience);
            let answer = &answers.unwrap_or_else(|e| panic!("{}\n{e:?}", story()))[0];
            if answer.verdict == Verdict::Unknown {
                // Going deep first may see many dear ways before the cheap ones cover them.
                let goes_deep = !matches!(order, Order::Bfs | Order::Best | Order::Diving);
                assert!(goes_deep, "does not end: {}", story());
                continue;
            }
            let found = match answer.value {
                Some(Extremum::Finite { value, attained }) => {
                    assert!(attained, "{}", story());
                    Some(value)
                }
                _ => None,
            };
            assert_eq!(found, expected, "{}", story());
            if let Some(trace) = &answer.trace {
                let run = cheapest(&model, trace);
                let run = run.unwrap_or_else(|| panic!("no times: {}", story()));
                let end = replay(&model, &run).unwrap_or_else(|e| panic!("{e:?}: {}", story())).end;
                assert_eq!(Some(end.cost.to_integer()), expected, "{}", story());
                assert!(
                    Interpreter::new(&model).holds(&end, within, false).unwrap(),
                    "{}",
                    story()
                );
            }
        }
    }
    expected.is_some()
}

#[test]
fn cheapest_ways_agree_with_walking_whole_instants() {
    let count = std::env::var("TAKT_PRICES").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let reached = (0..count).filter(|&seed| compare(seed)).count();
    // Most of the models must say something.
    assert!(reached as u64 * 3 > count, "{reached} of {count} reach their goal");
}
