//! The arguments as typed. What they mean is decided by the commands.

use super::limits::{Memory, Period, Stretch};
use super::memory;
use crate::import;
use crate::pipeline::{self, Selection};
use clap::{ColorChoice, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use takt_automata::engine::{
    Abstraction, Approximation, Keep, LARGEST_TABLE, Order, SMALLEST_TABLE,
};
use takt_scanner::Heuristic;
use takt_spec::Unit;

/// Words of the command line for values of the same names.
macro_rules! words {
    ($(#[$about:meta])* $name:ident for $meant:ident { $($(#[$help:meta])* $word:ident,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub enum $name {
            $($(#[$help])* $word,)+
        }

        impl From<$name> for $meant {
            fn from(name: $name) -> $meant {
                match name {
                    $($name::$word => $meant::$word,)+
                }
            }
        }
    };
}

const EXAMPLES: &str = "\
Examples:
  takt new shifts plant.yaml
  takt solve specs/ft06.yaml
  takt validate specs/ft06.yaml out/ft06/schedule.csv
  takt check specs/automata/fischer.xta -q 'A[] not (P(1).cs and P(2).cs)'

Exit codes:
  0  an answer was found and it is positive
  1  the answer is negative (infeasible, violated, invalid)
  2  the input or the call is wrong; nothing was written
  3  no answer within the limits

`takt help COMMAND` tells more about a command.";

/// Plans plants and checks timed automata.
#[derive(Debug, Parser)]
#[command(name = "takt", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command takes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct Common {
    /// Print exactly one JSON object on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Say nothing but errors
    #[arg(long, global = true)]
    pub quiet: bool,
    /// When to use colours; `auto` respects NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Solve(Solve),
    Compare(Compare),
    Compile(Compile),
    Schema(Schema),
    Check(Check),
    Safe(Safe),
    Validate(Validate),
    Show(Show),
    Import(Import),
    New(New),
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  takt solve specs/ft06.yaml                    results in out/ft06/
  takt solve shop.yaml --out results --time 60s
  cat shop.yaml | takt solve - --json
  takt solve specs/scanner/base.yaml --max-gap 260 --first 1480

Results: report.html (all of it on a page), schedule.svg (chart), schedule.csv, orders.csv, summary.json, model.xta.

Exit codes:
  0  a schedule was found
  1  it is proved that there is none
  2  the spec or the call is wrong; nothing was written
  3  a limit came before any schedule";

/// Find the best schedule of a spec, check it twice, and write it
///
/// The spec becomes a network of timed automata. Dispatching rules and a local search find schedules;
/// bounds of the plan, and where these do not suffice a search through the automata, prove how good
/// they are. Rhythms of layouts are found and proved by a search of their own. The answer says who
/// found and who proved it. A schedule is replayed on the automata and validated against the spec
/// before it is written.
#[derive(Debug, clap::Args)]
#[command(after_help = SOLVE_EXAMPLES)]
pub struct Solve {
    /// The spec, a YAML file, or - for standard input
    pub spec: PathBuf,
    /// Where the results go [default: out/NAME, NAME being the spec's name]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Where schedules come from
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub engine: EngineName,
    /// A schedule at which the search begins, with whatever in it still fits
    #[arg(long, value_name = "PLAN.csv")]
    pub from: Option<PathBuf>,
    /// What the rows of the chart are
    #[arg(long, value_name = "VIEW", default_value = "resources")]
    pub view: ViewName,
    /// More files to write, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub write: Vec<FileName>,
    /// Automata to use instead of the built-in ones of the same file name
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
    #[command(flatten)]
    pub pace: Pace,
    #[command(flatten)]
    pub limits: Limits,
}

words! {
    EngineName for Selection {
        /// From rules, local search and the search through the automata; the automata accept them all
        Auto,
        /// From the search through the automata alone; bounds of the plan help it
        Zones,
        /// From the search that learns from its conflicts, begun by a dispatching rule
        Learn,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ViewName {
    /// Machines and other units; orders are colours
    Resources,
    /// Orders; resources are colours
    Orders,
    /// Both, the orders in schedule-orders.svg
    Both,
}

/// Files that are written where they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileName {
    /// A workbook with the schedule, orders, load and a chart made of cells: schedule.xlsx
    Xlsx,
    /// An event for each step, for calendars: schedule.ics
    Ics,
    /// What each machine does, shift by shift: dispatch.csv
    Dispatch,
}

impl FileName {
    /// Its key among the files of a summary.
    pub fn key(self) -> &'static str {
        match self {
            FileName::Xlsx => "xlsx",
            FileName::Ics => "ics",
            FileName::Dispatch => "dispatch",
        }
    }
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  takt compare today.yaml second-shift.yaml new-mill.yaml
  takt compare a.yaml b.yaml --time 60s --out results --view orders

Results: report.html, compare.svg (charts on one time axis), compare.csv, summary.json.

Exit codes: the worst of the members'
  0  a schedule was found for each
  1  it is proved that one of them has none
  2  a spec or the call is wrong; nothing was written
  3  a limit came before any schedule of one of them";

/// Solve alternatives side by side: one table, one chart
///
/// Each is solved in turn; --time is for all of them together. Orders that move or become late are
/// told against the first.
#[derive(Debug, clap::Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub struct Compare {
    /// The specs, YAML files; one may be - for standard input
    #[arg(required = true, num_args = 2.., value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    /// Where the results go
    #[arg(long, value_name = "DIR", default_value = "out/compare")]
    pub out: PathBuf,
    /// Where schedules come from
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub engine: EngineName,
    /// What the rows of the charts are
    #[arg(long, value_name = "VIEW", default_value = "resources")]
    pub view: CompareView,
    #[command(flatten)]
    pub pace: Pace,
    #[command(flatten)]
    pub limits: Limits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompareView {
    /// Machines and other units; orders are colours
    Resources,
    /// Orders; resources are colours
    Orders,
}

const COMPILE_EXAMPLES: &str = "\
Examples:
  takt compile specs/ft06.yaml --out ft06.xta
  takt compile specs/bakery.yaml | takt check - -q 'inf{done}: now'
  takt compile specs/bakery.yaml --format dot | dot -Tsvg > bakery.svg
  takt compile specs/scanner/base.yaml --first 1480 --max-gap 260 --out base.xta
  takt compile specs/scanner/base.yaml --untimed | takt check - -q 'A[] true'";

/// Write the network of timed automata that a spec stands for
///
/// In the model, `done` is true when all orders are finished and `now` is a clock that is never
/// reset: `inf{done}: now` is the shortest makespan. In the model of a layout, the constants H and S
/// and the process `observer` ask for a rhythm: `E[] (observer.L0 imply observer.x <= H) &&
/// (observer.L1 imply observer.x <= S)`.
#[derive(Debug, clap::Args)]
#[command(after_help = COMPILE_EXAMPLES)]
pub struct Compile {
    /// The spec, a YAML file, or - for standard input
    pub spec: PathBuf,
    /// The file to write; standard output by default
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The language of the model; by default what the extension of --out says, else xta
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<FormatName>,
    /// Automata to use instead of the built-in ones of the same file name
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
    #[command(flatten)]
    pub pace: Pace,
    /// Without time: for a layout, wafers that go from position to position
    #[arg(long)]
    pub untimed: bool,
}

/// Limits on the rhythm of a layout.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Layouts")]
pub struct Pace {
    /// The longest time between two finished wafers, after the first: whole units of the spec's time,
    /// or a duration such as 5m
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    pub max_gap: Option<Stretch>,
    /// When the first wafer is finished at the latest, likewise
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub first: Option<Stretch>,
    /// Rules that cut the search, besides those of the spec: policy and useful are safe, they keep a
    /// schedule of the least interval; locks and greedy are not
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub heuristics: Vec<HeuristicName>,
}

impl Pace {
    pub fn is_given(&self) -> bool {
        self.max_gap.is_some() || self.first.is_some() || !self.heuristics.is_empty()
    }

    /// What is asked of a layout whose time counts in these units; says in words what cannot be.
    pub fn meant(&self, unit: Unit) -> Result<pipeline::Pace, String> {
        let mut heuristics: Vec<Heuristic> = Vec::new();
        for heuristic in self.heuristics.iter().map(|name| Heuristic::from(*name)) {
            if heuristics.contains(&heuristic) {
                return Err(format!("--heuristics names `{}` twice", heuristic.name()));
            }
            heuristics.push(heuristic);
        }
        let units = |name: &str, given: Option<Stretch>| {
            let units = given.map(|given| given.units(unit)).transpose();
            units.map_err(|why| format!("{name}: {why}"))
        };
        let (max_gap, first) = (units("--max-gap", self.max_gap)?, units("--first", self.first)?);
        Ok(pipeline::Pace { max_gap, first, heuristics })
    }
}

words! {
    /// Heuristics of layouts.
    HeuristicName for Heuristic {
        /// Safe: no state is entered from which the machine cannot be emptied
        Policy,
        /// Safe: nothing is done that leads nowhere, and what leaves no choice is done at once
        Useful,
        /// Not safe: empty locks are pressurized only while the machine is less than half full
        Locks,
        /// Not safe: wafers are loaded (if the policy allows), measured and exposed at once
        Greedy,
    }
}

const SCHEMA_EXAMPLES: &str = "\
Examples:
  takt schema > takt.schema.json

Many editors read `# yaml-language-server: $schema=takt.schema.json` at the top of a spec.";

/// Print the JSON Schema of the spec language, for editors
///
/// With it, editors complete keys, show what they mean and underline unknown ones.
#[derive(Debug, clap::Args)]
#[command(after_help = SCHEMA_EXAMPLES)]
pub struct Schema {}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// UPPAAL's textual language
    Xta,
    /// UPPAAL's XML files
    UppaalXml,
    /// A picture for Graphviz: one cluster per template
    Dot,
}

const SAFE_EXAMPLES: &str = "\
Examples:
  takt safe scanner.yaml                  results in out/NAME/
  takt new wafer-scanner | takt safe - --json

Results: policy.svg (a picture of each class), policy.txt, policy.json.

Exit codes:
  0  the policy was found
  1  the machine cannot work: wafers cannot enter, or can never leave
  2  the spec or the call is wrong, or the spec has no layout; nothing was written
  3  the machine is too large, or a limit came first";

/// Find the least restrictive deadlock avoidance policy of a layout
///
/// Counts reachable, safe and deadlocked states exactly, without regard to time, and gives all most
/// general patterns of wafers from which the machine cannot become empty again. A controller that
/// avoids them, and nothing else, never deadlocks.
#[derive(Debug, clap::Args)]
#[command(after_help = SAFE_EXAMPLES)]
pub struct Safe {
    /// The spec, a YAML file with a layout, or - for standard input
    pub spec: PathBuf,
    /// Where the results go [default: out/NAME, NAME being the spec's name]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub limits: Limits,
}

const VALIDATE_EXAMPLES: &str = "\
Examples:
  takt validate specs/ft06.yaml out/ft06/schedule.csv
  takt validate shop.yaml plan-from-elsewhere.csv --json

Of the CSV's columns, kind,order,step,resource,unit,start,end are required.

Exit codes:
  0  the schedule keeps every rule of the spec
  1  it does not
  2  the spec, the schedule file or the call is wrong";

/// Check any schedule against a spec, whoever made it
///
/// Names every violation and gives the schedule's value. Shares no code with the search.
#[derive(Debug, clap::Args)]
#[command(after_help = VALIDATE_EXAMPLES)]
pub struct Validate {
    /// The spec, a YAML file, or - for standard input
    pub spec: PathBuf,
    /// The schedule, a CSV file, or - for standard input
    pub schedule: PathBuf,
}

/// Show what a spec means before it is solved
///
/// Orders with the final durations of their steps, open time, work asked for against capacity per
/// resource and week, and which heuristics keep an optimal schedule.
#[derive(Debug, clap::Args)]
pub struct Show {
    /// The spec, a YAML file, or - for standard input
    pub spec: PathBuf,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  takt import ft10 --from jsplib --out ft10.yaml
  takt import airland1.txt --from airland --runways 2 | takt solve -
  takt import rand0000.stg --from stg --processors 4 > graph.yaml
  takt import orders.csv --from csv --out shop.yaml";

/// Turn a benchmark file or a table into a spec
///
/// The spec is written to standard output. Comments in it say how the file's numbers were taken.
#[derive(Debug, clap::Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub struct Import {
    /// The file, or - for standard input
    pub file: PathBuf,
    /// What the file is
    #[arg(long, value_name = "FORMAT")]
    pub from: ImportFormat,
    /// For airland: how many runways there are [default: 1]
    #[arg(long, value_name = "N", value_parser = units)]
    pub runways: Option<usize>,
    /// For stg: how many processors there are
    #[arg(long, value_name = "N", value_parser = units)]
    pub processors: Option<usize>,
    /// The file to write; standard output by default
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImportFormat {
    /// Job shops
    Jsplib,
    /// Projects with renewable resources (.sm)
    Psplib,
    /// Aircraft landing, from the OR-Library
    Airland,
    /// Task graphs of the Standard Task Graph Set
    Stg,
    /// Any table of orders or of steps: a draft that says what it guessed
    Csv,
}

fn units(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=import::MAX_UNITS).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {}", import::MAX_UNITS))
}

const NEW_EXAMPLES: &str = "\
Examples:
  takt new --list
  takt new shifts plant.yaml      writes plant.yaml, unless it is there already
  takt new job-shop | takt solve -";

/// Write a starter spec, commented, to begin with
///
/// Without FILE the spec goes to standard output. A file that exists is never overwritten.
#[derive(Debug, clap::Args)]
#[command(after_help = NEW_EXAMPLES)]
pub struct New {
    /// Which starter; --list shows them
    #[arg(required_unless_present = "list")]
    pub template: Option<String>,
    /// The file to write; standard output by default
    pub file: Option<PathBuf>,
    /// Show all starters
    #[arg(long, conflicts_with_all = ["template", "file"])]
    pub list: bool,
}

/// Limits of a run.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Wall time for the whole run, such as 90s, 5m or 1h30m
    #[arg(long, value_name = "TIME")]
    pub time: Option<Period>,
    /// Resident memory, such as 500M or 4G [default: nine tenths of what there is]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Memory>,
    /// Threads to use at most; all cores by default, and no more than there are
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl Limits {
    /// As many as there are cores and addresses for, unless told to use fewer.
    pub fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let most = cores.min(memory::most_threads());
        self.threads.map_or(most, |threads| usize::from(threads).min(cores))
    }
}

fn threads(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "expected a whole number, 1 or more")
}

const CHECK_EXAMPLES: &str = "\
Examples:
  takt check train-gate.xta -q 'A[] not deadlock'
  takt check bridge.xta -q 'inf{goal}: time' --trace concrete
  takt check model.xml                              queries from the XML file
  takt check fischer.xta --query-file fischer.q --time 60s --memory 4G --json

Queries:
  E<> p     some run reaches p            A[] p     p holds always, on all runs
  E[] p     some run stays in p           A<> p     all runs reach p
  p --> q   after p, q comes in any case  deadlock  no edge can be taken any more
  inf{p}: e, sup{p}: e   the bounds of e, a clock or an integer, over states in p

Exit codes:
  0  all queries are satisfied
  1  some query is violated
  2  the model, a query or the call is wrong
  3  no query is violated, but a limit came before some answer";

/// Verify queries on a model of timed automata
///
/// MODEL is a file in UPPAAL's textual language (.xta, .ta) or an UPPAAL XML file; `-` reads
/// standard input and knows the format by content.
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct Check {
    /// The model: .xta, .ta, .xml, or - for standard input
    pub model: PathBuf,
    /// A query; may be given several times
    #[arg(short, long = "query", value_name = "QUERY")]
    pub queries: Vec<String>,
    /// A file with one query per line; `//` comments and blank lines are ignored
    #[arg(long, value_name = "FILE")]
    pub query_file: Vec<PathBuf>,
    /// Which waiting state is explored next; by default breadth first, and diving where a
    /// value is minimised
    #[arg(long, value_name = "ORDER")]
    pub order: Option<OrderName>,
    /// How zones are widened; by default the coarsest way that is exact for the query
    #[arg(long, value_name = "KIND")]
    pub abstraction: Option<AbstractionName>,
    /// Keep one zone per discrete state, the smallest around all that were met there: less
    /// memory, but what is found may be unreachable (then the answer is `unknown`); for E<>, A[]
    /// and inf, sup of integers
    #[arg(long, conflicts_with = "bitstate")]
    pub hull: bool,
    /// Remember states by two bits in a table of 2^N bits, N from 6 to 40: little memory, but
    /// states may be left out (what is not found is then `unknown`); for the same queries
    #[arg(long, value_name = "N", value_parser = table)]
    pub bitstate: Option<u32>,
    /// Look at one state per orbit of scalar sets that nothing tells the elements of apart
    #[arg(long, value_name = "SWITCH", default_value = "on")]
    pub symmetry: Switch,
    /// Let one step do what many rounds of a fast cycle do, where that is exact
    #[arg(long, value_name = "SWITCH", default_value = "on")]
    pub accelerate: Switch,
    /// Which states are remembered once they are expanded
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub store: StoreName,
    /// Show a witness or counterexample: zones, or one run with exact times
    #[arg(long, value_name = "KIND")]
    pub trace: Option<TraceKind>,
    #[command(flatten)]
    pub limits: Limits,
}

impl Check {
    pub fn approximation(&self) -> Approximation {
        match (self.hull, self.bitstate) {
            (true, _) => Approximation::Hull,
            (false, Some(exponent)) => Approximation::Bitstate(exponent),
            (false, None) => Approximation::Exact,
        }
    }
}

fn table(text: &str) -> Result<u32, String> {
    let range = SMALLEST_TABLE..=LARGEST_TABLE;
    let fits = |exponent: &u32| range.contains(exponent);
    text.parse().ok().filter(fits).ok_or_else(|| {
        format!("expected a whole number from {SMALLEST_TABLE} to {LARGEST_TABLE}: the table has 2^N bits")
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

words! {
    StoreName for Keep {
        /// All of them
        All,
        /// Those where a process gets to the beginning of a loop: less memory, often more time
        Loops,
    }
}

words! {
    OrderName for Order {
        /// Breadth first: the shortest traces
        Bfs,
        /// Depth first
        Dfs,
        /// Depth first, successors shuffled by --seed
        RandomDfs,
        /// Smallest value first
        Best,
        /// Depth first, the best successor first; now and then from the best of all
        BestDepthFirst,
        /// The same, with equals in an order by chance (--seed)
        RandomBestDepthFirst,
        /// Smallest value first, but now and then straight down from there
        Diving,
    }
}

words! {
    AbstractionName for Abstraction {
        /// Plain zones; the search may not end
        None,
        /// One bound per clock
        K,
        /// Lower and upper bounds apart
        Lu,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceKind {
    /// Locations, variables and zones
    Symbolic,
    /// Moves at exact times, replayed before they are shown
    Concrete,
}

/// What must be known before the arguments are parsed, to report a wrong call as asked for.
#[derive(Debug, Default)]
pub struct Early {
    pub json: bool,
    pub color: Color,
}

impl Early {
    pub fn scan(args: impl Iterator<Item = OsString>) -> Early {
        let mut early = Early::default();
        let mut args = args.take_while(|arg| arg != "--").peekable();
        while let Some(arg) = args.next() {
            let arg = arg.to_string_lossy();
            early.json |= arg == "--json";
            let color = match arg.strip_prefix("--color") {
                Some("") => args.peek().map(|next| next.to_string_lossy().into_owned()),
                Some(rest) => rest.strip_prefix('=').map(str::to_owned),
                None => None,
            };
            if let Some(color) = color {
                early.color = Color::from_str(&color, false).unwrap_or_default();
            }
        }
        early
    }
}

/// `takt help` is a command that knows commands only: the options that every command takes are left
/// out, as they have been looked for before.
pub fn without_options_of_help(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let all: Vec<OsString> = args.collect();
    let is_option = |arg: &OsString| arg.to_string_lossy().starts_with("--");
    let mut words = all.iter().skip(1).filter(|arg| !is_option(arg));
    if words.next().is_none_or(|first| first != "help") {
        return all;
    }
    let is_common = |arg: &OsString| arg == "--json" || arg == "--quiet";
    all.into_iter().filter(|arg| !is_common(arg)).collect()
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> ColorChoice {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}
