//! Tables that can be read without scripts: late orders, load, all orders, the first steps. They are cut
//! where pages would grow without end; the files beside the page have all of it.

use super::Sheet;
use super::escape::in_html;
use super::week::stretches;
use crate::account::{OrderFigures, shares};
use crate::render::sequence::Sequence;
use std::fmt::Write;
use takt_spec::schedule::{Kind, Row};

/// Of late orders, orders, and rows of the schedule.
const MOST: usize = 80;
/// The same for each of several schedules, and of resources.
const FEW: usize = 25;
/// Stretches of time beside each other.
const COLUMNS: usize = 12;

pub fn of(sheet: &Sheet, is_one_of_several: bool) -> String {
    let mut out = String::new();
    if is_one_of_several {
        let name = in_html(&sheet.headline.name);
        let _ = write!(out, "<h2 class=plan>{name}</h2>");
    }
    let most = if is_one_of_several { FEW } else { MOST };
    if sheet.rhythm.is_none() {
        out.push_str(&late(sheet, most));
    }
    out.push_str(&load(sheet));
    if sheet.rhythm.is_none() {
        out.push_str(&orders(sheet, most));
    }
    out.push_str(&steps(sheet, most));
    out
}

struct Table {
    out: String,
}

impl Table {
    /// Columns whose names begin with `#` hold numbers.
    fn new(class: &str, columns: &[&str]) -> Table {
        let mut out = format!("<div class=scroll><table class={class}><thead><tr>");
        for column in columns {
            let _ = match column.strip_prefix('#') {
                Some(column) => write!(out, "<th scope=col class=n>{}", in_html(column)),
                None => write!(out, "<th scope=col>{}", in_html(column)),
            };
        }
        out.push_str("</tr></thead><tbody>");
        Table { out }
    }

    /// The first cell names the row.
    fn row(&mut self, cells: &[(&str, &str)]) {
        self.out.push_str("<tr>");
        for (k, (class, text)) in cells.iter().enumerate() {
            let tag = if k == 0 { "th scope=row" } else { "td" };
            let class =
                if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
            let _ = write!(self.out, "<{tag}{class}>{}", in_html(&short(text)));
        }
        self.out.push_str("</tr>");
    }

    fn end(mut self, left_out: usize, file: &str) -> String {
        self.out.push_str("</tbody></table></div>");
        if left_out > 0 {
            let _ = write!(self.out, "<p class=more>and {left_out} more, in {file}</p>");
        }
        self.out
    }
}

/// Names may be of any length; pages are not.
fn short(text: &str) -> String {
    match text.chars().count() {
        0..=60 => text.to_owned(),
        _ => text.chars().take(59).chain(['…']).collect(),
    }
}

fn late(sheet: &Sheet, most: usize) -> String {
    let account = sheet.account;
    let mut late: Vec<&OrderFigures> =
        account.orders.iter().filter(|order| order.tardiness() > 0).collect();
    if late.is_empty() {
        return String::new();
    }
    late.sort_by_key(|order| std::cmp::Reverse(order.tardiness()));
    let columns = ["Order", "Recipe", "#Due", "#Finished", "#Late by", "#Cost of delay"];
    let mut table = Table::new("late", &columns);
    let told = |time: Option<i64>| time.map_or_else(String::new, |time| account.time.told(time));
    for order in late.iter().take(most) {
        table.row(&[
            ("", &order.id),
            ("", &order.recipe),
            ("n", &told(order.due)),
            ("n", &told(order.finish)),
            ("n bad", &account.time.length(order.tardiness())),
            ("n", &order.costs[0].to_string()),
        ]);
    }
    let table = table.end(late.len().saturating_sub(most), "orders.csv");
    format!("<section aria-label=\"Late orders\"><h2>Late orders</h2>{table}</section>")
}

