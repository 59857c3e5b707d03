//! Alternatives side by side: `compare.csv`, and a table for the terminal.

use super::{Headline, Sheet, View, machine};
use crate::account::{Account, OrderFigures};
use csv::Writer;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// One alternative; without a schedule where none was found.
#[derive(Clone, Copy, Debug)]
pub struct Alternative<'a> {
    pub headline: &'a Headline,
    pub sheet: Option<Sheet<'a>>,
    pub seconds: f64,
    /// Of a layout: the resource that its bound rests on, and classes of unsafe patterns.
    pub critical: Option<&'a str>,
    pub policy: Option<usize>,
}

/// Alternatives, all of them plants or all of them layouts.
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    pub all: Vec<Alternative<'a>>,
    pub view: View,
    pub is_of_layouts: bool,
}

impl Comparison<'_> {
    /// A table for the terminal.
    pub fn text(&self) -> String {
        match self.is_of_layouts {
            true => machine::text(&self.all),
            false => text(&self.all),
        }
    }

    /// `compare.csv`.
    pub fn csv(&self) -> Vec<u8> {
        match self.is_of_layouts {
            true => machine::csv(&self.all),
            false => csv(&self.all),
        }
    }

    /// The changes of each alternative against the first; none where either has no schedule.
    pub fn changes(&self) -> Vec<Option<Changes>> {
        changes(&self.all)
    }

    /// How much longer the interval of each layout is than the first one's.
    pub fn losses(&self) -> Vec<Option<f64>> {
        self.all.iter().map(|one| machine::loss(&self.all, one)).collect()
    }
}

/// What an alternative changes for the orders that the first one has as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Orders that start or finish at another time.
    pub moved: Vec<String>,
    /// Orders that are late here and not there.
    pub late: Vec<String>,
}

fn changes(all: &[Alternative]) -> Vec<Option<Changes>> {
    let first = all.first().and_then(|first| first.sheet).map(|sheet| sheet.account);
    let of = |other: &Alternative| Some(change(first?, other.sheet?.account));
    all.iter().map(of).collect()
}

fn change(first: &Account, other: &Account) -> Changes {
    let before: BTreeMap<&str, &OrderFigures> =
        first.orders.iter().map(|order| (order.id.as_str(), order)).collect();
    // Civil time or seconds where both have them, otherwise plain numbers.
    let units = first.time.unit.seconds().zip(other.time.unit.seconds());
    let (one, two) = units.unwrap_or((1, 1));
    let start = other.time.start.as_ref().map(|start| start.value);
    let offset = start.and_then(|start| first.time.seconds_from_start(start)).unwrap_or(0);
    let mut changes = Changes::default();
    for order in &other.orders {
        let Some(old) = before.get(order.id.as_str()) else { continue };
        let there = |time: Option<i64>| time.map(|time| time.saturating_mul(one));
        let here = |time: Option<i64>| time.map(|time| time.saturating_mul(two) + offset);
        if there(old.start) != here(order.start) || there(old.finish) != here(order.finish) {
            changes.moved.push(order.id.clone());
        }
        if order.tardiness() > 0 && old.tardiness() == 0 {
            changes.late.push(order.id.clone());
        }
    }
    changes
}

