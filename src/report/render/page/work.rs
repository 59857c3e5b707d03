//! Steps and what they take, as columns: each step once, with a bar for each of its units.

use super::data::{Names, Units, differences};
use crate::render::Sheet;
use crate::render::sequence::Sequence;
use crate::render::svg::Clock;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use takt_spec::schedule::{Kind, Row};

/// By start.
#[derive(Serialize)]
pub struct Jobs {
    /// -1: of none.
    order: Vec<i64>,
    step: Vec<usize>,
    start: Vec<i64>,
    length: Vec<i64>,
    /// -1: it is settled. Layouts have none.
    slack: Option<Vec<i64>>,
    /// -1: it waits for no other.
    after: Option<Vec<i64>>,
    facts: Vec<usize>,
    /// When those work that pause.
    work: Vec<(usize, Vec<i64>)>,
}

#[derive(Serialize)]
pub struct Bars {
    /// -1: none.
    unit: Vec<i64>,
    job: Vec<i64>,
}

/// Holds or setups.
#[derive(Serialize)]
pub struct Spans {
    unit: Vec<usize>,
    /// Of a hold that with which it begins.
    job: Vec<usize>,
    start: Vec<i64>,
    length: Vec<i64>,
}

/// A step of an order, or an operation of a machine, with the rows that tell of it.
struct Job<'a> {
    row: &'a Row,
    order: Option<usize>,
    slack: Option<i64>,
    after: Option<usize>,
    is_fact: bool,
}

pub struct Work<'a> {
    clock: Clock,
    /// By start.
    jobs: Vec<Job<'a>>,
    /// Unit and job of each bar.
    taken: Vec<(Option<usize>, usize)>,
    /// Holds and setups: unit and job.
    beside: Vec<(&'a Row, usize, usize)>,
}

impl<'a> Work<'a> {
    pub fn of(sheet: &Sheet<'a>, units: &Units, clock: Clock) -> Work<'a> {
        let account = sheet.account;
        let orders: BTreeMap<&str, usize> =
            account.orders.iter().enumerate().map(|(k, order)| (order.id.as_str(), k)).collect();
        let of_rows: HashMap<*const Row, usize> = (sheet.schedule.rows.iter())
            .zip(&account.leeway.of_rows)
            .filter_map(|(row, job)| Some((std::ptr::from_ref(row), (*job)?)))
            .collect();
        let known = |row: &Row| of_rows.get(&std::ptr::from_ref(row)).copied();
        let rows = Sequence::of(sheet.spec).sorted(&sheet.schedule.rows);
        let mut numbers: HashMap<(&str, &str, i64), usize> = HashMap::new();
        let mut of_account: Vec<Option<usize>> = vec![None; account.leeway.jobs.len()];
        let mut work = Work { clock, jobs: Vec::new(), taken: Vec::new(), beside: Vec::new() };
        let takes = |row: &&&Row| matches!(row.kind, Kind::Step | Kind::Op);
        for row in rows.iter().filter(takes) {
            // An order may have operations of one name several times.
            let again = if row.kind == Kind::Op { row.start } else { 0 };
            let resource = if row.order.is_empty() { row.resource.as_str() } else { &row.order };
            let number = *numbers.entry((resource, &row.step, again)).or_insert(work.jobs.len());
            if number == work.jobs.len() {
                let figures = known(row).map(|job| (job, &account.leeway.jobs[job]));
                if let Some((job, _)) = figures {
                    of_account[job] = Some(number);
                }
                work.jobs.push(Job {
                    row,
                    order: orders.get(row.order.as_str()).copied(),
                    slack: figures.and_then(|(_, job)| job.slack),
                    after: figures.and_then(|(_, job)| job.after),
                    is_fact: figures.is_some_and(|(_, job)| job.is_fact),
                });
            }
            work.taken.push((units.number(row), number));
        }
        for job in &mut work.jobs {
            job.after = job.after.and_then(|after| of_account[after]);
        }
        let beside = rows.iter().filter(|row| matches!(row.kind, Kind::Hold | Kind::Setup));
        let beside = beside.filter_map(|row| {
            let job = of_account[known(row)?]?;
            Some((*row, units.number(row)?, job))
        });
        work.beside = beside.collect();
        work
    }

    pub fn jobs(&self, sheet: &Sheet, names: &mut Names) -> Jobs {
        let stretches = &sheet.account.stretches;
        let pauses = self.jobs.iter().enumerate().filter(|_| !stretches.is_empty());
        let pauses = pauses.filter_map(|(k, job)| {
            let own = stretches.get(&(job.row.order.clone(), job.row.step.clone()))?;
            let own = own.iter().flat_map(|one| [self.clock.at(one.0), self.clock.at(one.1)]);
            Some((k, differences(own)))
        });
        let facts = self.jobs.iter().enumerate().filter(|(_, job)| job.is_fact).map(|(k, _)| k);
        let is_plant = sheet.rhythm.is_none();
        let slack =
            |job: &Job| job.slack.map_or(-1, |slack| slack.saturating_mul(self.clock.factor));
        Jobs {
            order: self.jobs.iter().map(|job| or_none(job.order)).collect(),
            step: self.jobs.iter().map(|job| names.number(&job.row.step)).collect(),
            start: differences(self.jobs.iter().map(|job| self.clock.at(job.row.start))),
            length: self.jobs.iter().map(|job| self.length(job.row)).collect(),
            slack: is_plant.then(|| self.jobs.iter().map(slack).collect()),
            after: is_plant.then(|| self.jobs.iter().map(|job| or_none(job.after)).collect()),
            facts: facts.collect(),
            work: pauses.collect(),
        }
    }

    pub fn bars(&self) -> Bars {
        Bars {
            unit: self.taken.iter().map(|taken| or_none(taken.0)).collect(),
            job: differences(self.taken.iter().map(|taken| taken.1 as i64)),
        }
    }

    pub fn spans(&self, kind: Kind) -> Spans {
        let own: Vec<_> = self.beside.iter().filter(|(row, ..)| row.kind == kind).collect();
        Spans {
            unit: own.iter().map(|one| one.1).collect(),
            job: own.iter().map(|one| one.2).collect(),
            start: differences(own.iter().map(|one| self.clock.at(one.0.start))),
            length: own.iter().map(|one| self.length(one.0)).collect(),
        }
    }

    fn length(&self, row: &Row) -> i64 {
        self.clock.at(row.end) - self.clock.at(row.start)
    }
}

fn or_none(number: Option<usize>) -> i64 {
    number.map_or(-1, |number| number as i64)
}
