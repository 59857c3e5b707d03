//! The model checker from the outside: known answers, exact counts, and random networks against
//! solvers that use no zones.

mod acceleration;
mod asking;
mod counts;
mod crossing;
mod enumeration;
mod expectation;
mod gallery;
mod oracle;
mod prices;
mod symmetry;
