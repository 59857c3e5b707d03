//! Syntax errors in human words: from the token that was found and the many that could have been
//! there to one message with a place and, where the mistake is a likely one, a hint.

use std::collections::BTreeSet;
use std::convert::Infallible;

use lalrpop_util::{ErrorRecovery, ParseError};

use super::text::{Text, shown};
use super::tokens::Token;
use takt_diagnostic::{Diagnostic, nearest};

type Failure<'s> = ParseError<usize, Token<'s>, Infallible>;

/// Notes an error after which reading goes on.
pub fn report<'s>(text: &Text<'s>, recovery: ErrorRecovery<usize, Token<'s>, Infallible>) {
    report_failure(text, recovery.error);
}

/// Notes an error.
pub fn report_failure<'s>(text: &Text<'s>, failure: Failure<'s>) {
    if text.is_cut() {
        return;
    }
    let (place, expected) = match failure {
        ParseError::UnrecognizedToken { token: (start, _, end), expected } => {
            (Some((start, end)), expected)
        }
        ParseError::UnrecognizedEof { expected, .. } => (None, expected),
        ParseError::ExtraToken { token: (start, _, end) } => (Some((start, end)), Vec::new()),
        ParseError::InvalidToken { location } => (Some((location, location)), Vec::new()),
        ParseError::User { error } => match error {},
    };
    let start = place.map_or(text.source.len(), |(start, _)| start);
    if text.is_tainted_before(start) || text.follows_an_error(start) {
        return;
    }
    let expected: BTreeSet<&str> = expected.iter().map(|name| name.trim_matches('"')).collect();
    text.report(match place {
        Some((start, end)) => unexpected(text, start, end, expected),
        None => unexpected_end(text, expected),
    });
    // A process within something else: nothing after it would be read as it was meant.
    let lost = |(start, _)| {
        text.source[start..].starts_with("process") && text.mismatch_at(start).is_some()
    };
    if place.is_some_and(lost) {
        text.cut();
    }
}

fn unexpected(text: &Text, start: usize, end: usize, expected: BTreeSet<&str>) -> Diagnostic {
    let before = end_of_code(&text.source[..start]);
    let found = &text.source[start..end];
    let starts_line = text.source[before..start].contains('\n');
    if ends_before(found, starts_line) && expected.contains(";") && !expected.contains("if") {
        return missing_semicolon(text, before);
    }
    let hint = hint(&text.source[..before], found, &expected);
    let mut diagnostic = Diagnostic::error(
        "syntax",
        text.span(start, end),
        format!("unexpected `{}`", shown(found)),
    )
    .label(format!("expected {}", words(expected)));
    if let Some((open, bracket)) = text.mismatch_at(start) {
        diagnostic = diagnostic
            .related(text.span(open, open + 1), format!("this `{bracket}` is still open"));
    }
    diagnostic.hint = hint;
    diagnostic
}

/// Whether the statement or declaration before `found` probably should have ended.
fn ends_before(found: &str, starts_line: bool) -> bool {
    match found {
        "select" | "guard" | "sync" | "assign" => true,
        ")" | "]" => false,
        _ => starts_line,
    }
}

pub fn missing_semicolon(text: &Text, at: usize) -> Diagnostic {
    Diagnostic::error("missing-semicolon", text.span(at, at), "`;` is missing")
        .label("expected `;`")
}

fn unexpected_end(text: &Text, expected: BTreeSet<&str>) -> Diagnostic {
    let end = end_of_code(text.source);
    let diagnostic = Diagnostic::error("syntax", text.span(end, end), "the text ends too early")
        .label(format!("expected {}", words(expected)));
    match text.unclosed() {
        Some((open, bracket)) => {
            diagnostic.related(text.span(open, open + 1), format!("this `{bracket}` is still open"))
        }
        None => diagnostic,
    }
}

/// Where the last word of `source` ends, before white space and comments.
pub fn end_of_code(source: &str) -> usize {
    let mut code = source.trim_end();
    loop {
        let line = code.rfind('\n').map_or(0, |i| i + 1);
        let cut = if let Some(comment) = code[line..].find("//") {
            line + comment
        } else if code.ends_with("*/") {
            code.rfind("/*").unwrap_or(code.len())
        } else {
            code.len()
        };
        if cut == code.len() {
            return cut;
        }
        code = code[..cut].trim_end();
    }
}

/// A group of tokens that has a name: if all of `signs` are expected, all of `members` are
/// covered by `name`.
struct Group {
    name: &'static str,
    signs: &'static [&'static str],
    members: &'static [&'static [&'static str]],
}

const NAMES: &[&str] = &["name", "inf", "sup"];

