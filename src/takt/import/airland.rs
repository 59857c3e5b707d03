//! Aircraft landing as in the OR-Library: the number of planes and a freeze time; for each plane its
//! appearance, earliest, target and latest landing, the costs of a unit early and late, and its
//! separations to every plane that lands after it.
//!
//! A landing is a step of one unit that starts when the plane lands. A setup counts from the end of
//! a step to the start of the next, so a separation of s is a setup of s - 1; finishing is one unit
//! after landing, so target and latest move by one. Only neighbours on a runway are set up for, which
//! is enough as long as separations obey the triangle inequality: files that do not are refused.

use super::words::{Whole, Words};
use super::write::head;
use super::{MAX_PAIRS, MAX_TIME, Made};
use std::fmt::Write;
use takt_diagnostic::{Diagnostic, FileId};

/// The largest files of the library have 500.
const MAX_PLANES: usize = 600;

struct Plane {
    earliest: i64,
    target: i64,
    latest: i64,
    early: String,
    late: String,
    separation: Vec<Whole>,
}

pub(super) fn spec(text: &str, file: FileId, name: &str, runways: usize) -> Made<String> {
    let planes = read(text, file)?;
    let families = Families::of(&planes);
    families.check_triangles()?;
    let title = format!("Aircraft landing: {} planes on {runways} runways.", planes.len());
    let comment = [
        title.as_str(),
        "Imported from an OR-Library file.",
        "",
        "A landing is a step of one unit that starts when the plane lands. A setup counts from the",
        "end of a step to the start of the next one on that runway, so a separation of s between two",
        "landings is a setup of s - 1. An order is finished one unit after its landing, so `due` and",
        "`deadline` are the file's target and latest landing plus one; `release` is the earliest",
        "landing. Planes with equal separations share a family.",
    ];
    let mut out = head(&comment, name);
    families.write_runways(&mut out, runways);
    out.push_str("\nrecipes:\n  landing:\n    steps:\n");
    out.push_str("      - {name: land, on: runway, duration: 1}\n\norders:\n");
    for (number, plane) in planes.iter().enumerate() {
        let (due, deadline) = (plane.target + 1, plane.latest + 1);
        let _ = writeln!(
            out,
            "  - {{id: P{}, recipe: landing, family: F{}, release: {}, due: {due}, \
             deadline: {deadline}, storage-cost: {}, delay-cost: {}}}",
            number + 1,
            families.family[number] + 1,
            plane.earliest,
            plane.early,
            plane.late,
        );
    }
    out.push_str("\nobjective: cost\n");
    Ok(out)
}

fn read(text: &str, file: FileId) -> Made<Vec<Plane>> {
    let mut words = Words::new(text, file);
    let (number, _) = words.count("the number of planes", 1..=MAX_PLANES)?;
    const { assert!(MAX_PLANES * MAX_PLANES <= MAX_PAIRS, "separations are bounded") };
    words.whole("the freeze time", 0..=MAX_TIME)?;
    let mut planes = Vec::new();
    for at in 0..number {
        words.whole("an appearance time", 0..=MAX_TIME)?;
        let earliest = words.whole("an earliest landing time", 0..=MAX_TIME)?.value;
        let target = words.whole("a target landing time", earliest..=MAX_TIME)?.value;
        let latest = words.whole("a latest landing time", target..=MAX_TIME)?.value;
        let early = words.decimal("the cost of a unit of earliness")?;
        let late = words.decimal("the cost of a unit of lateness")?;
        let mut separation = Vec::new();
        for other in 0..number {
            // Two landings on one runway cannot be at the same time in a spec.
            let least = i64::from(other != at);
            separation.push(words.whole("a separation time", least..=MAX_TIME)?);
        }
        planes.push(Plane { earliest, target, latest, early, late, separation });
    }
    words.end()?;
    Ok(planes)
}

/// Planes share a family if exchanging them changes no separation.
struct Families<'p> {
    planes: &'p [Plane],
    /// Of each plane.
    family: Vec<usize>,
    /// The first plane of each family.
    first: Vec<usize>,
}

impl<'p> Families<'p> {
    fn of(planes: &'p [Plane]) -> Families<'p> {
        let (mut family, mut first): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for plane in 0..planes.len() {
            let known = first.iter().position(|&other| is_alike(planes, plane, other));
            family.push(known.unwrap_or(first.len()));
            if known.is_none() {
                first.push(plane);
            }
        }
        Families { planes, family, first }
    }

    /// Between a plane of one family and another plane of the second; `None` where there is no such pair.
    fn between(&self, a: usize, b: usize) -> Option<Whole> {
        let Families { planes, family, first } = self;
        let other = if a == b {
            (0..planes.len()).find(|&plane| family[plane] == b && plane != first[a])?
        } else {
            first[b]
        };
        Some(planes[first[a]].separation[other])
    }

    /// A plane in between must not make room for less than the two around it need.
    fn check_triangles(&self) -> Made<()> {
        let kinds = 0..self.first.len();
        let row = |a: usize| kinds.clone().map(|b| self.between(a, b)).collect();
        let matrix: Vec<Vec<Option<Whole>>> = kinds.clone().map(row).collect();
        for a in kinds.clone() {
            for b in kinds.clone() {
                for c in kinds.clone() {
                    if let (Some(outer), Some(one), Some(two)) =
                        (matrix[a][c], matrix[a][b], matrix[b][c])
                        && outer.value > one.value + two.value
                    {
                        return Err(too_far(outer, one, two));
                    }
                }
            }
        }
        Ok(())
    }

    fn write_runways(&self, out: &mut String, runways: usize) {
        let units: Vec<String> = (1..=runways).map(|unit| format!("R{unit}")).collect();
        let _ = writeln!(out, "resources:\n  runway:\n    units: [{}]", units.join(", "));
        let mut matrix = String::new();
        for from in 0..self.first.len() {
            let row: Vec<String> = (0..self.first.len())
                .filter_map(|to| Some((to, self.between(from, to)?.value - 1)))
                .filter(|&(_, time)| time > 0)
                .map(|(to, time)| format!("F{}: {{time: {time}}}", to + 1))
                .collect();
            if !row.is_empty() {
                let _ = writeln!(matrix, "        F{}: {{{}}}", from + 1, row.join(", "));
            }
        }
        if !matrix.is_empty() {
            let _ = write!(out, "    setup:\n      matrix:\n{matrix}");
        }
    }
}

fn is_alike(planes: &[Plane], a: usize, b: usize) -> bool {
    let s = |i: usize, j: usize| planes[i].separation[j].value;
    let others = (0..planes.len()).filter(|&k| k != a && k != b);
    s(a, b) == s(b, a) && others.into_iter().all(|k| s(a, k) == s(b, k) && s(k, a) == s(k, b))
}

fn too_far(outer: Whole, one: Whole, two: Whole) -> Box<Diagnostic> {
    let sum = one.value + two.value;
    let message = "the separations violate the triangle inequality, so they cannot be kept by \
                   looking at neighbours on a runway only, which is what setups do";
    let found = Diagnostic::error("triangle-inequality", outer.span, message);
    let found = found.label(format!("{} is more than {} + {}", outer.value, one.value, two.value));
    let found = found.related(one.span, "with a plane in between: from the first to it");
    let found = found.related(two.span, format!("and from it to the last: {sum} in all"));
    Box::new(found)
}
