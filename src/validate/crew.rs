//! Setups that are work: where their rows say when they run and who does them, whether that is right; where they do
//! not, whether there are places for all of them.
//!
//! That is a scheduling problem by itself: hard in general, easy in plants. The search gives whoever must be ready first
//! the first place, goes back where somebody finds none, and gives up after a while; then rows decide.

use super::Errors;
use super::capacity::{Use, uses};
use super::hold::Held;
use super::open::{self, Open};
use super::place::Job;
use super::plant::Plant;
use super::setup::{Demand, Rows, demands};
use takt_spec::schedule::Row;
use takt_spec::{Order, Step};

const PATIENCE: usize = 20_000;

/// A setup at its time.
pub struct Worked<'a> {
    pub order: &'a Order,
    pub step: &'a Step,
    pub start: i64,
    pub end: i64,
    /// What it takes: the resource, how much, and those of its units that are known.
    pub crew: Vec<(usize, usize, Vec<usize>)>,
}

/// All setups that are work, in their places.
pub fn derive<'a>(
    plant: &Plant<'a>,
    jobs: &[Job<'a>],
    holds: &[Held<'a>],
    rows: &mut Rows<'a>,
    errors: &mut Errors,
) -> Vec<Worked<'a>> {
    let (mut told, mut open) = (Vec::new(), Vec::new());
    for demand in demands(plant, jobs) {
        let (pool, unit) = (&plant.pools[demand.pool], demand.unit);
        let is_own =
            |row: &Row| pool.unit(&row.unit).is_ok_and(|row| row.is_none_or(|u| u == unit));
        let own = rows.take(demand.placed, pool.name(), is_own);
        match own.as_slice() {
            [] => open.push(demand),
            [row, others @ ..] => {
                if !others.is_empty() {
                    say(&demand, "setup-row", "has more than one setup row".to_owned(), errors);
                }
                let judge = Judge { plant, demand: &demand };
                told.push(judge.worked(row, rows, errors));
            }
        }
    }
    open.sort_by_key(|demand| demand.placed.start);
    if !open.is_empty() {
        let uses = uses(plant.pools.len(), jobs, holds, &told);
        let (placed, left) = Search::new(plant, &open, &uses).run();
        told.extend(placed);
        for demand in left.into_iter().map(|number| &open[number]) {
            Judge { plant, demand }.no_place(errors);
        }
    }
    told
}

fn say(demand: &Demand, rule: &'static str, message: String, errors: &mut Errors) {
    errors.push(demand.placed.order, demand.placed.step, rule, message);
}

/// One setup against its rows.
struct Judge<'p, 'd, 'j, 'a> {
    plant: &'p Plant<'a>,
    demand: &'d Demand<'j, 'a>,
}

