//! From a spec of a plant to automata, schedules and bounds.
//!
//! [`plan`] turns a spec into whole numbers, on which everybody else works: [`lower`] makes automata of a
//! plan and [`lift`] timetables of their runs, [`floor`] proves what no timetable is below, [`improve`] finds
//! timetables, a [`Learner`] finds and proves. [`loads`] tells what is asked of a plant before it is planned.

mod bound;
mod improve;
mod learn;
mod lift;
mod lower;
mod outlook;
mod plan;
mod random;
mod timetable;

pub use bound::{Overload, estimate, floor, floor_until, overload, quick_floor};
pub use improve::{
    FoundBy, ImproveOptions, Improver, IncumbentCallback, Plant, first_schedule, improve,
};
pub use learn::{Aim, Learner, Turn};
pub use lift::{jobs, lift, schedule, settle, to_run};
pub use lower::{FILES as TEMPLATE_FILES, Lowered, lower};
pub use outlook::{Load, Period, Way, loads, ways, widen};
pub use plan::{
    Calendar, CalendarId, Conflict, FamilyId, Former, Heuristic, Id, IdVec, Mode, Objective, Order,
    OrderId, Plan, Pool, PoolId, Recipe, RecipeId, Resource, ResourceId, Role, Rule, Step, StepId,
    TimeCosts, Unit, Window, conflicts, exact_once, exact_rate, plan,
};
pub use timetable::{Job, Jobs, check, value};
