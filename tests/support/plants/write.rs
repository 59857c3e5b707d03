//! Plants as specs.

use super::brute::{
    Alternative, Fact, Link, Objective, Order, OrderLink, Pin, Plant, Recipe, Resource, Setup, Step,
};
use std::fmt::Write;

impl Plant {
    pub fn yaml(&self) -> String {
        let mut text = String::from("takt: 1\n");
        if !self.calendars.is_empty() {
            text.push_str("calendars:\n");
            for (k, calendar) in self.calendars.iter().enumerate() {
                let windows: Vec<_> =
                    calendar.windows.iter().map(|(a, b)| format!("[{a}, {b}]")).collect();
                let repeat = calendar.repeat.map_or(String::new(), |r| format!(", repeat: {r}"));
                let _ = writeln!(text, "  c{k}: {{windows: [{}]{repeat}}}", windows.join(", "));
            }
        }
        text.push_str("resources:\n");
        for (k, resource) in self.resources.iter().enumerate() {
            let _ = writeln!(text, "  m{k}: {{{}}}", self.resource(resource));
        }
        text.push_str("recipes:\n");
        for (k, recipe) in self.recipes.iter().enumerate() {
            let _ = writeln!(text, "  r{k}:\n    steps:");
            for n in 0..recipe.steps.len() {
                let _ = writeln!(text, "      - {{{}}}", self.step(n, &recipe.steps));
            }
            holds(&mut text, recipe);
        }
        text.push_str("orders:\n");
        for (k, order) in self.orders.iter().enumerate() {
            let mut line =
                format!("id: o{k}, recipe: r{}, release: {}", order.recipe, order.release);
            let _ = write!(line, ", family: f{}", order.family);
            if self.has_colours() {
                let _ = write!(line, ", attributes: {{colour: c{}}}", order.colour);
            }
            if let Some(due) = order.due {
                let _ = write!(line, ", due: {due}");
                let rates = [
                    ("delay-cost", order.delay),
                    ("storage-cost", order.storage),
                    ("late-cost", order.late),
                ];
                for (name, rate) in
                    rates.into_iter().filter(|(name, rate)| *rate > 0 || *name != "late-cost")
                {
                    let _ = write!(line, ", {name}: {}", halves(rate));
                }
            }
            let _ = write!(line, ", holding-cost: {}", halves(order.holding));
            if let Some(deadline) = order.deadline {
                let _ = write!(line, ", deadline: {deadline}");
            }
            line.push_str(&pins(&order.pins));
            line.push_str(&after(order));
            let _ = writeln!(text, "  - {{{line}}}");
        }
        if self.now > 0 {
            let _ = writeln!(text, "now: {}", self.now);
        }
        if !self.facts.is_empty() {
            text.push_str("fixed:\n");
            self.facts.iter().for_each(|fact| self.fact_rows(&mut text, fact));
        }
        if let Some(earlier) = &self.earlier {
            let costs = [("move-cost", earlier.move_cost), ("unit-cost", earlier.unit_cost)];
            let costs = costs.map(|(name, cost)| format!("{name}: {}", halves(cost)));
            let _ = writeln!(text, "previous: {{file: earlier.csv, {}}}", costs.join(", "));
        }
        let objective = match self.objective {
            Objective::Feasible => "feasible",
            Objective::Makespan => "makespan",
            Objective::Cost => "cost",
        };
        let _ = writeln!(text, "objective: {objective}");
        if !self.rules.is_empty() {
            let rules: Vec<String> = self.rules.iter().map(|rule| rule.yaml()).collect();
            let _ = writeln!(text, "heuristics: [{}]", rules.join(", "));
        }
        text
    }

    /// The rows of the earlier plan, which stand in a file beside the spec.
    pub fn earlier_rows(&self) -> String {
        let mut text = String::from("kind,order,step,resource,unit,start,end\n");
        for former in self.earlier.iter().flat_map(|earlier| &earlier.steps) {
            let (order, step, start) = (former.order, former.step, former.start);
            let of = format!("step,o{order},s{step}");
            if former.units.is_empty() {
                let _ = writeln!(text, "{of},,,{start},{start}");
            }
            for (resource, unit) in &former.units {
                let unit = unit.map_or(String::new(), |unit| format!("u{unit}"));
                let _ = writeln!(text, "{of},m{resource},{unit},{start},{start}");
            }
        }
        text
    }

