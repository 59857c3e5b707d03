//! How far time must be looked at: some best schedule, among those that the heuristics keep, ends
//! by then.
//!
//! After the *base* no release, no due instant with a storage cost, no limit of `start-within`
//! and no exception of a calendar lies ahead. An instant after it is *busy* if a step is in work or
//! pauses, or if a lag's `min` or a setup is running out. Busy instants are no more than the sum of
//! all of these. What is left are idle stretches, each ended by a start, so there are no more of
//! them than steps; and some best schedule has short ones only:
//!
//! - *Without calendars* an idle stretch can be cut out and all that comes later moved to the
//!   left. No order of events changes, lags (also those with `max`), holds and stretches of
//!   eligibility only get shorter, and after the base no cost falls with time. So there is none.
//! - *With calendars*, where being early does no harm (no holding cost, `max` lag, `greedy`
//!   or `non-lazy`), the step that ends the stretch could have started at any instant of it,
//!   everything else unchanged: what it takes was as free as at its start. So only its calendar
//!   kept it from that, and the stretch is no longer than the longest wait for a fitting start. What is
//!   more, every idle instant is one at which the calendar of some step does not let it start. If `g`
//!   instants of each period let every step start, only the others can be idle; so a schedule that lasts
//!   for `n` whole periods after the base is busy for `n * g` instants, and `n` is no more than all busy
//!   instants divided by `g`. (Only where periods are all alike: without daylight saving.)
//! - *With calendars otherwise*, a stretch as long as the common period of all calendars can be
//!   shortened by that period, as in the first case: all windows are the same as before. (Civil
//!   calendars repeat every week from the base on; in a zone with daylight saving, where they move
//!   by an hour twice a year, twice that is allowed for.)
//!
//! A deadline for every order is a limit by itself.

use super::build::Builder;
use super::calendar::Rhythm;
use super::fit::longest;
use super::{Calendar, LagFrom, Plan, Rule, Step};
use crate::diagnostic::{Diagnostic, Span};
use crate::spec::{MAX_TIME, Objective, Spec};
use std::collections::BTreeMap;

pub fn horizon(
    plan: &Plan,
    spec: &Spec,
    builder: &Builder,
    rules: &[Rule],
) -> Result<i64, Box<Diagnostic>> {
    let rhythms: Vec<Rhythm> =
        builder.sources.iter().map(|source| source.rhythm()).collect::<Result<_, _>>()?;
    let base = base(plan, rules, &rhythms);
    let period = common_period(&rhythms).saturating_mul(1 + i64::from(spec.time.zone.is_some()));
    let latest = match plan.orders.iter().map(|order| order.deadline).collect::<Option<Vec<_>>>() {
        Some(deadlines) => deadlines.into_iter().max().unwrap_or(0).max(last_storage(plan)).max(0),
        None => i64::MAX,
    };
    let span = spec.orders.first().map_or_else(Span::default, |order| order.id.span);
    let limit = latest.min(MAX_TIME).saturating_add(1);
    let calendars = shown(plan, builder, base, period, limit)?;
    let is_early_harmful = is_early_harmful(plan, rules);
    let (mut busy, mut idle): (i64, i64) = (0, 0);
    let efforts: Vec<(i64, i64)> =
        plan.recipes.iter().map(|recipe| effort(plan, &calendars, &recipe.steps)).collect();
    for order in &plan.orders {
        let (own, waits) = efforts[order.recipe];
        let stretches = plan.recipes[order.recipe].steps.len() as i64;
        busy = busy.saturating_add(own);
        idle = idle.saturating_add(if builder.sets.is_empty() {
            0
        } else if is_early_harmful {
            period.saturating_mul(stretches)
        } else {
            waits
        });
    }
    let mut sum = base.saturating_add(busy).saturating_add(idle);
    if !is_early_harmful && spec.time.zone.is_none() {
        let fit = fit_for_all(plan, &calendars, base, period);
        let periods = busy.checked_div(fit).map_or(i64::MAX, |whole| whole.saturating_add(1));
        sum = sum.min(base.saturating_add(periods.saturating_mul(period)));
    }
    if sum.min(latest) > MAX_TIME {
        let message = format!("all steps one after the other take more than {MAX_TIME}");
        let found = Diagnostic::error("too-large", span, message);
        let hint = "choose a larger unit of time, or give every order a deadline";
        return Err(Box::new(found.hint(hint)));
    }
    Ok(sum.min(latest))
}

