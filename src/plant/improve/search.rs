//! The search for better schedules: rules first, then small changes of the best one known.

use super::disjunctive::{DisjunctiveGraph, Run};
use super::dispatch::{Dispatch, Dispatched};
use super::justify::{is_reversible, pushed_right};
use super::list::{
    Missed, Priority, by_chance, by_keys, by_priority, by_start, disturb, keys, place_all,
    place_stubbornly, start_keys,
};
use super::plant::Plant;
use super::reinsert::{Score, is_early_costly, reinsert, restore, score};
use super::table::{Table, Taste};
use super::walk::{Urgency, walk};
use super::{FoundBy, IncumbentCallback, Teller, Told};
use crate::plan::{IdVec, Objective, OrderId};
use crate::random::Random;
use crate::timetable::{Jobs, value};
use std::collections::BTreeSet;

/// How often the sequence of a rule is mended where an order finds no place.
const MENDINGS: usize = 40;

/// How many rounds a try for a first schedule counts as: many sequences are placed in it.
const SEEKING: u64 = 20;

/// How often an order may find no place alone before sequences are given up.
const MOST_MISSES: u32 = 60;

/// Steps of plants that can be placed anew many times over.
const SMALL: usize = 3000;

/// After how many rounds a larger one is told.
const TELLING: u64 = 50;

