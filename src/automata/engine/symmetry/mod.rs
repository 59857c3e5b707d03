//! One state for each orbit: before a successor is looked up, the elements of symmetric scalar
//! sets are given new names so that states that differ in names only become equal.
//!
//! The names are chosen by sorting (section 4.4 of Hendriks' thesis): elements are compared by
//! what the integers of the state say of them, then by the order of their clocks in the zone.
//! Where that leaves a choice the result may not be canonical: then some states are seen twice, and
//! nothing is wrong. A state whose elements are interchangeable has equal successors up to names,
//! so that only one of each kind is made ([`Reduction::classes`]).
//!
//! A trace found is one of renamed states; [`undo`] gives the moves their old names back.

mod colour;
mod group;
mod table;
mod twins;
mod undo;

pub use group::Reductions;
pub use table::Reduction;
pub use twins::Twins;
pub use undo::{Undone, undo};

use super::state::{Activity, State};
use super::tables::Tables;
use super::zone::Zone;
use crate::dbm::{ClockLimits, Origin};
use crate::model::ClockId;
use crate::model::symmetry::Renaming;
use colour::Colours;

/// Renames states; keeps its buffers from one to the next.
pub struct Renamer<Z: Zone> {
    colours: Colours,
    pub image: State<Z>,
    pub limits: ClockLimits<Z::Bound>,
    /// What was done to get from the state to `image`.
    pub renaming: Renaming,
    pub twins: Twins,
}

impl<Z: Zone> Default for Renamer<Z> {
    fn default() -> Renamer<Z> {
        Renamer {
            colours: Colours::default(),
            image: State::default(),
            limits: ClockLimits::default(),
            renaming: Renaming::default(),
            twins: Twins::default(),
        }
    }
}

impl<Z: Zone> Renamer<Z> {
    /// Puts the representative of the state's orbit into `image`; false if it is the state itself.
    pub fn rename(
        &mut self,
        reduction: &Reduction,
        tables: &Tables,
        activity: &mut Activity,
        state: &State<Z>,
    ) -> bool {
        if !self.colours.sort(reduction, state, &mut self.renaming) {
            return false;
        }
        let image = &mut self.image;
        reduction.rename_cells(&self.renaming, &state.cells, &mut image.cells);
        activity.find(tables, &image.cells, &mut image.clocks, &mut self.limits);
        let mut origins = vec![None; image.clocks.len()];
        for (at, &clock) in state.clocks.iter().enumerate() {
            let new = reduction.symmetry.moved.clocks.renamed(clock.0, &self.renaming);
            match image.clocks.binary_search(&ClockId(new)) {
                Ok(position) => origins[position] = Some(Origin::Kept(at + 1)),
                // What is known of clocks does not depend on names, so this cannot be; but then
                // the state is as good a representative as any.
                Err(_) => return false,
            }
        }
        let Some(origins) = origins.into_iter().collect::<Option<Vec<_>>>() else { return false };
        let mut spill = Vec::new();
        if image.zone.reshape_from(&state.zone, &origins, &mut spill).is_err() || !spill.is_empty()
        {
            return false;
        }
        image.marks = state.marks;
        image.entered = state.entered;
        true
    }
}
