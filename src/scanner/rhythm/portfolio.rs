//! Several searches for a schedule, in turns.
//!
//! What a heuristic keeps is often found much sooner than what it cuts would be missed; and which one
//! helps is not known before. So next to the search of all states that matter there is one for each
//! set of heuristics that are not safe. Each goes on where it was ended, for twice as long every
//! time: whatever one of them would find alone is found in a few times that. All of them learn at
//! once of a better pace. Only the first one proves anything.

use super::closure::{Closure, Lasso};
use super::heuristic::Rules;
use super::solve::{Found, LONG, QUICK, Search};
use super::tool::{Tool, total};
use super::{Budget, Stopped};
use num_rational::Ratio;
use std::rc::Rc;

/// The states of the first turn, which ends most searches.
const FIRST: u64 = 50_000;

impl Tool {
    /// The machine as it is, and with more heuristics.
    pub(super) fn cut_further(&self) -> Vec<Rc<Tool>> {
        let mut all: Vec<Rc<Tool>> = Vec::new();
        for (locks, greedy) in [(false, false), (true, false), (false, true), (true, true)] {
            let rules =
                Rules { locks: locks || self.rules.locks, greedy: greedy || self.rules.greedy };
            if all.iter().all(|other| other.rules != rules) {
                all.push(Rc::new(Tool { rules, ..self.clone() }));
            }
        }
        all
    }
}

/// One of the searches.
struct Member<'a> {
    tool: &'a Rc<Tool>,
    closure: Closure<'a>,
    /// How many states it may still look at.
    left: u64,
    /// Nothing is left that it could find.
    is_closed: bool,
}

impl Member<'_> {
    /// Looks at so many states, for loops that are faster than the pace, and than those it finds.
    fn turn(
        &mut self,
        states: u64,
        mut pace: Ratio<i64>,
        floor: Ratio<i64>,
        stop: &mut Budget,
    ) -> (Option<Lasso>, Result<(), Stopped>) {
        let states = states.min(self.left);
        stop.allow(states);
        let mut found = None;
        let ended = loop {
            match self.closure.faster(pace, stop) {
                Ok(Some(lasso)) if lasso.pace() > floor => {
                    pace = lasso.pace();
                    found = Some(lasso);
                }
                Ok(lasso) => {
                    self.is_closed = true;
                    found = lasso.or(found);
                    break Ok(());
                }
                Err(stopped) => break Err(stopped),
            }
        };
        self.left -= states - stop.left();
        (found, ended)
    }
}

impl Search<'_, '_> {
    /// The fastest schedule, by all states that matter. The nearer the pace to begin with, the
    /// sooner it ends.
    pub(super) fn side_by_side(&mut self, mut best: Option<Found>) -> Option<Found> {
        let slow = Ratio::from_integer(16 * total(&self.tool.scanner)? + 1);
        let mut pace = best.as_ref().map_or(slow, |best| best.lasso.pace());
        let tools = self.tool.cut_further();
        let member = |tool| Member {
            tool,
            closure: Closure::new(tool, true),
            left: self.options.effort / 2,
            is_closed: false,
        };
        let mut members: Vec<Member> = tools.iter().map(member).collect();
        members[0].left = self.options.effort;
        let mut states = FIRST;
        while members[0].left > 0 {
            for (number, member) in members.iter_mut().enumerate() {
                if member.is_closed || member.left == 0 {
                    continue;
                }
                let (found, ended) = member.turn(states, pace, self.bound.interval, &mut self.stop);
                if let Some(lasso) = found {
                    pace = lasso.pace();
                    let found = Found::early(member.tool, lasso);
                    self.tell(&found);
                    best = Some(found);
                }
                match ended {
                    Ok(()) if number == 0 || pace <= self.bound.interval => {
                        self.is_complete = true;
                        if self.tool.rules == self.plain.rules {
                            self.conclude(pace, members[0].closure.stored(), "");
                        }
                        return best;
                    }
                    Err(Stopped::Told) => return best,
                    _ => {}
                }
            }
            if states == FIRST
                && !self.plain.is_large()
                && let Some(found) = self.in_parts(LONG)
            {
                self.is_complete = true;
                return Some(found);
            }
            // There may be no time for smaller gaps once everything is proved.
            if best.as_ref().is_some_and(|best| best.beat.is_none()) {
                best = self.even(&tools, pace, states / 2).ok().flatten().or(best);
            }
            states *= 2;
        }
        best
    }

    /// A wafer after each interval exactly; `None` if there is no such schedule.
    fn even(
        &mut self,
        tools: &[Rc<Tool>],
        interval: Ratio<i64>,
        effort: u64,
    ) -> Result<Option<Found>, Stopped> {
        for (number, tool) in tools.iter().enumerate() {
            match self.steady(tool, interval, effort) {
                // What is not there is not there with heuristics either.
                Ok(None) if number == 0 => return Ok(None),
                Ok(None) | Err(Stopped::Tired) => {}
                found => return found,
            }
        }
        Err(Stopped::Tired)
    }

    /// With a wafer after each interval exactly, if such a schedule is found; else with the smallest
    /// gaps that its sequence allows.
    pub(super) fn evened(&mut self, found: Found) -> Found {
        if found.beat.is_some() {
            return found;
        }
        let found = self.settled(found);
        self.tell(&found);
        let tools = self.part.cut_further();
        for effort in [QUICK / 2, 2 * QUICK, 8 * QUICK] {
            match self.even(&tools, found.lasso.pace(), effort) {
                Ok(even) => return even.unwrap_or(found),
                Err(Stopped::Told) => return found,
                Err(Stopped::Tired) => {}
            }
        }
        found
    }
}
