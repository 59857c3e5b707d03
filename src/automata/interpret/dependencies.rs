//! Who has to look again when something changes.
//!
//! Whatever is worked out for a process (its watchers are numbered) stays true as long as all the
//! cells and clocks that were read for it stay as they are. Each of these keeps a list of
//! who read it; when it changes, all on the list have to look again, and are put on lists anew by
//! what they read then.

use crate::model::{Addr, ClockId, Model, ProcessId};

/// What is worked out for a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matter {
    /// Its invariant.
    Stay,
    /// The edges with which it can take part in synchronisations.
    Offers,
    /// The rate of its cost.
    Price,
}

const MATTERS: usize = 3;

pub(super) struct Dependencies {
    /// For each cell of the state, then for each clock: processes and matters, as one number.
    readers: Vec<Vec<u32>>,
    /// Where the clocks begin.
    cells: usize,
    /// For each matter of each process, whether it is among the stale ones.
    is_stale: Vec<bool>,
    /// For each matter, the processes that have to look again.
    stale: [Vec<ProcessId>; MATTERS],
}

impl Dependencies {
    /// At first all have to look.
    pub fn new(model: &Model) -> Dependencies {
        let processes = model.processes.len();
        Dependencies {
            readers: vec![Vec::new(); model.state_len as usize + model.clocks.len()],
            cells: model.state_len as usize,
            is_stale: vec![true; processes * MATTERS],
            stale: std::array::from_fn(|_| ProcessId::all(processes).collect()),
        }
    }

    pub fn renew(&mut self, process: ProcessId, matter: Matter) {
        let number = process.index() * MATTERS + matter as usize;
        if !std::mem::replace(&mut self.is_stale[number], true) {
            self.stale[matter as usize].push(process);
        }
    }

    pub fn cell_changed(&mut self, cell: Addr) {
        self.changed(cell.index());
    }

    pub fn clock_changed(&mut self, clock: ClockId) {
        self.changed(self.cells + clock.index());
    }

    fn changed(&mut self, at: usize) {
        let readers = std::mem::take(&mut self.readers[at]);
        for &reader in &readers {
            let process = ProcessId(reader / MATTERS as u32);
            let matter = [Matter::Stay, Matter::Offers, Matter::Price];
            self.renew(process, matter[reader as usize % MATTERS]);
        }
        // The list is as long as ever in a moment: keep its room.
        self.readers[at] = readers;
        self.readers[at].clear();
    }

    /// Those who have to look again, in the order of processes. They are taken to do so.
    pub fn take_stale(&mut self, matter: Matter) -> Vec<ProcessId> {
        let mut stale = std::mem::take(&mut self.stale[matter as usize]);
        stale.sort_unstable();
        for &process in &stale {
            self.is_stale[process.index() * MATTERS + matter as usize] = false;
        }
        stale
    }

    pub fn has_read(
        &mut self,
        process: ProcessId,
        matter: Matter,
        cells: &[Addr],
        clocks: &[ClockId],
    ) {
        let reader = process.0 * MATTERS as u32 + matter as u32;
        let clocks = clocks.iter().map(|clock| self.cells + clock.index());
        for key in cells.iter().map(|cell| cell.index()).chain(clocks) {
            let readers = &mut self.readers[key];
            if readers.last() != Some(&reader) {
                readers.push(reader);
            }
        }
    }
}
