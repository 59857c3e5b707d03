//! Random numbers that a seed repeats on every machine (SplitMix64).

/// The one generator of all tests.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `lo` to `hi`, both included.
    pub fn within(&mut self, lo: i64, hi: i64) -> i64 {
        lo + (self.bits() % (hi - lo + 1) as u64) as i64
    }

    /// A whole number from 0 to `n - 1`.
    pub fn amount(&mut self, n: i64) -> i64 {
        self.within(0, n - 1)
    }

    /// An index below `len`.
    pub fn below(&mut self, len: usize) -> usize {
        (self.bits() % len as u64) as usize
    }

    pub fn percent(&mut self, chance: u64) -> bool {
        self.bits() % 100 < chance
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
