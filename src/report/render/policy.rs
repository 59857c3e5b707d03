//! A deadlock avoidance policy in words: what was counted, and each class of patterns as a sentence
//! with a line that shows the machine.

use super::text::count;
use std::fmt::Write;
use takt_scanner::safety::{
    CircularWait, Class, Content, Count, Hold, METHOD, Place, Policy, Position, Safety, Verdict,
};

/// `name` is the spec's; of the classes, no more than `most` are told.
pub fn policy_text(name: &str, safety: &Safety, most: usize) -> String {
    let mut out = counts(name, safety);
    let _ = writeln!(out, "{}", circular_wait(safety));
    let _ = writeln!(out, "Method: {METHOD}.");
    match safety.verdict() {
        Verdict::TakesNothing => {
            out.push_str("\nNo wafer can ever be loaded: every lock is bound to `out`.\n");
        }
        Verdict::NeverEmptyAgain => out.push_str(
            "\nEvery state with a wafer is unsafe: every lock is bound to `in`, and what is loaded can \
             never leave.\n",
        ),
        Verdict::Works => classes(&mut out, safety, most),
    }
    out
}

fn counts(name: &str, safety: &Safety) -> String {
    let mut out = format!(
        "{name}: {}, {} states, of which {} are reachable\n",
        count(safety.positions.len(), "position"),
        safety.states,
        safety.reachable
    );
    let rows = [
        ("safe", &safety.safe, "the machine can become empty again"),
        ("unsafe", &safety.unsafe_, "it cannot"),
        ("deadlocked", &safety.deadlocked, "some position can never become empty again"),
    ];
    let width = safety.safe.to_string().len().max(safety.unsafe_.to_string().len());
    for (what, number, meaning) in rows {
        let _ = writeln!(out, "  {what:10}  {:>width$}  {meaning}", number.to_string());
    }
    out
}

fn circular_wait(safety: &Safety) -> String {
    let (state, what) = match &safety.circular_wait {
        CircularWait::EqualsJam => {
            return "Circular wait: the same as deadlock, in every reachable state.".to_owned();
        }
        CircularWait::JamWithout(state) => (state, "deadlocked without one"),
        CircularWait::WithoutJam(state) => (state, "one without a deadlock"),
    };
    let holds = state.iter().map(|content| match content {
        Content::Empty => Hold::Free,
        Content::Raw => Hold::Raw,
        Content::Exposed => Hold::Exposed,
    });
    let sentence = sentence(&safety.positions, &holds.collect::<Vec<_>>());
    format!("Circular wait: not the same as deadlock. For example, {what}: {}.", lower(&sentence))
}

fn classes(out: &mut String, safety: &Safety, most: usize) {
    let Policy { number, classes } = &safety.policy;
    if number.is_zero() {
        out.push_str("\nEvery reachable state is safe: there is nothing to avoid.\n");
        return;
    }
    let Some(classes) = classes else {
        let _ = writeln!(
            out,
            "\nThe least restrictive policy is to avoid {number} patterns (checked: they match exactly \
             the unsafe states); they are too many to list."
        );
        return;
    };
    let _ = writeln!(
        out,
        "\nThe least restrictive policy: never let any of these happen ({} in {}; checked on every \
         reachable state).\nUp to renaming alike parts; > raw, < exposed, # a wafer of either kind, . \
         anything or nothing.",
        patterns(number),
        several(classes.len(), "class", "classes"),
    );
    for (number, class) in classes.iter().enumerate().take(most) {
        let sentence = sentence(&safety.positions, &class.first.0);
        let _ = writeln!(out, "\n{:>3}. {sentence}. ({})", number + 1, patterns(&class.number));
        let _ = writeln!(out, "     {}", line(&safety.positions, class));
        if class.is_covered {
            out.push_str(
                "     (Says nothing new: all reachable states of this are in other classes.)\n",
            );
        }
    }
    if classes.len() > most {
        let _ = writeln!(out, "\n... and {} more classes", classes.len() - most);
    }
}

/// `6 patterns`.
pub fn patterns(number: &Count) -> String {
    let is_one = *number == Count::from(1);
    format!("{number} {}", if is_one { "pattern" } else { "patterns" })
}

fn several(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// `Raw wafers in L0, L1; exposed ones in both arms of R0`.
fn sentence(positions: &[Position], holds: &[Hold]) -> String {
    let kinds = [(Hold::Raw, "raw"), (Hold::Exposed, "exposed"), (Hold::Any, "any")];
    let parts = kinds.iter().filter_map(|(hold, word)| {
        let (places, number) = places(positions, holds, *hold);
        let what = match (*hold, number) {
            (_, 0) => return None,
            (Hold::Any, 1) => "a wafer of either kind".to_owned(),
            (Hold::Any, _) => "wafers of either kind".to_owned(),
            (_, 1) => format!("{} {word} wafer", if *word == "raw" { "a" } else { "an" }),
            _ => format!("{word} wafers"),
        };
        Some(format!("{what} in {}", places.join(", ")))
    });
    let text = parts.collect::<Vec<_>>().join("; ");
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

fn lower(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

/// The positions that hold this, by name, and how many they are.
fn places(positions: &[Position], holds: &[Hold], hold: Hold) -> (Vec<String>, usize) {
    let held: Vec<usize> = (0..positions.len()).filter(|at| holds[*at] == hold).collect();
    let robot = |at: usize| match positions[at].place {
        Place::Arm { robot, .. } => Some(robot),
        _ => None,
    };
    let mut names = Vec::new();
    let mut both = Vec::new();
    let mut rest = held.as_slice();
    while let [first, after @ ..] = rest {
        let name = &positions[*first].name;
        // A robot has two arms at most, beside each other.
        let is_both = |next: &usize| robot(*first).is_some() && robot(*next) == robot(*first);
        if after.first().is_some_and(is_both) {
            both.push(robot_name(name));
            rest = &after[1..];
        } else {
            names.push(name.clone());
            rest = after;
        }
    }
    if !both.is_empty() {
        names.push(format!("both arms of {}", both.join(", ")));
    }
    (names, held.len())
}

fn robot_name(position: &str) -> &str {
    position.rsplit_once('.').map_or(position, |(robot, _)| robot)
}

/// `locks > > . . | R0 < < | R1 . . | chucks . .`
fn line(positions: &[Position], class: &Class) -> String {
    let mut out = String::new();
    let mut last = None;
    for (position, hold) in positions.iter().zip(&class.first.0) {
        let group = match position.place {
            Place::Lock(_) => "locks",
            Place::Arm { .. } => robot_name(&position.name),
            Place::Chuck(_) => "chucks",
        };
        if last != Some(group) {
            out.push_str(if last.is_some() { " | " } else { "" });
            out.push_str(group);
            last = Some(group);
        }
        out.push_str(match hold {
            Hold::Raw => " >",
            Hold::Exposed => " <",
            Hold::Any => " #",
            Hold::Free => " .",
        });
    }
    out
}
