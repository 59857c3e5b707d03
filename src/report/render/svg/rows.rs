//! What a chart shows, before it has a place: rows with bars, for each of the views.

use super::colour::{Look, NEUTRAL};
use crate::account::{Account, Unit, Use};
use crate::render::sequence::Sequence;
use crate::render::{Sheet, View};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use takt_spec::schedule::{Kind, Row};

#[derive(Clone, Debug, Default)]
pub struct ChartRow {
    pub label: String,
    /// When its unit cannot work.
    pub closed: Vec<(i64, i64)>,
    pub bars: Vec<Bar>,
    /// How many bars stand above each other.
    pub lanes: usize,
    /// In the view of orders: the order's own.
    pub due: Option<i64>,
    pub deadline: Option<i64>,
    /// When a late order is done, and how late that is.
    pub late: Option<(i64, String)>,
}

#[derive(Clone, Debug)]
pub struct Bar {
    pub kind: Kind,
    pub start: i64,
    pub end: i64,
    /// Where an interrupted step works; otherwise all of it.
    pub stretches: Vec<(i64, i64)>,
    pub look: Look,
    /// All that it stands for.
    pub about: String,
    /// What may be written on it, the best first.
    pub labels: Vec<String>,
    pub lane: usize,
    /// A late order is done with it.
    pub is_late: bool,
    /// What an order holds while its steps go on: a strip above them.
    pub is_beside: bool,
}

/// What colours stand for: orders or resources, by name.
pub type Looks = BTreeMap<String, Look>;

pub fn lines(sheet: &Sheet, view: View, looks: &Looks) -> Vec<ChartRow> {
    match view {
        View::Resources => units(sheet, looks),
        View::Orders => orders(sheet, looks),
    }
}

/// Interchangeable units that have a row even if nobody takes them.
const SHOWN: u64 = 12;

/// Where more interchangeable units are taken than this, the resource has one row: each step is one bar
/// on it, however many units it takes.
const MOST_ROWS: u64 = 200;

/// Such a resource: its row, until when its lanes are taken, and whose bars are there.
struct Crowd<'s> {
    place: usize,
    free_until: Vec<i64>,
    seen: HashSet<(&'s str, &'s str, Kind)>,
}

/// The resources whose units are too many for rows of their own, by name.
fn crowds<'s>(sheet: &Sheet<'s>) -> BTreeMap<&'s str, Crowd<'s>> {
    let many = |resource: &&Use| resource.units.len() as u64 > MOST_ROWS;
    let mut highest: BTreeMap<&str, u64> =
        (sheet.account.resources.iter().filter(many)).map(|r| (r.name.as_str(), 0)).collect();
    if !highest.is_empty() {
        for row in &sheet.schedule.rows {
            if let Some(highest) = highest.get_mut(row.resource.as_str()) {
                *highest = row.unit.parse().unwrap_or(0).max(*highest);
            }
        }
    }
    let crowded = highest.into_iter().filter(|(_, highest)| *highest > MOST_ROWS);
    let crowd = || Crowd { place: 0, free_until: Vec::new(), seen: HashSet::new() };
    crowded.map(|(name, _)| (name, crowd())).collect()
}

/// A row for each unit in the spec's sequence; of many interchangeable ones only those that are taken.
/// Steps without a resource come below, on as many rows as they need to stay apart.
fn units(sheet: &Sheet, looks: &Looks) -> Vec<ChartRow> {
    let account = sheet.account;
    let mut lines = Vec::new();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut crowds = crowds(sheet);
    let taken: HashSet<(&str, &str)> = (sheet.schedule.rows.iter())
        .filter(|row| !crowds.contains_key(row.resource.as_str()))
        .map(|row| (row.resource.as_str(), row.unit.as_str()))
        .collect();
    for resource in &account.resources {
        if let Some(crowd) = crowds.get_mut(resource.name.as_str()) {
            crowd.place = lines.len();
            let label = format!("{} (of {})", resource.name, resource.units.len());
            let closed = closed(&resource.units[0], account.end);
            lines.push(ChartRow { label, closed, lanes: 1, ..ChartRow::default() });
            continue;
        }
        for unit in &resource.units {
            let is_counted = unit.name.parse::<u64>().is_ok_and(|number| number > 1)
                && resource.units.len() as u64 > SHOWN;
            let key = (resource.name.as_str(), unit.name.as_str());
            if is_counted && !taken.contains(&key) {
                continue;
            }
            places.insert(key, lines.len());
            let closed = closed(unit, account.end);
            let label = unit_label(resource, unit);
            lines.push(ChartRow { label, closed, lanes: 1, ..ChartRow::default() });
        }
    }
    let late: BTreeMap<&str, i64> = late(account);
    let mut free_until: Vec<i64> = Vec::new();
    let first_free = lines.len();
    for row in Sequence::of(sheet.spec).sorted(&sheet.schedule.rows) {
        if let Some(crowd) = crowds.get_mut(row.resource.as_str()) {
            if crowd.seen.insert((&row.order, &row.step, row.kind)) {
                let whole = Row { unit: String::new(), ..row.clone() };
                let look = looks.get(&row.order).copied().unwrap_or(NEUTRAL);
                let mut bar = labelled(account, &whole, look, &late);
                bar.lane = lane(&mut crowd.free_until, row);
                lines[crowd.place].lanes = crowd.free_until.len();
                lines[crowd.place].bars.push(bar);
            }
            continue;
        }
        let place = places.get(&(row.resource.as_str(), row.unit.as_str())).copied();
        let place = place.unwrap_or_else(|| first_free + lane(&mut free_until, row));
        if place >= lines.len() {
            let label = if place == first_free { "no resource" } else { "" };
            lines.push(ChartRow { label: label.to_owned(), lanes: 1, ..ChartRow::default() });
        }
        let look = looks.get(&row.order).copied().unwrap_or(NEUTRAL);
        lines[place].bars.push(labelled(account, row, look, &late));
    }
    lines
}

