//! What belongs to which element of a scalar set: filled in while names are resolved, read by
//! [`super::symmetry`]. Empty for models without scalar sets.

use super::{Addr, ChannelId, ClockId};
use std::collections::BTreeMap;
use std::ops::Range;

/// Where the elements of scalar sets show in memory and among the processes.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Cells that lie in arrays over scalar sets.
    pub cells: BTreeMap<Addr, Vec<Coord>>,
    pub clocks: BTreeMap<ClockId, Vec<Coord>>,
    pub channels: BTreeMap<ChannelId, Vec<Coord>>,
    /// What the reference parameters of functions point to, cell by cell.
    pub references: BTreeMap<Addr, Vec<Slot>>,
    /// Scratch cells that all processes share, wherever they were made.
    pub shared: Vec<Addr>,
    /// Cells of constant arrays and structs.
    pub constants: Vec<Addr>,
    /// The first cells of tables that locals get their default values from.
    pub defaults: Vec<Addr>,
    /// One per process, in their order.
    pub owners: Vec<Owner>,
}

/// The index of a cell in one array over a scalar set around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coord {
    pub set: u32,
    pub index: u32,
    pub stride: u32,
    /// The array's length times its stride.
    pub extent: u32,
}

/// One cell behind a reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    pub coords: Vec<Coord>,
    /// The scalar set of its values.
    pub set: Option<u32>,
}

/// A process: what it was made from, and what it declares.
#[derive(Clone, Debug, Default)]
pub struct Owner {
    /// The name in the system line.
    pub group: String,
    /// The parameters that the system line leaves open: the scalar set, and the value.
    pub parameters: Vec<(Option<u32>, i64)>,
    pub variables: Range<u32>,
    pub scratch: Range<u32>,
    pub clocks: Range<u32>,
    pub channels: Range<u32>,
    pub functions: Range<u32>,
}
