//! `like`: calendars that build on another. What the other says holds, and then what stands here.
//!
//! Days of `weekly` take the place of the same days there, the others stay; `closed` closes whatever is open there, and
//! `open` opens it again. Windows are added, and `repeat` takes the place of the other's. What is known later is the
//! whole pattern, so that nobody else has to know of it.

use super::calendar::always;
use crate::fields::Decoder;
use crate::{At, Calendar, Civil, Edge, Pattern, Stretch, Weekly, Windows};
use jiff::civil::{DateTime, Weekday};
use std::collections::{BTreeMap, BTreeSet};
use takt_diagnostic::Diagnostic;

pub const ONE_KIND: &str = "a calendar has windows or civil time, not both";

/// Shifts, stretches and windows that calendars take over from others, all together.
const MAX_INHERITED: usize = 1_000_000;
/// How much of a long cycle is shown.
const SHOWN: usize = 6;

/// A calendar with what stands in itself.
pub struct Draft {
    pub name: At<String>,
    pub like: Option<At<String>>,
    pub pattern: Option<Pattern>,
}

impl Decoder<'_> {
    /// The calendars in full. One that is wrong has its name at least.
    pub fn built(&mut self, drafts: Vec<Draft>) -> Vec<Calendar> {
        let index: BTreeMap<&str, usize> =
            drafts.iter().enumerate().map(|(k, draft)| (draft.name.value.as_str(), k)).collect();
        let base = |k: usize| index.get(drafts[k].like.as_ref()?.value.as_str()).copied();
        let bases: Vec<Option<usize>> = (0..drafts.len()).map(base).collect();
        let mut patterns: Vec<Option<Option<Pattern>>> = vec![None; drafts.len()];
        let mut inherited = 0;
        for first in 0..drafts.len() {
            for k in self.chain(&drafts, &bases, &patterns, first) {
                let below = bases[k].and_then(|base| patterns[base].as_ref()?.as_ref());
                inherited += below.map_or(0, size);
                let pattern = match below {
                    _ if inherited > MAX_INHERITED => None,
                    Some(below) => self.joined(&drafts[k], below),
                    None => drafts[k].pattern.clone(),
                };
                patterns[k] = Some(pattern);
            }
        }
        if inherited > MAX_INHERITED {
            let last = drafts.iter().rev().find_map(|draft| draft.like.as_ref());
            let span = last.map(|like| like.span).unwrap_or_default();
            self.error("too-large", span, "calendars take over too much from each other");
        }
        let patterns = patterns.into_iter().map(Option::flatten);
        let whole = |(draft, pattern): (Draft, Option<Pattern>)| Calendar {
            pattern: pattern.unwrap_or_else(|| Pattern::Civil(Civil::default())),
            name: draft.name,
            like: draft.like,
        };
        drafts.into_iter().zip(patterns).map(whole).collect()
    }

    /// Those that are not known yet and come before this one, and itself, the first of them first.
    fn chain(
        &mut self,
        drafts: &[Draft],
        bases: &[Option<usize>],
        patterns: &[Option<Option<Pattern>>],
        first: usize,
    ) -> Vec<usize> {
        let (mut path, mut seen) = (Vec::new(), BTreeSet::new());
        let mut next = Some(first).filter(|&k| patterns[k].is_none());
        while let Some(k) = next {
            if !seen.insert(k) {
                let start = path.iter().position(|&on| on == k).unwrap_or(0);
                self.cycle(drafts, &path[start..]);
                break;
            }
            path.push(k);
            next = bases[k].filter(|&base| patterns[base].is_none());
        }
        path.reverse();
        path
    }

    fn cycle(&mut self, drafts: &[Draft], knot: &[usize]) {
        let mut names: Vec<&str> =
            knot.iter().chain(&knot[..1]).map(|&k| drafts[k].name.value.as_str()).collect();
        if names.len() > 2 * SHOWN {
            names.splice(SHOWN..names.len() - SHOWN, ["..."]);
        }
        let message = format!("calendars build on each other: {}", names.join(" -> "));
        let places = knot.iter().filter_map(|&k| Some((k, drafts[k].like.as_ref()?)));
        let mut found: Option<Diagnostic> = None;
        for (k, like) in places.take(SHOWN) {
            found = Some(match found {
                None => Diagnostic::error("cycle", like.span, message.as_str()),
                Some(found) => {
                    let words = format!("`{}` builds on `{}`", drafts[k].name.value, like.value);
                    found.related(like.span, words)
                }
            });
        }
        found.into_iter().for_each(|found| self.found.push(found));
    }

    /// What the other says, and then what stands in the calendar itself.
    fn joined(&mut self, draft: &Draft, below: &Pattern) -> Option<Pattern> {
        match (below, &draft.pattern) {
            (below, None) => Some(below.clone()),
            (Pattern::Civil(below), Some(Pattern::Civil(own))) => {
                Some(Pattern::Civil(civil(below, own)))
            }
            (Pattern::Windows(below), Some(Pattern::Windows(own))) => {
                let windows = below.windows.iter().chain(&own.windows).cloned().collect();
                let repeat = own.repeat.clone().or_else(|| below.repeat.clone());
                Some(Pattern::Windows(Windows { windows, repeat }))
            }
            (below, Some(_)) => {
                let kind = match below {
                    Pattern::Civil(_) => "civil time",
                    Pattern::Windows(_) => "windows",
                };
                let like = draft.like.as_ref()?;
                let found = Diagnostic::error("bad-value", like.span, ONE_KIND);
                self.found.push(found.label(format!("`{}` has {kind}", like.value)));
                None
            }
        }
    }
}

