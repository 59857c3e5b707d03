#!/usr/bin/env bash
# Checks licences, sources and known faults of everything the program is built from. cargo-deny is
# installed if it is not there; the database of faults is used where it can be had.
# usage: scripts/supply.sh
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-deny > /dev/null || cargo install --locked cargo-deny
cargo deny check licenses bans sources
if ! cargo deny fetch db > /dev/null 2>&1; then
    echo "advisories: not checked, as the database cannot be had here" >&2
    exit 0
fi
cargo deny check advisories
