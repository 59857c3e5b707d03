//! A plan as nodes, the steps of all orders, and claims on lines, the units of pools.

use crate::improve::plant::Plant;
use crate::plan::{
    Anchor, FamilyId, Id, IdVec, LagFrom, Mode, Need, Objective, OrderId, Plan, PoolId, Setup,
    Step, StepId,
};
use std::ops::Range;

/// Units of a pool that are told apart at most.
const MOST_UNITS: i64 = 64;

/// Seats for each step at most, on average.
const MOST_SEATS: usize = 8;

/// Somebody else in the same order, and the time between.
#[derive(Clone, Copy, Debug)]
pub struct Lag {
    pub node: usize,
    pub from: LagFrom,
    pub time: i64,
}

/// Units that are taken from the start of one step until the end of another, which for a step is itself.
#[derive(Clone, Debug)]
pub struct Claim {
    pub from: usize,
    pub until: usize,
    /// Which hold of the order it is; none for a step.
    pub hold: Option<usize>,
    pub family: FamilyId,
    /// One for each unit that it may take at a time.
    pub seats: Range<usize>,
}

/// What never changes.
pub struct Graph<'a> {
    pub plan: &'a Plan,
    pub of: Vec<(OrderId, StepId)>,
    /// The nodes of each order.
    pub nodes: IdVec<OrderId, Range<usize>>,
    pub least: Vec<i64>,
    /// No end is later.
    pub last: Vec<i64>,
    pub before: Vec<Vec<Lag>>,
    /// For each node: who has to look again when its times change.
    pub after: Vec<Vec<usize>>,
    /// For each node: who must start at most so long after it.
    pub limited: Vec<Vec<Lag>>,
    /// For each node: where it was before, if it costs to be elsewhere.
    pub anchors: Vec<Option<Anchor>>,
    /// There are such limits.
    pub is_cyclic: bool,
    pub claims: Vec<Claim>,
    /// For each node: the claims that begin with it, its own first, and those that end with it.
    pub begun: Vec<Vec<usize>>,
    pub ended: Vec<Vec<usize>>,
    /// For each seat: whose it is.
    pub owner: Vec<usize>,
    /// For each pool: its units as lines; none where there is always enough.
    pub lines: IdVec<PoolId, Range<usize>>,
    /// For each line: its pool.
    pub pool: Vec<PoolId>,
}

