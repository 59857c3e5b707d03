//! Processes as text.

use super::expr::write;
use super::{Printer, declaration, join, update_text};
use crate::network::*;
use crate::xta::precedence::{POSTFIX, QUANTIFIER};

/// An edge that fits is printed on one line.
const WIDTH: usize = 100;

impl Printer {
    pub fn template(&mut self, template: &Template) {
        self.line(|out| {
            out.push_str(&format!("process {}", template.name.text));
            declaration::write_parameters(out, &template.parameters);
            out.push_str(" {");
        });
        self.indented(|printer| {
            printer.declarations(&template.declarations);
            printer.locations(&template.locations);
            printer.marked("commit", Urgency::Committed, &template.locations);
            printer.marked("urgent", Urgency::Urgent, &template.locations);
            printer.line(|out| out.push_str(&format!("init {};", template.initial.text)));
            printer.edges(&template.edges);
        });
        self.line(|out| out.push('}'));
    }

    fn locations(&mut self, locations: &[Location]) {
        if locations.is_empty() {
            return;
        }
        self.line(|out| out.push_str("state"));
        self.indented(|printer| {
            for (i, location) in locations.iter().enumerate() {
                let end = if i + 1 == locations.len() { ";" } else { "," };
                printer.line(|out| {
                    out.push_str(&location.name.text);
                    if let Some(invariant) = &location.invariant {
                        out.push_str(" { ");
                        write(out, invariant, QUANTIFIER);
                        out.push_str(" }");
                    }
                    out.push_str(end);
                });
            }
        });
    }

    fn marked(&mut self, keyword: &str, urgency: Urgency, locations: &[Location]) {
        let marked: Vec<_> = locations.iter().filter(|l| l.urgency == urgency).collect();
        if marked.is_empty() {
            return;
        }
        self.line(|out| {
            out.push_str(&format!("{keyword} "));
            join(out, &marked, ", ", |out, location| out.push_str(&location.name.text));
            out.push(';');
        });
    }

    fn edges(&mut self, edges: &[Edge]) {
        if edges.is_empty() {
            return;
        }
        self.line(|out| out.push_str("trans"));
        self.indented(|printer| {
            for (i, edge) in edges.iter().enumerate() {
                printer.edge(edge, if i + 1 == edges.len() { ";" } else { "," });
            }
        });
    }

    fn edge(&mut self, edge: &Edge, end: &str) {
        let head = format!("{} -> {} {{", edge.source.text, edge.target.text);
        let labels = labels(edge);
        let width = head.len() + labels.iter().map(|l| l.len() + 1).sum::<usize>();
        if 4 * self.indent + width <= WIDTH {
            let body: String = labels.iter().map(|l| format!(" {l}")).collect();
            self.line(|out| out.push_str(&format!("{head}{body} }}{end}")));
            return;
        }
        self.line(|out| out.push_str(&head));
        self.indented(|printer| {
            for label in &labels {
                printer.line(|out| out.push_str(label));
            }
        });
        self.line(|out| out.push_str(&format!("}}{end}")));
    }
}

fn labels(edge: &Edge) -> Vec<String> {
    let mut labels = Vec::new();
    if !edge.select.is_empty() {
        labels.push(format!("select {};", select_text(&edge.select)));
    }
    if let Some(guard) = &edge.guard {
        labels.push(format!("guard {};", super::print_expr(guard)));
    }
    if let Some(sync) = &edge.sync {
        labels.push(format!("sync {};", sync_text(sync)));
    }
    if !edge.update.is_empty() {
        labels.push(format!("assign {};", update_text(&edge.update)));
    }
    labels
}

pub fn select_text(select: &[(Ident, Type)]) -> String {
    let mut out = String::new();
    join(&mut out, select, ", ", |out, (name, ty)| {
        out.push_str(&format!("{} : ", name.text));
        declaration::write_type(out, ty);
    });
    out
}

pub fn sync_text(sync: &Sync) -> String {
    let mut out = String::new();
    write(&mut out, &sync.channel, POSTFIX);
    out.push(match sync.direction {
        Direction::Send => '!',
        Direction::Receive => '?',
    });
    out
}
