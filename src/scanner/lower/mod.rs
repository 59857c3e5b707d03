//! From a wafer scanner to networks: with time ([`lower_scanner`]), one automaton per component and
//! an observer; without it ([`lower_positions`]), where wafers only go from place to place.
//!
//! Every edge into or out of a location that stands for an operation has an origin, by which
//! [`LoweredScanner`] tells what a move means.

mod files;
mod rules;

pub use files::FILES;
pub use rules::{Ban, Rules};

use crate::layout::{Hold, OpKind, Robot, Scanner};
use std::collections::BTreeMap;
use takt_automata::compose::{Names, Templates, list, set_constants};
use takt_automata::network::{
    Expr, ExprKind, Ident, Initial, Instantiation, Item, Network, Origin, System, Template,
};
use takt_diagnostic::Span;

/// The timed network of a scanner and what its parts stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweredScanner {
    pub network: Network,
    /// What an edge with an origin does; the origin is the position here.
    pub deeds: Vec<Deed>,
    /// The processes that stand for components, by name.
    pub components: Vec<(String, Component)>,
}

/// What a component does when one of its edges is taken. A component that ends one operation and
/// begins the next by itself is told of as ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Begin(Task),
    End(Task),
    /// The track is now ready to unload.
    Ready,
}

/// An operation of one component; which other one takes part is the edge's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Load,
    Unload,
    Switch,
    /// It has no edge of its own to begin with: the end of an unload begins it.
    Recover,
    Depressurize,
    Pressurize,
    FromLock,
    ToLock,
    Turn,
    ToChuck,
    FromChuck,
    Measure,
    Expose,
    Swap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    Track,
    Lock(usize),
    Arm { robot: usize, arm: usize },
    Chuck(usize),
}

/// The limits of the thesis' property 5.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The first wafer is out by then.
    pub first: i64,
    /// No gap after it is longer.
    pub max_gap: i64,
}

impl Pace {
    /// What a machine that works can keep with one wafer at a time: each operation that a wafer
    /// needs, one after the other, and back to the beginning.
    pub fn leisurely(scanner: &Scanner) -> Pace {
        let most = |time: fn(&Robot) -> i64| scanner.robots.iter().map(time).max().unwrap_or(0);
        let track = scanner.track;
        let times = [
            track.load,
            track.unload,
            track.switch,
            track.recover,
            // In by one lock and out by another, both back where they were.
            2 * (scanner.depressurize + scanner.pressurize),
            most(|robot| robot.from_lock + robot.to_lock + robot.to_chuck + robot.from_chuck),
            4 * most(|robot| robot.turn),
            scanner.measure,
            scanner.expose,
            2 * scanner.swap,
        ];
        let round = times.iter().fold(0_i64, |sum, time| sum.saturating_add(*time));
        Pace { first: round, max_gap: round }
    }
}

/// What the locations of the templates stand for, by template file.
const TASKS: [(&str, &str, Task); 16] = [
    ("track.xta", "loading", Task::Load),
    ("track.xta", "unloading", Task::Unload),
    ("track.xta", "switching", Task::Switch),
    ("track.xta", "recovering", Task::Recover),
    ("lock.xta", "depressurizing", Task::Depressurize),
    ("lock.xta", "pressurizing", Task::Pressurize),
    ("arm.xta", "turning", Task::Turn),
    ("arm.xta", "turning_back", Task::Turn),
    ("arm.xta", "from_lock", Task::FromLock),
    ("arm.xta", "to_lock", Task::ToLock),
    ("arm.xta", "to_chuck", Task::ToChuck),
    ("arm.xta", "from_chuck", Task::FromChuck),
    ("chuck.xta", "measuring", Task::Measure),
    ("chuck.xta", "exposing", Task::Expose),
    ("chuck.xta", "swapping", Task::Swap),
    ("chuck.xta", "swapping_back", Task::Swap),
];

pub fn lower_scanner(scanner: &Scanner, pace: Pace, templates: &Templates) -> LoweredScanner {
    lower_scanner_with(scanner, pace, &Rules::default(), templates)
}

