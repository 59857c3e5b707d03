//! How busy resources are, stretch by stretch of time.

use super::load::inside;
use super::{Account, Use};
use std::collections::{BTreeMap, HashMap};
use takt_spec::schedule::{Kind, Schedule};

/// Of a resource in a stretch of time: for how long its units are taken, and for how long they could be,
/// all of them together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub taken: i64,
    pub open: i64,
}

impl Share {
    /// Of what could be; `None` if nothing could.
    pub fn share(self) -> Option<f64> {
        (self.open > 0).then(|| self.taken as f64 / self.open as f64)
    }
}

/// For each resource the stretches between these instants, which rise.
pub fn shares(account: &Account, schedule: &Schedule, edges: &[i64]) -> Vec<Vec<Share>> {
    let names: BTreeMap<&str, usize> =
        account.resources.iter().enumerate().map(|(k, of)| (of.name.as_str(), k)).collect();
    let units: Vec<HashMap<&str, usize>> = (account.resources.iter())
        .map(|of| of.units.iter().enumerate().map(|(k, unit)| (unit.name.as_str(), k)).collect())
        .collect();
    let mut shares: Vec<Vec<Share>> = account.resources.iter().map(|of| open(of, edges)).collect();
    for row in schedule.rows.iter().filter(|row| row.kind != Kind::Setup) {
        let Some(&number) = names.get(row.resource.as_str()) else { continue };
        let of = &account.resources[number];
        let unit = units[number].get(row.unit.as_str()).copied().unwrap_or(0);
        let Some(unit) = of.units.get(unit) else { continue };
        let first = edges.partition_point(|&edge| edge <= row.start).max(1);
        for k in first..edges.len() {
            if edges[k - 1] >= row.end {
                break;
            }
            let (from, to) = (row.start.max(edges[k - 1]), row.end.min(edges[k]));
            shares[number][k - 1].taken += inside(&unit.open, from, to);
        }
    }
    shares
}

/// Units with one calendar share it, so each is looked at once.
fn open(of: &Use, edges: &[i64]) -> Vec<Share> {
    let mut all = vec![Share::default(); edges.len().saturating_sub(1)];
    let mut rest = &of.units[..];
    while let [first, ..] = rest {
        let is_same = |unit: &&super::Unit| unit.open == first.open;
        let alike = rest.iter().take_while(is_same).count();
        for (share, edge) in all.iter_mut().zip(edges.windows(2)) {
            share.open += inside(&first.open, edge[0], edge[1]) * alike as i64;
        }
        rest = &rest[alike..];
    }
    all
}
