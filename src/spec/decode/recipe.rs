//! `recipes`: steps, what comes before them, and holds.

use super::same::Draft;
use crate::fields::Decoder;
use crate::language::{HOLD, INTERRUPTIBLE, LAG, RECIPE, STEP};
use crate::yaml::{Node, NodeKind};
use crate::{At, Hold, Interruptible, LagFrom, MAX_TIME, Predecessor, Recipe, Step};

/// More than any recipe needs; each is compared with all steps.
const MAX_HOLDS: usize = 500;

const FROM: [(&str, LagFrom); 2] = [("start", LagFrom::Start), ("end", LagFrom::End)];

impl Decoder<'_> {
    pub fn recipes(&mut self, node: &Node) -> Vec<Recipe> {
        let entries = self.named(node, "recipe");
        entries.into_iter().map(|(name, value)| self.recipe(name, value)).collect()
    }

    /// A recipe of which nothing can be read has its name at least.
    fn recipe(&mut self, name: At<String>, node: &Node) -> Recipe {
        let mut recipe = Recipe { name, steps: Vec::new(), holds: Vec::new() };
        let Some(fields) = self.fields(node, &RECIPE) else { return recipe };
        if let Some(node) = fields.get("steps") {
            let items = self.list(node, "`steps`");
            if items.is_some_and(<[Node]>::is_empty) {
                self.error("bad-value", node.span, "a recipe has at least one step");
            }
            let items = items.unwrap_or_default().iter();
            let mut drafts: Vec<Draft> = items.filter_map(|item| self.step(item)).collect();
            self.take_again(&mut drafts);
            recipe.steps = drafts.into_iter().map(|draft| self.finished(draft)).collect();
        }
        if let Some(node) = fields.get("holds") {
            let items = self.list(node, "`holds`").unwrap_or_default();
            if items.len() > MAX_HOLDS {
                let message = format!("a recipe has at most {MAX_HOLDS} holds");
                self.error("too-large", node.span, message);
                return recipe;
            }
            recipe.holds = items.iter().filter_map(|item| self.hold(item)).collect();
        }
        recipe
    }

    fn step<'n>(&mut self, node: &'n Node) -> Option<Draft<'n>> {
        let fields = self.fields(node, &STEP)?;
        let name = fields.get("name").and_then(|node| self.text(node, "the name of a step"));
        let needs = self.needs(fields.get("on"), node.span);
        let after = fields.get("after").and_then(|node| self.after(node));
        let interruptible = fields.get("interruptible").and_then(|node| self.interruptible(node));
        let family = fields.get("family").and_then(|node| self.text(node, "`family`"));
        let (alternatives, span) = (Vec::new(), node.span);
        let duration = fields.get("duration");
        let Some(name) = name else {
            self.alternatives(needs, duration, span);
            return None;
        };
        let step = Step { name, alternatives, after, interruptible, family, span };
        Some(Draft { step, needs, duration })
    }

    fn finished(&mut self, draft: Draft) -> Step {
        let Draft { step, needs, duration } = draft;
        let alternatives = self.alternatives(needs, duration, step.span);
        Step { alternatives, ..step }
    }

    fn after(&mut self, node: &Node) -> Option<Vec<Predecessor>> {
        match &node.kind {
            NodeKind::List(items) => {
                let parts: Vec<_> = items.iter().map(|item| self.predecessors(item)).collect();
                Some(parts.into_iter().flatten().flatten().collect())
            }
            _ => self.predecessors(node),
        }
    }

    /// A name, or a map from names to lags.
    fn predecessors(&mut self, node: &Node) -> Option<Vec<Predecessor>> {
        if !matches!(node.kind, NodeKind::Map(_)) {
            let step = self.text(node, "`after`")?;
            return Some(vec![Predecessor { step, from: LagFrom::End, min: None, max: None }]);
        }
        let mut all = Vec::new();
        for (key, value) in self.map(node, "`after`")? {
            let step = self.name(key, "the name of a step");
            let fields = self.optional_fields(value, &LAG);
            if let (Some(step), Some(fields)) = (step, fields) {
                let min = self.optional(&fields, "min", "a duration");
                let max = self.optional(&fields, "max", "a duration");
                let from = fields.get("from").and_then(|node| self.choice(node, "`from`", &FROM));
                all.push(Predecessor { step, from: from.unwrap_or_default(), min, max });
            }
        }
        Some(all)
    }

    fn interruptible(&mut self, node: &Node) -> Option<Interruptible> {
        let span = node.span;
        match &node.kind {
            NodeKind::Scalar(flag) if flag.is_plain && flag.text == "true" => {
                Some(Interruptible { max: None, span })
            }
            NodeKind::Scalar(flag) if flag.is_plain && flag.text == "false" => None,
            NodeKind::Map(_) => {
                let fields = self.fields(node, &INTERRUPTIBLE)?;
                Some(Interruptible { max: self.optional(&fields, "max", "a duration"), span })
            }
            _ => {
                self.mismatch(node, "`interruptible` is true, false, or `{max: 12h}`");
                None
            }
        }
    }

    fn hold(&mut self, node: &Node) -> Option<Hold> {
        let fields = self.fields(node, &HOLD)?;
        let [resource, from, until] = ["resource", "from", "until"]
            .map(|name| fields.get(name).and_then(|node| self.text(node, &format!("`{name}`"))));
        let amount = fields.get("amount");
        let amount = amount.and_then(|node| self.whole(node, "an amount", [1, MAX_TIME]));
        let resource = resource?;
        let amount = amount.unwrap_or(At::new(1, resource.span));
        Some(Hold { resource, from: from?, until: until?, amount, span: node.span })
    }
}
