//! Tables as planners have them; what takt itself understands of their drafts.

use super::{Origin, import};
use takt_diagnostic::FileId;
use takt_spec::{Files, Instant, Spec, Unread, read_with};

struct Beside(String);

impl Files for Beside {
    fn read(&mut self, path: &str) -> Result<(FileId, String), Unread> {
        assert_eq!(path, "the table.csv");
        Ok((FileId(1), self.0.clone()))
    }
}

fn draft(text: &str) -> String {
    let origin = Origin { path: "the table.csv", is_latin1: false };
    import(text, FileId(0), "draft", origin).expect("a table")
}

fn read(text: &str) -> (String, Spec) {
    let draft = draft(text);
    let read = read_with(&draft, FileId(0), &mut Beside(text.to_owned()));
    let (spec, _) = read.unwrap_or_else(|wrong| panic!("{wrong:#?}\n{draft}"));
    (draft, spec)
}

#[test]
fn a_german_table_of_orders() {
    let (draft, spec) = read(
        "Auftragsnr.;Artikel;Bezeichnung;Menge;Liefertermin;Starttermin;Verzugskosten\n\
         0815;W-1;Welle, lang;1.200;13.11.2026;2.11.2026;1,5\n\
         0816;W-1;Welle;7,5;5.11.2026;03.11.2026;\n\
         0817;D 2;Deckel;3;31.12.2026;;2\n",
    );
    let first = &spec.orders[0];
    assert_eq!((first.id.value.as_str(), first.recipe.value.as_str()), ("0815", "W-1"));
    assert_eq!(first.size.unwrap().value, 1200.into());
    let Some(Instant::Civil(due)) = &first.due else { panic!("{draft}") };
    assert_eq!(due.value.to_string(), "2026-11-14T00:00:00");
    assert!(first.release.is_some() && first.delay_cost.is_some());
    assert_eq!(spec.recipes.len(), 2);
    assert_eq!(spec.time.start.as_ref().unwrap().value.to_string(), "2026-11-02T00:00:00");
    for line in [
        "#   separator `;`",
        "#   decimals have a comma",
        "#   dates dd.mm.yyyy",
        "#   column `Liefertermin`: the due date",
        "#   column `Bezeichnung`: no key; expressions may use it as an attribute",
    ] {
        assert!(draft.contains(line), "{line}\n{draft}");
    }
}

#[test]
fn an_english_table_of_orders_whose_days_may_be_months() {
    let (draft, spec) = read(
        "Order No,Part,Qty,Due Date\nA-1,shaft,10,03/11/2026 14:00\nA-2,shaft,20,04/11/2026 06:30\n",
    );
    assert!(draft.contains("dates dd/mm/yyyy hh:MM, but mm/dd/yyyy hh:MM fits"), "{draft}");
    assert_eq!(spec.orders[1].id.value, "A-2");
    let (draft, _) = read("Order No,Part,Due Date\nA-1,shaft,11/25/2026\nA-2,shaft,04/11/2026\n");
    assert!(draft.contains("dates: \"mm/dd/yyyy\""), "{draft}");
    let (draft, spec) = read("id,recipe,due\nA,r,2026-11-03T06:00\nB,r,\n");
    assert!(!draft.contains("dates:") && !draft.contains("columns:"), "{draft}");
    assert_eq!(spec.orders.len(), 2);
    let (draft, _) = read("Job\tEnd\nA\t20261103\nB\t20261231\n");
    assert!(draft.contains("separator: tab") && draft.contains("yyyymmdd"), "{draft}");
}

#[test]
fn a_german_table_of_steps() {
    let (draft, spec) = read(
        "Teil;Vorgang;Arbeitsplatz;Rüstzeit (min);Stückzeit;Text\n\
         W-1;10;M1|M2;15;0,5;drehen\n\
         W-1;20;M3;0;2,25;fräsen\n\
         D 2;10;M1;12,5;1;drehen\n",
    );
    assert_eq!(spec.recipes.len(), 2);
    assert_eq!(spec.recipes[0].steps.len(), 2);
    assert_eq!(spec.recipes[0].steps[0].alternatives.len(), 2);
    assert_eq!(spec.resources.len(), 3);
    assert_eq!(spec.orders.len(), 2);
    assert!(draft.contains("setup_time * 1min + size * Stückzeit * 1min"), "{draft}");
}

#[test]
fn a_table_with_the_steps_of_orders() {
    let (draft, spec) =
        read("Work Order,Operation,Machine,Hours\nA,cut,saw,1.5\nA,bore,drill,0.5\nB,cut,saw,2\n");
    assert_eq!((spec.orders.len(), spec.recipes.len()), (2, 2));
    assert!(draft.contains("duration: \"Hours * 1h\""), "{draft}");
}

#[test]
fn what_is_no_table_is_refused() {
    let origin = Origin { path: "x.csv", is_latin1: false };
    for text in ["", "hello", "a,b\n", "one\ntwo\nthree\n"] {
        assert!(import(text, FileId(0), "x", origin).is_err(), "{text:?}");
    }
}

#[test]
fn drafts_are_yaml_whatever_the_table_says() {
    let origin = Origin { path: "a\"b\nc.csv", is_latin1: true };
    for text in [
        "id;recipe\n\"a\nb\";\"#x: {\"\n\"y\";\"- [\"\n",
        "step,duration,on\n\u{2028},1,\"\"\ntrue,0,|\n",
        "a,b\n,\n\"\"\"\",x\n1,1\n",
        "Auftrag;Auftrag\n1;2\n",
    ] {
        let Ok(draft) = import(text, FileId(0), "na\"me", origin) else { continue };
        let codes = match read_with(&draft, FileId(0), &mut takt_spec::NoFiles) {
            Ok(_) => Vec::new(),
            Err(found) => found.iter().map(|one| one.code).collect(),
        };
        assert!(!codes.contains(&"yaml"), "{codes:?}\n{draft}");
    }
}
