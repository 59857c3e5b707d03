//! Takes a few orders out and puts each back where it is cheapest, or places everything anew in about the same sequence;
//! what is no worse than some time ago is kept.

use super::Teller;
use super::justify::{is_reversible, pushed_right};
use super::list::{by_keys, by_start, place_all};
use super::plant::Plant;
use super::reinsert::{Score, is_early_costly, reinsert, restore, score};
use super::table::{Table, Taste};
use crate::plan::{Objective, OrderId};
use crate::random::Random;
use crate::timetable::Jobs;
use std::collections::BTreeSet;

/// Steps of plants that can be placed anew many times over.
const SMALL: usize = 3000;

/// With their relatives, so many orders are moved at once.
const MOST_CHOSEN: usize = 12;

/// After how many rounds a larger one is told.
const TELLING: u64 = 50;

pub struct Climb<'a> {
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
    /// A better schedule of somebody else.
    other: Option<Jobs>,
    /// It has gone elsewhere before.
    pub has_settled: bool,
}

impl<'a> Climb<'a> {
    pub fn new(plant: &'a Plant<'a>, jobs: Jobs) -> Climb<'a> {
        let table = Table::of(plant, &jobs);
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
            other: None,
            has_settled: false,
        }
    }

    /// Somebody has found a better schedule: it is gone on from there when this one is given up.
    pub fn adopt(&mut self, value: i64, jobs: Jobs) {
        if value < self.best.0.0 {
            self.other = Some(jobs);
        }
    }

    pub fn round(&mut self, random: &mut Random, teller: &mut Teller) {
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

    /// The value of the best schedule, and the schedule.
    pub fn best(&self) -> (i64, &Jobs) {
        (self.best.0.0, &self.best.1)
    }

    /// About what a round takes, in microseconds.
    pub fn effort(&self) -> u64 {
        let steps = self.steps as u64;
        if self.steps <= SMALL { 10 + steps / 3 } else { 30 }
    }

    pub fn tell(&mut self, teller: &mut Teller) {
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
        self.add_relatives(&mut chosen, random);
        random.shuffle(&mut chosen);
        if self.plant.asked.before.iter().any(Option::is_some) {
            chosen.sort_by_key(|&order| self.plant.rank[order]);
        }
        if !plan.groups.is_empty() {
            chosen.sort_by_key(|&order| self.plant.depth[order]);
        }
        chosen
    }

    /// Orders that wait for each other hardly move one by one.
    fn add_relatives(&self, chosen: &mut Vec<OrderId>, random: &mut Random) {
        let plan = self.plant.plan;
        if plan.groups.is_empty() || random.one_in(2) {
            return;
        }
        for order in chosen.clone() {
            let before =
                plan.orders[order].after.iter().map(|link| &plan.groups[link.group].orders);
            let groups = plan.orders[order].groups.iter();
            let after = groups.map(|&group| &plan.groups[group].followers);
            let all: Vec<OrderId> = before.chain(after).flatten().copied().collect();
            if !all.is_empty() && chosen.len() < MOST_CHOSEN {
                let first = random.below(all.len());
                let near = all.iter().cycle().skip(first).take(all.len().min(2));
                let new: Vec<OrderId> = near.copied().filter(|o| !chosen.contains(o)).collect();
                chosen.extend(new);
            }
        }
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
            match order == odd {
                true => (from, Taste::Fixed(number)),
                false if self.plant.plan.recipe(order).is_anchored() => (0, Taste::Former),
                false => (from, Taste::Early),
            }
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
        if let Some(other) = self.other.take() {
            let score = score(self.plant, &Table::of(self.plant, &other));
            if score < self.best.0 {
                self.best = (score, other);
            }
        }
        (self.table, self.current) = (Table::of(self.plant, &self.best.1), self.best.0);
        self.history.fill((i64::MAX, 0));
        self.moved.clear();
        for _ in 0..1 + random.below(4) {
            self.move_orders(random);
        }
        self.history.fill(self.current);
        self.idle = 0;
        self.has_settled = true;
    }
}
