//! Layouts side by side: `compare.csv`, and a table for the terminal.

use super::compare::{Alternative, in_csv, resources, table};
use std::fmt::Write;

const COLUMNS: [&str; 11] = [
    "spec",
    "status",
    "interval",
    "throughput",
    "bound",
    "critical",
    "max_gap",
    "first",
    "policy",
    "loss",
    "seconds",
];

/// One row per layout; behind the figures the utilisation of each component in the cycle.
pub fn csv(all: &[Alternative]) -> Vec<u8> {
    let components = resources(all);
    let mut header: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
    header.extend(components.iter().map(|name| format!("utilisation {name}")));
    let records = all.iter().map(|one| {
        let rhythm = one.sheet.and_then(|sheet| sheet.rhythm);
        let mut record = vec![
            one.headline.name.clone(),
            one.headline.status.clone(),
            cell(one.headline.value.as_ref()),
            cell(rhythm.map(|rhythm| format!("{:.9}", rhythm.throughput()))),
            cell(one.headline.bound.as_ref()),
            cell(one.critical),
            cell(rhythm.map(|rhythm| rhythm.max_gap)),
            cell(rhythm.map(|rhythm| rhythm.first)),
            cell(one.policy),
            cell(loss(all, one).map(|loss| format!("{loss:.4}"))),
            format!("{:.2}", one.seconds),
        ];
        let share = |name: &String| utilisation(one, name).map(|share| format!("{share:.4}"));
        record.extend(components.iter().map(|name| cell(share(name))));
        record
    });
    in_csv(std::iter::once(header).chain(records))
}

/// How much longer the interval is than the first layout's.
pub fn loss(all: &[Alternative], one: &Alternative) -> Option<f64> {
    let first = all.first()?.sheet?.rhythm?;
    Some(one.sheet?.rhythm?.loss(first))
}

fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn utilisation(one: &Alternative, name: &str) -> Option<f64> {
    let own = one.sheet?.account.resources.iter().find(|resource| resource.name == name);
    own.map(|own| own.utilisation)
}

/// What an architect compares first, and how busy every component is in the cycle.
pub fn text(all: &[Alternative]) -> String {
    let head = ["layout", "status", "interval", "per 1000", "bound", "first", "max gap"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows[0].extend(["critical", "policy", "loss", "time"].map(str::to_owned));
    let dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    for one in all {
        let rhythm = one.sheet.and_then(|sheet| sheet.rhythm);
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
        let shares = components.iter().map(|name| utilisation(one, name).map(percent));
        row.extend(shares.map(|share| dash(cell(share))));
        rows.push(row);
    }
    out.push_str(&table(&rows));
    out
}
