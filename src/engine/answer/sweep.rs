//! Answers about single states, several in one exploration.

use super::context::{Context, Width, blank, exact_for, with_zones};
use super::{Answered, formula_of};
use crate::dbm::Dbm;
use crate::engine::observer::Observer;
use crate::engine::reach::{Question, Sweep};
use crate::engine::search::End;
use crate::engine::store::Cover;
use crate::engine::tables::Interest;
use crate::engine::zone::Zone;
use crate::engine::{Abstraction, Answer, Approximation, Extremum, Stop, Verdict};
use crate::model::Query;

impl Context<'_> {
    pub(super) fn sweep(
        &self,
        queries: &[Query],
        questions: Vec<(usize, Question)>,
    ) -> Answered<Vec<(usize, Answer)>> {
        let interest = self.interest(questions.iter().map(|(_, q)| formula_of(q)));
        let exact = questions.iter().map(|(_, q)| exact_for(formula_of(q)));
        let abstraction = self.abstraction(exact.max().unwrap_or(Abstraction::Lu));
        with_zones!(self.width(&interest, abstraction), Z => {
            self.sweep_with::<Z>(queries, questions, &interest, abstraction)
        })
    }

    fn sweep_with<Z: Zone>(
        &self,
        queries: &[Query],
        questions: Vec<(usize, Question)>,
        interest: &Interest,
        abstraction: Abstraction,
    ) -> Answered<Vec<(usize, Answer)>> {
        let (indices, questions): (Vec<usize>, Vec<Question>) = questions.into_iter().unzip();
        let mut goal = Sweep::new(questions);
        let approximation = self.options.approximation;
        let cover = match approximation {
            Approximation::Exact => None,
            Approximation::Hull => Some(Cover::Hull),
            Approximation::Bitstate(exponent) => Some(Cover::Bits(exponent)),
        };
        let mut search = self.search::<Z>(interest, abstraction, Observer::default(), cover);
        if search.store.cover() == Cover::Simulation {
            search.successors.widen_late(self.patience::<Z::Bound>(interest));
        }
        let end = match search.run(&mut goal, self.control) {
            Ok(end) => end,
            Err(lost)
                if approximation == Approximation::Hull
                    && !self.is_real(&search.store, interest, abstraction, &lost) =>
            {
                End::Stopped(Stop::Approximation)
            }
            Err(lost) => return Err(self.failure(&search.store, interest, abstraction, lost)),
        };
        let mut answers = Vec::new();
        for (k, &index) in indices.iter().enumerate() {
            let question = goal.question(k);
            let mut answer = blank(&search, end);
            if let Some(found) = goal.found[k] {
                let moves = search.store.path(found.node);
                answer.trace = self.witness(&moves, interest, abstraction, question)?;
                if let (Question::Extreme { .. }, Some(_)) = (question, &answer.trace) {
                    let value = found.value;
                    answer.value = Some(Extremum::Finite { value, attained: true });
                }
            }
            let found = goal.found[k].map(|_| answer.trace.is_some());
            answer.verdict = verdict(&queries[index], found, end, approximation);
            if answer.verdict == Verdict::Unknown && answer.stopped.is_none() {
                answer.stopped = Some(Stop::Approximation);
            }
            answers.push((index, answer));
        }
        Ok(answers)
    }
}

/// The verdict of a query about single states. `found` tells whether a state was found, and if
/// so, whether it can really be reached.
fn verdict(query: &Query, found: Option<bool>, end: End, approximation: Approximation) -> Verdict {
    let is_partial =
        matches!(end, End::Stopped(_)) || matches!(approximation, Approximation::Bitstate(_));
    match (query, found) {
        (_, Some(false)) => Verdict::Unknown,
        (Query::Possibly(_), Some(true)) => Verdict::Satisfied,
        (Query::Invariantly(_), Some(true)) => Verdict::Violated,
        _ if is_partial => Verdict::Unknown,
        (Query::Invariantly(_), None) | (_, Some(true)) => Verdict::Satisfied,
        (_, None) => Verdict::Violated,
    }
}
