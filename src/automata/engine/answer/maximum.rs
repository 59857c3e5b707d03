//! Answers about the largest value of a clock.

use super::Answered;
use super::context::{Context, Setting, Width, blank, with_zones};
use super::follow::Path;
use crate::dbm::{ClockLimits, Dbm, NO_LIMIT};
use crate::engine::grow::{self, Growth};
use crate::engine::iterability::{self, Iterability, Loop, Repeat};
use crate::engine::observer::Observer;
use crate::engine::optimum::Latest;
use crate::engine::reach::Question;
use crate::engine::search::{End, Search};
use crate::engine::state::{Activity, State};
use crate::engine::store::{Cover, NodeId};
use crate::engine::successor::Successors;
use crate::engine::tables::{Limit, Tables};
use crate::engine::{Abstraction, Answer, Extremum, Stop, Verdict};
use crate::model::analysis::clock_bounds;
use crate::model::{ClockId, Formula, Model};
use crate::trace::Constraint;
use std::cell::OnceCell;

/// Values of a clock that is measured may be larger than all constants.
type Wide = Dbm<i64>;

/// The way to the best value so far is not told if it is longer than this.
const LONGEST_WAY: usize = 20_000;

/// How many states are looked at in one way before the other has its turn; then twice as many.
const FIRST_TURN: u64 = 500;

impl Context<'_> {
    /// Takes the model's own constants as limits first: if the clock stays below them, that is the
    /// answer. Large constants may take long, so a second search takes turns with that: it looks for
    /// ways to let the clock grow for ever. If it finds none and the clock exceeds the limits, the
    /// graph of a model with ticks decides. If the clock cannot grow for ever, some higher limit is
    /// high enough.
    pub(super) fn latest(&self, within: &Formula, clock: ClockId) -> Answered<Answer> {
        let mut limit = self.bounds.largest.max(self.interest([within]).largest);
        let plain = Context { reduction: None, ..*self };
        let extended = OnceCell::new();
        let mut pumping = None;
        let mut measuring = Measuring::new(self, within, clock, limit);
        let mut measured = None;
        let mut turn = FIRST_TURN;
        let mut answer = loop {
            if measured.is_none() {
                measured = measuring.run(Some(turn))?;
            }
            if let Some(answer) = measured.take_if(|answer| !is_beyond(answer, limit)) {
                return Ok(answer);
            }
            let pumping = pumping.get_or_insert_with(|| {
                let (model, _) = extended.get_or_init(|| iterability::with_stopwatch(self.model));
                Pumping::new(&plain, model, within, clock)
            });
            match (pumping.run(turn)?, measured.take()) {
                (Pumped::Forever(answer), _) => {
                    let explored = answer.explored + measuring.search.explored;
                    return Ok(Answer { explored, ..*answer });
                }
                (Pumped::Stopped(stop), Some(answer)) => return Ok(unknown(answer, stop)),
                (Pumped::NotFound, Some(answer)) => break answer,
                (_, answer) => measured = answer,
            }
            turn = turn.saturating_mul(2);
        };
        match self.growth(within, clock, limit)? {
            Growth::Forever => {
                return Ok(Answer { value: Some(Extremum::Unbounded), ..answer });
            }
            Growth::Stopped(stop) => return Ok(unknown(answer, stop)),
            Growth::Limited => {}
        }
        while is_beyond(&answer, limit) {
            limit = limit.saturating_mul(2).saturating_add(1);
            let found = Measuring::new(self, within, clock, limit).run(None)?;
            answer = found.expect("only a search with a number of states pauses");
        }
        Ok(answer)
    }

    fn growth(&self, within: &Formula, clock: ClockId, limit: i64) -> Answered<Growth> {
        // Short ticks would cut the way to large constants into as many steps.
        let ticking = grow::with_ticks(self.model, limit.max(1));
        let bounds = clock_bounds(&ticking.model);
        let context = Context { model: &ticking.model, bounds: &bounds, reduction: None, ..*self };
        let interest = context.interest([within]);
        let setting = Setting { interest, abstraction: Abstraction::K };
        let mut goal = grow::TickGraph::new(&ticking, within, clock);
        with_zones!(context.width(&setting), Z => {
            let mut search = context.search::<Z>(&setting, Some(Cover::Equality));
            search.successors.tables.first_tick = Some(ticking.first_tick);
            Ok(match context.run(&mut search, &mut goal, &setting)? {
                End::Stopped(stop) => Growth::Stopped(stop),
                _ => goal.growth(),
            })
        })
    }
}

