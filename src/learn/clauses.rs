//! Clauses: of these literals at least one is true. Two of each are watched (Moskewicz et al. 2001).

use crate::domains::{Cause, ClauseId, Conflict, Domains, Event};
use crate::literal::Lit;

#[derive(Clone, Copy, Debug)]
struct Header {
    start: u32,
    count: u32,
    /// Of how many levels its literals were when it was learned (Audemard, Simon 2009). 0 for clauses
    /// that are part of the problem.
    glue: u32,
    activity: f32,
}

/// Who has to be looked at when a side falls to the threshold.
#[derive(Clone, Copy, Debug)]
struct Watch {
    threshold: i64,
    clause: ClauseId,
    /// Another literal of the clause: where it is true there is nothing to do.
    blocker: Lit,
}

#[derive(Debug, Default)]
pub(crate) struct Clauses {
    headers: Vec<Header>,
    literals: Vec<Lit>,
    /// For each side, those that watch a literal which it makes false, by their thresholds: an event concerns
    /// a run of them.
    watches: Vec<Vec<Watch>>,
    learned: usize,
    bump: f32,
}

impl Clauses {
    pub(crate) fn grow(&mut self, sides: usize) {
        self.watches.resize_with(sides, Vec::new);
    }

    pub(crate) fn learned(&self) -> usize {
        self.learned
    }

    /// What all of them take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.literals.len() * (size_of::<Lit>() + size_of::<Watch>())
            + self.headers.len() * size_of::<Header>()
    }

    pub(crate) fn literals(&self, id: ClauseId) -> &[Lit] {
        let header = &self.headers[id.0 as usize];
        &self.literals[header.start as usize..][..header.count as usize]
    }

    #[cfg(test)]
    pub(crate) fn all(&self) -> impl Iterator<Item = &[Lit]> {
        (0..self.headers.len()).map(|number| self.literals(ClauseId(number as u32)))
    }

    /// Adds a clause of at least two literals. The first two are watched: as long as others are not
    /// false, these must not be.
    pub(crate) fn add(&mut self, literals: &[Lit], glue: u32) -> ClauseId {
        let id = ClauseId(self.headers.len() as u32);
        let start = self.literals.len() as u32;
        self.literals.extend_from_slice(literals);
        let count = literals.len() as u32;
        self.headers.push(Header { start, count, glue, activity: self.bump.max(1.0) });
        self.learned += usize::from(glue > 0);
        self.watch(literals[0], id, literals[1]);
        self.watch(literals[1], id, literals[0]);
        id
    }

    fn watch(&mut self, lit: Lit, clause: ClauseId, blocker: Lit) {
        let falsity = !lit;
        let watch = Watch { threshold: falsity.bound, clause, blocker };
        self.insert(falsity.side.index(), watch);
    }

    fn insert(&mut self, side: usize, watch: Watch) {
        let own = &mut self.watches[side];
        let at = own.partition_point(|other| other.threshold <= watch.threshold);
        own.insert(at, watch);
    }

    /// Looks at the clauses of which a watched literal has become false.
    pub(crate) fn propagate(
        &mut self,
        event: &Event,
        domains: &mut Domains,
    ) -> Result<(), Conflict> {
        let side = event.side.index();
        let mut watches = std::mem::take(&mut self.watches[side]);
        let mut result = Ok(());
        let first = watches.partition_point(|watch| watch.threshold < event.bound);
        let (mut read, mut kept) = (first, first);
        while let Some(&watch) = watches.get(read).filter(|watch| watch.threshold < event.before) {
            read += 1;
            let mut stays = Some(watch);
            if !domains.is_true(watch.blocker) {
                let falsity = event.side.at_most(watch.threshold);
                match self.visit(watch.clause, !falsity, domains) {
                    Visit::Moved => stays = None,
                    Visit::Kept(blocker) => stays = Some(Watch { blocker, ..watch }),
                    Visit::Failed(conflict) => result = Err(conflict),
                }
            }
            if let Some(watch) = stays {
                watches[kept] = watch;
                kept += 1;
            }
            if result.is_err() {
                break;
            }
        }
        watches.drain(kept..read);
        // New watches may have come meanwhile: a clause may leave one bound of a side for another.
        let new = std::mem::replace(&mut self.watches[side], watches);
        new.into_iter().for_each(|watch| self.insert(side, watch));
        result
    }

    fn visit(&mut self, id: ClauseId, gone: Lit, domains: &mut Domains) -> Visit {
        let Header { start, count, .. } = self.headers[id.0 as usize];
        let literals = &mut self.literals[start as usize..][..count as usize];
        if literals[0] == gone {
            literals.swap(0, 1);
        }
        let first = literals[0];
        if domains.is_true(first) {
            return Visit::Kept(first);
        }
        for k in 2..literals.len() {
            if !domains.is_false(literals[k]) {
                literals.swap(1, k);
                let new = literals[1];
                self.watch(new, id, first);
                return Visit::Moved;
            }
        }
        match domains.set(first, Cause::Clause(id)) {
            Ok(_) => Visit::Kept(first),
            Err(conflict) => Visit::Failed(conflict),
        }
    }

    /// A clause took part in a conflict.
    pub(crate) fn bump(&mut self, id: ClauseId) {
        let header = &mut self.headers[id.0 as usize];
        header.activity += self.bump.max(1.0);
        if header.activity > 1e20 {
            self.headers.iter_mut().for_each(|header| header.activity *= 1e-20);
            self.bump *= 1e-20;
        }
    }

    pub(crate) fn decay(&mut self) {
        self.bump = self.bump.max(1.0) / 0.999;
    }

    /// Forgets the half of the learned clauses that is of less use; called at the first level, where no
    /// clause is the reason of anything that is still asked for. Clauses that are true for ever go too.
    pub(crate) fn reduce(&mut self, domains: &Domains) {
        debug_assert_eq!(domains.level(), 0);
        let mut ranked: Vec<(u32, f32)> = self
            .headers
            .iter()
            .filter(|header| header.glue > 2)
            .map(|header| (header.glue, header.activity))
            .collect();
        let worse = |a: &(u32, f32), b: &(u32, f32)| {
            (b.0.min(30).cmp(&a.0.min(30))).then(a.1.total_cmp(&b.1))
        };
        let middle = ranked.len() / 2;
        let limit = (!ranked.is_empty()).then(|| *ranked.select_nth_unstable_by(middle, worse).1);
        self.retain(|header, literals| {
            let is_poor = header.glue > 2
                && limit
                    .is_some_and(|limit| worse(&(header.glue, header.activity), &limit).is_lt());
            !is_poor && !literals.iter().any(|&lit| domains.is_true(lit))
        });
    }

    fn retain(&mut self, is_kept: impl Fn(&Header, &[Lit]) -> bool) {
        let headers = std::mem::take(&mut self.headers);
        let literals = std::mem::take(&mut self.literals);
        self.watches.iter_mut().for_each(Vec::clear);
        self.learned = 0;
        for header in headers {
            let own = &literals[header.start as usize..][..header.count as usize];
            if is_kept(&header, own) {
                let id = self.add(own, header.glue);
                self.headers[id.0 as usize].activity = header.activity;
            }
        }
    }
}

enum Visit {
    /// Another literal is watched instead.
    Moved,
    /// Watched as before; this one is true.
    Kept(Lit),
    Failed(Conflict),
}
