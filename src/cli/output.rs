//! Results appear whole or not at all: written beside their place first, then moved there.

use super::error::Trouble;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A folder that results can be written to.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Finds out whether files of these names can be written there, and leaves nothing behind.
    pub fn usable(path: &Path, names: &[&str]) -> Result<Folder, Trouble> {
        let found =
            probe(path).and_then(|()| match names.iter().find(|name| path.join(name).is_dir()) {
                Some(name) => Err(io::Error::other(format!("`{name}` in it is a directory"))),
                None => Ok(()),
            });
        found.map_err(|error| unusable(path, &error))?;
        Ok(Folder { path: path.to_owned() })
    }

    /// Writes all files, then moves them to their places in the order given.
    pub fn write(&self, files: &[(&str, &str)]) -> Result<(), Trouble> {
        self.try_write(files).map_err(|error| unusable(&self.path, &error))
    }

    fn try_write(&self, files: &[(&str, &str)]) -> io::Result<()> {
        fs::create_dir_all(&self.path)?;
        let written: Vec<NamedTempFile> =
            files.iter().map(|(_, text)| beside(&self.path, text)).collect::<io::Result<_>>()?;
        for ((name, _), file) in files.iter().zip(written) {
            file.persist(self.path.join(name))?;
        }
        Ok(())
    }

    /// Takes away what an earlier run has left and this one does not make.
    pub fn remove(&self, name: &str) -> Result<(), Trouble> {
        match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(unusable(&self.path, &error))
            }
            _ => Ok(()),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// `out/NAME/`; whatever could lead out of `out` is replaced in the name.
pub fn default_folder(name: &str) -> PathBuf {
    let is_plain = |c: char| c.is_alphanumeric() || "-_. ".contains(c);
    let name: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let is_special = name.chars().all(|c| c == '.');
    Path::new("out").join(if is_special { "spec" } else { &name })
}

/// Writes one file, whole or not at all.
pub fn write_file(path: &Path, text: &str) -> Result<(), Trouble> {
    let folder = folder_of(path);
    let written = match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        // A device or a pipe is written to; it must not be replaced by a file.
        Ok(there) if !there.is_file() => fs::write(path, text),
        _ => beside(folder, text).and_then(|file| Ok(file.persist(path).map(drop)?)),
    };
    written.map_err(|error| unusable(path, &error))
}

/// Writes a file that is not there yet, whole or not at all; one that is there stays as it is.
pub fn write_new(path: &Path, text: &str) -> Result<(), Trouble> {
    let folder = folder_of(path);
    let written =
        beside(folder, text).and_then(|file| Ok(file.persist_noclobber(path).map(drop)?));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let name = path.display().to_string();
            let message = format!("`{name}` is there already, and is left as it is");
            let hint = "choose another name, or remove it first";
            Trouble::explained(&name, "file-exists", message, Some(hint))
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

/// A complete file in the folder where it is to go; gone again unless it is moved on.
fn beside(folder: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut file = builder().tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Results are for everyone the user shares the folder with, unlike other temporary files.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".takt-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Whether files can be made in the folder, or the folder itself in the nearest one above it.
fn probe(path: &Path) -> io::Result<()> {
    let above = path.ancestors().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
    for folder in above {
        match fs::metadata(folder) {
            Ok(data) if data.is_dir() => return builder().tempfile_in(folder).map(drop),
            Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

fn unusable(path: &Path, error: &io::Error) -> Trouble {
    let name = path.display().to_string();
    // The name of a temporary file, which stands behind the reason, means nothing to anybody.
    let reason = error.to_string();
    let reason = reason.split(" at path ").next().unwrap_or_default();
    let message = format!("cannot write to `{name}`: {reason}");
    Trouble::about(&name, "unusable-output", message)
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

    #[test]
    fn looking_leaves_nothing_and_writing_only_the_files() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("a/b");
        let folder = Folder::usable(&path, &["x", "y"]).unwrap();
        assert!(names(temporary.path()).is_empty());
        folder.write(&[("x", "1"), ("y", "2")]).unwrap();
        folder.write(&[("x", "3")]).unwrap();
        assert_eq!(names(&path), ["x", "y"]);
        assert_eq!(fs::read_to_string(path.join("x")).unwrap(), "3");
    }

    #[test]
    fn what_cannot_be_written_is_found_before() {
        let temporary = tempfile::tempdir().unwrap();
        let file = temporary.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(Folder::usable(&file, &[]).is_err());
        assert!(Folder::usable(&file.join("below"), &[]).is_err());
        fs::create_dir(temporary.path().join("x")).unwrap();
        assert!(Folder::usable(temporary.path(), &["x"]).is_err());
        assert!(write_file(temporary.path(), "").is_err());
        let missing = builder().tempfile_in(temporary.path().join("none")).expect_err("no folder");
        let said = unusable(temporary.path(), &missing).words();
        assert!(!said.contains(".takt-"), "{said}");
        assert_eq!(names(temporary.path()), ["file", "x"]);
    }
}
