//! Improvement beside the search through the automata: on threads of its own, or in turns on
//! one thread.

use super::board::{Best, Board};
use super::search::{Hunt, Incumbent};
use super::solve::{Compiled, Member};
use std::cell::RefCell;
use std::ops::ControlFlow;
use takt_automata::engine::{Control, Progress, Stop};
use takt_automata::trace::{self, Trace};
use takt_plant::improve::{self, Improver, Origin};
use takt_plant::lift;
use takt_plant::timetable::{self, Jobs};

/// More threads than this would only follow each other.
const MOST_THREADS: usize = 16;

/// For how many turns a first schedule is looked for before the automata are searched.
const SEEKING: u64 = 3;

/// Whoever improves, and what it reports to.
pub struct Aside<'a> {
    pub hunt: &'a Hunt<'a>,
    pub board: &'a Board<'a>,
    pub improver: Improver<'a>,
    /// How many changes are tried in one turn.
    turn: u64,
}

impl<'a> Aside<'a> {
    pub fn new(
        hunt: &'a Hunt<'a>,
        board: &'a Board<'a>,
        plant: &'a improve::Plant<'a>,
        number: u64,
    ) -> Aside<'a> {
        let improver =
            Improver::new(plant, hunt.settings.seed.wrapping_add(number), hunt.floor.quick);
        let plan = &hunt.compiled.plan;
        let steps: usize = (0..plan.orders.len()).map(|order| plan.steps(order).len()).sum();
        Aside { hunt, board, improver, turn: (20_000 / (steps as u64 + 1)).clamp(4, 200) }
    }

    /// Tries as many turns before anybody else begins; fewer if there is no schedule to change.
    pub fn begin(&mut self, turns: u64) {
        let mut turn = 0;
        while turn < turns && self.advance(1) && (turn < SEEKING || self.improver.kept().is_some())
        {
            turn += 1;
        }
    }

    /// Tries as many turns of changes; false if there is nothing more to try.
    pub fn advance(&mut self, turns: u64) -> bool {
        if let Some(jobs) = self.board.better_than(self.improver.kept()) {
            self.improver.adopt(&jobs);
        }
        let mut keeper = Keeper { hunt: self.hunt, board: self.board };
        self.improver.advance(turns * self.turn, &mut keeper)
    }

    /// Whoever searches beside this one may be far from its next poll when a limit comes: the best
    /// schedule is finished here.
    fn run(mut self) {
        while self.board.poll().is_continue() && self.advance(8) {}
        if self.board.takes_last_turn()
            && let Some(best) = self.board.best().filter(|best| best.passed.is_none())
            && let Some(passed) = self.hunt.finish(&best.jobs, best.by)
        {
            self.board.pass(best.value, &passed);
        }
    }
}

/// Takes schedules as they are found. Without heuristics the automata accept all that the plan
/// does, so only the last one has to be replayed; with them each has.
struct Keeper<'k> {
    hunt: &'k Hunt<'k>,
    board: &'k Board<'k>,
}

impl improve::Watch for Keeper<'_> {
    fn is_over(&mut self) -> bool {
        self.board.poll().is_break()
    }

    fn found(&mut self, value: i64, jobs: &Jobs, origin: Origin) -> bool {
        let by = match origin {
            Origin::Rule => Member::Rules,
            Origin::Change => Member::LocalSearch,
        };
        let mut passed: Option<Incumbent> = None;
        if !self.hunt.compiled.plan.heuristics.is_empty() {
            passed = self.hunt.settle(jobs.clone(), by).ok();
            if passed.as_ref().is_none_or(|passed| passed.value.is_some_and(|v| v > value)) {
                return false;
            }
        }
        if self.board.known().is_none_or(|known| value < known) {
            self.board.rehearse(&mut || passed = self.hunt.finish(jobs, by).or(passed.take()));
            self.board.offer(Best { value, jobs: jobs.clone(), by, passed });
            self.board.announce(value);
        }
        true
    }
}

/// Runs a search through the automata, with improvement beside it, which has begun already: a
/// turn of changes whenever the search asks whether to go on, or on threads of their own.
pub fn beside<'a, T>(
    first: Option<Aside<'a>>,
    threads: usize,
    more: impl Fn(u64) -> Aside<'a>,
    zones: impl FnOnce(&dyn Control) -> T,
    (hunt, board): (&'a Hunt<'a>, &'a Board<'a>),
) -> T {
    let alone = |aside| Zones { hunt, board, aside: RefCell::new(aside) };
    let Some(first) = first else { return zones(&alone(None)) };
    if threads < 2 {
        return zones(&alone(Some(first)));
    }
    std::thread::scope(|scope| {
        let others = (2..threads.min(MOST_THREADS) as u64).map(more);
        for aside in std::iter::once(first).chain(others) {
            // Where there is no room for a thread, one less improves.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || aside.run());
        }
        // The others must not go on for ever, also where the search ends by a bug.
        let _end = End(board);
        zones(&alone(None))
    })
}

/// Ends all searches when it goes.
struct End<'b, 'c>(&'b Board<'c>);

impl Drop for End<'_, '_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// What the search through the automata sees.
struct Zones<'z> {
    hunt: &'z Hunt<'z>,
    board: &'z Board<'z>,
    aside: RefCell<Option<Aside<'z>>>,
}

impl Control for Zones<'_> {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        self.board.note(progress);
        if let Some(aside) = &mut *self.aside.borrow_mut() {
            aside.advance(1);
        }
        self.board.poll()
    }

    fn improved(&self, progress: &Progress) {
        self.board.note(progress);
        progress.best.into_iter().for_each(|best| self.board.announce(best));
    }

    fn known(&self) -> Option<i64> {
        self.board.known()
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.hunt.control.has_room(bytes)
    }

    fn witnessed(&self, trace: &mut dyn FnMut() -> Option<Trace>) {
        let Compiled { plan, lowered, model, .. } = self.hunt.compiled;
        let found = trace().and_then(|trace| {
            let run = match plan.objective {
                takt_spec::Objective::Cost => trace::cheapest(model, &trace),
                _ => trace::concretise(model, &trace),
            }?;
            lift::jobs(plan, lowered, model, &run).ok()
        });
        if let Some(jobs) = found {
            let value = timetable::value(plan, &jobs);
            let (by, mut passed) = (Member::Zones, None);
            self.board.rehearse(&mut || passed = self.hunt.finish(&jobs, by));
            self.board.offer(Best { value, jobs, by, passed });
        }
    }
}
