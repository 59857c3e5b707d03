//! Numbers that say what they count. Each is the position in one of the model's lists.

/// A newtype over `u32` that indexes a list.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// That of the element at this position.
            #[inline]
            pub fn at(index: usize) -> $name {
                $name(index as u32)
            }

            /// That of the element so many after this one, in an array.
            #[inline]
            pub fn offset(self, by: u32) -> $name {
                $name(self.0 + by)
            }

            /// The position in the list.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// Those of a list of this length.
            pub fn all(count: usize) -> impl DoubleEndedIterator<Item = $name> + Clone {
                (0..count as u32).map($name)
            }
        }
    };
}

id! {
    /// A clock of [`super::Model::clocks`].
    ClockId
}

id! {
    /// A process of [`super::Model::processes`].
    ProcessId
}

id! {
    /// A location of [`super::Process::locations`].
    LocationId
}

id! {
    /// An edge of [`super::Process::edges`].
    EdgeId
}

id! {
    /// A channel of [`super::Model::channels`].
    ChannelId
}
