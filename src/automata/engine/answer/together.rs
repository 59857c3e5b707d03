//! One sweep by several threads.

use crate::engine::reach::Sweep;
use crate::engine::search::{End, Lost, Search};
use crate::engine::store::NodeId;
use crate::engine::workers::{Figures, workers};
use crate::engine::zone::Zone;
use crate::engine::{Control, Progress, Stop};
use std::ops::ControlFlow;
use std::thread::Builder;

/// Searches with a thread each, this one included. Nodes are told by their numbers among all.
pub fn run<Z: Zone>(
    searches: &mut [Search<Z>],
    goal: &mut Sweep,
    control: &dyn Control,
) -> Result<End, Lost> {
    let count = searches.len();
    for (search, member) in searches.iter_mut().zip(workers(count)) {
        search.store.sharers = count as u32;
        search.join(member);
    }
    let mut goals: Vec<Sweep> = (0..count).map(|_| goal.partner()).collect();
    let ends = std::thread::scope(|scope| {
        let mut pairs = searches.iter_mut().zip(&mut goals);
        let first = pairs.next();
        let others: Vec<_> = pairs
            .map(|(search, goal)| {
                let figures = search.worker().expect("one of several workers").figures();
                let work = move || member(search, goal, None);
                let spawned = Builder::new().spawn_scoped(scope, work);
                // Without this thread nobody would look at its states: there is no answer then.
                spawned.inspect_err(|_| figures.end())
            })
            .collect();
        let own = first.map(|(search, goal)| member(search, goal, Some(control)));
        let theirs = others.into_iter().map(|other| match other.map(|other| other.join()) {
            Ok(Ok(end)) => end,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => Ok(End::Stopped(Stop::Memory)),
        });
        own.into_iter().chain(theirs).collect::<Vec<_>>()
    });
    goals.iter().for_each(|partner| goal.join(partner));
    settle(ends)
}

/// One thread of it; the first one looks at the limits for all.
fn member<Z: Zone>(
    search: &mut Search<Z>,
    goal: &mut Sweep,
    control: Option<&dyn Control>,
) -> Result<End, Lost> {
    let figures = search.worker().expect("one of several workers").figures();
    // A panic must not leave the others waiting.
    let watch = SharedControl { figures, control };
    let end = search.run(goal, &watch);
    let worker = search.worker().expect("one of several workers");
    worker.end();
    goal.found.iter_mut().flatten().for_each(|found| found.node = worker.global(found.node));
    let global = |node: NodeId| worker.global(node);
    end.map_err(|lost| Lost { at: lost.at.map(global), ..lost })
}

/// A fault first, then an answer, then a limit.
fn settle(ends: Vec<Result<End, Lost>>) -> Result<End, Lost> {
    let ends: Vec<End> = ends.into_iter().collect::<Result<_, _>>()?;
    // Others than the first stop because somebody else has, or for want of room.
    let is_real = |(k, end): (usize, &End)| match end {
        End::Stopped(Stop::Interrupt) => (k == 0).then_some(*end),
        End::Stopped(_) => Some(*end),
        _ => None,
    };
    if ends.contains(&End::Broken) {
        return Ok(End::Broken);
    }
    Ok(ends.iter().enumerate().find_map(is_real).unwrap_or(End::Exhausted))
}

/// Tells how far all are together.
struct SharedControl<'a> {
    figures: Figures,
    control: Option<&'a dyn Control>,
}

impl Control for SharedControl<'_> {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        let [explored, stored, waiting] =
            self.figures.tell([progress.explored, progress.stored, progress.waiting]);
        match self.control {
            Some(control) => control.poll(&Progress { explored, stored, waiting, ..*progress }),
            None if self.figures.is_over() => ControlFlow::Break(Stop::Interrupt),
            None => ControlFlow::Continue(()),
        }
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.control.is_none_or(|control| control.has_room(bytes))
    }
}

impl Drop for SharedControl<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.figures.end();
        }
    }
}