/// A search that can be continued: after as many rounds, dealt out alike and never told to stop, it
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
    Climb(Box<Climb<'a>>),
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

    /// Tries as many changes, tells of better schedules. False if there is no more to try.
    pub fn advance(&mut self, rounds: u64, callback: &mut dyn IncumbentCallback) -> bool {
        let (plan, origin) = (self.plant.plan, FoundBy::Rule);
        let mut teller = Teller { plan, told: self.told, origin, callback };
        if matches!(self.phase, Phase::Fresh) {
            self.phase = begin(self.plant, &mut teller);
        }
        let mut spent = 0;
        while spent < rounds && !teller.is_done() && !matches!(self.phase, Phase::Over) {
            let seeks = matches!(self.phase, Phase::Seek(_));
            teller.origin = if seeks { FoundBy::Rule } else { FoundBy::Change };
            spent += if seeks { SEEKING } else { 1 };
            self.phase.round(self.plant, &mut self.random, &mut teller);
        }
        if let Phase::Climb(climb) = &mut self.phase {
            climb.tell(&mut teller);
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
            self.phase = Phase::from(self.plant, jobs.clone());
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
            None => Phase::Climb(Box::new(Climb::new(plant, jobs))),
        }
    }

    fn round(&mut self, plant: &'a Plant<'a>, random: &mut Random, teller: &mut Teller) {
        match self {
            Phase::Fresh | Phase::Over => {}
            Phase::Seek(misses) => match seek(plant, random, teller) {
                Ok(found) => *self = Phase::from(plant, found),
                // Others may find out whether there is a schedule at all.
                Err(Missed::Alone) if *misses >= MOST_MISSES => *self = Phase::Over,
                Err(Missed::Alone) => *misses += 1,
                Err(Missed::InTime) => {}
            },
            Phase::Wander(best, jobs) => wander(plant, (best, jobs), random, teller),
            Phase::Tabu(run) => run.round(random, teller),
            Phase::Climb(climb) => climb.round(random, teller),
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
    while !(best.is_some() && teller.is_done())
        && let Some(urgency) = walks.next()
    {
        if let Some(jobs) = walk(plant, &*urgency) {
            offer(plant, jobs, teller, best);
        }
    }
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

/// The timetable of a schedule.
fn rebuilt<'a>(plant: &'a Plant<'a>, jobs: &Jobs) -> Table<'a> {
    let mut table = Table::new(plant);
    for (order, own) in jobs.entries() {
        table.put_back(order, own.iter().cloned().map(Some).collect());
    }
    table
}

struct Climb<'a> {
    plant: &'a Plant<'a>,
    table: Table<'a>,
    current: Score,
    best: (Score, Jobs),
    steps: usize,
    /// Steps can be pushed to the right and back.
    is_reversible: bool,
    rounds: u64,
    /// Rounds since the best was found or taken up again.
    idle: u64,
    /// Orders that may stand elsewhere than in the best.
    moved: BTreeSet<OrderId>,
    /// The best is not told yet.
    is_untold: bool,
    /// What was current in the rounds before.
    history: Vec<Score>,
}

impl<'a> Climb<'a> {
    fn new(plant: &'a Plant<'a>, jobs: Jobs) -> Climb<'a> {
        let table = rebuilt(plant, &jobs);
        let current = score(plant, &table);
        let steps = jobs.iter().map(|own| own.len()).sum();
        // A memory that is longer finds better schedules, but later.
        let history = vec![current; if steps <= SMALL { 150 } else { 30 }];
        let is_reversible = steps <= SMALL && is_reversible(plant.plan);
        let best = (current, jobs);
        Climb {
            plant,
            table,
            current,
            best,
            steps,
            is_reversible,
            rounds: 0,
            idle: 0,
            moved: BTreeSet::new(),
            is_untold: false,
            history,
        }
    }

    fn round(&mut self, random: &mut Random, teller: &mut Teller) {
        if self.rounds == 0 {
            self.tidy(random, teller);
        }
        self.rounds += 1;
        let is_anew = match self.plant.plan.objective {
            _ if self.steps > SMALL => self.rounds.is_multiple_of(400),
            Objective::Cost => random.one_in(4),
            // A single order can only be put back to where it was.
            _ if self.table.jobs.len() == 1 => true,
            _ => random.one_in(2),
        };
        if is_anew {
            self.place_anew(random)
        } else {
            self.move_orders(random)
        }
        let at = self.rounds as usize % self.history.len();
        self.history[at] = self.current;
        self.idle += 1;
        self.keep(teller);
        if self.idle > 15 * self.history.len() as u64 {
            self.go_elsewhere(random);
            self.keep(teller);
        }
        // To tell of a large schedule takes longer than to change it.
        if self.steps <= SMALL || self.rounds.is_multiple_of(TELLING) {
            self.tell(teller);
        }
    }

    fn tell(&mut self, teller: &mut Teller) {
        if std::mem::take(&mut self.is_untold) {
            teller.tell(self.best.0.0, &self.best.1);
        }
    }

    /// Puts every order once where it is cheapest.
    fn tidy(&mut self, random: &mut Random, teller: &mut Teller) {
        if self.plant.plan.objective != Objective::Cost {
            return;
        }
        let mut orders: Vec<OrderId> = self.table.jobs.ids().collect();
        orders.sort_by_key(|&o| std::cmp::Reverse(self.table.span(o)));
        for order in orders {
            if teller.is_over() {
                return;
            }
            self.try_orders(&[order], random);
        }
        self.keep(teller);
        self.tell(teller);
    }

    fn try_orders(&mut self, orders: &[OrderId], random: &mut Random) {
        let before = self.paid(orders);
        let (is_whole, old) = reinsert(self.plant, &mut self.table, orders, random);
        let new = is_whole.then(|| self.rescored(before, orders));
        if let Some(new) = new.filter(|&new| self.accepts(new)) {
            self.current = new;
            self.moved.extend(orders);
        } else {
            restore(&mut self.table, orders, old);
        }
    }

    /// The score after these orders, which paid so much, were moved.
    fn rescored(&self, before: Option<i64>, orders: &[OrderId]) -> Score {
        match (before, self.paid(orders)) {
            (Some(before), Some(after)) => {
                let new = (self.current.0 - before + after, 0);
                debug_assert_eq!(new, score(self.plant, &self.table));
                new
            }
            _ => score(self.plant, &self.table),
        }
    }

    /// What changes where only these orders are moved: their own costs, and all setups. `None` where it is not a
    /// sum, or one too large to count with.
    fn paid(&self, orders: &[OrderId]) -> Option<i64> {
        let plan = self.plant.plan;
        let own = orders.iter().map(|&order| self.table.cost(plan, order));
        let sum = own.fold(self.table.setups.cost, i64::saturating_add);
        (plan.objective == Objective::Cost && sum.max(self.current.0) < i64::MAX / 4).then_some(sum)
    }

    /// Whatever is no worse than now, or than some time ago (Burke, Bykov 2017).
    fn accepts(&self, new: Score) -> bool {
        new <= self.current || new <= self.history[self.rounds as usize % self.history.len()]
    }

    fn move_orders(&mut self, random: &mut Random) {
        let orders = self.pick(random);
        self.try_orders(&orders, random);
    }

    /// A few orders: one that is costly or late, and some that start or end at about the same time,
    /// are of the same family, or are any.
    fn pick(&self, random: &mut Random) -> Vec<OrderId> {
        let (plan, count) = (self.plant.plan, self.table.jobs.len());
        let weight = |order: OrderId| match plan.objective {
            Objective::Cost => self.table.cost(plan, order),
            _ => self.table.span(order).map_or(0, |span| span.1),
        };
        let drawn: Vec<OrderId> = (0..3).map(|_| OrderId(random.below(count))).collect();
        let first = drawn.iter().copied().max_by_key(|&order| weight(order)).unwrap_or_default();
        let mut chosen = vec![first];
        let span = |order: OrderId| self.table.span(order).unwrap_or((0, 0));
        let family = |order: OrderId| plan.steps(order).last().map(|step| step.family);
        let kind = random.below(4);
        let distance = |&order: &OrderId| match kind {
            0 => (span(order).1 - span(first).1).abs(),
            1 if family(order) != family(first) => i64::MAX,
            _ => (span(order).0 - span(first).0).abs(),
        };
        for _ in 0..1 + random.below(5) {
            let near = (0..5)
                .map(|_| OrderId(random.below(count)))
                .filter(|order| !chosen.contains(order));
            let other = near.min_by_key(distance);
            chosen.extend(other);
        }
        random.shuffle(&mut chosen);
        if self.plant.asked.before.iter().any(Option::is_some) {
            chosen.sort_by_key(|&order| self.plant.rank[order]);
        }
        chosen
    }

    /// Places everything anew, in about the same sequence.
    fn place_anew(&mut self, random: &mut Random) {
        let Some(jobs) = self.table.whole() else { return };
        let noise = random.below(4);
        let list = by_start(self.plant, &jobs, noise, random);
        let odd = OrderId(random.below(jobs.len() * 2));
        let number = random.below(64);
        let how = |order: OrderId| {
            // Whoever waits for its due instant goes on waiting.
            let start = || jobs[order].iter().map(|job| job.start).min().unwrap_or(0);
            let from = if is_early_costly(self.plant, order) { start() } else { 0 };
            (from, if order == odd { Taste::Fixed(number) } else { Taste::Early })
        };
        let Ok(mut table) = place_all(self.plant, &list, how) else { return };
        if self.is_reversible
            && let Some(jobs) = table.whole()
        {
            let list = by_keys(self.plant, &pushed_right(self.plant, &jobs));
            let early = place_all(self.plant, &list, |_| (0, Taste::Early));
            let early =
                early.ok().filter(|early| score(self.plant, early) <= score(self.plant, &table));
            table = early.unwrap_or(table);
        }
        let new = score(self.plant, &table);
        if self.accepts(new) {
            (self.table, self.current) = (table, new);
            self.moved.extend(self.table.jobs.ids());
        }
    }

    /// Remembers the current schedule if it is the best.
    fn keep(&mut self, teller: &Teller) {
        if self.current >= self.best.0 {
            return;
        }
        self.is_untold |= self.current.0 < self.best.0.0 || !teller.has_kept();
        self.best.0 = self.current;
        self.idle = 0;
        for order in std::mem::take(&mut self.moved) {
            self.best.1[order] = self.table.jobs[order].iter().flatten().cloned().collect();
        }
    }

    /// Back to the best, from which some orders are moved, whatever that costs.
    fn go_elsewhere(&mut self, random: &mut Random) {
        (self.table, self.current) = (rebuilt(self.plant, &self.best.1), self.best.0);
        self.history.fill((i64::MAX, 0));
        self.moved.clear();
        for _ in 0..1 + random.below(4) {
            self.move_orders(random);
        }
        self.history.fill(self.current);
        self.idle = 0;
    }
}
