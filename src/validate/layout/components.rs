//! The components of a layout as the validator reads them, with what their operations take.

use super::super::amount;
use takt_spec::{Direction, Expr, Layout, Spec};

/// The name of the robot outside in a schedule.
pub const TRACK: &str = "track";

/// One component; locks, robots and chucks by their positions in the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Component {
    Track,
    Lock(usize),
    Arm(usize, usize),
    Chuck(usize),
}

pub struct Components<'s> {
    pub locks: Vec<Lock<'s>>,
    pub robots: Vec<Robot<'s>>,
    pub chucks: Vec<&'s str>,
    track: [i64; 4],
    pump: [i64; 2],
    chuck: [i64; 3],
}

pub struct Lock<'s> {
    pub name: &'s str,
    pub is_in: bool,
    pub is_out: bool,
}

pub struct Robot<'s> {
    pub name: &'s str,
    pub arms: usize,
    pub locks: Vec<&'s str>,
    times: [i64; 5],
}

impl<'s> Components<'s> {
    /// `None` where a time cannot be computed, which a spec read without error does not contain.
    pub fn of(spec: &'s Spec, layout: &'s Layout) -> Option<Components<'s>> {
        let time = |expr: &Expr| amount::whole(expr, spec.constants());
        let locks = layout.locks.ids.iter().map(|id| {
            let given = layout.locks.direction.iter().find(|(lock, _)| lock.value == id.value);
            let way = given.map_or(Direction::Both, |(_, way)| way.value);
            Lock { name: &id.value, is_in: way != Direction::Out, is_out: way != Direction::In }
        });
        let mut robots = Vec::new();
        for robot in &layout.robots {
            robots.push(Robot {
                name: &robot.name.value,
                arms: usize::try_from(robot.arms.value).ok()?,
                locks: robot.locks.iter().map(|lock| lock.value.as_str()).collect(),
                times: [
                    time(&robot.turn)?,
                    time(&robot.from_lock)?,
                    time(&robot.to_lock)?,
                    time(&robot.to_chuck)?,
                    time(&robot.from_chuck)?,
                ],
            });
        }
        let (track, chucks) = (&layout.track, &layout.chucks);
        Some(Components {
            locks: locks.collect(),
            robots,
            chucks: chucks.ids.iter().map(|id| id.value.as_str()).collect(),
            track: [
                time(&track.load)?,
                time(&track.unload)?,
                time(&track.switch)?,
                time(&track.recover)?,
            ],
            pump: [time(&layout.locks.depressurize)?, time(&layout.locks.pressurize)?],
            chuck: [time(&chucks.swap)?, time(&chucks.measure)?, time(&chucks.expose)?],
        })
    }

    /// Which component a row takes.
    pub fn component(&self, resource: &str, unit: &str) -> Result<Component, String> {
        if let Some(robot) = self.robots.iter().position(|robot| robot.name == resource) {
            let arms = self.robots[robot].arms;
            return match unit.parse::<usize>() {
                Ok(arm) if arm < arms => Ok(Component::Arm(robot, arm)),
                _ if arms == 1 => Err(format!("takes `{unit}`, but the arm of `{resource}` is 0")),
                _ => Err(format!("takes `{unit}`, but the arms of `{resource}` are 0 and 1")),
            };
        }
        let lock = self.locks.iter().position(|lock| lock.name == resource).map(Component::Lock);
        let chuck = self.chucks.iter().position(|chuck| *chuck == resource).map(Component::Chuck);
        let track = (resource == TRACK).then_some(Component::Track);
        match lock.or(chuck).or(track) {
            Some(component) if unit.is_empty() => Ok(component),
            Some(_) => Err(format!("takes unit `{unit}`, but `{resource}` has no units")),
            None => Err(format!("takes `{resource}`, which the layout does not have")),
        }
    }

    /// How long this operation takes this component; `None` if that never does it.
    pub fn duration(&self, step: &str, component: Component) -> Option<i64> {
        let robot = |which: usize, component: usize| Some(self.robots[which].times[component]);
        match (step, component) {
            ("load", Component::Track | Component::Lock(_)) => Some(self.track[0]),
            ("unload", Component::Track | Component::Lock(_)) => Some(self.track[1]),
            ("switch", Component::Track) => Some(self.track[2]),
            ("recover", Component::Track) => Some(self.track[3]),
            ("depressurize", Component::Lock(_)) => Some(self.pump[0]),
            ("pressurize", Component::Lock(_)) => Some(self.pump[1]),
            ("turn", Component::Arm(which, _)) => robot(which, 0),
            ("from-lock", Component::Arm(which, _)) => robot(which, 1),
            ("to-lock", Component::Arm(which, _)) => robot(which, 2),
            ("to-chuck", Component::Arm(which, _)) => robot(which, 3),
            ("from-chuck", Component::Arm(which, _)) => robot(which, 4),
            ("swap", Component::Chuck(_)) => Some(self.chuck[0]),
            ("measure", Component::Chuck(_)) => Some(self.chuck[1]),
            ("expose", Component::Chuck(_)) => Some(self.chuck[2]),
            _ => None,
        }
    }

    pub fn all(&self) -> Vec<Component> {
        let locks = (0..self.locks.len()).map(Component::Lock);
        let robots = self.robots.iter().enumerate();
        let arms =
            robots.flat_map(|(k, robot)| (0..robot.arms).map(move |arm| Component::Arm(k, arm)));
        let chucks = (0..self.chucks.len()).map(Component::Chuck);
        [Component::Track].into_iter().chain(locks).chain(arms).chain(chucks).collect()
    }

    pub fn name(&self, component: Component) -> String {
        match component {
            Component::Track => TRACK.to_owned(),
            Component::Lock(lock) => self.locks[lock].name.to_owned(),
            Component::Arm(robot, arm) => format!("{}.{arm}", self.robots[robot].name),
            Component::Chuck(chuck) => self.chucks[chuck].to_owned(),
        }
    }
}
