//! How a table writes numbers and dates, and its cells in the words of the language.

use super::dates::{self, Misfit, Pattern};
use super::form::Form;
use super::phrase;
use super::scalar::Scalar;
use takt_diagnostic::Diagnostic;

/// Midnight at the end of a day, in seconds.
const DAY: i32 = 86_400;
/// What may stand between the thousands of a number, beside the point or comma that is no decimal sign.
const GAPS: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '’'];

/// What is said beside a `file`.
#[derive(Clone, Debug)]
pub struct Dialect {
    pub separator: char,
    /// A point or a comma; without it numbers are written as in specs.
    pub decimal: Option<char>,
    pub dates: Option<Pattern>,
    /// When a day ends, in seconds after midnight.
    pub day_ends: i32,
}

impl Default for Dialect {
    fn default() -> Dialect {
        Dialect { separator: ',', decimal: None, dates: None, day_ends: DAY }
    }
}

type Translated = Result<Scalar, Box<Diagnostic>>;

impl Dialect {
    /// A cell as the language would write what stands behind a key of this form.
    pub fn translate(&self, cell: &Scalar, key: &str, form: &Form) -> Translated {
        match form {
            Form::Instant => self.instant(cell, matches!(key, "due" | "deadline")),
            Form::Whole { .. } | Form::Decimal | Form::Fraction => self.number(cell),
            Form::Duration | Form::Cost | Form::Rate => self.number(cell),
            _ => Ok(cell.clone()),
        }
    }

    /// A number or an expression.
    pub fn number(&self, cell: &Scalar) -> Translated {
        let Some(decimal) = self.decimal else { return self.as_in_specs(cell) };
        match plain(&cell.text, decimal) {
            Ok(text) if text == cell.text => Ok(cell.clone()),
            Ok(text) => Ok(Scalar { text, verbatim: None, ..cell.clone() }),
            Err((start, end)) => {
                let message = format!("`{}` is no number of this table", &cell.text[start..end]);
                let found = Diagnostic::error("bad-value", cell.part(start, end), message);
                let hint = format!("`decimal: \"{decimal}\"` says how its decimals are written");
                Err(Box::new(found.hint(hint)))
            }
        }
    }

    /// Nobody has said that decimals have commas, but they seem to have.
    fn as_in_specs(&self, cell: &Scalar) -> Translated {
        let is_number = |text: &str| phrase::decimal(text).is_some() || is_quantity(text);
        let comma = || plain(&cell.text, ',').is_ok_and(|text| is_number(&text));
        if cell.text.contains(',') && comma() {
            let message = "a decimal comma, in a table whose decimals have points";
            let found = Diagnostic::error("bad-value", cell.span, message);
            return Err(Box::new(found.hint("say `decimal: \",\"` beside `file`")));
        }
        Ok(cell.clone())
    }

    /// What may be a number or a time, and else is text.
    pub fn value(&self, cell: &Scalar) -> Scalar {
        let plain = self.decimal.and_then(|decimal| plain(&cell.text, decimal).ok());
        match plain.filter(|text| phrase::decimal(text).is_some() || is_quantity(text)) {
            Some(text) if text != cell.text => Scalar { text, verbatim: None, ..cell.clone() },
            _ => cell.clone(),
        }
    }

    /// A date as the pattern says or as in specs, or a time after 0. A day alone means its end or
    /// its beginning.
    pub fn instant(&self, cell: &Scalar, is_end: bool) -> Translated {
        let own = cell.text.split('T').next().is_some_and(dates::is_day);
        if let Some(pattern) = self.dates.as_ref().filter(|_| !own) {
            return match pattern.read(&cell.text) {
                Ok((date, time)) => Ok(self.moment(cell, date, time, is_end)),
                // A time after 0 cannot be mistaken for a date.
                Err(Misfit::Form) if self.number(cell).is_ok_and(|c| is_quantity(&c.text)) => {
                    self.number(cell)
                }
                Err(why) => Err(dates::misfit(why, pattern, &cell.text, cell.span)),
            };
        }
        match cell.text.parse() {
            Ok(date) if dates::is_day(&cell.text) => Ok(self.moment(cell, date, None, is_end)),
            _ if own => Ok(cell.clone()),
            _ => self.number(cell),
        }
    }

