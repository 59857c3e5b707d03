//! Random priced networks as text, the same in several readings.

use takt_testing::Random;

/// Constants of the random models are at most this, times the scale.
pub const LARGEST: i64 = 4;

/// How strict comparisons are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Strict {
    /// As closed ones.
    Closed,
    /// As they are.
    Open,
    /// As closed ones, one unit inside.
    Almost,
}

#[derive(Clone, Copy)]
pub struct Kind {
    pub strict: Strict,
    /// All times, and what is paid at once, are multiples of this.
    pub scale: i64,
}

impl Kind {
    /// One to three processes with rates and increments.
    pub fn model(self, random: &mut Random) -> String {
        let mut text = String::from("clock x, y;\nchan a;\nurgent chan b;\nbroadcast chan c;\n");
        // Ranges that do not begin at 0, and that hold one value.
        let lowest = *random.pick(&[0, 0, 1, -1, 7, -2_147_483_648, 2_147_483_645]);
        text += &format!("const int N = {lowest};\nint[N, N + 2] n = N;\n");
        let ones = *random.pick(&["const int one = 1;", "int[1, 1] one = 1;"]);
        text += &format!("{ones} int[-3, -3] low[2] = {{-3, -3}}; int[0, 0] none;\n");
        let processes = 1 + random.below(3);
        for p in 0..processes {
            text += &self.process(random, p);
        }
        let names: Vec<String> = (0..processes).map(|p| format!("P{p}")).collect();
        text + &format!("system {};\n", names.join(", "))
    }

    fn process(self, random: &mut Random, number: usize) -> String {
        let locations = 2 + random.below(3);
        let mut text = format!("process P{number}() {{\n  clock z;\n  state ");
        let states: Vec<String> = (0..locations).map(|l| self.location(random, l)).collect();
        text += &format!("{};\n", states.join(", "));
        for kind in ["commit", "urgent"] {
            if random.percent(15) {
                text += &format!("  {kind} L{};\n", 1 + random.below(locations - 1));
                break;
            }
        }
        text += "  init L0;\n  trans ";
        let edges: Vec<String> =
            (0..locations + random.below(3)).map(|k| self.edge(random, k, locations)).collect();
        text + &edges.join(", ") + ";\n}\n"
    }

    fn location(self, random: &mut Random, number: usize) -> String {
        let mut parts = Vec::new();
        if random.percent(40) {
            let clock = random.pick(&["x", "y", "z"]);
            let op = random.pick(&["<=", "<"]);
            // Where it begins, the model must be within its invariants.
            parts.push(self.test(clock, op, random.within(i64::from(number == 0), LARGEST)));
        }
        if random.percent(60) {
            let rate = random.within(0, 3);
            parts.push(match random.percent(30) {
                true => format!("cost' == {rate} * one + none - low[none] - 3"),
                false => format!("cost' == {rate}"),
            });
        }
        match parts.is_empty() {
            true => format!("L{number}"),
            false => format!("L{number} {{ {} }}", parts.join(" && ")),
        }
    }

    fn edge(self, random: &mut Random, number: usize, locations: usize) -> String {
        // A ring through all locations, so that most goals can be reached, and some more.
        let (source, target) = match number < locations {
            true => (number, (number + 1) % locations),
            false => (random.below(locations), random.below(locations)),
        };
        let mut text = format!("L{source} -> L{target} {{ ");
        let sync = match random.percent(30) {
            true => Some(*random.pick(&["a!", "a?", "b!", "b?", "c!", "c?"])),
            false => None,
        };
        // Urgent edges have no clock guards; those of broadcast receivers act like strict ones: not
        // to be heard is to be just beside them, and then no whole instant is the cheapest.
        let is_timed = !sync.is_some_and(|s| s.starts_with('b') || s == "c?");
        if is_timed && random.percent(60) {
            let clock = random.pick(&["x", "y", "z"]);
            let op = random.pick(&["<=", ">=", "==", "<", ">"]);
            text += &format!("guard {}; ", self.test(clock, op, random.within(0, LARGEST)));
        } else if random.percent(20) {
            text += &format!("guard n - N == {}; ", random.within(0, 2));
        }
        if let Some(sync) = sync {
            text += &format!("sync {sync}; ");
        }
        let mut updates = Vec::new();
        for clock in ["x", "y", "z"] {
            if random.percent(30) {
                updates.push(format!(
                    "{clock} = {}",
                    if random.percent(80) { 0 } else { 2 * self.scale }
                ));
            }
        }
        if random.percent(40) {
            updates.push(format!("cost += {} * one", self.scale * random.within(0, 5)));
        }
        if random.percent(20) {
            updates.push(format!("n = N + {}", random.within(0, 2)));
        }
        if !updates.is_empty() {
            text += &format!("assign {}; ", updates.join(", "));
        }
        text + "}"
    }

    pub fn goal(self, random: &mut Random) -> String {
        let mut text = String::from("P0.L1");
        if random.percent(40) {
            let op = random.pick(&["<=", ">=", "==", "<", ">"]);
            let clock = random.pick(&["x", "y"]);
            text += &format!(" && {}", self.test(clock, op, random.within(0, LARGEST)));
        }
        if random.percent(20) {
            text += " && n == N + 2";
        }
        text
    }

    /// A comparison as this kind of model writes it.
    fn test(self, clock: &str, op: &str, constant: i64) -> String {
        let constant = constant * self.scale;
        match (op, self.strict) {
            ("<", Strict::Closed) => format!("{clock} <= {constant}"),
            (">", Strict::Closed) => format!("{clock} >= {constant}"),
            ("<", Strict::Almost) => format!("{clock} <= {}", constant - 1),
            (">", Strict::Almost) => format!("{clock} >= {}", constant + 1),
            _ => format!("{clock} {op} {constant}"),
        }
    }
}
