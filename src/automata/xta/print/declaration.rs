//! Declarations, types, functions and statements as text.

use super::expr::{write, write_list};
use super::{Printer, join};
use crate::network::*;
use crate::xta::precedence::QUANTIFIER;

impl Printer {
    pub fn declarations(&mut self, declarations: &[Declaration]) {
        for declaration in declarations {
            self.declaration(declaration);
        }
    }

    pub fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Variables(variables) => {
                self.line(|out| write_variables(out, variables, ";"));
            }
            Declaration::Typedef(variables) => self.line(|out| {
                out.push_str("typedef ");
                write_variables(out, variables, ";");
            }),
            Declaration::Function(function) => self.function(function),
            Declaration::ChannelPriority(levels, _) => self.line(|out| {
                out.push_str("chan priority ");
                join(out, levels, " < ", |out, members| {
                    join(out, members, ", ", |out, member| match member {
                        PriorityMember::Channel(channel) => write(out, channel, QUANTIFIER),
                        PriorityMember::Default(_) => out.push_str("default"),
                    });
                });
                out.push(';');
            }),
            Declaration::BeforeUpdate(updates, _) => self.updates("before_update", updates),
            Declaration::AfterUpdate(updates, _) => self.updates("after_update", updates),
        }
    }

    fn updates(&mut self, keyword: &str, updates: &[Expr]) {
        self.line(|out| {
            out.push_str(keyword);
            out.push_str(" {");
        });
        self.indented(|printer| {
            for update in updates {
                printer.line(|out| {
                    write(out, update, QUANTIFIER);
                    out.push(';');
                });
            }
        });
        self.line(|out| out.push('}'));
    }

    fn function(&mut self, function: &Function) {
        self.line(|out| {
            write_type(out, &function.result);
            out.push(' ');
            out.push_str(&function.name.text);
            write_parameters(out, &function.parameters);
            out.push_str(" {");
        });
        self.block_body(&function.body);
        self.line(|out| out.push('}'));
    }

    fn block_body(&mut self, block: &Block) {
        self.indented(|printer| {
            printer.declarations(&block.declarations);
            for statement in &block.statements {
                printer.statement(statement);
            }
        });
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Empty => self.line(|out| out.push(';')),
            Statement::Expr(expr) => self.line(|out| {
                write(out, expr, QUANTIFIER);
                out.push(';');
            }),
            Statement::Return(value, _) => self.line(|out| {
                out.push_str("return");
                if let Some(value) = value {
                    out.push(' ');
                    write(out, value, QUANTIFIER);
                }
                out.push(';');
            }),
            Statement::Block(_) => self.headed(String::new(), statement, ""),
            Statement::While(condition, body) => {
                self.headed(condition_head("while", condition), body, "");
            }
            Statement::DoWhile(body, condition) => {
                let tail = format!("{};", condition_head("while", condition));
                self.headed("do".to_string(), body, &tail);
            }
            Statement::For { initial, condition, step, body } => {
                let mut head = "for (".to_string();
                write_list(&mut head, initial);
                head.push_str("; ");
                write(&mut head, condition, QUANTIFIER);
                head.push_str("; ");
                write_list(&mut head, step);
                head.push(')');
                self.headed(head, body, "");
            }
            Statement::ForEach { binder, ty, body } => {
                let mut head = format!("for ({} : ", binder.text);
                write_type(&mut head, ty);
                head.push(')');
                self.headed(head, body, "");
            }
            Statement::If(condition, yes, no) => self.conditional("", condition, yes, no),
        }
    }

    /// A row of `else if` is printed in a loop, side by side.
    fn conditional(
        &mut self,
        before: &str,
        condition: &Expr,
        yes: &Statement,
        no: &Option<Box<Statement>>,
    ) {
        let mut head = format!("{before}{}", condition_head("if", condition));
        let (mut yes, mut no) = (yes, no);
        while let Some(other) = no {
            self.before_else(head, yes);
            match &**other {
                Statement::If(condition, next_yes, next_no) => {
                    head = format!("else {}", condition_head("if", condition));
                    (yes, no) = (next_yes, next_no);
                }
                other => return self.headed("else".to_string(), other, ""),
            }
        }
        self.headed(head, yes, "");
    }

    /// The language has no way to write an `if` without `else` before an `else` but in a block.
    fn before_else(&mut self, head: String, yes: &Statement) {
        if dangles(yes) {
            self.line(|out| out.push_str(&format!("{head} {{")));
            self.indented(|printer| printer.statement(yes));
            self.line(|out| out.push('}'));
        } else {
            self.headed(head, yes, "");
        }
    }

    /// `head { ... } tail`, or the body on its own line where it is no block.
    fn headed(&mut self, head: String, body: &Statement, tail: &str) {
        match body {
            Statement::Block(block) => {
                let space = if head.is_empty() { "" } else { " " };
                self.line(|out| out.push_str(&format!("{head}{space}{{")));
                self.block_body(block);
                let space = if tail.is_empty() { "" } else { " " };
                self.line(|out| out.push_str(&format!("}}{space}{tail}")));
            }
            _ => {
                self.line(|out| out.push_str(&head));
                self.indented(|printer| printer.statement(body));
                if !tail.is_empty() {
                    self.line(|out| out.push_str(tail));
                }
            }
        }
    }
}

