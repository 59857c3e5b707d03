//! What a spec with orders means: orders, open time, load.

use super::load;
use serde_json::{Value, json};
use std::fmt::Write;
use takt_plant::{Conflict, OrderId, Plan, Role, Step, Way};
use takt_spec::Spec;

/// Windows of a calendar that are shown.
const WINDOWS: usize = 8;
/// Orders that are shown as text.
const ORDERS: usize = 50;

pub struct View<'a> {
    pub name: &'a str,
    pub spec: &'a Spec,
    pub plan: &'a Plan,
}

impl View<'_> {
    /// Civil time where it is known, else the number.
    fn at(&self, instant: i64) -> String {
        self.spec.time.told(instant)
    }

    pub fn text(&self) -> String {
        let (plan, unit) = (self.plan, self.spec.time.unit.name());
        let mut out = format!(
            "{}: {}, {}, objective {}; times in units of one {unit}\n",
            self.name,
            some(plan.orders.len(), "order"),
            some(plan.resources.len(), "resource"),
            self.spec.objective.name(),
        );
        self.orders(&mut out);
        self.calendars(&mut out);
        out.push_str(&load::text(&self.spec.time, &takt_plant::loads(self.spec, plan)));
        for heuristic in &plan.heuristics {
            let verdict = if heuristic.is_safe {
                "safe: it keeps an optimal schedule"
            } else {
                "not safe: it may lose the optimum"
            };
            let _ = writeln!(out, "\nheuristic {}: {verdict}", heuristic.rule);
        }
        self.conflicts(&mut out);
        out
    }

    /// Orders that cannot be made even if each were alone.
    fn conflicts(&self, out: &mut String) {
        let all = self.conflicting();
        if !all.is_empty() {
            out.push_str("\ninfeasible, whatever the others do:\n");
        }
        for conflict in all.iter().take(ORDERS) {
            let _ = writeln!(out, "  {}", conflict.message);
            for hint in conflict.hint.iter() {
                let _ = writeln!(out, "    hint: {hint}");
            }
        }
        if all.len() > ORDERS {
            let _ = writeln!(out, "  ... and {} more", all.len() - ORDERS);
        }
    }

    fn conflicting(&self) -> Vec<Conflict> {
        match self.plan.conflict {
            Some(_) => takt_plant::conflicts(self.plan, self.spec),
            None => Vec::new(),
        }
    }

    fn orders(&self, out: &mut String) {
        out.push_str("\norders\n");
        for (number, order) in self.plan.orders.entries().take(ORDERS) {
            let recipe = &self.plan.recipes[order.recipe].name;
            let _ = write!(out, "  {} ({recipe})", order.id);
            let dates = [("due", order.due), ("deadline", order.deadline)];
            let release = Some(order.release).filter(|&release| release > 0);
            if let Some(release) = release {
                let _ = write!(out, ", release {}", self.at(release));
            }
            for (what, date) in dates {
                if let Some(date) = date {
                    let _ = write!(out, ", {what} {}", self.spec.time.told_end(date));
                }
            }
            let steps = self.steps(number).map(|step| {
                if step.role == Role::Fact {
                    return format!("{} fixed", step.name);
                }
                let ways = takt_plant::ways(self.plan, step);
                let ways: Vec<String> = ways.iter().map(|way| self.way(way)).collect();
                format!("{} {}", step.name, ways.join(" or "))
            });
            let _ = writeln!(out, "\n    {}", steps.collect::<Vec<_>>().join("; "));
        }
        if self.plan.orders.len() > ORDERS {
            let _ = writeln!(out, "  ... and {} more", self.plan.orders.len() - ORDERS);
        }
    }

    /// Those of the recipe; what facts take is no step for people.
    fn steps(&self, order: OrderId) -> impl Iterator<Item = &Step> {
        let is_step = |step: &&Step| matches!(step.role, Role::Open | Role::Fact);
        self.plan.steps(order).iter().filter(is_step)
    }

    fn calendars(&self, out: &mut String) {
        for pool in &self.plan.pools {
            let Some(calendar) = pool.calendar else { continue };
            let resource = &self.plan.resources[pool.resource];
            let units: Vec<&str> = pool.units.iter().map(|&u| resource.units[u].as_str()).collect();
            let windows = &self.plan.calendars[calendar].windows;
            let _ = writeln!(out, "\nopen time of {} ({})", resource.name, units.join(", "));
            for window in windows.iter().take(WINDOWS) {
                let length = self.spec.time.work(window.close - window.open);
                let (open, close) = (self.at(window.open), self.spec.time.told_end(window.close));
                let _ = writeln!(out, "  {open} to {close}, {length}");
            }
            if windows.len() > WINDOWS {
                let _ = writeln!(out, "  and so on: {} windows", windows.len());
            }
        }
    }

    fn way(&self, way: &Way) -> String {
        let amount = |(name, n): &(String, i64)| match n {
            1 => name.clone(),
            _ => format!("{n} {name}"),
        };
        let needs: Vec<String> = way.needs.iter().map(amount).collect();
        let on =
            if needs.is_empty() { String::new() } else { format!(" on {}", needs.join(" + ")) };
        format!("{}{on}", self.spec.time.work(way.duration))
    }

    pub fn json(&self) -> Value {
        let plan = self.plan;
        let orders = plan.orders.entries().map(|(number, order)| {
            let steps = self.steps(number).map(|step| {
                let ways = takt_plant::ways(plan, step);
                let ways =
                    ways.iter().map(|way| json!({"needs": needs(way), "duration": way.duration}));
                json!({"name": step.name, "ways": ways.collect::<Value>()})
            });
            json!({
                "id": order.id, "recipe": plan.recipes[order.recipe].name,
                "release": order.release, "due": order.due, "deadline": order.deadline,
                "steps": steps.collect::<Value>(),
            })
        });
        let calendars = plan.pools.iter().filter_map(|pool| {
            let resource = &plan.resources[pool.resource];
            let windows = &plan.calendars[pool.calendar?].windows;
            let first = windows.iter().take(WINDOWS).map(|w| json!([w.open, w.close]));
            let units = pool.units.iter().map(|&unit| &resource.units[unit]).collect::<Vec<_>>();
            Some(json!({
                "resource": resource.name, "units": units,
                "windows": first.collect::<Value>(), "count": windows.len(),
            }))
        });
        let loads = takt_plant::loads(self.spec, plan).into_iter().map(|load| {
            json!({
                "resource": load.resource, "from": load.period.map(|p| p.from),
                "to": load.period.map(|p| p.to), "capacity": load.capacity,
                "least": load.least, "most": load.most,
            })
        });
        let heuristics =
            plan.heuristics.iter().map(|h| json!({"name": h.rule.name(), "safe": h.is_safe}));
        json!({
            "takt": 1, "spec": self.name, "objective": self.spec.objective.name(),
            "unit": self.spec.time.unit.name(), "horizon": plan.horizon,
            "orders": orders.collect::<Value>(), "calendars": calendars.collect::<Value>(),
            "load": loads.collect::<Value>(), "heuristics": heuristics.collect::<Value>(),
            "infeasible": self.conflicting().first().map(|conflict| conflict.message.clone()),
        })
    }
}

fn needs(way: &Way) -> Value {
    let pairs = way.needs.iter().map(|(name, amount)| (name.clone(), Value::from(*amount)));
    Value::Object(pairs.collect())
}

fn some(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
