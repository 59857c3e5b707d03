//! The run that stands for a schedule, found by walking through the network with the schedule
//! in hand: whatever happens by itself happens when it must, steps start when the schedule says
//! so, and time passes when nothing else is to be done.

use super::jobs::Jobs;
use super::{orders_of_processes, started};
use crate::interpret::{Concrete, Interpreter, Limit};
use crate::lower::{Event, Lowered};
use crate::model::Model;
use crate::plan::Plan;
use crate::trace::{Move, Run, Time, TimedMove};
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
    now: i64,
    run: Run,
}

pub fn to_run(plan: &Plan, lowered: &Lowered, model: &Model, jobs: &Jobs) -> Result<Run, String> {
    let all =
        || jobs.iter().enumerate().flat_map(|(order, own)| own.iter().map(move |job| (order, job)));
    let mut pending = Pending::new();
    for (order, own) in jobs.iter().enumerate() {
        pending.extend(own.iter().enumerate().map(|(step, job)| (job.start, order, step)));
    }
    let done = model.cells.iter().position(|cell| cell.name == "done");
    let done = done.ok_or("the network has no variable `done`")?;
    let guide = Guide {
        plan,
        lowered,
        model,
        jobs,
        orders: orders_of_processes(lowered, model),
        pending,
        ends: all().map(|(_, job)| job.end).collect(),
        now: 0,
        run: Run::default(),
    };
    guide.walk(done)
}

impl Guide<'_> {
    fn walk(mut self, done: usize) -> Result<Run, String> {
        let interpreter = Interpreter::new(self.model);
        let mut at = interpreter.initial();
        while at.state[done] == 0 || !self.pending.is_empty() {
            let moves = interpreter.successors(&at).map_err(|_| "the network has a fault")?;
            match self.choose(moves) {
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

    /// What happens by itself first, then what the schedule starts now, then the judgement.
    fn choose(&mut self, moves: Vec<(Move, Concrete)>) -> Option<(Move, Concrete)> {
        let (mut start, mut judgement) = (None, None);
        for (action, next) in moves {
            let timed = TimedMove { time: Time::from_integer(self.now), action };
            match started(self.lowered, self.model, &self.orders, &timed) {
                Some((order, step, mode, holds)) => {
                    let job = &self.jobs[order][step];
                    let is_wanted = job.start == self.now && job.mode == mode && job.holds == holds;
                    if is_wanted && start.is_none() {
                        start = Some(((order, step), timed.action, next));
                    }
                }
                None if self.is_judgement(&timed.action) => judgement = Some((timed.action, next)),
                None => return Some((timed.action, next)),
            }
        }
        if let Some(((order, step), action, next)) = start {
            self.pending.remove(&(self.now, order, step));
            return Some((action, next));
        }
        judgement.filter(|_| self.next_start().is_none_or(|next| next > self.now))
    }

    fn is_judgement(&self, action: &Move) -> bool {
        action.edges.iter().any(|taken| {
            let edge = &self.model.processes[taken.process as usize].edges[taken.edge as usize];
            let event = edge.origin.and_then(|origin| self.lowered.events.get(origin.0 as usize));
            event == Some(&Event::Judge)
        })
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
