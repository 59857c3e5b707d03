//! Single values, right and wrong: a table of texts.

use super::*;
use jiff::ToSpan;
use jiff::civil::{Weekday, date};

/// The only step's duration with the unit minute and an order of size 7, in units.
fn duration(text: &str) -> Result<Exact, Vec<String>> {
    let spec = format!(
        "takt: 1\ntime: {{unit: minute}}\nrecipes: {{r: {{steps: [{{name: s, duration: {text}}}]}}}}\n\
         orders: [{{id: x, recipe: r, size: 7, attributes: {{half: 0.5, long: 2h, word: abc}}}}]\n"
    );
    match read(&spec, FileId(0)) {
        Ok((spec, _)) => {
            let expr = &spec.recipes[0].steps[0].alternatives[0].duration;
            Ok(expr.duration(spec.scope(&spec.orders[0])).unwrap())
        }
        Err(_) => Err(errors(&spec)),
    }
}

#[test]
fn durations_are_exact() {
    let cases = [
        ("0", (0, 1)),
        ("90", (90, 1)),
        ("\"90\"", (90, 1)),
        ("2h30m", (150, 1)),
        ("1w2d3h4min", (10_080 + 2880 + 180 + 4, 1)),
        ("1.5h", (90, 1)),
        ("120s", (2, 1)),
        (".5h", (30, 1)),
        ("\"2h + size * 0.2min\"", (1214, 10)),
        ("2h + size * 0.2min", (1214, 10)),
        ("2h + 30", (150, 1)),
        ("(2h - 30) / 2", (45, 1)),
        ("long / 1h * 10", (20, 1)),
        ("size / 3", (7, 3)),
        ("half * long", (60, 1)),
        ("2 * -(-3)", (6, 1)),
        ("+5", (5, 1)),
        ("\"1 - 2 - -3\"", (2, 1)),
        ("12 / 2 / 3", (2, 1)),
        ("2 + 3 * 4", (14, 1)),
    ];
    for (text, (a, b)) in cases {
        assert_eq!(duration(text), Ok(Exact::new(a, b)), "{text}");
    }
}

#[test]
fn wrong_durations_are_underlined_where_they_are_wrong() {
    let cases = [
        ("90s", "not-whole@90s"),
        ("0.5", "not-whole@0.5"),
        ("-3", "out-of-range@-3"),
        ("2 - 3h", "out-of-range@2 - 3h"),
        ("2h * long", "bad-expression@2h * long"),
        ("1 + 3 / long", "bad-expression@3 / long"),
        ("1 + 3 / (size - 7)", "bad-expression@3 / (size - 7)"),
        ("2h + sice", "unknown-name@sice"),
        ("2h + word", "bad-expression@word"),
        ("2h +", "bad-value@2h +"),
        ("2h 30m", "bad-value@30m"),
        ("30m2h", "bad-value@30m2h"),
        ("2hours", "bad-value@2hours"),
        ("2h + 3 % 4", "bad-value@%"),
        ("\"0,5\"", "bad-value@,"),
        ("(2h", "bad-value@(2h"),
        ("2h)", "bad-value@)"),
        ("2 + 1e3", "bad-value@1e3"),
        ("1.2.3", "bad-value@.3"),
        ("''", "bad-value@''"),
        ("[1]", "bad-type@[1]"),
        ("10000000 * 10000000", "out-of-range@10000000 * 10000000"),
        ("1234567890123456", "bad-value@1234567890123456"),
    ];
    for (text, expected) in cases {
        assert_eq!(duration(text), Err(vec![expected.to_owned()]), "{text}");
    }
}

#[test]
fn ticks_have_no_length() {
    let text = GOOD.replace("duration: 2", "duration: 2h");
    assert_eq!(errors(&text), ["missing-unit@2h"]);
    let text = GOOD.replace("recipe: box}", "recipe: box, holding-cost: 3/h}");
    assert_eq!(errors(&text), ["missing-unit@h"]);
}