/// A column, and what stands in it for an alternative with these changes.
type Column = (&'static str, fn(&Alternative, Option<&Changes>) -> String);

const COLUMNS: [Column; 17] = [
    ("spec", |one, _| one.headline.name.clone()),
    ("objective", |one, _| one.headline.objective.clone()),
    ("status", |one, _| one.headline.status.clone()),
    ("value", |one, _| one.headline.value.clone().unwrap_or_default()),
    ("bound", |one, _| one.headline.bound.clone().unwrap_or_default()),
    ("seconds", |one, _| format!("{:.2}", one.seconds)),
    ("end", |one, _| figure(one, |account| account.end.to_string())),
    ("on_time", |one, _| figure(one, |account| share(account.on_time()))),
    ("total_tardiness", |one, _| figure(one, |account| account.total_tardiness().to_string())),
    ("max_tardiness", |one, _| figure(one, |account| account.max_tardiness().to_string())),
    ("setup_time", |one, _| figure(one, |account| account.setup_time.to_string())),
    ("utilisation", |one, _| figure(one, |account| share(mean(account)))),
    ("late", |one, _| figure(one, |account| late(account).to_string())),
    ("moved", |_, changes| cell(changes.map(|changes| changes.moved.len()))),
    ("newly_late", |_, changes| cell(changes.map(|changes| changes.late.len()))),
    ("moved_orders", |_, changes| cell(changes.map(|changes| changes.moved.join(";")))),
    ("newly_late_orders", |_, changes| cell(changes.map(|changes| changes.late.join(";")))),
];

fn figure(one: &Alternative, figure: fn(&Account) -> String) -> String {
    cell(one.sheet.map(|sheet| figure(sheet.account)))
}

/// Empty where there is nothing to tell.
pub(super) fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// One row per alternative; behind the figures the utilisation of each resource.
pub(super) fn csv(all: &[Alternative]) -> Vec<u8> {
    let changes = changes(all);
    let records = all
        .iter()
        .zip(&changes)
        .map(|(one, changes)| COLUMNS.map(|(_, cell)| cell(one, changes.as_ref())).to_vec());
    with_shares(all, &COLUMNS.map(|(name, _)| name), records)
}

/// These columns, and behind them the utilisation of each resource.
pub(super) fn with_shares(
    all: &[Alternative],
    columns: &[&str],
    records: impl Iterator<Item = Vec<String>>,
) -> Vec<u8> {
    let resources = resources(all);
    let mut header: Vec<String> = columns.iter().map(|&name| name.to_owned()).collect();
    header.extend(resources.iter().map(|name| format!("utilisation {name}")));
    let records = all.iter().zip(records).map(|(one, mut record)| {
        record.extend(resources.iter().map(|name| cell(one.utilisation(name).map(share))));
        record
    });
    in_csv(std::iter::once(header).chain(records))
}

impl Alternative<'_> {
    pub(super) fn utilisation(&self, name: &str) -> Option<f64> {
        let own = self.sheet?.account.resources.iter().find(|resource| resource.name == name);
        own.map(|own| own.utilisation)
    }
}

fn in_csv(records: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(&record).expect("memory takes every record");
    }
    writer.into_inner().expect("memory is always flushed")
}

/// The names of all resources, in the sequence of the specs.
pub(super) fn resources(all: &[Alternative]) -> Vec<String> {
    let mut known = BTreeSet::new();
    let sheets = all.iter().filter_map(|one| one.sheet);
    let names = sheets.flat_map(|sheet| sheet.account.resources.iter().map(|r| r.name.clone()));
    names.filter(|name| known.insert(name.clone())).collect()
}

fn mean(account: &Account) -> f64 {
    let shares = account.resources.iter().map(|resource| resource.utilisation);
    shares.sum::<f64>() / account.resources.len().max(1) as f64
}

fn late(account: &Account) -> usize {
    account.orders.iter().filter(|order| order.tardiness() > 0).count()
}

fn share(share: f64) -> String {
    format!("{share:.4}")
}

/// A table of what a planner compares first, and the orders that change.
pub(super) fn text(all: &[Alternative]) -> String {
    let head = ["spec", "status", "value", "bound", "time", "end", "used", "late", "by", "moved"];
    let mut rows: Vec<Vec<String>> = vec![head.map(str::to_owned).to_vec()];
    let changes = changes(all);
    for (one, changes) in all.iter().zip(&changes) {
        let dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let account = one.sheet.map(|sheet| sheet.account);
        rows.push(vec![
            one.headline.name.clone(),
            one.headline.status.clone(),
            dash(one.headline.value.clone()),
            dash(one.headline.bound.clone()),
            format!("{:.2} s", one.seconds),
            dash(account.map(|account| account.time.told(account.end))),
            dash(account.map(|account| format!("{:.0} %", mean(account) * 100.0))),
            dash(account.map(|account| late(account).to_string())),
            dash(account.map(|account| account.time.length(account.total_tardiness()))),
            dash(changes.as_ref().map(|changes| changes.moved.len().to_string())),
        ]);
    }
    let mut out = table(&rows);
    for (one, changes) in all.iter().zip(&changes).skip(1) {
        let Some(changes) = changes else { continue };
        for (orders, word) in [(&changes.moved, "moved"), (&changes.late, "newly late")] {
            if !orders.is_empty() {
                let _ = writeln!(out, "{}: {word}: {}", one.headline.name, few(orders));
            }
        }
    }
    out
}

/// Names to the left, figures to the right.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(k, (cell, &width))| match k {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let _ = writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    out
}

pub(super) fn few(orders: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = orders.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match orders.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
