//! An error of the model that shows only when it runs, as a diagnostic that names the edge.

use super::describe;
use takt_automata::engine::Failure;
use takt_automata::model::{FaultKind, Model};
use takt_diagnostic::{Diagnostic, Span};

/// What went wrong, at which expression, in which move.
pub fn diagnose(model: &Model, failure: &Failure) -> Diagnostic {
    if failure.fault.kind == FaultKind::InitialInvariant {
        return initial_invariant(failure.fault.span);
    }
    let (code, what) = words(model, &failure.fault.kind);
    let place = match &failure.action {
        Some(action) if !action.edges.is_empty() => {
            format!("in the move {}", describe::action(model, action))
        }
        // Even the initial state could not be made.
        _ if failure.trace.initial.changed.is_empty() => "before the first move".to_owned(),
        _ => "in a condition of a reachable state".to_owned(),
    };
    let mut diagnostic = Diagnostic::error(code, failure.fault.span, format!("{what}, {place}"));
    for edge in failure.action.iter().flat_map(|action| &action.edges) {
        let data = edge.of(model);
        if !is_same(data.span, failure.fault.span) && data.span.end > 0 {
            diagnostic = diagnostic.related(data.span, "an edge of this move");
        }
    }
    diagnostic
}

/// Without an initial state there is nothing that a query could speak of.
fn initial_invariant(span: Span) -> Diagnostic {
    Diagnostic::error("initial-invariant", span, "the model begins outside this invariant")
        .label("false in the initial state")
        .hint("all clocks start at 0 and all variables at their initial values")
}

/// Spans compare equal wherever they are; this looks at the places.
fn is_same(a: Span, b: Span) -> bool {
    (a.file, a.start, a.end) == (b.file, b.start, b.end)
}

fn words(model: &Model, kind: &FaultKind) -> (&'static str, String) {
    match kind {
        FaultKind::OutOfRange { cell, value } => {
            let cell = &model.cells[cell.0 as usize];
            let range = format!("[{}, {}]", cell.lo, cell.hi);
            (
                "out-of-range",
                format!("`{}` would become {value}, outside its range {range}", cell.name),
            )
        }
        FaultKind::IndexOutOfRange { index, length } => {
            ("index-out-of-range", format!("index {index} of an array of {length} elements"))
        }
        FaultKind::DivisionByZero => ("division-by-zero", "a division by zero".to_owned()),
        FaultKind::BadShift(by) => ("bad-shift", format!("a shift by {by} bits")),
        FaultKind::Overflow => ("overflow", "a result that does not fit 64 bits".to_owned()),
        FaultKind::Endless => ("endless-loop", "a loop that does not seem to end".to_owned()),
        FaultKind::NegativeClock(value) => {
            ("negative-clock", format!("a clock would be set to {value}"))
        }
        FaultKind::ClockTooLarge(value) => (
            "clock-too-large",
            format!("a clock is compared with or set to {value}, which is too large"),
        ),
        FaultKind::NoReturn => ("no-return", "a function ends without `return`".to_owned()),
        FaultKind::RemainingTooLarge { claimed, value } => (
            "remaining-too-large",
            format!(
                "`remaining` promises a cost of at least {claimed}, but the goal is reached at \
                 {value}"
            ),
        ),
        FaultKind::InitialInvariant => ("initial-invariant", "a false invariant".to_owned()),
        FaultKind::NegativePrice(price) => ("negative-price", format!("a price of {price}")),
    }
}
