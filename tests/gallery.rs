//! Every model that comes with expected answers: the gallery in `specs/automata`, and one small
//! model per feature of the language in `tests/features`, whose answers change if the feature
//! is ignored, and one model per fault that the engine once had, with its story, in
//! `tests/regressions`.

mod expectation;

use expectation::{Case, cases, compile, models, words};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use takt::engine::{Abstraction, Answer, Control, Options, Order, Progress, Stop, Verdict, check};
use takt::interpret::replay;
use takt::trace::concretise;

struct Unlimited;

impl Control for Unlimited {
    fn poll(&self, _: &Progress) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

fn found(answer: &Answer) -> String {
    let verdict = match answer.verdict {
        Verdict::Satisfied => "satisfied",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    };
    words(verdict, answer.value)
}

/// Answers all queries together and says which answers are not the expected ones.
fn wrong_answers(text: &str, cases: &[Case], options: &Options) -> Vec<String> {
    let (model, queries) = match compile(text, cases) {
        Ok(compiled) => compiled,
        Err(errors) => {
            return errors.iter().map(|e| format!("{} at {:?}", e.message, e.span)).collect();
        }
    };
    let answers = match check(&model, &queries, options, &Unlimited) {
        Ok(answers) => answers,
        Err(failure) => return vec![format!("{:?}", failure.fault)],
    };
    let mut wrong = Vec::new();
    for (case, answer) in cases.iter().zip(&answers) {
        if found(answer) != case.expected {
            wrong.push(format!("{}: {}, not {}", case.query, found(answer), case.expected));
        }
        if let Some(trace) = &answer.trace {
            match concretise(&model, trace).map(|run| replay(&model, &run)) {
                Some(Ok(_)) => {}
                other => wrong.push(format!("{}: no replay: {other:?}", case.query)),
            }
        }
    }
    wrong
}

fn run(folder: &str, least: usize, all_options: &[Options]) {
    let paths = models(folder);
    assert!(paths.len() >= least, "only {} models in {folder}", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        let cases = cases(&path.with_extension("q"));
        for options in all_options {
            let answers = wrong_answers(&text, &cases, options);
            wrong.extend(answers.into_iter().map(|line| format!("{name} {options:?}: {line}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every order with every abstraction that ends.
fn all_options() -> Vec<Options> {
    let abstractions = [None, Some(Abstraction::K), Some(Abstraction::Lu)];
    let pairs = Order::ALL.into_iter().flat_map(|order| abstractions.map(|a| (order, a)));
    pairs.map(|(order, abstraction)| Options { order: Some(order), abstraction, seed: 7 }).collect()
}

#[test]
fn the_gallery_answers_as_its_query_files_say() {
    run("specs/automata", 9, &[Options::default()]);
}

#[test]
fn every_feature_of_the_language_counts() {
    run("tests/features", 39, &all_options());
}

#[test]
fn old_faults_stay_mended() {
    run("tests/regressions", 8, &all_options());
}

/// The parameter values of section 7.4.2 of Hendriks' thesis.
#[test]
fn the_timeout_task_is_right_for_all_listed_parameters() {
    let short = (0..=5).flat_map(|d| [(1, 1, d), (1, 2, d)]);
    let long = [5, 9, 10, 11, 15, 20, 50].map(|d| (9, 10, d));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/automata");
    let text = fs::read_to_string(root.join("timeout.xta")).unwrap();
    let mut properties = cases(&root.join("timeout.q"));
    properties.truncate(2);
    for (c1, c2, d) in short.chain(long) {
        let instance = text
            .replace("const int c1 = 1;", &format!("const int c1 = {c1};"))
            .replace("const int c2 = 2;", &format!("const int c2 = {c2};"))
            .replace("const int d = 2;", &format!("const int d = {d};"));
        let wrong = wrong_answers(&instance, &properties, &Options::default());
        assert!(wrong.is_empty(), "c1 = {c1}, c2 = {c2}, d = {d}: {wrong:?}");
    }
}
