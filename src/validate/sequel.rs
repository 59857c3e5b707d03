//! Orders that come after others: every start lies so long after their finish, and the first one only so long.

use super::Errors;
use super::amount;
use super::place::Job;
use super::plant::Plant;
use std::collections::BTreeMap;

pub fn check(plant: &Plant, jobs: &[Job], errors: &mut Errors) {
    if jobs.iter().all(|job| job.order.after.is_empty()) {
        return;
    }
    let mut named: BTreeMap<&str, Vec<&Job>> = BTreeMap::new();
    for job in jobs {
        named.entry(&job.order.id.value).or_default().push(job);
        // `B.3` is one of those that `B` stands for.
        if job.order.shift.is_some()
            && let Some((base, _)) = job.order.id.value.rsplit_once('.')
        {
            named.entry(base).or_default().push(job);
        }
    }
    let finish = |name: &str| {
        let before = named.get(name).into_iter().flatten();
        before.flat_map(|job| job.steps.iter().flatten()).map(|placed| placed.end).max()
    };
    let finishes: BTreeMap<&str, Option<i64>> =
        named.keys().map(|&name| (name, finish(name))).collect();
    for job in jobs {
        for before in &job.order.after {
            let name = before.order.value.as_str();
            if let Some(finish) = finishes.get(name).copied().flatten() {
                let scope = plant.spec.scope(job.order);
                let min = amount::whole_or_zero(before.min.as_ref(), scope).unwrap_or(0);
                let max = before.max.as_ref().and_then(|max| amount::whole(max, scope));
                Wait { plant, job, name, finish }.check(min, max, errors);
            }
        }
    }
}

struct Wait<'w, 'a> {
    plant: &'w Plant<'a>,
    job: &'w Job<'a>,
    name: &'w str,
    finish: i64,
}

impl Wait<'_, '_> {
    /// Nothing is asked of facts, nor of when an order began that began with one.
    fn check(&self, min: i64, max: Option<i64>, errors: &mut Errors) {
        let steps = || self.job.steps.iter().flatten();
        let (name, finish) = (self.name, self.finish);
        let show = |at: i64| self.plant.clock.show(at);
        for placed in steps().filter(|placed| !placed.is_fact) {
            let lag = i128::from(placed.start) - i128::from(finish);
            let begun = format!("starts at {}", show(placed.start));
            if lag < 0 {
                let message =
                    format!("{begun}, but the order `{name}` is over at {}", show(finish));
                errors.push(placed.order, placed.step, "precedence", message);
            } else if lag < i128::from(min) {
                let message = format!(
                    "{begun}, and the order `{name}` is over at {}: {lag} between them instead of at least {min}",
                    show(finish)
                );
                errors.push(placed.order, placed.step, "min-lag", message);
            }
        }
        let first = steps().min_by_key(|placed| placed.start);
        let (Some(first), Some(max)) = (first, max) else { return };
        let lag = i128::from(first.start) - i128::from(finish);
        if lag > i128::from(max) && !steps().any(|placed| placed.is_fact) {
            let message = format!(
                "is the first step and starts at {}, and the order `{name}` is over at {}: {lag} between them instead of at most {max}",
                show(first.start),
                show(finish)
            );
            errors.push(first.order, first.step, "max-lag", message);
        }
    }
}
