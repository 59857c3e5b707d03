//! What a plan consists of. All times are whole units, all costs whole multiples of
//! `1 / cost_scale`, all names positions in lists.

use super::cost::TimeCosts;
use super::former::{Anchor, Formers};
use super::ids::{
    CalendarId, FamilyId, GroupId, IdVec, OrderId, PoolId, RecipeId, ResourceId, StepId,
};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::Span;

/// A plant and its orders, as `lower`, `bound`, `improve` and `lift` see them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// As the user named them.
    pub resources: IdVec<ResourceId, Resource>,
    /// What steps take: the units of a resource that nothing tells apart.
    pub pools: IdVec<PoolId, Pool>,
    /// Calendars of pools, and the common open time of those that some step needs together.
    pub calendars: IdVec<CalendarId, Calendar>,
    /// The families that occur, by name.
    pub families: IdVec<FamilyId, String>,
    /// Orders whose steps are alike in everything share one.
    pub recipes: IdVec<RecipeId, Recipe>,
    pub orders: IdVec<OrderId, Order>,
    /// Orders that others wait for.
    pub groups: IdVec<GroupId, Group>,
    pub objective: Objective,
    /// A power of ten; 1 where all costs are whole.
    pub cost_scale: i64,
    /// Among the schedules that the heuristics keep, some best one ends no later than this, and
    /// every due instant with a storage cost lies before it.
    pub horizon: i64,
    pub heuristics: Vec<Heuristic>,
    /// Why there is no schedule at all, where that can be seen without a search.
    pub conflict: Option<Conflict>,
    /// No step that is open starts earlier.
    pub now: i64,
    /// What is known of steps that are facts.
    pub facts: BTreeMap<(OrderId, StepId), Fact>,
    /// Where searches begin: open steps as an earlier plan had them.
    pub former: Formers,
}

/// A step as it was, or as it is settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// May lie before 0; the step of the plan then starts at 0.
    pub start: i64,
    pub end: i64,
    pub work: i64,
    pub units: Vec<Unit>,
}

/// A unit: its resource, and its position in [`Resource::units`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    pub resource: ResourceId,
    pub number: usize,
}

/// What makes one schedule better than another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// Nothing: any schedule will do.
    Feasible,
    /// The end of the last step.
    #[default]
    Makespan,
    /// What orders, setups and work cost together.
    Cost,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resource {
    pub name: String,
    /// The names of its units; interchangeable ones are called 1, 2, and so on.
    pub units: Vec<String>,
    /// Together they have all units.
    pub pools: Vec<PoolId>,
}

/// Units of one resource with the same calendar. A unit with a setup is a pool by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pool {
    pub resource: ResourceId,
    /// Positions in [`Resource::units`]; as many as the capacity.
    pub units: Vec<usize>,
    pub calendar: Option<CalendarId>,
    /// Only where there is a single unit.
    pub setup: Option<Setup>,
}

impl Pool {
    pub fn capacity(&self) -> i64 {
        self.units.len() as i64
    }
}

/// What lies between two neighbours on a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// As if a step of this family had ended at 0.
    pub initial: Option<FamilyId>,
    /// It is to be set up from here on: times after the initial family are that much longer.
    pub since: i64,
    /// `[from][to]`
    pub time: SetupTable,
    pub cost: SetupTable,
    /// Where setups are work: they run anywhere between two steps, none before `since`, and times after the initial
    /// family are as they are.
    pub crew: Option<Crew>,
}

/// Who does setups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crew {
    /// Kinds of setups that ask for different crews: the ways to do them, at least one each.
    pub kinds: Vec<Vec<CrewWay>>,
    /// `[from][to]`: a position in the kinds.
    pub kind: FamilyTable<usize>,
}

/// What one setup takes while it runs, and when it may.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CrewWay {
    /// At most one entry per pool, sorted.
    pub needs: Vec<Need>,
    pub calendar: Option<CalendarId>,
}

impl Setup {
    /// How long it takes between these families and the ways to do it, where it is work.
    pub fn work(&self, from: FamilyId, to: FamilyId) -> Option<(i64, &[CrewWay])> {
        let crew = self.crew.as_ref()?;
        let time = Some(self.time[from][to]).filter(|&time| time > 0)?;
        Some((time, &crew.kinds[crew.kind[from][to]]))
    }
}

/// `[from][to]`
pub type FamilyTable<T> = IdVec<FamilyId, IdVec<FamilyId, T>>;

pub type SetupTable = FamilyTable<i64>;

/// Open time: sorted, apart from each other, each with `open < close`, up to the horizon. A window
/// may end after it; none opens after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calendar {
    pub windows: Vec<Window>,
}

