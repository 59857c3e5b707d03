//! Numbers of states: exact, of any length.

use std::fmt;

/// A natural number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Nine decimal digits each, the least first, without leading zeros.
    digits: Vec<u32>,
}

const BASE: u64 = 1_000_000_000;

impl Count {
    pub fn plus(&self, other: &Count) -> Count {
        let mut digits = Vec::new();
        let mut carry = 0;
        for at in 0..self.digits.len().max(other.digits.len()) {
            let sum = carry + self.digit(at) + other.digit(at);
            digits.push((sum % BASE) as u32);
            carry = sum / BASE;
        }
        Count { digits }.carried(carry)
    }

    pub fn times(&self, factor: u32) -> Count {
        let mut digits = Vec::new();
        let mut carry = 0;
        for at in 0..self.digits.len() {
            let product = carry + self.digit(at) * u64::from(factor);
            digits.push((product % BASE) as u32);
            carry = product / BASE;
        }
        if factor == 0 { Count::default() } else { Count { digits }.carried(carry) }
    }

    /// Times the number of ways to choose `few` of `all`.
    pub fn chosen(&self, all: usize, few: usize) -> Count {
        // Pascal's triangle, row by row: there is nothing to divide.
        let mut row = vec![Count::default(); few + 1];
        row[0] = self.clone();
        for _ in 0..all {
            for at in (1..=few).rev() {
                row[at] = row[at].plus(&row[at - 1]);
            }
        }
        row[few].clone()
    }

    /// The number itself, unless it is above the limit.
    pub fn up_to(&self, limit: usize) -> Option<usize> {
        let each = self.digits.iter().rev();
        let value = each.fold(0u128, |value, digit| {
            value.saturating_mul(BASE.into()).saturating_add(u128::from(*digit))
        });
        usize::try_from(value).ok().filter(|value| *value <= limit)
    }

    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    fn digit(&self, at: usize) -> u64 {
        self.digits.get(at).copied().unwrap_or(0).into()
    }

    /// A carry out of the last place is always below the base.
    fn carried(mut self, carry: u64) -> Count {
        if carry > 0 {
            self.digits.push(carry as u32);
        }
        self
    }
}

impl From<u32> for Count {
    fn from(number: u32) -> Count {
        let number = u64::from(number);
        let mut digits = vec![(number % BASE) as u32, (number / BASE) as u32];
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Count { digits }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some((first, rest)) = self.digits.split_last() else { return f.write_str("0") };
        write!(f, "{first}")?;
        rest.iter().rev().try_for_each(|digits| write!(f, "{digits:09}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn long_numbers_are_exact() {
        let power = (0..81).fold(Count::from(1), |power, _| power.times(3));
        assert_eq!(power.to_string(), "443426488243037769948249630619149892803");
        let double = power.plus(&power);
        assert_eq!(double, power.times(2));
        assert_eq!(double.to_string(), "886852976486075539896499261238299785606");
        assert_eq!(power.up_to(usize::MAX), None);
    }

    #[test]
    fn zeros_inside_and_alone_are_kept() {
        let number = Count::from(u32::MAX).times(1_000_000_000).plus(&Count::from(7));
        assert_eq!(number.to_string(), "4294967295000000007");
        assert_eq!(number.up_to(usize::MAX), Some(4_294_967_295_000_000_007));
        assert_eq!(number.times(0), Count::default());
        assert_eq!(Count::from(0).to_string(), "0");
        assert_eq!(Count::from(3).chosen(50, 25).to_string(), "379231819313256");
        assert_eq!((Count::from(5).up_to(5), Count::from(6).up_to(5)), (Some(5), None));
    }
}
