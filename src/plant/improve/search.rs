//! The search for better schedules: rules first, then small changes of the best one known.

use super::disjunctive::DisjunctiveGraph;
use super::dispatch::{Dispatch, Dispatched};
use super::former::near_former;
use super::list::{
    MENDINGS, Missed, Priority, by_chance, by_priority, disturb, keys, place_stubbornly, start_keys,
};
use super::mixed::Mixed;
use super::plant::Plant;
use super::relink::Run;
use super::table::Taste;
use super::walk::{Urgency, walk};
use super::{FoundBy, IncumbentCallback, Teller, Told};
use crate::plan::{IdVec, Objective, OrderId};
use crate::random::Random;
use crate::timetable::{Jobs, value};

/// What is spent by trying for a first schedule, by a walk, and by a move of the tabu search, for each step and in
/// microseconds: many sequences are placed in the first, and a move touches few.
const SEEKING: u64 = 20;
const WALKING: u64 = 2;
const MOVING: f64 = 0.02;

/// Steps of plants whose first schedule is told only when several rules were tried: to tell of it takes longer than they do.
const LARGE: u64 = 3000;

/// How often an order may find no place alone before sequences are given up.
const MOST_MISSES: u32 = 60;

/// A search that can be continued: after as much effort, dealt out alike and never told to stop, it
/// has found the same.
pub struct Improver<'a> {
    plant: &'a Plant<'a>,
    random: Random,
    told: Told,
    phase: Phase<'a>,
}

enum Phase<'a> {
    /// No rule has been tried.
    Fresh,
    /// No rule has found a schedule; so often some order found no place even alone.
    Seek(u32),
    Wander(i64, Jobs),
    Tabu(Box<Run>),
    Mixed(Box<Mixed<'a>>),
    /// There is nothing to improve.
    Over,
}

impl<'a> Improver<'a> {
    /// No schedule is better than `floor`; one as good ends the search.
    pub fn new(plant: &'a Plant<'a>, seed: u64, floor: Option<i64>) -> Improver<'a> {
        let floor = match plant.plan.objective {
            Objective::Feasible => Some(0),
            _ => floor,
        };
        let phase = if plant.plan.conflict.is_some() { Phase::Over } else { Phase::Fresh };
        let told = Told { floor, ..Told::default() };
        Improver { plant, random: Random::new(seed), told, phase }
    }

    /// Tries changes until so much is spent, tells of better schedules. False if there is no more to try.
    pub fn advance(&mut self, effort: u64, callback: &mut dyn IncumbentCallback) -> bool {
        let (plan, origin) = (self.plant.plan, FoundBy::Rule);
        let mut teller = Teller { plan, told: self.told, origin, callback };
        if matches!(self.phase, Phase::Fresh) {
            self.phase = begin(self.plant, &mut teller);
        }
        let mut spent = 0;
        while spent < effort && !teller.is_done() && !matches!(self.phase, Phase::Over) {
            let seeks = matches!(self.phase, Phase::Seek(_));
            teller.origin = if seeks { FoundBy::Rule } else { FoundBy::Change };
            spent += self.phase.round(self.plant, &mut self.random, &mut teller);
        }
        if let Phase::Mixed(mixed) = &mut self.phase {
            mixed.tell(&mut teller);
        }
        self.told = teller.told;
        !self.told.is_met() && !matches!(self.phase, Phase::Over)
    }

    /// The value of the best schedule that was kept.
    pub fn kept(&self) -> Option<i64> {
        self.told.kept
    }

    /// Goes on from a schedule that somebody else has found, if it is better than the own ones.
    pub fn adopt(&mut self, jobs: &Jobs) {
        let value = value(self.plant.plan, jobs);
        if self.told.kept.is_none_or(|kept| value < kept) {
            self.told.kept = Some(value);
            match &mut self.phase {
                Phase::Mixed(mixed) => mixed.adopt(jobs),
                Phase::Tabu(run) => run.adopt(jobs),
                phase => *phase = Phase::from(self.plant, jobs.clone()),
            }
        }
    }
}

/// The first schedules, by all rules.
fn begin<'a>(plant: &'a Plant<'a>, teller: &mut Teller) -> Phase<'a> {
    if plant.plan.orders.is_empty() {
        teller.tell(0, &Jobs::default());
        return Phase::Over;
    }
    let mut best = None;
    teller.origin = FoundBy::Change;
    for jobs in near_former(plant, &mut || teller.is_over()) {
        offer(plant, jobs, teller, &mut best);
    }
    teller.origin = FoundBy::Rule;
    by_walks(plant, teller, &mut best);
    if !plant.asked.is_greedy {
        by_rules(plant, teller, &mut best);
    }
    best.map_or(Phase::Seek(0), |(_, best)| Phase::from(plant, best))
}

