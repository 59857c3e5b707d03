#!/usr/bin/env bash
# The zone engine beside TChecker: the whole zone graph of four models, one thread, breadth first.
#
# usage: scripts/tchecker.sh TCK_REACH EXAMPLES [ROUNDS [MODEL=N ...]]
#   TCK_REACH  TChecker's tck-reach, a release build
#   EXAMPLES   the folder with TChecker's generators (fischer.sh, csmacd.sh, ...)
#   ROUNDS     how often each is run, in turns (default 3); the fastest run counts
#   MODEL=N    fischer, csma-cd, train-gate, critical-region (default: 10, 11, 5, 4)
#
# Wall time and peak memory of both processes are measured by /usr/bin/time. TAKT names the program
# (default: target/release/takt).
set -euo pipefail

reach=${1:?"the path of tck-reach"}
examples=${2:?"the folder with TChecker's generators"}
rounds=${3:-3}
shift $(($# < 3 ? $# : 3))
sizes=("$@")
[ ${#sizes[@]} -gt 0 ] || sizes=(fischer=10 csma-cd=11 train-gate=5 critical-region=4)

here=$(cd "$(dirname "$0")/.." && pwd)
takt=${TAKT:-$here/target/release/takt}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ours NAME: where our model of that name is; theirs NAME: their generator.
ours() { [ "$1" = train-gate ] && echo "$here/benches/models/$1.xta" || echo "$here/specs/automata/$1.xta"; }
theirs() {
    case $1 in
        csma-cd) echo csmacd.sh ;;
        train-gate) echo train_gate.sh ;;
        *) echo "$1.sh" ;;
    esac
}

# run COMMAND...: its output in $work/out, "SECONDS KILOBYTES" in $work/cost.
run() { /usr/bin/time -q -f '%e %M' -o "$work/cost" "$@" >"$work/out"; }

# faster FILE: keeps the cost of the fastest run in FILE.
faster() {
    if [ ! -s "$1" ] || awk 'NR == FNR { old = $1; next } { exit !($1 < old) }' "$1" "$work/cost"; then
        cp "$work/cost" "$1"
    fi
}

printf '%-18s %9s %9s  %8s %8s  %7s %7s  %6s %6s\n' \
    model stored theirs seconds theirs MB theirs faster smaller
for size in "${sizes[@]}"; do
    name=${size%=*} n=${size#*=}
    sed "s/^const int N = [0-9]*;/const int N = $n;/" "$(ours "$name")" >"$work/model.xta"
    bash "$examples/$(theirs "$name")" "$n" >"$work/model.txt"
    rm -f "$work"/best.*
    for ((round = 0; round < rounds; round++)); do
        run "$takt" check "$work/model.xta" -q 'A[] true' --threads 1 --json
        faster "$work/best.ours"
        grep -q '"verdict":"satisfied"' "$work/out"
        stored=$(sed 's/.*"stored":\([0-9]*\).*/\1/' "$work/out")
        run "$reach" -a covreach -s bfs "$work/model.txt"
        faster "$work/best.theirs"
        grep -q 'REACHABLE false' "$work/out"
        other=$(awk '$1 == "STORED_STATES" { print $2 }' "$work/out")
    done
    read -r seconds kilobytes <"$work/best.ours"
    read -r their_seconds their_kilobytes <"$work/best.theirs"
    awk -v name="$name $n" -v a="$stored" -v b="$other" -v s="$seconds" -v t="$their_seconds" \
        -v m="$kilobytes" -v k="$their_kilobytes" 'BEGIN {
            printf "%-18s %9d %9d  %8.2f %8.2f  %7.1f %7.1f  %5.1fx %5.1fx\n",
                name, a, b, s, t, m / 1024, k / 1024, t / s, k / m }' | tee -a "$work/table"
done
awk '{ sum += log($(NF - 1)) } END { printf "geometric mean: %.1f times as fast\n", exp(sum / NR) }' \
    <(sed 's/x\b//g' "$work/table")
