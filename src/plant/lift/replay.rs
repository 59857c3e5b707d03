//! The run that stands for a schedule, found by walking through the network with the schedule
//! in hand: whatever happens by itself happens when it must, steps start when the schedule says
//! so, and time passes when nothing else is to be done.

use super::{Started, orders_of_processes, started};
use crate::lower::{Event, Lowered};
use crate::plan::{FamilyId, IdVec, OrderId, Plan, PoolId, StepId};
use crate::timetable::{self, Jobs, SetUp};
use std::collections::{BTreeMap, BTreeSet};
use takt_automata::interpret::{Course, Limit};
use takt_automata::model::{ClockId, ClockRef, Conjunct, Edge, EdgeId, Fault, Model, ProcessId};
use takt_automata::network::Direction;
use takt_automata::trace::{EdgeRef, Move, Run, Time, TimedMove};

/// A start that is still to come: time, order, step.
type Pending = BTreeSet<(i64, OrderId, StepId)>;

struct Replay<'a> {
    plan: &'a Plan,
    lowered: &'a Lowered,
    model: &'a Model,
    jobs: &'a Jobs,
    orders: Vec<Option<OrderId>>,
    pending: Pending,
    /// Setups that are work and still to come, by start.
    setups: BTreeSet<(i64, PoolId, usize, FamilyId)>,
    /// The edges by which units are set up, for each way and family.
    crews: BTreeMap<(PoolId, usize, FamilyId), Vec<EdgeRef>>,
    /// Instants at which something may end.
    ends: BTreeSet<i64>,
    /// `[process][location]`: edges that are taken by themselves.
    own: Vec<Vec<Vec<EdgeId>>>,
    /// The processes of each order.
    processes: IdVec<OrderId, Vec<ProcessId>>,
    judgements: Vec<EdgeRef>,
    alarms: Alarms,
    now: i64,
    run: Run,
}

/// When edges that are taken by themselves may be, as clocks tell.
#[derive(Default)]
struct Alarms {
    /// For each clock: the processes with such edges that test it.
    by_clock: Vec<Vec<ProcessId>>,
    /// Processes that may have such an edge now.
    due: BTreeSet<ProcessId>,
    /// Processes that have one at the earliest at this instant.
    later: BTreeSet<(i64, ProcessId)>,
    /// The same, for each process.
    at: Vec<Option<i64>>,
}

impl Alarms {
    fn set(&mut self, process: ProcessId, instant: Option<i64>) {
        let old = std::mem::replace(&mut self.at[process.index()], instant);
        if let Some(old) = old {
            self.later.remove(&(old, process));
        }
        self.due.remove(&process);
        self.later.extend(instant.map(|instant| (instant, process)));
    }

    /// Whoever is to be woken up to now is due.
    fn ring(&mut self, now: i64) {
        while let Some(&(instant, process)) = self.later.first()
            && instant <= now
        {
            self.later.pop_first();
            self.due.insert(process);
        }
    }
}

pub fn to_run(plan: &Plan, lowered: &Lowered, model: &Model, jobs: &Jobs) -> Result<Run, String> {
    let mut pending = Pending::new();
    for (order, own) in jobs.entries() {
        pending.extend(own.entries().map(|(step, job)| (job.start, order, step)));
    }
    let setups = timetable::setups(plan, jobs).ok_or("there is no place for a setup")?;
    let family = |setup: &SetUp| plan.steps(setup.order)[setup.step].family;
    let setups = setups.iter().map(|one| (one.start, one.pool, one.number, family(one))).collect();
    let done = model.cells.iter().position(|cell| cell.name == "done");
    let done = done.ok_or("the network has no variable `done`")?;
    let orders = orders_of_processes(lowered, model);
    let mut processes = plan.orders.filled(Vec::new());
    for (process, order) in orders.iter().enumerate() {
        if let Some(order) = order {
            processes[*order].push(ProcessId::at(process));
        }
    }
    let mut replay = Replay {
        plan,
        lowered,
        model,
        jobs,
        orders,
        pending,
        setups,
        crews: BTreeMap::new(),
        ends: jobs.iter().flatten().map(|job| job.end).collect(),
        own: Vec::new(),
        processes,
        judgements: Vec::new(),
        alarms: Alarms::default(),
        now: 0,
        run: Run::default(),
    };
    replay.sort_edges();
    replay.walk(done)
}

