//! `calendars`: shifts and days, or plain windows.

use super::like::{Draft, ONE_KIND};
use crate::civil::{DAY, days};
use crate::fields::{Decoder, Fields};
use crate::language::CALENDAR;
use crate::yaml::{Node, NodeKind};
use crate::{At, Calendar, Civil, Expr, Pattern, Shift, Stretch, Weekly, Window, Windows, phrase};
use jiff::civil::Weekday;
use takt_diagnostic::Span;

impl Decoder<'_> {
    pub fn calendars(&mut self, node: &Node) -> Vec<Calendar> {
        let mut drafts = Vec::new();
        for (name, value) in self.named(node, "calendar") {
            let fields = self.fields(value, &CALENDAR);
            let like = fields.as_ref().and_then(|fields| fields.get("like"));
            let like = like.and_then(|node| self.text(node, "`like`"));
            let pattern = fields.and_then(|fields| self.pattern(&fields));
            drafts.push(Draft { name, like, pattern });
        }
        self.built(drafts)
    }

    /// What stands in the calendar itself; `None` where nothing does, or where it is wrong.
    fn pattern(&mut self, fields: &Fields) -> Option<Pattern> {
        let civil = ["weekly", "closed", "open"].into_iter().find_map(|name| fields.key(name));
        let plain = ["windows", "repeat"].into_iter().find_map(|name| fields.key(name));
        match (civil, plain) {
            (Some(_), None) => Some(Pattern::Civil(self.civil(fields))),
            (None, Some(_)) => self.windows(fields).map(Pattern::Windows),
            (Some(_), Some(span)) => {
                self.error("bad-value", span, ONE_KIND);
                None
            }
            (None, None) if fields.key("like").is_some() => None,
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
        if let (None, true, Some(span)) = (&weekly, closed.is_empty(), fields.key("closed"))
            && fields.key("like").is_none()
        {
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
            if fields.key("like").is_some() {
                return Some(Windows { windows: Vec::new(), repeat });
            }
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
pub fn always(span: Span) -> Vec<Weekly> {
    let day = At::new(Shift { from: 0, to: DAY }, span);
    let days = At::new(days(Weekday::Monday, Weekday::Sunday), span);
    vec![Weekly { days, shifts: vec![day] }]
}
