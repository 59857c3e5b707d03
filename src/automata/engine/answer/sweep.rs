//! Answers about single states, several in one exploration.

use super::context::{Context, Width, blank, exact_for, with_zones};
use super::{Answered, together};
use crate::dbm::Dbm;
use crate::engine::loops::Loops;
use crate::engine::observer::Observer;
use crate::engine::reach::{Question, Sweep};
use crate::engine::search::{End, Search};
use crate::engine::store::{Cover, Store, path};
use crate::engine::tables::Interest;
use crate::engine::zone::Zone;
use crate::engine::{Abstraction, Answer, Approximation, Extremum, Keep, Order, Stop, Verdict};
use crate::model::Query;

/// Small searches are over before other threads could help: one thread looks at so many states
/// alone first, so that their traces are the shortest and always the same.
const ALONE: u64 = 1000;

impl Context<'_> {
    pub(super) fn sweep(
        &self,
        queries: &[Query],
        questions: Vec<(usize, Question)>,
    ) -> Answered<Vec<(usize, Answer)>> {
        let interest = self.interest(questions.iter().map(|(_, q)| q.claim()));
        let exact = questions.iter().map(|(_, q)| exact_for(q.claim().formula));
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
        let mut goal = Sweep::new(self.model, questions);
        let approximation = self.options.approximation;
        let cover = match approximation {
            Approximation::Exact => None,
            Approximation::Hull => Some(Cover::Hull),
            Approximation::Bitstate(exponent) => Some(Cover::Bits(exponent)),
        };
        let mut search = self.sweeping::<Z>(interest, abstraction, cover);
        // A way into the depth is one after the other: shared out, it would turn into many.
        let is_broad = matches!(self.options.order, None | Some(Order::Bfs));
        let is_exact = approximation == Approximation::Exact;
        let is_shared = self.options.threads > 1 && is_broad && is_exact;
        search.most = is_shared.then(|| self.options.alone.unwrap_or(ALONE));
        let mut ended = search.run(&mut goal, self.control);
        let mut searches = vec![search];
        let mut early = None;
        if let Ok(End::Paused) = ended {
            let (again, found) = goal.anew();
            goal = again;
            let workers = (0..self.options.threads)
                .map(|_| self.sweeping::<Z>(interest, abstraction, cover))
                .collect();
            let alone = std::mem::replace(&mut searches, workers).pop();
            early = alone.map(|search| (search.store, found));
            ended = together::run(&mut searches, &mut goal, self.control);
        }
        let stores: Vec<&Store<Z>> = searches.iter().map(|search| &search.store).collect();
        let end = match ended {
            Ok(end) => end,
            Err(lost)
                if approximation == Approximation::Hull
                    && !self.is_real(stores[0], interest, abstraction, &lost) =>
            {
                End::Stopped(Stop::Approximation)
            }
            Err(lost) => {
                let moves = lost.at.map(|node| path(&stores, node)).unwrap_or_default();
                return Err(self.failure_after(&moves, interest, abstraction, lost.broken));
            }
        };
        let mut answers = Vec::new();
        for (k, &index) in indices.iter().enumerate() {
            let question = goal.question(k);
            let mut answer = blank(&searches[0], end);
            answer.explored = searches.iter().map(|search| search.explored).sum();
            answer.stored = searches.iter().map(|search| search.stored).sum();
            let late = goal.found[k].map(|found| (&stores[..], found));
            let soon = early.as_ref().and_then(|(store, found)| Some((store, found[k]?)));
            let best = match (late, &soon) {
                (Some(late), Some((_, soon))) if question.is_better(late.1.value, soon.value) => {
                    Some(late)
                }
                (late, None) => late,
                (_, Some((store, soon))) => Some((std::slice::from_ref(store), *soon)),
            };
            if let Some((stores, found)) = best {
                let moves = path(stores, found.node);
                answer.trace = self.witness(&moves, interest, abstraction, &question)?;
                if let (Question::Extreme { .. }, Some(_)) = (question, &answer.trace) {
                    let value = found.value;
                    answer.value = Some(Extremum::Finite { value, attained: true });
                }
            }
            let found = best.map(|_| answer.trace.is_some());
            answer.verdict = verdict(&queries[index], found, end, approximation);
            if answer.verdict != Verdict::Unknown {
                answer.stopped = None;
            } else if answer.stopped.is_none() {
                answer.stopped = Some(match approximation {
                    Approximation::Exact => Stop::Contradiction,
                    _ => Stop::Approximation,
                });
            }
            answers.push((index, answer));
        }
        Ok(answers)
    }

    /// A search for single states, as the options say.
    fn sweeping<'s, Z: Zone>(
        &'s self,
        interest: &Interest,
        abstraction: Abstraction,
        cover: Option<Cover>,
    ) -> Search<'s, Z> {
        let mut search = self.search::<Z>(interest, abstraction, Observer::default(), cover);
        // What stands for an orbit depends on the zone: it has to be the same zone when a trace
        // is followed.
        if search.store.cover() == Cover::Simulation && self.reduction.is_none() {
            search.successors.widen_late(self.patience::<Z::Bound>(interest));
        }
        search.loops = (self.options.keep == Keep::Loops).then(|| Loops::new(self.model));
        search
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
