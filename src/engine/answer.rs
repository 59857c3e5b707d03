//! From queries to answers: which search, which abstraction, which width of bounds.

use super::grow::{self, Growth};
use super::interest::interest;
use super::live::{self, Live};
use super::observer::Observer;
use super::optimum::{Best, Cheapest, Earliest, Latest};
use super::reach::{Question, Sweep};
use super::satisfy::{satisfying, speaks_of_deadlock};
use super::search::{End, Lost, Search};
use super::state::State;
use super::store::{Cover, Store};
use super::successor::{Broken, Successors};
use super::tables::{Interest, Limit, Tables};
use super::trail::{self, Admit, Finish, constraints_of};
use super::zone::Zone;
use super::{
    Abstraction, Answer, Control, Estimate, Extremum, Failure, Options, Order, Stop, Verdict,
};
use crate::dbm::{Bound, Dbm, NO_LIMIT};
use crate::diagnostic::Span;
use crate::model::analysis::{ClockBounds, clock_bounds, is_reset};
use crate::model::{Fault, FaultKind, Formula, Model, Objective, Query};
use crate::priced::Priced;
use crate::trace::{Constraint, Move, Trace};

type Answered<T> = Result<T, Box<Failure>>;

/// Answers all queries, sharing one exploration among those that ask about single states.
pub fn check(
    model: &Model,
    queries: &[Query],
    options: &Options,
    control: &dyn Control,
) -> Answered<Vec<Answer>> {
    let bounds = clock_bounds(model);
    let context = Context { model, bounds: &bounds, options, control };
    let mut answers: Vec<Option<Answer>> = vec![None; queries.len()];
    for asks_deadlock in [false, true] {
        let questions: Vec<(usize, Question)> = queries
            .iter()
            .enumerate()
            .filter_map(|(index, query)| question(query).map(|question| (index, question)))
            .filter(|(_, question)| speaks_of_deadlock(formula_of(question)) == asks_deadlock)
            .collect();
        if !questions.is_empty() {
            let wanted = if asks_deadlock { Abstraction::K } else { Abstraction::Lu };
            let indices: Vec<usize> = questions.iter().map(|(index, _)| *index).collect();
            for (index, answer) in context.sweep(queries, questions, wanted)? {
                answers[index] = Some(answer);
            }
            control.answered(&indices);
        }
    }
    for (index, (answer, query)) in answers.iter_mut().zip(queries).enumerate() {
        if answer.is_none() {
            *answer = Some(context.alone(query)?);
            control.answered(&[index]);
        }
    }
    Ok(answers.into_iter().flatten().collect())
}

/// The smallest value of a clock where the formula holds. The estimate is trusted; every
/// better value is told to `on_improvement`.
pub fn earliest<'q>(
    model: &Model,
    within: &'q Formula,
    clock: u32,
    estimate: Option<&'q mut dyn Estimate>,
    on_improvement: Option<&'q mut dyn FnMut(i64)>,
    options: &Options,
    control: &dyn Control,
) -> Answered<Answer> {
    let bounds = clock_bounds(model);
    let context = Context { model, bounds: &bounds, options, control };
    let is_reset = is_reset(model, clock);
    let goal = Earliest { within, clock, is_reset, estimate, best: None, on_improvement };
    context.earliest(goal)
}

/// Queries about single states, as questions of a sweep.
fn question(query: &Query) -> Option<Question> {
    match query {
        Query::Possibly(formula) => Some(Question::Exists(formula.clone())),
        Query::Invariantly(formula) => {
            Some(Question::Exists(Formula::Not(Box::new(formula.clone()))))
        }
        Query::Infimum { within, of: Objective::Data(term) } => {
            let (within, of) = (within.clone(), term.clone());
            Some(Question::Extreme { within, of, is_largest: false })
        }
        Query::Supremum { within, of: Objective::Data(term) } => {
            let (within, of) = (within.clone(), term.clone());
            Some(Question::Extreme { within, of, is_largest: true })
        }
        _ => None,
    }
}

fn formula_of(question: &Question) -> &Formula {
    match question {
        Question::Exists(formula) | Question::Extreme { within: formula, .. } => formula,
    }
}

/// Runs the body with the narrowest zones that hold every bound.
macro_rules! with_zones {
    ($width:expr, $zone:ident => $body:expr) => {
        match $width {
            Width::Narrow => {
                type $zone = Dbm<i16>;
                $body
            }
            Width::Middle => {
                type $zone = Dbm<i32>;
                $body
            }
            Width::Wide => {
                type $zone = Dbm<i64>;
                $body
            }
        }
    };
}

