//! Placeholder until models can be built.
