#!/usr/bin/env bash
# Compares the engine with the brute-force oracle on many random networks.
# usage: scripts/oracle.sh [CASES [FIRST_SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."
export TAKT_ORACLE_CASES="${1:-20000}" TAKT_ORACLE_SEED="${2:-100000}"
cargo test --release --test oracle -- --nocapture
