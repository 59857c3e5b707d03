//! In which sequence blocks of steps are placed: by rules, or as in a schedule that is known.

use super::plant::Plant;
use super::shape::Shape;
use super::table::{Table, Taste};
use super::walk::Keys;
use crate::plan::{GroupId, Id, IdVec, OrderId};
use crate::random::Random;
use crate::timetable::Jobs;
use std::collections::{BTreeMap, VecDeque};

/// How often the sequence of a rule is mended where an order finds no place.
pub const MENDINGS: usize = 40;

/// A block of an order's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    pub order: OrderId,
    pub block: usize,
}

/// What goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// The order that is due first.
    Due,
    /// The order with the least time left over until it is due.
    Slack,
    /// The block after which most is still to be done.
    Tail,
    /// The order with the least to do.
    Short,
    /// The order with the most to do.
    Long,
    /// As they are written.
    Spec,
}

impl Priority {
    pub const ALL: [Priority; 6] = [
        Priority::Due,
        Priority::Tail,
        Priority::Slack,
        Priority::Spec,
        Priority::Long,
        Priority::Short,
    ];

    fn key(self, plant: &Plant, item: Item) -> i64 {
        let (of, shape) = (&plant.plan.orders[item.order], plant.shape(item.order));
        let due = of.due.or(of.deadline).unwrap_or(i64::MAX / 4);
        let due = of.deadline.map_or(due, |deadline| due.min(deadline));
        match self {
            Priority::Due => due,
            Priority::Slack => due.saturating_sub(shape.longest()),
            Priority::Tail => {
                let steps = shape.blocks[item.block].iter();
                let tail = steps.map(|&step| shape.tails[step]).max().unwrap_or(0);
                plant.asked.least[item.order].saturating_sub(tail)
            }
            Priority::Short => plant.asked.least[item.order].saturating_add(shape.longest()),
            Priority::Long => plant.asked.least[item.order].saturating_sub(shape.longest()),
            Priority::Spec => item.order.index() as i64,
        }
    }
}

/// How urgent every step is by a rule.
pub fn keys(plant: &Plant, priority: Priority) -> Keys {
    let keys = |order: OrderId| {
        let mut keys = plant.shape(order).tails.filled(0);
        for (block, steps) in plant.shape(order).blocks.iter().enumerate() {
            let key = priority.key(plant, Item { order, block });
            steps.iter().for_each(|&step| keys[step] = key);
        }
        keys
    };
    plant.plan.orders.ids().map(keys).collect()
}

/// The starts of a schedule, some of them moved at random.
pub fn start_keys(jobs: &Jobs, noise: usize, random: &mut Random) -> Keys {
    let span = jobs.iter().flatten().map(|job| job.end).max().unwrap_or(0).max(8);
    let mut keys: Keys = jobs.iter().map(|own| own.iter().map(|job| job.start).collect()).collect();
    for _ in 0..noise {
        let order = OrderId(random.below(jobs.len()));
        let reach = span / (1 + random.below(8) as i64) + 1;
        let by = random.below(2 * reach as usize + 1) as i64 - reach;
        let only = random.below(2 * keys[order].len());
        for (step, key) in keys[order].iter_mut().enumerate() {
            if only == step || only >= jobs[order].len() {
                *key += by;
            }
        }
    }
    keys
}

/// All blocks, the most urgent ones first.
pub fn by_priority(plant: &Plant, priority: Priority) -> Vec<Item> {
    sorted(plant, |item| priority.key(plant, item))
}

/// The same, with urgencies moved at random.
pub fn by_chance(plant: &Plant, priority: Priority, random: &mut Random) -> Vec<Item> {
    let mut keys: IdVec<OrderId, Vec<i64>> = plant
        .plan
        .orders
        .ids()
        .map(|order| {
            let blocks = 0..plant.shape(order).blocks.len();
            blocks.map(|block| priority.key(plant, Item { order, block })).collect()
        })
        .collect();
    disturb(plant, keys.iter_mut().flatten(), random);
    sorted(plant, |item| keys[item.order][item.block])
}

/// Moves urgencies at random, by up to what a few orders take.
pub fn disturb<'k>(plant: &Plant, keys: impl Iterator<Item = &'k mut i64>, random: &mut Random) {
    let reach = plant.shapes.iter().map(Shape::longest).max().unwrap_or(0).max(4);
    let reach = reach / (1 + random.below(4) as i64) * (1 + random.below(3) as i64);
    for key in keys {
        let by = random.below(2 * reach.max(0) as usize + 1) as i64 - reach;
        *key = key.saturating_add(by);
    }
}

/// All blocks by their starts in a schedule, some of them moved at random.
pub fn by_start(plant: &Plant, jobs: &Jobs, noise: usize, random: &mut Random) -> Vec<Item> {
    let span = jobs.iter().flatten().map(|job| job.end).max().unwrap_or(0).max(8);
    let count: usize = jobs.ids().map(|order| plant.shape(order).blocks.len()).sum();
    let mut shift: BTreeMap<Item, i64> = BTreeMap::new();
    for _ in 0..noise {
        let order = OrderId(random.below(jobs.len()));
        let block = random.below(plant.shape(order).blocks.len());
        // Mostly by a few places.
        let reach = if random.one_in(4) { span / 2 } else { span * 6 / (count as i64 + 6) + 2 };
        let by = random.below(2 * reach as usize + 1) as i64 - reach;
        let whole = random.one_in(3);
        for other in 0..plant.shape(order).blocks.len() {
            if whole || other == block {
                shift.insert(Item { order, block: other }, by);
            }
        }
    }
    sorted(plant, |item| {
        let steps = plant.shape(item.order).blocks[item.block].iter();
        let start = steps.map(|&step| jobs[item.order][step].start).min().unwrap_or(0);
        start + shift.get(&item).copied().unwrap_or(0)
    })
}

