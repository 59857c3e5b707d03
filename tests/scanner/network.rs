//! The networks against the rules of the machine, which are written down here once more and
//! followed unit of time by unit of time.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::ControlFlow;
use takt::pipeline::layout;
use takt_automata::compose::Templates;
use takt_automata::engine::{Control, Options, Progress, Stop, Verdict, check};
use takt_automata::interpret::{Concrete, Interpreter};
use takt_automata::model::{self, Model};
use takt_automata::network::Network;
use takt_automata::trace::Time;
use takt_automata::xta;
use takt_scanner::lower::{
    Component, FILES, Pace, lower_positions, lower_scanner, lower_scanner_with,
};
use takt_scanner::{self as scanner, OpKind, Scanner};
use takt_spec as spec;
use takt_testing::Random;

/// Locks (with `direction` and so on), robots, chucks.
fn machine(locks: &str, robots: &[(usize, &str)], chucks: &str) -> Scanner {
    let mut text = format!(
        "takt: 1\nlayout:\n  track: {{load: 1, unload: 2, switch: 1, recover: 2}}\n  \
         locks: {{{locks}, depressurize: 2, pressurize: 1}}\n  robots:\n"
    );
    for (k, (arms, reached)) in robots.iter().enumerate() {
        text += &format!(
            "    R{k}: {{arms: {arms}, locks: [{reached}], turn: 1, from-lock: 1, to-lock: 2, \
             to-chuck: 1, from-chuck: 1}}\n"
        );
    }
    text += &format!("  chucks: {{ids: [{chucks}], swap: 1, measure: 1, expose: 2}}\n");
    machine_of(&text)
}

pub fn machine_of(text: &str) -> Scanner {
    let (spec, _) = spec::read(text, Default::default()).expect("a good spec");
    scanner::describe(&spec).expect("a layout")
}

pub fn base() -> Scanner {
    machine_of(include_str!("../../specs/scanner/base.yaml"))
}

/// Looks at no more states than this.
struct AtMost(u64);

