//! Which transitions exist in a state: synchronisation, commitment, priorities, target
//! invariants.

use super::memory::Memory;
use super::{Concrete, Interpreter};
use crate::model::{ChannelId, Conjunct, EdgeId, Fault, Model, ProcessId, Sync};
use crate::network::{Direction, Urgency};
use crate::trace::{EdgeRef, Move};
use std::cmp::Reverse;

/// An edge that its guard lets go, with its channel.
#[derive(Clone, Copy)]
pub(super) struct Ready {
    pub edge: EdgeRef,
    pub sync: Option<(ChannelId, Direction)>,
}

/// Compared field by field: channels first, then processes.
type Priority = (i32, i32);

/// How to find out whether the edge of a process is ready.
pub(super) type Look = fn(&mut Memory, usize, EdgeId) -> Result<Option<Ready>, Fault>;

pub(super) fn successors(
    interpreter: &Interpreter,
    at: &Concrete,
    look: Look,
) -> Result<Vec<(Move, Concrete)>, Fault> {
    let model = interpreter.model;
    let ready = ready_edges(model, at, look)?;
    let mut candidates = combine(model, &ready);
    if is_committed(model, &at.state) {
        candidates.retain(|(action, _)| leaves_committed(model, &at.state, action));
    }
    // Stable: within one priority the order of processes and edges stays.
    candidates.sort_by_key(|&(_, priority)| Reverse(priority));
    let mut existing = Vec::new();
    let mut level = None;
    for (action, priority) in candidates {
        if level.is_some_and(|level| level != priority) && !existing.is_empty() {
            break;
        }
        level = Some(priority);
        let next = interpreter.fire(at, &action)?;
        if interpreter.is_valid(&next)? {
            existing.push((action, next));
        }
    }
    Ok(existing)
}

/// What a move leads to, if it exists here.
pub(super) fn take(
    interpreter: &Interpreter,
    at: &Concrete,
    action: &Move,
) -> Result<Option<Concrete>, Fault> {
    let existing = successors(interpreter, at, ready_at_last)?.into_iter();
    Ok(existing.filter(|(known, _)| known == action).map(|(_, next)| next).next())
}

/// Runs the updates of a move. Checks neither guards nor invariants.
pub(super) fn fire(memory: &mut Memory, action: &Move) -> Result<(), Fault> {
    let model = memory.model;
    if let Some(term) = &model.before_update {
        memory.run(term)?;
    }
    for edge in &action.edges {
        let edge_data = edge.of(model);
        memory.enter(edge.process, edge_data.target);
        if let Some(term) = &edge_data.update {
            memory.run(term)?;
        }
    }
    model.after_update.as_ref().map_or(Ok(()), |term| memory.run(term))
}

/// Every edge whose guard is true, process by process.
fn ready_edges(model: &Model, at: &Concrete, look: Look) -> Result<Vec<Vec<Ready>>, Fault> {
    let mut memory = Memory::new(model, at)?;
    let mut all = Vec::with_capacity(model.processes.len());
    for (number, process) in model.processes.iter().enumerate() {
        let mut found = Vec::new();
        for &index in &process.location(at.state[number]).outgoing {
            found.extend(look(&mut memory, number, index)?);
        }
        all.push(found);
    }
    Ok(all)
}

/// The edge with its channel, if its guard is true: looked at in the order written, up to the first
/// conjunct that does not hold.
pub(super) fn ready(
    memory: &mut Memory,
    process: usize,
    index: EdgeId,
) -> Result<Option<Ready>, Fault> {
    let edge = &memory.model.processes[process].edges[index];
    for conjunct in &edge.guard {
        let holds = match conjunct {
            Conjunct::Data(term) => memory.value(term)? != 0,
            Conjunct::Clock(test) => memory.test_holds(test)?,
        };
        if !holds {
            return Ok(None);
        }
    }
    let sync = edge.sync.as_ref().map(|sync| channel(memory, sync)).transpose()?;
    Ok(Some(Ready { edge: EdgeRef { process: ProcessId::at(process), edge: index }, sync }))
}

