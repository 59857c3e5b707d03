//! Where results go: whether that is possible is found before solving; then they appear whole or not
//! at all ([`publish`](super::publish)).

use super::error::Error;
use super::input;
use super::inputs::Inputs;
use super::publish::{self, Change};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use takt_report::Artifact;

/// The least that is written for a spec, and for each order more, in bytes: what has no room for that
/// is full.
const LEAST: usize = 8 << 10;
const LEAST_OF_ORDER: usize = 500;

/// A folder that results can be written to.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Finds out whether files of these names can be written there, and replace nothing that was
    /// read; leaves nothing behind.
    pub fn usable(
        path: &Path,
        names: &[&str],
        inputs: &Inputs,
        orders: usize,
    ) -> Result<Folder, Error> {
        if input::is_standard(path) {
            let hint = "name a folder, such as `--out results`; `--json` prints a summary";
            let message = "results are several files and need a folder: `-` is none";
            return Err(Error::explained(
                "<command line>",
                "unusable-output",
                message.to_owned(),
                Some(hint),
            ));
        }
        names.iter().try_for_each(|name| inputs.spare(&path.join(name)))?;
        let bytes = LEAST + orders * LEAST_OF_ORDER;
        if path.is_file() {
            let reason = io::Error::other("it is a file, and a folder is needed");
            return Err(unusable(path, &reason));
        }
        publish::rehearse(path, names, bytes).map_err(|error| unusable(path, &error))?;
        Ok(Folder { path: path.to_owned() })
    }

    /// Puts all files in their places together, in the order given, and takes others away that an
    /// earlier run has left. What cannot be written there is kept elsewhere.
    pub fn write(&self, put: &[Artifact], away: &[&str]) -> Result<(), Error> {
        let Err(error) = publish::publish(&self.path, Change { put, away }) else { return Ok(()) };
        let hint = match rescue(put) {
            Ok(place) => format!("the results of this run are in `{}`", place.display()),
            Err(_) => "the results of this run could not be kept anywhere else either".to_owned(),
        };
        let name = self.path.display().to_string();
        let message = reason(&self.path, &error);
        Err(Error::explained(&name, "unusable-output", message, Some(&hint)))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a file of this name is written, as it is shown.
    pub fn place(&self, name: &str) -> String {
        self.path.join(name).display().to_string()
    }
}

/// `out/NAME/`; whatever could lead out of `out` is replaced in the name.
pub fn default_folder(name: &str) -> PathBuf {
    let is_plain = |c: char| c.is_alphanumeric() || "-_. ".contains(c);
    let name: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let is_special = name.chars().all(|c| c == '.');
    Path::new("out").join(if is_special { "spec" } else { &name })
}

/// A folder for temporary files, which is kept.
fn rescue(files: &[Artifact]) -> io::Result<PathBuf> {
    let folder = tempfile::Builder::new().prefix("takt-results-").tempdir()?;
    for Artifact { file, bytes, .. } in files {
        fs::write(folder.path().join(file), bytes)?;
    }
    Ok(folder.keep())
}

/// Writes one file, whole or not at all.
pub fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    let written = match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        // A device or a pipe is written to; it must not be replaced by a file.
        Ok(there) if !there.is_file() => fs::write(path, text),
        _ => {
            publish::publish_file(folder_of(path), text, |file| Ok(file.persist(path).map(drop)?))
        }
    };
    written.map_err(|error| unusable(path, &error))
}

/// Writes a file that is not there yet, whole or not at all; one that is there stays as it is.
pub fn write_new(path: &Path, text: &str) -> Result<(), Error> {
    let written = publish::publish_file(folder_of(path), text, |file| {
        Ok(file.persist_noclobber(path).map(drop)?)
    });
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let name = path.display().to_string();
            let message = format!("`{name}` is there already, and is left as it is");
            let hint = "choose another name, or remove it first";
            Error::explained(&name, "file-exists", message, Some(hint))
        }
        _ => unusable(path, &error),
    })
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn unusable(path: &Path, error: &io::Error) -> Error {
    Error::about(&path.display().to_string(), "unusable-output", reason(path, error))
}

fn reason(path: &Path, error: &io::Error) -> String {
    // The name of a temporary file, which stands behind the reason, means nothing to anybody.
    let reason = error.to_string();
    let reason = reason.split(" at path ").next().unwrap_or_default();
    format!("cannot write to `{}`: {reason}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn usable(path: &Path, names: &[&str]) -> Result<Folder, Error> {
        Folder::usable(path, names, &Inputs::default(), 0)
    }

    #[test]
    fn looking_leaves_nothing_and_writing_only_the_files() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("a/b");
        let folder = usable(&path, &["x", "y"]).unwrap();
        assert!(names(temporary.path()).is_empty());
        let file = |name, text: &str| Artifact::new(name, name, text);
        folder.write(&[file("x", "1"), file("y", "2")], &[]).unwrap();
        folder.write(&[file("x", "3")], &["z"]).unwrap();
        assert_eq!(names(&path), ["x", "y"]);
        assert_eq!(fs::read_to_string(path.join("x")).unwrap(), "3");
        folder.write(&[file("x", "4")], &["y"]).unwrap();
        assert_eq!(names(&path), ["x"]);
    }

    #[test]
    fn what_cannot_be_written_is_found_before() {
        let temporary = tempfile::tempdir().unwrap();
        let file = temporary.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(usable(&file, &[]).is_err());
        assert!(usable(&file.join("below"), &[]).is_err());
        fs::create_dir(temporary.path().join("x")).unwrap();
        assert!(usable(temporary.path(), &["x"]).is_err());
        assert!(write_file(temporary.path(), "").is_err());
        let missing = write_file(&temporary.path().join("none/file"), "").expect_err("no folder");
        assert!(!missing.words().contains(".takt-"), "{}", missing.words());
        assert_eq!(names(temporary.path()), ["file", "x"]);
    }

    /// Hours of search must not be lost because the folder has become unusable meanwhile.
    #[test]
    fn what_cannot_be_written_in_the_end_is_kept_elsewhere() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = usable(temporary.path(), &["x"]).unwrap();
        fs::create_dir(temporary.path().join("x")).unwrap();
        let Err(Error::Input(wrong)) = folder.write(&[Artifact::new("x", "x", "1")], &[]) else {
            panic!("written")
        };
        let hint = wrong.diagnostics.iter().next().unwrap().hint.clone().unwrap();
        let kept = PathBuf::from(hint.split('`').nth(1).expect("a place"));
        assert_eq!(fs::read_to_string(kept.join("x")).unwrap(), "1");
        fs::remove_dir_all(kept).unwrap();
    }
}
