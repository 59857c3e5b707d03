//! Cycles of a process whose rounds take between `a` and `b` time units, wherever the rest of the
//! network is, and any such length is possible (definitions 2.6 and 2.10 of Hendriks' thesis).

use crate::model::{
    ClockId, ClockRef, ClockTest, Conjunct, Edge, EdgeId, Expr, Location, LocationId, Model,
    Process, Term,
};
use crate::network::{BinaryOp, UnaryOp, Urgency};

/// A cycle of edges of one process, all on one clock that is 0 when it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    pub clock: ClockId,
    pub edges: Vec<EdgeId>,
    /// What lies between two resets of the clock.
    pub segments: Vec<Segment>,
}

/// Edges up to the next reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// How long after the last reset each edge may be taken at the earliest.
    pub times: Vec<i64>,
    /// The segment as a whole takes from the last of `times` up to this.
    pub longest: i64,
}

impl Cycle {
    /// The shortest and the longest round.
    pub fn interval(&self) -> (i64, i64) {
        let shortest = self.segments.iter().filter_map(|s| s.times.last()).sum();
        (shortest, self.segments.iter().map(|s| s.longest).sum())
    }

    /// From here on every length of time is that of some number of rounds: `ceil(a / (b - a)) * a`
    /// (lemma 2.12).
    pub fn threshold(&self) -> Option<i64> {
        let (a, b) = self.interval();
        let spare = b.checked_sub(a).filter(|&spare| spare > 0)?;
        (a / spare + i64::from(a % spare != 0)).checked_mul(a)
    }
}

/// More cycles than this in a process, or longer ones, are not looked for.
const MOST_CYCLES: usize = 64;
const MOST_EDGES: usize = 512;
const MOST_STEPS: usize = 100_000;

/// The cycles of a process on this clock, each once, from its lowest location on.
pub fn cycles(process: &Process, clock: ClockId) -> Vec<Cycle> {
    let is_fit = |edge: &Edge| Leg::new(process, edge, clock).is_some();
    let edges: Vec<bool> = process.edges.iter().map(is_fit).collect();
    let mut walk =
        CycleSearch { process, clock, edges, path: Vec::new(), found: Vec::new(), steps: 0 };
    for start in LocationId::all(process.locations.len()) {
        walk.go(start);
    }
    walk.found
}

/// A depth-first search for simple cycles; it does not recurse, since models may be deep.
struct CycleSearch<'p> {
    process: &'p Process,
    clock: ClockId,
    edges: Vec<bool>,
    path: Vec<EdgeId>,
    found: Vec<Cycle>,
    steps: usize,
}

impl CycleSearch<'_> {
    fn go(&mut self, start: LocationId) {
        let outgoing = |l: LocationId| &self.process.locations[l].outgoing;
        let mut open: Vec<std::slice::Iter<EdgeId>> = vec![outgoing(start).iter()];
        let mut visited = vec![false; self.process.locations.len()];
        self.path.clear();
        while let Some(next) = open.last_mut() {
            let Some(&edge) = next.next() else {
                open.pop();
                if let Some(last) = self.path.pop() {
                    visited[self.process.edges[last].target.index()] = false;
                }
                continue;
            };
            self.steps += 1;
            if self.found.len() >= MOST_CYCLES || self.steps > MOST_STEPS {
                return;
            }
            let target = self.process.edges[edge].target;
            if !self.edges[edge] || target < start || visited[target] {
                continue;
            }
            if target == start {
                let edges = [&self.path[..], &[edge]].concat();
                self.found.extend(cycle(self.process, self.clock, edges));
            } else if self.path.len() < MOST_EDGES {
                self.path.push(edge);
                visited[target] = true;
                open.push(outgoing(target).iter());
            }
        }
    }
}

