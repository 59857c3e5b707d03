//! One process, one clock: the automaton that is left if everything else is ready for anything,
//! and the cheapest ways through it.

use super::super::Ranges;
use super::super::interval::{self, Interval};
use super::super::resets::DefiniteResets;
use super::super::walk;
use super::{LARGEST, Measure, ProcessBound};
use crate::model::{
    ClockId, ClockTest, Conjunct, Edge, Expr, Formula, Location, Model, Process, ProcessId,
};
use crate::network::Urgency;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// More clocks of one process than this are not tried one by one.
const MOST_CLOCKS: usize = 4;

/// More values than this are not worth computing.
const MOST_VALUES: usize = 1 << 18;

/// Who may set a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Nobody,
    Process(usize),
    Anybody,
}

pub struct View<'a> {
    model: &'a Model,
    ranges: &'a Ranges<'a>,
    goal: &'a Formula,
    measure: Measure,
    owners: Vec<Owner>,
    resets: DefiniteResets<'a>,
}

/// An edge of the graph that is left, from a value of the clock in a location to another one.
struct GridEdge {
    from: usize,
    to: usize,
    cost: i64,
}

/// Between which values a clock may be; without a largest one, also beyond all constants.
struct Limits {
    least: i64,
    most: Option<i64>,
}

impl Limits {
    /// Whether the clock may have this value; `None`: beyond all constants.
    fn allow(&self, value: Option<&i64>) -> bool {
        match value {
            Some(&value) => self.least <= value && self.most.is_none_or(|most| value <= most),
            None => self.most.is_none(),
        }
    }
}

