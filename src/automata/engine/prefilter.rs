//! A first look at states of many processes: what can be ruled out without running any code.
//!
//! In a network of thousands of processes almost all edges fail for a plain reason, such as a
//! flag that is not set. Those conditions are laid out side by side, location by location, so
//! that a state is sifted in one sweep; only what is left is evaluated. Nothing is ruled out
//! that could have met a fault before it failed.

use super::slice::Slice;
use super::tables::{Limit, Site};
use crate::model::{
    ChannelId, ClockId, ClockRef, ClockTest, Conjunct, Edge, EdgeId, Expr, Model, Place, PlaceBase,
    ProcessId, Term,
};
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
struct FilteredEdge {
    edge: EdgeId,
    tests: Slice,
    /// The clock tests, if they and the other tests are all there is to the guard.
    clocks: Option<Slice>,
    role: Role,
}

/// `left - right` within a constant bound.
#[derive(Clone, Copy, Debug)]
pub struct PlainTest {
    /// `None` is the constant 0.
    pub left: Option<ClockId>,
    pub right: Option<ClockId>,
    pub bound: i64,
    pub is_strict: bool,
}

/// An edge that may be ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left {
    pub process: ProcessId,
    pub edge: EdgeId,
    /// Where it stands in the layout.
    at: u32,
}

/// Who an edge needs.
#[derive(Clone, Copy, Debug)]
enum Role {
    /// Nobody to wait for: looked at in any case.
    Any,
    /// Offers this channel.
    Sends(ChannelId),
    /// Offers one of several channels.
    SendsAny,
    /// Offers the channel that the value of a cell stands for: some further on from this one.
    SendsAt { base: ChannelId, cell: u32, first: i32, length: u32, stride: u32 },
    /// Only of interest if someone offers this channel.
    Hears(ChannelId),
}

/// One location of one process.
#[derive(Clone, Copy, Debug)]
struct Head {
    edges: Slice,
    limits: Slice,
    is_committed: bool,
    stops_time: bool,
    /// The clock tests of its invariant, if these are all there is to it.
    invariant: Option<Slice>,
}

/// The layout of all locations.
pub struct Prefilter {
    /// Per process: where its locations begin.
    first: Vec<usize>,
    heads: Vec<Head>,
    edges: Vec<FilteredEdge>,
    tests: Vec<Test>,
    clocks: Vec<PlainTest>,
    limits: Vec<Limit>,
    has_committed: bool,
    has_urgent: bool,
    channels: usize,
}

/// Buffers of a sweep.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    /// What is left, ascending.
    pub left: Vec<Left>,
    /// Edges that wait for an offer of the channel.
    deferred: Vec<(Left, ChannelId)>,
    /// Per channel: the sweep in which somebody last offered it.
    offered: Vec<u32>,
    sweep: u32,
}

impl Prefilter {
    pub fn new(model: &Model, sites: &[Vec<Site>]) -> Prefilter {
        let reader = ConditionReader { state_len: model.state_len };
        let mut filter = Prefilter {
            first: Vec::new(),
            heads: Vec::new(),
            edges: Vec::new(),
            tests: Vec::new(),
            clocks: Vec::new(),
            limits: Vec::new(),
            has_committed: false,
            has_urgent: false,
            channels: model.channels.len(),
        };
        for (process, sites) in model.processes.iter().zip(sites) {
            filter.first.push(filter.heads.len());
            for (site, location) in sites.iter().zip(&process.locations) {
                let (edges, limits) = (filter.edges.len(), filter.limits.len());
                for &edge in &site.edges {
                    filter.add(&reader, edge, &process.edges[edge]);
                }
                filter.limits.extend_from_slice(&site.limits);
                filter.has_committed |= site.is_committed;
                filter.has_urgent |= site.stops_time;
                let invariant = filter.plain_tests(&location.invariant, |_| false);
                filter.heads.push(Head {
                    edges: Slice::since(edges, &filter.edges),
                    limits: Slice::since(limits, &filter.limits),
                    is_committed: site.is_committed,
                    stops_time: site.stops_time,
                    invariant,
                });
            }
        }
        filter
    }

    fn add(&mut self, reader: &ConditionReader, index: EdgeId, edge: &Edge) {
        let start = self.tests.len();
        let mut is_plain = true;
        for conjunct in &edge.guard {
            is_plain &= match conjunct {
                Conjunct::Data(term) => reader.cannot_fail(&term.tree),
                Conjunct::Clock(test) => plain(test).is_some(),
            };
            if let (true, Conjunct::Data(term)) = (is_plain, conjunct) {
                self.tests.extend(reader.test(&term.tree));
            }
        }
        let clocks = self.plain_tests(&edge.guard, |term| reader.test(&term.tree).is_some());
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
        let tests = Slice::since(start, &self.tests);
        self.edges.push(FilteredEdge { edge: index, tests, clocks, role });
    }

