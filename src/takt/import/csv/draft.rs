//! The text of the draft: comments that say what was guessed, and a spec that reads the table.

use super::Origin;
use super::guess::Table;
use super::names::{self, Meaning};
use crate::import::write::quoted;
use std::collections::BTreeSet;
use std::fmt::Write;

/// More names than these are not written out one by one.
const MAX_NAMES: usize = 100_000;

pub(super) fn spec(table: &Table, name: &str, origin: Origin) -> String {
    let draft = Draft { table, origin };
    let mut out = String::new();
    draft.comments(&mut out);
    let _ = writeln!(out, "\ntakt: 1\nname: {}", quoted(name));
    draft.time(&mut out);
    match table.is_routing {
        true => draft.of_steps(&mut out),
        false => draft.of_orders(&mut out),
    }
    out
}

struct Draft<'t> {
    table: &'t Table,
    origin: Origin<'t>,
}

impl Draft<'_> {
    fn comments(&self, out: &mut String) {
        let table = self.table;
        let kind = if table.is_routing { "steps, one per row" } else { "orders, one per row" };
        let rows = table.rows.len();
        let path = one_line(self.origin.path);
        let _ = writeln!(out, "# A draft for the table {path}: {kind}, {rows} rows.");
        let _ = writeln!(out, "# Guessed from what it looks like; look it over:");
        let _ = writeln!(out, "#   separator {}", sign(table.separator));
        if self.origin.is_latin1 {
            let _ = writeln!(out, "#   encoding latin1: its bytes are no UTF-8");
        }
        if table.decimal.is_some() {
            let _ = writeln!(out, "#   decimals have a comma");
        }
        if let Some(dates) = &table.dates {
            let other = dates.other.as_ref();
            let other = other.map(|other| format!(", but {other} fits all of them as well"));
            let _ = writeln!(out, "#   dates {}{}", dates.pattern, other.unwrap_or_default());
        }
        for (place, column) in table.header.iter().enumerate() {
            let meanings = table.meanings.iter().filter(|(_, known)| **known == place);
            let meanings: Vec<&str> = meanings.map(|(meaning, _)| said(*meaning)).collect();
            let meaning = match (meanings.is_empty(), table.is_routing) {
                (false, _) => meanings.join(", "),
                (true, false) => "no key; expressions may use it as an attribute".to_owned(),
                (true, true) => "no key; `duration` may use it".to_owned(),
            };
            let _ = writeln!(out, "#   column {}: {meaning}", one_line(column));
        }
        if table.odd_rows > 0 {
            let _ =
                writeln!(out, "# {} rows have not as many cells as the header.", table.odd_rows);
        }
        if let Some(place) = self.ids().filter(|&place| !table.is_unique(place)) {
            let column = one_line(&table.header[place]);
            let _ = writeln!(out, "# Ids of orders are unique, but {column} is not in all rows.");
        }
    }

    /// The column whose values must be unique.
    fn ids(&self) -> Option<usize> {
        self.table.place(Meaning::Order).filter(|_| !self.table.is_routing)
    }

    fn time(&self, out: &mut String) {
        let earliest = self.table.dates.as_ref().and_then(|dates| dates.earliest.as_deref());
        let has_seconds =
            self.table.dates.as_ref().is_some_and(|dates| dates.pattern.contains("ss"));
        let unit = if has_seconds { "second" } else { "minute" };
        out.push('\n');
        if let Some(day) = earliest {
            let _ = writeln!(
                out,
                "# To be filled in: when planning begins (this is the earliest date)."
            );
            let _ = writeln!(out, "time: {{unit: {unit}, start: {day}T00:00}}");
        } else {
            let _ = writeln!(out, "time: {{unit: minute}}");
        }
    }

    fn of_orders(&self, out: &mut String) {
        let recipes = self.names(Meaning::Recipe);
        out.push_str("\n# To be filled in: the machines, and how things are made on them.\n");
        out.push_str("resources:\n  machine: {}\n\nrecipes:\n");
        let steps = "{steps: [{name: make, on: machine, duration: 1h}]}";
        for name in recipes.iter().map(String::as_str).chain(recipes.is_empty().then_some("make")) {
            let _ = writeln!(out, "  {}: {steps}", word(name));
        }
        out.push_str("\norders:\n");
        let _ = writeln!(out, "  - file: {}", word(self.origin.path));
        self.dialect(out, "    ");
        let keys = [
            (Meaning::Order, "id"),
            (Meaning::Recipe, "recipe"),
            (Meaning::Release, "release"),
            (Meaning::Due, "due"),
            (Meaning::Deadline, "deadline"),
            (Meaning::Size, "size"),
            (Meaning::Family, "family"),
            (Meaning::DelayCost, "delay-cost"),
        ];
        self.columns(out, "    ", &keys, None);
        if self.table.place(Meaning::Order).is_none() {
            out.push_str("    # No column seems to hold ids: `columns: {id: …}` names it.\n");
        }
        if recipes.is_empty() {
            out.push_str("    recipe: make\n");
        }
        let due = self.table.place(Meaning::Due).map(|place| self.table.column(place).count());
        let objective = match (self.table.place(Meaning::DelayCost), due) {
            (Some(_), _) => "cost",
            (None, Some(count)) if count == self.table.rows.len() => {
                out.push_str("    delay-cost: 1\n");
                "cost"
            }
            _ => "makespan",
        };
        let _ = writeln!(out, "\nobjective: {objective}");
    }

    fn of_steps(&self, out: &mut String) {
        let table = self.table;
        out.push_str("\n# To be filled in: how many there are of each, and when they work.\n");
        out.push_str("resources:\n");
        for name in self.resources() {
            let _ = writeln!(out, "  {}: {{}}", word(&name));
        }
        let _ = writeln!(out, "\nroutings:\n  file: {}", word(self.origin.path));
        self.dialect(out, "  ");
        let keys = [
            (Meaning::Order, "order"),
            (Meaning::Recipe, "recipe"),
            (Meaning::Step, "step"),
            (Meaning::On, "on"),
            (Meaning::Family, "family"),
        ];
        let duration = self.duration();
        self.columns(out, "  ", &keys, duration.as_ref());
        if duration.is_none() {
            out.push_str("  # No column seems to hold times.\n  duration: 1h\n");
        }
        if table.place(Meaning::Step).is_none() {
            out.push_str("  # No column seems to name the steps: `columns: {step: …}` does.\n");
        }
        out.push_str("\n# To be filled in: when they are due, how many pieces they are (`size`), and so on.\n");
        let is_own = table.place(Meaning::Order).is_some();
        let made = self.names(if is_own { Meaning::Order } else { Meaning::Recipe });
        if made.is_empty() {
            out.push_str(
                "# No column seems to say what the steps belong to: `columns: {recipe: …}` does.\n",
            );
            out.push_str("orders: []\n");
            return;
        }
        out.push_str("orders:\n");
        let size = if table.place(Meaning::UnitTime).is_some() { ", size: 1" } else { "" };
        for name in &made {
            match is_own {
                true => _ = writeln!(out, "  - {{id: {}{size}}}", word(name)),
                false => {
                    _ = writeln!(out, "  - {{id: {}, recipe: {}{size}}}", word(name), word(name))
                }
            }
        }
    }

    /// How the table is written, where that is not what takt expects.
    fn dialect(&self, out: &mut String, indent: &str) {
        let table = self.table;
        if table.separator != ',' {
            let name = if table.separator == '\t' {
                "tab".to_owned()
            } else {
                quoted(&table.separator.to_string())
            };
            let _ = writeln!(out, "{indent}separator: {name}");
        }
        if let Some(decimal) = table.decimal {
            let _ = writeln!(out, "{indent}decimal: {}", quoted(&decimal.to_string()));
        }
        if self.origin.is_latin1 {
            let _ = writeln!(out, "{indent}encoding: latin1");
        }
        if let Some(dates) = table.dates.as_ref().filter(|dates| !dates.is_own && !table.is_routing)
        {
            let _ = writeln!(out, "{indent}dates: {}", quoted(&dates.pattern));
        }
    }

    /// `columns`, as far as the names are not those of the keys already.
    fn columns(
        &self,
        out: &mut String,
        indent: &str,
        keys: &[(Meaning, &str)],
        duration: Option<&Duration>,
    ) {
        let mut lines = Vec::new();
        for &(meaning, key) in keys {
            let Some(place) = self.table.place(meaning) else { continue };
            let column = &self.table.header[place];
            if column != key {
                lines.push((key.to_owned(), word(column)));
            }
        }
        if let Some(duration) = duration {
            lines.extend(duration.names.iter().cloned());
            lines.push(("duration".to_owned(), quoted(&duration.text)));
        }
        if !lines.is_empty() {
            let _ = writeln!(out, "{indent}columns:");
        }
        for (key, column) in lines {
            let _ = writeln!(out, "{indent}  {key}: {column}");
        }
    }

    /// All values of a column, each once, in their sequence.
    fn names(&self, meaning: Meaning) -> Vec<String> {
        let Some(place) = self.table.place(meaning) else { return Vec::new() };
        let mut seen = BTreeSet::new();
        let values = self.table.column(place).filter(|value| seen.insert(value.to_string()));
        values.take(MAX_NAMES).map(str::to_owned).collect()
    }

    /// What the steps take, also where a cell names several.
    fn resources(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        for cell in self.names(Meaning::On) {
            for part in cell.split(['|', '+']).map(str::trim).filter(|part| !part.is_empty()) {
                let name = part.rsplit_once('*').map_or(part, |(name, _)| name.trim_end());
                if seen.insert(name.to_owned()) {
                    all.push(name.to_owned());
                }
            }
        }
        if all.is_empty() { vec!["machine".to_owned()] } else { all }
    }

    /// How long steps take: a column with its unit, or what setup and pieces take.
    fn duration(&self) -> Option<Duration> {
        let mut names = Vec::new();
        let mut term = |meaning: Meaning, name: &str| {
            let place = self.table.place(meaning)?;
            let column = &self.table.header[place];
            let spoken = if is_name(column) {
                column.clone()
            } else {
                names.push((name.to_owned(), word(column)));
                name.to_owned()
            };
            let is_bare = self
                .table
                .column(place)
                .all(|cell| super::guess::is_number(cell, self.table.decimal.unwrap_or('.')));
            let unit = names::unit(column).unwrap_or("min");
            Some(if is_bare { format!("{spoken} * 1{unit}") } else { spoken })
        };
        let setup = term(Meaning::SetupTime, "setup_time");
        let unit = term(Meaning::UnitTime, "unit_time");
        let text = match (setup, unit) {
            (Some(setup), Some(unit)) => format!("{setup} + size * {unit}"),
            (None, Some(unit)) => format!("size * {unit}"),
            (setup, None) => {
                let work = term(Meaning::Duration, "work_time");
                let parts: Vec<String> = setup.into_iter().chain(work).collect();
                (!parts.is_empty()).then(|| parts.join(" + "))?
            }
        };
        Some(Duration { text, names })
    }
}

