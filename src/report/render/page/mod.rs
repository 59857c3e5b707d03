//! `report.html`: all that is known of a plan on one page that needs nothing else.
//!
//! What is written here can be read without scripts: the verdict, a chart, tables. Beside it stand the plan
//! as compact data ([`data`]) and scripts that make a chart of it which can be searched and zoomed. Scripts and
//! styles are files of their own in this folder; they are joined as they are, but for comments.
//!
//! The page is the same for the same result: it tells neither how long a search took nor when.

mod data;
mod escape;
mod lists;
mod still;
mod verdict;
mod week;
mod work;

use super::artifact::Document;
use super::compare::{Alternative, Comparison};
use super::svg::Common;
use super::{Headline, Sheet};
use escape::{in_html, in_script};
use takt_spec::Time;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// In the sequence in which they know each other.
const SCRIPTS: [&str; 9] = [
    include_str!("script/data.js"),
    include_str!("script/time.js"),
    include_str!("script/colour.js"),
    include_str!("script/rows.js"),
    include_str!("script/chart.js"),
    include_str!("script/gesture.js"),
    include_str!("script/way.js"),
    include_str!("script/lists.js"),
    include_str!("script/app.js"),
];

/// Of one schedule.
pub fn page(document: &Document) -> Vec<u8> {
    let sheet = &document.sheet;
    let verdict = verdict::of_one(sheet);
    write(&sheet.headline.name, verdict, &[*sheet])
}

/// Of several schedules.
pub fn pages(comparison: &Comparison) -> Vec<u8> {
    let sheets: Vec<Sheet> = comparison.all.iter().filter_map(|one| one.sheet).collect();
    let names: Vec<&str> = comparison.all.iter().map(|one| one.headline.name.as_str()).collect();
    write(&names.join(" · "), verdict::of_several(comparison), &sheets)
}

fn write(title: &str, verdict: String, sheets: &[Sheet]) -> Vec<u8> {
    let script: String = SCRIPTS.iter().map(|script| lean(script)).collect();
    let data = in_script(&data::data(title, sheets));
    let lists: String = sheets.iter().map(|sheet| lists::of(sheet, sheets.len() > 1)).collect();
    let parts = [
        ("title", in_html(title)),
        ("style", lean(STYLE)),
        ("verdict", verdict),
        ("chart", still::chart(sheets)),
        ("lists", lists),
        ("data", data),
        ("script", script),
    ];
    fill(PAGE, &parts).into_bytes()
}

/// Without the indentation, and without the lines that only tell readers something.
fn lean(source: &str) -> String {
    let (mut out, mut is_comment) = (String::with_capacity(source.len()), false);
    for line in source.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if !is_comment && !line.is_empty() && !line.starts_with("//") {
            out.push_str(line);
            out.push('\n');
        }
        is_comment &= !line.ends_with("*/");
    }
    out
}

/// Puts parts where the template names them. What stands in a part is not looked at again.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let (name, after) = after.split_once("}}").expect("the template closes what it opens");
        let part = parts.iter().find(|part| part.0 == name);
        out.push_str(&part.expect("the template names known parts").1);
        rest = after;
    }
    out + rest
}

/// The instants of a schedule as those of the page: of several, one clock is made.
fn times(sheets: &[Sheet]) -> Common {
    let times: Vec<&Time> = sheets.iter().map(|sheet| &sheet.account.time).collect();
    Common::of(&times)
}

#[cfg(test)]
mod tests;
