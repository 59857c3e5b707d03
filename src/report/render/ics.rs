//! `schedule.ics`: an event for each step, for calendars (RFC 5545).
//!
//! With a zone events have instants that everybody understands alike, else local times of the plant. Without
//! civil time there is nothing to say: whoever asks for events then is told before solving.

use super::Sheet;
use super::sequence::Sequence;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use takt_spec::Time;
use takt_spec::schedule::{Kind, Row};

pub(super) fn ics(sheet: &Sheet) -> String {
    let mut out = Lines::default();
    out.line("BEGIN:VCALENDAR");
    out.line("VERSION:2.0");
    out.line("PRODID:-//takt//takt//EN");
    out.text("NAME", &sheet.headline.name);
    let moments = Moments::of(&sheet.account.time);
    for rows in steps(sheet).values() {
        event(&mut out, sheet, &moments, rows);
    }
    out.line("END:VCALENDAR");
    out.out
}

/// The rows of each step, by its place in the schedule.
fn steps<'a>(sheet: &Sheet<'a>) -> BTreeMap<usize, Vec<&'a Row>> {
    let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut steps: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
    let rows = Sequence::of(sheet.spec).sorted(&sheet.schedule.rows);
    for (place, row) in rows.into_iter().enumerate() {
        if matches!(row.kind, Kind::Step | Kind::Op) {
            let again = if row.kind == Kind::Op { place } else { usize::MAX };
            let first = match again {
                usize::MAX => *known.entry((&row.order, &row.step)).or_insert(place),
                place => place,
            };
            steps.entry(first).or_default().push(row);
        }
    }
    steps
}

fn event(out: &mut Lines, sheet: &Sheet, moments: &Moments, rows: &[&Row]) {
    let Some(row) = rows.first() else { return };
    let (Some(start), Some(end)) = (moments.told(row.start), moments.told(row.end)) else { return };
    let units: Vec<String> = rows.iter().filter_map(|row| taken(row)).collect();
    let order = sheet.account.orders.iter().find(|order| order.id == row.order);
    out.line("BEGIN:VEVENT");
    out.text(
        "UID",
        &format!("{}/{}/{}/{}@takt", sheet.headline.name, row.order, row.step, row.start),
    );
    // When the plan begins: a page of the same result has to be the same.
    out.line(&format!("DTSTAMP:{}", moments.stamp));
    out.line(&format!("DTSTART:{start}"));
    // An event that is over as it begins has no end.
    if row.end > row.start {
        out.line(&format!("DTEND:{end}"));
    }
    let what = [row.order.as_str(), &row.step].join(" ");
    out.text("SUMMARY", what.trim());
    if !units.is_empty() {
        out.text("LOCATION", &units.join(", "));
    }
    let mut about = vec![format!("recipe {}", row.recipe)];
    if let Some(order) = order.filter(|order| order.tardiness() > 0) {
        about.push(format!("order {} is late", order.id));
    }
    if !row.recipe.is_empty() {
        out.text("DESCRIPTION", &about.join("\n"));
    }
    out.line("END:VEVENT");
}

fn taken(row: &Row) -> Option<String> {
    (!row.resource.is_empty()).then(|| format!("{} {}", row.resource, row.unit).trim().to_owned())
}

/// Instants as RFC 5545 writes them.
struct Moments<'a> {
    time: &'a Time,
    /// Of instant 0, where a zone says which moment that is.
    zero: Option<Timestamp>,
    stamp: String,
}

impl<'a> Moments<'a> {
    fn of(time: &'a Time) -> Moments<'a> {
        let start = time.start.as_ref().map(|start| start.value);
        let zone = time.zone.as_ref().map(|zone| &zone.value);
        let zero = zone.zip(start).and_then(|(zone, start)| zone.to_timestamp(start).ok());
        let stamp = match (zero, start) {
            (Some(zero), _) => zero.strftime("%Y%m%dT%H%M%SZ").to_string(),
            (None, Some(start)) => start.strftime("%Y%m%dT%H%M%SZ").to_string(),
            (None, None) => "19700101T000000Z".to_owned(),
        };
        Moments { time, zero, stamp }
    }

    fn told(&self, instant: i64) -> Option<String> {
        let Some(zero) = self.zero else {
            return Some(self.time.civil(instant)?.strftime("%Y%m%dT%H%M%S").to_string());
        };
        let passed = SignedDuration::from_secs(instant.checked_mul(self.time.unit.seconds()?)?);
        Some(zero.checked_add(passed).ok()?.strftime("%Y%m%dT%H%M%SZ").to_string())
    }
}

#[derive(Default)]
struct Lines {
    out: String,
}

impl Lines {
    /// Lines of more than 75 bytes go on behind a space on the next one.
    fn line(&mut self, text: &str) {
        let mut room = 75;
        for letter in text.chars() {
            if letter.len_utf8() > room {
                self.out.push_str("\r\n ");
                room = 74;
            }
            self.out.push(letter);
            room -= letter.len_utf8();
        }
        self.out.push_str("\r\n");
    }

    /// Free text: what means something in the format is written otherwise, what may not occur is left out.
    fn text(&mut self, name: &str, text: &str) {
        let mut escaped = format!("{name}:");
        for letter in text.chars() {
            match letter {
                '\\' | ';' | ',' => escaped.extend(['\\', letter]),
                '\n' => escaped.push_str("\\n"),
                letter if letter.is_control() && letter != '\t' => {}
                letter => escaped.push(letter),
            }
        }
        self.line(&escaped);
    }
}
