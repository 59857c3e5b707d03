//! Numbers that say what they count. Each is the position in one kind of list, and indexes such lists
//! as it is: `model.clocks[clock]`.

/// A newtype over `u32` that indexes lists.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        #[allow(dead_code, reason = "not every kind of number needs all of these")]
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

        $crate::model::ids::indexes!($name, Vec<T>);
        $crate::model::ids::indexes!($name, [T]);
    };
}

/// Lets a list be indexed by an id.
macro_rules! indexes {
    ($name:ident, $list:ty) => {
        impl<T> std::ops::Index<$name> for $list {
            type Output = T;

            #[inline]
            fn index(&self, id: $name) -> &T {
                &self[id.index()]
            }
        }

        impl<T> std::ops::IndexMut<$name> for $list {
            #[inline]
            fn index_mut(&mut self, id: $name) -> &mut T {
                &mut self[id.index()]
            }
        }
    };
}

pub(crate) use {id, indexes};

id! {
    /// A cell of the state or of the scratch memory (see the module's page).
    Addr
}

id! {
    /// A function of [`super::Model::functions`].
    FunctionId
}

id! {
    /// A clock of [`super::Model::clocks`].
    ClockId
}

id! {
    /// A process of [`super::Model::processes`].
    ProcessId
}

impl ProcessId {
    /// The cell of the state that holds the process's location.
    #[inline]
    pub fn cell(self) -> Addr {
        Addr(self.0)
    }
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