/// An expression, and names for the columns whose own names it cannot speak of.
struct Duration {
    text: String,
    names: Vec<(String, String)>,
}

fn said(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Order => "the order's id",
        Meaning::Recipe => "the recipe",
        Meaning::Step => "the name of the step",
        Meaning::On => "what the step takes",
        Meaning::SetupTime => "the time before the first piece",
        Meaning::UnitTime => "the time of each piece",
        Meaning::Duration => "how long the step takes",
        Meaning::Deadline => "the deadline",
        Meaning::Due => "the due date",
        Meaning::Release => "the release",
        Meaning::Size => "the size",
        Meaning::Family => "the family for setups",
        Meaning::DelayCost => "the cost of being late",
    }
}

fn sign(separator: char) -> String {
    if separator == '\t' { "tab".to_owned() } else { format!("`{separator}`") }
}

/// A name in a comment: nothing in it ends the line.
fn one_line(name: &str) -> String {
    format!(
        "`{}`",
        name.replace(
            |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}' || c == '\u{85}',
            " "
        )
    )
}

/// Whether an expression can speak of it, and means nothing else by it.
fn is_name(column: &str) -> bool {
    let is_begin = column.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_begin && column != "size" && column.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A text as YAML: bare where that is the same text.
fn word(text: &str) -> String {
    let is_bare = text.starts_with(|c: char| c.is_alphabetic())
        && text.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c))
        && !["true", "false", "null", "y", "n", "yes", "no", "on", "off"]
            .contains(&text.to_lowercase().as_str());
    if is_bare { text.to_owned() } else { quoted(text) }
}
