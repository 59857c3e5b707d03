//! Under the chart: the axis' names, what colours stand for, what signs mean.

use super::axis::{Axis, Tick};
use super::chart::{self, INK, PALE, Panel};
use super::colour::{Look, NEUTRAL};
use super::measure::{shorten, width};
use super::rows::{Bar, ChartRow};
use super::scene::{Align, Area, Scene};
use super::words;
use crate::render::View;
use plotters::style::RGBColor;
use takt_spec::schedule::Kind;

const LINES: i32 = 6;
const LINE: i32 = 20;
const FONT: f64 = 11.0;

/// Labels of ticks that do not touch each other, on two lines; gives where they end.
pub fn axis(scene: &mut Scene, axis: &Axis, ticks: &[Tick], unit: &str, y: i32) -> i32 {
    let mut free = i32::MIN;
    let mut has_groups = false;
    for tick in ticks {
        scene.line((tick.x, y), (tick.x, y + 4), PALE, 1);
        let wide = width(&tick.label, FONT);
        let fits = tick.x - wide / 2 > free && tick.x + wide / 2 <= axis.right + 30;
        if fits {
            scene.text(&tick.label, (tick.x, y + 13), FONT, PALE, Align::Middle);
            free = tick.x + wide / 2 + 6;
        }
        has_groups |= tick.group.as_ref().is_some_and(|group| !group.is_empty());
    }
    if has_groups {
        groups(scene, axis, ticks, y + 29);
    } else {
        let at = ((axis.left + axis.right) / 2, y + 29);
        scene.text(unit, at, FONT, PALE, Align::Middle);
    }
    y + 38
}

fn groups(scene: &mut Scene, axis: &Axis, ticks: &[Tick], y: i32) {
    let named: Vec<(i32, &String)> =
        ticks.iter().filter_map(|tick| Some((tick.x, tick.group.as_ref()?))).collect();
    let mut free = i32::MIN;
    for (i, (x, group)) in named.iter().enumerate() {
        let until = named.get(i + 1).map_or(axis.right + 30, |next| next.0 - 6);
        // The first one always stands; the others move a little to the right if they must.
        let left = (x - 12).max(free);
        let wide = width(group, FONT);
        if left + wide <= until || i == 0 && left + wide <= axis.right {
            scene.text(group, (left, y), FONT, INK, Align::Left);
            free = left + wide + 6;
        }
    }
}

/// Swatches for what has a colour; gives where they end.
pub fn colours(
    scene: &mut Scene,
    axis: &Axis,
    names: &[(String, Look)],
    view: View,
    y: i32,
) -> i32 {
    let mut pen = Pen::new(axis, y + 14);
    for (i, (name, look)) in names.iter().enumerate() {
        let label = shorten(name, 160, FONT);
        let is_last_line = pen.line + 1 >= LINES;
        let rest = words::rest(names.len() - i, view);
        // The last line keeps room for saying what is left out.
        let needed = 18 + width(&label, FONT);
        let reserve = if is_last_line && i + 1 < names.len() { 24 + width(&rest, FONT) } else { 0 };
        let Some((x, y)) = pen.room(needed + reserve, needed, LINES) else {
            if let Some((x, y)) = pen.room(width(&rest, FONT), width(&rest, FONT), LINES) {
                scene.text(&rest, (x, y), FONT, PALE, Align::Left);
            }
            break;
        };
        look.paint(scene, Area::new(x, y - 6, x + 12, y + 6));
        scene.text(&label, (x + 18, y), FONT, INK, Align::Left);
    }
    pen.y + 12
}

