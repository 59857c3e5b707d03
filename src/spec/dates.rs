//! Dates as tables write them: patterns such as `dd.mm.yyyy hh:MM`, and text that looks like a date
//! of whatever form.

use super::scalar::Scalar;
use jiff::civil::Date;
use std::fmt::Write;
use takt_diagnostic::{Diagnostic, Span};

const WORDS: [(&str, Field); 7] = [
    ("yyyy", Field::Year),
    ("yy", Field::ShortYear),
    ("mm", Field::Month),
    ("dd", Field::Day),
    ("hh", Field::Hour),
    ("MM", Field::Minute),
    ("ss", Field::Second),
];
const DAY: i32 = 86_400;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    Year,
    /// Of this century.
    ShortYear,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Number(Field),
    Sign(char),
}

/// How the dates of a table are written.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    parts: Vec<Part>,
    /// The parts that remain where a cell has no time of day; none if there is no such form.
    date: Vec<Part>,
}

/// A day, and seconds after its midnight where the time of day is written.
pub type Moment = (Date, Option<i32>);

/// Why a text is no date of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It is written otherwise.
    Form,
    NoSuchDate,
    NoSuchTime,
}

impl Pattern {
    /// What is wrong with a pattern is said in words, with a hint.
    pub fn new(text: &str) -> Result<Pattern, (String, &'static str)> {
        let parts = parts(text)?;
        let fields = |part: &Part| match part {
            Part::Number(field) => Some(*field),
            Part::Sign(_) => None,
        };
        let all: Vec<Field> = parts.iter().filter_map(fields).collect();
        for field in &all {
            if all.iter().filter(|other| *other == field).count() > 1 {
                let message = format!("`{}` stands in this pattern twice", field.word());
                return Err((message, "`mm` is the month, `MM` the minute"));
            }
        }
        let has = |field: Field| all.contains(&field);
        let is_day = has(Field::Day) && has(Field::Month);
        if !is_day || has(Field::Year) == has(Field::ShortYear) {
            let message = "a pattern of dates has a day, a month and a year".to_owned();
            return Err((message, "such as `dd.mm.yyyy`, or `mm/dd/yy hh:MM`"));
        }
        if has(Field::Hour) != has(Field::Minute) || has(Field::Second) && !has(Field::Hour) {
            let message = "a time of day has hours and minutes".to_owned();
            return Err((message, "such as `hh:MM` or `hh:MM:ss`; `mm` is the month"));
        }
        let date = without_time(&parts);
        Ok(Pattern { text: text.to_owned(), parts, date })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn read(&self, text: &str) -> Result<Moment, Misfit> {
        let found = fit(&self.parts, text).or_else(|| fit(&self.date, text));
        found.ok_or(Misfit::Form)?.moment()
    }
}

impl Field {
    fn word(self) -> &'static str {
        WORDS.iter().find(|(_, field)| *field == self).map_or("", |(word, _)| word)
    }

    fn is_time(self) -> bool {
        self >= Field::Hour
    }

    /// How many digits it has at least and at most, where a sign or the end follows.
    fn digits(self) -> (usize, usize) {
        match self {
            Field::Year => (4, 4),
            Field::Month | Field::Day | Field::Hour => (1, 2),
            Field::ShortYear | Field::Minute | Field::Second => (2, 2),
        }
    }
}

fn parts(text: &str) -> Result<Vec<Part>, (String, &'static str)> {
    const LIKE: &str = "a pattern is made of yyyy, yy, mm, dd, hh, MM, ss and the signs between";
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while let Some(next) = rest.chars().next() {
        if let Some((word, field)) = WORDS.iter().find(|(word, _)| rest.starts_with(word)) {
            parts.push(Part::Number(*field));
            rest = &rest[word.len()..];
            continue;
        }
        if next.is_alphanumeric() && next != 'T' {
            return Err((format!("`{next}` stands for nothing in a pattern of dates"), LIKE));
        }
        parts.push(Part::Sign(next));
        rest = &rest[next.len_utf8()..];
    }
    Ok(parts)
}

