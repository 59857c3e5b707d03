//! `after` of orders: ids, or ids with the time between, in the spec or in a cell of a table.

use crate::fields::Decoder;
use crate::language::ORDER_LAG;
use crate::scalar::Scalar;
use crate::yaml::{Node, NodeKind};
use crate::{At, OrderBefore};

impl Decoder<'_> {
    pub fn orders_before(&mut self, node: &Node) -> Vec<OrderBefore> {
        match &node.kind {
            NodeKind::List(items) => items.iter().flat_map(|item| self.some_before(item)).collect(),
            _ => self.some_before(node),
        }
    }

    /// An id, or a map from ids to times.
    fn some_before(&mut self, node: &Node) -> Vec<OrderBefore> {
        if !matches!(node.kind, NodeKind::Map(_)) {
            return self.text(node, "`after`").map(plain).into_iter().collect();
        }
        let mut all = Vec::new();
        for (key, value) in self.map(node, "`after`").unwrap_or_default() {
            let order = self.name(key, "the id of an order");
            let fields = self.optional_fields(value, &ORDER_LAG);
            if let (Some(order), Some(fields)) = (order, fields) {
                let min = self.optional(&fields, "min", "a duration");
                let max = self.optional(&fields, "max", "a duration");
                all.push(OrderBefore { order, min, max });
            }
        }
        all
    }

    /// Ids that blanks or commas keep apart.
    pub fn cell_before(&mut self, cell: &Scalar) -> Vec<OrderBefore> {
        let ids = cell.text.split(|c: char| c == ',' || c.is_whitespace());
        let ids = ids.filter(|id| !id.is_empty());
        ids.map(|id| plain(At::new(id.to_owned(), cell.span))).collect()
    }
}

fn plain(order: At<String>) -> OrderBefore {
    OrderBefore { order, min: None, max: None }
}
