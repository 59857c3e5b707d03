#!/usr/bin/env python3
"""Asks whether `--time` is kept: runs takt on plants of many sizes, and prints what was asked and
what was taken.

    scripts/limits.py [--takt target/release/takt] [--only shifts,amounts,...] [--times 1,3,10,30] [--sizes 100,1000]

Every plant comes from a generator with a fixed seed. A run fails if it takes more than a tenth over
its limit (and a tenth of a second for the process itself), if it ends with a code that it should
not end with, or if it told of a schedule that it then did not write. Exits 1 if any run fails.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SLACK, START = 1.1, 0.1
MACHINES = 10


def deck(draw):
    """Five machines at a time, each machine as often as any other."""
    while True:
        cards = draw.sample(range(MACHINES), MACHINES)
        yield cards[:5]
        yield cards[5:]


def header(name, objective, calendars=True):
    lines = ["takt: 1", f"name: {name}", f"objective: {objective}"]
    if calendars:
        lines += ["time: {unit: minute, start: 2026-01-05T06:00}", "calendars:",
                  '  shifts: {weekly: {Mon-Fri: ["06:00-22:00"], Sat: ["06:00-14:00"]}}']
    return lines


def orders(draw, count, recipes, load):
    """Dues spread over what the work takes, so that some orders are late and some are early."""
    lines = ["orders:"]
    span = max(1, count * load)
    for k in range(count):
        due = draw.randint(0, span) + 600
        lines.append(f"  - {{id: O{k}, recipe: R{draw.randrange(recipes)}, due: {due}, "
                     f"delay-cost: {draw.randint(1, 9)}, storage-cost: 0.{draw.randint(1, 9)}}}")
    return lines


def shifts(count):
    """Costs and shifts: chains of five steps on machines that close at night."""
    draw = random.Random(count)
    lines = header(f"shifts-{count}", "cost") + ["resources:"]
    lines += [f"  m{k}: {{capacity: 2, calendar: shifts}}" for k in range(MACHINES)]
    lines.append("recipes:")
    machines = deck(draw)
    for recipe in range(8):
        lines += [f"  R{recipe}:", "    steps:"]
        for step, machine in enumerate(next(machines)):
            lines.append(f"      - {{name: s{step}, on: m{machine}, duration: {draw.randint(10, 50)}}}")
    return "\n".join(lines + orders(draw, count, 8, 14)) + "\n"


def branching(count):
    """Costs and recipes that part and meet again, with lags between the branches."""
    draw = random.Random(count + 1)
    lines = header(f"branching-{count}", "cost") + ["resources:"]
    lines += [f"  m{k}: {{capacity: 3, calendar: shifts}}" for k in range(MACHINES)]
    lines.append("recipes:")
    for recipe in range(4):
        a, b, c, d = draw.sample(range(MACHINES), 4)
        long = lambda: draw.randint(10, 50)
        lines += [f"  R{recipe}:", "    steps:",
                  f"      - {{name: cut, on: m{a}, duration: {long()}}}",
                  f"      - {{name: left, on: m{b}, duration: {long()}, after: [cut]}}",
                  f"      - {{name: right, on: m{c}, duration: {long()}, after: {{cut: {{min: 5}}}}}}",
                  f"      - {{name: join, on: m{d}, duration: {long()}, after: [left, right]}}"]
    return "\n".join(lines + orders(draw, count, 4, 8)) + "\n"


def amounts(count):
    """Few orders that take a great many units at once."""
    draw = random.Random(count + 2)
    lines = header(f"amounts-{count}", "cost") + ["resources:"]
    lines += [f"  m{k}: {{capacity: 100000, calendar: shifts}}" for k in range(3)]
    lines.append("recipes:")
    for recipe in range(4):
        lines += [f"  R{recipe}:", "    steps:"]
        for step in range(3):
            lines.append(f"      - {{name: s{step}, on: {{m{step}: {draw.randint(20000, 100000)}}}, "
                         f"duration: {draw.randint(10, 50)}}}")
    return "\n".join(lines + orders(draw, count, 4, 40)) + "\n"


def shop(count):
    """The makespan of a job shop, which has automata of its own."""
    draw = random.Random(count + 3)
    lines = header(f"shop-{count}", "makespan", calendars=False)
    lines += ["resources:"] + [f"  m{k}: {{}}" for k in range(MACHINES)] + ["recipes:"]
    machines = deck(draw)
    for recipe in range(8):
        lines += [f"  R{recipe}:", "    steps:"]
        for step, machine in enumerate(next(machines)):
            lines.append(f"      - {{name: s{step}, on: m{machine}, duration: {draw.randint(10, 50)}}}")
    lines.append("orders:")
    lines += [f"  - {{id: O{k}, recipe: R{draw.randrange(8)}}}" for k in range(count)]
    return "\n".join(lines) + "\n"


def layout(count):
    """A wafer scanner with two robots and this many locks, shared out among them."""
    locks = [f"L{k}" for k in range(count)]
    robot = "turn: 10, from-lock: 23, to-lock: 23, to-chuck: 40, from-chuck: 54"
    return "\n".join([
        "takt: 1", f"name: layout-{count}", "objective: throughput", "layout:",
        "  track: {load: 25, unload: 25, switch: 50, recover: 50}",
        f"  locks: {{ids: [{', '.join(locks)}], depressurize: 670, pressurize: 120}}",
        "  robots:",
        f"    R0: {{arms: 2, locks: [{', '.join(locks[::2])}], {robot}}}",
        f"    R1: {{arms: 2, locks: [{', '.join(locks[1::2])}], {robot}}}",
        "  chucks: {ids: [C0, C1], swap: 10, measure: 140, expose: 250}"]) + "\n"


def fischer(count):
    """Mutual exclusion by timing: a model for `check` whose states are many."""
    lines = ["const int N = %d;" % count, "typedef int[1, N] Id;", "int[0, N] lock;",
             "process P(const Id i) {", "  clock x;",
             "  state idle, want { x <= 2 }, wait, critical;", "  init idle;", "  trans",
             "    idle -> want { guard lock == 0; assign x = 0; },",
             "    want -> wait { guard x <= 2; assign x = 0, lock = i; },",
             "    wait -> idle { guard lock == 0; assign x = 0; },",
             "    wait -> critical { guard x > 2 && lock == i; },",
             "    critical -> idle { assign lock = 0; };", "}", "system P;"]
    return "\n".join(lines) + "\n"


FISCHER = "A[] not (P(1).critical && P(2).critical)"

KINDS = {
    "shifts": (shifts, [100, 1000, 4900, 20000]),
    "branching": (branching, [100, 1000, 3400]),
    "amounts": (amounts, [20, 100]),
    "shop": (shop, [100, 1000, 4900]),
    "layout": (layout, [4, 8, 12]),
    "compare": (shifts, [100, 1000, 4900]),
    "check": (fischer, [50, 500, 5000]),
}


def command(takt, kind, path, out, limit, extra):
    if kind == "check":
        return [takt, "check", str(path), "-q", FISCHER, "--time", f"{limit}s", "--json", *extra]
    if kind == "compare":
        return [takt, "compare", str(path), str(path), "--out", str(out), "--time", f"{limit}s", "--json",
                *extra]
    return [takt, "solve", str(path), "--out", str(out), "--time", f"{limit}s", "--json", *extra]


def run(takt, kind, path, folder, limit, extra):
    """What was taken, what came out, and what is wrong with it."""
    out = folder / "out"
    for old in out.glob("*"):
        old.unlink()
    begun = time.monotonic()
    done = subprocess.run(command(takt, kind, path, out, limit, extra), capture_output=True, text=True)
    taken = time.monotonic() - begun
    wrong = []
    if taken > limit * SLACK + START:
        wrong.append("late")
    if done.returncode not in (0, 1, 3):
        wrong.append(f"exit {done.returncode}: {(done.stdout + done.stderr)[:200]}")
    result = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    parts = [one["status"] for one in result.get("specs", [])]
    parts += [one["verdict"] for one in result.get("queries", [])]
    status = result.get("status") or ",".join(parts)
    if "found " in done.stderr and not (out / "summary.json").exists():
        wrong.append("a schedule was lost")
    return taken, status, result.get("value"), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--takt", default="target/release/takt")
    parser.add_argument("--only", default=",".join(KINDS))
    parser.add_argument("--times", default="1,3,10,30")
    parser.add_argument("--sizes", help="instead of the usual ones")
    parser.add_argument("--write", help="only write the plants into this folder")
    parser.add_argument("extra", nargs="*", help="options for takt, after --")
    args = parser.parse_args()
    is_bad = False
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(args.write or folder)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'plant':<12}{'size':>7}{'asked':>8}{'taken':>9}  outcome")
        for kind in args.only.split(","):
            generate, sizes = KINDS[kind]
            sizes = [int(size) for size in args.sizes.split(",")] if args.sizes else sizes
            for size in sizes:
                path = folder / f"{kind}-{size}.{'xta' if kind == 'check' else 'yaml'}"
                path.write_text(generate(size))
                if args.write:
                    continue
                for limit in (float(text) for text in args.times.split(",")):
                    taken, status, value, wrong = run(args.takt, kind, path, folder, limit, args.extra)
                    is_bad |= bool(wrong)
                    words = f"{status or '-'} {'' if value is None else value}"
                    words += f"  WRONG: {'; '.join(wrong)}" if wrong else ""
                    print(f"{kind:<12}{size:>7}{limit:>7g}s{taken:>8.2f}s  {words}", flush=True)
    return 1 if is_bad else 0


if __name__ == "__main__":
    sys.exit(main())
