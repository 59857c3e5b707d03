//! `layout`: the components of a wafer scanner and what their actions take.

use crate::spec::fields::{Fields, Reader};
use crate::spec::language::{CHUCKS, LAYOUT, LOCKS, ROBOT, TRACK};
use crate::spec::yaml::Node;
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
        Some(Layout {
            track: track?,
            locks: locks?,
            robots: robots?,
            chucks: chucks?,
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
        let ids = fields.get("ids").and_then(|node| self.names(node, "`ids`"));
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

    fn robots(&mut self, node: &Node) -> Vec<Robot> {
        let entries = self.named(node, "robot");
        if entries.is_empty() {
            self.error("bad-value", node.span, "a layout has at least one robot");
        }
        entries.into_iter().filter_map(|(name, value)| self.robot(name, value)).collect()
    }

    fn robot(&mut self, name: At<String>, node: &Node) -> Option<Robot> {
        let fields = self.fields(node, &ROBOT)?;
        let arms = fields.get("arms");
        let arms = arms.and_then(|node| self.whole(node, "the number of arms", [1, 2]));
        let locks = fields.get("locks").and_then(|node| self.names(node, "`locks`"));
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
            let ids = self.names(node, "`ids`")?;
            if let Some(third) = ids.get(2) {
                self.error("out-of-range", third.span, "there are at most two chucks");
            }
            Some(ids)
        });
        let [swap, measure, expose] =
            ["swap", "measure", "expose"].map(|name| self.lasts(&fields, name));
        Some(Chucks { ids: ids?, swap: swap?, measure: measure?, expose: expose? })
    }

    fn lasts(&mut self, fields: &Fields, name: &str) -> Option<Expr> {
        self.optional(fields, name, "a duration")
    }
}