/// The same, with the clock tests last: their time may yet come, so a fault beside them counts. The
/// channel is looked up where the data part holds, which may protect an index.
pub(super) fn ready_at_last(
    memory: &mut Memory,
    process: usize,
    index: EdgeId,
) -> Result<Option<Ready>, Fault> {
    let edge = &memory.model.processes[process].edges[index];
    if !memory.data_holds(&edge.guard)? {
        return Ok(None);
    }
    let sync = edge.sync.as_ref().map(|sync| channel(memory, sync)).transpose()?;
    let edge_ref = EdgeRef { process: ProcessId::at(process), edge: index };
    Ok(memory.clocks_hold(&edge.guard)?.then_some(Ready { edge: edge_ref, sync }))
}

/// The channel that an edge means in this state.
pub(super) fn channel(memory: &mut Memory, sync: &Sync) -> Result<(ChannelId, Direction), Fault> {
    let offset = sync.offset.as_ref().map_or(Ok(0), |term| memory.value(term))?;
    Ok((sync.channel(offset), sync.direction))
}

/// All ways to put ready edges together, with their priorities.
fn combine(model: &Model, ready: &[Vec<Ready>]) -> Vec<(Move, Priority)> {
    let mut moves = Vec::new();
    for first in ready.iter().flatten() {
        let mut add = |edges: Vec<EdgeRef>| {
            let priority = priority(model, &edges, first.sync.map(|(channel, _)| channel));
            moves.push((Move { edges }, priority));
        };
        match first.sync {
            None => add(vec![first.edge]),
            Some((_, Direction::Receive)) => {}
            Some((channel, Direction::Send)) => {
                let offers = receivers(ready, first.edge.process, channel);
                if model.channels[channel].is_broadcast {
                    choices(&offers).into_iter().for_each(|chosen| {
                        add([vec![first.edge], chosen].concat());
                    });
                } else {
                    offers.iter().flatten().for_each(|&other| add(vec![first.edge, other]));
                }
            }
        }
    }
    moves
}

/// For each other process that can receive: the edges it can do it with.
fn receivers(ready: &[Vec<Ready>], sender: ProcessId, channel: ChannelId) -> Vec<Vec<EdgeRef>> {
    let wanted = Some((channel, Direction::Receive));
    ready
        .iter()
        .enumerate()
        .filter(|&(process, _)| process != sender.index())
        .map(|(_, edges)| edges.iter().filter(|r| r.sync == wanted).map(|r| r.edge).collect())
        .filter(|edges: &Vec<EdgeRef>| !edges.is_empty())
        .collect()
}

/// One edge of each: all combinations.
pub(super) fn choices(offers: &[Vec<EdgeRef>]) -> Vec<Vec<EdgeRef>> {
    offers.iter().fold(vec![Vec::new()], |chosen, offer| {
        chosen
            .iter()
            .flat_map(|prefix| offer.iter().map(move |&edge| [prefix.as_slice(), &[edge]].concat()))
            .collect()
    })
}

fn priority(model: &Model, edges: &[EdgeRef], channel: Option<ChannelId>) -> Priority {
    let processes = edges.iter().map(|edge| &model.processes[edge.process]);
    let first = &model.processes[edges[0].process.index()];
    let by_channel = channel.map_or(first.default_priority, |c| model.channels[c].priority);
    (by_channel, processes.map(|process| process.priority).max().unwrap_or(0))
}

fn is_committed(model: &Model, state: &[i32]) -> bool {
    model
        .processes
        .iter()
        .zip(state)
        .any(|(process, &l)| process.location(l).urgency == Urgency::Committed)
}

pub(super) fn leaves_committed(model: &Model, state: &[i32], action: &Move) -> bool {
    action.edges.iter().any(|edge| {
        let location = state[edge.process] as usize;
        let process = &model.processes[edge.process];
        process.locations[location].urgency == Urgency::Committed
    })
}
