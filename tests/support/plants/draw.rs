//! Random small plants; each feature alone or mixed with others.

use super::brute::{
    Alternative, Calendar, Hold, Link, Objective, Order, OrderLink, Plant, Recipe, Resource, Rule,
    Setup, Step,
};
use crate::Random;

/// What a plant may have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    pub capacity: bool,
    /// Precedence graphs instead of chains, with lags.
    pub graphs: bool,
    pub releases: bool,
    pub max_lags: bool,
    pub holds: bool,
    pub alternatives: bool,
    pub units: bool,
    pub setups: bool,
    pub calendars: bool,
    pub pauses: bool,
    pub costs: bool,
    /// Each of the rules, one per bit.
    pub rules: u8,
    /// Some time has passed, and some steps are fixed.
    pub facts: bool,
    pub pins: bool,
    /// With costs: some orders pay once if they are late.
    pub late: bool,
    /// Some steps stand in an earlier plan; only with costs.
    pub earlier: bool,
    /// Setups of several parts.
    pub parts: bool,
    /// Setups that are work.
    pub crews: bool,
    /// Orders that come after others.
    pub sequels: bool,
    /// Units with a speed, a price and families of their own.
    pub terms: bool,
    /// Steps that take what others took.
    pub same: bool,
}

impl Features {
    /// Everything but costs and rules.
    pub const fn all() -> Features {
        Features {
            capacity: true,
            graphs: true,
            releases: true,
            max_lags: true,
            holds: true,
            alternatives: true,
            units: true,
            setups: true,
            calendars: true,
            pauses: true,
            costs: false,
            rules: 0,
            facts: false,
            pins: false,
            late: false,
            earlier: false,
            parts: false,
            crews: false,
            sequels: false,
            terms: false,
            same: false,
        }
    }
}

pub fn plant(seed: u64, has: Features) -> Plant {
    // Whoever draws the features from the same seed draws other numbers.
    let r = &mut Random::new(seed.wrapping_mul(7919).wrapping_add(17));
    let calendars = calendars(r, has);
    let resources: Vec<Resource> = (0..2).map(|_| resource(r, has, calendars.len())).collect();
    let counts = [2, 1, 1 + r.amount(2)];
    let recipes: Vec<Recipe> = (0..2).map(|k| recipe(r, has, &resources, counts[k])).collect();
    let count = if r.percent(30) { 3 } else { 2 };
    let mut orders: Vec<Order> = (0..count).map(|k| order(r, has, [0, 1, 1][k])).collect();
    if r.percent(30) {
        orders[1].recipe = orders[0].recipe;
        orders.truncate(2);
    }
    let objective = match r.amount(4) {
        _ if has.costs => Objective::Cost,
        0 => Objective::Feasible,
        _ => Objective::Makespan,
    };
    let rules = rules(r, has);
    let steps: usize = orders.iter().map(|o| recipes[o.recipe].steps.len()).sum();
    let horizon = if has.calendars || has.setups { 22 } else { 16 } - i64::from(steps > 3) * 2;
    let mut plant = Plant {
        calendars,
        resources,
        recipes,
        orders,
        objective,
        rules,
        horizon,
        now: 0,
        facts: Vec::new(),
        earlier: None,
    };
    if r.percent(30) {
        super::extremes::push(r, &mut plant);
    }
    if has.parts {
        super::setups::add_parts(r, &mut plant);
    }
    if has.crews {
        super::setups::add_crews(r, &mut plant);
    }
    if has.sequels {
        sequels(r, &mut plant);
    }
    if has.same {
        super::units::repeat(r, &mut plant);
    }
    if has.terms {
        super::units::tell_apart(r, &mut plant, has.costs);
    }
    if has.facts {
        super::facts::fix(r, &mut plant);
        super::facts::keep_sequels(&mut plant);
    }
    if has.pins {
        super::facts::pin(r, &mut plant);
    }
    if has.earlier {
        super::earlier::recall(r, &mut plant);
    }
    plant
}

/// Each order may come after any that stand before it in a sequence at random.
fn sequels(r: &mut Random, plant: &mut Plant) {
    let mut sequence: Vec<usize> = (0..plant.orders.len()).collect();
    (1..sequence.len()).rev().for_each(|k| sequence.swap(k, r.below(k + 1)));
    for (k, &order) in sequence.iter().enumerate() {
        for &before in &sequence[..k] {
            if r.percent(60) {
                let min = if r.percent(40) { 1 + r.amount(3) } else { 0 };
                let max = r.percent(40).then(|| min + r.amount(3));
                plant.orders[order].after.push(OrderLink { before, min, max });
            }
        }
    }
    plant.horizon += 3;
}

fn rules(r: &mut Random, has: Features) -> Vec<Rule> {
    let all = Rule::draw_all(r);
    let is_chosen = |(k, _): &(usize, Rule)| has.rules >> k & 1 == 1;
    all.into_iter().enumerate().filter(is_chosen).map(|(_, rule)| rule).collect()
}

fn calendars(r: &mut Random, has: Features) -> Vec<Calendar> {
    if !has.calendars {
        return Vec::new();
    }
    let one = |r: &mut Random| {
        let first = r.amount(2);
        let end = first + 1 + r.amount(3);
        let second = end + r.amount(3);
        let mut windows = vec![(first, end)];
        if r.percent(60) {
            windows.push((second, second + 1 + r.amount(2)));
        }
        let last = windows.last().map_or(0, |w| w.1);
        let repeat = r.percent(80).then(|| last + r.amount(3));
        Calendar { windows, repeat }
    };
    vec![one(r), one(r)]
}