/// The same with heuristics.
pub fn lower_scanner_with(
    scanner: &Scanner,
    pace: Pace,
    rules: &Rules,
    templates: &Templates,
) -> LoweredScanner {
    let mut stage = Stage::new(templates, &["scanner.xta", "lock.xta", "chuck.xta", "track.xta"]);
    stage.declare(&["arm.xta"]);
    stage.declare(&rules.files());
    stage.rules = rules.clone();
    stage.act("track", "", "track.xta", "Track", &[], Component::Track);
    for (k, lock) in scanner.locks.iter().enumerate() {
        stage.act("lock_", &lock.name, "lock.xta", "Lock", &[k], Component::Lock(k));
    }
    for (robot, told) in scanner.robots.iter().enumerate() {
        for arm in 0..told.arms {
            let template = match (told.arms, arm) {
                (1, _) => "OnlyArm",
                (_, 0) => "Arm",
                _ => "OtherArm",
            };
            let name = format!("{}_{arm}", told.name);
            let component = Component::Arm { robot, arm };
            stage.act("arm_", &name, "arm.xta", template, &[robot, arm], component);
        }
    }
    for (k, name) in scanner.chucks.iter().enumerate() {
        let template = match (scanner.chucks.len(), k) {
            (1, _) => "OnlyChuck",
            (_, 0) => "Chuck",
            _ => "OtherChuck",
        };
        stage.act("chuck_", name, "chuck.xta", template, &[k], Component::Chuck(k));
    }
    if rules.policy.is_some() {
        stage.process("policy", "policy.xta", "Policy", &[]);
    }
    if rules.useful {
        stage.process("prospect", "prospect.xta", "Prospect", &[]);
        stage.process("observer", "prospect.xta", "WatchfulObserver", &[]);
    } else {
        stage.process("observer", "observer.xta", "Observer", &[]);
    }
    let mut values = places(scanner, pace);
    values.extend(bans(scanner, rules));
    values.extend(times(scanner));
    values.extend(least_times(scanner, pace));
    values.insert("lb", bools(scanner.locks.iter().map(|_| true)));
    values.insert("cb", bools((0..scanner.chucks.len()).map(|chuck| chuck > 0)));
    stage.finish(&values)
}

/// Positions and moves alone.
pub fn lower_positions(scanner: &Scanner, templates: &Templates) -> Network {
    let mut stage = Stage::new(templates, &["scanner.xta"]);
    stage.process("outside", "positions.xta", "Outside", &[]);
    for (k, robot) in scanner.robots.iter().enumerate() {
        let name = stage.names.fresh("robot_", &robot.name);
        stage.process(&name, "positions.xta", "Moves", &[k, robot.arms]);
    }
    stage.process("exposure", "positions.xta", "Exposure", &[]);
    stage.finish(&places(scanner, Pace::leisurely(scanner))).network
}

type Values = BTreeMap<&'static str, Initial>;

/// What both networks know.
fn places(scanner: &Scanner, pace: Pace) -> Values {
    let reaches = scanner.robots.iter().map(|robot| {
        bools((0..scanner.locks.len()).map(|lock| robot.locks.contains(&lock)).collect::<Vec<_>>())
    });
    BTreeMap::from([
        ("H", whole(pace.first)),
        ("S", whole(pace.max_gap)),
        ("locks", whole(scanner.locks.len() as i64)),
        ("robots", whole(scanner.robots.len() as i64)),
        ("chucks", whole(scanner.chucks.len() as i64)),
        ("takes_in", bools(scanner.locks.iter().map(|lock| lock.takes_in))),
        ("lets_out", bools(scanner.locks.iter().map(|lock| lock.lets_out))),
        ("reaches", list(reaches)),
    ])
}

/// Nobody ever holds this: templates know the numbers of four kinds of [`Hold`].
const NEVER: i64 = 4;

/// The patterns that must not come about: one that never does, if there is none.
fn bans(scanner: &Scanner, rules: &Rules) -> Values {
    let known = rules.policy.clone().unwrap_or_default();
    let is_banned = !known.is_empty();
    let all = if is_banned { known } else { vec![Ban::nothing(scanner)] };
    let number = |hold: &Hold| match hold {
        _ if !is_banned => NEVER,
        Hold::Free => 0,
        Hold::Raw => 1,
        Hold::Exposed => 2,
        Hold::Any => 3,
    };
    let row = |row: &[Hold]| list(row.iter().map(|hold| whole(number(hold))));
    let arms: usize = scanner.robots.iter().map(|robot| robot.arms).sum();
    let positions = scanner.locks.len() + arms + scanner.chucks.len();
    BTreeMap::from([
        ("patterns", whole(all.len() as i64)),
        ("BAD_LOCKS", list(all.iter().map(|ban| row(&ban.locks)))),
        ("BAD_ARMS", list(all.iter().map(|ban| list(ban.arms.iter().map(|arms| row(arms)))))),
        ("BAD_CHUCKS", list(all.iter().map(|ban| row(&ban.chucks)))),
        ("places", whole(positions as i64)),
    ])
}

fn times(scanner: &Scanner) -> Values {
    let robots = |time: fn(&Robot) -> i64| list(scanner.robots.iter().map(|r| whole(time(r))));
    let lone = |kind: OpKind| whole(scanner.duration(kind));
    BTreeMap::from([
        ("LOAD", lone(OpKind::Load { lock: 0 })),
        ("UNLOAD", lone(OpKind::Unload { lock: 0 })),
        ("SWITCH", lone(OpKind::Switch)),
        ("RECOVER", lone(OpKind::Recover)),
        ("DEPRESSURIZE", lone(OpKind::Depressurize { lock: 0 })),
        ("PRESSURIZE", lone(OpKind::Pressurize { lock: 0 })),
        ("TURN", robots(|robot| robot.turn)),
        ("FROM_LOCK", robots(|robot| robot.from_lock)),
        ("TO_LOCK", robots(|robot| robot.to_lock)),
        ("TO_CHUCK", robots(|robot| robot.to_chuck)),
        ("FROM_CHUCK", robots(|robot| robot.from_chuck)),
        ("SWAP", lone(OpKind::Swap)),
        ("MEASURE", lone(OpKind::Measure { chuck: 0 })),
        ("EXPOSE", lone(OpKind::Expose { chuck: 0 })),
    ])
}