/// A search for the largest value of a clock up to a limit.
struct Measuring<'c> {
    context: &'c Context<'c>,
    search: Search<'c, Wide>,
    goal: Latest<'c>,
    setting: Setting,
}

impl<'c> Measuring<'c> {
    fn new(context: &'c Context, within: &'c Formula, clock: ClockId, limit: i64) -> Measuring<'c> {
        let mut setting = context.setting(within);
        setting.interest.measured = Some(Limit { clock, lower: limit, upper: NO_LIMIT });
        let goal = Latest { within, clock, best: None, is_unbounded: None };
        let search = context.search::<Wide>(&setting, None);
        Measuring { context, search, goal, setting }
    }

    /// Goes on until so many states are explored, if a number is given; `None` if that was not all.
    fn run(&mut self, most: Option<u64>) -> Answered<Option<Answer>> {
        self.search.most = most;
        match self.context.run(&mut self.search, &mut self.goal, &self.setting)? {
            End::Paused => Ok(None),
            end => self.answer(end).map(Some),
        }
    }

    fn answer(&self, end: End) -> Answered<Answer> {
        let Measuring { context, search, goal, setting } = self;
        let mut answer = blank(search, end);
        answer.verdict = match (goal.best, goal.is_unbounded, end) {
            (_, _, End::Stopped(_)) => Verdict::Unknown,
            (None, None, _) => Verdict::Violated,
            _ => Verdict::Satisfied,
        };
        if let Some(node) = goal.is_unbounded {
            answer.value = Some(Extremum::Unbounded);
            let question = Question::Exists(goal.within.into());
            let moves = search.store.path(node);
            answer.trace = context.witness(Path::new(&moves, setting), &question)?;
        } else if let Some(best) = goal.best {
            answer.value = Some(best.extremum());
            let moves = search.store.path(best.node);
            if answer.verdict == Verdict::Unknown && moves.len() > LONGEST_WAY {
                return Ok(answer);
            }
            let limit = Constraint {
                left: None,
                right: Some(goal.clock),
                is_strict: false,
                bound: -best.value,
            };
            let path = Path::new(&moves, setting);
            answer.trace = Some(context.extreme(path, goal.within, best, limit)?);
        }
        Ok(answer)
    }
}

/// What is known of growth without bound.
enum Pumped {
    Forever(Box<Answer>),
    NotYet,
    /// All states were seen, in vain; which proves nothing.
    NotFound,
    Stopped(Stop),
}

/// A search for ways to let a clock grow for ever.
struct Pumping<'c> {
    context: &'c Context<'c>,
    search: Search<'c, Wide>,
    goal: Iterability<'c>,
    within: &'c Formula,
    setting: Setting,
    /// Makes moves with a stopwatch, which is the last of its clocks.
    timed: Successors<'c, Wide>,
    activity: Activity,
    /// Moves made to try rounds.
    tried: u64,
    is_over: bool,
}

