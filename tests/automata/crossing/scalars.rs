//! Random models over scalar sets, with queries. A few of them make errors.

use takt_testing::Random;

/// Conditions of a process, with `NUM` for a small number.
const GUARDS: &[&str] = &[
    "v == NUM",
    "v < NUM",
    "p == id",
    "p != id",
    "a[id] == NUM",
    "a[p] < NUM",
    "x >= NUM",
    "x <= NUM",
    "x > NUM",
    "c[id] >= NUM",
    "c[id] < NUM",
    "c[p] >= NUM",
    "c[r] > NUM",
    "c[id] <= d[id]",
    "x >= d[p]",
    "flag",
    "!flag",
    "m[id][p]",
    "!m[p][id]",
    "q[id] == p",
    "(exists (i : S) a[i] == 2)",
    "(forall (i : S) a[i] < 2)",
    "(sum (i : S) a[i]) < 3",
    "n < 2",
    "g >= NUM",
    "any()",
    "q[q[id]] == id",
    "top() == NUM",
    "every()",
    "after(id)",
    "count(m[id]) == NUM",
    "near(id) > NUM",
    "known(id)",
    "o[p] == NUM",
    "far[id] + low > 4",
    "(sum (i : S) o[i] + low) < NUM",
    "x >= o[id]",
    "c[p] > low",
];

const CHOSEN_GUARDS: &[&str] =
    &["i != id", "a[i] == NUM", "m[id][i]", "q[i] == id", "i == p", "c[i] <= NUM"];

const UPDATES: &[&str] = &[
    "p = id",
    "a[id] = NUM",
    "a[p] = NUM",
    "v = NUM",
    "x = 0",
    "x = 0",
    "c[id] = 0",
    "c[p] = 0",
    "flag = !flag",
    "q[id] = p",
    "p = q[p]",
    "m[id][p] = true",
    "m[p][id] = false",
    "n = (n + 1) % 3",
    "clear()",
    "swap(p)",
    "a[q[id]] = 1",
    "x = NUM",
    "mark(id)",
    "n = top()",
    "flag = flag || a[id] == 1",
    "n = n >? a[id]",
    "tally()",
    "a[id] = o[p]",
    "far[p] = 5 + (far[id] + o[id]) % 3",
    "n = far[id] - 5",
    "v = -low",
];

const CHOSEN_UPDATES: &[&str] =
    &["p = i", "a[i] = NUM", "q[id] = i", "m[id][i] = true", "c[i] = 0"];

/// What may fail, sooner or later depending on which element is looked at first.
const RISKY_GUARDS: &[&str] = &[
    "(exists (i : S) 2 / a[i] == 1)",
    "(forall (i : S) 2 / a[i] == 1)",
    "(sum (i : S) 2 / a[i]) < 3",
    "even()",
    "w[n] == 0",
    "2 / n > 1",
    "unset(id)",
];

const RISKY_UPDATES: &[&str] =
    &["n = n + 1", "v = 2 / n", "w[n] = 1 - w[n]", "fill()", "n -= a[p]", "w[0] = even()"];

const SYNCS: &[&str] = &["ch[id]?", "ch[id]!", "ch[p]!", "b!", "b?", "go!", "go?", "u!", "u?"];

const QUERIES: &[&str] = &[
    "E<> exists (i : S) P(i).l2",
    "A[] forall (i : S) forall (j : S) P(i).l2 && P(j).l2 imply i == j",
    "E<> forall (i : S) P(i).l1",
    "A[] not deadlock",
    "E<> P(0).l2",
    "E<> exists (i : S) P(i).l2 && P(i).x > 2 && P(i).v == 1",
    "A[] forall (i : S) forall (j : S) P(i).x <= P(j).x + 3",
    "inf{exists (i : S) P(i).l2}: g",
    "inf{forall (i : S) P(i).l2 || P(i).l1}: g",
    "sup{exists (i : S) P(i).l1}: n",
    "sup: (sum (i : S) a[i])",
    "inf{n == 2}: (sum (i : S) P(i).v)",
    "sup{n == 1}: g",
    "inf{exists (i : S) P(i).l2}: cost",
    "E<> exists (i : S) P(i).l2 && p == i && q[i] == i",
    "E[] forall (i : S) !P(i).l2",
    "A<> exists (i : S) P(i).l1",
    "n == 1 --> n == 2",
];

fn filled(r: &mut Random, text: &str) -> String {
    text.replace("NUM", &r.within(0, 2).to_string())
}

fn edge(r: &mut Random, is_risky: bool) -> String {
    let is_chosen = r.percent(25);
    let (mut guards, mut updates) = (Vec::new(), Vec::new());
    let sync = r.percent(35).then(|| *r.pick(SYNCS));
    let is_clocked =
        |text: &str| text.starts_with('x') || text.starts_with("c[") || text.starts_with("g ");
    while r.percent(55) && guards.len() < 3 {
        let list = if is_chosen && r.percent(60) { CHOSEN_GUARDS } else { GUARDS };
        let guard = *r.pick(list);
        // Urgent edges cannot test clocks.
        if !(is_clocked(guard) && sync.is_some_and(|sync| sync.starts_with('u'))) {
            guards.push(filled(r, guard));
        }
    }
    while r.percent(60) && updates.len() < 3 {
        let list = if is_chosen && r.percent(60) { CHOSEN_UPDATES } else { UPDATES };
        let update = *r.pick(list);
        updates.push(filled(r, update));
    }
    if r.percent(15) {
        updates.push("cost += 2".into());
    }
    if is_risky && r.percent(40) {
        guards.push((*r.pick(RISKY_GUARDS)).into());
    }
    if is_risky && r.percent(40) {
        updates.push((*r.pick(RISKY_UPDATES)).into());
    }
    let mut parts = String::new();
    if is_chosen {
        parts.push_str("select i : S; ");
    }
    if !guards.is_empty() {
        parts.push_str(&format!("guard {}; ", guards.join(" && ")));
    }
    if let Some(sync) = sync {
        parts.push_str(&format!("sync {sync}; "));
    }
    if !updates.is_empty() {
        parts.push_str(&format!("assign {}; ", updates.join(", ")));
    }
    let (from, to) = (r.below(3), r.below(3));
    format!("l{from} -> l{to} {{ {parts}}}")
}

