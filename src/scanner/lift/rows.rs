//! Rows of operations: who holds which wafer is followed from the beginning.

use crate::layout::{Op, OpKind, Scanner};
use takt_spec::schedule::{Kind, Row, Schedule};

/// Operations sorted by start. Wafers are called w1, w2, ... as they are loaded. Says in words what
/// cannot be: an operation that finds no wafer where it needs one.
pub fn scanner_rows(scanner: &Scanner, ops: &[Op]) -> Result<Schedule, String> {
    let mut writer = Writer {
        scanner,
        loaded: 0,
        locks: vec![None; scanner.locks.len()],
        arms: vec![[None; 2]; scanner.robots.len()],
        chucks: vec![None; scanner.chucks.len()],
        rows: Vec::new(),
    };
    for op in ops {
        writer
            .write(op)
            .ok_or_else(|| format!("at {} there is no wafer for {}", op.start, step(op.kind)))?;
    }
    Ok(Schedule { rows: writer.rows })
}

/// The key of the layout.
fn step(kind: OpKind) -> &'static str {
    match kind {
        OpKind::Load { .. } => "load",
        OpKind::Unload { .. } => "unload",
        OpKind::Switch => "switch",
        OpKind::Recover => "recover",
        OpKind::Depressurize { .. } => "depressurize",
        OpKind::Pressurize { .. } => "pressurize",
        OpKind::FromLock { .. } => "from-lock",
        OpKind::ToLock { .. } => "to-lock",
        OpKind::Turn { .. } => "turn",
        OpKind::ToChuck { .. } => "to-chuck",
        OpKind::FromChuck { .. } => "from-chuck",
        OpKind::Measure { .. } => "measure",
        OpKind::Expose { .. } => "expose",
        OpKind::Swap => "swap",
    }
}

struct Writer<'s> {
    scanner: &'s Scanner,
    loaded: usize,
    locks: Vec<Option<usize>>,
    arms: Vec<[Option<usize>; 2]>,
    chucks: Vec<Option<usize>>,
    rows: Vec<Row>,
}

impl Writer<'_> {
    /// `None` where there is no wafer.
    fn write(&mut self, op: &Op) -> Option<()> {
        match op.kind {
            OpKind::Load { lock } => {
                self.loaded += 1;
                self.locks[lock] = Some(self.loaded);
                self.track(op, Some(self.loaded));
                self.lock(op, lock, Some(self.loaded));
            }
            OpKind::Unload { lock } => {
                let wafer = Some(self.locks[lock].take()?);
                self.track(op, wafer);
                self.lock(op, lock, wafer);
            }
            OpKind::Switch | OpKind::Recover => self.track(op, None),
            OpKind::Depressurize { lock } | OpKind::Pressurize { lock } => {
                self.lock(op, lock, self.locks[lock]);
            }
            OpKind::FromLock { robot, arm, lock } => {
                let wafer = Some(self.locks[lock].take()?);
                self.arms[robot][arm] = wafer;
                self.lock(op, lock, wafer);
                self.arm(op, robot, arm, wafer);
            }
            OpKind::ToLock { robot, arm, lock } => {
                let wafer = Some(self.arms[robot][arm].take()?);
                self.locks[lock] = wafer;
                self.lock(op, lock, wafer);
                self.arm(op, robot, arm, wafer);
            }
            OpKind::ToChuck { robot, arm, chuck } => {
                let wafer = Some(self.arms[robot][arm].take()?);
                self.chucks[chuck] = wafer;
                self.arm(op, robot, arm, wafer);
                self.chuck(op, chuck, wafer);
            }
            OpKind::FromChuck { robot, arm, chuck } => {
                let wafer = Some(self.chucks[chuck].take()?);
                self.arms[robot][arm] = wafer;
                self.arm(op, robot, arm, wafer);
                self.chuck(op, chuck, wafer);
            }
            OpKind::Turn { robot } => {
                for arm in 0..self.scanner.robots[robot].arms {
                    self.arm(op, robot, arm, self.arms[robot][arm]);
                }
            }
            OpKind::Measure { chuck } | OpKind::Expose { chuck } => {
                let wafer = Some(self.chucks[chuck]?);
                self.chuck(op, chuck, wafer);
            }
            OpKind::Swap => {
                for chuck in 0..self.chucks.len() {
                    self.chuck(op, chuck, self.chucks[chuck]);
                }
            }
        }
        Some(())
    }

    fn track(&mut self, op: &Op, wafer: Option<usize>) {
        self.row(op, wafer, "track".to_owned(), String::new());
    }

    fn lock(&mut self, op: &Op, lock: usize, wafer: Option<usize>) {
        self.row(op, wafer, self.scanner.locks[lock].name.clone(), String::new());
    }

    fn arm(&mut self, op: &Op, robot: usize, arm: usize, wafer: Option<usize>) {
        self.row(op, wafer, self.scanner.robots[robot].name.clone(), arm.to_string());
    }

    fn chuck(&mut self, op: &Op, chuck: usize, wafer: Option<usize>) {
        self.row(op, wafer, self.scanner.chucks[chuck].clone(), String::new());
    }

    fn row(&mut self, op: &Op, wafer: Option<usize>, resource: String, unit: String) {
        self.rows.push(Row {
            kind: Kind::Op,
            order: wafer.map_or_else(String::new, |number| format!("w{number}")),
            step: step(op.kind).to_owned(),
            resource,
            unit,
            start: op.start,
            end: op.end,
            work: Some(op.end - op.start),
            ..Row::default()
        });
    }
}
