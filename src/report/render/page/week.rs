//! Stretches of time that people know: weeks or days where civil time is known, otherwise equal parts.

use jiff::ToSpan;
use jiff::civil::DateTime;
use takt_spec::Time;

/// Instants from the first to the last, and what begins at each of them but the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretches {
    pub edges: Vec<i64>,
    pub names: Vec<String>,
}

/// At most so many, up to an end.
pub fn stretches(time: &Time, end: i64, most: usize) -> Stretches {
    let end = end.max(1);
    civil(time, end, most).unwrap_or_else(|| parts(end, most))
}

/// Days for up to two weeks, then weeks from Monday on, then several of them.
fn civil(time: &Time, end: i64, most: usize) -> Option<Stretches> {
    let unit = time.unit.seconds()?;
    let first = time.civil(0)?.date();
    let days = end.checked_mul(unit)? / 86_400 + 1;
    let step = match days {
        0..=14 => 1,
        _ => 7 * (days / 7 / most.max(1) as i64 + 1),
    };
    let monday = i64::from(first.weekday().to_monday_zero_offset());
    let mut at = if step == 1 { first } else { first.checked_sub(monday.days()).ok()? };
    let mut found = Stretches::default();
    loop {
        let begins = time.seconds_from_start(DateTime::from(at))?.div_euclid(unit);
        let is_over = begins >= end;
        found.edges.push(begins.clamp(0, end));
        if is_over {
            return Some(found);
        }
        let form = if step == 1 { "%a %-d %b" } else { "%-d %b" };
        found.names.push(at.strftime(form).to_string());
        at = at.checked_add(step.days()).ok()?;
    }
}

fn parts(end: i64, most: usize) -> Stretches {
    let steps = (0..18).flat_map(|digits| [1, 2, 5].map(|first| first * 10_i64.pow(digits)));
    let mut steps = steps.filter(|step| end / step < most as i64);
    let step = steps.next().unwrap_or(end);
    let edges: Vec<i64> = (0..).map(|k| k * step).take_while(|&at| at < end).collect();
    let names = edges.iter().map(|at| at.to_string()).collect();
    Stretches { edges: edges.into_iter().chain([end]).collect(), names }
}

#[cfg(test)]
mod tests {
    use super::*;
    use takt_spec::{At, Unit};

    #[test]
    fn stretches_are_days_weeks_or_round_numbers() {
        let plain = stretches(&Time::default(), 55, 12);
        assert_eq!(plain.edges, [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]);
        assert_eq!(stretches(&Time::default(), 0, 12).edges, [0, 1]);
        let start = Some(At { value: "2026-01-07T06:00:00".parse().unwrap(), ..At::default() });
        let time = Time { unit: Unit::Hour, start, zone: None };
        let days = stretches(&time, 50, 12);
        assert_eq!((days.edges, days.names[0].as_str()), (vec![0, 18, 42, 50], "Wed 7 Jan"));
        let weeks = stretches(&time, 24 * 20, 12);
        assert_eq!((weeks.edges, weeks.names[0].as_str()), (vec![0, 114, 282, 450, 480], "5 Jan"));
        assert!(stretches(&time, 24 * 4000, 12).names.len() <= 13);
        assert!(stretches(&time, 1_000_000_000, 12).names.len() <= 13);
    }
}
