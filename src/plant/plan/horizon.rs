//! How far time must be looked at: some best schedule, among those that the heuristics keep, ends
//! by then.
//!
//! After the *base* no release, no due instant with a storage cost, no former start that it costs to leave
//! and no limit of `start-within` lies ahead. An instant after it is *busy* if a step is in work or
//! pauses, or if a `min` of a lag or between orders, or a setup is running out. Busy instants are no more than the sum of
//! all of these. What is left are idle stretches, each ended by a start, so there are no more of
//! them than steps; and some best schedule has short ones only:
//!
//! - *Without calendars* an idle stretch can be cut out and all that comes later moved to the
//!   left. No order of events changes, lags (also those with `max`), holds and stretches of
//!   eligibility only get shorter, and after the base no cost falls with time. So there is none.
//! - *A free step*, which may be early without harm (no `max` lag counts from it, it begins no
//!   order with a holding cost or that another one must follow soon, and nobody asks for `non-lazy`), could have started at any instant
//!   of the stretch that it ends, everything else unchanged: what it takes was as free as at its
//!   start. So only its calendar kept it from that, and the stretch is no longer than the longest
//!   wait for a fitting start. Under `greedy` every step is free: it was eligible but for its
//!   calendar all the time, and so has to start.
//! - *If all steps are free*, every idle instant is one at which the calendar of some step does not
//!   let it start. If `g` instants of each common period let every step start, only the others can be
//!   idle: a schedule that lasts for `n` whole periods is busy for `n * g` of them. No step pauses at an
//!   instant that lets it start, so these are instants of work, lags and setups, and `n` is no more than
//!   their sum divided by `g`. Without a period they are counted in the windows as they come: once there
//!   are more than that sum, everything is over.
//! - *A setup that is work* is like a free step: nothing counts from it.
//! - *Before any other step* a stretch as long as the common period of all calendars in use can be
//!   shortened by that period, as in the first case: all windows are the same as before, if no
//!   exception of a calendar lies ahead. (Civil calendars repeat every week from there on; in a zone with daylight saving, where they move
//!   by an hour twice a year, twice that is allowed for.)
//!
//! Waits and works are read off windows that are written out further and further. What was seen
//! holds for ever once it covers a whole common period after the base. If all steps are free it is
//! enough that it covers, for each of them, all instants up to the sum of the others: by induction
//! over the steps by start, each is over by the sum of its own and of what came before. So a sum may
//! be proved although the calendars meet again only after ages, and no proof rests on windows that
//! nobody has seen.
//!
//! Where that fails, any schedule limits the shortest one: the orders one after the other
//! (`serial.rs`). A deadline for every order is a limit by itself; but whether a step is eligible
//! does not depend on deadlines, so it is none where that is judged on calendars.

use super::build::{Builder, Found};
use super::calendar::{Rhythm, common};
use super::fit::longest;
use super::ids::{CalendarId, IdVec, SourceId};
use super::serial::one_after_the_other;
use super::{
    Calendar, Calendars, CrewWay, Discipline, FamilyId, Link, Objective, Order, Plan, PoolId, Rule,
    Setup, Step, StepId, Steps, Times, Window,
};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::{Diagnostic, Span};
use takt_spec::{MAX_TIME, Spec};

pub fn horizon(plan: &Plan, spec: &Spec, builder: &Builder, rules: &[Rule]) -> Found<i64> {
    let asked = Discipline::new(plan, rules.iter().copied());
    let sight = Sight::new(plan, spec, builder, asked)?;
    let proved = sight.sum();
    if let Some(latest) = sight.latest {
        return Ok(proved.map_or(latest, |sum| sum.min(latest)));
    }
    let all = match proved {
        Some(sum) if !sight.is_guessed => Some(sum),
        other => other.max(sight.serial()),
    };
    all.ok_or_else(|| sight.out_of_sight())
}

