//! Lower bounds by leaving components out.
//!
//! What a part of the machine can do alone, when all that it needs from the others is always given,
//! it does at least as fast as within the machine. In the long run as many wafers come in as go
//! out. So for any weights the rate of the whole is at most the weighted sum of ins and outs per
//! time, and that is at most the sum of what each lock (or robot) could reach alone. The weights
//! that give the least are looked for; any weights give a proof.

use super::closure::Closure;
use super::tool::{At, Count, Move, Parts, Tool, total};
use super::{Bound, Budget, Single, Stopped};
use crate::layout::Scanner;
use num_rational::Ratio;

type Exact = Ratio<i128>;

/// What parts alone can do per time: `ins` and `outs` where the weighted sum is greatest.
#[derive(Clone, Copy)]
struct Rates {
    ins: Exact,
    outs: Exact,
}

impl Rates {
    fn at(&self, weight: Exact) -> Exact {
        weight * self.ins + (Exact::from_integer(1) - weight) * self.outs
    }
}

/// What every machine has to keep.
pub fn track(scanner: &Scanner) -> Bound {
    let track = scanner.track;
    Bound {
        interval: Ratio::from_integer(track.load + track.unload + track.recover),
        critical: "track".to_owned(),
        by_closure: false,
        method: "each wafer takes the track for a load, an unload and a recovery".to_owned(),
    }
}

/// The bounds of all single resources, in the order of the way of a wafer.
pub fn bounds(scanner: &Scanner, stop: &mut Budget) -> Result<Vec<Bound>, Stopped> {
    let mut bounds = vec![track(scanner)];
    let locks: Vec<Parts> = (0..scanner.locks.len()).map(|lock| lock_part(scanner, lock)).collect();
    if let Some(interval) = least(scanner, &locks, At::Locks, stop)? {
        bounds.push(Bound {
            interval,
            critical: "locks".to_owned(),
            by_closure: false,
            method: "each lock alone with the track and its robots, all else given: the fastest \
                     mixtures of ins and outs"
                .to_owned(),
        });
    }
    let robots: Vec<Parts> = (0..scanner.robots.len())
        .map(|robot| only(scanner, false, |_| false, |other| other == robot, false))
        .collect();
    if let Some(interval) = least(scanner, &robots, At::Arms, stop)? {
        let critical = match &scanner.robots[..] {
            [only] => only.name.clone(),
            _ => "robots".to_owned(),
        };
        let method = "each robot alone, all else given: the fastest mixtures of ins and outs";
        bounds.push(Bound { interval, critical, by_closure: false, method: method.to_owned() });
    }
    let chucks = only(scanner, false, |_| false, |_| false, true);
    if let Some(rates) = fastest(scanner, &chucks, At::Chucks, 0, 1, stop)? {
        bounds.push(Bound {
            interval: interval(rates.outs),
            critical: "chucks".to_owned(),
            by_closure: false,
            method: "the chucks alone, all else given".to_owned(),
        });
    }
    Ok(bounds)
}

/// The bound of all robots and chucks together, the locks always ready.
pub fn inside(scanner: &Scanner, stop: &mut Budget) -> Result<Option<Bound>, Stopped> {
    let parts = only(scanner, false, |_| false, |_| true, true);
    let rates = fastest(scanner, &parts, At::Chucks, 0, 1, stop)?;
    Ok(rates.map(|rates| Bound {
        interval: interval(rates.outs),
        critical: "chucks".to_owned(),
        by_closure: false,
        method: "the chucks with all robots, the locks given".to_owned(),
    }))
}

fn only(
    scanner: &Scanner,
    track: bool,
    lock: impl Fn(usize) -> bool,
    robot: impl Fn(usize) -> bool,
    chucks: bool,
) -> Parts {
    Parts {
        track,
        locks: (0..scanner.locks.len()).map(lock).collect(),
        robots: (0..scanner.robots.len()).map(robot).collect(),
        chucks,
    }
}

fn lock_part(scanner: &Scanner, lock: usize) -> Parts {
    let robots = &scanner.locks[lock].robots;
    only(scanner, true, |other| other == lock, |robot| robots.contains(&robot), false)
}

/// The greatest lower bound on the interval that weights give, of parts that work beside one
/// another.
fn least(
    scanner: &Scanner,
    parts: &[Parts],
    at: At,
    stop: &mut Budget,
) -> Result<Option<Ratio<i64>>, Stopped> {
    let mut found = Vec::new();
    let mut weights = vec![Exact::from_integer(0), Exact::from_integer(1)];
    let mut best: Option<Exact> = None;
    for _ in 0..16 {
        for weight in weights.drain(..) {
            let rates = together(scanner, parts, at, weight, stop)?;
            let rate = rates.at(weight);
            best = Some(best.map_or(rate, |least| least.min(rate)));
            found.push(rates);
        }
        let (weight, value) = lowest(&found);
        let weight = plain(weight);
        if best.is_some_and(|best| best <= value) {
            break;
        }
        weights.push(weight);
    }
    Ok(best.filter(|rate| *rate.numer() > 0).map(interval))
}

