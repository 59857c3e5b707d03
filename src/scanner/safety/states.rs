//! Which states there are: reachable, safe, jammed, in a circular wait. As sets, by diagrams.

use super::TooLarge;
use super::closure::{Change, Closure};
use super::diagram::{EMPTY, END, Forest, Memo, Node};
use super::net::Net;
use crate::layout::Content;

/// What the letters of a state stand for.
pub const CONTENTS: [Content; 3] = [Content::Empty, Content::Raw, Content::Exposed];

/// Sets of reachable states.
#[derive(Debug)]
pub struct States {
    pub forest: Forest<3>,
    pub reachable: Node,
    /// The empty machine can be reached.
    pub safe: Node,
    /// It cannot.
    pub unsafe_: Node,
    /// Some position can never become empty again (definition 5.2).
    pub jammed: Node,
    /// Wafers that wait for each other in a circle (definition 5.1).
    pub waiting: Node,
}

impl States {
    pub fn explore(net: &Net, limit: usize) -> Result<States, TooLarge> {
        let levels = net.places.len();
        let mut forest = Forest::new(limit);
        let empty = (0..levels).fold(END, |below, _| forest.node([below, EMPTY, EMPTY]));
        let [mut onward, mut back] = [true, false].map(|is_onward| closure(net, is_onward));
        let reachable = onward.close(&mut forest, empty);
        let home = back.close(&mut forest, empty);
        let safe = forest.meet(reachable, home);
        let unsafe_ = forest.minus(reachable, safe);
        let mut jammed = EMPTY;
        for level in 0..levels {
            let void = forest.having(levels, level, only(Content::Empty));
            let freed = back.close(&mut forest, void);
            let stuck = forest.minus(reachable, freed);
            jammed = forest.union(jammed, stuck);
        }
        let mut states = States { forest, reachable, safe, unsafe_, jammed, waiting: EMPTY };
        states.waiting = states.circular_wait(net);
        if states.forest.is_full() { Err(TooLarge) } else { Ok(states) }
    }

    /// The greatest family of sets X(q) such that in each state of X(q), q holds a wafer that needs
    /// some position, and all positions p that it needs are in X(p): the union of all Q that
    /// have a circular wait is one itself.
    fn circular_wait(&mut self, net: &Net) -> Node {
        let levels = net.places.len();
        let forest = &mut self.forest;
        let mut waits = vec![self.reachable; levels];
        loop {
            let before = waits.clone();
            let mut shared = Memo::default();
            for position in 0..levels {
                let mut now = EMPTY;
                for (needs, what) in
                    net.needs[position].iter().zip([Content::Raw, Content::Exposed])
                {
                    if needs.is_empty() {
                        continue;
                    }
                    let all = *shared.entry(needs).or_insert_with(|| {
                        needs.iter().fold(self.reachable, |all, p| forest.meet(all, waits[*p]))
                    });
                    let holds = forest.having(levels, position, only(what));
                    let part = forest.meet(all, holds);
                    now = forest.union(now, part);
                }
                waits[position] = forest.meet(waits[position], now);
            }
            if waits == before || forest.is_full() {
                break;
            }
        }
        waits.into_iter().fold(EMPTY, |all, set| forest.union(all, set))
    }
}

fn only(content: Content) -> [bool; 3] {
    CONTENTS.map(|other| other == content)
}

fn closure(net: &Net, is_onward: bool) -> Closure {
    let moves = net.moves.iter().map(|acts| {
        let changes = acts.iter().map(|act| {
            let (from, to) = if is_onward { (act.from, act.to) } else { (act.to, act.from) };
            Change { level: act.position, from: from as usize, to: to as usize }
        });
        changes.collect()
    });
    Closure::new(net.places.len(), &moves.collect::<Vec<_>>())
}
