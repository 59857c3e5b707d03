//! The tokens of a text as the parser wants them. Whatever is no token is reported here and
//! left out (or replaced), so that the parser can go on and find further errors.

use logos::{Logos, SpannedIter};

use super::depth::{Depth, MAX_BRACKETS, TooDeep};
use super::text::{Text, shown};
use super::tokens::{LexError, Token};
use takt_diagnostic::Diagnostic;

/// Whether there is nothing but white space and comments.
pub fn is_blank(source: &str) -> bool {
    Token::lexer(source).next().is_none()
}

pub struct Stream<'s, 't> {
    text: &'t Text<'s>,
    start: Option<Token<'s>>,
    tokens: SpannedIter<'s, Token<'s>>,
    depth: Depth,
    /// The brackets that are open and where.
    open: Vec<(usize, char)>,
    /// The end of the last stretch of unknown characters, so that neighbours are one error.
    unknown_end: Option<usize>,
}

impl<'s, 't> Stream<'s, 't> {
    /// `start` says what kind of text it is.
    pub fn new(text: &'t Text<'s>, start: Token<'s>) -> Stream<'s, 't> {
        Stream {
            text,
            start: Some(start),
            tokens: Token::lexer(text.source).spanned(),
            depth: Depth::default(),
            open: Vec::new(),
            unknown_end: None,
        }
    }

    /// What to read in the place of something that is no token.
    fn mend(&mut self, error: LexError, start: usize, end: usize) -> Option<Token<'s>> {
        match error {
            LexError::NumberTooLarge => {
                self.text.report(
                    Diagnostic::error(
                        "number-too-large",
                        self.text.span(start, end),
                        "a number does not fit into 64 bits",
                    )
                    .label("at most 9223372036854775807"),
                );
                Some(Token::Number(0))
            }
            LexError::RealNumber => {
                self.text.report(
                    Diagnostic::error(
                        "real-number",
                        self.text.span(start, end),
                        "numbers are whole",
                    )
                    .label("a fraction")
                    .hint("count in a smaller unit, such as tenths"),
                );
                Some(Token::Number(0))
            }
            LexError::UnterminatedComment => {
                self.text.report(
                    Diagnostic::error(
                        "unterminated-comment",
                        self.text.span(start, start + 2),
                        "a comment does not end",
                    )
                    .label("it begins here")
                    .hint("close it with `*/`"),
                );
                self.text.cut();
                None
            }
            LexError::MalformedName => {
                self.malformed_name(start, end);
                Some(Token::Name(&self.text.source[start..end]))
            }
            LexError::UnknownCharacter => {
                if self.unknown_end != Some(start) {
                    self.unknown_character(start, end);
                }
                self.unknown_end = Some(end);
                self.text.taint(end);
                None
            }
        }
    }

    fn malformed_name(&self, start: usize, end: usize) {
        let name = shown(&self.text.source[start..end]);
        let span = self.text.span(start, end);
        let message = format!("`{name}` is neither a name nor a number");
        let found = Diagnostic::error("malformed-name", span, message);
        self.text.report(match self.text.source[start..end].is_ascii() {
            true => found.label("begins with a digit").hint("names begin with a letter or `_`"),
            false => found
                .label("names are made of the letters A to Z, digits and `_`")
                .hint("spell the name without accents or other scripts"),
        });
    }

    fn unknown_character(&self, start: usize, end: usize) {
        let character = self.text.source[start..].chars().next().unwrap_or_default();
        let shown = match character {
            '\0' => "a NUL byte".to_string(),
            c if c.is_control() => format!("the control character U+{:04X}", c as u32),
            c => format!("`{c}`"),
        };
        let found = Diagnostic::error(
            "unknown-character",
            self.text.span(start, end),
            format!("{shown} is not part of the language"),
        );
        self.text.report(match character {
            '\0' => found.label("is this a binary file?"),
            '"' => found.label("there are no strings"),
            '≤' | '≥' | '≠' => found.label("write `<=`, `>=` or `!=`"),
            _ => found.label("not a token"),
        });
    }

    /// A Gantt chart says how to draw runs, not how the model behaves: it is left out.
    fn skip_chart(&mut self) {
        let mut depth = 0;
        for (token, _) in self.tokens.by_ref() {
            match token {
                Ok(Token::OpenBrace) => depth += 1,
                Ok(Token::CloseBrace) => depth -= 1,
                _ => continue,
            }
            if depth <= 0 {
                return;
            }
        }
    }

    /// Remembers what is open, to say so when something is wrong there.
    fn match_brackets(&mut self, token: Token, at: usize) {
        if let Some(bracket) = opens(token) {
            self.open.push((at, bracket));
        }
        if token == Token::Process
            && let Some(&open) = self.open.last()
        {
            self.text.mark_mismatch(at, open);
        }
        if let Some(bracket) = closes(token)
            && let Some(open) = self.open.pop()
            && open.1 != bracket
        {
            self.text.mark_mismatch(at, open);
        }
    }

    fn too_deep(&self, reason: TooDeep, start: usize, end: usize) {
        let span = self.text.span(start, end);
        self.text.report(match reason {
            TooDeep::Brackets => Diagnostic::error(
                "nesting-too-deep",
                span,
                format!("more than {MAX_BRACKETS} brackets are open at once"),
            )
            .label("one bracket too many; the rest is not read"),
            TooDeep::Operators => Diagnostic::error(
                "nesting-too-deep",
                span,
                "an expression or statement is too long",
            )
            .label("too many operators up to here; the rest is not read")
            .hint("split it, for instance with a function or an array"),
        });
        self.text.cut();
    }
}

/// The bracket that a token opens.
fn opens(token: Token) -> Option<char> {
    match token {
        Token::OpenParen => Some('('),
        Token::OpenBracket => Some('['),
        Token::OpenBrace => Some('{'),
        _ => None,
    }
}

/// The bracket that a token closes.
fn closes(token: Token) -> Option<char> {
    match token {
        Token::CloseParen => Some('('),
        Token::CloseBracket => Some('['),
        Token::CloseBrace => Some('{'),
        _ => None,
    }
}

impl<'s> Iterator for Stream<'s, '_> {
    type Item = (usize, Token<'s>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(start) = self.start.take() {
            return Some((0, start, 0));
        }
        while !self.text.is_cut() {
            let Some((token, range)) = self.tokens.next() else {
                self.text.mark_unclosed(self.open.last().copied());
                return None;
            };
            let token = match token {
                Ok(token) => Some(token),
                Err(error) => self.mend(error, range.start, range.end),
            };
            let Some(token) = token else { continue };
            if token == Token::Gantt && self.open.is_empty() {
                self.skip_chart();
                continue;
            }
            if let Err(reason) = self.depth.next(token) {
                self.too_deep(reason, range.start, range.end);
                return None;
            }
            self.match_brackets(token, range.start);
            return Some((range.start, token, range.end));
        }
        None
    }
}