/// What is known before any window is written out.
struct Sight<'a> {
    plan: &'a Plan,
    spec: &'a Spec,
    builder: &'a Builder<'a>,
    asked: Discipline,
    base: i64,
    /// From here on no calendar has exceptions.
    usual: i64,
    /// Of all calendars in use; `None` where it is too long.
    period: Option<i64>,
    /// The period is not exact, because of daylight saving.
    is_guessed: bool,
    /// The last deadline, if all orders have one and nothing else matters.
    latest: Option<i64>,
    /// The calendars that some step needs.
    used: BTreeSet<CalendarId>,
    rhythms: IdVec<SourceId, Rhythm>,
}

/// Work on a calendar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Work {
    on: CalendarId,
    length: i64,
    pause: Option<i64>,
}

/// What windows up to some instant show of a step, over all ways to do it.
#[derive(Clone, Copy)]
struct Seen {
    /// The longest wait for a start from an instant after the base on.
    wait: i64,
    /// The longest time from start to end.
    span: i64,
    /// This holds for all instants up to here.
    until: i64,
}

impl<'a> Sight<'a> {
    fn new(
        plan: &'a Plan,
        spec: &'a Spec,
        builder: &'a Builder,
        asked: Discipline,
    ) -> Found<Sight<'a>> {
        let used = plan.used_calendars();
        let rhythms: IdVec<SourceId, Rhythm> =
            builder.sources.iter().map(|source| source.rhythm()).collect::<Result<_, _>>()?;
        let members: BTreeSet<SourceId> =
            used.iter().flat_map(|&k| builder.sets[k].clone()).collect();
        let of_used = || members.iter().map(|&member| rhythms[member]);
        let is_guessed = of_used().any(|rhythm| rhythm.is_guessed());
        let period = common_period(of_used().filter_map(|rhythm| rhythm.period));
        let period = period.map(|period| period * (1 + i64::from(is_guessed)));
        let deadlines = plan.orders.iter().map(|order| order.deadline).collect::<Option<Vec<_>>>();
        let latest = deadlines.filter(|_| !asked.is_judged || used.is_empty());
        let latest = latest.map(|all| all.into_iter().max().unwrap_or(0));
        Ok(Sight {
            plan,
            spec,
            builder,
            base: base(plan, &asked),
            asked,
            usual: of_used().map(|rhythm| rhythm.from).max().unwrap_or(0),
            period: period.filter(|&period| period <= MAX_TIME),
            is_guessed,
            latest: latest.map(|latest| latest.max(last_wait(plan)).max(0)),
            used,
            rhythms,
        })
    }

    /// The sum of all that takes time, with windows written out as far as it takes to prove it.
    fn sum(&self) -> Option<i64> {
        let most = self.latest.unwrap_or(MAX_TIME).saturating_add(1);
        let mut shown = self.distances(most).map_while(|until| {
            let calendars = self.windows(until).ok()?;
            Some(self.sum_seen(&calendars, until))
        });
        shown.find_map(|sum| sum).filter(|&sum| sum <= MAX_TIME)
    }

    /// From what is needed at least to the most, twice as far each time.
    fn distances(&self, most: i64) -> impl Iterator<Item = i64> + use<> {
        let steps = self.plan.orders.iter().flat_map(|order| self.steps(order));
        let work = steps.map(|step| step.longest() + lags(step) + setups(self.plan, step));
        let first = work.fold(self.base, i64::saturating_add).saturating_add(1);
        let next = move |last: &i64| (*last < most).then(|| last.saturating_mul(2).min(most));
        std::iter::successors(Some(first.min(most)), next)
    }

    fn windows(&self, until: i64) -> Found<Calendars> {
        self.builder.windows_of(&self.used, until)
    }

    fn steps(&self, order: &Order) -> &'a Steps {
        &self.plan.recipes[order.recipe].steps
    }

    /// The sum, if these windows prove it.
    fn sum_seen(&self, calendars: &Calendars, shown: i64) -> Option<i64> {
        let mut known: BTreeMap<Work, Seen> = BTreeMap::new();
        // What is seen of all steps, and the largest sum that it would prove.
        let (mut seen_until, mut reach) = (i64::MAX, i64::MAX);
        let (mut sum, mut busy, mut are_free) = (self.base, 0_i64, true);
        for order in &self.plan.orders {
            let apart = order.after.iter().map(|link| link.min).fold(0, i64::saturating_add);
            (sum, busy) = (sum.saturating_add(apart), busy.saturating_add(apart));
            for (k, step) in self.steps(order).entries() {
                let mut all = Seen { wait: 0, span: 0, until: i64::MAX };
                for mode in &step.modes {
                    let Some(calendar) = mode.calendar else {
                        all.span = all.span.max(mode.duration);
                        continue;
                    };
                    let work = Work { on: calendar, length: mode.duration, pause: step.pause };
                    let seen = *known
                        .entry(work)
                        .or_insert_with(|| self.seen(work, &calendars[calendar], shown));
                    all.wait = all.wait.max(seen.wait);
                    all.span = all.span.max(seen.span);
                    all.until = all.until.min(seen.until);
                }
                let idle = match self.is_free(order, k) || self.used.is_empty() {
                    true => all.wait,
                    false => {
                        are_free = false;
                        self.period?
                    }
                };
                let own = all.span + idle;
                let beside = lags(step) + setups(self.plan, step);
                let crew = self.crews_seen(step, &mut known, calendars, shown);
                sum = sum.saturating_add(own + beside).saturating_add(crew.wait);
                busy = busy.saturating_add(step.longest() + beside);
                seen_until = seen_until.min(all.until).min(crew.until);
                reach = reach.min(all.until.saturating_add(own)).min(crew.until);
            }
        }
        let from = self.base.max(self.usual);
        let round = self.period.filter(|&period| seen_until >= from + period);
        let round = round.filter(|_| !(are_free && self.is_guessed));
        let dense = match round.filter(|_| are_free) {
            Some(period) => {
                let fit = self.fit_for_all(calendars, from, period);
                let fit = fit.iter().map(|window| window.close - window.open).sum();
                let periods =
                    busy.checked_div(fit).map_or(i64::MAX, |whole| whole.saturating_add(1));
                Some(from.saturating_add(periods.saturating_mul(period)))
            }
            None if are_free && !self.used.is_empty() => {
                after(&self.fit_for_all(calendars, self.base, shown - self.base), busy)
            }
            None => None,
        };
        let is_shown = are_free && reach >= sum;
        let spread =
            if is_shown { Some(sum) } else { round.map(|_| sum.saturating_add(from - self.base)) };
        spread.into_iter().chain(dense).min()
    }

    /// What is seen of the setups before a step, on all its units together; how long they take is counted with others.
    fn crews_seen(
        &self,
        step: &Step,
        known: &mut BTreeMap<Work, Seen>,
        calendars: &Calendars,
        shown: i64,
    ) -> Seen {
        let mut all = Seen { wait: 0, span: 0, until: i64::MAX };
        for mode in &step.modes {
            let mut wait = 0_i64;
            for need in &mode.needs {
                let mut longest = 0;
                for (length, way) in self.setups_to(need.pool, step.family) {
                    let Some(on) = way.calendar else { continue };
                    let work = Work { on, length, pause: None };
                    let seen = *known
                        .entry(work)
                        .or_insert_with(|| self.seen(work, &calendars[on], shown));
                    longest = seen.wait.max(longest);
                    all.until = all.until.min(seen.until);
                }
                wait = wait.saturating_add(longest);
            }
            all.wait = all.wait.max(wait);
        }
        all
    }

    /// All setups of a unit for a family that are work: how long they take, and the ways to do them.
    fn setups_to(&self, pool: PoolId, to: FamilyId) -> BTreeSet<(i64, &'a CrewWay)> {
        let setup = self.plan.pools[pool].setup.as_ref();
        let from = |setup: &'a Setup| {
            let works = setup.time.ids().filter_map(move |from| setup.work(from, to));
            works.flat_map(|(length, ways)| ways.iter().map(move |way| (length, way)))
        };
        setup.into_iter().flat_map(from).collect()
    }

    /// When in this period the calendars let every step start.
    fn fit_for_all(&self, calendars: &Calendars, from: i64, period: i64) -> Vec<Window> {
        // Of two that differ in their work alone, the longer one starts at fewer instants.
        let mut works: BTreeMap<(CalendarId, Option<i64>), i64> = BTreeMap::new();
        for step in self.plan.recipes.iter().flat_map(|recipe| &recipe.steps) {
            for mode in &step.modes {
                if let Some(calendar) = mode.calendar {
                    let work = works.entry((calendar, step.pause)).or_default();
                    *work = (*work).max(mode.duration);
                }
            }
        }
        for (pool, of) in self.plan.pools.entries() {
            let families = of.setup.iter().flat_map(|setup| setup.time.ids());
            for (length, way) in families.flat_map(|to| self.setups_to(pool, to)) {
                if let Some(calendar) = way.calendar {
                    let work = works.entry((calendar, None)).or_default();
                    *work = (*work).max(length);
                }
            }
        }
        let mut fit = vec![Window { open: from, close: from.saturating_add(period) }];
        for ((calendar, pause), work) in works {
            let calendar = &calendars[calendar];
            let starts = calendar.windows.iter().enumerate().filter_map(|(k, window)| {
                Some(Window { close: calendar.last_start(k, work, pause)? + 1, ..*window })
            });
            fit = common(&fit, &starts.collect::<Vec<_>>());
        }
        fit
    }

    fn seen(&self, work: Work, calendar: &Calendar, shown: i64) -> Seen {
        let (wait, span, until) = longest(calendar, self.base, work.length, work.pause);
        // Where nothing fits in all of a period, nothing ever will.
        let usual = self.rhythms_of(work.on).map(|rhythm| rhythm.from).max().unwrap_or(0);
        let is_over = until < usual.max(self.base) && self.is_round(work, calendar, shown);
        Seen { wait, span, until: if is_over { i64::MAX } else { until } }
    }

    fn rhythms_of(&self, set: CalendarId) -> impl Iterator<Item = Rhythm> {
        self.builder.sets[set].iter().map(|&member| self.rhythms[member])
    }

    /// Whether windows up to this instant show all that work on this calendar will ever meet from
    /// the base on, once it has no exceptions any more.
    fn is_round(&self, work: Work, calendar: &Calendar, shown: i64) -> bool {
        let rhythms = || self.rhythms_of(work.on);
        let from = rhythms().map(|rhythm| rhythm.from).fold(self.base, i64::max);
        if rhythms().any(|rhythm| rhythm.period.is_none()) {
            return shown > from;
        }
        let Some(period) = common_period(rhythms().filter_map(|rhythm| rhythm.full_period()))
        else {
            return false;
        };
        let Some(longest) = work.pause else {
            // A window that begins in the period is shown until it ends, or is long enough.
            return shown >= from.saturating_add(period).saturating_add(work.length);
        };
        // Work that may pause is stopped by a pause that is too long; there is one in each period,
        // or none at all, and then the work is done some day.
        let after = calendar.windows.iter().filter(|window| window.close > from);
        let after: Vec<_> = after.collect();
        let is_stopped = after.windows(2).any(|two| two[1].open - two[0].close > longest);
        shown >= from.saturating_add(period.saturating_mul(3)) && (is_stopped || after.is_empty())
    }

    /// Whether this step of an order may be early without harm.
    fn is_free(&self, order: &Order, step: StepId) -> bool {
        if self.asked.is_greedy {
            return true;
        }
        let steps = self.steps(order);
        let is_awaited = |link: &Link| link.before == step && link.max.is_some();
        let pays = self.plan.objective == Objective::Cost && order.costs.holding > 0;
        let is_tied = self.asked.is_judged
            || order.groups.iter().any(|&group| self.plan.groups[group].is_limited)
            || pays && steps[step].after.is_empty()
            || steps.iter().flat_map(|later| &later.after).any(is_awaited);
        !is_tied
    }

    /// The end of some schedule, where the shortest one is wanted.
    fn serial(&self) -> Option<i64> {
        let is_simple = self.asked.allows_serial && !self.plan.has_crews();
        if self.plan.objective == Objective::Cost || !is_simple {
            return None;
        }
        let mut shown = self.distances(MAX_TIME).map_while(|until| {
            let calendars = self.windows(until).ok()?;
            Some(one_after_the_other(self.plan, &calendars, self.base))
        });
        shown.find_map(|end| end).filter(|&end| end <= MAX_TIME)
    }

    fn out_of_sight(&self) -> Box<Diagnostic> {
        if let Err(found) = self.windows(MAX_TIME) {
            return found;
        }
        let span = self.spec.orders.first().map_or_else(Span::default, |order| order.id.span);
        let message = match self.used.is_empty() {
            true => format!("all steps one after the other take more than {MAX_TIME}"),
            false => format!(
                "it cannot be told by when everything is done: that may take more than {MAX_TIME}, \
                 as calendars meet too rarely"
            ),
        };
        let found = Diagnostic::error("too-large", span, message);
        Box::new(found.hint("choose a larger unit of time, or give every order a deadline"))
    }
}

