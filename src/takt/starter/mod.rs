//! The library of starter specs: commented YAML texts, one per kind of problem, to begin with.
//!
//! The texts are files in `specs/starters`, so that they can be read, solved and tested like any
//! other spec.

/// One starter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Starter {
    /// What it is asked for by.
    pub name: &'static str,
    /// What it shows, in one line.
    pub about: &'static str,
    /// The spec.
    pub text: &'static str,
}

macro_rules! starter {
    ($name:literal, $about:literal) => {
        Starter {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../../specs/starters/", $name, ".yaml")),
        }
    };
}

/// From the simplest to the most special.
pub const STARTERS: &[Starter] = &[
    starter!(
        "job-shop",
        "machines, recipes, orders: who works on what, when, in the shortest time"
    ),
    starter!("flow-shop", "one line for all products, with cleaning between colours and due dates"),
    starter!("shifts", "working hours, weekends and holidays; some work may pause over night"),
    starter!(
        "daily",
        "every morning: what has started is fixed, a machine is down, the rest is planned anew"
    ),
    starter!(
        "packaging",
        "packaging lines: changeovers by format and flavour are work for a technician"
    ),
    starter!("lacquer", "a small lacquer plant: vessels that are held, a lab, two filling lines"),
    starter!("project", "one project: activities with predecessors that share people and tools"),
    starter!(
        "wafer-scanner",
        "a machine layout: locks, robots, chucks; the best rhythm for wafers"
    ),
];

/// The starter of this name.
pub fn find(name: &str) -> Option<&'static Starter> {
    STARTERS.iter().find(|starter| starter.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use takt_diagnostic::FileId;
    use takt_spec as spec;

    #[test]
    fn every_starter_is_a_spec_without_warnings() {
        for starter in STARTERS {
            let (spec, warnings) = spec::read(starter.text, FileId(0))
                .unwrap_or_else(|wrong| panic!("{}: {wrong:#?}", starter.name));
            assert!(warnings.is_empty(), "{}: {warnings:#?}", starter.name);
            let name = spec.name.as_ref().expect("a starter says its name");
            assert_eq!(name.value, starter.name);
            if spec.layout.is_none() {
                let plan = takt_plant::plan(&spec).expect("a starter has sensible numbers");
                assert_eq!(plan.conflict, None, "{}", starter.name);
            }
        }
    }

    #[test]
    fn every_starter_speaks_to_newcomers() {
        for starter in STARTERS {
            let comments = starter.text.lines().filter(|line| line.contains("# ")).count();
            assert!(starter.text.starts_with("# ") && comments >= 8, "{}", starter.name);
            let call = format!("takt solve {}.yaml", starter.name);
            assert!(starter.text.contains(&call), "{}", starter.name);
            assert_eq!(find(starter.name), Some(starter));
        }
    }
}
