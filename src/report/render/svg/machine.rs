//! The chart of a layout: components as rows, operations as colours, the cycle between A and B, and a
//! little of what follows.

use super::axis::Axis;
use super::chart::{self, MARGIN, Panel, Size};
use super::colour::{Look, NEUTRAL};
use super::rows::{Bar, ChartRow};
use super::scene::{Align, Scene};
use super::{RIGHT, legend, title};
use crate::render::{Rhythm, Sheet, View};
use takt_scanner::Cycle;
use takt_spec::schedule::{Kind, Row};

/// What every operation looks like, in the sequence of the legend. Ways in are plain, the ways back
/// pale.
const LOOKS: [(&str, Option<usize>); 14] = [
    ("load", Some(2)),
    ("unload", Some(9)),
    ("switch", Some(17)),
    ("recover", None),
    ("depressurize", Some(4)),
    ("pressurize", Some(11)),
    ("from-lock", Some(3)),
    ("to-lock", Some(10)),
    ("turn", Some(6)),
    ("to-chuck", Some(5)),
    ("from-chuck", Some(12)),
    ("swap", Some(14)),
    ("measure", Some(1)),
    ("expose", Some(0)),
];

/// The sign of an unload's end.
fn finished() -> Look {
    Look::of(16)
}

fn look(number: Option<usize>) -> Look {
    number.map_or(NEUTRAL, Look::of)
}

/// Schedules under each other on one axis. Those without a rhythm are not of layouts.
pub fn scene(sheets: &[Sheet]) -> Scene {
    let all: Vec<(Sheet, &Rhythm)> =
        sheets.iter().filter_map(|sheet| Some((*sheet, sheet.rhythm?))).collect();
    let all = all.as_slice();
    // That a cycle begins anew is seen after a part of it. Schedules that are shorter than the longest
    // have room for more.
    let seen = all.iter().map(|(sheet, rhythm)| {
        let Cycle { start, end, .. } = rhythm.cycle;
        sheet.account.end.min(end + (end - start) / 6)
    });
    let to = seen.max().unwrap_or(0).max(1);
    let panels: Vec<Panel> = all.iter().map(|(sheet, rhythm)| panel(sheet, rhythm, to)).collect();
    let size = Size::of(&panels);
    // Short operations still show: three pixels for five units where there is room. Wider charts
    // cannot be read as a whole.
    let width = i32::try_from(to / 5 * 3).unwrap_or(i32::MAX).clamp(1280, 2400);
    let axis = Axis { left: MARGIN + size.labels(&panels) + 10, right: width - RIGHT, from: 0, to };
    let time = all.first().map(|(sheet, _)| sheet.account.time.clone()).unwrap_or_default();
    let ticks = axis.ticks(&time);
    let mut scene = Scene { width, ..Scene::default() };
    let bottom = chart::place(&mut scene, &panels, &axis, &ticks, size);
    let unit = format!("time in {}s", time.unit.name());
    let bottom = legend::axis(&mut scene, &axis, &ticks, &unit, bottom);
    let used = |step: &str| all.iter().any(|(sheet, _)| rows(sheet).any(|row| row.step == step));
    let names: Vec<(String, Look)> = (LOOKS.iter().filter(|(step, _)| used(step)))
        .map(|(step, number)| ((*step).to_owned(), look(*number)))
        .collect();
    let bottom = legend::colours(&mut scene, &axis, &names, View::Resources, bottom) + 10;
    let sign = (axis.left + 6, bottom + 4);
    chart::triangle(&mut scene, sign, finished(), false);
    let words = "a wafer is finished; what is between A and B is repeated for ever";
    scene.text(words, (axis.left + 18, bottom), 11.0, chart::INK, Align::Left);
    scene.height = bottom + 20;
    scene
}

fn rows<'a>(sheet: &Sheet<'a>) -> impl Iterator<Item = &'a Row> {
    sheet.schedule.rows.iter()
}

/// One schedule up to an instant.
fn panel(sheet: &Sheet, rhythm: &Rhythm, to: i64) -> Panel {
    let account = sheet.account;
    let Cycle { start, end, .. } = rhythm.cycle;
    // What starts after the second cycle is not told.
    let last = account.end.min(to).min(end + (end - start));
    let is_shown = |row: &&Row| row.start < last;
    let lines = account.resources.iter().flat_map(|resource| {
        resource.units.iter().map(|unit| {
            let own = |row: &&Row| row.resource == resource.name && row.unit == unit.name;
            let label = match unit.name.as_str() {
                "" => resource.name.clone(),
                arm => format!("{}.{arm}", resource.name),
            };
            ChartRow {
                label,
                lanes: 1,
                bars: rows(sheet).filter(own).filter(is_shown).map(|row| bar(row, last)).collect(),
                ..ChartRow::default()
            }
        })
    });
    let unloads = rows(sheet).filter(|row| row.step == "unload" && row.resource == "track");
    Panel {
        title: title(sheet.headline),
        about: rhythm.about(),
        lines: lines.collect(),
        dues: unloads
            .filter(|row| row.end <= last)
            .map(|row| (row.end, finished(), false))
            .collect(),
        end: last,
        end_label: String::new(),
        marks: vec![(start, "A".to_owned()), (end, "B".to_owned())],
    }
}

/// Cut off where the chart ends.
fn bar(row: &Row, last: i64) -> Bar {
    let known = LOOKS.iter().find(|(step, _)| *step == row.step);
    let labels = match row.order.as_str() {
        "" => vec![row.step.clone()],
        wafer => vec![format!("{} {wafer}", row.step), wafer.to_owned()],
    };
    Bar {
        kind: Kind::Op,
        start: row.start,
        end: row.end.min(last),
        stretches: vec![(row.start, row.end.min(last))],
        look: look(known.and_then(|(_, number)| *number)),
        about: format!(
            "{} {} {} {}: {} to {}",
            row.order, row.step, row.resource, row.unit, row.start, row.end
        ),
        labels,
        lane: 0,
        is_late: false,
        is_beside: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_looks_different() {
        for (k, (one, number)) in LOOKS.iter().enumerate() {
            for (other, second) in &LOOKS[k + 1..] {
                assert_ne!(look(*number), look(*second), "{one} and {other}");
            }
        }
    }
}
