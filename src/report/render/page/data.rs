//! The plan as compact data for the scripts: columns of whole numbers, names told once.
//!
//! Instants are those of the page's clock. Starts that rise are told by their differences. `script/data.js`
//! reads what is written here.

use super::times;
use super::work::{Bars, Jobs, Spans, Work};
use crate::account::{Account, OrderFigures};
use crate::render::Sheet;
use crate::render::svg::Clock;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use takt_spec::Time;
use takt_spec::schedule::{Kind, Row};

pub fn data(title: &str, sheets: &[Sheet]) -> String {
    let common = times(sheets);
    let plans = sheets.iter().zip(&common.clocks).map(|(sheet, clock)| plan(sheet, *clock));
    let from = common.clocks.iter().map(|clock| clock.offset).min().unwrap_or(0);
    let ends = sheets.iter().zip(&common.clocks).map(|(sheet, at)| at.at(sheet.account.end));
    let to = ends.max().unwrap_or(0);
    let is_layout = sheets.iter().any(|sheet| sheet.rhythm.is_some());
    let data = Data {
        version: 1,
        title,
        kind: if is_layout { "layout" } else { "plant" },
        time: clock(&common.time, from, to),
        plans: plans.collect(),
    };
    serde_json::to_string(&data).expect("names and numbers can be written")
}

#[derive(Serialize)]
struct Data<'a> {
    /// Of the form of the data.
    version: u8,
    title: &'a str,
    kind: &'static str,
    time: ToldTime,
    plans: Vec<Plan<'a>>,
}

/// What instants mean.
#[derive(Serialize)]
struct ToldTime {
    unit: &'static str,
    seconds: Option<i64>,
    start: Option<String>,
    /// From some instant on, the seconds by which civil time is ahead of a plain count.
    ahead: Vec<[i64; 2]>,
}

#[derive(Serialize)]
struct Plan<'a> {
    name: &'a str,
    end: i64,
    now: Option<i64>,
    /// From, to, wafers.
    cycle: Option<[i64; 3]>,
    resources: Vec<&'a str>,
    units: Vec<ToldUnit<'a>>,
    /// Resource, calendar, and how many units are not told of.
    idle: Vec<(usize, Option<usize>, usize)>,
    calendars: Vec<Vec<i64>>,
    orders: Orders<'a>,
    jobs: Jobs,
    bars: Bars,
    holds: Spans,
    setups: Spans,
    names: Vec<String>,
}

/// Resource, name and calendar.
type ToldUnit<'a> = (usize, &'a str, Option<usize>);

/// Times that no order has are left out as a whole.
#[derive(Serialize)]
struct Orders<'a> {
    id: Vec<&'a str>,
    recipe: Vec<usize>,
    family: Vec<usize>,
    release: Option<Vec<Option<i64>>>,
    due: Option<Vec<Option<i64>>>,
    deadline: Option<Vec<Option<i64>>>,
    start: Option<Vec<Option<i64>>>,
    finish: Option<Vec<Option<i64>>>,
}

fn clock(time: &Time, from: i64, to: i64) -> ToldTime {
    let civil = |instant: i64| time.civil(instant);
    let start = civil(0).map(|at| at.strftime("%Y-%m-%dT%H:%M:%S").to_string());
    let ahead = |instant: i64| {
        let passed = civil(instant)?.duration_since(civil(0)?).as_secs();
        Some(passed - instant * time.unit.seconds()?)
    };
    let mut changes: Vec<[i64; 2]> = Vec::new();
    let mut last = 0;
    let week = time.unit.seconds().map_or(i64::MAX, |unit| (7 * 86_400 / unit).max(1));
    // Clocks are set at most once a week, and not for ever.
    let mut at = from;
    while time.zone.is_some() && at < to && changes.len() < 400 {
        let next = at.saturating_add(week).min(to);
        let Some(then) = ahead(next) else { break };
        if then != last {
            let first = first(at, next, |instant| ahead(instant) == Some(then));
            changes.push([first, then]);
            last = then;
        }
        at = next;
    }
    let (unit, seconds) = (time.unit.name(), time.unit.seconds());
    ToldTime { unit, seconds, start, ahead: changes }
}

/// The first instant after one for which this holds, as it does at the last and from then on.
fn first(mut after: i64, mut at: i64, holds: impl Fn(i64) -> bool) -> i64 {
    while at - after > 1 {
        let middle = after + (at - after) / 2;
        if holds(middle) { at = middle } else { after = middle }
    }
    at
}

