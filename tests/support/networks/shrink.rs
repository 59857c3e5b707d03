//! Makes a failing sample smaller by dropping what the failure does not need.

use super::sample::Sample;

/// Drops pieces one at a time as long as `fails` stays true, until none can go.
pub fn shrink(sample: Sample, fails: impl Fn(&Sample) -> bool) -> Sample {
    let mut smallest = sample;
    loop {
        let before = smallest.to_string();
        for drop in [
            drop_query,
            drop_process,
            drop_edge,
            drop_conjunct,
            drop_update,
            drop_sync,
            drop_urgency,
        ] {
            let mut at = 0;
            loop {
                let mut smaller = smallest.clone();
                if !drop(&mut smaller, at) {
                    break;
                }
                if fails(&smaller) {
                    smallest = smaller;
                } else {
                    at += 1;
                }
            }
        }
        if smallest.to_string() == before {
            return smallest;
        }
    }
}

/// Each of these drops the piece with number `at`, or says that there is no such piece.
fn drop_query(sample: &mut Sample, at: usize) -> bool {
    let has_piece = at < sample.further.len();
    if has_piece {
        sample.further.remove(at);
    }
    has_piece
}

fn drop_process(sample: &mut Sample, at: usize) -> bool {
    // The last one only: names of the others stay as the query knows them.
    if at > 0 || sample.processes.len() < 2 {
        return false;
    }
    sample.processes.pop();
    sample.separators.pop();
    true
}

fn drop_edge(sample: &mut Sample, mut at: usize) -> bool {
    for process in &mut sample.processes {
        if at < process.edges.len() {
            process.edges.remove(at);
            return true;
        }
        at -= process.edges.len();
    }
    false
}

fn drop_conjunct(sample: &mut Sample, at: usize) -> bool {
    let processes = sample.processes.iter_mut();
    let lists = processes.flat_map(|process| {
        let invariants = process.locations.iter_mut().map(|location| &mut location.invariant);
        invariants.chain(process.edges.iter_mut().map(|edge| &mut edge.guard))
    });
    drop_from(lists, at)
}

fn drop_update(sample: &mut Sample, at: usize) -> bool {
    let edges = sample.processes.iter_mut().flat_map(|process| process.edges.iter_mut());
    drop_from(edges.map(|edge| &mut edge.update), at)
}

fn drop_from<'a>(lists: impl Iterator<Item = &'a mut Vec<String>>, mut at: usize) -> bool {
    for list in lists {
        if at < list.len() {
            list.remove(at);
            return true;
        }
        at -= list.len();
    }
    false
}

fn drop_sync(sample: &mut Sample, at: usize) -> bool {
    let edges = sample.processes.iter_mut().flat_map(|process| process.edges.iter_mut());
    match edges.filter(|edge| edge.sync.is_some()).nth(at) {
        Some(edge) => {
            edge.sync = None;
            true
        }
        None => false,
    }
}

fn drop_urgency(sample: &mut Sample, at: usize) -> bool {
    let places = sample.processes.iter_mut().flat_map(|process| process.locations.iter_mut());
    match places.filter(|place| place.urgency.is_some()).nth(at) {
        Some(place) => {
            place.urgency = None;
            true
        }
        None => false,
    }
}
