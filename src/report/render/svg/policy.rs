//! `policy.svg`: one picture per class of unsafe patterns, like figure 5.3 of the thesis. Locks on the
//! left, robots with their arms in the middle, chucks on the right.

use super::measure::{shorten, width};
use super::paint;
use super::scene::{Align, Area, Point, Scene};
use crate::render::policy::patterns;
use plotters::style::RGBColor;
use takt_scanner::Scanner;
use takt_scanner::safety::{Class, Hold, Pattern, Place, Position, Safety};

const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(190, 190, 190);
const GREY: RGBColor = RGBColor(110, 110, 110);
const RAW: RGBColor = RGBColor(213, 94, 0);
const EXPOSED: RGBColor = RGBColor(0, 114, 178);

/// A cell that holds a wafer.
const CELL: i32 = 26;
/// From one lock or chuck to the next one, and from one robot to the next one.
const PITCH: i32 = 36;
const ROBOT_PITCH: i32 = 54;
const MARGIN: i32 = 24;
const GAP: i32 = 30;
const TITLE: i32 = 30;
/// Room for the lines between locks and robots, and between robots and chucks.
const REACH: i32 = 54;
const NAME: f64 = 11.0;
/// The longest name that is shown in full.
const LONGEST: i32 = 70;
const MOST_PICTURES: usize = 40;
const WIDEST: i32 = 1300;

pub fn policy_svg(name: &str, scanner: &Scanner, safety: &Safety) -> String {
    paint::paint(&scene(name, scanner, safety))
}

fn scene(name: &str, scanner: &Scanner, safety: &Safety) -> Scene {
    let classes = safety.policy.classes.as_deref().unwrap_or_default();
    let shown = &classes[..classes.len().min(MOST_PICTURES)];
    let frame = Frame::of(scanner, safety);
    let across = ((WIDEST - 2 * MARGIN + GAP) / (frame.width + GAP)).max(1) as usize;
    let columns = across.min(shown.len().max(1));
    let head = format!("{name}: {} to avoid", patterns(&safety.policy.number));
    let note = note(safety, classes.len());
    let wide = columns as i32 * (frame.width + GAP) - GAP;
    let least = [width(&head, 16.0), width(&note, 12.0), legend_width()];
    let width = least.into_iter().fold(wide, i32::max) + 2 * MARGIN;
    let mut scene = Scene { width, ..Scene::default() };
    scene.text(&head, (MARGIN, 28), 16.0, INK, Align::Left);
    scene.text(&note, (MARGIN, 50), 12.0, GREY, Align::Left);
    let top = 74;
    for (number, class) in shown.iter().enumerate() {
        let (row, column) = ((number / columns) as i32, (number % columns) as i32);
        let at = (MARGIN + column * (frame.width + GAP), top + row * (frame.height + GAP));
        frame.picture(&mut scene, at, number, class);
    }
    let rows = shown.len().div_ceil(columns) as i32;
    let bottom = top + rows * (frame.height + GAP);
    legend(&mut scene, bottom);
    scene.height = bottom + 34;
    scene
}

fn note(safety: &Safety, classes: usize) -> String {
    let Some(_) = &safety.policy.classes else { return "too many to be shown".to_owned() };
    let noun = if classes == 1 { "class" } else { "classes" };
    let rest = match classes.checked_sub(MOST_PICTURES) {
        Some(rest) if rest > 0 => format!(", the first {MOST_PICTURES} are shown"),
        _ => String::new(),
    };
    format!(
        "{classes} {noun} up to renaming{rest}; {} of {} reachable states are unsafe",
        safety.unsafe_, safety.reachable
    )
}

/// Where everything is within a picture.
struct Frame<'a> {
    scanner: &'a Scanner,
    positions: &'a [Position],
    width: i32,
    height: i32,
    /// Left edges of the locks, the robots' first arms, and the chucks.
    columns: [i32; 3],
}

