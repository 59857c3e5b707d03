//! The run of the timed network that stands for operations, found by walking through it: what ends
//! at an instant ends first, then what starts there starts.

use crate::layout::{Cycle, Op, OpKind};
use crate::lower::{Component, Deed, LoweredScanner, Task};
use takt_automata::interpret::Course;
use takt_automata::model::{Model, ProcessId};
use takt_automata::trace::{EdgeRef, Run, Time, TimedMove};

/// A run, and what it shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannerRun {
    pub run: Run,
    /// When wafers are finished.
    pub unloads: Vec<i64>,
    /// What is different after the first cycle from what it was before, by name. Nothing must be:
    /// then what follows can be repeated for ever.
    pub changed: Vec<String>,
}

/// Operations from the beginning, sorted by start: the start-up and two cycles or more. Says in
/// words what the network does not let happen.
pub fn scanner_run(
    lowered: &LoweredScanner,
    model: &Model,
    ops: &[Op],
    cycle: Cycle,
) -> Result<ScannerRun, String> {
    let mut walk = RunBuilder::new(lowered, model)?;
    let mut marks = [(cycle.start, None), (cycle.end, None)];
    for event in events(ops) {
        // What ends when the cycle begins has ended by then.
        let is_past = |at: i64| event.time > at || event.time == at && !event.is_end;
        for (at, seen) in marks.iter_mut().filter(|(at, seen)| seen.is_none() && is_past(*at)) {
            walk.wait(*at)?;
            *seen = Some(walk.glance()?);
        }
        walk.wait(event.time)?;
        walk.take(&event)?;
    }
    walk.found.run.end = Time::from_integer(walk.now);
    walk.found.changed = match marks {
        [(_, Some(before)), (_, Some(after))] => changed(&before, &after),
        _ => vec!["the cycle is not repeated".to_owned()],
    };
    Ok(walk.found)
}

/// All that decides what may follow, by name.
type Glance = Vec<(String, Time)>;

fn changed(before: &Glance, after: &Glance) -> Vec<String> {
    let missing = |of: &Glance, other: &Glance| -> Vec<String> {
        of.iter().filter(|seen| !other.contains(seen)).map(|(name, _)| name.clone()).collect()
    };
    let mut names = missing(before, after);
    names.extend(missing(after, before));
    names.sort_unstable();
    names.dedup();
    names
}

struct Event {
    time: i64,
    is_end: bool,
    kind: OpKind,
}

/// By time, ends before starts.
fn events(ops: &[Op]) -> Vec<Event> {
    let mut events = Vec::new();
    for op in ops {
        let Op { kind, start, end } = *op;
        // The end of an unload begins it.
        if kind != OpKind::Recover {
            events.push(Event { time: start, is_end: false, kind });
        }
        events.push(Event { time: end, is_end: true, kind });
    }
    events.sort_by_key(|event| (event.time, !event.is_end));
    events
}

struct RunBuilder<'a> {
    lowered: &'a LoweredScanner,
    model: &'a Model,
    course: Course<'a>,
    /// The process of each component, as in `lowered`.
    processes: Vec<usize>,
    now: i64,
    found: ScannerRun,
}

