//! Open time: by hand, and against a clock that walks unit by unit.

use super::*;
use crate::civil::Clock;
use crate::open::{Open, common};
use takt_testing::Random;

fn open(text: &str, until: i64) -> Open {
    let spec = spec(text);
    Open::new(&spec, &Clock::new(&spec), &spec.calendars[0], until)
}

/// The windows that open before `until`, cut there.
fn windows(text: &str, until: i64) -> Vec<(i64, i64)> {
    let open = open(text, until);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((from, to)) = open.window(at).filter(|window| window.0 < until) {
        found.push((from, to.min(until)));
        at = to;
    }
    found
}

fn civil(time: &str, calendar: &str) -> String {
    format!(
        "takt: 1\ntime: {{unit: hour, {time}}}\ncalendars: {{c: {{{calendar}}}}}
resources: {{m: {{calendar: c}}}}\nrecipes: {{r: {{steps: [{{name: s, on: m, duration: 1}}]}}}}
orders: [{{id: A, recipe: r}}]\n"
    )
}

fn ticks(calendar: &str) -> String {
    civil("", calendar).replace("time: {unit: hour, }\n", "")
}

/// 2026-01-05 is a Monday.
const MONDAY: &str = "start: 2026-01-05T00:00";

#[test]
fn shifts_and_days() {
    let two = civil(MONDAY, "weekly: {Mon-Tue: [\"06:00-14:00\"]}");
    assert_eq!(windows(&two, 24 * 9), [(6, 14), (30, 38), (174, 182), (198, 206)]);
    // A night belongs to the day it starts on; Sunday's reaches into the first Monday.
    let nights = civil(MONDAY, "weekly: {Sun: [\"22:00-06:00\"]}");
    assert_eq!(windows(&nights, 24 * 8), [(0, 6), (24 * 7 - 2, 24 * 7 + 6)]);
    let later = civil("start: 2026-01-05T04:00", "weekly: {Sun: [\"22:00-06:00\"]}");
    assert_eq!(windows(&later, 24), [(0, 2)]);
    // Over the weekend, and one window across each midnight.
    let around = civil(MONDAY, "weekly: {Fri-Mon: [\"00:00-24:00\"]}");
    assert_eq!(windows(&around, 24 * 9), [(0, 24), (96, 192)]);
    let union = civil(MONDAY, "weekly: {Mon: [\"06:00-10:00\"], Mon-Tue: [\"08:00-12:00\"]}");
    assert_eq!(windows(&union, 48), [(6, 12), (32, 36)]);
}

#[test]
fn closed_days_and_open_stretches() {
    let night = "weekly: {Mon-Sun: [\"22:00-06:00\"]}, closed: [2026-01-07]";
    // Tuesday's night ends at midnight, and Wednesday's begins there.
    assert_eq!(windows(&civil(MONDAY, night), 75), [(0, 6), (22, 30), (46, 48), (72, 75)]);
    let reopened = format!("{night}, open: [2026-01-07T05:00..2026-01-07T07:00]");
    assert_eq!(
        windows(&civil(MONDAY, &reopened), 75),
        [(0, 6), (22, 30), (46, 48), (53, 55), (72, 75)]
    );
    let always =
        civil(MONDAY, "closed: [2026-01-05T03:00..2026-01-05T05:00, 2026-01-06..2026-01-07]");
    assert_eq!(windows(&always, 80), [(0, 3), (5, 24), (72, 80)]);
    let never = civil(
        MONDAY,
        "open: [2026-01-04T20:00..2026-01-05T02:00, 2026-01-05T02:00..2026-01-05T03:00]",
    );
    assert_eq!(windows(&never, 80), [(0, 3)]);
}

#[test]
fn daylight_saving() {
    let spring = "start: 2026-03-28T00:00, zone: Europe/Berlin";
    let night = "weekly: {Sat: [\"22:00-06:00\"]}";
    // The night of the change has seven hours, that in autumn nine.
    assert_eq!(windows(&civil(spring, night), 48), [(22, 29)]);
    let autumn = "start: 2026-10-24T00:00, zone: Europe/Berlin";
    assert_eq!(windows(&civil(autumn, night), 48), [(22, 31)]);
    // From 02:00 to 03:00 there is nothing in spring, and in autumn there are two hours.
    let early = "weekly: {Sun: [\"02:00-03:00\", \"01:00-02:00\"]}";
    assert_eq!(windows(&civil(spring, early), 48), [(25, 26)]);
    assert_eq!(windows(&civil(autumn, early), 48), [(25, 28)]);
    let half = "weekly: {Sun: [\"02:00-04:00\"]}";
    assert_eq!(windows(&civil(spring, half), 48), [(26, 27)]);
    let minutes = civil(spring, "weekly: {Sun: [\"02:30-04:00\"]}").replace("hour", "minute");
    assert_eq!(windows(&minutes, 48 * 60), [(26 * 60, 27 * 60)]);
    let doubled = civil(autumn, "weekly: {Sun: [\"02:30-03:30\"]}").replace("hour", "minute");
    assert_eq!(windows(&doubled, 48 * 60), [(26 * 60 + 30, 28 * 60 + 30)]);
    // A closed Sunday has 23 hours.
    let closed = "weekly: {Mon-Sun: [\"00:00-24:00\"]}, closed: [2026-03-29]";
    assert_eq!(windows(&civil(spring, closed), 60), [(0, 24), (47, 60)]);
}

