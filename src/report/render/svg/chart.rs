//! Puts panels under each other on one time axis.

use super::axis::{Axis, Tick};
use super::colour::{self, Look};
use super::measure::{shorten, width};
use super::rows::{Bar, ChartRow};
use super::scene::{Align, Area, Scene};
use plotters::style::RGBColor;
use takt_spec::schedule::Kind;

pub const INK: RGBColor = RGBColor(38, 38, 38);
pub const PALE: RGBColor = RGBColor(105, 105, 105);
const GRID: RGBColor = RGBColor(222, 222, 222);
const BAND: RGBColor = RGBColor(247, 247, 247);
const CLOSED: RGBColor = RGBColor(226, 226, 226);
pub const SETUP: RGBColor = RGBColor(150, 150, 150);
const SETUP_GROUND: RGBColor = RGBColor(240, 240, 240);

pub const MARGIN: i32 = 24;
/// Between the title and the first row: dues and the end.
const STRIP: i32 = 22;
const TITLE: i32 = 46;
const GAP: i32 = 18;
/// Closed stretches and pauses that are narrower than this would only make it grey.
const FINEST: i32 = 2;
/// More lines than this for missed due instants would hide the bars.
const MANY: usize = 8;

/// One schedule on the chart, with its times on the common axis.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    pub title: String,
    pub about: String,
    pub lines: Vec<ChartRow>,
    /// Due instants, with the look of their order, and whether it is late.
    pub dues: Vec<(i64, Look, bool)>,
    pub end: i64,
    pub end_label: String,
    /// Instants with a name, as lines through all rows.
    pub marks: Vec<(i64, String)>,
}

/// How large things are.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub row: i32,
    pub font: f64,
}

impl Size {
    pub fn of(panels: &[Panel]) -> Size {
        let rows: usize = panels.iter().map(|panel| panel.lines.len()).sum();
        match rows {
            0..=12 => Size { row: 34, font: 12.0 },
            13..=30 => Size { row: 24, font: 11.0 },
            31..=80 => Size { row: 18, font: 10.0 },
            _ => Size { row: 14, font: 9.0 },
        }
    }

    /// As wide as the row with most bars asks for, within bounds.
    pub fn width(panels: &[Panel]) -> i32 {
        let lines = panels.iter().flat_map(|panel| &panel.lines);
        let most = lines.map(|line| line.bars.len()).max().unwrap_or(0) as i32;
        (most.min(1000) * 24 + 260).clamp(1280, 2400)
    }

    /// The room for labels of rows.
    pub fn labels(self, panels: &[Panel]) -> i32 {
        let lines = panels.iter().flat_map(|panel| &panel.lines);
        lines.map(|line| width(&line.label, self.font)).max().unwrap_or(0).clamp(40, 200)
    }
}

/// Paints all panels from `top` on; gives where they end.
pub fn place(scene: &mut Scene, panels: &[Panel], axis: &Axis, ticks: &[Tick], size: Size) -> i32 {
    let mut top = 12;
    for panel in panels {
        let body = top + TITLE + STRIP;
        let bottom = body + size.row * panel.lines.len() as i32;
        heading(scene, panel, axis, top);
        let areas = (0..).map(|i| {
            let y = body + size.row * i;
            Area::new(axis.left, y, axis.right, y + size.row)
        });
        let rows = || panel.lines.iter().zip(areas.clone());
        for (i, (line, area)) in rows().enumerate() {
            background(scene, line, axis, area, i);
            let label = shorten(&line.label, axis.left - MARGIN - 10, size.font);
            let at = (axis.left - 10, area.top + size.row / 2);
            scene.text(&label, at, size.font, INK, Align::Right);
        }
        for tick in ticks {
            scene.line((tick.x, body), (tick.x, bottom), GRID, 1);
        }
        strip(scene, panel, axis, body, bottom);
        rows().for_each(|(line, area)| contents(scene, line, axis, area, size));
        marks(scene, panel, axis, body, bottom);
        scene.line((axis.left, bottom), (axis.right, bottom), PALE, 1);
        top = bottom + GAP;
    }
    top - GAP
}

fn heading(scene: &mut Scene, panel: &Panel, axis: &Axis, top: i32) {
    let room = axis.right - MARGIN;
    let title = shorten(&panel.title, room, 16.0);
    scene.text(&title, (MARGIN, top + 14), 16.0, INK, Align::Left);
    let about = shorten(&panel.about, room, 11.0);
    scene.text(&about, (MARGIN, top + 35), 11.0, PALE, Align::Left);
}

