//! Whether an urgent synchronisation forbids time to pass.
//!
//! Edges over urgent channels have no clock guards (the model's checks see to that), so the
//! integers of a state decide.

use super::tables::Tables;
use crate::model::{ChannelId, Conjunct, EdgeId, Fault, Vm};
use crate::network::Direction;

/// Whether some synchronisation on an urgent channel is complete with true guards.
pub fn has_urgent_sync(tables: &Tables, vm: &mut Vm, cells: &[i32]) -> Result<bool, Fault> {
    let mut offers: Vec<(usize, ChannelId, Direction)> = Vec::new();
    for process in 0..tables.sites.len() {
        for &edge in &tables.site(process, cells).urgent_edges {
            let Some((channel, direction)) = offer(tables, vm, cells, process, edge)? else {
                continue;
            };
            let is_alone =
                tables.model.channels[channel].is_broadcast && direction == Direction::Send;
            let meets = |&(other, c, d): &(usize, ChannelId, Direction)| {
                other != process && c == channel && d != direction
            };
            let is_broadcast = tables.model.channels[channel].is_broadcast;
            if is_alone || !is_broadcast && offers.iter().any(meets) {
                return Ok(true);
            }
            offers.push((process, channel, direction));
        }
    }
    Ok(false)
}

/// What the edge offers, if its guard holds.
fn offer(
    tables: &Tables,
    vm: &mut Vm,
    cells: &[i32],
    process: usize,
    edge: EdgeId,
) -> Result<Option<(ChannelId, Direction)>, Fault> {
    let model = tables.model;
    let edge = &model.processes[process].edges[edge];
    for conjunct in &edge.guard {
        if let Conjunct::Data(term) = conjunct
            && vm.eval(model, term.code, cells)? == 0
        {
            return Ok(None);
        }
    }
    let Some(sync) = &edge.sync else { return Ok(None) };
    let offset = match &sync.offset {
        None => 0,
        Some(term) => vm.eval(model, term.code, cells)?,
    };
    Ok(Some((sync.channel(offset), sync.direction)))
}