impl<'c> Pumping<'c> {
    /// `extended` is the model with a stopwatch.
    fn new(
        context: &'c Context,
        extended: &'c Model,
        within: &'c Formula,
        clock: ClockId,
    ) -> Pumping<'c> {
        let setting = context.setting(within);
        let mut with_time = setting.interest.clone();
        let stopwatch = ClockId::at(context.model.clocks.len());
        with_time.compared.push(Limit { clock: stopwatch, lower: 1, upper: NO_LIMIT });
        let tables = Tables::new(extended, context.bounds, &with_time, setting.abstraction);
        let search = context.search(&setting, None);
        Pumping {
            context,
            search,
            goal: Iterability::new(within, clock),
            within,
            setting,
            timed: Successors::new(tables, Observer::default()),
            activity: Activity::new(context.model.clocks.len()),
            tried: 0,
            is_over: false,
        }
    }

    /// Goes on until so many states are explored.
    fn run(&mut self, most: u64) -> Answered<Pumped> {
        if self.is_over {
            return Ok(Pumped::NotFound);
        }
        self.search.most = Some(most);
        let end = self.context.run(&mut self.search, &mut self.goal, &self.setting)?;
        if self.goal.found.is_none() {
            self.try_rounds();
        }
        if let Some(node) = self.goal.found {
            let mut answer = blank(&self.search, End::Broken);
            answer.verdict = Verdict::Satisfied;
            answer.value = Some(Extremum::Unbounded);
            let moves = self.search.store.path(node);
            let question = Question::Exists(self.within.into());
            answer.trace = self.context.witness(Path::new(&moves, &self.setting), &question)?;
            return Ok(Pumped::Forever(Box::new(answer)));
        }
        Ok(match end {
            End::Paused => Pumped::NotYet,
            End::Stopped(stop) => Pumped::Stopped(stop),
            _ => {
                self.is_over = true;
                Pumped::NotFound
            }
        })
    }

    /// Tries the rounds that were noted, short ones first, and those on the way to the newest states,
    /// with about as many moves as the search has made.
    fn try_rounds(&mut self) {
        let mut rounds = self.goal.take_rounds();
        rounds.sort_by_key(|round| round.moves.len());
        for round in rounds {
            if self.search.store.is_alive(round.start) && self.may_try(round.moves.len()) {
                let state = self.stored(round.start);
                self.try_round(&round, &state);
            }
        }
        for leaf in self.goal.leaves() {
            if self.goal.found.is_none() {
                self.try_way_to(leaf);
            }
        }
        self.goal.spread();
    }

    fn may_try(&mut self, moves: usize) -> bool {
        self.tried += moves as u64;
        self.tried <= 4 * self.search.explored + 8 * FIRST_TURN
    }

    fn try_round(&mut self, round: &Loop, state: &State<Wide>) {
        let mut limits = ClockLimits::default();
        let tables = &self.search.successors.tables;
        self.activity.find(tables, &state.cells, &mut Vec::new(), &mut limits);
        let limits = (self.search.store.cover() == Cover::Simulation).then_some(&limits);
        let repeat = iterability::repeat(&mut self.timed, state, &round.moves, limits, self.within);
        // What is wrong with the model is told by the search that gets there.
        self.goal.mark(round, repeat.unwrap_or(Repeat::No));
    }

    /// Tries the rounds that end in this node.
    fn try_way_to(&mut self, leaf: NodeId) {
        let moves = self.search.store.path(leaf);
        if !self.may_try(2 * moves.len()) {
            return;
        }
        let tables = self.context.tables(&self.setting);
        let mut successors = Successors::new(tables, Observer::default());
        let Ok(Some(states)) = iterability::states(&mut successors, &moves) else { return };
        for round in self.goal.rounds_to(leaf, |at, end| states[at].cells == states[end].cells) {
            let start = moves.len() - round.moves.len();
            self.try_round(&round, &states[start]);
        }
    }

    fn stored(&mut self, node: NodeId) -> State<Wide> {
        let Search { store, successors, .. } = &mut self.search;
        let cells = vec![0; self.context.model.state_len as usize];
        let mut state = State { cells, ..State::default() };
        store.load(node, &mut state, |cells, clocks| {
            let limits = &mut ClockLimits::<i64>::default();
            self.activity.find(&successors.tables, cells, clocks, limits);
        });
        state
    }
}

fn unknown(answer: Answer, stop: Stop) -> Answer {
    let (verdict, value, trace) = (Verdict::Unknown, None, None);
    Answer { verdict, value, trace, stopped: Some(stop), ..answer }
}

/// Whether the clock came above the limit. Values there stand for each other, so that the one
/// found says as little as none.
fn is_beyond(answer: &Answer, limit: i64) -> bool {
    match answer.value {
        _ if answer.verdict == Verdict::Unknown => false,
        None => false,
        Some(Extremum::Finite { value, .. }) => value > limit,
        Some(Extremum::Unbounded) => limit < i64::MAX,
    }
}
