//! What a position of a scanner holds, and what a pattern says of it.

/// What a position holds in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    Empty,
    Raw,
    Exposed,
}

/// What a pattern says of a position. Sorted so that the first of alike positions say the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hold {
    Raw,
    Exposed,
    /// A wafer of either kind.
    Any,
    /// Anything or nothing.
    Free,
}

impl Hold {
    pub fn matches(self, content: Content) -> bool {
        match self {
            Hold::Raw => content == Content::Raw,
            Hold::Exposed => content == Content::Exposed,
            Hold::Any => content != Content::Empty,
            Hold::Free => true,
        }
    }
}
