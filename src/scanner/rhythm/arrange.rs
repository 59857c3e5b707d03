//! Equal locks and equal robots are brought into an order, so that states which differ only in
//! names are one.

use super::tool::{Spot, Tool};
use crate::layout::Robot;

/// Which lock and which robot of the layout stands where in an arranged state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    pub locks: Vec<usize>,
    pub robots: Vec<usize>,
}

impl Names {
    pub fn new(tool: &Tool) -> Names {
        Names {
            locks: (0..tool.parts.locks.len()).collect(),
            robots: (0..tool.parts.robots.len()).collect(),
        }
    }
}

impl Tool {
    pub(super) fn find_equals(&mut self) {
        self.blocks = self.scanner.robots.iter().map(|robot| self.block(robot)).collect();
        let locks = (0..self.parts.locks.len()).filter(|lock| self.parts.locks[*lock]);
        self.equal_locks = classes(locks, |a, b| {
            let rests = self.idle.lock(a) == self.idle.lock(b);
            let (a, b) = (&self.scanner.locks[a], &self.scanner.locks[b]);
            rests && (a.takes_in, a.lets_out, &a.robots) == (b.takes_in, b.lets_out, &b.robots)
        });
        let robots = (0..self.parts.robots.len()).filter(|robot| self.parts.robots[*robot]);
        self.equal_robots = classes(robots, |a, b| {
            self.idle.robot(a) == self.idle.robot(b) && self.are_alike(a, b)
        });
    }

    /// Of equal times, and with locks of their own of equal directions.
    fn are_alike(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.scanner.robots[a], &self.scanner.robots[b]);
        let times = |robot: &Robot| {
            let of_locks = (robot.from_lock, robot.to_lock);
            (robot.arms, robot.turn, of_locks, robot.to_chuck, robot.from_chuck)
        };
        let own = |robot: &Robot| {
            robot.locks.iter().all(|lock| self.scanner.locks[*lock].robots.len() == 1)
        };
        let ways = |robot: &Robot| {
            self.block(robot).into_iter().map(|lock| self.way(lock)).collect::<Vec<_>>()
        };
        times(a) == times(b) && own(a) && own(b) && ways(a) == ways(b)
    }

    fn way(&self, lock: usize) -> (bool, bool, bool, bool) {
        let kind = &self.scanner.locks[lock];
        (self.idle.lock(lock), self.parts.locks[lock], kind.takes_in, kind.lets_out)
    }

    /// The locks of a robot, those of equal directions together.
    fn block(&self, robot: &Robot) -> Vec<usize> {
        let mut locks = robot.locks.clone();
        locks.sort_by_key(|lock| (self.way(*lock), *lock));
        locks
    }

    pub fn arrange(&self, spot: &mut Spot, mut names: Option<&mut Names>) {
        for class in &self.equal_locks {
            sort(class, |a, b| {
                let of = |lock: usize| (spot.cells.code(lock), spot.free[1 + lock]);
                let wrong = of(a) > of(b);
                if wrong {
                    self.exchange_locks(spot, a, b, names.as_deref_mut());
                }
                wrong
            });
        }
        for class in self.equal_robots.iter().filter(|class| class.len() > 1) {
            sort(class, |a, b| {
                let wrong = self.is_after(spot, a, b);
                if wrong {
                    self.exchange_robots(spot, a, b, names.as_deref_mut());
                }
                wrong
            });
        }
    }

    /// Contents first: states of equal contents are to be compared by their times.
    fn is_after(&self, spot: &Spot, a: usize, b: usize) -> bool {
        let cells = |robot: usize| {
            let (cell, locks) = (self.arm_cell(robot), &self.blocks[robot]);
            let cells = (cell..cell + 2).chain(locks.iter().copied());
            cells.map(|cell| spot.cells.code(cell))
        };
        let times = |robot: usize| {
            let (part, locks) = (self.arm_part(robot), &self.blocks[robot]);
            let arms = spot.free[part..part + 2].iter();
            arms.chain(locks.iter().map(|lock| &spot.free[1 + *lock]))
        };
        cells(a).cmp(cells(b)).then_with(|| times(a).cmp(times(b))).is_gt()
    }

    fn exchange_locks(&self, spot: &mut Spot, a: usize, b: usize, names: Option<&mut Names>) {
        spot.cells.swap(a, b);
        spot.free.swap(1 + a, 1 + b);
        if let Some(names) = names {
            names.locks.swap(a, b);
        }
    }

    fn exchange_robots(&self, spot: &mut Spot, a: usize, b: usize, mut names: Option<&mut Names>) {
        for arm in 0..2 {
            spot.cells.swap(self.arm_cell(a) + arm, self.arm_cell(b) + arm);
            spot.free.swap(self.arm_part(a) + arm, self.arm_part(b) + arm);
        }
        for (x, y) in self.blocks[a].iter().zip(&self.blocks[b]) {
            self.exchange_locks(spot, *x, *y, names.as_deref_mut());
        }
        if let Some(names) = names {
            names.robots.swap(a, b);
        }
    }
}

fn classes(
    all: impl Iterator<Item = usize>,
    equal: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for one in all {
        match classes.iter_mut().find(|class| equal(class[0], one)) {
            Some(class) => class.push(one),
            None => classes.push(vec![one]),
        }
    }
    classes
}

/// Insertion into an order; `put_right` exchanges two neighbours if they stand wrong, and says so.
fn sort(places: &[usize], mut put_right: impl FnMut(usize, usize) -> bool) {
    for end in 1..places.len() {
        let mut place = end;
        while place > 0 && put_right(places[place - 1], places[place]) {
            place -= 1;
        }
    }
}
