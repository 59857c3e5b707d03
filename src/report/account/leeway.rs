//! How much later each step could start, and what it waits for, as long as every unit keeps its sequence.
//!
//! Each step moves with all that it takes; setups that are work stay where they are. A step pushes those that follow it in its order or on one of its
//! units, as far as the gaps between them ask for; so how far one may move follows from how far those may that
//! it pushes. No order may then finish after its due instant, nor later than it does where it is late; one
//! without a due instant not after the last end of all; orders that wait for others stay where they are. What is given can be had, whatever else holds: a step
//! moves to where it fits its calendars, as far as the plan knows them, and one that pauses does not move.

use super::Use;
use std::collections::HashMap;
use takt_plant::{OrderId, Plan, StepId};
use takt_spec::Spec;
use takt_spec::schedule::{Kind, Row, Schedule};

/// The steps of a schedule, in the sequence in which its rows tell of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leeway {
    pub jobs: Vec<Job>,
    /// For each row of the schedule the step that it belongs to: of a hold that with which it begins.
    pub of_rows: Vec<Option<usize>>,
}

/// A step of an order with its times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// The order's position in the account.
    pub order: usize,
    pub step: String,
    pub start: i64,
    pub end: i64,
    /// It is settled: it has begun, or stands as it is.
    pub is_fact: bool,
    /// How much later it could start; `None` for facts.
    pub slack: Option<i64>,
    /// A step that it starts right after, and could not start before.
    pub after: Option<usize>,
}

/// A unit is taken, from the start of one step until the end of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Taken {
    start: i64,
    end: i64,
    first: usize,
    last: usize,
    stands: bool,
}

/// If `before` moves, `then` must as soon as the gap is used up.
#[derive(Clone, Copy, Debug)]
struct Push {
    before: usize,
    then: usize,
    gap: i64,
    /// What it runs into is a setup that has a place of its own and stays there.
    stands: bool,
}

pub fn leeway(spec: &Spec, plan: &Plan, uses: &[Use], schedule: &Schedule) -> Leeway {
    let mut found = Jobs::of(plan, schedule);
    let mut most = found.most(spec, plan, schedule);
    let mut pushes = found.precedence(plan, &mut most);
    found.between_orders(plan, &mut most);
    let stand = spec.resources.iter().filter_map(|of| of.setup.as_ref()).any(|of| of.is_work());
    pushes.extend(found.neighbours(plan, schedule, stand));
    for push in pushes.iter().filter(|push| push.gap == 0) {
        found.jobs[push.then].after.get_or_insert(push.before);
    }
    let places = Places::of(uses, schedule, &found);
    let slack = settle(&pushes, most, |job, most| places.fit(&found.jobs[job], job, most));
    for (job, slack) in found.jobs.iter_mut().zip(slack) {
        job.slack = (!job.is_fact).then_some(slack);
    }
    Leeway { jobs: found.jobs, of_rows: found.of_rows }
}

struct Jobs {
    jobs: Vec<Job>,
    /// Where each stands in the plan.
    steps: Vec<(OrderId, StepId)>,
    by_step: HashMap<(OrderId, StepId), usize>,
    of_rows: Vec<Option<usize>>,
}

impl Jobs {
    fn of(plan: &Plan, schedule: &Schedule) -> Jobs {
        let orders: HashMap<&str, OrderId> =
            plan.orders.entries().map(|(number, order)| (order.id.as_str(), number)).collect();
        let place = |row: &Row| {
            let order = *orders.get(row.order.as_str())?;
            let mut steps = plan.steps(order).entries();
            let step = steps.find(|(_, step)| step.is_written() && step.name == row.step)?.0;
            Some((order, step))
        };
        let mut found = Jobs {
            jobs: Vec::new(),
            steps: Vec::new(),
            by_step: HashMap::new(),
            of_rows: Vec::new(),
        };
        let places: Vec<_> = schedule.rows.iter().map(place).collect();
        for (row, place) in schedule.rows.iter().zip(&places) {
            let Some(place) = place.filter(|_| row.kind == Kind::Step) else { continue };
            found.by_step.entry(place).or_insert_with(|| {
                let is_fact = plan.facts.contains_key(&place);
                let (start, end, order) = (row.start, row.end, place.0.0);
                let step = row.step.clone();
                let (slack, after) = (None, None);
                found.jobs.push(Job { order, step, start, end, is_fact, slack, after });
                found.steps.push(place);
                found.jobs.len() - 1
            });
        }
        let job = |place: &Option<_>| found.by_step.get(place.as_ref()?).copied();
        found.of_rows = places.iter().map(job).collect();
        found
    }

