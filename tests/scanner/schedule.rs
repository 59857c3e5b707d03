//! Schedules of layouts: the automata and the validator, which share no code, judge alike whatever
//! is done to a schedule.

use takt_automata::compose::Templates;
use takt_automata::model::{self, Model};
use takt_scanner::lower::{FILES, LoweredScanner, Pace, lower_scanner};
use takt_scanner::{self as scanner, Infinite, Op, OpKind, Scanner};
use takt_scanner::{scanner_rows, scanner_run};
use takt_spec::schedule::Schedule;
use takt_spec::{self as spec, Spec};
use takt_testing::Random;
use takt_validate::{recurs, unloads, validate};

const ROBOT: &str = "turn: 3, from-lock: 4, to-lock: 5, to-chuck: 6, from-chuck: 7";

/// Locks with what belongs to them, arms and locks of robots, chucks.
fn machine(locks: &str, robots: &[(usize, &str)], chucks: &str) -> (Spec, Scanner) {
    let mut text = format!(
        "takt: 1\nlayout:\n  track: {{load: 2, unload: 3, switch: 4, recover: 5}}\n  \
         locks: {{{locks}, depressurize: 20, pressurize: 9}}\n  robots:\n"
    );
    for (k, (arms, reached)) in robots.iter().enumerate() {
        text += &format!("    R{k}: {{arms: {arms}, locks: [{reached}], {ROBOT}}}\n");
    }
    text += &format!("  chucks: {{ids: [{chucks}], swap: 2, measure: 8, expose: 11}}\n");
    let (spec, _) = spec::read(&text, Default::default()).expect("a good spec");
    let scanner = scanner::describe(&spec).expect("a layout");
    (spec, scanner)
}

fn machines() -> Vec<(Spec, Scanner)> {
    vec![
        machine("ids: [A]", &[(1, "A")], "C"),
        machine("ids: [A, B]", &[(2, "A, B")], "C, D"),
        machine("ids: [A, B], direction: {A: in, B: out}", &[(2, "A"), (2, "B")], "C, D"),
        machine("ids: [A, B], direction: {A: in, B: out}", &[(1, "A"), (1, "B")], "C"),
        machine("ids: [A, B, E]", &[(1, "A, E"), (2, "B, E")], "C, D"),
    ]
}

struct Judge {
    spec: Spec,
    scanner: Scanner,
    lowered: LoweredScanner,
    model: Model,
}

impl Judge {
    fn new((spec, scanner): (Spec, Scanner)) -> Judge {
        let lowered =
            lower_scanner(&scanner, Pace::leisurely(&scanner), &Templates::embedded(&FILES));
        let (model, _) = model::build(&lowered.network).expect("a good network");
        Judge { spec, scanner, lowered, model }
    }

    fn automata_accept(&self, ops: &[Op], infinite: &Infinite) -> bool {
        scanner_run(&self.lowered, &self.model, ops, infinite.cycle).is_ok()
    }

    /// Rows that cannot be written for want of a wafer are no schedule.
    fn validator_accepts(&self, ops: &[Op]) -> bool {
        let rows = scanner_rows(&self.scanner, ops);
        rows.is_ok_and(|schedule| validate(&self.spec, &schedule).valid)
    }
}

#[test]
fn one_wafer_at_a_time_is_right_for_both() {
    for machine in machines() {
        let judge = Judge::new(machine);
        let slow = judge.scanner.leisurely().expect("a way through");
        let ops = judge.scanner.unroll(&slow, 3);
        let schedule = scanner_rows(&judge.scanner, &ops).expect("wafers are where they should be");
        let report = validate(&judge.spec, &schedule);
        assert_eq!(report.errors, [], "{:?}", judge.spec);
        assert_eq!(report.value, Some(i128::from(slow.cycle.end).into()));
        let run = scanner_run(&judge.lowered, &judge.model, &ops, slow.cycle);
        let run = run.expect("the automata let it happen");
        assert_eq!(run.unloads, unloads(&schedule));
        assert_eq!(run.unloads.len(), 3);
        assert_eq!(run.changed, [""; 0]);
        assert_eq!(recurs(&judge.spec, &schedule, (0, slow.cycle.end)), Ok(()));
        assert!(recurs(&judge.spec, &schedule, (0, slow.cycle.end - 1)).is_err());
        assert!(recurs(&judge.spec, &schedule, (1, slow.cycle.end)).is_err());
        takt_automata::interpret::replay(&judge.model, &run.run).expect("it replays");
    }
}

