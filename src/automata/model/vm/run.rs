//! The loop that executes instructions.

use super::Vm;
use super::memory::Memory;
use crate::model::arithmetic::binary;
use crate::model::code::{Code, Dimension, Loop, Op};
use crate::model::{Addr, ClockId, Fault, FaultKind};

/// How many instructions one evaluation may take.
const BUDGET: i64 = 50_000_000;

/// How far calls and loops of fixed length may overdraw the budget: a loop without end is to be
/// reported at its own place, not at something that it merely runs.
const OVERDRAFT: i64 = -10_000_000;

/// A reset takes memory, so it has a higher price: an endless loop shall not fill the memory.
const RESET_PRICE: i64 = 16;

impl Vm {
    /// Runs from `start` to the next `Halt` outside of a call.
    pub(super) fn execute<M: Memory>(
        &mut self,
        code: &Code,
        start: u32,
        memory: &mut M,
    ) -> Result<i64, Fault> {
        self.stack.clear();
        let mut at = start as usize;
        let mut acc: i64 = 0;
        let mut fuel = BUDGET;
        // Unwraps a result, or leaves with the place of the instruction at hand.
        macro_rules! checked {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(kind) => return Err(code.fault(at, kind)),
                }
            };
        }
        loop {
            fuel -= 1;
            let mut next = at + 1;
            match code.ops[at] {
                Op::Const(value) => acc = i64::from(value),
                Op::Wide(number) => acc = code.wide[number as usize],
                Op::LoadState(cell) => acc = state(memory, cell),
                Op::LoadLocal(cell) => acc = self.scratch[cell],
                Op::LoadAt(offset) => acc = self.load(memory, acc + i64::from(offset)),
                Op::Push => self.stack.push(acc),
                Op::PushAddress(address) => self.stack.push(i64::from(address)),
                Op::Pop => acc = self.pop(),
                Op::Peek(depth) => acc = self.stack[self.stack.len() - 1 - depth as usize],
                Op::Drop(count) => self.stack.truncate(self.stack.len() - count as usize),

                Op::StateEqual { value, cell } => {
                    acc = i64::from(state(memory, cell) == i64::from(value));
                }
                Op::StateDiffers { value, cell } => {
                    acc = i64::from(state(memory, cell) != i64::from(value));
                }
                Op::StateAtMost { value, cell } => {
                    acc = i64::from(state(memory, cell) <= i64::from(value));
                }
                Op::StateAtLeast { value, cell } => {
                    acc = i64::from(state(memory, cell) >= i64::from(value));
                }
                Op::Binary(op) => {
                    let left = self.pop();
                    acc = checked!(binary(op, left, acc));
                }
                Op::Reversed(op) => {
                    let right = self.pop();
                    acc = checked!(binary(op, acc, right));
                }
                Op::BinaryConst { op, value } => acc = checked!(binary(op, acc, value.into())),
                Op::BinaryState { op, cell } => {
                    acc = checked!(binary(op, acc, state(memory, cell)));
                }
                Op::BinaryLocal { op, cell } => {
                    acc = checked!(binary(op, acc, self.scratch[cell]));
                }
                Op::Negate => acc = checked!(acc.checked_neg().ok_or(FaultKind::Overflow)),
                Op::Not => acc = i64::from(acc == 0),
                Op::Truth => acc = i64::from(acc != 0),
                Op::Accumulate => {
                    let sum = self.pop().checked_add(acc).ok_or(FaultKind::Overflow);
                    self.stack.push(checked!(sum));
                }

                Op::StoreState(cell) => checked!(store_state(code, memory, cell, acc)),
                Op::StoreLocal(cell) => checked!(self.store_local(code, cell, acc)),
                Op::StoreAt(offset) => {
                    let address = self.pop() + i64::from(offset);
                    checked!(self.store(code, memory, address, acc));
                }
                Op::SetState { value, cell } => {
                    acc = i64::from(value);
                    memory.write(cell, acc);
                }
                Op::AddState { delta, cell } => {
                    acc = state(memory, cell) + i64::from(delta);
                    checked!(store_state(code, memory, cell, acc));
                }
                Op::UpdateAt { op, offset } => {
                    let address = self.pop() + i64::from(offset);
                    acc = checked!(binary(op, self.load(memory, address), acc));
                    checked!(self.store(code, memory, address, acc));
                }
                Op::Bind(cell) => self.scratch[cell] = acc,

                Op::Index(step) => acc = checked!(index(code.dimensions[step as usize], acc)),
                Op::IndexNext(step) => {
                    acc = self.pop() + checked!(index(code.dimensions[step as usize], acc));
                }
                Op::Offset(offset) => acc += i64::from(offset),
                Op::Copy(len) => {
                    fuel -= i64::from(len);
                    let to = self.pop();
                    checked!(self.copy(code, memory, to, acc, len));
                    acc = 0;
                }
                Op::Same(len) => {
                    fuel -= i64::from(len);
                    let left = self.pop();
                    acc = i64::from(
                        (0..i64::from(len))
                            .all(|i| self.load(memory, left + i) == self.load(memory, acc + i)),
                    );
                }

                Op::ResetConst { value, clock } => {
                    fuel -= RESET_PRICE;
                    memory.reset(clock, i64::from(value));
                    acc = 0;
                }
                Op::Reset(clock) => {
                    fuel -= RESET_PRICE;
                    checked!(reset(memory, clock, acc));
                    acc = 0;
                }
                Op::ResetAt(offset) => {
                    fuel -= RESET_PRICE;
                    let clock = ClockId((self.pop() + i64::from(offset)) as u32);
                    checked!(reset(memory, clock, acc));
                    acc = 0;
                }
                Op::AddCost => {
                    checked!(memory.add_cost(acc));
                    acc = 0;
                }

                Op::Jump(target) => next = target as usize,
                Op::JumpIfZero(target) if acc == 0 => next = target as usize,
                Op::JumpUnlessZero(target) if acc != 0 => next = target as usize,
                Op::JumpIfZero(_) | Op::JumpUnlessZero(_) => {}
                Op::Again(target) => {
                    checked!(spent(fuel, 0));
                    next = target as usize;
                }
                Op::Next(number) => {
                    checked!(spent(fuel, OVERDRAFT));
                    let Loop { cell, last, start } = code.loops[number as usize];
                    let value = &mut self.scratch[cell];
                    if *value < last {
                        *value += 1;
                        next = start as usize;
                    }
                }
                Op::Call(function) => {
                    checked!(spent(fuel, OVERDRAFT));
                    self.stack.push(next as i64);
                    next = code.entries[function] as usize;
                }
                Op::Return => next = self.pop() as usize,
                Op::NoReturn => return Err(code.fault(at, FaultKind::NoReturn)),
                Op::Halt => return Ok(acc),
            }
            at = next;
        }
    }

    #[inline]
    fn pop(&mut self) -> i64 {
        self.stack.pop().expect("code pops what it pushed")
    }

    #[inline]
    fn load<M: Memory>(&self, memory: &M, address: i64) -> i64 {
        let address = address as usize;
        match memory.state().get(address) {
            Some(&value) => i64::from(value),
            None => self.scratch[address],
        }
    }

    #[inline]
    fn store<M: Memory>(
        &mut self,
        code: &Code,
        memory: &mut M,
        address: i64,
        value: i64,
    ) -> Result<(), FaultKind> {
        let cell = Addr(address as u32);
        if cell.index() < memory.state().len() {
            store_state(code, memory, cell, value)
        } else {
            self.store_local(code, cell, value)
        }
    }

    #[inline]
    fn store_local(&mut self, code: &Code, cell: Addr, value: i64) -> Result<(), FaultKind> {
        in_range(code, cell, value)?;
        self.scratch[cell] = value;
        Ok(())
    }

    fn copy<M: Memory>(
        &mut self,
        code: &Code,
        memory: &mut M,
        to: i64,
        from: i64,
        len: u32,
    ) -> Result<(), FaultKind> {
        for i in 0..i64::from(len) {
            let value = self.load(memory, from + i);
            self.store(code, memory, to + i, value)?;
        }
        Ok(())
    }
}