impl<'a> Phase<'a> {
    /// How to improve this schedule.
    fn from(plant: &'a Plant<'a>, jobs: Jobs) -> Phase<'a> {
        if plant.asked.is_greedy {
            return Phase::Wander(value(plant.plan, &jobs), jobs);
        }
        match DisjunctiveGraph::of(plant.plan) {
            Some(graph) => {
                Run::new(graph, &jobs).map_or(Phase::Over, |run| Phase::Tabu(run.into()))
            }
            None => Phase::Mixed(Box::new(Mixed::new(plant, jobs))),
        }
    }

    /// Makes a change or a few, and says what was spent.
    fn round(&mut self, plant: &'a Plant<'a>, random: &mut Random, teller: &mut Teller) -> u64 {
        let steps = plant.step_count;
        match self {
            Phase::Fresh | Phase::Over => 1,
            Phase::Seek(misses) => {
                match seek(plant, random, teller) {
                    Ok(found) => *self = Phase::from(plant, found),
                    // Others may find out whether there is a schedule at all.
                    Err(Missed::Alone) if *misses >= MOST_MISSES => *self = Phase::Over,
                    Err(Missed::Alone) => *misses += 1,
                    Err(Missed::InTime) => {}
                }
                1 + SEEKING * steps
            }
            Phase::Wander(best, jobs) => {
                wander(plant, (best, jobs), random, teller);
                1 + WALKING * steps
            }
            Phase::Tabu(run) => {
                run.round(random, teller);
                1 + (MOVING * steps as f64) as u64
            }
            Phase::Mixed(mixed) => mixed.round(random, teller),
        }
    }
}

/// A schedule in a sequence at random, where no rule has found any.
fn seek(plant: &Plant, random: &mut Random, teller: &mut Teller) -> Result<Jobs, Missed> {
    let priority = Priority::ALL[random.below(Priority::ALL.len())];
    let jobs = if plant.asked.is_greedy {
        let mut keys = keys(plant, priority);
        disturb(plant, keys.iter_mut().flatten(), random);
        walk(plant, &keys)
    } else {
        let list = by_chance(plant, priority, random);
        let tastes: IdVec<OrderId, Taste> =
            plant.plan.orders.ids().map(|_| taste(random)).collect();
        let is_over = &mut || teller.is_over();
        place_stubbornly(plant, list, |order| (0, tastes[order]), MENDINGS, is_over)?.whole()
    };
    let jobs = jobs.ok_or(Missed::InTime)?;
    teller.tell(value(plant.plan, &jobs), &jobs);
    Ok(jobs)
}

/// Mostly the way that is over first.
fn taste(random: &mut Random) -> Taste {
    if random.one_in(3) { Taste::Fixed(random.below(64)) } else { Taste::Early }
}

/// The best schedule so far, and its value.
type Best = Option<(i64, Jobs)>;

/// Tells of a schedule if it is the best so far.
fn offer(plant: &Plant, jobs: Jobs, teller: &mut Teller, best: &mut Best) {
    let value = value(plant.plan, &jobs);
    if best.as_ref().is_none_or(|best| value < best.0) {
        teller.tell(value, &jobs);
        *best = Some((value, jobs));
    }
}

/// Time goes forward: by rules that look at it, and by fixed ones.
fn by_walks(plant: &Plant, teller: &mut Teller, best: &mut Best) {
    let dispatched = Dispatch::ALL.into_iter().filter_map(|rule| Dispatched::new(plant, rule));
    let mut walks = dispatched
        .map(|rule| Box::new(rule) as Box<dyn Urgency>)
        .chain(Priority::ALL.into_iter().map(|rule| Box::new(keys(plant, rule)) as _));
    let mut count = 0;
    while !(best.is_some() && teller.is_done())
        && let Some(urgency) = walks.next()
    {
        if let Some(jobs) = walk(plant, &*urgency) {
            let value = value(plant.plan, &jobs);
            if best.as_ref().is_none_or(|best| value < best.0) {
                *best = Some((value, jobs));
            }
        }
        count += 1;
        if plant.step_count <= LARGE || count == Dispatch::ALL.len() {
            best.iter().for_each(|(value, jobs)| teller.tell(*value, jobs));
        }
    }
    best.iter().for_each(|(value, jobs)| teller.tell(*value, jobs));
}

/// One order or step after the other, each as early as the ones before let it.
fn by_rules(plant: &Plant, teller: &mut Teller, best: &mut Best) {
    for priority in Priority::ALL {
        if best.is_some() && teller.is_done() {
            return;
        }
        let (list, is_over) = (by_priority(plant, priority), &mut || teller.is_over());
        match place_stubbornly(plant, list, |_| (0, Taste::Early), MENDINGS, is_over) {
            Ok(table) => {
                table.whole().into_iter().for_each(|jobs| offer(plant, jobs, teller, best))
            }
            // No other rule helps.
            Err(Missed::Alone) => return,
            Err(Missed::InTime) => {}
        }
    }
}

/// Walks in about the sequence of the best one.
fn wander(
    plant: &Plant,
    (best, known): (&mut i64, &mut Jobs),
    random: &mut Random,
    teller: &mut Teller,
) {
    let noise = 1 + random.below(4);
    let Some(jobs) = walk(plant, &start_keys(known, noise, random)) else { return };
    let value = value(plant.plan, &jobs);
    if value < *best {
        teller.tell(value, &jobs);
    }
    if value <= *best {
        (*best, *known) = (value, jobs);
    }
}
