//! A picture as data: marks with their places in pixels, in the order they are painted. What can
//! be said about a picture without looking at it is tested on this.

#[cfg(test)]
use super::measure::width;
use plotters::style::RGBColor;

#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub width: i32,
    pub height: i32,
    pub marks: Vec<Mark>,
    /// What is said of an area to those who point at it.
    pub hints: Vec<(Area, String)>,
}

pub type Point = (i32, i32);

#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Fill { area: Area, colour: RGBColor },
    Outline { area: Area, colour: RGBColor },
    Line { from: Point, to: Point, colour: RGBColor, thickness: u32 },
    Polygon { points: Vec<Point>, colour: RGBColor },
    Text(Text),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub text: String,
    /// Its middle from top to bottom; its left, middle or right as it is aligned.
    pub at: Point,
    pub size: f64,
    pub colour: RGBColor,
    pub align: Align,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Middle,
    Right,
}

impl Area {
    pub fn new(left: i32, top: i32, right: i32, bottom: i32) -> Area {
        Area { left, top, right, bottom }
    }

    pub fn width(self) -> i32 {
        self.right - self.left
    }

    pub fn height(self) -> i32 {
        self.bottom - self.top
    }

    pub fn middle(self) -> i32 {
        (self.top + self.bottom) / 2
    }

    /// Touching is no overlap.
    #[cfg(test)]
    pub fn overlaps(self, other: Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

#[cfg(test)]
impl Text {
    /// The room that it takes.
    pub fn area(&self) -> Area {
        let (x, y) = self.at;
        let wide = width(&self.text, self.size);
        let left = match self.align {
            Align::Left => x,
            Align::Middle => x - wide / 2,
            Align::Right => x - wide,
        };
        let half = (self.size * 0.55).ceil() as i32;
        Area::new(left, y - half, left + wide, y + half)
    }
}

impl Scene {
    pub fn fill(&mut self, area: Area, colour: RGBColor) {
        self.marks.push(Mark::Fill { area, colour });
    }

    pub fn outline(&mut self, area: Area, colour: RGBColor) {
        self.marks.push(Mark::Outline { area, colour });
    }

    pub fn line(&mut self, from: Point, to: Point, colour: RGBColor, thickness: u32) {
        self.marks.push(Mark::Line { from, to, colour, thickness });
    }

    pub fn polygon(&mut self, points: Vec<Point>, colour: RGBColor) {
        self.marks.push(Mark::Polygon { points, colour });
    }

    pub fn text(&mut self, text: &str, at: Point, size: f64, colour: RGBColor, align: Align) {
        let text = Text { text: text.to_owned(), at, size, colour, align };
        self.marks.push(Mark::Text(text));
    }

    /// Rising lines inside an area.
    pub fn hatch(&mut self, area: Area, colour: RGBColor, spacing: i32) {
        let (wide, high) = (area.width(), area.height());
        // Where the sum of both distances from the lower left corner is the same.
        let mut sum = spacing / 2;
        while sum < wide + high {
            let (from, to) = (sum.min(wide), sum.min(high));
            let lower = (area.left + from, area.bottom - (sum - from));
            let upper = (area.left + sum - to, area.bottom - to);
            self.line(upper, lower, colour, 1);
            sum += spacing;
        }
    }
}
