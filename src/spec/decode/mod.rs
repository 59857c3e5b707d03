//! From the tree of the file to the typed spec, one file per concept of the language.
//!
//! Checks shapes and single values; what depends on names elsewhere in the file, or on the
//! value of an expression, is `check`'s.

mod after;
mod calendar;
mod fact;
mod heuristic;
mod layout;
mod like;
mod need;
mod order;
mod recipe;
mod resource;
mod routing;
pub mod row;
mod same;
mod table;

use super::cells::Source;
use super::fields::{Decoder, Fields};
use super::language::{SPEC, TIME};
use super::yaml::{Node, NodeKind};
use super::{At, Expr, Files, Objective, Previous, Rate, Spec, Time, Unit, civil, phrase};
use jiff::tz::TimeZone;
use takt_diagnostic::{Diagnostic, Diagnostics, Span};

/// What a layout takes the place of.
const PLANT: [&str; 8] =
    ["calendars", "resources", "recipes", "routings", "orders", "now", "fixed", "previous"];

/// A spec as far as it could be read.
pub struct Decoded {
    pub spec: Spec,
    /// Otherwise nothing can be said about what times mean.
    pub is_time_known: bool,
    /// Otherwise tables with recipes could not be read, and there may be more of them.
    pub are_steps_known: bool,
    /// Where the objective stands.
    pub objective: Option<Span>,
    pub tables: Vec<Source>,
}

/// Decodes what can be decoded; every gap has its diagnostic in `found`. `None` if a spec that this
/// one extends is missing.
pub fn decode(root: Node, files: &mut dyn Files, found: &mut Diagnostics) -> Option<Decoded> {
    let mut decoder = Decoder::new(found);
    let root = decoder.extended(root, files)?;
    let spec = decoder.spec(&root, files);
    let objective = match &root.kind {
        NodeKind::Map(entries) => entries.iter().find(|(key, _)| key.text == "objective"),
        _ => None,
    };
    let objective = objective.map(|(_, node)| node.span);
    let Decoder { is_time_known, are_steps_known, tables, .. } = decoder;
    Some(Decoded { spec, is_time_known, are_steps_known, objective, tables })
}

