//! What is known of every variable by now, and why: bounds, and the trail of their changes.

use crate::literal::{Lit, Side, Var};

/// A clause of `clauses.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClauseId(pub(crate) u32);

/// An edge of `difference.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeId(pub(crate) u32);

/// Why a bound was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Chosen by the search, or assumed.
    Decision,
    /// All other literals of the clause are false.
    Clause(ClauseId),
    /// The edge is active and its source is bounded.
    Edge(EdgeId),
    /// The edge would leave its target no value.
    Unfit(EdgeId),
    /// These literals in [`Domains::reasons`], all of which were true.
    Reason {
        /// The first of them.
        start: u32,
        /// How many.
        count: u32,
    },
}

/// A bound that was set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) side: Side,
    pub(crate) bound: i64,
    /// The bound before.
    pub(crate) before: i64,
    /// The event of the same side before this one.
    pub(crate) previous: EventId,
    pub(crate) level: u32,
    pub(crate) cause: Cause,
}

/// A position on the trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventId(u32);

impl EventId {
    /// The bound is the one that the variable was made with.
    pub(crate) const NONE: EventId = EventId(u32::MAX);

    pub(crate) fn at(index: usize) -> EventId {
        EventId(index as u32)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What cannot be.
#[derive(Clone, Debug)]
pub(crate) enum Conflict {
    /// The literal is false, and the cause makes it true.
    Clash(Lit, Cause),
    /// These literals are true, and contradict each other.
    All(Vec<Lit>),
}

/// The bounds of all variables.
#[derive(Debug, Default)]
pub(crate) struct Domains {
    bounds: Vec<i64>,
    heads: Vec<EventId>,
    pub(crate) events: Vec<Event>,
    /// The reasons of propagators, in the sequence of their events.
    reasons: Vec<Lit>,
    /// Where each level but the first begins on the trail.
    levels: Vec<u32>,
}

impl Domains {
    pub(crate) fn add(&mut self, least: i64, most: i64) -> Var {
        let var = Var::new(self.bounds.len() / 2);
        self.bounds.extend([most, -least]);
        self.heads.extend([EventId::NONE; 2]);
        var
    }

    pub(crate) fn len(&self) -> usize {
        self.bounds.len() / 2
    }

    pub(crate) fn bound(&self, side: Side) -> i64 {
        self.bounds[side.index()]
    }

    pub(crate) fn min(&self, var: Var) -> i64 {
        -self.bound(var.lower())
    }

    pub(crate) fn max(&self, var: Var) -> i64 {
        self.bound(var.upper())
    }

    pub(crate) fn is_fixed(&self, var: Var) -> bool {
        self.min(var) == self.max(var)
    }

    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.bound(lit.side) <= lit.bound
    }

    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.is_true(!lit)
    }

    pub(crate) fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    pub(crate) fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// Whether the same side was bounded again later.
    pub(crate) fn is_superseded(&self, at: usize) -> bool {
        self.heads[self.events[at].side.index()] != EventId::at(at)
    }

    /// Makes the literal true. Says whether that is new.
    pub(crate) fn set(&mut self, lit: Lit, cause: Cause) -> Result<bool, Conflict> {
        let before = self.bound(lit.side);
        if before <= lit.bound {
            return Ok(false);
        }
        if self.is_false(lit) {
            return Err(Conflict::Clash(lit, cause));
        }
        let id = EventId(self.events.len() as u32);
        let previous = std::mem::replace(&mut self.heads[lit.side.index()], id);
        self.bounds[lit.side.index()] = lit.bound;
        let level = self.level();
        let Lit { side, bound } = lit;
        self.events.push(Event { side, bound, before, previous, level, cause });
        Ok(true)
    }

    /// Makes the literal true because all of these are.
    pub(crate) fn set_because(
        &mut self,
        lit: Lit,
        reason: impl IntoIterator<Item = Lit>,
    ) -> Result<bool, Conflict> {
        if self.is_true(lit) {
            return Ok(false);
        }
        let start = self.reasons.len();
        self.reasons.extend(reason);
        debug_assert!(self.reasons[start..].iter().all(|&lit| self.is_true(lit)));
        if self.is_false(lit) {
            let mut all = self.reasons.split_off(start);
            all.push(!lit);
            return Err(Conflict::All(all));
        }
        let count = (self.reasons.len() - start) as u32;
        self.set(lit, Cause::Reason { start: start as u32, count })
    }

    pub(crate) fn reason(&self, start: u32, count: u32) -> &[Lit] {
        &self.reasons[start as usize..][..count as usize]
    }

    /// The event since which the literal has been true; it is true.
    pub(crate) fn since(&self, lit: Lit) -> EventId {
        let mut id = self.heads[lit.side.index()];
        while id != EventId::NONE {
            let event = self.event(id);
            if event.before <= lit.bound {
                id = event.previous;
            } else {
                break;
            }
        }
        id
    }

    /// The level at which the literal became true; it is true.
    pub(crate) fn level_of(&self, lit: Lit) -> u32 {
        match self.since(lit) {
            EventId::NONE => 0,
            id => self.event(id).level,
        }
    }

    /// The bound of the side that no choice led to.
    pub(crate) fn bound_at_root(&self, side: Side) -> i64 {
        let mut id = self.heads[side.index()];
        let mut bound = self.bound(side);
        while id != EventId::NONE && self.event(id).level > 0 {
            bound = self.event(id).before;
            id = self.event(id).previous;
        }
        bound
    }

    /// The bound of the side just before the event.
    pub(crate) fn bound_before(&self, side: Side, at: EventId) -> i64 {
        let mut id = self.heads[side.index()];
        let mut bound = self.bound(side);
        while id != EventId::NONE && id >= at {
            bound = self.event(id).before;
            id = self.event(id).previous;
        }
        bound
    }

    /// Everything from here on depends on another choice.
    pub(crate) fn begin_level(&mut self) {
        self.levels.push(self.events.len() as u32);
    }

    /// Takes back all choices after this level, telling of every event that goes, the last one first.
    pub(crate) fn backtrack(&mut self, level: u32, mut undone: impl FnMut(&Event)) {
        let Some(&from) = self.levels.get(level as usize) else { return };
        while self.events.len() > from as usize {
            let event = self.events.pop().expect("the trail is longer");
            undone(&event);
            self.bounds[event.side.index()] = event.before;
            self.heads[event.side.index()] = event.previous;
            if let Cause::Reason { start, .. } = event.cause {
                self.reasons.truncate(start as usize);
            }
        }
        self.levels.truncate(level as usize);
    }

    /// Forgets how the bounds of the first level came to be; nobody asks for their reasons.
    pub(crate) fn forget_root(&mut self) {
        debug_assert_eq!(self.level(), 0);
        for event in self.events.drain(..) {
            self.heads[event.side.index()] = EventId::NONE;
        }
        self.reasons.clear();
    }
}
