//! Calendars that build on others: what is read, and what is said of it.

use super::*;

fn with(calendars: &str) -> String {
    format!(
        "takt: 1
time: {{unit: hour, start: 2026-01-05T00:00}}
calendars: {{{calendars}}}
resources: {{m: {{calendar: a}}}}
recipes: {{r: {{steps: [{{name: s, on: m, duration: 1}}]}}}}
orders: [{{id: A, recipe: r}}]
"
    )
}

fn pattern(calendars: &str, name: &str) -> Pattern {
    let text = with(calendars);
    let spec = read(&text, FileId(0)).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}")).0;
    let found = spec.calendars.into_iter().find(|calendar| calendar.name.value == name);
    found.expect("a calendar").pattern
}

/// Stretches as they would be written.
fn stretches(all: &[At<Stretch>]) -> Vec<String> {
    let edge = |edge: Edge| match edge {
        Edge::Day(day) => day.to_string(),
        Edge::Moment(moment) => moment.strftime("%Y-%m-%dT%H:%M").to_string(),
    };
    all.iter().map(|s| format!("{}..{}", edge(s.value.from), edge(s.value.to))).collect()
}

#[test]
fn days_take_the_place_of_days() {
    let text = "b: {weekly: {Mon-Fri: ['06:00-22:00'], Sat: ['06:00-12:00']}}, \
                a: {like: b, weekly: {Fri: ['06:00-14:00'], Sat: []}}";
    let Pattern::Civil(civil) = pattern(text, "a") else { panic!("civil time") };
    let weekly = civil.weekly.unwrap();
    let days: Vec<(usize, usize)> =
        weekly.iter().map(|line| (line.days.value.len(), line.shifts.len())).collect();
    assert_eq!(days, [(4, 1), (1, 1), (1, 0)]);
}

#[test]
fn what_stands_later_wins() {
    let base =
        "b: {weekly: {Mon: ['06:00-22:00']}, closed: 2026-01-12, open: [2026-01-10..2026-01-12]}";
    let cases = [
        ("closed: 2026-01-11", "2026-01-10..2026-01-11T00:00 2026-01-12T00:00..2026-01-12"),
        ("closed: 2026-01-09..2026-01-10", "2026-01-11T00:00..2026-01-12"),
        ("closed: [2026-01-12..2026-01-13, 2026-01-09..2026-01-11]", ""),
        ("closed: 2026-01-13", "2026-01-10..2026-01-12"),
        (
            "closed: 2026-01-10T06:00..2026-01-12T12:00, open: 2026-01-11",
            "2026-01-10..2026-01-10T06:00 2026-01-12T12:00..2026-01-12 2026-01-11..2026-01-11",
        ),
    ];
    for (own, expected) in cases {
        let Pattern::Civil(civil) = pattern(&format!("{base}, a: {{like: b, {own}}}"), "a") else {
            panic!("civil time")
        };
        assert_eq!(stretches(&civil.open).join(" "), expected, "{own}");
        assert_eq!(stretches(&civil.closed)[0], "2026-01-12..2026-01-12", "{own}");
    }
}

#[test]
fn all_time_and_no_time_stay_what_they_are() {
    let weekly = |calendars: &str| match pattern(calendars, "a") {
        Pattern::Civil(civil) => civil.weekly.map(|weekly| weekly.len()),
        Pattern::Windows(_) => panic!("civil time"),
    };
    // Open but for a day; then on a Monday in the morning alone.
    assert_eq!(weekly("b: {closed: 2026-01-12}, a: {like: b, closed: 2026-01-13}"), None);
    let text = "b: {closed: 2026-01-12}, a: {like: b, weekly: {Mon: ['06:00-12:00']}}";
    assert_eq!(weekly(text), Some(2));
    // Extra work alone, of which some is taken away.
    let text = "b: {open: 2026-01-10..2026-01-12}, a: {like: b, closed: 2026-01-11}";
    assert_eq!(weekly(text), Some(0));
    assert_eq!(weekly("b: {closed: []}, a: {like: b, closed: []}"), Some(1));
}

#[test]
fn windows_are_added() {
    let text = "c: {windows: [[0, 2]], repeat: 10}, b: {like: c, windows: [[4, 6]]}, a: {like: b, repeat: 8}";
    let Pattern::Windows(windows) = pattern(text, "a") else { panic!("windows") };
    assert_eq!(windows.windows.len(), 2);
    assert!(windows.repeat.is_some());
}

#[test]
fn what_is_wrong_has_a_place() {
    let cases: &[(&str, &[&str])] = &[
        ("a: {like: day, closed: []}, days: {windows: [[0, 2]]}", &["unknown-name@day"]),
        ("a: {like: a}", &["cycle@a"]),
        ("a: {like: b}, b: {like: c, closed: []}, c: {like: b}, d: {like: a}", &["cycle@c"]),
        ("a: {like: b, closed: []}, b: {windows: [[0, 2]]}", &["bad-value@b"]),
        ("a: {like: b, repeat: 3}, b: {windows: [[0, 4]]}", &["bad-window@[0, 4]"]),
        ("a: {like: b, windows: [[0, 4]]}, b: {weekly: {Mon: 06:00-08:00}}", &["bad-value@b"]),
        ("a: {like: [b]}, b: {windows: [[0, 4]]}", &["bad-type@[b]"]),
        ("a: {like: b, windows: 3}, b: {windows: [[0, 4]]}", &["bad-type@3"]),
    ];
    for (calendars, expected) in cases {
        assert_eq!(errors(&with(calendars)), *expected, "{calendars}");
    }
}

/// Each takes over what all before it have.
#[test]
fn a_long_chain_ends_in_bounded_time() {
    let one = |k: usize| match k {
        0 => "a: {windows: [[0, 1]], repeat: 9}".to_owned(),
        _ => format!(
            "c{k}: {{like: {}, windows: [[2, 3]]}}",
            if k == 1 { "a".into() } else { format!("c{}", k - 1) }
        ),
    };
    let all: Vec<String> = (0..3000).map(one).collect();
    assert_eq!(errors(&with(&all.join(", "))), ["too-large@c2998"]);
}