fn size(pattern: &Pattern) -> usize {
    match pattern {
        Pattern::Windows(windows) => windows.windows.len(),
        Pattern::Civil(civil) => {
            let shifts = civil.weekly.iter().flatten().map(|line| 1 + line.shifts.len());
            shifts.sum::<usize>() + civil.closed.len() + civil.open.len()
        }
    }
}

fn civil(below: &Civil, own: &Civil) -> Civil {
    let closed: Vec<_> = below.closed.iter().chain(&own.closed).cloned().collect();
    let mut open = without(&below.open, &own.closed);
    open.extend(own.open.iter().cloned());
    Civil { weekly: weekly(below, own), closed, open }
}

/// Days that are written take the place of the same days.
fn weekly(below: &Civil, own: &Civil) -> Option<Vec<Weekly>> {
    let usual = match (&below.weekly, below.closed.first()) {
        (Some(weekly), _) => Some(weekly.clone()),
        // Extra work alone.
        (None, None) => Some(Vec::new()),
        (None, Some(_)) if own.weekly.is_none() => None,
        (None, Some(closed)) => Some(always(closed.span)),
    };
    let Some(written) = &own.weekly else { return usual };
    let days = written.iter().flat_map(|line| &line.days.value);
    let days: Vec<Weekday> = days.copied().collect();
    let mut all = usual.unwrap_or_default();
    for line in &mut all {
        line.days.value.retain(|day| !days.contains(day));
    }
    all.retain(|line| !line.days.value.is_empty());
    all.extend(written.iter().cloned());
    Some(all)
}

/// What is left of stretches that are open.
fn without(open: &[At<Stretch>], closed: &[At<Stretch>]) -> Vec<At<Stretch>> {
    let mut gaps: Vec<(DateTime, Option<DateTime>)> = Vec::new();
    let mut sorted: Vec<_> = closed.iter().map(|stretch| stretch.value.bounds()).collect();
    sorted.sort_by_key(|gap| gap.0);
    for (from, to) in sorted {
        match gaps.last_mut() {
            Some(last) if last.1.is_none_or(|end| from <= end) => {
                last.1 = last.1.zip(to).map(|(a, b)| a.max(b));
            }
            _ => gaps.push((from, to)),
        }
    }
    open.iter().flat_map(|stretch| parts(stretch, &gaps)).collect()
}

/// The parts of a stretch outside of gaps, which are sorted and apart.
fn parts(stretch: &At<Stretch>, gaps: &[(DateTime, Option<DateTime>)]) -> Vec<At<Stretch>> {
    let (begin, end) = stretch.value.bounds();
    let part = |from, to| At::new(Stretch { from, to }, stretch.span);
    let (mut found, mut from, mut at) = (Vec::new(), stretch.value.from, begin);
    let first = gaps.partition_point(|gap| gap.1.is_some_and(|to| to <= begin));
    for &(close, reopen) in gaps[first..].iter().take_while(|gap| end.is_none_or(|e| gap.0 < e)) {
        if at < close {
            found.push(part(from, Edge::Moment(close)));
        }
        let Some(reopen) = reopen else { return found };
        (from, at) = (Edge::Moment(reopen), reopen);
    }
    if end.is_none_or(|end| at < end) {
        found.push(part(from, stretch.value.to));
    }
    found
}
