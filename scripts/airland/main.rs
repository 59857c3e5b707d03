//! Writes a model of aircraft landing from an OR-Library file:
//! `cargo run --example airland -- FILE RUNWAYS > model.xta`.

use std::process::ExitCode;
use std::{env, fs};
use takt_testing::airland;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match write(&arguments) {
        Ok(model) => {
            print!("{model}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn write(arguments: &[String]) -> Result<String, String> {
    let [file, runways] = arguments else {
        return Err("usage: airland FILE RUNWAYS".into());
    };
    let runways = runways.parse().map_err(|_| format!("`{runways}` is not a number of runways"))?;
    let text = fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
    let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".txt");
    airland::model(name, &text, runways).map_err(|message| format!("{file}: {message}"))
}
