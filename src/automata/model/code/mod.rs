//! Instructions, and the pass that makes them from trees.
//!
//! The code is meant for an accumulator machine: every expression leaves its value in the
//! accumulator, and what has to wait for a second operand goes to a stack. An instruction takes
//! eight bytes; what does not fit (wide constants, index steps, loops, places in the source)
//! stands in side tables. A term's code is followed by a `Op::Halt` outside of its range.

mod call;
mod expression;
mod generator;
mod place;
mod statement;
mod write;

use super::formula::{Formula, Objective, Query};
use super::{
    Addr, ClockId, ClockRef, ClockTest, CodeRange, Conjunct, Fault, FaultKind, FunctionId, Model,
    Process, Term,
};
use crate::network::BinaryOp;
use generator::Generator;
use takt_diagnostic::Span;

/// All instructions of a model, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub(super) ops: Vec<Op>,
    /// Constants that do not fit an instruction.
    pub(super) wide: Vec<i64>,
    pub(super) dimensions: Vec<Dimension>,
    pub(super) loops: Vec<Loop>,
    /// Where each function begins.
    pub(super) entries: Vec<u32>,
    /// The range of each cell, as in [`Model::cells`], but dense.
    pub(super) ranges: Vec<Range>,
    /// Places in the source of instructions that may fault, ascending by instruction.
    spans: Vec<(u32, Span)>,
    state_len: u32,
}

/// One instruction. "State" cells lie in the state's vector, "local" ones in the scratch memory;
/// a computed address may be either. `acc` is the accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Const(i32),
    /// A constant of the side table.
    Wide(u32),
    LoadState(Addr),
    LoadLocal(Addr),
    /// The cell at `acc` plus this.
    LoadAt(u32),
    Push,
    /// Pushes this; `acc` stays.
    PushAddress(u32),
    Pop,
    /// Reads below the top of the stack.
    Peek(u32),
    Drop(u32),

    /// The cell compared with a constant.
    StateEqual {
        value: i16,
        cell: Addr,
    },
    StateDiffers {
        value: i16,
        cell: Addr,
    },
    StateAtMost {
        value: i16,
        cell: Addr,
    },
    StateAtLeast {
        value: i16,
        cell: Addr,
    },
    /// `pop op acc`
    Binary(BinaryOp),
    /// `acc op pop`
    Reversed(BinaryOp),
    BinaryConst {
        op: BinaryOp,
        value: i32,
    },
    BinaryState {
        op: BinaryOp,
        cell: Addr,
    },
    BinaryLocal {
        op: BinaryOp,
        cell: Addr,
    },
    Negate,
    Not,
    /// Any number but 0 becomes 1.
    Truth,
    /// Adds `acc` to the top of the stack.
    Accumulate,

    StoreState(Addr),
    StoreLocal(Addr),
    /// Pops an address, adds this, writes `acc` there.
    StoreAt(u32),
    /// Writes a constant that lies in the cell's range.
    SetState {
        value: i16,
        cell: Addr,
    },
    /// Adds a constant; `acc` becomes the new value.
    AddState {
        delta: i16,
        cell: Addr,
    },
    /// Pops an address, adds `offset`; the cell there becomes `cell op acc`.
    UpdateAt {
        op: BinaryOp,
        offset: u32,
    },
    /// Writes a local cell without a check: bound variables and references.
    Bind(Addr),

    /// Turns an index into an offset, after a check.
    Index(u32),
    /// Likewise, and adds what it pops.
    IndexNext(u32),
    /// Adds to an address.
    Offset(u32),
    /// Copies this many cells from address `acc` to the address it pops.
    Copy(u32),
    Same(u32),

    ResetConst {
        value: i16,
        clock: ClockId,
    },
    /// Sets the clock to `acc`.
    Reset(ClockId),
    /// Pops a clock's number, adds this, sets that clock to `acc`.
    ResetAt(u32),
    AddCost,

    Jump(u32),
    JumpIfZero(u32),
    JumpUnlessZero(u32),
    /// A jump back, counted against the budget.
    Again(u32),
    /// Advances a loop of the side table, or falls through after its last round.
    Next(u32),
    Call(FunctionId),
    Return,
    /// The end of a function that should have returned.
    NoReturn,
    /// The end of a term.
    Halt,
}

