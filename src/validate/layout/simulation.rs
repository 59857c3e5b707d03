//! Operations are done one after the other, by their starts, on a machine that remembers its state.
//!
//! An operation changes only the components that it takes, and it takes them until its end. So each may
//! change at the start already; that nobody else takes it before the end is a rule of its own.

use super::super::Errors;
use super::components::{Component, Components};
use super::read::Operation;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Wafer {
    name: String,
    is_measured: bool,
    is_exposed: bool,
}

/// What the machine is like after the operations so far.
pub struct Simulation<'p, 's> {
    components: &'p Components<'s>,
    holds: BTreeMap<Component, Wafer>,
    /// Until when, with what.
    busy: BTreeMap<Component, (i64, String)>,
    /// Of each lock.
    vacuum: Vec<bool>,
    /// Of each robot: its arms have changed places.
    turned: Vec<bool>,
    /// The first chuck is at the expose position.
    swapped: bool,
    /// The end of an unload after which the track has not recovered yet.
    recovers: Option<i64>,
    known: BTreeSet<String>,
}

impl<'p, 's> Simulation<'p, 's> {
    /// Empty, locks full of air, the first arms at the locks, the first chuck at measure.
    pub fn new(components: &'p Components<'s>) -> Simulation<'p, 's> {
        Simulation {
            components,
            holds: BTreeMap::new(),
            busy: BTreeMap::new(),
            vacuum: vec![false; components.locks.len()],
            turned: vec![false; components.robots.len()],
            swapped: false,
            recovers: None,
            known: BTreeSet::new(),
        }
    }

    /// Does what it says even where a rule is broken, so that what follows is judged by itself.
    pub fn run(&mut self, operation: &Operation, errors: &mut Errors) {
        let mut broken = Vec::new();
        self.occupy(operation, &mut broken);
        self.names(operation, &mut broken);
        match operation.step {
            "load" => self.load(operation, &mut broken),
            "unload" => self.unload(operation, &mut broken),
            "switch" => self.track(&mut broken),
            "recover" => self.recover(operation, &mut broken),
            "depressurize" => self.pump(operation, true, &mut broken),
            "pressurize" => self.pump(operation, false, &mut broken),
            "turn" => self.turn(operation),
            "from-lock" | "to-lock" => self.at_lock(operation, &mut broken),
            "from-chuck" | "to-chuck" => self.at_chuck(operation, &mut broken),
            "measure" => self.measure(operation, &mut broken),
            "expose" => self.expose(operation, &mut broken),
            "swap" => self.swapped ^= true,
            other => unreachable!("`{other}` was refused when the rows were read"),
        }
        for (rule, message) in broken {
            let message = format!("at {} {message}", operation.start);
            errors.tell(operation.wafer(), operation.step, rule, message);
        }
    }

    /// Each component with its state at an instant, after everything that began before it.
    pub fn state(&self, now: i64) -> Vec<(String, String)> {
        let components = self.components.all();
        let states = components.into_iter().map(|component| {
            let holds = match self.holds.get(&component) {
                None => "empty",
                Some(wafer) if wafer.is_exposed => "an exposed wafer",
                Some(wafer) if wafer.is_measured => "a measured wafer",
                Some(_) => "a raw wafer",
            };
            let place = match component {
                Component::Track if self.recovers.is_some_and(|end| end <= now) => "not recovered",
                Component::Track => "outside",
                Component::Lock(lock) if self.vacuum[lock] => "empty of air",
                Component::Lock(_) => "full of air",
                Component::Arm(robot, arm) if self.turned[robot] == (arm == 0) => "at the chucks",
                Component::Arm(..) => "at the locks",
                Component::Chuck(chuck) if self.swapped == (chuck == 1) => "at measure",
                Component::Chuck(_) => "at expose",
            };
            let busy = self.busy.get(&component).filter(|(until, _)| *until > now);
            let busy = busy.map(|(until, step)| format!("{step} for {} more", until - now));
            let busy = busy.unwrap_or_else(|| "idle".to_owned());
            (self.components.name(component), format!("{holds}, {place}, {busy}"))
        });
        states.collect()
    }

    fn occupy(&mut self, operation: &Operation, broken: &mut Broken) {
        for (component, _) in &operation.components {
            let name = self.components.name(*component);
            if let Some((until, with)) = self.busy.get(component).filter(|b| b.0 > operation.start)
            {
                let message = format!("takes `{name}`, which is busy with {with} until {until}");
                broken.push(("overlap", message));
            }
            let until = self.busy.get(component).map_or(operation.end, |b| b.0.max(operation.end));
            self.busy.insert(*component, (until, operation.step.to_owned()));
        }
    }