fn background(scene: &mut Scene, line: &ChartRow, axis: &Axis, row: Area, number: usize) {
    if number.is_multiple_of(2) {
        scene.fill(row, BAND);
    }
    for &(from, to) in &line.closed {
        let (left, right) = (axis.x(from).max(row.left), axis.x(to).min(row.right));
        if right - left >= FINEST {
            scene.fill(Area::new(left, row.top, right, row.bottom), CLOSED);
        }
    }
}

/// Due instants as triangles, and the end as a line with its time.
fn strip(scene: &mut Scene, panel: &Panel, axis: &Axis, body: i32, bottom: i32) {
    let late = panel.dues.iter().filter(|due| due.2).count();
    for is_before in [true, false] {
        let is_out = |due: i64| if is_before { due < axis.from } else { due > axis.to };
        let mut out = panel.dues.iter().filter(|due| is_out(due.0));
        let Some(first) = out.next() else { continue };
        let x = if is_before { axis.left } else { axis.right };
        let colour = if out.next().is_none() { first.1.ground() } else { INK };
        beyond(scene, (x, body - 5), is_before, colour);
    }
    for &(due, look, is_late) in panel.dues.iter().filter(|due| axis.shows(due.0)) {
        let x = axis.x(due);
        triangle(scene, (x, body - 1), look, is_late);
        if is_late && late <= MANY {
            scene.line((x, body), (x, bottom), SETUP, 1);
        }
    }
    let x = axis.x(panel.end);
    scene.line((x, body - 4), (x, bottom), INK, 1);
    let wide = width(&panel.end_label, 11.0);
    let at = x.clamp(axis.left + wide / 2 + 1, (axis.right - wide / 2 - 1).max(axis.left + wide));
    scene.text(&panel.end_label, (at, body - 15), 11.0, INK, Align::Middle);
}

fn marks(scene: &mut Scene, panel: &Panel, axis: &Axis, body: i32, bottom: i32) {
    for (at, name) in &panel.marks {
        let x = axis.x(*at);
        scene.line((x, body - 6), (x, bottom), INK, 2);
        scene.text(name, (x, body - 14), 13.0, INK, Align::Middle);
    }
}

/// Points to the left or right: what is due there lies outside the chart.
fn beyond(scene: &mut Scene, (x, y): (i32, i32), is_before: bool, colour: RGBColor) {
    let inside = if is_before { x + 7 } else { x - 7 };
    scene.polygon(vec![(x, y), (inside, y - 4), (inside, y + 4)], colour);
}

/// Points down to a due instant; black around it where that is missed.
pub fn triangle(scene: &mut Scene, (x, y): (i32, i32), look: Look, is_late: bool) {
    let corners =
        |grow: i32| vec![(x - 4 - grow, y - 7 - grow), (x + 4 + grow, y - 7 - grow), (x, y + grow)];
    if is_late {
        scene.polygon(corners(2), INK);
    }
    scene.polygon(corners(0), look.ground());
}

fn contents(scene: &mut Scene, line: &ChartRow, axis: &Axis, row: Area, size: Size) {
    let inset = (row.height() / 8).max(1);
    let inner = Area::new(row.left, row.top + inset, row.right, row.bottom - inset);
    // What is thin lies under what is thick.
    for kind in [Kind::Hold, Kind::Setup, Kind::Step, Kind::Op] {
        for bar in line.bars.iter().filter(|bar| bar.kind == kind) {
            let lanes = line.lanes.max(1) as i32;
            let high = inner.height() / lanes;
            let top = inner.top + high * bar.lane as i32;
            let bottom = if lanes == 1 { inner.bottom } else { (top + high).max(top + 1) };
            let left = axis.x(bar.start).max(row.left);
            // A gap of one pixel keeps neighbours apart; what is too thin for that still shows.
            let right = (axis.x(bar.end) - 1).max(left + 1);
            if bar.is_beside {
                let area = Area::new(left, row.top, right, row.top + inset);
                scene.fill(area, bar.look.ground());
                scene.hints.push((area, bar.about.clone()));
                continue;
            }
            let area = Area::new(left, top, right, bottom);
            paint_bar(scene, bar, axis, area, size);
            scene.hints.push((area, bar.about.clone()));
        }
    }
    lateness(scene, line, axis, row, size);
}

