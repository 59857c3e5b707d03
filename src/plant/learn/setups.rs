//! Setups: time and cost between neighbours on a unit.
//!
//! Between any two steps of families f and g on a unit passes at least the shortest way from f to g, setups
//! of neighbours and the least durations of what may lie between. Where that is always the setup from f to g itself, as
//! in plants that obey the triangle inequality, and setups cost nothing, sequences say it all. Otherwise literals say who
//! directly follows whom.

use super::crews::Neighbours;
use super::encoding::{Before, Encoding, Taker, rank};
use crate::plan::{FamilyId, IdVec, Setup, SetupTable, gcd};
use takt_learn::{Choice, Lit};

impl Encoding {
    /// Gives who follows whom, where that had to be said.
    pub fn add_setups(
        &mut self,
        setup: &Setup,
        takers: &[Taker],
        follows: &dyn Fn(&Taker, &Taker) -> bool,
    ) -> Option<Neighbours> {
        let least = self.least_lengths(setup, takers);
        let ways = shortest_ways(setup, &least);
        for taker in takers {
            if let Some(initial) = setup.initial {
                let lit = taker.start.at_least(ways[initial][taker.family]);
                self.solver
                    .clause(taker.presence.map(|presence| !presence).into_iter().chain([lit]));
            }
        }
        let count = takers.len();
        let mut before = Before::new(count);
        for a in 0..count {
            for b in 0..a {
                let [ab, ba] = self.sequence(&takers[a], &takers[b], &ways, follows);
                before.set(a, b, ab);
                before.set(b, a, ba);
            }
        }
        self.look_at_sets(takers, &before, |_| true);
        let is_free = setup.cost.iter().flatten().all(|&cost| cost == 0);
        if is_free && is_direct(setup, &ways, takers) && setup.crew.is_none() {
            return None;
        }
        Some(self.add_neighbours(setup, takers, &before))
    }

    /// For each family, the least time that its steps on the unit take; without any it is no detour.
    fn least_lengths(&self, setup: &Setup, takers: &[Taker]) -> IdVec<FamilyId, Option<i64>> {
        let mut least = setup.time.filled(None::<i64>);
        for taker in takers {
            let length = match taker.start.var == taker.end.var {
                true => taker.end.offset - taker.start.offset,
                false => 1,
            };
            let known = &mut least[taker.family];
            *known = Some(known.map_or(length, |known| known.min(length)));
        }
        least
    }

    /// Who comes first of two, if both are there.
    fn sequence(
        &mut self,
        a: &Taker,
        b: &Taker,
        ways: &SetupTable,
        follows: &dyn Fn(&Taker, &Taker) -> bool,
    ) -> [Lit; 2] {
        let (there, back) = (ways[a.family][b.family], ways[b.family][a.family]);
        let is_certain = a.presence.is_none() && b.presence.is_none();
        let ab = self.solver.boolean();
        let ba = if is_certain { !ab } else { self.solver.boolean() };
        self.order(ab, a, b, there);
        self.order(ba, b, a, back);
        let absent: Vec<Lit> =
            [a.presence, b.presence].into_iter().flatten().map(|lit| !lit).collect();
        if ba != !ab {
            self.solver.clause([ab, ba].into_iter().chain(absent.iter().copied()));
            absent.iter().for_each(|&gone| {
                self.solver.clause([!gone, !ab]);
                self.solver.clause([!gone, !ba]);
            });
        }
        if follows(a, b) {
            self.solver.clause([!ba]);
        }
        if follows(b, a) {
            self.solver.clause([!ab]);
        }
        [ab, ba]
    }

