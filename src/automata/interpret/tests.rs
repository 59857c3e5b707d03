//! Tests on models put together by hand, so that they depend on no other room.

use super::*;
use crate::model::{
    Cell, Channel, ChannelId, Clock, ClockId, ClockTest, Conjunct, Edge, EdgeId, Expr, Location,
    LocationId, Place, Process, ProcessId, Sync, Term,
};
use crate::network::{BinaryOp, Direction, Urgency};
use crate::trace::{EdgeRef, Run, TimedMove};
use takt_diagnostic::Span;

fn term(value: i64) -> Term {
    Term::new(Expr::Const(value), Span::default())
}

/// `x < bound` or `x <= bound`
fn below(clock: u32, bound: i64, is_strict: bool) -> Conjunct {
    test(Some(clock), None, bound, is_strict)
}

/// `x > bound` or `x >= bound`
fn above(clock: u32, bound: i64, is_strict: bool) -> Conjunct {
    test(None, Some(clock), -bound, is_strict)
}

fn test(left: Option<u32>, right: Option<u32>, bound: i64, is_strict: bool) -> Conjunct {
    let (left, right) = (left.map(ClockId), right.map(ClockId));
    let bound = Expr::Const(bound);
    Conjunct::Clock(ClockTest::fixed(left, right, is_strict, bound, Span::default()))
}

fn location(urgency: Urgency, invariant: Vec<Conjunct>) -> Location {
    Location { urgency, invariant, ..Location::default() }
}

fn edge(
    source: u32,
    target: u32,
    guard: Vec<Conjunct>,
    sync: Option<(ChannelId, Direction)>,
) -> Edge {
    Edge {
        source: LocationId(source),
        target: LocationId(target),
        guard,
        sync: sync.map(|(base, direction)| Sync { base, offset: None, direction }),
        ..Edge::default()
    }
}

fn process(mut locations: Vec<Location>, edges: Vec<Edge>) -> Process {
    for (index, edge) in edges.iter().enumerate() {
        locations[edge.source].outgoing.push(EdgeId::at(index));
    }
    Process { locations, edges, ..Process::default() }
}

fn model(processes: Vec<Process>, clocks: usize, channels: Vec<Channel>) -> Model {
    let cells = vec![Cell { hi: 10, ..Cell::default() }; processes.len()];
    let state_len = cells.len() as u32;
    let clocks = vec![Clock::default(); clocks];
    Model { processes, clocks, channels, cells, state_len, ..Model::default() }
}

fn normal() -> Location {
    location(Urgency::Normal, Vec::new())
}

fn time(numerator: i64, denominator: i64) -> Time {
    Time::new(numerator, denominator)
}

fn moves(model: &Model) -> Vec<Vec<(u32, u32)>> {
    let interpreter = Interpreter::new(model);
    let found = interpreter.moves(&interpreter.initial()).unwrap();
    let pairs = |m: &Move| m.edges.iter().map(|e| (e.process.0, e.edge.0)).collect();
    found.iter().map(pairs).collect()
}

const SEND: Option<(ChannelId, Direction)> = Some((ChannelId(0), Direction::Send));
const RECEIVE: Option<(ChannelId, Direction)> = Some((ChannelId(0), Direction::Receive));

fn sender() -> Process {
    process(vec![normal(), normal()], vec![edge(0, 1, vec![], SEND)])
}

fn receiver() -> Process {
    process(vec![normal(), normal()], vec![edge(0, 1, vec![], RECEIVE)])
}

#[test]
fn binary_synchronisation_takes_one_receiver() {
    let model = model(vec![sender(), receiver(), receiver()], 0, vec![Channel::default()]);
    assert_eq!(moves(&model), [vec![(0, 0), (1, 0)], vec![(0, 0), (2, 0)]]);
}

#[test]
fn broadcast_takes_every_receiver_and_all_choices() {
    let two_ways =
        process(vec![normal()], vec![edge(0, 0, vec![], RECEIVE), edge(0, 0, vec![], RECEIVE)]);
    let broadcast = Channel { is_broadcast: true, ..Channel::default() };
    let model = model(vec![sender(), receiver(), two_ways], 0, vec![broadcast]);
    assert_eq!(moves(&model), [vec![(0, 0), (1, 0), (2, 0)], vec![(0, 0), (1, 0), (2, 1)]]);
}

#[test]
fn a_committed_location_goes_first() {
    let committed = location(Urgency::Committed, vec![]);
    let first = process(vec![normal()], vec![edge(0, 0, vec![], None)]);
    let second = process(vec![committed, normal()], vec![edge(0, 1, vec![], None)]);
    let model = model(vec![first, second], 0, vec![]);
    assert_eq!(moves(&model), [vec![(1, 0)]]);
}

#[test]
fn a_blocked_target_neither_exists_nor_blocks_by_priority() {
    let closed = location(Urgency::Normal, vec![below(0, 0, true)]);
    let high =
        Process { priority: 1, ..process(vec![normal(), closed], vec![edge(0, 1, vec![], None)]) };
    let low = process(vec![normal()], vec![edge(0, 0, vec![], None)]);
    let model = model(vec![high, low], 1, vec![]);
    assert_eq!(moves(&model), [vec![(1, 0)]]);
}

