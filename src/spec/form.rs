//! What may stand behind a key, and maps with known keys: what the table of the language is made of.

/// What may stand behind a key.
#[derive(Debug)]
pub enum Form {
    /// Nothing at all.
    Null,
    Text,
    Flag,
    Whole {
        least: i64,
    },
    Decimal,
    /// A share of one: a decimal, or text such as `80/168`.
    Fraction,
    Duration,
    Instant,
    Cost,
    Rate,
    DateTime,
    /// Days, or stretches of days, that are open or closed.
    Stretch,
    Shift,
    /// Any single value.
    Value,
    Choice(&'static [&'static str]),
    Map(&'static Keys),
    /// A map with names of the user's own choice.
    Named(&'static Form),
    /// Such a map with at least one entry.
    SomeNamed(&'static Form),
    List(&'static Form),
    /// A list with at least one entry.
    Some(&'static Form),
    OneOf(&'static [Form]),
    /// Used in several places, or within itself.
    Shared(&'static str, &'static Form),
}

/// A map with known keys.
#[derive(Debug)]
pub struct Keys {
    /// With its article, as in "a step".
    pub what: &'static str,
    pub entries: &'static [Entry],
}

#[derive(Debug)]
pub struct Entry {
    pub name: &'static str,
    pub is_required: bool,
    pub form: Form,
    /// One sentence for those who look at the key in their editor.
    pub about: &'static str,
}

pub const fn may(name: &'static str, form: Form, about: &'static str) -> Entry {
    Entry { name, is_required: false, form, about }
}

pub const fn must(name: &'static str, form: Form, about: &'static str) -> Entry {
    Entry { name, is_required: true, form, about }
}
