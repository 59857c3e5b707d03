//! Which classes of a policy say nothing new: each reachable state that they match is matched by
//! another class as well. The policy names them all the same, since it is all most general patterns;
//! but whoever looks for a short list can do without them.

use super::Pattern;
use super::diagram::{EMPTY, Forest, Node};
use super::policy::{Class, Policy};
use super::states::{CONTENTS, States};

/// Longer policies are not looked at.
const MOST_PATTERNS: usize = 2000;

/// Marks classes, the last ones first, as long as the rest still matches every unsafe state. Marks
/// none if diagrams grow too large for it.
pub fn mark(policy: &mut Policy, states: &mut States, levels: &[usize]) {
    if policy.number.up_to(MOST_PATTERNS).is_none() {
        return;
    }
    let Some(classes) = &mut policy.classes else { return };
    let mut matched: Vec<Node> =
        classes.iter().map(|class| matched(class, states, levels)).collect();
    let mut is_covered = vec![false; classes.len()];
    for class in (0..classes.len()).rev() {
        let own = std::mem::replace(&mut matched[class], EMPTY);
        let rest = matched.iter().fold(EMPTY, |all, set| states.forest.union(all, *set));
        is_covered[class] = rest == states.unsafe_;
        if !is_covered[class] {
            matched[class] = own;
        }
    }
    if !states.forest.is_full() {
        classes.iter_mut().zip(is_covered).for_each(|(class, is)| class.is_covered = is);
    }
}

/// The unsafe states that a class matches.
fn matched(class: &Class, states: &mut States, levels: &[usize]) -> Node {
    let mut all = EMPTY;
    for pattern in class.patterns.iter().flatten() {
        let own = matching(pattern, &mut states.forest, states.unsafe_, levels);
        all = states.forest.union(all, own);
    }
    all
}

fn matching(pattern: &Pattern, forest: &mut Forest<3>, set: Node, levels: &[usize]) -> Node {
    pattern.entries().fold(set, |set, (position, hold)| {
        let letters = CONTENTS.map(|content| hold.matches(content));
        let having = forest.having(levels.len(), levels[position], letters);
        forest.meet(set, having)
    })
}