/// All blocks by the earliest of these starts.
pub fn by_keys(plant: &Plant, keys: &Keys) -> Vec<Item> {
    sorted(plant, |item| {
        let steps = plant.shape(item.order).blocks[item.block].iter();
        steps.map(|&step| keys[item.order][step]).min().unwrap_or(0)
    })
}

/// Keys never fall from a block to those that need it, so predecessors stay in front.
fn sorted(plant: &Plant, key: impl Fn(Item) -> i64) -> Vec<Item> {
    let mut keyed: Vec<(i64, Item)> = Vec::new();
    for order in plant.plan.orders.ids() {
        let mut keys: Vec<i64> = Vec::new();
        for (block, before) in plant.shape(order).before.iter().enumerate() {
            let item = Item { order, block };
            let own = before.iter().fold(key(item), |own, &other| own.max(keys[other]));
            keys.push(own);
            keyed.push((own, item));
        }
    }
    keyed.sort_unstable();
    led(plant, in_sequence(plant, keyed.into_iter().map(|(_, item)| item).collect()))
}

/// Orders that others wait for come before them: at their place at the latest.
fn led(plant: &Plant, list: Vec<Item>) -> Vec<Item> {
    let plan = plant.plan;
    if plan.groups.is_empty() {
        return list;
    }
    let mut items: IdVec<OrderId, VecDeque<Item>> = plan.orders.filled(VecDeque::new());
    list.iter().for_each(|item| items[item.order].push_back(*item));
    let mut is_whole = plan.orders.filled(false);
    let mut is_seen = plan.groups.filled(false);
    let mut found = Vec::with_capacity(list.len());
    for Item { order, .. } in list {
        let groups = |order: OrderId| plan.orders[order].after.iter().map(|link| link.group);
        let mut open: Vec<GroupId> = groups(order).collect();
        let mut before: Vec<OrderId> = Vec::new();
        while let Some(group) = open.pop() {
            if std::mem::replace(&mut is_seen[group], true) {
                continue;
            }
            for &member in &plan.groups[group].orders {
                if !std::mem::replace(&mut is_whole[member], true) {
                    before.push(member);
                    open.extend(groups(member));
                }
            }
        }
        before.sort_unstable_by_key(|&order| plant.depth[order]);
        before.into_iter().for_each(|order| found.extend(items[order].drain(..)));
        found.extend(items[order].pop_front());
    }
    found
}

/// Where orders must not overtake each other, those of one recipe share their places in the list
/// such that they stand there in sequence.
fn in_sequence(plant: &Plant, list: Vec<Item>) -> Vec<Item> {
    if plant.asked.before.iter().all(Option::is_none) {
        return list;
    }
    let source = |item: &Item| plant.plan.recipes[plant.plan.orders[item.order].recipe].source;
    let mut waiting: BTreeMap<(usize, usize), Vec<Item>> = BTreeMap::new();
    for item in &list {
        waiting.entry((source(item), item.block)).or_default().push(*item);
    }
    for items in waiting.values_mut() {
        items.sort_unstable_by_key(|item| std::cmp::Reverse(plant.rank[item.order]));
    }
    let next = |item: Item| waiting.get_mut(&(source(&item), item.block)).and_then(Vec::pop);
    let list: Vec<Item> = list.into_iter().filter_map(next).collect();
    first_things_first(plant, list)
}

/// Puts blocks back behind those of the same order that come before them.
fn first_things_first(plant: &Plant, list: Vec<Item>) -> Vec<Item> {
    let mut next = plant.plan.orders.filled(0);
    let place = |item: Item| {
        let block = next[item.order];
        next[item.order] += 1;
        Item { block, ..item }
    };
    list.into_iter().map(place).collect()
}

/// Places all blocks in this sequence, each order from when on and as told; otherwise says which order finds no place.
pub fn place_all<'a>(
    plant: &'a Plant<'a>,
    list: &[Item],
    how: impl Fn(OrderId) -> (i64, Taste),
) -> Result<Table<'a>, OrderId> {
    let mut table = Table::new(plant);
    for item in list {
        let (from, taste) = how(item.order);
        if !table.place(item.order, item.block, from, taste) {
            return Err(item.order);
        }
    }
    match list.last().filter(|_| !table.is_set_up()) {
        Some(last) if plant.plan.has_crews() => Err(last.order),
        _ => Ok(table),
    }
}

/// Why there is no schedule in any of the sequences that were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missed {
    /// An order finds no place even in an empty plant, done in the ways it was told to.
    Alone,
    InTime,
}

/// As [`place_all`]; whoever finds no place goes first the next time, unless one is to stop.
pub fn place_stubbornly<'a>(
    plant: &'a Plant<'a>,
    mut list: Vec<Item>,
    how: impl Fn(OrderId) -> (i64, Taste),
    tries: usize,
    is_over: &mut dyn FnMut() -> bool,
) -> Result<Table<'a>, Missed> {
    for attempt in 0..tries {
        if attempt > 0 && is_over() {
            break;
        }
        match place_all(plant, &list, &how) {
            Ok(table) => return Ok(table),
            Err(order) => {
                let blocks = plant.shape(order).blocks.len();
                if list.iter().take(blocks).all(|item| item.order == order) {
                    return Err(Missed::Alone);
                }
                let (mut first, rest): (Vec<Item>, Vec<Item>) =
                    list.into_iter().partition(|item| item.order == order);
                first.extend(rest);
                list = led(plant, in_sequence(plant, first));
            }
        }
    }
    Err(Missed::InTime)
}
