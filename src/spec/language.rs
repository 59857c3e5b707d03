//! The words of the spec language: which keys each map has and what may stand behind them.
//!
//! One table for all: the decoder takes from it which keys there are and which must be there,
//! and the schema for editors is made from it.

use crate::form::{Entry, Form, Keys, may, must};
use crate::heuristic;

pub static SPEC: Keys = Keys {
    what: "a spec",
    entries: &[
        must("takt", Form::Whole { least: 1 }, "The version of the language: 1."),
        may("extends", Form::Text, "The spec from which this one says only the differences."),
        may("name", Form::Text, "What results are called; by default the file's stem."),
        may("time", Form::Map(&TIME), "What model time counts."),
        may("calendars", Form::Named(&Form::Map(&CALENDAR)), "When resources work."),
        may(
            "resources",
            Form::Named(&Form::OneOf(&[Form::Null, Form::Map(&RESOURCE)])),
            "What steps take.",
        ),
        may("recipes", Form::Named(&Form::Map(&RECIPE)), "How things are made."),
        may(
            "routings",
            Form::OneOf(&[Form::Map(&ROUTING), Form::List(&Form::Map(&ROUTING))]),
            "Recipes, or the steps of single orders, from tables with one row per step.",
        ),
        may(
            "orders",
            Form::List(&Form::OneOf(&[Form::Map(&ORDER), Form::Map(&ORDER_FILE)])),
            "What is to be made.",
        ),
        may("layout", Form::Map(&LAYOUT), "A wafer scanner, instead of recipes and orders."),
        may(
            "objective",
            Form::Choice(&["feasible", "makespan", "cost", "throughput"]),
            "What is best; by default the shortest makespan, for a layout the throughput.",
        ),
        may("heuristics", HEURISTICS, "Rules that cut the search."),
        may("now", Form::Instant, "No step that is not fixed starts earlier; by default 0."),
        may(
            "fixed",
            Form::OneOf(&[Form::Map(&FIXED_FILE), Form::List(&Form::Map(&FACT))]),
            "Steps that have started or are settled, with their times and units.",
        ),
        may("previous", Form::Map(&PREVIOUS), "An earlier plan; to depart from it may cost."),
    ],
};

pub static FIXED_FILE: Keys = Keys {
    what: "`fixed`",
    entries: &[
        must("file", Form::Text, "A schedule in the form of `schedule.csv`."),
        may("until", Form::Instant, "Only rows that start before this instant count."),
    ],
};

pub static PREVIOUS: Keys = Keys {
    what: "`previous`",
    entries: &[
        must("file", Form::Text, "A schedule in the form of `schedule.csv`."),
        may(
            "move-cost",
            Form::Rate,
            "Paid for the time between a step's start and its former one.",
        ),
        may("unit-cost", Form::Cost, "Paid for each unit that a step did not take before."),
    ],
};

pub static FACT: Keys = Keys {
    what: "a fixed row",
    entries: &[
        may("kind", Form::Choice(&["step", "hold"]), "By default a step."),
        must("order", Form::Text, "The order's id."),
        must("step", Form::Text, "The step, or the one with which a hold begins."),
        may("resource", Form::Text, "What it takes; without it, it takes nothing."),
        may("unit", Form::Text, "Which unit, where that matters."),
        must("start", Form::Instant, "When it started or will start."),
        must("end", Form::Instant, "When it ended or will end."),
        may("work", Form::Whole { least: 0 }, "Work without pauses; by default all of the time."),
    ],
};

pub static PIN: Keys = Keys {
    what: "a pin",
    entries: &[
        may("start", Form::Instant, "The step starts exactly then."),
        may("unit", Form::Text, "The step takes this unit."),
    ],
};

pub static TIME: Keys = Keys {
    what: "`time`",
    entries: &[
        may(
            "unit",
            Form::Choice(&["tick", "second", "minute", "hour", "day"]),
            "What one unit of model time is; by default a tick, which has no length.",
        ),
        may("start", Form::DateTime, "The civil time of instant 0."),
        may("zone", Form::Text, "An IANA time zone whose daylight saving civil time follows."),
    ],
};

pub static CALENDAR: Keys = Keys {
    what: "a calendar",
    entries: &[
        may("like", Form::Text, "The calendar that this one builds on."),
        may("weekly", Form::Named(&SHIFTS), "Shifts by weekday, such as `Mon-Thu`."),
        may("closed", STRETCHES, "Days and stretches of time without work."),
        may("open", STRETCHES, "Extra work; wins over `closed`."),
        may("windows", Form::List(&Form::List(&Form::Duration)), "Open time as pairs [from, to]."),
        may("repeat", Form::Duration, "After so much time the windows come again."),
    ],
};

