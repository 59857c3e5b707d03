//! A step-by-step interpreter of the semantics on plain clock values: no zones, no code.
