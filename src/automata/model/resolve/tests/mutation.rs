//! Sound models with a few tokens changed: whatever comes out, it is an answer.

use takt_diagnostic::FileId;
use takt_testing::Random;

const MODELS: [&str; 3] = [
    "const int N = 3; typedef int[0,N-1] id; typedef scalar[2] S; S s; meta int m; int v[id], w[2][S], l[2];
     struct { int a; bool b[2]; } r = {1, {true, false}}, q; clock x, y[N]; chan c[N]; urgent chan u;
     broadcast chan b; chan priority c[0] < default < u; int f(int &a, const int k[2]) { a++; return k[0]; }
     bool g(int n) { int i, l[2] = {n, 1}; for (i = 0; i < n; i++) { if (l[0] > 2) return true; } return l[1] == 1; }
     before_update { m = 1 }
     process P(const id i, int k, int &z, clock &d, chan &e) {
       int own; state a { d <= i && cost' == k }, t, o; commit t; urgent o; init a;
       trans a -> t { select j : id; guard d >= j && v[j] == 0 || g(i); sync c[j]!; assign own = j, d = 0, z += k; },
             t -> o { guard forall (j : id) v[j] <= 2; sync e?; assign k--, cost += 2, r = q, w[1][s] = f(own, l); },
             o -> a { guard g(2) imply y[i] < 3; assign own = sum (j : id) v[j]; }; }
     A(const id i) = P(i, 2, v[i], y[i], u); system A;",
    "process P(const int[0,1] i) { clock x; state a { x <= 2 }, b; init a; trans a -> b { guard x == i + 1; }, b -> a { assign x = 0; }; }
     process Q() { state l; init l; } system P < Q;",
    "const int T[2][2] = {{1, 2}, {3, 4}}; int n = T[1][0]; int fib(int k) { int a, b = 1, t; while (k > 0) { t = a + b; a = b; b = t; k--; } return a; }
     const int F = fib(6); int[0,F] z[F]; process P() { state a; init a; trans a -> a { guard n < F; assign z[n] = T[n % 2][0], n++; }; } system P;",
];

const QUERIES: [&str; 3] = [
    "E<> forall (i : id) A(i).own == 0 && (x < 2 || not deadlock) && r.a == 1",
    "inf{P(0).b && P(1).x - P(0).x < 1}: P(1).x",
    "A[] z[n] <= fib(3) imply n > 0",
];

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_word = false;
    for letter in text.chars() {
        let is_word = letter.is_alphanumeric() || letter == '_';
        match tokens.last_mut() {
            Some(last) if is_word && in_word => last.push(letter),
            _ => tokens.push(letter.into()),
        }
        in_word = is_word;
    }
    tokens
}

fn mutate(text: &str, numbers: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..=numbers.below(3) {
        let (at, from) = (numbers.below(tokens.len()), numbers.below(tokens.len()));
        match numbers.below(4) {
            0 => drop(tokens.remove(at)),
            1 => tokens[at] = tokens[from].clone(),
            2 => tokens.insert(at, tokens[from].clone()),
            _ => tokens.swap(at, from),
        }
    }
    tokens.concat()
}

#[test]
fn changed_models_get_an_answer() {
    let mut numbers = Random::new(7);
    let (mut sound, mut refused) = (0, 0);
    for round in 0..3000 {
        let model = round % MODELS.len();
        let text =
            if round < 3 { MODELS[model].into() } else { mutate(MODELS[model], &mut numbers) };
        let Ok(network) = crate::xta::parse(&text, FileId(0)) else { continue };
        let Ok((mut made, _)) = super::build(&network) else {
            assert!(round >= 3, "model {model} is sound");
            refused += 1;
            continue;
        };
        sound += 1;
        let text =
            if round < 3 { QUERIES[model].into() } else { mutate(QUERIES[model], &mut numbers) };
        if let Ok(query) = crate::xta::parse_query(&text, FileId(0)) {
            let answer = made.resolve_query(&query);
            assert!(round >= 3 || answer.is_ok(), "query {model} is sound: {answer:?}");
        }
    }
    assert!(sound > 100 && refused > 100, "{sound} sound, {refused} refused");
}