    /// Where a row names a wafer, it is the one that is there.
    fn names(&self, operation: &Operation, broken: &mut Broken) {
        let needs_name = !matches!(
            operation.step,
            "switch" | "recover" | "turn" | "swap" | "depressurize" | "pressurize"
        );
        let is_move = needs_name && operation.components.len() > 1;
        let moved = operation.wafer();
        for (component, given) in &operation.components {
            let name = self.components.name(*component);
            let held = self.holds.get(component).map(|wafer| wafer.name.as_str());
            let message = match held {
                _ if given.is_empty() && needs_name => "does not say which wafer".to_owned(),
                _ if given.is_empty() => continue,
                _ if is_move && *given != moved => format!("names both {moved} and {given}"),
                Some(held) if held != *given => {
                    format!("names {given}, but `{name}` holds {held}")
                }
                None if *component == Component::Track && !is_move => {
                    format!("names {given}, but the track carries none then")
                }
                None if !is_move => format!("names {given}, but `{name}` is empty"),
                _ => continue,
            };
            broken.push(("wafer", message));
        }
    }

    fn load(&mut self, operation: &Operation, broken: &mut Broken) {
        self.track(broken);
        let Some(lock) = operation.component(lock) else { return };
        if !self.components.locks[lock].is_in {
            broken.push(("direction", format!("loads `{}`, which lets out only", self.lock(lock))));
        }
        self.pressure(lock, false, broken);
        let name = operation.wafer().to_owned();
        if !self.known.insert(name.clone()) {
            broken.push(("wafer", format!("loads {name}, which was loaded before")));
        }
        let wafer = Wafer { name, is_measured: false, is_exposed: false };
        self.put(Component::Lock(lock), Some(wafer), broken);
    }

    fn unload(&mut self, operation: &Operation, broken: &mut Broken) {
        self.track(broken);
        self.recovers = Some(operation.end);
        let Some(lock) = operation.component(lock) else { return };
        self.pressure(lock, false, broken);
        self.take(Component::Lock(lock), true, broken);
    }

    /// Whether it is ready: to be ready to unload instead of to load takes no time.
    fn track(&mut self, broken: &mut Broken) {
        if let Some(end) = self.recovers.take() {
            let message = format!(
                "needs the track, which has not recovered from the unload that ended at {end}"
            );
            broken.push(("track", message));
        }
    }

    fn recover(&mut self, operation: &Operation, broken: &mut Broken) {
        match self.recovers.take() {
            Some(end) if end == operation.start => {}
            Some(end) => {
                broken.push(("track", format!("begins after an unload that ended at {end}")))
            }
            None => broken.push(("track", "follows no unload".to_owned())),
        }
    }

    fn pump(&mut self, operation: &Operation, is_out: bool, broken: &mut Broken) {
        let Some(lock) = operation.component(lock) else { return };
        self.pressure(lock, !is_out, broken);
        self.vacuum[lock] = is_out;
    }

    fn turn(&mut self, operation: &Operation) {
        if let Some((robot, _)) = operation.component(arm) {
            self.turned[robot] ^= true;
        }
    }

    fn at_lock(&mut self, operation: &Operation, broken: &mut Broken) {
        let found = (operation.component(arm), operation.component(lock));
        let (Some((robot, arm)), Some(lock)) = found else { return };
        let Components { robots, locks, .. } = self.components;
        let (name, at) = (self.components.name(Component::Arm(robot, arm)), &locks[lock]);
        if !robots[robot].locks.contains(&at.name) {
            broken.push((
                "reach",
                format!("is done by `{name}`, which does not reach `{}`", at.name),
            ));
        }
        self.side(robot, arm, false, broken);
        self.pressure(lock, true, broken);
        if operation.step == "from-lock" {
            let wafer = self.take(Component::Lock(lock), false, broken);
            self.put(Component::Arm(robot, arm), wafer, broken);
        } else {
            if !at.is_out {
                broken.push(("direction", format!("fills `{}`, which takes in only", at.name)));
            }
            let wafer = self.take(Component::Arm(robot, arm), true, broken);
            self.put(Component::Lock(lock), wafer, broken);
        }
    }