#[test]
fn patterns() {
    assert_eq!(windows(&ticks("windows: [[0, 2], [2, 3], [5, 9]]"), 99), [(0, 3), (5, 9)]);
    assert_eq!(windows(&ticks("windows: [[-4, 2], [1, 3]]"), 99), [(0, 3)]);
    let around = ticks("windows: [[0, 2], [8, 10]], repeat: 10");
    assert_eq!(windows(&around, 31), [(0, 2), (8, 12), (18, 22), (28, 31)]);
    assert_eq!(
        open(&ticks("windows: [[5, 10], [0, 5]], repeat: 10"), 9).window(7),
        Some((0, i64::MAX))
    );
    assert_eq!(windows(&ticks("windows: [[3, 4]], repeat: 6"), 20), [(3, 4), (9, 10), (15, 16)]);
}

#[test]
fn instants_are_shown_in_civil_time() {
    let plain = spec(&civil("start: 2026-03-28T22:00, zone: Europe/Berlin", "weekly: {Mon: []}"));
    assert_eq!(Clock::new(&plain).show(5), "Sun 2026-03-29 04:00 (5)");
    let text = civil(MONDAY, "weekly: {Mon: []}").replace("hour", "second");
    assert_eq!(Clock::new(&spec(&text)).show(61), "Mon 2026-01-05 00:01:01 (61)");
    assert_eq!(Clock::new(&spec(&ticks("windows: []"))).show(-3), "-3");
}

/// A shop on one calendar: open from 2 to 5 and from 7 to 9, every 10.
fn shop(step: &str) -> String {
    ticks("windows: [[2, 5], [7, 9]], repeat: 10").replace("duration: 1", step)
}

#[test]
fn a_step_lies_inside_one_window() {
    let spec = shop("duration: 2");
    for start in [2, 3, 7, 12] {
        assert_eq!(broken(&spec, &format!("A s m 1 {start} {}", start + 2)), [""; 0]);
    }
    for start in [0, 1, 4, 5, 6, 8, 9] {
        assert_eq!(broken(&spec, &format!("A s m 1 {start} {}", start + 2)), ["A s calendar"]);
    }
}

#[test]
fn an_interruptible_step_works_in_all_open_time() {
    let spec = shop("duration: 4, interruptible: {max: 2}");
    assert_eq!(broken(&spec, "A s m 1 2 8"), [""; 0]);
    assert_eq!(broken(&spec, "A s m 1 2 9"), ["A s duration"]);
    assert_eq!(broken(&spec, "A s m 1 2 6"), ["A s duration"]);
    assert_eq!(broken(&spec, "A s m 1 1 8"), ["A s calendar"]);
    assert_eq!(broken(&spec, "A s m 1 3 9"), [""; 0]);
    // The pause from 9 to 12 is too long.
    assert_eq!(broken(&spec, "A s m 1 4 13"), ["A s pause"]);
    let free = shop("duration: 4, interruptible: true");
    assert_eq!(broken(&free, "A s m 1 4 13"), [""; 0]);
    // It ends when its work is done, not when work could go on.
    let three = shop("duration: 3, interruptible: true");
    assert_eq!(broken(&three, "A s m 1 2 5"), [""; 0]);
    assert_eq!(broken(&three, "A s m 1 2 7"), ["A s duration"]);
}

#[test]
fn several_calendars_and_units_of_their_own() {
    let text = "takt: 1
calendars: {a: {windows: [[0, 6]], repeat: 10}, b: {windows: [[4, 9]], repeat: 10}}
resources: {m: {units: {M1: {calendar: b}, M2: {}}, calendar: a}, n: {calendar: b}}
recipes: {r: {steps: [{name: s, on: [m, n], duration: 2}]}}
orders: [{id: A, recipe: r}]\n";
    assert_eq!(broken(text, "A s m M1 6 8; A s n - 6 8"), [""; 0]);
    assert_eq!(broken(text, "A s m M2 6 8; A s n - 6 8"), ["A s calendar"]);
    assert_eq!(broken(text, "A s m M2 4 6; A s n - 4 6"), [""; 0]);
    let patient = text.replace("duration: 2", "duration: 3, interruptible: true");
    assert_eq!(broken(&patient, "A s m M2 4 15; A s n - 4 15"), [""; 0]);
    assert_eq!(broken(&patient, "A s m M1 6 9; A s n - 6 9"), [""; 0]);
}

#[test]
fn closing_times_are_told_in_civil_time() {
    let text =
        civil(MONDAY, "weekly: {Mon: [\"06:00-14:00\"]}").replace("duration: 1", "duration: 3");
    let report = validate(&spec(&text), &schedule("A s m 1 12 15"));
    let message = "works until Mon 2026-01-05 15:00 (15), \
        but closing time is at Mon 2026-01-05 14:00 (14)";
    assert_eq!(report.errors[0].message, message);
}

