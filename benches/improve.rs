//! How soon schedules without proof meet the floor, and how long large plants take to be placed:
//! `cargo bench --bench improve`.

use std::time::{Duration, Instant};
use takt_diagnostic::FileId;
use takt_plant::{ImproveOptions, IncumbentCallback, Jobs, Plan};
use takt_spec as spec;

/// Name, file, and the best value known.
const SHOPS: &[(&str, &str, i64)] = &[
    ("ft06", include_str!("../tests/shops/ft06"), 55),
    ("la01", include_str!("../tests/shops/la01"), 666),
    ("la05", include_str!("../tests/shops/la05"), 593),
    ("la06", include_str!("../tests/shops/la06"), 926),
    ("la10", include_str!("../tests/shops/la10"), 958),
    ("la11", include_str!("../tests/shops/la11"), 1222),
    ("la14", include_str!("../tests/shops/la14"), 1292),
];

/// Stops at a value, or when its time is over.
struct Clock {
    started: Instant,
    limit: Duration,
    target: i64,
    best: Option<i64>,
    first: Option<Duration>,
    last: Duration,
}

impl Clock {
    fn new(limit: Duration, target: i64) -> Clock {
        let started = Instant::now();
        Clock { started, limit, target, best: None, first: None, last: Duration::ZERO }
    }
}

impl IncumbentCallback for Clock {
    fn is_over(&mut self) -> bool {
        self.started.elapsed() > self.limit || self.best.is_some_and(|best| best <= self.target)
    }

    fn found(&mut self, value: i64, _: &Jobs, _: takt_plant::FoundBy) -> bool {
        self.best = Some(value);
        self.last = self.started.elapsed();
        self.first.get_or_insert(self.last);
        true
    }
}

fn main() {
    for (name, text, best) in SHOPS {
        run(name, &read(&shop(text)), *best, Duration::from_secs(10));
    }
    for (orders, horizontal) in [(29, 1), (73, 1), (73, 3), (2044, 1)] {
        let name = format!("plant of {orders} x {horizontal}");
        let text = plant(orders, horizontal);
        run(&name, &read(&text), 0, Duration::from_secs(10));
        let text = text.replace("objective: cost", "objective: makespan");
        run(&format!("{name}, makespan"), &read(&text), 0, Duration::from_secs(5));
    }
}

fn run(name: &str, plan: &Plan, target: i64, limit: Duration) {
    let started = Instant::now();
    let floor = takt_plant::floor(plan);
    let floored = started.elapsed();
    let mut clock = Clock::new(limit, target);
    let options = ImproveOptions { seed: 1, floor, effort: u64::MAX };
    takt_plant::improve(plan, &options, &mut clock);
    let first = clock.first.map_or(f64::NAN, |first| first.as_secs_f64());
    println!(
        "{name:<28} floor {floor:?} ({:.3} s), first after {first:.3} s, {:?} after {:.3} s of {:.3} s",
        floored.as_secs_f64(),
        clock.best,
        clock.last.as_secs_f64(),
        clock.started.elapsed().as_secs_f64(),
    );
}

fn read(text: &str) -> Plan {
    let spec = spec::read(text, FileId(0)).unwrap_or_else(|wrong| panic!("{wrong:?}")).0;
    takt_plant::plan(&spec).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// A spec from machine and duration pairs, one line per job.
fn shop(text: &str) -> String {
    let mut rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        line.split_whitespace().filter_map(|word| word.parse::<usize>().ok()).collect::<Vec<_>>()
    });
    let size = rows.next().unwrap_or_default();
    let machines: Vec<String> = (0..size[1]).map(|m| format!("m{m}: {{}}")).collect();
    let mut out = format!("takt: 1\nresources: {{{}}}\nrecipes:\n", machines.join(", "));
    let mut orders = String::from("orders:\n");
    for (job, row) in rows.enumerate().take(size[0]) {
        let steps = row.chunks_exact(2).enumerate();
        let steps =
            steps.map(|(k, p)| format!("{{name: s{k}, on: m{}, duration: {}}}", p[0], p[1]));
        let steps: Vec<String> = steps.collect();
        out.push_str(&format!("  r{job}: {{steps: [{}]}}\n", steps.join(", ")));
        orders.push_str(&format!("  - {{id: j{job}, recipe: r{job}}}\n"));
    }
    out + &orders
}

/// Three kinds of lacquer with limited lags, held vessels, setups and costs; several copies of the
/// plant side by side. The numbers are made up.
fn plant(orders: usize, copies: usize) -> String {
    let mut out = format!(
        "takt: 1\ntime: {{unit: minute}}\nresources:\n  spinner: {{capacity: {}}}\n  \
         lab: {{capacity: {}}}\n  vessel: {{capacity: {}}}\n  mixer: {{capacity: {copies}}}\n  \
         line: {{capacity: {}}}\n  filler: {{units: [{}], setup: {{time: 5h, cost: 200}}}}\n",
        2 * copies,
        2 * copies,
        6 * copies,
        2 * copies,
        (0..2 * copies).map(|k| format!("F{k}")).collect::<Vec<_>>().join(", "),
    );
    out.push_str("recipes:\n");
    for (name, first, on) in [("metal", 6, "mixer"), ("bronze", 11, "mixer"), ("uni", 26, "line")] {
        out.push_str(&format!(
            "  {name}:\n    steps:\n      - {{name: pre, on: {on}, duration: {first}h}}\n      \
             - {{name: dose, on: spinner, duration: 14h, after: {{pre: {{max: 4h}}}}}}\n      \
             - {{name: test, on: lab, duration: 5h, after: {{dose: {{min: 2h, max: 4h}}}}}}\n      \
             - {{name: again, on: spinner, duration: 7h}}\n      \
             - {{name: retest, on: lab, duration: 7h}}\n      \
             - {{name: fill, on: filler, duration: 22h}}\n    \
             holds: [{{resource: vessel, from: dose, until: fill}}]\n"
        ));
    }
    out.push_str("orders:\n");
    for k in 0..orders * copies {
        let kind = ["metal", "bronze", "uni"][k % 3];
        let release = k / copies * 13;
        out.push_str(&format!(
            "  - {{id: o{k}, recipe: {kind}, release: {release}h, due: {}h, delay-cost: 500, \
             storage-cost: 5}}\n",
            release + 150
        ));
    }
    out + "objective: cost\n"
}
