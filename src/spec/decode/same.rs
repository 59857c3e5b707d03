//! `{same: STEP}`: a step takes what another step of its recipe took.
//!
//! Each alternative of the other becomes one of this step, with all that it takes; which one, it remembers. Whether the
//! other comes before it is judged elsewhere.

use super::need::{MAX_ALTERNATIVES, MAX_NEEDS, Needs, Way};
use crate::fields::Decoder;
use crate::yaml::Node;
use crate::{At, Requirement, Same, Step};
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Span};

/// A step whose alternatives are not whole yet.
pub struct Draft<'n> {
    pub step: Step,
    pub needs: Needs,
    pub duration: Option<&'n Node>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

impl Decoder<'_> {
    /// Gives steps what the others took, those first that others ask for.
    pub fn take_again(&mut self, drafts: &mut [Draft]) {
        let mut index: BTreeMap<String, usize> = BTreeMap::new();
        for (k, draft) in drafts.iter().enumerate() {
            index.entry(draft.step.name.value.clone()).or_insert(k);
        }
        let mut states = vec![State::New; drafts.len()];
        for first in 0..drafts.len() {
            let mut stack = vec![first];
            while let Some(&k) = stack.last() {
                states[k] = if states[k] == State::New { State::Open } else { states[k] };
                let asked = drafts[k].needs.ways.iter().flat_map(|way| &way.same);
                let mut asked = asked.filter_map(|same| index.get(&same.step.value).copied());
                match asked.find(|&other| states[other] == State::New) {
                    Some(other) => stack.push(other),
                    None => {
                        if states[k] == State::Open {
                            self.repeat(drafts, k, &index, &states);
                        }
                        states[k] = State::Done;
                        stack.pop();
                    }
                }
            }
        }
    }

    /// The ways of one step in full.
    fn repeat(
        &mut self,
        drafts: &mut [Draft],
        k: usize,
        index: &BTreeMap<String, usize>,
        states: &[State],
    ) {
        if drafts[k].needs.ways.iter().all(|way| way.same.is_empty()) {
            return;
        }
        let written = std::mem::take(&mut drafts[k].needs.ways);
        let mut whole = Vec::new();
        for way in written {
            let mut parts = vec![Way { same: Vec::new(), ..way.clone() }];
            for same in &way.same {
                // Who asks for itself, or for nobody, is told elsewhere.
                let other = index.get(&same.step.value).filter(|&&k| states[k] == State::Done);
                let other = other.map(|&other| &drafts[other].needs);
                let known = other.filter(|needs| needs.is_known);
                let Some(known) = known.filter(|needs| self.takes_something(needs, &same.step))
                else {
                    drafts[k].needs.is_known = false;
                    parts.iter_mut().for_each(|part| part.same.push(same.clone()));
                    continue;
                };
                parts = joined(&parts, &known.ways, &same.step);
                if whole.len() + parts.len() > MAX_ALTERNATIVES {
                    let message = format!("a step has at most {MAX_ALTERNATIVES} alternatives");
                    self.error("too-large", same.step.span, message);
                    parts.truncate(1);
                    drafts[k].needs.is_known = false;
                }
                if parts.iter().any(|part| part.requirements.len() > MAX_NEEDS) {
                    let message = format!("a step takes at most {MAX_NEEDS} resources at once");
                    self.error("too-large", same.step.span, message);
                    parts.iter_mut().for_each(|part| part.requirements.truncate(1));
                    drafts[k].needs.is_known = false;
                }
            }
            self.meet(&parts);
            whole.extend(parts);
        }
        whole.truncate(MAX_ALTERNATIVES);
        if !self.is_affordable(&whole, drafts[k].step.span) {
            whole.truncate(1);
            drafts[k].needs.is_known = false;
        }
        drafts[k].needs.ways = whole;
    }

    fn takes_something(&mut self, needs: &Needs, name: &At<String>) -> bool {
        // Wrong ways of it have been told.
        let is_nothing = |way: &Way| way.requirements.is_empty() && way.same.is_empty();
        if !needs.ways.iter().any(is_nothing) {
            return true;
        }
        let message = format!("`{}` takes nothing", name.value);
        let found = Diagnostic::error("bad-same", name.span, message);
        self.found.push(found.hint("name a step with `on`"));
        false
    }

    /// Of a resource that two others took, nobody can say how many units that is together.
    fn meet(&mut self, parts: &[Way]) {
        for part in parts {
            let mut taken: BTreeMap<&str, &At<String>> = BTreeMap::new();
            for need in &part.requirements {
                let is_from = |same: &&Same| place(same.step.span) == place(need.resource.span);
                let from = part.same.iter().find(is_from);
                let Some(from) = from else { continue };
                let name = need.resource.value.as_str();
                if let Some(first) = taken.insert(name, &from.step)
                    && place(first.span) != place(from.step.span)
                {
                    let [a, b] = [&first.value, &from.step.value];
                    let message = format!("both `{a}` and `{b}` may take `{name}`");
                    let found = Diagnostic::error("bad-same", from.step.span, message);
                    self.found.push(found.label("it is not clear how many that is together"));
                    return;
                }
            }
        }
    }
}

fn place(span: Span) -> (u32, u32) {
    (span.file.0, span.start)
}

/// Each of these with each way of the other step.
fn joined(parts: &[Way], others: &[Way], name: &At<String>) -> Vec<Way> {
    let one = |part: &Way, (alternative, other): (usize, &Way)| {
        let again = |need: &Requirement| Requirement {
            // It stands where the step is named.
            resource: At::new(need.resource.value.clone(), name.span),
            amount: At::new(need.amount.value, name.span),
        };
        let mut way = part.clone();
        if way.names.is_empty() {
            way.names.extend(way.requirements.first().map(|need| need.resource.value.clone()));
        }
        way.names.extend(other.requirements.first().map(|need| need.resource.value.clone()));
        way.requirements.extend(other.requirements.iter().map(again));
        way.same.push(Same { step: name.clone(), alternative });
        way
    };
    let pairs = parts.iter().flat_map(|part| others.iter().enumerate().map(move |o| (part, o)));
    pairs.take(MAX_ALTERNATIVES + 1).map(|(part, other)| one(part, other)).collect()
}
