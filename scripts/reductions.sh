#!/usr/bin/env bash
# Prints what symmetry reduction and acceleration make of the gallery: states, seconds, megabytes.
# usage: scripts/reductions.sh [-t TIME] [symmetry | 2.1 | 2.2 | agreement]...
#   -t  limit of each run, 60s unless told
# symmetry: Fischer, CSMA/CD and the timeout task over scalar sets; 2.1 and 2.2: the tables of
# Hendriks' thesis on byte code; agreement: the instances of its section 7.5.2, with the convex hull.
# TAKT names the program; a release build is made here if it is not set.
set -euo pipefail
cd "$(dirname "$0")/.."
limit=60s
while getopts t: option; do
    case $option in
        t) limit=$OPTARG ;;
        *) sed -n '3,6s/^# //p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ -z "${TAKT:-}" ]; then
    cargo build --release --quiet
    TAKT=target/release/takt
fi
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# measure LABEL MODEL EDIT [OPTION]...: changes constants of a gallery model and prints one line.
measure() {
    local label=$1 model=$2 edit=$3
    shift 3
    sed "$edit" "specs/automata/$model.xta" > "$folder/model.xta"
    "$TAKT" check "$folder/model.xta" --json --quiet --time "$limit" "$@" > "$folder/out.json" || true
    local pick='s/.*"verdict":"\([a-z]*\)".*/\1/p'
    field() { grep -o "\"$1\":[^,}]*" "$folder/out.json" | tail -1 | cut -d: -f2; }
    printf '%-44s %-10s %10s stored %8s s %6s MB\n' "$label" "$(sed -n "$pick" "$folder/out.json")" \
        "$(field stored)" "$(field seconds)" "$(field memory_mb)"
}

mutex='A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j'
timeouts='A[] (Process.halted && Process.x > T) imply (Observer.halted || has_halted)'
for table in "${@:-symmetry 2.1 2.2 agreement}"; do for part in $table; do case $part in
    symmetry)
        for n in 5 10 20 50 100; do
            measure "Fischer $n" fischer-scalar "s/N = 3/N = $n/" -q "$mutex"
        done
        for n in 5 10 20 50; do
            measure "CSMA/CD $n" csma-cd-scalar "s/N = 3/N = $n/" -q 'A[] true'
        done
        for n in 4 6 10 20 30; do
            measure "timeout task $n" timeout-scalar "s/messages = 4/messages = $n/" -q "$timeouts"
        done ;;
    2.1)
        for large in 1000 10000 100000 1000000; do for switch in off on; do
            measure "table 2.1, $large, acceleration $switch" byte-code "s/LARGE = 10000/LARGE = $large/" \
                -q 'A[] true' --order bfs --accelerate $switch
        done; done ;;
    2.2)
        for large in 1000 10000 100000 1000000 10000000; do
            for how in 'bfs off' 'dfs off' 'bfs on'; do
                measure "table 2.2, $large, $how" byte-code "s/LARGE = 10000/LARGE = $large/" \
                    -q 'E<> Env.S3' --order "${how% *}" --accelerate "${how#* }"
            done
        done ;;
    agreement)
        sed -n '1,12p' specs/automata/agreement.q > "$folder/properties.q"
        for c in '1 1 0 1 2 3 5 10' '1 2 0 1 2 3 5 10' '9 10 5 9 10 11 15 20 50 100'; do
            read -r c1 c2 delays <<< "$c"
            for d in $delays; do for f in 0 1; do
                edit="s/int f = 1/int f = $f/;s/int c1 = 1/int c1 = $c1/;s/int c2 = 1/int c2 = $c2/;s/int d = 0/int d = $d/"
                measure "7.3 to 7.6, f=$f c1=$c1 c2=$c2 d=$d" agreement "$edit" --hull \
                    --query-file "$folder/properties.q"
            done; done
        done ;;
    *) sed -n '3,6s/^# //p' "$0" >&2; exit 2 ;;
esac; done; done
