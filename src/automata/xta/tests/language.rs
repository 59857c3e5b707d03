//! Every feature of the language, read and printed back.

use super::*;
use crate::network::*;

/// Reads, prints, and reads again: the same network.
fn round_trip(text: &str) -> Network {
    let network = model(text);
    let printed = print(&network);
    assert_eq!(model(&printed), network, "{printed}");
    assert_eq!(print(&model(&printed)), printed);
    network
}

#[test]
fn precedence_is_that_of_uppaal() {
    let cases = [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a << b + c", "(a << (b + c))"),
        ("a <? b << c >? d", "((a <? (b << c)) >? d)"),
        ("a < b <? c", "(a < (b <? c))"),
        ("a < b == c >= d", "((a < b) == (c >= d))"),
        ("a & b == c", "(a & (b == c))"),
        ("a | b ^ c & d", "(a | (b ^ (c & d)))"),
        ("a && b | c", "(a && (b | c))"),
        ("a || b && c or d", "((a || (b && c)) || d)"),
        ("a and b or c imply d", "(((a && b) || c) imply d)"),
        ("not a and b", "((Not a) && b)"),
        ("!a == b", "((Not a) == b)"),
        ("-a * b", "((Minus a) * b)"),
        ("-a'", "(Minus (a'))"),
        ("-i++", "(Minus (1 false i))"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a || b ? c : d", "((a || b) ? c : d)"),
        ("a = b = c ? d : e", "(a = (b = (c ? d : e)))"),
        ("a += b := 2", "(a += (b = 2))"),
        ("forall (i : T) a && b", "(Forall i (a && b))"),
        ("a && forall (i : T) b || c", "(a && (Forall i (b || c)))"),
        ("!exists (i : int[0,3]) a[i] == 1", "(Not (Exists i (a[i] == 1)))"),
        ("c ? forall (i : T) p : q", "(c ? (Forall i p) : q)"),
        ("x = sum (i : T) a[i] + 1", "(x = (Sum i (a[i] + 1)))"),
        ("cost' == 2 && x <= 3", "(((cost') == 2) && (x <= 3))"),
        ("f(a, b)[1].c", "f(a, b)[1].c"),
        ("a =< 1 and b => 2", "((a <= 1) && (b >= 2))"),
        ("a - -5", "(a - -5)"),
    ];
    for (text, tree) in cases {
        assert_eq!(grouped(text), tree, "{text}");
        let printed = print_expr(&expr(text));
        assert_eq!(expr(&printed), expr(text), "{text} printed as {printed}");
    }
}

#[test]
fn printing_spares_parentheses() {
    for text in ["a + b * c", "(a + b) * c", "a - (b - c)", "!(a && b)", "a && (b || c)"] {
        assert_eq!(print_expr(&expr(text)), text);
    }
    assert_eq!(print_expr(&expr("((a) + (b * (c)))")), "a + b * c");
    assert_eq!(print_expr(&expr("-(-a)")), "- -a");
    assert_eq!(print_expr(&expr("-(5)")), "-(5)");
    assert_eq!(print_expr(&expr("(-5)[1]")), "(-5)[1]");
}

const DECLARATIONS: &str = "
    const int N = 3, M = -N * 2;
    typedef int[0, N - 1] id_t;
    typedef scalar[N] who_t, whos_t[2];
    typedef struct { int a; bool b[2], c; struct { int d; } e; } rec_t;
    meta int[-5,5] m := 1;
    bool flags[2][id_t] = {{true, false, true}, {false, false, false}};
    int grid[int[0,3]][scalar[2]];
    rec_t r = {1, b: {true, false}, c: true, e: {d: 2}};
    clock x, y[N];
    chan a, b[2];
    urgent chan u;
    urgent broadcast chan ub[id_t];
    broadcast chan bc;
    chan priority a, b[0] < default < u;
    before_update { x = 0; m = 1; }
    after_update { }
    void nothing() { }
    int f(int i, int &r, const int v[2], id_t k) {
        int j = 0, l;
        typedef int[0,1] bit;
        for (j = 0, l = 9; j < l; j++, --l) { r += v[0]; }
        for (q : id_t) r--;
        while (j > 0) j = j - 1;
        do { j++; } while (j < 5);
        do j++; while (j < 7);
        if (j == 1) return 2;
        else if (j == 2) { int z; z = 1; } else j = 3;
        if (i > 0) if (i > 1) j = 1; else j = 2;
        { { ; } }
        return i > 0 ? f(i - 1, r, v, k) : 0;
    }
    process P() { state s; init s; }
    system P;";

#[test]
fn declarations_and_functions() {
    let network = round_trip(DECLARATIONS);
    assert_eq!(network.items.len(), 19);
}

#[test]
fn an_else_belongs_to_the_nearest_if() {
    let network = model(
        "void f() { if (a) if (b) x = 1; else x = 2; } process P() { state s; init s; } system P;",
    );
    let Item::Declaration(Declaration::Function(f)) = &network.items[0] else { panic!() };
    let Statement::If(_, yes, None) = &f.body.statements[0] else { panic!("{f:?}") };
    assert!(matches!(**yes, Statement::If(_, _, Some(_))));
}

#[test]
fn processes() {
    let network = round_trip(
        "chan go[2]; clock cost0;
        process P(clock &x, const int n, int v[3], chan &c) {
            int k; clock y;
            void step() { k = k + 1; }
            state a { x <= 5 && cost' == 3 }, b, c1 { y' == 0 }, d;
            commit b; urgent c1, d;
            init a;
            trans
                a -> b { select i : int[0,1], j : id_t; guard x >= n, k == i; sync go[i]!; assign k = i, x := 0, cost += 2; },
                -> c1 { sync c?; },
                b -> d { },
                d -> a { guard forall (i : int[0,2]) v[i] > 0; };
        }
        Q(const int n) = P(x0, n, v0, go[0]);
        R() = Q(4);
        S = Q(5);
        system Q, R < S;
        progress { k; k : x; }
        gantt { G(i : int[0,1]): v[i] -> 2, true -> 3; }",
    );
    let Item::Template(p) = &network.items[2] else { panic!() };
    let sources: Vec<_> = p.edges.iter().map(|e| e.source.text.as_str()).collect();
    assert_eq!(sources, ["a", "a", "b", "d"]);
    let urgencies: Vec<_> = p.locations.iter().map(|l| l.urgency).collect();
    use Urgency::*;
    assert_eq!(urgencies, [Normal, Committed, Urgent, Urgent]);
    assert_eq!(print_expr(p.edges[0].guard.as_ref().unwrap()), "x >= n && k == i");
    assert_eq!(network.system.levels.len(), 2);
    assert_eq!(network.system.levels[0].len(), 2);
}

#[test]
fn old_files() {
    let network = round_trip(
        "// fischer, old style
        const N 5, M -2;
        int[0,5] id:=1;
        clock z;
        process P(clock x, y; int &k; const n, m) {
            state idle, req{x<=n, y=<m}; init idle;
            trans idle -> req { guard id==0, x>1; assign x:=0; };
        }
        P1:=P(z, z, id, 1, 2);
        system P1;",
    );
    let Item::Template(p) = &network.items[3] else { panic!() };
    let by_reference: Vec<_> = p.parameters.iter().map(|p| p.by_reference).collect();
    assert_eq!(by_reference, [true, true, true, false, false]);
    assert_eq!(p.parameters[1].ty, p.parameters[0].ty);
}

#[test]
fn queries() {
    for text in [
        "E<> P.a && x > 3",
        "A[] !deadlock",
        "E[] P.a imply P.x <= 5",
        "A<> forall (i : id_t) P(i).done",
        "P.a --> P.b || Q.c",
        "inf{P.done}: cost",
        "sup{a == 1 && b}: x",
        "inf: x",
        "sup: a[0] + 1",
        "E[0].a --> Pr.b",
        "control --> simulate",
    ] {
        let query = parse_query(text, FILE).unwrap();
        assert_eq!(print_query(&query), text);
        assert_eq!(query.text, text);
    }
    assert!(matches!(parse_query(" A [] not deadlock ", FILE).unwrap().goal, Goal::Invariantly(_)));
    let several =
        parse_queries("// two\nsup{P.a}: x, y + 1\n/* not\n this */ inf: x \\\n + 1", FILE)
            .unwrap();
    let texts: Vec<_> = several.iter().map(|q| q.text.as_str()).collect();
    assert_eq!(texts[..2], ["sup{P.a}: x", "sup{P.a}: y + 1"]);
    assert_eq!(print_query(&several[2]), "inf: x + 1");
    // The words of queries are names elsewhere.
    round_trip("int inf = 1, sup, E, A; process P() { state inf; init inf; } system P;");
}

#[test]
fn spans_cover_what_was_written() {
    let text = "(a + b) * c";
    let e = expr(text);
    let ExprKind::Binary(_, left, _) = &e.kind else { panic!() };
    assert_eq!((e.span.start, e.span.end), (0, 11));
    assert_eq!((left.span.start, left.span.end), (1, 6));
}
