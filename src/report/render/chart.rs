//! `schedule.svg`, `schedule-orders.svg`, `compare.svg`.

use super::artifact::{Document, Format};
use super::compare::Comparison;
use super::{View, svg};

pub struct ScheduleChart;

impl Format<Document<'_>> for ScheduleChart {
    fn key(&self) -> &'static str {
        "svg"
    }

    fn file(&self) -> &'static str {
        "schedule.svg"
    }

    fn tells_proof(&self) -> bool {
        true
    }

    fn bytes(&self, document: &Document) -> Vec<u8> {
        svg::charts(&[document.sheet], document.view).into_bytes()
    }
}

/// A second chart, for those who want both views.
pub struct ChartOfOrders;

impl Format<Document<'_>> for ChartOfOrders {
    fn key(&self) -> &'static str {
        "svg_orders"
    }

    fn file(&self) -> &'static str {
        "schedule-orders.svg"
    }

    fn is_standard(&self) -> bool {
        false
    }

    fn tells_proof(&self) -> bool {
        true
    }

    fn bytes(&self, document: &Document) -> Vec<u8> {
        svg::charts(&[document.sheet], View::Orders).into_bytes()
    }
}

/// All that have a schedule, on one axis.
pub struct ComparisonChart;

impl Format<Comparison<'_>> for ComparisonChart {
    fn key(&self) -> &'static str {
        "svg"
    }

    fn file(&self) -> &'static str {
        "compare.svg"
    }

    fn bytes(&self, comparison: &Comparison) -> Vec<u8> {
        let sheets: Vec<_> = comparison.all.iter().filter_map(|one| one.sheet).collect();
        svg::charts(&sheets, comparison.view).into_bytes()
    }
}
