//! `now`, `fixed`, `previous` and `pins`: where the plant is, and where it was to be.

use crate::fields::{Decoder, Fields};
use crate::language::{FACT, FIXED_FILE, PIN, PREVIOUS};
use crate::schedule::{Kind, Row, read_rows};
use crate::yaml::{Node, NodeKind};
use crate::{
    At, Exact, Expr, ExprKind, Fact, Files, Fixed, Instant, MAX_TIME, Pin, Previous, Time,
};
use takt_diagnostic::Span;

const KINDS: [(&str, Kind); 2] = [("step", Kind::Step), ("hold", Kind::Hold)];

impl Decoder<'_> {
    /// An instant behind a key that may be missing.
    pub fn optional_instant(&mut self, fields: &Fields, name: &str) -> Option<Instant> {
        let cell = self.scalar(fields.get(name)?, &format!("`{name}`"))?;
        self.instant_cell(cell, name)
    }

    pub fn pins(&mut self, node: &Node) -> Vec<Pin> {
        let mut pins = Vec::new();
        for (key, value) in self.map(node, "`pins`").unwrap_or_default() {
            let step = self.name(key, "the name of a step");
            let Some((step, fields)) = step.zip(self.fields(value, &PIN)) else { continue };
            let start = self.optional_instant(&fields, "start");
            let unit = fields.get("unit").and_then(|node| self.text(node, "`unit`"));
            if fields.get("start").is_none() && fields.get("unit").is_none() {
                self.error("missing-key", fields.span, "a pin needs `start` or `unit`");
            }
            pins.push(Pin { step, start, unit });
        }
        pins
    }

    pub fn fixed(&mut self, node: &Node, time: &Time, files: &mut dyn Files) -> Fixed {
        if let NodeKind::List(items) = &node.kind {
            let facts = items.iter().filter_map(|item| self.fact(item)).collect();
            return Fixed { facts, until: None };
        }
        let Some(fields) = self.fields(node, &FIXED_FILE) else { return Fixed::default() };
        let until = self.optional_instant(&fields, "until");
        let facts = self.facts_of_file(&fields, time, files).unwrap_or_default();
        Fixed { facts, until }
    }

    fn fact(&mut self, node: &Node) -> Option<Fact> {
        let fields = self.fields(node, &FACT)?;
        let kind = fields.get("kind").map(|node| self.choice(node, "`kind`", &KINDS));
        let mut text = |name: &str| {
            let node = fields.get(name)?;
            self.text(node, &format!("`{name}`"))
        };
        let [order, step, resource, unit] = ["order", "step", "resource", "unit"].map(&mut text);
        let [start, end] =
            ["start", "end"].map(|name| self.optional_instant(&fields, name).map(plain));
        let work = fields.get("work").and_then(|node| self.whole(node, "`work`", [0, MAX_TIME]));
        Some(Fact {
            kind: kind.unwrap_or(Some(Kind::Step))?,
            order: order?,
            step: step?,
            resource,
            unit,
            start: start?,
            end: end?,
            work,
            span: fields.span,
        })
    }

    pub fn previous(
        &mut self,
        node: &Node,
        time: &Time,
        files: &mut dyn Files,
    ) -> Option<Previous> {
        let fields = self.fields(node, &PREVIOUS)?;
        let move_cost =
            fields.get("move-cost").and_then(|node| self.rate(node, "a price per time"));
        let unit_cost = self.optional(&fields, "unit-cost", "a cost");
        let rows = self.rows_of_file(&fields, time, files)?.into_iter();
        let rows = rows.filter(|(row, _)| row.kind == Kind::Step);
        let rows = rows.map(|(row, span)| At::new(row, span)).collect();
        Some(Previous { rows, move_cost, unit_cost, span: fields.span })
    }

    fn rows_of_file(
        &mut self,
        fields: &Fields,
        time: &Time,
        files: &mut dyn Files,
    ) -> Option<Vec<(Row, Span)>> {
        let path = self.text(fields.get("file")?, "`file`")?;
        let (file, text) = match files.read(&path.value) {
            Ok(read) => read,
            Err(unread) => {
                self.unread(&unread, path.span);
                return None;
            }
        };
        let rows = read_rows(&text, file, time);
        rows.map_err(|wrong| wrong.iter().for_each(|one| self.found.push(one.clone()))).ok()
    }

    fn facts_of_file(
        &mut self,
        fields: &Fields,
        time: &Time,
        files: &mut dyn Files,
    ) -> Option<Vec<Fact>> {
        let rows = self.rows_of_file(fields, time, files)?;
        let rows =
            rows.into_iter().filter(|(row, _)| KINDS.iter().any(|(_, kind)| *kind == row.kind));
        let fact = |(row, span): (Row, Span)| {
            let some = |text: String| (!text.is_empty()).then(|| At::new(text, span));
            Fact {
                kind: row.kind,
                order: At::new(row.order, span),
                step: At::new(row.step, span),
                resource: some(row.resource),
                unit: some(row.unit),
                start: whole(row.start, span),
                end: whole(row.end, span),
                work: row.work.map(|work| At::new(work, span)),
                span,
            }
        };
        Some(rows.map(fact).collect())
    }
}

/// A negative number is one: what has happened may lie before 0.
fn plain(instant: Instant) -> Instant {
    if let Instant::After(Expr { kind: ExprKind::Negate(inner), span }) = &instant
        && let ExprKind::Number(number) = inner.kind
    {
        return Instant::After(Expr { kind: ExprKind::Number(-number), span: *span });
    }
    instant
}

fn whole(value: i64, span: Span) -> Instant {
    Instant::After(Expr { kind: ExprKind::Number(Exact::from(i128::from(value))), span })
}
