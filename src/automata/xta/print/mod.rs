//! Networks as text: what is printed reads back as the same network, but for what the text has
//! no place for (origins of edges, and queries that came with the model).

mod declaration;
mod expr;
mod process;

pub use process::{select_text, sync_text};

use crate::network::*;
use crate::xta::precedence::QUANTIFIER;

/// The whole model in the textual language.
pub fn print(network: &Network) -> String {
    print_items(&network.items, Some(&network.system))
}

/// Some items and the system line.
pub fn print_items<'n>(
    items: impl IntoIterator<Item = &'n Item>,
    system: Option<&System>,
) -> String {
    let mut printer = Printer::default();
    let mut after_template = false;
    for item in items {
        let is_template = matches!(item, Item::Template(_));
        if (is_template || after_template) && !printer.out.is_empty() {
            printer.out.push('\n');
        }
        printer.item(item);
        after_template = is_template;
    }
    if let Some(system) = system.filter(|system| !system.levels.is_empty()) {
        if !printer.out.is_empty() {
            printer.out.push('\n');
        }
        printer.system(system);
    }
    printer.out
}

/// Parameters without the parentheses around them.
pub fn parameter_text(parameters: &[Parameter]) -> String {
    let mut out = String::new();
    declaration::write_parameter_list(&mut out, parameters);
    out
}

/// The updates of an edge.
pub fn update_text(updates: &[Expr]) -> String {
    let mut out = String::new();
    expr::write_list(&mut out, updates);
    out
}

pub fn print_expr(expr: &Expr) -> String {
    let mut out = String::new();
    expr::write(&mut out, expr, QUANTIFIER);
    out
}

/// The question, spelled anew from its goal.
pub fn print_query(query: &Query) -> String {
    let bound = |word: &str, within: &Option<Expr>, of: &Expr| match within {
        Some(within) => format!("{word}{{{}}}: {}", print_expr(within), print_expr(of)),
        None => format!("{word}: {}", print_expr(of)),
    };
    match &query.goal {
        Goal::Possibly(p) => format!("E<> {}", print_expr(p)),
        Goal::Invariantly(p) => format!("A[] {}", print_expr(p)),
        Goal::PotentiallyAlways(p) => format!("E[] {}", print_expr(p)),
        Goal::Eventually(p) => format!("A<> {}", print_expr(p)),
        Goal::LeadsTo(p, q) => format!("{} --> {}", print_expr(p), print_expr(q)),
        Goal::Infimum { within, of } => bound("inf", within, of),
        Goal::Supremum { within, of } => bound("sup", within, of),
    }
}

/// Text that grows by indented lines.
#[derive(Default)]
pub struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self, write: impl FnOnce(&mut String)) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        write(&mut self.out);
        self.out.push('\n');
    }

    fn indented(&mut self, write: impl FnOnce(&mut Printer)) {
        self.indent += 1;
        write(self);
        self.indent -= 1;
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::Template(template) => self.template(template),
            Item::Instantiation(instantiation) => self.instantiation(instantiation),
        }
    }

    fn instantiation(&mut self, instantiation: &Instantiation) {
        self.line(|out| {
            out.push_str(&instantiation.name.text);
            if !instantiation.parameters.is_empty() {
                declaration::write_parameters(out, &instantiation.parameters);
            }
            out.push_str(&format!(" = {}(", instantiation.template.text));
            expr::write_list(out, &instantiation.arguments);
            out.push_str(");");
        });
    }

    fn system(&mut self, system: &System) {
        self.line(|out| {
            out.push_str("system ");
            join(out, &system.levels, " < ", |out, level| {
                join(out, level, ", ", |out, name| out.push_str(&name.text));
            });
            out.push(';');
        });
    }
}

/// Writes all with `between` between each two.
fn join<T>(out: &mut String, all: &[T], between: &str, mut write: impl FnMut(&mut String, &T)) {
    for (i, one) in all.iter().enumerate() {
        if i > 0 {
            out.push_str(between);
        }
        write(out, one);
    }
}
