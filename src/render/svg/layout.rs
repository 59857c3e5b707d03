//! Where everything stands on the chart, in pixels.

use super::measure::{shorten, width};
use crate::render::sequence::Sequence;
use crate::schedule::{Row, Schedule};
use crate::spec::Spec;
use std::collections::BTreeMap;

const WIDTH: i32 = 1280;
const LEGEND_LINES: i32 = 6;

pub struct Layout<'s> {
    pub margin: i32,
    pub left: i32,
    pub right: i32,
    pub top: i32,
    row_height: i32,
    /// The label of each row.
    pub rows: Vec<String>,
    pub bars: Vec<Bar<'s>>,
    pub end: i64,
    scale_end: i64,
    pub ticks: Vec<i64>,
    pub legend: Vec<Entry>,
    height: i32,
}

pub struct Bar<'s> {
    pub row: usize,
    pub start: i64,
    pub end: i64,
    /// The position of the order in the spec.
    pub order: usize,
    pub id: &'s str,
    pub step: &'s str,
}

pub struct Entry {
    pub x: i32,
    pub y: i32,
    pub label: String,
    /// Stands for all the orders that found no room.
    pub is_rest: bool,
}

impl<'s> Layout<'s> {
    pub fn of(spec: &Spec, schedule: &'s Schedule) -> Layout<'s> {
        let (rows, bars) = place(spec, schedule);
        let row_height = match rows.len() {
            0..=12 => 36,
            13..=30 => 26,
            _ => 18,
        };
        let end = schedule.end();
        let mut layout = Layout {
            margin: 24,
            left: 0,
            right: WIDTH - 32,
            top: 90,
            row_height,
            rows,
            bars,
            end,
            scale_end: end.max(1),
            ticks: Vec::new(),
            legend: Vec::new(),
            height: 0,
        };
        let labels = layout.rows.iter().map(|label| width(label, layout.font()));
        layout.left = layout.margin + labels.max().unwrap_or(0).clamp(40, 200) + 10;
        layout.ticks = ticks(layout.scale_end, i64::from(layout.right - layout.left) / 60);
        let lowest = layout.place_legend(spec);
        layout.height = lowest + 24;
        layout
    }

    pub fn size(&self) -> (u32, u32) {
        (WIDTH as u32, self.height.max(1) as u32)
    }

    pub fn row(&self, row: usize) -> (i32, i32) {
        let top = self.top + row as i32 * self.row_height;
        (top, top + self.row_height)
    }

    pub fn bottom(&self) -> i32 {
        self.row(self.rows.len()).0
    }

    pub fn inset(&self) -> i32 {
        self.row_height / 8
    }

    pub fn font(&self) -> f64 {
        if self.row_height >= 26 { 13.0 } else { 11.0 }
    }

    pub fn x(&self, time: i64) -> i32 {
        let share = time as f64 / self.scale_end as f64;
        self.left + (share * f64::from(self.right - self.left)).round() as i32
    }

    /// Lines of swatches under the axis; gives the lowest y used.
    fn place_legend(&mut self, spec: &Spec) -> i32 {
        let first = self.bottom() + 58;
        let (mut x, mut y) = (self.left, first);
        for (i, order) in spec.orders.iter().enumerate() {
            let label = shorten(&order.id.value, 160, 11.0);
            let needed = 18 + width(&label, 11.0) + 18;
            if x + needed > self.right && x > self.left {
                (x, y) = (self.left, y + 20);
            }
            if (y - first) / 20 >= LEGEND_LINES {
                let label = format!("and {} more orders", spec.orders.len() - i);
                self.legend.push(Entry { x: self.left - 18, y, label, is_rest: true });
                return y;
            }
            self.legend.push(Entry { x, y, label, is_rest: false });
            x += needed;
        }
        y
    }
}

/// A row for each unit in the spec's sequence; steps without a resource come below, on as many
/// lines as they need to stay apart.
fn place<'s>(spec: &Spec, schedule: &'s Schedule) -> (Vec<String>, Vec<Bar<'s>>) {
    let mut labels: Vec<String> = spec.resources.iter().map(|r| r.name.value.clone()).collect();
    let index: BTreeMap<&str, usize> =
        spec.resources.iter().enumerate().map(|(i, r)| (r.name.value.as_str(), i)).collect();
    let sequence = Sequence::of(spec);
    let mut free_until: Vec<i64> = Vec::new();
    let mut bars = Vec::new();
    for row in sequence.sorted(&schedule.rows) {
        let place = index.get(row.resource.as_str()).copied();
        let place = place.unwrap_or_else(|| labels.len() + lane(&mut free_until, row));
        bars.push(Bar {
            row: place,
            start: row.start,
            end: row.end,
            order: sequence.order(&row.order),
            id: &row.order,
            step: &row.step,
        });
    }
    let lanes = (0..free_until.len()).map(|i| if i == 0 { "no resource" } else { "" }.to_owned());
    labels.extend(lanes);
    (labels, bars)
}

/// The first line that is free when the row starts.
fn lane(free_until: &mut Vec<i64>, row: &Row) -> usize {
    let free = free_until.iter().position(|&until| until <= row.start);
    let lane = free.unwrap_or_else(|| {
        free_until.push(0);
        free_until.len() - 1
    });
    free_until[lane] = row.end;
    lane
}

/// Round instants from 0, at most `most` of them.
fn ticks(end: i64, most: i64) -> Vec<i64> {
    let mut step = 1;
    for factor in [2, 5, 10].into_iter().cycle() {
        if end / step <= most {
            break;
        }
        let power = 10_i64.pow(step.ilog10());
        step = power * factor;
    }
    (0..).map(|i| i * step).take_while(|tick| *tick <= end).collect()
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(7, 10), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(ticks(55, 6), [0, 10, 20, 30, 40, 50]);
        assert_eq!(ticks(999, 4), [0, 200, 400, 600, 800]);
        assert!(ticks(1_000_000_000, 12).len() <= 13);
    }
}
