//! Random networks with a random query each: small enough for the region graph.

use super::sample::{Automaton, Edge, Place, Sample};
use crate::Random;

/// The largest constant that clocks are compared with, and the largest that they are set to.
pub const LARGEST: i64 = 3;
pub const LARGEST_RESET: i64 = 2;

/// What a sample may use.
struct Palette {
    clocks: Vec<String>,
    ints: Vec<String>,
    channels: Vec<Channel>,
    has_diagonals: bool,
    /// Clock guards on urgent edges, which the language may refuse.
    may_be_refused: bool,
    /// How many of a hundred edges synchronise, and test integers.
    syncing: u64,
    testing: u64,
    /// Whether updates may leave a range or an array.
    is_risky: bool,
    /// Ranges of one value, shifted, negative and as wide as can be.
    has_odd_ranges: bool,
    locations: Vec<usize>,
}

#[derive(Clone)]
struct Channel {
    name: String,
    is_urgent: bool,
    is_broadcast: bool,
    is_array: bool,
}

pub fn generate(seed: u64) -> Sample {
    let mut random = Random::new(seed);
    let r = &mut random;
    let palette = Palette {
        clocks: ["x", "y", "z"][..1 + r.below(3).min(r.below(4))]
            .iter()
            .map(|c| (*c).into())
            .collect(),
        ints: ["i", "j", "a[0]", "a[i % 2]"][..2 + r.below(3)]
            .iter()
            .map(|v| (*v).into())
            .collect(),
        channels: channels(r),
        has_diagonals: r.percent(20),
        may_be_refused: r.percent(5),
        syncing: r.within(10, 50) as u64,
        testing: r.within(0, 25) as u64,
        is_risky: r.percent(6),
        has_odd_ranges: r.percent(40),
        locations: (0..1 + r.below(3)).map(|_| 2 + r.below(3)).collect(),
    };
    let numbers = 0..palette.locations.len();
    let processes: Vec<_> = numbers.map(|at| automaton(r, &palette, at)).collect();
    let with_levels = r.percent(15);
    let between = |r: &mut Random| if with_levels && r.percent(60) { " < " } else { ", " };
    let separators = processes.iter().skip(1).map(|_| between(r)).collect();
    Sample {
        header: header(r, &palette),
        separators,
        query: query(r, &palette),
        further: (0..r.below(4)).map(|_| query(r, &palette)).collect(),
        has_diagonals: palette.has_diagonals,
        seed,
        processes,
    }
}

/// Variables whose ranges do not begin at 0, or end where they begin.
const ODD_RANGES: &[&str] = &[
    "int[1, 1] one = 1, ones[2] = {1, 1};",
    "const int[-2, -2] low = -2; int[-2, -2] lowest = low;",
    "int[5, 7] far = 6;",
    "int[-3, -1] b[int[1, 2]] = {-1, -3};",
    "int[0, 0] none; bool never;",
    "int[-2147483648, 2147483647] wide = -2147483648;",
    "struct { int[3, 3] three; int[-1, 0] sign; } pair = {3, -1};",
];

/// What can be said of them, and done to them; nothing leaves its range.
const ODD_TESTS: &[&str] = &[
    "one == 1",
    "ones[j % 2] < i",
    "lowest + one == -1",
    "far == 7",
    "far + low > 4",
    "b[1] < b[2]",
    "none > 0",
    "never",
    "wide < 0",
    "wide == 2147483647",
    "pair.three + pair.sign == 2",
    "(forall (k : int[1, 1]) ones[k] == one)",
    "(sum (k : int[-1, -1]) k * lowest) == i",
];
const ODD_UPDATES: &[&str] = &[
    "i = one",
    "j = ones[0] + ones[1]",
    "i = far - 5",
    "far = 5 + (far + one) % 3",
    "b[1] = b[2]",
    "b[2] = -1 - i % 3",
    "j = none",
    "i = -lowest",
    "wide = 2147483647",
    "wide = wide / 2 + lowest",
    "pair.sign = -1 - pair.sign",
    "a[none] = pair.three",
    "never = i > 2",
];
/// Bounds of clocks within what the regions tell apart.
const ODD_BOUNDS: &[&str] =
    &["one", "low", "lowest", "far - 4", "none", "pair.three", "b[1]", "ones[none]", "-one", "0"];
const ODD_INVARIANTS: &[&str] = &[
    "x <= 0",
    "x >= 0",
    "x < one",
    "x <= far - 4",
    "x > lowest",
    "one == 1",
    "far != 5",
    "wide < 7",
    "x >= one",
    "x < none",
];

fn channels(r: &mut Random) -> Vec<Channel> {
    (0..r.below(4))
        .map(|at| Channel {
            name: ["c", "d", "e"][at].into(),
            is_urgent: r.percent(25),
            is_broadcast: r.percent(35),
            is_array: r.percent(25),
        })
        .collect()
}