impl<'a> View<'a> {
    pub fn new(
        model: &'a Model,
        ranges: &'a Ranges<'a>,
        goal: &'a Formula,
        measure: Measure,
    ) -> View<'a> {
        let mut owners = vec![Owner::Nobody; model.clocks.len()];
        for (p, process) in model.processes.iter().enumerate() {
            for update in process.edges.iter().filter_map(|edge| edge.update.as_ref()) {
                each_reset(&update.tree, ranges, &mut |clock, _| {
                    let owner = &mut owners[clock];
                    *owner = match *owner {
                        Owner::Nobody => Owner::Process(p),
                        Owner::Process(q) if p == q => Owner::Process(p),
                        _ => Owner::Anybody,
                    };
                });
            }
        }
        walk::shared(model, &mut |expr| {
            each_reset(expr, ranges, &mut |clock, _| owners[clock] = Owner::Anybody);
        });
        View { model, ranges, goal, measure, owners, resets: DefiniteResets::new(model) }
    }

    /// The bounds of a process: one for each clock that tells something, or a constant one.
    pub fn parts(&self, process: usize) -> Vec<ProcessBound> {
        let clocks = self.clocks(process);
        let found: Vec<ProcessBound> =
            clocks.iter().filter_map(|&clock| self.part(process, Some(clock))).collect();
        match found.is_empty() {
            true => self.part(process, None).into_iter().collect(),
            false => found,
        }
    }

    /// The clocks that the process compares with constants and that nobody else resets.
    fn clocks(&self, process: usize) -> Vec<ClockId> {
        let of = &self.model.processes[process];
        let found: BTreeSet<ClockId> = self.tests(of).map(|(clock, ..)| clock).collect();
        let is_own = |clock: &ClockId| match self.owners[*clock] {
            Owner::Nobody => true,
            Owner::Process(owner) => owner == process,
            Owner::Anybody => false,
        };
        found.into_iter().filter(is_own).take(MOST_CLOCKS).collect()
    }

    /// All tests of single clocks.
    fn tests(&self, of: &'a Process) -> impl Iterator<Item = (ClockId, bool, i64)> {
        let guards = of.edges.iter().flat_map(|edge| &edge.guard);
        let invariants = of.locations.iter().flat_map(|location| &location.invariant);
        let tests = guards.chain(invariants).filter_map(Conjunct::test);
        tests.filter_map(|test| self.tested(test))
    }

    /// A test of a single clock: the clock, whether it is bounded from above, and by what at
    /// most (from below: at least).
    fn tested(&self, test: &ClockTest) -> Option<(ClockId, bool, i64)> {
        let single = |clock| match self.ranges.clocks(clock)[..] {
            [clock] => Some(clock),
            _ => None,
        };
        if test.unless.as_ref().is_some_and(|unless| self.ranges.of(&unless.tree) != (0, 0)) {
            return None;
        }
        let (_, loosest) = self.ranges.of(&test.bound.tree);
        if !(-LARGEST..=LARGEST).contains(&loosest) {
            return None;
        }
        match (&test.left, &test.right) {
            (Some(clock), None) => Some((single(clock)?, true, loosest)),
            (None, Some(clock)) => Some((single(clock)?, false, loosest.checked_neg()?)),
            _ => None,
        }
    }

    fn part(&self, process: usize, clock: Option<ClockId>) -> Option<ProcessBound> {
        let grid = self.grid(process, clock);
        let locations = self.model.processes[process].locations.len();
        let width = grid.len() + 1;
        if locations.saturating_mul(width) > MOST_VALUES {
            return None;
        }
        let steps = self.steps(process, clock, &grid);
        let ends = (0..locations).filter(|&l| self.may_hold(process, l));
        let ends = ends.flat_map(|l| (0..width).map(move |k| l * width + k));
        let values = cheapest(locations * width, &steps, ends);
        let to_go: Vec<Vec<Option<i64>>> = values.chunks(width).map(<[_]>::to_vec).collect();
        let is_trivial: Vec<bool> =
            to_go.iter().map(|values| values.iter().all(|&v| v == Some(0))).collect();
        let tells_something = is_trivial.iter().any(|trivial| !trivial);
        let process = ProcessId::at(process);
        tells_something.then_some(ProcessBound { process, clock, grid, to_go, is_trivial })
    }

    /// Everything that the clock is compared with or set to.
    fn grid(&self, process: usize, clock: Option<ClockId>) -> Vec<i64> {
        let of = &self.model.processes[process];
        let mut found = BTreeSet::from([0]);
        let tests = self.tests(of).filter(|&(tested, ..)| Some(tested) == clock);
        found.extend(tests.map(|(.., constant)| constant.max(0)));
        for update in of.edges.iter().filter_map(|edge| edge.update.as_ref()) {
            each_reset(&update.tree, self.ranges, &mut |reset, (lo, hi)| {
                if Some(reset) == clock {
                    found.extend([lo.clamp(0, LARGEST), hi.clamp(0, LARGEST)]);
                }
            });
        }
        found.into_iter().collect()
    }

    fn steps(&self, process: usize, clock: Option<ClockId>, grid: &[i64]) -> Vec<GridEdge> {
        let of = &self.model.processes[process];
        let width = grid.len() + 1;
        let mut steps = Vec::new();
        let steady = match self.measure {
            Measure::Extra => steady_rate(of, self.ranges),
            Measure::Cost | Measure::Time => 0,
        };
        for (l, location) in of.locations.iter().enumerate() {
            let rate = self.rate(location) - steady;
            let limits = self.limits(&location.invariant, clock);
            let may_be = |k: usize| limits.allow(grid.get(k));
            for k in (0..grid.len()).filter(|_| location.urgency == Urgency::Normal) {
                let wait = grid.get(k + 1).map_or(0, |next| next - grid[k]);
                if may_be(k + 1) {
                    let cost = rate.saturating_mul(wait).min(LARGEST);
                    steps.push(GridEdge { from: l * width + k, to: l * width + k + 1, cost });
                }
            }
        }
        for edge in of.edges.iter().filter(|edge| self.is_possible(edge)) {
            let cost = self.price(edge);
            let target = &of.locations[edge.target];
            let guard = self.limits(&edge.guard, clock);
            let invariant = self.limits(&target.invariant, clock);
            for k in (0..width).filter(|&k| guard.allow(grid.get(k))) {
                for after in self.after(edge, clock, grid, k) {
                    if invariant.allow(grid.get(after)) {
                        let from = edge.source.index() * width + k;
                        steps.push(GridEdge {
                            from,
                            to: edge.target.index() * width + after,
                            cost,
                        });
                    }
                }
            }
        }
        steps
    }

    /// Where the clock may be on the grid after the edge.
    fn after(
        &self,
        edge: &Edge,
        clock: Option<ClockId>,
        grid: &[i64],
        at: usize,
    ) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let (Some(update), Some(clock)) = (&edge.update, clock) else {
            return BTreeSet::from([at]);
        };
        if !self.resets.of(&update.tree).contains(&clock) {
            found.insert(at);
        }
        each_reset(&update.tree, self.ranges, &mut |reset, (lo, hi)| {
            if reset == clock {
                let within = |k: &usize| lo <= grid[*k] && grid[*k] <= hi;
                found.extend((0..grid.len()).filter(within));
                found.extend((hi > LARGEST).then_some(grid.len()));
            }
        });
        found
    }

    /// What the conditions ask of the clock.
    fn limits(&self, conditions: &[Conjunct], clock: Option<ClockId>) -> Limits {
        let mut limits = Limits { least: i64::MIN, most: None };
        let tests = conditions.iter().filter_map(Conjunct::test);
        let tests = tests.filter_map(|test| self.tested(test));
        for (_, is_upper, bound) in tests.filter(|&(tested, ..)| Some(tested) == clock) {
            if is_upper {
                limits.most = Some(limits.most.map_or(bound, |most: i64| most.min(bound)));
            } else {
                limits.least = limits.least.max(bound);
            }
        }
        limits
    }

    /// False if some guard on variables never holds.
    fn is_possible(&self, edge: &Edge) -> bool {
        edge.guard.iter().all(|condition| match condition {
            Conjunct::Data(term) => self.ranges.of(&term.tree) != (0, 0),
            Conjunct::Clock(_) => true,
        })
    }

    fn rate(&self, location: &Location) -> i64 {
        match self.measure {
            Measure::Time => 1,
            Measure::Cost | Measure::Extra => least_rate(location, self.ranges),
        }
    }

    fn price(&self, edge: &Edge) -> i64 {
        match (self.measure, &edge.update) {
            (Measure::Cost | Measure::Extra, Some(update)) => self.least_price(&update.tree),
            _ => 0,
        }
    }

    /// What the update adds to the cost at least; what functions add is not looked at.
    fn least_price(&self, update: &Expr) -> i64 {
        match update {
            Expr::AddCost(amount) => self.ranges.of(amount).0.clamp(0, LARGEST),
            Expr::Conditional(_, yes, no) => self.least_price(yes).min(self.least_price(no)),
            Expr::Sequence(parts) => {
                let sum = parts.iter().map(|part| self.least_price(part)).sum::<i64>();
                sum.min(LARGEST)
            }
            _ => 0,
        }
    }

    /// Whether the formula may hold while the process is in this location.
    fn may_hold(&self, process: usize, location: usize) -> bool {
        let ranges = self.ranges.with(process, (location as i64, location as i64));
        truth(&ranges, self.goal) != Some(false)
    }
}