fn base(plan: &Plan, asked: &Discipline) -> i64 {
    asked.least.iter().copied().chain([last_wait(plan)]).max().unwrap_or(0).max(0)
}

/// From here on nobody gains by waiting: all due instants with a storage cost and all former starts are past.
fn last_wait(plan: &Plan) -> i64 {
    let dues = plan.orders.iter().filter(|order| order.costs.storage > 0);
    let dues = dues.filter_map(|order| order.due);
    let steps = plan.recipes.iter().flat_map(|recipe| &recipe.steps);
    let starts = steps.filter_map(|step| step.anchor).map(|anchor| anchor.at);
    dues.chain(starts).max().unwrap_or(0)
}

/// When so many instants of these windows are over, and one more; `None` if there are fewer.
fn after(windows: &[Window], count: i64) -> Option<i64> {
    let mut left = count.saturating_add(1);
    windows.iter().find_map(|window| {
        let length = window.close - window.open;
        let end = (left <= length).then(|| window.open + left);
        left -= length;
        end
    })
}

/// `None` beyond all that is looked at.
fn common_period(periods: impl Iterator<Item = i64>) -> Option<i64> {
    periods.into_iter().try_fold(1, |common: i64, period| {
        (common / gcd(common, period)).checked_mul(period).filter(|&common| common <= MAX_TIME)
    })
}

