//! Names come from whoever writes specs: nothing in them may be more than text.

/// As text or within a quoted attribute.
pub fn in_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // No page may have these, however they are written.
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\x7f' => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// JSON within a script: there neither `</script` nor `<!--` may occur, and nothing that ends a line of
/// JavaScript. All of them occur in strings only, where they can be written otherwise.
pub fn in_script(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", letter as u32));
            }
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_more_than_text() {
        assert_eq!(in_html("<b a=\"'\">&\0"), "&lt;b a=&quot;&#39;&quot;&gt;&amp;\u{fffd}");
        assert_eq!(
            in_script("\"</script><!--&\u{2028}\""),
            "\"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028\""
        );
    }
}
