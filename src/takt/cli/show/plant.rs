//! What a spec with orders means: orders, open time, load.

use serde_json::{Value, json};
use std::fmt::Write;
use takt_plant::{Load, Plan, Way};
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
        match self.spec.time.civil(instant) {
            Some(civil) => civil.strftime("%a %Y-%m-%d %H:%M").to_string(),
            None => instant.to_string(),
        }
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
        out.push_str("\nload: work asked for by orders due then, against open time of all units\n");
        for load in takt_plant::loads(self.spec, plan) {
            let _ = writeln!(out, "  {}", self.load(&load));
        }
        for heuristic in &plan.heuristics {
            let verdict = if heuristic.is_safe {
                "safe: it keeps an optimal schedule"
            } else {
                "not safe: it may lose the optimum"
            };
            let _ = writeln!(out, "\nheuristic {}: {verdict}", heuristic.rule);
        }
        if let Some(conflict) = &plan.conflict {
            let _ = writeln!(out, "\ninfeasible: {}", conflict.message);
        }
        out
    }

    fn orders(&self, out: &mut String) {
        out.push_str("\norders\n");
        for (number, order) in self.plan.orders.entries().take(ORDERS) {
            let recipe = &self.plan.recipes[order.recipe].name;
            let _ = write!(out, "  {} ({recipe})", order.id);
            let dates = [("due", order.due), ("deadline", order.deadline)];
            let release = Some(order.release).filter(|&release| release > 0);
            for (what, date) in [("release", release)].into_iter().chain(dates) {
                if let Some(date) = date {
                    let _ = write!(out, ", {what} {}", self.at(date));
                }
            }
            let steps = self.plan.steps(number).iter().map(|step| {
                let ways: Vec<String> = takt_plant::ways(self.plan, step).iter().map(way).collect();
                format!("{} {}", step.name, ways.join(" or "))
            });
            let _ = writeln!(out, "\n    {}", steps.collect::<Vec<_>>().join("; "));
        }
        if self.plan.orders.len() > ORDERS {
            let _ = writeln!(out, "  ... and {} more", self.plan.orders.len() - ORDERS);
        }
    }

    fn calendars(&self, out: &mut String) {
        for pool in &self.plan.pools {
            let Some(calendar) = pool.calendar else { continue };
            let resource = &self.plan.resources[pool.resource];
            let units: Vec<&str> = pool.units.iter().map(|&u| resource.units[u].as_str()).collect();
            let windows = &self.plan.calendars[calendar].windows;
            let _ = writeln!(out, "\nopen time of {} ({})", resource.name, units.join(", "));
            for window in windows.iter().take(WINDOWS) {
                let length = window.close - window.open;
                let (open, close) = (self.at(window.open), self.at(window.close));
                let _ = writeln!(out, "  {open} to {close}, {length}");
            }
            if windows.len() > WINDOWS {
                let _ = writeln!(out, "  and so on: {} windows", windows.len());
            }
        }
    }

    fn load(&self, load: &Load) -> String {
        let when = match load.period {
            None => "without a date or later".to_owned(),
            Some(period) => format!("{} to {}", self.at(period.from), self.at(period.to)),
        };
        let work = match load.least == load.most {
            true => load.least.to_string(),
            false => format!("{} to {}", load.least, load.most),
        };
        let capacity = load.capacity.map(|capacity| {
            let mark = if load.least > capacity { "  (more than there is)" } else { "" };
            format!(" of {capacity}{mark}")
        });
        format!("{:12} {when}: {work}{}", load.resource, capacity.unwrap_or_default())
    }

    pub fn json(&self) -> Value {
        let plan = self.plan;
        let orders = plan.orders.entries().map(|(number, order)| {
            let steps = plan.steps(number).iter().map(|step| {
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
            "infeasible": plan.conflict.as_ref().map(|conflict| conflict.message.clone()),
        })
    }
}

fn needs(way: &Way) -> Value {
    let pairs = way.needs.iter().map(|(name, amount)| (name.clone(), Value::from(*amount)));
    Value::Object(pairs.collect())
}

fn way(way: &Way) -> String {
    let needs: Vec<String> = (way.needs.iter())
        .map(|(name, n)| if *n == 1 { name.clone() } else { format!("{n} {name}") })
        .collect();
    let on = if needs.is_empty() { String::new() } else { format!(" on {}", needs.join(" + ")) };
    format!("{}{on}", way.duration)
}

fn some(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