/// The cycle of these edges, turned so that it starts right after a reset; `None` if its rounds
/// do not take any time between a shortest and a longest.
fn cycle(process: &Process, clock: ClockId, mut edges: Vec<EdgeId>) -> Option<Cycle> {
    let leg = |e: &EdgeId| Leg::new(process, &process.edges[*e], clock);
    let last = edges.iter().rposition(|e| leg(e).is_some_and(|leg| leg.resets))?;
    edges.rotate_left(last + 1);
    let legs: Vec<Leg> = edges.iter().map(leg).collect::<Option<_>>()?;
    let segments = legs.split_inclusive(|leg| leg.resets).map(segment);
    let segments = segments.collect::<Option<Vec<Segment>>>()?;
    Some(Cycle { clock, edges, segments })
}

fn segment(legs: &[Leg]) -> Option<Segment> {
    let mut times: Vec<i64> = Vec::new();
    for (k, leg) in legs.iter().enumerate() {
        let time = times.last().copied().unwrap_or(0).max(leg.earliest);
        let next = legs.get(k + 1).map_or(i64::MAX, |next| next.stay);
        if time > leg.latest || time > leg.stay || time > next {
            return None;
        }
        times.push(time);
    }
    let last = legs.last()?;
    let longest = last.latest.min(last.stay);
    // A round without limit needs no help, and neither do numbers that nothing is compared with.
    (longest < i64::MAX / 4).then_some(Segment { times, longest })
}

/// An edge of a cycle as its clock sees it.
#[derive(Clone, Copy, Debug)]
struct Leg {
    earliest: i64,
    latest: i64,
    /// How long its source may be stayed in.
    stay: i64,
    resets: bool,
}

impl Leg {
    /// `None` if the edge does more than wait for the clock and reset it.
    fn new(process: &Process, edge: &Edge, clock: ClockId) -> Option<Leg> {
        let source = &process.locations[edge.source];
        let resets = match edge.update.as_ref().map(|update| &update.tree) {
            None => false,
            Some(update) => {
                if !is_reset(update, clock) {
                    return None;
                }
                true
            }
        };
        if edge.sync.is_some() || source.urgency != Urgency::Normal {
            return None;
        }
        let (earliest, latest) = limits(&edge.guard, clock)?;
        let (least, stay) = limits(&source.invariant, clock)?;
        (least == 0).then_some(Leg { earliest, latest, stay, resets })
    }
}

fn is_reset(update: &Expr, clock: ClockId) -> bool {
    match update {
        Expr::Reset(place, value) => {
            place.constant() == Some(clock) && matches!(**value, Expr::Const(0))
        }
        Expr::Sequence(parts) => {
            !parts.is_empty() && parts.iter().all(|part| is_reset(part, clock))
        }
        _ => false,
    }
}

/// What the tests allow of the clock, from and to; `None` if they are about something else, or
/// strict.
fn limits(conjuncts: &[Conjunct], clock: ClockId) -> Option<(i64, i64)> {
    let (mut from, mut to) = (0, i64::MAX);
    for conjunct in conjuncts {
        let test = match conjunct {
            Conjunct::Data(term) if is_plain(&term.tree) => continue,
            Conjunct::Data(_) => return None,
            Conjunct::Clock(test) => test,
        };
        match side(test, clock)? {
            Side::Lower(bound) => from = from.max(bound),
            Side::Upper(bound) => to = to.min(bound),
        }
    }
    Some((from, to))
}

enum Side {
    Lower(i64),
    Upper(i64),
}

fn side(test: &ClockTest, clock: ClockId) -> Option<Side> {
    let is_it = |of: &Option<ClockRef>| matches!(of, Some(ClockRef::Fixed(c)) if *c == clock);
    let bound = test.bound.constant()?;
    if test.is_strict || test.unless.is_some() {
        return None;
    }
    match (&test.left, &test.right) {
        (None, right) if is_it(right) => Some(Side::Lower(bound.checked_neg()?.max(0))),
        (left, None) if is_it(left) && bound >= 0 => Some(Side::Upper(bound)),
        _ => None,
    }
}