fn least_rate(location: &Location, ranges: &Ranges) -> i64 {
    location.rate.as_ref().map_or(0, |rate| ranges.of(&rate.tree).0.clamp(0, LARGEST))
}

/// What the process pays per unit of time at least, wherever time can pass.
pub fn steady_rate(process: &Process, ranges: &Ranges) -> i64 {
    let lasting = process.locations.iter().filter(|l| l.urgency == Urgency::Normal);
    lasting.map(|location| least_rate(location, ranges)).min().unwrap_or(0)
}

/// What is known of a formula.
fn truth(ranges: &Ranges, formula: &Formula) -> Option<bool> {
    match formula {
        Formula::Data(term) => interval::truth(ranges.of(&term.tree)),
        Formula::Clock(_) | Formula::Deadlock => None,
        Formula::Not(inner) => truth(ranges, inner).map(|truth| !truth),
        Formula::And(parts) => all(parts.iter().map(|part| truth(ranges, part))),
        Formula::Or(parts) => {
            all(parts.iter().map(|part| truth(ranges, part).map(|t| !t))).map(|t| !t)
        }
    }
}

fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for part in parts {
        match part {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    known
}

/// Calls `visit` for every clock that the expression itself may set, with the values.
fn each_reset(expr: &Expr, ranges: &Ranges, visit: &mut dyn FnMut(ClockId, Interval)) {
    walk::expr(expr, &mut |part| {
        if let Expr::Reset(place, value) = part {
            let value = ranges.of(value);
            ranges.clocks_at(place).into_iter().for_each(|clock| visit(clock, value));
        }
    });
}

/// The smallest cost from each node to any end (Dijkstra, backwards).
fn cheapest(
    nodes: usize,
    steps: &[GridEdge],
    ends: impl Iterator<Item = usize>,
) -> Vec<Option<i64>> {
    let mut incoming: Vec<Vec<&GridEdge>> = vec![Vec::new(); nodes];
    for step in steps {
        incoming[step.to].push(step);
    }
    let mut values = vec![None; nodes];
    let mut queue: BinaryHeap<Reverse<(i64, usize)>> = ends.map(|end| Reverse((0, end))).collect();
    while let Some(Reverse((cost, node))) = queue.pop() {
        if values[node].is_some() {
            continue;
        }
        values[node] = Some(cost);
        for step in &incoming[node] {
            if values[step.from].is_none() {
                queue.push(Reverse(((cost + step.cost).min(LARGEST), step.from)));
            }
        }
    }
    values
}
