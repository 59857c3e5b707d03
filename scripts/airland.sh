#!/usr/bin/env bash
# Lands the planes of the OR-Library files airland1.txt to airland7.txt in DIR on one and more
# runways and compares what that costs with the published optima.
# usage: scripts/airland.sh DIR [TIME]
# TAKT and AIRLAND name the two programs; built here if they are not set. RULES=false asks for
# the models without the rules that leave out landings no optimum needs.
set -euo pipefail
cd "$(dirname "$0")/.."
dir="${1:?usage: scripts/airland.sh DIR [TIME]}" time="${2:-60s}"
if [ -z "${TAKT:-}" ] || [ -z "${AIRLAND:-}" ]; then
    cargo build --quiet --release --bin takt --example airland
fi
takt="${TAKT:-target/release/takt}" airland="${AIRLAND:-target/release/examples/airland}"

# Beasley et al., "Scheduling Aircraft Landings: The Static Case", table 1: by number of runways.
optima=(
    [1]="700 90 0" [2]="1480 210 0" [3]="820 60 0" [4]="2520 640 130 0"
    [5]="3100 650 170 0" [6]="24442 554 0" [7]="1550 0 0"
)
field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\).*/\1/p" | head -1; }

printf '%-10s %7s %8s %9s %9s %9s %9s\n' file runways value expected explored stored seconds
wrong=0
for n in "${!optima[@]}"; do
    runways=0
    for expected in ${optima[$n]}; do
        runways=$((runways + 1))
        answer=$("$airland" "$dir/airland$n.txt" $runways |
            sed "s/^const bool RULES = true/const bool RULES = ${RULES:-true}/" |
            "$takt" check - -q 'inf{forall (i : plane_t) Plane(i).done}: cost' --json --time "$time") || true
        value=$(field value <<<"$answer")
        [ "$value" = "$expected" ] || wrong=$((wrong + 1))
        printf '%-10s %7s %8s %9s %9s %9s %9s\n' "airland$n" $runways "${value:-?}" "$expected" \
            "$(field explored <<<"$answer")" "$(field stored <<<"$answer")" "$(field seconds <<<"$answer")"
    done
done
[ $wrong -eq 0 ] || { echo "$wrong published optima were not found"; exit 1; }