/// How wide packed bounds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Narrow,
    Middle,
    Wide,
}

/// What all searches of one call share.
struct Context<'a> {
    model: &'a Model,
    bounds: &'a ClockBounds,
    options: &'a Options,
    control: &'a dyn Control,
}

impl<'a> Context<'a> {
    fn alone(&self, query: &Query) -> Answered<Answer> {
        match query {
            Query::PotentiallyAlways(p) => self.always(p, Verdict::Satisfied),
            Query::Eventually(p) => {
                self.always(&Formula::Not(Box::new(p.clone())), Verdict::Violated)
            }
            Query::LeadsTo(p, q) => self.leads_to(p, q),
            Query::Infimum { within, of: Objective::Clock(clock, _) } => {
                let goal = Earliest {
                    within,
                    clock: *clock,
                    is_reset: is_reset(self.model, *clock),
                    estimate: None,
                    best: None,
                    on_improvement: None,
                };
                self.earliest(goal)
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

    fn interest<'f>(&self, formulas: impl IntoIterator<Item = &'f Formula>) -> Interest {
        interest(self.model, self.bounds.largest_reset, formulas)
    }

    /// What the user wants, or what is exact for the query if that is less coarse. Where there
    /// are priorities, it also matters that a guard or an invariant does not hold, so that bounds
    /// from below and from above cannot be told apart.
    fn abstraction(&self, exact: Abstraction) -> Abstraction {
        let exact = match exact {
            Abstraction::Lu if self.model.has_priorities => Abstraction::K,
            exact => exact,
        };
        match (self.options.abstraction, exact) {
            (None, exact) => exact,
            (Some(Abstraction::Lu), exact) => exact,
            (Some(wanted), _) => wanted,
        }
    }

    /// Plain sums of bounds stay below 16 times the largest constant unless clocks are compared
    /// with each other; without an abstraction there is no limit at all.
    fn width(&self, interest: &Interest, abstraction: Abstraction) -> Width {
        let largest = self.bounds.largest.max(interest.largest).saturating_add(1);
        let is_diagonal = self.bounds.has_diagonals || !interest.diagonals.is_empty();
        let most = match is_diagonal {
            true => largest.saturating_mul(self.model.clocks.len() as i64 + 2),
            false => largest,
        };
        let is_limited = abstraction != Abstraction::None && interest.measured.is_none();
        let holds = |largest: i64| is_limited && most <= largest / 16;
        match () {
            () if holds(<i16 as Bound>::LARGEST) => Width::Narrow,
            () if holds(<i32 as Bound>::LARGEST) => Width::Middle,
            () => Width::Wide,
        }
    }

    fn sweep(
        &self,
        queries: &[Query],
        questions: Vec<(usize, Question)>,
        exact: Abstraction,
    ) -> Answered<Vec<(usize, Answer)>> {
        let interest = self.interest(questions.iter().map(|(_, q)| formula_of(q)));
        let abstraction = self.abstraction(exact);
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

    fn earliest(&self, goal: Earliest) -> Answered<Answer> {
        let mut interest = self.interest([goal.within]);
        // May be compared with anything from above: only the smallest value matters.
        interest.measured = Some(Limit { clock: goal.clock, lower: NO_LIMIT, upper: i64::MAX });
        let exact = match speaks_of_deadlock(goal.within) {
            true => Abstraction::K,
            false => Abstraction::Lu,
        };
        let abstraction = self.abstraction(exact);
        with_zones!(self.width(&interest, abstraction), Z => {
            self.earliest_with::<Z>(goal, &interest, abstraction)
        })
    }

    fn earliest_with<Z: Zone>(
        &self,
        mut goal: Earliest,
        interest: &Interest,
        abstraction: Abstraction,
    ) -> Answered<Answer> {
        let mut search = self.minimising::<Z>(interest, abstraction);
        let end = search.run(&mut goal, self.control);
        let end = end.map_err(|lost| self.failure(&search.store, interest, lost))?;
        let mut answer = blank(&search, end);
        if let Some(best) = goal.best {
            let moves = search.store.path(best.node);
            let limit = Constraint {
                left: Some(goal.clock),
                right: None,
                is_strict: false,
                bound: best.value,
            };
            answer.trace = Some(self.extreme(&moves, interest, goal.within, best, limit)?);
            answer.value = Some(best.extremum());
        }
        answer.settle_minimum(goal.best, search.smallest_rank(), end);
        Ok(answer)
    }

    fn cheapest(&self, within: &Formula) -> Answered<Answer> {
        let interest = self.interest([within]);
        let exact = match speaks_of_deadlock(within) {
            true => Abstraction::K,
            false => Abstraction::Lu,
        };
        let abstraction = self.abstraction(exact);
        match self.width(&interest, abstraction) {
            Width::Wide => self.cheapest_with::<Priced<i64>>(within, &interest, abstraction),
            _ => self.cheapest_with::<Priced<i32>>(within, &interest, abstraction),
        }
    }

    fn cheapest_with<Z: Zone>(
        &self,
        within: &Formula,
        interest: &Interest,
        abstraction: Abstraction,
    ) -> Answered<Answer> {
        let remaining = self.model.remaining.map(|cell| cell.0);
        let mut goal = Cheapest { within, best: None, remaining, has_overflown: false };
        let mut search = self.minimising::<Z>(interest, abstraction);
        let end = search.run(&mut goal, self.control);
        let end = end.map_err(|lost| self.failure(&search.store, interest, lost))?;
        let mut answer = blank(&search, end);
        if goal.has_overflown {
            let fault = Fault { kind: FaultKind::Overflow, span: Span::default() };
            return Err(Box::new(failure(Broken { fault, action: None }, Trace::default())));
        }
        if let Some(best) = goal.best {
            let moves = search.store.path(best.node);
            answer.trace = Some(self.bargain(&moves, interest, within, best)?);
            answer.value = Some(best.extremum());
        }
        answer.settle_minimum(goal.best, search.smallest_rank(), end);
        Ok(answer)
    }

    /// First with the model's own constants as limits: if the clock stays below them, that is
    /// the answer. If not, whether it can grow forever is read off the graph; if not even
    /// that, the search without a limit for it ends.
    fn latest(&self, within: &Formula, clock: u32) -> Answered<Answer> {
        let own = self.bounds.largest.max(self.interest([within]).largest);
        let first = self.latest_up_to(within, clock, own)?;
        if first.value != Some(Extremum::Unbounded) {
            return Ok(first);
        }
        match self.growth(within, clock, own)? {
            Growth::Forever => Ok(first),
            Growth::Stopped(stop) => Ok(Answer {
                verdict: Verdict::Unknown,
                value: None,
                trace: None,
                stopped: Some(stop),
                ..first
            }),
            Growth::Limited => self.latest_up_to(within, clock, i64::MAX),
        }
    }

    fn latest_up_to(&self, within: &Formula, clock: u32, limit: i64) -> Answered<Answer> {
        let mut interest = self.interest([within]);
        interest.measured = Some(Limit { clock, lower: limit, upper: NO_LIMIT });
        let exact = match speaks_of_deadlock(within) {
            true => Abstraction::K,
            false => Abstraction::Lu,
        };
        let abstraction = self.abstraction(exact);
        let mut goal = Latest { within, clock, best: None, is_unbounded: None };
        with_zones!(self.width(&interest, abstraction), Z => {
            let mut search = self.search::<Z>(&interest, abstraction, Observer::default(), None);
            let end = search.run(&mut goal, self.control);
            let end = end.map_err(|lost| self.failure(&search.store, &interest, lost))?;
            let mut answer = blank(&search, end);
            answer.verdict = match (goal.best, goal.is_unbounded, end) {
                (_, _, End::Stopped(_)) => Verdict::Unknown,
                (None, None, _) => Verdict::Violated,
                _ => Verdict::Satisfied,
            };
            if let Some(node) = goal.is_unbounded {
                answer.value = Some(Extremum::Unbounded);
                let moves = search.store.path(node);
                answer.trace =
                    Some(self.witness(&moves, &interest, &Question::Exists(within.clone()))?);
            } else if let Some(best) = goal.best {
                let moves = search.store.path(best.node);
                let limit = Constraint {
                    left: None,
                    right: Some(clock),
                    is_strict: false,
                    bound: -best.value,
                };
                answer.trace = Some(self.extreme(&moves, &interest, within, best, limit)?);
                answer.value = Some(best.extremum());
            }
            Ok(answer)
        })
    }

    fn growth(&self, within: &Formula, clock: u32, limit: i64) -> Answered<Growth> {
        let ticking = grow::with_ticks(self.model);
        let bounds = clock_bounds(&ticking.model);
        let context = Context { model: &ticking.model, bounds: &bounds, ..*self };
        let mut interest = context.interest([within]);
        interest.compared.push(Limit { clock, lower: limit, upper: limit });
        let abstraction = Abstraction::K;
        let mut goal = grow::Watch::new(&ticking, within, clock);
        with_zones!(context.width(&interest, abstraction), Z => {
            let equality = Some(Cover::Equality);
            let mut search =
                context.search::<Z>(&interest, abstraction, Observer::default(), equality);
            let end = search.run(&mut goal, self.control);
            let end = end.map_err(|lost| context.failure(&search.store, &interest, lost))?;
            Ok(match end {
                End::Stopped(stop) => Growth::Stopped(stop),
                _ => goal.growth(),
            })
        })
    }

    /// `E[] p` (satisfied by a run) and the counterexample of `A<> not p` (violated by one).
    fn always(&self, stay: &Formula, found: Verdict) -> Answered<Answer> {
        let formulas = [stay.clone()];
        self.live(&formulas, false, found)
    }

    /// A counterexample of `p --> q`: from a reachable state in `p`, a maximal run outside `q`.
    fn leads_to(&self, p: &Formula, q: &Formula) -> Answered<Answer> {
        let formulas = [Formula::Not(Box::new(q.clone())), p.clone()];
        self.live(&formulas, true, Verdict::Violated)
    }

    fn live(&self, formulas: &[Formula], anywhere: bool, found: Verdict) -> Answered<Answer> {
        let interest = self.interest(formulas);
        let abstraction = self.abstraction(Abstraction::K);
        with_zones!(self.width(&interest, abstraction), Z => {
            self.live_with::<Z>(formulas, anywhere, found, &interest, abstraction)
        })
    }

    fn live_with<Z: Zone>(
        &self,
        formulas: &[Formula],
        anywhere: bool,
        found: Verdict,
        interest: &Interest,
        abstraction: Abstraction,
    ) -> Answered<Answer> {
        let observer = Observer::new(formulas);
        let mut goal = Live::new(anywhere);
        let mut search = self.search::<Z>(interest, abstraction, observer, Some(Cover::Equality));
        let end = search.run(&mut goal, self.control);
        let end = end.map_err(|lost| self.failure(&search.store, interest, lost))?;
        let mut answer = blank(&search, end);
        if let End::Stopped(_) = end {
            return Ok(answer);
        }
        let Some(lasso) = goal.lasso() else {
            answer.verdict = match found {
                Verdict::Satisfied => Verdict::Violated,
                _ => Verdict::Satisfied,
            };
            return Ok(answer);
        };
        answer.verdict = found;
        let prefix = search.store.path(lasso.start);
        let from = prefix.len();
        let moves: Vec<Move> = [prefix, lasso.moves].concat();
        let mut trace = self.trace::<Dbm<i64>>(
            &moves,
            interest,
            observer,
            &|depth, state| depth < from || state.marks & live::STAYS != 0,
            &mut |successors, state| match lasso.cycle {
                Some(_) => Ok(Some(Vec::new())),
                None => {
                    let zones = live::endings(successors, state)?;
                    Ok(zones.first().map(|zone| constraints_of(state, zone)))
                }
            },
        )?;
        trace.returns_to = lasso.cycle.map(|k| from + k);
        answer.trace = Some(trace);
        Ok(answer)
    }

    fn search<'s, Z: Zone>(
        &'s self,
        interest: &Interest,
        abstraction: Abstraction,
        observer: Observer<'s>,
        cover: Option<Cover>,
    ) -> Search<'s, Z> {
        let tables = Tables::new(self.model, self.bounds, interest, abstraction);
        let cover = cover.unwrap_or_else(|| Search::<Z>::cover_for(&tables));
        Search::new(tables, observer, cover, self.options)
    }

    /// A search for the smallest value: best first unless the user wants another order.
    fn minimising<'s, Z: Zone>(
        &'s self,
        interest: &Interest,
        abstraction: Abstraction,
    ) -> Search<'s, Z> {
        let tables = Tables::new(self.model, self.bounds, interest, abstraction);
        let cover = Search::<Z>::cover_for(&tables);
        let order = self.options.order.unwrap_or(Order::Best);
        let options = Options { order: Some(order), ..self.options.clone() };
        Search::new(tables, Observer::default(), cover, &options)
    }

    /// A trace to a state that answers the question.
    fn witness(&self, moves: &[Move], interest: &Interest, question: &Question) -> Answered<Trace> {
        let formula = formula_of(question);
        self.trace::<Dbm<i64>>(
            moves,
            interest,
            Observer::default(),
            &|_, _| true,
            &mut |successors, state| {
                let zones = satisfying(successors, state, formula, true)?;
                Ok(zones.first().map(|zone| constraints_of(state, zone)))
            },
        )
    }

    /// A trace to where a clock takes its extreme value, or comes near it.
    fn extreme(
        &self,
        moves: &[Move],
        interest: &Interest,
        within: &Formula,
        best: Best,
        limit: Constraint,
    ) -> Answered<Trace> {
        self.trace::<Dbm<i64>>(
            moves,
            interest,
            Observer::default(),
            &|_, _| true,
            &mut |successors, state| {
                let position = |clock: Option<u32>| clock.map_or(Some(0), |c| state.position(c));
                let zones = satisfying(successors, state, within, true)?;
                for mut zone in zones {
                    let (Some(i), Some(j)) = (position(limit.left), position(limit.right)) else {
                        continue;
                    };
                    if !best.is_attained || zone.constrain(i, j, Bound::new(limit.bound, false)) {
                        return Ok(Some(constraints_of(state, &zone)));
                    }
                }
                Ok(None)
            },
        )
    }

    /// A trace on which the least cost is paid, or nearly so.
    fn bargain(
        &self,
        moves: &[Move],
        interest: &Interest,
        within: &Formula,
        best: Best,
    ) -> Answered<Trace> {
        let mut finish = |successors: &mut Successors<Priced<i64>>, state: &State<Priced<i64>>| {
            for zone in satisfying(successors, state, within, true)? {
                // A search that was stopped may not know how cheap its own path is.
                let is_good = |(cost, is_attained): (i64, bool)| {
                    cost < best.value || cost == best.value && is_attained >= best.is_attained
                };
                if state.zone.least_cost(&zone).is_ok_and(is_good) {
                    return Ok(Some(constraints_of(state, &zone)));
                }
            }
            Ok(None)
        };
        self.trace(moves, interest, Observer::default(), &|_, _| true, &mut finish)
    }

    fn trace<Z: Zone>(
        &self,
        moves: &[Move],
        interest: &Interest,
        observer: Observer,
        admit: &Admit<Z>,
        finish: &mut Finish<Z>,
    ) -> Answered<Trace> {
        let tables = Tables::new(self.model, self.bounds, interest, Abstraction::None);
        let mut successors = Successors::new(tables, observer);
        let found = trail::trace(&mut successors, moves, admit, finish);
        let trace = found.map_err(|broken| Box::new(failure(broken, Trace::default())))?;
        Ok(trace.expect("what a search found can be followed with plain zones"))
    }

    fn failure<Z: Zone>(&self, store: &Store<Z>, interest: &Interest, lost: Lost) -> Box<Failure> {
        let moves = lost.at.map(|node| store.path(node)).unwrap_or_default();
        let to_it = self.trace::<Dbm<i64>>(
            &moves,
            interest,
            Observer::default(),
            &|_, _| true,
            &mut |_, _| Ok(Some(Vec::new())),
        );
        Box::new(failure(lost.broken, to_it.unwrap_or_default()))
    }
}

fn failure(broken: Broken, trace: Trace) -> Failure {
    Failure { fault: broken.fault, trace, action: broken.action }
}

/// An answer without a verdict, with the figures of the search.
fn blank<Z: Zone>(search: &Search<Z>, end: End) -> Answer {
    let stopped: Option<Stop> = match end {
        End::Stopped(stop) => Some(stop),
        _ => None,
    };
    Answer {
        verdict: Verdict::Unknown,
        value: None,
        bound: None,
        explored: search.explored,
        stored: search.stored,
        trace: None,
        stopped,
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

impl Answer {
    /// Verdict and bound of a search for the smallest value: what waits cannot be better
    /// than its rank.
    fn settle_minimum(&mut self, best: Option<Best>, waiting: Option<i64>, end: End) {
        let best = best.map(|best| best.value);
        (self.verdict, self.bound) = match (best, end) {
            (_, End::Stopped(_)) => (Verdict::Unknown, waiting.into_iter().chain(best).min()),
            (Some(_), _) => (Verdict::Satisfied, best),
            (None, _) => (Verdict::Violated, None),
        };
    }
}

impl Best {
    fn extremum(self) -> Extremum {
        Extremum::Finite { value: self.value, attained: self.is_attained }
    }
}