impl<'a> Frame<'a> {
    fn of(scanner: &'a Scanner, safety: &'a Safety) -> Frame<'a> {
        let names = |all: &mut dyn Iterator<Item = &String>| {
            all.map(|name| width(name, NAME).min(LONGEST)).max().unwrap_or(0)
        };
        let locks = names(&mut scanner.locks.iter().map(|lock| &lock.name));
        let chucks = names(&mut scanner.chucks.iter());
        let first = locks + 6;
        let second = first + CELL + REACH;
        let third = second + 2 * CELL + REACH;
        let column = |number: usize, pitch: i32| number as i32 * pitch;
        let height = column(scanner.locks.len(), PITCH)
            .max(column(scanner.robots.len(), ROBOT_PITCH))
            .max(column(scanner.chucks.len(), PITCH));
        Frame {
            scanner,
            positions: &safety.positions,
            width: (third + CELL + 6 + chucks).max(150),
            height: TITLE + height,
            columns: [first, second, third],
        }
    }

    /// The cell of a place, within the picture.
    fn cell(&self, place: Place) -> Area {
        let [locks, robots, chucks] = self.columns;
        let (left, number, all, pitch) = match place {
            Place::Lock(lock) => (locks, lock, self.scanner.locks.len(), PITCH),
            Place::Chuck(chuck) => (chucks, chuck, self.scanner.chucks.len(), PITCH),
            Place::Arm { robot, arm } => {
                // A single arm stands in the middle.
                let alone = if self.scanner.robots[robot].arms == 1 { CELL / 2 } else { 0 };
                let left = robots + alone + arm as i32 * CELL;
                (left, robot, self.scanner.robots.len(), ROBOT_PITCH)
            }
        };
        let whole = self.height - TITLE;
        // Columns with fewer rows are spread over the height.
        let pitch = (whole / all.max(1) as i32).min(2 * pitch).max(pitch);
        let start = TITLE + (whole - pitch * all as i32) / 2;
        let middle = start + pitch * number as i32 + pitch / 2;
        Area::new(left, middle - CELL / 2, left + CELL, middle + CELL / 2)
    }

    fn picture(&self, scene: &mut Scene, at: Point, number: usize, class: &Class) {
        let mut title = format!("class {}: {}", number + 1, patterns(&class.number));
        if class.is_covered {
            title.push_str(", told by others");
        }
        scene.text(&title, (at.0, at.1 + 8), 12.0, INK, Align::Left);
        self.lines(scene, at);
        for (position, hold) in self.positions.iter().zip(&class.first.0) {
            let area = moved(self.cell(position.place), at);
            scene.fill(area, RGBColor(255, 255, 255));
            scene.outline(area, if *hold == Hold::Free { FAINT } else { INK });
            wafer(scene, area, *hold);
        }
        self.names(scene, at, &class.first);
    }

    /// Who reaches what.
    fn lines(&self, scene: &mut Scene, at: Point) {
        for (number, robot) in self.scanner.robots.iter().enumerate() {
            let left = moved(self.cell(Place::Arm { robot: number, arm: 0 }), at);
            let right = moved(self.cell(Place::Arm { robot: number, arm: robot.arms - 1 }), at);
            for &lock in &robot.locks {
                let cell = moved(self.cell(Place::Lock(lock)), at);
                let to = (left.left, left.middle());
                scene.line((cell.right, cell.middle()), to, FAINT, 1);
            }
            for chuck in 0..self.scanner.chucks.len() {
                let cell = moved(self.cell(Place::Chuck(chuck)), at);
                let from = (right.right, right.middle());
                scene.line(from, (cell.left, cell.middle()), FAINT, 1);
            }
        }
    }

    fn names(&self, scene: &mut Scene, at: Point, pattern: &Pattern) {
        let is_named = |place: Place| {
            let own = |p: &Position| match (p.place, place) {
                (Place::Arm { robot, .. }, Place::Arm { robot: other, .. }) => robot == other,
                (one, other) => one == other,
            };
            pattern.entries().any(|(position, _)| own(&self.positions[position]))
        };
        let mut write = |name: &str, place: Place, to: Point, align: Align| {
            let colour = if is_named(place) { INK } else { GREY };
            scene.text(&shorten(name, LONGEST, NAME), to, NAME, colour, align);
        };
        for (number, lock) in self.scanner.locks.iter().enumerate() {
            let cell = moved(self.cell(Place::Lock(number)), at);
            write(&lock.name, Place::Lock(number), (cell.left - 6, cell.middle()), Align::Right);
        }
        for (number, robot) in self.scanner.robots.iter().enumerate() {
            let place = Place::Arm { robot: number, arm: 0 };
            let cell = moved(self.cell(place), at);
            let middle = cell.left + robot.arms as i32 * CELL / 2;
            write(&robot.name, place, (middle, cell.top - 9), Align::Middle);
        }
        for (number, name) in self.scanner.chucks.iter().enumerate() {
            let cell = moved(self.cell(Place::Chuck(number)), at);
            write(name, Place::Chuck(number), (cell.right + 6, cell.middle()), Align::Left);
        }
    }
}

fn moved(area: Area, (x, y): Point) -> Area {
    Area::new(area.left + x, area.top + y, area.right + x, area.bottom + y)
}

/// Raw wafers go to the right, exposed ones to the left.
fn wafer(scene: &mut Scene, area: Area, hold: Hold) {
    let (x, y) = ((area.left + area.right) / 2, area.middle());
    let arrow = |way: i32| -> Vec<Point> {
        let point = |along: i32, up: i32| (x + way * along, y + up);
        vec![
            point(9, 0),
            point(1, -8),
            point(1, -3),
            point(-9, -3),
            point(-9, 3),
            point(1, 3),
            point(1, 8),
        ]
    };
    match hold {
        Hold::Raw => scene.polygon(arrow(1), RAW),
        Hold::Exposed => scene.polygon(arrow(-1), EXPOSED),
        Hold::Any => scene.fill(Area::new(x - 7, y - 7, x + 7, y + 7), INK),
        Hold::Free => {}
    }
}

