//! Between A and B a schedule truly repeats: read from the rows alone, on the layouts of the library
//! and on random small machines.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use takt_testing::Random;

struct Row {
    what: String,
    resource: String,
    start: i64,
    end: i64,
}

/// A solved layout: its rows and its summary.
struct Solved {
    rows: Vec<Row>,
    summary: Value,
}

fn solve(spec: &Path, out: &Path) -> Solved {
    let mut command = Command::new(env!("CARGO_BIN_EXE_takt"));
    command.arg("solve").arg(spec).arg("--json").arg("--out").arg(out);
    let ran = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&ran.stdout);
    let summary: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{spec:?}: {text}"));
    let csv = fs::read_to_string(out.join("schedule.csv"))
        .unwrap_or_else(|_| panic!("{spec:?}: {summary}"));
    let rows = csv.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        Row {
            what: [cells[3], cells[4], cells[5]].join(" "),
            resource: cells[4].to_owned(),
            start: cells[6].parse().expect("a start"),
            end: cells[7].parse().expect("an end"),
        }
    });
    Solved { rows: rows.collect(), summary }
}

impl Solved {
    fn cycle(&self) -> (i64, i64) {
        let of = |key: &str| self.summary["cycle"][key].as_i64().expect("whole");
        (of("start"), of("end"))
    }

    /// What is under way, and since when.
    fn under_way(&self, at: i64) -> Vec<(&str, i64)> {
        let rows = self.rows.iter().filter(|row| row.start < at && at < row.end);
        sorted(rows.map(|row| (row.what.as_str(), row.start - at)))
    }

    fn starts(&self, from: i64, to: i64) -> Vec<(&str, i64)> {
        let rows = self.rows.iter().filter(|row| row.start >= from && row.start < to);
        sorted(rows.map(|row| (row.what.as_str(), row.start - from)))
    }

    /// Of each resource the time that its rows take between two instants.
    fn taken(&self, from: i64, to: i64) -> BTreeMap<&str, i64> {
        let mut taken = BTreeMap::new();
        for row in &self.rows {
            let time = (row.end.min(to) - row.start.max(from)).max(0);
            *taken.entry(row.resource.as_str()).or_default() += time;
        }
        taken
    }

    fn check(&self, name: &str) {
        let (from, to) = self.cycle();
        let length = to - from;
        assert_eq!(self.under_way(from), self.under_way(to), "{name}");
        assert_eq!(self.starts(from, to), self.starts(to, to + length), "{name}");
        let taken = self.taken(from, to);
        let told = self.summary["kpis"]["utilisation"].as_object().expect("shares");
        for (resource, share) in told {
            // A robot's arms count one by one.
            let arms = [0, 1].map(|arm| format!("turn {resource} {arm}"));
            let units = arms.iter().filter(|arm| self.rows.iter().any(|row| row.what == **arm));
            let units = units.count().max(1) as f64;
            let time = taken.get(resource.as_str()).copied().unwrap_or(0);
            let seen = time as f64 / (length as f64 * units);
            let share = share.as_f64().expect("a number");
            assert!((seen - share).abs() < 1e-3, "{name}: {resource} {seen} {share}");
        }
    }
}

fn sorted<'a>(all: impl Iterator<Item = (&'a str, i64)>) -> Vec<(&'a str, i64)> {
    let mut all: Vec<_> = all.collect();
    all.sort_unstable();
    all
}

#[test]
fn layouts_of_the_library_repeat_between_their_marks() {
    let folder = tempfile::tempdir().expect("a folder");
    let specs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("specs/scanner");
    for name in ["base", "fast-pump", "five-locks", "in-out", "one-chuck", "two-locks"] {
        let solved = solve(&specs.join(format!("{name}.yaml")), &folder.path().join(name));
        solved.check(name);
    }
}

fn machine(random: &mut Random) -> String {
    let mut time = || random.within(1, 9);
    let mut times = |keys: &str| {
        let told = keys.split(' ').map(|key| format!("{key}: {}", time()));
        told.collect::<Vec<_>>().join(", ")
    };
    let (track, pump) = (times("load unload switch recover"), times("depressurize pressurize"));
    let robot = times("turn from-lock to-lock to-chuck from-chuck");
    let stage = times("swap measure expose");
    let locks = random.within(1, 2);
    let ids = |count: i64| (0..count).map(|k| format!("L{k}")).collect::<Vec<_>>().join(", ");
    let ways = ["", ", direction: {L0: in}", ", direction: {L0: out}"];
    let ways = if locks > 1 { ways[random.below(3)] } else { "" };
    let mut text = format!(
        "takt: 1\nlayout:\n  track: {{{track}}}\n  locks: {{ids: [{}], {pump}{ways}}}\n  robots:\n",
        ids(locks)
    );
    let arms = random.within(1, 2);
    text += &format!("    R: {{arms: {arms}, locks: [{}], {robot}}}\n", ids(locks));
    let chucks = if random.percent(50) { "C" } else { "C, D" };
    text + &format!("  chucks: {{ids: [{chucks}], {stage}}}\n")
}

#[test]
fn small_machines_repeat_between_their_marks() {
    let folder = tempfile::tempdir().expect("a folder");
    for seed in 0..25 {
        let text = machine(&mut Random::new(seed));
        let spec = folder.path().join(format!("m{seed}.yaml"));
        fs::write(&spec, &text).expect("a file");
        solve(&spec, &folder.path().join("out")).check(&format!("seed {seed}: {text}"));
    }
}
