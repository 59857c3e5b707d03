//! Errors inside a value are underlined at the very characters, wherever YAML lets them stand.

use super::*;

fn with(duration: &str) -> Vec<String> {
    errors(&format!(
        "takt: 1\nrecipes:\n  r:\n    steps:\n      - name: s\n        duration: {duration}\n\
         orders: [{{id: x, recipe: r}}]\n"
    ))
}

#[test]
fn plain_and_quoted() {
    assert_eq!(with("1 + wrong"), ["unknown-name@wrong"]);
    assert_eq!(with("'1 + wrong'"), ["unknown-name@wrong"]);
    assert_eq!(with("\"1 + wrong\" # a remark"), ["unknown-name@wrong"]);
    assert_eq!(with("\"1 + wröng\""), ["unknown-name@wröng"]);
}

#[test]
fn where_letters_do_not_map_all_of_it_is_underlined() {
    assert_eq!(with("\"1 \\u002B wrong\""), ["unknown-name@\"1 \\u002B wrong\""]);
    assert_eq!(with("1 +\n          wrong"), ["unknown-name@1 +\n          wrong"]);
    assert_eq!(with("|\n          1 +\n          wrong"), ["unknown-name@1 +\n          wrong"]);
    assert_eq!(with(">-\n          1 + wrong"), ["unknown-name@wrong"]);
}

#[test]
fn behind_an_alias_the_alias_is_underlined() {
    let text = "takt: 1\nname: &n 1 + wrong\nrecipes: {r: {steps: [{name: s, duration: *n}]}}\n\
                orders: [{id: x, recipe: r}]\n";
    assert_eq!(errors(text), ["unknown-name@*n"]);
}

#[test]
fn carriage_returns_and_marks_do_not_shift_places() {
    let text = "takt: 1\nrecipes: {r: {steps: [{name: ß, duration: '1 + wrong'}]}}\n\
                orders: [{id: x, recipe: r}]\n";
    assert_eq!(errors(&text.replace('\n', "\r\n")), ["unknown-name@wrong"]);
    assert_eq!(errors(&format!("\u{feff}{text}")), ["unknown-name@wrong"]);
}

#[test]
fn an_expression_is_blamed_once_for_all_orders() {
    let text = "takt: 1\nrecipes: {r: {steps: [{name: s, duration: size}]}}\n\
                orders: [{id: x, recipe: r}, {id: y, recipe: r}, {id: z, recipe: r, size: 1}]\n";
    let found = read(text, FileId(0)).unwrap_err();
    let all: Vec<_> = found.iter().collect();
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].message, "the order `x` has no size");
    assert_eq!(all[0].related[0].message, "for the order `x`");
}
