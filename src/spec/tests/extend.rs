//! Specs that say only in what they differ from another one.

use super::*;
use std::collections::BTreeMap;

/// Files by path; each has the number of its place as its id.
struct Shelf(BTreeMap<String, String>);

impl Files for Shelf {
    fn read(&mut self, path: &str) -> Result<(FileId, String), Unread> {
        let place = self.0.keys().position(|name| name == path);
        let place = place.ok_or(format!("`{path}` does not exist"))?;
        Ok((FileId(place as u32 + 1), self.0[path].clone()))
    }
}

fn shelf(files: &[(&str, &str)]) -> Shelf {
    Shelf(files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect())
}

fn with(variant: &str, files: &[(&str, &str)]) -> Result<(Spec, Diagnostics), Diagnostics> {
    read_with(variant, FileId(0), &mut shelf(files))
}

/// As `code@text`, the text from the file that the error is in.
fn wrong(variant: &str, files: &[(&str, &str)]) -> Vec<String> {
    let found = with(variant, files).expect_err("a wrong spec");
    let shelf = shelf(files);
    let texts: Vec<_> = std::iter::once(variant).chain(shelf.0.values().map(|t| &**t)).collect();
    let shown = |d: &takt_diagnostic::Diagnostic| {
        let span = d.span.unwrap();
        let text = texts[span.file.0 as usize];
        format!("{}@{}", d.code, &text[span.start as usize..span.end as usize])
    };
    found.iter().map(shown).collect()
}

/// The variant means what the spec in full means.
fn same(variant: &str, full: &str) {
    let (spec, _) = with(variant, &[("base.yaml", BASE)]).unwrap();
    assert_eq!(spec, read(full, FileId(0)).unwrap().0);
}

const BASE: &str = "takt: 1
name: base
resources:
  saw: {capacity: 2, performance: 0.5}
  drill: {}
recipes:
  box:
    steps:
      - {name: cut, on: saw, duration: 3}
      - {name: bore, on: drill, duration: 2}
orders:
  - {id: A, recipe: box, due: 9}
  - {id: B, recipe: box}
heuristics: [greedy]
";

#[test]
fn maps_are_merged_lists_replaced_and_nothing_removes() {
    same(
        "takt: 1
extends: base.yaml
objective: feasible
resources: {saw: {performance: null, capacity: 3}, press: }
recipes: {lid: {steps: [{name: bend, on: press, duration: 1}]}}
orders: [{id: C, recipe: lid}]
heuristics: null
",
        "takt: 1
objective: feasible
resources: {saw: {capacity: 3}, drill: {}, press: {}}
recipes:
  box: {steps: [{name: cut, on: saw, duration: 3}, {name: bore, on: drill, duration: 2}]}
  lid: {steps: [{name: bend, on: press, duration: 1}]}
orders: [{id: C, recipe: lid}]
",
    );
}

#[test]
fn steps_and_orders_are_changed_by_name() {
    same(
        "takt: 1
extends: base.yaml
name: other
recipes: {box: {steps: {cut: {duration: 4}, bore: null}}}
orders: {A: {due: null, deadline: 8}}
heuristics: {max-active: 1}
",
        "takt: 1
name: other
resources: {saw: {capacity: 2, performance: 0.5}, drill: {}}
recipes: {box: {steps: [{name: cut, on: saw, duration: 4}]}}
orders: [{id: A, recipe: box, deadline: 8}, {id: B, recipe: box}]
heuristics: [{max-active: 1}]
",
    );
}

#[test]
fn a_variant_has_a_name_of_its_own() {
    let (spec, _) = with("takt: 1\nextends: base.yaml\n", &[("base.yaml", BASE)]).unwrap();
    assert_eq!(spec.name, None);
}

#[test]
fn paths_are_relative_to_the_file_that_names_them() {
    let middle = "takt: 1\nextends: ../lib/base.yaml\norders: [{file: more/orders.csv}]\n";
    let files = [
        ("lib/base.yaml", BASE),
        ("plant/middle.yaml", middle),
        ("plant/more/orders.csv", "id,recipe\nC,box\n"),
    ];
    let (spec, _) = with("takt: 1\nextends: ./plant/middle.yaml\n", &files).unwrap();
    assert_eq!(spec.orders[0].id.value, "C");
}

#[test]
fn errors_are_shown_in_the_file_that_they_are_in() {
    let base = BASE.replace("duration: 3", "duration: many");
    let variant = "takt: 1\nextends: base.yaml\nresources: {saw: {capasity: 3}}\n";
    assert_eq!(
        wrong(variant, &[("base.yaml", &base)]),
        ["unknown-key@capasity", "unknown-name@many"]
    );
    let broken = BASE.replace("orders:", "orders: [");
    let found = with(variant, &[("base.yaml", &broken)]).unwrap_err();
    assert_eq!(found.iter().map(|d| d.span.unwrap().file).collect::<Vec<_>>(), [FileId(1)]);
}