/// Only the signs that the chart has.
pub fn signs(scene: &mut Scene, axis: &Axis, panels: &[Panel], view: View, y: i32) -> i32 {
    let any = |has: fn(&ChartRow) -> bool| panels.iter().flat_map(|panel| &panel.lines).any(has);
    let any_bar = |has: fn(&Bar) -> bool| {
        panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.bars).any(has)
    };
    let has_dues = panels.iter().any(|panel| !panel.dues.is_empty());
    let has_late = any(|line| line.late.is_some()) || any_bar(|bar| bar.is_late);
    let all = [
        (any_bar(|bar| bar.kind == Kind::Setup), Sign::Setup, "setup"),
        (any_bar(|bar| bar.kind == Kind::Hold), Sign::Hold(view), "held"),
        (any_bar(|bar| bar.stretches.len() > 1), Sign::Pause, "pause"),
        (any(|line| !line.closed.is_empty()), Sign::Closed, "closed"),
        (has_dues || any(|line| line.due.is_some()), Sign::Due, "due"),
        (any(|line| line.deadline.is_some()), Sign::Deadline, "deadline"),
        (has_late, Sign::Late(view), "late"),
    ];
    let mut pen = Pen::new(axis, y + 10);
    let mut has_any = false;
    for (_, sign, label) in all.into_iter().filter(|(is_there, ..)| *is_there) {
        let needed = 34 + width(label, FONT);
        let Some((x, y)) = pen.room(needed, needed, i32::MAX) else { break };
        sign.paint(scene, Area::new(x, y - 7, x + 26, y + 7));
        scene.text(label, (x + 34, y), FONT, INK, Align::Left);
        has_any = true;
    }
    if has_any { pen.y + 12 } else { y }
}

#[derive(Clone, Copy)]
enum Sign {
    Setup,
    Hold(View),
    Pause,
    Closed,
    Due,
    Deadline,
    Late(View),
}

impl Sign {
    fn paint(self, scene: &mut Scene, area: Area) {
        let middle = (area.left + area.right) / 2;
        match self {
            Sign::Setup => chart::setup(scene, area),
            Sign::Hold(View::Resources) => chart::hold(scene, area, Look::of(0)),
            Sign::Hold(View::Orders) => {
                let bottom = area.top + 4;
                scene.fill(Area { bottom, ..area }, Look::of(0).ground());
                scene.fill(Area { top: bottom, ..area }, NEUTRAL.ground());
            }
            Sign::Deadline => scene.line((middle, area.top), (middle, area.bottom), INK, 3),
            Sign::Pause => {
                chart::pause(scene, area, Look::of(0));
                for (left, right) in [(area.left, area.left + 7), (area.right - 7, area.right)] {
                    Look::of(0).paint(scene, Area { left, right, ..area });
                }
            }
            Sign::Closed => scene.fill(area, RGBColor(226, 226, 226)),
            Sign::Due => chart::triangle(scene, (middle, area.bottom - 3), Look::of(0), false),
            Sign::Late(View::Orders) => {
                scene.line((area.left, area.middle()), (area.right, area.middle()), INK, 3);
            }
            Sign::Late(View::Resources) => {
                let (x, top) = (area.right, area.top);
                scene.polygon(vec![(x - 8, top), (x, top), (x, top + 9)], INK);
                scene.line((x, top), (x, area.bottom), INK, 2);
            }
        }
    }
}

/// Writes entries from left to right, then on the next line.
struct Pen {
    left: i32,
    right: i32,
    x: i32,
    y: i32,
    line: i32,
}

impl Pen {
    fn new(axis: &Axis, y: i32) -> Pen {
        Pen { left: axis.left, right: axis.right, x: axis.left, y, line: 0 }
    }

    /// A place with so much room, of which `taken` will be used.
    fn room(&mut self, needed: i32, taken: i32, lines: i32) -> Option<(i32, i32)> {
        if self.x + needed > self.right && self.x > self.left {
            if self.line + 1 >= lines {
                return (self.x + taken <= self.right && needed == taken).then(|| self.take(taken));
            }
            (self.x, self.y, self.line) = (self.left, self.y + LINE, self.line + 1);
        }
        Some(self.take(taken))
    }

    fn take(&mut self, taken: i32) -> (i32, i32) {
        let at = (self.x, self.y);
        self.x += taken + 18;
        at
    }
}
