//! The oracle on the models whose answers are known: what the query files expect is confirmed
//! without zones.

use super::graph::{Failure, Graph};
use super::region::Scale;
use super::verdict::{Oracle, Value};
use crate::expectation::{cases, compile, models, words};
use std::fs;

/// No constant of these models is larger.
const LARGEST: i64 = 20;

#[test]
fn the_oracle_confirms_the_answers_of_the_features() {
    let mut wrong = Vec::new();
    for path in [models("tests/features"), models("tests/regressions")].concat() {
        let text = fs::read_to_string(&path).unwrap();
        let cases = cases(&path.with_extension("q"));
        // Meta variables are no part of a state's identity, but they are of a region's; and the
        // oracle knows no prices.
        if text.contains("meta int") || cases.iter().any(|case| case.query.ends_with(": cost")) {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy();
        let (model, queries) = compile(&text, &cases).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let caps = vec![LARGEST; model.clocks.len()];
        let scale = Scale { caps, differences: (model.clocks.len() > 1).then_some(LARGEST) };
        let graph = match Graph::explore(&model, scale, 100_000) {
            Ok(graph) => graph,
            // The interpreter looks at all data of a guard, also behind clock tests that never hold.
            Err(Failure::Fault(_)) if name.starts_with("fault-") => continue,
            Err(_) => {
                wrong.push(format!("{name}: no graph"));
                continue;
            }
        };
        let oracle = Oracle::new(&model, graph);
        for (case, query) in cases.iter().zip(&queries) {
            let answer = oracle.answer(query).unwrap();
            let verdict = if answer.is_satisfied { "satisfied" } else { "violated" };
            let found = match answer.value {
                None => words(verdict, None),
                Some(Value::Exactly(value)) => words(verdict, Some(value)),
                // Beyond the caps the oracle cannot tell: it does not contradict.
                Some(Value::AtLeast(_)) if case.expected == "satisfied inf" => continue,
                Some(Value::AtLeast(value)) => format!("{verdict} at least {value}"),
            };
            if found != case.expected {
                wrong.push(format!("{name}: {}: {found}, not {}", case.query, case.expected));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