pub fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

fn lags(step: &Step) -> i64 {
    step.after.iter().map(|link| link.min).sum()
}

/// The longest setup before the step, on each of its units.
pub(super) fn setups(plan: &Plan, step: &Step) -> i64 {
    let of_pool = |pool: PoolId| {
        let setup = plan.pools[pool].setup.as_ref();
        setup.and_then(|s| s.time.iter().map(|row| row[step.family]).max()).unwrap_or(0)
    };
    let of_mode =
        |mode: &super::Mode| mode.needs.iter().map(|need| of_pool(need.pool)).sum::<i64>();
    step.modes.iter().map(of_mode).max().unwrap_or(0)
}

/// How long after a step's start the steps after it are over at the earliest, for each step.
pub fn tails(steps: &Steps) -> Times {
    let mut tails: Times = steps.iter().map(Step::shortest).collect();
    relax(steps, |k, link| {
        let tail = link.lead(steps).saturating_add(tails[k]);
        raise(&mut tails[link.before], tail)
    });
    tails
}

/// From the start of one step to the end of another, at the least: the longest path.
pub fn span(steps: &Steps, from: StepId, until: StepId) -> i64 {
    let mut reached: IdVec<StepId, Option<i64>> = steps.filled(None);
    reached[from] = Some(0);
    relax(steps, |k, link| {
        let new = reached[link.before].map(|at| at.saturating_add(link.lead(steps)));
        raise(&mut reached[k], new)
    });
    reached[until].unwrap_or(0).saturating_add(steps[until].shortest())
}

fn raise<T: Copy + Ord>(known: &mut T, new: T) -> bool {
    let has_risen = new > *known;
    *known = new.max(*known);
    has_risen
}

/// Looks at all links until none changes anything, as often as the longest path may be. Steps are few;
/// predecessors may stand anywhere in the list.
fn relax(steps: &Steps, mut change: impl FnMut(StepId, &Link) -> bool) {
    for _ in 0..steps.len() {
        let mut has_changed = false;
        for (k, step) in steps.entries() {
            for link in &step.after {
                has_changed |= change(k, link);
            }
        }
        if !has_changed {
            break;
        }
    }
}
