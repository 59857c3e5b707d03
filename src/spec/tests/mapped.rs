//! Tables as other programs write them: signs, dates, columns, and errors that name the cell.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Files by path; each has the number of its place as its id.
pub struct Shelf(BTreeMap<String, String>);

impl Files for Shelf {
    fn read(&mut self, path: &str) -> Result<(FileId, String), Unread> {
        let place = self.0.keys().position(|name| name == path);
        let place = place.ok_or(format!("`{path}` does not exist"))?;
        Ok((FileId(place as u32 + 1), self.0[path].clone()))
    }
}

pub fn shelf(files: &[(&str, &str)]) -> Shelf {
    Shelf(files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect())
}

pub fn with(spec: &str, files: &[(&str, &str)]) -> Result<(Spec, Diagnostics), Diagnostics> {
    read_with(spec, FileId(0), &mut shelf(files))
}

/// As `code@text: message`, the text from the file that the error is in.
pub fn wrong(spec: &str, files: &[(&str, &str)]) -> Vec<String> {
    let found = with(spec, files).expect_err("a wrong spec");
    let shelf = shelf(files);
    let texts: Vec<_> = std::iter::once(spec).chain(shelf.0.values().map(|t| &**t)).collect();
    let shown = |d: &takt_diagnostic::Diagnostic| {
        let span = d.span.unwrap();
        let text = &texts[span.file.0 as usize][span.start as usize..span.end as usize];
        format!("{}@{text}: {}", d.code, d.message)
    };
    found.iter().map(shown).collect()
}

const HEAD: &str = "takt: 1
time: {unit: minute, start: 2026-11-02T06:00}
recipes: {r: {steps: [{name: s, duration: 1 + size * speed}]}}
";

fn spec(file: &str) -> String {
    format!("{HEAD}orders:\n  - {{file: o.csv, recipe: r, {file}}}\n")
}

const GERMAN: &str = "separator: ';', decimal: ',', dates: dd.mm.yyyy hh:MM, day-ends: '14:00', \
     columns: {id: Auftrag, due: Liefertermin, release: Frühestens, size: Menge, speed: 'Zeit je Stück', \
     delay-cost: Kosten}";

