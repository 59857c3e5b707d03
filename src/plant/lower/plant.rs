//! Plants that are no plain job shops: the chains of all orders, and the automata beside them.

use super::assembly::{Assembly, number};
use super::{Event, Lowered, crew, heuristic, recipe, sequel};
use crate::plan::{
    Anchor, Calendar, CalendarId, Hold, Id, LagFrom, Plan, Recipe, SetupTable, TimeCosts, Window,
};
use std::collections::BTreeMap;
use takt_automata::compose::{Templates, list};
use takt_automata::network::{Expr, Initial};

pub fn lower(plan: &Plan, templates: &Templates) -> Lowered {
    let mut assembly = Assembly::new(plan, templates);
    for recipe in plan.recipes.ids() {
        recipe::weave(&mut assembly, recipe);
    }
    orders(&mut assembly);
    same(&mut assembly);
    counters(&mut assembly);
    machines(&mut assembly);
    crew::add(&mut assembly);
    calendars(&mut assembly);
    lags(&mut assembly);
    sequel::lower(&mut assembly);
    let unpaid = costs(&mut assembly) + anchors(&mut assembly);
    assembly.set("unpaid", unpaid);
    heuristic::apply(&mut assembly);
    assembly.finish()
}

fn orders(assembly: &mut Assembly) {
    let plan = assembly.plan;
    assembly.set("horizon", plan.horizon);
    assembly.set("cost_scale", plan.cost_scale);
    assembly.set("orders", plan.orders.len() as i64);
    let mut counts: Vec<i64> = Vec::new();
    for (k, order) in plan.orders.entries() {
        if assembly.is_tallied(order.recipe) {
            assembly.arguments[k].insert("tally", number(counts.len()));
            counts.push(assembly.chains[order.recipe].chains.len() as i64);
        }
        let deadline = order.deadline.unwrap_or(plan.horizon).min(plan.horizon);
        let arguments = &mut assembly.arguments[k];
        arguments.insert("order", number(k));
        arguments.insert("release", Expr::number(order.release));
        arguments.insert("deadline", Expr::number(deadline));
    }
    assembly.set("tallies", counts.len().max(1) as i64);
    assembly.set("most_chains", counts.iter().copied().max().unwrap_or(1));
    if !counts.is_empty() {
        assembly.set_list("left", counts);
    }
}

/// What steps of which others take the units remember.
fn same(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let (mut first, mut most) = (0, 1);
    for (k, order) in plan.orders.entries() {
        assembly.arguments[k].insert("first_tie", number(first));
        let recipe = &plan.recipes[order.recipe];
        let repeated = recipe.repeated();
        first += repeated.len();
        let ways = repeated.iter().map(|&step| recipe.steps[step].modes.len());
        most = ways.fold(most, usize::max);
    }
    assembly.set("ties", first.max(1) as i64);
    assembly.set("most_ways", most as i64);
}

fn counters(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let capacities: Vec<i64> = plan.pools.iter().map(|pool| pool.capacity()).collect();
    assembly.set("pools", capacities.len().max(1) as i64);
    assembly.set("most_units", capacities.iter().copied().max().unwrap_or(1));
    assembly.set_list("free", capacities);
    let mut first = 0;
    for (k, order) in plan.orders.entries() {
        assembly.arguments[k].insert("first_hold", number(first));
        let recipe = &plan.recipes[order.recipe];
        first += recipe.holds.iter().filter(|hold| choice_count(recipe, hold) > 1).count();
    }
    let counts = plan
        .recipes
        .iter()
        .flat_map(|recipe| recipe.holds.iter().map(|hold| choice_count(recipe, hold)));
    assembly.set("holds", first.max(1) as i64);
    assembly.set("most_choices", counts.max().unwrap_or(1) as i64);
    let has_empty = |recipe: &Recipe| recipe.holds.iter().any(|hold| recipe.may_be_empty(hold));
    if plan.recipes.iter().any(has_empty) {
        assembly.process("empty_holds", "empty.xta", "Instant", Vec::new());
    }
}

/// The choices of a hold; where it may be empty, the last of them is to take nothing.
pub fn choice_count(recipe: &Recipe, hold: &Hold) -> usize {
    hold.choices.len() + usize::from(recipe.may_be_empty(hold))
}

fn machines(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let setups: Vec<_> = plan.pools.iter().filter_map(|pool| pool.setup.as_ref()).collect();
    if setups.is_empty() {
        return;
    }
    let families = plan.families.len();
    let row = |row: &[i64]| list(row.iter().map(|&v| Initial::Value(Expr::number(v))));
    let table = |table: &SetupTable| {
        // Without a step before, there is nothing to do.
        list(table.iter().chain([&plan.families.filled(0)]).map(|r| row(r)))
    };
    assembly.set("machines", setups.len() as i64);
    assembly.set("families", families as i64);
    assembly.set_initial("setup_time", list(setups.iter().map(|setup| table(&setup.time))));
    assembly.set_initial("setup_cost", list(setups.iter().map(|setup| table(&setup.cost))));
    let initial = setups.iter().map(|setup| setup.initial.map_or(families, Id::index) as i64);
    assembly.set_list("family", initial.collect::<Vec<_>>());
}

