//! Runs the program as a user does and looks at what it prints and how it ends.

mod check;
mod compare;
mod compile;
mod faults;
mod import;
mod lacquer;
mod letters;
mod new;
mod reasons;
mod replan;
mod run;
mod safe;
mod schema;
mod show;
mod solve;
mod tables;
mod validate;
