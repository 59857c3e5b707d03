//! Is a state reachable, and how small or large can an integer get: one sweep for several
//! questions.

use super::relevance::Relevance;
use super::satisfy::Claim;
use super::search::{Goal, Seen};
use super::store::NodeId;
use super::successor::{Broken, Flow, Successors};
use super::zone::Zone;
use crate::model::{Formula, Model, Term};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One question of a sweep.
#[derive(Clone, Copy, Debug)]
pub enum Question<'q> {
    /// Is there a state in which this holds?
    Exists(Claim<'q>),
    /// The smallest (or largest) value of the term where the formula holds.
    Extreme { within: &'q Formula, of: &'q Term, is_largest: bool },
}

/// What a sweep found for one question so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub node: NodeId,
    /// The extreme value; 0 for mere existence.
    pub value: i64,
}

/// Looks for answers to all questions at once; ends when each mere existence is settled and
/// nothing else is asked.
pub struct Sweep<'q> {
    questions: Vec<Question<'q>>,
    /// Where the states that each question asks for may be.
    relevance: Arc<[Relevance<'q>]>,
    pub found: Vec<Option<Found>>,
    /// For each question whether somebody has found a state; several sweeps may share this.
    settled: Arc<[AtomicBool]>,
}

impl<'q> Sweep<'q> {
    pub fn new(model: &Model, questions: Vec<Question<'q>>) -> Sweep<'q> {
        let found = vec![None; questions.len()];
        let settled = questions.iter().map(|_| AtomicBool::new(false)).collect();
        let relevance = questions.iter().map(|question| Relevance::new(model, question.claim()));
        Sweep { relevance: relevance.collect(), questions, found, settled }
    }

    /// Begins again; what was settled stays so. Gives besides what was found before.
    pub fn anew(self) -> (Sweep<'q>, Vec<Option<Found>>) {
        let none = vec![None; self.questions.len()];
        (Sweep { found: none, ..self }, self.found)
    }

    /// Another sweep for the same questions, which are settled if one of both has settled them.
    pub fn partner(&self) -> Sweep<'q> {
        let (questions, relevance) = (self.questions.clone(), self.relevance.clone());
        let (found, settled) = (vec![None; questions.len()], self.settled.clone());
        Sweep { questions, relevance, found, settled }
    }

    /// Takes over what a partner has found, if that is better.
    pub fn join(&mut self, partner: &Sweep) {
        let each = self.questions.iter().zip(&mut self.found).zip(&partner.found);
        for ((question, own), other) in each {
            if let Some(other) = other
                && own.is_none_or(|own| question.is_better(other.value, own.value))
            {
                *own = Some(*other);
            }
        }
    }

    pub fn question(&self, index: usize) -> Question<'q> {
        self.questions[index]
    }

    fn is_settled(&self) -> bool {
        self.questions
            .iter()
            .zip(&*self.settled)
            .all(|(question, flag)| matches!(question, Question::Exists(_)) && is_set(flag))
    }
}

impl<'q> Question<'q> {
    /// What holds in the states that it asks for.
    pub fn claim(&self) -> Claim<'q> {
        match *self {
            Question::Exists(claim) => claim,
            Question::Extreme { within, .. } => within.into(),
        }
    }

    pub fn is_better(&self, value: i64, than: i64) -> bool {
        match self {
            Question::Exists(_) => false,
            Question::Extreme { is_largest: true, .. } => value > than,
            Question::Extreme { is_largest: false, .. } => value < than,
        }
    }
}

fn is_set(flag: &AtomicBool) -> bool {
    flag.load(Ordering::Relaxed)
}

impl<Z: Zone> Goal<Z> for Sweep<'_> {
    fn look(&mut self, successors: &mut Successors<Z>, seen: Seen<Z>) -> Flow {
        let Seen { state, node, .. } = seen;
        let each = self.questions.iter().zip(&*self.relevance);
        for ((question, relevant), (found, settled)) in
            each.zip(self.found.iter_mut().zip(&*self.settled))
        {
            match question {
                Question::Exists(_) => {
                    if !is_set(settled) && relevant.meets(successors, state)? {
                        settled.store(true, Ordering::Relaxed);
                        *found = Some(Found { node, value: 0 });
                    }
                }
                Question::Extreme { of, .. } => {
                    if !relevant.meets(successors, state)? {
                        continue;
                    }
                    let model = successors.tables.model;
                    let value = successors
                        .vm()
                        .eval(model, of.code, &state.cells)
                        .map_err(|fault| Broken { fault, action: None })?;
                    if found.is_none_or(|best| question.is_better(value, best.value)) {
                        *found = Some(Found { node, value });
                    }
                }
            }
        }
        Ok(if self.is_settled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}
