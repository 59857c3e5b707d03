//! What comes out of a search, of whatever problem.

use super::problem::{Kind, Problem};
use super::reason::Reason;
use super::request::Request;
use std::sync::Arc;
use takt_automata::compose::Templates;
use takt_automata::engine::{Progress, Stop};
use takt_automata::network::Network;
use takt_diagnostic::{Diagnostic, Diagnostics};
use takt_report::Account;
use takt_report::{self as render, Artifact, Document, Headline, Rhythm, Sheet};
use takt_spec::Exact;
use takt_spec::schedule::Schedule;
use takt_validate as validate;

/// How sure the result is; the names are promised to scripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// A best schedule, proved.
    Optimal,
    /// The best of those that a heuristic keeps, which may have cut better ones.
    Restricted,
    /// A schedule; a limit came before the proof that it is best.
    Feasible,
    /// Proved: there is none.
    Infeasible,
    /// Neither a schedule nor a proof.
    #[default]
    Unknown,
}

impl Status {
    /// As in the summary.
    pub fn name(self) -> &'static str {
        match self {
            Status::Optimal => "optimal",
            Status::Restricted => "restricted",
            Status::Feasible => "feasible",
            Status::Infeasible => "infeasible",
            Status::Unknown => "unknown",
        }
    }
}

/// Who found a schedule, or proved a bound; the names are promised to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Dispatching rules.
    Rules,
    /// Changes of known schedules.
    LocalSearch,
    /// Clauses learned from conflicts.
    Learn,
    /// Cost-optimal reachability on the automata.
    Zones,
    /// What the plan alone proves of all its schedules.
    Floor,
    /// A machine of which parts are left out.
    Relaxation,
    /// All states of a machine that matter.
    Closure,
}

impl Engine {
    /// As in the summary, and in words.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Engine::Rules => ("rules", "dispatching rules"),
            Engine::LocalSearch => ("local-search", "local search"),
            Engine::Learn => ("learn", "the learning search"),
            Engine::Zones => ("zones", "the search with zones"),
            Engine::Floor => ("floor", "bounds of the plan"),
            Engine::Relaxation => ("relaxation", "a relaxation of the machine"),
            Engine::Closure => ("closure", "closure over all states of the machine"),
        }
    }

    /// As in the summary.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// For people.
    pub fn words(self) -> &'static str {
        self.names().1
    }
}

/// What came out of a search.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// How sure it is.
    pub status: Status,
    /// What the schedule is worth; less is better. `None` if there is none, or if any will do.
    pub value: Option<Exact>,
    /// Proved: no schedule is better than this, with heuristics or without.
    pub bound: Option<Exact>,
    /// Who found the schedule.
    pub found_by: Option<Engine>,
    /// What dispatching rules alone came to, at best.
    pub rule: Option<Exact>,
    /// Who proved the bound, or that there is no schedule.
    pub proved_by: Option<Engine>,
    /// Those that were asked for.
    pub heuristics: Vec<Heuristic>,
    /// What the search with zones did.
    pub states: States,
    /// Which limit ended the search.
    pub stopped: Option<Stop>,
    /// Why there is no schedule, or none was found.
    pub reason: Option<Reason>,
    /// The schedule, if one was found.
    pub found: Option<Found>,
    /// What only layouts have.
    pub layout: Option<LayoutFigures>,
}

/// Symbolic states of the automata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct States {
    /// How many were looked at.
    pub explored: u64,
    /// How many were kept at most.
    pub stored: u64,
}

/// A rule that cut the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// As in the spec.
    pub name: &'static str,
    /// It keeps a best schedule.
    pub is_safe: bool,
}

/// What is known of the rhythm of a layout beside its interval.
#[derive(Clone, Debug, Default)]
pub struct LayoutFigures {
    /// States of the machine that were looked at.
    pub labels: u64,
    /// How the bound was proved, and the resource that it rests on; if all of them together, the
    /// busiest one of the schedule.
    pub bound: Option<(String, String)>,
    /// What is known about the largest gap and the first wafer.
    pub proofs: Vec<String>,
}

