#!/usr/bin/env bash
# Prints what symmetry reduction and acceleration make of the gallery: states, seconds, megabytes.
# usage: scripts/reductions.sh [-t TIME] [symmetry | 2.1 | 2.2 | agreement]...
#   -t  limit of each run, 60s unless told
# symmetry: Fischer, CSMA/CD and the timeout task over scalar sets, and without; 2.1 and 2.2: the
# tables of Hendriks' thesis on byte code; agreement: the instances of its section 7.5.2, with the
# convex hull (7.3 to 7.6), and the three least delays of each series exactly (7.7).
# TAKT names the program; a release build is made here if it is not set.
set -euo pipefail
cd "$(dirname "$0")/.."
limit=60s
while getopts t: option; do
    case $option in
        t) limit=$OPTARG ;;
        *) sed -n '3,7s/^# //p' "$0" >&2; exit 2 ;;
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
    field() { grep -o "\"$1\":[^,}]*" "$folder/out.json" | tail -1 | cut -d: -f2; }
    printf '%-44s %-10s %10s stored %8s s %6s MB\n' "$label" "$(grep -o '"verdict":"[a-z]*' "$folder/out.json" | cut -d'"' -f4 | sort -u | tr '\n' ' ')" \
        "$(field stored)" "$(field seconds)" "$(field memory_mb)"
}

mutex='A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j'
sed -n '1,5p' specs/automata/timeout-scalar.q > "$folder/timeouts.q"
sed -n '1,12p' specs/automata/agreement.q > "$folder/agreement.q"
deadlocks=$(sed -n '/(7.7)/{n;p}' specs/automata/agreement.q)
for table in "${@:-symmetry 2.1 2.2 agreement}"; do for part in $table; do case $part in
    symmetry)
        for n in 5 10 20 50 100; do
            measure "Fischer $n" fischer-scalar "s/N = 3/N = $n/" -q "$mutex"
        done
        for n in 5 10 20 50; do
            measure "CSMA/CD $n" csma-cd-scalar "s/N = 3/N = $n/" -q 'A[] true'
        done
        for n in 4 6 10 20 30; do
            measure "timeout task $n" timeout-scalar "s/messages = 4/messages = $n/" \
                --query-file "$folder/timeouts.q"
        done
        for n in 4 5 6; do
            measure "timeout task $n, symmetry off" timeout-scalar "s/messages = 4/messages = $n/" \
                --query-file "$folder/timeouts.q" --symmetry off
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
        for c in '1 1 0 1 2 3 5 10' '1 2 0 1 2 3 5 10' '9 10 5 9 10 11 15 20 50 100'; do
            read -r c1 c2 delays <<< "$c"
            for f in 0 1; do
                count=0
                for d in $delays; do
                    edit="s/int f = 1/int f = $f/;s/int c1 = 1/int c1 = $c1/;s/int c2 = 1/int c2 = $c2/;s/int d = 0/int d = $d/"
                    measure "7.3 to 7.6, f=$f c1=$c1 c2=$c2 d=$d" agreement "$edit" --hull \
                        --query-file "$folder/agreement.q"
                    [ $((count++)) -ge 3 ] || measure "7.7, f=$f c1=$c1 c2=$c2 d=$d" agreement "$edit" -q "$deadlocks"
                done
            done
        done ;;
    *) sed -n '3,7s/^# //p' "$0" >&2; exit 2 ;;
esac; done; done
