//! One piece of text being read: its place in a file, and what was found wrong with it so far.
//!
//! A piece may be a whole file or the decoded content of an XML element; [`Text`] turns its
//! offsets into spans of the file.

use std::cell::{Cell, RefCell};

use takt_diagnostic::{Diagnostic, Diagnostics, FileId, Span};

/// After this many errors the rest of the text is not read.
const MAX_ERRORS: usize = 100;

/// Where the bytes of a piece of text lie in its file.
#[derive(Clone, Debug, Default)]
pub struct OffsetMap {
    /// Ascending; the bytes of the text between two points lie side by side in the file.
    pub points: Vec<Point>,
}

/// A byte of the text and the same byte in the file.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub text: u32,
    pub file: u32,
    /// The length in the file of the one character that begins here, where that is spelled
    /// otherwise than in the text (`&lt;`); else 0.
    pub spelled: u32,
}

impl OffsetMap {
    /// The map of a text that lies in the file as it is, from `start` on.
    pub fn shifted(start: usize) -> OffsetMap {
        OffsetMap { points: vec![Point { text: 0, file: start as u32, spelled: 0 }] }
    }

    /// The stretch of the file that holds the byte at `offset` of the text.
    fn in_file(&self, offset: usize) -> (usize, usize) {
        let next = self.points.partition_point(|point| point.text as usize <= offset);
        match next.checked_sub(1).map(|i| self.points[i]) {
            Some(point) if point.spelled > 0 => {
                (point.file as usize, (point.file + point.spelled) as usize)
            }
            Some(point) => {
                let start = point.file as usize + (offset - point.text as usize);
                (start, start + 1)
            }
            None => (offset, offset + 1),
        }
    }
}

/// What the actions of the grammar need to know and where they complain.
pub struct Text<'s> {
    pub source: &'s str,
    file: FileId,
    map: Option<OffsetMap>,
    found: RefCell<Vec<Diagnostic>>,
    /// The tokens ended before the text did; errors at the end are consequences.
    cut: Cell<bool>,
    /// The innermost bracket that is open at the end of the text, and what it is.
    unclosed: Cell<Option<(usize, char)>>,
    /// The end of the last stretch that is no token.
    tainted: Cell<Option<usize>>,
    /// Where the last syntax error was.
    last_error: Cell<Option<usize>>,
    /// Tokens that cannot stand within the innermost bracket that is open, and that bracket.
    mismatches: RefCell<Vec<(usize, usize, char)>>,
    /// Something was seen that only the language of UPPAAL 3 and older has.
    old: Cell<bool>,
}

impl<'s> Text<'s> {
    pub fn whole(source: &'s str, file: FileId) -> Text<'s> {
        Text {
            source,
            file,
            map: None,
            found: RefCell::default(),
            cut: Cell::new(false),
            unclosed: Cell::new(None),
            tainted: Cell::new(None),
            last_error: Cell::new(None),
            mismatches: RefCell::default(),
            old: Cell::new(false),
        }
    }

    pub fn mapped(source: &'s str, file: FileId, map: OffsetMap) -> Text<'s> {
        Text { map: Some(map), ..Text::whole(source, file) }
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        match &self.map {
            None => Span::new(self.file, start, end),
            // The end is that of the last byte, so that the span does not run into what is left
            // out of the text after it.
            Some(map) if end > start => {
                Span::new(self.file, map.in_file(start).0, map.in_file(end - 1).1)
            }
            Some(map) => Span::new(self.file, map.in_file(start).0, map.in_file(start).0),
        }
    }

    pub fn report(&self, diagnostic: Diagnostic) {
        let mut found = self.found.borrow_mut();
        found.push(diagnostic);
        if found.len() >= MAX_ERRORS {
            self.cut.set(true);
        }
    }

    pub fn has_errors(&self) -> bool {
        !self.found.borrow().is_empty()
    }

    pub fn cut(&self) {
        self.cut.set(true);
    }

    pub fn is_cut(&self) -> bool {
        self.cut.get()
    }

    pub fn unclosed(&self) -> Option<(usize, char)> {
        self.unclosed.get()
    }

    pub fn mark_unclosed(&self, open: Option<(usize, char)>) {
        self.unclosed.set(open);
    }

    /// Whether something that is no token stands right before `at`; an error there follows from it.
    pub fn is_tainted_before(&self, at: usize) -> bool {
        let end = self.tainted.get().unwrap_or(usize::MAX);
        self.source.get(end..at).is_some_and(|between| between.trim().is_empty())
    }

    /// Whether a syntax error at `at` is probably a consequence of the one before: nothing that
    /// separates stands between them. Remembers `at` as the last one.
    pub fn follows_an_error(&self, at: usize) -> bool {
        let last = self.last_error.replace(Some(at)).unwrap_or(usize::MAX);
        let between = self.source.get(last..at);
        between.is_some_and(|between| !between.contains([';', ',', '{', '}', '\n']))
    }

    pub fn taint(&self, end: usize) {
        self.tainted.set(Some(end));
    }

    /// The bracket that is still open at the token at `at`, which should not be.
    pub fn mismatch_at(&self, at: usize) -> Option<(usize, char)> {
        let mismatches = self.mismatches.borrow();
        mismatches.iter().find(|m| m.0 == at).map(|&(_, open, bracket)| (open, bracket))
    }

    pub fn mark_mismatch(&self, at: usize, (open, bracket): (usize, char)) {
        let mut mismatches = self.mismatches.borrow_mut();
        if mismatches.len() < MAX_ERRORS {
            mismatches.push((at, open, bracket));
        }
    }

    pub fn mark_old(&self) {
        self.old.set(true);
    }

    pub fn is_old(&self) -> bool {
        self.old.get()
    }

    pub fn into_diagnostics(self) -> Diagnostics {
        let mut all = Diagnostics::default();
        for diagnostic in self.found.into_inner() {
            all.push(diagnostic);
        }
        all.sorted()
    }
}

/// A piece of the text as part of a message: not more than a line can hold.
pub fn shown(piece: &str) -> String {
    const LENGTH: usize = 40;
    match piece.char_indices().nth(LENGTH) {
        None => piece.to_string(),
        Some((end, _)) => format!("{}…", &piece[..end]),
    }
}