fn plan<'a>(sheet: &Sheet<'a>, clock: Clock) -> Plan<'a> {
    let account = sheet.account;
    let mut names = Names::default();
    let units = Units::of(sheet);
    let orders = orders(account, clock, &mut names);
    let work = Work::of(sheet, &units, clock);
    let jobs = work.jobs(sheet, &mut names);
    let cycle = sheet.rhythm.map(|rhythm| rhythm.cycle);
    Plan {
        name: &sheet.headline.name,
        end: clock.at(account.end),
        now: (account.now > 0).then(|| clock.at(account.now)),
        cycle: cycle.map(|cycle| [clock.at(cycle.start), clock.at(cycle.end), cycle.wafers]),
        resources: account.resources.iter().map(|of| of.name.as_str()).collect(),
        idle: units.idle.iter().map(|(&(of, calendar), &count)| (of, calendar, count)).collect(),
        calendars: windows(account, clock),
        orders,
        jobs,
        bars: work.bars(),
        holds: work.spans(Kind::Hold),
        setups: work.spans(Kind::Setup),
        units: units.told,
        names: names.all,
    }
}

/// Names that come again, by number.
#[derive(Default)]
pub struct Names {
    numbers: HashMap<String, usize>,
    all: Vec<String>,
}

impl Names {
    pub fn number(&mut self, name: &str) -> usize {
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        self.all.push(name.to_owned());
        self.numbers.insert(name.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

/// Of a resource with more units than this, those that nobody takes are only counted.
const MANY_UNITS: usize = 12;

/// The units that are told of, resource by resource.
pub struct Units<'a> {
    numbers: HashMap<(&'a str, &'a str), usize>,
    told: Vec<ToldUnit<'a>>,
    /// Resource and calendar of those that are only counted.
    idle: BTreeMap<(usize, Option<usize>), usize>,
}

impl<'a> Units<'a> {
    fn of(sheet: &Sheet<'a>) -> Units<'a> {
        let account = sheet.account;
        let rows = sheet.schedule.rows.iter();
        let taken: HashSet<(&str, &str)> =
            rows.map(|row| (row.resource.as_str(), row.unit.as_str())).collect();
        let calendars = calendars(account);
        let mut units = Units { numbers: HashMap::new(), told: Vec::new(), idle: BTreeMap::new() };
        for (k, of) in account.resources.iter().enumerate() {
            for unit in &of.units {
                let own = unit.open.as_ref();
                let own = own.and_then(|own| calendars.iter().position(|known| **known == own[..]));
                let name = (of.name.as_str(), unit.name.as_str());
                if of.units.len() <= MANY_UNITS || taken.contains(&name) {
                    units.numbers.insert(name, units.told.len());
                    units.told.push((k, &unit.name, own));
                } else {
                    *units.idle.entry((k, own)).or_default() += 1;
                }
            }
        }
        units
    }

    pub fn number(&self, row: &Row) -> Option<usize> {
        self.numbers.get(&(row.resource.as_str(), row.unit.as_str())).copied()
    }
}

/// Windows one after the other, up to a little after the end.
fn windows(account: &Account, clock: Clock) -> Vec<Vec<i64>> {
    let until = account.end.saturating_add(account.end / 4);
    let told = |windows: &&[(i64, i64)]| {
        let windows = windows.iter().take_while(|window| window.0 <= until);
        differences(windows.flat_map(|window| [clock.at(window.0), clock.at(window.1)]))
    };
    calendars(account).iter().map(told).collect()
}

/// Each once.
fn calendars(account: &Account) -> Vec<&[(i64, i64)]> {
    let mut known: Vec<&[(i64, i64)]> = Vec::new();
    for unit in account.resources.iter().flat_map(|of| &of.units) {
        if let Some(own) = &unit.open
            && !known.contains(&&own[..])
        {
            known.push(own);
        }
    }
    known
}

/// Numbers that rise take less room so.
pub fn differences(numbers: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut last = 0;
    let step = |number: i64| number - std::mem::replace(&mut last, number);
    numbers.map(step).collect()
}

fn orders<'a>(account: &'a Account, clock: Clock, names: &mut Names) -> Orders<'a> {
    let all = &account.orders;
    let times = |time: fn(&OrderFigures) -> Option<i64>| {
        let has_any = all.iter().any(|order| time(order).is_some());
        has_any.then(|| all.iter().map(|order| time(order).map(|at| clock.at(at))).collect())
    };
    Orders {
        id: all.iter().map(|order| order.id.as_str()).collect(),
        recipe: all.iter().map(|order| names.number(&order.recipe)).collect(),
        family: all.iter().map(|order| names.number(&order.family)).collect(),
        release: times(|order| (order.release > 0).then_some(order.release)),
        due: times(|order| order.due),
        deadline: times(|order| order.deadline),
        start: times(|order| order.start),
        finish: times(|order| order.finish),
    }
}
