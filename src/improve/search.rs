//! The search for better schedules: rules first, then small changes of the best one known.

use super::list::{Priority, by_priority, by_start, keys, place_all, place_stubbornly, start_keys};
use super::plant::Plant;
use super::random::Random;
use super::reinsert::{Score, is_early_costly, reinsert, restore, score};
use super::table::{Table, Taste};
use super::walk::walk;
use super::{Teller, shop, value};
use crate::lift::Jobs;
use crate::plan::Rule;
use crate::spec::Objective;

/// How often the sequence of a rule is mended where an order finds no place.
const MENDINGS: usize = 40;

/// Steps of plants that can be placed anew many times over.
const SMALL: usize = 3000;

pub fn search(plant: &Plant, seed: u64, rounds: u64, teller: &mut Teller) {
    let mut random = Random::new(seed);
    let walked = if plant.plan.is_judged() { by_walks(plant, teller) } else { None };
    if plant.plan.rule(|rule| rule == Rule::Greedy) {
        if let Some(best) = walked {
            wander(plant, best, rounds, &mut random, teller);
        }
        return;
    }
    if walked.is_some() && teller.is_done() {
        return;
    }
    let Some(best) = by_rules(plant, teller).or(walked) else { return };
    if teller.is_done() {
        return;
    }
    if let Some(shop) = shop::Shop::of(plant.plan) {
        shop.search(&best, rounds, &mut random, teller);
        return;
    }
    let Some(table) = rebuilt(plant, &best) else { return };
    Climb::new(plant, table, best).run(rounds, &mut random, teller);
}

/// Walks by all rules are told; gives the best.
fn by_walks(plant: &Plant, teller: &mut Teller) -> Option<Jobs> {
    let mut best: Option<(i64, Jobs)> = None;
    for priority in Priority::ALL {
        if best.is_some() && teller.is_done() {
            break;
        }
        let Some(jobs) = walk(plant, &keys(plant, priority)) else { continue };
        let value = value(plant.plan, &jobs);
        if best.as_ref().is_none_or(|best| value < best.0) {
            teller.tell(value, &jobs);
            best = Some((value, jobs));
        }
    }
    best.map(|best| best.1)
}

/// Walks in about the sequence of the best one, again and again.
fn wander(plant: &Plant, jobs: Jobs, rounds: u64, random: &mut Random, teller: &mut Teller) {
    let mut best = (value(plant.plan, &jobs), jobs);
    for _ in 0..rounds {
        if teller.is_done() {
            return;
        }
        let noise = 1 + random.below(4);
        let Some(jobs) = walk(plant, &start_keys(&best.1, noise, random)) else { continue };
        let value = value(plant.plan, &jobs);
        if value < best.0 {
            teller.tell(value, &jobs);
        }
        if value <= best.0 {
            best = (value, jobs);
        }
    }
}

/// The schedules of all rules are told; gives the best.
fn by_rules(plant: &Plant, teller: &mut Teller) -> Option<Jobs> {
    let mut best: Option<(i64, Jobs)> = None;
    for priority in Priority::ALL {
        if best.is_some() && teller.is_done() {
            break;
        }
        let list = by_priority(plant, priority);
        let is_over = &mut || teller.is_over();
        let Some(table) = place_stubbornly(plant, list, MENDINGS, is_over) else { continue };
        let (value, Some(jobs)) = (table.value(plant.plan), table.whole()) else { continue };
        if best.as_ref().is_none_or(|best| value < best.0) {
            teller.tell(value, &jobs);
            best = Some((value, jobs));
        }
    }
    best.map(|best| best.1)
}

/// The timetable of a schedule.
fn rebuilt<'a>(plant: &'a Plant<'a>, jobs: &Jobs) -> Option<Table<'a>> {
    let mut table = Table::new(plant);
    for (order, own) in jobs.iter().enumerate() {
        table.put_back(order, own.iter().cloned().map(Some).collect());
    }
    Some(table)
}

struct Climb<'a> {
    plant: &'a Plant<'a>,
    table: Table<'a>,
    current: Score,
    best: (Score, Jobs),
    /// Rounds since the best was found or taken up again.
    idle: u64,
}