#[test]
fn rates_come_out_as_decimals_or_are_expressions() {
    let rate = |text: &str| -> Result<bool, Vec<String>> {
        let text = RICH.replace("delay-cost: 3,", &format!("delay-cost: {text},"));
        match read(&text, FileId(0)) {
            Ok((spec, _)) => Ok(spec.orders[0].delay_cost.as_ref().unwrap().per.is_some()),
            Err(_) => Err(errors(&text)),
        }
    };
    for (text, has_time) in [
        ("0", false),
        ("0.000001", false),
        ("500/min", true),
        ("12/h", true),
        ("\"size * 0.1 / h\"", true),
        ("size / 3", false),
    ] {
        assert_eq!(rate(text), Ok(has_time), "{text}");
    }
    for (text, expected) in [
        ("0.0000001", "not-exact@0.0000001"),
        ("1/h", "not-exact@1/h"),
        ("-1", "out-of-range@-1"),
        ("2h", "bad-expression@2h"),
        ("3/long", "unknown-name@long"),
        ("999999999999 * 2", "out-of-range@999999999999 * 2"),
        ("9999999999999", "bad-value@9999999999999"),
    ] {
        assert_eq!(rate(text), Err(vec![expected.to_owned()]), "{text}");
    }
}

#[test]
fn shares_are_exact_fractions() {
    let (spec, _) = read(RICH, FileId(0)).unwrap();
    assert_eq!(spec.resource("mill").unwrap().availability.unwrap().value, Exact::new(10, 21));
    assert_eq!(spec.resource("spinner").unwrap().performance.unwrap().value, Exact::new(9, 10));
    for wrong in ["0", "1.01", "-0.5", "168/80"] {
        let text = RICH.replace("80/168", wrong);
        assert_eq!(errors(&text), [format!("out-of-range@{wrong}")]);
    }
    assert_eq!(errors(&RICH.replace("80/168", "1/1000000007")), ["out-of-range@1/1000000007"]);
    for wrong in ["1/0", "80%", "half", "2h", "1/2/3"] {
        assert_eq!(errors(&RICH.replace("80/168", wrong)).len(), 1, "{wrong}");
    }
}

#[test]
fn calendars_are_kept_as_written() {
    let (spec, _) = read(RICH, FileId(0)).unwrap();
    let Pattern::Civil(civil) = &spec.calendar("two-shift").unwrap().pattern else { panic!() };
    let weekly = civil.weekly.as_ref().unwrap();
    assert_eq!(weekly[0].days.value.len(), 4);
    assert_eq!(weekly[1].shifts[0].value, Shift { from: 6 * 3600, to: 14 * 3600 });
    let day = Edge::Day(date(2026, 1, 6));
    assert_eq!(civil.closed[0].value, Stretch { from: day, to: day });
    let to = Edge::Moment(date(2026, 1, 8).at(14, 0, 0, 0));
    assert_eq!(civil.closed[2].value.to, to);
    let Pattern::Civil(night) = &spec.calendar("night").unwrap().pattern else { panic!() };
    let night = &night.weekly.as_ref().unwrap()[0];
    let weekend = [Weekday::Friday, Weekday::Saturday, Weekday::Sunday, Weekday::Monday];
    assert_eq!(night.days.value, weekend);
    assert_eq!(night.shifts[0].value, Shift { from: 22 * 3600, to: 6 * 3600 });
}

#[test]
fn shifts_and_days_right_and_wrong() {
    let shift = |text: &str| {
        let text = RICH.replace("\"06:00-14:00\"", &format!("\"{text}\""));
        if read(&text, FileId(0)).is_ok() { Vec::new() } else { errors(&text) }
    };
    for right in ["00:00-24:00", "22:00-06:00", "06:00 - 14:00", "14:00-00:00"] {
        assert!(shift(right).is_empty(), "{right}");
    }
    for (wrong, expected) in [
        ("6:00-14:00", "bad-value@6:00"),
        ("06:00-14:60", "bad-value@14:60"),
        ("06:00-24:01", "bad-value@24:01"),
        ("24:00-06:00", "bad-value@24:00-06:00"),
        ("06:00-06:00", "bad-value@06:00-06:00"),
        ("06:00–14:00", "bad-value@–"),
        ("06:00", "bad-value@\"06:00\""),
        ("06:00-14:00 daily", "bad-value@ "),
        ("06:00:30-14:00", "not-whole@\"06:00:30-14:00\""),
    ] {
        assert_eq!(shift(wrong), [expected], "{wrong}");
    }
    let days = |text: &str| errors(&RICH.replace("Fri:", &format!("{text}:")));
    assert_eq!(days("Fry"), ["bad-value@Fry"]);
    assert_eq!(days("Fri-"), ["bad-value@Fri-"]);
    assert_eq!(days("fri"), ["bad-value@fri"]);
    assert!(read(&RICH.replace("Fri:", "\"Fri, Sun\":"), FileId(0)).is_ok());
}