impl<'a> Judge<'_, '_, '_, 'a> {
    fn worked(&self, row: &Row, rows: &mut Rows<'a>, errors: &mut Errors) -> Worked<'a> {
        let Demand { placed, ready, length, crew, .. } = self.demand;
        let (start, end) = (row.start, row.end);
        let lasts = i128::from(end) - i128::from(start);
        if lasts != i128::from(*length) {
            let [from, to] = &self.demand.change;
            let message = format!(
                "is set up for {lasts}, but the setup from `{from}` to `{to}` takes {length}"
            );
            say(self.demand, "setup", message, errors);
        }
        if start < *ready || end > placed.start {
            let show = |at: i64| self.plant.clock.show(at);
            let message = format!(
                "is set up from {} to {} on {}, but that lies between {} and {}",
                show(start),
                show(end),
                self.plant.pools[self.demand.pool].show(self.demand.unit),
                show(*ready),
                show(placed.start)
            );
            say(self.demand, "setup", message, errors);
        }
        let mut found = Vec::new();
        for (&pool, &amount) in crew {
            found.push((pool, amount, self.units(row, (pool, amount), rows, errors)));
        }
        self.is_open(start, end, &found, errors);
        Worked { order: placed.order, step: placed.step, start, end, crew: found }
    }

    /// Who does it, as rows of the same time tell.
    fn units(
        &self,
        setup: &Row,
        (number, amount): (usize, usize),
        rows: &mut Rows<'a>,
        errors: &mut Errors,
    ) -> Vec<usize> {
        let pool = &self.plant.pools[number];
        let left = std::cell::Cell::new(amount);
        let is_own = |row: &Row| {
            let is_own = left.get() > 0 && (row.start, row.end) == (setup.start, setup.end);
            left.set(left.get() - usize::from(is_own));
            is_own
        };
        let own = rows.take(self.demand.placed, pool.name(), is_own);
        if !own.is_empty() && own.len() < amount {
            let message = format!(
                "has {} rows for its setup on `{}`, which takes {amount}",
                own.len(),
                pool.name()
            );
            say(self.demand, "setup-row", message, errors);
        }
        let mut units = Vec::new();
        for row in own {
            match pool.unit(&row.unit) {
                Ok(unit) => units.extend(unit),
                Err(message) => say(self.demand, "setup-row", message, errors),
            }
        }
        units
    }

    /// Inside one window of the unit and of whoever is known.
    fn is_open(
        &self,
        start: i64,
        end: i64,
        crew: &[(usize, usize, Vec<usize>)],
        errors: &mut Errors,
    ) {
        let known = crew.iter().flat_map(|(pool, _, units)| match units.as_slice() {
            [] if !self.plant.pools[*pool].is_named => vec![(*pool, 0)],
            units => units.iter().map(|&unit| (*pool, unit)).collect(),
        });
        let all: Vec<(usize, usize)> =
            known.chain([(self.demand.pool, self.demand.unit)]).collect();
        if window(self.plant, self.demand, &all, start).is_none_or(|w| w.0 > start || w.1 < end) {
            let show = |at: i64| self.plant.clock.show(at);
            let message = format!(
                "is set up from {} to {}, not all of it in open time",
                show(start),
                show(end)
            );
            say(self.demand, "calendar", message, errors);
        }
    }

    fn no_place(&self, errors: &mut Errors) {
        let Demand { placed, ready, length, crew, change: [from, to], .. } = self.demand;
        let names: Vec<String> =
            crew.keys().map(|&pool| format!("`{}`", self.plant.pools[pool].name())).collect();
        let who = match names.is_empty() {
            true => String::new(),
            false => format!(" with {}", names.join(" and ")),
        };
        let message = format!(
            "starts at {} on {}, but the setup from `{from}` to `{to}` takes {length} and finds no time{who} from {} on",
            self.plant.clock.show(placed.start),
            self.plant.pools[self.demand.pool].show(self.demand.unit),
            self.plant.clock.show(*ready)
        );
        say(self.demand, "setup", message, errors);
    }
}

/// The window of all these units in which an instant lies, or the next one; without calendars all time.
fn window(plant: &Plant, demand: &Demand, units: &[(usize, usize)], at: i64) -> Option<(i64, i64)> {
    let calendars = units.iter().filter_map(|&(pool, unit)| plant.open(pool, Some(unit)));
    let calendars: Vec<&Open> =
        calendars.filter(|_| demand.keeps_calendar).map(|(_, open)| open).collect();
    if calendars.is_empty() {
        return Some((i64::MIN, i64::MAX));
    }
    open::common(&calendars, at, demand.placed.start)
}

/// What is taken of a resource: from, to, how much, and which units where they are known.
type Taken = (i64, i64, usize, Vec<usize>);

/// Places for setups of which no row tells.
struct Search<'p, 's, 'j, 'a> {
    plant: &'p Plant<'a>,
    demands: &'s [Demand<'j, 'a>],
    /// For each of them.
    ways: Vec<Vec<Way>>,
    /// For each resource.
    busy: Vec<Vec<Taken>>,
    placed: Vec<Option<Place>>,
    patience: usize,
    /// The most that have been placed at once.
    best: Vec<Option<Place>>,
}

