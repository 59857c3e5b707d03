//! Paints a scene with plotters, as SVG.

use super::scene::{Align, Area, Mark, Scene, Text};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const FONT: &str = "Helvetica, Arial, sans-serif";

/// The backend divides sizes of fonts by this.
const FONT_FACTOR: f64 = 1.24;

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Painted = Result<(), DrawingAreaErrorKind<std::io::Error>>;

pub fn paint(scene: &Scene) -> String {
    let mut text = String::new();
    {
        let size = (scene.width.max(1) as u32, scene.height.max(1) as u32);
        let canvas = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let painted = canvas.fill(&WHITE);
        let painted = painted.and_then(|()| scene.marks.iter().try_for_each(|m| mark(&canvas, m)));
        painted.and_then(|()| canvas.present()).expect("memory takes every drawing");
    }
    // The backend knows no titles, so they lie above all else, unseen.
    let end = text.rfind("</svg>").unwrap_or(text.len());
    let hints: String = scene.hints.iter().map(|(area, hint)| title(*area, hint)).collect();
    text.insert_str(end, &hints);
    text
}

fn title(area: Area, hint: &str) -> String {
    let Area { left, top, .. } = area;
    let (width, height) = (area.width().max(1), area.height().max(1));
    let hint = hint.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" opacity=\"0\">\
         <title>{hint}</title></rect>\n"
    )
}

fn mark(canvas: &Canvas, mark: &Mark) -> Painted {
    match mark {
        Mark::Fill { area, colour } => {
            let corners = [(area.left, area.top), (area.right, area.bottom)];
            canvas.draw(&Rectangle::new(corners, colour.filled()))
        }
        Mark::Outline { area, colour } => {
            let corners = [(area.left, area.top), (area.right, area.bottom)];
            canvas.draw(&Rectangle::new(corners, colour.stroke_width(1)))
        }
        Mark::Line { from, to, colour, thickness } => {
            canvas.draw(&PathElement::new([*from, *to], colour.stroke_width(*thickness)))
        }
        Mark::Polygon { points, colour } => {
            canvas.draw(&Polygon::new(points.clone(), colour.filled()))
        }
        Mark::Text(text) => write(canvas, text),
    }
}

fn write(canvas: &Canvas, text: &Text) -> Painted {
    let h = match text.align {
        Align::Left => HPos::Left,
        Align::Middle => HPos::Center,
        Align::Right => HPos::Right,
    };
    let font = (FONT, text.size * FONT_FACTOR).into_font();
    let style = TextStyle::from(font).color(&text.colour).pos(Pos::new(h, VPos::Center));
    canvas.draw_text(&text.text, &style, text.at)
}