/// `[open, close)`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Window {
    pub open: i64,
    pub close: i64,
}

/// The steps of some orders.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recipe {
    pub name: String,
    /// The recipe's position in the spec; several of these may share it.
    pub source: usize,
    /// In the recipe's sequence; at least one. Predecessors may come later in the list.
    pub steps: Steps,
    pub holds: Vec<Hold>,
}

/// For each step of a recipe, an instant or a length.
pub type Times = IdVec<StepId, i64>;

pub type Calendars = IdVec<CalendarId, Calendar>;

/// Of a recipe.
pub type Steps = IdVec<StepId, Step>;

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    pub name: String,
    pub family: FamilyId,
    /// The ways to do it, at least one.
    pub modes: Vec<Mode>,
    pub after: Vec<Link>,
    /// For an interruptible step: the longest pause allowed.
    pub pause: Option<i64>,
    pub role: Role,
    /// Where it was in an earlier plan, if it costs to be elsewhere.
    pub anchor: Option<Anchor>,
}

/// What a step of a plan stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Work that is to be planned.
    #[default]
    Open,
    /// A fact. It takes nothing itself: what it takes is claimed.
    Fact,
    /// What a fact, this step, takes of a unit from now on.
    Claim(StepId, Unit),
}

/// One way to do a step: an alternative of the spec with the pools it takes its units from.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mode {
    /// The alternative's position in the step.
    pub alternative: usize,
    /// What it takes: at most one entry per pool, sorted.
    pub needs: Vec<Need>,
    /// The work, stretched and rounded up.
    pub duration: i64,
    /// When it may work.
    pub calendar: Option<CalendarId>,
    /// The run costs.
    pub cost: i64,
    /// Steps before it of which it takes the same units: only where they are done in these modes.
    pub same: Vec<(StepId, usize)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    pub pool: PoolId,
    pub amount: i64,
}

/// A predecessor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    pub before: StepId,
    pub from: LagFrom,
    /// From there to the start of the step that has the link.
    pub min: i64,
    pub max: Option<i64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LagFrom {
    Start,
    #[default]
    End,
}

impl LagFrom {
    /// The one that is meant.
    pub fn of<T>(self, start: T, end: T) -> T {
        match self {
            LagFrom::Start => start,
            LagFrom::End => end,
        }
    }
}

impl Link {
    /// From start to start, at the least.
    pub fn lead(&self, steps: &Steps) -> i64 {
        self.from.of(0, steps[self.before].shortest()).saturating_add(self.min)
    }
}

/// From the start of one step until the end of another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hold {
    pub from: StepId,
    pub until: StepId,
    pub resource: ResourceId,
    /// Where the units may come from: one of these is chosen at the start.
    pub choices: Vec<Vec<Need>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    pub id: String,
    pub recipe: RecipeId,
    pub release: i64,
    /// May be negative.
    pub due: Option<i64>,
    pub deadline: Option<i64>,
    pub costs: TimeCosts,
    /// What it waits for.
    pub after: Vec<OrderLink>,
    /// The groups that it is in.
    pub groups: Vec<GroupId>,
    /// Where it stands in the spec.
    pub span: Span,
}

/// Orders that are waited for together, until the last of them is finished.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    pub orders: Vec<OrderId>,
    /// Who waits for them.
    pub followers: Vec<OrderId>,
    /// Some of these may wait only so long.
    pub is_limited: bool,
}

/// From the finish of a group to the starts of an order: `min` to all of them, `max` to the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderLink {
    pub group: GroupId,
    pub min: i64,
    pub max: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristic {
    pub rule: Rule,
    /// It keeps an optimal schedule of this plan.
    pub is_safe: bool,
}

/// A heuristic with its argument in whole numbers.
pub type Rule = takt_spec::Heuristic<i64>;

/// What can never be met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub order: OrderId,
    pub step: Option<StepId>,
    /// What to underline.
    pub span: Span,
    /// In the plant's words.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
}

impl Plan {
    /// The steps of an order, as in its recipe.
    pub fn steps(&self, order: OrderId) -> &Steps {
        &self.recipe(order).steps
    }

    pub fn recipe(&self, order: OrderId) -> &Recipe {
        &self.recipes[self.orders[order].recipe]
    }

    /// Of all orders together.
    pub fn step_count(&self) -> usize {
        self.orders.ids().map(|order| self.steps(order).len()).sum()
    }

    /// Whether an order may pay for being early, or for lasting.
    pub fn is_early_costly(&self, order: OrderId) -> bool {
        let TimeCosts { storage, holding, .. } = self.orders[order].costs;
        self.objective == Objective::Cost
            && (storage > 0 || holding > 0 || self.recipe(order).is_anchored())
    }

