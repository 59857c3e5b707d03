//! Names of the user's as identifiers of the automaton language.

use std::collections::BTreeMap;

/// Gives out identifiers, each only once.
#[derive(Default)]
pub struct Names {
    /// Each identifier given out, with the number that its next double gets.
    taken: BTreeMap<String, usize>,
}

impl Names {
    /// None of these is given out.
    pub fn without(names: impl IntoIterator<Item = String>) -> Names {
        Names { taken: names.into_iter().map(|name| (name, 2)).collect() }
    }

    /// `prefix` keeps clear of keywords; what is no letter or digit becomes `_`; a number is
    /// added where the result is taken already.
    pub fn fresh(&mut self, prefix: &str, name: &str) -> String {
        let kept = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let wanted: String = prefix.chars().chain(name.chars().map(kept)).collect();
        let Some(&first) = self.taken.get(&wanted) else {
            self.taken.insert(wanted.clone(), 2);
            return wanted;
        };
        let mut number = first;
        while self.taken.contains_key(&format!("{wanted}_{number}")) {
            number += 1;
        }
        let unique = format!("{wanted}_{number}");
        self.taken.insert(wanted, number + 1);
        self.taken.insert(unique.clone(), 2);
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_stay_apart() {
        let mut names = Names::default();
        assert_eq!(names.fresh("order_", "A.1"), "order_A_1");
        assert_eq!(names.fresh("order_", "A 1"), "order_A_1_2");
        assert_eq!(names.fresh("order_", "Ä"), "order__");
    }
}
