//! The best value that a search for the smallest one knows of.

use super::store::NodeId;

/// A value, where it was seen, and whether it is reached there or only approached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    pub node: NodeId,
    pub value: i64,
    pub is_attained: bool,
}

/// What was found so far, and what somebody else has already.
#[derive(Clone, Copy, Debug, Default)]
pub struct Incumbent {
    /// Only smaller values are looked for.
    pub known: Option<i64>,
    pub best: Option<Best>,
}

impl Incumbent {
    pub fn value(&self) -> Option<i64> {
        self.best.map(|best| best.value).or(self.known)
    }

    /// Hears that somebody has this value: only smaller ones are looked for from now on.
    pub fn learn(&mut self, known: i64) {
        *self = Incumbent { known: Some(known), best: None };
    }

    /// Takes over a value that beats the best one so far: "reached" beats "approached".
    pub fn offer(&mut self, new: Best) {
        let is_better = self.best.is_none_or(|best| {
            new.value < best.value
                || new.value == best.value && new.is_attained && !best.is_attained
        });
        if is_better && self.known.is_none_or(|known| new.value < known) {
            self.best = Some(new);
        }
    }

    /// Whether a state whose value is at least this can still lead to a better one.
    pub fn can_improve(&self, value: i64) -> bool {
        self.known.is_none_or(|known| value < known)
            && self
                .best
                .is_none_or(|best| value < best.value || value == best.value && !best.is_attained)
    }
}
