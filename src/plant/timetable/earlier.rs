//! Moves steps to the left until none could start earlier with everything else unchanged.

use super::Jobs;
use crate::plan::Plan;

/// Each move starts a step earlier, at a whole instant not below 0, and breaks nothing; so this
/// ends, and nothing ends later than before.
pub fn move_earlier(plan: &Plan, jobs: &mut Jobs) {
    let mut lines = Lines::of(plan, jobs);
    loop {
        let mut all: Vec<(i64, usize, usize)> = (jobs.iter().enumerate())
            .flat_map(|(order, own)| {
                own.iter().enumerate().map(move |(k, job)| (job.start, order, k))
            })
            .collect();
        all.sort_unstable();
        let mut has_moved = false;
        for (start, order, k) in all {
            let step = &plan.steps(order)[k];
            let ready = match k {
                0 => 0,
                _ => jobs[order][k - 1].end,
            };
            let earliest = match step.machine() {
                Some(machine) => lines.earliest(machine, ready, start, step.shortest()),
                None => ready,
            };
            if earliest < start {
                jobs[order][k].start = earliest;
                jobs[order][k].end = earliest + step.shortest();
                if let Some(machine) = step.machine() {
                    lines.move_to(machine, start, earliest, step.shortest());
                }
                has_moved = true;
            }
        }
        if !has_moved {
            return;
        }
    }
}

/// For each machine, when it is taken: `[start, end)`, sorted.
struct Lines(Vec<Vec<(i64, i64)>>);

impl Lines {
    fn of(plan: &Plan, jobs: &Jobs) -> Lines {
        let mut lines = vec![Vec::new(); plan.resources.len()];
        for (order, own) in jobs.iter().enumerate() {
            for (step, job) in plan.steps(order).iter().zip(own) {
                if let Some(machine) = step.machine() {
                    lines[machine].push((job.start, job.end));
                }
            }
        }
        lines.iter_mut().for_each(|line| line.sort_unstable());
        Lines(lines)
    }

    /// The first instant from `ready` on at which the step that now starts at `start` fits.
    fn earliest(&self, machine: usize, ready: i64, start: i64, duration: i64) -> i64 {
        let mut candidate = ready;
        for &(from, until) in &self.0[machine] {
            if from == start || from >= candidate + duration {
                break;
            }
            candidate = candidate.max(until);
        }
        candidate.min(start)
    }

    fn move_to(&mut self, machine: usize, from: i64, to: i64, duration: i64) {
        let line = &mut self.0[machine];
        line.retain(|taken| taken.0 != from);
        let at = line.partition_point(|taken| taken.0 < to);
        line.insert(at, (to, to + duration));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Mode, Need, Order, Recipe, Resource, Step};
    use crate::timetable::Job;

    fn plan(jobs: &[&[(usize, i64)]]) -> Plan {
        let step = |&(pool, duration): &(usize, i64)| Step {
            modes: vec![Mode {
                needs: vec![Need { pool, amount: 1 }],
                duration,
                ..Mode::default()
            }],
            ..Step::default()
        };
        let recipe = |job: &&[(usize, i64)]| Recipe {
            steps: job.iter().map(step).collect(),
            ..Recipe::default()
        };
        Plan {
            resources: vec![Resource::default(); 2],
            recipes: jobs.iter().map(recipe).collect(),
            orders: (0..jobs.len()).map(|recipe| Order { recipe, ..Order::default() }).collect(),
            ..Plan::default()
        }
    }

    fn moved(plan: &Plan, starts: &[&[i64]]) -> Vec<Vec<i64>> {
        let job = |(step, &start): (&Step, &i64)| Job {
            start,
            end: start + step.shortest(),
            mode: 0,
            holds: Vec::new(),
        };
        let own =
            |(order, own): (usize, &&[i64])| plan.steps(order).iter().zip(*own).map(job).collect();
        let mut jobs: Jobs = starts.iter().enumerate().map(own).collect();
        move_earlier(plan, &mut jobs);
        jobs.iter().map(|own| own.iter().map(|job| job.start).collect()).collect()
    }

    #[test]
    fn steps_jump_into_gaps() {
        // The second job fits before the first one on machine 1, though it comes after it.
        let plan = plan(&[&[(0, 5), (1, 2)], &[(1, 3)]]);
        assert_eq!(moved(&plan, &[&[1, 8], &[10]]), [vec![0, 5], vec![0]]);
    }

    #[test]
    fn gaps_that_are_too_small_are_left() {
        let plan = plan(&[&[(1, 2)], &[(0, 4), (1, 2)], &[(1, 3)]]);
        assert_eq!(moved(&plan, &[&[0], &[0, 4], &[9]]), [vec![0], vec![0, 4], vec![6]]);
    }
}
