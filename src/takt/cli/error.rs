//! How a command may fail: the user's input is wrong, or takt itself is.

use crate::pipeline::Failure;
use takt_diagnostic::{Diagnostic, Diagnostics, Sources, Span};

/// What is wrong with the input, with the texts it refers to.
#[derive(Debug)]
pub struct Wrong {
    pub sources: Sources,
    pub diagnostics: Diagnostics,
    /// The way to an error that only shows when the model runs: as lines, and as JSON.
    pub trace: Option<(String, serde_json::Value)>,
}

#[derive(Debug)]
pub enum Error {
    Input(Box<Wrong>),
    /// An invariant of ours is broken, such as a trace that does not replay.
    Bug(String),
}

impl Wrong {
    /// Adds what is wrong with another file, read by itself.
    pub fn absorb(&mut self, other: Wrong) {
        let first = self.sources.iter().count() as u32;
        for (_, source) in other.sources.iter() {
            self.sources.add(source.name.as_str(), source.text.as_str());
        }
        for mut diagnostic in other.diagnostics {
            let related = diagnostic.related.iter_mut().map(|label| &mut label.span);
            diagnostic.span.iter_mut().chain(related).for_each(|span| span.file.0 += first);
            self.diagnostics.push(diagnostic);
        }
    }
}

impl Error {
    pub fn input(sources: Sources, diagnostics: Diagnostics) -> Error {
        Error::Input(Box::new(Wrong { sources, diagnostics, trace: None }))
    }

    /// Why there is no result at all.
    pub fn failed(failed: Failure, sources: &Sources) -> Error {
        match failed {
            Failure::Input(wrong) => Error::input(sources.clone(), wrong),
            Failure::Bug(message) => Error::Bug(message),
        }
    }

    /// An error about a file as a whole, or about none.
    pub fn about(file: &str, code: &'static str, message: impl Into<String>) -> Error {
        Error::explained(file, code, message, None)
    }

    /// What is wrong in one sentence, for someone who shows it elsewhere.
    pub fn words(&self) -> String {
        match self {
            Error::Input(wrong) => {
                wrong.diagnostics.iter().next().map(|d| d.message.clone()).unwrap_or_default()
            }
            Error::Bug(message) => message.clone(),
        }
    }

    /// The code of the first thing that is wrong.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Error::Input(wrong) => wrong.diagnostics.iter().next().map(|d| d.code),
            Error::Bug(_) => None,
        }
    }

    pub fn explained(
        file: &str,
        code: &'static str,
        message: impl Into<String>,
        hint: Option<&str>,
    ) -> Error {
        // A source without text: the report shows its name and no line.
        let mut sources = Sources::default();
        let file = sources.add(file, "");
        let mut diagnostic = Diagnostic::error(code, Span::new(file, 0, 0), message);
        diagnostic.hint = hint.map(str::to_owned);
        Error::input(sources, diagnostic.into())
    }
}
