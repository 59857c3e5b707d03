//! `takt check` from outside.

use crate::run::{Folder, Ran, root, takt, takt_with};
use serde_json::{Value, json};

/// A lamp that is switched on, and must be off again within 3.
const LAMP: &str = "\
int[0, 2] n = 0;
chan press;
process Lamp() {
    clock x;
    state off, on { x <= 3 };
    init off;
    trans off -> on { guard n < 2; sync press?; assign x = 0, n++; },
          on -> off { guard x > 1; };
}
process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
system Lamp, User;
";

/// More states than anyone can visit.
const ENDLESS: &str = "\
int[0, 30000] a = 0, b = 0, c = 0;
process P() {
    state s;
    init s;
    trans s -> s { guard a < 30000; assign a++; }, s -> s { guard b < 30000; assign b++; },
          s -> s { guard c < 30000; assign c++; };
}
system P;
";

fn lamp(args: &[&str]) -> Ran {
    takt_with(&[&["check", "-"], args].concat(), LAMP, &[])
}

#[test]
fn help_is_no_error_and_shows_examples() {
    let ran = takt(&["check", "--help"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("Examples:") && ran.out.contains("--query-file"), "{}", ran.out);
    assert_eq!(takt(&["--version"]).code, 0);
}

#[test]
fn wrong_calls_end_with_2() {
    for args in [
        &["fly"][..],
        &[],
        &["check"],
        &["check", "x.xta", "--order", "sideways"],
        &["check", "x.xta", "--time", "soon"],
        &["check", "x.xta", "--memory", "0"],
        &["check", "x.xta", "--threads", "0"],
    ] {
        let ran = takt(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(!ran.err.is_empty());
        let ran = takt(&[args, &["--json"]].concat());
        assert_eq!((ran.code, ran.error_codes()), (2, vec!["usage".to_owned()]), "{args:?}");
        let message = ran.json()["errors"][0]["message"].to_string();
        assert!(!message.contains("Usage:") && !message.contains("error:"), "{message}");
    }
}

#[test]
fn quiet_leaves_errors_only() {
    let folder = Folder::new();
    let model = "int f(int n) { if (n > 0) return 1; }\nint x = y;\n\
                 process P() { state a; init a; } system P;";
    let model = folder.file("warned.xta", model);
    let ran = takt(&["check", &model, "-q", "E<> P.a"]);
    assert!(ran.err.contains("warning[no-return]") && ran.err.contains("error["), "{}", ran.err);
    let ran = takt(&["check", &model, "-q", "E<> P.a", "--quiet"]);
    assert!(!ran.err.contains("warning") && ran.err.contains("error["), "{}", ran.err);
}

#[test]
fn a_run_against_liveness_says_how_it_goes_on() {
    let folder = Folder::new();
    let told = |guard: &str, query: &str| {
        let model = format!(
            "process P() {{ clock x; state a {{ x <= 5 }}, b, c; init a;
             trans a -> b {{ guard {guard}; }}, b -> c {{ }}; }} system P;"
        );
        let model = folder.file("live.xta", model);
        takt(&["check", &model, "-q", query, "--trace", "concrete"]).out
    };
    let waiting = told("x >= 3", "A<> P.c");
    assert!(waiting.contains("  3  P.a -> P.b\n  and waits there for ever\n"), "{waiting}");
    let stuck = told("x == 3", "E[] P.a");
    assert!(stuck.contains("  5  (wait)\n  and there neither a move nor a delay"), "{stuck}");
    let reached = told("x >= 3", "E<> P.b");
    assert!(!reached.contains("and waits") && !reached.contains("neither"), "{reached}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_cannot_be_written_is_no_success() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_takt"));
    let ran = command
        .args(["compile", "specs/ft06.yaml"])
        .current_dir(root())
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("standard output"));
}

#[test]
fn a_misspelt_deadlock_is_guessed() {
    let ran = lamp(&["-q", "A[] not deadlok"]);
    assert!(ran.err.contains("did you mean `deadlock`?"), "{}", ran.err);
}