/// A schedule that was replayed and validated, and everything made from it.
#[derive(Clone, Debug)]
pub struct Found {
    /// Row by row.
    pub schedule: Arc<Schedule>,
    /// What it comes to.
    pub account: Arc<Account>,
    /// What stands above it.
    pub headline: Headline,
    /// Of a layout.
    pub rhythm: Option<Rhythm>,
    /// As files.
    pub artifacts: Vec<Artifact>,
}

impl Found {
    /// What renderers read.
    pub fn sheet<'a>(&'a self, problem: &'a Problem) -> Sheet<'a> {
        Sheet {
            spec: &problem.spec,
            schedule: &self.schedule,
            account: &self.account,
            headline: &self.headline,
            rhythm: self.rhythm.as_ref(),
        }
    }

    /// Writes all down that is wanted. What was written of the same schedule before is taken over.
    pub(super) fn present(
        mut self,
        problem: &Problem,
        request: &Request,
        headline: Headline,
        network: &Network,
    ) -> Found {
        let is_same = self.headline == headline;
        self.headline = headline;
        let document = Document { sheet: self.sheet(problem), view: request.view, network };
        let artifacts = render::artifacts(&request.formats, &document, &self.artifacts, is_same);
        Found { artifacts, ..self }
    }
}

impl Solution {
    /// Nothing is known, because a limit came first.
    pub fn unknown(problem: &Problem, stop: Stop, progress: Progress) -> Solution {
        let solution = Solution { stopped: Some(stop), ..Solution::default() };
        solution.at(problem, progress)
    }

    /// The same, if a limit ends the run now.
    pub fn ended_by(&self, problem: &Problem, stop: Stop, progress: Progress) -> Solution {
        let stopped = (self.status == Status::Feasible).then_some(stop);
        Solution { stopped, ..self.clone() }.at(problem, progress)
    }

    fn at(self, problem: &Problem, progress: Progress) -> Solution {
        let Progress { explored, stored, .. } = progress;
        match problem.kind {
            Kind::Plant => Solution { states: States { explored, stored }, ..self },
            Kind::Layout(_) => {
                let layout = LayoutFigures { labels: explored, ..LayoutFigures::default() };
                Solution { layout: Some(layout), ..self }
            }
        }
    }

    /// What stands above the schedule.
    pub fn headline(&self, problem: &Problem) -> Headline {
        Headline {
            name: problem.name.clone(),
            objective: problem.measure().to_owned(),
            status: self.status.name().to_owned(),
            value: self.value.as_ref().map(validate::exact),
            bound: self.bound.as_ref().map(validate::exact),
            credits: self.credits(),
            notes: self.notes(),
        }
    }

    /// What is known of the proof beside who made it.
    fn notes(&self) -> Vec<String> {
        let figures = self.layout.as_ref();
        let bound = figures.and_then(|figures| figures.bound.as_ref());
        let bound = bound.map(|(method, critical)| format!("{method}; critical: {critical}"));
        let proofs = figures.iter().flat_map(|figures| figures.proofs.iter().cloned());
        let is_open = self.status != Status::Optimal;
        let doubtful = self.heuristics.iter().filter(|heuristic| is_open && !heuristic.is_safe);
        let doubtful = doubtful.map(|heuristic| {
            format!("the heuristic {} may have cut better schedules", heuristic.name)
        });
        bound.into_iter().chain(proofs).chain(doubtful).collect()
    }

    /// Who found it and who proved what is said of it, as a sentence; empty if nobody did.
    pub fn credits(&self) -> String {
        let found = self.found_by.map(|by| format!("found by {}", by.words()));
        let proved = self.proved_by.map(|by| match self.status {
            Status::Optimal | Status::Infeasible => format!("proved by {}", by.words()),
            _ => format!("bound proved by {}", by.words()),
        });
        found.into_iter().chain(proved).collect::<Vec<_>>().join(", ")
    }
}

/// Why there is no result at all.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The input is wrong.
    Input(Diagnostics),
    /// A bug of ours.
    Bug(String),
}

/// Automata and spec do not say the same: our own bug, unless the automata are the user's.
pub(super) fn disagreement(templates: &Templates, why: String) -> Failure {
    if templates.is_replaced() {
        let message = format!("the replaced templates do not behave as the spec says: {why}");
        Failure::Input(Diagnostic::without_place("bad-template", message).into())
    } else {
        Failure::Bug(why)
    }
}