/// Whether a condition changes nothing, and cannot fail, wherever it is looked at.
fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) => true,
        Expr::Load(place) => place.steps.is_empty(),
        Expr::Unary(UnaryOp::Not | UnaryOp::Minus | UnaryOp::Plus, inner) => is_plain(inner),
        Expr::And(a, b) | Expr::Or(a, b) => is_plain(a) && is_plain(b),
        Expr::Binary(op, a, b, _) => {
            let is_harmless = op.is_comparison() || matches!(op, BinaryOp::Add | BinaryOp::Sub);
            is_harmless && is_plain(a) && is_plain(b)
        }
        _ => false,
    }
}

/// The clock-free conditions of a round: what its guards and invariants ask of the integers.
pub fn conditions(process: &Process, cycle: &Cycle) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for &edge in &cycle.edges {
        let edge = &process.edges[edge];
        let source: &Location = &process.locations[edge.source];
        for conjunct in source.invariant.iter().chain(&edge.guard) {
            if let Conjunct::Data(term) = conjunct
                && !found.iter().any(|other| other.tree == term.tree)
            {
                found.push(term.clone());
            }
        }
    }
    found
}

/// What all processes have to say about the detours of one of them, gathered in one pass.
pub struct Bystanders {
    /// For each clock, who stays somewhere for a time that depends on it.
    watchers: Vec<Watchers>,
    /// Who may depend on any clock, by an index.
    of_any: Watchers,
    /// How long each process can stay where it can stay longest; the shortest two, with their
    /// processes.
    shortest: [(i64, usize); 2],
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Watchers {
    #[default]
    Nobody,
    One(usize),
    Several,
}

impl Watchers {
    fn add(&mut self, process: usize) {
        *self = match *self {
            Watchers::Nobody => Watchers::One(process),
            Watchers::One(other) if other == process => Watchers::One(process),
            _ => Watchers::Several,
        };
    }

    fn are_others_than(self, process: usize) -> bool {
        match self {
            Watchers::Nobody => false,
            Watchers::One(other) => other != process,
            Watchers::Several => true,
        }
    }
}

impl Bystanders {
    pub fn new(model: &Model) -> Bystanders {
        let mut found = Bystanders {
            watchers: vec![Watchers::Nobody; model.clocks.len()],
            of_any: Watchers::Nobody,
            shortest: [(i64::MAX, usize::MAX); 2],
        };
        for (p, process) in model.processes.iter().enumerate() {
            for test in process.locations.iter().flat_map(tests) {
                for clock in test.clocks() {
                    match clock {
                        ClockRef::Fixed(clock) => found.watchers[*clock].add(p),
                        ClockRef::Indexed { .. } => found.of_any.add(p),
                    }
                }
            }
            let stay = process.locations.iter().map(longest_stay).max().unwrap_or(i64::MAX);
            let [first, second] = &mut found.shortest;
            if stay < first.0 {
                (*second, *first) = (*first, (stay, p));
            } else if stay < second.0 {
                *second = (stay, p);
            }
        }
        found
    }

    /// Whether others stay where they are for a time that depends on the clock.
    pub fn watch(&self, process: usize, clock: ClockId) -> bool {
        let watchers = self.watchers[clock];
        watchers.are_others_than(process) || self.of_any.are_others_than(process)
    }

    /// Whether some other process never stays anywhere for so long: a detour could not last, since
    /// nobody else acts meanwhile.
    pub fn move_before(&self, process: usize, time: i64) -> bool {
        self.shortest.iter().any(|&(stay, other)| other != process && stay < time)
    }
}

fn tests(location: &Location) -> impl Iterator<Item = &ClockTest> {
    location.invariant.iter().filter_map(Conjunct::test)
}

/// As long as a location can be stayed in, as constants tell; the largest number without a limit.
fn longest_stay(location: &Location) -> i64 {
    if location.urgency != Urgency::Normal {
        return i64::MIN;
    }
    let limit = |test: &ClockTest| {
        let is_upper = test.left.is_some() && test.right.is_none() && test.unless.is_none();
        test.bound.constant().filter(|_| is_upper)
    };
    tests(location).filter_map(limit).min().unwrap_or(i64::MAX)
}