// Eight instructions per cache line.
const _: () = assert!(size_of::<Op>() == 8);

/// How an index becomes an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dimension {
    pub first: i64,
    pub length: u32,
    pub stride: u32,
}

/// A loop over a fixed range with its variable in a local cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    pub cell: Addr,
    pub last: i64,
    pub start: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub lo: i64,
    pub hi: i64,
}

impl Range {
    #[inline]
    pub fn contains(self, value: i64) -> bool {
        self.lo <= value && value <= self.hi
    }
}

impl Code {
    /// The fault with the place of the instruction that caused it.
    #[cold]
    pub(super) fn fault(&self, op: usize, kind: FaultKind) -> Fault {
        let found = self.spans.binary_search_by_key(&(op as u32), |&(at, _)| at);
        Fault { kind, span: found.map_or(Span::default(), |i| self.spans[i].1) }
    }

    /// Takes over the ranges of cells that came since. The cells of the state hold 32 bits.
    fn learn_ranges(&mut self, cells: &[super::Cell], state_len: u32) {
        self.state_len = state_len;
        for (at, cell) in cells.iter().enumerate().skip(self.ranges.len()) {
            let (mut lo, mut hi) = (cell.lo, cell.hi);
            if at < state_len as usize {
                (lo, hi) = (lo.max(i64::from(i32::MIN)), hi.min(i64::from(i32::MAX)));
            }
            self.ranges.push(Range { lo, hi });
        }
    }
}

/// Compiles every term and function of the model that has no code yet.
pub fn generate(model: &mut Model) {
    model.code.learn_ranges(&model.cells, model.state_len);
    let mut generator = Generator::new(&mut model.code, &model.functions);
    generator.functions();
    for process in &mut model.processes {
        process_terms(&mut generator, process);
    }
    for update in [&mut model.before_update, &mut model.after_update] {
        update_term(&mut generator, update);
    }
}

/// Compiles a term that is not part of the model, such as one of a query.
pub fn compile_term(model: &mut Model, term: &mut Term) {
    with_functions(model, |generator| generator.term(term));
}

/// Compiles every term of a query.
pub fn compile_query(model: &mut Model, query: &mut Query) {
    let (formulas, of) = query.parts_mut();
    with_functions(model, |generator| {
        for formula in formulas {
            formula.each_leaf_mut(&mut |leaf| match leaf {
                Formula::Data(term) => generator.term(term),
                Formula::Clock(test) => test_terms(generator, test),
                _ => {}
            });
        }
        if let Some(Objective::Data(term)) = of {
            generator.term(term);
        }
    });
}

/// Compiles what uses the model's functions.
fn with_functions(model: &mut Model, compile: impl FnOnce(&mut Generator)) {
    model.code.learn_ranges(&model.cells, model.state_len);
    let mut generator = Generator::new(&mut model.code, &model.functions);
    generator.functions();
    compile(&mut generator);
}

fn process_terms(generator: &mut Generator, process: &mut Process) {
    for location in &mut process.locations {
        conjunct_terms(generator, &mut location.invariant);
        location.rate.iter_mut().for_each(|rate| generator.term(rate));
    }
    for edge in &mut process.edges {
        conjunct_terms(generator, &mut edge.guard);
        if let Some(offset) = edge.sync.as_mut().and_then(|sync| sync.offset.as_mut()) {
            generator.term(offset);
        }
        update_term(generator, &mut edge.update);
    }
}

fn conjunct_terms(generator: &mut Generator, conjuncts: &mut [Conjunct]) {
    for conjunct in conjuncts {
        match conjunct {
            Conjunct::Data(term) => generator.term(term),
            Conjunct::Clock(test) => test_terms(generator, test),
        }
    }
}

fn test_terms(generator: &mut Generator, test: &mut ClockTest) {
    test.unless.iter_mut().for_each(|unless| generator.term(unless));
    generator.term(&mut test.bound);
    for clock in [&mut test.left, &mut test.right].into_iter().flatten() {
        if let ClockRef::Indexed { place, code } = clock
            && is_missing(*code)
        {
            *code = generator.clock_number(place, test.span);
        }
    }
}

fn update_term(generator: &mut Generator, update: &mut Option<Term>) {
    if let Some(term) = update {
        generator.update(term);
    }
}

fn is_missing(code: CodeRange) -> bool {
    code.start == code.end
}