    fn fact_rows(&self, text: &mut String, fact: &Fact) {
        let steps = &self.recipes[self.orders[fact.order].recipe].steps;
        let way = &steps[fact.step].alternatives[fact.placed.alternative];
        let (mut named, mut counted) = (fact.placed.units.iter(), fact.counted.iter());
        let (start, end) = (fact.placed.start, fact.placed.end);
        let row =
            format!("order: o{}, step: s{}, start: {start}, end: {end}", fact.order, fact.step);
        if way.needs.is_empty() {
            let _ = writeln!(text, "  - {{{row}}}");
        }
        for &(resource, _) in &way.needs {
            let units: Vec<String> = match self.resources[resource].is_named {
                true => {
                    let name = |&unit: &usize| self.resources[resource].unit_name(unit);
                    named.next().map(name).into_iter().collect()
                }
                false => counted
                    .next()
                    .into_iter()
                    .flatten()
                    .map(|unit| (unit + 1).to_string())
                    .collect(),
            };
            for unit in units {
                let _ = writeln!(text, "  - {{{row}, resource: m{resource}, unit: {unit}}}");
            }
        }
    }

    fn resource(&self, resource: &Resource) -> String {
        let mut parts = Vec::new();
        if resource.is_named && !resource.is_numbered {
            let unit = |unit: usize| format!("u{unit}: {{{}}}", unit_terms(resource, unit));
            let units: Vec<_> = (0..resource.capacity as usize).map(unit).collect();
            parts.push(format!("units: {{{}}}", units.join(", ")));
        } else {
            parts.push(format!("capacity: {}", resource.capacity));
        }
        if let Some(calendar) = resource.calendar {
            parts.push(format!("calendar: c{calendar}"));
        }
        if let Some(performance) = resource.performance {
            parts.push(format!("performance: {performance}/10"));
        }
        if let Some(setup) = &resource.setup {
            parts.extend(setups(setup));
        }
        if resource.run_cost > 0 {
            parts.push(format!("run-cost: {}", halves(resource.run_cost)));
        }
        parts.join(", ")
    }

    fn has_colours(&self) -> bool {
        self.resources.iter().flat_map(|r| &r.setup).any(|setup| setup.by_colour.is_some())
    }

    fn step(&self, n: usize, steps: &[Step]) -> String {
        let step = &steps[n];
        let mut parts = vec![format!("name: s{n}")];
        let ways = &step.alternatives;
        if let Some(before) = step.same {
            parts.push(format!("on: {}", again(before, &steps[before].alternatives[0], &ways[0])));
        } else if ways.len() == 1 && !ways[0].needs.is_empty() {
            parts.push(format!("on: {}", needs(&ways[0])));
        } else if ways.len() > 1 {
            let all: Vec<_> = ways.iter().map(needs).collect();
            parts.push(format!("on: {{any: [{}]}}", all.join(", ")));
        }
        if ways.len() == 1 {
            parts.push(format!("duration: {}", ways[0].duration));
        } else {
            let all: Vec<_> =
                ways.iter().map(|way| format!("m{}: {}", way.needs[0].0, way.duration)).collect();
            parts.push(format!("duration: {{{}}}", all.join(", ")));
        }
        let links: Vec<_> = step.after.iter().map(link).collect();
        match links.is_empty() {
            true => parts.push("after: []".to_owned()),
            false => parts.push(format!("after: {{{}}}", links.join(", "))),
        }
        match step.pause {
            None => {}
            Some(None) => parts.push("interruptible: true".to_owned()),
            Some(Some(max)) => parts.push(format!("interruptible: {{max: {max}}}")),
        }
        parts.join(", ")
    }
}