/// A bar of the view of units: orders are named on it.
fn labelled(account: &Account, row: &Row, look: Look, late: &BTreeMap<&str, i64>) -> Bar {
    let mut bar = bar(account, row, look);
    bar.labels = match row.kind {
        Kind::Setup => Vec::new(),
        Kind::Hold => vec![row.order.clone()],
        _ => vec![format!("{} {}", row.order, row.step), row.order.clone()],
    };
    bar.is_late = row.kind == Kind::Step && late.get(row.order.as_str()) == Some(&row.end);
    bar
}

fn unit_label(resource: &Use, unit: &Unit) -> String {
    match resource.units.len() {
        1 => resource.name.clone(),
        _ => format!("{} {}", resource.name, unit.name),
    }
}

/// The gaps between a unit's windows. Windows are known a little beyond the end of the schedule;
/// what comes after the last of them is not told.
fn closed(unit: &Unit, end: i64) -> Vec<(i64, i64)> {
    let Some(open) = &unit.open else { return Vec::new() };
    let last = (end, i64::MAX);
    let mut gaps = Vec::new();
    let mut from = 0;
    for &(open, close) in open.iter().chain(std::iter::once(&last)) {
        if open > from {
            gaps.push((from, open));
        }
        from = from.max(close);
        if from > end.saturating_mul(2) {
            break;
        }
    }
    gaps
}

/// Orders that are late, with their finish.
fn late(account: &Account) -> BTreeMap<&str, i64> {
    let late = account.orders.iter().filter(|order| order.tardiness() > 0);
    late.filter_map(|order| Some((order.id.as_str(), order.finish?))).collect()
}

fn bar(account: &Account, row: &Row, look: Look) -> Bar {
    let key = (row.order.clone(), row.step.clone());
    let whole = || vec![(row.start, row.end)];
    let stretches = match row.kind {
        Kind::Step => account.stretches.get(&key).cloned().unwrap_or_else(whole),
        _ => whole(),
    };
    Bar {
        kind: row.kind,
        start: row.start,
        end: row.end,
        stretches,
        look,
        about: about(account, row),
        labels: Vec::new(),
        lane: 0,
        is_late: false,
        is_beside: false,
    }
}

fn about(account: &Account, row: &Row) -> String {
    let kind = if row.kind == Kind::Step { "" } else { row.kind.name() };
    let words = [kind, &row.order, &row.step, &row.resource, &row.unit];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let at = |instant: i64| account.time.told(instant);
    format!("{}: {} to {}", words.join(" "), at(row.start), at(row.end))
}

/// The first row that is free when this one starts.
fn lane(free_until: &mut Vec<i64>, row: &Row) -> usize {
    let free = free_until.iter().position(|&until| until <= row.start);
    let lane = free.unwrap_or_else(|| {
        free_until.push(0);
        free_until.len() - 1
    });
    free_until[lane] = row.end;
    lane
}

/// A row for each order; steps at the same time stand above each other. Colours are those of the
/// first resource that a step takes.
fn orders(sheet: &Sheet, looks: &Looks) -> Vec<ChartRow> {
    let account = sheet.account;
    let mut rows: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in Sequence::of(sheet.spec).sorted(&sheet.schedule.rows) {
        rows.entry(&row.order).or_default().push(row);
    }
    let line = |order: &crate::account::OrderFigures| {
        let own = rows.get(order.id.as_str()).map_or(&[][..], Vec::as_slice);
        let late = order.finish.filter(|_| order.tardiness() > 0);
        let late = late.map(|at| (at, format!("+{}", account.time.length(order.tardiness()))));
        let mut line = ChartRow {
            label: order.id.clone(),
            due: order.due,
            deadline: order.deadline,
            late,
            ..ChartRow::default()
        };
        let mut seen: BTreeSet<(&str, Kind, &str)> = BTreeSet::new();
        let mut free_until: Vec<i64> = Vec::new();
        for row in own {
            // An amount, or several resources at once, is one bar; each resource held is one.
            let resource = if row.kind == Kind::Step { "" } else { row.resource.as_str() };
            if !seen.insert((&row.step, row.kind, resource)) {
                continue;
            }
            let look = looks.get(&row.resource).copied().unwrap_or(NEUTRAL);
            let mut bar = bar(account, row, look);
            if row.kind == Kind::Step {
                bar.lane = lane(&mut free_until, row);
                bar.labels = vec![row.step.clone()];
            }
            bar.is_beside = row.kind == Kind::Hold;
            line.bars.push(bar);
        }
        line.lanes = free_until.len().max(1);
        line
    };
    account.orders.iter().map(line).collect()
}