impl Decoder<'_> {
    fn spec(&mut self, root: &Node, files: &mut dyn Files) -> Spec {
        let mut spec = Spec::default();
        if matches!(root.kind, NodeKind::Null) {
            let empty = Diagnostic::without_place("empty", "the spec is empty");
            self.found.push(empty.hint("it begins with `takt: 1`"));
            return spec;
        }
        let Some(fields) = self.fields(root, &SPEC) else { return spec };
        if let Some(node) = fields.get("takt") {
            self.version(node);
        }
        spec.name = fields.get("name").and_then(|node| self.text(node, "the name"));
        if let Some(node) = fields.get("time") {
            let time = self.time(node);
            self.is_time_known &= time.is_some();
            spec.time = time.unwrap_or_default();
        }
        match fields.get("layout") {
            Some(node) => {
                self.only_layout(&fields);
                spec.layout = self.layout(node);
                let heuristics = fields.get("heuristics").map(|node| self.layout_heuristics(node));
                if let Some(layout) = &mut spec.layout {
                    layout.heuristics = heuristics.unwrap_or_default();
                }
            }
            None => self.plant(&fields, files, &mut spec),
        }
        spec.objective = self.objective(&fields);
        spec
    }

    pub fn version(&mut self, node: &Node) -> Option<()> {
        let version = self.whole(node, "the version of the language", [0, i64::MAX])?;
        if version.value != 1 {
            let message = format!("version {} of the language is not known", version.value);
            let found = Diagnostic::error("bad-version", node.span, message);
            self.found.push(found.hint("this program reads `takt: 1`"));
        }
        Some(())
    }

    fn plant(&mut self, fields: &Fields, files: &mut dyn Files, spec: &mut Spec) {
        if let Some(node) = fields.get("calendars") {
            spec.calendars = self.calendars(node);
        }
        if let Some(node) = fields.get("resources") {
            spec.resources = self.resources(node);
        }
        match fields.get("recipes") {
            Some(node) => spec.recipes = self.recipes(node),
            None if fields.get("routings").is_some() => {}
            None => self.missing(fields.span, SPEC.what, "recipes"),
        }
        if let Some(node) = fields.get("routings") {
            self.routings(node, files, &mut spec.recipes);
        }
        match fields.get("orders") {
            Some(node) => spec.orders = self.orders(node, files),
            None => self.missing(fields.span, SPEC.what, "orders"),
        }
        if let Some(node) = fields.get("heuristics") {
            spec.heuristics = self.heuristics(node);
        }
        spec.now = self.optional_instant(fields, "now");
        if let Some(node) = fields.get("fixed") {
            spec.fixed = self.fixed(node, &spec.time, files);
        }
        if let Some(node) = fields.get("previous") {
            spec.previous = self.previous(node, &spec.time, files).map(|previous| Previous {
                span: fields.key("previous").unwrap_or(previous.span),
                ..previous
            });
        }
    }

    fn only_layout(&mut self, fields: &Fields) {
        let layout = fields.key("layout").unwrap_or(fields.span);
        for name in PLANT {
            if let Some(span) = fields.key(name) {
                let message = format!("a spec has a layout or `{name}`, not both");
                let found = Diagnostic::error("layout-and-plant", span, message);
                self.found.push(found.related(layout, "the layout"));
            }
        }
    }

    fn objective(&mut self, fields: &Fields) -> Objective {
        let is_layout = fields.get("layout").is_some();
        let default = if is_layout { Objective::Throughput } else { Objective::Makespan };
        let Some(node) = fields.get("objective") else { return default };
        let chosen = self.choice(node, "the objective", &Objective::NAMES);
        let chosen = chosen.unwrap_or(default);
        if is_layout != (chosen == Objective::Throughput) {
            let message = match is_layout {
                true => "the objective of a layout is `throughput`",
                false => "`throughput` is the objective of layouts only",
            };
            self.error("bad-value", node.span, message);
        }
        chosen
    }

    fn time(&mut self, node: &Node) -> Option<Time> {
        let fields = self.fields(node, &TIME)?;
        let unit =
            fields.get("unit").and_then(|n| self.choice(n, "the unit of time", &Unit::NAMES));
        let start = fields.get("start").and_then(|node| {
            let scalar = self.scalar(node, "the start")?;
            let start = self.keep(phrase::date_time(scalar, civil::of_date_alone("start")))?;
            Some(At::new(start, node.span))
        });
        let zone = fields.get("zone").and_then(|node| self.zone(node));
        if let Some(span) = fields.key("start")
            && fields.get("unit").is_none_or(|_| unit == Some(Unit::Tick))
        {
            let found = Diagnostic::error("missing-unit", span, "a start needs a unit of time");
            self.found.push(found.hint("such as `unit: minute`; a tick has no length"));
        }
        if let Some(span) = fields.key("zone")
            && fields.get("start").is_none()
        {
            let message = "a zone has no meaning without a `start`";
            self.found.push(Diagnostic::warning("unused", span, message));
        }
        // A misspelled unit or start is told once, and not again by every time with a length.
        self.is_time_known = fields.get("unit").is_some() == unit.is_some()
            && fields.get("start").is_some() == start.is_some()
            && fields.get("zone").is_some() == zone.is_some();
        Some(Time { unit: unit.unwrap_or_default(), start, zone })
    }

    fn zone(&mut self, node: &Node) -> Option<At<TimeZone>> {
        let name = self.text(node, "the zone")?;
        match TimeZone::get(&name.value) {
            Ok(zone) => Some(At::new(zone, name.span)),
            Err(_) => {
                let message = format!("there is no time zone `{}`", name.value);
                let found = Diagnostic::error("unknown-name", name.span, message);
                let all: Vec<_> = jiff::tz::db().available().collect();
                let near = found.did_you_mean(&name.value, all.iter().map(|zone| zone.as_str()));
                self.found.push(match near.hint {
                    Some(_) => near,
                    None => near.hint("zones have IANA names such as `Europe/Berlin`"),
                });
                None
            }
        }
    }

    /// Keeps what is wrong with a phrase, and gives what is right.
    fn keep<T>(&mut self, parsed: Result<T, Box<Diagnostic>>) -> Option<T> {
        parsed.map_err(|found| self.found.push(*found)).ok()
    }

    fn expression(&mut self, node: &Node, what: &str) -> Option<Expr> {
        let scalar = self.scalar(node, what)?;
        self.keep(phrase::expression(scalar, what))
    }

    /// An expression behind a key that may be missing.
    fn optional(&mut self, fields: &Fields, name: &str, what: &str) -> Option<Expr> {
        fields.get(name).and_then(|node| self.expression(node, what))
    }

    fn rate(&mut self, node: &Node, what: &str) -> Option<Rate> {
        let scalar = self.scalar(node, what)?;
        self.keep(phrase::rate(scalar, what))
    }
}
