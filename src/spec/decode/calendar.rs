//! `calendars`: shifts and days, or plain windows.

use crate::civil::{DAY, days};
use crate::fields::{Decoder, Fields};
use crate::language::CALENDAR;
use crate::yaml::{Node, NodeKind};
use crate::{At, Calendar, Civil, Expr, Pattern, Shift, Stretch, Weekly, Window, Windows, phrase};
use jiff::civil::Weekday;
use takt_diagnostic::Span;

impl Decoder<'_> {
    pub fn calendars(&mut self, node: &Node) -> Vec<Calendar> {
        let mut calendars = Vec::new();
        for (name, value) in self.named(node, "calendar") {
            if let Some(pattern) = self.pattern(value) {
                calendars.push(Calendar { name, pattern });
            } else {
                // What is wrong with it has been told; its name exists all the same.
                calendars.push(Calendar { name, pattern: Pattern::Civil(Civil::default()) });
            }
        }
        calendars
    }

    fn pattern(&mut self, node: &Node) -> Option<Pattern> {
        let fields = self.fields(node, &CALENDAR)?;
        let civil = ["weekly", "closed", "open"].into_iter().find_map(|name| fields.key(name));
        let plain = ["windows", "repeat"].into_iter().find_map(|name| fields.key(name));
        match (civil, plain) {
            (Some(_), None) => Some(Pattern::Civil(self.civil(&fields))),
            (None, Some(_)) => self.windows(&fields).map(Pattern::Windows),
            (Some(_), Some(span)) => {
                let message = "a calendar has windows or civil time, not both";
                self.error("bad-value", span, message);
                None
            }
            (None, None) => {
                self.error("missing-key", fields.span, "a calendar needs `weekly` or `windows`");
                None
            }
        }
    }

    fn civil(&mut self, fields: &Fields) -> Civil {
        let mut weekly = fields.get("weekly").map(|node| self.weekly(node));
        let closed = self.stretches(fields, "closed");
        let open = self.stretches(fields, "open");
        // `closed: []` counts as written: then all time is open.
        if let (None, true, Some(span)) = (&weekly, closed.is_empty(), fields.key("closed")) {
            weekly = Some(always(span));
        }
        Civil { weekly, closed, open }
    }

    fn weekly(&mut self, node: &Node) -> Vec<Weekly> {
        let mut weekly = Vec::new();
        for (key, value) in self.map(node, "`weekly`").unwrap_or_default() {
            let days = self.keep(phrase::days(key));
            let shifts = self.shifts(value);
            if let Some(days) = days {
                weekly.push(Weekly { days, shifts });
            }
        }
        weekly
    }

    fn shifts(&mut self, node: &Node) -> Vec<At<Shift>> {
        let items = match &node.kind {
            NodeKind::Scalar(_) => std::slice::from_ref(node),
            _ => self.list(node, "the shifts of a day").unwrap_or_default(),
        };
        let mut shifts = Vec::new();
        for item in items {
            if let Some(scalar) = self.scalar(item, "a shift") {
                shifts.extend(self.keep(phrase::shift(scalar)));
            }
        }
        shifts
    }

    fn stretches(&mut self, fields: &Fields, name: &str) -> Vec<At<Stretch>> {
        let Some(node) = fields.get(name) else { return Vec::new() };
        let what = "a day or a stretch of time";
        let items = match &node.kind {
            NodeKind::Scalar(_) => std::slice::from_ref(node),
            _ => self.list(node, &format!("`{name}`")).unwrap_or_default(),
        };
        let mut stretches = Vec::new();
        for item in items {
            if let Some(scalar) = self.scalar(item, what) {
                stretches.extend(self.keep(phrase::stretch(scalar, what)));
            }
        }
        stretches
    }

    fn windows(&mut self, fields: &Fields) -> Option<Windows> {
        let repeat = self.optional(fields, "repeat", "a duration");
        let Some(node) = fields.get("windows") else {
            self.missing(fields.span, CALENDAR.what, "windows");
            return None;
        };
        let items = self.list(node, "`windows`")?;
        let windows = items.iter().filter_map(|item| self.window(item)).collect();
        Some(Windows { windows, repeat })
    }

    fn window(&mut self, node: &Node) -> Option<Window> {
        let items = self.list(node, "a window")?;
        let [from, to] = items else {
            self.error("bad-value", node.span, "a window is a pair: [from, to]");
            return None;
        };
        let edge = |decoder: &mut Self, node| -> Option<Expr> {
            decoder.expression(node, "the edge of a window")
        };
        let (from, to) = (edge(self, from), edge(self, to));
        Some(Window { from: from?, to: to?, span: node.span })
    }
}

/// Every day, all day.
fn always(span: Span) -> Vec<Weekly> {
    let day = At::new(Shift { from: 0, to: DAY }, span);
    let days = At::new(days(Weekday::Monday, Weekday::Sunday), span);
    vec![Weekly { days, shifts: vec![day] }]
}
