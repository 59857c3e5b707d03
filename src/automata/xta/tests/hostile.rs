//! Input made to break the reader: every case ends with an error at its place (or is read), in
//! little time and without a deep stack.

use super::*;
use takt_testing::Random;

fn errors(text: &str) -> Vec<Diagnostic> {
    parse(text, FILE).expect_err("the model is broken").into_iter().collect()
}

fn code_and_start(text: &str) -> (&'static str, u32) {
    let found = errors(text);
    (found[0].code, found[0].span.unwrap().start)
}

#[test]
fn deep_nesting_is_refused_where_it_gets_too_deep() {
    let deep = |open: &str, close: &str, head: &str| {
        format!("{head}{}1{};", open.repeat(50_000), close.repeat(50_000))
    };
    for (open, close, head) in [
        ("(", ")", "int x = "),
        ("a[", "]", "int x = "),
        ("f(", ")", "int x = "),
        ("{", "}", "int x[2] = "),
        ("!", "", "int x = "),
        ("-", "", "int x = "),
        ("not ", "", "int x = "),
        ("1 ? 2 : ", "", "int x = "),
        ("a = ", "", "int x = "),
        ("forall (i : int[0,1]) ", "", "int x = "),
        ("{", "}", "void f() "),
        ("if (a) ", "", "void f() { "),
        ("while (a) ", "", "void f() { "),
        ("if (a) b = 1; else ", "", "void f() { "),
        ("do ", "", "void f() { "),
        ("const ", "", "const "),
        ("1 + ", "", "int x = "),
        ("a[0]", "", "int x = a"),
        ("a.", "", "int x = "),
        ("struct { ", "", ""),
    ] {
        let text = deep(open, close, head);
        let found = errors(&text);
        let first = &found[0];
        assert_eq!(first.code, "nesting-too-deep", "{open}: {first:?}");
        let start = first.span.unwrap().start as usize;
        assert!(start > head.len() && start < head.len() + 5000 * open.len(), "{open}: {start}");
        assert_eq!(found.len(), 1, "{open}: {found:?}");
    }
}

#[test]
fn commas_do_not_build_a_tall_tree() {
    let parts = "x, ".repeat(500_000);
    let text = format!("process P() {{ state s {{ {parts} x }}; init s; }} system P;");
    assert_eq!(errors(&text)[0].code, "nesting-too-deep");
    assert_eq!(errors(&text).len(), 1);
}

#[test]
fn long_chains_are_read_and_printed() {
    let chain = vec!["x"; 4000].join(" && ");
    let e = expr(&chain);
    assert_eq!(print_expr(&e), chain);
    assert_eq!(e.clone(), e);
    // Separate expressions do not add up.
    let list = vec!["x + 1"; 20_000].join(", ");
    model(&format!("int a[20000] = {{{list}}}; process P() {{ state s; init s; }} system P;"));
    let choice = "if (a + 1 > 2) b = b + 1; else ".repeat(900);
    model(&format!("void f() {{ {choice} b = 2; }} process P() {{ state s; init s; }} system P;"));
    let ifs = "if (a) { b = 1; } ".repeat(5000);
    model(&format!("void f() {{ {ifs} }} process P() {{ state s; init s; }} system P;"));
}

#[test]
fn garbage_is_refused_quickly() {
    for unit in
        ["@", "é", "\0", "int ", "; ", "} ", "process ", "process P() { state ", "( ) ", "a -> b {"]
    {
        let text = unit.repeat(1_000_000 / unit.len());
        assert!(!errors(&text).is_empty(), "{unit}");
        assert!(errors(&text).len() <= 200);
    }
}

/// The lexer must not recurse along a token.
#[test]
fn long_tokens_are_read() {
    for (head, unit, tail) in [
        ("int ", "a", ";"),
        ("//", "x", ""),
        ("/*", "x", "*/"),
        ("", " ", ""),
        ("int x = ", "9", ";"),
        ("", "\n", ""),
    ] {
        let text = format!("{head}{}{tail}", unit.repeat(2_000_000));
        assert_eq!(errors(&text).len(), 1, "{head}");
    }
}

#[test]
fn text_that_is_no_token() {
    assert_eq!(code_and_start(""), ("empty-model", 0));
    assert_eq!(code_and_start("// only\n /* comments */ "), ("empty-model", 0));
    assert_eq!(code_and_start("int x; /* never closed"), ("unterminated-comment", 7));
    assert_eq!(code_and_start("int x = 99999999999999999999;"), ("number-too-large", 8));
    assert_eq!(code_and_start("int größe;"), ("malformed-name", 4));
    assert_eq!(code_and_start("int 3x;"), ("malformed-name", 4));
    assert_eq!(code_and_start("int x\0;"), ("unknown-character", 5));
    assert!(parse_queries("A[] x /* \n", FILE).is_err());
}

/// Letters beyond ASCII after a digit once cut a word in the middle of a letter. Words of the language,
/// letters of one to four bytes, signs, NUL and byte order marks in any sequence: an answer whose
/// places are places of the text.
#[test]
fn no_mixture_of_words_and_letters_is_more_than_an_error() {
    const PIECES: &[&str] = &[
        "int",
        "[0, 1",
        "é",
        "1",
        "0x",
        "x",
        ";",
        " ",
        "\n",
        "ß9",
        "日",
        "𝄞",
        "\u{feff}",
        "\0",
        "//",
        "/*",
        "*/",
        "process P() {",
        "}",
        "state a",
        ", b",
        "init a;",
        "trans a -> b {",
        "guard x >= 1é",
        "system P;",
        "‑",
        "≤",
        "\u{a0}",
        "\u{301}",
        "é1",
        "_é",
        "double",
        "E<>",
        "sup{",
        "}: é",
        "clock",
        "\"",
        "\\",
        "&lt;",
        "<nta>",
        "<declaration>",
        "</declaration>",
        "</nta>",
        "<é:nta xmlns:é='e'>",
        "<![CDATA[",
        "]]>",
        "A[] x",
        "select é : int[1,1];",
        "priority",
        "'",
        "typedef",
        "scalar[é]",
        "1.5é",
        "99999999999999999999é",
    ];
    let mut random = Random::new(1);
    let mut below = |limit: usize| random.below(limit);
    for _ in 0..20_000 {
        let text: String = (0..1 + below(12)).map(|_| PIECES[below(PIECES.len())]).collect();
        let found = [
            parse(&text, FILE).err(),
            parse_any(&text, FILE).err(),
            parse_xml(&text, FILE).err(),
            parse_expr(&text, FILE).err(),
            parse_query(&text, FILE).err(),
            parse_queries(&text, FILE).err(),
        ];
        for d in found.iter().flatten().flat_map(|found| found.iter()) {
            let related = d.related.iter().map(|related| related.span);
            for span in d.span.into_iter().chain(related) {
                let part = text.get(span.start as usize..span.end as usize);
                assert!(part.is_some(), "{} at {}..{} of {text:?}", d.code, span.start, span.end);
            }
        }
    }
}
