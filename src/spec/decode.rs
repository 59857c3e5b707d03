//! From the tree of the file to the typed spec, one function per concept of the language.
//!
//! Checks shapes and single values; what depends on names elsewhere in the file is `check`'s.

use super::fields::{Fields, Keys, Reader};
use super::yaml::{Kind, Node};
use super::{
    Alternative, At, Exact, Expr, ExprKind, MAX_TIME, Objective, Order, Recipe, Requirement,
    Resource, Spec, Step, Unit, Units,
};
use crate::diagnostic::{Diagnostic, Diagnostics};

const SPEC: Keys = Keys {
    known: &["takt", "name", "time", "resources", "recipes", "orders", "objective"],
    later: &["calendars", "heuristics", "layout"],
};
const TIME: Keys = Keys { known: &["unit"], later: &["start", "zone"] };
const RESOURCE: Keys = Keys {
    known: &["capacity"],
    later: &["calendar", "availability", "performance", "units", "setup", "initial", "run-cost"],
};
const RECIPE: Keys = Keys { known: &["steps"], later: &["holds"] };
const STEP: Keys = Keys {
    known: &["name", "on", "duration"],
    later: &["after", "interruptible", "family", "cost"],
};
const ORDER: Keys = Keys {
    known: &["id", "recipe"],
    later: &[
        "release",
        "due",
        "deadline",
        "size",
        "family",
        "delay-cost",
        "storage-cost",
        "holding-cost",
        "count",
        "every",
        "file",
        "attributes",
    ],
};

/// Decodes what can be decoded; every gap has its diagnostic in `found`.
pub fn spec(root: &Node, found: &mut Diagnostics) -> Spec {
    let mut reader = Reader { found };
    let mut spec = Spec::default();
    if matches!(root.kind, Kind::Null) {
        let empty = Diagnostic::without_place("empty", "the spec is empty");
        reader.found.push(empty.hint("it begins with `takt: 1`"));
        return spec;
    }
    let Some(fields) = reader.fields(root, "a spec", &SPEC) else { return spec };
    reader.version(&fields);
    spec.name = fields.get("name").and_then(|node| reader.text(node, "the name"));
    if let Some(node) = fields.get("time") {
        spec.time.unit = reader.time(node).unwrap_or_default();
    }
    if let Some(node) = fields.get("resources") {
        spec.resources = reader.resources(node).unwrap_or_default();
    }
    if let Some(node) = reader.required(&fields, "recipes") {
        spec.recipes = reader.recipes(node).unwrap_or_default();
    }
    if let Some(node) = reader.required(&fields, "orders") {
        let items = reader.list(node, "`orders`").unwrap_or_default();
        spec.orders = items.iter().filter_map(|item| reader.order(item)).collect();
    }
    if let Some(node) = fields.get("objective") {
        spec.objective = reader.objective(node).unwrap_or_default();
    }
    spec
}

