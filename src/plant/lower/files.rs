//! The template files that plants are put together from.

use super::heuristic;
use takt_automata::compose::Embedded;

/// One file of `templates/`.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../templates/", $name)))
    };
}

pub(super) use file;

const PLANT: [Embedded; 16] = [
    file!("plant.xta"),
    file!("shop.xta"),
    file!("order.xta"),
    file!("begin.xta"),
    file!("step.xta"),
    file!("counter.xta"),
    file!("hold.xta"),
    file!("empty.xta"),
    file!("same.xta"),
    file!("machine.xta"),
    file!("calendar.xta"),
    file!("crew.xta"),
    file!("lag.xta"),
    file!("sequel.xta"),
    file!("costs.xta"),
    file!("away.xta"),
];

/// In the sequence in which their declarations stand in a compiled plant.
pub const FILES: [Embedded; PLANT.len() + heuristic::FILES.len()] = {
    let mut all = [("", ""); PLANT.len() + heuristic::FILES.len()];
    let mut k = 0;
    while k < all.len() {
        all[k] = if k < PLANT.len() { PLANT[k] } else { heuristic::FILES[k - PLANT.len()] };
        k += 1;
    }
    all
};
