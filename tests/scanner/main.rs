//! Wafer scanners from the outside: their networks, schedules, checks and commands.

mod network;
