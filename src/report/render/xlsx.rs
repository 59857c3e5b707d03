//! `schedule.xlsx`: the schedule, orders, load and a chart made of cells, for those who plan in spreadsheets.
//!
//! Instants are dates where civil time is known. Names are written as text, so that none is taken for a
//! formula. The same result gives the same bytes: the file tells no time of its own.

use super::Sheet;
use super::sequence::Sequence;
use crate::account::{Account, ORDER_COSTS, shares};
use rust_xlsxwriter::{
    Color, DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError,
};
use std::collections::BTreeMap;
use takt_spec::schedule::{Kind, Row};

/// What a sheet has room for.
const MOST_ROWS: usize = 1_048_575;
const MOST_LETTERS: usize = 32_000;
/// Stretches of time of the chart, and its rows.
const PARTS: i64 = 200;
const MOST_UNITS: usize = 2_000;
const COLOURS: [u32; 10] = [
    0x8FB4D9, 0xF0CF8A, 0x8CCBB4, 0xE3B6CE, 0xB5D8EA, 0xE7AE90, 0xB9AED6, 0xC9D08E, 0xA9CDCE,
    0xD8BFC3,
];

pub(super) fn xlsx(sheet: &Sheet) -> Vec<u8> {
    // What cannot be written was cut before: only memory could be missing.
    workbook(sheet).unwrap_or_default()
}

fn workbook(sheet: &Sheet) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let created = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&created));
    let styles = Styles::new();
    schedule(book.add_worksheet(), sheet, &styles)?;
    orders(book.add_worksheet(), sheet, &styles)?;
    load(book.add_worksheet(), sheet, &styles)?;
    chart(book.add_worksheet(), sheet, &styles)?;
    book.save_to_buffer()
}

struct Styles {
    head: Format,
    date: Format,
    share: Format,
    late: Format,
}

impl Styles {
    fn new() -> Styles {
        Styles {
            head: Format::new().set_bold().set_background_color(Color::RGB(0xE8ECF0)),
            date: Format::new().set_num_format("yyyy-mm-dd hh:mm"),
            share: Format::new().set_num_format("0%"),
            late: Format::new().set_font_color(Color::RGB(0xB3261E)),
        }
    }
}

/// Writes cell after cell.
struct Writer<'w> {
    sheet: &'w mut Worksheet,
    account: &'w Account,
    styles: &'w Styles,
    row: u32,
    column: u16,
}

