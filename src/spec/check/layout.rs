//! Layouts: names of locks, names that clash, times.

use super::Checker;
use super::duration::{PLAIN, Rule};
use crate::{At, Layout};
use takt_diagnostic::Diagnostic;

const TIME: Rule = Rule { what: "a time in a layout", least: 1, ..PLAIN };
/// What the robot outside is called in results.
const TRACK: &str = "track";

impl Checker<'_> {
    pub fn layout_names(&mut self) {
        let Some(layout) = &self.spec.layout else { return };
        let robots = layout.robots.iter().map(|robot| &robot.name);
        let names = layout.locks.ids.iter().chain(robots).chain(&layout.chucks.ids);
        self.unique(names.map(|name| (name.value.as_str(), name.span)), "a component");
        let mut locks: Vec<_> = layout.locks.ids.iter().map(|id| id.value.as_str()).collect();
        locks.sort_unstable();
        let served = layout.robots.iter().flat_map(|robot| &robot.locks);
        let directed = layout.locks.direction.iter().map(|(lock, _)| lock);
        // Without names that could be read, none can be missed.
        for lock in served.chain(directed).filter(|_| !locks.is_empty()) {
            self.exists(lock, "lock", &locks);
        }
        self.layout_words(layout);
    }

    /// Names that results need for something else: the track, and the arms of robots.
    fn layout_words(&mut self, layout: &Layout) {
        let robots = layout.robots.iter().map(|robot| &robot.name);
        let others = layout.locks.ids.iter().chain(&layout.chucks.ids);
        for name in others.clone().chain(robots) {
            if name.value == TRACK {
                let message = "`track` is the robot outside; a component has another name";
                self.error("reserved-name", name.span, message);
            }
        }
        for name in others {
            if let Some((robot, arm)) = arm(layout, &name.value) {
                let message = format!("`{}` is what arm {arm} of a robot is called", name.value);
                let found = Diagnostic::error("duplicate-name", name.span, message);
                self.found.push(found.related(robot.span, "this robot"));
            }
        }
    }

    pub fn layout_times(&mut self) {
        let Some(layout) = &self.spec.layout else { return };
        let Layout { track, locks, chucks, .. } = layout;
        let fixed = [
            &track.load,
            &track.unload,
            &track.switch,
            &track.recover,
            &locks.depressurize,
            &locks.pressurize,
            &chucks.swap,
            &chucks.measure,
            &chucks.expose,
        ];
        let robots = layout.robots.iter().flat_map(|robot| {
            [&robot.turn, &robot.from_lock, &robot.to_lock, &robot.to_chuck, &robot.from_chuck]
        });
        for time in fixed.into_iter().chain(robots) {
            self.duration(time, None, TIME);
        }
    }
}

/// The robot and the number of its arm that is called like this in results.
fn arm<'l>(layout: &'l Layout, name: &str) -> Option<(&'l At<String>, i64)> {
    let (robot, arm) = name.rsplit_once('.')?;
    let found = layout.robots.iter().find(|other| other.name.value == robot)?;
    let arm = (0..found.arms.value).find(|number| number.to_string() == arm)?;
    Some((&found.name, arm))
}
