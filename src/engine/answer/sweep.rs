//! Answers about single states, several in one exploration.

use super::context::{Context, Width, blank, exact_for, with_zones};
use super::{Answered, formula_of};
use crate::dbm::Dbm;
use crate::engine::observer::Observer;
use crate::engine::reach::{Question, Sweep};
use crate::engine::search::End;
use crate::engine::tables::Interest;
use crate::engine::zone::Zone;
use crate::engine::{Abstraction, Answer, Extremum, Verdict};
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
        let mut search = self.search::<Z>(interest, abstraction, Observer::default(), None);
        let end = search.run(&mut goal, self.control);
        let end = end.map_err(|lost| self.failure(&search.store, interest, lost))?;
        let mut answers = Vec::new();
        for (k, &index) in indices.iter().enumerate() {
            let question = goal.question(k);
            let mut answer = blank(&search, end);
            if let Some(found) = goal.found[k] {
                let moves = search.store.path(found.node);
                answer.trace = Some(self.witness(&moves, interest, question)?);
                if let Question::Extreme { .. } = question {
                    let value = found.value;
                    answer.value = Some(Extremum::Finite { value, attained: true });
                }
            }
            answer.verdict = verdict(&queries[index], goal.found[k].is_some(), end);
            answers.push((index, answer));
        }
        Ok(answers)
    }
}

/// The verdict of a query about single states.
fn verdict(query: &Query, is_found: bool, end: End) -> Verdict {
    let is_stopped = matches!(end, End::Stopped(_));
    match (query, is_found) {
        (Query::Possibly(_), true) => Verdict::Satisfied,
        (Query::Invariantly(_), true) => Verdict::Violated,
        _ if is_stopped => Verdict::Unknown,
        (Query::Invariantly(_), false) | (_, true) => Verdict::Satisfied,
        (_, false) => Verdict::Violated,
    }
}