#[test]
fn a_german_table_means_what_the_same_orders_mean_in_yaml() {
    let table = "Auftrag;Menge;Liefertermin;Frühestens;Zeit je Stück;Kosten;Kunde\r\n\
                 0815;1.200;05.11.2026;3.11.2026;0,5;1.200,5/min;\"Müller; Söhne\"\r\n\
                 4711;7,5;5.11.2026 09:30;03.11.2026 10:00;2,5min;;\r\n;;;;;;\r\n\
                 A;1;3d;;1;;\r\n";
    let (read, warnings) = with(&spec(GERMAN), &[("o.csv", table)]).unwrap();
    assert!(warnings.iter().all(|one| one.message.starts_with("costs have")), "{warnings:?}");
    let full = format!(
        "{HEAD}orders:
  - {{id: \"0815\", recipe: r, size: 1200, due: 2026-11-05T14:00, release: 2026-11-03T00:00,
     delay-cost: 1200.5/min, attributes: {{speed: 0.5, Kunde: \"Müller; Söhne\"}}}}
  - {{id: \"4711\", recipe: r, size: 7.5, due: 2026-11-05T09:30, release: 2026-11-03T10:00,
     attributes: {{speed: 2.5min}}}}
  - {{id: A, recipe: r, size: 1, due: 3d, attributes: {{speed: 1}}}}\n"
    );
    let (plain, _) = with(&full, &[]).unwrap();
    assert_eq!(read.orders, plain.orders);
}

#[test]
fn errors_name_the_column_and_the_cell() {
    let table = "Auftrag;Menge;Liefertermin;Frühestens;Zeit je Stück;Kosten\n\
                 A;x;31.02.2026;;1;\n\
                 ;1;03/11/2026;;1;\n\
                 B;12.5;4.11.26;45969;rot;\n\
                 B;1;;;1;1,2,3\n\
                 C;1;5.11.2026 25:00;;1\n";
    let found = wrong(&spec(GERMAN), &[("o.csv", table)]);
    let expected = [
        "bad-type@x: `size` is a number (column `Menge`, cell `x`)",
        "bad-date@31.02.2026: `31.02.2026` does not exist (column `Liefertermin`)",
        "missing-key@: an order needs `id` (column `Auftrag`, which is empty)",
        "bad-date@03/11/2026: `03/11/2026` is not written like `dd.mm.yyyy hh:MM`, as `dates` says \
         (column `Liefertermin`)",
        "bad-value@12.5: `12.5` is no number of this table (column `Menge`)",
        "bad-date@4.11.26: `4.11.26` is not written like `dd.mm.yyyy hh:MM`, as `dates` says \
         (column `Liefertermin`)",
        "bad-date@45969: `45969` is not written like `dd.mm.yyyy hh:MM`, as `dates` says \
         (column `Frühestens`)",
        "duplicate-name@B: an order with the name `B` exists already (column `Auftrag`)",
        "bad-value@1,2,3: `1,2,3` is no number of this table (column `Kosten`)",
        "bad-csv@C;1;5.11.2026 25:00;;1: this row has 5 cells, the header has 6",
    ];
    for line in expected {
        assert!(found.iter().any(|one| one == line), "{line}\n{found:#?}");
    }
}

#[test]
fn columns_that_are_mapped_lose_their_own_names() {
    let table = "id,Auftrag,size,speed\n1,A,3,2\n";
    let (read, warnings) =
        with(&spec("columns: {id: Auftrag, family: Auftrag}"), &[("o.csv", table)]).unwrap();
    let order = &read.orders[0];
    assert_eq!((order.id.value.as_str(), order.family()), ("A", "A"));
    assert!(order.attribute("Auftrag").is_none());
    assert_eq!(
        warnings.iter().map(|w| w.message.as_str()).collect::<Vec<_>>(),
        ["this column is not read: `columns` says what `id` is"]
    );
}

#[test]
fn wrong_descriptions_are_told_where_they_stand() {
    let table = "Auftrag;Menge\nA;1\n";
    for (keys, expected) in [
        (
            "separator: ';', columns: {id: Auftra}",
            "missing-column@Auftra: `o.csv` has no column `Auftra`",
        ),
        ("columns: {id: Auftrag}", "missing-column@Auftrag: `o.csv` has no column `Auftrag`"),
        ("separator: ';'", "missing-key@Auftrag;Menge: there is no column `id`"),
        (
            "separator: ab",
            "bad-value@ab: a separator is a single sign, such as `;`, `,`, `|` or `tab`",
        ),
        ("decimal: ;", "bad-value@;: `decimal` is one of ., ,"),
        ("encoding: utf8", "bad-value@utf8: `encoding` is one of utf-8, latin1"),
        (
            "dates: dd.mm.yyyy hh:mm",
            "bad-value@dd.mm.yyyy hh:mm: `mm` stands in this pattern twice",
        ),
        ("dates: TT.MM.JJJJ", "bad-value@TT.MM.JJJJ: `J` stands for nothing in a pattern of dates"),
        ("day-ends: 2pm", "bad-value@2pm: a time of day is written like `06:00`"),
        ("id: Auftrag", "unknown-key@id: each row of a file has its own id"),
    ] {
        let found = wrong(&spec(keys), &[("o.csv", table)]);
        assert!(found.iter().any(|one| one == expected), "{keys}\n{found:#?}");
    }
}

#[test]
fn a_day_means_its_end_or_its_beginning() {
    let civil = |spec: &Spec| {
        let order = &spec.orders[0];
        [&order.release, &order.due, &order.deadline].map(|instant| match instant {
            Some(Instant::Civil(at)) => at.value.to_string(),
            other => format!("{other:?}"),
        })
    };
    let days = ["2026-11-03T00:00:00", "2026-11-05T00:00:00", "2026-11-06T00:00:00"];
    let table = "id,release,due,deadline,size,speed\nA,2026-11-03,2026-11-04,2026-11-05,1,1\n";
    let (read, _) = with(&spec("day-ends: '24:00'"), &[("o.csv", table)]).unwrap();
    assert_eq!(civil(&read), days);
    let order = "{id: A, recipe: r, release: 2026-11-03, due: 2026-11-04, deadline: 2026-11-05, size: 1, \
                 attributes: {speed: 1}}";
    assert_eq!(civil(&with(&format!("{HEAD}orders: [{order}]\n"), &[]).unwrap().0), days);
}

#[test]
fn no_date_is_a_number() {
    for text in [
        "03/11/2026",
        "3.11.26",
        "2026/11/03",
        "11-03-2026",
        "03.11.2026 14:00",
        "2026-11-03 14:00",
        "2026-11-03T14:00",
    ] {
        let table = format!("id,size,speed,due\nA,1,1,{text}\n");
        let is_own = text.contains('T');
        let told = |found: Result<(Spec, Diagnostics), Diagnostics>| {
            let found = found.expect_err(text);
            let one = found.iter().find(|one| one.code == "bad-date");
            let one = one.unwrap_or_else(|| panic!("{text} {found:?}"));
            assert!(one.hint.as_ref().unwrap().contains("dates"), "{text} {one:?}");
        };
        if !is_own {
            told(with(&spec("day-ends: '24:00'"), &[("o.csv", &table)]));
            told(with(&format!("{HEAD}now: {text}\norders: []\n"), &[]));
        }
        told(with(
            &format!(
                "takt: 1\nrecipes: {{r: {{steps: [{{name: s, duration: {text}}}]}}}}\norders: []\n"
            ),
            &[],
        ));
        told(with(&format!("{HEAD}orders: [{{id: A, recipe: r, size: {text}}}]\n"), &[]));
    }
    let alone = wrong(&format!("{HEAD}orders: [{{id: A, recipe: r, due: 8 * 60}}]\n"), &[]);
    let is_told = |one: &String| one.starts_with("bad-date@8 * 60: an instant is not computed");
    assert!(alone.iter().any(is_told), "{alone:?}");
    // Divisions that are no dates stay what they were.
    let fine = "takt: 1\nrecipes: {r: {steps: [{name: s, duration: 60/5/10}]}}\norders: []\n";
    assert!(with(fine, &[]).is_ok());
}

#[test]
fn many_errors_of_one_table_are_counted() {
    let rows: String = (0..1000).map(|i| format!("A{i},x,1\n")).collect();
    let found = wrong(&spec("day-ends: '24:00'"), &[("o.csv", &format!("id,size,speed\n{rows}"))]);
    assert_eq!(found.len(), 101);
    assert!(found.iter().any(|one| one == "more-errors@o.csv: and 900 more errors in this table"));
}

#[test]
fn signs_after_the_last_cell_are_no_column() {
    let table = "id;size;speed;\nA;1;1;\nB;1;1;\n";
    assert_eq!(with(&spec("separator: ;"), &[("o.csv", table)]).unwrap().0.orders.len(), 2);
    let table = "id;size;speed;\nA;1;1;x\n";
    assert!(with(&spec("separator: ;"), &[("o.csv", table)]).is_err());
}

const BASE: &str = "takt: 1
time: {unit: minute, start: 2026-11-02T06:00}
recipes: {r: {steps: [{name: s, duration: 5}]}}
orders:
  - {id: first, recipe: r}
  - {file: o.csv, recipe: r, dates: dd.mm.yy}
";
const ROWS: &str = "id,due,size,note\nA16,03.11.26,1,x\nA17,03.11.26,2,y\nA18,,3,z\n";

fn variant(orders: &str) -> Vec<String> {
    let text = format!("takt: 1\nextends: base.yaml\norders: {orders}\n");
    wrong(&text, &[("base.yaml", BASE), ("o.csv", ROWS)])
}

#[test]
fn a_variant_changes_rows_by_their_ids() {
    let text =
        "takt: 1\nextends: middle.yaml\norders: {A17: {due: null, deadline: 9d}, A16: null}\n";
    let middle = "takt: 1\nextends: base.yaml\n\
                  orders: {A17: {due: 5d, size: 4, attributes: {note: null, new: 3}}, first: {size: 2}}\n";
    let files = [("base.yaml", BASE), ("middle.yaml", middle), ("o.csv", ROWS)];
    let (read, _) = with(text, &files).unwrap();
    let full = "takt: 1
time: {unit: minute, start: 2026-11-02T06:00}
recipes: {r: {steps: [{name: s, duration: 5}]}}
orders:
  - {id: first, recipe: r, size: 2}
  - {id: A17, recipe: r, size: 4, deadline: 9d, attributes: {new: 3}}
  - {id: A18, recipe: r, size: 3, attributes: {note: z}}
";
    assert_eq!(read.orders, with(full, &[]).unwrap().0.orders);
}

#[test]
fn changes_of_rows_that_do_not_exist_are_told() {
    assert_eq!(
        variant("{A71: {due: 5d}}"),
        ["unknown-name@A71: there is no `A71` among the `orders` of the base"]
    );
    assert!(variant("{A17: {du: 5d}}")[0].starts_with("unknown-key@du"));
    assert!(variant("{A17: {due: x y}}")[0].starts_with("bad-value@y"));
    assert!(variant("{A17: {size: 1}, A17: {size: 2}}")[0].starts_with("duplicate-key@A17"));
    let text = "takt: 1\nextends: middle.yaml\norders: {A17: {due: 5d}}\n";
    let middle = "takt: 1\nextends: base.yaml\norders: {A17: null}\n";
    let files = [("base.yaml", BASE), ("middle.yaml", middle), ("o.csv", ROWS)];
    assert!(wrong(text, &files)[0].starts_with("unknown-name@A17"));
}

/// An order as it may stand in a table or in a spec.
#[derive(Clone, Debug)]
struct Drawn {
    size: i64,
    day: u32,
    time: Option<(u32, u32)>,
    cost: Option<i64>,
}

fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
    let time = proptest::option::of((0u32..24, 0u32..60));
    let cost = proptest::option::of(0i64..5_000_000);
    let order = (0i64..3_000_000, 1u32..31, time, cost);
    let order = order.prop_map(|(size, day, time, cost)| Drawn { size, day, time, cost });
    proptest::collection::vec(order, 0..8)
}

/// Thousandths with this decimal sign, and a sign between thousands.
fn number(thousandths: i64, decimal: char, gap: &str) -> String {
    let whole = (thousandths / 1000).to_string();
    let whole = if whole.len() > 3 && !gap.is_empty() {
        format!("{}{gap}{}", &whole[..whole.len() - 3], &whole[whole.len() - 3..])
    } else {
        whole
    };
    format!("{whole}{decimal}{:03}", thousandths % 1000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_dialect_means_what_the_same_spec_means(
        orders in drawn(),
        separator in prop_oneof![Just(";"), Just("|"), Just("\t"), Just("~")],
        comma in any::<bool>(),
        gap in prop_oneof![Just(""), Just(" "), Just("'"), Just("\u{a0}"), Just("other")],
        pattern in 0usize..4,
        quoted in any::<bool>(),
    ) {
        let decimal = if comma { ',' } else { '.' };
        let gap = if gap == "other" { if comma { "." } else { "," } } else { gap };
        let forms = ["dd.mm.yyyy hh:MM", "mm/dd/yy hh:MM", "yyyymmdd hhMM", "hh:MM yyyy-mm-dd"];
        let mut table = ["Nr", "Menge", "Termin", "Kosten"].join(separator) + "\n";
        let mut full = format!("{HEAD}orders:\n");
        for (number_of, order) in orders.iter().enumerate() {
            let day = order.day;
            let (h, m) = order.time.unwrap_or((17, 30));
            let (date, time) = match pattern {
                0 => (format!("{day}.11.2026"), format!("{h}:{m:02}")),
                1 => (format!("11/{day:02}/26"), format!("{h:02}:{m:02}")),
                2 => (format!("202611{day:02}"), format!("{h:02}{m:02}")),
                _ => (format!("2026-11-{day:02}"), format!("{h:02}:{m:02}")),
            };
            let cell = match (order.time, pattern) {
                (None, _) => date,
                (Some(_), 3) => format!("{time} {date}"),
                (Some(_), _) => format!("{date} {time}"),
            };
            let cost = order.cost.map_or(String::new(), |cost| number(cost, decimal, gap));
            let cells = [format!("0{number_of}"), number(order.size, decimal, gap), cell, cost];
            let cells = cells.map(|cell| if quoted { format!("\"{cell}\"") } else { cell });
            table += &(cells.join(separator) + "\r\n");
            let cost = order.cost.map_or(String::new(), |cost| format!(", delay-cost: {}", number(cost, '.', "")));
            full += &format!(
                "  - {{id: \"0{number_of}\", recipe: r, size: {}, due: 2026-11-{day:02}T{h:02}:{m:02}{cost}, \
                 attributes: {{speed: 1}}}}\n",
                number(order.size, '.', ""),
            );
        }
        if orders.is_empty() {
            full = format!("{HEAD}orders: []\n");
        }
        let keys = format!(
            "separator: \"{}\", decimal: \"{decimal}\", dates: \"{}\", day-ends: \"17:30\", attributes: {{speed: 1}}, \
             columns: {{id: Nr, size: Menge, due: Termin, delay-cost: Kosten}}",
            if separator == "\t" { "tab" } else { separator },
            forms[pattern],
        );
        let read = with(&spec(&keys), &[("o.csv", &table)]);
        let plain = with(&full, &[]);
        prop_assert_eq!(read.map(|r| r.0.orders).map_err(|e| format!("{e:?}\n{table}")), plain.map(|r| r.0.orders).map_err(|e| format!("{e:?}")));
    }

    /// Whatever is done to tables and to what is said of them, there is an answer, and its places exist.
    #[test]
    fn no_mutation_of_a_table_is_more_than_an_error(
        at in 0usize..400,
        with_text in "[ -~ä\u{a0}€\n\r\t]{0,3}",
        which in 0usize..3,
    ) {
        let steps = "Teil;Vorgang;Platz;Zeit\nW;10;M1|M2+M1*1;5\nW;20;;0,5h\nV;10;M2;1.000\n";
        let orders = "Auftrag;Teil;Termin;Menge\n0815;W;03.11.2026;1,5\n0816;V;3.11.2026 14:00;2\n";
        let text = format!(
            "{}routings: {{file: s.csv, separator: ;, decimal: ',', columns: {{recipe: Teil, step: Vorgang, on: Platz, \
             duration: Zeit * 1min + 1}}}}\norders: [{{file: o.csv, separator: ;, decimal: ',', dates: dd.mm.yyyy hh:MM, \
             columns: {{id: Auftrag, recipe: Teil, due: Termin, size: Menge}}}}]\n",
            "takt: 1\ntime: {unit: minute, start: 2026-11-02T06:00}\nresources: {M1: {}, M2: {}}\n",
        );
        let mut texts = [text, orders.to_owned(), steps.to_owned()];
        let changed = &mut texts[which];
        let at = changed.floor_char_boundary(at % changed.len());
        let end = changed.ceil_char_boundary(at + 1);
        changed.replace_range(at..end, &with_text);
        let [text, orders, steps] = &texts;
        if let Err(found) = with(text, &[("o.csv", orders), ("s.csv", steps)]) {
            prop_assert!(found.has_errors());
            for span in found.iter().filter_map(|d| d.span) {
                let text = &texts[span.file.0 as usize];
                prop_assert!(text.get(span.start as usize..span.end as usize).is_some());
            }
        }
    }
}