    /// Some step takes the units of another.
    pub fn has_repeated(&self) -> bool {
        self.recipes.iter().any(|recipe| !recipe.repeated().is_empty())
    }

    /// The calendars that some step or setup needs.
    pub fn used_calendars(&self) -> BTreeSet<CalendarId> {
        let steps = self.recipes.iter().flat_map(|recipe| &recipe.steps);
        let of_steps = steps.flat_map(|step| &step.modes).filter_map(|mode| mode.calendar);
        of_steps.chain(self.crew_ways().filter_map(|way| way.calendar)).collect()
    }

    /// All ways to do setups that are work.
    pub fn crew_ways(&self) -> impl Iterator<Item = &CrewWay> {
        let setups = self.pools.iter().filter_map(|pool| pool.setup.as_ref());
        setups.filter_map(|setup| setup.crew.as_ref()).flat_map(|crew| &crew.kinds).flatten()
    }

    /// The pools that setups take.
    pub fn crew_pools(&self) -> BTreeSet<PoolId> {
        self.crew_ways().flat_map(|way| &way.needs).map(|need| need.pool).collect()
    }

    /// Whether some setups are work.
    pub fn has_crews(&self) -> bool {
        self.pools.iter().filter_map(|pool| pool.setup.as_ref()).any(|setup| setup.crew.is_some())
    }
}

impl Recipe {
    /// Whether a hold may end at the instant at which it begins; it takes nothing then.
    pub fn may_be_empty(&self, hold: &Hold) -> bool {
        super::span(&self.steps, hold.from, hold.until) == 0
    }

    /// Nothing but one step that takes no time: an order that is over as soon as it begins.
    pub fn is_instant(&self) -> bool {
        self.steps.len() == 1 && self.steps[StepId(0)].modes.iter().all(|mode| mode.duration == 0)
    }

    /// Some step costs where it is not where it was.
    pub fn is_anchored(&self) -> bool {
        self.steps.iter().any(|step| step.anchor.is_some())
    }

    /// The steps of which others take the same units.
    pub fn repeated(&self) -> BTreeSet<StepId> {
        let modes = self.steps.iter().flat_map(|step| &step.modes);
        modes.flat_map(|mode| &mode.same).map(|&(step, _)| step).collect()
    }

    /// A single step comes before all others.
    pub fn has_one_first_step(&self) -> bool {
        self.steps.iter().filter(|step| step.after.is_empty()).count() == 1
    }
}

impl Order {
    /// What it pays for its times.
    pub fn time_cost(&self, start: i64, finish: i64) -> i64 {
        let held = self.costs.holding.saturating_mul(finish.saturating_sub(start));
        held.saturating_add(self.finish_cost(finish))
    }

    /// What it pays for finishing early or late.
    pub fn finish_cost(&self, finish: i64) -> i64 {
        self.due.map_or(0, |due| self.costs.of_lateness(finish.saturating_sub(due)))
    }

    /// Whether its first start may come only so long after others.
    pub fn is_limited(&self) -> bool {
        self.after.iter().any(|link| link.max.is_some())
    }

    /// Everything but its name: orders of equal terms can change places. The recipe of a plan knows
    /// durations, families and costs.
    pub fn terms(&self) -> impl Ord + use<> {
        let waits = (self.after.clone(), self.groups.clone());
        (self.recipe, self.release, self.due, self.deadline, self.costs, waits)
    }
}

impl Mode {
    /// Whether the steps whose units it takes are done accordingly; `mode` gives how, where it is known.
    pub fn follows(&self, mode: impl Fn(StepId) -> Option<usize>) -> bool {
        self.same.iter().all(|&(step, wanted)| mode(step) == Some(wanted))
    }
}

impl Step {
    /// The pool of a step of a job shop.
    pub fn machine(&self) -> Option<PoolId> {
        self.modes.first().and_then(|mode| mode.needs.first()).map(|need| need.pool)
    }

    /// Whether it is one of the recipe, and not what a fact claims.
    pub fn is_written(&self) -> bool {
        !matches!(self.role, Role::Claim(..))
    }

    /// What it pays for not starting where it did before.
    pub fn move_cost(&self, start: i64) -> i64 {
        self.anchor.map_or(0, |anchor| anchor.cost(start))
    }

    /// The shortest time that it can take.
    pub fn shortest(&self) -> i64 {
        self.modes.iter().map(|mode| mode.duration).min().unwrap_or(0)
    }

    pub fn longest(&self) -> i64 {
        self.modes.iter().map(|mode| mode.duration).max().unwrap_or(0)
    }
}
