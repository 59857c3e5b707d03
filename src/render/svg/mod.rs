//! `schedule.svg`: units as rows, orders as colours.
//!
//! Drawn with plotters, but grid, labels and legend by hand: its charts' own are made for
//! functions, not for bars. Text is measured by a table of widths, since no font is at hand, and
//! a label is drawn only where it fits.

mod colour;
mod layout;
mod measure;

use super::text::{count, title};
use super::{Headline, Sheet, View};
use crate::spec::Spec;
use colour::Palette;
use layout::{Bar, Layout};
use measure::{shorten, width};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const FONT: &str = "Helvetica, Arial, sans-serif";
const INK: RGBColor = RGBColor(38, 38, 38);
const PALE: RGBColor = RGBColor(110, 110, 110);
const GRID: RGBColor = RGBColor(214, 214, 214);
const BAND: RGBColor = RGBColor(246, 246, 246);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

pub fn svg(sheet: &Sheet, headline: &Headline, _view: View) -> String {
    let (spec, schedule) = (sheet.spec, sheet.schedule);
    let layout = Layout::of(spec, schedule);
    let palette = Palette::of(spec.orders.len());
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, layout.size()).into_drawing_area();
        let drawn = draw(&area, spec, &layout, &palette, headline);
        drawn.and_then(|()| area.present()).expect("memory takes every drawing");
    }
    text
}

fn draw(
    area: &Area,
    spec: &Spec,
    layout: &Layout,
    palette: &Palette,
    headline: &Headline,
) -> Drawn {
    area.fill(&WHITE)?;
    heading(area, spec, layout, headline)?;
    rows(area, layout)?;
    axis(area, spec, layout)?;
    for bar in &layout.bars {
        draw_bar(area, layout, bar, palette.colour(bar.order))?;
    }
    legend(area, spec, layout, palette)
}

fn heading(area: &Area, spec: &Spec, layout: &Layout, headline: &Headline) -> Drawn {
    let title = shorten(&title(headline), layout.right - layout.margin, 18.0);
    write(area, &title, (layout.margin, 28), 18.0, INK, (HPos::Left, VPos::Center))?;
    let about = format!(
        "{}, {} on {}",
        count(spec.orders.len(), "order"),
        count(layout.bars.len(), "step"),
        count(spec.resources.len(), "resource")
    );
    write(area, &about, (layout.margin, 50), 12.0, PALE, (HPos::Left, VPos::Center))
}

fn rows(area: &Area, layout: &Layout) -> Drawn {
    for (i, label) in layout.rows.iter().enumerate() {
        let (top, bottom) = layout.row(i);
        if i % 2 == 0 {
            fill(area, (layout.left, top), (layout.right, bottom), BAND)?;
        }
        let size = layout.font();
        let label = shorten(label, layout.left - layout.margin - 10, size);
        let at = (layout.left - 10, (top + bottom) / 2);
        write(area, &label, at, size, INK, (HPos::Right, VPos::Center))?;
    }
    Ok(())
}

fn axis(area: &Area, spec: &Spec, layout: &Layout) -> Drawn {
    let (top, bottom) = (layout.top, layout.bottom());
    for &tick in &layout.ticks {
        let x = layout.x(tick);
        line(area, (x, top), (x, bottom + 4), GRID)?;
        write(area, &tick.to_string(), (x, bottom + 14), 11.0, PALE, (HPos::Center, VPos::Center))?;
    }
    line(area, (layout.left, bottom), (layout.right, bottom), PALE)?;
    let unit = format!("time in {}s", spec.time.unit.name());
    let at = ((layout.left + layout.right) / 2, bottom + 32);
    write(area, &unit, at, 11.0, PALE, (HPos::Center, VPos::Center))?;
    if layout.end > 0 {
        let x = layout.x(layout.end);
        line(area, (x, top - 6), (x, bottom), INK)?;
        write(
            area,
            &layout.end.to_string(),
            (x, top - 14),
            11.0,
            INK,
            (HPos::Center, VPos::Center),
        )?;
    }
    Ok(())
}

/// A gap of one pixel keeps neighbours apart; where a bar is too thin for that it still shows.
fn draw_bar(area: &Area, layout: &Layout, bar: &Bar, colour: RGBColor) -> Drawn {
    let (top, bottom) = layout.row(bar.row);
    let inset = layout.inset();
    let left = layout.x(bar.start);
    let right = (layout.x(bar.end) - 1).max(left + 1);
    fill(area, (left, top + inset), (right, bottom - inset), colour)?;
    let size = layout.font() - 1.0;
    let room = right - left - 4;
    let both = format!("{} {}", bar.id, bar.step);
    let label = [both.as_str(), bar.id].into_iter().find(|label| width(label, size) <= room);
    match label {
        Some(label) => {
            let at = ((left + right) / 2, (top + bottom) / 2);
            write(area, label, at, size, colour::on(colour), (HPos::Center, VPos::Center))
        }
        None => Ok(()),
    }
}

fn legend(area: &Area, spec: &Spec, layout: &Layout, palette: &Palette) -> Drawn {
    for (i, entry) in layout.legend.iter().enumerate() {
        let (x, y) = (entry.x, entry.y);
        if i < spec.orders.len() && !entry.is_rest {
            fill(area, (x, y - 6), (x + 12, y + 6), palette.colour(i))?;
        }
        write(area, &entry.label, (x + 18, y), 11.0, INK, (HPos::Left, VPos::Center))?;
    }
    Ok(())
}

fn fill(area: &Area, from: (i32, i32), to: (i32, i32), colour: RGBColor) -> Drawn {
    area.draw(&Rectangle::new([from, to], colour.filled()))
}

fn line(area: &Area, from: (i32, i32), to: (i32, i32), colour: RGBColor) -> Drawn {
    area.draw(&PathElement::new([from, to], colour.stroke_width(1)))
}

fn write(
    area: &Area,
    text: &str,
    at: (i32, i32),
    size: f64,
    colour: RGBColor,
    (h, v): (HPos, VPos),
) -> Drawn {
    let style = TextStyle::from((FONT, size).into_font()).color(&colour).pos(Pos::new(h, v));
    area.draw_text(text, &style, at)
}
