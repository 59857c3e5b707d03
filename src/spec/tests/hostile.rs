//! Text that is no spec, and specs meant to do harm: an error, soon.

use super::*;

#[test]
fn hostile_text_ends_in_an_error() {
    let mut bomb = String::from("takt: 1\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for i in 1..40 {
        let last = i - 1;
        let refs = vec![format!("*a{last}"); 9].join(", ");
        bomb.push_str(&format!("a{i}: &a{i} [{refs}]\n"));
    }
    let deep = "[".repeat(50_000);
    let deep_block: String = (0..2000).map(|i| format!("{}a:\n", " ".repeat(i))).collect();
    let empty = "";
    let list = "- 1\n- 2\n";
    let keys = "? [1, 2]\n: 3\n";
    let binary = "\u{0}\u{1}";
    let cycle = "takt: 1\nrecipes: &r {x: *r}\norders: []\n";
    for text in [&bomb, &deep, &deep_block, empty, list, keys, binary, cycle] {
        assert!(read(text, FileId(0)).is_err());
    }
}

#[test]
fn a_large_file_is_read() {
    let mut text = GOOD.to_owned();
    while text.len() < 5_000_000 {
        text.push_str(&format!("  - {{id: order-{}, recipe: box}}\n", text.len()));
    }
    let (spec, _) = read(&text, FileId(0)).unwrap();
    assert!(spec.orders.len() > 100_000);
}

fn plan(steps: &str) -> String {
    format!(
        "takt: 1\nresources: {{a: {{}}, b: {{}}}}\nrecipes: {{r: {{steps: [{steps}]}}}}\norders: [{{id: x, recipe: r}}]\n"
    )
}

#[test]
fn numbers_beyond_all_bounds_are_told_one_by_one() {
    let durations = [".nan", ".inf", "1e400", "99999999999999999999999999", "1000000001", "0x1g"];
    let steps = durations.iter().enumerate().map(|(i, d)| format!("{{name: s{i}, duration: {d}}}"));
    let text = plan(&steps.collect::<Vec<_>>().join(", "));
    assert_eq!(
        errors(&text),
        [
            "bad-value@.nan",
            "bad-value@.inf",
            "bad-value@1e400",
            "bad-value@99999999999999999999999999",
            "out-of-range@1000000001",
            "bad-value@0x1g",
        ]
    );
}

#[test]
fn long_expressions_are_refused_and_deep_ones_computed() {
    let sum = format!("\"{}1\"", "1+".repeat(500_000));
    assert_eq!(
        errors(&plan(&format!("{{name: s, duration: {sum}}}"))),
        [format!("too-large@{sum}")]
    );
    let deep = format!("{}1{}", "(".repeat(190), ")".repeat(190));
    let signs = format!("{}1", "-".repeat(398));
    let text = plan(&format!("{{name: s, duration: {deep}}}, {{name: t, duration: \"{signs}\"}}"));
    assert!(read(&text, FileId(0)).is_ok());
}

#[test]
fn choices_that_multiply_are_bounded() {
    let choices = ["{any: [a, b]}"; 10].join(", ");
    let text = plan(&format!("{{name: s, duration: 1, on: [{choices}]}}"));
    assert_eq!(errors(&text), [format!("too-large@[{choices}]")]);
    let nested = format!("{}a{}", "{any: [".repeat(15), "]}".repeat(15));
    assert!(read(&plan(&format!("{{name: s, duration: 1, on: {nested}}}")), FileId(0)).is_ok());
}

#[test]
fn copies_are_bounded() {
    let text = GOOD.replace("id: A,", "id: A, count: 100000000,");
    assert_eq!(errors(&text), ["out-of-range@100000000"]);
    let attributes: Vec<_> = (0..2000).map(|i| format!("k{i}: {i}")).collect();
    let many = format!("id: A, count: 150000, attributes: {{{}}},", attributes.join(", "));
    assert_eq!(errors(&GOOD.replace("id: A,", &many)), ["too-large@150000"]);
}

#[test]
fn a_chain_of_many_steps_and_a_cycle_of_many_steps() {
    let step = |i: usize| format!("{{name: s{i}, duration: 1}}");
    let steps: Vec<_> = (1..30_000).map(step).collect();
    let first = "{name: s0, duration: 1}";
    assert!(read(&plan(&format!("{first}, {}", steps.join(", "))), FileId(0)).is_ok());
    let first = "{name: s0, duration: 1, after: s29999}";
    let text = plan(&format!("{first}, {}", steps.join(", ")));
    let found = read(&text, FileId(0)).unwrap_err();
    let cycle = found.iter().next().unwrap();
    assert!(cycle.message.starts_with("steps wait for each other: s0 -> s1 -> "));
    assert!(cycle.message.len() < 200);
    assert_eq!(errors(&text), ["cycle@s29999"]);
}

#[test]
fn merge_keys_tags_and_tabs_are_told() {
    let merge = plan("{<<: {duration: 1}, name: s, duration: 2}");
    assert_eq!(errors(&merge), ["unknown-key@<<"]);
    assert_eq!(read("takt: 1\n\torders: []\n", FileId(0)).unwrap_err().iter().count(), 1);
    let tagged = plan("{name: s, duration: !!int \"3\"}");
    assert!(read(&tagged, FileId(0)).is_ok());
}

#[test]
fn nothing_but_comments_is_empty() {
    assert_eq!(errors("# nothing\n# at all\n"), ["empty"]);
    assert_eq!(errors("\u{feff}"), ["empty"]);
    assert_eq!(errors("hello\n"), ["bad-type@hello"]);
}
