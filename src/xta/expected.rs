//! Syntax errors in human words: from the token that was found and the many that could have been
//! there to one message.

use lalrpop_util::{ErrorRecovery, ParseError};

use super::text::Text;
use super::tokens::Token;
use crate::diagnostic::Diagnostic;

type Failure<'s> = ParseError<usize, Token<'s>, std::convert::Infallible>;

pub fn report<'s>(
    text: &Text<'s>,
    recovery: ErrorRecovery<usize, Token<'s>, std::convert::Infallible>,
) {
    report_failure(text, recovery.error);
}

pub fn report_failure<'s>(text: &Text<'s>, failure: Failure<'s>) {
    let (place, expected) = match failure {
        ParseError::InvalidToken { location } => (Some((location, location)), Vec::new()),
        ParseError::UnrecognizedEof { expected, .. } => (None, expected),
        ParseError::UnrecognizedToken { token: (start, _, end), expected } => {
            (Some((start, end)), expected)
        }
        ParseError::ExtraToken { token: (start, _, end) } => (Some((start, end)), Vec::new()),
        ParseError::User { error } => match error {},
    };
    if text.is_cut() {
        return;
    }
    let (start, end) = place.unwrap_or((text.source.len(), text.source.len()));
    let found = match place {
        Some(_) => format!("unexpected `{}`", &text.source[start..end]),
        None => "unexpected end of the text".to_string(),
    };
    text.report(
        Diagnostic::error("syntax", text.span(start, end), found)
            .label(format!("expected {}", expected.join(", "))),
    );
}
