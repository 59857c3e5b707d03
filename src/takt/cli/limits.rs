//! Sizes and periods as people write them on a command line: `4G`, `90s`, `1h30m`.

use num_rational::Ratio;
use std::str::FromStr;
use std::time::Duration;
use takt_spec::Unit;

/// A length of wall time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period(pub Duration);

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(pub u64);

/// A length of model time, as in a spec: whole units, or text such as `5m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch {
    Units(i64),
    Seconds(i64),
}

/// The most units: more than the largest layout needs for a wafer, and so few that thousands of
/// gaps of this length can be added up.
const MOST_UNITS: i64 = 1_000_000_000_000;

impl Stretch {
    /// In whole units of the spec; says in words why not.
    pub fn units(self, unit: Unit) -> Result<i64, String> {
        let units = match (self, unit.seconds()) {
            (Stretch::Units(units), _) => Ratio::from_integer(units),
            (Stretch::Seconds(seconds), Some(length)) => Ratio::new(seconds, length),
            (Stretch::Seconds(_), None) => {
                return Err("a tick has no length: give a whole number of ticks".to_owned());
            }
        };
        match units.is_integer().then(|| units.to_integer()) {
            Some(units) if (1..=MOST_UNITS).contains(&units) => Ok(units),
            Some(_) => Err(format!("it is from 1 to {MOST_UNITS} {}s", unit.name())),
            None => Err(format!("it is not a whole number of {}s", unit.name())),
        }
    }
}

impl FromStr for Stretch {
    type Err = String;

    /// A whole number counts units; otherwise one or more whole numbers with s, m, h, d or w.
    fn from_str(text: &str) -> Result<Stretch, String> {
        let wrong =
            || "expected a whole number of units, or a time such as 90s or 2h30m".to_owned();
        let mut rest = text.trim();
        if let Ok(units) = rest.parse() {
            return Ok(Stretch::Units(units));
        }
        let mut seconds: i64 = 0;
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
            let number: i64 = rest[..digits].parse().map_err(|_| wrong())?;
            let after = rest[digits..].trim_start();
            let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            let length = match &after[..letters] {
                "s" => 1,
                "m" | "min" => 60,
                "h" => 3600,
                "d" => 86_400,
                "w" => 604_800,
                _ => return Err(wrong()),
            };
            let part = number.checked_mul(length);
            seconds = part.and_then(|part| seconds.checked_add(part)).ok_or_else(wrong)?;
            rest = after[letters..].trim_start();
        }
        if seconds > 0 { Ok(Stretch::Seconds(seconds)) } else { Err(wrong()) }
    }
}

impl FromStr for Period {
    type Err = String;

    /// One or more numbers with units, largest unit first or not; a bare number counts seconds.
    fn from_str(text: &str) -> Result<Period, String> {
        let wrong = || "expected a time such as 60s, 5m, 1h30m or 500ms".to_owned();
        let mut rest = text.trim();
        let mut seconds = 0.0;
        if rest.is_empty() {
            return Err(wrong());
        }
        while !rest.is_empty() {
            let (number, after) = split_number(rest).ok_or_else(wrong)?;
            let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            seconds += number
                * match &after[..letters] {
                    "ms" => 0.001,
                    "s" => 1.0,
                    "" if letters == after.len() && rest.len() == text.trim().len() => 1.0,
                    "m" | "min" => 60.0,
                    "h" => 3600.0,
                    "d" => 86400.0,
                    _ => return Err(wrong()),
                };
            rest = &after[letters..];
        }
        let period = Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
        if period.is_zero() { Err("must be more than 0".to_owned()) } else { Ok(Period(period)) }
    }
}

impl FromStr for Memory {
    type Err = String;

    /// A number with a binary unit; a bare number counts bytes.
    fn from_str(text: &str) -> Result<Memory, String> {
        let wrong = || "expected a size such as 500M or 4G".to_owned();
        let (number, unit) = split_number(text.trim()).ok_or_else(wrong)?;
        let unit = unit.to_ascii_uppercase();
        let power = match unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit) {
            "" => 0,
            "K" => 1,
            "M" => 2,
            "G" => 3,
            "T" => 4,
            _ => return Err(wrong()),
        };
        let bytes = number * 1024f64.powi(power);
        // Above 2^60 the number is a slip of the hand, and would not be exact anyway.
        if (1.0..1.2e18).contains(&bytes) { Ok(Memory(bytes as u64)) } else { Err(wrong()) }
    }
}

/// A decimal number at the start of the text, and the rest.
fn split_number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    Some((text[..end].parse().ok()?, text[end..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::{Memory, Period, Stretch};
    use std::time::Duration;
    use takt_spec::Unit;

    fn seconds(text: &str) -> Option<f64> {
        text.parse().ok().map(|Period(d): Period| Duration::as_secs_f64(&d))
    }

    #[test]
    fn periods() {
        assert_eq!(seconds("60s"), Some(60.0));
        assert_eq!(seconds("90"), Some(90.0));
        assert_eq!(seconds("1h30m"), Some(5400.0));
        assert_eq!(seconds("0.5s"), Some(0.5));
        assert_eq!(seconds("500ms"), Some(0.5));
        for wrong in ["", "s", "5x", "1h30", "-5s", "0", "0s", "1e999s", "99999999999999999999999d"]
        {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn stretches() {
        let units = |text: &str, unit| text.parse().ok().and_then(|s: Stretch| s.units(unit).ok());
        assert_eq!(units("300", Unit::Tick), Some(300));
        assert_eq!(units("5m", Unit::Second), Some(300));
        assert_eq!(units("2h30m", Unit::Minute), Some(150));
        assert_eq!(units("1w", Unit::Day), Some(7));
        assert_eq!(units("1000000000000", Unit::Tick), Some(1_000_000_000_000));
        for (wrong, unit) in [
            ("5m", Unit::Tick),
            ("90s", Unit::Minute),
            ("0", Unit::Tick),
            ("0s", Unit::Second),
            ("-5", Unit::Tick),
            ("1.5m", Unit::Second),
            ("", Unit::Second),
            ("m", Unit::Second),
            ("99999999999999999999", Unit::Tick),
            ("9223372036854775807w", Unit::Second),
            ("1000000000001", Unit::Second),
        ] {
            assert_eq!(units(wrong, unit), None, "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        let bytes = |text: &str| text.parse().ok().map(|Memory(b)| b);
        assert_eq!(bytes("4G"), Some(4 << 30));
        assert_eq!(bytes("1.5k"), Some(1536));
        assert_eq!(bytes("500 MiB"), Some(500 << 20));
        assert_eq!(bytes("4096"), Some(4096));
        for wrong in ["", "G", "4X", "-1G", "0", "99999999999T", "..G"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }
}
