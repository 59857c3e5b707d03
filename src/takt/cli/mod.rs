//! Arguments, settings, files, terminal: the only room that touches the world outside.
//!
//! [`main`] reads the arguments as typed (`args`), turns them into settings as meant, runs
//! one command (one file each) and turns its end into an exit code.

mod answer;
mod args;
mod bug;
mod call;
mod check;
mod compare;
mod compile;
mod console;
mod error;
mod guard;
mod import;
mod input;
mod inputs;
mod interrupt;
mod limits;
mod memory;
mod new;
mod output;
mod publish;
mod report;
mod safe;
mod schema;
mod show;
mod solve;
mod spec;
mod stderr;
mod trace;
mod validate;
mod watchdog;

use crate::pipeline::Status;
use args::{Args, Command};
use clap::{CommandFactory, FromArgMatches};
use console::Console;
use error::Error;
use guard::Guard;
use std::process::ExitCode;
use std::time::Instant;

/// How a run ends. The numbers are promised to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// An answer was found and it is positive.
    Positive = 0,
    /// The answer is negative.
    Negative = 1,
    /// The input or the call is wrong.
    Wrong = 2,
    /// No answer within the limits.
    Unknown = 3,
    /// A bug of ours, the same as a panic's.
    Bug = 101,
}

impl From<Status> for Exit {
    fn from(status: Status) -> Exit {
        match status {
            Status::Optimal | Status::Restricted | Status::Feasible => Exit::Positive,
            Status::Infeasible => Exit::Negative,
            Status::Unknown => Exit::Unknown,
        }
    }
}

/// Runs the program on the arguments of the process.
pub fn main() -> ExitCode {
    let started = Instant::now();
    interrupt::survive_file_limits();
    let exit = match parse() {
        Ok(args) => dispatch(args, started),
        Err(exit) => exit,
    };
    ExitCode::from(exit as u8)
}

fn dispatch(args: Args, started: Instant) -> Exit {
    let console = Console::new(&args.common);
    let _guard = unlimited(&args.command).then(|| Guard::without_limits(&console, started));
    let end = bug::catch(|| match args.command {
        Command::Solve(args) => solve::run(&args, &console, started),
        Command::Compare(args) => compare::run(&args, &console, started),
        Command::Compile(args) => compile::run(&args, &console),
        Command::Import(args) => import::run(&args, &console),
        Command::Show(args) => show::run(&args, &console),
        Command::New(args) => new::run(&args, &console),
        Command::Safe(args) => safe::run(&args, &console, started),
        Command::Schema(_) => Ok(schema::run(&console)),
        Command::Validate(args) => validate::run(&args, &console),
        Command::Check(args) => check::run(&args, &console, started),
    });
    let end = end.unwrap_or_else(|message| Err(Error::Bug(message)));
    end.unwrap_or_else(|error| conclude(&error, &console))
}

/// Whether a command knows no limits of its own: only the room there is limits it.
fn unlimited(command: &Command) -> bool {
    use Command::{Compile, Import, Show, Validate};
    matches!(command, Compile(_) | Import(_) | Show(_) | Validate(_))
}

/// Says what went wrong.
fn conclude(error: &Error, console: &Console) -> Exit {
    match error {
        Error::Input(wrong) => {
            console.fail(wrong);
            Exit::Wrong
        }
        Error::Bug(message) => {
            console.bug(message);
            Exit::Bug
        }
    }
}

/// The arguments, or how the run ends without them: help was asked for, or the call is wrong.
fn parse() -> Result<Args, Exit> {
    let early = args::Early::scan(std::env::args_os().skip(1));
    let command = Args::command().color(early.color.into());
    let parsed = command
        .try_get_matches_from(args::without_options_of_help(std::env::args_os()))
        .and_then(|matches| Args::from_arg_matches(&matches));
    parsed.map_err(|error| {
        let text = error.render();
        match (early.json, error.use_stderr()) {
            (true, true) => console::print(&report::json(&call::misread(&error))),
            (true, false) => {
                let text = text.to_string();
                console::print(&format!("{}\n", serde_json::json!({"takt": 1, "text": text})));
            }
            (false, true) => stderr::write(console::styled(&text, early.color, true)),
            (false, false) => console::print(&console::styled(&text, early.color, false)),
        }
        if error.use_stderr() { Exit::Wrong } else { Exit::Positive }
    })
}
