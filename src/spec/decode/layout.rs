//! `layout`: the components of a wafer scanner and what their actions take.

use crate::diagnostic::Diagnostic;
use crate::spec::fields::{Fields, Reader};
use crate::spec::language::{CHUCKS, LAYOUT, LOCKS, ROBOT, TRACK};
use crate::spec::yaml::{Kind, Node};
use crate::spec::{At, Chucks, Direction, Expr, Layout, Locks, Robot, Track};

const DIRECTIONS: [(&str, Direction); 3] =
    [("in", Direction::In), ("out", Direction::Out), ("both", Direction::Both)];

impl Reader<'_> {
    pub fn layout(&mut self, node: &Node) -> Option<Layout> {
        let fields = self.fields(node, &LAYOUT)?;
        let track = fields.get("track").and_then(|node| self.track(node));
        let locks = fields.get("locks").and_then(|node| self.locks(node));
        let robots = fields.get("robots").map(|node| self.robots(node));
        let chucks = fields.get("chucks").and_then(|node| self.chucks(node));
        if let (Some(locks), Some(robots)) = (&locks, &robots) {
            self.served(locks, robots);
        }
        let robots = robots.map(|robots| robots.into_iter().flatten().collect());
        Some(Layout {
            track: track?,
            locks: locks?,
            robots: robots?,
            chucks: chucks?,
            heuristics: Vec::new(),
            span: node.span,
        })
    }

    fn track(&mut self, node: &Node) -> Option<Track> {
        let fields = self.fields(node, &TRACK)?;
        let [load, unload, switch, recover] =
            ["load", "unload", "switch", "recover"].map(|name| self.lasts(&fields, name));
        Some(Track { load: load?, unload: unload?, switch: switch?, recover: recover? })
    }

    fn locks(&mut self, node: &Node) -> Option<Locks> {
        let fields = self.fields(node, &LOCKS)?;
        let ids = fields.get("ids");
        let ids = ids.and_then(|node| self.some(node, "a layout has at least one lock"));
        let [depressurize, pressurize] =
            ["depressurize", "pressurize"].map(|name| self.lasts(&fields, name));
        let direction = fields.get("direction").map(|node| self.directions(node));
        Some(Locks {
            ids: ids?,
            depressurize: depressurize?,
            pressurize: pressurize?,
            direction: direction.unwrap_or_default(),
        })
    }

    fn directions(&mut self, node: &Node) -> Vec<(At<String>, At<Direction>)> {
        let mut all = Vec::new();
        for (lock, value) in self.map(node, "`direction`").unwrap_or_default() {
            let lock = self.name(lock, "the name of a lock");
            let direction = self.choice(value, "a direction", &DIRECTIONS);
            all.extend(lock.zip(direction.map(|direction| At::new(direction, value.span))));
        }
        all
    }

    /// Every lock has a robot. Nothing is said where the locks of a robot could not be read, or are
    /// none that exist: it might be meant there.
    fn served(&mut self, locks: &Locks, robots: &[Option<Robot>]) {
        let exists = |name: &At<String>| locks.ids.iter().any(|lock| lock.value == name.value);
        let is_clear = |robot: &Robot| !robot.locks.is_empty() && robot.locks.iter().all(exists);
        if !robots.iter().all(|robot| robot.as_ref().is_some_and(is_clear)) {
            return;
        }
        let robots: Vec<&Robot> = robots.iter().flatten().collect();
        for lock in &locks.ids {
            let mut reached = robots.iter().flat_map(|robot| &robot.locks);
            if !robots.is_empty() && !reached.any(|other| other.value == lock.value) {
                let message = format!("no robot serves the lock `{}`", lock.value);
                let found = Diagnostic::error("unserved-lock", lock.span, message);
                self.found.push(found.hint("name it in the `locks` of a robot"));
            }
        }
    }

    /// One for each entry, as far as it can be read.
    fn robots(&mut self, node: &Node) -> Vec<Option<Robot>> {
        let entries = self.named(node, "robot");
        if entries.is_empty() {
            self.error("bad-value", node.span, "a layout has at least one robot");
        }
        entries.into_iter().map(|(name, value)| self.robot(name, value)).collect()
    }

    fn robot(&mut self, name: At<String>, node: &Node) -> Option<Robot> {
        let fields = self.fields(node, &ROBOT)?;
        let arms = fields.get("arms");
        let arms = arms.and_then(|node| self.whole(node, "the number of arms", [1, 2]));
        let locks = fields.get("locks");
        let locks = locks.and_then(|node| self.some(node, "a robot serves at least one lock"));
        let [turn, from_lock, to_lock, to_chuck, from_chuck] =
            ["turn", "from-lock", "to-lock", "to-chuck", "from-chuck"]
                .map(|name| self.lasts(&fields, name));
        Some(Robot {
            name,
            arms: arms?,
            locks: locks?,
            turn: turn?,
            from_lock: from_lock?,
            to_lock: to_lock?,
            to_chuck: to_chuck?,
            from_chuck: from_chuck?,
        })
    }

    fn chucks(&mut self, node: &Node) -> Option<Chucks> {
        let fields = self.fields(node, &CHUCKS)?;
        let ids = fields.get("ids").and_then(|node| {
            let ids = self.some(node, "a layout has at least one chuck")?;
            if let Some(third) = ids.get(2) {
                self.error("out-of-range", third.span, "there are at most two chucks");
            }
            Some(ids)
        });
        let [swap, measure, expose] =
            ["swap", "measure", "expose"].map(|name| self.lasts(&fields, name));
        Some(Chucks { ids: ids?, swap: swap?, measure: measure?, expose: expose? })
    }

    /// Names of components, each once. That there are none is told as `least`, and all else is read.
    fn some(&mut self, node: &Node, least: &str) -> Option<Vec<At<String>>> {
        let is_empty = |node: &Node| match &node.kind {
            Kind::List(items) => items.is_empty(),
            kind => matches!(kind, Kind::Null),
        };
        if is_empty(node) {
            self.error("bad-value", node.span, least);
            return Some(Vec::new());
        }
        self.names(node, "a list of names")
    }

    fn lasts(&mut self, fields: &Fields, name: &str) -> Option<Expr> {
        self.optional(fields, name, "a duration")
    }
}
