//! `takt compile` from outside.

use crate::run::{Folder, root, takt};

#[test]
fn the_model_goes_where_asked() {
    let folder = Folder::new();
    let printed = takt(&["compile", "specs/ft06.yaml"]);
    assert_eq!(printed.code, 0);
    assert!(
        printed.out.contains("clock now;") && printed.out.contains("system "),
        "{}",
        printed.err
    );
    assert_eq!(takt(&["compile", "specs/ft06.yaml", "--out", "-"]).out, printed.out);
    assert_eq!(takt(&["compile", "specs/ft06.yaml", "--json"]).json()["text"], printed.out);
    let path = folder.path("model.xta").display().to_string();
    let ran = takt(&["compile", "specs/ft06.yaml", "--out", &path]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), printed.out);
}

#[test]
fn a_picture_has_one_cluster_per_recipe() {
    let ran = takt(&["compile", "specs/ft06.yaml", "--format", "dot"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("digraph network {") && ran.out.ends_with("}\n"), "{}", ran.out);
    assert_eq!(ran.out.matches("subgraph cluster_").count(), 6, "{}", ran.out);
    assert!(ran.out.contains("[x >= 1]\\ltake[2]?\\l"), "{}", ran.out);
}

#[test]
#[cfg(unix)]
fn a_pipe_is_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    let ran = takt(&["compile", "specs/ft06.yaml", "--out", &pipe.display().to_string()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert!(reader.join().unwrap().contains("clock now;"));
}

#[test]
fn unusable_output_is_an_error() {
    let folder = Folder::new();
    let itself = folder.path(".").display().to_string();
    let ran = takt(&["compile", "specs/ft06.yaml", "--out", &itself, "--json"]);
    assert_eq!((ran.code, ran.error_codes()), (2, vec!["unusable-output".to_owned()]));
}

#[test]
fn errors_of_a_spec_have_their_place() {
    let folder = Folder::new();
    let text = "takt: 1\nresources: {saw: {}}\nrecipes:\n  r: {steps: [{name: cut, on: sew, duration: 4}]}\norders: []\n";
    let spec = folder.file("bad.yaml", text);
    let ran = takt(&["compile", &spec, "--json"]);
    assert_eq!(ran.code, 2);
    let error = &ran.json()["errors"][0];
    assert_eq!((&error["line"], &error["column"]), (&4.into(), &31.into()), "{error}");
    let ran = takt(&["compile", &spec]);
    assert!(ran.err.contains("did you mean `saw`?"), "{}", ran.err);
}

#[test]
fn templates_can_be_replaced() {
    let folder = Folder::new();
    let own = std::fs::read_to_string(root().join("templates/plant.xta")).unwrap();
    folder.file("plant.xta", format!("const int mine = 7;\n{own}"));
    let here = folder.path(".").display().to_string();
    let ran = takt(&["compile", "specs/ft06.yaml", "--templates", &here]);
    assert!(ran.out.contains("mine"), "{}", ran.err);
    folder.file("plant.xta", "clock now;\n");
    let ran = takt(&["compile", "specs/ft06.yaml", "--templates", &here, "--json"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.json()["errors"][0]["code"], "bad-template");
    let missing = folder.path("missing").display().to_string();
    assert_eq!(takt(&["compile", "specs/ft06.yaml", "--templates", &missing]).code, 2);
}

/// A model that `check` refuses was written all the same.
#[test]
fn templates_that_make_no_model_are_refused() {
    let folder = Folder::new();
    let own = std::fs::read_to_string(root().join("templates/plant.xta")).unwrap();
    let here = folder.path(".").display().to_string();
    for line in ["clock now;", "int none[0];", "clock x = 5;"] {
        folder.file("plant.xta", format!("{line}\n{own}"));
        let ran = takt(&["compile", "specs/bakery.yaml", "--templates", &here, "--json"]);
        assert_eq!(ran.code, 2, "{line}: {}", ran.out);
    }
}

#[test]
fn heuristics_of_layouts_are_compiled_in() {
    let spec =
        concat!(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."), "/specs/scanner/two-locks.yaml");
    let plain = takt(&["compile", spec]);
    assert!(!plain.out.contains("policy") && !plain.out.contains("hurry"), "{}", plain.out);
    let ran = takt(&["compile", spec, "--heuristics", "policy,useful,locks,greedy"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for name in ["is_unsafe", "hurry!", "look_ahead()", "filling[lock]"] {
        assert!(ran.out.contains(name), "{name}: {}", ran.out);
    }
    let folder = Folder::new();
    let network = folder.file("two-locks.xta", &ran.out);
    let checked = takt(&["check", &network, "--query", "E[] observer.L0"]);
    assert_ne!(checked.code, 2, "{}", checked.err);
}

#[test]
fn heuristics_are_not_passed_over_without_time() {
    let spec = concat!(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."), "/specs/scanner/base.yaml");
    let ran = takt(&["compile", spec, "--untimed", "--heuristics", "policy"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
}

#[test]
fn heuristics_of_a_spec_are_compiled_in() {
    let folder = Folder::new();
    let base = include_str!("../../specs/scanner/base.yaml");
    let spec = folder.file("base.yaml", format!("{base}\nheuristics: [policy]\n"));
    let ran = takt(&["compile", &spec]);
    assert!(ran.out.contains("is_unsafe"), "{}", ran.err);
}

/// The file asks what the spec asks, and its extension says what language it is in.
#[test]
fn the_question_comes_with_the_model() {
    let folder = Folder::new();
    let path = folder.path("model.xml").display().to_string();
    assert_eq!(takt(&["compile", "specs/bakery.yaml", "--out", &path]).code, 0);
    let asked = takt(&["check", &path, "--json"]).json()["queries"][0].clone();
    let out = folder.path("out").display().to_string();
    let solved = takt(&["solve", "specs/bakery.yaml", "--json", "--out", &out]).json();
    assert_eq!(asked["query"], "inf{done}: now");
    assert_eq!(asked["value"], solved["value"]);
    let machine = folder.path("base.xml").display().to_string();
    assert_eq!(takt(&["compile", "specs/scanner/base.yaml", "--out", &machine]).code, 0);
    assert!(std::fs::read_to_string(&machine).unwrap().contains("E[] (observer.L0 imply"));
}

#[test]
fn numbers_that_uppaal_cannot_hold_are_told() {
    let folder = Folder::new();
    let long = "takt: 1\nobjective: cost\nresources: {m: {}}\n\
                recipes:\n  r: {steps: [{name: s, on: m, duration: 10}]}\n\
                orders: [{id: a, recipe: r, due: 1, delay-cost: 9000000.001}]\n";
    let spec = folder.file("long.yaml", long);
    let ran = takt(&["compile", &spec, "--format", "uppaal-xml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("9000000001") && ran.err.contains("32 bits"), "{}", ran.err);
    let short = folder.file("short.yaml", long.replace("9000000.001", "9"));
    assert_eq!(takt(&["compile", &short, "--format", "uppaal-xml"]).err, "");
}

/// A global of the user's called `rank`, like a parameter that the compiler weaves in, ended in a
/// panic: what is woven in has names of its own, whatever the user calls his.
#[test]
fn names_in_templates_clash_with_nothing_that_is_woven_in() {
    let folder = Folder::new();
    let here = folder.path(".").display().to_string();
    let own = std::fs::read_to_string(root().join("templates/plant.xta")).unwrap();
    let text = "takt: 1
resources: {m: {}, n: {}}
recipes: {r: {steps: [{name: s, on: m, duration: 2}, {name: t, on: n, duration: 1, after: {s: {min: 1}}},
  {name: u, duration: 1, after: [s]}]}}
orders: [{id: A, recipe: r, count: 2, release: 1, due: 9, deadline: 90}]
heuristics: [non-overtaking, {start-within: 8}, {max-active: 1}]
";
    let others = Folder::new();
    let spec = others.file("plant.yaml", text);
    let names = ["order", "tally", "release", "deadline", "first_flag", "rank", "earliest"];
    let names = names.into_iter().chain(["Recipe_r", "order_A_1", "lag", "on_s", "finished"]);
    for name in names {
        for declaration in ["const int N = 3;", "clock N;", "typedef int[0, 3] N;", "void N() {}"] {
            let declaration = declaration.replace('N', name);
            folder.file("plant.xta", format!("{own}\n{declaration}\n"));
            let ran = takt(&["compile", &spec, "--templates", &here]);
            assert_eq!(ran.code, 0, "{declaration}\n{}", ran.err);
            let model = others.file("model.xta", &ran.out);
            let ran = takt(&["check", &model, "-q", "E<> now > 1"]);
            assert_eq!(ran.code, 0, "{declaration}\n{}", ran.err);
        }
    }
}

/// A global that another template file declares too would be there twice in the plant.
#[test]
fn a_global_of_another_template_file_is_refused_at_its_place() {
    let folder = Folder::new();
    let here = folder.path(".").display().to_string();
    let own = std::fs::read_to_string(root().join("templates/plant.xta")).unwrap();
    for (name, file) in
        [("window", "calendar.xta"), ("acting", "judge.xta"), ("Judge", "judge.xta")]
    {
        folder.file("plant.xta", format!("{own}\nint {name};\n"));
        let ran = takt(&["compile", "specs/bakery.yaml", "--templates", &here, "--json"]);
        let error = &ran.json()["errors"][0];
        assert_eq!((ran.code, &error["code"]), (2, &"duplicate-name".into()), "{}", ran.out);
        assert_eq!(error["line"], own.lines().count() + 2);
        assert!(error["message"].as_str().unwrap().contains(file), "{}", ran.out);
    }
}
