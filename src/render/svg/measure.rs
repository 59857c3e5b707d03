//! How wide text will be, roughly, without a font at hand.

/// In pixels, for a sans-serif font of this size; on the wide side.
pub fn width(text: &str, size: f64) -> i32 {
    let ems: f64 = text.chars().map(em).sum();
    (ems * size).ceil() as i32
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.26,
        'f' | 't' | 'r' | '-' | ' ' | '(' | ')' | '[' | ']' | '/' | 'I' => 0.36,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.88,
        'A'..='Z' => 0.70,
        c if c.is_ascii() => 0.57,
        // Scripts such as Chinese fill the square; accented letters are as narrow as others.
        c if (c as u32) < 0x2000 => 0.62,
        _ => 1.0,
    }
}

/// The text, or as much of it as fits with an ellipsis.
pub fn shorten(text: &str, room: i32, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut ems = em('…');
    let limit = f64::from(room) / size;
    let kept = text.chars().take_while(|&c| {
        ems += em(c);
        ems <= limit
    });
    let kept: String = kept.collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_to_its_room() {
        assert_eq!(shorten("mill", 100, 12.0), "mill");
        let short = shorten("a very long name of a machine", 80, 12.0);
        assert!(short.ends_with('…') && width(&short, 12.0) <= 80, "{short}");
    }
}
