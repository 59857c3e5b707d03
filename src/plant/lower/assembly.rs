//! A plant in the making: templates of chains, processes, and the values of constants.

use super::chain::Chains;
use super::plant::used_calendars;
use super::shop::{NOBODY, nobody};
use super::{Event, Lowered};
use crate::plan::{CalendarId, Id, IdVec, OrderId, Plan, PoolId, RecipeId, StepId};
use std::collections::{BTreeMap, BTreeSet};
use takt_automata::compose::{
    Names, Templates, declared, list, name_parameters, set_constants, woven,
};
use takt_automata::network::{
    BinaryOp, Direction, Edge, Expr, Ident, Initial, Instantiation, Item, Network, Origin, System,
    Template,
};
use takt_diagnostic::Span;

pub struct Assembly<'p> {
    pub plan: &'p Plan,
    pub templates: &'p Templates,
    /// For each recipe.
    pub chains: IdVec<RecipeId, Chains>,
    /// Recipe after recipe, chain after chain.
    pub threads: Vec<Thread>,
    pub events: Vec<Event>,
    /// The calendars that are used: number, and position of the last window.
    pub calendars: BTreeMap<CalendarId, (usize, usize)>,
    /// The pools with a setup, numbered.
    pub machines: BTreeMap<PoolId, usize>,
    /// Work on calendars whose fitting is watched: calendar, work, longest pause.
    pub fits: BTreeMap<(CalendarId, i64, i64), usize>,
    /// How many pauses work on a calendar can have, as far as it was asked: calendar, work, longest
    /// pause.
    pauses: BTreeMap<(CalendarId, i64, i64), i64>,
    /// Every way to start a step.
    pub ways: Vec<Way>,
    /// For each order: what the parameters of its processes are.
    pub arguments: IdVec<OrderId, BTreeMap<&'static str, Expr>>,
    values: BTreeMap<&'static str, Initial>,
    files: BTreeSet<&'static str>,
    automata: Vec<Template>,
    processes: Vec<Instantiation>,
    names: Names,
}

/// One chain of a recipe, or an automaton that stands beside it.
pub struct Thread {
    pub recipe: RecipeId,
    /// The chain's number in the recipe.
    pub chain: usize,
    pub is_watch: bool,
    pub template: Template,
}

/// When a step is eligible in one way to do it.
pub struct Way {
    /// A position in [`Assembly::threads`].
    pub thread: usize,
    /// Where the chain waits for it.
    pub location: String,
    pub step: StepId,
    pub mode: usize,
    pub eligible: Vec<Expr>,
}

