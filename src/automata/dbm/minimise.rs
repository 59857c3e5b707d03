//! The smallest value of a linear function over a zone.
//!
//! Only differences of clocks are bounded, so the programme is the dual of a transport
//! problem: clocks with negative coefficients (and the constant 0, which balances the sum) supply
//! those with positive ones, at the price of the bound between them (Rasmussen, Larsen,
//! Subramani: Resource-optimal scheduling using priced timed automata, 2004). In a closed
//! matrix no detour is cheaper than the direct way. All in whole numbers.

use super::{Bound, Dbm};

/// Where a linear function is smallest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimum {
    pub value: i64,
    /// Bounds `(i, j)` that hold with equality wherever the function is smallest.
    pub tight: Vec<(usize, usize)>,
}

/// Why there is no smallest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMinimum {
    /// The function falls without bound.
    Unbounded,
    /// The numbers do not fit 64 bits.
    Overflow,
}

impl<B: Bound> Dbm<B> {
    /// The infimum of the sum of `rates[i] * x_i` over the zone; `rates[0]` is not looked at.
    /// Strict bounds count as if they could be reached: see [`Dbm::reaches`].
    pub fn minimum(&self, rates: &[i64]) -> Result<Minimum, NoMinimum> {
        debug_assert_eq!(rates.len(), self.dim());
        let total = rates[1..].iter().try_fold(0i64, |sum, &r| sum.checked_add(r));
        let at_zero = total.and_then(i64::checked_neg).ok_or(NoMinimum::Overflow)?;
        let rate = |i: usize| if i == 0 { at_zero } else { rates[i] };
        let suppliers: Vec<usize> = (0..self.dim()).filter(|&i| rate(i) < 0).collect();
        let takers: Vec<usize> = (0..self.dim()).filter(|&i| rate(i) > 0).collect();
        match (&suppliers[..], &takers[..]) {
            (&[y], takers) => return self.direct(takers.iter().map(|&x| (y, x, rate(x)))),
            (suppliers, &[x]) => return self.direct(suppliers.iter().map(|&y| (y, x, -rate(y)))),
            _ => {}
        }
        let mut flow = Transport {
            costs: suppliers.iter().map(|&y| self.costs_from(y, &takers)).collect(),
            supply: suppliers.iter().map(|&y| -rate(y)).collect(),
            demand: takers.iter().map(|&x| rate(x)).collect(),
            flow: vec![vec![0; takers.len()]; suppliers.len()],
        };
        flow.solve()?;
        let mut value = 0i64;
        let mut tight = Vec::new();
        for (s, &y) in suppliers.iter().enumerate() {
            for (t, &x) in takers.iter().enumerate().filter(|&(t, _)| flow.flow[s][t] > 0) {
                let cost = flow.costs[s][t].expect("flow takes existing ways");
                value = flow.flow[s][t]
                    .checked_mul(cost)
                    .and_then(|part| value.checked_sub(part))
                    .ok_or(NoMinimum::Overflow)?;
                tight.push((y, x));
            }
        }
        Ok(Minimum { value, tight })
    }

    /// The minimum where there is no choice of ways: one supplier, or one taker.
    fn direct(
        &self,
        ways: impl Iterator<Item = (usize, usize, i64)>,
    ) -> Result<Minimum, NoMinimum> {
        let mut minimum = Minimum { value: 0, tight: Vec::new() };
        for (y, x, amount) in ways {
            let bound = self.get(y, x);
            if bound == B::INFINITY {
                return Err(NoMinimum::Unbounded);
            }
            let part = amount.checked_mul(bound.value());
            minimum.value =
                part.and_then(|part| minimum.value.checked_sub(part)).ok_or(NoMinimum::Overflow)?;
            minimum.tight.push((y, x));
        }
        Ok(minimum)
    }

    fn costs_from(&self, y: usize, takers: &[usize]) -> Vec<Option<i64>> {
        let bound = |x: usize| Some(self.get(y, x)).filter(|&b| b != B::INFINITY);
        takers.iter().map(|&x| bound(x).map(B::value)).collect()
    }

