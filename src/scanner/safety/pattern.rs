//! Patterns of wafers, as sets by diagrams: which of them match a state of a set, which are the
//! most general ones that match no safe state, and which states a set of patterns matches.

use super::TooLarge;
use super::diagram::{EMPTY, END, Forest, Memo, Node};
use super::states::States;
use crate::layout::Hold;

/// What the letters of a pattern stand for.
pub const LETTERS: [Hold; 4] = [Hold::Free, Hold::Any, Hold::Raw, Hold::Exposed];
/// The letters of those.
const FREE: usize = 0;
const ANY: usize = 1;
const RAW: usize = 2;
const EXPOSED: usize = 3;

#[derive(Debug)]
pub struct Patterns {
    pub forest: Forest<4>,
    /// Match an unsafe state and no safe one, and each pattern that says less matches a safe one.
    pub primes: Node,
    /// The primes match all unsafe states and no other reachable one.
    pub is_exact: bool,
}

impl Patterns {
    pub fn find(states: &mut States, limit: usize) -> Result<Patterns, TooLarge> {
        let mut forest = Forest::new(limit);
        let mut matching = Memo::default();
        let good = match_any(&mut forest, &mut states.forest, states.safe, &mut matching);
        let some = match_any(&mut forest, &mut states.forest, states.unsafe_, &mut matching);
        let bad = forest.minus(some, good);
        let primes = most_general(&mut forest, bad, good, &mut Memo::default());
        let covered = cover(&mut forest, &mut states.forest, primes, &mut Memo::default());
        let covered = states.forest.meet(covered, states.reachable);
        if forest.is_full() || states.forest.is_full() {
            return Err(TooLarge);
        }
        Ok(Patterns { forest, primes, is_exact: covered == states.unsafe_ })
    }
}

/// The patterns that match at least one state of the set.
fn match_any(
    patterns: &mut Forest<4>,
    states: &mut Forest<3>,
    set: Node,
    known: &mut Memo<Node, Node>,
) -> Node {
    if set == EMPTY || set == END {
        return set;
    }
    if let Some(&found) = known.get(&set) {
        return found;
    }
    let [void, raw, exposed] = states.kids(set);
    let any = states.union(raw, exposed);
    let free = states.union(void, any);
    let kids = [free, any, raw, exposed].map(|kid| match_any(patterns, states, kid, known));
    let found = patterns.node(kids);
    known.insert(set, found);
    found
}

/// The candidates that cannot say less: whatever position is made to say less, the pattern becomes a
/// good one. Takes what is left of candidates and of good patterns after one and the same beginning.
/// A position that stays as it is leads on in both; one that says less must lead from the candidates
/// to a good pattern.
fn most_general(
    forest: &mut Forest<4>,
    candidates: Node,
    good: Node,
    known: &mut Memo<(Node, Node), Node>,
) -> Node {
    if candidates == EMPTY || candidates == END {
        return candidates;
    }
    if let Some(&found) = known.get(&(candidates, good)) {
        return found;
    }
    let (rest, goods) = (forest.kids(candidates), forest.kids(good));
    let kids = [(FREE, None), (ANY, Some(FREE)), (RAW, Some(ANY)), (EXPOSED, Some(ANY))].map(
        |(letter, weaker)| {
            let kept = match weaker {
                Some(weaker) => forest.meet(rest[letter], goods[weaker]),
                None => rest[letter],
            };
            most_general(forest, kept, goods[letter], known)
        },
    );
    let found = forest.node(kids);
    known.insert((candidates, good), found);
    found
}

/// The states that some pattern of the set matches.
fn cover(
    patterns: &mut Forest<4>,
    states: &mut Forest<3>,
    set: Node,
    known: &mut Memo<Node, Node>,
) -> Node {
    if set == EMPTY || set == END {
        return set;
    }
    if let Some(&found) = known.get(&set) {
        return found;
    }
    let [free, any, raw, exposed] = patterns.kids(set);
    let held = patterns.union(free, any);
    let raw = patterns.union(held, raw);
    let exposed = patterns.union(held, exposed);
    let kids = [free, raw, exposed].map(|kid| cover(patterns, states, kid, known));
    let found = states.node(kids);
    known.insert(set, found);
    found
}
