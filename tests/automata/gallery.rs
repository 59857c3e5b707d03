//! Every model that comes with expected answers: the gallery in `specs/automata`, and one small
//! model per feature of the language in `tests/features`, whose answers change if the feature
//! is ignored, and one model per fault that the engine once had, with its story, in
//! `tests/regressions`.

use crate::enumeration::{Graph, Job, Plane, job_shop, landings};
use crate::expectation::{Case, cases, compile, models, words};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use takt_automata::engine::{
    Abstraction, Answer, Approximation, Control, Options, Order, Progress, Stop, Verdict, check,
};
use takt_automata::interpret::replay;
use takt_automata::trace::concretise;
use takt_testing::{Random, airland};

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
    pairs
        .map(|(order, abstraction)| Options {
            order: Some(order),
            abstraction,
            seed: 7,
            ..Options::default()
        })
        .collect()
}

#[test]
fn the_gallery_answers_as_its_query_files_say() {
    run("specs/automata", 9, &[Options::default()]);
    run("specs/automata/priced", 6, &[Options::default()]);
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
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("specs/automata");
    let text = fs::read_to_string(root.join("timeout.xta")).unwrap();
    let mut properties = cases(&root.join("timeout.q"));
    properties.truncate(2);
    for (c1, c2, d) in short.chain(long) {
        let instance = with(&text, &[("c1 = 1", c1), ("c2 = 2", c2), ("d = 2", d)]);
        let wrong = wrong_answers(&instance, &properties, &Options::default());
        assert!(wrong.is_empty(), "c1 = {c1}, c2 = {c2}, d = {d}: {wrong:?}");
    }
}

/// The text with other values of constants, each found by its name and old value.
fn with(text: &str, constants: &[(&str, i64)]) -> String {
    constants.iter().fold(text.to_owned(), |text, (constant, value)| {
        let old = format!("const int {constant};");
        assert!(text.contains(&old), "{old}");
        let name = constant.split(' ').next().unwrap_or_default();
        text.replace(&old, &format!("const int {name} = {value};"))
    })
}

/// Properties 7.3 to 7.7 for the smaller instances of section 7.5.2; `scripts/reductions.sh
/// agreement` has them all.
#[test]
fn agreement_is_reached_for_small_parameters() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("specs/automata");
    let text = fs::read_to_string(root.join("agreement.xta")).unwrap();
    let mut properties = cases(&root.join("agreement.q"));
    properties.truncate(5);
    let exact = [(0, 1, 1, 0), (0, 1, 2, 0), (0, 9, 10, 5), (1, 9, 10, 5)];
    for (f, c1, c2, d) in exact {
        let constants = [("f = 1", f), ("c1 = 1", c1), ("c2 = 1", c2), ("d = 0", d)];
        let wrong = wrong_answers(&with(&text, &constants), &properties, &Options::default());
        assert!(wrong.is_empty(), "f = {f}, c1 = {c1}, c2 = {c2}, d = {d}: {wrong:?}");
    }
    let hull = Options { approximation: Approximation::Hull, ..Options::default() };
    let instance = with(&text, &[("f = 1", 0), ("d = 0", 1)]);
    assert_eq!(wrong_answers(&instance, &properties[..4], &hull), Vec::<String>::new());
}