#[test]
fn instants_right_and_wrong() {
    let due = |text: &str| {
        let text = RICH.replace("due: 2026-01-09T12:00", &format!("due: {text}"));
        if read(&text, FileId(0)).is_ok() { Vec::new() } else { errors(&text) }
    };
    // Before the start it stays negative; a time that does not exist is the first after it.
    for right in [
        "2026-01-09",
        "2026-01-09T24:00",
        "2025-12-31T00:00",
        "2026-03-29T02:30",
        "100",
        "2h + size",
    ] {
        assert!(due(right).is_empty(), "{right}: {:?}", due(right));
    }
    for (wrong, expected) in [
        ("9999-12-31", "bad-value@9999-12-31"),
        ("2026-02-30", "bad-value@2026-02-30"),
        ("2026-02-30T12:00", "bad-value@2026-02-30"),
        ("2026-1-9T12:00", "bad-value@2026-1-9"),
        ("2026-01-09T12:00Z", "bad-value@Z"),
        ("2026-01-09T12:00+01:00", "bad-value@+"),
        ("2026-01-09T25:00", "bad-value@25:00"),
        ("2026-01-09T12:00:30", "not-whole@2026-01-09T12:00:30"),
        ("9999-01-09T12:00", "not-whole@9999-01-09T12:00"),
        ("-5", "out-of-range@-5"),
    ] {
        assert_eq!(due(wrong), [expected], "{wrong}");
    }
}

#[test]
fn a_gap_ends_in_its_first_instant_and_a_doubled_time_is_the_first() {
    let zone = jiff::tz::TimeZone::get("Europe/Berlin").unwrap();
    let time = Time {
        unit: Unit::Minute,
        start: Some(At::new(date(2026, 3, 29).at(0, 0, 0, 0), Span::default())),
        zone: Some(At::new(zone, Span::default())),
    };
    let minutes = |day: jiff::civil::DateTime| time.seconds_from_start(day).unwrap() / 60;
    assert_eq!(minutes(date(2026, 3, 29).at(2, 0, 0, 0)), 120);
    assert_eq!(minutes(date(2026, 3, 29).at(2, 30, 0, 0)), 120);
    assert_eq!(minutes(date(2026, 3, 29).at(3, 0, 0, 0)), 120);
    assert_eq!(minutes(date(2026, 3, 30).at(0, 0, 0, 0)), 23 * 60);
    let autumn = minutes(date(2026, 10, 25).at(0, 0, 0, 0));
    assert_eq!(minutes(date(2026, 10, 25).at(2, 30, 0, 0)) - autumn, 150);
    assert_eq!(minutes(date(2026, 10, 25).at(3, 0, 0, 0)) - autumn, 240);
}

/// By definition, on clocks that jump by an hour, half an hour or a whole day: at the instant found the
/// clock shows the moment or, after a gap, more; and a second before it shows less, or what is doubled.
#[test]
fn moments_are_found_where_the_clock_first_shows_them() {
    let starts = [
        ("Europe/Berlin", date(2026, 3, 28)),
        ("Europe/Berlin", date(2026, 10, 24)),
        ("Australia/Lord_Howe", date(2026, 4, 4)),
        ("Australia/Lord_Howe", date(2026, 10, 3)),
        ("Pacific/Apia", date(2011, 12, 29)),
        ("America/New_York", date(2026, 3, 7)),
    ];
    for (name, start) in starts {
        let zone = jiff::tz::TimeZone::get(name).unwrap();
        let time = Time {
            unit: Unit::Second,
            start: Some(At::new(start.at(0, 0, 0, 0), Span::default())),
            zone: Some(At::new(zone, Span::default())),
        };
        for quarter in 0..3 * 96 {
            let moment = start.at(0, 0, 0, 0) + (15 * quarter).minutes();
            let at = time.seconds_from_start(moment).unwrap();
            let (before, here) = (time.civil(at - 1).unwrap(), time.civil(at).unwrap());
            assert!(here == moment || before < moment && moment < here, "{name} {moment}");
            let is_earlier = (1..100).any(|k| time.civil(at - 900 * k) == Some(moment));
            assert!(!is_earlier, "{name} {moment}");
        }
    }
}

