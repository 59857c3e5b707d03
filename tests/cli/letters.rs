//! Letters that cannot be seen: names with them are refused, and nothing of a user's file commands his
//! terminal. A name with an escape sequence went to the terminal as it was, and a name with U+0001
//! made a chart that is no XML.

use crate::run::{Folder, takt};

const UNSEEN: [&str; 12] = [
    "\\x01", "\\t", "\\n", "\\e[31m", "\\x7f", "\\x85", "\\u2028", "\\u202e", "\\u2066", "\\ufeff",
    "\\ufffe", "\\x00",
];

/// A plant with every kind of name.
const PLANT: &str = r#"takt: 1
name: "NAME1"
calendars: {"NAME2": {windows: [[0, 99]]}}
resources:
  "NAME3": {calendar: "NAME2"}
  m: {units: ["NAME4"], setup: {matrix: {"NAME5": {f: {time: 1}}}}, initial: "NAME5"}
recipes:
  "NAME6": {steps: [{name: "NAME7", on: ["NAME3", m], family: "NAME8", duration: 2}]}
orders: [{id: "NAME9", recipe: "NAME6", family: "NAMEa", attributes: {"NAMEb": 1}}]
"#;

#[test]
fn names_have_letters_that_can_be_seen() {
    let folder = Folder::new();
    for kind in "123456789ab".chars() {
        for letter in UNSEEN {
            let named = PLANT.replace(&format!("NAME{kind}"), &format!("n{letter}{kind}"));
            let spec = folder.file("plant.yaml", named.replace("NAME", "n"));
            let ran = takt(&["show", &spec, "--json"]);
            assert_eq!(ran.code, 2, "NAME{kind} with {letter}: {}", ran.out);
            assert_eq!(ran.json()["errors"][0]["code"], "bad-name", "{}", ran.out);
        }
    }
    let spec = folder.file("plant.yaml", PLANT.replace("NAME", "Größe 東 👩‍🔧 "));
    assert_eq!(takt(&["show", &spec]).code, 0);
}

#[test]
fn names_in_tables_too() {
    let folder = Folder::new();
    folder.file("orders.csv", "id,recipe\n\"A\u{1b}[2J\",r\n");
    let text =
        "takt: 1\nrecipes: {r: {steps: [{name: s, duration: 1}]}}\norders: [{file: orders.csv}]\n";
    let spec = folder.file("plant.yaml", text);
    let ran = takt(&["show", &spec]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("bad-name") && ran.err.contains("U+001B"), "{}", ran.err);
    assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
}

/// Whatever is quoted from a file, or called by the user, is shown with signs.
#[test]
fn messages_carry_no_commands_for_the_terminal() {
    let folder = Folder::new();
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}1m\u{202e}";
    let model = folder.file("evil\u{1b}[2J.xta", format!("// {evil}\nint a{evil} = nowhere;\n"));
    let ran = takt(&["check", &model, "-q", "E<> true"]);
    assert_eq!(ran.code, 2);
    let spec =
        folder.file("a\u{1b}[2J.yaml", format!("takt: 1\n'{evil}': 3 # {evil}\norders: 5\n"));
    let missing = format!("{}\u{1b}[2J", folder.path("missing").display());
    let schedule = folder.file("rows.csv", format!("kind,{evil}\nstep,{evil}\n"));
    for args in [
        vec!["check", &model, "-q", "E<> true"],
        vec!["solve", &spec],
        vec!["show", &missing],
        vec!["validate", "specs/bakery.yaml", &schedule],
        vec!["solve", "specs/bakery.yaml", evil],
        vec![evil],
    ] {
        let ran = takt(&args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        let is_bad = |c: char| matches!(c, '\u{1b}' | '\u{7}' | '\u{9b}' | '\u{202e}');
        assert!(!ran.err.contains(is_bad) && !ran.out.contains(is_bad), "{args:?}: {:?}", ran.err);
        assert!(!ran.err.is_empty());
    }
}

/// The sign takes more bytes than the letter; what is underlined stays the same.
#[test]
fn places_stay_where_they_were() {
    let folder = Folder::new();
    let model = folder.file("a.xta", "/* \u{1}\u{2}\u{3} */ int b = nowhere;\nsystem b;\n");
    let ran = takt(&["check", &model, "-q", "E<> true"]);
    let line = format!("int b = nowhere;\n  │ {}^^^^^^^", " ".repeat(18));
    assert!(ran.err.contains(&line), "{}", ran.err);
}

/// A spec without a name is called by its file, which may be called anything.
#[test]
fn the_name_of_a_file_becomes_one_that_can_be_shown() {
    let folder = Folder::new();
    let text =
        "takt: 1\nrecipes: {r: {steps: [{name: s, duration: 1}]}}\norders: [{id: A, recipe: r}]\n";
    let spec = folder.file("a\u{1}b.yaml", text);
    let out = folder.path("out").display().to_string();
    let ran = takt(&["solve", &spec, "--out", &out, "--json"]);
    assert_eq!((ran.code, &ran.json()["spec"]), (0, &"a_b".into()), "{}", ran.err);
    let chart = std::fs::read_to_string(folder.path("out").join("schedule.svg")).unwrap();
    assert!(!chart.contains('\u{1}'));
}

/// `ESC[8m` in a schedule hid what was said of it, with colours and without.
#[test]
fn schedules_bring_no_colours_of_their_own() {
    let folder = Folder::new();
    let spec = folder.file(
        "plant.yaml",
        "takt: 1\nresources: {m: {}}\nrecipes: {r: {steps: [{name: a, on: m, duration: 1}]}}\n\
         orders: [{id: A, recipe: r}]\n",
    );
    let rows = "kind,order,step,resource,unit,start,end\nstep,\"A\x1b[8m\",a,m,1,0,1\n";
    let schedule = folder.file("schedule.csv", rows);
    for color in ["never", "always"] {
        let ran = takt(&["validate", &spec, &schedule, "--color", color]);
        assert_eq!(ran.code, 1);
        assert!(!ran.out.contains("\x1b[8m"), "{}", ran.out);
        assert_eq!(ran.out.contains('\x1b'), color == "always", "{}", ran.out);
    }
}
