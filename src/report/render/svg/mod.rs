//! `schedule.svg` and the chart of a comparison: rows of bars over time.
//!
//! What is shown (`rows`) gets its place (`chart`, `axis`, `legend`) in a scene of marks, which
//! is then painted with plotters. Grid, labels and legend are placed by hand: those of plotters
//! are made for functions, not for bars. Text is measured by a table of widths, since no font is at
//! hand; a label is there only where it fits.

pub(super) mod axis;
mod chart;
mod colour;
mod legend;
mod machine;
pub(super) mod measure;
mod paint;
mod policy;
mod rows;
mod scene;
mod words;

pub use policy::policy_svg;

use super::text::title;
use super::{Sheet, View};
use axis::Axis;
use chart::{MARGIN, Panel, Size};
use colour::{Look, NEUTRAL};
use rows::Looks;
use scene::Scene;
use takt_spec::{Time, Unit};

/// Room on the right for half a label of the last tick.
const RIGHT: i32 = 40;

/// Schedules under each other on one time axis; what has the same name has the same colour.
pub fn charts(sheets: &[Sheet], view: View) -> String {
    let is_layout = sheets.iter().any(|sheet| sheet.rhythm.is_some());
    paint::paint(&if is_layout { machine::scene(sheets) } else { scene(sheets, view) })
}

fn scene(sheets: &[Sheet], view: View) -> Scene {
    let names = names(sheets, view);
    let looks: Looks = names.iter().cloned().collect();
    let times: Vec<&Time> = sheets.iter().map(|sheet| &sheet.account.time).collect();
    let common = Common::of(&times);
    let panels: Vec<Panel> = (sheets.iter().zip(&common.clocks))
        .map(|(sheet, clock)| panel(sheet, view, &looks, *clock))
        .collect();
    let size = Size::of(&panels);
    let width = Size::width(&panels);
    let axis = Axis {
        left: MARGIN + size.labels(&panels) + 10,
        right: width - RIGHT,
        from: common.clocks.iter().map(|clock| clock.offset).min().unwrap_or(0),
        to: latest(&panels),
    };
    let ticks = axis.ticks(&common.time);
    let mut scene = Scene { width, ..Scene::default() };
    let bottom = chart::place(&mut scene, &panels, &axis, &ticks, size);
    let unit = format!("time in {}s", common.time.unit.name());
    let bottom = legend::axis(&mut scene, &axis, &ticks, &unit, bottom);
    let bottom = legend::colours(&mut scene, &axis, &names, view, bottom);
    scene.height = legend::signs(&mut scene, &axis, &panels, view, bottom) + 12;
    scene
}

/// What has a colour, in the sequence of the specs.
fn names(sheets: &[Sheet], view: View) -> Vec<(String, Look)> {
    let mut names: Vec<(String, Look)> = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for sheet in sheets {
        let own: Vec<&String> = match view {
            View::Resources => sheet.account.orders.iter().map(|order| &order.id).collect(),
            View::Orders => sheet.account.resources.iter().map(|r| &r.name).collect(),
        };
        for name in own {
            if known.insert(name.clone()) {
                names.push((name.clone(), Look::of(names.len())));
            }
        }
    }
    names
}

fn panel(sheet: &Sheet, view: View, looks: &Looks, clock: Clock) -> Panel {
    let account = sheet.account;
    let mut lines = rows::lines(sheet, view, looks);
    lines.iter_mut().for_each(|line| clock.set(line));
    let dues = account.orders.iter().filter_map(|order| {
        let look = looks.get(&order.id).copied().unwrap_or(NEUTRAL);
        Some((clock.at(order.due?), look, order.tardiness() > 0))
    });
    Panel {
        title: title(sheet.headline),
        about: words::about(sheet),
        lines,
        dues: if view == View::Resources { dues.collect() } else { Vec::new() },
        end: clock.at(account.end),
        end_label: account.time.told(account.end),
        marks: Vec::new(),
    }
}

/// The end of the axis: that of the last schedule, and dues that lie not far beyond it.
fn latest(panels: &[Panel]) -> i64 {
    let end = panels.iter().map(|panel| panel.end).max().unwrap_or(0).max(1);
    let dues = panels.iter().flat_map(|panel| {
        let own = panel.lines.iter().filter_map(|line| line.due);
        own.chain(panel.dues.iter().map(|due| due.0))
    });
    dues.filter(|due| *due <= end + end / 8).fold(end, i64::max)
}

/// Turns a schedule's instants into those of the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub factor: i64,
    pub offset: i64,
}

impl Clock {
    pub fn at(self, instant: i64) -> i64 {
        instant.saturating_mul(self.factor).saturating_add(self.offset)
    }

    fn set(self, line: &mut rows::ChartRow) {
        let both = |(from, to): (i64, i64)| (self.at(from), self.at(to));
        line.closed.iter_mut().for_each(|gap| *gap = both(*gap));
        for bar in &mut line.bars {
            (bar.start, bar.end) = both((bar.start, bar.end));
            bar.stretches.iter_mut().for_each(|stretch| *stretch = both(*stretch));
        }
        line.due = line.due.map(|due| self.at(due));
        line.deadline = line.deadline.map(|deadline| self.at(deadline));
        if let Some(late) = &mut line.late {
            late.0 = self.at(late.0);
        }
    }
}

/// The time of the axis, and the clock of each schedule.
pub(super) struct Common {
    pub time: Time,
    pub clocks: Vec<Clock>,
}

impl Common {
    /// Units of different lengths are counted in seconds; civil time needs the start of all.
    pub fn of(times: &[&Time]) -> Common {
        let plain = Clock { factor: 1, offset: 0 };
        let first = times.first().map_or_else(Time::default, |time| (*time).clone());
        let alike = times.iter().all(|time| **time == first);
        let lengths: Option<Vec<i64>> = times.iter().map(|time| time.unit.seconds()).collect();
        let Some(lengths) = lengths.filter(|_| !alike) else {
            return Common { time: first, clocks: vec![plain; times.len()] };
        };
        let offset = |time: &&Time| first.seconds_from_start(time.start.as_ref()?.value);
        let offsets: Option<Vec<i64>> = times.iter().map(offset).collect();
        let start = first.start.filter(|_| offsets.is_some());
        let offsets = offsets.unwrap_or_else(|| vec![0; times.len()]);
        let clocks = lengths.iter().zip(offsets).map(|(&factor, offset)| Clock { factor, offset });
        Common {
            clocks: clocks.collect(),
            time: Time { unit: Unit::Second, zone: first.zone.filter(|_| start.is_some()), start },
        }
    }
}

#[cfg(test)]
mod tests;
