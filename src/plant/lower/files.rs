//! The template files that plants are put together from.

use takt_automata::compose::Embedded;

/// One file of `templates/`.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../templates/", $name)))
    };
}

/// In the sequence in which their declarations stand in a compiled plant.
pub const FILES: [Embedded; 20] = [
    file!("plant.xta"),
    file!("shop.xta"),
    file!("order.xta"),
    file!("begin.xta"),
    file!("step.xta"),
    file!("counter.xta"),
    file!("hold.xta"),
    file!("empty.xta"),
    file!("machine.xta"),
    file!("calendar.xta"),
    file!("lag.xta"),
    file!("costs.xta"),
    file!("judge.xta"),
    file!("stages.xta"),
    file!("fitting.xta"),
    file!("greedy.xta"),
    file!("nonlazy.xta"),
    file!("nonovertaking.xta"),
    file!("maxactive.xta"),
    file!("startwithin.xta"),
];
