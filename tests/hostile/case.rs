//! One case: files in a folder of their own, and a call of the program.

use crate::corpus::Corpus;
use crate::{text, tree};
use takt_testing::Random;

pub struct Case {
    pub kind: &'static str,
    pub files: Vec<(String, String)>,
    /// Arguments; files are named relative to the folder.
    pub args: Vec<String>,
    /// Whether a schedule may be written to `out`, by the spec of this name.
    pub spec: Option<String>,
}

/// An order table with its spec, and a schedule of it that is valid.
const PLANT: &str = "takt: 1
name: plant
time: {unit: minute, start: 2026-01-05T06:00}
calendars: {day: {weekly: {Mon-Fri: [\"06:00-14:00\"]}, closed: [2026-01-06]}}
resources:
  saw: {calendar: day}
  press: {units: [P1, P2], setup: {time: 10m, cost: 2}}
recipes:
  shelf:
    steps:
      - {name: cut, on: saw, duration: 30m + size * 1}
      - {name: form, on: press, duration: 20, after: {cut: {max: 4h}}}
orders: [{file: orders.csv}]
objective: cost
";
const TABLE: &str = "id,recipe,due,size,delay-cost,family,colour\nA,shelf,2026-01-05T08:00,5,1,red,\
                     x\nB,shelf,1d,10,0.5,blue,\"y, z\"\nC,shelf,,0,,red,\n";
const SCHEDULE: &str = "kind,order,step,resource,unit,start,end\nstep,A,cut,saw,1,0,35\n\
                        step,A,form,press,P1,35,55\nstep,B,cut,saw,1,35,75\nstep,B,form,press,P2,75,95\n\
                        step,C,cut,saw,1,75,105\nstep,C,form,press,P1,105,125\n";

pub fn draw(r: &mut Random, corpus: &Corpus) -> Case {
    let mut case = match r.below(20) {
        0..=6 => spec(r, corpus),
        7..=12 => model(r, corpus),
        13 | 14 => table(r),
        15 | 16 => schedule(r),
        17 | 18 => templates(r, corpus),
        _ => import(r, corpus),
    };
    case.args.push("--json".to_owned());
    case
}

fn spec(r: &mut Random, corpus: &Corpus) -> Case {
    let text = if r.percent(80) {
        tree::spec(r, corpus)
    } else {
        let other = r.pick(&corpus.specs);
        let text = r.pick(&corpus.specs);
        text::changed(r, text, other)
    };
    let mut files = vec![("spec.yaml".to_owned(), text)];
    files.extend(corpus.companions.iter().cloned());
    let command = *r.pick(&["solve", "solve", "solve", "show", "compile", "safe", "compare"]);
    Case { kind: "spec", files, args: on_spec(r, command), spec: solves(command) }
}

fn solves(command: &str) -> Option<String> {
    (command == "solve").then(|| "spec.yaml".to_owned())
}

fn on_spec(r: &mut Random, command: &str) -> Vec<String> {
    let mut args = words(&[command, "spec.yaml"]);
    match command {
        "compile" => args.extend(words(&["--format", *r.pick(&["xta", "uppaal-xml", "dot"])])),
        "compare" => args.push("spec.yaml".to_owned()),
        _ => {}
    }
    if command == "solve" && r.percent(30) {
        args.extend(words(&["--engine", *r.pick(&["auto", "zones"])]));
    }
    if command == "solve" && r.percent(20) {
        args.extend(words(&["--view", *r.pick(&["orders", "both"])]));
    }
    if ["solve", "compare", "safe"].contains(&command) {
        args.extend(words(&["--out", "out"]));
        args.extend(limits(r));
    }
    args
}

fn limits(r: &mut Random) -> Vec<String> {
    let threads = (*r.pick(&["1", "1", "2"])).to_owned();
    words(&["--time", *r.pick(&["300ms", "600ms"]), "--memory", "600M", "--threads", &threads])
}

fn model(r: &mut Random, corpus: &Corpus) -> Case {
    let model = r.pick(&corpus.models);
    let other = &r.pick(&corpus.models).text;
    let text = text::changed(r, &model.text, other);
    let extension = model.name.rsplit('.').next().unwrap_or("xta");
    let name = format!("model.{extension}");
    let mut args = words(&["check", &name]);
    let queries = r.within(i64::from(extension != "xml"), 2);
    for _ in 0..queries {
        let query = match model.queries.is_empty() {
            true => "A[] not deadlock".to_owned(),
            false => r.pick(&model.queries).clone(),
        };
        let query = if r.percent(25) { text::changed(r, &query, other) } else { query };
        args.extend([format!("--query={}", query.replace('\0', ""))]);
    }
    if r.percent(40) {
        args.extend(words(&["--order", *r.pick(&["bfs", "dfs", "random-dfs", "best"])]));
    }
    if r.percent(20) {
        args.extend(words(&["--abstraction", *r.pick(&["none", "k", "lu"])]));
    }
    if r.percent(40) {
        args.extend(words(&["--trace", *r.pick(&["symbolic", "concrete"])]));
    }
    if r.percent(10) {
        args.push("--hull".to_owned());
    }
    args.extend(limits(r));
    Case { kind: "model", files: vec![(name, text)], args, spec: None }
}

fn table(r: &mut Random) -> Case {
    let table = text::changed(r, TABLE, SCHEDULE);
    let files = vec![("spec.yaml".to_owned(), PLANT.to_owned()), ("orders.csv".to_owned(), table)];
    let command = *r.pick(&["solve", "show"]);
    Case { kind: "table", files, args: on_spec(r, command), spec: solves(command) }
}

fn schedule(r: &mut Random) -> Case {
    let schedule = text::changed(r, SCHEDULE, TABLE);
    let files = [("spec.yaml", PLANT), ("orders.csv", TABLE), ("schedule.csv", &schedule)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned())).to_vec();
    Case {
        kind: "schedule",
        files,
        args: words(&["validate", "spec.yaml", "schedule.csv"]),
        spec: None,
    }
}

fn templates(r: &mut Random, corpus: &Corpus) -> Case {
    let (name, text) = r.pick(&corpus.templates);
    let other = &r.pick(&corpus.templates).1;
    let spec = if r.percent(50) { PLANT.to_owned() } else { r.pick(&corpus.specs).clone() };
    let template = text::changed(r, text, other);
    let files = vec![
        ("spec.yaml".to_owned(), spec),
        ("orders.csv".to_owned(), TABLE.to_owned()),
        (format!("templates/{name}"), template),
    ];
    let command = *r.pick(&["solve", "compile"]);
    let mut args = on_spec(r, command);
    args.extend(words(&["--templates", "templates"]));
    // With other automata a schedule may be refused by them or by the validator: no promise.
    Case { kind: "templates", files, args, spec: None }
}

fn import(r: &mut Random, corpus: &Corpus) -> Case {
    let (format, text) = r.pick(&corpus.imports);
    let other = &r.pick(&corpus.imports).1;
    let text = text::changed(r, text, other);
    let mut args = words(&["import", "input", "--from", format]);
    if *format == "stg" {
        args.extend(words(&["--processors", *r.pick(&["1", "3"])]));
    }
    Case { kind: "import", files: vec![("input".to_owned(), text)], args, spec: None }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
