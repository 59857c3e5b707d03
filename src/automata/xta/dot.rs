//! Networks as pictures for Graphviz: one cluster per template, its locations as nodes, its edges
//! with what they ask and do. What runs in the end (the system line) stands below.
//!
//! For people only: declarations and functions are left out, nothing reads this back.

use std::fmt::Write;

use crate::network::*;
use crate::xta::print::{
    parameter_text, print_expr, print_items, select_text, sync_text, update_text,
};

const HEAD: &str = "digraph network {
    rankdir=TB;
    fontname=\"Helvetica\";
    node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=11];
    edge [fontname=\"Helvetica\", fontsize=9];
";

/// The whole model in the language of Graphviz.
pub fn print_dot(network: &Network) -> String {
    let mut out = HEAD.to_string();
    let templates = network.items.iter().filter_map(|item| match item {
        Item::Template(template) => Some(template),
        _ => None,
    });
    for (cluster, template) in templates.enumerate() {
        print_template(&mut out, cluster, template);
    }
    print_system(&mut out, network);
    out.push_str("}\n");
    out
}

/// The title of the whole. It comes last, because the clusters after it would inherit its place.
fn print_system(out: &mut String, network: &Network) {
    let is_instantiation = |item: &&Item| matches!(item, Item::Instantiation(_));
    let instantiations = network.items.iter().filter(is_instantiation);
    let system = print_items(instantiations, Some(&network.system));
    let label = lines(system.lines().filter(|line| !line.is_empty()));
    let _ = writeln!(out, "    labelloc=b;\n    labeljust=l;\n    label=\"{label}\";");
}

fn print_template(out: &mut String, cluster: usize, template: &Template) {
    let title = match parameter_text(&template.parameters) {
        parameters if parameters.is_empty() => template.name.text.clone(),
        parameters => format!("{}({parameters})", template.name.text),
    };
    let _ = writeln!(out, "    subgraph cluster_{cluster} {{");
    let _ = writeln!(out, "        label=\"{}\";", escape(&title));
    for (i, location) in template.locations.iter().enumerate() {
        let is_initial = location.name.text == template.initial.text;
        print_location(out, (cluster, i), location, is_initial);
    }
    let index = |name: &Ident| template.locations.iter().position(|l| l.name.text == name.text);
    for edge in &template.edges {
        if let (Some(source), Some(target)) = (index(&edge.source), index(&edge.target)) {
            let label = lines(edge_lines(edge).iter().map(String::as_str));
            let (source, target) = (node((cluster, source)), node((cluster, target)));
            let _ = writeln!(out, "        {source} -> {target} [label=\"{label}\"];");
        }
    }
    out.push_str("    }\n");
}

/// A location is a box with its invariant; the initial one has a bold frame.
fn print_location(out: &mut String, id: (usize, usize), location: &Location, is_initial: bool) {
    let mut label = escape(&location.name.text);
    match location.urgency {
        Urgency::Normal => {}
        Urgency::Urgent => label.push_str("\\n(urgent)"),
        Urgency::Committed => label.push_str("\\n(committed)"),
    }
    if let Some(invariant) = &location.invariant {
        let _ = write!(label, "\\n{}", escape(&print_expr(invariant)));
    }
    let frame = if is_initial { ", penwidth=3" } else { "" };
    let _ = writeln!(out, "        {} [label=\"{label}\"{frame}];", node(id));
}

fn node((cluster, location): (usize, usize)) -> String {
    format!("n{cluster}_{location}")
}

/// One line each for what an edge chooses, asks, tells the others and does.
fn edge_lines(edge: &Edge) -> Vec<String> {
    let mut lines = Vec::new();
    if !edge.select.is_empty() {
        lines.push(format!("select {}", select_text(&edge.select)));
    }
    lines.extend(edge.guard.as_ref().map(|guard| format!("[{}]", print_expr(guard))));
    lines.extend(edge.sync.as_ref().map(sync_text));
    if !edge.update.is_empty() {
        lines.push(update_text(&edge.update));
    }
    lines
}

/// Lines aligned to the left; `\l` ends a line.
fn lines<'t>(lines: impl IntoIterator<Item = &'t str>) -> String {
    lines.into_iter().map(|line| escape(line) + "\\l").collect()
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
