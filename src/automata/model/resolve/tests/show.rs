//! Trees as short text, with the names of cells and clocks, for the tests.

use crate::model::*;
use crate::network::{BinaryOp, Direction, QuantifierKind, UnaryOp};
use std::fmt::Write;
use takt_diagnostic::{Diagnostics, Severity, Span};

pub struct Show<'a>(pub &'a Model);

impl Show<'_> {
    pub fn edge(&self, process: &Process, edge: &Edge) -> String {
        let name = |location: LocationId| &process.locations[location].name;
        let mut text = format!("{} -> {}", name(edge.source), name(edge.target));
        for (name, value) in &edge.choice {
            let _ = write!(text, " [{name}={value}]");
        }
        if !edge.guard.is_empty() {
            let _ = write!(text, " if {}", self.conjuncts(&edge.guard));
        }
        if let Some(sync) = &edge.sync {
            let sign = if sync.direction == Direction::Send { '!' } else { '?' };
            let base = &self.0.channels[sync.base].name;
            let offset = sync.offset.as_ref().map(|term| format!("+{}", self.expr(&term.tree)));
            let _ = write!(text, " {base}{}{sign}", offset.unwrap_or_default());
        }
        if let Some(update) = &edge.update {
            let _ = write!(text, " do {}", self.expr(&update.tree));
        }
        text
    }

    pub fn conjuncts(&self, conjuncts: &[Conjunct]) -> String {
        let parts: Vec<String> = conjuncts
            .iter()
            .map(|conjunct| match conjunct {
                Conjunct::Data(term) => self.expr(&term.tree),
                Conjunct::Clock(test) => self.test(test),
            })
            .collect();
        parts.join(" && ")
    }

    fn test(&self, test: &ClockTest) -> String {
        let clock = |clock: &Option<ClockRef>| match clock {
            None => "0".into(),
            Some(ClockRef::Fixed(clock)) => self.0.clocks[*clock].name.clone(),
            Some(ClockRef::Indexed { place, .. }) => self.clock(place),
        };
        let op = if test.is_strict { '<' } else { '≤' };
        let unless = match &test.unless {
            Some(term) => format!("{} or ", self.expr(&term.tree)),
            None => String::new(),
        };
        let bound = self.expr(&test.bound.tree);
        format!("({unless}{}-{}{op}{bound})", clock(&test.left), clock(&test.right))
    }

    pub fn formula(&self, formula: &Formula) -> String {
        let join = |parts: &[Formula], op: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.formula(part)).collect();
            format!("({})", parts.join(op))
        };
        match formula {
            Formula::Data(term) => self.expr(&term.tree),
            Formula::Clock(test) => self.test(test),
            Formula::Deadlock => "deadlock".into(),
            Formula::Not(inner) => format!("not {}", self.formula(inner)),
            Formula::And(parts) => join(parts, " && "),
            Formula::Or(parts) => join(parts, " || "),
        }
    }

    pub fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(value) => value.to_string(),
            Expr::Load(place) => self.place(place),
            Expr::Unary(UnaryOp::Not, inner) => format!("!{}", self.expr(inner)),
            Expr::Unary(_, inner) => format!("-{}", self.expr(inner)),
            Expr::Binary(op, a, b, _) => {
                format!("({}{}{})", self.expr(a), symbol(*op), self.expr(b))
            }
            Expr::And(a, b) => format!("({}&&{})", self.expr(a), self.expr(b)),
            Expr::Or(a, b) => format!("({}||{})", self.expr(a), self.expr(b)),
            Expr::Conditional(c, a, b) => {
                format!("({}?{}:{})", self.expr(c), self.expr(a), self.expr(b))
            }
            Expr::Quantifier { kind, binder, lo, hi, body } => {
                let kind = match kind {
                    QuantifierKind::Forall => "forall",
                    QuantifierKind::Exists => "exists",
                    QuantifierKind::Sum => "sum",
                };
                format!("{kind}({}:{lo}..{hi}){}", self.cell(*binder, 0), self.expr(body))
            }
            Expr::Call(id, arguments, _) => {
                let name = &self.0.functions[*id].name;
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.argument(argument)).collect();
                format!("{name}({})", arguments.join(","))
            }
            Expr::Assign(place, value) => format!("{}={}", self.place(place), self.expr(value)),
            Expr::Update(place, op, value, _) => {
                format!("{}{}={}", self.place(place), symbol(*op), self.expr(value))
            }
            Expr::PostIncrement(place, delta) => format!("{}++{delta}", self.place(place)),
            Expr::Copy { to, from, len } => {
                format!("copy {len} {}={}", self.place(to), self.place(from))
            }
            Expr::Same { left, right, len } => {
                format!("same {len} {}=={}", self.place(left), self.place(right))
            }
            Expr::Reset(clock, value) => format!("{}:={}", self.clock(clock), self.expr(value)),
            Expr::AddCost(value) => format!("cost+={}", self.expr(value)),
            Expr::Sequence(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.expr(part)).collect();
                format!("{{{}}}", parts.join("; "))
            }
        }
    }

    fn argument(&self, argument: &Argument) -> String {
        match argument {
            Argument::Value(value) => self.expr(value),
            Argument::Aggregate(place, len) => format!("{len}*{}", self.place(place)),
            Argument::Reference(place) => format!("&{}", self.place(place)),
            Argument::Clock(clock) => format!("&{}", self.clock(clock)),
        }
    }

    pub fn statement(&self, statement: &Statement) -> String {
        match statement {
            Statement::Expr(expr) => format!("{};", self.expr(expr)),
            Statement::Block(body) => format!("{{ {} }}", self.statements(body)),
            Statement::If(test, then, otherwise) => {
                let otherwise = otherwise.as_ref();
                let otherwise = otherwise.map(|inner| format!(" else {}", self.statement(inner)));
                let (test, then) = (self.expr(test), self.statement(then));
                format!("if {test} {then}{}", otherwise.unwrap_or_default())
            }
            Statement::While(test, body, _) => {
                format!("while {} {}", self.expr(test), self.statement(body))
            }
            Statement::DoWhile(body, test, _) => {
                format!("do {} while {}", self.statement(body), self.expr(test))
            }
            Statement::For { initial, condition, step, body, .. } => format!(
                "for {}; {}; {} {}",
                self.expr(initial),
                self.expr(condition),
                self.expr(step),
                self.statement(body)
            ),
            Statement::ForEach { binder, lo, hi, body } => {
                format!("for {}:{lo}..{hi} {}", self.cell(*binder, 0), self.statement(body))
            }
            Statement::Return(None) => "return;".into(),
            Statement::Return(Some(value)) => format!("return {};", self.expr(value)),
            Statement::ReturnAggregate(place) => format!("return {};", self.place(place)),
        }
    }

    pub fn statements(&self, body: &[Statement]) -> String {
        let parts: Vec<String> = body.iter().map(|inner| self.statement(inner)).collect();
        parts.join(" ")
    }

    fn place(&self, place: &Place) -> String {
        let mut text = match place.base {
            PlaceBase::Fixed(addr) => self.cell(addr, place.offset),
            PlaceBase::Reference(addr) if place.offset == 0 => format!("*{}", self.cell(addr, 0)),
            PlaceBase::Reference(addr) => format!("*{}+{}", self.cell(addr, 0), place.offset),
        };
        self.steps(&place.steps, &mut text);
        text
    }

    fn clock(&self, clock: &ClockPlace) -> String {
        let mut text = match clock.base {
            ClockBase::Fixed(number) => self.0.clocks[number.offset(clock.offset)].name.clone(),
            ClockBase::Reference(addr) => format!("*{}", self.cell(addr, 0)),
        };
        self.steps(&clock.steps, &mut text);
        text
    }

    /// Each step as `[index; stride]`, relative to the cell before it.
    fn steps(&self, steps: &[IndexStep], text: &mut String) {
        for step in steps {
            let (index, last) = (self.expr(&step.index), step.first + i64::from(step.length) - 1);
            let _ = write!(text, "[{index} in {}..{last} *{}]", step.first, step.stride);
        }
    }

    fn cell(&self, addr: Addr, offset: u32) -> String {
        self.0.cells[(addr.0 + offset) as usize].name.clone()
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Min => "<?",
        BinaryOp::Max => ">?",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Greater => ">",
        BinaryOp::And | BinaryOp::Or | BinaryOp::Imply => "?!",
    }
}

/// Messages with the text they speak of.
pub fn messages(source: &str, found: &Diagnostics) -> String {
    let mut text = String::new();
    for diagnostic in found.iter() {
        let kind = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        let _ = writeln!(text, "{kind}[{}]: {}", diagnostic.code, diagnostic.message);
        if let Some(span) = diagnostic.span {
            let _ = writeln!(text, "  at {}: {}", excerpt(source, span), diagnostic.label);
        }
        for label in &diagnostic.related {
            let _ = writeln!(text, "  and {}: {}", excerpt(source, label.span), label.message);
        }
        if let Some(hint) = &diagnostic.hint {
            let _ = writeln!(text, "  hint: {hint}");
        }
    }
    text
}

fn excerpt(source: &str, span: Span) -> String {
    let part = source.get(span.start as usize..span.end as usize).unwrap_or("?");
    let line = source[..span.start as usize].matches('\n').count() + 1;
    format!("{line} `{}`", part.split_whitespace().collect::<Vec<_>>().join(" "))
}
