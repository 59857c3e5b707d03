//! Steps that take what others took: what is read, and what is said of it.

use super::*;

fn with(first: &str, second: &str) -> String {
    format!(
        "takt: 1
resources: {{saw: {{}}, press: {{capacity: 2}}, crew: {{capacity: 3}}}}
recipes:
  r:
    steps:
      - {{name: cut, {first}}}
      - {{name: trim, {second}}}
orders: [{{id: A, recipe: r}}]
"
    )
}

/// For each alternative of the second step: what it takes, which alternative of the first it belongs to, its duration.
fn ways(first: &str, second: &str) -> Vec<(String, Vec<usize>, Exact)> {
    let text = with(first, second);
    let spec = read(&text, FileId(0)).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}")).0;
    let one = |way: &Alternative| {
        let needs = way.requirements.iter();
        let needs = needs.map(|need| format!("{} {}", need.amount.value, need.resource.value));
        let same = way.same.iter().map(|same| same.alternative).collect();
        let duration = way.duration.duration(spec.constants()).unwrap();
        (needs.collect::<Vec<_>>().join(", "), same, duration)
    };
    spec.recipes[0].steps[1].alternatives.iter().map(one).collect()
}

#[test]
fn each_way_of_the_other_step_is_one() {
    let way = |needs: &str, same: &[usize], duration: i128| {
        (needs.to_owned(), same.to_vec(), Exact::from(duration))
    };
    assert_eq!(
        ways("on: {press: 2}, duration: 1", "on: {same: cut}, duration: 2"),
        [way("2 press", &[0], 2)]
    );
    let any = "on: {any: [saw, [press, crew]]}, duration: 1";
    assert_eq!(
        ways(any, "on: [{same: cut}, crew], duration: {saw: 2, press: 3}"),
        [way("1 crew, 1 saw", &[0], 2), way("2 crew, 1 press", &[1], 3)]
    );
    assert_eq!(
        ways(any, "on: {any: [{same: cut}, {crew: 3}]}, duration: {saw: 2, press: 3, crew: 4}"),
        [way("1 saw", &[0], 2), way("1 press, 1 crew", &[1], 3), way("3 crew", &[], 4)]
    );
}

/// Whoever had a resource of that name keeps it.
#[test]
fn a_resource_may_be_called_same() {
    let text = with("on: saw, duration: 1", "on: {same: 2}, duration: 1").replace("crew", "same");
    let spec = read(&text, FileId(0)).unwrap().0;
    let way = &spec.recipes[0].steps[1].alternatives[0];
    assert_eq!((way.requirements[0].resource.value.as_str(), way.same.len()), ("same", 0));
}

#[test]
fn what_is_wrong_has_a_place() {
    let saw = "on: saw, duration: 1";
    let cases: &[(&str, &str, &[&str])] = &[
        (saw, "on: {same: cot}, duration: 1", &["unknown-name@cot"]),
        (saw, "on: {same: trim}, duration: 1", &["bad-same@trim"]),
        (saw, "on: {same: cut}, duration: 1, after: []", &["bad-same@cut"]),
        ("on: {same: trim}, duration: 1", saw, &["bad-same@trim"]),
        ("on: {same: trim}, duration: 1", "on: {same: cut}, duration: 1", &["bad-same@trim"]),
        ("duration: 1", "on: {same: cut}, duration: 1", &["bad-same@cut"]),
        (saw, "on: {same: cut, crew: 1}, duration: 1", &["bad-value@{same: cut, crew: 1}"]),
        (saw, "on: {same: [cut]}, duration: 1", &["bad-type@[cut]"]),
        (saw, "on: [{same: cut}, saw], duration: 1", &["above-capacity@saw"]),
        (
            saw,
            "on: {same: cut}, duration: {press: 1}",
            &["missing-key@{press: 1}", "unknown-name@press"],
        ),
        (saw, "on: {same: cut}, duration: 0", &["out-of-range@0"]),
        ("on: sow, duration: 1", "on: {same: cut}, duration: 1", &["unknown-name@sow"]),
    ];
    for (first, second, expected) in cases {
        assert_eq!(errors(&with(first, second)), *expected, "{first} {second}");
    }
}

#[test]
fn two_others_must_not_meet() {
    let text = with("on: saw, duration: 1", "on: saw, duration: 1");
    let third = "\n      - {name: end, on: [{same: cut}, {same: trim}], duration: 1}\norders";
    assert_eq!(errors(&text.replacen("\norders", third, 1)), ["bad-same@trim"]);
    let other = text.replace("{name: trim, on: saw", "{name: trim, on: press");
    assert!(read(&other.replacen("\norders", third, 1), FileId(0)).is_ok());
}

/// Each takes what the one before it took, and one more; some come first in the list.
#[test]
fn long_chains_end_in_bounded_time() {
    let step = |k: usize| match k {
        0 => "{name: s0, on: r0, duration: 1, after: []}".to_owned(),
        _ => format!(
            "{{name: s{k}, on: [{{same: s{}}}, r{k}], duration: 1, after: s{}}}",
            k - 1,
            k - 1
        ),
    };
    let text = |count: usize| {
        let steps: Vec<String> = (0..count).rev().map(step).collect();
        let resources: Vec<String> = (0..count).map(|k| format!("r{k}: {{}}")).collect();
        format!(
            "takt: 1\nresources: {{{}}}\nrecipes: {{r: {{steps: [{}]}}}}\norders: [{{id: A, recipe: r}}]\n",
            resources.join(", "),
            steps.join(", ")
        )
    };
    assert!(read(&text(50), FileId(0)).is_ok());
    let found = errors(&text(1500));
    assert!(found.iter().all(|one| one.starts_with("too-large")), "{:?}", found.first());
}