/// One operation is moved, replaced or left out.
fn mutate(scanner: &Scanner, ops: &mut Vec<Op>, random: &mut Random) {
    let k = random.below(ops.len());
    let other = |count: usize, random: &mut Random| random.below(count);
    let (locks, chucks) = (scanner.locks.len(), scanner.chucks.len());
    match random.below(5) {
        0 => {
            ops.remove(k);
        }
        1 => {
            let by = 1 - 2 * random.below(2) as i64;
            (ops[k].start, ops[k].end) = (ops[k].start + by, ops[k].end + by);
        }
        2 => ops[k].end += 1 - 2 * random.below(2) as i64,
        3 => {
            // Everything from here on is earlier, or later.
            let by = 3 - 4 * random.below(2) as i64;
            ops[k..].iter_mut().for_each(|op| (op.start, op.end) = (op.start + by, op.end + by));
        }
        _ => {
            let kind = match ops[k].kind {
                OpKind::Load { .. } => OpKind::Load { lock: other(locks, random) },
                OpKind::Unload { .. } => OpKind::Unload { lock: other(locks, random) },
                OpKind::Depressurize { lock } => OpKind::Pressurize { lock },
                OpKind::FromLock { robot, arm, .. } => {
                    OpKind::FromLock { robot, arm, lock: other(locks, random) }
                }
                OpKind::ToLock { robot, lock, .. } => {
                    let arm = other(scanner.robots[robot].arms, random);
                    OpKind::ToLock { robot, arm, lock }
                }
                OpKind::ToChuck { robot, arm, .. } => {
                    OpKind::ToChuck { robot, arm, chuck: other(chucks, random) }
                }
                OpKind::Measure { chuck } => OpKind::Expose { chuck },
                kind => kind,
            };
            ops[k] = scanner.op(kind, ops[k].start);
        }
    }
    ops.sort_by_key(|op| op.start);
}

#[test]
fn automata_and_validator_judge_broken_schedules_alike() {
    let (mut right, mut wrong) = (0, 0);
    for (number, machine) in machines().into_iter().enumerate() {
        let judge = Judge::new(machine);
        let slow = judge.scanner.leisurely().expect("a way through");
        for seed in 0..150 {
            let mut random = Random::new(seed + 1000 * number as u64);
            let mut ops = judge.scanner.unroll(&slow, 2);
            mutate(&judge.scanner, &mut ops, &mut random);
            // Without a row that says so, a schedule may leave open that the track recovers.
            let says_so = |op: &Op| {
                let recovers = |other: &Op| other.kind == OpKind::Recover && other.start == op.end;
                !matches!(op.kind, OpKind::Unload { .. }) || ops.iter().any(recovers)
            };
            if !ops.iter().all(says_so) || ops.iter().any(|op| op.start < 0) {
                continue;
            }
            let automata = judge.automata_accept(&ops, &slow);
            let validator = judge.validator_accepts(&ops);
            assert_eq!(automata, validator, "machine {number}, seed {seed}: {ops:?}");
            if validator { right += 1 } else { wrong += 1 }
        }
    }
    assert!(right > 20 && wrong > 200, "{right} right, {wrong} wrong");
}

/// The rules that a change of one row breaks.
fn broken(change: impl Fn(&mut Schedule)) -> Vec<&'static str> {
    let (spec, scanner) = machine("ids: [A, B]", &[(2, "A"), (1, "B")], "C, D");
    let slow = scanner.leisurely().expect("a way through");
    let mut schedule = scanner_rows(&scanner, &scanner.unroll(&slow, 2)).expect("rows");
    change(&mut schedule);
    let mut rules: Vec<_> = validate(&spec, &schedule).errors.iter().map(|e| e.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// The first row of this operation and component.
fn row<'s>(
    schedule: &'s mut Schedule,
    step: &str,
    resource: &str,
) -> &'s mut takt_spec::schedule::Row {
    let found = schedule.rows.iter_mut().find(|r| r.step == step && r.resource == resource);
    found.expect("such a row")
}

#[test]
fn every_rule_has_its_name() {
    assert_eq!(broken(|_| {}), [""; 0]);
    assert_eq!(broken(|s| row(s, "expose", "C").end += 1), ["duration", "overlap"]);
    assert_eq!(
        broken(|s| row(s, "expose", "C").step = "exposee".into()),
        ["contents", "operation"]
    );
    assert_eq!(broken(|s| row(s, "measure", "C").resource = "X".into()), ["component", "contents"]);
    assert_eq!(broken(|s| row(s, "measure", "C").unit = "1".into()), ["component", "contents"]);
    assert_eq!(broken(|s| row(s, "expose", "C").resource = "A".into()), ["component", "contents"]);
    assert_eq!(broken(|s| row(s, "measure", "C").order = "w9".into()), ["wafer"]);
    assert_eq!(broken(|s| row(s, "measure", "C").order.clear()), ["wafer"]);
    assert_eq!(broken(|s| row(s, "recover", "track").order = "w1".into()), ["wafer"]);
    assert_eq!(broken(|s| row(s, "load", "track").work = Some(3)), ["work"]);
    assert_eq!(broken(|s| row(s, "load", "A").recipe = "r".into()), ["recipe"]);
    let kind = takt_spec::schedule::Kind::Step;
    assert_eq!(broken(|s| row(s, "swap", "C").kind = kind), ["operation", "position", "together"]);
    assert_eq!(
        broken(|s| row(s, "recover", "track").step = "switch".into()),
        ["duration", "track", "work"]
    );
    let is_first_load = |r: &takt_spec::schedule::Row| r.step == "load" && r.order == "w1";
    let again = |s: &mut Schedule| {
        s.rows.iter_mut().filter(|r| r.order == "w2").for_each(|r| r.order = "w1".into());
    };
    assert_eq!(broken(again), ["wafer"]);
    let without = |s: &mut Schedule| s.rows.retain(|r| !is_first_load(r));
    assert!(broken(without).contains(&"contents"));
    let early = |s: &mut Schedule| row(s, "depressurize", "A").start -= 1;
    assert_eq!(broken(early), ["duration", "overlap"]);
}