/// Who may do a setup: resource, amount, and which unit where only one of a few is needed.
type Way = Vec<(usize, usize, Option<usize>)>;

#[derive(Clone)]
struct Place {
    start: i64,
    crew: Vec<(usize, usize, Vec<usize>)>,
}

impl<'p, 's, 'j, 'a> Search<'p, 's, 'j, 'a> {
    fn new(
        plant: &'p Plant<'a>,
        demands: &'s [Demand<'j, 'a>],
        uses: &[Vec<Use<'a>>],
    ) -> Search<'p, 's, 'j, 'a> {
        let taken = |one: &Use| (one.start, one.end, one.amount, one.units.clone());
        let busy = uses.iter().map(|uses| uses.iter().map(taken).collect()).collect();
        let (placed, best) = (vec![None; demands.len()], vec![None; demands.len()]);
        let ways = demands.iter().map(|demand| ways(plant, demand)).collect();
        Search { plant, demands, ways, busy, placed, patience: PATIENCE, best }
    }

    /// The setups that have found places, and those that have not.
    fn run(mut self) -> (Vec<Worked<'a>>, Vec<usize>) {
        let is_whole = self.complete();
        let numbers = 0..self.demands.len();
        let mut left: Vec<usize> = numbers.filter(|&k| self.best[k].is_none()).collect();
        if !is_whole {
            // Whoever finds no place even alone; or else the first to be missed.
            let is_lost = |k: &usize| self.places(*k).is_empty();
            let lost: Vec<usize> = left.iter().copied().filter(is_lost).collect();
            left.truncate(1);
            left = if lost.is_empty() { left } else { lost };
        }
        let mut found = Vec::new();
        for (demand, place) in self.demands.iter().zip(self.best) {
            let Some(Place { start, crew }) = place else { continue };
            let (order, step) = (demand.placed.order, demand.placed.step);
            found.push(Worked { order, step, start, end: start + demand.length, crew });
        }
        (found, left)
    }

    /// Of those that could be over before any other could begin, one comes next.
    fn complete(&mut self) -> bool {
        let count = |all: &[Option<Place>]| all.iter().flatten().count();
        if count(&self.placed) > count(&self.best) {
            self.best.clone_from(&self.placed);
        }
        let mut next: Vec<(i64, usize, Place)> = Vec::new();
        let (mut first, mut is_stuck) = (i64::MAX, false);
        for (number, demand) in self.demands.iter().enumerate() {
            if self.placed[number].is_some() {
                continue;
            }
            let places = self.places(number);
            is_stuck |= places.is_empty();
            for place in places {
                first = first.min(place.start + demand.length);
                next.push((demand.placed.start, number, place));
            }
        }
        if next.is_empty() || is_stuck {
            return !is_stuck;
        }
        next.retain(|(_, _, place)| place.start < first);
        next.sort_by_key(|(due, number, place)| (*due, place.start, *number));
        for (_, number, place) in next {
            if self.patience == 0 {
                return false;
            }
            self.patience -= 1;
            let end = place.start + self.demands[number].length;
            for (pool, amount, units) in &place.crew {
                self.busy[*pool].push((place.start, end, *amount, units.clone()));
            }
            let pools: Vec<usize> = place.crew.iter().map(|crew| crew.0).collect();
            self.placed[number] = Some(place);
            if self.complete() {
                return true;
            }
            self.placed[number] = None;
            pools.into_iter().for_each(|pool| drop(self.busy[pool].pop()));
        }
        false
    }

    /// For each way the first place at which it may begin.
    fn places(&self, number: usize) -> Vec<Place> {
        let (demand, ways) = (&self.demands[number], &self.ways[number]);
        ways.iter().filter_map(|way| self.earliest(demand, way)).collect()
    }

    /// When all are ready, others are over, or a window opens.
    fn earliest(&self, demand: &Demand, way: &Way) -> Option<Place> {
        let last = demand.placed.start.checked_sub(demand.length)?;
        let mut starts = vec![demand.ready];
        for &pool in demand.crew.keys() {
            starts.extend(self.busy[pool].iter().map(|&(_, end, ..)| end));
        }
        if demand.keeps_calendar {
            starts.extend(self.openings(demand));
        }
        starts.retain(|start| (demand.ready..=last).contains(start));
        starts.sort_unstable();
        starts.dedup();
        starts.into_iter().find_map(|start| self.place(demand, way, start))
    }

    /// When the unit or somebody of its crew opens.
    fn openings(&self, demand: &Demand) -> Vec<i64> {
        let mut found = Vec::new();
        let crew = demand.crew.keys().map(|&pool| (pool, self.plant.pools[pool].capacity));
        let units = crew.flat_map(|(pool, count)| {
            let count = if self.plant.pools[pool].is_named { count } else { 1 };
            (0..count).map(move |unit| (pool, unit))
        });
        for one in units.chain([(demand.pool, demand.unit)]) {
            let mut at = demand.ready;
            while let Some((from, to)) = window(self.plant, demand, &[one], at)
                && to < i64::MAX
            {
                found.push(from);
                at = to;
            }
        }
        found
    }

    /// Whether a crew is there from this instant on: which.
    fn place(&self, demand: &Demand, way: &Way, start: i64) -> Option<Place> {
        let end = start + demand.length;
        let is_open = |units: &[(usize, usize)]| {
            let open = window(self.plant, demand, units, start);
            open.is_some_and(|open| open.0 <= start && end <= open.1)
        };
        let unit = (demand.pool, demand.unit);
        let mut crew = Vec::new();
        for &(pool, amount, only) in way {
            let now = |one: &&(i64, i64, usize, Vec<usize>)| one.0 < end && start < one.1;
            let busy: Vec<_> = self.busy[pool].iter().filter(now).collect();
            let of = &self.plant.pools[pool];
            if !of.is_named {
                let at = |instant: i64| {
                    let all = busy.iter().filter(|one| one.0 <= instant && instant < one.1);
                    all.map(|one| one.2).sum::<usize>()
                };
                let instants = busy.iter().map(|one| one.0.max(start));
                let most = instants.map(at).max().unwrap_or(0);
                if most + amount > of.capacity || !is_open(&[(pool, 0), unit]) {
                    return None;
                }
                crew.push((pool, amount, Vec::new()));
                continue;
            }
            let is_free = |one: &usize| {
                only.is_none_or(|only| only == *one)
                    && busy.iter().all(|busy| !busy.3.contains(one))
                    && is_open(&[(pool, *one), unit])
            };
            let mut units: Vec<usize> = (0..of.capacity).filter(is_free).collect();
            // Whoever is there always may be needed when others are not.
            units.sort_by_key(|&one| self.plant.open(pool, Some(one)).is_none());
            units.truncate(amount);
            if units.len() < amount {
                return None;
            }
            crew.push((pool, amount, units));
        }
        is_open(&[unit]).then_some(Place { start, crew })
    }
}

/// All choices of a single unit; of several the first that are free will have to do.
fn ways(plant: &Plant, demand: &Demand) -> Vec<Way> {
    let mut found = vec![Way::new()];
    for (&pool, &amount) in &demand.crew {
        let of = &plant.pools[pool];
        let units: Vec<Option<usize>> = match of.is_named && amount == 1 {
            true => (0..of.capacity).map(Some).collect(),
            false => vec![None],
        };
        found = (found.iter())
            .flat_map(|known| {
                units.iter().map(move |&unit| [&known[..], &[(pool, amount, unit)]].concat())
            })
            .collect();
    }
    found
}
