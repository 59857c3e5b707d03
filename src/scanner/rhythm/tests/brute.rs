//! All that a small machine can do, unit of time by unit of time: every state with the time that
//! each component is still busy, and every wait. Slow, simple, and without a thought in common with
//! the searches.

use crate::layout::Scanner;
use hashbrown::HashMap;
use num_rational::Ratio;

/// Track: 0 ready to load or to unload (which takes no time; the way back is not needed then), 2
/// unloading, 3 recovering. Each component is followed by how long it is still busy.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    track: (u8, u8),
    /// Content (1 raw, 2 exposed), vacuum, busy.
    locks: Vec<(u8, bool, u8)>,
    /// Content, at the locks, busy.
    arms: Vec<Vec<(u8, bool, u8)>>,
    /// Content (1 raw, 2 measured, 3 exposed), at measure, busy.
    chucks: Vec<(u8, bool, u8)>,
}

pub struct Graph {
    /// (to, time, unloads that ended)
    edges: Vec<Vec<(usize, i64, i64)>>,
}

impl Graph {
    pub fn new(scanner: &Scanner) -> Graph {
        let start = State {
            track: (0, 0),
            locks: vec![(0, false, 0); scanner.locks.len()],
            arms: scanner
                .robots
                .iter()
                .map(|r| (0..r.arms).map(|a| (0, a == 0, 0)).collect())
                .collect(),
            chucks: (0..scanner.chucks.len()).map(|c| (0, c == 0, 0)).collect(),
        };
        let mut index: HashMap<State, usize> = HashMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut edges = Vec::new();
        while edges.len() < states.len() {
            let state = states[edges.len()].clone();
            let mut next: Vec<(State, i64, i64)> =
                starts(scanner, &state).into_iter().map(|to| (to, 0, 0)).collect();
            let (to, ended) = tick(scanner, &state);
            next.push((to, 1, ended));
            let mut list = Vec::new();
            for (to, time, ended) in next {
                let at = *index.entry(to.clone()).or_insert_with(|| {
                    states.push(to);
                    states.len() - 1
                });
                list.push((at, time, ended));
            }
            edges.push(list);
        }
        Graph { edges }
    }

    /// Whether some cycle takes less time per wafer.
    pub fn beats(&self, interval: Ratio<i64>) -> bool {
        let (p, q) = (*interval.numer(), *interval.denom());
        let mut distance = vec![0i64; self.edges.len()];
        // no path without a cycle goes through more states than there are
        for _ in 0..=self.edges.len() {
            let mut changed = false;
            for (from, list) in self.edges.iter().enumerate() {
                for &(to, time, ended) in list {
                    let through = distance[from] + q * time - p * ended;
                    if through < distance[to] {
                        distance[to] = through;
                        changed = true;
                    }
                }
            }
            if !changed {
                return false;
            }
            // a path this much below 0 has gone round
            if distance.iter().min().is_some_and(|least| *least < -p * self.edges.len() as i64) {
                return true;
            }
        }
        true
    }

    /// What can be done with the first wafer by `first` and no gap above `gap` afterwards.
    pub fn within(&self, first: i64, gap: i64) -> Graph {
        // by state, how long since the last wafer, and whether there was one
        let width = (first + gap + 2) as usize;
        let place = |state: usize, since: i64, any: bool| {
            state * width + if any { first + 1 + since } else { since } as usize
        };
        let mut index = vec![usize::MAX; self.edges.len() * width];
        index[0] = 0;
        let mut nodes = vec![(0usize, 0i64, false)];
        let mut edges: Vec<Vec<(usize, i64, i64)>> = Vec::new();
        while edges.len() < nodes.len() {
            let (state, since, any) = nodes[edges.len()];
            let mut list = Vec::new();
            for &(to, time, ended) in &self.edges[state] {
                let since = since + time;
                if since > if any { gap } else { first } {
                    continue;
                }
                let (since, any) = if ended > 0 { (0, true) } else { (since, any) };
                let at = &mut index[place(to, since, any)];
                if *at == usize::MAX {
                    *at = nodes.len();
                    nodes.push((to, since, any));
                }
                list.push((*at, time, ended));
            }
            edges.push(list);
        }
        Graph { edges }
    }

    /// Whether an endless run has its first wafer by `first` and no gap above `gap` afterwards.
    pub fn keeps(&self, first: i64, gap: i64) -> bool {
        self.within(first, gap).goes_on()
    }

