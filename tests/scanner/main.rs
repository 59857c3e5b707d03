//! Wafer scanners from the outside: their networks, schedules, checks and commands.

mod commands;
mod live;
mod network;
mod pace;
#[allow(dead_code, reason = "not every test draws in every way")]
#[path = "../oracle/random.rs"]
mod random;
mod recurs;
mod schedule;
