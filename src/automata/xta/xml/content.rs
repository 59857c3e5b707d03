//! The text inside an XML element, decoded, with the way back from its bytes to the file's.

use std::ops::Range;

use crate::xta::text::{OffsetMap, Point};

/// What an element says in words: entities replaced, comments and tags left out.
pub struct Content {
    pub text: String,
    pub map: OffsetMap,
}

/// Reads the element at `range` of `xml`; the document is well-formed.
pub fn content(xml: &str, range: Range<usize>) -> Content {
    let inner = inner(xml, range);
    let mut reader = TextReader { xml, text: String::new(), points: Vec::new() };
    reader.read(inner);
    Content { text: reader.text, map: OffsetMap { points: reader.points } }
}

/// What lies between the element's tags.
fn inner(xml: &str, range: Range<usize>) -> Range<usize> {
    let element = &xml[range.clone()];
    let start = tag_length(element);
    if element[..start].ends_with("/>") {
        return range.start + start..range.start + start;
    }
    let end = element.rfind("</").unwrap_or(element.len());
    range.start + start..range.start + end.max(start)
}

/// The length of the tag at the beginning of `text`; `>` within quotes does not end it.
fn tag_length(text: &str) -> usize {
    let mut quote = None;
    for (i, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return i + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    text.len()
}

struct TextReader<'x> {
    xml: &'x str,
    text: String,
    points: Vec<Point>,
}

impl TextReader<'_> {
    fn read(&mut self, inner: Range<usize>) {
        let mut at = inner.start;
        while at < inner.end {
            let rest = &self.xml[at..inner.end];
            if let Some(cdata) = rest.strip_prefix("<![CDATA[") {
                let length = cdata.find("]]>").unwrap_or(cdata.len());
                self.copy(at + 9, &cdata[..length]);
                at += 9 + length + 3;
            } else if rest.starts_with("<!--") {
                at += rest.find("-->").map_or(rest.len(), |i| i + 3);
            } else if rest.starts_with('<') {
                at += tag_length(rest);
            } else if rest.starts_with('&') {
                let length = rest.find(';').map_or(rest.len(), |i| i + 1);
                self.place(at, length);
                self.text.push(entity(&rest[1..length.max(2) - 1]));
                at += length;
            } else {
                let length = rest.find(['<', '&']).unwrap_or(rest.len());
                self.copy(at, &rest[..length]);
                at += length;
            }
        }
        self.place(inner.end, 0);
    }

    fn copy(&mut self, at: usize, piece: &str) {
        self.place(at, 0);
        self.text.push_str(piece);
    }

    /// The next byte of the text lies at `at` in the file.
    fn place(&mut self, at: usize, spelled: usize) {
        let text = self.text.len() as u32;
        self.points.push(Point { text, file: at as u32, spelled: spelled as u32 });
    }
}

/// The character that `&name;` stands for. Documents that define their own are not read.
fn entity(name: &str) -> char {
    let number = match name.strip_prefix("#x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => name.strip_prefix('#').and_then(|decimal| decimal.parse().ok()),
    };
    match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "apos" => '\'',
        "quot" => '"',
        _ => number.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

#[cfg(test)]
mod tests {
    use super::content;
    use crate::xta::text::Text;
    use takt_diagnostic::FileId;

    #[test]
    fn offsets_lead_back_into_the_file() {
        let xml = "<a k='>'>x &lt;= <!-- no --><![CDATA[1 && y]]> &#62; z</a>";
        let found = content(xml, 0..xml.len());
        assert_eq!(found.text, "x <= 1 && y > z");
        let text = Text::mapped(&found.text, FileId(0), found.map.clone());
        let raw = |start, end| {
            let span = text.span(start, end);
            &xml[span.start as usize..span.end as usize]
        };
        assert_eq!(raw(0, 1), "x");
        assert_eq!(raw(2, 4), "&lt;=");
        assert_eq!(raw(10, 11), "y");
        assert_eq!(raw(12, 13), "&#62;");
        assert_eq!(raw(14, 15), "z");
    }
}