#[test]
fn numbers_are_those_of_yaml() {
    let read_as = |capacity: &str, duration: &str| {
        let text = format!(
            "takt: 1
resources: {{m: {{capacity: {capacity}}}}}
recipes: {{r: {{steps: [{{name: 1e1, on: m, duration: {duration}}}]}}}}
orders: [{{id: 0x2, recipe: r}}]
"
        );
        let (spec, _) = read(&text, FileId(0)).map_err(|found| format!("{found:?}"))?;
        let step = &spec.recipes[0].steps[0];
        // What is a name stays as it is written.
        assert_eq!((step.name.value.as_str(), spec.orders[0].id.value.as_str()), ("1e1", "0x2"));
        let Units::Counted(count) = &spec.resources[0].units else { panic!("counted") };
        let duration = step.alternatives[0].duration.duration(spec.constants());
        Ok::<_, String>((count.value, duration.map_err(|fault| format!("{fault:?}"))?))
    };
    assert_eq!(read_as("0x1f", "1e1"), Ok((31, Exact::from(10))));
    assert_eq!(read_as("0o17", "2.5E+1"), Ok((15, Exact::from(25))));
    for wrong in ["0xg", "0x", "0o8", "1.5", "1e99"] {
        assert!(read_as(wrong, "1").is_err(), "{wrong}");
    }
    for wrong in ["1e99", "1e-1", "0x1.5", "1e"] {
        assert!(read_as("1", wrong).is_err(), "{wrong}");
    }
}

/// `count: 1e3` was refused where `duration: 1e3` was read: a whole number is one however it is written.
#[test]
fn whole_numbers_are_read_alike_everywhere() {
    let spec = |key: &str, value: &str| {
        let at = |wanted: &str, other: &str| {
            if key == wanted { value.to_owned() } else { other.to_owned() }
        };
        format!(
            "takt: {}\nresources: {{m: {{capacity: {}}}}}\nrecipes: {{r: {{steps: [{{name: s, on: {{m: {}}}, \
             duration: {}}}], holds: [{{resource: m, from: s, until: s, amount: {}}}]}}}}\n\
             orders: [{{id: x, recipe: r, count: {}}}]\nheuristics: [{{max-active: {}}}]\n",
            at("takt", "1"),
            at("capacity", "2000"),
            at("taken", "1"),
            at("duration", "1"),
            at("amount", "1"),
            at("count", "1"),
            at("most", "1"),
        )
    };
    for key in ["capacity", "taken", "duration", "amount", "count", "most"] {
        for value in [
            "1000",
            "+1000",
            "1e3",
            "1E+3",
            "10e2",
            "1000.0",
            "0.1e4",
            "1000000e-3",
            "0x3e8",
            "0o1750",
        ] {
            let text = spec(key, value);
            let found =
                read(&text, FileId(0)).unwrap_or_else(|e| panic!("{key}: {value}: {e:?}")).0;
            let plain = read(&spec(key, "1000"), FileId(0)).unwrap().0;
            assert_eq!(found.orders.len(), plain.orders.len(), "{text}");
            assert_eq!(
                format!("{:?}", found.heuristics.iter().map(|h| &h.value).collect::<Vec<_>>()),
                format!("{:?}", plain.heuristics.iter().map(|h| &h.value).collect::<Vec<_>>())
            );
            assert_eq!(found.resources[0].capacity(), plain.resources[0].capacity());
            assert_eq!(
                found.recipes[0].holds[0].amount.value,
                plain.recipes[0].holds[0].amount.value
            );
        }
        for value in ["1.5", "15e-1", "1e-3", "0.001e2"] {
            assert!(read(&spec(key, value), FileId(0)).is_err(), "{key}: {value}");
        }
    }
    assert!(read(&spec("takt", "1.0"), FileId(0)).is_ok());
}

/// A date alone is the end of that day where something is to be over, and its beginning everywhere else.
#[test]
fn dates_alone_are_read() {
    let text = "takt: 1
time: {unit: hour, start: 2026-11-02}
now: 2026-11-03
recipes: {r: {steps: [{name: s, duration: 1}]}}
orders:
  - {id: A, recipe: r, release: 2026-11-04, due: 2026-11-05, deadline: 2026-11-06, delay-cost: 1,
     pins: {s: {start: 2026-11-05}}}
";
    let spec = read(text, FileId(0)).unwrap().0;
    let moment = |instant: &Option<Instant>| match instant {
        Some(Instant::Civil(at)) => at.value,
        other => panic!("{other:?}"),
    };
    let midnight = |day| date(2026, 11, day).at(0, 0, 0, 0);
    let order = &spec.orders[0];
    assert_eq!(spec.time.start.unwrap().value, midnight(2));
    assert_eq!((moment(&spec.now), moment(&order.release)), (midnight(3), midnight(4)));
    assert_eq!((moment(&order.due), moment(&order.deadline)), (midnight(6), midnight(7)));
    assert_eq!(moment(&order.pins[0].start), midnight(5));
}
