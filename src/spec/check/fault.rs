//! Why an expression has no value, in words.

use crate::{Fault, Scope};
use takt_diagnostic::{Diagnostic, Span};

pub fn explain(fault: &Fault, scope: Scope) -> Diagnostic {
    match fault {
        Fault::AbsentName(name, span) => absent(name, *span, scope),
        Fault::TextualName(name, span) => {
            let found = format!("`{name}` is text, not a number");
            let place = scope.order.and_then(|order| order.attribute(name));
            match place.map(|attribute| attribute.value.span) {
                // A cell of a table is more likely wrong than the recipe.
                Some(cell) if cell.file != span.file => {
                    let found = Diagnostic::error("bad-expression", cell, found);
                    found.related(*span, "a number is needed here")
                }
                Some(value) => {
                    let found = Diagnostic::error("bad-expression", *span, found);
                    found.related(value, "its value")
                }
                None => Diagnostic::error("bad-expression", *span, found),
            }
        }
        Fault::TimeTimesTime(span) => {
            Diagnostic::error("bad-expression", *span, "a time cannot be multiplied by a time")
        }
        Fault::NumberByTime(span) => {
            Diagnostic::error("bad-expression", *span, "a number cannot be divided by a time")
        }
        Fault::DivisionByZero(span) => {
            Diagnostic::error("bad-expression", *span, "this divides by 0")
        }
        Fault::QuantityInTicks(span) => {
            let found = Diagnostic::error("missing-unit", *span, "a tick has no length");
            found.hint("set `time: {unit: minute}`, or count ticks")
        }
        Fault::NotANumber(span) => {
            Diagnostic::error("bad-expression", *span, "a cost is a number, not a time")
        }
        Fault::TooLarge(span) => {
            Diagnostic::error("out-of-range", *span, "this number is too large or too fine")
        }
    }
}

fn absent(name: &str, span: Span, scope: Scope) -> Diagnostic {
    let Some(order) = scope.order else {
        let message =
            format!("there is no `{name}`: only a step's or an order's values have names");
        let found = Diagnostic::error("unknown-name", span, message);
        return found.hint("write a number, or a time such as `90s`");
    };
    let message = match name {
        "size" => format!("the order `{}` has no size", order.id.value),
        _ => format!("the order `{}` has no attribute `{name}`", order.id.value),
    };
    let found = Diagnostic::error("unknown-name", span, message);
    let names = order.attributes.iter().map(|a| a.name.value.as_str());
    let is_torn = |other: &&str| other.contains('-') && other.split('-').any(|part| part == name);
    if let Some(whole) = names.clone().find(is_torn) {
        let better = whole.replace('-', "_");
        return found.hint(format!("`-` subtracts here: call the attribute `{better}`"));
    }
    found.did_you_mean(name, names.chain(order.size.iter().map(|_| "size")))
}
