#!/usr/bin/env bash
# Prints the two tables of the lacquer case study, our figures beside the published ones: 6.1, how
# long it takes to find a schedule without delay, and 6.2, what schedules cost within a given time.
# usage: scripts/lacquer.sh [-t TIME] [-e ENGINE] [-r TIME] [-s SEEDS] [6.1 | 6.2]
#   -t  limit of each cell of table 6.1, 10s unless told
#   -e  auto (what `takt solve` does by itself) or zones (the search on the automata alone)
#   -r  time of each run of table 6.2, 10s unless told
#   -s  runs per version of table 6.2, 10 unless told
# TAKT names the program; a release build is made here if it is not set.
set -euo pipefail
cd "$(dirname "$0")/.."
limit=10s engine=auto run=10s seeds=10
while getopts t:e:r:s: option; do
    case $option in
        t) limit=$OPTARG ;; e) engine=$OPTARG ;; r) run=$OPTARG ;; s) seeds=$OPTARG ;;
        *) sed -n '4,9s/^# //p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
tables="${1:-6.1 6.2}"
[ -n "${TAKT:-}" ] || cargo build --quiet --release --bin takt
takt="${TAKT:-target/release/takt}"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# From one line of JSON; a text may have commas in it.
text() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" | head -1; }
field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\).*/\1/p" | head -1; }

# The spec of a cell: plant, orders, copies "in a row" or "at once", heuristics.
spec() { # COLUMN ORDERS VERSION HEURISTICS
    local file=73 copies=1 all=
    [ "$2" = 29 ] && file=29
    copies=$(($2 / file))
    [ "$3" = 3 ] && all=", count: $copies, every: 2598h"
    [ "$3" = 4 ] && all=", count: $copies"
    echo "takt: 1"
    echo "extends: specs/lacquer/$1.yaml"
    echo "orders: [{file: specs/lacquer/orders-$file.csv, deadline: wanted$all}]"
    echo "heuristics: [$4]"
    [ "$3" = 4 ] || return 0
    echo "resources:"
    local kind
    for kind in spinner:2 lab:2 filling:2 vessel-metal:3 vessel-uni:4 bronce-spinner:1 \
        bronce-mixer:1 disperser:1 line:2 shelf:7; do
        echo "  ${kind%:*}: {capacity: $((${kind#*:} * copies))}"
    done
}

# What became of a run, in a word.
word() { # STATUS REASON
    case $1 in
        optimal | restricted | feasible) echo found ;;
        infeasible) echo none ;;
        *) case $2 in *keep*) echo cut ;; *) echo - ;; esac ;;
    esac
}

# The summary of a run in one line. No schedule (1) and no answer in time (3) are results; anything
# else, a program that is missing or fails, ends the script: its figures would be none.
solve() { # ARGUMENTS
    local code=0
    "$takt" solve "$@" --json --quiet --engine "$engine" --threads 1 --out "$out/x" \
        >"$out/answer" 2>"$out/error" || code=$?
    case $code in
        0 | 1 | 3) tr '\n' ' ' <"$out/answer" ;;
        *) echo "solve $*: exit code $code" >&2; cat "$out/error" "$out/answer" >&2; exit 2 ;;
    esac
}

cell() { # COLUMN ORDERS VERSION HEURISTICS PUBLISHED
    local answer
    spec "$1" "$2" "$3" "$4" >"$out/spec"
    answer=$(solve - --time "$limit" <"$out/spec")
    printf ' |%7.2f %5d %-6s%6s' "$(field seconds <<<"$answer")" "$(field memory_mb <<<"$answer")" \
        "$(word "$(field status <<<"$answer")" "$(text reason <<<"$answer")")" "$5"
}

