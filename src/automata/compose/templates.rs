//! The automata that networks are put together from: ordinary files of the automaton language,
//! embedded in the program, each of which the user may replace.

use crate::network::{Declaration, Declarator, Ident, Item, Network, Template};
use crate::xta;
use std::collections::BTreeSet;
use takt_diagnostic::{Diagnostic, Diagnostics, FileId, Span};

/// A template file of the program: its name and its text.
pub type Embedded = (&'static str, &'static str);

/// Parsed templates that have all that the embedded ones have.
#[derive(Clone, Debug)]
pub struct Templates {
    /// In the sequence in which their declarations stand in a network.
    files: Vec<(&'static str, Network)>,
    is_replaced: bool,
}

impl Templates {
    /// The names of the files.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.files.iter().map(|(name, _)| *name)
    }

    pub fn embedded(files: &[Embedded]) -> Templates {
        Templates::from_texts(files, &[]).expect("the embedded templates are complete")
    }

    /// The embedded templates, some of them replaced: file name, text, and the file's number
    /// for messages.
    pub fn from_texts(
        embedded: &[Embedded],
        texts: &[(String, String, FileId)],
    ) -> Result<Templates, Diagnostics> {
        let mut found = Diagnostics::default();
        let names = || embedded.iter().map(|(name, _)| *name);
        for (name, _, file) in texts {
            if !names().any(|known| known == name) {
                let message = format!("no template is called `{name}`");
                let error = Diagnostic::error("unknown-name", Span::new(*file, 0, 0), message);
                found.push(error.did_you_mean(name, names()));
            }
        }
        let mut files = Vec::new();
        for &(name, text) in embedded {
            let own = xta::parse_library(text, FileId(u32::MAX))
                .expect("the embedded templates can be read");
            match texts.iter().find(|(file, _, _)| file == name) {
                None => files.push((name, own)),
                Some((_, text, file)) => match xta::parse_library(text, *file) {
                    Err(errors) => found.extend(errors),
                    Ok(given) => {
                        check(&given, &own, *file, &mut found);
                        check_apart(&given, name, embedded, &mut found);
                        files.push((name, given));
                    }
                },
            }
        }
        match found.has_errors() {
            true => Err(found.sorted()),
            false => Ok(Templates { files, is_replaced: !texts.is_empty() }),
        }
    }

    /// Whether some of them are not the embedded ones.
    pub fn is_replaced(&self) -> bool {
        self.is_replaced
    }

    /// Whatever has a name outside of templates, in any file.
    pub fn globals(&self) -> BTreeSet<String> {
        declared(self.files.iter().flat_map(|(_, file)| &file.items))
    }

    /// What a file declares, without its templates.
    pub fn declarations(&self, file: &str) -> impl Iterator<Item = Item> {
        let items = self.file(file).items.iter();
        items.filter(|item| matches!(item, Item::Declaration(_))).cloned()
    }

    /// A template of a file.
    pub fn get(&self, file: &str, name: &str) -> &Template {
        template(self.file(file), name).expect("the templates were checked when they were read")
    }

    fn file(&self, wanted: &str) -> &Network {
        let found = self.files.iter().find(|(name, _)| *name == wanted);
        &found.expect("the compiler names files that are there").1
    }
}

fn template<'n>(network: &'n Network, name: &str) -> Option<&'n Template> {
    templates(network).find(|template| template.name.text == name)
}

fn templates(network: &Network) -> impl Iterator<Item = &Template> {
    network.items.iter().filter_map(|item| match item {
        Item::Template(template) => Some(template),
        _ => None,
    })
}

/// What is given must declare all that the embedded file declares, and have its templates with
/// the same parameters and at least the same locations.
fn check(given: &Network, own: &Network, file: FileId, found: &mut Diagnostics) {
    for declarator in own.items.iter().flat_map(declarators) {
        let name = &declarator.name.text;
        if !given.items.iter().flat_map(declarators).any(|other| other.name.text == *name) {
            let message = format!("the declaration of `{name}` is missing");
            found.push(Diagnostic::error("bad-template", Span::new(file, 0, 0), message));
        }
    }
    for wanted in templates(own) {
        match template(given, &wanted.name.text) {
            Some(template) => check_template(template, wanted, found),
            None => {
                let message = format!("the template `{}` is missing", wanted.name.text);
                found.push(Diagnostic::error("bad-template", Span::new(file, 0, 0), message));
            }
        }
    }
}

/// What a file has beside what the embedded one has must not be there in another file: all of
/// them may become parts of one plant.
fn check_apart(given: &Network, file: &str, embedded: &[Embedded], found: &mut Diagnostics) {
    let read = |text: &str| {
        xta::parse_library(text, FileId(u32::MAX)).expect("the embedded templates can be read")
    };
    let others: Vec<(&str, BTreeSet<String>)> =
        embedded.iter().map(|(name, text)| (*name, declared(&read(text).items))).collect();
    let is_own = |name: &str| others.iter().any(|(of, all)| *of == file && all.contains(name));
    for ident in given.items.iter().flat_map(idents).filter(|ident| !is_own(&ident.text)) {
        let Some((other, _)) = others.iter().find(|(_, all)| all.contains(&ident.text)) else {
            continue;
        };
        let message = format!("`{}` is declared in {other}", ident.text);
        let error = Diagnostic::error("duplicate-name", ident.span, message);
        found.push(error.label("choose another name"));
    }
}

/// What an item declares for all.
fn idents(item: &Item) -> Vec<&Ident> {
    match item {
        Item::Declaration(Declaration::Variables(all) | Declaration::Typedef(all)) => {
            all.declarators.iter().map(|declarator| &declarator.name).collect()
        }
        Item::Declaration(Declaration::Function(function)) => vec![&function.name],
        Item::Declaration(_) => Vec::new(),
        Item::Template(template) => vec![&template.name],
        Item::Instantiation(instance) => vec![&instance.name],
    }
}

fn check_template(given: &Template, own: &Template, found: &mut Diagnostics) {
    let parameters = |template: &Template| -> Vec<String> {
        template.parameters.iter().map(|p| p.name.text.clone()).collect()
    };
    let (name, span) = (&own.name.text, given.name.span);
    if parameters(given) != parameters(own) {
        let message = format!("the parameters of `{name}` are {}", parameters(own).join(", "));
        found.push(Diagnostic::error("bad-template", span, message));
    }
    for location in own.locations.iter().map(|location| &location.name.text) {
        if !given.locations.iter().any(|other| other.name.text == *location) {
            let message = format!("the location `{location}` of `{name}` is missing");
            found.push(Diagnostic::error("bad-template", span, message));
        }
    }
}

/// The names of what items declare for all.
pub fn declared<'a>(items: impl IntoIterator<Item = &'a Item>) -> BTreeSet<String> {
    items.into_iter().flat_map(idents).map(|ident| ident.text.clone()).collect()
}

fn declarators(item: &Item) -> &[Declarator] {
    match item {
        Item::Declaration(Declaration::Variables(variables)) => &variables.declarators,
        _ => &[],
    }
}