impl<'a> RunBuilder<'a> {
    fn new(lowered: &'a LoweredScanner, model: &'a Model) -> Result<RunBuilder<'a>, String> {
        let mut processes = Vec::new();
        for (name, _) in &lowered.components {
            let found = model.processes.iter().position(|process| process.name == *name);
            processes.push(found.ok_or_else(|| format!("there is no process `{name}`"))?);
        }
        let course = Course::new(model).ok().flatten();
        let course = course.ok_or("the network has no first state")?;
        let found = ScannerRun::default();
        Ok(RunBuilder { lowered, model, course, processes, now: 0, found })
    }

    fn wait(&mut self, until: i64) -> Result<(), String> {
        if self.course.wait_until(Time::from_integer(until)) != Ok(true) {
            return Err(format!("time does not pass from {} to {until}", self.now));
        }
        self.now = until;
        Ok(())
    }

    fn take(&mut self, event: &Event) -> Result<(), String> {
        let Event { is_end, kind, .. } = *event;
        let (task, component) = part(kind);
        if !is_end && matches!(task, Task::Unload | Task::Switch) {
            // To be ready to unload takes no time, if the track is not so already.
            let _ = self.try_take(component, |deed, _| deed == Deed::Ready);
        }
        let taken = self.try_take(component, |deed, choice| match is_end {
            true => deed == Deed::End(task),
            false => deed == Deed::Begin(task) && partner(kind).is_none_or(|p| choice == Some(p)),
        });
        if !taken {
            let verb = if is_end { "end" } else { "start" };
            return Err(format!("at {} the network does not let {task:?} {verb}", self.now));
        }
        if is_end && task == Task::Unload {
            self.found.unloads.push(self.now);
        }
        Ok(())
    }

    /// Takes the first edge of a component, in a move that exists, that does what is wanted.
    fn try_take(
        &mut self,
        component: Component,
        is_wanted: impl Fn(Deed, Option<usize>) -> bool,
    ) -> bool {
        let mut components = self.lowered.components.iter();
        let Some(number) = components.position(|(_, own)| *own == component) else {
            return false;
        };
        let process = self.processes[number];
        let data = &self.model.processes[process];
        let location = self.course.location(ProcessId::at(process));
        let outgoing = &data.locations[location.index()].outgoing;
        for &number in outgoing {
            let edge = &data.edges[number.index()];
            let deed = edge.origin.and_then(|o| self.lowered.deeds.get(o.0 as usize));
            let choice = edge.choice.first().and_then(|(_, value)| usize::try_from(*value).ok());
            if !deed.is_some_and(|deed| is_wanted(*deed, choice)) {
                continue;
            }
            let edge = EdgeRef { process: ProcessId::at(process), edge: number };
            if let Ok(Some(action)) = self.course.start(edge) {
                let time = Time::from_integer(self.now);
                self.found.run.moves.push(TimedMove { time, action });
                return true;
            }
        }
        false
    }

    /// Locations, variables, and the clocks of those components that are at work. Whether a wafer has
    /// left yet is the observer's own business.
    fn glance(&self) -> Result<Glance, String> {
        let at = self.course.concrete().map_err(|_| "the network has a fault")?;
        let mut seen = Glance::new();
        for (process, data) in self.model.processes.iter().enumerate() {
            if !self.processes.contains(&process) {
                continue;
            }
            let location = at.state[process];
            seen.push((data.name.clone(), Time::from_integer(i64::from(location))));
            if !data.locations[location as usize].invariant.is_empty() {
                let prefix = format!("{}.", data.name);
                let clocks = self.model.clocks.iter().zip(&at.clocks);
                let own = clocks.filter(|(clock, _)| clock.name.starts_with(&prefix));
                seen.extend(own.map(|(clock, value)| (clock.name.clone(), *value)));
            }
        }
        let variables = self.model.processes.len()..self.model.state_len as usize;
        seen.extend(variables.map(|cell| {
            let value = Time::from_integer(i64::from(at.state[cell]));
            (self.model.cells[cell].name.clone(), value)
        }));
        Ok(seen)
    }
}

/// The component whose automaton has the edges, and what it does.
fn part(kind: OpKind) -> (Task, Component) {
    use Component::{Chuck, Lock, Track};
    let arm = |robot, arm| Component::Arm { robot, arm };
    match kind {
        OpKind::Load { .. } => (Task::Load, Track),
        OpKind::Unload { .. } => (Task::Unload, Track),
        OpKind::Switch => (Task::Switch, Track),
        OpKind::Recover => (Task::Recover, Track),
        OpKind::Depressurize { lock } => (Task::Depressurize, Lock(lock)),
        OpKind::Pressurize { lock } => (Task::Pressurize, Lock(lock)),
        OpKind::FromLock { robot, arm: a, .. } => (Task::FromLock, arm(robot, a)),
        OpKind::ToLock { robot, arm: a, .. } => (Task::ToLock, arm(robot, a)),
        OpKind::ToChuck { robot, arm: a, .. } => (Task::ToChuck, arm(robot, a)),
        OpKind::FromChuck { robot, arm: a, .. } => (Task::FromChuck, arm(robot, a)),
        OpKind::Turn { robot } => (Task::Turn, arm(robot, 0)),
        OpKind::Measure { chuck } => (Task::Measure, Chuck(chuck)),
        OpKind::Expose { chuck } => (Task::Expose, Chuck(chuck)),
        OpKind::Swap => (Task::Swap, Chuck(0)),
    }
}

/// The lock or chuck that its edge chooses.
fn partner(kind: OpKind) -> Option<usize> {
    match kind {
        OpKind::Load { lock } | OpKind::Unload { lock } => Some(lock),
        OpKind::FromLock { lock, .. } | OpKind::ToLock { lock, .. } => Some(lock),
        OpKind::ToChuck { chuck, .. } | OpKind::FromChuck { chuck, .. } => Some(chuck),
        _ => None,
    }
}