    /// Cuts the zone to where these bounds hold with equality; false if a strict one stands
    /// in the way: the minimum is approached but not reached.
    pub fn reaches(&mut self, tight: &[(usize, usize)]) -> bool {
        tight.iter().all(|&(i, j)| {
            let bound = self.get(i, j);
            !bound.is_strict() && self.constrain(j, i, B::new(-bound.value(), false))
        })
    }
}

/// A transport problem: everything supplied must be taken, at the smallest cost.
struct Transport {
    /// Per supplier and taker; `None` where there is no way.
    costs: Vec<Vec<Option<i64>>>,
    supply: Vec<i64>,
    demand: Vec<i64>,
    flow: Vec<Vec<i64>>,
}

impl Transport {
    /// Sends along cheapest paths until nothing is left (supplies and demands balance).
    fn solve(&mut self) -> Result<(), NoMinimum> {
        while let Some(supplier) = self.supply.iter().position(|&s| s > 0) {
            let (taker, back) = self.cheapest(supplier)?.ok_or(NoMinimum::Unbounded)?;
            self.send(supplier, taker, &back);
        }
        Ok(())
    }

    /// The cheapest way from the supplier to a taker with demand, over residual ways (Bellman,
    /// Ford), as the supplier before each taker and the taker before each supplier.
    #[allow(clippy::type_complexity, reason = "two lists of steps, used right here")]
    fn cheapest(
        &self,
        from: usize,
    ) -> Result<Option<(usize, (Vec<usize>, Vec<usize>))>, NoMinimum> {
        let (suppliers, takers) = (self.supply.len(), self.demand.len());
        let mut to_supplier = vec![None; suppliers];
        let mut to_taker: Vec<Option<i64>> = vec![None; takers];
        let (mut before_taker, mut before_supplier) = (vec![from; takers], vec![0; suppliers]);
        to_supplier[from] = Some(0i64);
        let plus = |a: i64, b: i64| a.checked_add(b).ok_or(NoMinimum::Overflow);
        for _ in 0..suppliers + takers {
            let mut has_changed = false;
            for s in 0..suppliers {
                for t in 0..takers {
                    let Some(cost) = self.costs[s][t] else { continue };
                    if let Some(at) = to_supplier[s] {
                        let there = plus(at, cost)?;
                        if to_taker[t].is_none_or(|known| there < known) {
                            (to_taker[t], before_taker[t]) = (Some(there), s);
                            has_changed = true;
                        }
                    }
                    if let Some(at) = to_taker[t].filter(|_| self.flow[s][t] > 0) {
                        let there = plus(at, -cost)?;
                        if to_supplier[s].is_none_or(|known| there < known) {
                            (to_supplier[s], before_supplier[s]) = (Some(there), t);
                            has_changed = true;
                        }
                    }
                }
            }
            if !has_changed {
                break;
            }
        }
        let open = (0..takers).filter(|&t| self.demand[t] > 0);
        let best = open.filter_map(|t| to_taker[t].map(|cost| (cost, t))).min();
        Ok(best.map(|(_, t)| (t, (before_taker, before_supplier))))
    }

    /// Sends as much as fits along the way found.
    fn send(&mut self, from: usize, to: usize, back: &(Vec<usize>, Vec<usize>)) {
        let mut way = Vec::new();
        let mut amount = self.supply[from].min(self.demand[to]);
        let mut taker = to;
        loop {
            let supplier = back.0[taker];
            way.push((supplier, taker, 1));
            if supplier == from {
                break;
            }
            taker = back.1[supplier];
            amount = amount.min(self.flow[supplier][taker]);
            way.push((supplier, taker, -1));
        }
        for (s, t, sign) in way {
            self.flow[s][t] += sign * amount;
        }
        self.supply[from] -= amount;
        self.demand[to] -= amount;
    }
}