fn resource(r: &mut Random, has: Features, calendars: usize) -> Resource {
    let calendar = |r: &mut Random| (calendars > 0 && r.percent(70)).then(|| r.below(calendars));
    let mut resource = Resource {
        capacity: if has.capacity { 1 + r.amount(2) } else { 1 },
        calendar: calendar(r),
        ..Resource::default()
    };
    if has.capacity && r.percent(20) {
        resource.performance = Some(7);
    }
    if has.units && r.percent(60) || has.setups && r.percent(60) {
        resource.is_named = true;
        resource.capacity = 1 + r.amount(2);
        if has.units {
            resource.unit_calendars = (0..resource.capacity).map(|_| calendar(r)).collect();
        }
        if has.setups {
            let mut table =
                |most: i64| [[0, 1], [0, 1]].map(|row| row.map(|_: i32| r.amount(most)));
            let (time, cost) = (table(3), table(4));
            let initial = r.percent(50).then(|| r.below(2));
            let (by_colour, crew, keeps_calendar) = (None, None, false);
            resource.setup = Some(Setup { time, cost, initial, by_colour, crew, keeps_calendar });
        }
    }
    if has.costs && r.percent(40) {
        resource.run_cost = r.amount(3);
    }
    resource
}

fn recipe(r: &mut Random, has: Features, resources: &[Resource], count: i64) -> Recipe {
    let steps: Vec<Step> = (0..count as usize).map(|k| step(r, has, resources, k)).collect();
    let mut holds = Vec::new();
    if has.holds && r.percent(70) {
        let free: Vec<usize> = (0..resources.len()).filter(|&k| !resources[k].is_named).collect();
        if let Some(&resource) = free.get(r.below(2)) {
            let own = |step: &Step| {
                let needs = step.alternatives.iter().flat_map(|way| &way.needs);
                needs.filter(|(n, _)| *n == resource).map(|(_, amount)| *amount).max().unwrap_or(0)
            };
            let most = steps.iter().map(own).max().unwrap_or(0);
            // Only one step has the next as its follower.
            let until = steps.len() - 1;
            let reaches = until == 0 || steps[until].after.iter().any(|link| link.before == 0);
            let from = if reaches { 0 } else { until };
            let amount = 1;
            if most + amount <= resources[resource].capacity || r.percent(20) {
                holds.push(Hold { resource, from, until, amount });
            }
        }
    }
    Recipe { steps, holds }
}

fn step(r: &mut Random, has: Features, resources: &[Resource], k: usize) -> Step {
    let mut first = alternative(r, has, resources, r_below_two(k));
    let mut alternatives = Vec::new();
    // Steps that take no time make holds that may take nothing.
    if r.percent(if has.holds { 40 } else { 12 }) && !has.alternatives {
        first.needs.clear();
        first.duration = match has.holds && r.percent(60) {
            true => 0,
            false => [0, 2][(first.duration % 2) as usize],
        };
    }
    let main = first.needs.first().map(|need| need.0);
    alternatives.push(first);
    if let Some(main) = main.filter(|_| has.alternatives && r.percent(60)) {
        let mut other = alternative(r, has, resources, 1 - main);
        other.needs.retain(|need| need.0 != main);
        alternatives.push(other);
    }
    let after = match k.checked_sub(1) {
        None => Vec::new(),
        Some(_) if has.graphs && r.percent(25) => Vec::new(),
        Some(before) => vec![link(r, has, before)],
    };
    let pause = (has.pauses && r.percent(70)).then(|| r.percent(60).then(|| 1 + r.amount(3)));
    Step { alternatives, after, pause, same: None }
}

fn r_below_two(k: usize) -> usize {
    k % 2
}

fn alternative(r: &mut Random, has: Features, resources: &[Resource], main: usize) -> Alternative {
    let main = if r.percent(30) && !has.alternatives { 1 - main } else { main };
    let amount = |r: &mut Random, k: usize| match resources[k].is_named {
        true => 1,
        false => 1 + r.amount(resources[k].capacity),
    };
    let mut needs = vec![(main, amount(r, main))];
    if has.capacity && r.percent(25) {
        needs.push((1 - main, amount(r, 1 - main)));
    }
    Alternative { needs, duration: 1 + r.amount(3) }
}

fn link(r: &mut Random, has: Features, before: usize) -> Link {
    let min = if has.graphs && r.percent(40) { 1 + r.amount(2) } else { 0 };
    let max = (has.max_lags && r.percent(70)).then(|| min + r.amount(2));
    Link { before, from_start: has.graphs && r.percent(30), min, max }
}

fn order(r: &mut Random, has: Features, recipe: usize) -> Order {
    let mut order = Order { recipe, family: r.below(2), ..Order::default() };
    if has.releases {
        order.release = if r.percent(50) { r.amount(4) } else { 0 };
        order.deadline = r.percent(30).then(|| 3 + r.amount(8));
    }
    if has.costs {
        order.due = r.percent(75).then(|| r.amount(9));
        if order.due.is_some() {
            order.delay = r.amount(5);
            order.storage = if r.percent(50) { r.amount(4) } else { 0 };
        }
        order.holding = if r.percent(50) { r.amount(3) } else { 0 };
        if has.late && order.due.is_some() {
            order.late = r.amount(12);
            order.delay = if r.percent(50) { 0 } else { order.delay };
            order.storage = if r.percent(60) { 0 } else { order.storage };
        }
    } else if has.rules != 0 {
        order.due = r.percent(60).then(|| 2 + r.amount(8));
    }
    order
}
