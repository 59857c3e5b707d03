//! Colours that stay apart for colour-blind readers.

use plotters::style::RGBColor;

/// Okabe and Ito's palette without black, in a sequence whose neighbours differ most.
const BASE: [(u8, u8, u8); 8] = [
    (0, 114, 178),
    (230, 159, 0),
    (0, 158, 115),
    (204, 121, 167),
    (86, 180, 233),
    (213, 94, 0),
    (240, 228, 66),
    (153, 153, 153),
];

/// One colour per order, by its position; more orders than colours share them.
pub struct Palette {
    colours: Vec<RGBColor>,
}

impl Palette {
    /// Tints and shades are added only when the base colours do not suffice.
    pub fn of(orders: usize) -> Palette {
        let base = BASE.map(|(r, g, b)| RGBColor(r, g, b));
        let mut colours = base.to_vec();
        if orders > BASE.len() {
            colours.extend(base.map(|colour| mix(colour, 255.0, 0.5)));
        }
        if orders > 2 * BASE.len() {
            colours.extend(base.map(|colour| mix(colour, 0.0, 0.4)));
        }
        Palette { colours }
    }

    pub fn colour(&self, order: usize) -> RGBColor {
        self.colours[order % self.colours.len()]
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
    if luminance > 0.22 { RGBColor(20, 20, 20) } else { RGBColor(255, 255, 255) }
}
