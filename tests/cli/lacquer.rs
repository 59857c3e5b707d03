//! The lacquer plant: its versions are read, planned and scheduled.
//!
//! Versions with costs are searched only until their first schedule, so that the test does not
//! depend on how fast the machine is; what comes out has been replayed and validated.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use takt::{Problem, Request, Solution, Status};
use takt_automata::engine::{Control, Progress, Stop};
use takt_diagnostic::FileId;
use takt_spec::{Files, Unread};

struct Folder {
    path: PathBuf,
    read: u32,
}

impl Files for Folder {
    fn read(&mut self, path: &str) -> Result<(FileId, String), Unread> {
        self.read += 1;
        let text = std::fs::read_to_string(self.path.join(path)).map_err(|e| e.to_string())?;
        Ok((FileId(self.read), text))
    }
}

fn version(name: &str) -> Problem {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("specs/lacquer");
    let mut folder = Folder { path, read: 0 };
    let (_, text) = folder.read(&format!("{name}.yaml")).unwrap();
    let (problem, warnings) = Problem::read(&text, FileId(0), name, &mut folder).unwrap();
    assert!(warnings.is_empty(), "{name}: {warnings:?}");
    problem
}

/// Lets a search go on until it has a schedule.
#[derive(Default)]
struct UntilFirst(AtomicBool);

impl Control for UntilFirst {
    fn poll(&self, _: &Progress) -> ControlFlow<Stop> {
        match self.0.load(Ordering::Relaxed) {
            true => ControlFlow::Break(Stop::Interrupt),
            false => ControlFlow::Continue(()),
        }
    }

    fn improved(&self, _: &Progress) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn solve(name: &str) -> Solution {
    takt::solve(&version(name), &Request::default(), &UntilFirst::default()).unwrap()
}

#[test]
fn schedules_without_delay_are_found() {
    for (name, orders, steps) in [("plant", 29, 199), ("v1", 29, 199), ("v2", 73, 497)] {
        let plan = takt_plant::plan(&version(name).spec).unwrap();
        assert_eq!(plan.orders.len(), orders, "{name}");
        let solution = solve(name);
        assert_eq!(solution.status, Status::Optimal, "{name}");
        let rows = &solution.found.unwrap().schedule.rows;
        let kept = rows.iter().filter(|row| row.kind == takt_spec::schedule::Kind::Step).count();
        assert_eq!(kept, steps, "{name}");
    }
}

#[test]
fn multiples_have_so_many_orders() {
    for (name, orders) in [("v3", 146), ("v4", 146)] {
        assert_eq!(takt_plant::plan(&version(name).spec).unwrap().orders.len(), orders, "{name}");
    }
}

#[test]
fn versions_with_costs_have_schedules() {
    for name in ["v5", "v6", "v7"] {
        let solution = solve(name);
        assert!(solution.found.is_some(), "{name}: {:?}", solution.status);
        assert!(solution.value > Some(0.into()) && solution.bound <= solution.value, "{name}");
    }
}
