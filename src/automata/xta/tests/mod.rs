//! What the room promises: the language is read as UPPAAL reads it, printing is the inverse of
//! reading, and no input, however hostile, gets more than an error.

mod dot;
mod errors;
mod hostile;
mod language;
mod round_trip;
mod xml;

use super::*;

const FILE: FileId = FileId(0);

fn model(text: &str) -> Network {
    match parse(text, FILE) {
        Ok(network) => network,
        Err(found) => panic!("{found:#?}\n{text}"),
    }
}

fn expr(text: &str) -> Expr {
    match parse_expr(text, FILE) {
        Ok(expr) => expr,
        Err(found) => panic!("{found:#?}\n{text}"),
    }
}

/// The expression with all parentheses, to see how it was grouped.
fn grouped(text: &str) -> String {
    use crate::network::ExprKind::*;
    fn show(e: &Expr) -> String {
        match &e.kind {
            Binary(op, a, b) => format!("({} {} {})", show(a), precedence::spelling(*op), show(b)),
            Unary(op, a) => format!("({op:?} {})", show(a)),
            Conditional(a, b, c) => format!("({} ? {} : {})", show(a), show(b), show(c)),
            Assign(op, a, b) => {
                format!("({} {} {})", show(a), precedence::assignment(*op), show(b))
            }
            Quantifier { kind, binder, body, .. } => {
                format!("({kind:?} {} {})", binder.text, show(body))
            }
            Increment { target, delta, prefix } => format!("({delta} {prefix} {})", show(target)),
            Rate(a) => format!("({}')", show(a)),
            Index(a, b) => format!("{}[{}]", show(a), show(b)),
            Field(a, name) => format!("{}.{}", show(a), name.text),
            Call(f, args) => {
                format!("{}({})", show(f), args.iter().map(show).collect::<Vec<_>>().join(", "))
            }
            _ => print_expr(e),
        }
    }
    show(&expr(text))
}
