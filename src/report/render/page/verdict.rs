//! What a plan is worth and how sure that is, in words: the first that is read.

use super::escape::in_html;
use super::{Alternative, Comparison, Headline, Sheet};
use crate::render::text::{count, steps};
use num_traits::{CheckedDiv, CheckedMul, CheckedSub, Zero};
use std::fmt::Write;
use takt_spec::Exact;

/// A value with its proof, and the figures that planners ask for first.
pub fn of_one(sheet: &Sheet) -> String {
    let mut out = String::new();
    let headline = sheet.headline;
    let _ = write!(
        out,
        "<div class=verdict><p class=value><span class=measure>{}</span> <strong>{}</strong> {}</p>\
         <p class=proof>{}</p>",
        in_html(&measure(headline)),
        in_html(headline.value.as_deref().unwrap_or("found")),
        badge(headline),
        in_html(&proof(headline)),
    );
    let credits = capital(&headline.credits);
    let credits = if credits.is_empty() { credits } else { format!("{credits}. ") };
    let _ = write!(
        out,
        "<p class=credits>{}Replayed on the automata and validated by a check that shares nothing with the search.</p>",
        in_html(&credits)
    );
    for note in &headline.notes {
        let _ = write!(out, "<p class=credits>{}.</p>", in_html(&capital(note)));
    }
    out.push_str("</div>");
    out.push_str(&figures(sheet));
    out
}

fn measure(headline: &Headline) -> String {
    match headline.objective.as_str() {
        "feasible" => "Schedule".to_owned(),
        "interval" => "One wafer every".to_owned(),
        objective => capital(objective),
    }
}

fn badge(headline: &Headline) -> String {
    let status = in_html(&headline.status);
    format!("<span class=\"badge {status}\">{status}</span>")
}

/// One sentence.
fn proof(headline: &Headline) -> String {
    let Headline { status, value, bound, objective, .. } = headline;
    let (Some(value), Some(bound)) = (value, bound) else {
        return match status.as_str() {
            "optimal" if value.is_none() => "A schedule was asked for, and this is one.".to_owned(),
            "infeasible" => "Proved: there is no schedule.".to_owned(),
            "unknown" => "No schedule was found.".to_owned(),
            _ => "How far it is from the best possible is not known.".to_owned(),
        };
    };
    if value == bound {
        return "Proved: no schedule is better.".to_owned();
    }
    let distance = match excess(value, bound) {
        Some(percent) => format!("At most {percent} percent from the best possible"),
        None => "The best possible is not known".to_owned(),
    };
    format!("{distance}: no {objective} below {bound} can be.")
}

/// By how many percent of the value the best possible is below it at most, rounded up: as the title of the chart says
/// it, exactly.
fn excess(value: &str, bound: &str) -> Option<String> {
    let (value, bound) = (exact(value)?, exact(bound)?);
    if bound <= Exact::zero() {
        return None;
    }
    let share = value.checked_sub(&bound)?.checked_div(&value)?;
    let tenths = share.checked_mul(&Exact::from(1000))?.ceil().to_integer();
    Some(format!("{}.{}", tenths / 10, tenths % 10))
}

