//! Reads files and standard input as text, or says clearly why that cannot be done.

use super::error::Error;
use super::inputs::{Identity, identity};
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use takt_diagnostic::{Diagnostic, Sources, Span};
use takt_spec::Encoding;

/// No text of a model or spec is larger than this.
const LARGEST: u64 = 256 << 20;

/// A text with the name it is known by in messages.
#[derive(Debug)]
pub struct Text {
    pub name: String,
    pub text: String,
    /// Which file it is, if it is one.
    pub identity: Option<Identity>,
}

/// Reads a file, or standard input if the path is `-`. A byte order mark is dropped.
pub fn read(path: &Path) -> Result<Text, Error> {
    read_in(path, Encoding::Utf8)
}

/// Reads a file whose letters are stored so.
pub fn read_in(path: &Path, encoding: Encoding) -> Result<Text, Error> {
    let name = if is_standard(path) { "<stdin>".into() } else { path.display().to_string() };
    let (bytes, identity) = bytes(path).map_err(|error| unreadable(&name, &error))?;
    if bytes.len() as u64 > LARGEST {
        let message = format!("`{name}` is larger than {} MB", LARGEST >> 20);
        return Err(Error::about(&name, "file-too-large", message));
    }
    let text = match encoding {
        // A file that begins with the mark of UTF-8 is nothing else.
        Encoding::Latin1 if !bytes.starts_with(b"\xef\xbb\xbf") => takt_spec::latin1(&bytes),
        _ => utf8(&name, bytes)?,
    };
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Error::about(&name, "empty-file", format!("`{name}` is empty")));
    }
    Ok(Text { name, text, identity })
}

fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        let message = format!("`{name}` is not UTF-8 text: line {line} holds an invalid byte");
        // What comes before the first invalid byte stays as it is, and so does its place.
        let mut sources = Sources::default();
        let file = sources.add(name, String::from_utf8_lossy(error.as_bytes()));
        let place = Span::new(file, at, at + char::REPLACEMENT_CHARACTER.len_utf8());
        Error::input(sources, Diagnostic::error("not-utf8", place, message).into())
    })
}

pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn bytes(path: &Path) -> io::Result<(Vec<u8>, Option<Identity>)> {
    let mut bytes = Vec::new();
    if is_standard(path) {
        io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)?;
        return Ok((bytes, redirected()));
    }
    let file = fs::File::open(path)?;
    let data = file.metadata()?;
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok((bytes, identity(path, &data)))
}

/// The file that standard input comes from.
#[cfg(unix)]
fn redirected() -> Option<Identity> {
    use std::os::fd::AsFd;
    let file = fs::File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    identity(Path::new("-"), &file.metadata().ok()?)
}

#[cfg(not(unix))]
fn redirected() -> Option<Identity> {
    None
}

fn unreadable(name: &str, error: &io::Error) -> Error {
    let (code, why) = match error.kind() {
        ErrorKind::NotFound => ("missing-file", format!("`{name}` does not exist")),
        ErrorKind::IsADirectory => ("is-directory", format!("`{name}` is a directory, not a file")),
        ErrorKind::PermissionDenied => {
            ("unreadable-file", format!("no permission to read `{name}`"))
        }
        _ => ("unreadable-file", format!("cannot read `{name}`: {error}")),
    };
    Error::about(name, code, why)
}
