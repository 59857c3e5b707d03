//! A chart that can be seen without scripts: bars where there are few, else how busy resources are over
//! time. Scripts put theirs in its place. Colours come from the page, so that it is dark where the page is.

use super::escape::in_html;
use super::{Sheet, times};
use crate::account::{Use, shares};
use crate::render::svg::axis::Axis;
use crate::render::svg::measure;
use crate::render::svg::{Clock, Common};
use std::collections::BTreeMap;
use std::fmt::Write;
use takt_spec::schedule::{Kind, Row};

/// More bars than this are told as load.
const MOST_BARS: usize = 400;
/// Of one schedule.
const MOST_ROWS: usize = 40;
/// Stretches that load is told for.
const PARTS: i64 = 96;
const WIDTH: i32 = 1200;
const LEFT: i32 = 150;
const ROW: i32 = 24;
const COLOURS: usize = 8;

pub fn chart(sheets: &[Sheet]) -> String {
    let common = times(sheets);
    let clocks = sheets.iter().zip(&common.clocks);
    let to = clocks.clone().map(|(sheet, clock)| clock.at(sheet.account.end)).max().unwrap_or(1);
    let from = common.clocks.iter().map(|clock| clock.offset).min().unwrap_or(0);
    let axis = Axis { left: LEFT, right: WIDTH - 16, from, to: to.max(from + 1) };
    let mut still = Still { out: String::new(), y: 30, axis };
    for (sheet, clock) in clocks {
        still.add(sheet, *clock, sheets.len() > 1);
    }
    still.finish(&common)
}

struct Still {
    out: String,
    y: i32,
    axis: Axis,
}

impl Still {
    fn add(&mut self, sheet: &Sheet, clock: Clock, is_named: bool) {
        if is_named {
            let (y, name) = (self.y + 14, in_html(&sheet.headline.name));
            let _ = write!(self.out, "<text class=p x=8 y={y}>{name}</text>");
            self.y += 22;
        }
        if sheet.schedule.rows.len() <= MOST_BARS {
            self.bars(sheet, clock);
        } else {
            self.load(sheet, clock);
        }
        self.y += 12;
    }

    fn label(&mut self, name: &str) {
        let short: String = match name.chars().count() {
            0..=20 => name.to_owned(),
            _ => name.chars().take(19).chain(['…']).collect(),
        };
        let (x, y) = (LEFT - 10, self.y + 16);
        let _ = write!(self.out, "<text class=r x={x} y={y}>{}</text>", in_html(&short));
    }

    /// A row for each unit that is taken.
    fn bars(&mut self, sheet: &Sheet, clock: Clock) {
        let account = sheet.account;
        let orders: BTreeMap<&str, usize> =
            account.orders.iter().enumerate().map(|(k, order)| (order.id.as_str(), k)).collect();
        let mut rows: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
        for row in &sheet.schedule.rows {
            rows.entry((&row.resource, &row.unit)).or_default().push(row);
        }
        let mut paths: BTreeMap<String, String> = BTreeMap::new();
        let mut names = String::new();
        for of in &account.resources {
            for unit in &of.units {
                let Some(own) = rows.get(&(of.name.as_str(), unit.name.as_str())) else { continue };
                for row in own {
                    let order = orders.get(row.order.as_str()).copied();
                    let (x, width) = self.place(row, clock);
                    let path = paths.entry(look(row, order)).or_default();
                    let _ = write!(path, "M{x} {}h{width}v18h-{width}z", self.y + 3);
                    name(&mut names, row, order, (x, self.y + 16), width);
                }
                self.label(&unit_name(of, &unit.name));
                self.y += ROW;
            }
        }
        for (class, path) in paths {
            let _ = write!(self.out, "<path class=\"{class}\" d=\"{path}\"/>");
        }
        self.out.push_str(&names);
    }

    /// Where a bar begins, and its width; a little is left between neighbours.
    fn place(&self, row: &Row, clock: Clock) -> (i32, i32) {
        let (from, to) = (self.axis.x(clock.at(row.start)), self.axis.x(clock.at(row.end)));
        (from, (to - from - 1).max(1))
    }

    /// A row for each resource, the busiest first where they are many.
    fn load(&mut self, sheet: &Sheet, clock: Clock) {
        let account = sheet.account;
        let edges: Vec<i64> = (0..=PARTS)
            .map(|k| account.end / PARTS * k + account.end % PARTS * k / PARTS)
            .collect();
        let shares = shares(account, sheet.schedule, &edges);
        let mut shown: Vec<usize> = (0..account.resources.len()).collect();
        if shown.len() > MOST_ROWS {
            let by_use = |k: &usize| account.resources[*k].utilisation;
            shown.sort_by(|a, b| by_use(b).total_cmp(&by_use(a)));
            shown.truncate(MOST_ROWS);
        }
        let mut paths: BTreeMap<i64, String> = BTreeMap::new();
        for k in shown {
            self.label(&account.resources[k].name);
            let level = |number: usize| {
                (shares[k][number].share().unwrap_or(0.0) * 8.0).ceil().clamp(0.0, 8.0) as i64
            };
            let mut from = 0;
            while from < shares[k].len() {
                let own = level(from);
                let alike = (from..shares[k].len()).take_while(|&next| level(next) == own).count();
                if own > 0 {
                    let x = self.axis.x(clock.at(edges[from]));
                    let width = self.axis.x(clock.at(edges[from + alike])) - x;
                    let path = paths.entry(own).or_default();
                    let _ = write!(path, "M{x} {}h{width}v18h-{width}z", self.y + 3);
                }
                from += alike;
            }
            self.y += ROW;
        }
        for (level, path) in paths {
            let _ = write!(self.out, "<path class=\"g g{level}\" d=\"{path}\"/>");
        }
    }

    fn finish(self, common: &Common) -> String {
        let bottom = self.y;
        let mut grid = String::new();
        for tick in self.axis.ticks(&common.time) {
            let (x, label) = (tick.x, in_html(&tick.label));
            let _ = write!(
                grid,
                "<path class=t d=\"M{x} 24V{bottom}\"/><text class=a x={x} y=18>{label}</text>"
            );
            if let Some(group) = tick.group.filter(|group| !group.is_empty()) {
                let (x, group) = (x, in_html(&group));
                let _ = write!(grid, "<text class=\"a b\" x={x} y=6>{group}</text>");
            }
        }
        format!(
            "<div class=scroll><svg class=still viewBox=\"0 -8 {WIDTH} {}\" role=img \
             aria-label=\"Chart of the plan\">{grid}{}</svg></div>",
            bottom + 8,
            self.out
        )
    }
}

fn unit_name(of: &Use, unit: &str) -> String {
    if of.units.len() > 1 { format!("{} {unit}", of.name) } else { of.name.clone() }
}

fn look(row: &Row, order: Option<usize>) -> String {
    match (row.kind, order) {
        (Kind::Hold, Some(order)) => format!("h k{}", order % COLOURS),
        (Kind::Step | Kind::Op, Some(order)) => format!("c k{}", order % COLOURS),
        _ => "s".to_owned(),
    }
}

/// The order, where there is room for it.
fn name(out: &mut String, row: &Row, order: Option<usize>, (x, y): (i32, i32), width: i32) {
    let room = measure::width(&row.order, 11.0) + 8 <= width;
    if row.kind != Kind::Setup && order.is_some() && room {
        let ink = if row.kind == Kind::Hold { "" } else { " class=i" };
        let _ = write!(out, "<text{ink} x={} y={y}>{}</text>", x + 4, in_html(&row.order));
    }
}
