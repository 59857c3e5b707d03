//! What may be renamed without changing the machine: arms of a robot, locks of equal direction and
//! robots, robots with their locks, chucks.
//!
//! Positions that can be exchanged alone form sets; patterns are told apart only up to these by
//! keeping them sorted. What is left are renamings of robots, given by generators.

use super::TooLarge;
use super::machine::{Place, places};
use crate::scanner::{Lock, Scanner};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Symmetry {
    /// Sets of positions (as in [`places`]) that are alike, each in rising sequence. They have no
    /// position in common, and each position is in one.
    pub alike: Vec<Vec<usize>>,
    /// Each sends every position to another, and sets of alike ones to such sets.
    pub renamings: Vec<Vec<usize>>,
}

/// Renaming robots is searched for with patience, but not for ever.
const MOST_TRIES: usize = 1 << 22;

impl Symmetry {
    pub fn of(scanner: &Scanner) -> Result<Symmetry, TooLarge> {
        let groups = Groups::of(scanner);
        let places = places(scanner);
        let at = |place: Place| places.binary_search(&place).expect("every place has a position");
        let mut alike: Vec<Vec<usize>> = (groups.locks.values())
            .map(|locks| locks.iter().map(|lock| at(Place::Lock(*lock))).collect())
            .collect();
        for (robot, about) in scanner.robots.iter().enumerate() {
            alike.push((0..about.arms).map(|arm| at(Place::Arm { robot, arm })).collect());
        }
        alike.push((0..scanner.chucks.len()).map(|chuck| at(Place::Chuck(chuck))).collect());
        let renamings = groups.generators()?;
        let moved = |images: &Vec<usize>| {
            let locks = groups.lock_images(images);
            let place = |place: &Place| match *place {
                Place::Lock(lock) => Place::Lock(locks[lock]),
                Place::Arm { robot, arm } => Place::Arm { robot: images[robot], arm },
                chuck => chuck,
            };
            places.iter().map(|one| at(place(one))).collect()
        };
        let renamings = renamings.iter().map(moved).collect();
        Ok(Symmetry { alike, renamings })
    }
}

/// Direction and robots of a lock; locks that agree in both can be exchanged.
type Kind = (bool, bool, Vec<usize>);

fn kind(lock: &Lock) -> Kind {
    (lock.takes_in, lock.lets_out, lock.robots.clone())
}

struct Groups<'a> {
    scanner: &'a Scanner,
    locks: BTreeMap<Kind, Vec<usize>>,
    /// How many locks of each direction two robots share, or one has.
    shared: Vec<Vec<[usize; 4]>>,
}

impl<'a> Groups<'a> {
    fn of(scanner: &'a Scanner) -> Groups<'a> {
        let mut locks: BTreeMap<Kind, Vec<usize>> = BTreeMap::new();
        let robots = scanner.robots.len();
        let mut shared = vec![vec![[0; 4]; robots]; robots];
        for (number, lock) in scanner.locks.iter().enumerate() {
            locks.entry(kind(lock)).or_default().push(number);
            let direction = usize::from(lock.takes_in) + 2 * usize::from(lock.lets_out);
            for &one in &lock.robots {
                for &other in &lock.robots {
                    shared[one][other][direction] += 1;
                }
            }
        }
        Groups { scanner, locks, shared }
    }

    /// Renamings of robots whose products are all renamings: for each robot and each later one, one
    /// that sends the former to the latter and leaves all before it alone (Sims).
    fn generators(&self) -> Result<Vec<Vec<usize>>, TooLarge> {
        let robots = self.scanner.robots.len();
        let mut tries = MOST_TRIES;
        let mut found = Vec::new();
        for first in 0..robots {
            for image in first + 1..robots {
                let mut images: Vec<usize> = (0..first).collect();
                if self.fits(&images, image) {
                    images.push(image);
                    if self.complete(&mut images, &mut tries)? {
                        found.push(images);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Looks for images of the robots that have none yet.
    fn complete(&self, images: &mut Vec<usize>, tries: &mut usize) -> Result<bool, TooLarge> {
        let next = images.len();
        let robots = self.scanner.robots.len();
        if next == robots {
            return Ok(self.is_renaming(images));
        }
        // Most robots stay where they are.
        for image in std::iter::once(next).chain(0..robots) {
            *tries = tries.checked_sub(1).ok_or(TooLarge)?;
            if !images.contains(&image) && self.fits(images, image) {
                images.push(image);
                if self.complete(images, tries)? {
                    return Ok(true);
                }
                images.pop();
            }
        }
        Ok(false)
    }

    /// Whether the next robot could become this one, by its arms and what it shares.
    fn fits(&self, images: &[usize], image: usize) -> bool {
        let next = images.len();
        let robots = &self.scanner.robots;
        robots[next].arms == robots[image].arms
            && self.shared[next][next] == self.shared[image][image]
            && images
                .iter()
                .enumerate()
                .all(|(robot, other)| self.shared[next][robot] == self.shared[image][*other])
    }

    fn is_renaming(&self, images: &[usize]) -> bool {
        self.locks.iter().all(|(kind, locks)| {
            self.locks.get(&renamed(kind, images)).is_some_and(|other| other.len() == locks.len())
        })
    }

    /// Where each lock goes when robots take their locks with them.
    fn lock_images(&self, images: &[usize]) -> Vec<usize> {
        let mut lock_images = vec![0; self.scanner.locks.len()];
        for (kind, locks) in &self.locks {
            for (lock, image) in locks.iter().zip(&self.locks[&renamed(kind, images)]) {
                lock_images[*lock] = *image;
            }
        }
        lock_images
    }
}

fn renamed((takes_in, lets_out, robots): &Kind, images: &[usize]) -> Kind {
    let mut robots: Vec<usize> = robots.iter().map(|robot| images[*robot]).collect();
    robots.sort_unstable();
    (*takes_in, *lets_out, robots)
}