impl<'w> Writer<'w> {
    fn new(sheet: &'w mut Worksheet, account: &'w Account, styles: &'w Styles) -> Writer<'w> {
        Writer { sheet, account, styles, row: 0, column: 0 }
    }

    /// Names of columns with their widths; they stay in view.
    fn heads(&mut self, name: &str, heads: &[(&str, f64)]) -> Result<(), XlsxError> {
        self.sheet.set_name(name)?;
        for (head, width) in heads {
            self.sheet.set_column_width(self.column, *width)?;
            let head_style = &self.styles.head;
            self.sheet.write_string_with_format(self.row, self.column, *head, head_style)?;
            self.column += 1;
        }
        self.sheet.set_freeze_panes(1, 0)?;
        self.sheet.autofilter(0, 0, 0, self.column.saturating_sub(1))?;
        self.next();
        Ok(())
    }

    fn next(&mut self) {
        self.row += 1;
        self.column = 0;
    }

    fn text(&mut self, text: &str) -> Result<(), XlsxError> {
        let text: String = text.chars().take(MOST_LETTERS).collect();
        self.sheet.write_string(self.row, self.column, text)?;
        self.column += 1;
        Ok(())
    }

    fn number(&mut self, number: Option<f64>) -> Result<(), XlsxError> {
        if let Some(number) = number {
            self.sheet.write_number(self.row, self.column, number)?;
        }
        self.column += 1;
        Ok(())
    }

    fn share(&mut self, share: Option<f64>) -> Result<(), XlsxError> {
        if let Some(share) = share {
            let format = &self.styles.share;
            self.sheet.write_number_with_format(self.row, self.column, share, format)?;
        }
        self.column += 1;
        Ok(())
    }

    /// A date where there is one that spreadsheets know, else the number.
    fn instant(&mut self, instant: Option<i64>) -> Result<(), XlsxError> {
        if let Some(instant) = instant {
            let (row, column) = (self.row, self.column);
            match date(self.account, instant) {
                Some(date) => {
                    self.sheet.write_datetime_with_format(row, column, &date, &self.styles.date)?
                }
                None => self.sheet.write_number(row, column, instant as f64)?,
            };
        }
        self.column += 1;
        Ok(())
    }
}

fn date(account: &Account, instant: i64) -> Option<ExcelDateTime> {
    let at = account.time.civil(instant)?;
    let part = |number: i8| u8::try_from(number).ok();
    let year = u16::try_from(at.year()).ok()?;
    let day = ExcelDateTime::from_ymd(year, part(at.month())?, part(at.day())?).ok()?;
    day.and_hms(u16::from(part(at.hour())?), part(at.minute())?, f64::from(at.second())).ok()
}

fn schedule(own: &mut Worksheet, sheet: &Sheet, styles: &Styles) -> Result<(), XlsxError> {
    let mut out = Writer::new(own, sheet.account, styles);
    let heads = [
        ("kind", 8.0),
        ("order", 16.0),
        ("recipe", 16.0),
        ("step", 16.0),
        ("resource", 16.0),
        ("unit", 8.0),
        ("start", 17.0),
        ("end", 17.0),
        ("work", 9.0),
    ];
    out.heads("Schedule", &heads)?;
    for row in Sequence::of(sheet.spec).sorted(&sheet.schedule.rows).into_iter().take(MOST_ROWS) {
        for name in [row.kind.name(), &row.order, &row.recipe, &row.step, &row.resource, &row.unit]
        {
            out.text(name)?;
        }
        out.instant(Some(row.start))?;
        out.instant(Some(row.end))?;
        out.number(row.work.map(|work| work as f64))?;
        out.next();
    }
    Ok(())
}

fn orders(own: &mut Worksheet, sheet: &Sheet, styles: &Styles) -> Result<(), XlsxError> {
    let mut out = Writer::new(own, sheet.account, styles);
    let heads = [
        ("order", 16.0),
        ("recipe", 16.0),
        ("family", 16.0),
        ("start", 17.0),
        ("finish", 17.0),
        ("due", 17.0),
        ("late by", 10.0),
    ];
    let costs = ORDER_COSTS.map(|cost| format!("{cost} cost"));
    let costs = costs.iter().map(|cost| (cost.as_str(), 12.0));
    out.heads("Orders", &heads.into_iter().chain(costs).collect::<Vec<_>>())?;
    for order in sheet.account.orders.iter().take(MOST_ROWS) {
        if order.tardiness() > 0 {
            out.sheet.set_row_format(out.row, &styles.late)?;
        }
        for name in [&order.id, &order.recipe, &order.family] {
            out.text(name)?;
        }
        for instant in [order.start, order.finish, order.due] {
            out.instant(instant)?;
        }
        out.number(order.lateness().map(|late| late as f64))?;
        for cost in &order.costs {
            out.number(cost.to_string().parse().ok())?;
        }
        out.next();
    }
    Ok(())
}

/// How much of its open time each resource is taken, in equal parts of the plan.
fn load(own: &mut Worksheet, sheet: &Sheet, styles: &Styles) -> Result<(), XlsxError> {
    let account = sheet.account;
    let edges = edges(account.end, 24);
    let shares = shares(account, sheet.schedule, &edges);
    let mut out = Writer::new(own, account, styles);
    out.heads("Load", &[("resource", 20.0), ("in all", 9.0)])?;
    out.row = 0;
    out.column = 2;
    for edge in edges.iter().take(edges.len().saturating_sub(1)) {
        out.sheet.set_column_width(out.column, 17.0)?;
        out.instant(Some(*edge))?;
    }
    out.next();
    for (of, shares) in account.resources.iter().zip(&shares).take(MOST_ROWS) {
        out.text(&of.name)?;
        out.share(Some(of.utilisation))?;
        for share in shares {
            out.share(share.share())?;
        }
        out.next();
    }
    Ok(())
}

/// Instants from 0 to the end, as far apart as whole units allow.
fn edges(end: i64, parts: i64) -> Vec<i64> {
    let step = (end.max(1) - 1) / parts + 1;
    let edges = (0..).map(|k| k * step).take_while(|&at| at < end.max(1));
    edges.chain([end.max(1)]).collect()
}

/// Cells as bars: a row for each unit, a column for each stretch, the colours of orders.
fn chart(own: &mut Worksheet, sheet: &Sheet, styles: &Styles) -> Result<(), XlsxError> {
    let account = sheet.account;
    let edges = edges(account.end, PARTS);
    let mut out = Writer::new(own, account, styles);
    out.sheet.set_name("Gantt")?;
    out.sheet.set_column_width(0, 22.0)?;
    out.sheet.set_freeze_panes(1, 1)?;
    out.column = 1;
    let upright = Format::new().set_rotation(90).set_num_format("yyyy-mm-dd hh:mm");
    for edge in &edges[..edges.len() - 1] {
        out.sheet.set_column_width(out.column, 2.6)?;
        out.instant(Some(*edge))?;
        let last = out.column - 1;
        match date(account, *edge) {
            Some(date) => out.sheet.write_datetime_with_format(0, last, &date, &upright)?,
            None => out.sheet.write_number_with_format(0, last, *edge as f64, &upright)?,
        };
    }
    out.next();
    let fills = COLOURS.map(|colour| {
        Format::new().set_background_color(Color::RGB(colour)).set_align(FormatAlign::Left)
    });
    let numbers: BTreeMap<&str, usize> =
        account.orders.iter().enumerate().map(|(k, order)| (order.id.as_str(), k)).collect();
    let mut lines: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in sheet.schedule.rows.iter().filter(|row| row.kind != Kind::Setup) {
        lines.entry((&row.resource, &row.unit)).or_default().push(row);
    }
    let units = account.resources.iter().flat_map(|of| of.units.iter().map(move |unit| (of, unit)));
    for (of, unit) in units {
        let Some(own) = lines.get(&(of.name.as_str(), unit.name.as_str())) else { continue };
        if out.row as usize > MOST_UNITS {
            break;
        }
        out.text(&format!("{} {}", of.name, unit.name))?;
        bars(&mut out, own, &edges, |row| {
            &fills[numbers.get(row.order.as_str()).copied().unwrap_or(0) % COLOURS.len()]
        })?;
        out.next();
    }
    Ok(())
}

/// Each cell shows who has most of its stretch; the first of a bar says its order.
fn bars<'f>(
    out: &mut Writer,
    rows: &[&Row],
    edges: &[i64],
    fill: impl Fn(&Row) -> &'f Format,
) -> Result<(), XlsxError> {
    let mut most: BTreeMap<usize, (i64, usize)> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        let first = edges.partition_point(|&edge| edge <= row.start).max(1);
        for k in first..edges.len() {
            let taken = row.end.min(edges[k]) - row.start.max(edges[k - 1]);
            if taken <= 0 {
                break;
            }
            let known = most.entry(k).or_insert((taken, number));
            if taken > known.0 {
                *known = (taken, number);
            }
        }
    }
    let mut last = None;
    for (k, (_, number)) in most {
        let (row, column) = (rows[number], u16::try_from(k).unwrap_or(u16::MAX));
        if last == Some(number) {
            out.sheet.write_blank(out.row, column, fill(row))?;
        } else {
            let name: String = row.order.chars().take(MOST_LETTERS).collect();
            out.sheet.write_string_with_format(out.row, column, name, fill(row))?;
        }
        last = Some(number);
    }
    Ok(())
}