impl<'p> Assembly<'p> {
    pub fn new(plan: &'p Plan, templates: &'p Templates) -> Assembly<'p> {
        Assembly {
            plan,
            templates,
            chains: plan.recipes.iter().map(|recipe| Chains::of(&recipe.steps)).collect(),
            calendars: used_calendars(plan),
            machines: (plan.pools.entries())
                .filter(|(_, pool)| pool.setup.is_some())
                .enumerate()
                .map(|(number, (pool, _))| (pool, number))
                .collect(),
            threads: Vec::new(),
            events: Vec::new(),
            fits: BTreeMap::new(),
            pauses: BTreeMap::new(),
            ways: Vec::new(),
            arguments: plan.orders.filled(BTreeMap::new()),
            values: BTreeMap::new(),
            files: BTreeSet::from(["plant.xta", "order.xta"]),
            automata: Vec::new(),
            processes: Vec::new(),
            names: Names::without(templates.globals()),
        }
    }

    /// A template, whose file's declarations become part of the plant.
    pub fn fragment(&mut self, file: &'static str, name: &str) -> &'p Template {
        self.files.insert(file);
        self.templates.get(file, name)
    }

    pub fn declare(&mut self, file: &'static str) {
        self.files.insert(file);
    }

    pub fn set(&mut self, name: &'static str, value: i64) {
        self.values.insert(name, Initial::Value(Expr::number(value)));
    }

    pub fn set_list(&mut self, name: &'static str, values: impl IntoIterator<Item = i64>) {
        self.values.insert(name, list(values.into_iter().map(|v| Initial::Value(Expr::number(v)))));
    }

    pub fn set_initial(&mut self, name: &'static str, value: Initial) {
        self.values.insert(name, value);
    }

    pub fn fresh(&mut self, prefix: &str, name: &str) -> String {
        self.names.fresh(prefix, name)
    }

    /// A process that is no chain of an order.
    pub fn process(
        &mut self,
        prefix: &str,
        file: &'static str,
        template: &str,
        arguments: Vec<Expr>,
    ) {
        let automaton = self.fragment(file, template);
        if !self.automata.contains(automaton) {
            self.automata.push(automaton.clone());
        }
        let name = self.names.fresh(prefix, "");
        self.processes.push(instance(&name, template, arguments));
    }

    /// A process of an automaton of its own.
    pub fn stand(&mut self, automaton: Template) {
        let name = self.names.fresh(&automaton.name.text.to_lowercase(), "");
        self.processes.push(instance(&name, &automaton.name.text, Vec::new()));
        self.automata.push(automaton);
    }

    /// Whether somebody must be told how many chains of an order are left.
    pub fn is_tallied(&self, recipe: RecipeId) -> bool {
        let mut orders = self.plan.orders.iter().filter(|order| order.recipe == recipe);
        self.chains[recipe].chains.len() > 1
            || orders.any(|order| order.costs.are_there() || !order.groups.is_empty())
    }

    /// The number of this work on this calendar among all whose fitting is watched.
    pub fn fit(&mut self, calendar: CalendarId, work: i64, longest: i64) -> i64 {
        let next = self.fits.len();
        *self.fits.entry((calendar, work, longest)).or_insert(next) as i64
    }

    /// The largest number of pauses that this work on this calendar can have.
    pub fn most_pauses(&mut self, calendar: CalendarId, work: i64, longest: i64) -> i64 {
        let calendars = &self.plan.calendars;
        let count = || calendars[calendar].most_pauses(work, longest);
        *self.pauses.entry((calendar, work, longest)).or_insert_with(count)
    }

    pub fn origin(&mut self, event: Event) -> Option<Origin> {
        self.events.push(event);
        Some(Origin(self.events.len() as u32 - 1))
    }

    /// Every edge that starts or ends a step, with what it stands for.
    pub fn marked(&mut self) -> impl Iterator<Item = (&mut Edge, &Event)> {
        let events = &self.events;
        let edges = self.threads.iter_mut().flat_map(|thread| &mut thread.template.edges);
        edges.filter_map(|edge| {
            let event = events.get(edge.origin?.0 as usize)?;
            Some((edge, event))
        })
    }

    /// Every edge that somebody takes by himself, but for those of some templates.
    pub fn acts(&mut self, others: &'static [&str]) -> impl Iterator<Item = &mut Edge> {
        let threads = self.threads.iter_mut().map(|thread| &mut thread.template);
        let templates = threads.chain(&mut self.automata);
        let meant = templates.filter(|t| !others.contains(&t.name.text.as_str()));
        meant
            .flat_map(|template| &mut template.edges)
            .filter(|edge| edge.sync.as_ref().is_none_or(|sync| sync.direction == Direction::Send))
    }

    /// The edges of an automaton beside the chains.
    pub fn automaton(&mut self, name: &str) -> Option<&mut Template> {
        self.automata.iter_mut().find(|template| template.name.text == name)
    }

    pub fn finish(mut self) -> Lowered {
        let mut lowered =
            Lowered { events: std::mem::take(&mut self.events), ..Lowered::default() };
        let used = self.templates.names().filter(|file| self.files.contains(file));
        let mut items: Vec<Item> =
            used.flat_map(|file| self.templates.declarations(file)).collect();
        items.extend(self.automata.drain(..).map(Item::Template));
        let mut instances = Vec::new();
        let globals = declared(&items);
        let name =
            |thread: &mut Thread| name_parameters(&mut thread.template, &PARAMETERS, &globals);
        let told: Vec<Vec<&str>> = self.threads.iter_mut().map(name).collect();
        for (order, arguments) in self.arguments.entries() {
            let mut id = format!("order_{}", self.plan.orders[order].id);
            for (thread, told) in self.threads.iter().zip(&told) {
                if thread.recipe != self.plan.orders[order].recipe {
                    continue;
                }
                let name = self.names.fresh("", &id);
                let template = &thread.template;
                let given = told.iter().map(|name| arguments[name].clone()).collect();
                instances.push(instance(&name, &template.name.text, given));
                if thread.is_watch {
                    continue;
                }
                if lowered.processes.next_id() == order {
                    lowered.processes.push(name.clone());
                    id.push_str("_beside");
                }
                lowered.chains.push((name, order));
            }
        }
        items.extend(self.threads.drain(..).map(|thread| Item::Template(thread.template)));
        // A search that goes deep looks at the last process first: what happens by itself, then
        // the first orders, and only then lets time pass.
        instances.reverse();
        let is_judge = |process: &Instantiation| process.template.text == "Judge";
        let (judges, others): (Vec<_>, Vec<_>) = self.processes.drain(..).partition(is_judge);
        let sequence = judges.into_iter().chain(instances).chain(others);
        let instances: Vec<Instantiation> = sequence.collect();
        let mut names: Vec<Ident> = instances.iter().map(|i| i.name.clone()).collect();
        if names.is_empty() {
            items.push(Item::Template(nobody()));
            names.push(Ident::new(NOBODY));
        }
        items.extend(instances.into_iter().map(Item::Instantiation));
        lowered.network = Network { items, ..Network::default() };
        lowered.network.system = System { levels: vec![names], span: Span::default() };
        set_constants(&mut lowered.network, &self.values);
        lowered
    }
}

/// What the processes of chains may be told, in this sequence.
const PARAMETERS: [&str; 14] = [
    "order",
    "tally",
    "release",
    "instant",
    "deadline",
    "first_flag",
    "first_event",
    "first_lag",
    "first_hold",
    "first_anchor",
    "first_tie",
    "first_chain",
    "rank",
    "earliest",
];

/// A position as an expression.
pub fn number(id: impl Id) -> Expr {
    Expr::number(id.index() as i64)
}

/// A template with nothing in it yet.
pub fn empty(name: &str, initial: &str) -> Template {
    Template {
        name: Ident::new(name),
        parameters: Vec::new(),
        declarations: Vec::new(),
        locations: Vec::new(),
        initial: Ident::new(initial),
        edges: Vec::new(),
    }
}

pub fn instance(name: &str, template: &str, arguments: Vec<Expr>) -> Instantiation {
    Instantiation {
        name: Ident::new(name),
        parameters: Vec::new(),
        template: Ident::new(template),
        arguments,
    }
}

/// `first + n`, with a parameter of the process.
pub fn counted(first: &str, n: usize) -> Expr {
    match n {
        0 => woven(first),
        n => Expr::binary(BinaryOp::Add, woven(first), number(n)),
    }
}
