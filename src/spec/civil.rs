//! The meaning of what the grammar of civil time recognises: dates that exist, times of day.

use super::phrase::Wrong;
use super::{Edge, Shift, Stretch};
use jiff::civil::{Date, DateTime, Weekday};

/// Seconds after midnight, 24:00 included.
pub type DayTime = i32;

pub const DAY: i32 = 86_400;

/// What a date without a time of day means behind a key: a due instant or a deadline is the end of that
/// day, everything else begins with it.
pub fn of_date_alone(key: &str) -> DayTime {
    if matches!(key, "due" | "deadline") { DAY } else { 0 }
}

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("Mon", Weekday::Monday),
    ("Tue", Weekday::Tuesday),
    ("Wed", Weekday::Wednesday),
    ("Thu", Weekday::Thursday),
    ("Fri", Weekday::Friday),
    ("Sat", Weekday::Saturday),
    ("Sun", Weekday::Sunday),
];

pub fn date(parts: [&str; 3], l: usize, r: usize) -> Result<Date, Wrong> {
    if parts.map(str::len) != [4, 2, 2] {
        return Err(Wrong::new(l, r, "a date is written like `2026-01-05`"));
    }
    let [year, month, day] = parts.map(|part| part.parse::<i16>().unwrap_or(0));
    Date::new(year, month as i8, day as i8)
        .map_err(|_| Wrong::new(l, r, "this date does not exist"))
}

pub fn clock(parts: [&str; 3], l: usize, r: usize) -> Result<DayTime, Wrong> {
    if parts.map(str::len) != [2, 2, 2] {
        return Err(Wrong::new(l, r, "a time of day is written like `06:00`"));
    }
    let [hour, minute, second] = parts.map(|part| part.parse::<i32>().unwrap_or(99));
    let seconds = hour * 3600 + minute * 60 + second;
    if minute > 59 || second > 59 || seconds > DAY {
        return Err(Wrong::new(l, r, "a time of day lies between `00:00` and `24:00`"));
    }
    Ok(seconds)
}

pub fn date_time(date: Date, time: DayTime, l: usize, r: usize) -> Result<DateTime, Wrong> {
    let date = if time == DAY { date.tomorrow() } else { Ok(date) };
    let date = date.map_err(|_| Wrong::new(l, r, "this date does not exist"))?;
    let time = time % DAY;
    let part = |of: i32| (time / of % 60) as i8;
    Ok(date.at((time / 3600) as i8, part(60), part(1), 0))
}

/// One edge alone must be a whole day.
pub fn single(day: Edge, l: usize, r: usize) -> Result<Stretch, Wrong> {
    match day {
        Edge::Day(_) => Ok(Stretch { from: day, to: day }),
        Edge::Moment(_) => {
            let wrong = Wrong::new(l, r, "this is an instant, not a stretch of time");
            Err(wrong.hint("write its end as well, such as `2026-01-08T10:00..2026-01-08T14:00`"))
        }
    }
}

pub fn stretch(from: Edge, to: Edge, l: usize, r: usize) -> Result<Stretch, Wrong> {
    let is_forward = match (from, to) {
        (Edge::Day(from), Edge::Day(to)) => from <= to,
        (Edge::Day(from), Edge::Moment(to)) => from.at(0, 0, 0, 0) < to,
        (Edge::Moment(from), Edge::Day(to)) => from.date() <= to,
        (Edge::Moment(from), Edge::Moment(to)) => from < to,
    };
    if is_forward {
        Ok(Stretch { from, to })
    } else {
        Err(Wrong::new(l, r, "this ends before it begins"))
    }
}

pub fn shift(from: DayTime, to: DayTime, l: usize, r: usize) -> Result<Shift, Wrong> {
    if from == DAY {
        let wrong = Wrong::new(l, r, "a shift begins before `24:00`");
        return Err(wrong.hint("let it begin at `00:00` of the next day"));
    }
    if from == to {
        let wrong = Wrong::new(l, r, "this shift has no length");
        return Err(wrong.hint("for a whole day write `00:00-24:00`"));
    }
    Ok(Shift { from, to })
}

pub fn weekday(word: &str, l: usize, r: usize) -> Result<Weekday, Wrong> {
    let hit = WEEKDAYS.iter().find(|(name, _)| *name == word);
    hit.map(|&(_, day)| day).ok_or_else(|| {
        let wrong = Wrong::new(l, r, format!("there is no weekday `{word}`"));
        wrong.hint("the weekdays are Mon, Tue, Wed, Thu, Fri, Sat, Sun")
    })
}

/// From one weekday to another, over the weekend where needed.
pub fn days(from: Weekday, to: Weekday) -> Vec<Weekday> {
    let mut days = vec![from];
    let mut day = from;
    while day != to {
        day = day.next();
        days.push(day);
    }
    days
}