impl<'a> Graph<'a> {
    /// `None` where units are too many to be told apart, heuristics ask for more, orders wait for each other, or any
    /// schedule will do.
    pub fn of(plant: &Plant<'a>) -> Option<Graph<'a>> {
        let plan = plant.plan;
        let is_simple = plan.heuristics.is_empty() && !plan.has_crews() && plan.groups.is_empty();
        if !is_simple || plan.objective == Objective::Feasible {
            return None;
        }
        let mut graph = Graph {
            plan,
            of: Vec::new(),
            nodes: IdVec::default(),
            least: Vec::new(),
            last: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            limited: Vec::new(),
            anchors: Vec::new(),
            is_cyclic: false,
            claims: Vec::new(),
            begun: Vec::new(),
            ended: Vec::new(),
            owner: Vec::new(),
            lines: IdVec::default(),
            pool: Vec::new(),
        };
        // A change of one step would have to change another.
        if plan.has_repeated() {
            return None;
        }
        graph.add_lines()?;
        for order in plan.orders.ids() {
            graph.add_order(order, plant.asked.least[order]);
        }
        (graph.owner.len() <= MOST_SEATS * graph.of.len()).then_some(graph)
    }

    fn add_lines(&mut self) -> Option<()> {
        let plan = self.plan;
        let mut wanted = plan.pools.filled(0_i64);
        for order in plan.orders.ids() {
            let recipe = plan.recipe(order);
            let modes = recipe.steps.iter().flat_map(|step| &step.modes).map(|mode| &mode.needs);
            let holds = recipe.holds.iter().flat_map(|hold| &hold.choices);
            for need in modes.chain(holds).flatten() {
                wanted[need.pool] = wanted[need.pool].saturating_add(need.amount);
            }
        }
        for (number, pool) in plan.pools.entries() {
            let first = self.pool.len();
            if wanted[number] > pool.capacity() || pool.setup.is_some() {
                if pool.capacity() > MOST_UNITS {
                    return None;
                }
                self.pool.extend(std::iter::repeat_n(number, pool.units.len()));
            }
            self.lines.push(first..self.pool.len());
        }
        Some(())
    }

    fn add_order(&mut self, order: OrderId, least: i64) {
        let plan = self.plan;
        let (recipe, first) = (plan.recipe(order), self.of.len());
        let count = recipe.steps.len();
        let last = plan.orders[order].deadline.map_or(plan.horizon, |end| end.min(plan.horizon));
        for lists in [&mut self.after, &mut self.begun, &mut self.ended] {
            lists.resize(first + count, Vec::new());
        }
        self.limited.resize(first + count, Vec::new());
        self.nodes.push(first..first + count);
        for (number, step) in recipe.steps.entries() {
            let node = self.of.len();
            self.of.push((order, number));
            self.anchors.push(step.anchor.filter(|_| plan.objective == Objective::Cost));
            self.least.push(least);
            self.last.push(last);
            let mut before = Vec::new();
            for link in &step.after {
                let other = first + link.before.index();
                before.push(Lag { node: other, from: link.from, time: link.min });
                self.after[other].push(node);
                if let Some(max) = link.max {
                    self.limited[other].push(Lag { node, from: link.from, time: max });
                    self.is_cyclic = true;
                }
            }
            self.before.push(before);
            let ways = step.modes.iter().map(|mode| self.units(&mode.needs)).max();
            self.add_claim([node, node], None, step.family, ways.unwrap_or(0));
        }
        for (number, hold) in recipe.holds.iter().enumerate() {
            let ends = [hold.from, hold.until].map(|step| first + step.index());
            let ways = hold.choices.iter().map(|needs| self.units(needs)).max();
            let family = recipe.steps[hold.from].family;
            self.add_claim(ends, Some(number), family, ways.unwrap_or(0));
        }
    }

    /// How many lines these take.
    fn units(&self, needs: &[Need]) -> usize {
        let counted = needs.iter().filter(|need| !self.lines[need.pool].is_empty());
        counted.map(|need| usize::try_from(need.amount).unwrap_or(0)).sum()
    }

    fn add_claim(
        &mut self,
        [from, until]: [usize; 2],
        hold: Option<usize>,
        family: FamilyId,
        count: usize,
    ) {
        let (number, first) = (self.claims.len(), self.owner.len());
        self.begun[from].push(number);
        self.ended[until].push(number);
        self.owner.extend(std::iter::repeat_n(number, count));
        self.claims.push(Claim { from, until, hold, family, seats: first..first + count });
    }

    pub fn step(&self, node: usize) -> &'a Step {
        let (order, step) = self.of[node];
        &self.plan.steps(order)[step]
    }

    pub fn mode(&self, node: usize, choice: usize) -> &'a Mode {
        &self.step(node).modes[choice]
    }

    /// What the claim takes in each of its ways.
    pub fn needs(&self, claim: usize, choice: usize) -> &'a [Need] {
        let Claim { from, hold, .. } = self.claims[claim];
        match hold {
            None => &self.mode(from, choice).needs,
            Some(hold) => &self.plan.recipe(self.of[from].0).holds[hold].choices[choice],
        }
    }

    pub fn choices(&self, claim: usize) -> usize {
        let Claim { from, hold, .. } = self.claims[claim];
        match hold {
            None => self.step(from).modes.len(),
            Some(hold) => self.plan.recipe(self.of[from].0).holds[hold].choices.len(),
        }
    }

    pub fn setup(&self, line: usize) -> Option<&'a Setup> {
        self.plan.pools[self.pool[line]].setup.as_ref()
    }
}
