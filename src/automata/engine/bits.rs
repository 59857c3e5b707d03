//! Which states were seen, as far as two bits of a table tell.
//!
//! Takes hashes of states. A state whose bits are both set counts as seen, though it may have
//! been others that set them: so states may be left out, but none is made up.

/// The largest table: 2^40 bits are 128 GB.
pub const LARGEST: u32 = 40;

/// The smallest table is one word.
pub const SMALLEST: u32 = 6;

/// A table of bits, its size a power of two.
#[derive(Clone, Debug)]
pub struct Bits {
    words: Vec<u64>,
    mask: u64,
}

impl Bits {
    /// A table of two to the power of `exponent` bits; `None` if there is no room for it.
    pub fn new(exponent: u32) -> Option<Bits> {
        let exponent = exponent.clamp(SMALLEST, LARGEST);
        let len = 1usize.checked_shl(exponent - SMALLEST)?;
        // A failing allocation of a filled vector would end the process.
        Vec::<u64>::new().try_reserve_exact(len).ok()?;
        Some(Bits { words: vec![0; len], mask: (1 << exponent) - 1 })
    }

    /// Sets the bits of this hash; false if they were set already.
    pub fn insert(&mut self, hash: u64) -> bool {
        let other = hash.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut is_new = false;
        for place in [hash & self.mask, (other >> 20) & self.mask] {
            let word = &mut self.words[(place >> 6) as usize];
            let bit = 1 << (place & 63);
            is_new |= *word & bit == 0;
            *word |= bit;
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_stays_seen() {
        let mut bits = Bits::new(20).unwrap();
        let hash = |k: u64| (k + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
        assert!((0..1000).all(|k| bits.insert(hash(k))), "a large table tells a few apart");
        assert!((0..1000).all(|k| !bits.insert(hash(k))));
    }

    #[test]
    fn a_small_table_takes_new_states_for_old_ones() {
        let mut bits = Bits::new(6).unwrap();
        let hash = |k: u64| (k + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let new = (0..1000).filter(|&k| bits.insert(hash(k))).count();
        assert!((10..=64).contains(&new), "{new}");
    }
}
