//! Changes the tree of a spec: what comes out is well-formed, and often nearly right.

use crate::corpus::Corpus;
use crate::text::{NUMBERS, WORDS};
use serde_json::{Map, Value};
use takt_testing::Random;

/// A spec of the corpus after a few changes.
pub fn spec(r: &mut Random, corpus: &Corpus) -> String {
    let mut tree = r.pick(&corpus.trees).clone();
    for _ in 0..*r.pick(&[0, 1, 1, 1, 2, 3]) {
        // A number that is a little off is more often read than a map where a name should be.
        let likes_numbers = r.percent(60);
        let at = loop {
            let at = r.below(count(&tree));
            let found = node(&mut tree, &mut { at }).expect("within the tree");
            if found.is_number() || !likes_numbers || r.percent(2) {
                break at;
            }
        };
        change(r, corpus, node(&mut tree, &mut { at }).expect("within the tree"));
    }
    let text = if r.percent(50) {
        serde_json::to_string(&tree)
    } else {
        serde_json::to_string_pretty(&tree)
    };
    text.expect("a tree of JSON")
}

fn change(r: &mut Random, corpus: &Corpus, at: &mut Value) {
    match (r.below(10), at) {
        (0..=2, Value::Object(map)) => {
            let (key, value) = r.pick(&corpus.entries).clone();
            map.insert(key, value);
        }
        (3 | 4, Value::Object(map)) if !map.is_empty() => {
            let key = map.keys().nth(r.below(map.len())).expect("below its length").clone();
            let value = map.shift_remove(&key).expect("a key of the map");
            if r.percent(40) {
                map.insert(r.pick(&corpus.entries).0.clone(), value);
            }
        }
        (0..=2, Value::Array(items)) if !items.is_empty() => {
            let item = items[r.below(items.len())].clone();
            for _ in 0..*r.pick(&[1, 1, 2, 30]) {
                items.push(item.clone());
            }
        }
        (3 | 4, Value::Array(items)) if !items.is_empty() => {
            items.remove(r.below(items.len()));
        }
        (0..=7, Value::Number(number)) => {
            let old: f64 = number.to_string().parse().unwrap_or(0.0);
            // What is too large for a float has no neighbours.
            let near = number_near(r, old).parse();
            *number = near.unwrap_or_else(|_| r.pick(NUMBERS).parse().expect("a number"));
        }
        (5, at) => *at = Value::Array(vec![at.clone()]),
        (6, at) => *at = r.pick(&corpus.entries).1.clone(),
        (7, at) => {
            *at = r.pick(&[Value::Null, Value::Array(vec![]), Value::Object(Map::new())]).clone()
        }
        (_, at) => *at = scalar(r),
    }
}

fn number_near(r: &mut Random, old: f64) -> String {
    match r.below(8) {
        0 => format!("{}", -old),
        1 | 2 => format!("{}", old + 1.0),
        3 | 4 => format!("{}", old - 1.0),
        5 => format!("{}", old * 1000.0),
        6 => format!("{}", old / 7.0),
        _ => (*r.pick(NUMBERS)).to_owned(),
    }
}

fn scalar(r: &mut Random) -> Value {
    match r.below(4) {
        0 => Value::Bool(r.percent(50)),
        1 => Value::Number(r.pick(NUMBERS).parse().expect("a number")),
        _ => Value::String((*r.pick(WORDS)).to_owned()),
    }
}

fn count(tree: &Value) -> usize {
    1 + match tree {
        Value::Object(map) => map.values().map(count).sum(),
        Value::Array(items) => items.iter().map(count).sum(),
        _ => 0,
    }
}

/// The node with this number, counted from the root downwards.
fn node<'a>(tree: &'a mut Value, at: &mut usize) -> Option<&'a mut Value> {
    if *at == 0 {
        return Some(tree);
    }
    *at -= 1;
    match tree {
        Value::Object(map) => map.values_mut().find_map(|value| node(value, at)),
        Value::Array(items) => items.iter_mut().find_map(|item| node(item, at)),
        _ => None,
    }
}
