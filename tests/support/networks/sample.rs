//! A random model as pieces of text, so that pieces can be dropped from it.

use std::fmt::{Display, Formatter, Result};

#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Everything before the first process.
    pub header: Vec<String>,
    pub processes: Vec<Automaton>,
    /// What stands between two processes on the system line: `, ` or ` < `.
    pub separators: Vec<&'static str>,
    /// Asked alone with all options.
    pub query: String,
    /// Asked together with the first.
    pub further: Vec<String>,
    /// Whether guards or queries compare two clocks.
    pub has_diagonals: bool,
    /// Repeats the ways of searching that are drawn for it.
    pub seed: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Automaton {
    pub name: String,
    pub declarations: Vec<String>,
    pub locations: Vec<Place>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug, Default)]
pub struct Place {
    pub invariant: Vec<String>,
    /// `urgent`, `commit` or nothing.
    pub urgency: Option<&'static str>,
}

#[derive(Clone, Debug, Default)]
pub struct Edge {
    pub source: usize,
    pub target: usize,
    pub select: Option<String>,
    pub guard: Vec<String>,
    pub sync: Option<String>,
    pub update: Vec<String>,
}

impl Display for Sample {
    fn fmt(&self, f: &mut Formatter) -> Result {
        for line in &self.header {
            writeln!(f, "{line}")?;
        }
        for process in &self.processes {
            write!(f, "{process}")?;
        }
        write!(f, "system ")?;
        for (at, process) in self.processes.iter().enumerate() {
            let separator = if at == 0 { "" } else { self.separators[at - 1] };
            write!(f, "{separator}{}", process.name)?;
        }
        writeln!(f, ";")
    }
}

impl Display for Automaton {
    fn fmt(&self, f: &mut Formatter) -> Result {
        writeln!(f, "process {}() {{", self.name)?;
        for line in &self.declarations {
            writeln!(f, "    {line}")?;
        }
        let states: Vec<String> = self.locations.iter().enumerate().map(state).collect();
        writeln!(f, "    state {};", states.join(", "))?;
        for kind in ["commit", "urgent"] {
            let chosen = self.locations.iter().enumerate().filter(|(_, l)| l.urgency == Some(kind));
            let names: Vec<String> = chosen.map(|(at, _)| format!("L{at}")).collect();
            if !names.is_empty() {
                writeln!(f, "    {kind} {};", names.join(", "))?;
            }
        }
        writeln!(f, "    init L0;")?;
        if !self.edges.is_empty() {
            let edges: Vec<String> = self.edges.iter().map(Edge::to_string).collect();
            writeln!(f, "    trans\n        {};", edges.join(",\n        "))?;
        }
        writeln!(f, "}}")
    }
}

fn state((at, location): (usize, &Place)) -> String {
    if location.invariant.is_empty() {
        format!("L{at}")
    } else {
        format!("L{at} {{ {} }}", location.invariant.join(" && "))
    }
}

impl Display for Edge {
    fn fmt(&self, f: &mut Formatter) -> Result {
        write!(f, "L{} -> L{} {{", self.source, self.target)?;
        if let Some(select) = &self.select {
            write!(f, " select {select};")?;
        }
        if !self.guard.is_empty() {
            write!(f, " guard {};", self.guard.join(" && "))?;
        }
        if let Some(sync) = &self.sync {
            write!(f, " sync {sync};")?;
        }
        if !self.update.is_empty() {
            write!(f, " assign {};", self.update.join(", "))?;
        }
        write!(f, " }}")
    }
}
