//! A wafer scanner in whole numbers: a spec's layout with its times evaluated and its names
//! resolved.
//!
//! [`describe`] takes a spec that was read without errors. What a machine may do with wafers is
//! decided elsewhere: `safety` looks at it without time, `rhythm` with time.

mod content;
mod leisurely;
mod op;

pub use content::{Content, Hold};
pub use op::{Cycle, Infinite, Op, OpKind};

pub use takt_spec::LayoutHeuristic as Heuristic;

use takt_spec::{Direction, Expr, Spec};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scanner {
    pub track: Track,
    pub locks: Vec<Lock>,
    pub depressurize: i64,
    pub pressurize: i64,
    pub robots: Vec<Robot>,
    /// One or two, by name. The first begins at the measure position.
    pub chucks: Vec<String>,
    pub swap: i64,
    pub measure: i64,
    pub expose: i64,
}

/// The robot outside, which loads and unloads the locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Track {
    pub load: i64,
    pub unload: i64,
    /// From ready to unload back to ready to load. The other way takes no time.
    pub switch: i64,
    /// From the end of an unload to ready to load.
    pub recover: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    pub name: String,
    pub takes_in: bool,
    pub lets_out: bool,
    /// The robots that reach it.
    pub robots: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Robot {
    pub name: String,
    /// 1 or 2; arm 0 begins at the locks, the other one at the chucks.
    pub arms: usize,
    /// The locks it reaches.
    pub locks: Vec<usize>,
    pub turn: i64,
    pub from_lock: i64,
    pub to_lock: i64,
    pub to_chuck: i64,
    pub from_chuck: i64,
}

/// The layout of a spec; `None` if it has none.
pub fn describe(spec: &Spec) -> Option<Scanner> {
    let layout = spec.layout.as_ref()?;
    let time = |expr: &Expr| whole(expr, spec);
    let names: Vec<&str> = layout.locks.ids.iter().map(|id| id.value.as_str()).collect();
    let place = |name: &str| names.iter().position(|other| *other == name);
    let robots: Vec<Robot> = layout
        .robots
        .iter()
        .map(|robot| Robot {
            name: robot.name.value.clone(),
            arms: if robot.arms.value == 1 { 1 } else { 2 },
            locks: robot.locks.iter().filter_map(|lock| place(&lock.value)).collect(),
            turn: time(&robot.turn),
            from_lock: time(&robot.from_lock),
            to_lock: time(&robot.to_lock),
            to_chuck: time(&robot.to_chuck),
            from_chuck: time(&robot.from_chuck),
        })
        .collect();
    let direction = |name: &str| {
        let found = layout.locks.direction.iter().find(|(lock, _)| lock.value == name);
        found.map_or(Direction::Both, |(_, direction)| direction.value)
    };
    let locks = names.iter().enumerate().map(|(lock, name)| Lock {
        name: (*name).to_owned(),
        takes_in: direction(name) != Direction::Out,
        lets_out: direction(name) != Direction::In,
        robots: (0..robots.len()).filter(|robot| robots[*robot].locks.contains(&lock)).collect(),
    });
    Some(Scanner {
        track: Track {
            load: time(&layout.track.load),
            unload: time(&layout.track.unload),
            switch: time(&layout.track.switch),
            recover: time(&layout.track.recover),
        },
        locks: locks.collect(),
        depressurize: time(&layout.locks.depressurize),
        pressurize: time(&layout.locks.pressurize),
        chucks: layout.chucks.ids.iter().map(|id| id.value.clone()).collect(),
        swap: time(&layout.chucks.swap),
        measure: time(&layout.chucks.measure),
        expose: time(&layout.chucks.expose),
        robots,
    })
}

/// In whole units, rounded up; the reader has refused what has no value.
fn whole(expr: &Expr, spec: &Spec) -> i64 {
    let exact = expr.duration(spec.constants()).ok().map(|exact| exact.ceil().to_integer());
    exact.and_then(|whole| i64::try_from(whole).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use takt_diagnostic::FileId;
    use takt_spec as spec;

    #[test]
    fn locks_know_their_robots_and_directions() {
        let text = "takt: 1\nlayout:\n  track: {load: 1, unload: 2, switch: 3, recover: 4}\n  \
            locks: {ids: [A, B, C], depressurize: 5, pressurize: 6, direction: {A: in, C: out}}\n  \
            robots:\n    \
            R: {arms: 2, locks: [A, B], turn: 7, from-lock: 8, to-lock: 9, to-chuck: 10, from-chuck: 11}\n    \
            S: {arms: 1, locks: [C, B], turn: 7, from-lock: 8, to-lock: 9, to-chuck: 10, from-chuck: 11}\n  \
            chucks: {ids: [X, Y], swap: 12, measure: 13, expose: 14}\n";
        let (spec, _) = spec::read(text, FileId::default()).expect("a good spec");
        let scanner = describe(&spec).expect("a layout");
        let robots: Vec<_> = scanner.locks.iter().map(|lock| lock.robots.clone()).collect();
        assert_eq!(robots, [vec![0], vec![0, 1], vec![1]]);
        let ways: Vec<_> = scanner.locks.iter().map(|l| (l.takes_in, l.lets_out)).collect();
        assert_eq!(ways, [(true, false), (true, true), (false, true)]);
        assert_eq!((scanner.robots[1].arms, &scanner.robots[1].locks[..]), (1, &[2, 1][..]));
        assert_eq!((scanner.track.recover, scanner.expose), (4, 14));
    }
}