fn header(r: &mut Random, palette: &Palette) -> Vec<String> {
    let mut lines = vec![
        format!("clock {};", palette.clocks.join(", ")),
        "int[0, 3] i = 2, j = 1, a[2];".into(),
        "int next(int v) { int k; int s = 1; for (k = 0; k < v; k++) s += k; return s % 4; }"
            .into(),
        "void swap() { int h = i; i = j; j = h; }".into(),
    ];
    if palette.has_odd_ranges {
        lines.extend(ODD_RANGES.iter().map(|line| (*line).into()));
    }
    for channel in &palette.channels {
        let urgent = if channel.is_urgent { "urgent " } else { "" };
        let broadcast = if channel.is_broadcast { "broadcast " } else { "" };
        let size = if channel.is_array { "[2]" } else { "" };
        lines.push(format!("{urgent}{broadcast}chan {}{size};", channel.name));
    }
    if r.percent(4) {
        lines.push("before_update { j = (j + i) % 4 }".into());
    }
    if r.percent(4) {
        lines.push("after_update { i = (i + j) % 4 }".into());
    }
    if !palette.channels.is_empty() && r.percent(20) {
        let mut members: Vec<String> = palette.channels.iter().map(|c| c.name.clone()).collect();
        members.insert(r.below(members.len() + 1), "default".into());
        let mut line = format!("chan priority {}", members[0]);
        for member in &members[1..] {
            line += if r.percent(70) { " < " } else { ", " };
            line += member;
        }
        lines.push(line + ";");
    }
    lines
}

fn automaton(r: &mut Random, palette: &Palette, at: usize) -> Automaton {
    let count = palette.locations[at];
    let locations: Vec<Place> = (0..count).map(|_| place(r, palette)).collect();
    // Every location can be left, if the guards let it.
    let mut sources: Vec<usize> = (0..count).collect();
    sources.extend((0..1 + r.below(4)).map(|_| r.below(count)));
    let edges = sources.iter().map(|&source| edge(r, palette, source, count)).collect();
    // Names of its own that others have too.
    let own = ["int[0, 3] j = 3;", "clock x;", "int[7, 7] L = 7;"];
    let declarations = own.iter().filter(|_| r.percent(4)).map(|own| (*own).into()).collect();
    Automaton { name: format!("P{at}"), declarations, locations, edges }
}

fn place(r: &mut Random, palette: &Palette) -> Place {
    let mut invariant = Vec::new();
    if r.percent(38) {
        let clock = r.pick(&palette.clocks);
        let relation = *r.pick(&["<=", "<=", "<"]);
        let bound = bound(r, palette, 1);
        let test = format!("{clock} {relation} {bound}");
        invariant.push(if r.percent(10) { format!("(j == 2 || {test})") } else { test });
    }
    if palette.has_odd_ranges && r.percent(8) {
        invariant.push((*r.pick(ODD_INVARIANTS)).into());
    }
    if palette.has_diagonals && r.percent(10) {
        invariant.push(diagonal(r, palette));
    }
    if r.percent(3) {
        invariant.push(int_test(r, palette));
    }
    let urgency = match r.below(100) {
        0..8 => Some("commit"),
        8..16 => Some("urgent"),
        _ => None,
    };
    Place { invariant, urgency }
}

fn edge(r: &mut Random, palette: &Palette, source: usize, count: usize) -> Edge {
    let choices = ["s : int[0, 1]", "s : int[0, 1]", "s : int[0, 1]", "s : int[1, 1]"];
    let select = r.percent(12).then(|| r.pick(&choices).to_string());
    let sync = (!palette.channels.is_empty() && r.percent(palette.syncing))
        .then(|| r.pick(&palette.channels).clone());
    let is_sending = r.percent(50);
    let mut edge = Edge { source, target: r.below(count), ..Edge::default() };
    let is_restricted = sync.as_ref().is_some_and(|c| c.is_urgent);
    if !is_restricted || palette.may_be_refused {
        for _ in 0..r.below(2) + r.below(8) / 7 {
            edge.guard.push(clock_test(r, palette));
        }
    }
    if r.percent(palette.testing) {
        edge.guard.push(int_test(r, palette));
    }
    if select.is_some() && r.percent(50) {
        edge.guard.push("s != i".into());
    }
    edge.sync = sync.map(|channel| {
        let index = if select.is_some() { "s" } else { *r.pick(&["0", "1", "i % 2"]) };
        let index = if channel.is_array { format!("[{index}]") } else { String::new() };
        format!("{}{index}{}", channel.name, if is_sending { "!" } else { "?" })
    });
    for _ in 0..r.below(3) {
        edge.update.push(update(r, palette, select.is_some()));
    }
    edge.select = select;
    edge
}