/// How busy each resource is, stretch by stretch.
fn load(sheet: &Sheet) -> String {
    let account = sheet.account;
    if account.resources.is_empty() {
        return String::new();
    }
    let stretches = stretches(&account.time, account.end, COLUMNS);
    let shares = shares(account, sheet.schedule, &stretches.edges);
    let mut columns = vec!["Resource", "#In all"];
    let names: Vec<String> = stretches.names.iter().map(|name| format!("#{name}")).collect();
    columns.extend(names.iter().map(String::as_str));
    let mut table = Table::new("load", &columns);
    let mut busiest: Vec<usize> = (0..account.resources.len()).collect();
    let by_use = |k: &usize| account.resources[*k].utilisation;
    if busiest.len() > FEW {
        busiest.sort_by(|a, b| by_use(b).total_cmp(&by_use(a)));
    }
    for &k in busiest.iter().take(FEW) {
        let of = &account.resources[k];
        let mut cells = vec![(String::new(), of.name.clone()), cell(Some(of.utilisation))];
        cells.extend(shares[k].iter().map(|share| cell(share.share())));
        let cells: Vec<(&str, &str)> =
            cells.iter().map(|(class, text)| (class.as_str(), text.as_str())).collect();
        table.row(&cells);
    }
    let table = table.end(account.resources.len().saturating_sub(FEW), "summary.json");
    let what = match sheet.rhythm {
        Some(_) => "The share of time in which each component is busy; in all, that of a cycle.",
        None => "The share of open time in which each resource is taken.",
    };
    format!("<section aria-label=Load><h2>Load</h2><p class=about>{what}</p>{table}</section>")
}

/// A share of one, as a percentage on a ground that is darker the more it is.
fn cell(share: Option<f64>) -> (String, String) {
    let Some(share) = share else { return ("n closed".to_owned(), "closed".to_owned()) };
    let level = (share * 8.0).ceil().clamp(0.0, 9.0);
    (format!("n l{level:.0}"), format!("{:.0} %", share * 100.0))
}

fn orders(sheet: &Sheet, most: usize) -> String {
    let account = sheet.account;
    let columns = ["Order", "Recipe", "Family", "#Start", "#Finish", "#Due", "#Late by"];
    let mut table = Table::new("orders", &columns);
    let told = |time: Option<i64>| time.map_or_else(String::new, |time| account.time.told(time));
    for order in account.orders.iter().take(most) {
        let late = order.lateness().map_or_else(String::new, |late| account.time.length(late));
        let class = if order.tardiness() > 0 { "n bad" } else { "n" };
        table.row(&[
            ("", &order.id),
            ("", &order.recipe),
            ("", &order.family),
            ("n", &told(order.start)),
            ("n", &told(order.finish)),
            ("n", &told(order.due)),
            (class, &late),
        ]);
    }
    let table = table.end(account.orders.len().saturating_sub(most), "orders.csv");
    folded("Orders", account.orders.len(), &table)
}

fn steps(sheet: &Sheet, most: usize) -> String {
    let account = sheet.account;
    let rows = Sequence::of(sheet.spec).sorted(&sheet.schedule.rows);
    let columns = ["Order", "Step", "Resource", "Unit", "#Start", "#End"];
    let mut table = Table::new("steps", &columns);
    for row in rows.iter().take(most) {
        table.row(&[
            ("", &row.order),
            ("", &step(row)),
            ("", &row.resource),
            ("", &row.unit),
            ("n", &account.time.told(row.start)),
            ("n", &account.time.told(row.end)),
        ]);
    }
    let table = table.end(rows.len().saturating_sub(most), "schedule.csv");
    folded("Schedule", rows.len(), &table)
}

fn step(row: &Row) -> String {
    match row.kind {
        Kind::Hold => format!("{} (hold)", row.step),
        Kind::Setup => format!("{} (setup)", row.step),
        _ => row.step.clone(),
    }
}

/// Long lists are opened by whoever wants them.
fn folded(name: &str, number: usize, table: &str) -> String {
    format!(
        "<section aria-label={name}><details><summary><h2>{name}</h2> <span class=count>{number}</span>\
         </summary>{table}</details></section>"
    )
}