/// What a unit says instead of its resource.
fn unit_terms(resource: &Resource, unit: usize) -> String {
    let own = |all: &[Option<i64>]| all.get(unit).copied().flatten();
    let calendar = resource.unit_calendars.get(unit).copied().flatten();
    let family = resource.unit_families.get(unit).copied().flatten();
    let parts = [
        calendar.map(|calendar| format!("calendar: c{calendar}")),
        own(&resource.unit_performance).map(|tenths| format!("performance: {tenths}/10")),
        own(&resource.unit_run_cost).map(|rate| format!("run-cost: {}", halves(rate))),
        family.map(|family| format!("families: [f{family}]")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn pins(pins: &[Pin]) -> String {
    let pin = |pin: &Pin| {
        let start = pin.start.map(|start| format!("start: {start}"));
        let unit = pin.unit.map(|unit| format!("unit: u{unit}"));
        let parts: Vec<String> = start.into_iter().chain(unit).collect();
        format!("s{}: {{{}}}", pin.step, parts.join(", "))
    };
    match pins.is_empty() {
        true => String::new(),
        false => format!(", pins: {{{}}}", pins.iter().map(pin).collect::<Vec<_>>().join(", ")),
    }
}

fn after(order: &Order) -> String {
    let link = |link: &OrderLink| {
        let max = link.max.map_or(String::new(), |max| format!(", max: {max}"));
        format!("o{}: {{min: {}{max}}}", link.before, link.min)
    };
    match order.after.is_empty() {
        true => String::new(),
        false => {
            format!(", after: {{{}}}", order.after.iter().map(link).collect::<Vec<_>>().join(", "))
        }
    }
}

fn needs(way: &Alternative) -> String {
    let all: Vec<_> = way.needs.iter().map(|(r, n)| format!("{{m{r}: {n}}}")).collect();
    format!("[{}]", all.join(", "))
}

/// What another step took, and what is taken beside that.
fn again(before: usize, other: &Alternative, way: &Alternative) -> String {
    let beside = way.needs[other.needs.len()..].iter();
    let beside: String = beside.map(|(r, n)| format!(", {{m{r}: {n}}}")).collect();
    match beside.is_empty() {
        true => format!("{{same: s{before}}}"),
        false => format!("[{{same: s{before}}}{beside}]"),
    }
}

fn link(link: &Link) -> String {
    let from = if link.from_start { ", from: start" } else { "" };
    let max = link.max.map_or(String::new(), |max| format!(", max: {max}"));
    format!("s{}: {{min: {}{max}{from}}}", link.before, link.min)
}

/// `setup`, and `initial` where it has one part.
fn setups(setup: &Setup) -> Vec<String> {
    let Some(by_colour) = &setup.by_colour else {
        let initial = setup.initial.map(|initial| format!("initial: f{initial}"));
        let setup = format!("setup: {{matrix: {}{}}}", matrix(setup, 'f'), crew(setup));
        return [setup].into_iter().chain(initial).collect();
    };
    let initial = |part: &Setup, letter: char| {
        part.initial.map_or(String::new(), |initial| format!(", initial: {letter}{initial}"))
    };
    vec![format!(
        "setup: [{{by: colour, matrix: {}{}{}}}, {{matrix: {}{}{}}}]",
        matrix(by_colour, 'c'),
        initial(by_colour, 'c'),
        crew(by_colour),
        matrix(setup, 'f'),
        initial(setup, 'f'),
        crew(setup)
    )]
}

fn crew(part: &Setup) -> String {
    let on = match part.crew {
        None => String::new(),
        Some((resource, 1)) => format!(", on: m{resource}"),
        Some((resource, amount)) => format!(", on: {{m{resource}: {amount}}}"),
    };
    let calendar = if part.keeps_calendar { ", calendar: true" } else { "" };
    format!("{on}{calendar}")
}

fn matrix(setup: &Setup, letter: char) -> String {
    let cell = |a: usize, b: usize| {
        let (time, cost) = (setup.time[a][b], halves(setup.cost[a][b]));
        format!("{letter}{b}: {{time: {time}, cost: {cost}}}")
    };
    let row = |a: usize| format!("{letter}{a}: {{{}, {}}}", cell(a, 0), cell(a, 1));
    format!("{{{}, {}}}", row(0), row(1))
}

fn holds(text: &mut String, recipe: &Recipe) {
    if recipe.holds.is_empty() {
        return;
    }
    text.push_str("    holds:\n");
    for hold in &recipe.holds {
        let _ = writeln!(
            text,
            "      - {{resource: m{}, from: s{}, until: s{}, amount: {}}}",
            hold.resource, hold.from, hold.until, hold.amount
        );
    }
}

fn halves(value: i64) -> String {
    format!("{}.{}", value / 2, if value % 2 == 0 { 0 } else { 5 })
}