#[test]
fn an_error_before_the_first_state_has_no_trace() {
    let folder = Folder::new();
    let model = "process P() { clock x; state a { x <= 1000000000000000000 }; init a; } system P;";
    let model = folder.file("far.xta", model);
    let ran = takt(&["check", &model, "-q", "A[] P.a", "--json"]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["clock-too-large".to_owned()]));
    assert!(ran.json()["errors"][0].get("trace").is_none());
    let ran = takt(&["check", &model, "-q", "A[] P.a"]);
    assert!(ran.err.contains("before the first move") && !ran.err.contains("trace"), "{}", ran.err);
}

/// Such a model has no state at all: everything was said to be true of it.
#[test]
fn a_model_that_begins_outside_an_invariant_is_an_error() {
    for (invariant, column) in
        [("x >= 1", 45), ("x <= 3 && n == 2", 55), ("n > 0 && n < 9 && x > 0", 63)]
    {
        let model = format!(
            "clock x; int n = 1; process P() {{ state a {{ {invariant} }}; init a; }} system P;"
        );
        for query in ["A[] false", "E<> true", "A<> false", "inf: x", "sup: x", "E[] P.a"] {
            let ran = takt_with(&["check", "-", "--json", "-q", query], &model, &[]);
            assert_eq!(ran.code, 2, "{query}: {}", ran.out);
            assert_eq!(ran.error_codes(), ["initial-invariant"], "{query}");
            let at = ran.json()["errors"][0]["column"].as_u64().unwrap();
            assert_eq!(at, column, "{query}, {invariant}");
        }
    }
}

/// A run that ends because time only comes near a strict bound says so.
#[test]
fn a_run_may_end_before_a_strict_bound() {
    let model = "clock x; process P() { state a { x < 5 }; init a; } system P;";
    let ran = takt_with(&["check", "-", "-q", "A<> x > 7", "--trace", "concrete"], model, &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("time comes ever nearer to a strict bound"), "{}", ran.out);
}

#[test]
fn unusable_files_are_named() {
    let folder = Folder::new();
    let latin = folder.file("latin.xta", b"clock x;\n// caf\xe9\n");
    let empty = folder.file("empty.xta", " \n");
    let missing = folder.path("missing.xta").display().to_string();
    let itself = folder.path(".").display().to_string();
    for (file, code) in [
        (&latin, "not-utf8"),
        (&empty, "empty-file"),
        (&missing, "missing-file"),
        (&itself, "is-directory"),
    ] {
        let ran = takt(&["check", file, "-q", "E<> true", "--json"]);
        assert_eq!((ran.code, ran.error_codes()), (2, vec![code.to_owned()]));
        let error = &ran.json()["errors"][0];
        assert_eq!(error["file"], file.as_str());
        let place = (error["line"].as_i64(), error["column"].as_i64());
        assert_eq!(place, if code == "not-utf8" { (Some(2), Some(7)) } else { (None, None) });
        let ran = takt(&["check", file, "-q", "E<> true", "--quiet"]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains(code) && ran.err.contains(file.as_str()), "{}", ran.err);
    }
}

