#!/usr/bin/env bash
# Counts the files that know one of each kind of thing, tests and pages left out: about what adding
# another of its kind touches. The tables of CONTRIBUTING.md are made with it.
# usage: scripts/touched.sh [-l]      -l lists the files
set -euo pipefail
cd "$(dirname "$0")/.."
list=${1:-}

# count WHAT EXAMPLE PATTERN [EXCEPT]: EXCEPT are files that use the word for something else.
count() {
    local files
    files=$(grep -rlE "$3" src templates grammar | grep -vE "/tests/|tests\.rs$|\.snap$|${4:-^$}" | sort)
    printf '| %s | %s | %s |\n' "$1" "$2" "$(wc -l <<<"$files")"
    [ "$list" != -l ] || sed 's/^/    /' <<<"$files"
}

echo "| what | counted on | files |"
echo "|---|---|--:|"
count "a key of specs that is a number" "\`performance\`" '\bperformance\b'
count "a cost" "\`run-cost\`" 'run[_-]cost'
count "a construct of plants with rows of its own" "holds" '\.holds\b|\bHold\b|holds:|hold\.xta' 'automata|scanner|layout|policy|cli/safe|pipeline/check'
count "a heuristic" "\`max-active\`" 'MaxActive|max[-_]?active'
count "an output file" "\`orders.csv\`" 'orders\.csv|orders_csv' 'spec/decode'
count "a search order" "\`diving\`" '\bDiving\b'
count "an operator of expressions" "\`imply\`" '\bImply\b'
count "a kind of query" "\`E[]\`" 'PotentiallyAlways'