#[test]
fn names_that_the_base_does_not_have_are_told() {
    let variant = "takt: 1
extends: base.yaml
recipes: {box: {steps: {cutt: {duration: 4}, bore: {duration: 1}, bore: {duration: 2}}}}
orders: {Z: null}
";
    let found = wrong(variant, &[("base.yaml", BASE)]);
    assert_eq!(found, ["unknown-name@cutt", "duplicate-key@bore", "unknown-name@Z"]);
    let hint = with(variant, &[("base.yaml", BASE)]).unwrap_err();
    assert_eq!(hint.iter().next().unwrap().hint.as_deref(), Some("did you mean `cut`?"));
}

#[test]
fn what_cannot_be_extended_is_told_at_its_name() {
    let variant = "takt: 1\nextends: base.yaml\n";
    assert_eq!(wrong(variant, &[]), ["unreadable-file@base.yaml"]);
    assert_eq!(wrong(variant, &[("base.yaml", "- 1\n")]), ["bad-value@base.yaml"]);
    assert_eq!(wrong(variant, &[("base.yaml", "")]), ["bad-value@base.yaml"]);
    assert_eq!(wrong("takt: 1\nextends: [a]\n", &[]), ["bad-type@[a]"]);
    let two = "takt: 1\nextends: base.yaml\nextends: b.yaml\n";
    assert_eq!(wrong(two, &[("base.yaml", BASE)]), ["duplicate-key@extends"]);
    assert_eq!(wrong("extends: base.yaml\n", &[("base.yaml", BASE)]), ["missing-key@extends"]);
    let old = BASE.replace("takt: 1", "takt: 2");
    assert_eq!(wrong(variant, &[("base.yaml", &old)]), ["bad-version@2"]);
}

#[test]
fn a_spec_that_extends_itself_is_refused() {
    let variant = "takt: 1\nextends: base.yaml\n";
    assert_eq!(wrong(variant, &[("base.yaml", variant)]), ["cycle@base.yaml"]);
    let there = "takt: 1\nextends: x/../back.yaml\n";
    let files = [("base.yaml", there), ("back.yaml", variant)];
    assert_eq!(wrong(variant, &files), ["cycle@base.yaml"]);
    let names: Vec<_> = (0..40).map(|i| format!("{i}.yaml")).collect();
    let texts: Vec<_> = (1..41).map(|i| format!("takt: 1\nextends: {i}.yaml\n")).collect();
    let files: Vec<_> = names.iter().map(|n| &**n).zip(texts.iter().map(|t| &**t)).collect();
    assert_eq!(wrong(&texts[0], &files), ["cycle@17.yaml"]);
}

#[test]
fn the_keys_beside_a_file_stand_for_missing_cells() {
    let variant = "takt: 1
extends: base.yaml
orders: [{file: o.csv, recipe: box, due: 7 + late, count: 2, every: 10, attributes: {late: 1}}]
";
    let table = "id,late,due\nC,,\nD,5,\nE,,3\n";
    let (spec, _) = with(variant, &[("base.yaml", BASE), ("o.csv", table)]).unwrap();
    let due = |order: &Order| match order.due.as_ref() {
        Some(Instant::After(expr)) => expr.duration(spec.scope(order)).unwrap(),
        _ => panic!("no due instant"),
    };
    let all: Vec<_> = spec.orders.iter().map(|o| (o.id.value.as_str(), due(o))).collect();
    let [early, late, own] = [8, 12, 3].map(Exact::from);
    let expected =
        [("C.1", early), ("C.2", early), ("D.1", late), ("D.2", late), ("E.1", own), ("E.2", own)];
    assert_eq!(all, expected);
    assert_eq!(spec.orders[1].shift.as_ref().unwrap().times, 1);
}

#[test]
fn a_wrong_key_beside_a_file_is_told_once() {
    let variant =
        "takt: 1\nextends: base.yaml\norders: [{file: o.csv, count: x, deadline: soon}]\n";
    let table = "id,recipe\nC,box\nD,box\n";
    let found = wrong(variant, &[("base.yaml", BASE), ("o.csv", table)]);
    assert_eq!(found, ["bad-type@x", "unknown-name@soon"]);
    let long = format!(
        "takt: 1\nextends: base.yaml\norders: [{{file: o.csv, family: {}}}]\n",
        "x".repeat(100_000)
    );
    let table =
        "id,recipe\n".to_owned() + &(0..1000).map(|i| format!("o{i},box\n")).collect::<String>();
    assert_eq!(wrong(&long, &[("base.yaml", BASE), ("o.csv", &table)]), ["too-large@o.csv"]);
}
