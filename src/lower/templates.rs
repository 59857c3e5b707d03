//! The automata that plants are put together from: ordinary files of the automaton language,
//! embedded in the program, each of which the user may replace.

use crate::diagnostic::{Diagnostic, Diagnostics, FileId, Span};
use crate::network::{Declaration, Declarator, Item, Network, Template};
use crate::xta;

const PLANT: &str = include_str!("../../templates/plant.xta");
const STEP: &str = include_str!("../../templates/step.xta");

/// What a template must have to be of use: its parameters in this sequence, and its locations.
struct Needs {
    template: &'static str,
    parameters: &'static [&'static str],
    locations: &'static [&'static str],
}

const CONSTANTS: [&str; 4] = ["cost_scale", "horizon", "orders", "machines"];
const STEPS: [Needs; 3] = [
    Needs {
        template: "First",
        parameters: &["machine", "last"],
        locations: &["waiting", "running"],
    },
    Needs {
        template: "Next",
        parameters: &["before", "duration", "machine", "last"],
        locations: &["ending", "parted", "running"],
    },
    Needs {
        template: "Finish",
        parameters: &["before", "duration", "turn"],
        locations: &["ending", "parted", "finished"],
    },
];

/// Parsed templates that have all that `lower` needs.
#[derive(Clone, Debug)]
pub struct Templates {
    pub(super) plant: Network,
    steps: Network,
    is_replaced: bool,
}

impl Templates {
    /// The names of the files, as in `templates/`.
    pub const FILES: [&'static str; 2] = ["plant.xta", "step.xta"];

    pub fn embedded() -> Templates {
        Templates::from_texts(&[]).expect("the embedded templates are complete")
    }

    /// The embedded templates, some of them replaced: file name, text, and the file's number
    /// for messages.
    pub fn from_texts(texts: &[(String, String, FileId)]) -> Result<Templates, Diagnostics> {
        let mut found = Diagnostics::default();
        for (name, _, file) in texts {
            if !Templates::FILES.contains(&name.as_str()) {
                let message = format!("no template is called `{name}`");
                let error = Diagnostic::error("unknown-name", Span::new(*file, 0, 0), message);
                found.push(error.did_you_mean(name, Templates::FILES));
            }
        }
        let mut parse = |name: &str, embedded: &str| {
            let given = texts.iter().find(|(file, _, _)| file == name);
            let (text, file) = given.map_or((embedded, FileId(u32::MAX)), |(_, t, f)| (t, *f));
            xta::parse_library(text, file)
                .map(|network| (network, file))
                .map_err(|e| found.extend(e))
                .ok()
        };
        let plant = parse("plant.xta", PLANT);
        let steps = parse("step.xta", STEP);
        if let (Some((plant, plant_file)), Some((steps, steps_file))) = (plant, steps) {
            check_plant(&plant, plant_file, &mut found);
            STEPS.iter().for_each(|needs| check_template(&steps, needs, steps_file, &mut found));
            if !found.has_errors() {
                return Ok(Templates { plant, steps, is_replaced: !texts.is_empty() });
            }
        }
        Err(found.sorted())
    }

    /// Whether some of them are not the embedded ones.
    pub fn is_replaced(&self) -> bool {
        self.is_replaced
    }

    pub(super) fn step(&self, name: &str) -> &Template {
        template(&self.steps, name).expect("the templates were checked when they were read")
    }
}

fn template<'n>(network: &'n Network, name: &str) -> Option<&'n Template> {
    network.items.iter().find_map(|item| match item {
        Item::Template(template) if template.name.text == name => Some(template),
        _ => None,
    })
}

fn check_template(network: &Network, needs: &Needs, file: FileId, found: &mut Diagnostics) {
    let Some(template) = template(network, needs.template) else {
        let message = format!("the template `{}` is missing", needs.template);
        found.push(Diagnostic::error("bad-template", Span::new(file, 0, 0), message));
        return;
    };
    let parameters: Vec<_> = template.parameters.iter().map(|p| p.name.text.as_str()).collect();
    if parameters != needs.parameters {
        let message =
            format!("the parameters of `{}` are {}", needs.template, needs.parameters.join(", "));
        found.push(Diagnostic::error("bad-template", template.name.span, message));
    }
    for name in needs.locations {
        if !template.locations.iter().any(|location| location.name.text == *name) {
            let message = format!("the location `{name}` of `{}` is missing", needs.template);
            found.push(Diagnostic::error("bad-template", template.name.span, message));
        }
    }
}

fn check_plant(network: &Network, file: FileId, found: &mut Diagnostics) {
    for name in CONSTANTS.into_iter().chain(["now", "done"]) {
        if !network.items.iter().any(|item| declares(item, name)) {
            let message = format!("the declaration of `{name}` is missing");
            found.push(Diagnostic::error("bad-template", Span::new(file, 0, 0), message));
        }
    }
}

fn declares(item: &Item, name: &str) -> bool {
    let is_it = |declarator: &Declarator| declarator.name.text == name;
    matches!(item, Item::Declaration(Declaration::Variables(v)) if v.declarators.iter().any(is_it))
}
