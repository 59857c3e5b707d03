//! Random networks in which a process goes round a fast cycle beside slow ones, with queries; or
//! several processes of a scalar set, each on its own round.

use takt_testing::Random;

/// How the parts of a network are spelled.
struct Style {
    /// The ring comes once for each element of a scalar set.
    is_scalar: bool,
    /// Between these lie the times of the slow process.
    slow: (i64, i64),
}

/// A ring of locations on one clock, now and then with a condition, or a way out.
fn ring(r: &mut Random, style: &Style) -> String {
    let count = r.within(1, 3).min(r.within(1, 3));
    let mut locations = Vec::new();
    let mut edges = Vec::new();
    for k in 0..count {
        let most = r.within(1, 2);
        let strict = if r.percent(5) { "<" } else { "<=" };
        let invariant =
            if r.percent(90) { format!(" {{ y {strict} {most} }}") } else { String::new() };
        locations.push(format!("c{k}{invariant}"));
        let next = (k + 1) % count;
        let mut guard = Vec::new();
        if r.percent(80) {
            let op = r.pick(&[">=", ">=", ">=", ">=", ">=", "==", ">"]);
            guard.push(format!("y {op} {}", r.within(0, most).min(r.within(0, most))));
        }
        if r.percent(25) {
            let tests: &[&str] = match style.is_scalar {
                false => &["n == 0", "n < two", "f == 1", "n + f > zero", "z > 3", "z > down"],
                true => &["n == 0", "f == 1", "p == id", "(exists (i : S) h[i] == 1)", "h[p] == 0"],
            };
            guard.push((*r.pick(tests)).into());
        }
        let mut update = Vec::new();
        if r.percent(70) || k == count - 1 {
            update.push("y = 0".to_owned());
        }
        if r.percent(8) {
            let some = ["n = (n + 1) % 3", "f = 1", "z = 0", "n = two", "f = -down", "z = zero"];
            update.push((*r.pick(&some)).into());
        }
        let sync = if r.percent(6) { "sync go?; " } else { "" };
        edges.push(edge(&format!("c{k}"), &format!("c{next}"), &guard, sync, &update));
    }
    locations.push("out".into());
    let from = r.below(count as usize);
    let late = r.within(style.slow.0, style.slow.1);
    let guard = match r.below(5) {
        0 => format!("z > {late}"),
        1 => format!("z >= {late} && z <= {}", late + r.within(0, 15)),
        2 => "n == 2".into(),
        3 => format!("z > {} && n == 1", late - 2),
        _ => format!("y >= 1 && z > {}", late - 1),
    };
    let sync = *r.pick(&["", "", "sync go?; ", "sync go!; ", "sync all?; "]);
    let note = match style.is_scalar && r.percent(60) {
        true => vec![(*r.pick(&["p = id", "h[id] = 1", "h[p] = 1 - h[p]"])).into()],
        false => Vec::new(),
    };
    edges.push(edge(&format!("c{from}"), "out", &[guard], sync, &note));
    if r.percent(30) {
        edges.push(edge("out", "c0", &[], "", &["y = 0".into()]));
    }
    let urgent = if r.percent(8) { "urgent c0; " } else { "" };
    let parameter = if style.is_scalar { "const S id" } else { "" };
    format!(
        "process A({parameter}) {{ clock y; state {}; {urgent}init c0; trans {}; }}\n",
        locations.join(", "),
        edges.join(",\n  ")
    )
}

fn edge(from: &str, to: &str, guard: &[String], sync: &str, update: &[String]) -> String {
    let guard =
        if guard.is_empty() { String::new() } else { format!("guard {}; ", guard.join(" && ")) };
    let update =
        if update.is_empty() { String::new() } else { format!("assign {}; ", update.join(", ")) };
    format!("{from} -> {to} {{ {guard}{sync}{update}}}")
}

