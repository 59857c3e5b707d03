//! The automata of a recipe: one per chain of steps.

use super::Event;
use super::assembly::{Assembly, Thread, Way, counted, empty, number};
use super::chain::{is_mere_order, is_own};
use super::plant::choice_count;
use crate::plan::{
    Hold, LagFrom, Link, Mode, Need, Objective, Order, PoolId, RecipeId, Step, StepId, Steps,
    Times, tails,
};
use std::collections::BTreeMap;
use takt_automata::compose::{Names, Stamp, Weave, all, woven};
use takt_automata::network::{Edge, Expr, Ident, Location, Template, Urgency};

/// What is the same for all steps of a recipe.
pub struct ChainBuilder<'a, 'p> {
    assembly: &'a mut Assembly<'p>,
    recipe: RecipeId,
    tails: Times,
    /// Some order of the recipe must wait for its release.
    is_released: bool,
    has_deadline: bool,
    /// Somebody counts from the first start.
    is_begun: bool,
    /// Some order of the recipe comes after others.
    is_sequel: bool,
    /// Others come after some order of it.
    is_awaited: bool,
}

/// A step in its place.
#[derive(Clone, Copy)]
struct Stage<'a> {
    step: StepId,
    /// The step before it in the chain.
    before: Option<StepId>,
    waiting: &'a str,
    /// Where its end leads.
    over: &'a str,
    is_last: bool,
}

/// Adds the chains of a recipe.
pub fn weave(assembly: &mut Assembly, recipe: RecipeId) {
    let plan = assembly.plan;
    let orders = || plan.orders.iter().filter(|order| order.recipe == recipe);
    let mut builder = ChainBuilder {
        recipe,
        tails: tails(&plan.recipes[recipe].steps),
        is_released: orders().any(|order| order.release > 0),
        has_deadline: plan.objective == Objective::Cost
            || orders().any(|order| order.deadline.is_some()),
        is_begun: orders().any(|order| order.costs.holding > 0 || order.is_limited())
            || !plan.recipes[recipe].has_one_first_step()
                && plan.discipline().most_active.is_some(),
        is_sequel: orders().any(|order| !order.after.is_empty()),
        is_awaited: orders().any(|order| !order.groups.is_empty()),
        assembly,
    };
    let name = builder.assembly.fresh("Recipe_", &plan.recipes[recipe].name);
    for (number, chain) in builder.assembly.chains[recipe].chains.clone().iter().enumerate() {
        let name = match number {
            0 => name.clone(),
            _ => builder.assembly.fresh(&name, &format!("_beside_{number}")),
        };
        builder.chain(&name, number, chain);
    }
}

