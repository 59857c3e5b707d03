//! YAML text to a typed spec in which every value knows its place.
