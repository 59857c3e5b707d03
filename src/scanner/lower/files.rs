//! The template files that scanners are put together from.

use takt_automata::compose::Embedded;

/// One file of `templates/`.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../templates/", $name)))
    };
}

/// In the sequence in which their declarations stand in a compiled scanner.
pub const FILES: [Embedded; 12] = [
    file!("scanner.xta"),
    file!("positions.xta"),
    file!("lock.xta"),
    file!("chuck.xta"),
    file!("track.xta"),
    file!("arm.xta"),
    file!("observer.xta"),
    file!("policy.xta"),
    file!("hurry.xta"),
    file!("useful.xta"),
    file!("prospect.xta"),
    file!("filling.xta"),
];
