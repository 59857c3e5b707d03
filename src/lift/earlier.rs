//! Moves steps to the left until none could start earlier with everything else unchanged.

use super::Starts;
use crate::plan::Plan;

/// Each move starts a step earlier, at a whole instant not below 0, and breaks nothing; so this
/// ends, and nothing ends later than before.
pub fn move_earlier(plan: &Plan, starts: &mut Starts) {
    let mut lines = Lines::of(plan, starts);
    loop {
        let mut all: Vec<(i64, usize, usize)> = (starts.iter().enumerate())
            .flat_map(|(order, own)| own.iter().enumerate().map(move |(k, &t)| (t, order, k)))
            .collect();
        all.sort_unstable();
        let mut has_moved = false;
        for (start, order, k) in all {
            let step = &plan.steps(order)[k];
            let ready = match k {
                0 => 0,
                _ => starts[order][k - 1] + plan.steps(order)[k - 1].shortest(),
            };
            let earliest = match step.machine() {
                Some(machine) => lines.earliest(machine, ready, start, step.shortest()),
                None => ready,
            };
            if earliest < start {
                starts[order][k] = earliest;
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
    fn of(plan: &Plan, starts: &Starts) -> Lines {
        let mut lines = vec![Vec::new(); plan.resources.len()];
        for (order, own) in starts.iter().enumerate() {
            for (step, &start) in plan.steps(order).iter().zip(own) {
                if let Some(machine) = step.machine() {
                    lines[machine].push((start, start + step.shortest()));
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

    #[test]
    fn steps_jump_into_gaps() {
        // The second job fits before the first one on machine 1, though it comes after it.
        let plan = plan(&[&[(0, 5), (1, 2)], &[(1, 3)]]);
        let mut starts = vec![vec![1, 8], vec![10]];
        move_earlier(&plan, &mut starts);
        assert_eq!(starts, [vec![0, 5], vec![0]]);
    }

    #[test]
    fn gaps_that_are_too_small_are_left() {
        let plan = plan(&[&[(1, 2)], &[(0, 4), (1, 2)], &[(1, 3)]]);
        let mut starts = vec![vec![0], vec![0, 4], vec![9]];
        move_earlier(&plan, &mut starts);
        assert_eq!(starts, [vec![0], vec![0, 4], vec![6]]);
    }
}