    /// Lays out the clock tests of a conjunction if they are plain, and if all the rest
    /// `is_tested` elsewhere.
    fn plain_tests(
        &mut self,
        conjuncts: &[Conjunct],
        is_tested: impl Fn(&Term) -> bool,
    ) -> Option<Slice> {
        let start = self.clocks.len();
        for conjunct in conjuncts {
            let test = match conjunct {
                Conjunct::Data(term) if is_tested(term) => continue,
                Conjunct::Data(_) => None,
                Conjunct::Clock(test) => plain(test),
            };
            let Some(test) = test else {
                self.clocks.truncate(start);
                return None;
            };
            self.clocks.push(test);
        }
        Some(Slice::since(start, &self.clocks))
    }

    #[inline]
    fn head(&self, process: usize, cells: &[i32]) -> &Head {
        self.head_at(process, cells[process])
    }

    #[inline]
    fn head_at(&self, process: usize, location: i32) -> &Head {
        &self.heads[self.first[process] + location as usize]
    }

    /// Whether some process is in a committed location.
    pub fn is_committed(&self, cells: &[i32]) -> bool {
        self.has_committed && (0..self.first.len()).any(|p| self.head(p, cells).is_committed)
    }

    /// Whether some process is in a location that stops time.
    pub fn stops_time(&self, cells: &[i32]) -> bool {
        self.has_urgent && (0..self.first.len()).any(|p| self.head(p, cells).stops_time)
    }

    /// The invariant of the process's location, if it is made of plain clock tests alone.
    #[inline]
    pub fn invariant(&self, process: usize, cells: &[i32]) -> Option<&[PlainTest]> {
        self.head(process, cells).invariant.map(|tests| tests.of(&self.clocks))
    }

    /// The clock tests of an edge that was left, if nothing else of its guard is open.
    #[inline]
    pub fn guard(&self, left: Left) -> Option<&[PlainTest]> {
        self.edges[left.at as usize].clocks.map(|tests| tests.of(&self.clocks))
    }

    /// The clock limits of the process's location.
    #[inline]
    pub fn limits(&self, process: usize, cells: &[i32]) -> &[Limit] {
        self.limits_at(process, cells[process])
    }

    /// The same, for any location.
    #[inline]
    pub fn limits_at(&self, process: usize, location: i32) -> &[Limit] {
        self.head_at(process, location).limits.of(&self.limits)
    }

    /// Leaves the edges of the state that may be ready.
    pub fn apply(&self, cells: &[i32], buffers: &mut Buffers) {
        buffers.start(self.channels);
        let mut offers_any = false;
        for process in 0..self.first.len() {
            for (at, edge) in self.head(process, cells).edges.numbered(&self.edges) {
                if !edge.tests.of(&self.tests).iter().all(|test| test.holds(cells)) {
                    continue;
                }
                let left = Left { process: ProcessId::at(process), edge: edge.edge, at };
                match edge.role {
                    Role::Hears(channel) => {
                        buffers.deferred.push((left, channel));
                        continue;
                    }
                    Role::Sends(channel) => buffers.offered[channel] = buffers.sweep,
                    Role::SendsAny => offers_any = true,
                    Role::SendsAt { base, cell, first, length, stride } => {
                        let at = i64::from(cells[cell as usize]) - i64::from(first);
                        match u32::try_from(at).ok().filter(|&at| at < length) {
                            Some(at) => buffers.offered[base.offset(at * stride)] = buffers.sweep,
                            None => offers_any = true,
                        }
                    }
                    Role::Any => {}
                }
                buffers.left.push(left);
            }
        }
        buffers.add_deferred(offers_any);
    }
}

impl Buffers {
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
        for &(left, channel) in &self.deferred {
            if offers_any || self.offered[channel] == self.sweep {
                self.left.push(left);
            }
        }
        if self.left.len() > before {
            self.left.sort_unstable();
        }
    }
}

/// Reads conditions; cells from `state_len` on are no part of states.
struct ConditionReader {
    state_len: u32,
}

impl ConditionReader {
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
    fn sends_at(&self, base: ChannelId, offset: &Expr) -> Option<Role> {
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

/// The test, if it is one of certain clocks with a constant.
fn plain(test: &ClockTest) -> Option<PlainTest> {
    let fixed = |clock: &Option<ClockRef>| match clock {
        None => Some(None),
        Some(ClockRef::Fixed(clock)) => Some(Some(*clock)),
        Some(ClockRef::Indexed { .. }) => None,
    };
    let (left, right, bound) = (fixed(&test.left)?, fixed(&test.right)?, test.bound.constant()?);
    let is_strict = test.is_strict;
    test.unless.is_none().then_some(PlainTest { left, right, bound, is_strict })
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
