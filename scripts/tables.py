#!/usr/bin/env python3
"""Plants from tables as another program would write them: orders and their steps, thousands of each; asks how long it takes
to read them and until a schedule is written.

    scripts/tables.py [--takt target/release/takt] [--orders 5000,20000] [--steps 5] [--own] [--time 10] [--keep DIR]

Every plant comes from a generator with a seed: tables with `;`, decimal commas and German dates, a calendar of two shifts. With
`--own` every order has steps of its own. A run fails if it ends with a code that is not 0; its time and memory are printed.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

MACHINES = 40
START = datetime(2026, 11, 2, 6)

SPEC = """takt: 1
name: {name}
time: {{unit: minute, start: 2026-11-02T06:00}}
calendars: {{two: {{weekly: {{Mon-Fri: ["06:00-22:00"]}}}}}}
resources:
{resources}
routings:
  file: steps.csv
  separator: ";"
  decimal: ","
  encoding: latin1
  columns:
    {key}: {column}
    step: Vorgang
    "on": Platz
    piece: "Zeit je Stück"
    duration: "(Rüsten + size * piece) * 1min"
  interruptible: true
orders:
  - file: orders.csv
    separator: ";"
    decimal: ","
    encoding: latin1
    dates: dd.mm.yyyy hh:MM
    day-ends: "14:00"
    columns: {columns}
objective: cost
"""


def number(value):
    return str(value).replace(".", ",")


def plant(count, length, is_own):
    """A spec and its two tables."""
    draw = random.Random(f"{count} {length} {is_own}")
    steps = ["Auftrag;Vorgang;Platz;Rüsten;Zeit je Stück" if is_own else "Teil;Vorgang;Platz;Rüsten;Zeit je Stück"]
    parts = count if is_own else max(1, count // 20)
    for part in range(parts):
        name = 100_000 + part if is_own else f"T-{part}"
        for step, machine in enumerate(draw.sample(range(MACHINES), length)):
            place = f"M{machine}|M{(machine + 1) % MACHINES}" if draw.random() < 0.1 else f"M{machine}"
            steps.append(f"{name};{10 * step + 10};{place};{number(draw.randint(2, 40) / 2)};{number(draw.randint(1, 40) / 10)}")
    orders = ["Auftrag;Teil;Menge;Frühestens;Liefertermin;Verzugskosten;Kunde"]
    # Two shifts on five days of seven, each machine with three units.
    span = count * length * 70 / (MACHINES * 3) / (80 / 168)
    for order in range(count):
        release = START + timedelta(minutes=draw.random() * span)
        due = release + timedelta(minutes=draw.uniform(2, 8) * length * 200)
        part = f"T-{draw.randrange(parts)}"
        time = due.strftime("%d.%m.%Y %H:%M") if draw.random() < 0.5 else due.strftime("%d.%m.%Y")
        orders.append(f"{100_000 + order};{part};{draw.randint(1, 40)};{release.strftime('%d.%m.%Y')};{time};{number(draw.randint(1, 9) / 2)};Müller & Söhne {draw.randrange(50)}")
    columns = "{id: Auftrag, release: Frühestens, due: Liefertermin, size: Menge, delay-cost: Verzugskosten" + ("}" if is_own else ", recipe: Teil}")
    spec = SPEC.format(
        name=f"tables-{count}{'-own' if is_own else ''}",
        resources="\n".join(f"  M{k}: {{capacity: 3, calendar: two}}" for k in range(MACHINES)),
        key="order" if is_own else "recipe", column="Auftrag" if is_own else "Teil", columns=columns)
    return spec, "\r\n".join(orders) + "\r\n", "\r\n".join(steps) + "\r\n"


def measured(command, out):
    begin = time.monotonic()
    with open(out, "w") as file:
        child = subprocess.Popen([str(part) for part in command], stdout=file)
        _, status, usage = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - begin, usage.ru_maxrss // 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", default="target/release/takt")
    parser.add_argument("--orders", default="5000,20000")
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--time", default="10")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    is_well = True
    for count in map(int, options.orders.split(",")):
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.keep / str(count) if options.keep else Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            spec, orders, steps = plant(count, options.steps, options.own)
            (folder / "shop.yaml").write_text(spec)
            (folder / "orders.csv").write_bytes(orders.encode("latin1"))
            (folder / "steps.csv").write_bytes(steps.encode("latin1"))
            show = [options.takt, "show", folder / "shop.yaml", "--json"]
            solve = [options.takt, "solve", folder / "shop.yaml", "--out", folder / "out", "--json", "--time", f"{options.time}s"]
            for name, command in [("show", show), ("solve", solve)]:
                code, seconds, memory = measured(command, folder / "answer.json")
                answer = json.loads((folder / "answer.json").read_text())
                print(f"{count} orders, {name}: code {code}, {seconds:.1f} s, {memory} MB, {answer.get('status', '')} {answer.get('value', '')}", flush=True)
                is_well &= code == 0
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