fn base(plan: &Plan, rules: &[Rule], rhythms: &[Rhythm]) -> i64 {
    let within = rules.iter().find_map(|rule| match rule {
        Rule::StartWithin(time) => Some(*time),
        _ => None,
    });
    let start = |due: Option<i64>| due.zip(within).map_or(0, |(due, within)| due - within);
    let orders = plan.orders.iter().map(|order| order.release.max(start(order.due)));
    let exceptions = rhythms.iter().map(|rhythm| rhythm.from);
    orders.chain(exceptions).chain([last_storage(plan)]).max().unwrap_or(0).max(0)
}

fn last_storage(plan: &Plan) -> i64 {
    let dues = plan.orders.iter().filter(|order| order.storage > 0);
    dues.filter_map(|order| order.due).max().unwrap_or(0)
}

fn is_early_harmful(plan: &Plan, rules: &[Rule]) -> bool {
    let steps = || plan.recipes.iter().flat_map(|recipe| &recipe.steps);
    plan.objective == Objective::Cost && plan.orders.iter().any(|order| order.holding > 0)
        || steps().any(|step| step.after.iter().any(|link| link.max.is_some()))
        || rules.iter().any(|rule| matches!(rule, Rule::Greedy | Rule::NonLazy))
}

fn common_period(rhythms: &[Rhythm]) -> i64 {
    let periods = rhythms.iter().filter_map(|rhythm| rhythm.period);
    periods.fold(1, |common, period| {
        (common / gcd(common, period)).saturating_mul(period).min(MAX_TIME)
    })
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// As much of the calendars as shows every kind of wait and of work.
fn shown(
    plan: &Plan,
    builder: &Builder,
    base: i64,
    period: i64,
    limit: i64,
) -> Result<Vec<Calendar>, Box<Diagnostic>> {
    let one = base.saturating_add(period.saturating_mul(2)).min(limit);
    let calendars = builder.windows(one)?;
    let steps = plan.recipes.iter().flat_map(|recipe| &recipe.steps);
    let work = steps.map(Step::longest).max().unwrap_or(0);
    let open_per_period = calendars.iter().map(|calendar| {
        let after = calendar.windows.iter().filter(|window| window.close > base);
        after
            .map(|w| w.close.min(base.saturating_add(period)) - w.open.max(base))
            .filter(|&t| t > 0)
            .sum::<i64>()
    });
    let periods = open_per_period.filter(|&open| open > 0).map(|open| work / open + 3).max();
    let far = period.saturating_mul(periods.unwrap_or(2));
    builder.windows(base.saturating_add(far).min(limit))
}

/// How long the steps of an order keep it busy, and how long they may have to wait.
fn effort(plan: &Plan, calendars: &[Calendar], steps: &[Step]) -> (i64, i64) {
    steps.iter().fold((0, 0), |(busy, waits): (i64, i64), step| {
        let (idle, span) = stretch(calendars, step);
        let own = span + lags(step) + setups(plan, step);
        (busy.saturating_add(own), waits.saturating_add(idle))
    })
}

/// At how many instants of a period after the base the calendars let every step start.
fn fit_for_all(plan: &Plan, calendars: &[Calendar], base: i64, period: i64) -> i64 {
    // Of two that differ in their work alone, the longer one starts at fewer instants.
    let mut works: BTreeMap<(usize, Option<i64>), i64> = BTreeMap::new();
    for step in plan.recipes.iter().flat_map(|recipe| &recipe.steps) {
        for mode in &step.modes {
            if let Some(calendar) = mode.calendar {
                let work = works.entry((calendar, step.pause)).or_default();
                *work = (*work).max(mode.duration);
            }
        }
    }
    let mut fit = vec![(base, base.saturating_add(period))];
    for ((calendar, pause), work) in works {
        let calendar = &calendars[calendar];
        let starts: Vec<(i64, i64)> = (0..calendar.windows.len())
            .filter_map(|k| {
                Some((calendar.windows[k].open, calendar.last_start(k, work, pause)? + 1))
            })
            .collect();
        fit = common(&fit, &starts);
    }
    fit.iter().map(|(from, to)| to - from).sum()
}

/// What two lists of stretches have in common; each is sorted, its stretches apart.
fn common(one: &[(i64, i64)], other: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let (mut a, mut b) = (0, 0);
    let mut found = Vec::new();
    while let (Some(x), Some(y)) = (one.get(a), other.get(b)) {
        let (from, to) = (x.0.max(y.0), x.1.min(y.1));
        if from < to {
            found.push((from, to));
        }
        if x.1 < y.1 { a += 1 } else { b += 1 }
    }
    found
}

/// The longest wait for a start, and the longest time from start to end.
fn stretch(calendars: &[Calendar], step: &Step) -> (i64, i64) {
    let of_mode = |mode: &super::Mode| match mode.calendar {
        None => (0, mode.duration),
        Some(calendar) => longest(&calendars[calendar].windows, mode.duration, step.pause),
    };
    let all = step.modes.iter().map(of_mode);
    all.fold((0, 0), |(idle, span), (i, s)| (idle.max(i), span.max(s)))
}

fn lags(step: &Step) -> i64 {
    step.after.iter().map(|link| link.min).sum()
}

/// The longest setup before the step, on each of its units.
fn setups(plan: &Plan, step: &Step) -> i64 {
    let of_pool = |pool: usize| {
        let setup = plan.pools[pool].setup.as_ref();
        setup.and_then(|s| s.time.iter().map(|row| row[step.family]).max()).unwrap_or(0)
    };
    let of_mode =
        |mode: &super::Mode| mode.needs.iter().map(|need| of_pool(need.pool)).sum::<i64>();
    step.modes.iter().map(of_mode).max().unwrap_or(0)
}

/// How long after a step's start the steps after it are over at the earliest, for each step.
pub fn tails(steps: &[Step]) -> Vec<i64> {
    // Steps are few; predecessors may stand anywhere in the list.
    let mut tails: Vec<i64> = steps.iter().map(Step::shortest).collect();
    for _ in 0..steps.len() {
        let mut has_changed = false;
        for (k, step) in steps.iter().enumerate() {
            for link in &step.after {
                let lead = match link.from {
                    LagFrom::Start => link.min,
                    LagFrom::End => steps[link.before].shortest() + link.min,
                };
                let tail = lead.saturating_add(tails[k]);
                if tail > tails[link.before] {
                    tails[link.before] = tail;
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    tails
}

/// From the start of one step to the end of another, at the least: the longest path.
pub fn span(steps: &[Step], from: usize, until: usize) -> i64 {
    let mut reached: Vec<Option<i64>> = vec![None; steps.len()];
    reached[from] = Some(0);
    for _ in 0..steps.len() {
        let mut has_changed = false;
        for (k, step) in steps.iter().enumerate() {
            for link in &step.after {
                let Some(at) = reached[link.before] else { continue };
                let lead = match link.from {
                    LagFrom::Start => link.min,
                    LagFrom::End => steps[link.before].shortest().saturating_add(link.min),
                };
                let new = Some(at.saturating_add(lead));
                if new > reached[k] {
                    reached[k] = new;
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    reached[until].unwrap_or(0).saturating_add(steps[until].shortest())
}