impl<'p> ChainBuilder<'_, 'p> {
    fn steps(&self) -> &'p Steps {
        &self.assembly.plan.recipes[self.recipe].steps
    }

    fn chain(&mut self, name: &str, number: usize, chain: &[StepId]) {
        let mut names = Names::default();
        let waiting: Vec<String> =
            chain.iter().map(|&k| names.fresh("before_", &self.steps()[k].name)).collect();
        let finished = names.fresh("finished", "");
        let thread = self.assembly.threads.len();
        let (recipe, template) = (self.recipe, empty(name, &waiting[0]));
        self.assembly.threads.push(Thread { recipe, chain: number, is_watch: false, template });
        if self.steps()[chain[0]].after.is_empty() && self.assembly.plan.is_judged() {
            let gate = names.fresh("unreleased", "");
            let arguments = [("instant", woven("instant"))];
            let template = self.assembly.fragment("judge.xta", "Gate");
            self.passage(thread, template, &arguments, ("unreleased", &gate), &waiting[0]);
            self.assembly.threads[thread].template.initial = Ident::new(&gate);
        }
        for (place, &step) in chain.iter().enumerate() {
            let over = waiting.get(place + 1).unwrap_or(&finished);
            let rest = chain.get(place + 1).and_then(|&next| self.rest(step, next));
            let over = match rest {
                None => over.clone(),
                Some(min) => self.resting(thread, over, min, &mut names),
            };
            let stage = Stage {
                step,
                before: place.checked_sub(1).map(|before| chain[before]),
                waiting: &waiting[place],
                over: &over,
                is_last: place + 1 == chain.len(),
            };
            self.step(thread, stage, &mut names);
        }
        self.place(thread, &finished, None);
    }

    /// How long a chain must rest between two steps, where that is to end by itself.
    fn rest(&self, before: StepId, step: StepId) -> Option<i64> {
        let links = self.steps()[step].after.iter();
        let min = links.filter(|link| is_own(Some(before), link)).map(|link| link.min).max();
        min.filter(|&min| min > 0 && self.assembly.plan.is_judged())
    }

    /// A place from which the chain goes on by itself.
    fn resting(&mut self, thread: usize, waiting: &str, min: i64, names: &mut Names) -> String {
        let resting = names.fresh("resting_", waiting);
        let template = self.assembly.fragment("lag.xta", "Rest");
        let arguments = [("min", Expr::number(min))];
        self.passage(thread, template, &arguments, ("resting", &resting), waiting);
        resting
    }

    /// A place of a fragment, and its edges to where the chain waits.
    fn passage(
        &mut self,
        thread: usize,
        template: &Template,
        arguments: &[(&str, Expr)],
        place: (&str, &str),
        waiting: &str,
    ) {
        let locations = [place, ("waiting", waiting)];
        let stamp = Stamp { arguments, locations: &locations, origin: None };
        let edges: Vec<Edge> = template.edges.iter().map(|edge| stamp.edge(edge)).collect();
        let here = template.locations.iter().find(|l| l.name.text == place.0);
        let invariant = here.and_then(|l| l.invariant.as_ref()).map(|i| stamp.expr(i));
        self.place(thread, place.1, invariant);
        self.assembly.threads[thread].template.edges.extend(edges);
    }

    fn place(&mut self, thread: usize, name: &str, invariant: Option<Expr>) {
        let location = Location { name: Ident::new(name), invariant, urgency: Urgency::Normal };
        self.assembly.threads[thread].template.locations.push(location);
    }

    fn step(&mut self, thread: usize, stage: Stage, names: &mut Names) {
        let mut common = Weave::default();
        self.before(&mut common, stage);
        self.place(thread, stage.waiting, all(&common.waiting));
        let step = &self.steps()[stage.step];
        for mode in 0..step.modes.len() {
            let running = names.fresh("on_", &step.name);
            for holds in self.hold_choices(|hold| hold.from == stage.step) {
                let mut weave = common.clone();
                self.mode(&mut weave, stage, mode, &holds);
                let start = self.start(thread, stage, mode, &holds, &weave, &running);
                let template = &mut self.assembly.threads[thread].template;
                for declaration in weave.declarations {
                    if !template.declarations.contains(&declaration) {
                        template.declarations.push(declaration);
                    }
                }
                template.edges.push(start);
                if !template.locations.iter().any(|l| l.name.text == running) {
                    self.place(thread, &running, all(&weave.running));
                }
            }
            self.ends(thread, stage, mode, &running);
        }
    }

    fn start(
        &mut self,
        thread: usize,
        stage: Stage,
        mode: usize,
        holds: &[(usize, usize)],
        weave: &Weave,
        running: &str,
    ) -> Edge {
        let (recipe, step) = (self.recipe, stage.step);
        let event = Event::Start { recipe, step, mode, holds: holds.to_vec() };
        let origin = self.assembly.origin(event);
        // Whether a step is eligible is decided without knowing when its holds will end.
        if holds.iter().all(|&(hold, choice)| self.taken(hold, choice).is_some()) {
            self.assembly.ways.push(Way {
                thread,
                location: stage.waiting.to_owned(),
                step,
                mode,
                eligible: weave.eligible.clone(),
            });
        }
        weave.start.edge(stage.waiting, running, origin)
    }

    /// What a step waits for, however it is done.
    fn before(&mut self, weave: &mut Weave, stage: Stage) {
        let step = &self.steps()[stage.step];
        // Where eligibility is judged, a gate stands before the first step of a chain.
        if step.after.is_empty() && self.is_released && !self.assembly.plan.is_judged() {
            self.add(weave, "order.xta", "Release", &[("release", woven("release"))]);
        }
        if step.after.is_empty() && self.is_sequel {
            self.add(weave, "sequel.xta", "Sequel", &[("order", woven("order"))]);
        }
        for link in &step.after {
            if is_own(stage.before, link) {
                self.own_lag(weave, link);
            } else if is_mere_order(link) {
                let flag = self.chains().flag(link.before, link.from);
                let flag = counted("first_flag", flag.expect("every order has its flag"));
                self.add(weave, "lag.xta", "After", &[("flag", flag)]);
            } else {
                let lag = self.chains().lag(stage.step, link).expect("every lag is numbered");
                let lag = counted("first_lag", lag);
                self.add(weave, "lag.xta", "Met", &[("lag", lag)]);
            }
        }
        self.announce(weave, stage.step, LagFrom::Start);
        if step.anchor.is_some() {
            let before = self.steps().iter().take(stage.step.0);
            let anchor = counted("first_anchor", before.filter(|s| s.anchor.is_some()).count());
            self.add(weave, "away.xta", "Depart", &[("anchor", anchor)]);
        }
        if self.is_begun {
            self.add(weave, "begin.xta", "Begin", &[("order", woven("order"))]);
        }
    }

    /// Lags hear of a start or an end, and flags are set.
    fn announce(&mut self, weave: &mut Weave, step: StepId, what: LagFrom) {
        let (event, flag) = (self.chains().event(step, what), self.chains().flag(step, what));
        if let Some(event) = event {
            let about = counted("first_event", event);
            self.add(weave, "lag.xta", what.of("TellStart", "TellEnd"), &[("about", about)]);
        }
        if let Some(flag) = flag {
            let flag = counted("first_flag", flag);
            self.add(weave, "lag.xta", what.of("PassAtStart", "PassAtEnd"), &[("flag", flag)]);
        }
    }

    fn own_lag(&mut self, weave: &mut Weave, link: &Link) {
        if link.min > 0 && !self.assembly.plan.is_judged() {
            self.add(weave, "lag.xta", "AtLeast", &[("min", Expr::number(link.min))]);
        }
        if let Some(max) = link.max {
            self.add(weave, "lag.xta", "AtMost", &[("max", Expr::number(max))]);
        }
    }

    /// What one way to do the step asks for.
    fn mode(&mut self, weave: &mut Weave, stage: Stage, mode: usize, holds: &[(usize, usize)]) {
        let step = &self.steps()[stage.step];
        self.same(weave, stage.step, mode);
        let mode = &step.modes[mode];
        self.units(weave, &mode.needs, holds, ["BeginEmpty", "Keep", "Take"]);
        if self.has_deadline {
            let rest = self.tails[stage.step].max(mode.duration);
            let arguments = [("deadline", woven("deadline")), ("rest", Expr::number(rest))];
            self.add(weave, "order.xta", "Deadline", &arguments);
        }
        if mode.cost > 0 {
            self.add(weave, "costs.xta", "Pay", &[("price", Expr::number(mode.cost))]);
        }
        self.machines(weave, step, &mode.needs);
        self.work(weave, stage, step, mode);
    }

    /// Who is asked for its units remembers them, and who asks takes them.
    fn same(&mut self, weave: &mut Weave, step: StepId, mode: usize) {
        let repeated = self.assembly.plan.recipes[self.recipe].repeated();
        let tie = |step: StepId| repeated.iter().position(|&other| other == step);
        if let Some(tie) = tie(step) {
            let arguments = [("tie", counted("first_tie", tie)), ("mode", number(mode + 1))];
            self.add(weave, "same.xta", "Remember", &arguments);
        }
        for &(other, wanted) in &self.steps()[step].modes[mode].same {
            let Some(tie) = tie(other) else { continue };
            let asks = |step: &&Step| {
                step.modes.iter().flat_map(|mode| &mode.same).any(|&(asked, _)| asked == other)
            };
            let is_last = self.steps().iter().filter(asks).count() == 1;
            let name = if is_last { "LastAgain" } else { "Again" };
            let arguments = [("tie", counted("first_tie", tie)), ("mode", number(wanted + 1))];
            self.add(weave, "same.xta", name, &arguments);
        }
    }

    /// What a step and its holds take, or give back: fragments for a hold without time, for its choice,
    /// and for the units of a pool.
    fn units(
        &mut self,
        weave: &mut Weave,
        needs: &[Need],
        holds: &[(usize, usize)],
        [empty, choose, count]: [&str; 3],
    ) {
        let mut amounts: BTreeMap<PoolId, i64> = BTreeMap::new();
        let mut add = |needs: &[Need]| {
            needs.iter().for_each(|need| *amounts.entry(need.pool).or_default() += need.amount);
        };
        add(needs);
        for &(hold, choice) in holds {
            match self.taken(hold, choice) {
                Some(needs) => add(needs),
                None => self.add(weave, "empty.xta", empty, &[]),
            }
            if let Some(remembered) = self.hold_number(hold) {
                let choice = number(choice + 1);
                let arguments = [("hold", counted("first_hold", remembered)), ("choice", choice)];
                self.add(weave, "hold.xta", choose, &arguments);
            }
        }
        for (pool, amount) in amounts {
            let arguments = [("pool", number(pool)), ("amount", Expr::number(amount))];
            self.add(weave, "counter.xta", count, &arguments);
        }
    }

    fn machines(&mut self, weave: &mut Weave, step: &Step, needs: &[Need]) {
        let plan = self.assembly.plan;
        for need in needs {
            let Some(&machine) = self.assembly.machines.get(&need.pool) else { continue };
            let arguments = [("machine", number(machine)), ("wanted", number(step.family))];
            if plan.objective == Objective::Cost {
                self.add(weave, "machine.xta", "PaySetup", &arguments);
            }
            let is_work = plan.pools[need.pool].setup.as_ref().is_some_and(|s| s.crew.is_some());
            match plan.is_judged() {
                _ if is_work => {
                    self.assembly.declare("machine.xta");
                    self.add(weave, "crew.xta", "PreparedMachine", &arguments);
                }
                true => self.add(weave, "stages.xta", "StagedMachine", &arguments),
                false => self.add(weave, "machine.xta", "Machine", &arguments),
            }
        }
    }

    /// The step's own time.
    fn work(&mut self, weave: &mut Weave, stage: Stage, step: &Step, mode: &Mode) {
        let plan = self.assembly.plan;
        let duration = ("duration", Expr::number(mode.duration));
        if let Some(calendar) = mode.calendar {
            let (open, last) = self.assembly.calendars[&calendar];
            let open = number(open);
            if plan.is_judged() {
                let fit = self.assembly.fit(calendar, mode.duration, step.pause.unwrap_or(-1));
                self.add(weave, "fitting.xta", "Fitting", &[("fit", Expr::number(fit))]);
            }
            if let Some(longest) = step.pause {
                let most = self.assembly.most_pauses(calendar, mode.duration, longest);
                let arguments = [
                    ("calendar", open),
                    ("last", number(last)),
                    ("work", duration.1),
                    ("most", Expr::number(most)),
                    ("longest", Expr::number(longest)),
                ];
                self.add(weave, "calendar.xta", "Pausing", &arguments);
                return;
            }
            // Work of no time takes place within the window, too.
            let least = ("duration", Expr::number(mode.duration.max(1)));
            let arguments = [("calendar", open), least];
            self.add(weave, "calendar.xta", "Inside", &arguments);
        }
        let name = if self.must_end_exactly(stage.step) { "Step" } else { "Unhurried" };
        self.add(weave, "step.xta", name, &[duration]);
    }

    /// An end that is noticed late helps nobody, unless something counts up from it, or costs
    /// until then, or looks at the plant as it is.
    fn must_end_exactly(&self, step: StepId) -> bool {
        let plan = self.assembly.plan;
        let has_limit =
            |link: &Link| link.before == step && link.from == LagFrom::End && link.max.is_some();
        let is_followed_soon = |order: &Order| {
            order.recipe == self.recipe
                && order.groups.iter().any(|&group| plan.groups[group].is_limited)
        };
        plan.objective == Objective::Cost
            || plan.is_judged()
            || plan.orders.iter().any(is_followed_soon)
            || self.steps().iter().any(|other| other.after.iter().any(has_limit))
    }

    /// The edges from a running step to what comes after it.
    fn ends(&mut self, thread: usize, stage: Stage, mode: usize, running: &str) {
        for holds in self.hold_choices(|hold| hold.until == stage.step) {
            let mut weave = Weave::default();
            self.after(&mut weave, stage, mode, &holds);
            let event = Event::End { recipe: self.recipe, step: stage.step };
            let origin = self.assembly.origin(event);
            let edge = weave.end.edge(running, stage.over, origin);
            self.assembly.threads[thread].template.edges.push(edge);
        }
    }

    fn after(&mut self, weave: &mut Weave, stage: Stage, mode: usize, holds: &[(usize, usize)]) {
        let step = &self.steps()[stage.step];
        let way = &step.modes[mode];
        self.work(weave, stage, step, way);
        self.machines(weave, step, &way.needs);
        self.units(weave, &way.needs, holds, ["EndEmpty", "Drop", "Free"]);
        if self.has_deadline {
            let arguments = [("deadline", woven("deadline")), ("rest", Expr::number(0))];
            self.add(weave, "order.xta", "Deadline", &arguments);
        }
        if self.is_followed_with_lag(stage) {
            self.add(weave, "lag.xta", "Mark", &[]);
        }
        self.announce(weave, stage.step, LagFrom::End);
        if stage.is_last {
            match self.assembly.is_tallied(self.recipe) {
                true => self.add(weave, "order.xta", "FinishChain", &[("tally", woven("tally"))]),
                false => self.add(weave, "order.xta", "Finish", &[]),
            }
            if self.is_awaited {
                let arguments = [("order", woven("order")), ("tally", woven("tally"))];
                self.add(weave, "sequel.xta", "Member", &arguments);
            }
        }
    }

    fn is_followed_with_lag(&self, stage: Stage) -> bool {
        let chain = self.chains().chains.iter().find(|chain| chain.contains(&stage.step));
        let next = chain
            .and_then(|chain| chain.iter().skip_while(|&&step| step != stage.step).nth(1).copied());
        next.is_some_and(|next| {
            let links = &self.steps()[next].after;
            links.iter().any(|link| is_own(Some(stage.step), link) && !is_mere_order(link))
        })
    }

    fn chains(&self) -> &super::chain::Chains {
        &self.assembly.chains[self.recipe]
    }

    /// The number of a hold among those that must remember their choice.
    fn hold_number(&self, hold: usize) -> Option<usize> {
        let recipe = &self.assembly.plan.recipes[self.recipe];
        let must_remember = |k: &usize| choice_count(recipe, &recipe.holds[*k]) > 1;
        must_remember(&hold).then(|| (0..hold).filter(must_remember).count())
    }

    /// What a hold takes with this choice; `None` for the choice to take nothing.
    fn taken(&self, hold: usize, choice: usize) -> Option<&'p [Need]> {
        let choices = &self.assembly.plan.recipes[self.recipe].holds[hold].choices;
        choices.get(choice).map(Vec::as_slice)
    }

    /// All ways to choose for each of these holds.
    fn hold_choices(&self, is_meant: impl Fn(&Hold) -> bool) -> Vec<Vec<(usize, usize)>> {
        let mut found = vec![Vec::new()];
        let recipe = &self.assembly.plan.recipes[self.recipe];
        for (k, hold) in recipe.holds.iter().enumerate() {
            if is_meant(hold) {
                found = (found.iter())
                    .flat_map(|known: &Vec<(usize, usize)>| {
                        (0..choice_count(recipe, hold))
                            .map(|choice| [&known[..], &[(k, choice)]].concat())
                    })
                    .collect();
            }
        }
        found
    }

    fn add(
        &mut self,
        weave: &mut Weave,
        file: &'static str,
        name: &str,
        arguments: &[(&str, Expr)],
    ) {
        weave.add(self.assembly.fragment(file, name), arguments);
    }
}
