//! The template files of the program, of plants and of scanners.

use takt_automata::compose::Templates;
use takt_diagnostic::{Diagnostics, FileId};

/// The embedded templates, some of them replaced: file name, text, and the file's number for
/// messages.
pub fn templates(texts: &[(String, String, FileId)]) -> Result<Templates, Diagnostics> {
    let files = [&takt_plant::TEMPLATE_FILES[..], &takt_scanner::lower::FILES].concat();
    Templates::from_texts(&files, texts)
}
