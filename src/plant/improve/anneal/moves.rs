//! What is changed next.

use super::Annealing;
use super::times::{Cause, Scope};
use super::window::Window;
use crate::plan::{Objective, OrderId};
use crate::random::Random;

/// After how many rounds it is looked anew who pays.
const LOOKING: u64 = 500;

/// How far a chain of reasons is followed, mostly.
const NEAR: usize = 60;

/// How many places away a claim is moved at most, and how far one of the same family is looked for.
const FAR: usize = 12;
const SEEN: usize = 30;

/// What may be changed on a chain of reasons.
#[derive(Clone, Copy, Debug)]
enum Reason {
    /// Somebody stands before this seat.
    Seat(usize),
    /// This node waits of its own accord.
    Waiting(usize),
}

impl Annealing<'_> {
    /// Changes the lines; false if nothing came of it.
    pub(super) fn change(&mut self, random: &mut Random) -> bool {
        let order = self.pick(random);
        let has_setups = self.graph.plan.pools.iter().any(|pool| pool.setup.is_some());
        if self.pays_early(order) && random.one_in(2) {
            return self.wait(order, random);
        }
        if has_setups && random.one_in(4) {
            return self.group(random);
        }
        if random.one_in(12) {
            let node = self.window.nodes[random.below(self.window.nodes.len())];
            return self.move_claim_of(node, random);
        }
        match self.reason(order, random) {
            None => false,
            Some(Reason::Waiting(node)) => {
                let until = self.lines.waits_until(node).max(0);
                let former = self.graph.anchors[node].map(|anchor| anchor.at.min(until - 1));
                let until = match former {
                    Some(former) if random.one_in(2) => former.max(0),
                    _ if random.one_in(2) => 0,
                    _ => random.below(until as usize) as i64,
                };
                self.lines.wait(node, until);
                true
            }
            Some(Reason::Seat(seat)) => self.move_seat(seat, random),
        }
    }

    /// An order that pays, rather than others.
    fn pick(&mut self, random: &mut Random) -> OrderId {
        let paid = |order: OrderId| self.times.paid[order.0];
        if self.graph.plan.objective != Objective::Cost && !random.one_in(8) {
            let all = (0..self.times.paid.len()).map(OrderId);
            return all.max_by_key(|&order| paid(order)).unwrap_or_default();
        }
        let Window { nodes, orders, costly, .. } = &mut self.window;
        if self.cycle.at % LOOKING == 1 {
            costly.clear();
            costly.extend(orders.iter().copied().filter(|&order| paid(order) > 0));
        }
        if costly.is_empty() || random.one_in(16) {
            return self.graph.of[nodes[random.below(nodes.len())]].0;
        }
        let drawn = [0; 2].map(|_| costly[random.below(costly.len())]);
        drawn.into_iter().max_by_key(|&order| paid(order)).unwrap_or_default()
    }

    /// Whether it pays for what is before its due date, or for lasting.
    fn pays_early(&self, order: OrderId) -> bool {
        let of = &self.graph.plan.orders[order];
        let finish = self.graph.nodes[order].clone().map(|node| self.times.end[node]).max();
        let is_early = of.due.is_some_and(|due| finish.is_some_and(|finish| finish < due));
        self.graph.plan.objective == Objective::Cost
            && (of.costs.storage > 0 && is_early
                || of.costs.holding > 0
                || self.hasty(order).next().is_some())
    }

    /// The steps of an order that start before their former starts, and those.
    fn hasty(&self, order: OrderId) -> impl DoubleEndedIterator<Item = (usize, i64)> {
        self.graph.nodes[order].clone().filter_map(|node| {
            let former = self.graph.anchors[node]?.at;
            (self.times.start[node] < former && self.times.scope[node] == Scope::Inside)
                .then_some((node, former))
        })
    }

    /// Some or all steps of an order start later: the last so that it is not early, the others so that they do not wait.
    fn wait(&mut self, order: OrderId, random: &mut Random) -> bool {
        let hasty: Vec<(usize, i64)> = self.hasty(order).collect();
        if !hasty.is_empty() && !random.one_in(3) {
            let only = random.below(2 * hasty.len());
            for (k, &(node, former)) in hasty.iter().enumerate() {
                if k == only || only >= hasty.len() {
                    self.lines.wait(node, former);
                }
            }
            return true;
        }
        let nodes = self.graph.nodes[order].clone();
        let of = &self.graph.plan.orders[order];
        let finish = nodes.clone().map(|node| self.times.end[node]).max().unwrap_or(0);
        let early = of.due.map_or(0, |due| (due - finish).max(0));
        let mut later = if of.costs.storage > 0 { early } else { 0 };
        if later > 1 && random.one_in(2) {
            later = 1 + random.below(later as usize) as i64;
        }
        let is_whole = of.costs.holding > 0 || random.one_in(3);
        let mut is_changed = false;
        for node in nodes.rev() {
            let after = self.graph.after[node].iter();
            let slack = after
                .map(|&next| {
                    self.lines.waits_until(next).max(self.times.start[next]) - self.times.end[node]
                })
                .min();
            let by = match slack {
                None => later,
                Some(slack) if is_whole => slack.max(0),
                Some(_) => 0,
            };
            if by > 0 && self.times.scope[node] == Scope::Inside {
                self.lines.wait(node, self.times.start[node] + by);
                is_changed = true;
            }
        }
        is_changed
    }

    /// Why the order ends no earlier: one of the reasons, at random.
    fn reason(&self, order: OrderId, random: &mut Random) -> Option<Reason> {
        let is_inside = |node: usize| self.times.scope[node] == Scope::Inside;
        let nodes = self.graph.nodes[order].clone().filter(|&node| is_inside(node));
        let mut node = nodes.clone().max_by_key(|&node| self.times.end[node])?;
        let is_late = |&node: &usize| {
            self.graph.anchors[node].is_some_and(|anchor| anchor.at < self.times.start[node])
        };
        let late: Vec<usize> = nodes.filter(is_late).collect();
        if !late.is_empty() && random.one_in(2) {
            node = late[random.below(late.len())];
        }
        let is_far = self.graph.plan.objective != Objective::Cost || random.one_in(4);
        let mut chosen = None;
        let mut count = 0;
        for _ in 0..if is_far { self.graph.of.len() } else { NEAR } {
            let (reason, next) = match self.times.cause(&self.graph, &self.lines, node) {
                Cause::Release => break,
                Cause::Waits => (Some(Reason::Waiting(node)), None),
                Cause::Order(before) => (None, Some(before)),
                Cause::Unit(seat) => {
                    let Some(prev) = self.lines.prev(seat) else { break };
                    let until = self.graph.claims[self.graph.owner[prev]].until;
                    (Some(Reason::Seat(seat)), Some(until))
                }
            };
            if let Some(reason) = reason {
                count += 1;
                if random.one_in(count) {
                    chosen = Some(reason);
                }
            }
            let Some(next) = next.filter(|&next| is_inside(next)) else { break };
            node = next;
        }
        chosen
    }

    /// Whoever has this seat goes forward in its line, or those before it go back, or it goes elsewhere.
    fn move_seat(&mut self, seat: usize, random: &mut Random) -> bool {
        let (Some(line), Some(prev)) = (self.lines.line(seat), self.lines.prev(seat)) else {
            return false;
        };
        match random.below(10) {
            0..5 => {
                let before = self.lines.prev(prev);
                self.put(seat, line, before)
            }
            5..7 => {
                let mut before = self.lines.prev(prev);
                for _ in 0..1 + random.below(FAR) {
                    before = before.and_then(|seat| self.lines.prev(seat));
                }
                self.put(seat, line, before)
            }
            7..9 => {
                let mut behind = seat;
                for _ in 0..random.below(FAR) {
                    behind = self.lines.next(behind).unwrap_or(behind);
                }
                self.put(prev, line, Some(behind))
            }
            _ => {
                let seat = if random.one_in(3) { prev } else { seat };
                self.move_claim(self.graph.owner[seat], random)
            }
        }
    }

    /// To another place in the same line, unless that contradicts what its neighbours there wait for.
    fn put(&mut self, seat: usize, line: usize, behind: Option<usize>) -> bool {
        let claim = |seat: usize| &self.graph.claims[self.graph.owner[seat]];
        let next = behind.map_or(self.lines.first(line), |behind| self.lines.next(behind));
        let scope = |seat: usize| self.times.scope[claim(seat).from];
        if scope(seat) != Scope::Inside
            || next.is_some_and(|next| scope(next) == Scope::Past)
            || behind.is_some_and(|behind| scope(behind) == Scope::Later)
        {
            return false;
        }
        let is_later = behind.is_some_and(|behind| {
            self.times.start[claim(behind).from] >= self.times.start[claim(seat).from]
        });
        let contradicts = match (is_later, behind, next) {
            (true, Some(behind), _) => {
                self.times.contradicts(&self.graph, claim(behind), claim(seat))
            }
            (false, _, Some(next)) => self.times.contradicts(&self.graph, claim(seat), claim(next)),
            _ => false,
        };
        if contradicts {
            return false;
        }
        self.lines.unlink(&self.graph, seat);
        self.lines.link(&self.graph, seat, line, behind);
        true
    }

    fn move_claim_of(&mut self, node: usize, random: &mut Random) -> bool {
        let claims = &self.graph.begun[node];
        let claim = claims[random.below(claims.len())];
        self.move_claim(claim, random)
    }

    /// Other units, maybe in another way, at about the same time.
    fn move_claim(&mut self, claim: usize, random: &mut Random) -> bool {
        let graph = &self.graph;
        if self.times.scope[graph.claims[claim].from] != Scope::Inside {
            return false;
        }
        let (choice, seats) = (self.lines.choice(claim), graph.claims[claim].seats.clone());
        let chosen = match graph.choices(claim) {
            1 => 0,
            count => random.below(count),
        };
        let needs = graph.needs(claim, chosen);
        let is_free = |need: &crate::plan::Need| graph.lines[need.pool].len() as i64 > need.amount;
        if chosen == choice && !needs.iter().any(is_free) {
            return self.move_about(claim, random);
        }
        let start = self.times.start[graph.claims[claim].from];
        for seat in seats.clone() {
            self.lines.unlink(graph, seat);
        }
        if chosen != choice {
            self.lines.choose(graph, claim, chosen);
        }
        let mut free = seats;
        for need in needs {
            let mut own: Vec<usize> = graph.lines[need.pool].clone().collect();
            random.shuffle(&mut own);
            for (line, _) in own.into_iter().zip(0..need.amount) {
                let Some(seat) = free.next() else { break };
                let mut prev = None;
                let mut next = self.lines.first(line);
                while let Some(seat) = next {
                    let node = graph.claims[graph.owner[seat]].from;
                    if self.times.start[node] >= start || self.times.scope[node] == Scope::Later {
                        break;
                    }
                    (prev, next) = (Some(seat), self.lines.next(seat));
                }
                let is_past = |seat: usize| {
                    self.times.scope[graph.claims[graph.owner[seat]].from] == Scope::Past
                };
                if random.one_in(3) && prev.is_some_and(|seat| !is_past(seat)) {
                    prev = prev.and_then(|seat| self.lines.prev(seat));
                }
                self.lines.link(graph, seat, line, prev);
            }
        }
        true
    }

    /// A few places to the front or to the back.
    fn move_about(&mut self, claim: usize, random: &mut Random) -> bool {
        let seats = self.graph.claims[claim].seats.clone();
        let mut taken = seats.filter(|&seat| self.lines.line(seat).is_some());
        let Some((seat, line)) =
            taken.next().and_then(|seat| self.lines.line(seat).map(|line| (seat, line)))
        else {
            return false;
        };
        let steps = 1 + random.below(FAR);
        let mut place = Some(seat);
        if random.one_in(2) {
            for _ in 0..=steps {
                place = place.and_then(|seat| self.lines.prev(seat));
            }
        } else {
            for _ in 0..steps {
                place = place.and_then(|seat| self.lines.next(seat)).or(place);
            }
        }
        if place == Some(seat) {
            return false;
        }
        self.put(seat, line, place)
    }

    /// Brings two of one family together on a unit.
    fn group(&mut self, random: &mut Random) -> bool {
        let node = self.window.nodes[random.below(self.window.nodes.len())];
        let claims = &self.graph.begun[node];
        let claim = claims[random.below(claims.len())];
        let seats = self.graph.claims[claim].seats.clone();
        let family = |seat: usize| self.graph.claims[self.graph.owner[seat]].family;
        for seat in seats {
            let (Some(line), Some(prev)) = (self.lines.line(seat), self.lines.prev(seat)) else {
                continue;
            };
            let is_paid = self.lines.gap(&self.graph, seat) > 0
                || self.lines.setup_cost(&self.graph, seat) > 0;
            if self.graph.setup(line).is_none() || !is_paid {
                continue;
            }
            let is_later = random.one_in(2);
            let (wanted, mut other) =
                if is_later { (family(prev), Some(seat)) } else { (family(seat), Some(prev)) };
            for _ in 0..SEEN {
                other = other.and_then(|seat| {
                    if is_later { self.lines.next(seat) } else { self.lines.prev(seat) }
                });
                let Some(found) = other else { return false };
                if family(found) == wanted {
                    return self.put(found, line, Some(prev));
                }
            }
        }
        false
    }
}
