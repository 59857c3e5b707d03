//! Recipes, and the steps of single orders, from tables.

use super::mapped::{with, wrong};

const HEAD: &str = "takt: 1
time: {unit: minute}
resources: {M1: {}, M2: {}, crew: {capacity: 2}}
";

fn spec(routings: &str, orders: &str) -> String {
    format!("{HEAD}routings: {routings}\norders: {orders}\n")
}

const STEPS: &str = "Teil;Vorgang;Platz;Rüsten;Stückzeit;vor;frei;Familie\n\
                     W;10;M1|M2+crew*2;5;0,5;;;\n\
                     D;fräsen;M2;10;1,5min;[];ja;rot\n\
                     W;20;;0;2;;;\n\
                     W;30;M1;0;1;10+20;2h;\n";
const KEYS: &str = "file: s.csv, separator: ;, decimal: ',', columns: {recipe: Teil, step: Vorgang, \
     on: Platz, duration: Rüsten + size * Stückzeit, after: vor, interruptible: frei, family: Familie}";

#[test]
fn rows_are_steps_in_their_sequence() {
    let orders = "[{id: A, recipe: W, size: 3}, {id: B, recipe: D, size: 2}]";
    let (read, _) = with(&spec(&format!("{{{KEYS}}}"), orders), &[("s.csv", STEPS)]).unwrap();
    let full = format!(
        "{HEAD}recipes:
  W:
    steps:
      - {{name: \"10\", on: {{any: [M1, [M2, {{crew: 2}}]]}}, duration: 5 + size * 0.5}}
      - {{name: \"20\", duration: 0 + size * 2}}
      - {{name: \"30\", on: M1, duration: 0 + size * 1, after: [\"10\", \"20\"], interruptible: {{max: 2h}}}}
  D:
    steps:
      - {{name: fräsen, on: M2, duration: 10 + size * 1.5min, after: [], interruptible: true, family: rot}}
orders: {orders}\n"
    );
    let (plain, _) = with(&full, &[]).unwrap();
    assert_eq!(read.recipes, plain.recipes);
    assert_eq!(read.orders, plain.orders);
}

#[test]
fn orders_may_have_steps_of_their_own() {
    let text = format!(
        "{HEAD}recipes: {{r: {{steps: [{{name: s, on: M1, duration: 5}}]}}}}
routings: [{{file: s.csv}}, {{file: t.csv, recipe: T, on: crew}}]
orders: [{{id: A}}, {{id: B, recipe: r}}, {{file: o.csv}}]\n"
    );
    let steps = "order,step,on,duration\nA,cut,M1,3\nA,drill,M2,4\nC,cut,M2,2\n";
    let files = [
        ("s.csv", steps),
        ("t.csv", "step,duration\na,1\nb,2\n"),
        ("o.csv", "id,recipe,count\nC,,2\nD,T,\n"),
    ];
    let (read, warnings) = with(&text, &files).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let made: Vec<_> = read
        .orders
        .iter()
        .map(|order| (order.id.value.as_str(), order.recipe.value.as_str()))
        .collect();
    assert_eq!(made, [("A", "A"), ("B", "r"), ("C.1", "C"), ("C.2", "C"), ("D", "T")]);
    let steps: Vec<_> = read.recipes.iter().map(|recipe| recipe.steps.len()).collect();
    assert_eq!(steps, [1, 2, 1, 2]);
}

#[test]
fn what_is_wrong_is_told_with_its_cell() {
    let orders = "[{id: A, recipe: W, size: 1}]";
    let told = |columns: &str, steps: &str| {
        let keys = format!(
            "{{file: s.csv, columns: {{recipe: Teil, step: Vorgang, on: Platz, {columns}}}}}"
        );
        wrong(&spec(&keys, orders), &[("s.csv", steps)])
    };
    let head = "Teil,Vorgang,Platz,Zeit";
    for (columns, row, expected) in [
        (
            "duration: Zeit",
            "W,a,M9,1",
            "unknown-name@M9: there is no resource `M9` (column `Platz`)",
        ),
        (
            "duration: Zeit",
            "W,a,M1|,1",
            "bad-value@M1|: a resource is missing here (column `Platz`, cell `M1|`)",
        ),
        ("duration: Zeit", "W,a,crew*3,1", ""),
        (
            "duration: Zeit",
            "W,a,crew*x,1",
            "bad-value@crew*x: an amount is a whole number from 1 to 1000000 (column `Platz`, cell `crew*x`)",
        ),
        (
            "duration: Zeit",
            "W,,M1,1",
            "missing-key@: a step needs `step` (column `Vorgang`, which is empty)",
        ),
        (
            "duration: Zeit",
            ",a,M1,1",
            "missing-key@: a step needs `recipe` (column `Teil`, which is empty)",
        ),
        (
            "duration: Zeit",
            "W,a,M1,",
            "missing-key@: a step needs `duration` (column `Zeit`, which is empty)",
        ),
        (
            "duration: Zeit * 1h",
            "W,a,M1,",
            "missing-key@: the duration needs `Zeit`, and there is none (column `Zeit`, which is empty)",
        ),
        (
            "duration: Zeit",
            "W,a,M1,0",
            "out-of-range@0: the duration of a step with resources is at least 1 (column `Zeit`, cell `0`)",
        ),
        (
            "duration: Zeit - 1",
            "W,a,M1,1",
            "out-of-range@1: the duration of a step with resources is at least 1 (column `Zeit`, cell `1`)",
        ),
        (
            "duration: Zeit",
            "W,a,M1,3.11.26",
            "bad-date@3.11.26: `3.11.26` looks like a date, not like a duration (column `Zeit`)",
        ),
        (
            "duration: Zeit",
            "W,a,M1,rot",
            "unknown-name@rot: the order `A` has no attribute `rot` (column `Zeit`)",
        ),
        (
            "duration: Zeit",
            "W,a,M1,1\nW,a,M1,1",
            "duplicate-name@a: a step of this recipe with the name `a` exists already (column `Vorgang`)",
        ),
        ("duration: Zeti", "W,a,M1,1", "missing-column@Zeti: `s.csv` has no column `Zeti`"),
        ("duration: Zeit (h)", "W,a,M1,1", "bad-value@(: this is not a duration"),
    ] {
        let steps = format!("{head}\n{row}\n");
        let found = told(columns, &steps);
        let is_there = found.iter().any(|one| one.starts_with(expected) && !expected.is_empty());
        assert!(
            is_there || expected.is_empty() && !found.is_empty(),
            "{row}\n{expected}\n{found:#?}"
        );
    }
}

#[test]
fn names_do_not_clash() {
    let orders = "[{id: A, recipe: W}]";
    let recipes = "recipes: {W: {steps: [{name: s, duration: 5}]}}\n";
    let text = recipes.to_owned() + &spec("{file: s.csv}", orders);
    let text = text.replacen(HEAD, "", 1);
    let found = wrong(&(HEAD.to_owned() + &text), &[("s.csv", "recipe,step,duration\nW,a,1\n")]);
    assert!(
        found[0].starts_with("duplicate-name@W: a recipe with the name `W` exists"),
        "{found:?}"
    );
    let own = [("s.csv", "order,step,duration\nA,a,1\nB,a,1\n")];
    let found = wrong(&spec("{file: s.csv}", orders), &own);
    assert!(
        found[0].starts_with("duplicate-key@W: the order `A` has a recipe and steps"),
        "{found:?}"
    );
    let found = wrong(&spec("{file: s.csv}", "[{id: A}, {id: C}]"), &own);
    assert_eq!(found, ["missing-key@{id: C}: an order needs `recipe`"]);
    let (_, warnings) = with(&spec("{file: s.csv}", "[{id: A}]"), &own).unwrap();
    let said: Vec<_> = warnings.iter().map(|w| w.message.clone()).collect();
    assert!(said.contains(&"no order uses the recipe `B` of this table".to_owned()), "{said:?}");
}

#[test]
fn a_table_that_cannot_be_read_is_told_once() {
    let orders = "[{id: A, recipe: W}, {id: B}]";
    assert_eq!(
        wrong(&spec("{file: none.csv}", orders), &[]),
        ["unreadable-file@none.csv: `none.csv` does not exist"]
    );
}