/// A calendar of windows, and which of its units are open, asked one by one.
fn random_pattern(r: &mut Random) -> (String, impl Fn(i64) -> bool + use<>) {
    let edges = |r: &mut Random| {
        let from = r.amount(8);
        (from, from + 1 + r.amount(4))
    };
    let windows: Vec<(i64, i64)> = (0..1 + r.amount(3)).map(|_| edges(r)).collect();
    let last = windows.iter().map(|window| window.1).max().unwrap_or(1);
    let repeat = (r.amount(3) > 0).then(|| last + r.amount(3));
    let shown: Vec<String> = windows.iter().map(|(a, b)| format!("[{a}, {b}]")).collect();
    let ending = repeat.map_or(String::new(), |repeat| format!(", repeat: {repeat}"));
    let is_open = move |at: i64| {
        let at = repeat.map_or(at, |repeat| at % repeat);
        windows.iter().any(|&(from, to)| from <= at && at < to)
    };
    (format!("windows: [{}]{ending}", shown.join(", ")), is_open)
}

#[test]
fn patterns_agree_with_a_walk_unit_by_unit() {
    for seed in 0..300 {
        let mut r = Random::new(seed);
        let ((first, is_first), (second, is_second)) =
            (random_pattern(&mut r), random_pattern(&mut r));
        let (a, b) = (open(&ticks(&first), 60), open(&ticks(&second), 60));
        let is_open = |at: i64| is_first(at) && is_second(at);
        for at in 0..40 {
            let window = common(&[&a, &b], at, 60);
            let next = (at..60).find(|&at| is_open(at));
            assert_eq!(window.map(|w| w.0.max(at)), next, "{first} and {second} at {at}");
            let Some(next) = next else { continue };
            let (from, to) = window.unwrap();
            assert!((from..to.min(200)).all(is_open), "{first} and {second} at {at}");
            assert!(from == 0 || !is_open(from - 1), "{first} and {second} at {at}");
            assert!(to > next && (to >= 200 || !is_open(to)), "{first} and {second} at {at}");
        }
    }
}

#[test]
fn civil_calendars_agree_with_a_walk_hour_by_hour() {
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    for seed in 0..150 {
        let mut r = Random::new(seed);
        let first = r.amount(24);
        let shifts: Vec<_> =
            (0..1 + r.amount(3)).map(|_| (r.amount(7), r.amount(24), 1 + r.amount(24))).collect();
        let shifts: Vec<_> = shifts.into_iter().filter(|shift| shift.1 != shift.2).collect();
        let closed: Vec<i64> = (0..r.amount(3)).map(|_| r.amount(9)).collect();
        let extra: Vec<_> = (0..r.amount(2)).map(|_| (r.amount(9), r.amount(20))).collect();
        let line = |(k, (day, from, to)): (usize, &(i64, i64, i64))| {
            let also = days[(*day as usize + 1 + k) % 7];
            format!("\"{},{also}\": [\"{from:02}:00-{to:02}:00\"]", days[*day as usize])
        };
        let weekly: Vec<_> = shifts.iter().enumerate().map(line).collect();
        let shut: Vec<_> = closed.iter().map(|day| format!("2026-01-{:02}", 5 + day)).collect();
        let more: Vec<_> = extra
            .iter()
            .map(|(day, hour)| {
                format!("2026-01-{0:02}T{hour:02}:00..2026-01-{0:02}T{1:02}:00", 5 + day, hour + 3)
            })
            .collect();
        let calendar = format!(
            "weekly: {{{}}}, closed: [{}], open: [{}]",
            weekly.join(", "),
            shut.join(", "),
            more.join(", ")
        );
        let text = civil(&format!("start: 2026-01-05T{first:02}:00"), &calendar);
        // Hours are counted from Monday 00:00, from the week before on.
        let is_open = |hour: i64| {
            let in_shift = |(k, &(day, from, to)): (usize, &(i64, i64, i64))| {
                let length = if to > from { to - from } else { to + 24 - from };
                [day, (day + 1 + k as i64) % 7]
                    .iter()
                    .any(|day| (hour - day * 24 - from).rem_euclid(168) < length)
            };
            let usual = shifts.iter().enumerate().any(in_shift);
            let shut = closed.contains(&hour.div_euclid(24));
            usual && !shut
                || extra
                    .iter()
                    .any(|(day, from)| (day * 24 + from..day * 24 + from + 3).contains(&hour))
        };
        let mut walked: Vec<(i64, i64)> = Vec::new();
        for hour in (0..400).filter(|hour| is_open(hour + first)) {
            match walked.last_mut() {
                Some(last) if last.1 == hour => last.1 += 1,
                _ => walked.push((hour, hour + 1)),
            }
        }
        assert_eq!(windows(&text, 400), walked, "seed {seed}: {text}");
    }
}