    /// How far each may move for its order's sake.
    fn most(&self, spec: &Spec, plan: &Plan, schedule: &Schedule) -> Vec<i64> {
        let end = schedule.end();
        let mut finish: HashMap<usize, i64> = HashMap::new();
        for job in &self.jobs {
            let last = finish.entry(job.order).or_insert(job.end);
            *last = job.end.max(*last);
        }
        let most = |(job, &(order, _)): (&Job, &(OrderId, StepId))| {
            let own = &plan.orders[order];
            let limit = own.due.map_or(end, |due| due.max(finish[&job.order]));
            let limit = own.deadline.map_or(limit, |deadline| deadline.min(limit));
            let pins = spec.orders.get(job.order).map_or(&[][..], |order| &order.pins);
            let is_pinned =
                pins.iter().any(|pin| pin.step.value == job.step && pin.start.is_some());
            if is_pinned || job.is_fact { 0 } else { (limit - job.end).max(0) }
        };
        self.jobs.iter().zip(&self.steps).map(most).collect()
    }

    /// What the recipes ask for; the longest lags allow less.
    fn precedence(&self, plan: &Plan, most: &mut [i64]) -> Vec<Push> {
        let mut pushes = Vec::new();
        for (then, &(order, step)) in self.steps.iter().enumerate() {
            for link in &plan.steps(order)[step].after {
                let Some(&before) = self.by_step.get(&(order, link.before)) else { continue };
                let from = link.from.of(self.jobs[before].start, self.jobs[before].end);
                let lag = self.jobs[then].start - from;
                if let Some(max) = link.max {
                    most[then] = most[then].min((max - lag).max(0));
                }
                if lag >= link.min {
                    pushes.push(Push { before, then, gap: lag - link.min, stands: false });
                }
            }
        }
        pushes
    }

    /// Orders that wait for others stay where they are; only so long after these do they begin.
    fn between_orders(&self, plan: &Plan, most: &mut [i64]) {
        let mut first: HashMap<OrderId, i64> = HashMap::new();
        for (job, (order, _)) in self.jobs.iter().zip(&self.steps) {
            let start = first.entry(*order).or_insert(job.start);
            *start = job.start.min(*start);
        }
        // By when each group is over so that nobody who waits for it moves, and when it is over.
        let (mut until, mut finish) = (HashMap::new(), HashMap::new());
        for (order, start) in &first {
            for link in &plan.orders[*order].after {
                let until = until.entry(link.group).or_insert(i64::MAX);
                *until = (start - link.min).min(*until);
            }
        }
        for (job, (order, _)) in self.jobs.iter().zip(&self.steps) {
            for group in &plan.orders[*order].groups {
                let finish = finish.entry(*group).or_insert(job.end);
                *finish = job.end.max(*finish);
            }
        }
        for (k, (job, (order, _))) in self.jobs.iter().zip(&self.steps).enumerate() {
            let own = &plan.orders[*order];
            for until in own.groups.iter().filter_map(|group| until.get(group)) {
                most[k] = most[k].min((until - job.end).max(0));
            }
            for link in own.after.iter().filter(|_| job.start == first[order]) {
                let latest = link.max.zip(finish.get(&link.group)).map(|(max, end)| end + max);
                most[k] = most[k].min(latest.map_or(i64::MAX, |at| (at - job.start).max(0)));
            }
        }
    }

