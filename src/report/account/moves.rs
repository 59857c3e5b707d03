//! What has moved against an earlier plan.

use super::OrderFigures;
use super::cost::{once, rate};
use std::collections::{BTreeMap, BTreeSet};
use takt_plant::{Plan, Unit};
use takt_spec::schedule::{Decimal, Row, Schedule};
use takt_spec::{Previous, Spec};

/// Steps that are not fixed and stood in the earlier plan, and orders of which some step was moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// How many steps start at another instant or take other units.
    pub steps: usize,
    /// How many of them start at another instant, and how many take units that they did not have.
    pub starts: usize,
    pub units: usize,
    /// By how much the start of one was moved at most.
    pub furthest: i64,
    pub orders: Vec<String>,
    /// Orders that are late and were not.
    pub newly_late: Vec<String>,
    /// How many orders did not stand in the earlier plan.
    pub new_orders: usize,
    /// What is paid for it.
    pub cost: Decimal,
}

/// `None` where the spec knows no earlier plan.
pub fn moves(
    spec: &Spec,
    plan: &Plan,
    schedule: &Schedule,
    orders: &[OrderFigures],
) -> Option<Moves> {
    let previous = spec.previous.as_ref()?;
    let mut moves = Moves::default();
    let mut rows: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in schedule.steps() {
        rows.entry((&row.order, &row.step)).or_default().push(row);
    }
    let (scope, names) = (spec.constants(), Names::of(plan));
    let rate = rate(previous.move_cost.as_ref(), scope);
    let price = once(previous.unit_cost.as_ref(), scope);
    let mut moved: BTreeSet<&str> = BTreeSet::new();
    for ((order, step), former) in plan.formers(previous.rows.iter().map(|row| &row.value)).0 {
        let id = plan.orders[order].id.as_str();
        let Some(rows) = rows.get(&(id, plan.steps(order)[step].name.as_str())) else { continue };
        let away = (rows[0].start - former.start).abs();
        let is_new = |row: &&&Row| names.unit(row).is_some_and(|unit| !former.has(unit));
        let new = rows.iter().filter(is_new).count();
        moves.starts += usize::from(away > 0);
        moves.units += usize::from(new > 0);
        moves.steps += usize::from(away > 0 || new > 0);
        moves.furthest = moves.furthest.max(away);
        moves.cost = moves.cost + rate * away + price * new as i64;
        if away > 0 || new > 0 {
            moved.insert(id);
        }
    }
    let ids = orders.iter().map(|order| order.id.as_str());
    moves.orders = ids.filter(|id| moved.contains(id)).map(str::to_owned).collect();
    lateness(previous, orders, &mut moves);
    Some(moves)
}

/// Orders that are late now, and orders that are new.
fn lateness(previous: &Previous, orders: &[OrderFigures], moves: &mut Moves) {
    let mut finishes: BTreeMap<&str, i64> = BTreeMap::new();
    for row in &previous.rows {
        let finish = finishes.entry(&row.value.order).or_insert(row.value.end);
        *finish = row.value.end.max(*finish);
    }
    for order in orders {
        match finishes.get(order.id.as_str()) {
            None => moves.new_orders += 1,
            Some(finish) => {
                let was_late = order.due.is_some_and(|due| *finish > due);
                if order.tardiness() > 0 && !was_late {
                    moves.newly_late.push(order.id.clone());
                }
            }
        }
    }
}

/// Units by the names of their resources and their own.
struct Names<'p>(BTreeMap<(&'p str, &'p str), Unit>);

impl<'p> Names<'p> {
    fn of(plan: &'p Plan) -> Names<'p> {
        let mut names = BTreeMap::new();
        for (resource, of) in plan.resources.entries() {
            for (number, unit) in of.units.iter().enumerate() {
                names.insert((of.name.as_str(), unit.as_str()), Unit { resource, number });
            }
        }
        Names(names)
    }

    fn unit(&self, row: &Row) -> Option<Unit> {
        self.0.get(&(row.resource.as_str(), row.unit.as_str())).copied()
    }
}
