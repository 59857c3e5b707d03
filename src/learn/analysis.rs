//! What is learned from a conflict: the clause of its first unique implication point (Marques-Silva,
//! Sakallah 1999), over bounds that are explained when they are asked for.

use crate::clauses::Clauses;
use crate::difference::Differences;
use crate::domains::{Cause, Conflict, Domains, EventId};
use crate::literal::{Lit, Side, Var};
use crate::proof::Log;
use std::collections::BinaryHeap;

/// What a conflict teaches.
#[derive(Debug, Default)]
pub(crate) struct Lesson {
    /// At least one is true. The first becomes true at `level`, the second was the last of the others
    /// to become false.
    pub(crate) clause: Vec<Lit>,
    pub(crate) level: u32,
    pub(crate) glue: u32,
}

/// Memory of an analysis, kept between conflicts.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// Per event that is to be explained: the bound that is asked of it.
    asked: Vec<Option<i64>>,
    queue: BinaryHeap<EventId>,
    /// Literals that are true, and follow from none of the others: the clause says that one is not.
    kept: Vec<Lit>,
    /// Per side of `kept`: its bound.
    said: Vec<Option<i64>>,
    /// Per event: the conflict in which it was judged whether it follows from `kept`, for which bound, and
    /// the verdict.
    judged: Vec<(u64, i64, bool)>,
    conflicts: u64,
    buffer: Vec<Lit>,
    /// Variables that took part.
    pub(crate) seen: Vec<Var>,
    pub(crate) log: Option<Box<dyn Log>>,
}

/// Where reasons come from.
#[derive(Clone, Copy)]
pub(crate) struct Reasons<'a> {
    pub(crate) domains: &'a Domains,
    pub(crate) clauses: &'a Clauses,
    pub(crate) differences: &'a Differences,
}

impl Reasons<'_> {
    /// Literals that were true before and from which this one follows. `at` is its event, if it has one.
    pub(crate) fn explain(&self, lit: Lit, cause: Cause, at: Option<EventId>, out: &mut Vec<Lit>) {
        match cause {
            Cause::Decision => {}
            Cause::Clause(clause) => {
                let others = self.clauses.literals(clause).iter().filter(|l| l.side != lit.side);
                out.extend(others.map(|&other| !other));
            }
            Cause::Edge(edge) | Cause::Unfit(edge) => {
                self.differences.explain(edge, lit, at, cause, self.domains, out);
            }
            Cause::Reason { start, count } => {
                out.extend_from_slice(self.domains.reason(start, count));
            }
        }
    }
}

impl Analysis {
    pub(crate) fn grow(&mut self, sides: usize) {
        self.said.resize(sides, None);
    }

    /// Explains the conflict; `bump` hears of clauses that took part. The conflict is of a level above the first.
    pub(crate) fn learn(
        &mut self,
        conflict: &Conflict,
        reasons: Reasons,
        mut bump: impl FnMut(Cause),
    ) -> Lesson {
        self.note_conflict(conflict);
        self.begin(conflict, reasons, &mut bump);
        let level = reasons.domains.level();
        loop {
            let id = self.queue.pop().expect("a conflict of this level has a cause in it");
            let event = *reasons.domains.event(id);
            let lit = event.side.at_most(self.asked[id.index()].take().expect("it was asked"));
            let is_last =
                self.queue.peek().is_none_or(|next| reasons.domains.event(*next).level < level);
            if event.level == level && is_last {
                self.keep(lit);
                break;
            }
            debug_assert_eq!(event.level, level, "what is left of this level has a single cause");
            bump(event.cause);
            self.resolve(lit, event.cause, Some(id), reasons);
        }
        // The rest is of former levels.
        while let Some(id) = self.queue.pop() {
            let bound = self.asked[id.index()].take().expect("it was asked");
            self.keep(reasons.domains.event(id).side.at_most(bound));
        }
        self.minimise(reasons);
        let lesson = self.lesson(reasons.domains);
        if let Some(log) = &mut self.log {
            log.learned(&lesson.clause);
        }
        lesson
    }

    /// The assumptions among the causes of the conflict; all decisions are assumptions.
    pub(crate) fn core(&mut self, conflict: &Conflict, reasons: Reasons) -> Vec<Lit> {
        self.begin(conflict, reasons, &mut |_| {});
        let mut core = Vec::new();
        while let Some(id) = self.queue.pop() {
            let event = *reasons.domains.event(id);
            let lit = event.side.at_most(self.asked[id.index()].take().expect("it was asked"));
            match event.cause {
                Cause::Decision => core.push(event.side.at_most(event.bound)),
                cause => self.resolve(lit, cause, Some(id), reasons),
            }
        }
        core
    }

    /// Writes down what cannot be by a single rule. A clash is written down when it is explained.
    fn note_conflict(&mut self, conflict: &Conflict) {
        if let (Some(log), Conflict::All(all)) = (&mut self.log, conflict) {
            log.inferred(&all.iter().map(|&lit| !lit).collect::<Vec<_>>());
        }
    }

