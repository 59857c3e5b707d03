//! `takt schema`: the JSON Schema of the spec language, for editors.

use super::Exit;
use super::console::{self, Console};
use takt_spec as spec;

/// On one line with `--json`, for reading otherwise.
pub fn run(console: &Console) -> Exit {
    let schema = spec::schema();
    console::print(&if console.json { format!("{schema}\n") } else { format!("{schema:#}\n") });
    Exit::Positive
}
