//! The small languages inside a single value: expressions, rates, fractions, civil time.
//!
//! Takes a scalar, gives its meaning as a tree, or a diagnostic that underlines the very
//! characters that are wrong.

use super::civil::{self, DayTime};
use super::civil_tokens::Token as CivilToken;
use super::expression_tokens::Token;
use super::scalar::Scalar;
use super::{
    At, Edge, Exact, Expr, ExprKind, Operator, Rate, Shift, Stretch, Suffix, dates, grammar,
};
use jiff::civil::{DateTime, Weekday};
use lalrpop_util::ParseError;
use logos::Logos;
use takt_diagnostic::{Diagnostic, Span};

/// Bounds the depth of expression trees, and so the recursion over them.
const MAX_TOKENS: usize = 400;

/// What is wrong with some bytes of a text.
#[derive(Clone, Debug)]
pub struct Wrong {
    start: usize,
    end: usize,
    message: String,
    hint: Option<String>,
}

impl Wrong {
    pub fn new(start: usize, end: usize, message: impl Into<String>) -> Wrong {
        Wrong { start, end, message: message.into(), hint: None }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Wrong {
        self.hint = Some(hint.into());
        self
    }
}

/// Why some characters are no token.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LexError {
    #[default]
    Character,
    NumberTooLong,
    /// Letters after a number that are no unit of time.
    Unit,
    /// `30m2h`, or one unit twice.
    UnitOrder,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

pub fn expression(text: &Scalar, what: &str) -> Parsed<Expr> {
    const LIKE: &str = "write a number, a time such as `2h30m`, or `2h + size * 0.2min`";
    // Nobody computes with days, months and years.
    if let Some(date) = dates::foreign(text, what) {
        return Err(date);
    }
    // The only numbers that are none of the language's own.
    if text.is_plain
        && text.text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        && text.text.contains(['e', 'E', 'x', 'o'])
        && let Some(value) = decimal(&text.text)
    {
        return Ok(literal(value, text.span));
    }
    let tokens = tokens::<Token>(text)?;
    let parsed = grammar::expression::SumParser::new().parse(text, tokens);
    parsed.map_err(|error| explain(text, error, what, LIKE))
}

fn literal(value: Exact, span: Span) -> Expr {
    let number = |value: Exact| Expr { kind: ExprKind::Number(value), span };
    match value < Exact::from(0) {
        true => Expr { kind: ExprKind::Negate(Box::new(number(-value))), span },
        false => number(value),
    }
}

/// A price per time: `3`, `500/min`, `"size * 0.1 / h"`.
pub fn rate(text: &Scalar, what: &str) -> Parsed<Rate> {
    let amount = expression(text, what)?;
    let span = amount.span;
    if let ExprKind::Binary(Operator::Div, left, right) = &amount.kind
        && let ExprKind::Name(name) = &right.kind
        && let Some(suffix) = Suffix::of(name)
    {
        let per = Some(At::new(suffix, right.span));
        return Ok(Rate { amount: (**left).clone(), per, span });
    }
    Ok(Rate { amount, per: None, span })
}

/// A share of one, not yet checked for its range.
pub fn fraction(text: &Scalar, what: &str) -> Parsed<At<Exact>> {
    let expr = expression(text, what)?;
    let value = match &expr.kind {
        ExprKind::Number(value) => Some(*value),
        ExprKind::Negate(inner) => match inner.kind {
            ExprKind::Number(value) => Some(-value),
            _ => None,
        },
        ExprKind::Binary(Operator::Div, left, right) => match (&left.kind, &right.kind) {
            (ExprKind::Number(a), ExprKind::Number(b)) if *b.numer() != 0 => Some(a / b),
            _ => None,
        },
        _ => None,
    };
    value.map(|value| At::new(value, text.span)).ok_or_else(|| {
        let message = format!("{what} is a decimal, or a fraction such as `80/168`");
        Box::new(Diagnostic::error("bad-value", text.span, message))
    })
}

/// Whether a text means civil time, right or wrong, rather than a duration.
pub fn is_civil(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut is_number = |length: std::ops::RangeInclusive<usize>| {
        let part = parts.next().unwrap_or("");
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        length.contains(&digits) && part.as_bytes().get(digits).is_none_or(|&b| b == b'T')
    };
    text.contains(':') || (is_number(4..=4) && is_number(1..=2) && is_number(1..=2))
}

/// A civil moment; a date alone means so many seconds after its midnight.
pub fn date_time(text: &Scalar, alone: DayTime) -> Parsed<DateTime> {
    if !dates::is_near(&text.text)
        && let Some(date) = dates::foreign(text, "an instant")
    {
        return Err(date);
    }
    const LIKE: &str = "civil time is written like `2026-01-05T06:00`";
    let tokens = tokens::<CivilToken>(text)?;
    let parsed = grammar::civil::InstantParser::new().parse(tokens);
    match parsed.map_err(|error| explain(text, error, "civil time", LIKE))? {
        Edge::Moment(moment) => Ok(moment),
        Edge::Day(date) => civil::date_time(date, alone, 0, text.text.len())
            .map_err(|wrong| Box::new(told(text, wrong))),
    }
}

/// A time after 0, which is not computed from numbers alone: these were a date, most likely.
pub fn instant(text: &Scalar) -> Parsed<Expr> {
    let expr = expression(text, "an instant")?;
    if matches!(expr.kind, ExprKind::Binary(..)) && is_bare(&expr) {
        let message = "an instant is not computed from numbers alone";
        let found = Diagnostic::error("bad-date", text.span, message);
        let hint = "write `8h`, or a date like `2026-01-05T06:00`; a table says beside its `file` how it \
                    writes dates: `dates: dd.mm.yyyy`";
        return Err(Box::new(found.hint(hint)));
    }
    Ok(expr)
}

/// Without names and without units of time.
fn is_bare(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) => true,
        ExprKind::Quantity(_) | ExprKind::Name(_) => false,
        ExprKind::Negate(inner) => is_bare(inner),
        ExprKind::Binary(_, left, right) => is_bare(left) && is_bare(right),
    }
}