impl Reader<'_> {
    fn version(&mut self, fields: &Fields) -> Option<()> {
        let node = self.required(fields, "takt")?;
        let version = self.whole(node, "the version of the language")?;
        if version.value != 1 {
            let message = format!("version {} of the language is not known", version.value);
            let found = Diagnostic::error("bad-version", node.span, message);
            self.found.push(found.hint("this program reads `takt: 1`"));
        }
        Some(())
    }

    fn time(&mut self, node: &Node) -> Option<Unit> {
        let fields = self.fields(node, "`time`", &TIME)?;
        self.choice(fields.get("unit")?, "the unit of time", &Unit::NAMES)
    }

    fn resources(&mut self, node: &Node) -> Option<Vec<Resource>> {
        let mut resources = Vec::new();
        for (key, value) in self.map(node, "`resources`")? {
            let Some(name) = self.name(key, "the name of a resource") else { continue };
            // A resource with nothing to say about it may stay without a value.
            if !matches!(value.kind, Kind::Null)
                && let Some(fields) = self.fields(value, "a resource", &RESOURCE)
                && let Some(capacity) = fields.get("capacity")
            {
                self.capacity(capacity);
            }
            let units = Units::Counted(At { value: 1, span: name.span });
            resources.push(Resource {
                name,
                units,
                calendar: None,
                availability: None,
                performance: None,
                setup: None,
                initial: None,
                run_cost: None,
            });
        }
        Some(resources)
    }

    fn capacity(&mut self, node: &Node) -> Option<()> {
        let capacity = self.whole(node, "the capacity")?;
        if capacity.value < 1 {
            let message = "a resource has a capacity of at least 1";
            self.found.push(Diagnostic::error("bad-value", node.span, message));
        } else if capacity.value > 1 {
            self.unsupported(node.span, "a capacity above 1");
        }
        Some(())
    }

    fn recipes(&mut self, node: &Node) -> Option<Vec<Recipe>> {
        let mut recipes = Vec::new();
        for (key, value) in self.map(node, "`recipes`")? {
            let Some(name) = self.name(key, "the name of a recipe") else { continue };
            let steps = self.steps(value).unwrap_or_default();
            recipes.push(Recipe { name, steps, holds: Vec::new() });
        }
        Some(recipes)
    }

    fn steps(&mut self, recipe: &Node) -> Option<Vec<Step>> {
        let fields = self.fields(recipe, "a recipe", &RECIPE)?;
        let node = self.required(&fields, "steps")?;
        let items = self.list(node, "`steps`")?;
        if items.is_empty() {
            let message = "a recipe has at least one step";
            self.found.push(Diagnostic::error("bad-value", node.span, message));
        }
        Some(items.iter().filter_map(|item| self.step(item)).collect())
    }

    fn step(&mut self, node: &Node) -> Option<Step> {
        let fields = self.fields(node, "a step", &STEP)?;
        let name = self.required(&fields, "name").and_then(|n| self.text(n, "the name of a step"));
        let on = fields.get("on").map(|node| self.on(node));
        let least = i64::from(on.is_some());
        let duration =
            self.required(&fields, "duration").and_then(|node| self.duration(node, least));
        // A wrong duration is told; what else is wrong with the step is looked for all the same.
        let duration = duration.unwrap_or(At { value: least, span: node.span });
        let amount = Exact::from(i128::from(duration.value));
        let requirement = |resource: At<String>| Requirement {
            amount: At { value: 1, span: resource.span },
            resource,
        };
        let alternative = Alternative {
            requirements: on.flatten().map(requirement).into_iter().collect(),
            duration: Expr { kind: ExprKind::Number(amount), span: duration.span },
            span: node.span,
        };
        Some(Step {
            name: name?,
            alternatives: vec![alternative],
            after: None,
            interruptible: None,
            family: None,
            span: node.span,
        })
    }

    fn on(&mut self, node: &Node) -> Option<At<String>> {
        match node.kind {
            Kind::List(_) => self.unsupported(node.span, "a list of resources"),
            Kind::Map(_) => self.unsupported(node.span, "a map of resources"),
            _ => return self.text(node, "`on`"),
        }
        None
    }

    fn duration(&mut self, node: &Node, least: i64) -> Option<At<i64>> {
        match &node.kind {
            Kind::Map(_) => {
                self.unsupported(node.span, "a duration for each alternative");
                return None;
            }
            Kind::Scalar { text, .. } if text.parse::<f64>().is_err() => {
                self.unsupported(node.span, "a duration written as text");
                return None;
            }
            _ => {}
        }
        let duration = self.whole(node, "a duration")?;
        if (least..=MAX_TIME).contains(&duration.value) {
            return Some(duration);
        }
        let message = match duration.value {
            value if value > MAX_TIME => format!("a duration is at most {MAX_TIME}"),
            0 => "a step with a resource lasts at least 1".to_owned(),
            _ => "a duration is not negative".to_owned(),
        };
        self.found.push(Diagnostic::error("out-of-range", node.span, message));
        None
    }

    fn order(&mut self, node: &Node) -> Option<Order> {
        let fields = self.fields(node, "an order", &ORDER)?;
        if fields.get("id").is_none() && is_file(node) {
            return None;
        }
        let id = self.required(&fields, "id").and_then(|n| self.text(n, "the id of an order"));
        let recipe = self.required(&fields, "recipe").and_then(|n| self.text(n, "`recipe`"));
        Some(Order {
            id: id?,
            recipe: recipe?,
            release: None,
            due: None,
            deadline: None,
            shift: None,
            size: None,
            family: None,
            delay_cost: None,
            storage_cost: None,
            holding_cost: None,
            attributes: Vec::new(),
        })
    }

    fn objective(&mut self, node: &Node) -> Option<Objective> {
        let all = [
            ("feasible", Some(Objective::Feasible)),
            ("makespan", Some(Objective::Makespan)),
            ("cost", None),
            ("throughput", None),
        ];
        let chosen = self.choice(node, "the objective", &all)?;
        if chosen.is_none() {
            self.unsupported(node.span, "this objective");
        }
        chosen
    }
}

/// `- file: orders.csv` stands for orders, and needs no id of its own.
fn is_file(node: &Node) -> bool {
    matches!(&node.kind, Kind::Map(entries) if entries.iter().any(|(key, _)| key.text == "file"))
}