#[test]
fn colours_are_used_where_wanted() {
    let colored = |args: &[&str], no_color: &str| {
        let args = [&["check", "-", "-q", "E<> Lamp.on"], args].concat();
        let ran = takt_with(&args, LAMP, &[("NO_COLOR", no_color)]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out.contains('\u{1b}')
    };
    assert!(!colored(&[], ""), "standard output is no terminal here");
    assert!(colored(&["--color", "always"], "1"), "--color always beats NO_COLOR");
    assert!(!colored(&["--color=never"], ""));
    let args = ["check", "missing.xta", "-q", "E<> true", "--color", "always"];
    assert!(takt(&args).err.contains('\u{1b}'));
}

#[test]
fn json_has_the_promised_shape() {
    let ran = lamp(&["-q", "E<> Lamp.on", "-q", "sup{Lamp.on}: Lamp.x", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let json = ran.json();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["model", "queries"]);
    assert_eq!(json["model"], "-");
    let common = ["query", "verdict", "value"];
    let figures = ["explored", "stored", "seconds", "memory_mb"];
    assert_eq!(keys(&json["queries"][0]), [&common[..], &figures].concat());
    assert_eq!(keys(&json["queries"][1]), [&common[..], &["attained"], &figures].concat());
    assert_eq!(json["queries"][0]["query"], "E<> Lamp.on");
    assert_eq!(json["queries"][0]["value"], Value::Null);
    assert_eq!(
        (&json["queries"][1]["value"], &json["queries"][1]["attained"]),
        (&json!(3), &json!(true))
    );
    assert!(json["queries"][0]["explored"].as_u64().unwrap() > 0);
}

#[test]
fn values_may_be_open_or_without_bound() {
    let ran = lamp(&["-q", "inf{Lamp.off && n > 0}: Lamp.x", "-q", "sup: Lamp.x", "--json"]);
    let json = ran.json();
    let (open, endless) = (&json["queries"][0], &json["queries"][1]);
    assert_eq!((&open["value"], &open["attained"]), (&json!(1), &json!(false)));
    assert_eq!((&endless["value"], &endless["attained"]), (&json!("inf"), &json!(false)));
    let ran = lamp(&["-q", "inf{n > 2}: Lamp.x", "--json"]);
    assert_eq!((ran.code, &ran.json()["queries"][0]["value"]), (1, &Value::Null));
}

#[test]
fn a_violated_query_decides_the_exit_code() {
    let ran = lamp(&["-q", "E<> Lamp.on", "-q", "A[] n < 2"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("satisfied  E<> Lamp.on\n"), "{}", ran.out);
    assert!(ran.out.contains("violated   A[] n < 2\n"), "{}", ran.out);
    let ran = lamp(&["-q", "E<> Lamp.on", "-q", "A[] n < 2", "--quiet"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (1, "", ""));
}

#[test]
fn concrete_traces_have_exact_times() {
    let ran = lamp(&["-q", "E<> Lamp.off && n == 1", "--trace", "concrete", "--json"]);
    let trace = &ran.json()["queries"][0]["trace"];
    assert_eq!(
        trace[0],
        json!({"time": "0", "move": "User.idle -> User.idle, Lamp.off -> Lamp.on", "cost": 0})
    );
    assert_eq!(trace[1]["move"], "Lamp.on -> Lamp.off");
    let time = trace[1]["time"].as_str().unwrap();
    assert!(time.contains('/'), "more than 1 but no more than needed: {time}");
    let ran = lamp(&["-q", "E<> Lamp.x >= 7", "--trace", "concrete", "--json"]);
    let trace = ran.json()["queries"][0]["trace"].clone();
    let last = trace.as_array().unwrap().last().unwrap();
    assert_eq!((&last["move"], &last["time"]), (&json!(""), &json!("7")), "a final wait");
}

#[test]
fn symbolic_traces_show_locations_variables_and_zones() {
    let ran = lamp(&["-q", "E<> Lamp.on", "--trace", "symbolic", "--json"]);
    let trace = &ran.json()["queries"][0]["trace"];
    assert_eq!(trace[0]["locations"], json!({"Lamp": "off", "User": "idle"}));
    assert_eq!(trace[1]["variables"], json!({"n": 1}));
    assert_eq!(trace[1]["zone"], json!(["Lamp.x <= 3"]));
    let ran = lamp(&["-q", "E<> Lamp.on", "--trace", "symbolic"]);
    assert!(ran.out.contains("Lamp.on, User.idle | n = 1 | Lamp.x <= 3"), "{}", ran.out);
}

#[test]
fn queries_come_from_files_too() {
    let folder = Folder::new();
    let queries = folder.file("lamp.q", "// both hold\nE<> Lamp.on\n\nA[] n <= 2 // always\n");
    let json = lamp(&["--query-file", &queries, "--json"]).json();
    assert_eq!(json["queries"].as_array().unwrap().len(), 2);
    let broken = folder.file("broken.q", "E<> Lamp.on\n\nA[] Lamp.no\nE<> (\n");
    let ran = lamp(&["--query-file", &broken, "--json"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.json()["errors"][0]["line"], 4, "a syntax error comes first");
    assert_eq!(lamp(&["--query-file", "-"]).code, 2);
    assert_eq!(lamp(&["--json"]).error_codes(), ["no-query"]);
}

#[test]
fn xml_is_known_by_its_content_and_brings_its_queries() {
    let xml = "<nta><declaration>clock x;</declaration><template><name>P</name>\
        <location id=\"a\"><name>a</name></location><init ref=\"a\"/></template>\
        <system>system P;</system><queries><query><formula>E&lt;&gt; x &gt; 5</formula>\
        </query></queries></nta>";
    let ran = takt_with(&["check", "-", "--json"], xml, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.json()["queries"][0]["query"], "E<> x > 5");
}

#[test]
fn errors_of_model_and_query_have_their_place() {
    let ran = takt_with(&["check", "-", "-q", "E<> x > 5", "--json"], "clok x;\nsystem P;\n", &[]);
    assert_eq!(ran.code, 2);
    let error = &ran.json()["errors"][0];
    assert_eq!((&error["file"], &error["line"]), (&json!("<stdin>"), &json!(1)));
    let ran = lamp(&["-q", "E<> Lamp.of"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("did you mean `off`?"), "{}", ran.err);
    assert_eq!(lamp(&["-q", "sup: cost", "--json"]).error_codes(), ["unsupported"]);
}

#[test]
fn leaving_a_range_is_an_error_with_its_edge_and_trace() {
    let model = LAMP.replace("guard n < 2;", "");
    let ran = takt_with(&["check", "-", "-q", "A[] n <= 2", "--json"], &model, &[]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["out-of-range".to_owned()]));
    let error = &ran.json()["errors"][0];
    assert_eq!((&error["line"], &error["file"]), (&json!(7), &json!("<stdin>")));
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("User.idle -> User.idle, Lamp.off -> Lamp.on"), "{message}");
    assert_eq!(error["trace"].as_array().unwrap().len(), 5, "{error}");
}

/// Also where the text alone shows it: what no run gets to is no error.
#[test]
fn a_plainly_wrong_index_counts_only_if_a_run_gets_there() {
    let model = |guard: &str| {
        format!(
            "int a[3]; process P() {{ state A, B; init A; \
             trans A -> B {{ guard {guard}; assign a[5] = 1; }}; }} system P;"
        )
    };
    let query = &["check", "-", "-q", "A[] P.A", "--json"];
    let ran = takt_with(query, &model("a[0] == 1"), &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("from 0 to 2 is possible"), "{}", ran.err);
    let ran = takt_with(query, &model("a[0] == 0"), &[]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["index-out-of-range".to_owned()]));
    let error = &ran.json()["errors"][0];
    assert!(error["message"].as_str().unwrap().contains("P.A -> P.B"), "{error}");
    assert_eq!(error["trace"].as_array().unwrap().len(), 1, "{error}");
}

/// The largest value is looked for in several ways: an error that one of them meets is told. (Where a
/// wait without end is seen before, that is the answer.)
#[test]
fn errors_met_while_measuring_are_shown_too() {
    let model = "clock x; int[0, 3] j; process P() { state A { x <= 3 }, B; init A; \
                 trans A -> B { guard x <= 2; assign j = 9; }; } system P;";
    let ran = takt_with(&["check", "-", "-q", "sup: x", "--json"], model, &[]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["out-of-range".to_owned()]), "{}", ran.err);
}

#[test]
fn limits_end_in_unknown() {
    let check = |args: &[&str]| {
        let args = [&["check", "-", "-q", "A[] a >= 0", "--json"], args].concat();
        let ran = takt_with(&args, ENDLESS, &[]);
        assert_eq!(ran.code, 3);
        let query = ran.json()["queries"][0].clone();
        assert_eq!(query["verdict"], "unknown");
        query["reason"].as_str().unwrap().to_owned()
    };
    assert!(check(&["--time", "300ms"]).contains("--time"));
    assert!(check(&["--memory", "40M"]).contains("--memory"));
}

#[test]
fn a_violation_weighs_more_than_a_limit() {
    let queries = ["-q", "A[] a == 0", "-q", "A[] a >= 0", "--time", "1s", "--json"];
    let ran = takt_with(&[&["check", "-"], &queries[..]].concat(), ENDLESS, &[]);
    assert_eq!(ran.code, 1);
    let verdict = |query: usize| ran.json()["queries"][query]["verdict"].clone();
    assert_eq!((verdict(0), verdict(1)), (json!("violated"), json!("unknown")));
    let reason = |query: usize| ran.json()["queries"][query]["reason"].is_string();
    assert_eq!((reason(0), reason(1)), (false, true));
}

#[cfg(target_os = "linux")]
#[test]
fn sigterm_ends_the_search_like_a_limit() {
    let folder = Folder::new();
    let model = folder.file("endless.xta", ENDLESS);
    let child = crate::run::start(&["check", &model, "-q", "A[] a >= 0", "--json"]);
    crate::run::wait_for_handler(child.id());
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-TERM", &id]).status();
    assert!(sent.unwrap().success());
    let ran = crate::run::end(child);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert_eq!(ran.json()["queries"][0]["reason"], "interrupted");
}

/// The search for a clock does not look at prices, but the run that it shows has some.
#[test]
fn a_negative_price_is_an_error_of_the_model() {
    let model = "clock x; int n = -2;
        process P() { state A { x <= 4 && cost' == n }, B; init A; trans A -> B { guard x >= 2; }; }
        system P;";
    for query in ["inf{P.B}: x", "inf{P.B}: cost"] {
        let args = ["check", "-", "-q", query, "--trace", "concrete", "--json"];
        let ran = takt_with(&args, model, &[]);
        assert_eq!((ran.code, ran.error_codes()), (2, vec!["negative-price".to_owned()]));
    }
}

/// Ten coins to the goal; `remaining` promises `claim`.
fn promise(claim: i32) -> String {
    format!(
        "meta int remaining = {claim};\nprocess P() {{ state a, b, c; init a; trans \
         a -> b {{ assign cost += 4, remaining = 6; }}, b -> c {{ assign cost += 6, remaining = 0; }}; \
         }}\np = P(); system p;"
    )
}

#[test]
fn a_promise_of_the_model_is_named_in_the_answer() {
    let ask = |query| takt_with(&["check", "-", "-q", query, "--json"], &promise(10), &[]);
    let ran = ask("inf{p.c}: cost");
    let answer = &ran.json()["queries"][0];
    assert_eq!(ran.code, 0);
    assert_eq!((&answer["value"], &answer["assumes"]), (&json!(10), &json!(["remaining"])));
    assert!(ask("E<> p.c").json()["queries"][0].get("assumes").is_none());
}

#[test]
fn a_broken_promise_is_an_error_of_the_model() {
    let ran = takt_with(&["check", "-", "-q", "inf{p.c}: cost", "--json"], &promise(11), &[]);
    let error = &ran.json()["errors"][0];
    assert_eq!((ran.code, &error["code"]), (2, &json!("remaining-too-large")));
    assert_eq!(error["line"], 1);
}

#[test]
fn a_concrete_trace_shows_what_it_costs() {
    let folder = Folder::new();
    let model = folder.file(
        "priced.xta",
        "process P() { clock x; state a { x <= 5 && cost' == 2 }, b; init a;
         trans a -> b { guard x >= 3; assign cost += 10; }; } system P;",
    );
    let ran = takt(&["check", &model, "-q", "inf{P.b}: cost", "--trace", "concrete"]);
    let told = "  time  cost  move\n     3    16  P.a -> P.b\n";
    assert!(ran.out.contains(told), "{}", ran.out);
}

#[test]
fn parentheses_instead_of_braces_get_a_hint() {
    let ran = takt(&["check", "specs/automata/fischer.xta", "-q", "inf(P(1).cs): cost"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("hint: which states are meant stands in braces: `inf{p}: e`"),
        "{}",
        ran.err
    );
}