/// `14:00` in seconds after midnight.
pub fn time_of_day(text: &Scalar) -> Parsed<i32> {
    let parts: Vec<&str> = text.text.trim().split(':').collect();
    let read = match parts[..] {
        [hour, minute] => civil::clock([hour, minute, "00"], 0, text.text.len()),
        [hour, minute, second] => civil::clock([hour, minute, second], 0, text.text.len()),
        _ => Err(Wrong::new(0, text.text.len(), "a time of day is written like `06:00`")),
    };
    read.map_err(|wrong| Box::new(Diagnostic::error("bad-value", text.span, wrong.message)))
}

pub fn stretch(text: &Scalar, what: &str) -> Parsed<At<Stretch>> {
    const LIKE: &str =
        "write `2026-01-06`, `2026-12-24..2026-12-31` or `2026-01-08T10:00..2026-01-08T14:00`";
    let tokens = tokens::<CivilToken>(text)?;
    let parsed = grammar::civil::StretchParser::new().parse(tokens);
    let value = parsed.map_err(|error| explain(text, error, what, LIKE))?;
    Ok(At::new(value, text.span))
}

pub fn shift(text: &Scalar) -> Parsed<At<Shift>> {
    const LIKE: &str = "a shift is written like `06:00-22:00`";
    let tokens = tokens::<CivilToken>(text)?;
    let parsed = grammar::civil::ShiftParser::new().parse(tokens);
    let value = parsed.map_err(|error| explain(text, error, "a shift", LIKE))?;
    Ok(At::new(value, text.span))
}

pub fn days(text: &Scalar) -> Parsed<At<Vec<Weekday>>> {
    const LIKE: &str = "days are written like `Mon`, `Mon-Thu` or `Mon,Wed`";
    let tokens = tokens::<CivilToken>(text)?;
    let parsed = grammar::civil::DaysParser::new().parse(tokens);
    let value = parsed.map_err(|error| explain(text, error, "days", LIKE))?;
    Ok(At::new(value, text.span))
}

/// A number of YAML's core schema: decimal digits with or without sign, point and exponent, or whole
/// in hexadecimal (`0x1f`) or octal (`0o17`) digits.
pub fn decimal(text: &str) -> Option<Exact> {
    if let Some(digits) = whole_digits(text) {
        return plain_decimal(&digits);
    }
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().ok().filter(|e: &i32| e.abs() <= MAX_EXPONENT)?;
    let power = Exact::from(10).pow(exponent);
    let value = plain_decimal(digits)? * power;
    let is_small = value.numer().abs() < 10i128.pow(21) && *value.denom() <= 10i128.pow(9);
    is_small.then_some(value)
}

/// Larger or finer numbers than these are none that anybody means.
const MAX_EXPONENT: i32 = 12;

/// The decimal digits of a whole number that is written in others.
pub fn whole_digits(text: &str) -> Option<String> {
    let (digits, radix) = match (text.strip_prefix("0x"), text.strip_prefix("0o")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 8),
        _ => return None,
    };
    let is_right = digits.bytes().all(|b| char::from(b).is_digit(radix));
    let value = i64::from_str_radix(digits, radix).ok().filter(|_| is_right)?;
    Some(value.to_string())
}

