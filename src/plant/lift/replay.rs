//! The moves of a compiled job shop that stand for a schedule.

use super::orders_of_processes;
use crate::lower::{Event, Lowered, Place};
use crate::plan::Plan;
use crate::timetable::Jobs;
use takt_automata::model::{Edge, Model};
use takt_automata::network::Direction;
use takt_automata::trace::{EdgeRef, Move, Run, Time, TimedMove};

/// Says in words what the network has no edge for.
pub fn to_run(plan: &Plan, lowered: &Lowered, model: &Model, jobs: &Jobs) -> Result<Run, String> {
    let mut replay = Replay::new(plan, lowered, model)?;
    // All starts by time; those of one order at one instant in their sequence.
    let mut starts: Vec<(i64, usize, usize)> = (jobs.iter().enumerate())
        .flat_map(|(order, own)| own.iter().enumerate().map(move |(k, job)| (job.start, order, k)))
        .collect();
    starts.sort_unstable();
    for (start, order, step) in starts {
        replay.start(order, step, start)?;
    }
    for order in 0..plan.orders.len() {
        replay.finish(order)?;
    }
    let end = replay.run.moves.last().map_or(Time::from_integer(0), |last| last.time);
    Ok(Run { end, ..replay.run })
}

struct Replay<'a> {
    plan: &'a Plan,
    lowered: &'a Lowered,
    model: &'a Model,
    /// The process of each order.
    process: Vec<usize>,
    /// The location of each process.
    location: Vec<u32>,
    /// Who holds each resource.
    holder: Vec<Option<usize>>,
    /// When each order's latest step ends.
    until: Vec<i64>,
    now: i64,
    run: Run,
}

impl<'a> Replay<'a> {
    fn new(plan: &'a Plan, lowered: &'a Lowered, model: &'a Model) -> Result<Replay<'a>, String> {
        let orders = orders_of_processes(lowered, model);
        let process = |order| orders.iter().position(|found| *found == Some(order));
        let process: Option<Vec<usize>> = (0..plan.orders.len()).map(process).collect();
        Ok(Replay {
            plan,
            lowered,
            model,
            process: process.ok_or("an order has no process")?,
            location: model.processes.iter().map(|process| process.initial).collect(),
            holder: vec![None; plan.resources.len()],
            until: vec![0; plan.orders.len()],
            now: 0,
            run: Run::default(),
        })
    }

    fn start(&mut self, order: usize, step: usize, at: i64) -> Result<(), String> {
        let recipe = self.plan.orders[order].recipe;
        let resource = self.plan.steps(order)[step].machine();
        let other = resource.and_then(|r| self.holder[r]).filter(|&holder| holder != order);
        let events = &self.lowered.events;
        let is_start = |edge: &Edge| {
            let event = edge.origin.and_then(|origin| events.get(origin.0 as usize));
            matches!(event, Some(Event::Start { recipe: r, step: s, .. }) if (*r, *s) == (recipe, step))
                && edge.sync.is_some() == other.is_some()
        };
        let mut taken = vec![self.edge(order, is_start).ok_or_else(|| self.stuck(order, step))?];
        if let Some(holder) = other {
            let gives = |edge: &Edge| {
                edge.sync.as_ref().is_some_and(|sync| sync.direction == Direction::Receive)
            };
            taken.push(self.edge(holder, gives).ok_or_else(|| self.stuck(order, step))?);
        }
        self.holder.iter_mut().filter(|h| **h == Some(order)).for_each(|h| *h = None);
        if let Some(resource) = resource {
            self.holder[resource] = Some(order);
        }
        self.until[order] = at + self.plan.steps(order)[step].shortest();
        self.push(taken, at);
        Ok(())
    }

    /// The orders are counted as finished one after the other, once all steps have started.
    fn finish(&mut self, order: usize) -> Result<(), String> {
        let places = &self.lowered.places[self.plan.orders[order].recipe];
        let ends = |edge: &Edge| places.get(edge.target as usize) == Some(&Place::Finished);
        let last = self.plan.steps(order).len() - 1;
        let taken = self.edge(order, ends).ok_or_else(|| self.stuck(order, last))?;
        let at = self.now.max(self.until[order]);
        self.push(vec![taken], at);
        Ok(())
    }

    /// The first edge of the order's process that leaves its location and is wanted.
    fn edge(&self, order: usize, is_wanted: impl Fn(&Edge) -> bool) -> Option<EdgeRef> {
        let process = self.process[order];
        let location = self.location[process];
        let edges = &self.model.processes[process].edges;
        let edge = edges.iter().position(|edge| edge.source == location && is_wanted(edge))?;
        Some(EdgeRef { process: process as u32, edge: edge as u32 })
    }

    fn push(&mut self, edges: Vec<EdgeRef>, at: i64) {
        for taken in &edges {
            let process = &self.model.processes[taken.process as usize];
            self.location[taken.process as usize] = process.edges[taken.edge as usize].target;
        }
        self.now = at;
        let action = Move { edges };
        self.run.moves.push(TimedMove { time: Time::from_integer(at), action });
    }

    fn stuck(&self, order: usize, step: usize) -> String {
        let (id, name) = (&self.plan.orders[order].id, &self.plan.steps(order)[step].name);
        format!("the network has no move for the step `{name}` of `{id}`")
    }
}
