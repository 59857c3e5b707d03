//! `model.xta`: the network that a schedule was replayed on.

use super::artifact::{Document, Format};
use takt_automata::xta;

pub struct ModelText;

impl Format<Document<'_>> for ModelText {
    fn key(&self) -> &'static str {
        "model"
    }

    fn file(&self) -> &'static str {
        "model.xta"
    }

    fn bytes(&self, document: &Document) -> Vec<u8> {
        xta::print(document.network).into_bytes()
    }
}
