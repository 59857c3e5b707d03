//! Where words go: answers to standard output, messages to standard error, with colours or
//! without.

use super::args::{Color, Common};
use super::error::{Error, Wrong};
use super::{Exit, output, report, stderr};
use clap::builder::StyledStr;
use serde_json::json;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use takt_diagnostic::{Diagnostics, Sources, visible};

/// How this run speaks.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    pub json: bool,
    pub quiet: bool,
    /// Colours on standard output, on standard error.
    pub color_out: bool,
    pub color_err: bool,
}

impl Console {
    pub fn new(common: &Common) -> Console {
        Console {
            json: common.json,
            quiet: common.quiet,
            color_out: colors(common.color, io::stdout().is_terminal()),
            color_err: colors(common.color, io::stderr().is_terminal()),
        }
    }

    /// An answer for people; machines get JSON and the quiet get nothing.
    pub fn say(&self, text: &str) {
        if !self.json && !self.quiet {
            print(&shown(text, self.color_out));
        }
    }

    /// What came of a run, for people or for machines.
    pub fn answer(&self, words: &str, json: &str, is_written: bool) {
        if self.json {
            self.print_beside(json, is_written);
        } else if !self.quiet {
            self.print_beside(&shown(words, self.color_out), is_written);
        }
    }

    /// A text that is the whole answer, for a file or for standard output.
    pub fn give(&self, text: &str, file: Option<&Path>) -> Result<(), Error> {
        if let Some(path) = file {
            output::write_file(path, text)?;
        }
        if self.json {
            let json = format!("{}\n", json!({"takt": 1, "text": text}));
            self.print_beside(&json, file.is_some());
        } else if file.is_none() {
            print(text);
        }
        Ok(())
    }

    /// Writes to standard output. If files are written already, they carry the answer: an output that
    /// takes no more is worth a warning only.
    pub fn print_beside(&self, text: &str, is_written: bool) {
        match try_print(text) {
            Err(error) if !is_written => fail(&error),
            Err(error) if !self.quiet => complain(&format!(
                "warning: cannot write to standard output: {error}; the files are written\n"
            )),
            _ => {}
        }
    }

    /// What is doubtful about the input.
    pub fn warn(&self, sources: &Sources, warnings: &Diagnostics) {
        if !self.quiet {
            stderr::write(report::messages(sources, warnings.iter(), self.color_err));
        }
    }

    /// Everything that is wrong with the input.
    pub fn fail(&self, wrong: &Wrong) {
        if self.json {
            print(&report::json(wrong));
        } else {
            stderr::write(report::text(wrong, self.quiet, self.color_err));
        }
    }

    /// A bug of ours.
    pub fn bug(&self, message: &str) {
        if self.json {
            print(&report::bug_json(message));
        }
        complain(&format!(
            "error: this is a bug in takt, not in your input: {message}\n\
             Nothing of this run can be trusted. Please report it, with the input.\n"
        ));
    }
}

/// The text in a colour of the terminal, if colours are wanted.
pub fn paint(text: &str, code: &str, color: bool) -> String {
    if color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

/// Writes an answer that stands nowhere else to standard output.
pub fn print(text: &str) {
    try_print(text).unwrap_or_else(|error| fail(&error));
}

/// Nobody listening any more is no error; a full disk is.
fn try_print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

fn fail(error: &io::Error) -> ! {
    complain(&format!("error: cannot write to standard output: {error}\n"));
    std::process::exit(Exit::Wrong as i32)
}

/// Writes to standard error, without colours.
pub fn complain(text: &str) {
    stderr::write(visible(text).into_owned());
}

/// Colours of our own words.
const CODES: [&str; 7] = ["0", "1", "4", "31", "32", "33", "36"];

/// Words with a sign for each letter that cannot be seen: names in the user's files must not command
/// his terminal. Colours are ours, where they are wanted.
fn shown(text: &str, color: bool) -> String {
    if !color {
        return visible(text).into_owned();
    }
    let mut parts = text.split("\x1b[");
    let mut shown = visible(parts.next().unwrap_or("")).into_owned();
    for part in parts {
        let is_colour = part.split_once('m').is_some_and(|(code, _)| CODES.contains(&code));
        shown.push_str(if is_colour { "\x1b[" } else { "\u{241b}[" });
        shown.push_str(&visible(part));
    }
    shown
}

/// Text of clap with colours, where they are wanted.
pub fn styled(text: &StyledStr, color: Color, is_error: bool) -> String {
    let is_terminal =
        if is_error { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    match colors(color, is_terminal) {
        true => shown(&text.ansi().to_string(), true),
        false => shown(&text.to_string(), false),
    }
}

fn colors(wish: Color, is_terminal: bool) -> bool {
    match wish {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            is_terminal && !is_set("NO_COLOR") && env::var_os("TERM") != Some("dumb".into())
        }
    }
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| !value.is_empty())
}