#[inline]
fn state<M: Memory>(memory: &M, cell: Addr) -> i64 {
    i64::from(memory.state()[cell])
}

#[inline]
fn store_state<M: Memory>(
    code: &Code,
    memory: &mut M,
    cell: Addr,
    value: i64,
) -> Result<(), FaultKind> {
    in_range(code, cell, value)?;
    memory.write(cell, value);
    Ok(())
}

#[inline]
fn in_range(code: &Code, cell: Addr, value: i64) -> Result<(), FaultKind> {
    if code.ranges[cell].contains(value) {
        Ok(())
    } else {
        Err(FaultKind::OutOfRange { cell, value })
    }
}

#[inline]
fn index(step: Dimension, index: i64) -> Result<i64, FaultKind> {
    match index.checked_sub(step.first) {
        Some(offset) if 0 <= offset && offset < i64::from(step.length) => {
            Ok(offset * i64::from(step.stride))
        }
        _ => Err(FaultKind::IndexOutOfRange { index, length: step.length }),
    }
}

fn reset<M: Memory>(memory: &mut M, clock: ClockId, value: i64) -> Result<(), FaultKind> {
    if value < 0 {
        return Err(FaultKind::NegativeClock(value));
    }
    memory.reset(clock, value);
    Ok(())
}

#[inline]
fn spent(fuel: i64, limit: i64) -> Result<(), FaultKind> {
    if fuel < limit { Err(FaultKind::Endless) } else { Ok(()) }
}
