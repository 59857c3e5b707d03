//! The integers of a state as few bytes, for hashing and storing.

use crate::model::Model;

/// How each cell is written: its lowest value is subtracted, then it takes 1, 2 or 4 bytes.
#[derive(Clone, Debug)]
pub struct Packing {
    fields: Vec<Field>,
    /// Cells that are no part of a state's identity, in order.
    meta: Vec<u32>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Field {
    cell: u32,
    lowest: i32,
    width: u8,
}

impl Packing {
    pub fn new(model: &Model) -> Packing {
        let mut fields = Vec::new();
        let mut meta = Vec::new();
        for (index, cell) in model.cells[..model.state_len as usize].iter().enumerate() {
            let (lo, hi) = match model.processes.get(index) {
                Some(process) => (0, process.locations.len() as i64 - 1),
                None => (cell.lo, cell.hi),
            };
            if cell.is_meta {
                meta.push(index as u32);
                continue;
            }
            // A cell of one value (a location of a process that has only one) takes no room.
            let width = match hi - lo {
                0 => continue,
                span if span < 1 << 8 => 1,
                span if span < 1 << 16 => 2,
                _ => 4,
            };
            fields.push(Field { cell: index as u32, lowest: lo as i32, width });
        }
        let len = fields.iter().map(|f| usize::from(f.width)).sum();
        Packing { fields, meta, len }
    }

    /// Bytes of a packed state.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Cells of a state that are kept aside.
    pub fn meta(&self) -> &[u32] {
        &self.meta
    }

    pub fn pack(&self, cells: &[i32], out: &mut Vec<u8>) {
        out.clear();
        for field in &self.fields {
            let value = cells[field.cell as usize].wrapping_sub(field.lowest) as u32;
            out.extend_from_slice(&value.to_le_bytes()[..usize::from(field.width)]);
        }
    }

    /// Writes the packed cells over `cells`, which hold a state already (cells of one value and
    /// meta cells are left as they are).
    pub fn unpack(&self, mut bytes: &[u8], cells: &mut [i32]) {
        for field in &self.fields {
            let (head, tail) = bytes.split_at(usize::from(field.width));
            let mut value = [0; 4];
            value[..head.len()].copy_from_slice(head);
            cells[field.cell as usize] =
                (u32::from_le_bytes(value) as i32).wrapping_add(field.lowest);
            bytes = tail;
        }
    }
}
