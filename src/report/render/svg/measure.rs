//! How wide text will be, roughly, without a font at hand.

/// In pixels, for a sans-serif font of this size; on the wide side.
pub fn width(text: &str, size: f64) -> i32 {
    let ems: f64 = text.chars().map(em).sum();
    (ems * size).ceil() as i32
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.32,
        'f' | 't' | 'r' | '-' | ' ' | '(' | ')' | '[' | ']' | '/' | 'I' => 0.40,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.97,
        'A'..='Z' => 0.72,
        c if c.is_ascii() => 0.63,
        // Scripts such as Chinese fill the square; accented letters are as narrow as others.
        c if (c as u32) < 0x2000 => 0.68,
        _ => 1.0,
    }
}

/// The text, or as much of its beginning and its end as fits with an ellipsis between them: names
/// often differ at their end.
pub fn shorten(text: &str, room: i32, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    // A number in front, as in `4711 Hotel Post`, says who it is.
    let first = format!("{}…", text.split(' ').next().unwrap_or(""));
    if first.contains(|c: char| c.is_ascii_digit()) && width(&first, size) <= room {
        return first;
    }
    let all: Vec<char> = text.chars().collect();
    let limit = f64::from(room) / size;
    let (mut front, mut back, mut ems) = (0, 0, em('…'));
    while front + back < all.len() {
        let takes_front = front <= back;
        let next = if takes_front { all[front] } else { all[all.len() - 1 - back] };
        ems += em(next);
        if ems > limit {
            break;
        }
        if takes_front { front += 1 } else { back += 1 }
    }
    let head: String = all[..front].iter().collect();
    let tail: String = all[all.len() - back..].iter().collect();
    format!("{}…{}", head.trim_end(), tail.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_in_the_middle() {
        assert_eq!(shorten("mill", 100, 12.0), "mill");
        let short = shorten("a very long name of machine 17", 90, 12.0);
        assert!(short.contains('…') && short.ends_with("17"), "{short}");
        assert!(width(&short, 12.0) <= 90);
        assert_eq!(shorten("wide", 0, 12.0), "…");
        assert_eq!(shorten("4711 Hotel Post", 50, 12.0), "4711…");
    }
}
