//! Heuristics of scanners: guards, synchronisations and updates that come in addition to those of the
//! components, and an automaton that keeps to the policy.

use crate::layout::{Hold, Scanner};
use takt_automata::compose::{Templates, all};
use takt_automata::network::{Direction, Edge, Expr, ExprKind, Template};

/// What is injected into the network of a scanner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The patterns of wafers that must not come about; `greedy` needs them as well.
    pub policy: Option<Vec<Ban>>,
    pub useful: bool,
    pub locks: bool,
    pub greedy: bool,
}

/// What a pattern says of every position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ban {
    pub locks: Vec<Hold>,
    /// By robot.
    pub arms: Vec<[Hold; 2]>,
    pub chucks: Vec<Hold>,
}

impl Ban {
    /// A pattern that says nothing.
    pub fn nothing(scanner: &Scanner) -> Ban {
        Ban {
            locks: vec![Hold::Free; scanner.locks.len()],
            arms: vec![[Hold::Free; 2]; scanner.robots.len()],
            chucks: vec![Hold::Free; scanner.chucks.len()],
        }
    }
}

/// A file with fragments, and which of them belongs to which template of a component.
type Fragments = (&'static str, &'static [(&'static str, &'static str)]);

const HURRY: Fragments = (
    "hurry.xta",
    &[
        ("Track", "HurryTrack"),
        ("Chuck", "HurryChuck"),
        ("OtherChuck", "HurryChuck"),
        ("OnlyChuck", "HurryChuck"),
    ],
);
const USEFUL: Fragments = (
    "useful.xta",
    &[
        ("Track", "UsefulTrack"),
        ("Lock", "UsefulLock"),
        ("Arm", "UsefulArm"),
        ("OtherArm", "UsefulOtherArm"),
        ("OnlyArm", "UsefulOnlyArm"),
        ("Chuck", "UsefulChuck"),
        ("OtherChuck", "UsefulOtherChuck"),
        ("OnlyChuck", "UsefulChuck"),
    ],
);
const FILLING: Fragments = (
    "filling.xta",
    &[
        ("Lock", "FillingLock"),
        ("Arm", "FillingArm"),
        ("OtherArm", "FillingArm"),
        ("OnlyArm", "FillingArm"),
    ],
);
const AHEAD: Fragments = (
    "prospect.xta",
    &[
        ("Track", "AheadTrack"),
        ("Lock", "AheadLock"),
        ("Arm", "AheadArm"),
        ("OnlyArm", "AheadArm"),
        ("Chuck", "AheadChuck"),
        ("OtherChuck", "AheadOtherChuck"),
        ("OnlyChuck", "AheadChuck"),
    ],
);

impl Rules {
    /// The files whose declarations the rules need.
    pub(super) fn files(&self) -> Vec<&'static str> {
        let mut files = Vec::new();
        files.extend((self.policy.is_some() || self.greedy).then_some("policy.xta"));
        files.extend((self.useful || self.greedy).then_some("hurry.xta"));
        files.extend(self.useful.then_some("useful.xta"));
        files.extend(self.useful.then_some("prospect.xta"));
        files.extend(self.locks.then_some("filling.xta"));
        files
    }

    /// The component's template with all that the rules add to it.
    pub(super) fn weave(&self, mut template: Template, templates: &Templates) -> Template {
        let sets = [
            (self.greedy, HURRY),
            (self.useful, USEFUL),
            (self.locks, FILLING),
            (self.useful, AHEAD),
        ];
        for (_, (file, pairs)) in sets.into_iter().filter(|(is_wanted, _)| *is_wanted) {
            let own = pairs.iter().find(|(of, _)| *of == template.name.text);
            if let Some((_, fragment)) = own {
                join(&mut template, templates.get(file, fragment));
            }
        }
        if self.useful && USEFUL.1.iter().any(|(of, _)| *of == template.name.text) {
            // Of two that act together, one looks.
            let is_led = |edge: &Edge| {
                edge.sync.as_ref().is_some_and(|sync| sync.direction == Direction::Receive)
            };
            for edge in template.edges.iter_mut().filter(|edge| !is_led(edge)) {
                let look = Expr::name("look_ahead");
                edge.update.push(Expr::new(ExprKind::Call(Box::new(look), Vec::new())));
            }
        }
        template
    }
}

fn join(template: &mut Template, fragment: &Template) {
    for location in &mut template.locations {
        let same = fragment.locations.iter().find(|other| other.name.text == location.name.text);
        let more = same.and_then(|other| other.invariant.clone());
        let both: Vec<_> = location.invariant.iter().cloned().chain(more).collect();
        location.invariant = all(&both);
    }
    template.edges = template.edges.iter().flat_map(|edge| joined(edge, fragment)).collect();
}

/// The edge with what each edge of the fragment between the same locations adds. What is urgent
/// already starts as soon as it can, and needs no guards that say so.
fn joined(edge: &Edge, fragment: &Template) -> Vec<Edge> {
    let same = |other: &&Edge| {
        other.source.text == edge.source.text && other.target.text == edge.target.text
    };
    let found: Vec<Edge> = (fragment.edges.iter().filter(same))
        .map(|more| {
            let added = if is_urgent(edge) { None } else { more.guard.clone() };
            let guards: Vec<_> = edge.guard.iter().cloned().chain(added).collect();
            let update = more.update.iter().chain(&edge.update).cloned().collect();
            let sync = edge.sync.clone().or_else(|| more.sync.clone());
            Edge { guard: all(&guards), update, sync, ..edge.clone() }
        })
        .collect();
    if found.is_empty() { vec![edge.clone()] } else { found }
}

fn is_urgent(edge: &Edge) -> bool {
    let channel = edge.sync.as_ref().map(|sync| &sync.channel.kind);
    matches!(channel, Some(ExprKind::Name(name)) if name == "hurry")
}
