//! Random networks and expressions: what is printed reads back as what it was.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::network::*;
use takt_diagnostic::Span;

fn nowhere() -> Span {
    Span::default()
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "x1", "inf", "sup", "E", "A", "T_t", "_", "cost", "i$#"])
        .prop_map(str::to_string)
}

fn ident() -> impl Strategy<Value = Ident> {
    name().prop_map(Ident::new)
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    prop::sample::select(&BinaryOp::ALL[..])
}

fn assign_op() -> impl Strategy<Value = AssignOp> {
    use BinaryOp::*;
    let with = [Add, Sub, Mul, Div, Mod, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight];
    let with = with.into_iter().map(AssignOp::With);
    prop::sample::select([AssignOp::Set].into_iter().chain(with).collect::<Vec<_>>())
}

fn unary_op() -> impl Strategy<Value = UnaryOp> {
    prop::sample::select(vec![UnaryOp::Not, UnaryOp::Minus, UnaryOp::Plus])
}

fn quantifier() -> impl Strategy<Value = QuantifierKind> {
    use QuantifierKind::*;
    prop::sample::select(vec![Forall, Exists, Sum])
}

fn leaf() -> impl Strategy<Value = ExprKind> {
    prop_oneof![
        (-3i64..100).prop_map(ExprKind::Number),
        (-i64::MAX..=i64::MAX).prop_map(ExprKind::Number),
        any::<bool>().prop_map(ExprKind::Bool),
        name().prop_map(ExprKind::Name),
        Just(ExprKind::Deadlock),
    ]
}

/// A bounded integer or a name; larger types hold expressions in turn.
fn small_type() -> impl Strategy<Value = Type> {
    prop_oneof![
        ident().prop_map(TypeKind::Named),
        (0i64..3, 3i64..6).prop_map(|(lo, hi)| {
            TypeKind::Int(Some(Box::new((Expr::number(lo), Expr::number(hi)))))
        }),
        Just(TypeKind::Scalar(Box::new(Expr::name("N")))),
    ]
    .prop_map(|kind| Type::plain(kind, nowhere()))
}

fn expression() -> impl Strategy<Value = Expr> {
    leaf().prop_map(Expr::new).prop_recursive(6, 40, 3, |inner| {
        let sub = || inner.clone().prop_map(Box::new);
        prop_oneof![
            4 => (binary_op(), sub(), sub()).prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
            2 => (unary_op(), sub()).prop_map(|(op, a)| ExprKind::Unary(op, a)),
            1 => (sub(), sub(), sub()).prop_map(|(a, b, c)| ExprKind::Conditional(a, b, c)),
            1 => (assign_op(), sub(), sub()).prop_map(|(op, a, b)| ExprKind::Assign(op, a, b)),
            1 => (sub(), any::<bool>(), any::<bool>()).prop_map(|(target, up, prefix)| {
                ExprKind::Increment { target, delta: if up { 1 } else { -1 }, prefix }
            }),
            1 => (sub(), sub()).prop_map(|(a, b)| ExprKind::Index(a, b)),
            1 => (sub(), ident()).prop_map(|(a, field)| ExprKind::Field(a, field)),
            1 => sub().prop_map(ExprKind::Rate),
            1 => (sub(), vec(inner.clone(), 0..3)).prop_map(|(f, args)| ExprKind::Call(f, args)),
            1 => (quantifier(), ident(), small_type(), sub()).prop_map(
                |(kind, binder, ty, body)| {
                    ExprKind::Quantifier { kind, binder, ty: Box::new(ty), body }
                }
            ),
        ]
        .prop_map(Expr::new)
    })
}

/// A type without prefixes and not a name.
fn built_in() -> impl Strategy<Value = Type> {
    let bound = (expression(), expression()).prop_map(Box::new);
    let simple = prop_oneof![
        option::of(bound).prop_map(TypeKind::Int),
        Just(TypeKind::Bool),
        Just(TypeKind::Clock),
        Just(TypeKind::Chan),
        Just(TypeKind::Void),
        expression().prop_map(|size| TypeKind::Scalar(Box::new(size))),
    ];
    let simple = simple.prop_map(|kind| Type::plain(kind, nowhere()));
    simple.prop_recursive(2, 6, 2, |inner| {
        vec((inner, ident()), 0..3).prop_map(|fields| {
            let field = |(ty, name)| Variables {
                ty,
                declarators: vec![Declarator { name, dimensions: Vec::new(), initial: None }],
            };
            Type::plain(TypeKind::Struct(fields.into_iter().map(field).collect()), nowhere())
        })
    })
}

fn full_type() -> impl Strategy<Value = Type> {
    (prop_oneof![small_type(), built_in()], any::<[bool; 4]>()).prop_map(|(ty, flags)| Type {
        is_const: flags[0],
        is_meta: flags[1],
        is_urgent: flags[2],
        is_broadcast: flags[3],
        ..ty
    })
}