const LEGEND: [(Hold, &str); 4] = [
    (Hold::Raw, "raw wafer"),
    (Hold::Exposed, "exposed wafer"),
    (Hold::Any, "either kind"),
    (Hold::Free, "anything or nothing"),
];

fn legend(scene: &mut Scene, top: i32) {
    let mut left = MARGIN;
    for (hold, words) in LEGEND {
        let area = Area::new(left, top, left + CELL, top + CELL);
        scene.outline(area, if hold == Hold::Free { FAINT } else { INK });
        wafer(scene, area, hold);
        let at = (area.right + 8, area.middle());
        scene.text(words, at, 12.0, INK, Align::Left);
        left += legend_step(words);
    }
}

fn legend_step(words: &str) -> i32 {
    CELL + 8 + width(words, 12.0) + 24
}

fn legend_width() -> i32 {
    LEGEND.iter().map(|(_, words)| legend_step(words)).sum::<i32>() - 24
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::svg::scene::{Mark, Text};
    use takt_scanner::safety::analyse;
    use takt_scanner::{Lock, Robot, Track};

    /// One robot per pair of arms and locks; the names are long.
    fn scanner(locks: usize, robots: &[(usize, &[usize])]) -> Scanner {
        let lock = |lock: usize| Lock {
            name: format!("load lock number {lock}"),
            takes_in: true,
            lets_out: true,
            robots: (0..robots.len()).filter(|robot| robots[*robot].1.contains(&lock)).collect(),
        };
        let robot = |(number, (arms, locks)): (usize, &(usize, &[usize]))| Robot {
            name: format!("a robot with a name {number}"),
            arms: *arms,
            locks: locks.to_vec(),
            turn: 1,
            from_lock: 1,
            to_lock: 1,
            to_chuck: 1,
            from_chuck: 1,
        };
        Scanner {
            track: Track { load: 1, unload: 1, switch: 1, recover: 1 },
            locks: (0..locks).map(lock).collect(),
            depressurize: 1,
            pressurize: 1,
            robots: robots.iter().enumerate().map(robot).collect(),
            chucks: vec!["left".to_owned(), "right".to_owned()],
            swap: 1,
            measure: 1,
            expose: 1,
        }
    }

    fn texts(scene: &Scene) -> Vec<&Text> {
        let text = |mark: &'_ Mark| matches!(mark, Mark::Text(_));
        let marks = scene.marks.iter().filter(|mark| text(mark));
        marks.filter_map(|m| if let Mark::Text(text) = m { Some(text) } else { None }).collect()
    }

    #[test]
    fn everything_lies_on_the_canvas_and_no_two_texts_touch() {
        for scanner in [
            scanner(1, &[(1, &[0])]),
            scanner(4, &[(2, &[0, 1]), (2, &[2, 3])]),
            scanner(6, &[(1, &[0, 1, 2]), (2, &[2, 3]), (2, &[4, 5, 0])]),
        ] {
            let safety = analyse(&scanner).expect("a small machine");
            let scene = scene("a machine", &scanner, &safety);
            let canvas = Area::new(0, 0, scene.width, scene.height);
            let areas: Vec<Area> = texts(&scene).iter().map(|text| text.area()).collect();
            for (number, area) in areas.iter().enumerate() {
                assert!(area.left >= 0 && area.right <= canvas.right, "{area:?} {canvas:?}");
                assert!(area.top >= 0 && area.bottom <= canvas.bottom, "{area:?} {canvas:?}");
                let other = areas[..number].iter().find(|other| other.overlaps(*area));
                assert!(other.is_none(), "{:?} and {other:?}", texts(&scene)[number]);
            }
        }
    }

    #[test]
    fn each_wafer_of_each_class_is_drawn() {
        let scanner = scanner(4, &[(2, &[0, 1]), (2, &[2, 3])]);
        let safety = analyse(&scanner).expect("a small machine");
        let scene = scene("a machine", &scanner, &safety);
        let arrows = |colour: RGBColor| {
            let is_arrow = |mark: &&Mark| matches!(mark, Mark::Polygon { colour: other, .. } if *other == colour);
            scene.marks.iter().filter(is_arrow).count()
        };
        // Classes of 2, 4, 4, 4 raw and 2, 0, 0, 0 exposed wafers, and one of each in the legend.
        assert_eq!((arrows(RAW), arrows(EXPOSED)), (2 + 4 + 4 + 4 + 1, 2 + 1));
    }
}
