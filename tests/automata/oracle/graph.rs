//! The region graph of a model, explored with the interpreter.

use super::region::{Key, Scale};
use std::collections::HashMap;
use takt_automata::interpret::{Concrete, Interpreter};
use takt_automata::model::{Fault, Model};

/// A region that can be reached.
pub struct Node {
    /// A valuation that stands for it.
    pub at: Concrete,
    /// What its transitions lead to.
    pub actions: Vec<usize>,
    /// The next region if time passes.
    pub later: Option<usize>,
    /// Whether any time at all may pass.
    pub can_delay: bool,
    /// Whether time may pass for ever without leaving it.
    pub is_unbounded: bool,
    /// Whether no transition exists here, nor after any delay.
    pub is_deadlocked: bool,
}

pub struct Graph {
    pub scale: Scale,
    /// The initial one first.
    pub nodes: Vec<Node>,
    index: HashMap<Key, usize>,
}

/// Why there is no graph.
pub enum Failure {
    /// More regions than asked for.
    TooLarge,
    /// The model begins outside its invariants.
    Outside,
    Fault(Fault),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

impl Graph {
    pub fn explore(model: &Model, scale: Scale, most: usize) -> Result<Graph, Failure> {
        let interpreter = Interpreter::new(model);
        let mut graph = Graph { scale, nodes: Vec::new(), index: HashMap::new() };
        let initial = interpreter.initial();
        if !interpreter.is_valid(&initial)? {
            return Err(Failure::Outside);
        }
        graph.add(&initial);
        let mut next = 0;
        while next < graph.nodes.len() {
            if graph.nodes.len() > most {
                return Err(Failure::TooLarge);
            }
            graph.expand(&interpreter, next)?;
            next += 1;
        }
        graph.find_deadlocks();
        Ok(graph)
    }

    /// The node of a state, if it can be reached.
    pub fn find(&self, at: &Concrete) -> Option<&Node> {
        self.index.get(&self.scale.key(at)).map(|&node| &self.nodes[node])
    }

    fn add(&mut self, at: &Concrete) -> usize {
        let at = self.scale.normal(at);
        let fresh = self.nodes.len();
        let node = *self.index.entry(self.scale.key(&at)).or_insert(fresh);
        if node == fresh {
            self.nodes.push(Node {
                at,
                actions: Vec::new(),
                later: None,
                can_delay: false,
                is_unbounded: false,
                is_deadlocked: false,
            });
        }
        node
    }

    fn expand(&mut self, interpreter: &Interpreter, node: usize) -> Result<(), Fault> {
        let at = self.nodes[node].at.clone();
        let successors = interpreter.successors(&at)?;
        let actions = successors.iter().map(|(_, next)| self.add(next)).collect();
        let can_delay = interpreter.can_delay(&at)?;
        let later = match self.scale.step(&at) {
            Some(step) => interpreter.delay(&at, step)?.map(|next| self.add(&next)),
            None => None,
        };
        let is_unbounded = can_delay && self.scale.are_all_beyond(&at);
        let place = &mut self.nodes[node];
        *place = Node { at, actions, later, can_delay, is_unbounded, is_deadlocked: false };
        Ok(())
    }

    /// Time only ever leads on (there is no cycle of delays), so each chain is walked once per
    /// node.
    fn find_deadlocks(&mut self) {
        for start in 0..self.nodes.len() {
            let mut node = Some(start);
            let mut is_deadlocked = true;
            while let Some(here) = node {
                is_deadlocked &= self.nodes[here].actions.is_empty();
                node = self.nodes[here].later;
            }
            self.nodes[start].is_deadlocked = is_deadlocked;
        }
    }
}
