//! Synchronisations: the channel an edge sends or receives on.

use super::operand::{ChannelPlace, Operand};
use super::types::{Index, Ty};
use super::{Res, Resolver};
use crate::model::{Addr, Conjunct, Expr, Place, Sync, Term};
use crate::network;
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    pub fn sync(&mut self, written: &network::Sync, guard: &[Conjunct]) -> Res<Sync> {
        let operand = self.pure(|r| r.operand(&written.channel), "a synchronisation")?;
        let span = written.channel.span;
        let (place, urgent) = match operand {
            Operand::Channel(place, Ty::Chan { urgent, .. }) => (place, urgent),
            other => {
                let whole = matches!(other, Operand::Channel(..));
                let found = if whole { "an array of channels".into() } else { other.describe() };
                return Err(self.error(
                    Diagnostic::error("not-a-channel", span, "edges synchronise on channels")
                        .label(format!("this is {found}")),
                ));
            }
        };
        if urgent {
            self.no_clocks(guard, written.span)?;
        }
        let base = place.base;
        let offset = self.channel_offset(place, span)?;
        Ok(Sync { base, offset, direction: written.direction })
    }

    fn no_clocks(&mut self, guard: &[Conjunct], sync: Span) -> Res<()> {
        let Some(test) = guard.iter().find_map(Conjunct::test) else { return Ok(()) };
        let message = "an edge over an urgent channel cannot test clocks";
        Err(self.error(
            Diagnostic::error("urgent-clock-guard", test.span, message)
                .label("this depends on clocks")
                .related(sync, "an urgent channel")
                .hint("use an urgent location, or a channel that is not urgent"),
        ))
    }

    /// A computed index as a number to add. It is looked up in a table that holds 0, 1, 2, ...,
    /// so that it is checked like any other index.
    fn channel_offset(&mut self, place: ChannelPlace, span: Span) -> Res<Option<Term>> {
        if place.steps.is_empty() {
            return Ok(None);
        }
        let reach: u64 = place
            .steps
            .iter()
            .map(|step| u64::from(step.length - 1) * u64::from(step.stride))
            .sum();
        let table = self.identity(reach as u32 + 1, span)?;
        let place = Place { steps: place.steps, ..Place::fixed(table, span) };
        Ok(Some(Term::new(Expr::Load(place), span)))
    }

    fn identity(&mut self, length: u32, span: Span) -> Res<Addr> {
        if let Some(&table) = self.made.tables.get(&length) {
            return Ok(table);
        }
        let ty = Ty::array(Index { first: 0, length, set: None }, Ty::WIDE);
        self.room(self.made.scratch.len(), &ty, super::limits::CELLS, "cells", span)?;
        let values: Vec<i64> = (0..i64::from(length)).collect();
        let prefix = std::mem::take(&mut self.at.prefix);
        let table = self.scratch_cells(&ty, "channel", &values, span);
        self.at.prefix = prefix;
        let table = table?;
        self.made.layout.shared.extend((0..length).map(|k| Addr(table.0 + k)));
        self.made.tables.insert(length, table);
        Ok(table)
    }
}