#[test]
fn channels_are_compared_before_processes() {
    let strong = Process { priority: 5, ..process(vec![normal()], vec![edge(0, 0, vec![], None)]) };
    let channel = Channel { priority: 1, ..Channel::default() };
    let model = model(vec![sender(), receiver(), strong], 0, vec![channel]);
    assert_eq!(moves(&model), [vec![(0, 0), (1, 0)]]);
}

#[test]
fn invariants_limit_delays() {
    let strict = location(Urgency::Normal, vec![below(0, 3, true)]);
    let model = model(vec![process(vec![strict], vec![])], 1, vec![]);
    let interpreter = Interpreter::new(&model);
    let initial = interpreter.initial();
    assert_eq!(interpreter.limit(&initial), Ok(Limit::At { time: time(3, 1), is_strict: true }));
    assert_eq!(interpreter.delay(&initial, time(3, 1)), Ok(None));
    let later = interpreter.delay(&initial, time(5, 2)).unwrap().unwrap();
    assert_eq!(later.clocks, [time(5, 2)]);
    assert_eq!(interpreter.delay(&later, time(1, 2)), Ok(None));
}

#[test]
fn an_urgent_synchronisation_stops_time_when_its_guards_become_true() {
    let guarded =
        process(vec![normal(), normal()], vec![edge(0, 1, vec![above(0, 2, true)], SEND)]);
    let channel = Channel { is_urgent: true, ..Channel::default() };
    let model = model(vec![guarded, receiver()], 1, vec![channel]);
    let interpreter = Interpreter::new(&model);
    let limit = interpreter.limit(&interpreter.initial()).unwrap();
    assert_eq!(limit, Limit::At { time: time(2, 1), is_strict: false });
}

#[test]
fn an_urgent_synchronisation_stops_time_even_if_its_target_is_closed() {
    let closed = location(Urgency::Normal, vec![below(0, 0, true)]);
    let blocked = process(vec![normal(), closed], vec![edge(0, 1, vec![], SEND)]);
    let channel = Channel { is_urgent: true, ..Channel::default() };
    let model = model(vec![blocked, receiver()], 1, vec![channel]);
    assert!(moves(&model).is_empty());
    let interpreter = Interpreter::new(&model);
    assert_eq!(interpreter.can_delay(&interpreter.initial()), Ok(false));
}

#[test]
fn an_urgent_sender_without_receiver_waits_unless_it_broadcasts() {
    for is_broadcast in [false, true] {
        let channel = Channel { is_urgent: true, is_broadcast, ..Channel::default() };
        let model = model(vec![sender()], 0, vec![channel]);
        let interpreter = Interpreter::new(&model);
        assert_eq!(interpreter.can_delay(&interpreter.initial()), Ok(!is_broadcast));
    }
}

/// A process that counts `n` up from 0 to its range's end, once per visit at x >= 1.
fn counter() -> Model {
    let place = Place::fixed(Addr(1), Span::default());
    let count = Expr::Update(place, BinaryOp::Add, Box::new(Expr::Const(1)), Span::default());
    let mut counting = edge(0, 0, vec![above(0, 1, false)], None);
    counting.update = Some(Term::new(count, Span::default()));
    let mut model = model(vec![process(vec![normal()], vec![counting])], 1, vec![]);
    model.cells.push(Cell { hi: 1, ..Cell::default() });
    model.state_len = 2;
    model
}

fn timed(at: Time) -> TimedMove {
    TimedMove {
        time: at,
        action: Move { edges: vec![EdgeRef { process: ProcessId(0), edge: EdgeId(0) }] },
    }
}

#[test]
fn replay_accepts_what_exists_and_names_what_does_not() {
    let model = counter();
    let run = Run { moves: vec![timed(time(3, 2))], end: time(2, 1) };
    let replayed = replay(&model, &run).unwrap();
    assert_eq!((replayed.end.state, replayed.end.clocks), (vec![0, 1], vec![time(2, 1)]));

    let early = Run { moves: vec![timed(time(1, 2))], end: time(2, 1) };
    let kind = MismatchKind::NotEnabled;
    assert_eq!(replay(&model, &early), Err(Mismatch { step: 0, kind }));

    let back = Run { moves: vec![timed(time(3, 2))], end: time(1, 1) };
    let kind = MismatchKind::Delay { from: time(3, 2), to: time(1, 1) };
    assert_eq!(replay(&model, &back), Err(Mismatch { step: 1, kind }));
}

#[test]
fn leaving_a_range_is_a_fault() {
    let model = counter();
    let run = Run { moves: vec![timed(time(1, 1)), timed(time(1, 1))], end: time(1, 1) };
    let kind = FaultKind::OutOfRange { cell: Addr(1), value: 2 };
    let kind = MismatchKind::Fault(Fault { kind, span: Span::default() });
    assert_eq!(replay(&model, &run), Err(Mismatch { step: 1, kind }));
}

#[test]
fn rates_add_up_over_delays() {
    let priced = |rate| Location { rate: Some(term(rate)), ..normal() };
    let processes = vec![process(vec![priced(2)], vec![]), process(vec![priced(5)], vec![])];
    let model = model(processes, 0, vec![]);
    let interpreter = Interpreter::new(&model);
    let later = interpreter.delay(&interpreter.initial(), time(3, 2)).unwrap().unwrap();
    assert_eq!(later.cost, time(21, 2));
}