/// Where the upper envelope of the lines that were found is lowest.
fn lowest(lines: &[Rates]) -> (Exact, Exact) {
    let (zero, one) = (Exact::from_integer(0), Exact::from_integer(1));
    let mut places = vec![zero, one];
    for (index, a) in lines.iter().enumerate() {
        for b in &lines[index + 1..] {
            let slope = (a.ins - a.outs) - (b.ins - b.outs);
            if slope != zero {
                let place = (b.outs - a.outs) / slope;
                if place > zero && place < one {
                    places.push(place);
                }
            }
        }
    }
    let height = |place: Exact| lines.iter().map(|line| line.at(place)).max().unwrap_or(zero);
    let lowest = places.into_iter().map(|place| (height(place), place)).min();
    lowest.map_or((zero, zero), |(height, place)| (place, height))
}

/// A weight nearby in small numbers: searches weigh every move with it.
fn plain(weight: Exact) -> Exact {
    if *weight.denom() <= 10_000 {
        return weight;
    }
    Ratio::new((weight * Exact::from_integer(10_000)).round().to_integer(), 10_000)
}

fn together(
    scanner: &Scanner,
    parts: &[Parts],
    at: At,
    weight: Exact,
    stop: &mut Budget,
) -> Result<Rates, Stopped> {
    let (ins, whole) = (*weight.numer() as i64, *weight.denom() as i64);
    let mut sum = Rates { ins: Exact::from_integer(0), outs: Exact::from_integer(0) };
    for part in parts {
        if let Some(rates) = fastest(scanner, part, at, ins, whole - ins, stop)? {
            sum.ins += rates.ins;
            sum.outs += rates.outs;
        }
    }
    Ok(sum)
}

/// The rates of the fastest cycle of a part; `None` if no cycle counts.
fn fastest(
    scanner: &Scanner,
    parts: &Parts,
    at: At,
    ins: i64,
    outs: i64,
    stop: &mut Budget,
) -> Result<Option<Rates>, Stopped> {
    let tool = Tool::new(scanner, parts.clone(), Count { at, ins, outs });
    let slow = Ratio::from_integer(16 * total(scanner).unwrap_or(0) + 1);
    let none = Ratio::from_integer(0);
    let least = Closure::new(&tool, false).least(slow, none, &mut |_| {}, stop)?;
    Ok(least.lasso.map(|lasso| {
        let count = |counts: &dyn Fn(&Move) -> bool| {
            let number = lasso.moves[lasso.from..].iter().filter(|step| counts(step)).count();
            Ratio::new(number as i128, i128::from(lasso.time))
        };
        let of = |ins, outs| Tool { count: Count { at, ins, outs }, ..tool.clone() };
        let (only_ins, only_outs) = (of(1, 0), of(0, 1));
        Rates {
            ins: count(&|step| only_ins.gain(*step) > 0),
            outs: count(&|step| only_outs.gain(*step) > 0),
        }
    }))
}

/// The time per wafer of a rate, in numbers that fit: a little less if they did not.
fn interval(rate: Exact) -> Ratio<i64> {
    let exact = rate.recip();
    match (i64::try_from(*exact.numer()), i64::try_from(*exact.denom())) {
        (Ok(numer), Ok(denom)) => Ratio::new(numer, denom),
        _ => Ratio::from_integer(exact.floor().to_integer().clamp(0, 1 << 60) as i64),
    }
}

/// What one lock (with the track and its robots) or one robot can do if it has to do all of it:
/// a wafer in and out, or one way only where the lock serves no other.
pub fn singles(scanner: &Scanner, stop: &mut Budget) -> Result<Vec<Single>, Stopped> {
    let mut all = Vec::new();
    for (number, lock) in scanner.locks.iter().enumerate() {
        let part = lock_part(scanner, number);
        let interval = match (lock.takes_in, lock.lets_out) {
            (true, true) => least(scanner, &[part], At::Locks, stop)?,
            (is_in, _) => {
                let (ins, outs) = if is_in { (1, 0) } else { (0, 1) };
                let rates = fastest(scanner, &part, At::Locks, ins, outs, stop)?;
                rates.map(|rates| interval(rates.ins.max(rates.outs)))
            }
        };
        all.extend(interval.map(|interval| Single { name: lock.name.clone(), interval }));
    }
    for (number, robot) in scanner.robots.iter().enumerate() {
        let part = only(scanner, false, |_| false, |other| other == number, false);
        let interval = least(scanner, &[part], At::Arms, stop)?;
        all.extend(interval.map(|interval| Single { name: robot.name.clone(), interval }));
    }
    Ok(all)
}
