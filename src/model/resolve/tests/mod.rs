//! Models as text, and what becomes of them.

use crate::diagnostic::Span;
use crate::model::{Conjunct, Query, build};
use crate::network::*;

fn ty(kind: TypeKind) -> Type {
    Type::plain(kind, Span::default())
}

fn declare(kind: TypeKind, name: &str) -> Item {
    let declarator = Declarator { name: Ident::new(name), dimensions: Vec::new(), initial: None };
    Item::Declaration(Declaration::Variables(Variables {
        ty: ty(kind),
        declarators: vec![declarator],
    }))
}

/// `state a { x <= 3 }, b; init a; trans a -> b { guard x >= 2 && n == 0; assign x = 0, n = 1; };`
fn plain() -> Network {
    let x = || Expr::name("x");
    let n = || Expr::name("n");
    let location = |name: &str, invariant| Location {
        name: Ident::new(name),
        invariant,
        urgency: Urgency::Normal,
    };
    let set = |target, value| {
        Expr::new(ExprKind::Assign(AssignOp::Set, Box::new(target), Box::new(Expr::number(value))))
    };
    let template = Template {
        name: Ident::new("P"),
        parameters: Vec::new(),
        declarations: Vec::new(),
        locations: vec![
            location("a", Some(Expr::binary(BinaryOp::LessEqual, x(), Expr::number(3)))),
            location("b", None),
        ],
        initial: Ident::new("a"),
        edges: vec![Edge {
            source: Ident::new("a"),
            target: Ident::new("b"),
            select: Vec::new(),
            guard: Some(Expr::binary(
                BinaryOp::And,
                Expr::binary(BinaryOp::GreaterEqual, x(), Expr::number(2)),
                Expr::binary(BinaryOp::Equal, n(), Expr::number(0)),
            )),
            sync: None,
            update: vec![set(x(), 0), set(n(), 1)],
            origin: None,
            span: Span::default(),
        }],
    };
    Network {
        items: vec![
            declare(TypeKind::Clock, "x"),
            declare(TypeKind::Int(None), "n"),
            Item::Template(template),
        ],
        system: System { levels: vec![vec![Ident::new("P")]], span: Span::default() },
        queries: Vec::new(),
    }
}

#[test]
fn a_plain_network_becomes_numbers() {
    let (mut model, _) = build(&plain()).expect("a sound network");
    assert_eq!(model.state_len, 2);
    assert_eq!(model.processes[0].locations[0].invariant.len(), 1);
    let guard = &model.processes[0].edges[0].guard;
    assert!(matches!(guard[0], Conjunct::Clock(_)));
    assert!(matches!(guard[1], Conjunct::Data(_)));
    let goal =
        Goal::Possibly(Expr::new(ExprKind::Field(Box::new(Expr::name("P")), Ident::new("b"))));
    let query = network_query(goal);
    assert!(matches!(model.resolve_query(&query), Ok(Query::Possibly(_))));
}

fn network_query(goal: Goal) -> crate::network::Query {
    crate::network::Query { goal, text: String::new(), span: Span::default() }
}
