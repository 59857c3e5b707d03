//! What is asked of each resource against what it can do, week by week, as text: weeks in which nothing is due
//! are told together, and more work than open time stands out.

use std::fmt::Write;
use takt_plant::{Load, Period};
use takt_spec::Time;

pub fn text(time: &Time, loads: &[Load]) -> String {
    let mut out =
        String::from("\nload: work asked for by orders due then, against open time of all units\n");
    let width = loads.iter().map(|load| load.resource.chars().count()).max().unwrap_or(0);
    let mut name = "";
    let mut rest = loads;
    let mut free = 0;
    while let Some(first) = rest.first() {
        if name != first.resource {
            free = 0;
        }
        let alike = |load: &&Load| is_empty(load) && load.resource == first.resource;
        let empty = rest.iter().take_while(alike).count();
        let (line, told) = match empty {
            0 => (line(time, first, free), 1),
            _ => (nothing(time, &rest[..empty]), empty),
        };
        free = rest[..told].iter().fold(free, |free, load| free_after(load, free));
        let resource = if name == first.resource { "" } else { &first.resource };
        let _ = writeln!(out, "  {resource:width$}  {line}");
        name = &first.resource;
        rest = &rest[told..];
    }
    out
}

fn is_empty(load: &Load) -> bool {
    load.most == 0 && load.period.is_some()
}

fn nothing(time: &Time, weeks: &[Load]) -> String {
    let ends = weeks.first().zip(weeks.last());
    let ends = ends.and_then(|(first, last)| Some((first.period?.from, last.period?.to)));
    let (from, to) = ends.unwrap_or_default();
    let open = weeks.iter().filter_map(|week| week.capacity).fold(0_i64, i64::saturating_add);
    format!("{}: nothing of {}", span(time, Period { from, to }), time.work(open))
}

/// Open time that is left at the end of a week and may serve what is due later.
fn free_after(load: &Load, before: i64) -> i64 {
    load.capacity.map_or(before, |capacity| before.saturating_add(capacity - load.least).max(0))
}

fn line(time: &Time, load: &Load, free: i64) -> String {
    let when = match load.period {
        None => "without a date or later".to_owned(),
        Some(period) => span(time, period),
    };
    let work = match load.least == load.most {
        true => time.work(load.least),
        false => format!("{} to {}", time.work(load.least), time.work(load.most)),
    };
    let Some(capacity) = load.capacity else { return format!("{when}: {work}") };
    let share = load.least as f64 / capacity.max(1) as f64 * 100.0;
    let mark = match load.least - capacity {
        excess if excess > free => format!("  <-- OVERLOAD, {} too much", time.work(excess - free)),
        excess if excess > 0 => format!(", {} of it before", time.work(excess)),
        _ => String::new(),
    };
    format!("{when}: {work} of {}, {share:.0} %{mark}", time.work(capacity))
}

fn span(time: &Time, period: Period) -> String {
    format!("{} to {}", time.told(period.from), time.told_end(period.to))
}