const STRETCHES: Form = Form::OneOf(&[Form::Stretch, Form::List(&Form::Stretch)]);
static SHIFTS: Form = Form::OneOf(&[Form::Shift, Form::List(&Form::Shift)]);

pub static RESOURCE: Keys = Keys {
    what: "a resource",
    entries: &[
        may("capacity", Form::Whole { least: 1 }, "How many interchangeable units it has."),
        may(
            "units",
            Form::OneOf(&[
                Form::List(&Form::Text),
                Form::Named(&Form::OneOf(&[Form::Null, Form::Map(&UNIT)])),
            ]),
            "Machines with a state of their own.",
        ),
        may("calendar", Form::Text, "When it works; by default always."),
        may("availability", Form::Fraction, "Stretches every processing time; in (0, 1]."),
        may("performance", Form::Fraction, "Stretches every processing time; in (0, 1]."),
        may(
            "setup",
            Form::OneOf(&[Form::Map(&SETUP), Form::Some(&Form::Map(&SETUP))]),
            "What a unit needs between steps of two families; the parts of a list add up.",
        ),
        may(
            "initial",
            Form::OneOf(&[Form::Text, Form::Named(&Form::Text)]),
            "The family that its units are set up for at 0.",
        ),
        may("run-cost", Form::Rate, "Paid per time of work and amount taken."),
    ],
};

pub static UNIT: Keys = Keys {
    what: "a unit",
    entries: &[
        may("calendar", Form::Text, "When it works, instead of its resource's calendar."),
        may("availability", Form::Fraction, "Stretches its processing times; in (0, 1]."),
        may("performance", Form::Fraction, "Stretches its processing times; in (0, 1]."),
        may("run-cost", Form::Rate, "Paid per time of work, instead of the resource's."),
        may(
            "families",
            Form::OneOf(&[Form::Text, Form::List(&Form::Text)]),
            "It takes steps of these families alone; by default of all.",
        ),
    ],
};

pub static SETUP: Keys = Keys {
    what: "`setup`",
    entries: &[
        may("by", Form::Text, "The attribute of orders that it goes by, instead of the family."),
        may("time", Form::Duration, "Between two different families."),
        may("cost", Form::Cost, "Paid between two different families."),
        may(
            "matrix",
            Form::Named(&Form::Named(&Form::Map(&EFFORT))),
            "From one family to the next one.",
        ),
        may("otherwise", Form::Map(&EFFORT), "Between different families not in the matrix."),
        may(
            "initial",
            Form::OneOf(&[Form::Text, Form::Named(&Form::Text)]),
            "What its units are set up for at 0, where a setup has several parts.",
        ),
        may(
            "on",
            Form::OneOf(&[Form::Text, AMOUNTS, Form::List(&CREW)]),
            "What it takes while it runs, anywhere between the two steps.",
        ),
        may("calendar", Form::Flag, "Whether it runs in open time only, inside one window."),
    ],
};

pub static EFFORT: Keys = Keys {
    what: "a setup",
    entries: &[
        may("time", Form::Duration, "How long it takes; by default 0."),
        may("cost", Form::Cost, "What it costs; by default 0."),
    ],
};

pub static RECIPE: Keys = Keys {
    what: "a recipe",
    entries: &[
        must("steps", Form::Some(&Form::Map(&STEP)), "Each follows the one before it."),
        may("holds", Form::List(&Form::Map(&HOLD)), "What is kept over several steps."),
    ],
};

pub static STEP: Keys = Keys {
    what: "a step",
    entries: &[
        must("name", Form::Text, "Its name within the recipe."),
        may("on", Form::Shared("need", &NEEDS), "What it takes; without it, it only takes time."),
        must(
            "duration",
            Form::OneOf(&[Form::Duration, Form::Named(&Form::Duration)]),
            "How long it takes, or how long with each alternative.",
        ),
        may("after", AFTER, "Its predecessors, instead of the step before it."),
        may(
            "interruptible",
            Form::OneOf(&[Form::Flag, Form::Map(&INTERRUPTIBLE)]),
            "Whether it may pause while its resources are closed.",
        ),
        may("family", Form::Text, "Its family for setups, instead of the order's."),
    ],
};

const AFTER: Form = Form::OneOf(&[Form::Text, Form::List(&PREDECESSOR), LAGS]);
const LAGS: Form = Form::Named(&Form::OneOf(&[Form::Null, Form::Map(&LAG)]));