    /// Writes down that there is no solution: by this conflict, or by a clause of the problem.
    pub(crate) fn note_end(&mut self, conflict: Option<&Conflict>, reasons: Reasons) {
        if let Some(conflict) = conflict {
            self.note_conflict(conflict);
        }
        if let Some(Conflict::Clash(lit, cause)) = conflict {
            self.resolve(*lit, *cause, None, reasons);
        }
        if let Some(log) = &mut self.log {
            log.learned(&[]);
        }
    }

    /// Writes down why a bound was set, unless a clause says so.
    pub(crate) fn note(&mut self, lit: Lit, cause: Cause, reason: &[Lit]) {
        if let Some(log) = &mut self.log
            && !matches!(cause, Cause::Decision | Cause::Clause(_))
        {
            let clause: Vec<Lit> = reason.iter().map(|&lit| !lit).chain([lit]).collect();
            log.inferred(&clause);
        }
    }

    fn begin(&mut self, conflict: &Conflict, reasons: Reasons, bump: &mut dyn FnMut(Cause)) {
        self.asked.resize(reasons.domains.events.len(), None);
        self.seen.clear();
        self.kept.clear();
        match conflict {
            Conflict::Clash(lit, cause) => {
                bump(*cause);
                self.ask(!*lit, reasons.domains);
                self.resolve(*lit, *cause, None, reasons);
            }
            Conflict::All(all) => all.iter().for_each(|&lit| self.ask(lit, reasons.domains)),
        }
    }

    fn resolve(&mut self, lit: Lit, cause: Cause, at: Option<EventId>, reasons: Reasons) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        reasons.explain(lit, cause, at, &mut buffer);
        self.note(lit, cause, &buffer);
        buffer.iter().for_each(|&lit| self.ask(lit, reasons.domains));
        self.buffer = buffer;
    }

    /// The literal, which is true, has to be explained.
    fn ask(&mut self, lit: Lit, domains: &Domains) {
        debug_assert!(domains.is_true(lit), "reasons are true");
        let id = domains.since(lit);
        if id == EventId::NONE || domains.event(id).level == 0 {
            return;
        }
        let asked = &mut self.asked[id.index()];
        match asked {
            None => {
                *asked = Some(lit.bound);
                self.queue.push(id);
                self.seen.push(lit.side.var());
            }
            Some(bound) => *bound = lit.bound.min(*bound),
        }
    }

    fn keep(&mut self, lit: Lit) {
        self.kept.push(lit);
        let said = &mut self.said[lit.side.index()];
        *said = Some(said.map_or(lit.bound, |bound| bound.min(lit.bound)));
    }

    /// Leaves out what follows from the rest (Sörensson, Biere 2009). The first one stays.
    fn minimise(&mut self, reasons: Reasons) {
        self.conflicts += 1;
        self.judged.resize(reasons.domains.events.len(), (0, 0, false));
        let kept = std::mem::take(&mut self.kept);
        let said = |this: &Analysis, side: Side| this.said[side.index()];
        let mut left: Vec<Lit> = Vec::with_capacity(kept.len());
        for (k, &lit) in kept.iter().enumerate() {
            let is_weaker = said(self, lit.side) != Some(lit.bound);
            let id = reasons.domains.since(lit);
            if !is_weaker && (k == 0 || !self.follows(lit, id, reasons, 0)) {
                left.push(lit);
            }
        }
        kept.iter().for_each(|lit| self.said[lit.side.index()] = None);
        self.kept = left;
    }

    /// Whether the literal follows from other kept ones, by its cause.
    fn follows(&mut self, lit: Lit, id: EventId, reasons: Reasons, depth: u32) -> bool {
        let event = *reasons.domains.event(id);
        if event.cause == Cause::Decision || depth > 12 {
            return false;
        }
        let (conflict, bound, verdict) = self.judged[id.index()];
        if conflict == self.conflicts && bound <= lit.bound {
            return verdict;
        }
        let mut reason = Vec::new();
        reasons.explain(lit, event.cause, Some(id), &mut reason);
        self.note(lit, event.cause, &reason);
        let found = reason.iter().all(|&other| {
            let since = reasons.domains.since(other);
            since == EventId::NONE
                || reasons.domains.event(since).level == 0
                || self.is_said(other, id, reasons.domains)
                || self.follows(other, since, reasons, depth + 1)
        });
        self.judged[id.index()] = (self.conflicts, lit.bound, found);
        found
    }

    /// Whether it follows from a kept literal that was true before the event. One that became true later may
    /// itself have been left out for what the event says.
    fn is_said(&self, lit: Lit, before: EventId, domains: &Domains) -> bool {
        self.said[lit.side.index()].is_some_and(|bound| {
            bound <= lit.bound && domains.since(lit.side.at_most(bound)) < before
        })
    }

    fn lesson(&mut self, domains: &Domains) -> Lesson {
        let level = |lit: Lit| domains.event(domains.since(lit)).level;
        let mut levels: Vec<u32> = self.kept.iter().map(|&lit| level(lit)).collect();
        let mut clause: Vec<Lit> = self.kept.iter().map(|&lit| !lit).collect();
        let mut back = 0;
        if let Some(second) = (1..clause.len()).max_by_key(|&k| levels[k]) {
            back = levels[second];
            clause.swap(1, second);
        }
        levels.sort_unstable();
        levels.dedup();
        Lesson { clause, level: back, glue: levels.len() as u32 }
    }
}