/// The part before or behind the time of day, without the signs in between.
fn without_time(parts: &[Part]) -> Vec<Part> {
    let is = |part: &Part, time: bool| matches!(part, Part::Number(f) if f.is_time() == time);
    let first_time = parts.iter().position(|part| is(part, true));
    let Some(first_time) = first_time else { return Vec::new() };
    let (Some(first), Some(last)) = (
        parts.iter().position(|part| is(part, false)),
        parts.iter().rposition(|part| is(part, false)),
    ) else {
        return Vec::new();
    };
    let is_apart = last < first_time || parts.iter().rposition(|p| is(p, true)) < Some(first);
    if is_apart { parts[first..=last].to_vec() } else { Vec::new() }
}

/// The numbers of a text, in the sequence of [`Field`].
struct Found([Option<i32>; 7]);

fn fit(parts: &[Part], text: &str) -> Option<Found> {
    let mut found = Found([None; 7]);
    let mut rest = text;
    for (place, part) in parts.iter().enumerate() {
        match part {
            Part::Sign(sign) if sign.is_whitespace() => {
                let after = rest.trim_start();
                if after.len() == rest.len() {
                    return None;
                }
                rest = after;
            }
            Part::Sign(sign) => rest = rest.strip_prefix(*sign)?,
            Part::Number(field) => {
                // Without a sign between them only the number of digits tells numbers apart.
                let is_number = |part: Option<&Part>| matches!(part, Some(Part::Number(_)));
                let is_beside =
                    is_number(parts.get(place + 1)) || place > 0 && is_number(parts.get(place - 1));
                let (least, most) = field.digits();
                let least = if is_beside { most } else { least };
                let length = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
                if length < least {
                    return None;
                }
                found.0[*field as usize] = rest[..length].parse().ok();
                rest = &rest[length..];
            }
        }
    }
    (rest.is_empty() && !parts.is_empty()).then_some(found)
}

impl Found {
    fn moment(&self) -> Result<Moment, Misfit> {
        let get = |field: Field| self.0[field as usize];
        let year = get(Field::Year).or(get(Field::ShortYear).map(|year| 2000 + year));
        let [month, day] = [Field::Month, Field::Day].map(|field| get(field).unwrap_or(0));
        let date = Date::new(year.unwrap_or(0) as i16, month as i8, day as i8);
        let date = date.map_err(|_| Misfit::NoSuchDate)?;
        let Some(hour) = get(Field::Hour) else { return Ok((date, None)) };
        let [minute, second] = [Field::Minute, Field::Second].map(|f| get(f).unwrap_or(0));
        let seconds = hour * 3600 + minute * 60 + second;
        let is_right = minute < 60 && second < 60 && seconds <= DAY;
        if is_right { Ok((date, Some(seconds))) } else { Err(Misfit::NoSuchTime) }
    }
}

