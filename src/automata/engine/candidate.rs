//! Which edges could go together in a state, as far as its integers tell.

use super::prefilter::{Buffers, Left, PlainTest};
use super::slice::Slice;
use super::tables::Tables;
use crate::dbm::Bound;
use crate::model::{ChannelId, ClockId, ClockTest, Conjunct, Fault, FaultKind, Vm};
use crate::network::Direction;
use crate::trace::{EdgeRef, Move};

/// `x_i - x_j` within `bound`, over the clocks of a zone.
#[derive(Clone, Copy, Debug)]
pub struct Atom<B> {
    pub i: u16,
    pub j: u16,
    pub bound: B,
}

/// An edge whose clock-free conditions hold.
#[derive(Clone, Copy, Debug)]
struct Ready {
    edge: EdgeRef,
    sync: Option<(ChannelId, Direction)>,
    atoms: Slice,
}

/// A combination of edges that the integers allow; its clock constraints are still open.
#[derive(Clone, Debug, Default)]
pub struct Candidate<B> {
    pub action: Move,
    pub atoms: Vec<Atom<B>>,
    /// Compared with other candidates of the state: channels first, then processes.
    pub priority: (i32, i32),
}

/// Finds the candidates of a state; keeps its buffers from one state to the next.
#[derive(Clone, Debug)]
pub struct Combiner<B> {
    ready: Vec<Ready>,
    atoms: Vec<Atom<B>>,
    /// Numbers of clocks in the zone; 0 for those that do not matter.
    position: Vec<u16>,
    /// The next transition must leave a committed location.
    is_committed: bool,
    pub candidates: Vec<Candidate<B>>,
    spare: Vec<Candidate<B>>,
    buffers: Buffers,
}

/// A fault and the edge whose guard did it.
pub type GuardFault = (Fault, EdgeRef);

impl<B: Bound> Combiner<B> {
    pub fn new(clock_count: usize) -> Combiner<B> {
        Combiner {
            ready: Vec::new(),
            atoms: Vec::new(),
            position: vec![0; clock_count],
            is_committed: false,
            candidates: Vec::new(),
            spare: Vec::new(),
            buffers: Buffers::default(),
        }
    }

    /// The zone's number of a clock; 0 if it does not matter in the last state looked at.
    pub fn position(&self, clock: ClockId) -> usize {
        usize::from(self.position[clock])
    }

    /// Notes the places of the active clocks; call before anything else on a state.
    pub fn place(&mut self, clocks: &[ClockId]) {
        self.position.fill(0);
        for (i, &clock) in clocks.iter().enumerate() {
            self.position[clock] = i as u16 + 1;
        }
    }

    /// Finds the ready edges of the state. `may_hold` tells whether an atom can be met at all.
    pub fn prepare(
        &mut self,
        tables: &Tables,
        vm: &mut Vm,
        cells: &[i32],
        may_hold: impl Fn(Atom<B>) -> bool,
    ) -> Result<(), GuardFault> {
        self.spare.append(&mut self.candidates);
        self.ready.clear();
        self.atoms.clear();
        self.is_committed = tables.prefilter.is_committed(cells);
        let mut buffers = std::mem::take(&mut self.buffers);
        tables.prefilter.apply(cells, &mut buffers);
        let mut tried =
            buffers.left.iter().map(|&left| self.try_edge(tables, vm, cells, left, &may_hold));
        let result = tried.find(Result::is_err).unwrap_or(Ok(()));
        self.buffers = buffers;
        result
    }

    /// How many ready edges there are.
    pub fn ready_len(&self) -> usize {
        self.ready.len()
    }

    /// Makes the candidates that this ready edge starts the only ones. One edge at a time, as
    /// all pairs of many edges would not fit the memory.
    pub fn combine_first(&mut self, tables: &Tables, cells: &[i32], first: usize) {
        self.spare.append(&mut self.candidates);
        self.combine_with(tables, cells, first);
    }

    /// Makes all candidates.
    pub fn combine_all(&mut self, tables: &Tables, cells: &[i32]) {
        self.spare.append(&mut self.candidates);
        for first in 0..self.ready.len() {
            self.combine_with(tables, cells, first);
        }
    }

