//! Layouts side by side: `compare.csv`, and a table for the terminal.

use super::compare::table;
use crate::account::Account;
use csv::Writer;
use std::collections::BTreeSet;
use std::fmt::Write;

/// One layout with its best rhythm; figures are missing where none was found.
#[derive(Clone, Debug)]
pub struct Machine<'a> {
    pub name: &'a str,
    pub status: &'a str,
    /// From one finished wafer to the next, exactly.
    pub interval: Option<String>,
    /// Finished wafers per unit of time, in the long run.
    pub throughput: Option<f64>,
    pub bound: Option<String>,
    pub critical: Option<&'a str>,
    pub max_gap: Option<i64>,
    pub first: Option<i64>,
    /// Classes of unsafe patterns.
    pub policy: Option<usize>,
    /// How much longer the interval is than the first layout's: 0.61 is 61 percent.
    pub loss: Option<f64>,
    pub seconds: f64,
    pub account: Option<&'a Account>,
}

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
pub fn machines_csv(all: &[Machine]) -> String {
    let components = components(all);
    let mut writer = Writer::from_writer(Vec::new());
    let mut header: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
    header.extend(components.iter().map(|name| format!("utilisation {name}")));
    let records = all.iter().map(|one| {
        let mut record = vec![
            one.name.to_owned(),
            one.status.to_owned(),
            cell(one.interval.as_ref()),
            cell(one.throughput.map(|rate| format!("{rate:.9}"))),
            cell(one.bound.as_ref()),
            cell(one.critical),
            cell(one.max_gap),
            cell(one.first),
            cell(one.policy),
            cell(one.loss.map(|loss| format!("{loss:.4}"))),
            format!("{:.2}", one.seconds),
        ];
        let share = |name: &String| utilisation(one, name).map(|share| format!("{share:.4}"));
        record.extend(components.iter().map(|name| cell(share(name))));
        record
    });
    for record in std::iter::once(header).chain(records) {
        writer.write_record(&record).expect("memory takes every record");
    }
    let bytes = writer.into_inner().expect("memory is always flushed");
    String::from_utf8(bytes).expect("text stays text")
}

fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// All names, in the sequence of the layouts.
fn components(all: &[Machine]) -> Vec<String> {
    let mut known = BTreeSet::new();
    let accounts = all.iter().filter_map(|one| one.account);
    let names = accounts.flat_map(|account| account.resources.iter().map(|r| r.name.clone()));
    names.filter(|name| known.insert(name.clone())).collect()
}

fn utilisation(one: &Machine, name: &str) -> Option<f64> {
    let own = one.account?.resources.iter().find(|resource| resource.name == name);
    own.map(|own| own.utilisation)
}

/// What an architect compares first, and how busy every component is in the cycle.
pub fn machines_text(all: &[Machine]) -> String {
    let head = ["layout", "status", "interval", "per 1000", "bound", "first", "max gap"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows[0].extend(["critical", "policy", "loss", "time"].map(str::to_owned));
    let dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    for one in all {
        rows.push(vec![
            one.name.to_owned(),
            one.status.to_owned(),
            dash(cell(one.interval.as_ref())),
            dash(cell(one.throughput.map(|rate| format!("{:.3}", rate * 1000.0)))),
            dash(cell(one.bound.as_ref())),
            dash(cell(one.first)),
            dash(cell(one.max_gap)),
            dash(cell(one.critical)),
            dash(cell(one.policy)),
            dash(cell(one.loss.map(|loss| format!("{:+.0} %", loss * 100.0)))),
            format!("{:.2} s", one.seconds),
        ]);
    }
    let mut out = table(&rows);
    let components = components(all);
    if components.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\nshare of the cycle in which components are busy");
    let mut rows = vec![vec!["layout".to_owned(), String::new()]];
    rows[0].extend(components.iter().cloned());
    for one in all {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        let mut row = vec![one.name.to_owned(), String::new()];
        let shares = components.iter().map(|name| utilisation(one, name).map(percent));
        row.extend(shares.map(|share| dash(cell(share))));
        rows.push(row);
    }
    out.push_str(&table(&rows));
    out
}
