//! The answers to queries, read off the region graph.

use super::graph::{Graph, Node};
use takt_automata::engine::Extremum;
use takt_automata::interpret::Interpreter;
use takt_automata::model::{Fault, Formula, Model, Objective, Query};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Exactly(Extremum),
    /// The caps were too low to tell.
    AtLeast(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    pub is_satisfied: bool,
    pub value: Option<Value>,
}

pub struct Oracle<'m> {
    pub interpreter: Interpreter<'m>,
    pub graph: Graph,
}

impl Oracle<'_> {
    pub fn answer(&self, query: &Query) -> Result<Expected, Fault> {
        let is_satisfied = match query {
            Query::Possibly(p) => self.is_reachable(p)?,
            Query::Invariantly(p) => !self.is_reachable(&not(p))?,
            Query::PotentiallyAlways(p) => self.has_run_within(p)?,
            Query::Eventually(p) => !self.has_run_within(&not(p))?,
            Query::LeadsTo(p, q) => return self.leads_to(p, q),
            Query::Infimum { within, of } => return self.extremum(within, of, false),
            Query::Supremum { within, of } => return self.extremum(within, of, true),
        };
        Ok(Expected { is_satisfied, value: None })
    }

    pub fn holds(&self, node: &Node, formula: &Formula) -> Result<bool, Fault> {
        self.interpreter.holds(&node.at, formula, node.is_deadlocked)
    }

    fn is_reachable(&self, formula: &Formula) -> Result<bool, Fault> {
        Ok(self.marks(formula)?.contains(&true))
    }

    /// Which nodes satisfy a formula.
    fn marks(&self, formula: &Formula) -> Result<Vec<bool>, Fault> {
        self.graph.nodes.iter().map(|node| self.holds(node, formula)).collect()
    }

    /// Whether a maximal run from the initial state stays where `formula` holds.
    fn has_run_within(&self, formula: &Formula) -> Result<bool, Fault> {
        Ok(self.maximal_within(&self.marks(formula)?).first() == Some(&true))
    }

    fn leads_to(&self, p: &Formula, q: &Formula) -> Result<Expected, Fault> {
        let without_q = self.maximal_within(&self.marks(&not(q))?);
        let starts = self.marks(p)?;
        let is_violated = starts.iter().zip(without_q).any(|(&p, escapes)| p && escapes);
        Ok(Expected { is_satisfied: !is_violated, value: None })
    }

    /// From which nodes a maximal run never leaves the marked ones: one that goes on for ever, by
    /// actions or by delay, or that ends where there is neither, or where time goes on within a
    /// region that it can never leave.
    ///
    /// Greatest fixed point: a node stays as long as it has a successor that stays, or is an end.
    /// Delays alone form no cycle, so a path that never ends takes infinitely many actions.
    fn maximal_within(&self, marks: &[bool]) -> Vec<bool> {
        let nodes = &self.graph.nodes;
        let mut stays = marks.to_vec();
        loop {
            let mut changed = false;
            for (at, node) in nodes.iter().enumerate() {
                if stays[at] && !is_end(node) && !successors(node).any(|next| stays[next]) {
                    stays[at] = false;
                    changed = true;
                }
            }
            if !changed {
                return stays;
            }
        }
    }

    fn extremum(
        &self,
        within: &Formula,
        of: &Objective,
        is_supremum: bool,
    ) -> Result<Expected, Fault> {
        let mut best: Option<Candidate> = None;
        for node in &self.graph.nodes {
            if !self.holds(node, within)? {
                continue;
            }
            let candidate = self.measure(node, of, is_supremum)?;
            if best.is_none_or(|best| candidate.beats(best, is_supremum)) {
                best = Some(candidate);
            }
        }
        let value = best.map(Candidate::value);
        Ok(Expected { is_satisfied: value.is_some(), value })
    }

    fn measure(&self, node: &Node, of: &Objective, up: bool) -> Result<Candidate, Fault> {
        let clock = match of {
            Objective::Data(term) => {
                let value = self.interpreter.value(&node.at, term)?;
                return Ok(Candidate { value, open: false, is_beyond: false, is_unbounded: false });
            }
            Objective::Clock(clock, _) => clock.index(),
            Objective::Cost(_) => panic!("the oracle knows no prices"),
        };
        if self.graph.scale.is_beyond(&node.at, clock) {
            let value = self.graph.scale.caps[clock];
            return Ok(Candidate {
                value,
                open: true,
                is_beyond: true,
                is_unbounded: up && node.is_unbounded,
            });
        }
        let exact = node.at.clocks[clock];
        let value = if up { exact.ceil() } else { exact.floor() }.to_integer();
        Ok(Candidate { value, open: !exact.is_integer(), is_beyond: false, is_unbounded: false })
    }
}

#[derive(Clone, Copy)]
struct Candidate {
    value: i64,
    open: bool,
    is_beyond: bool,
    is_unbounded: bool,
}

impl Candidate {
    fn beats(self, other: Candidate, is_supremum: bool) -> bool {
        if is_supremum {
            let rank = |c: Candidate| (c.is_unbounded, c.is_beyond, c.value, !c.open);
            rank(self) > rank(other)
        } else {
            let rank = |c: Candidate| (c.is_beyond, c.value, c.open);
            rank(self) < rank(other)
        }
    }

    fn value(self) -> Value {
        if self.is_unbounded {
            Value::Exactly(Extremum::Unbounded)
        } else if self.is_beyond {
            Value::AtLeast(self.value)
        } else {
            Value::Exactly(Extremum::Finite { value: self.value, attained: !self.open })
        }
    }
}

/// Without an action, a region is the last one if time does not lead on to another: it is stopped, or
/// comes ever nearer to where a strict invariant keeps it from going.
fn is_end(node: &Node) -> bool {
    node.is_unbounded || node.actions.is_empty() && node.later.is_none()
}

fn successors(node: &Node) -> impl Iterator<Item = usize> + '_ {
    node.actions.iter().copied().chain(node.later)
}

pub fn not(formula: &Formula) -> Formula {
    Formula::Not(Box::new(formula.clone()))
}

impl<'m> Oracle<'m> {
    pub fn new(model: &'m Model, graph: Graph) -> Oracle<'m> {
        Oracle { interpreter: Interpreter::new(model), graph }
    }
}
