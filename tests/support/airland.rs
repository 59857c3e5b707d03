//! Aircraft landing as a priced network: takes the text of an OR-Library `airland` file and a
//! number of runways, gives a model in UPPAAL's textual language.
//!
//! The file holds the number of planes and a freeze time (not used), then for each plane its
//! appearance (not used), earliest, target and latest landing, the cost per unit early and per unit
//! late, and the separation that every plane needs after it.

use std::fmt::Write;

struct Plane {
    earliest: i64,
    target: i64,
    latest: i64,
    early_rate: i64,
    late_rate: i64,
    /// How long after this plane each other may land on the same runway.
    separation: Vec<i64>,
}

/// The model, or what is wrong with the file.
pub fn model(name: &str, text: &str, runways: usize) -> Result<String, String> {
    if runways == 0 {
        return Err("without a runway nobody lands".into());
    }
    let planes = read(text)?;
    check_triangles(&planes)?;
    let has_rates = planes.iter().all(|plane| plane.early_rate > 0 && plane.late_rate > 0);
    let mut out = format!(
        "// Aircraft landing: the cheapest way to land the {} planes of {name}.\n//\n",
        planes.len()
    );
    let body = include_str!("../../scripts/airland/landing.xta");
    let (comment, rest) = body.split_once("\n\n").expect("the model opens with a comment");
    out += comment;
    let _ = write!(out, "\n\nconst int PLANES = {};\n", planes.len());
    let _ = writeln!(out, "const int RUNWAYS = {runways};");
    let _ = writeln!(out, "const bool RULES = {has_rates};\n");
    vector(&mut out, "EARLIEST", &planes, |plane| plane.earliest);
    vector(&mut out, "TARGET", &planes, |plane| plane.target);
    vector(&mut out, "LATEST", &planes, |plane| plane.latest);
    vector(&mut out, "EARLY_RATE", &planes, |plane| plane.early_rate);
    vector(&mut out, "LATE_RATE", &planes, |plane| plane.late_rate);
    vector(&mut out, "LONGEST", &planes, |plane| {
        plane.separation.iter().copied().max().unwrap_or(0)
    });
    matrix(&mut out, "int SEPARATION", planes.len(), |i, j| planes[i].separation[j]);
    let before = order(&planes);
    matrix(&mut out, "bool BEFORE", planes.len(), |i, j| i64::from(before[i][j]));
    out += "\n";
    out += rest;
    Ok(out)
}

/// The planes by target, so that the model reads in the order of the day.
fn read(text: &str) -> Result<Vec<Plane>, String> {
    let mut words = text.split_whitespace();
    let mut next = || whole(words.next().ok_or("the file ends too soon")?);
    let count = usize::try_from(next()?).map_err(|_| "how many planes?")?;
    next()?;
    let mut planes = Vec::new();
    for i in 0..count {
        next()?;
        let mut plane = Plane {
            earliest: next()?,
            target: next()?,
            latest: next()?,
            early_rate: next()?,
            late_rate: next()?,
            separation: (0..count).map(|_| next()).collect::<Result<_, String>>()?,
        };
        plane.separation[i] = 0;
        planes.push(plane);
    }
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by_key(|&i| planes[i].target);
    for plane in &mut planes {
        plane.separation = places.iter().map(|&j| plane.separation[j]).collect();
    }
    planes.sort_by_key(|plane| plane.target);
    Ok(planes)
}

/// A non-negative whole number; rates come as `30.00`.
fn whole(word: &str) -> Result<i64, String> {
    let (digits, fraction) = word.split_once('.').unwrap_or((word, ""));
    match digits.parse() {
        Ok(value) if value >= 0 && fraction.bytes().all(|b| b == b'0') => Ok(value),
        _ => Err(format!("`{word}` is not a whole number")),
    }
}

/// The model asks the last plane on a runway only, so none before it may need more room.
fn check_triangles(planes: &[Plane]) -> Result<(), String> {
    let gap = |i: usize, j: usize| planes[i].separation[j];
    let n = planes.len();
    for (i, j, k) in (0..n * n * n).map(|c| (c / n / n, c / n % n, c % n)) {
        if i != j && j != k && i != k && gap(i, k) > gap(i, j) + gap(j, k) {
            return Err(format!(
                "a separation of {} is longer than the two, {} and {}, of a plane in between: the \
                 triangle inequality fails, and neighbours on a runway do not suffice",
                gap(i, k),
                gap(i, j),
                gap(j, k)
            ));
        }
    }
    Ok(())
}

/// Who may as well land before whom (see the model for the reasons); no pair that follows from
/// two others.
fn order(planes: &[Plane]) -> Vec<Vec<bool>> {
    let n = planes.len();
    let goes_first = |i: usize, j: usize| {
        let (a, b) = (&planes[i], &planes[j]);
        let gap = |i: usize, j: usize| planes[i].separation[j];
        let is_alike = |k| k == i || k == j || gap(k, i) == gap(k, j) && gap(i, k) == gap(j, k);
        a.earliest <= b.earliest
            && a.target <= b.target
            && a.latest <= b.latest
            && a.early_rate <= b.early_rate
            && a.late_rate >= b.late_rate
            && gap(i, j) <= gap(j, i)
            && (0..n).all(is_alike)
    };
    // Of two planes alike in everything, the first.
    let is_before = |i: usize, j: usize| i != j && goes_first(i, j) && (i < j || !goes_first(j, i));
    let all: Vec<Vec<bool>> = (0..n).map(|i| (0..n).map(|j| is_before(i, j)).collect()).collect();
    let follows = |i: usize, j: usize| (0..n).any(|k| all[i][k] && all[k][j]);
    (0..n).map(|i| (0..n).map(|j| all[i][j] && !follows(i, j)).collect()).collect()
}

fn vector(out: &mut String, name: &str, planes: &[Plane], value: impl Fn(&Plane) -> i64) {
    let values: Vec<String> = planes.iter().map(|plane| value(plane).to_string()).collect();
    let _ = writeln!(out, "const int {name}[PLANES] = {{ {} }};", values.join(", "));
}

fn matrix(out: &mut String, name: &str, n: usize, value: impl Fn(usize, usize) -> i64) {
    let row = |i| (0..n).map(|j| value(i, j).to_string()).collect::<Vec<_>>().join(", ");
    let rows: Vec<String> = (0..n).map(|i| format!("    {{ {} }}", row(i))).collect();
    let _ = writeln!(out, "const {name}[PLANES][PLANES] = {{\n{}\n}};", rows.join(",\n"));
}