fn paint_bar(scene: &mut Scene, bar: &Bar, axis: &Axis, area: Area, size: Size) {
    match bar.kind {
        Kind::Setup => setup(scene, area),
        Kind::Hold => hold(scene, area, bar.look),
        _ => step(scene, bar, axis, area),
    }
    // On a bar with pauses the label stands in its longest stretch.
    let longest = bar.stretches.iter().max_by_key(|(from, to)| to - from);
    let (from, to) = longest.copied().unwrap_or((bar.start, bar.end));
    let (left, right) = (axis.x(from).max(area.left), (axis.x(to) - 1).min(area.right));
    if bar.kind == Kind::Step || bar.kind == Kind::Op {
        label(scene, bar, Area { left, right, ..area }, size.font - 1.0);
    }
    if bar.is_late {
        let (x, wide) = (area.right, area.width().clamp(2, 8));
        let corner = vec![(x - wide, area.top), (x + 1, area.top), (x + 1, area.top + wide + 1)];
        scene.polygon(corner, INK);
        scene.line((x, area.top), (x, area.bottom), INK, if wide < 6 { 1 } else { 2 });
    }
}

pub fn setup(scene: &mut Scene, area: Area) {
    scene.fill(area, SETUP_GROUND);
    scene.hatch(area, SETUP, 5);
}

/// A thin bar with ends.
pub fn hold(scene: &mut Scene, area: Area, look: Look) {
    let half = (area.height() / 10).max(1);
    let middle = area.middle();
    look.paint(scene, Area::new(area.left, middle - half, area.right, middle + half));
    let tall = (area.height() / 4).max(2);
    for x in [area.left, area.right] {
        scene.line((x, middle - tall), (x, middle + tall), look.ground(), 2);
    }
}

/// Thick where it works, thin where it pauses.
fn step(scene: &mut Scene, bar: &Bar, axis: &Axis, area: Area) {
    if bar.stretches.len() > 1 {
        pause(scene, area, bar.look);
    }
    for &(from, to) in &bar.stretches {
        let left = axis.x(from).max(area.left);
        let right = (axis.x(to) - 1).clamp(left + 1, area.right.max(left + 1));
        bar.look.paint(scene, Area { left, right, ..area });
    }
}

pub fn pause(scene: &mut Scene, area: Area, look: Look) {
    let quarter = (area.height() / 8).max(1);
    let (top, bottom) = (area.middle() - quarter, area.middle() + quarter);
    scene.fill(Area { top, bottom, ..area }, look.ground());
}

/// The best label that fits, on a ground without stripes.
fn label(scene: &mut Scene, bar: &Bar, area: Area, size: f64) {
    let room = area.width() - 6;
    if f64::from(area.height()) < size {
        return;
    }
    let fits = |label: &&String| width(label, size) <= room;
    let text = match bar.labels.iter().find(fits) {
        Some(label) => label.clone(),
        // What is left of a long name should still say something.
        None if room >= 48 => bar.labels.last().map_or(String::new(), |l| shorten(l, room, size)),
        None => return,
    };
    let at = ((area.left + area.right) / 2, area.middle());
    let ground = bar.look.ground();
    if bar.look.is_striped() {
        let half = width(&text, size) / 2 + 2;
        let (top, bottom) = (area.top + 1, area.bottom - 1);
        scene.fill(Area::new(at.0 - half, top, at.0 + half, bottom), ground);
    }
    scene.text(&text, at, size, colour::on(ground), Align::Middle);
}

/// Due instant and deadline of an order in its own row, and how late it is.
fn lateness(scene: &mut Scene, line: &ChartRow, axis: &Axis, row: Area, size: Size) {
    let is_inside = |x: &i32| (row.left..=row.right).contains(x);
    if let Some(x) = line.deadline.map(|at| axis.x(at)).filter(is_inside) {
        scene.line((x, row.top), (x, row.bottom), INK, 3);
    }
    let Some(due) = line.due else { return };
    let x = axis.x(due).clamp(row.left, row.right);
    if let Some((finish, text)) = &line.late {
        let end = axis.x(*finish);
        scene.line((x, row.bottom - 2), (end, row.bottom - 2), INK, 3);
        if end + 6 + width(text, size.font - 1.0) <= row.right {
            let wide = width(text, size.font - 1.0);
            // The line that marks the end may run through here.
            let (left, right) = (end + 4, end + 8 + wide);
            scene.fill(Area::new(left, row.top + 1, right, row.bottom - 1), BAND);
            scene.text(text, (end + 6, row.middle()), size.font - 1.0, INK, Align::Left);
        }
    }
    if !axis.shows(due) {
        return beyond(scene, (x, row.top + 5), due < axis.from, INK);
    }
    scene.line((x, row.top), (x, row.bottom), INK, 1);
    scene.polygon(vec![(x - 4, row.top), (x + 4, row.top), (x, row.top + 6)], INK);
}