impl<'a> Climb<'a> {
    fn new(plant: &'a Plant<'a>, table: Table<'a>, jobs: Jobs) -> Climb<'a> {
        let current = score(plant, &table);
        Climb { plant, table, current, best: (current, jobs), idle: 0 }
    }

    fn run(mut self, rounds: u64, random: &mut Random, teller: &mut Teller) {
        let steps: usize = self.table.jobs.iter().map(Vec::len).sum();
        self.tidy(random, teller);
        for round in 0..rounds {
            if teller.is_done() {
                return;
            }
            let is_anew = if steps <= SMALL { random.one_in(2) } else { round % 400 == 399 };
            if is_anew {
                self.place_anew(random)
            } else {
                self.move_orders(random)
            }
            self.idle += 1;
            self.keep(teller);
            if self.idle > 300 {
                self.go_back();
            }
        }
    }

    /// Puts every order once where it is cheapest.
    fn tidy(&mut self, random: &mut Random, teller: &mut Teller) {
        if self.plant.plan.objective != Objective::Cost {
            return;
        }
        let mut orders: Vec<usize> = (0..self.table.jobs.len()).collect();
        orders.sort_by_key(|&o| std::cmp::Reverse(self.table.span(o)));
        for order in orders {
            if teller.is_over() {
                return;
            }
            self.try_orders(&[order], random);
        }
        self.keep(teller);
    }

    fn try_orders(&mut self, orders: &[usize], random: &mut Random) {
        let (is_whole, old) = reinsert(self.plant, &mut self.table, orders, random);
        let new = score(self.plant, &self.table);
        if is_whole && self.accepts(new, random) {
            self.current = new;
        } else {
            restore(&mut self.table, orders, old);
        }
    }

    /// Sometimes a little worse will do.
    fn accepts(&self, new: Score, random: &mut Random) -> bool {
        let allowance = self.best.0.0 / 200;
        new <= self.current || random.one_in(20) && new.0 <= self.best.0.0 + allowance
    }

    fn move_orders(&mut self, random: &mut Random) {
        let orders = self.pick(random);
        self.try_orders(&orders, random);
    }

    /// A few orders: one that is costly or late, and some at about the same time or anywhere.
    fn pick(&self, random: &mut Random) -> Vec<usize> {
        let (plan, count) = (self.plant.plan, self.table.jobs.len());
        let weight = |order: usize| match plan.objective {
            Objective::Cost => self.table.cost(plan, order),
            _ => self.table.span(order).map_or(0, |span| span.1),
        };
        let drawn: Vec<usize> = (0..3).map(|_| random.below(count)).collect();
        let first = drawn.iter().copied().max_by_key(|&order| weight(order)).unwrap_or(0);
        let mut chosen = vec![first];
        let at = self.table.span(first).map_or(0, |span| span.0);
        for _ in 0..1 + random.below(5) {
            let near = (0..4).map(|_| random.below(count));
            let distance =
                |&order: &usize| self.table.span(order).map_or(0, |span| (span.0 - at).abs());
            let other = near.min_by_key(distance).unwrap_or(0);
            if !chosen.contains(&other) {
                chosen.push(other);
            }
        }
        random.shuffle(&mut chosen);
        if self.plant.before.iter().any(Option::is_some) {
            chosen.sort_by_key(|&order| self.plant.rank[order]);
        }
        chosen
    }

    /// Places everything anew, in about the same sequence.
    fn place_anew(&mut self, random: &mut Random) {
        let Some(jobs) = self.table.whole() else { return };
        let noise = random.below(4);
        let list = by_start(self.plant, &jobs, noise, random);
        let odd = random.below(jobs.len() * 2);
        let number = random.below(64);
        let how = |order: usize| {
            // Whoever waits for its due instant goes on waiting.
            let start = || jobs[order].iter().map(|job| job.start).min().unwrap_or(0);
            let from = if is_early_costly(self.plant, order) { start() } else { 0 };
            (from, if order == odd { Taste::Fixed(number) } else { Taste::Early })
        };
        let Ok(table) = place_all(self.plant, &list, how) else { return };
        let new = score(self.plant, &table);
        if self.accepts(new, random) {
            (self.table, self.current) = (table, new);
        }
    }

    fn keep(&mut self, teller: &mut Teller) {
        if self.current < self.best.0
            && let Some(jobs) = self.table.whole()
        {
            if self.current.0 < self.best.0.0 || !teller.has_kept() {
                teller.tell(self.current.0, &jobs);
            }
            self.best = (self.current, jobs);
            self.idle = 0;
        }
    }

    fn go_back(&mut self) {
        if let Some(table) = rebuilt(self.plant, &self.best.1) {
            (self.table, self.current) = (table, self.best.0);
        }
        self.idle = 0;
    }
}
