//! Differences of zones, as lists of zones.

use super::{Bound, Dbm};

/// The valuations of `zone` that do not belong to `other`, as disjoint zones.
pub fn subtract<B: Bound>(zone: &Dbm<B>, other: &Dbm<B>) -> Vec<Dbm<B>> {
    let mut pieces = Vec::new();
    let mut rest = zone.clone();
    for i in 0..zone.dim() {
        for j in 0..zone.dim() {
            let bound = other.get(i, j);
            // A bound that the rest keeps anyway cuts nothing off.
            if i == j || bound >= rest.get(i, j) {
                continue;
            }
            let mut piece = rest.clone();
            if piece.constrain(j, i, bound.negated()) {
                pieces.push(piece);
            }
            if !rest.constrain(i, j, bound) {
                return pieces;
            }
        }
    }
    pieces
}
