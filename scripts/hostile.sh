#!/usr/bin/env bash
# Runs the program on many specs, models, tables, schedules and templates that were changed at random,
# and looks for exit codes, words and files that it does not promise.
# usage: scripts/hostile.sh [CASES [FIRST_SEED [FOLDER_FOR_FINDINGS]]]
set -euo pipefail
cd "$(dirname "$0")/.."
export TAKT_HOSTILE_CASES="${1:-20000}" TAKT_HOSTILE_SEED="${2:-100000}"
if [ $# -ge 3 ]; then export TAKT_HOSTILE_KEEP="$3"; fi
cargo test --release --test hostile -- --nocapture