/// Something slow beside it.
fn environment(r: &mut Random, style: &Style) -> String {
    let mut edges = Vec::new();
    let mut locations = Vec::new();
    for k in 0..3 {
        let large = r.within(style.slow.1, style.slow.1 + 7);
        let invariant = if r.percent(70) { format!(" {{ z <= {large} }}") } else { String::new() };
        locations.push(format!("e{k}{invariant}"));
        let guard = format!("z {} {}", r.pick(&["==", ">=", ">"]), r.within(style.slow.0, large));
        let sync = *r.pick(&["", "", "", "sync go!; ", "sync all!; ", "sync u!; "]);
        let guard = if sync.contains("u!") { "n == 1".into() } else { guard };
        let mut update =
            vec![r.pick(&["n = 1", "n = 2", "n = 0", "f = 1", "f = 1 - f"]).to_string()];
        if r.percent(60) {
            update.push("z = 0".into());
        }
        edges.push(edge(&format!("e{k}"), &format!("e{}", (k + 1) % 3), &[guard], sync, &update));
    }
    let commit = if r.percent(10) { "commit e1; " } else { "" };
    format!(
        "process E() {{ state {}; {commit}init e0; trans {}; }}\n",
        locations.join(", "),
        edges.join(",\n  ")
    )
}

const QUERIES: &[&str] = &[
    "E<> A.out",
    "A[] !A.out || z > 20",
    "E<> E.e2 && A.c0",
    "A[] A.out || A.c0 || n < 2",
    "inf{A.out}: t",
    "inf{E.e2}: t",
    "inf{A.out || E.e1}: z",
    "sup{A.c0}: n + f",
    "E<> A.c0 && z > 22 && A.y == 0",
    "A[] not deadlock",
    "sup{A.c0}: z",
    "sup{E.e1}: t",
    "sup: A.y",
    "E<> E.e1 && z == 7 && A.c0",
    "E<> t == 61 && A.c0 && A.y < 1",
    "E[] !A.out",
];

/// Of rings over a scalar set; the last one names an element.
const SCALAR_QUERIES: &[&str] = &[
    "E<> exists (i : S) A(i).out",
    "E<> forall (i : S) A(i).out",
    "A[] forall (i : S) !A(i).out || z > 12",
    "E<> E.e2 && forall (i : S) A(i).c0",
    "inf{exists (i : S) A(i).out}: t",
    "inf{E.e2}: t",
    "sup{exists (i : S) A(i).c0 && h[i] == 1}: n + f",
    "inf: (sum (i : S) h[i])",
    "E<> exists (i : S) A(i).c0 && A(i).y == 0 && z > 13 && p == i",
    "A[] not deadlock",
    "sup{exists (i : S) A(i).c0}: z",
    "A[] forall (i : S) A(i).out imply h[i] == 1",
    "E<> A(1).out && !A(0).out",
];

fn chosen(r: &mut Random, from: &[&str]) -> Vec<String> {
    let mut queries: Vec<String> = vec!["sup: n".into()];
    while queries.len() < 4 {
        let query = (*r.pick(from)).to_owned();
        if !queries.contains(&query) {
            queries.push(query);
        }
    }
    queries
}

fn network(r: &mut Random, style: &Style) -> String {
    let mut text =
        "clock z, t; int[0,2] n; int[0,1] f; chan go; broadcast chan all; urgent chan u;\n\
         int[2,2] two = 2; int[-1,-1] down = -1; int[0,0] zero;\n"
            .to_owned();
    if style.is_scalar {
        text.push_str("typedef scalar[2] S; S p; int[0,1] h[S];\n");
    }
    text.push_str(&ring(r, style));
    text.push_str(&environment(r, style));
    let mut system = vec!["A", "E"];
    if r.percent(if style.is_scalar { 10 } else { 30 }) {
        let sync = *r.pick(&["sync go?; ", "sync all?; ", "sync u?; ", "sync go!; "]);
        text.push_str(&format!(
            "process Q() {{ clock w; state q; init q; trans {}, q -> q {{ guard w >= 9 && w <= 10; assign w = 0; }}; }}\n",
            edge("q", "q", &[], sync, &[])
        ));
        system.push("Q");
    }
    let separator = if r.percent(5) { " < " } else { ", " };
    text + &format!("system {};\n", system.join(separator))
}

/// One ring beside slow processes.
pub fn alone(r: &mut Random) -> (String, Vec<String>) {
    let style = Style { is_scalar: false, slow: (15, 33) };
    (network(r, &style), chosen(r, QUERIES))
}

/// Two rings that only their names tell apart.
pub fn alike(r: &mut Random) -> (String, Vec<String>) {
    let style = Style { is_scalar: true, slow: (9, 17) };
    (network(r, &style), chosen(r, SCALAR_QUERIES))
}