const TYPES: &[&str] = &[
    "int",
    "bool",
    "clock",
    "chan",
    "void",
    "scalar",
    "struct",
    "const",
    "meta",
    "urgent",
    "broadcast",
];

/// What expressions begin with, besides names.
const OPERANDS: &[&str] = &[
    "number", "(", "true", "false", "deadlock", "forall", "exists", "sum", "!", "not", "-", "+",
    "++", "--",
];

const GROUPS: &[Group] = &[
    Group {
        name: "a declaration",
        signs: &["typedef", "int"],
        members: &[&["typedef", "before_update", "after_update"], TYPES, NAMES],
    },
    Group { name: "a type", signs: &["int", "const"], members: &[TYPES, NAMES] },
    Group {
        name: "a statement",
        signs: &["if", "while"],
        members: &[&["if", "while", "for", "do", "return", "{", ";"], OPERANDS, NAMES],
    },
    Group { name: "an expression", signs: &["number", "("], members: &[OPERANDS, NAMES] },
    Group {
        name: "an operator",
        signs: &["*", "&&"],
        members: &[&[
            "+", "-", "*", "/", "%", "<<", ">>", "<?", ">?", "<", "<=", ">=", ">", "==", "!=", "&",
            "^", "|", "&&", "||", "imply", "?", "[", "(", ".", "'", "++", "--", "=", "+=", "-=",
            "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
        ]],
    },
    Group {
        name: "an operator",
        signs: &[".", "'"],
        members: &[&[".", "'", "(", "[", "++", "--"]],
    },
    Group { name: "a name", signs: &["name"], members: &[NAMES] },
    Group {
        name: "a section of the process",
        signs: &["commit", "trans"],
        members: &[&["state", "commit", "urgent", "init", "trans"]],
    },
    Group {
        name: "a label of the edge",
        signs: &["guard", "sync"],
        members: &[&["select", "guard", "sync", "assign"]],
    },
];

/// What could stand here, in words: signs first, then groups.
fn words(mut expected: BTreeSet<&str>) -> String {
    let mut groups = Vec::new();
    for group in GROUPS {
        if group.signs.iter().all(|sign| expected.contains(sign)) {
            for member in group.members.iter().copied().flatten() {
                expected.remove(member);
            }
            if !groups.contains(&group.name) {
                groups.push(group.name);
            }
        }
    }
    let mut all: Vec<String> = expected.iter().map(|sign| format!("`{sign}`")).collect();
    all.extend(groups.into_iter().map(str::to_string));
    match all.split_last() {
        None => "nothing more".to_string(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

/// Words of other languages, and of UPPAAL where takt does not follow it.
const FOREIGN: &[&str] = &[
    "double",
    "string",
    "hybrid",
    "switch",
    "case",
    "break",
    "continue",
    "assert",
    "branchpoint",
    "probability",
    "import",
    "dynamic",
    "spawn",
    "IO",
];

/// Whether `inf(p)` or `sup(p)` stands here instead of `inf{p}` or `sup{p}`.
fn bound_in_parentheses(before: &str) -> Option<&'static str> {
    let before = before.trim_start();
    let is_called = |name: &str| {
        before.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('('))
    };
    ["inf", "sup"].into_iter().find(|name| is_called(name) && before.ends_with(')'))
}

/// What was probably meant.
fn hint(before: &str, found: &str, expected: &BTreeSet<&str>) -> Option<String> {
    let is_word = found.starts_with(|c: char| c.is_ascii_alphabetic());
    let last_word = before.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    for word in [found, last_word] {
        if FOREIGN.contains(&word) {
            return Some(format!("`{word}` is not part of the language that takt reads"));
        }
    }
    if let Some(bound) = bound_in_parentheses(before).filter(|_| found == ":") {
        return Some(format!("which states are meant stands in braces: `{bound}{{p}}: e`"));
    }
    match found {
        ";" if expected.contains("?") && expected.contains("!") => {
            return Some("say whether the edge sends, `c!`, or receives, `c?`".to_string());
        }
        ";" if expected.iter().eq(["("].iter()) => {
            return Some("arguments are written even if there are none: `P()`".to_string());
        }
        "->" if expected.contains("-->") => {
            return Some("\"leads to\" is written `-->`".to_string());
        }
        _ => {}
    }
    if !is_word {
        return None;
    }
    let is_listed = expected.contains("typedef") || expected.contains("if");
    if Token::is_keyword(found) {
        return (expected.contains("name") && !is_listed)
            .then(|| format!("`{found}` is a word of the language and cannot be a name"));
    }
    let words = expected.iter().copied().filter(|word| Token::is_keyword(word));
    nearest(found, words.filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase())))
        .map(|word| format!("did you mean `{word}`?"))
}