/// Times up to this can be added up for all positions of a machine within what integers hold.
const SMALL: i64 = 1_000_000;

fn least_times(scanner: &Scanner, pace: Pace) -> Values {
    let least = |time: fn(&Robot) -> i64| whole(scanner.robots.iter().map(time).min().unwrap_or(0));
    let is_small = Pace::leisurely(scanner).first.max(pace.first).max(pace.max_gap) <= SMALL;
    BTreeMap::from([
        ("LOOKS_AHEAD", Initial::Value(Expr::new(ExprKind::Bool(is_small)))),
        ("LEAST_TURN", least(|robot| robot.turn)),
        ("LEAST_FROM_LOCK", least(|robot| robot.from_lock)),
        ("LEAST_TO_LOCK", least(|robot| robot.to_lock)),
        ("LEAST_TO_CHUCK", least(|robot| robot.to_chuck)),
        ("LEAST_FROM_CHUCK", least(|robot| robot.from_chuck)),
    ])
}

fn whole(value: i64) -> Initial {
    Initial::Value(Expr::number(value))
}

fn bools(values: impl IntoIterator<Item = bool>) -> Initial {
    list(values.into_iter().map(|value| Initial::Value(Expr::new(ExprKind::Bool(value)))))
}

/// A network in the making.
struct Stage<'t> {
    templates: &'t Templates,
    declarations: Vec<Item>,
    automata: Vec<Template>,
    processes: Vec<Instantiation>,
    components: Vec<(String, Component)>,
    deeds: Vec<Deed>,
    names: Names,
    rules: Rules,
}

impl<'t> Stage<'t> {
    fn new(templates: &'t Templates, files: &[&str]) -> Stage<'t> {
        let mut stage = Stage {
            templates,
            declarations: Vec::new(),
            automata: Vec::new(),
            processes: Vec::new(),
            components: Vec::new(),
            deeds: Vec::new(),
            names: Names::default(),
            rules: Rules::default(),
        };
        stage.declare(files);
        stage
    }

    fn declare(&mut self, files: &[&str]) {
        for file in files {
            self.declarations.extend(self.templates.declarations(file));
        }
    }

    /// A process that stands for a component.
    fn act(
        &mut self,
        prefix: &str,
        name: &str,
        file: &str,
        template: &str,
        arguments: &[usize],
        component: Component,
    ) {
        let name = self.names.fresh(prefix, name);
        self.process(&name, file, template, arguments);
        self.components.push((name, component));
    }

    fn process(&mut self, name: &str, file: &str, template: &str, arguments: &[usize]) {
        if !self.automata.iter().any(|known| known.name.text == template) {
            let automaton = self.templates.get(file, template).clone();
            let mut automaton = self.rules.weave(automaton, self.templates);
            self.mark(file, &mut automaton);
            self.automata.push(automaton);
        }
        self.processes.push(Instantiation {
            name: Ident::new(name),
            parameters: Vec::new(),
            template: Ident::new(template),
            arguments: arguments.iter().map(|&value| Expr::number(value as i64)).collect(),
        });
    }

    /// Says of every edge which operation it ends or begins.
    fn mark(&mut self, file: &str, template: &mut Template) {
        let task = |location: &Ident| {
            let found = TASKS.iter().find(|(of, name, _)| (*of, *name) == (file, &location.text));
            found.map(|(_, _, task)| *task)
        };
        for edge in &mut template.edges {
            let deed = match (task(&edge.source), task(&edge.target)) {
                (Some(task), _) => Deed::End(task),
                (None, Some(task)) => Deed::Begin(task),
                _ if edge.target.text == "ready_to_unload" => Deed::Ready,
                _ => continue,
            };
            edge.origin = Some(Origin(self.deeds.len() as u32));
            self.deeds.push(deed);
        }
    }

    fn finish(self, values: &Values) -> LoweredScanner {
        let names = self.processes.iter().map(|process| process.name.clone()).collect();
        let mut items = self.declarations;
        items.extend(self.automata.into_iter().map(Item::Template));
        items.extend(self.processes.into_iter().map(Item::Instantiation));
        let mut network = Network { items, ..Network::default() };
        network.system = System { levels: vec![names], span: Span::default() };
        set_constants(&mut network, values);
        LoweredScanner { network, deeds: self.deeds, components: self.components }
    }
}