    /// Adds the edge to the ready ones if its clock-free conditions hold and no clock test of
    /// it is beyond reach.
    fn try_edge(
        &mut self,
        tables: &Tables,
        vm: &mut Vm,
        cells: &[i32],
        left: Left,
        may_hold: &impl Fn(Atom<B>) -> bool,
    ) -> Result<(), GuardFault> {
        let model = tables.model;
        let at = EdgeRef { process: left.process, edge: left.edge };
        let edge = at.of(model);
        let fault = |fault| (fault, at);
        let start = self.atoms.len();
        let plain = tables.prefilter.guard(left).and_then(|tests| self.try_plain(tests, may_hold));
        let is_possible = match plain {
            Some(is_possible) => is_possible,
            None => {
                self.atoms.truncate(start);
                self.try_guard(tables, vm, cells, &edge.guard, may_hold).map_err(fault)?
            }
        };
        if !is_possible {
            self.atoms.truncate(start);
            return Ok(());
        }
        let sync = match &edge.sync {
            None => None,
            Some(sync) => {
                let offset = match &sync.offset {
                    None => 0,
                    Some(term) => vm.eval(model, term.code, cells).map_err(fault)?,
                };
                Some((sync.channel(offset), sync.direction))
            }
        };
        let atoms = Slice::since(start, &self.atoms);
        self.ready.push(Ready { edge: at, sync, atoms });
        Ok(())
    }

    /// Whether plain tests may hold; `None` if one has to be looked at more closely.
    #[inline]
    fn try_plain(
        &mut self,
        tests: &[PlainTest],
        may_hold: &impl Fn(Atom<B>) -> bool,
    ) -> Option<bool> {
        for test in tests {
            let atom = plain_atom(test, |clock| self.position(clock))?;
            self.atoms.push(atom);
            if !may_hold(atom) {
                return Some(false);
            }
        }
        Some(true)
    }

