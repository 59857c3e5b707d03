//! Networks as UPPAAL XML files, laid out on a simple grid.
//!
//! The format wants declarations, templates and the rest in this order; a network in another
//! order is written in this one, which means the same.

use std::fmt::Write;

use crate::network::*;
use crate::xta::print::{
    parameter_text, print_expr, print_items, print_query, select_text, sync_text, update_text,
};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' \
'http://www.it.uu.se/research/group/darts/uppaal/flat-1_2.dtd'>
";

/// Locations in a row, and the distance between neighbours.
const COLUMNS: usize = 4;
const STEP: i64 = 200;

/// The whole model, with the queries that came with it.
pub fn print_xml(network: &Network) -> String {
    let last = network.items.iter().rposition(|item| matches!(item, Item::Template(_)));
    let split = last.map_or(0, |last| last + 1);
    let is_declaration = |item: &&Item| matches!(item, Item::Declaration(_));
    let is_instantiation = |item: &&Item| matches!(item, Item::Instantiation(_));
    let (early, late) = network.items.split_at(split);
    let declarations = print_items(early.iter().filter(is_declaration), None);
    let system =
        print_items(early.iter().filter(is_instantiation).chain(late), Some(&network.system));

    let mut out = HEAD.to_string();
    out.push_str("<nta>\n");
    element(&mut out, 1, "declaration", &declarations);
    for item in &network.items {
        if let Item::Template(template) = item {
            print_template(&mut out, template);
        }
    }
    element(&mut out, 1, "system", &system);
    print_queries(&mut out, &network.queries);
    out.push_str("</nta>\n");
    out
}

fn print_queries(out: &mut String, queries: &[Query]) {
    out.push_str("\t<queries>\n");
    for query in queries {
        let text = match query.text.as_str() {
            "" => print_query(query),
            text => text.to_string(),
        };
        out.push_str("\t\t<query>\n");
        element(out, 3, "formula", &text);
        element(out, 3, "comment", "");
        out.push_str("\t\t</query>\n");
    }
    out.push_str("\t</queries>\n");
}

fn print_template(out: &mut String, template: &Template) {
    out.push_str("\t<template>\n");
    element(out, 2, "name", &template.name.text);
    if !template.parameters.is_empty() {
        element(out, 2, "parameter", &parameter_text(&template.parameters));
    }
    let declarations: Vec<Item> =
        template.declarations.iter().cloned().map(Item::Declaration).collect();
    element(out, 2, "declaration", &print_items(&declarations, None));
    for (i, location) in template.locations.iter().enumerate() {
        print_location(out, i, location);
    }
    let index = |name: &Ident| template.locations.iter().position(|l| l.name.text == name.text);
    if let Some(initial) = index(&template.initial) {
        let _ = writeln!(out, "\t\t<init ref=\"id{initial}\"/>");
    }
    for (i, edge) in template.edges.iter().enumerate() {
        if let (Some(source), Some(target)) = (index(&edge.source), index(&edge.target)) {
            print_edge(out, i, edge, source, target);
        }
    }
    out.push_str("\t</template>\n");
}

fn place(i: usize) -> (i64, i64) {
    ((i % COLUMNS) as i64 * STEP, (i / COLUMNS) as i64 * STEP)
}

fn print_location(out: &mut String, i: usize, location: &Location) {
    let (x, y) = place(i);
    let _ = writeln!(out, "\t\t<location id=\"id{i}\" x=\"{x}\" y=\"{y}\">");
    let _ = writeln!(
        out,
        "\t\t\t<name x=\"{}\" y=\"{}\">{}</name>",
        x + 10,
        y - 30,
        escape(&location.name.text)
    );
    if let Some(invariant) = &location.invariant {
        label(out, "invariant", (x + 10, y + 15), &print_expr(invariant));
    }
    match location.urgency {
        Urgency::Normal => {}
        Urgency::Urgent => out.push_str("\t\t\t<urgent/>\n"),
        Urgency::Committed => out.push_str("\t\t\t<committed/>\n"),
    }
    out.push_str("\t\t</location>\n");
}

fn print_edge(out: &mut String, i: usize, edge: &Edge, source: usize, target: usize) {
    let ((x1, y1), (x2, y2)) = (place(source), place(target));
    // Edges between the same locations are bent apart.
    let bend = (i % 5) as i64 * 20;
    let middle = match source == target {
        true => (x1, y1 - 60 - bend),
        false => ((x1 + x2) / 2 + bend, (y1 + y2) / 2 + bend),
    };
    out.push_str("\t\t<transition>\n");
    let _ = writeln!(out, "\t\t\t<source ref=\"id{source}\"/>");
    let _ = writeln!(out, "\t\t\t<target ref=\"id{target}\"/>");
    let mut line = middle.1 - 60;
    let mut next = |out: &mut String, kind: &str, text: &str| {
        label(out, kind, (middle.0, line), text);
        line += 15;
    };
    if !edge.select.is_empty() {
        next(out, "select", &select_text(&edge.select));
    }
    if let Some(guard) = &edge.guard {
        next(out, "guard", &print_expr(guard));
    }
    if let Some(sync) = &edge.sync {
        next(out, "synchronisation", &sync_text(sync));
    }
    if !edge.update.is_empty() {
        next(out, "assignment", &update_text(&edge.update));
    }
    if source == target {
        nail(out, middle.0 - 30, middle.1);
        nail(out, middle.0 + 30, middle.1);
    } else {
        nail(out, middle.0, middle.1);
    }
    out.push_str("\t\t</transition>\n");
}

fn nail(out: &mut String, x: i64, y: i64) {
    let _ = writeln!(out, "\t\t\t<nail x=\"{x}\" y=\"{y}\"/>");
}

fn label(out: &mut String, kind: &str, (x, y): (i64, i64), text: &str) {
    let text = escape(text);
    let _ = writeln!(out, "\t\t\t<label kind=\"{kind}\" x=\"{x}\" y=\"{y}\">{text}</label>");
}

fn element(out: &mut String, depth: usize, tag: &str, text: &str) {
    let _ = writeln!(out, "{}<{tag}>{}</{tag}>", "\t".repeat(depth), escape(text));
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