impl Control for AtMost {
    fn poll(&self, progress: &Progress) -> ControlFlow<Stop> {
        match progress.explored > self.0 {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

pub fn ask(network: &Network, query: &str) -> (Verdict, u64) {
    ask_within(u64::MAX, network, query, &Options::default())
}

pub fn ask_within(
    states: u64,
    network: &Network,
    query: &str,
    options: &Options,
) -> (Verdict, u64) {
    let (mut model, _) = model::build(network).expect("a good network");
    let query = xta::parse_query(query, Default::default()).expect("a good query");
    let query = model.resolve_query(&query).expect("a query about the network");
    let answers = check(&model, &[query], options, &AtMost(states)).expect("no fault");
    (answers[0].verdict, answers[0].stored)
}

#[test]
fn the_base_machine_has_as_many_states_without_time_as_in_the_thesis() {
    let network = lower_positions(&base(), &Templates::embedded(&FILES));
    assert_eq!(ask(&network, "A[] true"), (Verdict::Satisfied, 57116));
}

#[test]
fn one_way_locks_bind_positions() {
    let scanner = machine("ids: [A, B], direction: {A: in, B: out}", &[(1, "A, B")], "C");
    let network = lower_positions(&scanner, &Templates::embedded(&FILES));
    assert_eq!(ask(&network, "A[] l[0] != EXPOSED && l[1] != RAW").0, Verdict::Satisfied);
    assert_eq!(ask(&network, "E<> l[1] == EXPOSED").0, Verdict::Satisfied);
}

#[test]
fn the_observer_asks_for_a_rhythm() {
    let query = "E[] (observer.L0 imply observer.x <= H) && (observer.L1 imply observer.x <= S)";
    let scanner = machine("ids: [A]", &[(1, "A")], "C");
    let pace = Pace { first: 1, max_gap: 1 };
    let network = lower_scanner(&scanner, pace, &Templates::embedded(&FILES)).network;
    assert_eq!(ask(&network, query).0, Verdict::Violated);
    let by_name = query.replace("<= H", "<= 1").replace("<= S", "<= 1");
    assert_eq!(ask(&network, &by_name).0, Verdict::Violated);
    assert_eq!(ask(&network, "E[] observer.L0").0, Verdict::Satisfied);
}

pub const PACE: &str =
    "E[] (observer.L0 imply observer.x <= H) && (observer.L1 imply observer.x <= S)";

#[test]
fn every_heuristic_leaves_a_network_that_works() {
    let scanner = machine("ids: [A]", &[(1, "A")], "C");
    for heuristic in scanner::Heuristic::ALL {
        let rules = layout::rules(&scanner, &[heuristic]).expect("a small policy");
        let lowered = lower_scanner_with(
            &scanner,
            Pace::leisurely(&scanner),
            &rules,
            &Templates::embedded(&FILES),
        );
        let text = xta::print(&lowered.network);
        let again = xta::parse(&text, Default::default()).expect("what was printed can be read");
        assert_eq!(xta::print(&again), text);
        let name = heuristic.name();
        assert_eq!(ask(&lowered.network, "E<> observer.L1").0, Verdict::Satisfied, "{name}");
    }
}

/// One lock and one arm: with a raw wafer in each, nobody can ever take the third one out.
#[test]
fn the_policy_keeps_out_of_circular_waits() {
    let scanner = machine("ids: [A]", &[(1, "A")], "C");
    let stuck = "E<> l[0] == RAW && rb[0][0] == RAW && c[0] == EXPOSED";
    for (heuristics, expected) in
        [(&[][..], Verdict::Satisfied), (&[scanner::Heuristic::Policy][..], Verdict::Violated)]
    {
        let rules = layout::rules(&scanner, heuristics).expect("a small policy");
        let pace = Pace::leisurely(&scanner);
        let lowered = lower_scanner_with(&scanner, pace, &rules, &Templates::embedded(&FILES));
        assert_eq!(ask(&lowered.network, stuck).0, expected, "{heuristics:?}");
    }
}

#[test]
fn every_language_is_printed() {
    let network =
        lower_scanner(&base(), Pace { first: 1480, max_gap: 260 }, &Templates::embedded(&FILES));
    let text = xta::print(&network.network);
    for line in ["const int H = 1480;", "const int S = 260;", "observer = Observer();"] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let again = xta::parse(&text, Default::default()).expect("what was printed can be read");
    assert_eq!(xta::print(&again), text);
    assert!(xta::print_dot(&network.network).contains("depressurizing"));
    assert!(xta::print_xml(&network.network).contains("lock_L3"));
}

/// A state of the machine as its rules tell it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Here {
    is_to_unload: bool,
    locks: Vec<i32>,
    vacuum: Vec<bool>,
    arms: Vec<[i32; 2]>,
    /// Of each robot: arm 0 is at the chucks.
    turned: Vec<bool>,
    chucks: Vec<i32>,
    measured: Vec<bool>,
    /// The first chuck is at the expose position.
    swapped: bool,
    /// What is being done, and for how long.
    running: BTreeMap<OpKind, i64>,
}

struct Rules<'s>(&'s Scanner);

impl Rules<'_> {
    fn initial(&self) -> Here {
        let Scanner { locks, robots, chucks, .. } = self.0;
        Here {
            locks: vec![0; locks.len()],
            vacuum: vec![false; locks.len()],
            arms: vec![[0; 2]; robots.len()],
            turned: vec![false; robots.len()],
            chucks: vec![0; chucks.len()],
            measured: vec![false; chucks.len()],
            ..Here::default()
        }
    }

    /// The components that an operation takes.
    fn taken(&self, kind: OpKind) -> Vec<Component> {
        use Component::{Chuck, Lock, Track};
        match kind {
            OpKind::Load { lock } | OpKind::Unload { lock } => vec![Track, Lock(lock)],
            OpKind::Switch | OpKind::Recover => vec![Track],
            OpKind::Depressurize { lock } | OpKind::Pressurize { lock } => vec![Lock(lock)],
            OpKind::FromLock { robot, arm, lock } | OpKind::ToLock { robot, arm, lock } => {
                vec![Component::Arm { robot, arm }, Lock(lock)]
            }
            OpKind::ToChuck { robot, arm, chuck } | OpKind::FromChuck { robot, arm, chuck } => {
                vec![Component::Arm { robot, arm }, Chuck(chuck)]
            }
            OpKind::Turn { robot } => {
                let arms = 0..self.0.robots[robot].arms;
                arms.map(|arm| Component::Arm { robot, arm }).collect()
            }
            OpKind::Measure { chuck } | OpKind::Expose { chuck } => vec![Chuck(chuck)],
            OpKind::Swap => (0..self.0.chucks.len()).map(Chuck).collect(),
        }
    }