    fn try_guard(
        &mut self,
        tables: &Tables,
        vm: &mut Vm,
        cells: &[i32],
        guard: &[Conjunct],
        may_hold: &impl Fn(Atom<B>) -> bool,
    ) -> Result<bool, Fault> {
        for conjunct in guard {
            let holds = match conjunct {
                Conjunct::Data(term) => vm.eval(tables.model, term.code, cells)? != 0,
                Conjunct::Clock(test) => {
                    let atom = atom(tables, vm, cells, test, |clock| self.position(clock))?;
                    self.atoms.extend(atom);
                    atom.is_none_or(may_hold)
                }
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All candidates that `first` starts: alone, or as the sender.
    fn combine_with(&mut self, tables: &Tables, cells: &[i32], first: usize) {
        let is_committed = self.is_committed;
        let sender = self.ready[first];
        let allowed = |edges: &[usize], ready: &[Ready]| {
            !is_committed
                || edges
                    .iter()
                    .any(|&r| tables.site(ready[r].edge.process.index(), cells).is_committed)
        };
        let channel = match sender.sync {
            None => {
                if allowed(&[first], &self.ready) {
                    self.push(tables, &[first], &[]);
                }
                return;
            }
            Some((_, Direction::Receive)) => return,
            Some((channel, Direction::Send)) => channel,
        };
        if tables.model.channels[channel].is_broadcast {
            for (edges, refused) in self.receptions(first, channel) {
                if allowed(&edges, &self.ready) {
                    self.push(tables, &edges, &refused);
                }
            }
            return;
        }
        for second in 0..self.ready.len() {
            let other = &self.ready[second];
            let fits = other.sync == Some((channel, Direction::Receive))
                && other.edge.process != sender.edge.process;
            if fits && allowed(&[first, second], &self.ready) {
                self.push(tables, &[first, second], &[]);
            }
        }
    }

    /// All ways in which the other processes can hear a broadcast: each process that can
    /// receive does, by one of its edges. Where a clock guard decides whether it can, there is
    /// also the way in which that guard fails: one negated atom of each edge it could take.
    fn receptions(&self, first: usize, channel: ChannelId) -> Vec<(Vec<usize>, Vec<Atom<B>>)> {
        let mut ways = vec![(vec![first], Vec::new())];
        let sender = self.ready[first].edge.process;
        let hears = |r: &usize| self.ready[*r].sync == Some((channel, Direction::Receive));
        let mut r = 0;
        while r < self.ready.len() {
            let process = self.ready[r].edge.process;
            let mut end = r;
            while end < self.ready.len() && self.ready[end].edge.process == process {
                end += 1;
            }
            let offers: Vec<usize> = (r..end).filter(hears).collect();
            r = end;
            if process == sender || offers.is_empty() {
                continue;
            }
            let refusals = self.refusals(&offers);
            ways = ways
                .iter()
                .flat_map(|(edges, refused)| {
                    let takes = offers
                        .iter()
                        .map(|&offer| ([&edges[..], &[offer]].concat(), refused.clone()));
                    let stays = refusals
                        .iter()
                        .map(|not| (edges.clone(), [&refused[..], &not[..]].concat()));
                    takes.chain(stays).collect::<Vec<_>>()
                })
                .collect();
        }
        ways
    }

    /// The ways in which the guards of all these edges fail, as lists of atoms.
    fn refusals(&self, offers: &[usize]) -> Vec<Vec<Atom<B>>> {
        let mut ways = vec![Vec::new()];
        for &offer in offers {
            let negated: Vec<Atom<B>> = self
                .atoms_of(self.ready[offer])
                .iter()
                .map(|a| Atom { i: a.j, j: a.i, bound: a.bound.negated() })
                .collect();
            ways = ways
                .iter()
                .flat_map(|way| negated.iter().map(|&n| [&way[..], &[n]].concat()))
                .collect();
        }
        ways
    }

    fn atoms_of(&self, ready: Ready) -> &[Atom<B>] {
        ready.atoms.of(&self.atoms)
    }

    fn push(&mut self, tables: &Tables, edges: &[usize], refused: &[Atom<B>]) {
        let mut candidate = self.spare.pop().unwrap_or_default();
        candidate.action.edges.clear();
        candidate.atoms.clear();
        for &r in edges {
            let ready = self.ready[r];
            candidate.action.edges.push(ready.edge);
            candidate.atoms.extend_from_slice(self.atoms_of(ready));
        }
        candidate.atoms.extend_from_slice(refused);
        candidate.priority = if tables.model.has_priorities {
            priority(tables, &candidate.action, self.ready[edges[0]].sync)
        } else {
            (0, 0)
        };
        self.candidates.push(candidate);
    }
}

fn priority(tables: &Tables, action: &Move, sync: Option<(ChannelId, Direction)>) -> (i32, i32) {
    let process = |e: &EdgeRef| &tables.model.processes[e.process];
    let by_channel = match sync {
        None => process(&action.edges[0]).default_priority,
        Some((channel, _)) => tables.model.channels[channel].priority,
    };
    let by_process = action.edges.iter().map(|e| process(e).priority).max();
    (by_channel, by_process.unwrap_or(0))
}

/// A clock test as an atom over the zone's clocks; `None` where it says nothing.
pub fn atom<B: Bound>(
    tables: &Tables,
    vm: &mut Vm,
    cells: &[i32],
    test: &ClockTest,
    position: impl Fn(ClockId) -> usize,
) -> Result<Option<Atom<B>>, Fault> {
    let model = tables.model;
    if let Some(unless) = &test.unless
        && vm.eval(model, unless.code, cells)? != 0
    {
        return Ok(None);
    }
    let bound = vm.eval(model, test.bound.code, cells)?;
    if bound.unsigned_abs() > (B::LARGEST / 16).unsigned_abs() {
        return Err(Fault { kind: FaultKind::ClockTooLarge(bound), span: test.span });
    }
    let mut side = |clock: &Option<crate::model::ClockRef>| match clock {
        None => Ok(0),
        Some(clock) => vm.clock(model, clock, cells).map(|c| {
            let position = position(c);
            assert!(position != 0, "a clock that is tested is active");
            position as u16
        }),
    };
    let (i, j) = (side(&test.left)?, side(&test.right)?);
    Ok(Some(Atom { i, j, bound: B::new(bound, test.is_strict) }))
}

/// A plain test as an atom over the zone's clocks; `None` if its bound is too large.
#[inline]
pub fn plain_atom<B: Bound>(
    test: &PlainTest,
    position: impl Fn(ClockId) -> usize,
) -> Option<Atom<B>> {
    if test.bound.unsigned_abs() > (B::LARGEST / 16).unsigned_abs() {
        return None;
    }
    let side = |clock: Option<ClockId>| match clock {
        None => 0,
        Some(clock) => {
            let position = position(clock);
            assert!(position != 0, "a clock that is tested is active");
            position as u16
        }
    };
    let (i, j) = (side(test.left), side(test.right));
    Some(Atom { i, j, bound: B::new(test.bound, test.is_strict) })
}