/// A moment in the language's own words.
pub fn written(date: Date, seconds: i32) -> String {
    let mut text = format!("{date}T{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
    if seconds % 60 != 0 {
        let _ = write!(text, ":{:02}", seconds % 60);
    }
    text
}

/// Whether this is a day as the language itself writes it: `2026-01-05`.
pub fn is_day(text: &str) -> bool {
    let shape = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(shape)
}

/// Whether this is meant to be a day, or a moment, as the language writes them.
pub fn is_near(text: &str) -> bool {
    let day = text.split('T').next().unwrap_or("");
    let parts: Vec<&str> = day.split('-').collect();
    let is_number = |part: &&str| part.bytes().all(|b| b.is_ascii_digit());
    parts.len() == 3 && parts[0].len() == 4 && parts.iter().all(is_number)
}

/// The patterns by which a text can be read as a date; none if it does not look like one.
pub fn patterns(text: &str) -> Vec<String> {
    let text = text.trim();
    let end = text.find(|c: char| c.is_whitespace() || c == 'T').unwrap_or(text.len());
    let (date, time) = text.split_at(end);
    let Some(time) = time_pattern(time) else { return Vec::new() };
    let Some(sign) = date.chars().find(|c| !c.is_ascii_digit()) else { return Vec::new() };
    let groups: Vec<&str> = date.split(sign).collect();
    let is_number = |group: &&str| group.bytes().all(|b| b.is_ascii_digit());
    let &[a, b, c] = &groups[..] else { return Vec::new() };
    if !['/', '.', '-'].contains(&sign) || ![a, b, c].iter().all(is_number) {
        return Vec::new();
    }
    let is_short = |group: &str| (1..=2).contains(&group.len());
    let forms: &[[&str; 3]] = match (a.len(), b.len(), c.len()) {
        (4, _, _) if is_short(b) && is_short(c) => &[["yyyy", "mm", "dd"], ["yyyy", "dd", "mm"]],
        (_, _, 4) if is_short(a) && is_short(b) => &[["dd", "mm", "yyyy"], ["mm", "dd", "yyyy"]],
        (_, _, 2) if is_short(a) && is_short(b) => &[["dd", "mm", "yy"], ["mm", "dd", "yy"]],
        _ => &[],
    };
    let mut fitting: Vec<_> = forms.iter().filter(|form| is_possible(form, [a, b, c])).collect();
    // With points, and with the year in front, only one sequence is in use.
    if sign == '.' || a.len() == 4 {
        fitting.truncate(1);
    }
    fitting.iter().map(|form| format!("{}{time}", form.join(&sign.to_string()))).collect()
}

/// Whether these numbers may be a day, a month and a year, also one on which the month has no such day.
fn is_possible(form: &[&str; 3], groups: [&str; 3]) -> bool {
    form.iter().zip(groups).all(|(word, group)| {
        let number: u32 = group.parse().unwrap_or(0);
        match *word {
            "dd" => (1..=31).contains(&number),
            "mm" => (1..=12).contains(&number),
            "yyyy" => (1900..2200).contains(&number),
            _ => true,
        }
    })
}

/// The end of a pattern, for what follows the date; nothing for nothing.
fn time_pattern(text: &str) -> Option<&'static str> {
    let is_t = text.starts_with('T');
    let text = text.trim_start_matches('T').trim();
    if text.is_empty() {
        return (!is_t).then_some("");
    }
    let parts: Vec<&str> = text.split(':').collect();
    let is_number =
        |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    match (parts.iter().all(is_number), parts.len(), is_t) {
        (true, 2, false) => Some(" hh:MM"),
        (true, 3, false) => Some(" hh:MM:ss"),
        (true, 2, true) => Some("Thh:MM"),
        (true, 3, true) => Some("Thh:MM:ss"),
        _ => None,
    }
}

/// A date where something else is wanted, or one of a form that is not the language's.
pub fn foreign(text: &Scalar, what: &str) -> Option<Box<Diagnostic>> {
    let patterns = patterns(&text.text);
    let first = patterns.first()?;
    let like: Vec<String> = patterns.iter().map(|p| format!("`dates: {p}`")).collect();
    let like = like.join(" or ");
    let shown = &text.text;
    let (message, hint) = match what {
        "an instant" => (
            format!("`{shown}` looks like a date of another form"),
            format!(
                "a table says beside its `file` how it writes dates: {like}; a spec writes them \
                 like `2026-01-05T06:00`"
            ),
        ),
        _ if first.starts_with("yyyy-mm-dd") => (
            format!("`{shown}` is a date, not {what}"),
            "what a table writes as dates (`dates`) is for release, due and deadline".to_owned(),
        ),
        _ => (
            format!("`{shown}` looks like a date, not like {what}"),
            match shown.contains('.') {
                true => format!("dates of tables follow {like}"),
                false => {
                    format!("with blanks around its signs it is computed; dates follow {like}")
                }
            },
        ),
    };
    Some(Box::new(Diagnostic::error("bad-date", text.span, message).hint(hint)))
}