    fn all(&self) -> Vec<OpKind> {
        let mut kinds = vec![OpKind::Switch, OpKind::Swap];
        for lock in 0..self.0.locks.len() {
            kinds.extend([OpKind::Load { lock }, OpKind::Unload { lock }]);
            kinds.extend([OpKind::Depressurize { lock }, OpKind::Pressurize { lock }]);
        }
        for (robot, told) in self.0.robots.iter().enumerate() {
            kinds.push(OpKind::Turn { robot });
            for arm in 0..told.arms {
                for &lock in &told.locks {
                    let way = OpKind::FromLock { robot, arm, lock };
                    kinds.extend([way, OpKind::ToLock { robot, arm, lock }]);
                }
                for chuck in 0..self.0.chucks.len() {
                    let way = OpKind::ToChuck { robot, arm, chuck };
                    kinds.extend([way, OpKind::FromChuck { robot, arm, chuck }]);
                }
            }
        }
        for chuck in 0..self.0.chucks.len() {
            kinds.extend([OpKind::Measure { chuck }, OpKind::Expose { chuck }]);
        }
        kinds
    }

    fn is_at_chucks(at: &Here, robot: usize, arm: usize) -> bool {
        at.turned[robot] == (arm == 0)
    }

    fn is_at_measure(at: &Here, chuck: usize) -> bool {
        at.swapped == (chuck == 1)
    }

    /// What follows if the operation starts now; `None` if it cannot.
    fn start(&self, at: &Here, kind: OpKind) -> Option<Here> {
        let busy: Vec<Component> = at.running.keys().flat_map(|k| self.taken(*k)).collect();
        if self.taken(kind).iter().any(|component| busy.contains(component)) {
            return None;
        }
        let mut to = at.clone();
        let may = match kind {
            OpKind::Load { lock } => {
                let may = !at.is_to_unload && !at.vacuum[lock] && self.0.locks[lock].takes_in;
                may && put(&mut to.locks[lock], 0, 1)
            }
            OpKind::Unload { lock } => {
                at.is_to_unload && !at.vacuum[lock] && put(&mut to.locks[lock], 2, 0)
            }
            OpKind::Switch => at.is_to_unload,
            OpKind::Recover => false,
            OpKind::Depressurize { lock } => !at.vacuum[lock],
            OpKind::Pressurize { lock } => at.vacuum[lock],
            OpKind::FromLock { robot, arm, lock } => {
                !Self::is_at_chucks(at, robot, arm)
                    && at.vacuum[lock]
                    && put(&mut to.locks[lock], 1, 0)
                    && put(&mut to.arms[robot][arm], 0, 1)
            }
            OpKind::ToLock { robot, arm, lock } => {
                !Self::is_at_chucks(at, robot, arm)
                    && at.vacuum[lock]
                    && self.0.locks[lock].lets_out
                    && put(&mut to.arms[robot][arm], 2, 0)
                    && put(&mut to.locks[lock], 0, 2)
            }
            OpKind::ToChuck { robot, arm, chuck } => {
                Self::is_at_chucks(at, robot, arm)
                    && Self::is_at_measure(at, chuck)
                    && put(&mut to.arms[robot][arm], 1, 0)
                    && put(&mut to.chucks[chuck], 0, 1)
            }
            OpKind::FromChuck { robot, arm, chuck } => {
                Self::is_at_chucks(at, robot, arm)
                    && Self::is_at_measure(at, chuck)
                    && put(&mut to.chucks[chuck], 2, 0)
                    && put(&mut to.arms[robot][arm], 0, 2)
            }
            OpKind::Turn { .. } | OpKind::Swap => true,
            OpKind::Measure { chuck } => {
                to.measured[chuck] = true;
                Self::is_at_measure(at, chuck) && at.chucks[chuck] == 1 && !at.measured[chuck]
            }
            OpKind::Expose { chuck } => {
                to.measured[chuck] = false;
                let may = !Self::is_at_measure(at, chuck) && at.measured[chuck];
                may && put(&mut to.chucks[chuck], 1, 2)
            }
        };
        to.running.insert(kind, 0);
        may.then_some(to)
    }

