//! Random functions that go through a scalar set: what they do may depend on the order of its
//! elements, and then the set must not be reduced.

use takt_testing::Random;

/// A model whose process calls such a function once, and queries that tell elements apart.
pub fn sample(r: &mut Random) -> (String, Vec<String>) {
    let body = statement(r, "i", 3);
    let heard = effect(r, "id", 2);
    let test = condition(r, "k");
    let seen = match r.percent(20) {
        true => format!("if ({test}) u = true; if (u && c[k]) return true;"),
        false => format!("if ({test} && c[k]) return true;"),
    };
    let text = format!(
        "typedef scalar[3] S; typedef struct {{ S to; bool is; }} H; int[0,99] r[S], o[S], n; bool c[S]; S p, q; broadcast chan b;\n\
         int next() {{ n++; return n; }}\n\
         int look(S e) {{ S k; k = e; return r[k]; }}\n\
         int late(S e) {{ S k; if (c[e]) k = e; return r[k]; }}\n\
         int pick(S e, int x[S]) {{ x[p] = 0; return x[e]; }}\n\
         int own(S e) {{ int x[S]; x[e] = r[e]; x[p] += 1; return x[q]; }}\n\
         bool held(S e) {{ H h; h.to = e; h.is = c[e]; return h.is && h.to != p; }}\n\
         void all(int t) {{ for (i : S) {body} }}\n\
         bool some(bool u) {{ for (k : S) {{ {seen} }} return false; }}\n\
         process M() {{ state A, B, C, D; init A; trans\n\
           A -> B {{ select e : S, f : S; assign c[e] = true, p = e, q = f, r[f] = 1; }},\n\
           B -> C {{ sync b!; assign all(0); }}, B -> D {{ guard some(false); }}; }}\n\
         process R(const S id) {{ int[0,99] v; state X, Y; init X; trans X -> Y {{ sync b?; assign {heard}; }}; }}\n\
         m = M(); system m, R;\n"
    );
    let queries = [
        "sup{m.C}: r[p]",
        "inf{m.C}: o[p]",
        "sup{m.C}: (sum (i : S) r[i])",
        "inf{m.C}: n + o[q]",
        "sup{m.C}: (sum (i : S) i == p ? R(i).v : 0)",
        "E<> m.C && r[p] == 1 && o[q] == 0",
        "E<> m.D",
        "E<> deadlock && m.B",
    ];
    (text, queries.map(String::from).to_vec())
}

fn value(r: &mut Random, own: &str) -> String {
    let known = ["0", "1", "n", "t", "n++", "++n", "next()", "(n += 2)", "t++"];
    match r.below(19) {
        at @ 0..9 => known[at].into(),
        14 => format!("look({own})"),
        15 if r.percent(30) => format!("late({own})"),
        15 | 16 => format!("pick({own}, {})", r.pick(&["r", "o"])),
        17 => format!("own({own})"),
        9 => format!("r[{own}]"),
        10 => format!("o[{own}]"),
        11 => "r[p]".into(),
        12 => format!("({own} == p ? 1 : 0)"),
        _ => "(sum (k : S) r[k])".into(),
    }
}

fn condition(r: &mut Random, own: &str) -> String {
    let known = [
        format!("c[{own}]"),
        format!("{own} == p"),
        format!("{own} != q"),
        format!("r[{own}] > 0"),
        "n > 1".into(),
        "n % 2 == 0".into(),
        format!("held({own})"),
    ];
    r.pick(&known).clone()
}

fn target(r: &mut Random, own: &str) -> String {
    let known = [format!("r[{own}]"), format!("o[{own}]"), "n".into(), "t".into(), "r[p]".into()];
    r.pick(&known).clone()
}

fn statement(r: &mut Random, own: &str, depth: u32) -> String {
    let simple = |r: &mut Random| {
        let target = target(r, own);
        match r.below(8) {
            0 => format!("{target}++;"),
            1 => format!("{target} += {};", r.below(3)),
            2 => fold(r, own, &target),
            3 => fold(r, own, "t"),
            _ => format!("{target} = ({}) % 7;", value(r, own)),
        }
    };
    if depth == 0 {
        return simple(r);
    }
    let next = depth - 1;
    match r.below(6) {
        0 => {
            format!("{{ {} {} }}", statement(r, own, next), statement(r, own, next))
        }
        1 => format!("if ({}) {}", condition(r, own), statement(r, own, next)),
        2 => format!(
            "{{ int t = {}; {} {} }}",
            r.below(2),
            statement(r, own, next),
            statement(r, own, next)
        ),
        3 => format!("for (j : S) {{ {} }}", statement(r, "j", next)),
        _ => simple(r),
    }
}

/// Joins a value to what is there; some ways to do so depend on the order.
fn fold(r: &mut Random, own: &str, target: &str) -> String {
    let known = [format!("r[{own}]"), format!("o[{own}]"), format!("look({own})"), "2".into()];
    let value = r.pick(&known).clone();
    let test = condition(r, own);
    match r.below(10) {
        0 => format!("if ({value} > {target}) {target} = {value};"),
        1 => format!("if ({test} && {target} >= {value}) {{ {target} = {value}; }}"),
        2 => format!("{target} = {target} >? {value};"),
        3 => format!("{target} = {value} < {target} ? {value} : {target};"),
        4 => format!("{target} = {target} || {test};"),
        5 => format!("{target} = {test} && {target};"),
        6 => format!("{target} = {target} + {value};"),
        7 => format!("{target} *= ({test} ? 1 : 0);"),
        8 => format!("{target} += ({test} ? 1 : 0);"),
        _ => format!("{target} = {target} <? {value};"),
    }
}

/// What a receiver does.
fn effect(r: &mut Random, own: &str, most: usize) -> String {
    let parts: Vec<String> = (0..=r.below(most))
        .map(|_| {
            let place = r.pick(&["v", "n", "r[id]", "o[id]"]);
            match r.below(7) {
                0 => format!("{place}++"),
                1 => format!("{place} += 1"),
                2 => format!("{place} = {place} + {}", r.pick(&["1", "v", "r[id]"])),
                3 => format!("{place} = {place} >? {}", r.pick(&["1", "v", "r[id]", "n"])),
                4 => format!("{place} = {place} || c[id]"),
                _ => format!("{place} = ({}) % 7", received(&value(r, own))),
            }
        })
        .collect();
    parts.join(", ")
}

/// A receiver has no `t`, but a `v`.
fn received(value: &str) -> String {
    match value {
        "t" => "v".into(),
        "t++" => "v++".into(),
        other => other.into(),
    }
}
