//! How the letters of a file are stored.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    #[default]
    Utf8,
    /// Bytes that are letters of Western Europe: ISO 8859-1, with those of Windows-1252 where the
    /// former has only signs that cannot be seen.
    Latin1,
}

/// The letters of Windows-1252 for the bytes from 0x80 to 0x9f; five of them are none.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of these bytes, as [`Encoding::Latin1`] has it.
pub fn latin1(bytes: &[u8]) -> String {
    let letter = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    bytes.iter().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_one_letter() {
        assert_eq!(latin1(b"St\xfcckzahl \x80 \x96"), "Stückzahl € –");
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(latin1(&all).chars().count(), 256);
    }
}