    fn end(&self, at: &Here, kind: OpKind) -> Here {
        let mut to = at.clone();
        to.running.remove(&kind);
        match kind {
            OpKind::Switch | OpKind::Recover => to.is_to_unload = false,
            OpKind::Unload { .. } => {
                to.running.insert(OpKind::Recover, 0);
            }
            OpKind::Depressurize { lock } => to.vacuum[lock] = true,
            OpKind::Pressurize { lock } => to.vacuum[lock] = false,
            OpKind::Turn { robot } => to.turned[robot] ^= true,
            OpKind::Swap => to.swapped ^= true,
            _ => {}
        }
        to
    }

    fn successors(&self, at: &Here) -> Vec<Here> {
        let over = |kind: &OpKind, passed: i64| passed == self.0.duration(*kind);
        let ended = at.running.iter().filter(|(kind, passed)| over(kind, **passed));
        let mut found: Vec<Here> = ended.map(|(kind, _)| self.end(at, *kind)).collect();
        if found.is_empty() {
            let mut later = at.clone();
            later.running.values_mut().for_each(|passed| *passed += 1);
            found.push(later);
        }
        found.extend(self.all().into_iter().filter_map(|kind| self.start(at, kind)));
        let is_track_idle = !at.running.keys().any(|k| self.taken(*k).contains(&Component::Track));
        if is_track_idle && !at.is_to_unload {
            found.push(Here { is_to_unload: true, ..at.clone() });
        }
        found
    }
}

fn put(place: &mut i32, from: i32, to: i32) -> bool {
    let fits = *place == from;
    *place = to;
    fits
}

/// The network's states in the words of the rules.
struct Look<'m> {
    scanner: &'m Scanner,
    model: &'m Model,
}

impl Look<'_> {
    fn cell(&self, at: &Concrete, name: &str) -> i32 {
        let found = self.model.cells.iter().position(|cell| cell.name == name);
        at.state[found.unwrap_or_else(|| panic!("no variable {name}"))]
    }

    fn location(&self, at: &Concrete, process: usize) -> &str {
        &self.model.processes[process].locations[at.state[process] as usize].name
    }

    fn passed(&self, at: &Concrete, process: &str) -> i64 {
        let name = format!("{process}.x");
        let clock = self.model.clocks.iter().position(|clock| clock.name == name).expect("a clock");
        at.clocks[clock].to_integer()
    }

    fn here(&self, at: &Concrete, components: &[(String, Component)]) -> Here {
        let mut here = Rules(self.scanner).initial();
        for lock in 0..here.locks.len() {
            here.locks[lock] = self.cell(at, &format!("l[{lock}]"));
        }
        for (process, (name, component)) in components.iter().enumerate() {
            let passed = self.passed(at, name);
            let location = self.location(at, process);
            let mut run = |kind| here.running.insert(kind, passed);
            match *component {
                Component::Track => {
                    let lock = self.cell(at, "track.at") as usize;
                    match location {
                        "loading" => run(OpKind::Load { lock }),
                        "unloading" => run(OpKind::Unload { lock }),
                        "switching" => run(OpKind::Switch),
                        "recovering" => run(OpKind::Recover),
                        _ => None,
                    };
                    here.is_to_unload = !["ready_to_load", "loading"].contains(&location);
                }
                Component::Lock(lock) => {
                    match location {
                        "depressurizing" => run(OpKind::Depressurize { lock }),
                        "pressurizing" => run(OpKind::Pressurize { lock }),
                        _ => None,
                    };
                    here.vacuum[lock] = ["vacuum", "pressurizing"].contains(&location);
                }
                Component::Arm { robot, arm } => {
                    here.arms[robot][arm] = self.cell(at, &format!("rb[{robot}][{arm}]"));
                    let lock = self.cell(at, &format!("{name}.lock_at")) as usize;
                    let chuck = self.cell(at, &format!("{name}.chuck_at")) as usize;
                    match location {
                        "from_lock" => run(OpKind::FromLock { robot, arm, lock }),
                        "to_lock" => run(OpKind::ToLock { robot, arm, lock }),
                        "to_chuck" => run(OpKind::ToChuck { robot, arm, chuck }),
                        "from_chuck" => run(OpKind::FromChuck { robot, arm, chuck }),
                        "turning" | "turning_back" => run(OpKind::Turn { robot }),
                        _ => None,
                    };
                    let at_locks = ["at_locks", "turning", "from_lock", "to_lock"];
                    if arm == 0 {
                        here.turned[robot] = !at_locks.contains(&location);
                    }
                }
                Component::Chuck(chuck) => {
                    here.chucks[chuck] = self.cell(at, &format!("c[{chuck}]"));
                    here.measured[chuck] = self.cell(at, &format!("{name}.m")) == 1;
                    match location {
                        "measuring" => run(OpKind::Measure { chuck }),
                        "exposing" => run(OpKind::Expose { chuck }),
                        "swapping" | "swapping_back" => run(OpKind::Swap),
                        _ => None,
                    };
                    if chuck == 0 {
                        let at_measure = ["measure", "measuring", "swapping"];
                        here.swapped = !at_measure.contains(&location);
                    }
                }
            }
        }
        here
    }
}

