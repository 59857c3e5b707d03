//! What a layout means: components, what their operations take, who serves what.

use crate::pipeline::{self, layout};
use serde_json::{Value, json};
use std::fmt::Write;
use takt_scanner::safety;
use takt_scanner::{Lock, Robot, Scanner};
use takt_spec::Spec;

fn direction(lock: &Lock) -> &'static str {
    match (lock.takes_in, lock.lets_out) {
        (true, false) => "in",
        (false, true) => "out",
        _ => "both",
    }
}

fn names(scanner: &Scanner, robots: &[usize]) -> String {
    let names: Vec<&str> =
        robots.iter().map(|&robot| scanner.robots[robot].name.as_str()).collect();
    if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
}

pub fn text(name: &str, spec: &Spec, scanner: &Scanner) -> String {
    let Scanner { track, locks, robots, chucks, .. } = scanner;
    let mut out = format!(
        "{name}: a layout, objective {}; times in units of one {}\n\n",
        spec.objective.name(),
        spec.time.unit.name()
    );
    let _ = writeln!(
        out,
        "track: load {}, unload {}, switch {}, recover {}",
        track.load, track.unload, track.switch, track.recover
    );
    let (empties, fills) = (scanner.depressurize, scanner.pressurize);
    let _ = writeln!(out, "locks: depressurize {empties}, pressurize {fills}");
    for lock in locks {
        let way = direction(lock);
        let _ =
            writeln!(out, "  {} ({way}): served by {}", lock.name, names(scanner, &lock.robots));
    }
    for robot in robots {
        let Robot { turn, from_lock, to_lock, to_chuck, from_chuck, .. } = robot;
        let reached: Vec<&str> = robot.locks.iter().map(|&l| locks[l].name.as_str()).collect();
        let arms = if robot.arms == 1 { "1 arm" } else { "2 arms" };
        let _ = writeln!(
            out,
            "robot {} ({arms}, {}): turn {turn}, from-lock {from_lock}, to-lock {to_lock}, \
             to-chuck {to_chuck}, from-chuck {from_chuck}",
            robot.name,
            reached.join(", ")
        );
    }
    let _ = writeln!(
        out,
        "chucks {}: swap {}, measure {}, expose {}",
        chucks.join(", "),
        scanner.swap,
        scanner.measure,
        scanner.expose
    );
    let positions = scanner.locks.len() + robots.iter().map(|r| r.arms).sum::<usize>();
    let _ = writeln!(out, "\n{} positions for wafers; alike are:", positions + chucks.len());
    match safety::alike(scanner) {
        Some(classes) => {
            for class in classes {
                let _ = writeln!(out, "  {}", class.join(", "));
            }
        }
        None => out.push_str("  (too many to tell)\n"),
    }
    for heuristic in spec.layout.iter().flat_map(|layout| &layout.heuristics) {
        let _ =
            writeln!(out, "{}", layout::judged(heuristic.value.name(), heuristic.value.is_safe()));
    }
    match scanner.leisurely() {
        Some(slow) => {
            let _ = writeln!(out, "\none wafer at a time: one every {}", slow.cycle.end);
            bounds(&mut out, scanner);
        }
        None => out.push_str("\nno wafer can come in and get out again\n"),
    }
    out
}

/// How fast parts of the machine are, everything else being always ready.
fn bounds(out: &mut String, scanner: &Scanner) {
    let Some((bounds, singles)) = layout::outlines(scanner) else { return };
    out.push_str("whatever the schedule, in the long run at best one wafer every\n");
    for bound in &bounds {
        let interval = layout::ratio(bound.interval);
        let _ = writeln!(out, "  {interval:>8}  {}: {}", bound.critical, bound.method);
    }
    out.push_str("a single component alone, if all wafers went through it: one every\n");
    for single in &singles {
        let interval = layout::ratio(single.interval);
        let _ = writeln!(out, "  {interval:>8}  {}", single.name);
    }
}

pub fn json(name: &str, spec: &Spec, scanner: &Scanner) -> Value {
    let outlines = scanner.leisurely().and_then(|_| layout::outlines(scanner));
    let heuristics = spec.layout.iter().flat_map(|layout| &layout.heuristics);
    let heuristics = heuristics.map(|h| json!({"name": h.value.name(), "safe": h.value.is_safe()}));
    let Scanner { track, locks, robots, chucks, .. } = scanner;
    let lock = |lock: &Lock| {
        let robots: Vec<&str> = lock.robots.iter().map(|&r| robots[r].name.as_str()).collect();
        json!({"name": lock.name, "direction": direction(lock), "robots": robots})
    };
    let robot = |robot: &Robot| {
        let reached: Vec<&str> = robot.locks.iter().map(|&l| locks[l].name.as_str()).collect();
        json!({
            "name": robot.name, "arms": robot.arms, "locks": reached, "turn": robot.turn,
            "from-lock": robot.from_lock, "to-lock": robot.to_lock,
            "to-chuck": robot.to_chuck, "from-chuck": robot.from_chuck,
        })
    };
    json!({
        "takt": 1,
        "spec": name,
        "objective": "throughput",
        "layout": {
            "track": {
                "load": track.load, "unload": track.unload,
                "switch": track.switch, "recover": track.recover,
            },
            "locks": locks.iter().map(lock).collect::<Value>(),
            "depressurize": scanner.depressurize, "pressurize": scanner.pressurize,
            "robots": robots.iter().map(robot).collect::<Value>(),
            "chucks": {
                "ids": chucks, "swap": scanner.swap,
                "measure": scanner.measure, "expose": scanner.expose,
            },
        },
        "one_at_a_time": scanner.leisurely().map(|slow| slow.cycle.end),
        "positions": safety::alike(scanner),
        "heuristics": heuristics.collect::<Value>(),
        "bounds": outlines.as_ref().map(|(bounds, _)| bounds.iter().map(|bound| json!({
            "resource": bound.critical, "interval": pipeline::exact(&layout::exact(bound.interval)), "method": bound.method,
        })).collect::<Value>()),
        "alone": outlines.as_ref().map(|(_, singles)| singles.iter().map(|single| json!({
            "resource": single.name, "interval": pipeline::exact(&layout::exact(single.interval)),
        })).collect::<Value>()),
    })
}
