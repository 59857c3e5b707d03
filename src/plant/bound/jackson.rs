//! Jackson's preemptive schedule of one machine: the exact optimum if tasks may be interrupted,
//! hence a lower bound if they may not.

use std::collections::BinaryHeap;

/// A task that cannot start before `head` and after which `tail` more time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneMachineJob {
    pub head: i64,
    pub duration: i64,
    pub tail: i64,
}

/// Keeps its memory between calls.
#[derive(Default)]
pub struct Jackson {
    /// (tail, work left): the longest tail goes first.
    ready: BinaryHeap<(i64, i64)>,
}

impl Jackson {
    /// When all tasks and their tails are over, at the earliest; 0 without tasks. Sorts them.
    pub fn makespan(&mut self, tasks: &mut [OneMachineJob]) -> i64 {
        tasks.sort_unstable_by_key(|task| task.head);
        self.ready.clear();
        let (mut now, mut end, mut arrived) = (0, 0, 0);
        while arrived < tasks.len() || !self.ready.is_empty() {
            if self.ready.is_empty() {
                now = now.max(tasks[arrived].head);
            }
            while arrived < tasks.len() && tasks[arrived].head <= now {
                self.ready.push((tasks[arrived].tail, tasks[arrived].duration));
                arrived += 1;
            }
            let Some((tail, work)) = self.ready.pop() else { continue };
            let next = tasks.get(arrived).map_or(i64::MAX, |task| task.head);
            let done = work.min(next - now);
            now += done;
            if done < work {
                self.ready.push((tail, work - done));
            } else {
                end = end.max(now + tail);
            }
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use takt_testing::Random;

    fn makespan(tasks: &[(i64, i64, i64)]) -> i64 {
        let mut tasks: Vec<OneMachineJob> = tasks
            .iter()
            .map(|&(head, duration, tail)| OneMachineJob { head, duration, tail })
            .collect();
        Jackson::default().makespan(&mut tasks)
    }

    #[test]
    fn the_longest_tail_goes_first_and_may_interrupt() {
        assert_eq!(makespan(&[]), 0);
        assert_eq!(makespan(&[(4, 3, 2)]), 9);
        assert_eq!(makespan(&[(0, 4, 0), (1, 2, 7)]), 10);
        assert_eq!(makespan(&[(0, 3, 1), (0, 2, 6), (2, 4, 5)]), 11);
    }

    /// Carlier's theorem (1982): the preemptive optimum is the largest, over sets of tasks, of
    /// the smallest head, the sum of durations and the smallest tail.
    fn by_sets(tasks: &[(i64, i64, i64)]) -> i64 {
        let sets = 1..1_u32 << tasks.len();
        let value = |set: u32| {
            let chosen = || (0..tasks.len()).filter(|i| set >> i & 1 == 1).map(|i| tasks[i]);
            let head = chosen().map(|task| task.0).min().unwrap_or(0);
            let tail = chosen().map(|task| task.2).min().unwrap_or(0);
            head + chosen().map(|task| task.1).sum::<i64>() + tail
        };
        sets.map(value).max().unwrap_or(0)
    }

    #[test]
    fn carliers_example() {
        let tasks =
            [(10, 5, 7), (13, 6, 26), (11, 7, 24), (20, 4, 21), (30, 3, 8), (0, 6, 17), (30, 2, 0)];
        assert_eq!(makespan(&tasks), by_sets(&tasks));
    }

    #[test]
    fn random_tasks_agree_with_the_theorem() {
        let mut r = Random::new(7);
        let mut random = |below: i64| r.amount(below);
        for _ in 0..300 {
            let count = random(7) as usize;
            let tasks: Vec<_> =
                (0..count).map(|_| (random(12), 1 + random(6), random(12))).collect();
            assert_eq!(makespan(&tasks), by_sets(&tasks), "{tasks:?}");
        }
    }
}
