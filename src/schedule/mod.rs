//! Schedules as plain data.
