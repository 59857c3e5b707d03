//! `dispatch.csv`: what each unit does, shift by shift, in the sequence in which it is done.

use super::Sheet;
use super::csv::line;
use super::sequence::Sequence;
use crate::account::{Account, Unit};
use std::collections::BTreeMap;
use takt_spec::schedule::Row;

/// Seconds of the longest shift; windows that last longer say nothing about shifts.
const LONGEST: i64 = 86_400;

/// What takes no unit is nobody's to do, and left out.
pub(super) fn dispatch_csv(sheet: &Sheet) -> String {
    let account = sheet.account;
    let mut lines: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in Sequence::of(sheet.spec).sorted(&sheet.schedule.rows) {
        lines.entry((&row.resource, &row.unit)).or_default().push(row);
    }
    let families: BTreeMap<&str, &str> =
        account.orders.iter().map(|order| (order.id.as_str(), order.family.as_str())).collect();
    let mut out = String::from(
        "resource,unit,shift,start,end,kind,order,recipe,step,family,work,shift_time,start_time,end_time\n",
    );
    for of in &account.resources {
        for unit in &of.units {
            for row in lines.get(&(of.name.as_str(), unit.name.as_str())).into_iter().flatten() {
                let shift = shift(account, unit, row.start);
                let instants = [shift, row.start, row.end].map(|at| at.to_string());
                let times = [shift, row.start, row.end].map(|at| account.written(at));
                let family = families.get(row.order.as_str()).copied().unwrap_or_default();
                let work = row.work.map_or_else(String::new, |work| work.to_string());
                let names = [row.kind.name(), &row.order, &row.recipe, &row.step, family, &work];
                let place = [of.name.as_str(), &unit.name];
                let cells = place.into_iter().chain(instants.each_ref().map(String::as_str));
                let times = times.each_ref().map(String::as_str);
                line(&mut out, cells.chain(names).chain(times));
            }
        }
    }
    out
}

/// When the shift begins in which something starts: the window of the unit's calendar, else the day, else 0.
fn shift(account: &Account, unit: &Unit, start: i64) -> i64 {
    let length = account.time.unit.seconds();
    if let Some(open) = &unit.open {
        let window = open[..open.partition_point(|window| window.0 <= start)].last();
        let is_short = |window: &&(i64, i64)| {
            length.is_none_or(|unit| (window.1 - window.0).saturating_mul(unit) <= LONGEST)
        };
        if let Some(window) = window.filter(|window| window.1 > start).filter(is_short) {
            return window.0;
        }
    }
    day(account, start).unwrap_or(0)
}

/// The first instant of the day; of the first day that of the plan, unless something was before it.
fn day(account: &Account, instant: i64) -> Option<i64> {
    let unit = account.time.unit.seconds()?;
    let begins = match account.time.civil(instant) {
        Some(civil) => account.time.seconds_from_start(civil.date().into())?.div_euclid(unit),
        None => instant - instant.rem_euclid((LONGEST / unit).max(1)),
    };
    Some(if instant < 0 { begins } else { begins.max(0) })
}
