//! The run that stands for a schedule, found by walking through the network with the schedule
//! in hand: whatever happens by itself happens when it must, steps start when the schedule says
//! so, and time passes when nothing else is to be done.

use super::jobs::Jobs;
use super::{orders_of_processes, started};
use crate::interpret::{Concrete, Interpreter, Limit};
use crate::lower::{Event, Lowered};
use crate::model::Model;
use crate::network::Direction;
use crate::plan::Plan;
use crate::trace::{EdgeRef, Move, Run, Time, TimedMove};
use std::collections::BTreeSet;

/// A start that is still to come: time, order, step.
type Pending = BTreeSet<(i64, usize, usize)>;

struct Guide<'a> {
    plan: &'a Plan,
    lowered: &'a Lowered,
    model: &'a Model,
    jobs: &'a Jobs,
    orders: Vec<Option<usize>>,
    pending: Pending,
    /// Instants at which something may end.
    ends: BTreeSet<i64>,
    /// `[process][location]`: edges that are taken by themselves.
    own: Vec<Vec<Vec<u32>>>,
    /// The processes of each order.
    processes: Vec<Vec<usize>>,
    judgements: Vec<EdgeRef>,
    now: i64,
    run: Run,
}

pub fn to_run(plan: &Plan, lowered: &Lowered, model: &Model, jobs: &Jobs) -> Result<Run, String> {
    let mut pending = Pending::new();
    for (order, own) in jobs.iter().enumerate() {
        pending.extend(own.iter().enumerate().map(|(step, job)| (job.start, order, step)));
    }
    let done = model.cells.iter().position(|cell| cell.name == "done");
    let done = done.ok_or("the network has no variable `done`")?;
    let orders = orders_of_processes(lowered, model);
    let mut processes = vec![Vec::new(); plan.orders.len()];
    for (process, order) in orders.iter().enumerate() {
        if let Some(order) = order {
            processes[*order].push(process);
        }
    }
    let mut guide = Guide {
        plan,
        lowered,
        model,
        jobs,
        orders,
        pending,
        ends: jobs.iter().flatten().map(|job| job.end).collect(),
        own: Vec::new(),
        processes,
        judgements: Vec::new(),
        now: 0,
        run: Run::default(),
    };
    guide.sort_edges();
    guide.walk(done)
}

impl Guide<'_> {
    fn walk(mut self, done: usize) -> Result<Run, String> {
        let interpreter = Interpreter::new(self.model);
        let mut at = interpreter.initial();
        while at.state[done] == 0 || !self.pending.is_empty() {
            match self.choose(&interpreter, &at)? {
                Some((action, next)) => {
                    let time = Time::from_integer(self.now);
                    self.run.moves.push(TimedMove { time, action });
                    at = next;
                }
                None => at = self.wait(&interpreter, &at)?,
            }
        }
        self.run.end = Time::from_integer(self.now);
        Ok(self.run)
    }

    /// Tells edges that are taken by themselves from starts, judgements and receptions.
    fn sort_edges(&mut self) {
        for (number, process) in self.model.processes.iter().enumerate() {
            let mut own = vec![Vec::new(); process.locations.len()];
            for (index, edge) in process.edges.iter().enumerate() {
                let sync = edge.sync.as_ref();
                let is_heard = sync.is_some_and(|sync| sync.direction == Direction::Receive);
                let index = index as u32;
                match edge.origin.and_then(|o| self.lowered.events.get(o.0 as usize)) {
                    Some(Event::Start { .. }) => {}
                    Some(Event::Judge) => {
                        self.judgements.push(EdgeRef { process: number as u32, edge: index });
                    }
                    _ if is_heard => {}
                    _ => own[edge.source as usize].push(index),
                }
            }
            self.own.push(own);
        }
    }

    /// What happens by itself first, then what the schedule starts now, then the judgement.
    fn choose(
        &mut self,
        interpreter: &Interpreter,
        at: &Concrete,
    ) -> Result<Option<(Move, Concrete)>, String> {
        let first = |edges: &[EdgeRef]| {
            interpreter.first_of(at, edges).map_err(|_| "the network has a fault".to_owned())
        };
        if let Some(found) = first(&self.own_edges(at))? {
            return Ok(Some(found));
        }
        let now = self.now;
        let due: Vec<_> = self.pending.range((now, 0, 0)..(now + 1, 0, 0)).copied().collect();
        for &(start, order, step) in &due {
            if let Some(found) = first(&self.starts(at, order, step))? {
                self.pending.remove(&(start, order, step));
                return Ok(Some(found));
            }
        }
        if !due.is_empty() {
            return Ok(None);
        }
        let is_here = |edge: &EdgeRef| {
            let process = &self.model.processes[edge.process as usize];
            process.edges[edge.edge as usize].source == at.state[edge.process as usize] as u32
        };
        let judgements: Vec<EdgeRef> = self.judgements.iter().copied().filter(is_here).collect();
        first(&judgements)
    }

    fn own_edges(&self, at: &Concrete) -> Vec<EdgeRef> {
        let mut found = Vec::new();
        for (process, own) in self.own.iter().enumerate() {
            for &edge in &own[at.state[process] as usize] {
                found.push(EdgeRef { process: process as u32, edge });
            }
        }
        found
    }

    /// The edges that start a step as the schedule says.
    fn starts(&self, at: &Concrete, order: usize, step: usize) -> Vec<EdgeRef> {
        let mut found = Vec::new();
        let job = &self.jobs[order][step];
        let holds = self.chosen(order, step);
        for &process in &self.processes[order] {
            let location = &self.model.processes[process].locations[at.state[process] as usize];
            for &edge in &location.outgoing {
                let edge = EdgeRef { process: process as u32, edge };
                let action = Move { edges: vec![edge] };
                let timed = TimedMove { time: Time::from_integer(self.now), action };
                let event = started(self.lowered, self.model, &self.orders, &timed);
                let is_it = |(_, s, m, h): (usize, usize, usize, &[(usize, usize)])| {
                    (s, m, h) == (step, job.mode, &holds[..])
                };
                if event.is_some_and(is_it) {
                    found.push(edge);
                }
            }
        }
        found
    }

    /// The choices of the holds that begin with a step; those that take no time take nothing.
    fn chosen(&self, order: usize, step: usize) -> Vec<(usize, usize)> {
        let recipe = &self.plan.recipes[self.plan.orders[order].recipe];
        let own = &self.jobs[order];
        let choice = |&(number, choice): &(usize, usize)| {
            let hold = &recipe.holds[number];
            let is_empty = own[hold.until].end == own[step].start && recipe.may_be_empty(hold);
            (number, if is_empty { hold.choices.len() } else { choice })
        };
        own[step].holds.iter().map(choice).collect()
    }

    fn next_start(&self) -> Option<i64> {
        self.pending.first().map(|(start, _, _)| *start)
    }

    /// Until the next instant at which something starts, ends or must happen.
    fn wait(&mut self, interpreter: &Interpreter, at: &Concrete) -> Result<Concrete, String> {
        let limit = interpreter.limit(at).map_err(|_| "the network has a fault")?;
        let forced = match limit {
            Limit::Never => None,
            Limit::At { time, .. } => Some(self.now + time.floor().to_integer()),
        };
        let end = self.ends.range(self.now + 1..).next().copied();
        let next = [self.next_start(), forced, end].into_iter().flatten().min();
        let next = next.filter(|&next| next > self.now).ok_or_else(|| self.stuck())?;
        let passed = interpreter.delay(at, Time::from_integer(next - self.now));
        self.now = next;
        passed.ok().flatten().ok_or_else(|| self.stuck())
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