    /// Whether some run has no end.
    fn goes_on(&self) -> bool {
        let next = &self.edges;
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
        for (from, list) in next.iter().enumerate() {
            list.iter().for_each(|(to, ..)| before[*to].push(from));
        }
        let mut left: Vec<usize> = next.iter().map(Vec::len).collect();
        let mut dead: Vec<usize> = (0..next.len()).filter(|node| left[*node] == 0).collect();
        while let Some(node) = dead.pop() {
            for &from in &before[node] {
                left[from] -= 1;
                if left[from] == 0 {
                    dead.push(from);
                }
            }
        }
        left[0] > 0
    }
}

fn tick(scanner: &Scanner, state: &State) -> (State, i64) {
    let mut next = state.clone();
    let mut ended = 0;
    if next.track.1 > 0 {
        next.track.1 -= 1;
        if next.track.1 == 0 {
            match next.track.0 {
                2 => {
                    ended = 1;
                    next.track = (3, scanner.track.recover as u8);
                }
                _ => next.track.0 = 0,
            }
        }
    }
    let cells = next.locks.iter_mut().chain(next.arms.iter_mut().flatten());
    for cell in cells.chain(next.chucks.iter_mut()) {
        cell.2 = cell.2.saturating_sub(1);
    }
    (next, ended)
}

fn starts(scanner: &Scanner, state: &State) -> Vec<State> {
    let mut out = Vec::new();
    let mut with = |change: &dyn Fn(&mut State)| {
        let mut next = state.clone();
        change(&mut next);
        out.push(next);
    };
    let track = &scanner.track;
    for (lock, kind) in scanner.locks.iter().enumerate() {
        let (content, vacuum, busy) = state.locks[lock];
        if busy > 0 {
            continue;
        }
        if state.track == (0, 0) && (content, vacuum) == (0, false) && kind.takes_in {
            with(&|next| {
                next.track.1 = track.load as u8;
                next.locks[lock] = (1, false, track.load as u8);
            });
        }
        if state.track == (0, 0) && (content, vacuum) == (2, false) {
            with(&|next| {
                next.track = (2, track.unload as u8);
                next.locks[lock] = (0, false, track.unload as u8);
            });
        }
        let time = if vacuum { scanner.pressurize } else { scanner.depressurize };
        with(&|next| next.locks[lock] = (content, !vacuum, time as u8));
    }
    for (robot, kind) in scanner.robots.iter().enumerate() {
        if state.arms[robot].iter().all(|arm| arm.2 == 0) {
            with(&|next| {
                for arm in &mut next.arms[robot] {
                    (arm.1, arm.2) = (!arm.1, kind.turn as u8);
                }
            });
        }
        for (arm, &(held, outside, busy)) in state.arms[robot].iter().enumerate() {
            if busy > 0 {
                continue;
            }
            for &lock in kind.locks.iter().filter(|_| outside) {
                let time = match (held, state.locks[lock]) {
                    (0, (1, true, 0)) => kind.from_lock as u8,
                    (2, (0, true, 0)) if scanner.locks[lock].lets_out => kind.to_lock as u8,
                    _ => continue,
                };
                with(&|next| {
                    next.arms[robot][arm] = (if held == 0 { 1 } else { 0 }, true, time);
                    next.locks[lock] = (if held == 0 { 0 } else { 2 }, true, time);
                });
            }
            for (chuck, &place) in state.chucks.iter().enumerate().filter(|_| !outside) {
                let time = match (held, place) {
                    (1, (0, true, 0)) => kind.to_chuck as u8,
                    (0, (3, true, 0)) => kind.from_chuck as u8,
                    _ => continue,
                };
                with(&|next| {
                    next.arms[robot][arm] = (if held == 0 { 2 } else { 0 }, false, time);
                    next.chucks[chuck] = (if held == 0 { 0 } else { 1 }, true, time);
                });
            }
        }
    }
    for (chuck, &place) in state.chucks.iter().enumerate() {
        match place {
            (1, true, 0) => with(&|next| next.chucks[chuck] = (2, true, scanner.measure as u8)),
            (2, false, 0) => with(&|next| next.chucks[chuck] = (3, false, scanner.expose as u8)),
            _ => {}
        }
    }
    if state.chucks.iter().all(|chuck| chuck.2 == 0) {
        with(&|next| {
            for chuck in &mut next.chucks {
                (chuck.1, chuck.2) = (!chuck.1, scanner.swap as u8);
            }
        });
    }
    out
}