# version, orders, heuristics, active orders, published seconds per column
rows="
1 29 - - - 78.0 - -
1 29 nl - - 0.3 1.5 3.5
1 29 nl no - 0.3 2.5 2.6
1 29 g - - 0.2 2.8 -
1 29 g no - 0.2 2.9 -
2 73 - - - - - -
2 73 nl - - - - -
2 73 nl no - 24.6 - -
2 73 nl no 3 0.4 - -
2 73 nl no 4 1.1 0.4 0.3
2 73 nl no 5 4.4 0.6 0.9
2 73 g - - 15.0 - -
2 73 g no - 9.2 43.3 30.5
2 73 g no 3 0.3 165.1 -
2 73 g no 4 0.4 0.3 0.3
2 73 g no 5 2.2 0.4 6.8
3 146 g no 4 1.3 0.9 0.8
3 584 g no 4 37.7 21.2 18.6
3 1168 g no 4 166.4 92.1 80.7
3 2044 g no 4 565.4 311.6 271.9
4 146 g no 5 9.7 - -
4 146 g no 6 167.8 - -
4 146 g no 7 - 21.0 -
4 146 g no 8 - 18.2 12.6
4 219 g no 8 - - -
4 219 g no 9 - - 347.9
4 219 g no 10 - - -
"

feasibility() {
    echo "Table 6.1: schedules without delay (engine $engine, limit $limit)"
    echo "Each cell: our seconds, MB and result, then the published seconds (- for none)."
    echo "found: a schedule; none: proved that there is none; cut: proved that the heuristics keep"
    echo "none; -: the limit came first."
    echo
    printf '%-25s' "version orders rules act"
    printf ' |%-26s' " no av, no pf" " av, no pf" " av, pf"
    echo
    local version orders rule other active none av both rules
    while read -r version orders rule other active none av both; do
        [ -n "$version" ] || continue
        rules=
        case $rule in nl) rules=non-lazy ;; g) rules=greedy ;; esac
        [ "$other" != no ] || rules="$rules, non-overtaking"
        [ "$active" = - ] || rules="$rules, {max-active: $active}"
        printf '%-7s %6s %-5s %3s ' "$version" "$orders" "$rule $other" "$active"
        cell plant "$orders" "$version" "$rules" "$none"
        cell av "$orders" "$version" "$rules" "$av"
        cell av-pf "$orders" "$version" "$rules" "$both"
        echo
    done <<<"$rows"
}

costs() {
    echo "Table 6.2: cost within $run a run (published: 10 min for versions 5 and 6, 10 s for 7)"
    echo
    printf '%-8s %6s | %9s %12s %12s %12s | %9s %9s %9s\n' version orders runs lowest average bound \
        runs lowest average
    local version published values bounds answer seed
    while read -r version published; do
        values= bounds=
        for seed in $(seq "$seeds"); do
            answer=$(solve "specs/lacquer/v$version.yaml" --seed "$seed" --time "$run")
            values="$values $(field value <<<"$answer" | grep -v null || true)"
            bounds="$bounds $(field bound <<<"$answer" | grep -v null || true)"
        done
        awk -v v="$values" -v b="$bounds" -v seeds="$seeds" -v version="$version" -v p="$published" '
            BEGIN {
                n = split(v, value, " "); split(p, old, " "); low = value[1]; m = split(b, bound, " ")
                for (i = 1; i <= n; i++) { sum += value[i]; if (value[i] < low) low = value[i] }
                for (i = 1; i <= m; i++) if (bound[i] > high) high = bound[i]
                lowest = n ? sprintf("%d", low) : "-"; average = n ? sprintf("%d", sum / n) : "-"
                printf "%-8s %6d | %9s %12s %12s %12d | %9s %9s %9s\n", version, 29, n "/" seeds,
                    lowest, average, high, old[1], old[2], old[3]
            }'
    done <<<"5 10/10 11e6 13e6
6 10/10 2.1e6 2.7e6
7 3/10 80e6 81e6"
}

case "$tables" in *6.1*) feasibility ;; esac
case "$tables" in "6.1 6.2") echo ;; esac
case "$tables" in *6.2*) costs ;; esac
