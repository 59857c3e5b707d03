//! From queries to answers: which search answers which query.

mod accelerated;
mod context;
mod follow;
mod liveness;
mod maximum;
mod minimum;
mod sweep;
mod together;

use super::incumbent::Incumbent;
use super::optimum::Earliest;
use super::projection::Projection;
use super::reach::Question;
use super::satisfy::Claim;
use super::symmetry::Reductions;
use super::{Answer, Control, Estimate, Failure, Options, Progress, Verdict};
use crate::model::analysis::{clock_bounds, is_reset};
use crate::model::{ClockId, Formula, Model, Objective, Query};
use context::Context;

type Answered<T> = Result<T, Box<Failure>>;

/// Answers all queries, sharing one exploration among those that ask about single states.
pub fn check(
    model: &Model,
    queries: &[Query],
    options: &Options,
    control: &dyn Control,
) -> Answered<Vec<Answer>> {
    let bounds = clock_bounds(model);
    let context = Context { model, bounds: &bounds, options, control, reduction: None };
    let mut answers: Vec<Option<Answer>> = vec![None; queries.len()];
    context.accelerated(queries, &mut answers);
    context.fill(queries, &mut answers)?;
    Ok(answers.into_iter().flatten().collect())
}

/// The smallest value of a clock where the formula holds. The estimate is trusted.
pub fn earliest<'q>(
    model: &Model,
    within: &'q Formula,
    clock: ClockId,
    estimate: Option<&'q mut dyn Estimate>,
    options: &Options,
    control: &dyn Control,
) -> Answered<Answer> {
    let bounds = clock_bounds(model);
    let context = Context { model, bounds: &bounds, options, control, reduction: None };
    context.earliest(earliest_goal(model, within, clock, estimate, control))
}

fn earliest_goal<'q>(
    model: &Model,
    within: &'q Formula,
    clock: ClockId,
    estimate: Option<&'q mut dyn Estimate>,
    control: &dyn Control,
) -> Earliest<'q> {
    let is_reset = is_reset(model, clock);
    let projection =
        (!is_reset).then(|| Projection::of_time(model, within, &mut || is_over(control)));
    let incumbent = Incumbent { known: control.known(), best: None };
    Earliest { within, clock, is_reset, estimate, projection, incumbent }
}

/// Whether a limit has come before the search begins.
fn is_over(control: &dyn Control) -> bool {
    control.turn(&Progress::default()).is_break()
}

/// Queries about single states, as questions of a sweep.
fn question(query: &Query) -> Option<Question<'_>> {
    match query {
        Query::Possibly(formula) => Some(Question::Exists(formula.into())),
        Query::Invariantly(formula) => Some(Question::Exists(Claim { formula, is_true: false })),
        Query::Infimum { within, of: Objective::Data(term) } => {
            Some(Question::Extreme { within, of: term, is_largest: false })
        }
        Query::Supremum { within, of: Objective::Data(term) } => {
            Some(Question::Extreme { within, of: term, is_largest: true })
        }
        _ => None,
    }
}

impl Context<'_> {
    /// Answers the queries that have no answer yet.
    fn fill(&self, queries: &[Query], answers: &mut [Option<Answer>]) -> Answered<()> {
        let reductions = Reductions::new(self.model, queries, self.options);
        for (group, asks_deadlock) in (0..reductions.len()).flat_map(|g| [(g, false), (g, true)]) {
            let questions: Vec<(usize, Question)> = queries
                .iter()
                .enumerate()
                .filter(|(index, _)| answers[*index].is_none())
                .filter(|(index, _)| reductions.group_of(*index) == group)
                .filter_map(|(index, query)| question(query).map(|question| (index, question)))
                .filter(|(_, question)| question.claim().formula.has_deadlock() == asks_deadlock)
                .collect();
            if !questions.is_empty() {
                let indices: Vec<usize> = questions.iter().map(|(index, _)| *index).collect();
                let context = Context { reduction: reductions.get(group), ..*self };
                for (index, answer) in context.sweep(queries, questions)? {
                    answers[index] = Some(answer);
                }
                self.control.answered(&indices);
            }
        }
        for (index, (answer, query)) in answers.iter_mut().zip(queries).enumerate() {
            if answer.is_none() {
                let reduction = reductions.get(reductions.group_of(index));
                *answer = Some(Context { reduction, ..*self }.alone(query)?);
                self.control.answered(&[index]);
            }
        }
        Ok(())
    }

    fn alone(&self, query: &Query) -> Answered<Answer> {
        match query {
            Query::PotentiallyAlways(p) => self.always(p, Verdict::Satisfied),
            Query::Eventually(p) => {
                self.always(&Formula::Not(Box::new(p.clone())), Verdict::Violated)
            }
            Query::LeadsTo(p, q) => self.leads_to(p, q),
            Query::Infimum { within, of: Objective::Clock(clock, _) } => {
                self.earliest(earliest_goal(self.model, within, *clock, None, self.control))
            }
            Query::Infimum { within, of: Objective::Cost(_) } => self.cheapest(within),
            Query::Supremum { within, of: Objective::Clock(clock, _) } => {
                self.latest(within, *clock)
            }
            _ => unreachable!(
                "a sweep answers the other queries, and the largest cost is refused before"
            ),
        }
    }
}