    /// Literals for direct neighbours, with the time between them and what they cost.
    fn add_neighbours(&mut self, setup: &Setup, takers: &[Taker], before: &Before) -> Neighbours {
        let count = takers.len();
        let mut next: Vec<Vec<Option<Lit>>> = vec![vec![None; count]; count];
        for a in 0..count {
            for b in 0..count {
                let Some(first) = before.get(a, b) else { continue };
                let lit = self.solver.boolean();
                self.solver.clause([!lit, first]);
                let gap = setup.time[takers[a].family][takers[b].family];
                self.solver.before(takers[a].end, gap, takers[b].start, Some(lit));
                next[a][b] = Some(lit);
            }
        }
        let firsts: Vec<Lit> = (0..count).map(|_| self.solver.boolean()).collect();
        let lasts: Vec<Lit> = (0..count).map(|_| self.solver.boolean()).collect();
        at_most_one(self, &firsts);
        at_most_one(self, &lasts);
        for (k, taker) in takers.iter().enumerate() {
            let follow: Vec<Lit> =
                (0..count).filter_map(|a| next[a][k]).chain([firsts[k]]).collect();
            let lead: Vec<Lit> = (0..count).filter_map(|b| next[k][b]).chain([lasts[k]]).collect();
            self.just_one_if(&follow, taker.presence);
            self.just_one_if(&lead, taker.presence);
            if let Some(initial) = setup.initial {
                let lit = taker.start.at_least(setup.time[initial][taker.family]);
                self.solver.clause([!firsts[k], lit]);
            }
            let from = |a: usize| setup.cost[takers[a].family][taker.family];
            let mut prices: Vec<(i64, Lit)> =
                (0..count).filter_map(|a| next[a][k].map(|lit| (from(a), lit))).collect();
            prices.push((
                setup.initial.map_or(0, |family| setup.cost[family][taker.family]),
                firsts[k],
            ));
            self.pay_one_of(prices, taker.presence);
        }
        Neighbours { next, firsts }
    }

    fn just_one_if(&mut self, lits: &[Lit], presence: Option<Lit>) {
        self.solver.clause(lits.iter().copied().chain(presence.map(|lit| !lit)));
        at_most_one(self, lits);
        if let Some(presence) = presence {
            lits.iter().for_each(|&lit| self.solver.clause([!lit, presence]));
        }
    }

    /// The price of whichever of these holds, as a variable whose least value rises with what is left.
    fn pay_one_of(&mut self, mut prices: Vec<(i64, Lit)>, presence: Option<Lit>) {
        prices.sort_unstable();
        // Prices in the largest common measure, so that they weigh as much as others.
        let above = prices.iter().map(|price| price.0).filter(|&price| price > 0);
        let Some(measure) = above.reduce(gcd) else { return };
        let most = prices.last().map_or(0, |price| price.0 / measure);
        let cost = self.solver.variable(0, most, Choice::Least(rank::COST));
        for k in 0..prices.len() {
            if k == 0 && prices[0].0 > 0 || k > 0 && prices[k].0 > prices[k - 1].0 {
                let cheaper = prices[..k].iter().map(|price| price.1);
                let at_least = cost.at_least(prices[k].0 / measure);
                let absent = presence.map(|lit| !lit);
                self.solver.clause(cheaper.chain([at_least]).chain(absent));
            }
        }
        self.costs.push((measure, cost));
    }
}

/// Pairs would be too many: neighbours are as many as pairs already.
fn at_most_one(encoding: &mut Encoding, lits: &[Lit]) {
    encoding.solver.at_most(lits.iter().map(|lit| (1, lit.side.var())), 1);
}

/// The least time from the end of a step of one family to the start of one of another.
fn shortest_ways(setup: &Setup, least: &IdVec<FamilyId, Option<i64>>) -> SetupTable {
    let mut ways = setup.time.clone();
    for middle in ways.ids() {
        let Some(length) = least[middle] else { continue };
        for a in ways.ids() {
            for b in ways.ids() {
                ways[a][b] = ways[a][b].min(ways[a][middle] + length + ways[middle][b]);
            }
        }
    }
    ways
}

/// Whether no detour is shorter than a setup that may be needed.
fn is_direct(setup: &Setup, ways: &SetupTable, takers: &[Taker]) -> bool {
    let mut families: Vec<FamilyId> =
        takers.iter().map(|taker| taker.family).chain(setup.initial).collect();
    families.sort_unstable();
    families.dedup();
    families.iter().all(|&a| families.iter().all(|&b| ways[a][b] == setup.time[a][b]))
}
