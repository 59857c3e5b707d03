#!/usr/bin/env python3
"""Counts states and writes docs/figures.md, with the day and the build they were counted on.

usage: scripts/figures.py
TAKT names the program, COMMIT what it was built from; without TAKT a release build is made here.
"""

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRICED = ROOT / "specs/automata/priced"
# Fischer's protocol with that many interchangeable processes: zones that share rows.
FISCHER = 100
MUTEX = "A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j"


def takt():
    if "TAKT" in os.environ:
        return os.environ["TAKT"]
    subprocess.run(["cargo", "build", "--quiet", "--release", "--bin", "takt"], cwd=ROOT, check=True)
    return str(ROOT / "target/release/takt")


def check(program, model, query, *options):
    """The answer to one query, found by one thread, so that counts repeat."""
    call = [program, "check", "-", "-q", query, "--json", "--quiet", "--threads", "1", *options]
    ran = subprocess.run(call, input=model, capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        sys.exit(f"{' '.join(call)}\n{ran.stderr}")
    return json.loads(ran.stdout)["queries"][0]


def queries(path):
    lines = (line.strip() for line in path.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("//")]


def priced(program):
    yield "| model | query | value | best first: explored | stored | breadth first: explored | stored |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for path in sorted(PRICED.glob("*.xta")):
        model = path.read_text()
        for query in queries(path.with_suffix(".q")):
            best = check(program, model, query)
            breadth = check(program, model, query, "--order", "bfs")
            counts = [f"{found[key]}" for found in (best, breadth) for key in ("explored", "stored")]
            shown = query.replace("|", "\\|")
            yield f"| `{path.stem}` | `{shown}` | {best.get('value', best['verdict'])} | {' | '.join(counts)} |"


def fischer(program):
    model = (ROOT / "specs/automata/fischer-scalar.xta").read_text()
    model = model.replace("const int N = 3;", f"const int N = {FISCHER};")
    found = check(program, model, MUTEX)
    yield f"{FISCHER} processes: {found['verdict']}, {found['stored']} states stored, {found['memory_mb']} MB."


def loops(program):
    yield "| model | explored | stored | `--store loops`: explored | stored |"
    yield "|---|--:|--:|--:|--:|"
    for name in ("fischer", "csma-cd", "train-gate", "critical-region"):
        model = (ROOT / f"specs/automata/{name}.xta").read_text()
        every, some = (check(program, model, "A[] true", *options) for options in ((), ("--store", "loops")))
        yield f"| `{name}` | {every['explored']} | {every['stored']} | {some['explored']} | {some['stored']} |"


def build(program):
    def told(*call):
        return subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    commit = os.environ.get("COMMIT") or told("git", "describe", "--always", "--dirty")
    return f"{told(program, '--version')} at {commit}"


def main():
    program = takt()
    lines = [
        "# Figures",
        "",
        f"Counted by `scripts/figures.py` on {datetime.date.today()} with {build(program)}, one thread.",
        "Counts repeat on every machine; they change with the search.",
        "",
        "## Priced models",
        "",
        *priced(program),
        "",
        "Best first is with dives, the default.",
        "",
        "## Fischer's protocol over a scalar set",
        "",
        *fischer(program),
        "",
        "## Keeping the states of loops alone",
        "",
        *loops(program),
    ]
    (ROOT / "docs/figures.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
