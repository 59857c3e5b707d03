//! Orders from tables beside the spec.

use super::*;
use std::collections::BTreeMap;

const SPEC: &str = "takt: 1
time: {unit: minute, start: 2026-01-05T06:00}
recipes: {r: {steps: [{name: s, duration: size * speed}]}}
orders:
  - {id: first, recipe: r, size: 1, attributes: {speed: 2}}
  - file: orders.csv
  - {id: last, recipe: r, size: 1, attributes: {speed: 2}}
";

struct Shelf(BTreeMap<&'static str, String>);

impl Files for Shelf {
    fn read(&mut self, path: &str) -> Result<(FileId, String), Unread> {
        let text = self.0.get(path).ok_or(format!("`{path}` does not exist"))?;
        Ok((FileId(1), text.clone()))
    }
}

fn with(table: &str) -> Result<(Spec, Diagnostics), Diagnostics> {
    let mut shelf = Shelf(BTreeMap::from([("orders.csv", table.to_owned())]));
    read_with(SPEC, FileId(0), &mut shelf)
}

/// As `code@text`, the text from the file that the error is in.
fn wrong(table: &str) -> Vec<String> {
    let found = with(table).expect_err("a wrong table");
    let shown = |d: &takt_diagnostic::Diagnostic| {
        let span = d.span.unwrap();
        let text = if span.file == FileId(1) { table } else { SPEC };
        format!("{}@{}", d.code, &text[span.start as usize..span.end as usize])
    };
    found.iter().map(shown).collect()
}

#[test]
fn rows_are_orders_and_other_columns_attributes() {
    let table = "id,recipe,size,due,speed,count\r\nA,r,10,2026-01-06T06:00,0.5,\r\n\
                 \"B \"\"x\"\"\",r, 3 ,,2h,2\r\n\r\n";
    let (spec, warnings) = with(table).unwrap();
    assert!(warnings.is_empty());
    let ids: Vec<_> = spec.orders.iter().map(|order| order.id.value.as_str()).collect();
    assert_eq!(ids, ["first", "A", "B \"x\".1", "B \"x\".2", "last"]);
    assert!(matches!(spec.orders[1].due, Some(Instant::Civil(_))));
    assert_eq!(spec.orders[2].due, None);
    assert_eq!(spec.orders[2].size.unwrap().value, Exact::from(3));
    let speed = |i: usize| spec.orders[i].attribute("speed").unwrap().value.value.clone();
    assert_eq!(speed(1), Attribute::Number(Exact::new(1, 2)));
    assert_eq!(speed(2), Attribute::Quantity(Exact::from(7200)));
}

#[test]
fn wrong_cells_are_shown_in_their_file() {
    assert_eq!(wrong("id,recipe,size,speed\nA,r,x,1\n"), ["bad-type@x"]);
    assert_eq!(wrong("id,recipe,size,speed\nA,q,1,1\n"), ["unknown-name@q"]);
    assert_eq!(wrong("id,recipe,size,speed,due\nA,r,1,1,\"5 + q\"\n"), ["unknown-name@q"]);
    assert_eq!(wrong("id,recipe,size,speed\nfirst,r,1,1\n"), ["duplicate-name@first"]);
    assert_eq!(wrong("id,recipe,size,speed\nA,r,1\n"), ["bad-csv@A,r,1"]);
    assert_eq!(wrong("id,recipe,size,speed\n,r,1,1\n"), ["missing-key@"]);
    assert_eq!(wrong("id,recipe,size,speed\nA,r,1,\n"), ["unknown-name@speed"]);
    assert_eq!(wrong("id,recipe,id\nA,r,1\n"), ["unknown-name@size", "duplicate-name@id"]);
    assert_eq!(wrong("id,size\nA,1\n"), ["missing-key@id,size"]);
    assert_eq!(wrong("id;recipe\nA;r\n"), ["missing-key@id;recipe"]);
    assert_eq!(wrong("id,recipe\n\"A,r\n"), ["bad-csv@\""]);
    assert_eq!(wrong("id,recipe\n\"A\"x,r\n"), ["bad-csv@x"]);
    assert_eq!(wrong(""), ["bad-csv@orders.csv"]);
    assert_eq!(wrong("id,recipe,,size,speed\nA,r,,1,1\n"), ["bad-csv@id,recipe,,size,speed"]);
}

#[test]
fn a_column_that_nobody_uses_is_told_with_the_key_it_resembles() {
    let (_, warnings) = with("id,recipe,size,speed,familiy\nA,r,1,1,red\n").unwrap();
    let warning = warnings.iter().next().unwrap();
    assert_eq!(warning.span.unwrap().file, FileId(1));
    assert_eq!(warning.hint.as_deref(), Some("the key of orders is `family`"));
}

#[test]
fn files_and_rows_are_bounded() {
    let table = "id,recipe,size,speed\n".to_owned() + &"A,r,1,1\n".repeat(200_001);
    assert_eq!(wrong(&table), ["too-large@orders.csv"]);
    let many = SPEC.replace("  - file: orders.csv\n", &"  - file: orders.csv\n".repeat(200));
    let mut shelf = Shelf(BTreeMap::from([("orders.csv", "id,recipe\n".to_owned())]));
    let found = read_with(&many, FileId(0), &mut shelf).unwrap_err();
    let is_error = |d: &&takt_diagnostic::Diagnostic| d.code == "unreadable-file";
    assert_eq!(found.iter().filter(is_error).count(), 100);
}

#[test]
fn a_missing_file_is_told_at_its_name() {
    let found = read_with(SPEC, FileId(0), &mut Shelf(BTreeMap::new())).unwrap_err();
    assert_eq!(found.iter().next().unwrap().message, "`orders.csv` does not exist");
    assert_eq!(errors(SPEC), ["unreadable-file@orders.csv"]);
}