fn process(r: &mut Random, is_priced: bool, is_risky: bool) -> String {
    let mut locations = Vec::new();
    for l in 0..3 {
        let mut invariant = Vec::new();
        if r.percent(30) {
            invariant.push(format!("x <= {}", r.within(1, 3)));
        }
        if r.percent(10) {
            invariant.push(format!("c[id] <= {}", r.within(1, 3)));
        }
        if is_priced && r.percent(30) {
            invariant.push(format!("cost' == {}", r.within(0, 2)));
        }
        let invariant = if invariant.is_empty() {
            String::new()
        } else {
            format!(" {{ {} }}", invariant.join(" && "))
        };
        locations.push(format!("l{l}{invariant}"));
    }
    let kind = match r.below(8) {
        0 => "commit l1; ",
        1 => "urgent l1; ",
        _ => "",
    };
    let edges: Vec<String> = (0..r.within(2, 6)).map(|_| edge(r, is_risky)).collect();
    format!(
        "process P(const S id) {{ clock x; int[0,2] v;\n void mark(S s) {{ if (a[s] < 2) a[s]++; }}\n state {}; {kind}init l0;\n trans {}; }}\n",
        locations.join(", "),
        edges.join(",\n  ")
    )
}

/// A model and some queries.
pub fn sample(r: &mut Random) -> (String, Vec<String>) {
    // Now and then a set of one element.
    let size = *r.pick(&[2, 3, 2, 3, 2, 3, 1]);
    let is_priced = r.percent(30);
    let is_risky = r.percent(15);
    // What is never written is the same in no two elements, or in all.
    let waits = *r.pick(match size {
        1 => &["{1}", "{2}"],
        2 => &["{1, 2}", "{1, 1}"],
        _ => &["{2, 0, 1}", "{1, 1, 1}"],
    });
    let ones = format!("{{{}}}", vec!["1"; size].join(", "));
    let mut text = format!(
        "typedef scalar[{size}] S; typedef struct {{ S to; bool is; }} H;\nS p, r; S q[S]; int[0,2] a[S], d[S] = {waits}; bool m[S][S]; bool flag; int[0,2] n; int[0,1] w[2];\n\
         int[1,1] o[S] = {ones}; int[-2,-2] low = -2; int[5,7] far[S]; \n\
         clock g, c[S]; chan ch[S], go; urgent chan u; broadcast chan b;\n\
         void clear() {{ for (i : S) a[i] = 0; }}\n\
         bool any() {{ for (i : S) if (a[i] == 1) return true; return false; }}\n\
         void fill() {{ for (i : S) n += a[i]; }}\n\
         void swap(S s) {{ S t = q[s]; q[s] = q[t]; q[t] = s; }}\n\
         int count(bool x[S]) {{ int k = 0; for (i : S) k += (x[i] ? 1 : 0); return k; }}\n\
         int top() {{ int k = 0; for (i : S) if (a[i] > k) k = a[i]; return k; }}\n\
         bool every() {{ bool f = true; for (i : S) f = f && a[i] > 0; return f; }}\n\
         bool after(S s) {{ S k; k = q[s]; return m[k][s]; }}\n\
         bool unset(S s) {{ S k; if (flag) k = s; return m[k][s]; }}\n\
         int near(S s) {{ bool x[S]; x[s] = true; x[p] = true; return count(x); }}\n\
         bool known(S s) {{ H h; h.to = q[s]; h.is = m[s][s]; return h.is || h.to == s; }}\n\
         void tally() {{ n = 2; for (i : S) n = n <? a[i]; }}\n"
    );
    if is_risky {
        let early = "bool even() { for (i : S) if (2 / a[i] == 1) return true; return false; }\n";
        let late =
            "bool even() { bool f = false; for (i : S) if (2 / a[i] == 1) f = true; return f; }\n";
        let even = *r.pick(&[early, late]);
        text.push_str(even);
    }
    text.push_str(&process(r, is_priced, is_risky));
    let levels = if r.percent(10) { "system Q < P;" } else { "system P, Q;" };
    let extra = r.pick(&["b!", "go?", "go!", "u?"]);
    let test = r.pick(&["n < 2", "g >= 1", "flag"]);
    let test = if extra.starts_with('u') { "flag" } else { test };
    text.push_str(&format!(
        "process Q() {{ state k; init k; trans k -> k {{ sync {extra}; assign n = (n + 1) % 3; }}, k -> k {{ guard {test}; select i : S; sync ch[i]!; assign p = i; }}; }}\n{levels}\n"
    ).replace("guard flag; select i : S;", "select i : S; guard flag;").replace(&format!("guard {test}; select i : S;"), &format!("select i : S; guard {test};")));
    let mut queries: Vec<String> = vec!["sup: n".into()];
    while queries.len() < 5 {
        let query = (*r.pick(QUERIES)).to_owned();
        if (is_priced || !query.ends_with("cost")) && !queries.contains(&query) {
            queries.push(query);
        }
    }
    (text, queries)
}
