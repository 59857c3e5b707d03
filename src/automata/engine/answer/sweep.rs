//! Answers about single states, several in one exploration.

use super::context::{Context, Setting, Width, blank, exact_for, with_zones};
use super::follow::Path;
use super::{Answered, together};
use crate::dbm::Dbm;
use crate::engine::loops::Loops;
use crate::engine::reach::{Found, Question, Sweep};
use crate::engine::search::{End, Lost, Search};
use crate::engine::store::{Cover, Store, path};
use crate::engine::zone::Zone;
use crate::engine::{
    Abstraction, Answer, Approximation, Extremum, Keep, Options, Order, Stop, Verdict,
};
use crate::model::Query;
use crate::trace::Move;

/// Small searches are over before other threads could help: one thread looks at so many states
/// alone first, so that their traces are the shortest and always the same.
const ALONE: u64 = 1000;

/// A sweep that is over.
struct Swept<'s, 'q, Z: Zone> {
    searches: Vec<Search<'s, Z>>,
    goal: Sweep<'q>,
    end: Result<End, Lost>,
    /// What one thread had found, in a store of its own, before the others joined.
    early: Option<(Store<Z>, Vec<Option<Found>>)>,
}

impl<Z: Zone> Swept<'_, '_, Z> {
    fn stores(&self) -> Vec<&Store<Z>> {
        self.searches.iter().map(|search| &search.store).collect()
    }

    /// What answers the question best: the moves to it, and its value.
    fn best(&self, k: usize) -> Option<(Vec<Move>, i64)> {
        let late = self.goal.found[k].map(|found| (self.stores(), found));
        let early = self.early.as_ref();
        let early = early.and_then(|(store, found)| Some((vec![store], found[k]?)));
        let is_better = |a: &Found, b: &Found| self.goal.question(k).is_better(a.value, b.value);
        let (stores, found) = match (late, early) {
            (Some(late), Some(early)) if is_better(&late.1, &early.1) => late,
            (late, early) => early.or(late)?,
        };
        Some((path(&stores, found.node), found.value))
    }
}

impl Context<'_> {
    pub(super) fn sweep(
        &self,
        queries: &[Query],
        questions: Vec<(usize, Question)>,
    ) -> Answered<Vec<(usize, Answer)>> {
        let exact = questions.iter().map(|(_, q)| exact_for(q.claim().formula));
        let abstraction = self.abstraction(exact.max().unwrap_or(Abstraction::Lu));
        let interest = self.interest(questions.iter().map(|(_, q)| q.claim()));
        let setting = Setting { interest, abstraction };
        with_zones!(self.width(&setting), Z => {
            self.sweep_with::<Z>(queries, questions, &setting)
        })
    }

    fn sweep_with<Z: Zone>(
        &self,
        queries: &[Query],
        questions: Vec<(usize, Question)>,
        setting: &Setting,
    ) -> Answered<Vec<(usize, Answer)>> {
        let (indices, questions): (Vec<usize>, Vec<Question>) = questions.into_iter().unzip();
        let swept = self.explore::<Z>(questions, setting);
        let end = match &swept.end {
            Ok(end) => *end,
            Err(lost)
                if self.options.approximation == Approximation::Hull
                    && !self.is_real(swept.stores()[0], setting, lost) =>
            {
                End::Stopped(Stop::Approximation)
            }
            Err(Lost { at, broken }) => {
                let moves = at.map(|node| path(&swept.stores(), node)).unwrap_or_default();
                return Err(self.failure_after(Path::new(&moves, setting), broken.clone()));
            }
        };
        let answer = |(k, &index): (usize, &usize)| {
            Ok((index, self.answer_to(&queries[index], k, &swept, end, setting)?))
        };
        indices.iter().enumerate().map(answer).collect()
    }

    /// Looks at all states: alone, and if there are many, with other threads.
    fn explore<'s, 'q, Z: Zone>(
        &'s self,
        questions: Vec<Question<'q>>,
        setting: &Setting,
    ) -> Swept<'s, 'q, Z> {
        let Options { approximation, order, threads, alone, .. } = *self.options;
        let mut goal = Sweep::new(self.model, questions);
        let mut search = self.sweeping::<Z>(setting);
        // A way into the depth is one after the other: shared out, it would turn into many.
        let is_broad = matches!(order, None | Some(Order::Bfs));
        let is_shared = threads > 1 && is_broad && approximation == Approximation::Exact;
        search.most = is_shared.then(|| alone.unwrap_or(ALONE));
        let end = search.run(&mut goal, self.control);
        if !matches!(end, Ok(End::Paused)) {
            return Swept { searches: vec![search], goal, end, early: None };
        }
        let (mut goal, found) = goal.anew();
        let mut searches: Vec<_> = (0..threads).map(|_| self.sweeping::<Z>(setting)).collect();
        let end = together::run(&mut searches, &mut goal, self.control);
        Swept { searches, goal, end, early: Some((search.store, found)) }
    }

    /// The answer to the question at position `k`.
    fn answer_to<Z: Zone>(
        &self,
        query: &Query,
        k: usize,
        swept: &Swept<Z>,
        end: End,
        setting: &Setting,
    ) -> Answered<Answer> {
        let approximation = self.options.approximation;
        let question = swept.goal.question(k);
        let mut answer = blank(&swept.searches[0], end);
        answer.explored = swept.searches.iter().map(|search| search.explored).sum();
        answer.stored = swept.searches.iter().map(|search| search.stored).sum();
        let best = swept.best(k);
        if let Some((moves, value)) = &best {
            answer.trace = self.witness(Path::new(moves, setting), &question)?;
            if let (Question::Extreme { .. }, Some(_)) = (question, &answer.trace) {
                answer.value = Some(Extremum::Finite { value: *value, attained: true });
            }
        }
        let found = best.map(|_| answer.trace.is_some());
        answer.verdict = verdict(query, found, end, approximation);
        if answer.verdict != Verdict::Unknown {
            answer.stopped = None;
        } else if answer.stopped.is_none() {
            answer.stopped = Some(match approximation {
                Approximation::Exact => Stop::Contradiction,
                _ => Stop::Approximation,
            });
        }
        Ok(answer)
    }

    /// A search for single states, as the options say.
    fn sweeping<'s, Z: Zone>(&'s self, setting: &Setting) -> Search<'s, Z> {
        let cover = match self.options.approximation {
            Approximation::Exact => None,
            Approximation::Hull => Some(Cover::Hull),
            Approximation::Bitstate(exponent) => Some(Cover::Bits(exponent)),
        };
        let mut search = self.search::<Z>(setting, cover);
        // What stands for an orbit depends on the zone: it has to be the same zone when a trace
        // is followed.
        if search.store.cover() == Cover::Simulation && self.reduction.is_none() {
            search.successors.widen_late(self.patience::<Z::Bound>(&setting.interest));
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