fn clock_test(r: &mut Random, palette: &Palette) -> String {
    if palette.has_diagonals && r.percent(40) {
        return diagonal(r, palette);
    }
    let clock = r.pick(&palette.clocks);
    let relation = *r.pick(&["<", "<=", "==", ">=", ">", ">=", ">"]);
    let bound = bound(r, palette, 0);
    let test = format!("{clock} {relation} {bound}");
    if r.percent(6) { format!("(i == 1 || {test})") } else { test }
}

/// What a clock is compared with: at least `least` where it is a plain number.
fn bound(r: &mut Random, palette: &Palette, least: i64) -> String {
    match r.below(100) {
        0..11 => "i".into(),
        11..20 if palette.has_odd_ranges => (*r.pick(ODD_BOUNDS)).into(),
        _ => r.within(least, LARGEST).to_string(),
    }
}

fn diagonal(r: &mut Random, palette: &Palette) -> String {
    if palette.clocks.len() < 2 {
        return format!("{} >= 1", palette.clocks[0]);
    }
    let left = r.below(palette.clocks.len());
    let right = (left + 1 + r.below(palette.clocks.len() - 1)) % palette.clocks.len();
    let (left, right) = (&palette.clocks[left], &palette.clocks[right]);
    format!("{left} - {right} {} {}", r.pick(&["<", "<=", ">", ">=", "=="]), r.within(-2, 2))
}

fn int_test(r: &mut Random, palette: &Palette) -> String {
    let variable = r.pick(&palette.ints);
    if palette.has_odd_ranges && r.percent(40) {
        return (*r.pick(ODD_TESTS)).into();
    }
    match r.below(8) {
        0 => "i != j".into(),
        1 => "(exists (k : int[0, 1]) a[k] > 1)".into(),
        2 => "i + j < 4".into(),
        _ => format!("{variable} {} {}", r.pick(&["==", "<", ">=", "!="]), r.within(0, 3)),
    }
}

fn update(r: &mut Random, palette: &Palette, has_select: bool) -> String {
    if r.percent(55) {
        let clock = r.pick(&palette.clocks);
        if palette.has_odd_ranges && r.percent(15) {
            return format!("{clock} = {}", r.pick(&["one", "far - 5", "none", "-lowest"]));
        }
        let value = if r.percent(20) { r.within(1, LARGEST_RESET) } else { 0 };
        return format!("{clock} = {value}");
    }
    let variable = r.pick(&palette.ints);
    if palette.is_risky && r.percent(40) {
        return r.pick(&["i++", "a[j] = 1", "j = 6 / i", "j -= 2"]).to_string();
    }
    if palette.has_odd_ranges && r.percent(40) {
        return (*r.pick(ODD_UPDATES)).into();
    }
    match r.below(8) {
        0 => "swap()".into(),
        1 => format!("{variable} = next(j)"),
        2 => format!("{variable} = ({variable} + 1) % 4"),
        3 if has_select => format!("{variable} = s"),
        4 => format!("{variable} = i == 2 ? j : 0"),
        _ => format!("{variable} = {}", r.within(0, 2)),
    }
}

fn query(r: &mut Random, palette: &Palette) -> String {
    let p = formula(r, palette, 2);
    match r.below(9) {
        0 | 1 => format!("E<> {p}"),
        2 | 3 => format!("A[] {p}"),
        4 => format!("E[] {p}"),
        5 => format!("A<> {p}"),
        6 => format!("{p} --> {}", formula(r, palette, 2)),
        kind => {
            let kind = if kind == 7 { "inf" } else { "sup" };
            let of = if r.percent(60) {
                r.pick(&palette.clocks).clone()
            } else {
                let odd = ["one + ones[1]", "far - lowest", "b[1] * b[2]", "wide", "pair.sign"];
                let plain = ["i", "i + 2 * j", "a[0] - i"];
                match palette.has_odd_ranges && r.percent(60) {
                    true => r.pick(&odd).to_string(),
                    false => r.pick(&plain).to_string(),
                }
            };
            format!("{kind}{{{p}}}: {of}")
        }
    }
}

fn formula(r: &mut Random, palette: &Palette, depth: usize) -> String {
    if depth > 0 && r.percent(60) {
        let left = formula(r, palette, depth - 1);
        let right = formula(r, palette, depth - 1);
        return match r.below(5) {
            0 | 1 => format!("({left} && {right})"),
            2 => format!("({left} || {right})"),
            3 => format!("({left} imply {right})"),
            _ => format!("!{left}"),
        };
    }
    match r.below(10) {
        0..5 => {
            let process = r.below(palette.locations.len());
            format!("P{process}.L{}", r.below(palette.locations[process]))
        }
        5 | 6 => format!("({})", int_test(r, palette)),
        7 => "deadlock".into(),
        _ => format!("({})", clock_test(r, palette)),
    }
}
