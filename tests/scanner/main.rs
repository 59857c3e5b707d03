//! Wafer scanners from the outside: their networks, schedules, checks and commands.

mod commands;
mod live;
mod network;
mod pace;
mod recurs;
mod schedule;
