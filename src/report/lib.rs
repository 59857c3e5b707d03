//! What a schedule amounts to, and how it is shown: figures, tables, charts.

pub mod account;
pub mod render;
