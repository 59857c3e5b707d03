//! The command line as a text, so that what is wrong with it has a place like any other error.

use super::error::{Error, Wrong};
use clap::error::{ContextKind, ContextValue};
use takt_diagnostic::{Diagnostic, Sources, Span};

pub const NAME: &str = "<command line>";

/// An error about a word of this call, or about what is missing at its end.
pub fn error(word: &str, code: &'static str, message: &str, hint: Option<&str>) -> Error {
    Error::Input(Box::new(wrong(&words(), &[word.to_owned()], code, message, hint)))
}

/// What clap finds wrong with this call, without the advice for people that follows.
pub fn misread(error: &clap::Error) -> Wrong {
    let said = error.render().to_string();
    let ends = ["\n\nUsage:", "\n\nFor more information"].iter().filter_map(|end| said.find(end));
    let message = &said[..ends.min().unwrap_or(said.len())];
    let message = message.strip_prefix("error: ").unwrap_or(message).trim();
    let kinds =
        [ContextKind::InvalidArg, ContextKind::InvalidSubcommand, ContextKind::InvalidValue];
    let suspects: Vec<String> =
        kinds.into_iter().filter_map(|kind| suspect(error.get(kind)?)).collect();
    wrong(&words(), &suspects, "usage", message, None)
}

/// The first word of what is named, as in `--time <TIME>`.
fn suspect(value: &ContextValue) -> Option<String> {
    let text = match value {
        ContextValue::String(text) => text,
        ContextValue::Strings(texts) => texts.first()?,
        _ => return None,
    };
    text.split(' ').next().map(str::to_owned)
}

fn words() -> Vec<String> {
    let args = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    std::iter::once("takt".to_owned()).chain(args).collect()
}

fn wrong(
    words: &[String],
    suspects: &[String],
    code: &'static str,
    message: &str,
    hint: Option<&str>,
) -> Wrong {
    let mut sources = Sources::default();
    let file = sources.add(NAME, words.join(" "));
    let (start, end) = place(words, suspects);
    let mut diagnostic = Diagnostic::error(code, Span::new(file, start, end), message);
    diagnostic.hint = hint.map(str::to_owned);
    Wrong { sources, diagnostics: diagnostic.into(), trace: None }
}

/// Where the first of the suspects stands among the words; their end if none does.
fn place(words: &[String], suspects: &[String]) -> (usize, usize) {
    let is_meant = |word: &str, suspect: &str| {
        word == suspect || word.strip_prefix(suspect).is_some_and(|rest| rest.starts_with('='))
    };
    let found = suspects.iter().find_map(|suspect| {
        words.iter().skip(1).position(|word| is_meant(word, suspect)).map(|at| at + 1)
    });
    let start = |at: usize| words[..at].iter().map(|word| word.len() + 1).sum::<usize>();
    match found {
        Some(at) => (start(at), start(at) + words[at].len()),
        None => (start(words.len()) - 1, start(words.len()) - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_they_stand() {
        let words = ["takt", "solve", "a.yaml", "--tim=3", "x"].map(str::to_owned);
        let of = |suspect: &str| place(&words, &[suspect.to_owned()]);
        assert_eq!(of("a.yaml"), (11, 17));
        assert_eq!(of("--tim"), (18, 25));
        assert_eq!(of("<SPEC>"), (27, 27));
        assert_eq!(place(&words, &["no".to_owned(), "x".to_owned()]), (26, 27));
    }
}
