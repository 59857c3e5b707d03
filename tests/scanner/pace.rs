//! Paces on networks with heuristics, against the search that knows what a scanner is.

use crate::network::{PACE, ask, ask_within, base, machine_of};
use takt::pipeline::layout;
use takt_automata::compose::Templates;
use takt_automata::engine::{Options, Verdict};
use takt_automata::network::Network;
use takt_scanner::lower::{FILES, Pace, lower_scanner_with};
use takt_scanner::rhythm::{self, Outcome, Rhythm};
use takt_scanner::{Heuristic, Scanner};
use takt_testing::Random;

const SAFE: [Heuristic; 2] = [Heuristic::Policy, Heuristic::Useful];

/// What is not decided within so many states is passed over.
const MOST_STATES: u64 = 600;

fn network(scanner: &Scanner, pace: Pace, heuristics: &[Heuristic]) -> Network {
    let rules = layout::rules(scanner, heuristics).expect("a small policy");
    lower_scanner_with(scanner, pace, &rules, &Templates::embedded(&FILES)).network
}

/// What the other search says; `None` if it does not know.
fn rhythm_of(scanner: &Scanner, pace: Option<Pace>) -> Option<Result<Rhythm, String>> {
    let (max_gap, first) = (pace.map(|pace| pace.max_gap), pace.map(|pace| pace.first));
    let options = rhythm::Options { max_gap, first, ..rhythm::Options::default() };
    match rhythm::solve(scanner, &options, &mut || false).outcome {
        Outcome::Found(found) => Some(Ok(found)),
        Outcome::None(why) => Some(Err(why)),
        Outcome::Unknown(_) => None,
    }
}

/// A small machine with times by chance, as text.
fn any_machine(random: &mut Random) -> String {
    let mut time = |most: usize| 1 + random.below(most);
    let track = [time(2), time(2), time(2), time(3)];
    let (down, up) = (time(5), time(3));
    let chucks = [time(2), time(3), time(4)];
    let shapes = [
        ("[A]", "", &[(1, "A")][..]),
        ("[A]", "", &[(2, "A")]),
        ("[A, B]", "", &[(1, "A, B")]),
        ("[A, B]", "", &[(2, "A, B")]),
        ("[A, B]", ", direction: {A: in, B: out}", &[(1, "A, B")]),
        ("[A, B]", ", direction: {A: in}", &[(2, "A, B")]),
        ("[A, B]", "", &[(1, "A"), (1, "B")]),
    ];
    let (ids, direction, robots) = shapes[random.below(shapes.len())];
    let mut text = format!(
        "takt: 1\nlayout:\n  track: {{load: {}, unload: {}, switch: {}, recover: {}}}\n  \
         locks: {{ids: {ids}{direction}, depressurize: {down}, pressurize: {up}}}\n  robots:\n",
        track[0], track[1], track[2], track[3],
    );
    for (k, (arms, reached)) in robots.iter().enumerate() {
        let mut time = |most: usize| 1 + random.below(most);
        text += &format!(
            "    R{k}: {{arms: {arms}, locks: [{reached}], turn: {}, from-lock: {}, to-lock: {}, \
             to-chuck: {}, from-chuck: {}}}\n",
            time(2),
            time(3),
            time(3),
            time(3),
            time(3),
        );
    }
    let ids = if random.below(2) == 0 { "[C]" } else { "[C, D]" };
    let [swap, measure, expose] = chucks;
    text + &format!(
        "  chucks: {{ids: {ids}, swap: {swap}, measure: {measure}, expose: {expose}}}\n"
    )
}

/// Set `TAKT_PACES` to try more of them.
#[test]
fn safe_heuristics_keep_a_pace_exactly_if_some_schedule_does() {
    let cases = std::env::var("TAKT_PACES").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let mut counts = [0, 0];
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let text = any_machine(&mut random);
        let scanner = machine_of(&text);
        let Some(Ok(best)) = rhythm_of(&scanner, None) else { continue };
        for (late, slow) in [(0, 0), (-1, 0), (0, -1), (3, 1)] {
            let pace = Pace { first: best.first + late, max_gap: best.max_gap + slow };
            let Some(expected) = rhythm_of(&scanner, Some(pace)) else { continue };
            for heuristics in [&SAFE[..], &SAFE[1..]] {
                let network = network(&scanner, pace, heuristics);
                let found = ask_within(MOST_STATES, &network, PACE, &Options::default()).0;
                if found == Verdict::Unknown {
                    continue;
                }
                let told = (seed, pace, heuristics, expected.is_ok());
                assert_eq!(found == Verdict::Satisfied, expected.is_ok(), "{told:?}\n{text}");
                counts[usize::from(expected.is_ok())] += 1;
            }
        }
    }
    assert!(counts.iter().all(|count| *count > cases as usize), "{counts:?}");
}

/// The pace of the literature, which takes a search through the whole machine without heuristics.
#[test]
fn the_best_pace_of_the_base_machine_is_found() {
    let scanner = base();
    let all = Heuristic::ALL;
    for heuristics in [&SAFE[..], &all[..]] {
        let pace = Pace { first: 1480, max_gap: 260 };
        assert_eq!(ask(&network(&scanner, pace, heuristics), PACE).0, Verdict::Satisfied);
        for worse in [Pace { first: 1409, ..pace }, Pace { max_gap: 259, ..pace }] {
            let network = network(&scanner, worse, heuristics);
            assert_eq!(ask(&network, PACE).0, Verdict::Violated, "{worse:?}");
        }
    }
}