    /// Who follows whom on each unit: steps, setups and holds.
    fn neighbours(&self, plan: &Plan, schedule: &Schedule, stand: bool) -> Vec<Push> {
        let mut lines: HashMap<(&str, &str), Vec<Taken>> = HashMap::new();
        for (row, job) in schedule.rows.iter().zip(&self.of_rows) {
            let Some(first) = *job else { continue };
            let last = if row.kind == Kind::Hold { self.last_of(plan, first, row) } else { first };
            let line = lines.entry((&row.resource, &row.unit)).or_default();
            let (start, end, stands) = (row.start, row.end, stand && row.kind == Kind::Setup);
            line.push(Taken { start, end, first, last, stands });
        }
        let mut lines: Vec<_> = lines.into_iter().filter(|(of, _)| !of.0.is_empty()).collect();
        lines.sort_unstable_by_key(|(of, _)| *of);
        let mut pushes = Vec::new();
        for (_, mut line) in lines {
            line.sort_unstable();
            for pair in line.windows(2) {
                let (one, next) = (pair[0], pair[1]);
                if one.last != next.first && next.start >= one.end {
                    let (before, then, stands) = (one.last, next.first, next.stands);
                    pushes.push(Push { before, then, gap: next.start - one.end, stands });
                }
            }
        }
        pushes
    }

    /// The step with which a hold ends.
    fn last_of(&self, plan: &Plan, first: usize, row: &Row) -> usize {
        let (order, from) = self.steps[first];
        let recipe = plan.recipe(order);
        let own = recipe.holds.iter().filter(|hold| hold.from == from);
        let own = own.filter(|hold| plan.resources[hold.resource].name == row.resource);
        let mut ends = own.filter_map(|hold| self.by_step.get(&(order, hold.until)).copied());
        ends.find(|&job| self.jobs[job].end == row.end).unwrap_or(first)
    }
}

/// How far each may move: as far as it may itself, and as those let it that it pushes. Who stands in a
/// circle does not move.
fn settle(pushes: &[Push], most: Vec<i64>, fit: impl Fn(usize, i64) -> i64) -> Vec<i64> {
    let mut waiting = vec![0_usize; most.len()];
    let mut into: Vec<Vec<Push>> = vec![Vec::new(); most.len()];
    for push in pushes {
        waiting[push.before] += 1;
        into[push.then].push(*push);
    }
    let mut ready: Vec<usize> = (0..most.len()).filter(|&job| waiting[job] == 0).collect();
    let mut slack = vec![0; most.len()];
    let mut left = most;
    while let Some(job) = ready.pop() {
        slack[job] = fit(job, left[job]);
        for push in &into[job] {
            let room = if push.stands { 0 } else { slack[job] };
            left[push.before] = left[push.before].min(room.saturating_add(push.gap));
            waiting[push.before] -= 1;
            if waiting[push.before] == 0 {
                ready.push(push.before);
            }
        }
    }
    slack
}

/// The open time of the units that each step takes.
struct Places<'u> {
    windows: Vec<Vec<&'u [(i64, i64)]>>,
    pauses: Vec<bool>,
}

