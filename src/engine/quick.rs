//! A first look at states of many processes: what can be ruled out without running any code.
//!
//! In a network of thousands of processes almost all edges fail for a plain reason, such as a
//! flag that is not set. Those conditions are laid out side by side, location by location, so
//! that a state is sifted in one sweep; only what is left is evaluated. Nothing is ruled out
//! that could have met a fault before it failed.

use super::tables::{Limit, Site};
use crate::model::{ClockRef, ClockTest, Conjunct, Edge, Expr, Model, Place, PlaceBase};
use crate::network::{BinaryOp, Direction, UnaryOp};

/// A comparison of a cell with a constant.
#[derive(Clone, Copy, Debug)]
struct Test {
    cell: u32,
    value: i32,
    is: Is,
}

#[derive(Clone, Copy, Debug)]
enum Is {
    Equal,
    Different,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Test {
    #[inline]
    fn holds(&self, cells: &[i32]) -> bool {
        let cell = cells[self.cell as usize];
        match self.is {
            Is::Equal => cell == self.value,
            Is::Different => cell != self.value,
            Is::Less => cell < self.value,
            Is::AtMost => cell <= self.value,
            Is::More => cell > self.value,
            Is::AtLeast => cell >= self.value,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct QuickEdge {
    edge: u32,
    tests: (u32, u32),
    role: Role,
}

/// Who an edge needs.
#[derive(Clone, Copy, Debug)]
enum Role {
    /// Nobody to wait for: looked at in any case.
    Any,
    /// Offers this channel.
    Sends(u32),
    /// Offers one of several channels.
    SendsAny,
    /// Offers the channel that the value of a cell stands for: some further on from this one.
    SendsAt { base: u32, cell: u32, first: i32, length: u32, stride: u32 },
    /// Only of interest if someone offers this channel.
    Hears(u32),
}

/// One location of one process.
#[derive(Clone, Copy, Debug)]
struct Head {
    edges: (u32, u32),
    limits: (u32, u32),
    is_committed: bool,
    stops_time: bool,
    has_invariant: bool,
}

/// The layout of all locations.
pub struct Quick {
    /// Per process: where its locations begin.
    first: Vec<u32>,
    heads: Vec<Head>,
    edges: Vec<QuickEdge>,
    tests: Vec<Test>,
    limits: Vec<Limit>,
    has_committed: bool,
    has_urgent: bool,
    channels: usize,
}

/// Buffers of a sweep.
#[derive(Clone, Debug, Default)]
pub struct Sieve {
    /// Process and edge of what is left, ascending.
    pub left: Vec<(u32, u32)>,
    deferred: Vec<(u32, u32, u32)>,
    /// Per channel: the sweep in which somebody last offered it.
    offered: Vec<u32>,
    sweep: u32,
}

impl Quick {
    pub fn new(model: &Model, sites: &[Vec<Site>]) -> Quick {
        let reader = Reader { state_len: model.state_len };
        let mut quick = Quick {
            first: Vec::new(),
            heads: Vec::new(),
            edges: Vec::new(),
            tests: Vec::new(),
            limits: Vec::new(),
            has_committed: false,
            has_urgent: false,
            channels: model.channels.len(),
        };
        for (process, sites) in model.processes.iter().zip(sites) {
            quick.first.push(quick.heads.len() as u32);
            for site in sites {
                let (edges, limits) = (quick.edges.len() as u32, quick.limits.len() as u32);
                for &edge in &site.edges {
                    quick.add(&reader, edge, &process.edges[edge as usize]);
                }
                quick.limits.extend_from_slice(&site.limits);
                quick.has_committed |= site.is_committed;
                quick.has_urgent |= site.stops_time;
                quick.heads.push(Head {
                    edges: (edges, quick.edges.len() as u32),
                    limits: (limits, quick.limits.len() as u32),
                    is_committed: site.is_committed,
                    stops_time: site.stops_time,
                    has_invariant: site.has_invariant,
                });
            }
        }
        quick
    }

    fn add(&mut self, reader: &Reader, index: u32, edge: &Edge) {
        let start = self.tests.len() as u32;
        let mut is_plain = true;
        for conjunct in &edge.guard {
            is_plain &= match conjunct {
                Conjunct::Data(term) => reader.cannot_fail(&term.tree),
                Conjunct::Clock(test) => is_constant(test),
            };
            if let (true, Conjunct::Data(term)) = (is_plain, conjunct) {
                self.tests.extend(reader.test(&term.tree));
            }
        }
        let role = match &edge.sync {
            None => Role::Any,
            Some(sync) => match (sync.direction, &sync.offset) {
                (Direction::Send, None) => Role::Sends(sync.base),
                (Direction::Send, Some(offset)) => {
                    reader.sends_at(sync.base, &offset.tree).unwrap_or(Role::SendsAny)
                }
                (Direction::Receive, None) if is_plain => Role::Hears(sync.base),
                (Direction::Receive, _) => Role::Any,
            },
        };
        self.edges.push(QuickEdge { edge: index, tests: (start, self.tests.len() as u32), role });
    }

    #[inline]
    fn head(&self, process: usize, cells: &[i32]) -> &Head {
        &self.heads[self.first[process] as usize + cells[process] as usize]
    }

    /// Whether some process is in a committed location.
    pub fn is_committed(&self, cells: &[i32]) -> bool {
        self.has_committed && (0..self.first.len()).any(|p| self.head(p, cells).is_committed)
    }

    /// Whether some process is in a location that stops time.
    pub fn stops_time(&self, cells: &[i32]) -> bool {
        self.has_urgent && (0..self.first.len()).any(|p| self.head(p, cells).stops_time)
    }

    #[inline]
    pub fn has_invariant(&self, process: usize, cells: &[i32]) -> bool {
        self.head(process, cells).has_invariant
    }

    /// The clock limits of the process's location.
    #[inline]
    pub fn limits(&self, process: usize, cells: &[i32]) -> &[Limit] {
        let (start, end) = self.head(process, cells).limits;
        &self.limits[start as usize..end as usize]
    }

    /// The same, for any location.
    pub fn limits_at(&self, process: usize, location: i32) -> &[Limit] {
        let (start, end) = self.heads[self.first[process] as usize + location as usize].limits;
        &self.limits[start as usize..end as usize]
    }

    /// Leaves the edges of the state that may be ready.
    pub fn sift(&self, cells: &[i32], sieve: &mut Sieve) {
        sieve.start(self.channels);
        let mut offers_any = false;
        for process in 0..self.first.len() {
            let (start, end) = self.head(process, cells).edges;
            for edge in &self.edges[start as usize..end as usize] {
                let tests = &self.tests[edge.tests.0 as usize..edge.tests.1 as usize];
                if !tests.iter().all(|test| test.holds(cells)) {
                    continue;
                }
                match edge.role {
                    Role::Hears(channel) => {
                        sieve.deferred.push((process as u32, edge.edge, channel));
                        continue;
                    }
                    Role::Sends(channel) => sieve.offered[channel as usize] = sieve.sweep,
                    Role::SendsAny => offers_any = true,
                    Role::SendsAt { base, cell, first, length, stride } => {
                        let at = i64::from(cells[cell as usize]) - i64::from(first);
                        match u32::try_from(at).ok().filter(|&at| at < length) {
                            Some(at) => sieve.offered[(base + at * stride) as usize] = sieve.sweep,
                            None => offers_any = true,
                        }
                    }
                    Role::Any => {}
                }
                sieve.left.push((process as u32, edge.edge));
            }
        }
        sieve.add_deferred(offers_any);
    }
}

impl Sieve {
    fn start(&mut self, channels: usize) {
        self.left.clear();
        self.deferred.clear();
        self.sweep = self.sweep.wrapping_add(1);
        if self.offered.len() != channels || self.sweep == 0 {
            self.offered = vec![0; channels];
            self.sweep = 1;
        }
    }

    fn add_deferred(&mut self, offers_any: bool) {
        let before = self.left.len();
        for &(process, edge, channel) in &self.deferred {
            if offers_any || self.offered[channel as usize] == self.sweep {
                self.left.push((process, edge));
            }
        }
        if self.left.len() > before {
            self.left.sort_unstable();
        }
    }
}

/// Reads conditions; cells from `state_len` on are no part of states.
struct Reader {
    state_len: u32,
}

impl Reader {
    /// Whether an expression can be evaluated in any state without a fault.
    fn cannot_fail(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) => true,
            Expr::Load(place) => self.cell(place).is_some(),
            Expr::Unary(UnaryOp::Not, inner) => self.cannot_fail(inner),
            Expr::Binary(op, left, right, _) => {
                is(*op).is_some() && self.cannot_fail(left) && self.cannot_fail(right)
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                self.cannot_fail(left) && self.cannot_fail(right)
            }
            _ => false,
        }
    }

    /// The condition as a comparison of one cell with a constant, if it is one.
    fn test(&self, expr: &Expr) -> Option<Test> {
        let plain = |place: &Place, is: Is, value: i64| {
            let (cell, value) = (self.cell(place)?, i32::try_from(value).ok()?);
            Some(Test { cell, value, is })
        };
        match expr {
            Expr::Load(place) => plain(place, Is::Different, 0),
            Expr::Unary(UnaryOp::Not, inner) => match &**inner {
                Expr::Load(place) => plain(place, Is::Equal, 0),
                _ => None,
            },
            Expr::Binary(op, left, right, _) => match (&**left, &**right) {
                (Expr::Load(place), Expr::Const(value)) => plain(place, is(*op)?, *value),
                (Expr::Const(value), Expr::Load(place)) => plain(place, mirrored(is(*op)?), *value),
                _ => None,
            },
            _ => None,
        }
    }

    /// A channel that is found by a single index, which is the value of a cell.
    fn sends_at(&self, base: u32, offset: &Expr) -> Option<Role> {
        let Expr::Load(table) = offset else { return None };
        let [step] = &table.steps[..] else { return None };
        let Expr::Load(index) = &step.index else { return None };
        let (cell, first) = (self.cell(index)?, i32::try_from(step.first).ok()?);
        Some(Role::SendsAt { base, cell, first, length: step.length, stride: step.stride })
    }

    /// The cell of a place without indices, or with constant ones in range.
    fn cell(&self, place: &Place) -> Option<u32> {
        let PlaceBase::Fixed(base) = place.base else { return None };
        let mut cell = base.0 + place.offset;
        for step in &place.steps {
            let Expr::Const(index) = step.index else { return None };
            let index = index.checked_sub(step.first)?;
            if index < 0 || index >= i64::from(step.length) {
                return None;
            }
            cell += index as u32 * step.stride;
        }
        Some(cell).filter(|&cell| cell < self.state_len)
    }
}

fn is_constant(test: &ClockTest) -> bool {
    let is_fixed = |clock: &Option<_>| matches!(clock, None | Some(ClockRef::Fixed(_)));
    test.unless.is_none()
        && test.bound.constant().is_some()
        && is_fixed(&test.left)
        && is_fixed(&test.right)
}

fn is(op: BinaryOp) -> Option<Is> {
    Some(match op {
        BinaryOp::Equal => Is::Equal,
        BinaryOp::NotEqual => Is::Different,
        BinaryOp::Less => Is::Less,
        BinaryOp::LessEqual => Is::AtMost,
        BinaryOp::Greater => Is::More,
        BinaryOp::GreaterEqual => Is::AtLeast,
        _ => return None,
    })
}

fn mirrored(is: Is) -> Is {
    match is {
        Is::Less => Is::More,
        Is::AtMost => Is::AtLeast,
        Is::More => Is::Less,
        Is::AtLeast => Is::AtMost,
        same => same,
    }
}
