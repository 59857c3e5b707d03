//! Random expressions and durations against a naive reading of them.

use super::*;
use proptest::prelude::*;

/// An expression as text, and its value by plain 64-bit fractions of units; `None` where the
/// language has none. Numbers are small, so nothing overflows.
#[derive(Clone, Debug)]
struct Sample {
    text: String,
    /// Numerator, denominator, and whether it is a time.
    value: Option<(i128, i128, bool)>,
}

fn leaf() -> impl Strategy<Value = Sample> {
    prop_oneof![
        (0i128..50).prop_map(|n| Sample { text: n.to_string(), value: Some((n, 1, false)) }),
        (0i128..500).prop_map(|n| Sample {
            text: format!("{}.{}", n / 10, n % 10),
            value: Some((n, 10, false))
        }),
        // In minutes.
        (0i128..9, 0i128..60).prop_map(|(h, m)| Sample {
            text: format!("{h}h{m}min"),
            value: Some((60 * h + m, 1, true))
        }),
        (0i128..100).prop_map(|s| Sample { text: format!("{s}s"), value: Some((s, 60, true)) }),
        Just(Sample { text: "size".into(), value: Some((7, 1, false)) }),
        Just(Sample { text: "slow".into(), value: Some((90, 1, true)) }),
        Just(Sample { text: "missing".into(), value: None }),
    ]
}

fn expression() -> impl Strategy<Value = Sample> {
    leaf().prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone(), 0..4usize).prop_map(|(a, b, op)| join(&a, &b, op)),
            inner.prop_map(|a| Sample {
                text: format!("-({})", a.text),
                value: a.value.map(|(n, d, t)| (-n, d, t)),
            }),
        ]
    })
}

fn join(a: &Sample, b: &Sample, op: usize) -> Sample {
    let sign = ["+", "-", "*", "/"][op];
    let value = match (a.value, b.value) {
        (Some((an, ad, at)), Some((bn, bd, bt))) => match op {
            0 => Some((an * bd + bn * ad, ad * bd, at || bt)),
            1 => Some((an * bd - bn * ad, ad * bd, at || bt)),
            2 if at && bt => None,
            2 => Some((an * bn, ad * bd, at || bt)),
            _ if bn == 0 || (bt && !at) => None,
            _ => Some((an * bd * bn.signum(), ad * bn.abs(), at && !bt)),
        },
        _ => None,
    };
    Sample { text: format!("({}) {sign} ({})", a.text, b.text), value }
}

fn order() -> Order {
    let text = "takt: 1\nrecipes: {r: {steps: [{name: s, duration: size + slow}]}}\n\
                time: {unit: minute}\n\
                orders: [{id: x, recipe: r, size: 7, attributes: {slow: 1h30m}}]\n";
    read(text, FileId(0)).unwrap().0.orders.remove(0)
}

fn scalar(text: &str) -> scalar::Scalar {
    let span = Span::new(FileId(0), 0, text.len());
    scalar::Scalar { text: text.to_owned(), is_plain: true, span, verbatim: Some(0) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn expressions_have_the_value_that_a_naive_reading_gives(sample in expression()) {
        let parsed = phrase::expression(&scalar(&sample.text), "an expression").unwrap();
        let order = order();
        let value = parsed.evaluate(Scope { unit: Unit::Minute, order: Some(&order) });
        match sample.value {
            Some((n, d, is_time)) => {
                prop_assert_eq!(value, Ok(Value { amount: Exact::new(n, d), is_time }));
            }
            None => prop_assert!(value.is_err()),
        }
    }

    #[test]
    fn durations_add_up_in_all_units(parts in proptest::collection::vec(0i128..1000, 5)) {
        let names = ["w", "d", "h", "m", "s"];
        let lengths = [604_800, 86_400, 3600, 60, 1];
        let text: String = parts.iter().zip(names).map(|(n, u)| format!("{n}{u}")).collect();
        let sum: i128 = parts.iter().zip(lengths).map(|(n, l)| n * l).sum();
        prop_assert_eq!(phrase::quantity(&text), Ok(Exact::from(sum)));
    }

    #[test]
    fn no_text_is_more_than_an_error(
        text in "[-+*/() .:,T0-9a-zA-Zäß日𝄞\u{301}\u{2013}\u{feff}\u{a0}\u{0}]{0,24}"
    ) {
        let text = scalar(&text);
        let _ = phrase::expression(&text, "x");
        let _ = phrase::rate(&text, "x");
        let _ = phrase::fraction(&text, "x");
        let _ = phrase::date_time(&text, 0);
        let _ = phrase::stretch(&text, "x");
        let _ = phrase::shift(&text);
        let _ = phrase::days(&text);
        let _ = phrase::is_civil(&text.text);
        let _ = phrase::decimal(&text.text);
    }

    /// Numbers as large and as fine as can be written, in every place that takes an expression.
    #[test]
    fn no_number_overflows(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("999999999999.999999999"), Just("0.000000001"), Just("999999999999w"),
                Just("0.999999999s"), Just("size"), Just("7"), Just("86399.999999999d"),
            ],
            1..12,
        ),
        signs in proptest::collection::vec(prop_oneof![Just("*"), Just("/"), Just("+"), Just("-")], 12),
    ) {
        let mut text = parts[0].to_owned();
        for (part, sign) in parts[1..].iter().zip(&signs) {
            text = format!("{text} {sign} {part}");
        }
        for unit in ["second", "day"] {
            let spec = format!(
                "takt: 1\ntime: {{unit: {unit}}}\nresources: {{m: {{setup: {{time: {text}, cost: {text}}}, run-cost: {text} / w}}}}\n\
                 recipes: {{r: {{steps: [{{name: s, on: m, duration: {text}}}, {{name: t, duration: 1, after: {{s: {{min: {text}, max: {text}}}}}}}]}}}}\n\
                 orders: [{{id: x, recipe: r, size: 999999999999.999999999, due: {text}, delay-cost: {text}, holding-cost: {text} / s}}]\n"
            );
            let _ = read(&spec, FileId(0));
        }
    }

    /// One character of a right spec is lost or replaced: an answer, whatever it is.
    #[test]
    fn no_mutation_of_a_spec_is_more_than_an_error(at in 0..RICH.len(), with in "[ -~\n]?") {
        let mut text = RICH.to_owned();
        text.replace_range(at..at + 1, &with);
        if let Err(found) = read(&text, FileId(0)) {
            prop_assert!(found.has_errors());
            for span in found.iter().filter_map(|d| d.span) {
                prop_assert!(text.get(span.start as usize..span.end as usize).is_some());
            }
        }
    }
}
