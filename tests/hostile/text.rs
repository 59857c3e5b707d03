//! Changes a text token by token: names, numbers, signs and whole blocks.

use takt_testing::Random;

/// Numbers at the borders of what is read.
pub const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "7",
    "0.5",
    "-0.0",
    "1e3",
    "1e-3",
    "0.0000001",
    "32767",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967296",
    "1000000000000",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e18",
    "1e400",
    "100000000000000000000000000000000000000000",
];

/// Words that mean something somewhere, or nothing anywhere.
pub const WORDS: &[&str] = &[
    "",
    " ",
    "0",
    "-1",
    "1/0",
    "1/3",
    "2h30m",
    "1w",
    "-1h",
    "1e9h",
    "24:00",
    "25:61",
    "06:00-22:00",
    "22:00-06:00",
    "2026-02-30",
    "2026-01-05T06:00",
    "9999-12-31T23:59",
    "-0001-01-01",
    "2026-12-24..2026-12-31",
    "03/11/2026",
    "size",
    "size/0",
    "size * 0.2min",
    "((((((((",
    "1h*1h",
    "é",
    "日本",
    "\u{0}",
    "\u{1}",
    "\u{1b}[31m",
    "\u{85}",
    "\u{202e}",
    "\u{feff}",
    "a\nb",
    "a,b\"c",
    "<&>\"'",
    "true",
    "null",
    "~",
    "..",
    "none.csv",
    "/dev/null",
    "any",
    "minute",
    "tick",
    "Mon-Sun",
    "Europe/Berlin",
    "greedy",
    "non-lazy",
    "makespan",
    "cost",
    "feasible",
    "throughput",
    "500/min",
];

/// The text after a few changes; `other` lends what is pasted in.
pub fn changed(r: &mut Random, text: &str, other: &str) -> String {
    let mut tokens: Vec<String> = tokens(text).map(str::to_owned).collect();
    for _ in 0..*r.pick(&[0, 1, 1, 1, 2, 4]) {
        // A number or a name in the place of another one is more often read than what breaks a line.
        match r.below(5) {
            0 | 1 => replace_number(r, &mut tokens),
            2 => replace_name(r, &mut tokens),
            _ => change(r, &mut tokens, other),
        }
    }
    tokens.concat()
}

fn change(r: &mut Random, all: &mut Vec<String>, other: &str) {
    if all.is_empty() {
        return all.push((*r.pick(WORDS)).to_owned());
    }
    let (at, to) = (r.below(all.len()), r.below(all.len()));
    let end = (at + r.below(12) + 1).min(all.len());
    match r.below(12) {
        0 => drop(all.drain(at..end)),
        1 => all.swap(at, to),
        2 => all[at] = all[to].clone(),
        3..=5 => all.insert(at, (*r.pick(WORDS)).to_owned()),
        6 => {
            let run: Vec<String> = all[at..end].to_vec();
            all.splice(to..to, run);
        }
        7 => {
            let lent: Vec<&str> = tokens(other).collect();
            let from = r.below(lent.len().max(1)).min(lent.len());
            let until = (from + r.below(40)).min(lent.len());
            all.splice(at..at, lent[from..until].iter().map(|&token| token.to_owned()));
        }
        8 | 9 => block(r, all, at),
        10 => all.truncate(at),
        _ => {
            let sign = *r
                .pick(&["{", "}", "(", ")", ";", ",", "==", "<", ":=", "[", "'", "\"", "\r", "\n"]);
            all.insert(at, sign.to_owned());
        }
    }
}

fn replace_number(r: &mut Random, all: &mut [String]) {
    let is_number = |token: &String| token.starts_with(|c: char| c.is_ascii_digit());
    let places: Vec<usize> = (0..all.len()).filter(|&at| is_number(&all[at])).collect();
    if !places.is_empty() {
        let at = *r.pick(&places);
        all[at] = (*r.pick(NUMBERS)).to_owned();
    }
}

fn replace_name(r: &mut Random, all: &mut [String]) {
    let is_name = |token: &String| token.starts_with(char::is_alphabetic);
    let places: Vec<usize> = (0..all.len()).filter(|&at| is_name(&all[at])).collect();
    if !places.is_empty() {
        let (at, from) = (*r.pick(&places), *r.pick(&places));
        all[at] = all[from].clone();
    }
}

/// Takes the next whole block in braces out, or writes it twice.
fn block(r: &mut Random, all: &mut Vec<String>, from: usize) {
    let Some(open) = (from..all.len()).find(|&at| all[at] == "{") else { return };
    let mut depth = 0;
    let close = (open..all.len()).find(|&at| {
        depth += i32::from(all[at] == "{") - i32::from(all[at] == "}");
        depth == 0
    });
    let Some(close) = close else { return };
    let block: Vec<String> = all[open..=close].to_vec();
    if r.percent(50) {
        all.drain(open..=close);
    } else {
        all.splice(open..open, block);
    }
}

/// Names and numbers whole, everything else letter by letter.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = match rest.find(|c| !in_word(c)) {
            _ if !in_word(first) => first.len_utf8(),
            Some(len) => len,
            None => rest.len(),
        };
        let (token, after) = rest.split_at(len);
        rest = after;
        Some(token)
    })
}
