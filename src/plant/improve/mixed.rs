//! Two searches that take turns: one puts orders elsewhere, one changes sequences. Whoever has spent less goes on, and half of
//! what it has spent is forgotten when it finds something. Each goes on from the better schedule of the other.

use super::Teller;
use super::anneal::Annealing;
use super::climb::Climb;
use super::plant::Plant;
use crate::random::Random;
use crate::timetable::{Jobs, value};

/// Changes of sequences in one round, and after how many microseconds it is over anyhow.
const CHANGES: usize = 8;
const MOST_EFFORT: u64 = 1000;

/// Where nothing is gained by waiting, sequences say it all; in large plants there are few gaps in which an order fits.
const REGULAR: u64 = 6;
const LARGE: u64 = 50;

pub struct Mixed<'a> {
    plant: &'a Plant<'a>,
    climb: Climb<'a>,
    /// None where sequences do not say it all.
    annealing: Option<Annealing<'a>>,
    /// By each of them.
    spent: [u64; 2],
    /// How many times as much changes of sequences may spend.
    patience: u64,
}

impl<'a> Mixed<'a> {
    pub fn new(plant: &'a Plant<'a>, jobs: Jobs) -> Mixed<'a> {
        let annealing = Annealing::new(plant, &jobs);
        let plan = plant.plan;
        let is_early_costly = plan.orders.ids().any(|order| plan.is_early_costly(order));
        let patience = match &annealing {
            Some(annealing) if annealing.has_windows() => LARGE,
            _ if is_early_costly => 1,
            _ => REGULAR,
        };
        Mixed { plant, climb: Climb::new(plant, jobs), annealing, spent: [0; 2], patience }
    }

    /// A round of whoever has spent less, and what it has spent.
    pub fn round(&mut self, random: &mut Random, teller: &mut Teller) -> u64 {
        let best = self.climb.best().0;
        let may_anneal = self.patience > 1 || self.climb.has_settled;
        let [climbed, annealed] = &mut self.spent;
        match &mut self.annealing {
            Some(annealing) if annealed < climbed && may_anneal => {
                let (before, effort) = (annealing.value(), annealing.effort());
                let mut goes_on = true;
                for _ in 0..CHANGES {
                    goes_on = annealing.round(random);
                    if !goes_on || annealing.effort() - effort > MOST_EFFORT {
                        break;
                    }
                }
                let effort = annealing.effort() - effort;
                *annealed += effort / self.patience;
                if annealing.value() < before.min(best) {
                    *annealed /= 2;
                    self.climb.adopt(annealing.value(), annealing.jobs());
                }
                if !goes_on {
                    annealing.tell(teller);
                    self.annealing = None;
                }
                effort
            }
            annealing => {
                let effort = self.climb.effort();
                let before = self.climb.best().0;
                self.climb.round(random, teller);
                *climbed += effort;
                let (now, jobs) = self.climb.best();
                if now < before {
                    *climbed /= 2;
                    annealing.iter_mut().for_each(|other| other.adopt(now, jobs));
                }
                effort
            }
        }
    }

    pub fn tell(&mut self, teller: &mut Teller) {
        self.climb.tell(teller);
        self.annealing.iter_mut().for_each(|annealing| annealing.tell(teller));
    }

    /// Goes on from a schedule that somebody else has found.
    pub fn adopt(&mut self, jobs: &Jobs) {
        let value = value(self.plant.plan, jobs);
        self.climb.adopt(value, jobs.clone());
        self.annealing.iter_mut().for_each(|annealing| annealing.adopt(value, jobs));
    }
}
