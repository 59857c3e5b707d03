//! Letters that cannot be seen: in a name they are a mistake, on a terminal they may do anything.

use std::borrow::Cow;

/// Control characters, separators of lines, marks that turn the direction of writing, and what is
/// no character at all. XML cannot hold some of them, and terminals obey others.
pub fn is_unseen(letter: char) -> bool {
    let code = u32::from(letter);
    letter.is_control()
        || matches!(letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{fdd0}'..='\u{fdef}')
        || code & 0xfffe == 0xfffe
}

/// What takes its place where text is shown: one letter for one letter.
fn seen(letter: char) -> char {
    match u32::from(letter) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code).unwrap_or('\u{fffd}'),
        0x7f => '\u{2421}',
        _ => '\u{fffd}',
    }
}

/// The text with a sign for each letter that cannot be seen, but for ends of lines and tabs.
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| is_unseen(c) && c != '\n' && c != '\t';
    // Lines may end in both.
    if !text.replace("\r\n", "\n").contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut letters = text.chars().peekable();
    let mut shown = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        let ends_line = letter == '\r' && letters.peek() == Some(&'\n');
        shown.push(if is_hidden(letter) && !ends_line { seen(letter) } else { letter });
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_gets_a_sign() {
        assert_eq!(visible("a\tb\r\nc"), "a\tb\r\nc");
        assert_eq!(visible("\x1b[31mred\r\x7f"), "\u{241b}[31mred\u{240d}\u{2421}");
        assert_eq!(visible("\u{85}\u{202e}\u{fffe}\u{feff}"), "\u{fffd}".repeat(4));
        assert_eq!(visible("Zürich 東京 👩‍🔧"), "Zürich 東京 👩‍🔧");
    }
}
