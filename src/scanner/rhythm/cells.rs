//! A configuration without times: what locks, arms and chucks hold and where they are, two bits each.

use crate::layout::Content;

/// The most cells and components of a machine; a cell takes two bits of a key.
pub const SIZE: usize = 48;

/// A lock's content and pressure. Where it is empty or lets a wafer out, it waits for the track at
/// atmospheric pressure; else for an arm, in the vacuum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockState {
    /// Empty at atmospheric pressure.
    Open,
    /// An unexposed wafer in the vacuum.
    Raw,
    /// Empty in the vacuum.
    Void,
    /// An exposed wafer at atmospheric pressure.
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChuckState {
    Bare,
    /// A wafer that is not measured, and not to be measured here.
    Fresh,
    Measured,
    /// An exposed wafer.
    Ready,
}

/// One cell for each lock, then two for each robot and two for the chucks. Of two arms or chucks each
/// has its own; an only one has the first, and the second says whether it is away from where it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells([u8; SIZE]);

impl Cells {
    /// All empty, at their first places.
    pub const EMPTY: Cells = Cells([0; SIZE]);

    pub fn lock(&self, cell: usize) -> LockState {
        use LockState::{Done, Open, Raw, Void};
        [Open, Raw, Void, Done][usize::from(self.0[cell] & 3)]
    }

    pub fn set_lock(&mut self, cell: usize, state: LockState) {
        self.0[cell] = state as u8;
    }

    pub fn arm(&self, cell: usize) -> Content {
        match self.0[cell] {
            0 => Content::Empty,
            1 => Content::Raw,
            _ => Content::Exposed,
        }
    }

    pub fn set_arm(&mut self, cell: usize, content: Content) {
        self.0[cell] = content as u8;
    }

    pub fn chuck(&self, cell: usize) -> ChuckState {
        use ChuckState::{Bare, Fresh, Measured, Ready};
        [Bare, Fresh, Measured, Ready][usize::from(self.0[cell] & 3)]
    }

    pub fn set_chuck(&mut self, cell: usize, state: ChuckState) {
        self.0[cell] = state as u8;
    }

    /// Of the second cell of an only arm or chuck.
    pub fn is_away(&self, cell: usize) -> bool {
        self.0[cell] == 1
    }

    /// An only arm or chuck goes to its other place.
    pub fn go_over(&mut self, cell: usize) {
        self.0[cell] ^= 1;
    }

    pub fn swap(&mut self, one: usize, other: usize) {
        self.0.swap(one, other);
    }

    /// For an order between equal components.
    pub fn code(&self, cell: usize) -> u8 {
        self.0[cell]
    }

    /// The first so many cells, as one number.
    pub fn key(&self, cells: usize) -> u128 {
        let cells = self.0[..cells].iter().enumerate();
        cells.fold(0, |key, (place, cell)| key | u128::from(*cell) << (2 * place))
    }

    pub fn of_key(key: u128, cells: usize) -> Cells {
        let mut all = Cells::EMPTY;
        for (place, cell) in all.0.iter_mut().enumerate().take(cells) {
            *cell = ((key >> (2 * place)) & 3) as u8;
        }
        all
    }
}