/// `12`, `12.5`, `25/2`.
fn exact(text: &str) -> Option<Exact> {
    if text.contains('/') {
        return text.parse().ok();
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits: i128 = format!("{whole}{part}").parse().ok()?;
    let scale = 10_i128.checked_pow(u32::try_from(part.len()).ok()?)?;
    Some(Exact::new(digits, scale))
}

/// Figures beside each other, as many as there is something to tell.
fn figures(sheet: &Sheet) -> String {
    let account = sheet.account;
    let mut all: Vec<(&str, String, &str)> = Vec::new();
    if let Some(rhythm) = sheet.rhythm {
        let cycle = rhythm.cycle;
        all.push(("wafers per 1000", format!("{:.3}", rhythm.throughput() * 1000.0), ""));
        all.push(("in a cycle", format!("{} in {}", cycle.wafers, cycle.end - cycle.start), ""));
        all.push(("longest gap", rhythm.max_gap.to_string(), ""));
        all.push(("first wafer at", rhythm.first.to_string(), ""));
    } else {
        all.push(("orders", account.orders.len().to_string(), ""));
        all.push(("steps", steps(sheet).to_string(), ""));
        all.push(("ends", account.time.told(account.end), ""));
        late(sheet, &mut all);
        let rejected = account.orders.iter().filter(|order| order.start.is_none()).count();
        if rejected > 0 && rejected < account.orders.len() {
            all.push(("left out", count(rejected, "order"), ""));
        }
        if account.setup_time > 0 {
            all.push(("setup time", account.time.length(account.setup_time), ""));
        }
        for (kind, cost) in account.costs().filter(|(_, cost)| !cost.is_zero()) {
            let kind = match kind {
                "delay" => "cost of delay",
                "late" => "cost of being late",
                "moves" => "cost of moves",
                "storage" => "cost of storage",
                "holding" => "cost of holding",
                "setup" => "cost of setups",
                "run" => "cost of running",
                other => other,
            };
            all.push((kind, cost.to_string(), ""));
        }
    }
    let mut out = String::from("<dl class=figures>");
    for (name, value, class) in all {
        let (name, value) = (in_html(name), in_html(&value));
        let class = if class.is_empty() { String::new() } else { format!(" class={class}") };
        let _ = write!(out, "<div{class}><dt>{name}</dt><dd>{value}</dd></div>");
    }
    out + "</dl>"
}

fn late(sheet: &Sheet, all: &mut Vec<(&str, String, &str)>) {
    let account = sheet.account;
    let due = account.orders.iter().filter(|order| order.due.is_some()).count();
    if due == 0 {
        return;
    }
    let late = account.orders.iter().filter(|order| order.tardiness() > 0).count();
    let class = if late > 0 { "bad" } else { "good" };
    all.push(("on time", format!("{} of {due}", due - late), class));
    if late > 0 {
        all.push(("late at most", account.time.length(account.max_tardiness()), "bad"));
        let all_of_it = account.time.length(account.total_tardiness());
        all.push(("late together", all_of_it, ""));
    }
}

/// Alternatives in a table, the verdict of each below it.
pub fn of_several(comparison: &Comparison) -> String {
    let mut out = String::from(
        "<div class=scroll><table class=compare><thead><tr><th scope=col>Alternative<th scope=col>Status\
         <th scope=col class=n>Value<th scope=col class=n>Bound<th scope=col class=n>Ends\
         <th scope=col class=n>Late<th scope=col class=n>Orders moved</tr></thead><tbody>",
    );
    let changes = comparison.changes();
    for (one, changes) in comparison.all.iter().zip(&changes) {
        let account = one.sheet.map(|sheet| sheet.account);
        let dash = |text: Option<String>| in_html(&text.unwrap_or_else(|| "–".to_owned()));
        let late = |orders: &[crate::account::OrderFigures]| {
            orders.iter().filter(|order| order.tardiness() > 0).count().to_string()
        };
        let _ = write!(
            out,
            "<tr><th scope=row>{}<td>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}\
             <td class=n>{}</tr>",
            in_html(&one.headline.name),
            badge(one.headline),
            dash(one.headline.value.clone()),
            dash(one.headline.bound.clone()),
            dash(account.map(|account| account.time.told(account.end))),
            dash(account.map(|account| late(&account.orders))),
            dash(changes.as_ref().map(|changes| changes.moved.len().to_string())),
        );
    }
    out.push_str("</tbody></table></div>");
    for one in &comparison.all {
        out.push_str(&sentence(one));
    }
    out
}

fn sentence(one: &Alternative) -> String {
    let headline = one.headline;
    let mut words = vec![proof(headline)];
    if !headline.credits.is_empty() {
        words.push(format!("{}.", capital(&headline.credits)));
    }
    if let Some(sheet) = one.sheet.filter(|sheet| sheet.rhythm.is_none()) {
        let (orders, steps) = (sheet.account.orders.len(), steps(&sheet));
        words.push(format!("{}, {}.", count(orders, "order"), count(steps, "step")));
    }
    let name = in_html(&headline.name);
    format!("<p class=credits><b>{name}</b> {}</p>", in_html(&words.join(" ")))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_rounded_up_and_never_promised_too_small() {
        assert_eq!(excess("101", "100").as_deref(), Some("1.0"));
        assert_eq!(excess("100.001", "100").as_deref(), Some("0.1"));
        assert_eq!(excess("7/2", "3").as_deref(), Some("14.3"));
        assert_eq!(excess("5", "0"), None);
        assert_eq!(excess("many", "1"), None);
    }
}
