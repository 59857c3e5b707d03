//! Starts the program with arguments and standard input.

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// What a run left behind.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Standard output as exactly one JSON object.
    pub fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error} in {:?} (stderr {:?})", self.out, self.err));
        assert!(value.is_object(), "{value}");
        value
    }

    /// The codes of the errors in the JSON.
    pub fn error_codes(&self) -> Vec<String> {
        let json = self.json();
        assert_eq!(json["takt"], 1, "{json}");
        let errors = json["errors"].as_array().expect("a list of errors");
        errors.iter().map(|e| e["code"].as_str().expect("a code").to_owned()).collect()
    }
}

/// The project's folder.
pub fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Runs `takt` from the project's folder.
pub fn takt(args: &[&str]) -> Ran {
    takt_with(args, "", &[])
}

/// Runs `takt` with standard input and environment variables.
pub fn takt_with(args: &[&str], input: &str, variables: &[(&str, &str)]) -> Ran {
    let mut child = command(args).envs(variables.iter().copied()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that refuses its call reads nothing: that is not this test's matter.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    end(child)
}

/// Starts `takt` and lets it run.
pub fn start(args: &[&str]) -> Child {
    command(args).spawn().expect("it starts")
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_takt"));
    command.args(args).current_dir(root()).env_remove("NO_COLOR");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for the end of a run.
pub fn end(child: Child) -> Ran {
    let output = child.wait_with_output().expect("the program ends");
    Ran {
        code: output.status.code().expect("not killed"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Waits until the process catches SIGTERM: its mask of caught signals says so.
#[cfg(target_os = "linux")]
pub fn wait_for_handler(process: u32) {
    loop {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = u64::from_str_radix(mask.expect("a mask").trim(), 16).expect("a number");
        if mask & (1 << 14) != 0 {
            return;
        }
        std::thread::yield_now();
    }
}

/// A folder for one test, removed at the end of it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Writes a file and gives its path as an argument.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a temporary file");
        path.display().to_string()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}
