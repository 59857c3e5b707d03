//! A model checker for networks of priced timed automata.
//!
//! Text becomes a [`network`] ([`xta`]), a network a checked [`model`], and the [`engine`] answers
//! queries about it with zones ([`dbm`], [`priced`]). A [`trace`] gets exact times, and
//! [`interpret`] replays it without zones. A [`descent`] finds runs on which something recurs.
//! Nothing here knows of plants; [`compose`] puts networks together from template files for those
//! who do.

pub mod compose;
pub mod dbm;
pub mod descent;
pub mod engine;
pub mod interpret;
pub mod model;
pub mod network;
pub mod priced;
pub mod trace;
pub mod xta;
