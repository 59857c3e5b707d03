//! Which transitions exist in a state: synchronisation, commitment, priorities, target
//! invariants.

use super::memory::Memory;
use super::{Concrete, Interpreter};
use crate::model::{Fault, Model, Sync};
use crate::network::{Direction, Urgency};
use crate::trace::{EdgeRef, Move};
use std::cmp::Reverse;

/// An edge that its guard lets go, with its channel.
#[derive(Clone, Copy)]
struct Ready {
    edge: EdgeRef,
    sync: Option<(u32, Direction)>,
}

/// Compared field by field: channels first, then processes.
type Priority = (i32, i32);

pub(super) fn successors(
    interpreter: &Interpreter,
    at: &Concrete,
) -> Result<Vec<(Move, Concrete)>, Fault> {
    let model = interpreter.model;
    let ready = ready_edges(model, at)?;
    let mut candidates = combine(model, &ready);
    if is_committed(model, at) {
        candidates.retain(|(action, _)| leaves_committed(model, at, action));
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

/// The first transition that one of these edges starts, alone or as the sender, with what it leads
/// to. Edges are tried in this order; others are looked at only as receivers.
pub(super) fn first_of(
    interpreter: &Interpreter,
    at: &Concrete,
    edges: &[EdgeRef],
) -> Result<Option<(Move, Concrete)>, Fault> {
    let model = interpreter.model;
    let mut memory = Memory::new(model, at);
    for edge in edges {
        let Some(first) = ready(&mut memory, edge.process as usize, edge.edge)? else { continue };
        let mut all: Vec<Vec<Ready>> = model.processes.iter().map(|_| Vec::new()).collect();
        if first.sync.is_some() {
            all = ready_edges(model, at)?;
        }
        all[edge.process as usize] = vec![first];
        for (action, _) in combine(model, &all) {
            if action.edges[0] == *edge
                && let Some(next) = take(interpreter, at, &action)?
            {
                return Ok(Some((action, next)));
            }
        }
    }
    Ok(None)
}

/// What a move leads to, if it exists here. Looks only at those who take part, and at those who
/// would have to.
pub(super) fn take(
    interpreter: &Interpreter,
    at: &Concrete,
    action: &Move,
) -> Result<Option<Concrete>, Fault> {
    let model = interpreter.model;
    if model.has_priorities {
        let existing = successors(interpreter, at)?.into_iter();
        return Ok(existing.filter(|(known, _)| known == action).map(|(_, next)| next).next());
    }
    let mut memory = Memory::new(model, at);
    let mut taken = Vec::with_capacity(action.edges.len());
    for edge in &action.edges {
        let Some(process) = model.processes.get(edge.process as usize) else { return Ok(None) };
        let location = &process.locations[at.state[edge.process as usize] as usize];
        if !location.outgoing.contains(&edge.edge) {
            return Ok(None);
        }
        let Some(ready) = ready(&mut memory, edge.process as usize, edge.edge)? else {
            return Ok(None);
        };
        taken.push(ready);
    }
    if !fits_together(&mut memory, at, &taken)?
        || is_committed(model, at) && !leaves_committed(model, at, action)
    {
        return Ok(None);
    }
    let next = interpreter.fire(at, action)?;
    Ok(interpreter.is_valid(&next)?.then_some(next))
}

/// Whether the edges make up one transition: one alone, a pair, or a broadcast that takes along
/// every process that can receive it, in their order.
fn fits_together(memory: &mut Memory, at: &Concrete, taken: &[Ready]) -> Result<bool, Fault> {
    let Some((first, others)) = taken.split_first() else { return Ok(false) };
    let channel = match first.sync {
        None => return Ok(others.is_empty()),
        Some((_, Direction::Receive)) => return Ok(false),
        Some((channel, Direction::Send)) => channel,
    };
    let wanted = Some((channel, Direction::Receive));
    if others.iter().any(|o| o.sync != wanted || o.edge.process == first.edge.process) {
        return Ok(false);
    }
    if !memory.model.channels[channel as usize].is_broadcast {
        return Ok(others.len() == 1);
    }
    let mut expected = others.iter().map(|other| other.edge.process);
    for (number, process) in memory.model.processes.iter().enumerate() {
        if number as u32 == first.edge.process {
            continue;
        }
        let mut can_receive = false;
        for &index in &process.locations[at.state[number] as usize].outgoing {
            let sync = process.edges[index as usize].sync.as_ref();
            if sync.is_some_and(|sync| sync.direction == Direction::Receive) {
                let found = ready(memory, number, index)?;
                can_receive |= found.is_some_and(|ready| ready.sync == wanted);
            }
        }
        if can_receive && expected.next() != Some(number as u32) {
            return Ok(false);
        }
    }
    Ok(expected.next().is_none())
}

/// Every edge whose guard is true, process by process. The channel is looked up only where the
/// guard's data part holds, which may protect an index.
fn ready_edges(model: &Model, at: &Concrete) -> Result<Vec<Vec<Ready>>, Fault> {
    let mut memory = Memory::new(model, at);
    let mut all = Vec::with_capacity(model.processes.len());
    for (number, process) in model.processes.iter().enumerate() {
        let mut found = Vec::new();
        for &index in &process.locations[at.state[number] as usize].outgoing {
            found.extend(ready(&mut memory, number, index)?);
        }
        all.push(found);
    }
    Ok(all)
}

/// The edge with its channel, if its guard is true.
fn ready(memory: &mut Memory, process: usize, index: u32) -> Result<Option<Ready>, Fault> {
    let edge = &memory.model.processes[process].edges[index as usize];
    if !memory.data_holds(&edge.guard)? {
        return Ok(None);
    }
    let sync = edge.sync.as_ref().map(|sync| channel(memory, sync)).transpose()?;
    let edge_ref = EdgeRef { process: process as u32, edge: index };
    Ok(memory.clocks_hold(&edge.guard)?.then_some(Ready { edge: edge_ref, sync }))
}

/// The channel that an edge means in this state.
pub(super) fn channel(memory: &mut Memory, sync: &Sync) -> Result<(u32, Direction), Fault> {
    let offset = sync.offset.as_ref().map_or(Ok(0), |term| memory.value(term))?;
    Ok((sync.base + offset as u32, sync.direction))
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
                if model.channels[channel as usize].is_broadcast {
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
fn receivers(ready: &[Vec<Ready>], sender: u32, channel: u32) -> Vec<Vec<EdgeRef>> {
    let wanted = Some((channel, Direction::Receive));
    ready
        .iter()
        .enumerate()
        .filter(|&(process, _)| process as u32 != sender)
        .map(|(_, edges)| edges.iter().filter(|r| r.sync == wanted).map(|r| r.edge).collect())
        .filter(|edges: &Vec<EdgeRef>| !edges.is_empty())
        .collect()
}

/// One edge of each: all combinations.
fn choices(offers: &[Vec<EdgeRef>]) -> Vec<Vec<EdgeRef>> {
    offers.iter().fold(vec![Vec::new()], |chosen, offer| {
        chosen
            .iter()
            .flat_map(|prefix| offer.iter().map(move |&edge| [prefix.as_slice(), &[edge]].concat()))
            .collect()
    })
}

fn priority(model: &Model, edges: &[EdgeRef], channel: Option<u32>) -> Priority {
    let processes = edges.iter().map(|edge| &model.processes[edge.process as usize]);
    let first = &model.processes[edges[0].process as usize];
    let by_channel =
        channel.map_or(first.default_priority, |c| model.channels[c as usize].priority);
    (by_channel, processes.map(|process| process.priority).max().unwrap_or(0))
}

fn is_committed(model: &Model, at: &Concrete) -> bool {
    model
        .processes
        .iter()
        .zip(&at.state)
        .any(|(process, &l)| process.locations[l as usize].urgency == Urgency::Committed)
}

fn leaves_committed(model: &Model, at: &Concrete, action: &Move) -> bool {
    action.edges.iter().any(|edge| {
        let location = at.state[edge.process as usize] as usize;
        let process = &model.processes[edge.process as usize];
        process.locations[location].urgency == Urgency::Committed
    })
}
