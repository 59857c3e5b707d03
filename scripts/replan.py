#!/usr/bin/env python3
"""Replans a shop of 300 orders after a breakdown, and says what becomes of it.

    scripts/replan.py [--takt target/release/takt] [--time 10] [--threads 2] [--shop shifts-300] [--keep DIR]

The shop is one of `shops.py`. It is planned; on the second morning a mill is down for three days, all that starts within
four hours is fixed, and the rest is planned anew: without the earlier plan, with it at no cost, and with costs for
what is moved. Exits 1 if a first schedule takes more than 2 s of computing, what is fixed has moved, or with the
earlier plan at no cost the value is more than 5 percent above that of planning anew.
"""

import argparse
import csv
import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import shops

NOW, UNTIL = "2026-01-06T06:00", "2026-01-06T10:00"
UNTIL_UNITS = 28 * 60
DOWN = "2026-01-06T06:00..2026-01-09T06:00"


def broken(spec, machine):
    """The same spec on the second morning, with the calendar of a machine closed for three days."""
    line = next(line for line in spec.splitlines() if line.startswith(f"  {machine}:"))
    shift = re.search(r"calendar: (\w+)", line).group(1)
    calendar = next(row for row in spec.splitlines() if row.startswith(f"  {shift}:"))
    down = calendar.replace(f"  {shift}:", "  down:").rstrip("}") + f"}}, closed: [{DOWN}]}}"
    spec = spec.replace(calendar, f"{calendar}\n{down}").replace(line, line.replace(f"calendar: {shift}", "calendar: down"))
    return spec + f"now: {NOW}\nfixed: {{file: first/schedule.csv, until: {UNTIL}}}\n"


def solve(takt, folder, name, spec, seconds, threads, *more):
    (folder / f"{name}.yaml").write_text(spec)
    command = [takt, "solve", folder / f"{name}.yaml", "--out", folder / name, "--json", "--time", f"{seconds}s"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(part) for part in [*command, "--threads", threads, *more]], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows(folder, name):
    with open(folder / name / "schedule.csv") as table:
        keys = ["order", "step", "resource", "unit", "start", "end"]
        return [tuple(row[key] for key in keys) for row in csv.DictReader(table) if row["kind"] == "step"]


def replan(options, folder):
    spec, table = shops.shop(options.shop)
    (folder / "orders.csv").write_text(table)
    first, _ = solve(options.takt, folder, "first", spec, options.time, options.threads)
    day_two = broken(spec, options.machine)
    former = "previous: {file: first/schedule.csv"
    plans = {
        "anew": day_two,
        "near": day_two + former + "}\n",
        "costly": day_two + former + ", move-cost: 1/h, unit-cost: 20}\n",
    }
    fixed = {row for row in rows(folder, "first") if int(row[4]) < UNTIL_UNITS}
    print(f"{options.shop}: first value {first['value']}, {len(fixed)} rows fixed")
    values, failed = {}, False
    for name, text in plans.items():
        _, quick = solve(options.takt, folder, name, text, 1, 1)
        answer, _ = solve(options.takt, folder, name, text, options.time, options.threads)
        has_kept = fixed <= set(rows(folder, name))
        moves = answer.get("moves") or {}
        values[name] = answer["value"]
        told = f"{moves.get('steps', '-')} steps of {len(moves.get('orders', []))} orders moved"
        print(f"{name:7} value {answer['value']:>9} with 1 s: {quick:.1f} s of computing, fixed rows kept: {has_kept}, {told}")
        failed |= not has_kept
    ratio = values["near"] / max(values["anew"], 1)
    print(f"with the earlier plan at no cost: {100 * ratio:.1f} % of planning anew")
    return failed or ratio > 1.05


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", default="target/release/takt")
    parser.add_argument("--time", type=float, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--shop", default="shifts-300")
    parser.add_argument("--machine", default="m3")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        return 1 if replan(options, folder) else 0


if __name__ == "__main__":
    sys.exit(main())
