//! The integers of a state as few bits, for hashing and storing.

use crate::model::{Addr, Model};

/// How each cell is written: its lowest value is subtracted, then it takes as many bits as its
/// largest needs. Bits are kept in words of 32.
#[derive(Clone, Debug)]
pub struct Packing {
    fields: Vec<Field>,
    /// Cells of one value, which take no room, each with that value.
    fixed: Vec<(Addr, i32)>,
    /// Cells that are no part of a state's identity, in order.
    meta: Vec<Addr>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Field {
    cell: Addr,
    lowest: i32,
    /// In bits, from 1 to 32.
    width: u32,
}

impl Packing {
    pub fn new(model: &Model) -> Packing {
        let (mut fields, mut fixed) = (Vec::new(), Vec::new());
        let mut meta = Vec::new();
        for (index, cell) in model.state_cells().iter().enumerate() {
            let (lo, hi) = match model.processes.get(index) {
                Some(process) => (0, process.locations.len() as i64 - 1),
                None => (cell.lo, cell.hi),
            };
            if cell.is_meta {
                meta.push(Addr::at(index));
                continue;
            }
            let (cell, lowest) = (Addr::at(index), lo as i32);
            match i64::BITS - (hi - lo).leading_zeros() {
                0 => fixed.push((cell, lowest)),
                width => fields.push(Field { cell, lowest, width }),
            }
        }
        let bits: usize = fields.iter().map(|f| f.width as usize).sum();
        Packing { fields, fixed, meta, len: bits.div_ceil(32) * 4 }
    }

    /// Bytes of a packed state.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Cells of a state that are kept aside.
    pub fn meta(&self) -> &[Addr] {
        &self.meta
    }

    pub fn pack(&self, cells: &[i32], out: &mut Vec<u8>) {
        out.clear();
        let (mut bits, mut filled) = (0u64, 0);
        for field in &self.fields {
            let value = cells[field.cell].wrapping_sub(field.lowest) as u32;
            bits |= u64::from(value) << filled;
            filled += field.width;
            if filled >= 32 {
                out.extend_from_slice(&(bits as u32).to_le_bytes());
                bits >>= 32;
                filled -= 32;
            }
        }
        if filled > 0 {
            out.extend_from_slice(&(bits as u32).to_le_bytes());
        }
    }

    /// Writes a state over `cells`, whatever they hold: all but the meta cells.
    pub fn unpack(&self, bytes: &[u8], cells: &mut [i32]) {
        for &(cell, value) in &self.fixed {
            cells[cell] = value;
        }
        let (words, _) = bytes.as_chunks::<4>();
        let mut words = words.iter().map(|&word| u64::from(u32::from_le_bytes(word)));
        let (mut bits, mut filled) = (0u64, 0);
        for field in &self.fields {
            if filled < field.width {
                bits |= words.next().expect("a packed state has all its words") << filled;
                filled += 32;
            }
            let value = bits & (u64::MAX >> (u64::BITS - field.width));
            cells[field.cell] = (value as u32 as i32).wrapping_add(field.lowest);
            bits >>= field.width;
            filled -= field.width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Cell;

    /// Into cells that hold something else: a range of one value was once read as what the buffer
    /// held before, which was 0.
    #[test]
    fn what_is_packed_comes_back() {
        let ranges = [(0, 1), (-3, 3), (5, 5), (0, 300), (-2_147_483_648, 2_147_483_647), (0, 1)];
        let cell = |&(lo, hi): &(i64, i64)| Cell { lo, hi, ..Cell::default() };
        let cells: Vec<Cell> = ranges.iter().map(cell).collect();
        let model = Model { state_len: cells.len() as u32, cells, ..Model::default() };
        let packing = Packing::new(&model);
        // 1 + 3 + 0 + 9 + 32 + 1 bits
        assert_eq!(packing.len(), 8);
        for state in [[1, -3, 5, 300, i32::MIN, 1], [0, 3, 5, 0, i32::MAX, 0], [1, 2, 5, 7, -1, 1]]
        {
            let (mut bytes, mut back) = (Vec::new(), [9; 6]);
            packing.pack(&state, &mut bytes);
            assert_eq!(bytes.len(), packing.len());
            packing.unpack(&bytes, &mut back);
            assert_eq!(back, state);
        }
    }
}
