//! Colours that stay apart for colour-blind readers, and patterns where they do not suffice.

use super::scene::{Area, Scene};
use plotters::style::RGBColor;

/// Okabe and Ito's palette without black, in a sequence whose neighbours differ most. Grey is left
/// to what is no work: setups and closed hours.
const BASE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(240, 228, 66),
];

/// How an order or a resource looks. More of them than there are looks share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    base: RGBColor,
    pattern: Pattern,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    Plain,
    /// Light, with an edge.
    Pale,
    /// Light, with an edge and stripes.
    Striped,
    Dark,
}

const PATTERNS: [Pattern; 4] = [Pattern::Plain, Pattern::Pale, Pattern::Dark, Pattern::Striped];

/// For what needs nothing.
pub const NEUTRAL: Look = Look { base: RGBColor(120, 120, 120), pattern: Pattern::Pale };

impl Look {
    pub fn of(number: usize) -> Look {
        let pattern = PATTERNS[number / BASE.len() % PATTERNS.len()];
        let base = BASE[number % BASE.len()];
        // After all patterns they come again, lighter, then darker.
        let base = match number / (BASE.len() * PATTERNS.len()) % 3 {
            0 => base,
            1 => mix(base, 255.0, 0.45),
            _ => mix(base, 0.0, 0.35),
        };
        Look { base, pattern }
    }

    /// What most of it is coloured with.
    pub fn ground(self) -> RGBColor {
        match self.pattern {
            Pattern::Plain => self.base,
            Pattern::Pale | Pattern::Striped => mix(self.base, 255.0, 0.68),
            Pattern::Dark => mix(self.base, 0.0, 0.5),
        }
    }

    pub fn paint(self, scene: &mut Scene, area: Area) {
        let has_edge = matches!(self.pattern, Pattern::Pale | Pattern::Striped);
        if has_edge && area.width() <= 4 {
            // There is no room for more than the edge.
            return scene.fill(area, self.base);
        }
        scene.fill(area, self.ground());
        if self.pattern == Pattern::Striped && area.height() > 4 {
            scene.hatch(area, self.base, 7);
        }
        if has_edge && area.height() > 3 {
            scene.outline(area, self.base);
        }
    }

    pub fn is_striped(self) -> bool {
        self.pattern == Pattern::Striped
    }
}

fn mix(RGBColor(r, g, b): RGBColor, with: f64, share: f64) -> RGBColor {
    let part = |c: u8| (f64::from(c) * (1.0 - share) + with * share).round() as u8;
    RGBColor(part(r), part(g), part(b))
}

/// Black or white text, whichever reads better on this colour (relative luminance of WCAG).
pub fn on(RGBColor(r, g, b): RGBColor) -> RGBColor {
    let linear = |c: u8| (f64::from(c) / 255.0).powf(2.2);
    let luminance = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    if luminance > 0.2 { RGBColor(20, 20, 20) } else { RGBColor(255, 255, 255) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_again_late_and_never_beside_each_other() {
        let looks: Vec<Look> = (0..84).map(Look::of).collect();
        for (k, look) in looks.iter().enumerate() {
            assert!(!looks[..k].contains(look), "{k}: {look:?}");
        }
        assert!((0..500).all(|k| Look::of(k).ground() != Look::of(k + 1).ground()));
    }
}