fn calendars(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let used = assembly.calendars.clone();
    if used.is_empty() {
        return;
    }
    let mut windows: Vec<Window> = Vec::new();
    let mut firsts = Vec::new();
    for (&calendar, &(k, last)) in &used {
        firsts.push(windows.len() as i64);
        windows.extend(shown_windows(plan, calendar));
        assembly.process("calendar", "calendar.xta", "Calendar", vec![number(k), number(last)]);
    }
    assembly.set("calendars", used.len() as i64);
    assembly.set("windows", windows.len() as i64);
    assembly.set_list("window", firsts);
    assembly.set_list("open_at", windows.iter().map(|window| window.open));
    assembly.set_list("close_at", windows.iter().map(|window| window.close));
    let mut sum = 0;
    let mut worked = vec![0];
    for window in &windows {
        sum += window.close - window.open;
        worked.push(sum);
    }
    assembly.set_list("worked", worked);
}

fn lags(assembly: &mut Assembly) {
    let plan = assembly.plan;
    let (mut flags, mut events, mut lags) = (0, 0, 0);
    for (k, order) in plan.orders.entries() {
        let chains = assembly.chains[order.recipe].clone();
        let arguments = &mut assembly.arguments[k];
        arguments.insert("first_flag", number(flags));
        arguments.insert("first_event", number(events));
        arguments.insert("first_lag", number(lags));
        for (n, (step, link)) in chains.lags.iter().enumerate() {
            let event = |step, from| {
                let event = chains.event(step, from).expect("lags hear of numbered events");
                number(events + event)
            };
            let mut arguments = vec![event(link.before, link.from)];
            if link.max.is_some() {
                arguments.push(event(*step, LagFrom::Start));
            }
            arguments.extend([number(lags + n), Expr::number(link.min)]);
            arguments.extend(link.max.map(Expr::number));
            let name = if link.max.is_some() { "LimitedLag" } else { "Lag" };
            assembly.process("lag", "lag.xta", name, arguments);
        }
        flags += chains.flags.len();
        events += chains.events.len();
        lags += chains.lags.len();
    }
    assembly.set("flags", flags.max(1) as i64);
    assembly.set("events", events.max(1) as i64);
    assembly.set("lags", lags.max(1) as i64);
}

/// Gives how many due instants must have passed in the end.
fn costs(assembly: &mut Assembly) -> i64 {
    let plan = assembly.plan;
    let mut unpaid = 0;
    for (k, order) in plan.orders.entries() {
        if !order.costs.are_there() {
            continue;
        }
        let TimeCosts { delay, storage, holding, late } = order.costs;
        let due = order.due.unwrap_or(0);
        let tally = assembly.arguments[k]["tally"].clone();
        let arguments = vec![
            number(k),
            tally,
            Expr::number(due.max(0)),
            Expr::number(delay),
            Expr::number(storage),
            Expr::number(holding),
            Expr::number(late),
            Expr::number(delay * (-due).max(0)),
        ];
        assembly.declare("begin.xta");
        assembly.process("costs", "costs.xta", "Costs", arguments);
        unpaid += i64::from(storage > 0);
    }
    let origin = assembly.origin(Event::Due);
    for edge in assembly.automaton("Costs").into_iter().flat_map(|costs| &mut costs.edges) {
        edge.origin = origin;
    }
    unpaid
}

/// Steps that cost where they are not where they were; gives how many they are.
fn anchors(assembly: &mut Assembly) -> i64 {
    let plan = assembly.plan;
    let mut count = 0;
    for order in plan.orders.ids() {
        assembly.arguments[order].insert("first_anchor", Expr::number(count));
        for Anchor { at, rate } in plan.steps(order).iter().filter_map(|step| step.anchor) {
            let arguments = [count, at.max(0), rate, rate * (-at).max(0)].map(Expr::number);
            assembly.process("away", "away.xta", "Away", arguments.to_vec());
            count += 1;
        }
    }
    if count > 0 {
        assembly.set("anchors", count);
    }
    count
}

/// The calendars that some step needs, each with its number among them and with the position of
/// its last window among the windows of all.
pub fn used_calendars(plan: &Plan) -> BTreeMap<CalendarId, (usize, usize)> {
    let mut windows = 0;
    let entry = |(number, calendar): (usize, CalendarId)| {
        windows += shown_windows(plan, calendar).len();
        (calendar, (number, windows - 1))
    };
    plan.used_calendars().into_iter().enumerate().map(entry).collect()
}

/// Windows up to the horizon; one that never opens if there are none.
fn shown_windows(plan: &Plan, calendar: CalendarId) -> Vec<Window> {
    let cut = |window: &Window| Window { close: window.close.min(plan.horizon), ..*window };
    let windows = plan.calendars[calendar].windows.iter().map(cut);
    let mut windows: Vec<Window> = windows.filter(|w| w.open < w.close).collect();
    if windows.is_empty() {
        windows.push(Window { open: plan.horizon + 1, close: plan.horizon + 1 });
    }
    windows
}

impl Calendar {
    /// The largest number of pauses that work can have.
    pub(super) fn most_pauses(&self, work: i64, longest: i64) -> i64 {
        let count = |k: usize| {
            let last = self.last_start(k, work, Some(longest))?;
            let end = self.end(last, work, Some(longest))?;
            Some((self.windows[k..].iter().take_while(|w| w.open < end).count() as i64 - 1).max(0))
        };
        (0..self.windows.len()).filter_map(count).max().unwrap_or(0)
    }
}