impl Replay<'_> {
    fn walk(mut self, done: usize) -> Result<Run, String> {
        let course = Course::new(self.model).map_err(fault)?;
        let mut course = course.ok_or("the network has no initial state")?;
        for process in ProcessId::all(self.model.processes.len()) {
            self.set_alarm(&course, process)?;
        }
        while course.state()[done] == 0 || !self.pending.is_empty() {
            match self.choose(&mut course)? {
                Some(action) => self.note(&course, action)?,
                None => self.wait(&mut course)?,
            }
        }
        self.run.end = Time::from_integer(self.now);
        Ok(self.run)
    }

    /// Writes down the move that was made.
    fn note(&mut self, course: &Course, action: Move) -> Result<(), String> {
        let mut changed: Vec<ProcessId> = action.edges.iter().map(|edge| edge.process).collect();
        for clock in course.reset() {
            changed.extend(&self.alarms.by_clock[clock.index()]);
        }
        for process in changed {
            self.set_alarm(course, process)?;
        }
        self.run.moves.push(TimedMove { time: Time::from_integer(self.now), action });
        Ok(())
    }

    fn set_alarm(&mut self, course: &Course, process: ProcessId) -> Result<(), String> {
        let mut first: Option<i64> = None;
        for &edge in &self.own[process.index()][course.location(process).index()] {
            let opening = course.opening(EdgeRef { process, edge }).map_err(fault)?;
            let opening = opening.ceil().to_integer();
            first = Some(first.map_or(opening, |first| first.min(opening)));
        }
        self.alarms.set(process, first);
        Ok(())
    }

    /// Tells edges that are taken by themselves from starts, judgements and receptions.
    fn sort_edges(&mut self) {
        self.alarms.at = vec![None; self.model.processes.len()];
        self.alarms.by_clock = vec![Vec::new(); self.model.clocks.len()];
        for (number, process) in self.model.processes.iter().enumerate() {
            let mut own = vec![Vec::new(); process.locations.len()];
            for (index, edge) in process.edges.iter().enumerate() {
                let sync = edge.sync.as_ref();
                let is_heard = sync.is_some_and(|sync| sync.direction == Direction::Receive);
                let index = EdgeId::at(index);
                match edge.origin.and_then(|o| self.lowered.events.get(o.0 as usize)) {
                    Some(Event::Start { .. }) => {}
                    Some(&Event::SetUp { pool, family, way }) => {
                        let edge = EdgeRef { process: ProcessId::at(number), edge: index };
                        self.crews.entry((pool, way, family)).or_default().push(edge);
                    }
                    Some(Event::Judge) => {
                        self.judgements
                            .push(EdgeRef { process: ProcessId::at(number), edge: index });
                    }
                    _ if is_heard => {}
                    _ => {
                        own[edge.source.index()].push(index);
                        for clock in clocks(edge) {
                            self.alarms.by_clock[clock.index()].push(ProcessId::at(number));
                        }
                    }
                }
            }
            self.own.push(own);
        }
    }

    /// Makes a move: what happens by itself first, then what the schedule starts now, then whose due instant it is,
    /// then the judgement.
    fn choose(&mut self, course: &mut Course) -> Result<Option<Move>, String> {
        self.alarms.ring(self.now);
        if let Some(found) = self.by_itself(course, |event| event != Some(&Event::Due))? {
            return Ok(Some(found));
        }
        let now = self.now;
        let due: Vec<_> = self
            .pending
            .range((now, OrderId(0), StepId(0))..(now + 1, OrderId(0), StepId(0)))
            .copied()
            .collect();
        for &(start, order, step) in &due {
            for edge in self.starts(course, order, step) {
                if let Some(found) = course.start(edge).map_err(fault)? {
                    self.pending.remove(&(start, order, step));
                    return Ok(Some(found));
                }
            }
        }
        if let Some(found) = self.set_up(course)? {
            return Ok(Some(found));
        }
        if !due.is_empty() {
            return Ok(None);
        }
        if let Some(found) = self.by_itself(course, |event| event == Some(&Event::Due))? {
            return Ok(Some(found));
        }
        for &judgement in &self.judgements {
            if let Some(found) = course.start(judgement).map_err(fault)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// A move that nobody decides on, of those that are meant.
    fn by_itself(
        &self,
        course: &mut Course,
        is_meant: impl Fn(Option<&Event>) -> bool,
    ) -> Result<Option<Move>, String> {
        for &process in &self.alarms.due {
            for &edge in &self.own[process.index()][course.location(process).index()] {
                let edge = EdgeRef { process, edge };
                let origin = edge.of(self.model).origin;
                if is_meant(origin.and_then(|o| self.lowered.events.get(o.0 as usize)))
                    && let Some(found) = course.start(edge).map_err(fault)?
                {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Begins a setup that is to begin now.
    fn set_up(&mut self, course: &mut Course) -> Result<Option<Move>, String> {
        let now = self.now;
        let due: Vec<_> = self.setups.iter().copied().take_while(|next| next.0 <= now).collect();
        for (start, pool, way, family) in due {
            for &edge in self.crews.get(&(pool, way, family)).into_iter().flatten() {
                if let Some(found) = course.start(edge).map_err(fault)? {
                    self.setups.remove(&(start, pool, way, family));
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// The edges that start a step as the schedule says.
    fn starts(&self, course: &Course, order: OrderId, step: StepId) -> Vec<EdgeRef> {
        let mut found = Vec::new();
        let job = &self.jobs[order][step];
        let holds = self.chosen(order, step);
        for &process in &self.processes[order] {
            let location = course.location(process).index();
            for &edge in &self.model.processes[process.index()].locations[location].outgoing {
                let edge = EdgeRef { process, edge };
                let action = Move { edges: vec![edge] };
                let timed = TimedMove { time: Time::from_integer(self.now), action };
                let event = started(self.lowered, self.model, &self.orders, &timed);
                let is_it = |(_, s, m, h): Started| (s, m, h) == (step, job.mode, &holds[..]);
                if event.is_some_and(is_it) {
                    found.push(edge);
                }
            }
        }
        found
    }

    /// The choices of the holds that begin with a step; those that take no time take nothing.
    fn chosen(&self, order: OrderId, step: StepId) -> Vec<(usize, usize)> {
        let recipe = self.plan.recipe(order);
        let own = &self.jobs[order];
        let choice = |&(number, choice): &(usize, usize)| {
            let hold = &recipe.holds[number];
            let is_empty = own[hold.until].end == own[step].start && recipe.may_be_empty(hold);
            (number, if is_empty { hold.choices.len() } else { choice })
        };
        own[step].holds.iter().map(choice).collect()
    }

    fn next_start(&self) -> Option<i64> {
        let step = self.pending.first().map(|(start, _, _)| *start);
        let setup = self.setups.first().map(|(start, ..)| *start);
        step.into_iter().chain(setup).min()
    }

    /// Until the next instant at which something starts, ends or must happen.
    fn wait(&mut self, course: &mut Course) -> Result<(), String> {
        let forced = match course.limit().map_err(fault)? {
            Limit::Never => None,
            Limit::At { time, .. } => Some(self.now + time.floor().to_integer()),
        };
        let end = self.ends.range(self.now + 1..).next().copied();
        let next = [self.next_start(), forced, end].into_iter().flatten().min();
        let next = next.filter(|&next| next > self.now).ok_or_else(|| self.stuck())?;
        let has_passed = course.wait_until(Time::from_integer(next)).map_err(fault)?;
        self.now = next;
        has_passed.then_some(()).ok_or_else(|| self.stuck())
    }

    fn stuck(&self) -> String {
        match self.pending.first() {
            Some(&(start, order, step)) => {
                let (id, name) = (&self.plan.orders[order].id, &self.plan.steps(order)[step].name);
                format!(
                    "at {} the network does not let `{name}` of `{id}` start at {start}",
                    self.now
                )
            }
            None => format!("at {} the network goes no further", self.now),
        }
    }
}

/// The clocks that a guard names.
fn clocks(edge: &Edge) -> impl Iterator<Item = ClockId> {
    let tests = edge.guard.iter().filter_map(|conjunct| match conjunct {
        Conjunct::Clock(test) => Some([&test.left, &test.right]),
        Conjunct::Data(_) => None,
    });
    tests.flatten().filter_map(|clock| match clock {
        Some(ClockRef::Fixed(clock)) => Some(*clock),
        _ => None,
    })
}

fn fault(_: Fault) -> String {
    "the network has a fault".to_owned()
}