/// A number with or without sign, in decimal digits.
fn plain_decimal(text: &str) -> Option<Exact> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let is_plain = is_plain && !digits.ends_with('.') && digits.matches('.').count() <= 1;
    if !is_plain || digits.is_empty() {
        return None;
    }
    let value = number(digits).ok()?;
    Some(if text.starts_with('-') { -value } else { value })
}

/// Digits with at most one point among them.
pub fn number(digits: &str) -> Result<Exact, LexError> {
    const MAX_WHOLE: usize = 12;
    const MAX_FRACTION: usize = 9;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    if whole.len() > MAX_WHOLE || fraction.len() > MAX_FRACTION {
        return Err(LexError::NumberTooLong);
    }
    let digits = format!("{whole}{fraction}");
    let value: i128 = if digits.is_empty() { 0 } else { digits.parse().unwrap_or(0) };
    Ok(Exact::new(value, 10i128.pow(fraction.len() as u32)))
}

/// `2h30m` in seconds.
pub fn quantity(text: &str) -> Result<Exact, LexError> {
    let mut sum = Exact::from(0);
    let mut last: Option<Suffix> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (amount, after) = rest.split_at(digits);
        let letters = after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let suffix = Suffix::of(unit).ok_or(LexError::Unit)?;
        if last.is_some_and(|last| suffix >= last) {
            return Err(LexError::UnitOrder);
        }
        let is_number = plain_decimal(amount).is_some();
        let amount = if is_number { number(amount)? } else { return Err(LexError::Unit) };
        sum += amount * Exact::from(i128::from(suffix.seconds()));
        last = Some(suffix);
        rest = after;
    }
    Ok(sum)
}

/// Used by the grammar.
pub fn binary(op: Operator, left: Expr, right: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

type Spelled<T> = Result<(usize, T, usize), Wrong>;

fn tokens<'s, T>(text: &'s Scalar) -> Parsed<Vec<Spelled<T>>>
where
    T: Logos<'s, Source = str, Error = LexError>,
    T::Extras: Default,
{
    let mut all = Vec::new();
    for (token, range) in T::lexer(&text.text).spanned() {
        if all.len() >= MAX_TOKENS {
            let message = format!("this is too long: more than {MAX_TOKENS} words and signs");
            return Err(Box::new(Diagnostic::error("too-large", text.span, message)));
        }
        let (l, r) = (range.start, range.end);
        all.push(match token {
            Ok(token) => Ok((l, token, r)),
            Err(error) => Err(misspelled(&text.text[range], error, l, r)),
        });
    }
    Ok(all)
}

fn misspelled(slice: &str, error: LexError, l: usize, r: usize) -> Wrong {
    match error {
        LexError::Character => {
            let wrong = Wrong::new(l, r, format!("the character `{slice}` has no meaning here"));
            match slice {
                "," => wrong.hint("decimals are written with a point"),
                "%" => wrong.hint("write a share of one, such as `0.9`"),
                "–" | "—" | "−" => wrong.hint("write an ordinary `-`"),
                _ => wrong,
            }
        }
        LexError::NumberTooLong => Wrong::new(l, r, "this number has too many digits"),
        LexError::Unit => {
            let wrong = Wrong::new(l, r, format!("`{slice}` is neither a number nor a time"));
            wrong.hint("the units of time are s, m or min, h, d and w, as in `2h30m`")
        }
        LexError::UnitOrder => {
            let wrong = Wrong::new(l, r, "the units of a time stand from large to small");
            wrong.hint("as in `2h30m`")
        }
    }
}

fn told(text: &Scalar, wrong: Wrong) -> Diagnostic {
    let found = Diagnostic::error("bad-value", text.part(wrong.start, wrong.end), wrong.message);
    match wrong.hint {
        Some(hint) => found.hint(hint),
        None => found,
    }
}

fn explain<T>(
    text: &Scalar,
    error: ParseError<usize, T, Wrong>,
    what: &str,
    like: &str,
) -> Box<Diagnostic> {
    let found = match error {
        ParseError::User { error } => return Box::new(told(text, error)),
        ParseError::UnrecognizedToken { token: (l, _, r), .. }
        | ParseError::ExtraToken { token: (l, _, r) } => {
            let found = format!("this is not {what}");
            Diagnostic::error("bad-value", text.part(l, r), found).label("not expected here")
        }
        ParseError::UnrecognizedEof { .. } | ParseError::InvalidToken { .. } => {
            let found = format!("this is not {what}");
            Diagnostic::error("bad-value", text.span, found).label("something is missing")
        }
    };
    Box::new(found.hint(like))
}