fn dimensions() -> impl Strategy<Value = Vec<Dimension>> {
    let size = expression().prop_map(Dimension::Size);
    vec(prop_oneof![size, built_in().prop_map(Dimension::Type)], 0..3)
}

fn initial() -> impl Strategy<Value = Initial> {
    expression().prop_map(Initial::Value).prop_recursive(2, 8, 3, |inner| {
        vec((option::of(ident()), inner), 1..3).prop_map(|list| Initial::List(list, nowhere()))
    })
}

fn variables() -> impl Strategy<Value = Variables> {
    let declarator = (ident(), dimensions(), option::of(initial()))
        .prop_map(|(name, dimensions, initial)| Declarator { name, dimensions, initial });
    (full_type(), vec(declarator, 1..3)).prop_map(|(ty, declarators)| Variables { ty, declarators })
}

fn local() -> impl Strategy<Value = Declaration> {
    prop_oneof![
        variables().prop_map(Declaration::Variables),
        variables().prop_map(Declaration::Typedef),
    ]
}

fn channel() -> impl Strategy<Value = PriorityMember> {
    let indexed = (name(), option::of(expression())).prop_map(|(name, index)| match index {
        None => Expr::name(name),
        Some(index) => Expr::new(ExprKind::Index(Box::new(Expr::name(name)), Box::new(index))),
    });
    prop_oneof![indexed.prop_map(PriorityMember::Channel), Just(PriorityMember::Default(nowhere())),]
}

fn declaration() -> impl Strategy<Value = Declaration> {
    prop_oneof![
        4 => local(),
        2 => function().prop_map(Declaration::Function),
        1 => vec(vec(channel(), 1..3), 1..3)
            .prop_map(|levels| Declaration::ChannelPriority(levels, nowhere())),
        1 => vec(expression(), 0..3)
            .prop_map(|updates| Declaration::BeforeUpdate(updates, nowhere())),
        1 => vec(expression(), 0..3)
            .prop_map(|updates| Declaration::AfterUpdate(updates, nowhere())),
    ]
}

fn parameters() -> impl Strategy<Value = Vec<Parameter>> {
    let parameter = (full_type(), any::<bool>(), ident(), dimensions()).prop_map(
        |(ty, by_reference, name, dimensions)| Parameter { ty, by_reference, name, dimensions },
    );
    vec(parameter, 0..3)
}

/// An `if` whose `else` would be taken by a statement within it gets a block, as in the text.
fn closed(statement: Statement) -> Box<Statement> {
    let inner = Block { statements: vec![statement], ..Block::default() };
    Box::new(Statement::Block(inner))
}

fn statement() -> impl Strategy<Value = Statement> {
    let leaf = prop_oneof![
        Just(Statement::Empty),
        expression().prop_map(Statement::Expr),
        option::of(expression()).prop_map(|value| Statement::Return(value, nowhere())),
    ];
    leaf.prop_recursive(4, 16, 3, |inner| {
        let sub = || inner.clone().prop_map(Box::new);
        let exprs = || vec(expression(), 1..3);
        prop_oneof![
            (vec(local(), 0..2), vec(inner.clone(), 0..3)).prop_map(
                |(declarations, statements)| {
                    Statement::Block(Block { declarations, statements, span: nowhere() })
                }
            ),
            (expression(), sub()).prop_map(|(c, yes)| Statement::If(c, yes, None)),
            (expression(), inner.clone(), sub()).prop_map(|(c, yes, no)| Statement::If(
                c,
                closed(yes),
                Some(no)
            )),
            (expression(), sub()).prop_map(|(c, body)| Statement::While(c, body)),
            (sub(), expression()).prop_map(|(body, c)| Statement::DoWhile(body, c)),
            (exprs(), expression(), exprs(), sub()).prop_map(|(initial, condition, step, body)| {
                Statement::For { initial, condition, step, body }
            }),
            (ident(), small_type(), sub()).prop_map(|(binder, ty, body)| Statement::ForEach {
                binder,
                ty,
                body
            }),
        ]
    })
}

fn function() -> impl Strategy<Value = Function> {
    let body = (vec(local(), 0..2), vec(statement(), 0..3));
    (full_type(), ident(), parameters(), body).prop_map(
        |(result, name, parameters, (declarations, statements))| Function {
            result,
            name,
            parameters,
            body: Block { declarations, statements, span: nowhere() },
        },
    )
}