const PRICED: &str =
    concat!(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."), "/specs/automata/priced");

/// The answer that a query file gives to a query.
fn answer(model: &str, query: &str) -> String {
    let cases = cases(&Path::new(PRICED).join(model).with_extension("q"));
    let case = cases.into_iter().find(|case| case.query == query);
    case.unwrap_or_else(|| panic!("{model} is not asked for {query}")).expected
}

/// The optima of Beasley et al. (2000) on one, two and three runways.
#[test]
fn aircraft_land_at_the_published_cost() {
    let published =
        [("airland1", [700, 90, 0]), ("airland2", [1480, 210, 0]), ("airland3", [820, 60, 0])];
    for (file, costs) in published {
        let data = fs::read_to_string(format!("{PRICED}/airland/{file}.txt")).unwrap();
        for (runways, cost) in (1..).zip(costs) {
            let case = Case {
                query: "inf{forall (i : plane_t) Plane(i).done}: cost".into(),
                expected: format!("satisfied {cost}"),
            };
            let text = airland::model(file, &data, runways).unwrap();
            let wrong = wrong_answers(&text, &[case], &Options::default());
            assert!(wrong.is_empty(), "{file} on {runways} runways: {wrong:?}");
        }
    }
}

/// The rules of the model leave out landings, but no optimum.
#[test]
fn aircraft_land_at_the_same_cost_without_rules() {
    for (file, runways, cost) in [("airland1", 1, 700), ("airland1", 2, 90), ("airland2", 1, 1480)]
    {
        let data = fs::read_to_string(format!("{PRICED}/airland/{file}.txt")).unwrap();
        let text = airland::model(file, &data, runways).unwrap();
        let text = text.replace("const bool RULES = true;", "const bool RULES = false;");
        assert!(text.contains("RULES = false"));
        let query = "inf{forall (i : plane_t) Plane(i).done}: cost".into();
        let case = Case { query, expected: format!("satisfied {cost}") };
        let wrong = wrong_answers(&text, &[case], &Options::default());
        assert!(wrong.is_empty(), "{file} on {runways} runways: {wrong:?}");
    }
}

/// A day with planes of two sizes; those of one size keep the same distances. Close windows, so
/// that some days have no landings at all.
fn day(seed: u64) -> (Vec<Plane>, Vec<Vec<i64>>, usize) {
    let mut random = Random::new(seed);
    let (small, large) = (random.within(1, 3), random.within(1, 3));
    let gap = [[small, small], [random.within(large, small + large), large]];
    let count = 4 + random.below(2);
    let is_large: Vec<usize> = (0..count).map(|_| random.below(2)).collect();
    let mut plane = || {
        let earliest = random.within(0, 4);
        let target = earliest + random.within(0, 2);
        let latest = target + random.within(0, 3);
        let early = if random.percent(5) { 0 } else { random.within(1, 3) };
        Plane { earliest, target, latest, rates: [early, random.within(1, 3)] }
    };
    let planes = (0..count).map(|_| plane()).collect();
    let row = |&i: &usize| is_large.iter().map(|&j| gap[i][j]).collect();
    let separation = is_large.iter().map(row).collect();
    (planes, separation, 1 + random.below(2))
}

/// The model, with its rules and without, against all landings at whole times.
#[test]
fn random_days_cost_what_all_landings_say() {
    let (mut ruled, mut possible) = (0, 0);
    for seed in 0..100 {
        let (planes, separation, runways) = day(seed);
        let mut data = format!("{} 0", planes.len());
        for (plane, row) in planes.iter().zip(&separation) {
            let Plane { earliest, target, latest, rates: [early, late] } = plane;
            data += &format!("\n0 {earliest} {target} {latest} {early}.00 {late}.00\n{row:?}");
        }
        let data = data.replace(['[', ']', ','], " ");
        let Ok(text) = airland::model("a day", &data, runways) else { continue };
        let cost = landings(&planes, &separation, runways);
        ruled += usize::from(text.contains("RULES = true"));
        possible += usize::from(cost.is_some());
        let without = text.replace("const bool RULES = true;", "const bool RULES = false;");
        for text in [text, without] {
            let case = Case {
                query: "inf{forall (i : plane_t) Plane(i).done}: cost".into(),
                expected: cost.map_or("violated".into(), |cost| format!("satisfied {cost}")),
            };
            let wrong = wrong_answers(&text, &[case], &Options::default());
            assert!(wrong.is_empty(), "seed {seed}: {wrong:?}\n{text}");
        }
    }
    assert!(ruled > 30 && (30..90).contains(&possible), "{ruled} with rules, {possible} possible");
}

#[test]
fn the_generator_writes_the_model_of_the_gallery_and_knows_its_limits() {
    let data = fs::read_to_string(format!("{PRICED}/airland/airland1.txt")).unwrap();
    let model = airland::model("airland1", &data, 1).unwrap();
    assert_eq!(model, fs::read_to_string(format!("{PRICED}/airland1.xta")).unwrap());
    // Three planes, the middle one small enough to follow anyone at once.
    let small = "3 0  0 1 2 3 1.00 1.00 0 1 9  0 1 2 3 1.00 1.00 1 0 1  0 1 2 3 1.00 1.00 9 1 0";
    let message = airland::model("small", small, 1).unwrap_err();
    assert!(message.contains("triangle"), "{message}");
    assert!(airland::model("airland1", &data[..100], 1).is_err());
    assert!(airland::model("airland1", &data.replace("10.00", "10.50"), 1).is_err());
}

/// The processors and the graph of `energy.xta`.
#[test]
fn the_energy_of_the_task_graph_is_that_of_all_schedules() {
    let graph = Graph {
        needs: vec![vec![], vec![], vec![0], vec![0, 1], vec![2], vec![3, 4]],
        durations: vec![vec![2, 3, 3, 2, 3, 2], vec![5, 7, 7, 5, 7, 5]],
        busy_power: vec![90, 30],
        idle_power: vec![10, 20],
    };
    let schedules = graph.schedules();
    let within = |deadline| {
        let kept = schedules.iter().filter(|&&(length, _)| length <= deadline);
        format!("satisfied {}", kept.map(|&(_, energy)| energy).min().unwrap())
    };
    let goal = "forall (i : task_t) Task(i).done";
    assert_eq!(answer("energy", &format!("inf{{{goal}}}: cost")), within(i64::MAX));
    let shortest = format!("satisfied {}", schedules[0].0);
    assert_eq!(answer("energy", &format!("inf{{{goal}}}: now")), shortest);
    for deadline in [12, 13, 14, 16, 17] {
        let query = format!("inf{{({goal}) && now <= {deadline}}}: cost");
        assert_eq!(answer("energy", &query), within(deadline), "{query}");
    }
}

/// The jobs and weights of `jobshop3.xta` and `jobshop4.xta`.
#[test]
fn the_optima_of_the_job_shops_are_those_of_all_schedules() {
    let three: [Job; 3] =
        [vec![(0, 3), (1, 2), (2, 2)], vec![(0, 2), (2, 1), (1, 4)], vec![(1, 4), (2, 3), (0, 1)]];
    let four: [Job; 4] = [
        vec![(0, 4), (1, 3), (2, 5), (3, 2)],
        vec![(1, 2), (0, 6), (3, 3), (2, 4)],
        vec![(2, 3), (3, 4), (1, 2), (0, 5)],
        vec![(3, 5), (2, 2), (0, 3), (1, 4)],
    ];
    for (model, jobs, weights) in
        [("jobshop3", &three[..], &[1, 2, 3][..]), ("jobshop4", &four, &[2, 1, 1, 1])]
    {
        let makespan = job_shop(jobs, &|ends| ends.iter().copied().max().unwrap_or(0));
        let weighted = job_shop(jobs, &|ends| ends.iter().zip(weights).map(|(e, w)| e * w).sum());
        for (value, optimum) in [("now", makespan), ("cost", weighted)] {
            let query = format!("inf{{forall (j : job_t) Job(j).done}}: {value}");
            assert_eq!(answer(model, &query), format!("satisfied {optimum}"), "{model}: {value}");
        }
    }
    let in_eleven = |ends: &[i64]| match ends.iter().any(|&end| end > 11) {
        true => i64::MAX,
        false => ends.iter().zip([1, 2, 3]).map(|(end, weight)| end * weight).sum(),
    };
    let query = "inf{(forall (j : job_t) Job(j).done) && now <= 11}: cost";
    let optimum = format!("satisfied {}", job_shop(&three, &in_eleven));
    assert_eq!(answer("jobshop3", query), optimum);
}
