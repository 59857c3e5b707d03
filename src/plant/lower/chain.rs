//! A recipe's steps as chains, each of which one automaton walks along, and what must pass
//! between the chains.
//!
//! In a chain every step follows the one before it from end to start, so that a single clock
//! serves it all. Links between chains are flags where there is no lag, and otherwise automata that
//! hear of events and count.

use crate::plan::{LagFrom, Link, StepId, Steps};

/// The chains of a recipe, and what is numbered in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chains {
    /// Steps in the sequence in which an automaton goes through them.
    pub chains: Vec<Vec<StepId>>,
    /// Starts and ends that set a flag.
    pub flags: Vec<(StepId, LagFrom)>,
    /// Starts and ends that lags hear of.
    pub events: Vec<(StepId, LagFrom)>,
    /// The step that has the link, and the link.
    pub lags: Vec<(StepId, Link)>,
}

impl Chains {
    pub fn of(steps: &Steps) -> Chains {
        let mut chains = Chains { chains: paths(steps), ..Chains::default() };
        for chain in chains.chains.clone() {
            for (place, &step) in chain.iter().enumerate() {
                let before = place.checked_sub(1).map(|before| chain[before]);
                for link in &steps[step].after {
                    chains.connect(before, step, *link);
                }
            }
        }
        chains
    }

    fn connect(&mut self, before: Option<StepId>, step: StepId, link: Link) {
        if is_own(before, &link) {
            return;
        }
        if is_mere_order(&link) {
            insert(&mut self.flags, (link.before, link.from));
            return;
        }
        self.lags.push((step, link));
        insert(&mut self.events, (link.before, link.from));
        if link.max.is_some() {
            insert(&mut self.events, (step, LagFrom::Start));
        }
    }

    pub fn flag(&self, step: StepId, from: LagFrom) -> Option<usize> {
        self.flags.iter().position(|flag| *flag == (step, from))
    }

    pub fn event(&self, step: StepId, from: LagFrom) -> Option<usize> {
        self.events.iter().position(|event| *event == (step, from))
    }

    pub fn lag(&self, step: StepId, link: &Link) -> Option<usize> {
        self.lags.iter().position(|lag| *lag == (step, *link))
    }
}

/// Whether the link is from the end of the step before in the same chain.
pub fn is_own(before: Option<StepId>, link: &Link) -> bool {
    before == Some(link.before) && link.from == LagFrom::End
}

/// Whether it only says which comes first.
pub fn is_mere_order(link: &Link) -> bool {
    link.min == 0 && link.max.is_none()
}

fn insert<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// Steps in an order in which predecessors come first; `spec` has refused cycles.
fn sorted(steps: &Steps) -> Vec<StepId> {
    let mut sorted = Vec::with_capacity(steps.len());
    let mut is_done = steps.filled(false);
    while sorted.len() < steps.len() {
        let before = sorted.len();
        for (k, step) in steps.entries() {
            if !is_done[k] && step.after.iter().all(|link| is_done[link.before]) {
                is_done[k] = true;
                sorted.push(k);
            }
        }
        assert!(sorted.len() > before, "the steps of a recipe form no cycle");
    }
    sorted
}

/// Each step joins the chain of a predecessor that ends there, of one with a lag if possible.
fn paths(steps: &Steps) -> Vec<Vec<StepId>> {
    let mut chains: Vec<Vec<StepId>> = Vec::new();
    for k in sorted(steps) {
        let mut links: Vec<&Link> =
            steps[k].after.iter().filter(|link| link.from == LagFrom::End).collect();
        links.sort_by_key(|link| is_mere_order(link));
        let ends_at = |chain: &Vec<StepId>, step: StepId| chain.last() == Some(&step);
        let found = links
            .iter()
            .find_map(|link| chains.iter().position(|chain| ends_at(chain, link.before)));
        match found {
            Some(chain) => chains[chain].push(k),
            None => chains.push(vec![k]),
        }
    }
    chains
}
