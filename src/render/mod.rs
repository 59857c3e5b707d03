//! Schedules as CSV, SVG and text.