/// Clocks that nobody looks at stand still.
fn quiet(model: &Model, mut at: Concrete) -> Concrete {
    let idle = |process: usize| {
        let process_data = &model.processes[process];
        process_data.locations[at.state[process] as usize].invariant.is_empty()
    };
    let names: Vec<String> = (0..model.processes.len())
        .filter(|process| idle(*process))
        .map(|process| format!("{}.x", model.processes[process].name))
        .collect();
    for (clock, value) in model.clocks.iter().zip(&mut at.clocks) {
        if names.contains(&clock.name) {
            *value = Time::from_integer(0);
        }
    }
    at
}

/// How many states are looked at; which ones is left to chance.
const LOOKS: usize = 2500;

/// From every state of the network that is looked at, it and the rules lead to the same states.
fn agree(scanner: &Scanner) {
    let lowered = lower_scanner(scanner, Pace::leisurely(scanner), &Templates::embedded(&FILES));
    let (model, _) = model::build(&lowered.network).expect("a good network");
    let interpreter = Interpreter::new(&model);
    let look = Look { scanner, model: &model };
    let rules = Rules(scanner);
    let here = |at: &Concrete| look.here(at, &lowered.components);
    assert_eq!(here(&interpreter.initial()), rules.initial());
    let mut random = Random::new(7);
    let mut known = HashSet::from([interpreter.initial()]);
    let mut waiting = vec![interpreter.initial()];
    for _ in 0..LOOKS {
        if waiting.is_empty() {
            break;
        }
        let at = waiting.swap_remove(random.below(waiting.len()));
        let moves = interpreter.successors(&at).expect("no fault");
        let later = interpreter.delay(&at, Time::from_integer(1)).expect("no fault");
        let next: Vec<Concrete> = moves.into_iter().map(|(_, next)| next).chain(later).collect();
        let next: Vec<Concrete> = next.into_iter().map(|next| quiet(&model, next)).collect();
        let seen: BTreeSet<Here> = next.iter().map(here).collect();
        let told: BTreeSet<Here> = rules.successors(&here(&at)).into_iter().collect();
        assert_eq!(seen, told, "after {:?}", here(&at));
        waiting.extend(next.into_iter().filter(|next| known.insert(next.clone())));
    }
    assert!(known.len() > LOOKS, "{} states", known.len());
}

#[test]
fn single_arms_and_chucks_follow_the_rules() {
    agree(&machine("ids: [A]", &[(1, "A")], "C"));
}

#[test]
fn pairs_of_arms_and_chucks_follow_the_rules() {
    agree(&machine("ids: [A, B]", &[(2, "A, B")], "C, D"));
}

#[test]
fn one_way_locks_and_several_robots_follow_the_rules() {
    let locks = "ids: [A, B, E], direction: {A: in, B: out}";
    agree(&machine(locks, &[(1, "A, E"), (2, "B, E")], "C, D"));
}