/// A resource, resources with amounts, alternatives, what another step took, or a list of these.
static NEEDS: Form =
    Form::OneOf(&[Form::Text, Form::Map(&ANY), Form::Map(&SAME), AMOUNTS, Form::List(&NEED_ITEM)]);
static NEED_ITEM: Form = Form::Shared("need", &NEEDS);
const AMOUNTS: Form = Form::Named(&Form::Whole { least: 1 });
static CREW: Form = Form::OneOf(&[Form::Text, AMOUNTS]);
static PREDECESSOR: Form = Form::OneOf(&[Form::Text, LAGS]);

pub static ANY: Keys = Keys {
    what: "a choice of alternatives",
    entries: &[must("any", Form::Some(&NEED_ITEM), "One of these is taken.")],
};

pub static SAME: Keys = Keys {
    what: "what another step took",
    entries: &[must("same", Form::Text, "A step before it: the units that this one took.")],
};

pub static LAG: Keys = Keys {
    what: "a lag",
    entries: &[
        may("min", Form::Duration, "The least time from the predecessor to this step's start."),
        may("max", Form::Duration, "The most time from the predecessor to this step's start."),
        may("from", Form::Choice(&["start", "end"]), "Where the lag begins; by default the end."),
    ],
};

pub static INTERRUPTIBLE: Keys =
    Keys { what: "`interruptible`", entries: &[may("max", Form::Duration, "The longest pause.")] };

pub static HOLD: Keys = Keys {
    what: "a hold",
    entries: &[
        must("resource", Form::Text, "What is held."),
        must("from", Form::Text, "The step at whose start it is taken."),
        must("until", Form::Text, "The step at whose end it is freed."),
        may("amount", Form::Whole { least: 1 }, "How many units; by default 1."),
    ],
};

const SEPARATOR: Entry = may("separator", Form::Text, "What stands between cells; by default `,`.");
const DECIMAL: Entry =
    may("decimal", Form::Choice(&[".", ","]), "The sign before the decimals of its numbers.");
const ENCODING: Entry = may(
    "encoding",
    Form::Choice(&["utf-8", "latin1"]),
    "How its letters are stored; by default utf-8.",
);
const DATES: Entry =
    may("dates", Form::Text, "How it writes dates, in yyyy, yy, mm, dd, hh, MM, ss.");
const DAY_ENDS: Entry = may(
    "day-ends",
    Form::Text,
    "The time of day of a due instant or deadline that names only a day; by default 24:00.",
);
const COLUMNS: Entry =
    may("columns", Form::Named(&Form::Text), "From keys and names to the columns of the table.");

/// The keys that an order and a whole file of orders have in common, after their own.
macro_rules! order_keys {
    ($($own:expr),+) => { &[
        $($own,)+
        may("release", Form::Instant, "No step starts earlier; by default 0."),
        may("due", Form::Instant, "When it should be finished."),
        may("deadline", Form::Instant, "When it must be finished."),
        may("size", Form::Decimal, "How much is made; expressions may use it."),
        may("family", Form::Text, "Its family for setups; by default the recipe's name."),
        may("delay-cost", Form::Rate, "Paid for the time that it finishes after its due instant."),
        may("storage-cost", Form::Rate, "Paid for the time that it finishes before it."),
        may("late-cost", Form::Cost, "Paid once if it finishes after its due instant."),
        may("holding-cost", Form::Rate, "Paid from its first start to its finish."),
        may("count", Form::Whole { least: 1 }, "So many copies, called id.1, id.2, and so on."),
        may("every", Form::Duration, "Each copy's instants shift by so much; by default 0."),
        may("attributes", Form::Named(&Form::Value), "Values that expressions may use."),
        may("after", ORDERS_BEFORE, "Orders that are finished before it starts; in a table their ids."),
        may("pins", Form::Named(&Form::Map(&PIN)), "Steps that start exactly then, or on that unit."),
    ] };
}

const ORDERS_BEFORE: Form = Form::OneOf(&[Form::Text, Form::List(&ORDER_BEFORE), ORDER_LAGS]);
const ORDER_LAGS: Form = Form::Named(&Form::OneOf(&[Form::Null, Form::Map(&ORDER_LAG)]));
static ORDER_BEFORE: Form = Form::OneOf(&[Form::Text, ORDER_LAGS]);

pub static ORDER_LAG: Keys = Keys {
    what: "the time between orders",
    entries: &[
        may("min", Form::Duration, "The least time from its finish to any start."),
        may("max", Form::Duration, "The most time from its finish to the first start."),
    ],
};

