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

/// Every edge whose guard is true, process by process. The channel is looked up only where the
/// guard's data part holds, which may protect an index.
fn ready_edges(model: &Model, at: &Concrete) -> Result<Vec<Vec<Ready>>, Fault> {
    let mut memory = Memory::new(model, at);
    let mut all = Vec::with_capacity(model.processes.len());
    for (number, process) in model.processes.iter().enumerate() {
        let mut ready = Vec::new();
        for &index in &process.locations[at.state[number] as usize].outgoing {
            let edge = &process.edges[index as usize];
            if !memory.data_holds(&edge.guard)? {
                continue;
            }
            let sync = edge.sync.as_ref().map(|sync| channel(&mut memory, sync)).transpose()?;
            if memory.clocks_hold(&edge.guard)? {
                let edge = EdgeRef { process: number as u32, edge: index };
                ready.push(Ready { edge, sync });
            }
        }
        all.push(ready);
    }
    Ok(all)
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
