//! The policy as a list: the most general unsafe patterns, grouped in classes of those that renaming
//! turns into each other.

use super::TooLarge;
use super::count::Count;
use super::diagram::{Forest, Memo, Node};
use super::pattern::{LETTERS, Patterns};
use super::symmetry::Symmetry;
use crate::layout::Hold;

/// The most patterns that are listed, and the most of which are told apart.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    pub patterns: usize,
    pub sorted: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How many patterns there are.
    pub number: Count,
    /// Those with fewer wafers first; `None` if there are too many to tell them apart.
    pub classes: Option<Vec<Class>>,
}

/// Patterns that renaming turns into each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub first: Pattern,
    pub number: Count,
    /// All of them, sorted; `None` if the policy has too many to list.
    pub patterns: Option<Vec<Pattern>>,
    /// Every reachable state that it matches is matched by another class that is not so marked.
    pub is_covered: bool,
}

/// What positions hold, in the sequence of [`super::Safety::positions`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(pub Box<[Hold]>);

impl Pattern {
    /// The positions that it says something about.
    pub fn entries(&self) -> impl Iterator<Item = (usize, Hold)> + '_ {
        let all = self.0.iter().copied().enumerate();
        all.filter(|(_, hold)| *hold != Hold::Free)
    }

    /// The first of all patterns that differ from it by exchanging alike positions.
    fn sorted(&self, symmetry: &Symmetry) -> Pattern {
        let mut holds = self.0.clone();
        for set in &symmetry.alike {
            let mut own: Vec<Hold> = set.iter().map(|position| holds[*position]).collect();
            own.sort_unstable();
            set.iter().zip(own).for_each(|(position, hold)| holds[*position] = hold);
        }
        Pattern(holds)
    }

    fn renamed(&self, images: &[usize]) -> Pattern {
        let mut holds = self.0.clone();
        for (hold, image) in self.0.iter().zip(images) {
            holds[*image] = *hold;
        }
        Pattern(holds)
    }
}

impl Policy {
    /// `levels` tells the level of each position.
    pub fn list(
        found: &mut Patterns,
        symmetry: &Symmetry,
        levels: &[usize],
        most: Most,
    ) -> Result<Policy, TooLarge> {
        let number = found.forest.count(found.primes);
        let sorted = sorted(&mut found.forest, found.primes, symmetry, levels);
        if found.forest.is_full() {
            return Err(TooLarge);
        }
        if found.forest.count(sorted).up_to(most.sorted).is_none() {
            return Ok(Policy { number, classes: None });
        }
        let all = patterns(&found.forest, sorted, levels);
        let mut orbits = Orbits::of(all, symmetry);
        let mut classes = orbits.classes(symmetry);
        if number.up_to(most.patterns).is_some() {
            let all = patterns(&found.forest, found.primes, levels);
            orbits.fill(&mut classes, all, symmetry);
        }
        let sum = classes.iter().fold(Count::default(), |sum, class| sum.plus(&class.number));
        assert_eq!(sum, number, "each pattern is in one class");
        classes.sort_by_cached_key(|class| (class.first.entries().count(), class.first.clone()));
        Ok(Policy { number, classes: Some(classes) })
    }
}

/// The patterns of which alike positions are sorted: one for all that differ by exchanging them.
fn sorted(forest: &mut Forest<4>, all: Node, symmetry: &Symmetry, levels: &[usize]) -> Node {
    let mut kept = all;
    for pair in symmetry.alike.iter().flat_map(|set| set.windows(2)) {
        let [one, other] = [levels[pair[0]], levels[pair[1]]];
        let goes = |upper: usize, lower: usize| {
            let [upper, lower] = [upper, lower].map(|letter| LETTERS[letter]);
            if one < other { upper <= lower } else { lower <= upper }
        };
        let both = [one.min(other), one.max(other)];
        let sorted = forest.having_both(levels.len(), both, goes);
        kept = forest.meet(kept, sorted);
    }
    kept
}

fn patterns(forest: &Forest<4>, set: Node, levels: &[usize]) -> Vec<Pattern> {
    let mut all = Vec::new();
    forest.words(set, &mut |word| {
        all.push(Pattern(levels.iter().map(|level| LETTERS[usize::from(word[*level])]).collect()));
    });
    all.sort_unstable();
    all
}

/// Sorted patterns, joined where renaming robots turns one into another.
struct Orbits {
    sorted: Vec<Pattern>,
    number: Memo<Pattern, usize>,
    /// Towards the first of the orbit.
    parent: Vec<usize>,
    /// The class of the first of an orbit.
    class: Memo<usize, usize>,
}

impl Orbits {
    fn of(sorted: Vec<Pattern>, symmetry: &Symmetry) -> Orbits {
        let number = sorted.iter().cloned().zip(0..).collect();
        let parent = (0..sorted.len()).collect();
        let mut orbits = Orbits { sorted, number, parent, class: Memo::default() };
        for one in 0..orbits.sorted.len() {
            for images in &symmetry.renamings {
                let other = orbits.sorted[one].renamed(images).sorted(symmetry);
                let other = orbits.number[&other];
                let [one, other] = [one, other].map(|pattern| orbits.first(pattern));
                orbits.parent[one.max(other)] = one.min(other);
            }
        }
        orbits
    }

    fn first(&mut self, mut pattern: usize) -> usize {
        while self.parent[pattern] != pattern {
            self.parent[pattern] = self.parent[self.parent[pattern]];
            pattern = self.parent[pattern];
        }
        pattern
    }

    fn classes(&mut self, symmetry: &Symmetry) -> Vec<Class> {
        let mut classes: Vec<Class> = Vec::new();
        for pattern in 0..self.sorted.len() {
            let first = self.first(pattern);
            let number = arrangements(&self.sorted[pattern], symmetry);
            if first == pattern {
                self.class.insert(pattern, classes.len());
                let first = self.sorted[pattern].clone();
                classes.push(Class { first, number, patterns: None, is_covered: false });
            } else {
                let class = &mut classes[self.class[&first]];
                class.number = class.number.plus(&number);
            }
        }
        classes
    }

    /// Puts each pattern into its class.
    fn fill(&mut self, classes: &mut [Class], all: Vec<Pattern>, symmetry: &Symmetry) {
        classes.iter_mut().for_each(|class| class.patterns = Some(Vec::new()));
        for pattern in all {
            let sorted = self.number[&pattern.sorted(symmetry)];
            let first = self.first(sorted);
            classes[self.class[&first]].patterns.get_or_insert_default().push(pattern);
        }
    }
}

/// In how many ways alike positions can share out what they hold.
fn arrangements(pattern: &Pattern, symmetry: &Symmetry) -> Count {
    let mut ways = Count::from(1);
    for set in &symmetry.alike {
        let mut rest = set.len();
        for hold in [Hold::Raw, Hold::Exposed, Hold::Any] {
            let own = set.iter().filter(|position| pattern.0[**position] == hold).count();
            ways = ways.chosen(rest, own);
            rest -= own;
        }
    }
    ways
}
