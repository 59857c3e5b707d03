//! Plans of small specs.

use super::*;
use crate::diagnostic::FileId;

fn read(orders: &str, duration: i64) -> Result<Plan, Diagnostics> {
    let text = format!(
        "takt: 1\nresources: {{a: {{}}, b: {{}}}}\nrecipes:\n  r: {{steps: [{{name: s, on: b, \
         duration: {duration}}}, {{name: t, duration: 0}}]}}\norders: {orders}\n"
    );
    plan(&crate::spec::read(&text, FileId(0)).unwrap().0)
}

#[test]
fn names_become_positions() {
    let plan = read("[{id: x, recipe: r}, {id: y, recipe: r}]", 4).unwrap();
    assert_eq!(plan.steps(1)[0].machine(), Some(1));
    assert_eq!(plan.steps(1)[1].machine(), None);
    assert_eq!(plan.horizon, 8);
}

#[test]
fn too_many_orders_are_refused_at_the_first_one_too_many() {
    let list = |n: usize| (0..n).map(|i| format!("{{id: x{i}, recipe: r}}")).collect::<Vec<_>>();
    let orders = |n: usize| format!("[{}]", list(n).join(", "));
    assert!(read(&orders(MAX_ORDERS), 1).is_ok());
    let found = read(&orders(MAX_ORDERS + 1), 1).unwrap_err();
    let first = found.iter().next().unwrap();
    assert_eq!((first.code, first.label.as_str()), ("too-large", "at most 5000"));
}

#[test]
fn times_beyond_the_clocks_are_refused() {
    let found = read("[{id: x, recipe: r}, {id: y, recipe: r}]", MAX_TIME).unwrap_err();
    assert_eq!(found.iter().next().unwrap().code, "too-large");
}
