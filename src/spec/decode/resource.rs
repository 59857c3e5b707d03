//! `resources`: units, calendars, factors, setups.

use crate::fields::{Decoder, Fields};
use crate::language::{EFFORT, RESOURCE, SETUP, UNIT};
use crate::yaml::{Node, NodeKind};
use crate::{
    At, Change, Effort, Exact, Initial, NamedUnit, Resource, Setup, SetupPart, Units, phrase,
};
use takt_diagnostic::Diagnostic;

/// More units than any schedule can use; keeps lists of them short.
const MAX_UNITS: i64 = 100_000;
/// The finest fraction of one.
const MAX_PARTS: i128 = 1_000_000_000;
/// More kinds of families than any machine knows.
const MAX_PARTS_OF_SETUPS: usize = 20;

impl Decoder<'_> {
    pub fn resources(&mut self, node: &Node) -> Vec<Resource> {
        let mut resources = Vec::new();
        for (name, value) in self.named(node, "resource") {
            if name.value == "any" {
                let message = "`any` is a word of the language and cannot be a resource";
                self.error("bad-value", name.span, message);
            }
            let fields = self.optional_fields(value, &RESOURCE);
            resources.push(self.resource(name, fields.as_ref()));
        }
        resources
    }

    /// A resource of which nothing can be read has its name at least.
    fn resource(&mut self, name: At<String>, fields: Option<&Fields>) -> Resource {
        let get = |key: &str| fields.and_then(|fields| fields.get(key));
        let one = Units::Counted(At::new(1, name.span));
        Resource {
            units: fields.and_then(|fields| self.units(fields)).unwrap_or(one),
            calendar: get("calendar").and_then(|node| self.text(node, "`calendar`")),
            availability: get("availability").and_then(|n| self.share(n, "`availability`")),
            performance: get("performance").and_then(|n| self.share(n, "`performance`")),
            setup: get("setup").and_then(|node| self.setup(node)),
            initial: get("initial").and_then(|node| self.initial(node)),
            run_cost: get("run-cost").and_then(|node| self.rate(node, "a price per time")),
            name,
        }
    }

    fn units(&mut self, fields: &Fields) -> Option<Units> {
        let capacity = fields.get("capacity").map(|node| {
            let capacity = self.whole(node, "the capacity", [1, MAX_UNITS]);
            // Whatever it is meant to be, it is enough.
            capacity.unwrap_or(At::new(MAX_UNITS, node.span))
        });
        let Some(node) = fields.get("units") else { return capacity.map(Units::Counted) };
        if let Some(span) = fields.key("capacity") {
            let found =
                Diagnostic::error("bad-value", span, "a resource has `capacity` or `units`");
            self.found.push(found.related(node.span, "there are as many units as names here"));
        }
        let units: Vec<_> = match &node.kind {
            NodeKind::Map(_) => {
                let entries = self.named(node, "unit");
                entries.into_iter().map(|(name, value)| self.unit(name, value)).collect()
            }
            _ => {
                let names = self.names(node, "`units`").unwrap_or_default();
                names.into_iter().map(NamedUnit::named).collect()
            }
        };
        if units.is_empty() && matches!(node.kind, NodeKind::Map(_)) {
            self.error("bad-value", node.span, "`units` must not be empty");
        }
        (!units.is_empty()).then_some(Units::Named(units))
    }

    fn unit(&mut self, name: At<String>, node: &Node) -> NamedUnit {
        let fields = self.optional_fields(node, &UNIT);
        let get = |key: &str| fields.as_ref().and_then(|fields| fields.get(key));
        NamedUnit {
            name,
            calendar: get("calendar").and_then(|node| self.text(node, "`calendar`")),
            availability: get("availability").and_then(|n| self.share(n, "`availability`")),
            performance: get("performance").and_then(|n| self.share(n, "`performance`")),
            run_cost: get("run-cost").and_then(|node| self.rate(node, "a price per time")),
            families: get("families").and_then(|node| self.some_families(node)),
        }
    }

    /// One family, or a list of some.
    fn some_families(&mut self, node: &Node) -> Option<Vec<At<String>>> {
        match &node.kind {
            NodeKind::Scalar(_) => Some(vec![self.text(node, "a family")?]),
            _ => self.names(node, "`families`"),
        }
    }

    /// A share in (0, 1].
    fn share(&mut self, node: &Node, what: &str) -> Option<At<Exact>> {
        let scalar = self.scalar(node, what)?;
        let share = self.keep(phrase::fraction(scalar, what))?;
        if share.value <= Exact::from(0) || share.value > Exact::from(1) {
            let message = format!("{what} lies above 0 and is at most 1");
            self.error("out-of-range", node.span, message);
            return None;
        }
        // Products of shares and durations stay far from the end of the numbers.
        if *share.value.denom() > MAX_PARTS {
            let message = format!("{what} is counted in parts of at most {MAX_PARTS}");
            self.error("out-of-range", node.span, message);
            return None;
        }
        Some(share)
    }

    fn setup(&mut self, node: &Node) -> Option<Setup> {
        let items = match &node.kind {
            NodeKind::List(items) => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        if items.is_empty() {
            self.error("bad-value", node.span, "`setup` must not be empty");
        }
        if items.len() > MAX_PARTS_OF_SETUPS {
            let message = format!("a setup has at most {MAX_PARTS_OF_SETUPS} parts");
            self.error("too-large", node.span, message);
            return None;
        }
        let parts: Vec<_> = items.iter().filter_map(|item| self.setup_part(item)).collect();
        (!parts.is_empty()).then_some(Setup { parts, span: node.span })
    }

    fn setup_part(&mut self, node: &Node) -> Option<SetupPart> {
        let fields = self.fields(node, &SETUP)?;
        let by = fields.get("by").and_then(|node| self.text(node, "`by`"));
        let initial = fields.get("initial").and_then(|node| self.initial(node));
        let crew = fields.get("on").map(|node| self.crew(node)).unwrap_or_default();
        let on_calendar = fields.get("calendar").is_some_and(|node| self.is_set(node));
        let (matrix, otherwise) = self.efforts(&fields);
        Some(SetupPart { by, matrix, otherwise, initial, crew, on_calendar, span: node.span })
    }

    fn is_set(&mut self, node: &Node) -> bool {
        match &node.kind {
            NodeKind::Scalar(flag) if flag.is_plain && flag.text == "true" => return true,
            NodeKind::Scalar(flag) if flag.is_plain && flag.text == "false" => {}
            _ => self.mismatch(node, "`calendar` of a setup is true or false"),
        }
        false
    }

    fn efforts(&mut self, fields: &Fields) -> (Vec<Change>, Effort) {
        let is_table = fields.get("matrix").is_some() || fields.get("otherwise").is_some();
        if !is_table {
            return (Vec::new(), self.effort(fields));
        }
        for name in ["time", "cost"] {
            if let Some(span) = fields.key(name) {
                let found = Diagnostic::error(
                    "bad-value",
                    span,
                    format!("`{name}` does not stand beside a matrix"),
                );
                self.found.push(found.hint(format!("write `otherwise: {{{name}: ...}}`")));
            }
        }
        let matrix = fields.get("matrix").map(|node| self.matrix(node)).unwrap_or_default();
        let otherwise = fields.get("otherwise").and_then(|node| {
            let fields = self.optional_fields(node, &EFFORT)?;
            Some(self.effort(&fields))
        });
        (matrix, otherwise.unwrap_or_default())
    }

    fn matrix(&mut self, node: &Node) -> Vec<Change> {
        let mut matrix = Vec::new();
        for (from, row) in self.map(node, "`matrix`").unwrap_or_default() {
            let Some(from) = self.name(from, "a family") else { continue };
            for (to, cell) in self.map(row, "a row of the matrix").unwrap_or_default() {
                let to = self.name(to, "a family");
                let fields = self.optional_fields(cell, &EFFORT);
                if let (Some(to), Some(fields)) = (to, fields) {
                    let effort = self.effort(&fields);
                    matrix.push(Change { from: from.clone(), to, effort });
                }
            }
        }
        matrix
    }

    fn effort(&mut self, fields: &Fields) -> Effort {
        let time = self.optional(fields, "time", "a duration");
        let cost = self.optional(fields, "cost", "a cost");
        Effort { time, cost }
    }

    fn initial(&mut self, node: &Node) -> Option<Initial> {
        if !matches!(node.kind, NodeKind::Map(_)) {
            return self.text(node, "`initial`").map(Initial::All);
        }
        let mut all = Vec::new();
        for (unit, family) in self.map(node, "`initial`")? {
            let unit = self.name(unit, "the name of a unit");
            let family = self.text(family, "a family");
            all.extend(unit.zip(family));
        }
        Some(Initial::PerUnit(all))
    }
}