/// A cell that is not what its table's pattern says.
pub fn misfit(why: Misfit, pattern: &Pattern, cell: &str, span: Span) -> Box<Diagnostic> {
    let pattern = pattern.text();
    Box::new(match why {
        Misfit::Form => {
            let message = format!("`{cell}` is not written like `{pattern}`, as `dates` says");
            let found = Diagnostic::error("bad-date", span, message);
            match patterns(cell).first() {
                Some(other) => found.hint(format!("it looks like `{other}`")),
                None => found,
            }
        }
        Misfit::NoSuchDate => {
            let found = Diagnostic::error("bad-date", span, format!("`{cell}` does not exist"));
            found.hint(format!("it is read as `{pattern}`, as `dates` says"))
        }
        Misfit::NoSuchTime => {
            let message = "a time of day lies between `00:00` and `24:00`";
            Diagnostic::error("bad-date", span, message)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pattern: &str, text: &str) -> Result<String, Misfit> {
        let (date, time) = Pattern::new(pattern).unwrap().read(text)?;
        Ok(time.map_or(date.to_string(), |time| written(date, time)))
    }

    #[test]
    fn patterns_read_what_tables_write() {
        for (pattern, text, date) in [
            ("dd.mm.yyyy hh:MM", "03.11.2026 14:30", "2026-11-03T14:30"),
            ("dd.mm.yyyy hh:MM", "3.1.2026   6:05", "2026-01-03T06:05"),
            ("dd.mm.yyyy hh:MM", "3.11.2026", "2026-11-03"),
            ("mm/dd/yy", "11/03/26", "2026-11-03"),
            ("yyyymmdd", "20261103", "2026-11-03"),
            ("yyyymmddThhMMss", "20261103T235959", "2026-11-03T23:59:59"),
            ("yyyy-mm-dd hh:MM:ss", "2026-11-03 24:00:00", "2026-11-03T24:00"),
            ("hh:MM dd.mm.yy", "06:00 29.02.28", "2028-02-29T06:00"),
            ("hh:MM dd.mm.yy", "29.02.28", "2028-02-29"),
        ] {
            assert_eq!(read(pattern, text).as_deref(), Ok(date), "{pattern}: {text}");
        }
    }

    #[test]
    fn what_does_not_fit_or_exist_is_refused() {
        for (pattern, text, why) in [
            ("dd.mm.yyyy", "31.02.2026", Misfit::NoSuchDate),
            ("dd.mm.yyyy", "00.12.2026", Misfit::NoSuchDate),
            ("dd.mm.yyyy", "3.11.26", Misfit::Form),
            ("dd.mm.yyyy", "3.11.2026 14:00", Misfit::Form),
            ("dd.mm.yyyy", "2026-11-03", Misfit::Form),
            ("dd.mm.yyyy hh:MM", "3.11.2026 24:01", Misfit::NoSuchTime),
            ("dd.mm.yyyy hh:MM", "3.11.2026 1:60", Misfit::NoSuchTime),
            ("yyyymmdd", "2026113", Misfit::Form),
            ("dd.mm.yyyy", "", Misfit::Form),
            ("dd.mm.yyyy", "３.11.2026", Misfit::Form),
        ] {
            assert_eq!(read(pattern, text), Err(why), "{pattern}: {text}");
        }
    }

    #[test]
    fn a_pattern_has_each_part_once() {
        for text in [
            "dd.mm",
            "dd.mm.yyyy hh:mm",
            "d.m.yyyy",
            "yyyy yy mm dd",
            "dd.mm.yyyy hh",
            "",
            "dd.mm.yyyy ss",
            "DD.MM.YYYY",
        ] {
            assert!(Pattern::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn text_that_looks_like_a_date_is_known() {
        for (text, like) in [
            ("03/11/2026", &["dd/mm/yyyy", "mm/dd/yyyy"][..]),
            ("13/11/2026", &["dd/mm/yyyy"]),
            ("11/13/2026", &["mm/dd/yyyy"]),
            ("3.11.26", &["dd.mm.yy"]),
            ("31.02.2026 14:00", &["dd.mm.yyyy hh:MM"]),
            ("2026/11/03", &["yyyy/mm/dd"]),
            ("11-03-2026", &["dd-mm-yyyy", "mm-dd-yyyy"]),
            ("2026-11-03 06:00:00", &["yyyy-mm-dd hh:MM:ss"]),
            ("2026-11-03", &["yyyy-mm-dd"]),
            ("80/168", &[]),
            ("80/168/4000", &[]),
            ("1.5", &[]),
            ("3 / 11 / 2026", &[]),
            ("60/5/10", &[]),
            ("2h30m", &[]),
            ("2026-11-03x", &[]),
            ("1//2026", &[]),
        ] {
            assert_eq!(patterns(text), like, "{text}");
        }
    }
}
