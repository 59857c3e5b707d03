//! Layouts side by side: `compare.csv`, and a table for the terminal.

use super::Rhythm;
use super::compare::{Alternative, cell, resources, table, with_shares};
use std::fmt::Write;

/// A column, and what stands in it for one layout of several.
type Column = (&'static str, fn(&[Alternative], &Alternative) -> String);

const COLUMNS: [Column; 11] = [
    ("spec", |_, one| one.headline.name.clone()),
    ("status", |_, one| one.headline.status.clone()),
    ("interval", |_, one| cell(one.headline.value.as_ref())),
    ("throughput", |_, one| cell(rhythm(one).map(|rhythm| format!("{:.9}", rhythm.throughput())))),
    ("bound", |_, one| cell(one.headline.bound.as_ref())),
    ("critical", |_, one| cell(one.critical)),
    ("max_gap", |_, one| cell(rhythm(one).map(|rhythm| rhythm.max_gap))),
    ("first", |_, one| cell(rhythm(one).map(|rhythm| rhythm.first))),
    ("policy", |_, one| cell(one.policy)),
    ("loss", |all, one| cell(loss(all, one).map(|loss| format!("{loss:.4}")))),
    ("seconds", |_, one| format!("{:.2}", one.seconds)),
];

/// One row per layout; behind the figures the utilisation of each component in the cycle.
pub fn csv(all: &[Alternative]) -> Vec<u8> {
    let records = all.iter().map(|one| COLUMNS.map(|(_, cell)| cell(all, one)).to_vec());
    with_shares(all, &COLUMNS.map(|(name, _)| name), records)
}

fn rhythm<'a>(one: &Alternative<'a>) -> Option<&'a Rhythm> {
    one.sheet.and_then(|sheet| sheet.rhythm)
}

/// How much longer the interval is than the first layout's.
pub fn loss(all: &[Alternative], one: &Alternative) -> Option<f64> {
    Some(rhythm(one)?.loss(rhythm(all.first()?)?))
}

/// What an architect compares first, and how busy every component is in the cycle.
pub fn text(all: &[Alternative]) -> String {
    let head = ["layout", "status", "interval", "per 1000", "bound", "first", "max gap"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows[0].extend(["critical", "policy", "loss", "time"].map(str::to_owned));
    let dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    for one in all {
        let rhythm = rhythm(one);
        rows.push(vec![
            one.headline.name.clone(),
            one.headline.status.clone(),
            dash(cell(one.headline.value.as_ref())),
            dash(cell(rhythm.map(|rhythm| format!("{:.3}", rhythm.throughput() * 1000.0)))),
            dash(cell(one.headline.bound.as_ref())),
            dash(cell(rhythm.map(|rhythm| rhythm.first))),
            dash(cell(rhythm.map(|rhythm| rhythm.max_gap))),
            dash(cell(one.critical)),
            dash(cell(one.policy)),
            dash(cell(loss(all, one).map(|loss| format!("{:+.0} %", loss * 100.0)))),
            format!("{:.2} s", one.seconds),
        ]);
    }
    let mut out = table(&rows);
    let components = resources(all);
    if components.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\nshare of the cycle in which components are busy");
    let mut rows = vec![vec!["layout".to_owned(), String::new()]];
    rows[0].extend(components.iter().cloned());
    for one in all {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        let mut row = vec![one.headline.name.clone(), String::new()];
        let shares = components.iter().map(|name| one.utilisation(name).map(percent));
        row.extend(shares.map(|share| dash(cell(share))));
        rows.push(row);
    }
    out.push_str(&table(&rows));
    out
}
