//! What the user sees when the text is wrong: each snapshot shows a source and its errors.

use codespan_reporting::diagnostic as shown;
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term;

use super::*;

fn render(text: &str, found: &Diagnostics) -> String {
    let file = SimpleFile::new("model.xta", text);
    let config = term::Config::default();
    let mut out = format!("{text}\n-----\n");
    for d in found.iter() {
        let mut labels = Vec::new();
        if let Some(span) = d.span {
            let range = span.start as usize..span.end as usize;
            labels.push(shown::Label::primary((), range).with_message(&d.label));
        }
        for related in &d.related {
            let range = related.span.start as usize..related.span.end as usize;
            labels.push(shown::Label::secondary((), range).with_message(&related.message));
        }
        let diagnostic = shown::Diagnostic::error()
            .with_code(d.code)
            .with_message(&d.message)
            .with_labels(labels)
            .with_notes(d.hint.iter().map(|hint| format!("hint: {hint}")).collect());
        out += &term::emit_into_string(&config, &file, &diagnostic).unwrap();
    }
    out
}

fn check(name: &str, text: &str) {
    let found = parse_any(text, FILE).expect_err("the model is broken");
    insta::assert_snapshot!(name, render(text, &found));
}

fn check_query(name: &str, text: &str) {
    let found = parse_queries(text, FILE).expect_err("the query is broken");
    insta::assert_snapshot!(name, render(text, &found));
}

#[test]
fn declarations() {
    check(
        "several_declarations",
        "int x = ;\nclock c\nint y;\nbool = 3;\nchan a,;\nint z[3;\nprocess P() { state s; init s; }\nsystem P;",
    );
    check("keyword_as_name", "int state = 1;\nprocess P() { state s; init s; }\nsystem P;");
    check(
        "unknown_words",
        "double d = 1.5;\nhybrid clock h;\nprocess P() { state s; branchpoint b; init s; }\nsystem P;",
    );
    check("no_system", "int x;\nprocess P() { state s; init s; }\n// the end\n");
    check(
        "unclosed",
        "void f() {\n    int x;\n    if (x > 1) {\n        x = 2;\n}\nprocess P() { state s; init s; }\nsystem P;",
    );
    check(
        "characters",
        "int größe = 1;\nint x = 3 @ 4;\nint y = 99999999999999999999;\nint z = x ≤ y;\nprocess P() { state s; init s; }\nsystem P;",
    );
    check(
        "late_declaration",
        "void f(int a, b) { a = 1; int c; }\nprocess P() { state s; init s; }\nsystem P;",
    );
}

#[test]
fn functions() {
    check(
        "statements",
        "void f() {\n    int i;\n    i = (1 + 2;\n    if (i > ) { i = 2; }\n    while i < 3 { i++; }\n    for (i = 0; i < 3) i++;\n    return i i;\n}\nprocess P() { state s; init s; }\nsystem P;",
    );
}

#[test]
fn consequences_are_not_told() {
    check(
        "consequences",
        "void f() {\n    int i, j;\n    if ((i 2 4 && j) || (i >= 2)) { i = 1; }\n    j = ;\n}\nprocess P() { state s; init s; }\nsystem P;",
    );
}

#[test]
fn processes() {
    check(
        "edges",
        "chan a;\nprocess P() {\n    clock x;\n    state s { x < }, t, ;\n    comit t;\n    init s;\n    trans\n        s -> t { guard x >; sync a; },\n        t > s { },\n        s -> s { guard x > 1 assign x = 0; },\n        t -> t { sync a! };\n}\nsystem P;",
    );
    check(
        "sections",
        "process P() { state s, t; commit u; urgent tt; trans -> t { }; }\nprocess Q() { }\nprocess R() { state s; init s; init s; trans s -> s { guard true; guard false; }; }\nsystem P Q;",
    );
    check(
        "parameters",
        "process P(int, clock x) { state s; init s; }\nint f(x) { return 1; }\nQ = P(1, );\nR = P;\nsystem P;",
    );
}

#[test]
fn queries() {
    check_query(
        "queries",
        "E<> P.a &&\nA[] not deadlock\nP.a -> P.b\nA<>\nE<> x = (3\ninf P.x\nPr[<=5](<> P.a)\nsimulate 1 [<=1] { x }\n",
    );
}
