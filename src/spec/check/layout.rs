//! Layouts: names of locks, names that clash, times.

use super::Checker;
use super::duration::PLAIN;
use crate::spec::Layout;

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
        for lock in served.chain(directed) {
            self.exists(lock, "lock", &locks);
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
            self.duration(time, None, PLAIN);
        }
    }
}