impl<'u> Places<'u> {
    fn of(uses: &'u [Use], schedule: &Schedule, found: &Jobs) -> Places<'u> {
        let units = uses.iter().flat_map(|of| of.units.iter().map(move |unit| (of, unit)));
        let open: HashMap<(&str, &str), &[(i64, i64)]> = units
            .filter_map(|(of, unit)| {
                Some(((of.name.as_str(), unit.name.as_str()), &unit.open.as_ref()?[..]))
            })
            .collect();
        let mut windows = vec![Vec::new(); found.jobs.len()];
        let mut pauses = vec![false; found.jobs.len()];
        for (row, job) in schedule.rows.iter().zip(&found.of_rows) {
            let Some(job) = job.filter(|_| row.kind == Kind::Step) else { continue };
            pauses[job] |= row.work.is_some_and(|work| work < row.end - row.start);
            let own = open.get(&(row.resource.as_str(), row.unit.as_str()));
            windows[job].extend(own.copied());
        }
        Places { windows, pauses }
    }

    /// The furthest place up to there that is open from its start to its end.
    fn fit(&self, job: &Job, number: usize, most: i64) -> i64 {
        if self.pauses[number] {
            return 0;
        }
        let mut by = most;
        loop {
            let fits = |by, open: &&[(i64, i64)]| fit(open, job, by);
            let next = self.windows[number].iter().fold(by, fits);
            if next == by || next <= 0 {
                return next.max(0);
            }
            by = next;
        }
    }
}

/// The same for one unit.
fn fit(open: &[(i64, i64)], job: &Job, most: i64) -> i64 {
    let length = job.end - job.start;
    let until = open.partition_point(|window| window.0 <= job.start + most);
    let places = open[..until].iter().rev().filter(|window| window.1 - window.0 >= length);
    let mut places = places.map(|window| (window.1 - length - job.start).min(most));
    places.next().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::account::account;
    use takt_diagnostic::FileId;
    use takt_spec::schedule::read_csv;

    /// `slack` of each step, with the step it waits for.
    fn told(text: &str, csv: &str) -> Vec<String> {
        let spec = takt_spec::read(text, FileId(0)).unwrap().0;
        let plan = takt_plant::plan(&spec).unwrap();
        let head = "kind,order,step,resource,unit,start,end,work\n";
        let schedule = read_csv(&format!("{head}{csv}"), FileId(1), &spec.time).unwrap();
        let jobs = account(&spec, &plan, &schedule).leeway.jobs;
        let name = |k: usize| format!("{}{}", spec.orders[jobs[k].order].id.value, jobs[k].step);
        let one = |k: usize| {
            let after =
                jobs[k].after.map_or(String::new(), |after| format!(" after {}", name(after)));
            let slack = jobs[k].slack.map_or("fact".to_owned(), |slack| slack.to_string());
            format!("{} {slack}{after}", name(k))
        };
        (0..jobs.len()).map(one).collect()
    }

    const SHOP: &str = "takt: 1
resources: {m: {}, n: {}}
recipes: {r: {steps: [{name: a, on: m, duration: 3}, {name: b, on: n, duration: 2}]}}
orders: [{id: X, recipe: r}, {id: Y, recipe: r, due: 20}]
";

    #[test]
    fn what_follows_is_pushed_as_far_as_the_last_end() {
        let rows =
            "step,X,a,m,1,0,3,3\nstep,Y,a,m,1,3,6,3\nstep,X,b,n,1,3,5,2\nstep,Y,b,n,1,7,9,2\n";
        // X may end with Y at 9, but pushes it on n; Y is due at 20.
        assert_eq!(told(SHOP, rows), ["Xa 4", "Ya 12 after Xa", "Xb 4 after Xa", "Yb 11"]);
    }

    #[test]
    fn late_orders_leave_nothing() {
        let rows =
            "step,Y,a,m,1,0,3,3\nstep,Y,b,n,1,4,6,2\nstep,X,a,m,1,3,6,3\nstep,X,b,n,1,6,8,2\n";
        let late = SHOP.replace("due: 20", "due: 1");
        assert_eq!(told(&late, rows), ["Ya 0", "Yb 0", "Xa 0 after Ya", "Xb 0 after Xa"]);
    }

    #[test]
    fn orders_that_wait_for_others_are_not_pushed() {
        let rows =
            "step,X,a,m,1,0,3,3\nstep,X,b,n,1,3,5,2\nstep,Y,a,m,1,8,11,3\nstep,Y,b,n,1,11,13,2\n";
        // Y starts at least 1 and at most 4 after X, which is over at 5.
        let links = SHOP.replace("due: 20", "due: 20, after: {X: {min: 1, max: 4}}");
        assert_eq!(told(&links, rows), ["Xa 2", "Xb 2 after Xa", "Ya 1", "Yb 7 after Ya"]);
        assert_eq!(told(SHOP, rows), ["Xa 8", "Xb 8 after Xa", "Ya 7", "Yb 7 after Ya"]);
    }

    #[test]
    fn a_step_moves_into_open_windows_only() {
        let text = "takt: 1
calendars: {c: {windows: [[0, 10]], repeat: 24}}
resources: {m: {calendar: c}}
recipes: {r: {steps: [{name: a, on: m, duration: 4}]}}
orders: [{id: X, recipe: r, due: 27}, {id: Y, recipe: r, count: 6}]
";
        // Until 27 nothing fits the second day; the last place is from 6 to 10.
        assert_eq!(told(text, "step,X,a,m,1,1,5,4\n"), ["Xa 5"]);
        let later = text.replace("due: 27", "due: 29");
        assert_eq!(told(&later, "step,X,a,m,1,1,5,4\n"), ["Xa 24"]);
    }
}
