//! From a spec to whole numbers: orders, steps, durations, horizon.