    fn moment(
        &self,
        cell: &Scalar,
        date: jiff::civil::Date,
        time: Option<i32>,
        is_end: bool,
    ) -> Scalar {
        let seconds = time.unwrap_or(if is_end { self.day_ends } else { 0 });
        Scalar { text: dates::written(date, seconds), verbatim: None, ..cell.clone() }
    }
}

fn is_quantity(text: &str) -> bool {
    !text.is_empty() && phrase::quantity(text).is_ok()
}

/// A text with its numbers as the language writes them; or where one begins and ends that has
/// another decimal sign.
pub fn plain(text: &str, decimal: char) -> Result<String, (usize, usize)> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut last = ' ';
    while let Some(next) = text[at..].chars().next() {
        let is_inside = last.is_alphanumeric() || last == '_';
        if next.is_ascii_digit() && !is_inside {
            let end = number(text, at, decimal, &mut out)?;
            last = '0';
            at = end;
        } else {
            let after = at + next.len_utf8();
            let is_point =
                next == decimal && text[after..].starts_with(|c: char| c.is_ascii_digit());
            out.push(if is_point { '.' } else { next });
            (last, at) = (next, after);
        }
    }
    Ok(out)
}

/// Writes the number that begins here, and gives where it ends.
fn number(
    text: &str,
    start: usize,
    decimal: char,
    out: &mut String,
) -> Result<usize, (usize, usize)> {
    let other = if decimal == ',' { '.' } else { ',' };
    let digits = |at: usize| text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let mut at = start + digits(start);
    out.push_str(&text[start..at]);
    let gap = text[at..].chars().next().filter(|c| *c == other || GAPS.contains(c));
    // Thousands come in groups of three, all with the same sign between.
    while let Some(gap) = gap.filter(|&gap| at - start <= 3 || text[start..at].contains(gap)) {
        let group = at + gap.len_utf8();
        if !text[at..].starts_with(gap) || digits(group) != 3 {
            break;
        }
        out.push_str(&text[group..group + 3]);
        at = group + 3;
    }
    if text[at..].starts_with(decimal) && digits(at + 1) > 0 {
        let end = at + 1 + digits(at + 1);
        out.push('.');
        out.push_str(&text[at + 1..end]);
        at = end;
    }
    if text[at..].starts_with([',', '.']) {
        let tail = text[at..].find(|c: char| !c.is_ascii_digit() && !",.".contains(c));
        return Err((start, tail.map_or(text.len(), |tail| at + tail)));
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tables_are_those_of_specs() {
        for (decimal, text, meant) in [
            (',', "1.234,5", "1234.5"),
            (',', "1 234 567", "1234567"),
            (',', "1\u{a0}234,5", "1234.5"),
            (',', "12'345", "12345"),
            (',', "2,5h", "2.5h"),
            (',', "2,5h + size * 0,25min", "2.5h + size * 0.25min"),
            (',', ",5", ".5"),
            (',', "-1.000", "-1000"),
            (',', "0815", "0815"),
            (',', "x1", "x1"),
            ('.', "1,234.5", "1234.5"),
            ('.', "12.5", "12.5"),
            ('.', "2 h", "2 h"),
            ('.', "", ""),
            ('.', "2026-11-03", "2026-11-03"),
        ] {
            assert_eq!(plain(text, decimal).as_deref(), Ok(meant), "{text}");
        }
    }

    #[test]
    fn numbers_with_other_signs_are_none() {
        for (decimal, text) in [
            (',', "12.5"),
            (',', "1.23.456"),
            ('.', "12,5"),
            (',', "1,2,3"),
            ('.', "1.2.3"),
            (',', "1234.567"),
        ] {
            assert!(plain(text, decimal).is_err(), "{text}");
        }
    }
}
