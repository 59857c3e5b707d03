//! Answers by way of detours: a model in which fast cycles are accelerated is searched instead, and
//! what was found is told in terms of the model that was asked about.

use super::context::{Context, Setting, exact_for};
use super::follow::Path;
use super::{Answered, check, is_over, question};
use crate::dbm::NO_LIMIT;
use crate::engine::incumbent::Best;
use crate::engine::reach::Question;
use crate::engine::store::NodeId;
use crate::engine::tables::Limit;
use crate::engine::{Answer, Control, Extremum, Options, Progress, Round, Stop};
use crate::model::accelerate::{Accelerated, Detour, accelerate, can_answer};
use crate::model::{Formula, Objective, Query};
use crate::trace::{Constraint, EdgeRef, Move, Time, Trace, concretise};
use std::ops::ControlFlow;

/// A run of more moves than this is not written out.
const LONGEST_RUN: usize = 20_000;

/// Passes on what is watched, with the positions that the caller knows.
struct Passed<'c> {
    control: &'c dyn Control,
    positions: Vec<usize>,
}

impl Control for Passed<'_> {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        self.control.poll(progress)
    }

    fn pause(&self, progress: &Progress) {
        self.control.pause(progress);
    }

    fn improved(&self, progress: &Progress) {
        self.control.improved(progress);
    }

    fn known(&self) -> Option<i64> {
        self.control.known()
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.control.has_room(bytes)
    }

    fn answered(&self, queries: &[usize]) {
        let positions: Vec<usize> = queries.iter().map(|&k| self.positions[k]).collect();
        self.control.answered(&positions);
    }
}

impl Context<'_> {
    /// Answers those of the queries that a model with detours can answer, if there is one.
    pub(super) fn accelerated(&self, queries: &[Query], answers: &mut [Option<Answer>]) {
        if self.options.without_acceleration || !queries.iter().any(can_answer) {
            return;
        }
        let formulas: Vec<&Formula> = queries.iter().flat_map(|query| query.parts().0).collect();
        let largest = self.bounds.largest.max(self.interest(formulas).largest);
        let is_over = &mut || is_over(self.control);
        let Some(mut made) = accelerate(self.model, largest, is_over) else { return };
        let mut asked = Vec::new();
        let mut positions = Vec::new();
        for (position, query) in queries.iter().enumerate() {
            if let Some(query) = made.query(query) {
                asked.push(query);
                positions.push(position);
            }
        }
        let control = Passed { control: self.control, positions };
        let options = Options { without_acceleration: true, ..self.options.clone() };
        // A fault is found, and told, without detours.
        let Ok(found) = check(&made.model, &asked, &options, &control) else { return };
        for (mut answer, &position) in found.into_iter().zip(&control.positions) {
            let trace = answer.trace.take();
            let told =
                trace.map(|trace| self.without_detours(&made, trace, &queries[position], &answer));
            let Ok(trace) = told.transpose() else { continue };
            answer.trace = trace.flatten();
            answer.accelerated = made.detours.iter().map(round).collect();
            answers[position] = Some(answer);
        }
    }

    /// The trace as a run of the model; `None` if it is too long to be written out.
    fn without_detours(
        &self,
        made: &Accelerated,
        trace: Trace,
        query: &Query,
        answer: &Answer,
    ) -> Answered<Option<Trace>> {
        let is_detour = |e: &EdgeRef| made.detour(e.process, e.edge).is_some();
        if !trace.steps.iter().any(|(action, _)| action.edges.iter().any(is_detour)) {
            return Ok(Some(trace));
        }
        let Some(moves) = unrolled(made, &trace) else { return Ok(None) };
        let context = Context { reduction: None, ..*self };
        if let Some(question) = question(query) {
            let claim = question.claim();
            let abstraction = exact_for(claim.formula);
            let setting = Setting { interest: context.interest([claim]), abstraction };
            return context.witness(Path::new(&moves, &setting), &question);
        }
        let (within, clock, is_largest) = match query {
            Query::Infimum { within, of: Objective::Clock(clock, _) } => (within, *clock, false),
            Query::Supremum { within, of: Objective::Clock(clock, _) } => (within, *clock, true),
            _ => return Ok(None),
        };
        let mut interest = context.interest([within]);
        // All clocks are kept as they are while moves are followed.
        interest.measured = Some(Limit { clock, lower: NO_LIMIT, upper: i64::MAX });
        let setting = Setting { interest, abstraction: exact_for(within) };
        let path = Path::new(&moves, &setting);
        match answer.value {
            None => Ok(None),
            Some(Extremum::Unbounded) => {
                let question = Question::Exists(within.into());
                context.witness(path, &question)
            }
            Some(Extremum::Finite { value, attained }) => {
                let best = Best { node: NodeId(0), value, is_attained: attained };
                let (left, right, bound) = match is_largest {
                    false => (Some(clock), None, value),
                    true => (None, Some(clock), -value),
                };
                let limit = Constraint { left, right, is_strict: false, bound };
                context.extreme(path, within, best, limit).map(Some)
            }
        }
    }
}

fn round(detour: &Detour) -> Round {
    let (shortest, longest) = detour.cycle.interval();
    Round { process: detour.process, edges: detour.cycle.edges.clone(), shortest, longest }
}

/// The moves with rounds of cycles in the place of detours: as few as take the same time.
fn unrolled(made: &Accelerated, trace: &Trace) -> Option<Vec<Move>> {
    let run = concretise(&made.model, trace)?;
    let mut moves: Vec<Move> = Vec::new();
    let mut since: Option<Time> = None;
    for timed in &run.moves {
        let edge = timed.action.edges.first();
        let detour = edge.and_then(|e| made.detour(e.process, e.edge).map(|detour| (e, detour)));
        let Some((edge, detour)) = detour else {
            moves.push(timed.action.clone());
            continue;
        };
        if edge.edge == detour.enter {
            since = Some(timed.time);
            continue;
        }
        let length = timed.time - since.take()?;
        let (_, longest) = detour.cycle.interval();
        let rounds = (length / Time::from_integer(longest)).ceil().to_integer();
        let round = detour
            .cycle
            .edges
            .iter()
            .map(|&edge| Move { edges: vec![EdgeRef { process: detour.process, edge }] });
        let round: Vec<Move> = round.collect();
        let total = usize::try_from(rounds).ok()?.checked_mul(round.len())?;
        if total.saturating_add(moves.len()) > LONGEST_RUN {
            return None;
        }
        (0..rounds).for_each(|_| moves.extend_from_slice(&round));
    }
    Some(moves)
}