/// Whether an `else` after the statement would be taken as its own.
fn dangles(statement: &Statement) -> bool {
    match statement {
        Statement::If(_, _, None) => true,
        Statement::If(_, _, Some(no)) => dangles(no),
        Statement::While(_, body)
        | Statement::For { body, .. }
        | Statement::ForEach { body, .. } => dangles(body),
        _ => false,
    }
}

fn condition_head(keyword: &str, condition: &Expr) -> String {
    let mut head = format!("{keyword} (");
    write(&mut head, condition, QUANTIFIER);
    head.push(')');
    head
}

fn write_variables(out: &mut String, variables: &Variables, end: &str) {
    write_type(out, &variables.ty);
    out.push(' ');
    join(out, &variables.declarators, ", ", |out, declarator| {
        out.push_str(&declarator.name.text);
        write_dimensions(out, &declarator.dimensions);
        if let Some(initial) = &declarator.initial {
            out.push_str(" = ");
            write_initial(out, initial);
        }
    });
    out.push_str(end);
}

fn write_initial(out: &mut String, initial: &Initial) {
    match initial {
        Initial::Value(value) => write(out, value, QUANTIFIER),
        Initial::List(list, _) => {
            out.push('{');
            join(out, list, ", ", |out, (name, value)| {
                if let Some(name) = name {
                    out.push_str(&format!("{}: ", name.text));
                }
                write_initial(out, value);
            });
            out.push('}');
        }
    }
}

fn write_dimensions(out: &mut String, dimensions: &[Dimension]) {
    for dimension in dimensions {
        out.push('[');
        match dimension {
            Dimension::Size(size) => write(out, size, QUANTIFIER),
            Dimension::Type(ty) => write_type(out, ty),
        }
        out.push(']');
    }
}

pub fn write_parameters(out: &mut String, parameters: &[Parameter]) {
    out.push('(');
    write_parameter_list(out, parameters);
    out.push(')');
}

pub fn write_parameter_list(out: &mut String, parameters: &[Parameter]) {
    join(out, parameters, ", ", |out, parameter| {
        write_type(out, &parameter.ty);
        out.push_str(if parameter.by_reference { " &" } else { " " });
        out.push_str(&parameter.name.text);
        write_dimensions(out, &parameter.dimensions);
    });
}

pub fn write_type(out: &mut String, ty: &Type) {
    let prefixes = [
        (ty.is_const, "const "),
        (ty.is_meta, "meta "),
        (ty.is_urgent, "urgent "),
        (ty.is_broadcast, "broadcast "),
    ];
    for (_, prefix) in prefixes.iter().filter(|(is_set, _)| *is_set) {
        out.push_str(prefix);
    }
    match &ty.kind {
        TypeKind::Int(None) => out.push_str("int"),
        TypeKind::Int(Some(range)) => {
            out.push_str("int[");
            write(out, &range.0, QUANTIFIER);
            out.push_str(", ");
            write(out, &range.1, QUANTIFIER);
            out.push(']');
        }
        TypeKind::Bool => out.push_str("bool"),
        TypeKind::Clock => out.push_str("clock"),
        TypeKind::Chan => out.push_str("chan"),
        TypeKind::Void => out.push_str("void"),
        TypeKind::Scalar(size) => {
            out.push_str("scalar[");
            write(out, size, QUANTIFIER);
            out.push(']');
        }
        TypeKind::Struct(fields) => {
            out.push_str("struct { ");
            for field in fields {
                write_variables(out, field, "; ");
            }
            out.push('}');
        }
        TypeKind::Named(name) => out.push_str(&name.text),
    }
}
