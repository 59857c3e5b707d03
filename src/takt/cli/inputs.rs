//! The files that a run has read, so that its results replace none of them.
//!
//! Files are compared by what they are, not by their names: links lead to the same file.

use super::error::Error;
use super::input::Text;
use std::fs::{self, Metadata};
use std::path::Path;

/// What tells a file from all others.
#[cfg(unix)]
pub type Identity = (u64, u64);
#[cfg(not(unix))]
pub type Identity = std::path::PathBuf;

/// Device and number of a file; `None` for what is no file, such as a terminal or a pipe.
#[cfg(unix)]
pub fn identity(_: &Path, data: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    data.is_file().then(|| (data.dev(), data.ino()))
}

#[cfg(not(unix))]
pub fn identity(path: &Path, data: &Metadata) -> Option<Identity> {
    data.is_file().then(|| fs::canonicalize(path).ok()).flatten()
}

/// All that was read, by name.
#[derive(Clone, Debug, Default)]
pub struct Inputs(Vec<(String, Identity)>);

impl Inputs {
    pub fn add(&mut self, text: &Text) {
        let identity = text.identity.iter().cloned();
        self.0.extend(identity.map(|identity| (text.name.clone(), identity)));
    }

    /// All that was read for any of these.
    pub fn of_all<'a>(all: impl Iterator<Item = &'a Inputs>) -> Inputs {
        Inputs(all.flat_map(|inputs| inputs.0.iter().cloned()).collect())
    }

    /// Nothing that was read may be written.
    pub fn spare(&self, output: &Path) -> Result<(), Error> {
        let there = fs::metadata(output).ok().and_then(|data| identity(output, &data));
        let Some(there) = there else { return Ok(()) };
        match self.0.iter().find(|(_, identity)| *identity == there) {
            None => Ok(()),
            Some((name, _)) => {
                let shown = output.display();
                let message = format!("the results would replace `{shown}`, which this run reads");
                let hint = "choose another place with --out";
                Err(Error::explained(name, "output-is-input", message, Some(hint)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::input;
    use super::*;

    #[test]
    fn a_file_is_known_again_under_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("table.csv"), "id\nA\n").unwrap();
        fs::write(path("other.csv"), "id\nA\n").unwrap();
        let mut inputs = Inputs::default();
        inputs.add(&input::read(&path("table.csv")).unwrap());
        assert!(inputs.spare(&path("table.csv")).is_err());
        assert!(inputs.spare(&folder.path().join("./table.csv")).is_err());
        assert!(inputs.spare(&path("other.csv")).is_ok());
        assert!(inputs.spare(&path("none.csv")).is_ok());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("table.csv", path("soft.csv")).unwrap();
            fs::hard_link(path("table.csv"), path("hard.csv")).unwrap();
            assert!(inputs.spare(&path("soft.csv")).is_err());
            assert!(inputs.spare(&path("hard.csv")).is_err());
        }
    }
}