pub static ORDER: Keys = Keys {
    what: "an order",
    entries: order_keys![
        must("id", Form::Text, "Its name."),
        may(
            "recipe",
            Form::Text,
            "How it is made; not for one with steps of its own in `routings`."
        )
    ],
};

pub static ORDER_FILE: Keys = Keys {
    what: "a file of orders",
    entries: order_keys![
        must("file", Form::Text, "A table with columns named like the keys of orders."),
        may("recipe", Form::Text, "How it is made."),
        SEPARATOR,
        DECIMAL,
        ENCODING,
        DATES,
        DAY_ENDS,
        COLUMNS
    ],
};

/// The keys of steps that are no columns hold for every row that has no cell of its own for them.
pub static ROUTING: Keys = Keys {
    what: "`routings`",
    entries: &[
        must(
            "file",
            Form::Text,
            "A table with the columns `recipe` or `order`, `step`, `duration`.",
        ),
        may("recipe", Form::Text, "The recipe that all rows are steps of."),
        may("on", Form::Text, "What a step takes, such as `M1|M2+crew`."),
        may("duration", Form::Duration, "How long a step takes; columns have names here."),
        may("family", Form::Text, "Its family for setups, instead of the order's."),
        may(
            "interruptible",
            Form::OneOf(&[Form::Flag, Form::Duration]),
            "Whether a step may pause while its resources are closed, or how long at most.",
        ),
        SEPARATOR,
        DECIMAL,
        ENCODING,
        DATES,
        DAY_ENDS,
        COLUMNS,
    ],
};

/// What a variant may say of an order that is a row of a table.
pub static ROW_CHANGE: Keys = Keys {
    what: "an order",
    entries: order_keys![
        may("id", Form::Text, "Its name."),
        may("recipe", Form::Text, "How it is made.")
    ],
};

const WORD: Form = Form::Choice(&heuristic::WORDS);
static HEURISTIC: Form = Form::OneOf(&[WORD, Form::Map(&HEURISTIC_MAP)]);
const HEURISTICS: Form = Form::OneOf(&[WORD, Form::Map(&HEURISTIC_MAP), Form::List(&HEURISTIC)]);

pub static HEURISTIC_MAP: Keys = Keys { what: "a heuristic", entries: &heuristic::WITH_ARGUMENT };

pub static LAYOUT: Keys = Keys {
    what: "`layout`",
    entries: &[
        must("track", Form::Map(&TRACK), "The robot that brings and fetches wafers."),
        must("locks", Form::Map(&LOCKS), "The load locks."),
        must("robots", Form::SomeNamed(&Form::Map(&ROBOT)), "The robots between locks and chucks."),
        must("chucks", Form::Map(&CHUCKS), "Where wafers are measured and exposed."),
    ],
};

pub static TRACK: Keys = Keys {
    what: "`track`",
    entries: &[
        must("load", Form::Duration, "Bringing a wafer into a lock."),
        must("unload", Form::Duration, "Fetching a wafer from a lock."),
        must("switch", Form::Duration, "From ready to unload back to ready to load."),
        must("recover", Form::Duration, "After an unload."),
    ],
};

pub static LOCKS: Keys = Keys {
    what: "`locks`",
    entries: &[
        must("ids", Form::Some(&Form::Text), "Their names."),
        must("depressurize", Form::Duration, "From atmosphere to vacuum."),
        must("pressurize", Form::Duration, "From vacuum to atmosphere."),
        may(
            "direction",
            Form::Named(&Form::Choice(&["in", "out", "both"])),
            "Which way wafers pass; by default both.",
        ),
    ],
};

pub static ROBOT: Keys = Keys {
    what: "a robot",
    entries: &[
        must("arms", Form::Whole { least: 1 }, "1 or 2."),
        must("locks", Form::Some(&Form::Text), "The locks that it serves."),
        must("turn", Form::Duration, "Turning its arms to the other side."),
        must("from-lock", Form::Duration, "Taking a wafer from a lock."),
        must("to-lock", Form::Duration, "Putting a wafer into a lock."),
        must("to-chuck", Form::Duration, "Putting a wafer onto a chuck."),
        must("from-chuck", Form::Duration, "Taking a wafer from a chuck."),
    ],
};

pub static CHUCKS: Keys = Keys {
    what: "`chucks`",
    entries: &[
        must("ids", Form::Some(&Form::Text), "Their names, one or two."),
        must("swap", Form::Duration, "Changing places, or moving a single one."),
        must("measure", Form::Duration, "Measuring a wafer."),
        must("expose", Form::Duration, "Exposing a wafer."),
    ],
};