fn edge(locations: Vec<Ident>) -> impl Strategy<Value = Edge> {
    let end = prop::sample::select(locations);
    let direction = prop::sample::select(vec![Direction::Send, Direction::Receive]);
    let sync = (expression(), direction).prop_map(|(channel, direction)| Sync {
        channel,
        direction,
        span: nowhere(),
    });
    (
        end.clone(),
        end,
        vec((ident(), full_type()), 0..2),
        option::of(expression()),
        option::of(sync),
        vec(expression(), 0..3),
    )
        .prop_map(|(source, target, select, guard, sync, update)| Edge {
            source,
            target,
            select,
            guard,
            sync,
            update,
            origin: None,
            span: nowhere(),
        })
}

fn template() -> impl Strategy<Value = Template> {
    let urgency = prop::sample::select(vec![Urgency::Normal, Urgency::Urgent, Urgency::Committed]);
    let locations = vec((option::of(expression()), urgency), 1..4);
    let head = (ident(), parameters(), vec(declaration(), 0..2), locations);
    head.prop_flat_map(|(name, parameters, declarations, drafts)| {
        let locations: Vec<Location> = drafts
            .into_iter()
            .enumerate()
            .map(|(i, (invariant, urgency))| Location {
                name: Ident::new(format!("l{i}")),
                invariant,
                urgency,
            })
            .collect();
        let names: Vec<Ident> = locations.iter().map(|l| l.name.clone()).collect();
        let rest = (prop::sample::select(names.clone()), vec(edge(names), 0..3));
        rest.prop_map(move |(initial, edges)| Template {
            name: name.clone(),
            parameters: parameters.clone(),
            declarations: declarations.clone(),
            locations: locations.clone(),
            initial,
            edges,
        })
    })
}

fn instantiation() -> impl Strategy<Value = Instantiation> {
    (ident(), parameters(), ident(), vec(expression(), 0..3)).prop_map(
        |(name, parameters, template, arguments)| Instantiation {
            name,
            parameters,
            template,
            arguments,
        },
    )
}

/// In the order that XML files want.
fn network() -> impl Strategy<Value = Network> {
    let items = (
        vec(declaration(), 0..3),
        vec(template(), 1..3),
        vec(instantiation(), 0..2),
        vec(vec(ident(), 1..3), 1..3),
    );
    items.prop_map(|(declarations, templates, instantiations, levels)| Network {
        items: (declarations.into_iter().map(Item::Declaration))
            .chain(templates.into_iter().map(Item::Template))
            .chain(instantiations.into_iter().map(Item::Instantiation))
            .collect(),
        system: System { levels, span: nowhere() },
        ..Network::default()
    })
}

fn goal() -> impl Strategy<Value = Goal> {
    prop_oneof![
        expression().prop_map(Goal::Possibly),
        expression().prop_map(Goal::Invariantly),
        expression().prop_map(Goal::PotentiallyAlways),
        expression().prop_map(Goal::Eventually),
        (expression(), expression()).prop_map(|(p, q)| Goal::LeadsTo(p, q)),
        (option::of(expression()), expression())
            .prop_map(|(within, of)| Goal::Infimum { within, of }),
        (option::of(expression()), expression())
            .prop_map(|(within, of)| Goal::Supremum { within, of }),
    ]
}

proptest! {
    #[test]
    fn expressions(e in expression()) {
        let text = print_expr(&e);
        prop_assert_eq!(parse_expr(&text, FILE), Ok(e), "{}", text);
    }

    #[test]
    fn queries(goal in goal()) {
        let mut query = Query { goal, text: String::new(), span: nowhere() };
        query.text = print_query(&query);
        prop_assert_eq!(parse_query(&query.text, FILE), Ok(query.clone()), "{}", query.text);
    }

    #[test]
    fn networks(n in network()) {
        let text = print(&n);
        prop_assert_eq!(parse(&text, FILE), Ok(n), "{}", text);
    }

    #[test]
    fn networks_as_xml(n in network()) {
        let text = print_xml(&n);
        prop_assert_eq!(parse_xml(&text, FILE), Ok(n), "{}", text);
    }

    /// Any text gets an answer.
    #[test]
    fn any_text_is_answered(text in "[ -~\n]{0,200}") {
        let _ = parse_any(&text, FILE);
        let _ = parse_queries(&text, FILE);
    }

    /// A model with a piece of it replaced gets an answer; errors lie within the text.
    #[test]
    fn broken_models_are_answered(n in network(), at in 0.0..1.0f64, cut in 0usize..20, put in "[ -~]{0,6}") {
        let mut text = print(&n);
        let at = (text.len() as f64 * at) as usize;
        let end = (at + cut).min(text.len());
        text.replace_range(at..end, &put);
        if let Err(found) = parse(&text, FILE) {
            for d in found.iter() {
                let span = d.span.unwrap();
                prop_assert!(span.start <= span.end && span.end as usize <= text.len());
            }
        }
    }
}
