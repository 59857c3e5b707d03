#!/usr/bin/env python3
"""Runs takt on shops of its own, 50 to 5000 orders, and prints the value after 1, 2, 5, 10 and 30 s, what the
best rule gave, the bound, and the memory.

    scripts/shops.py [--takt target/release/takt] [--time 30] [--threads 2] [--only tight-300,...] [--keep DIR] [--list]

The list is fixed and every shop comes from a generator with a seed. A shop has machines, some of them several of a kind,
recipes of three to six steps, orders that arrive one after the other, and due dates that are tight or loose. Exits 1 if
a value after 2 s is above that of the best rule, or a schedule is not valid.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MARKS = [1, 2, 5, 10, 30]

# name: orders, machines, tightness (flow allowance in times of the work), load of the bottlenecks, bottlenecks, setups, shifts
SHOPS = {
    "loose-50": (50, 8, 6.0, 0.9, 1, False, False),
    "tight-50": (50, 8, 2.0, 1.0, 3, False, False),
    "setups-50": (50, 6, 3.0, 1.0, 1, True, False),
    "loose-150": (150, 10, 6.0, 0.9, 1, False, False),
    "tight-150": (150, 10, 2.0, 1.0, 3, False, False),
    "setups-150": (150, 8, 3.0, 1.0, 2, True, True),
    "tight-300": (300, 12, 2.5, 0.9, 2, False, False),
    "shifts-300": (300, 12, 2.5, 0.9, 2, False, True),
    "setups-300": (300, 10, 3.0, 1.0, 2, True, True),
    "loose-1000": (1000, 20, 6.0, 0.95, 3, False, True),
    "tight-1500": (1500, 20, 2.5, 0.9, 3, False, False),
    "overload-1500": (1500, 20, 2.5, 1.0, 3, False, False),
    "shifts-1500": (1500, 20, 2.5, 0.9, 3, False, True),
    "setups-2000": (2000, 20, 3.0, 1.0, 3, True, True),
    "shifts-5000": (5000, 30, 3.0, 1.0, 3, False, True),
}


def shop(name):
    """A spec, and its table of orders."""
    count, machines, tightness, load, bottlenecks, has_setups, has_shifts = SHOPS[name]
    draw = random.Random(name)
    families = ["red", "green", "blue", "grey"]
    lines = ["takt: 1", f"name: {name}", "time: {unit: minute, start: 2026-01-05T06:00}"]
    if has_shifts:
        lines += ["calendars:", '  two: {weekly: {Mon-Fri: ["06:00-22:00"]}}', '  three: {weekly: {Mon-Sat: ["00:00-24:00"]}}']
    lines.append("resources:")
    units = []
    for k in range(machines):
        units.append(1 if k < bottlenecks else draw.choice([1, 1, 2, 3]))
        parts = [f"capacity: {units[k]}"]
        if has_shifts:
            parts.append(f"calendar: {'three' if k < bottlenecks else 'two'}")
        if has_setups and k % 4 == 0:
            units[k] = 2 if k else 1
            parts[0] = "units: [A, B]" if k else "units: [A]"
            rows = ", ".join(f"{a}: {{{', '.join(f'{b}: {{time: {draw.randint(10, 40)}}}' for b in families if b != a)}}}" for a in families)
            parts.append(f"setup: {{matrix: {{{rows}}}}}")
        lines.append(f"  m{k}: {{{', '.join(parts)}}}")
    # Work by the piece; each recipe goes over one bottleneck.
    lines.append("recipes:")
    recipes, works = [], []
    for r in range(8):
        others = draw.sample(range(bottlenecks, machines), draw.randint(2, 5))
        way = others[:]
        way.insert(draw.randint(0, len(way)), r % bottlenecks)
        steps, work = [], []
        for number, machine in enumerate(way):
            base, piece = draw.randint(5, 20), draw.choice([0.5, 1, 1.5, 2])
            pause = ", interruptible: true" if has_shifts else ""
            steps.append(f"      - {{name: s{number}, on: m{machine}, duration: {base}min + size * {piece}min{pause}}}")
            work.append((machine, base, piece))
        lines += [f"  r{r}:", "    steps:", *steps]
        recipes.append(f"r{r}")
        works.append(work)
    lines += ["orders:", "  - {file: orders.csv}", "objective: cost"]
    drawn = [(draw.randrange(8), draw.randint(5, 60), draw.choice([1, 1, 2, 4]), draw.choice(families)) for _ in range(count)]
    taken = [0.0] * machines
    for recipe, size, _, _ in drawn:
        for machine, base, piece in works[recipe]:
            taken[machine] += base + size * piece
    # Two shifts on five days are less than half of the time.
    open_time = [(6 / 7 if k < bottlenecks else 10 / 21) if has_shifts else 1 for k in range(machines)]
    span = max(taken[k] / units[k] / open_time[k] for k in range(machines)) / load
    table = ["id,recipe,size,family,release,due,delay-cost"]
    for k, (recipe, size, weight, family) in enumerate(drawn):
        release = int(draw.random() * span)
        work = sum(base + size * piece for _, base, piece in works[recipe])
        due = release + int(work * tightness * draw.uniform(0.7, 1.5) * (3 if has_shifts else 1))
        table.append(f"o{k},r{recipe},{size},{family},{release},{due},{weight}")
    return "\n".join(lines) + "\n", "\n".join(table) + "\n"


def run(takt, folder, limit, threads):
    command = [takt, "solve", folder / "shop.yaml", "--out", folder / "out", "--json", "--time", f"{limit}s", "--threads", str(threads)]
    with open(folder / "told.txt", "w") as told, open(folder / "answer.json", "w") as answer:
        child = subprocess.Popen([str(part) for part in command], stdout=answer, stderr=told)
        _, _, usage = os.wait4(child.pid, 0)
    found = re.findall(r"found ([\d.]+), no less than [\d.]+ \(([\d.]+) s\)", (folder / "told.txt").read_text())
    told = [(float(seconds), float(value)) for value, seconds in found]
    return json.loads((folder / "answer.json").read_text()), told, usage.ru_maxrss // 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", default="target/release/takt")
    parser.add_argument("--time", type=float, default=30)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(SHOPS)
    if options.list:
        print("\n".join(names))
        return 0
    marks = [mark for mark in MARKS if mark <= options.time]
    print(f"{'shop':13} {'first':>6} {'rule':>10} " + " ".join(f"{f'{mark} s':>10}" for mark in marks) + f" {'gain':>6} {'bound':>10} {'memory':>7}")
    failed = False
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            folder = options.keep / name if options.keep else Path(scratch)
            folder.mkdir(parents=True, exist_ok=True)
            spec, table = shop(name)
            (folder / "shop.yaml").write_text(spec)
            (folder / "orders.csv").write_text(table)
            answer, told, memory = run(options.takt, folder, options.time, options.threads)
            # Values are told once a second at most: what there is after two seconds is asked for by itself.
            early, _, _ = run(options.takt, folder, 2, options.threads)
            rule = answer["rule"] if answer["rule"] is not None else answer["value"]
            values = [min((value for seconds, value in told if seconds <= mark), default=None) for mark in marks]
            values = [early["value"] if mark == 2 else value for mark, value in zip(marks, values)]
            # What is there at the end is there from then on.
            last = answer["seconds"] if answer["seconds"] < 0.9 * options.time else 0.9 * options.time
            values = [answer["value"] if mark >= last else value for mark, value in zip(marks, values)]
            gain = 100 * (1 - answer["value"] / rule) if rule else 0.0
            first = f"{told[0][0]:.1f}s" if told else "-"
            cells = " ".join(f"{'-' if value is None else f'{value:g}':>10}" for value in values)
            print(f"{name:13} {first:>6} {rule:>10g} {cells} {gain:5.1f}% {answer['bound'] or 0:>10g} {memory:>6}M", flush=True)
            failed |= not answer["valid"]
            failed |= early["value"] is None or early["value"] > rule
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
