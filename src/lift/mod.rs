//! From a timed run of the compiled network to a schedule.
