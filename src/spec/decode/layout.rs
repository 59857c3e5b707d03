//! `layout`: the components of a wafer scanner and what their actions take.
//!
//! What cannot be read is told, and something that is never wrong takes its place, so that all else
//! that is wrong can be told as well.

use crate::fields::{Decoder, Fields};
use crate::language::{CHUCKS, LAYOUT, LOCKS, ROBOT, TRACK};
use crate::yaml::{Node, NodeKind};
use crate::{At, Chucks, Direction, Exact, Expr, ExprKind, Layout, Locks, Robot, Track};
use takt_diagnostic::{Diagnostic, Span};

const DIRECTIONS: [(&str, Direction); 3] =
    [("in", Direction::In), ("out", Direction::Out), ("both", Direction::Both)];

impl Decoder<'_> {
    pub fn layout(&mut self, node: &Node) -> Option<Layout> {
        let fields = self.fields(node, &LAYOUT)?;
        let track = self.track(fields.get("track"), node.span);
        let locks = self.locks(fields.get("locks"), node.span);
        let robots = fields.get("robots").map_or_else(Vec::new, |node| self.robots(node));
        let chucks = self.chucks(fields.get("chucks"), node.span);
        self.served(&locks, &robots);
        let robots = robots.into_iter().flatten().collect();
        Some(Layout { track, locks, robots, chucks, heuristics: Vec::new(), span: node.span })
    }

    fn track(&mut self, node: Option<&Node>, span: Span) -> Track {
        let fields = node.and_then(|node| self.fields(node, &TRACK));
        let [load, unload, switch, recover] = ["load", "unload", "switch", "recover"]
            .map(|name| self.lasts(fields.as_ref(), name, span));
        Track { load, unload, switch, recover }
    }

    fn locks(&mut self, node: Option<&Node>, span: Span) -> Locks {
        let fields = node.and_then(|node| self.fields(node, &LOCKS));
        let get = |name: &str| fields.as_ref().and_then(|fields| fields.get(name));
        let ids =
            get("ids").and_then(|node| self.some(node, "ids", "a layout has at least one lock"));
        let [depressurize, pressurize] =
            ["depressurize", "pressurize"].map(|name| self.lasts(fields.as_ref(), name, span));
        let direction = get("direction").map(|node| self.directions(node)).unwrap_or_default();
        Locks { ids: ids.unwrap_or_default(), depressurize, pressurize, direction }
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
        let arms = arms.unwrap_or(At::new(0, node.span));
        let locks = fields.get("locks").and_then(|node| {
            let locks = self.some(node, "locks", "a robot serves at least one lock")?;
            self.unique(&locks, "the name");
            Some(locks)
        });
        let locks = locks.unwrap_or_default();
        let [turn, from_lock, to_lock, to_chuck, from_chuck] =
            ["turn", "from-lock", "to-lock", "to-chuck", "from-chuck"]
                .map(|name| self.lasts(Some(&fields), name, node.span));
        Some(Robot { name, arms, locks, turn, from_lock, to_lock, to_chuck, from_chuck })
    }

    fn chucks(&mut self, node: Option<&Node>, span: Span) -> Chucks {
        let fields = node.and_then(|node| self.fields(node, &CHUCKS));
        let ids = fields.as_ref().and_then(|fields| fields.get("ids")).and_then(|node| {
            let ids = self.some(node, "ids", "a layout has at least one chuck")?;
            if let Some(third) = ids.get(2) {
                self.error("out-of-range", third.span, "there are at most two chucks");
            }
            Some(ids)
        });
        let [swap, measure, expose] =
            ["swap", "measure", "expose"].map(|name| self.lasts(fields.as_ref(), name, span));
        Chucks { ids: ids.unwrap_or_default(), swap, measure, expose }
    }

    /// Names of components behind a key. That there are none is told as `least`.
    fn some(&mut self, node: &Node, key: &str, least: &str) -> Option<Vec<At<String>>> {
        let is_empty = |node: &Node| match &node.kind {
            NodeKind::List(items) => items.is_empty(),
            kind => matches!(kind, NodeKind::Null),
        };
        if is_empty(node) {
            self.error("bad-value", node.span, least);
            return None;
        }
        let NodeKind::List(items) = &node.kind else {
            self.mismatch(node, &format!("`{key}` needs a list of names, such as [A, B]"));
            return None;
        };
        let names = items.iter().filter_map(|item| self.text(item, "a name"));
        let names: Vec<_> = names.collect();
        (names.len() == items.len()).then_some(names)
    }

    /// What an action takes; one unit where that was told to be wrong or missing.
    fn lasts(&mut self, fields: Option<&Fields>, name: &str, span: Span) -> Expr {
        let read = fields.and_then(|fields| self.optional(fields, name, "a duration"));
        read.unwrap_or(Expr { kind: ExprKind::Number(Exact::from(1)), span })
    }
}
