//! What can be seen to be impossible without a search: a step that fits no window, an order that
//! cannot meet its deadline even if it were alone.

use super::alone::Alone;
use super::ids::Id;
use super::terms::refusal;
use super::{Conflict, Mode, OrderId, Plan, Step, StepId};
use takt_diagnostic::Span;
use takt_spec::{Instant, MAX_TIME, Spec};

/// The first one.
pub fn find(plan: &Plan, spec: &Spec) -> Option<Conflict> {
    plan.orders.ids().find_map(|order| of_order(plan, spec, order))
}

/// That of each order that has one, for those who tell of them: calendars are looked at beyond the deadlines,
/// so that it is known when there would have been time.
pub fn conflicts(plan: &Plan, spec: &Spec) -> Vec<Conflict> {
    let mut plan = plan.clone();
    let latest = plan.orders.iter().map(|order| order.release).max().unwrap_or(0);
    let last = latest.max(plan.horizon);
    let more = spec.time.unit.seconds().map_or(last, |unit| YEAR / unit);
    super::look_until(&mut plan, spec, last.saturating_add(more));
    plan.orders.ids().filter_map(|order| of_order(&plan, spec, order)).collect()
}

/// In seconds.
const YEAR: i64 = 366 * 86_400;

fn of_order(plan: &Plan, spec: &Spec, number: OrderId) -> Option<Conflict> {
    let order = &plan.orders[number];
    let teller = Teller { plan, spec, number };
    let alone = match Alone::of(plan, number) {
        Ok(alone) => alone,
        Err((k, from)) => return Some(teller.fits_nowhere(k, from)),
    };
    let steps = plan.steps(number);
    let deadline = order.deadline?;
    let ends_late = |k: &StepId| alone.ends[*k] > deadline;
    let leaves_too_little = |k: &StepId| alone.heads[*k].saturating_add(alone.tails[*k]) > deadline;
    let late = steps.ids().find(ends_late).or(steps.ids().find(leaves_too_little))?;
    Some(teller.is_late(&alone, late, deadline))
}

struct Teller<'p> {
    plan: &'p Plan,
    spec: &'p Spec,
    number: OrderId,
}

impl Teller<'_> {
    fn conflict(&self, step: StepId, span: Span, message: String) -> Conflict {
        Conflict { order: self.number, step: Some(step), span, message, hint: None }
    }

    /// A step that has no place from an instant on.
    fn fits_nowhere(&self, k: StepId, from: i64) -> Conflict {
        let Teller { plan, spec, .. } = self;
        let order = &plan.orders[self.number];
        let step = &plan.steps(self.number)[k];
        let recipe = &spec.recipes[plan.recipes[order.recipe].source];
        let written = recipe.steps.get(k.index());
        let span = written.map_or(order.span, |step| step.name.span);
        let of = &spec.orders[self.number.index()];
        if let Some(why) = written.and_then(|written| refusal(spec, of, written)) {
            let message =
                format!("the step `{}` of `{}` cannot be done: {why}", step.name, order.id);
            return self.conflict(k, span, message);
        }
        let (why, hint) = self.why(step, from);
        let before = order.deadline.map_or(String::new(), |deadline| {
            format!(" before the deadline {}", self.spec.time.told_end(deadline))
        });
        let message = format!(
            "the step `{}` of `{}` fits no open window{before}: {why}",
            step.name, order.id
        );
        Conflict { hint: hint.map(str::to_owned), ..self.conflict(k, span, message) }
    }

    fn why(&self, step: &Step, from: i64) -> (String, Option<&'static str>) {
        let time = &self.spec.time;
        let calendars = || step.modes.iter().filter_map(|mode| mode.calendar);
        let windows = || calendars().flat_map(|calendar| &self.plan.calendars[calendar].windows);
        let fits = |mode: &Mode| self.plan.next_start(step, mode, 0).is_some();
        if step.modes.iter().any(fits) {
            return (
                format!(
                    "it cannot start before {}, and no later one is long enough",
                    time.told(from)
                ),
                None,
            );
        }
        let work = step.modes.iter().map(|mode| mode.duration).min().unwrap_or(0);
        let Some(longest) = windows().map(|window| window.close - window.open).max() else {
            return ("what it needs is never open together".to_owned(), None);
        };
        let Some(pause) = step.pause else {
            let (work, longest) = (time.work(work), time.work(longest));
            let hint = "if it may pause while it is closed, write `interruptible: true`";
            return (format!("it takes {work}, and the longest one lasts {longest}"), Some(hint));
        };
        let gaps = calendars().flat_map(|calendar| {
            let windows = self.plan.calendars[calendar].windows.windows(2);
            windows.map(|pair| pair[1].open - pair[0].close)
        });
        let most = format!("it may pause for {} at most", time.length(pause));
        match gaps.filter(|&gap| gap > pause).min() {
            Some(gap) => (
                format!("it would have to pause for {}, and {}", time.length(gap), &most[3..]),
                None,
            ),
            // The next window may lie beyond all that was looked at.
            None if pause < MAX_TIME => (most, None),
            None => (format!("it takes {}, more than there is open time", time.work(work)), None),
        }
    }

    /// An order that cannot be over in time, even if it were alone.
    fn is_late(&self, alone: &Alone, late: StepId, deadline: i64) -> Conflict {
        let Teller { plan, spec, .. } = self;
        let order = &plan.orders[self.number];
        let (id, time) = (&order.id, &spec.time);
        let by = time.told_end(deadline);
        let first = alone.heads.iter().copied().min().unwrap_or(order.release);
        let message = if order.release > deadline && order.release == plan.now {
            format!("the deadline of `{id}`, {by}, is over: now is {}", time.told(plan.now))
        } else if order.release > deadline {
            let release = time.told(order.release);
            format!("`{id}` is not released before {release}, and its deadline is {by}")
        } else if first >= deadline {
            format!("`{id}` cannot start before {}, and its deadline is {by}", time.told(first))
        } else {
            let step = &plan.steps(self.number)[late].name;
            let end = time.told(alone.makespan());
            format!(
                "`{id}` cannot be over before {end}, and its deadline is {by}: the step `{step}` comes too late"
            )
        };
        let deadline = spec.orders[self.number.index()].deadline.as_ref();
        self.conflict(late, deadline.map_or(order.span, Instant::span), message)
    }
}
