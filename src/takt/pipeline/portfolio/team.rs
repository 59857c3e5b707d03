//! Members that share a thread, and whose turn it is.
//!
//! Effort is guessed from what was done, never measured: with one thread equal inputs give equal turns. The next turn
//! goes to whoever has spent least, and half of what a member has spent is forgotten when it brings something.

use super::Member;
use super::board::Board;

/// What a slice came to.
pub(super) struct Slice {
    /// About so many microseconds of a common machine.
    pub effort: u64,
    /// Whether there is a better schedule or a better bound.
    pub is_fruitful: bool,
}

struct Seat<'t> {
    member: Box<dyn Member + 't>,
    spent: u64,
}

#[derive(Default)]
pub(super) struct Team<'t> {
    seats: Vec<Seat<'t>>,
    /// What all of them have spent.
    effort: u64,
}

impl<'t> Team<'t> {
    pub(super) fn new(members: impl IntoIterator<Item = Box<dyn Member + 't>>) -> Team<'t> {
        let mut team = Team::default();
        members.into_iter().for_each(|member| team.add(member));
        team
    }

    pub(super) fn add(&mut self, member: Box<dyn Member + 't>) {
        self.seats.push(Seat { member, spent: 0 });
    }

    pub(super) fn into_members(self) -> impl Iterator<Item = Box<dyn Member + 't>> {
        self.seats.into_iter().map(|seat| seat.member)
    }

    pub(super) fn begin(&mut self) {
        self.seats.retain_mut(|seat| seat.member.begin());
    }

    /// One slice of whoever has spent least; false if nobody has anything more to try.
    pub(super) fn advance(&mut self) -> bool {
        let Some(next) = (0..self.seats.len()).min_by_key(|&k| self.seats[k].spent) else {
            return false;
        };
        let seat = &mut self.seats[next];
        match seat.member.advance() {
            Some(Slice { effort, is_fruitful }) => {
                seat.spent += effort.max(1);
                if is_fruitful {
                    seat.spent /= 2;
                }
                self.effort += effort.max(1);
            }
            None => drop(self.seats.remove(next)),
        }
        true
    }

    /// Works until so much effort was spent in all.
    pub(super) fn advance_to(&mut self, effort: u64, board: &Board) {
        while self.effort < effort && board.poll().is_continue() && self.advance() {}
    }
}
