//! Stretches of lists, in half the room that a range takes.

/// Elements of one list that stand side by side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slice {
    start: u32,
    end: u32,
}

impl Slice {
    /// From a position to the end that the list has now.
    pub fn since<T>(start: usize, list: &[T]) -> Slice {
        Slice { start: start as u32, end: list.len() as u32 }
    }

    #[inline]
    pub fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..self.end as usize]
    }

    /// The same elements, each with its position.
    #[inline]
    pub fn numbered<T>(self, list: &[T]) -> impl Iterator<Item = (u32, &T)> {
        (self.start..).zip(self.of(list))
    }
}