    fn at_chuck(&mut self, operation: &Operation, broken: &mut Broken) {
        let found = (operation.component(arm), operation.component(chuck));
        let (Some((robot, arm)), Some(chuck)) = found else { return };
        self.side(robot, arm, true, broken);
        self.place(chuck, true, broken);
        if operation.step == "to-chuck" {
            let wafer = self.take(Component::Arm(robot, arm), false, broken);
            self.put(Component::Chuck(chuck), wafer, broken);
        } else {
            let wafer = self.take(Component::Chuck(chuck), true, broken);
            self.put(Component::Arm(robot, arm), wafer, broken);
        }
    }

    fn measure(&mut self, operation: &Operation, broken: &mut Broken) {
        let Some(chuck) = operation.component(chuck) else { return };
        self.place(chuck, true, broken);
        match self.holds.get_mut(&Component::Chuck(chuck)) {
            Some(wafer) if !wafer.is_measured && !wafer.is_exposed => wafer.is_measured = true,
            Some(wafer) => {
                let state = if wafer.is_exposed { "exposed" } else { "measured" };
                let message = format!("finds {}, which is {state} already", wafer.name);
                broken.push(("contents", message));
            }
            None => broken.push(("contents", "finds no wafer".to_owned())),
        }
    }

    fn expose(&mut self, operation: &Operation, broken: &mut Broken) {
        let Some(chuck) = operation.component(chuck) else { return };
        self.place(chuck, false, broken);
        match self.holds.get_mut(&Component::Chuck(chuck)) {
            Some(wafer) => {
                if wafer.is_exposed || !wafer.is_measured {
                    let state = if wafer.is_exposed { "exposed already" } else { "not measured" };
                    let message = format!("finds {}, which is {state}", wafer.name);
                    broken.push(("contents", message));
                }
                wafer.is_exposed = true;
            }
            None => broken.push(("contents", "finds no wafer".to_owned())),
        }
    }

    fn lock(&self, lock: usize) -> &'s str {
        self.components.locks[lock].name
    }

    fn pressure(&self, lock: usize, is_vacuum: bool, broken: &mut Broken) {
        if self.vacuum[lock] != is_vacuum {
            let state = if is_vacuum { "full of air" } else { "empty of air" };
            broken.push(("pressure", format!("finds `{}` {state}", self.lock(lock))));
        }
    }

    fn side(&self, robot: usize, arm: usize, is_at_chucks: bool, broken: &mut Broken) {
        // Arm 0 begins at the locks, the other one at the chucks.
        if (self.turned[robot] == (arm == 0)) != is_at_chucks {
            let name = self.components.name(Component::Arm(robot, arm));
            let side = if is_at_chucks { "locks" } else { "chucks" };
            broken.push(("position", format!("finds `{name}` at the {side}")));
        }
    }

    fn place(&self, chuck: usize, is_measure: bool, broken: &mut Broken) {
        if (self.swapped == (chuck == 1)) != is_measure {
            let place = if is_measure { "expose" } else { "measure" };
            let name = self.components.chucks[chuck];
            broken.push(("position", format!("finds `{name}` at the {place} position")));
        }
    }

    fn take(&mut self, from: Component, is_exposed: bool, broken: &mut Broken) -> Option<Wafer> {
        let name = self.components.name(from);
        let found = self.holds.remove(&from);
        let wanted = if is_exposed { "an exposed wafer" } else { "a raw wafer" };
        match &found {
            Some(wafer) if wafer.is_exposed == is_exposed => {}
            Some(wafer) => {
                let message = format!("needs {wanted} in `{name}`, but {} is none", wafer.name);
                broken.push(("contents", message));
            }
            None => {
                broken.push(("contents", format!("needs {wanted} in `{name}`, which is empty")));
            }
        }
        found
    }

    fn put(&mut self, to: Component, wafer: Option<Wafer>, broken: &mut Broken) {
        let name = self.components.name(to);
        if let Some(held) = self.holds.remove(&to) {
            broken.push(("contents", format!("finds {} in `{name}`", held.name)));
        }
        if let Some(wafer) = wafer {
            self.holds.insert(to, wafer);
        }
    }
}

/// Rules with what is said about them.
type Broken = Vec<(&'static str, String)>;

fn lock(component: Component) -> Option<usize> {
    if let Component::Lock(lock) = component { Some(lock) } else { None }
}

fn arm(component: Component) -> Option<(usize, usize)> {
    if let Component::Arm(robot, arm) = component { Some((robot, arm)) } else { None }
}

fn chuck(component: Component) -> Option<usize> {
    if let Component::Chuck(chuck) = component { Some(chuck) } else { None }
}
