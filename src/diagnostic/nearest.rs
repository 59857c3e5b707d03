//! The nearest of several names, for "did you mean".

/// The name with the fewest edits from `word`, if that is at most a third of its letters. A word
/// of one letter is near to nothing but its other case.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match word.chars().count() {
        0 | 1 => 0,
        letters => letters.div_ceil(3).min(4),
    };
    names
        .into_iter()
        // Lengths bound the distance from below; most names are ruled out so.
        .filter(|name| name.chars().count().abs_diff(word.chars().count()) <= limit)
        .map(|name| (distance(word, name), name))
        .filter(|&(d, _)| d <= limit)
        .min_by_key(|&(d, _)| d)
        .map(|(_, name)| name)
}

/// Edits between two words: insertions, deletions, substitutions and swaps of neighbours
/// (optimal string alignment); case counts half, so it is dropped here.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_swaps_and_case() {
        assert_eq!(nearest("isze", ["size", "side"]), Some("size"));
        assert_eq!(nearest("Mill", ["mill", "drill"]), Some("mill"));
    }

    #[test]
    fn far_names_are_not_suggested() {
        assert_eq!(nearest("abc", ["xyz", "abxyz"]), None);
        assert_eq!(nearest("x", ["y", "xy"]), None);
    }
}
