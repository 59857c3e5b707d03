//! What an order asks of its steps: release, deadline, and who follows whom after which lag.

use super::Errors;
use super::amount;
use super::place::{Job, Placed};
use super::plant::Plant;
use takt_spec::{Expr, Instant, LagFrom};

pub fn check(plant: &Plant, job: &Job, errors: &mut Errors) {
    // The default release shifts as well; what then lies before 0 counts as 0.
    let release = instant(plant, job, job.order.release.as_ref()).unwrap_or(0).max(0);
    let deadline = job.order.deadline.as_ref();
    let deadline = deadline.and_then(|deadline| instant(plant, job, Some(deadline)));
    for placed in job.steps.iter().flatten() {
        if !placed.is_fact {
            span(plant, placed, errors);
            starts(plant, placed, release, errors);
        }
        if let Some(deadline) = deadline.filter(|&deadline| placed.end > deadline) {
            let (end, deadline) = (plant.clock.show(placed.end), plant.clock.show(deadline));
            let message = format!("ends at {end}, after the order's deadline, {deadline}");
            errors.push(placed.order, placed.step, "deadline", message);
        }
    }
    follows(plant, job, errors);
}

/// When an order is due in units from 0, if it is.
pub fn due(plant: &Plant, job: &Job) -> Option<i64> {
    instant(plant, job, Some(job.order.due.as_ref()?))
}

/// An instant of a copy; one that is not written is 0 for the first.
fn instant(plant: &Plant, job: &Job, written: Option<&Instant>) -> Option<i64> {
    let base = match written {
        Some(instant) => plant.clock.instant(instant, plant.spec, job.order)?,
        None => 0,
    };
    base.checked_add(plant.shift(job.order)?)
}

fn span(plant: &Plant, placed: &Placed, errors: &mut Errors) {
    if placed.end < placed.start {
        let (start, end) = (plant.clock.show(placed.start), plant.clock.show(placed.end));
        let message = format!("ends at {end}, before it starts at {start}");
        errors.push(placed.order, placed.step, "reversed", message);
    }
}

fn starts(plant: &Plant, placed: &Placed, release: i64, errors: &mut Errors) {
    if placed.start < release {
        let start = plant.clock.show(placed.start);
        let message = match release {
            0 => format!("starts at {start}, before 0"),
            _ => format!(
                "starts at {start}, before the order's release, {}",
                plant.clock.show(release)
            ),
        };
        errors.push(placed.order, placed.step, "release", message);
    }
}

/// The step before it in the list, or its own predecessors.
fn follows(plant: &Plant, job: &Job, errors: &mut Errors) {
    for (position, placed) in job.steps.iter().enumerate() {
        let Some(placed) = placed else { continue };
        match (&placed.step.after, position.checked_sub(1)) {
            (Some(after), _) => {
                for before in after {
                    if let Some(earlier) = job.placed(&before.step.value) {
                        let lag = Lag { plant, earlier, placed, from: before.from };
                        lag.check(before.min.as_ref(), before.max.as_ref(), errors);
                    }
                }
            }
            (None, Some(before)) => {
                if let Some(earlier) = &job.steps[before] {
                    let lag = Lag { plant, earlier, placed, from: LagFrom::End };
                    lag.check(None, None, errors);
                }
            }
            (None, None) => {}
        }
    }
}

struct Lag<'p, 'a> {
    plant: &'p Plant<'a>,
    earlier: &'p Placed<'a>,
    placed: &'p Placed<'a>,
    from: LagFrom,
}

impl Lag<'_, '_> {
    fn check(&self, min: Option<&Expr>, max: Option<&Expr>, errors: &mut Errors) {
        if self.earlier.is_fact && self.placed.is_fact {
            return;
        }
        let scope = self.plant.spec.scope(self.placed.order);
        let min = amount::whole_or_zero(min, scope).unwrap_or(0);
        let max = max.and_then(|max| amount::whole(max, scope));
        let (begin, word) = match self.from {
            LagFrom::Start => (self.earlier.start, "starts"),
            LagFrom::End => (self.earlier.end, "ends"),
        };
        let lag = i128::from(self.placed.start) - i128::from(begin);
        let (rule, more) = if lag < 0 {
            ("precedence", String::new())
        } else if lag < i128::from(min) {
            ("min-lag", format!(": {lag} between them instead of at least {min}"))
        } else if let Some(max) = max.filter(|&max| lag > i128::from(max)) {
            ("max-lag", format!(": {lag} between them instead of at most {max}"))
        } else {
            return;
        };
        let (start, begin) =
            (self.plant.clock.show(self.placed.start), self.plant.clock.show(begin));
        let earlier = &self.earlier.step.name.value;
        let but = if rule == "precedence" { "but" } else { "and" };
        let message = format!("starts at {start}, {but} `{earlier}` {word} at {begin}{more}");
        errors.push(self.placed.order, self.placed.step, rule, message);
    }
}
