//! What may be renamed without changing the machine: arms of a robot, locks of equal direction and
//! robots, robots with their locks, chucks.
//!
//! Positions that can be exchanged alone form sets; patterns are told apart only up to these by
//! keeping them sorted. What is left are renamings of robots, given by generators.

use super::TooLarge;
use super::net::{Place, neighbours, places};
use crate::layout::{Lock, Scanner};
use std::collections::{BTreeMap, BTreeSet};

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
    /// Robots of different colours cannot become each other.
    colours: Vec<usize>,
    /// The sequence in which robots are given images: beside those that they share locks with.
    sequence: Vec<usize>,
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
        let arms = scanner.robots.iter().map(|robot| robot.arms).collect();
        let colours = refined(arms, &shared);
        Groups { scanner, locks, shared, colours, sequence: neighbours(scanner) }
    }

    /// Renamings of robots whose products are all renamings: for each robot and each later one, one
    /// that sends the former to the latter and leaves all before it alone (Sims).
    fn generators(&self) -> Result<Vec<Vec<usize>>, TooLarge> {
        let mut tries = MOST_TRIES;
        let mut found = Vec::new();
        for first in 0..self.sequence.len() {
            for &image in &self.sequence[first + 1..] {
                let mut images = self.sequence[..first].to_vec();
                if self.fits(&images, image) {
                    images.push(image);
                    if self.complete(&mut images, &mut tries)? {
                        found.push(self.by_robot(&images));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Looks for images of the robots in the sequence that have none yet.
    fn complete(&self, images: &mut Vec<usize>, tries: &mut usize) -> Result<bool, TooLarge> {
        let Some(&next) = self.sequence.get(images.len()) else {
            return Ok(self.is_renaming(&self.by_robot(images)));
        };
        // Most robots stay where they are.
        for image in std::iter::once(next).chain(0..self.sequence.len()) {
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

    /// Whether the next robot could become this one, by its colour and what it shares.
    fn fits(&self, images: &[usize], image: usize) -> bool {
        let next = self.sequence[images.len()];
        let before = self.sequence.iter().zip(images);
        self.colours[next] == self.colours[image]
            && before
                .into_iter()
                .all(|(robot, other)| self.shared[next][*robot] == self.shared[image][*other])
    }

    /// Images in the sequence of robots.
    fn by_robot(&self, images: &[usize]) -> Vec<usize> {
        let mut sorted = vec![0; images.len()];
        self.sequence.iter().zip(images).for_each(|(robot, image)| sorted[*robot] = *image);
        sorted
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

/// Tells robots apart by what they share with robots of which colours, until that tells no more.
fn refined(mut colours: Vec<usize>, shared: &[Vec<[usize; 4]>]) -> Vec<usize> {
    loop {
        let signs: Vec<_> = (0..colours.len())
            .map(|robot| {
                let mut others: Vec<_> = shared[robot].iter().zip(&colours).collect();
                others.sort_unstable();
                (colours[robot], shared[robot][robot], others)
            })
            .collect();
        let sorted: BTreeSet<_> = signs.iter().collect();
        let number: BTreeMap<_, usize> = sorted.into_iter().zip(0..).collect();
        let finer: Vec<usize> = signs.iter().map(|sign| number[sign]).collect();
        let different = |colours: &[usize]| colours.iter().collect::<BTreeSet<_>>().len();
        if different(&finer) == different(&colours) {
            return finer;
        }
        colours = finer;
    }
}
