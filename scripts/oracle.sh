#!/usr/bin/env bash
# Compares the engine with the brute-force oracle on many random networks, and its reductions,
# approximations, orders and threads with each other on half as many.
# usage: scripts/oracle.sh [CASES [FIRST_SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."
cases="${1:-20000}" first="${2:-100000}"
export TAKT_ORACLE_CASES="$cases" TAKT_ORACLE_SEED="$first"
export TAKT_CROSSINGS="$((cases / 2))" TAKT_CROSSING_SEED="$first"
cargo test --release -p takt-automata --test automata -- --nocapture oracle:: crossing::
