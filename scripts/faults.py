#!/usr/bin/env python3
"""Lets things go wrong around takt, again and again, and looks at what is left.

Each case draws a fault from its seed: kills and double signals at any time (half of them while files
are moved), full disks, closed pipes, limits on files and memory, folders that are read-only, vanish,
or lead nowhere, several runs into one folder. Afterwards the folder must hold the files of one run,
the exit code must be one of those promised, JSON must be JSON, and the next run must leave nothing
of its own or of others behind.

    scripts/faults.py --cases 1000 --seed 1 --takt target/release/takt

Prints how many cases of each kind there were, and each finding with the seed that shows it again
(`--cases 1 --seed S`). Exits 1 if there are findings. Needs Linux; kinds that need root are drawn
as others without it.
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

FILES = ["schedule.csv", "schedule.svg", "orders.csv", "model.xta", "summary.json"]
NOTES = "mine, not takt's\n"
# No run takes longer than this.
PATIENCE = 60


class Finding(Exception):
    """Something that must not be."""


def expect(holds, message):
    if not holds:
        raise Finding(message)


def spec(tag, seed):
    """A job shop with this name in all its results; some take longer to solve than others."""
    draw = random.Random(seed)
    jobs, machines = draw.randint(2, 6), draw.randint(2, 5)
    lines = ["takt: 1", f"name: {tag}", "resources: {" + ", ".join(f"m{m}: {{}}" for m in range(machines)) + "}"]
    lines.append("recipes:")
    for job in range(jobs):
        order = draw.sample(range(machines), machines)
        steps = ", ".join(f"{{name: s{k}, on: m{m}, duration: {draw.randint(1, 9)}}}" for k, m in enumerate(order))
        lines.append(f"  r{job}: {{steps: [{steps}]}}")
    lines.append("orders: [" + ", ".join(f"{{id: {tag}-{job}, recipe: r{job}}}" for job in range(jobs)) + "]")
    return "\n".join(lines) + "\n"


INFEASIBLE = """takt: 1
name: never
resources: {saw: {}}
recipes: {r: {steps: [{name: cut, on: saw, duration: 5}]}}
orders: [{id: A, recipe: r, deadline: 3}]
"""


class Case:
    """One fault in a folder of its own."""

    def __init__(self, takt, seed):
        self.takt, self.seed = takt, seed
        self.draw = random.Random(seed)
        self.root = Path(tempfile.mkdtemp(prefix="faults-"))
        self.out = self.root / "out"
        self.count = 0
        (self.root / "tmp").mkdir()

    def clean(self):
        subprocess.run(["umount", "-q", self.out], stderr=subprocess.DEVNULL, check=False)
        subprocess.run(["chmod", "-R", "u+rwx", self.root], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.root, ignore_errors=True)

    # Runs

    def write_spec(self, text=None):
        self.count += 1
        tag = f"run{self.count}x{self.seed}"
        path = self.root / f"{tag}.yaml"
        path.write_text(text or spec(tag, self.draw.random()))
        return tag, path

    def start(self, path, *more, before=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE):
        args = [self.takt, "solve", str(path), "--out", str(self.out), *more]
        env = dict(os.environ, TMPDIR=str(self.root / "tmp"))
        return subprocess.Popen(args, cwd=self.root, env=env, stdin=subprocess.DEVNULL, stdout=stdout,
                                stderr=stderr, preexec_fn=before)

    def end(self, process, codes=(0, 1, 2, 3)):
        """Waits for the end and looks at the exit code; gives code, output, messages."""
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Finding("does not end") from None
        code, err = process.returncode, (err or b"").decode(errors="replace")
        expect(code in codes, f"exit code {code}, not one of {codes}: {err[-300:]}")
        return code, out, err

    def solve(self, **options):
        tag, path = self.write_spec()
        code, _, err = self.end(self.start(path, **options))
        expect(code == 0, f"a plain run ends with {code}: {err[-300:]}")
        return tag

    def earlier(self):
        """Results of an earlier run, most of the time, and a file of the user's own."""
        if self.draw.random() < 0.2:
            return None
        self.out.mkdir(exist_ok=True)
        (self.out / "notes.txt").write_text(NOTES)
        return self.solve()

    # What is left

    def tags(self):
        """Whose files there are: file name to the tag of its run."""
        found = {}
        for name in FILES:
            path = self.out / name
            if not path.exists():
                continue
            text = path.read_text(errors="replace")
            if name == "summary.json":
                try:
                    found[name] = json.loads(text)["spec"]
                except (ValueError, KeyError) as error:
                    raise Finding(f"summary.json is broken: {error}") from None
            elif name == "model.xta":
                # Names no orders; it goes with its summary, or is missing like it.
                continue
            else:
                known = [f"run{k}x{self.seed}" for k in range(1, self.count + 1)]
                holders = [tag for tag in known if tag in text]
                expect(len(holders) == 1, f"{name} holds {holders}")
                found[name] = holders[0]
        return found

    def look(self, allowed, is_killed=False):
        """All files are there and of one run that is allowed, or none is. What was killed may leave
        some of one run, without the summary."""
        found = self.tags()
        owners = set(found.values())
        expect(len(owners) <= 1, f"files of several runs: {found}")
        there = {name for name in FILES if (self.out / name).exists()}
        if "summary.json" in found or not is_killed:
            expect(not there or there == set(FILES), f"files are missing: only {sorted(there)}")
        owner = next(iter(owners), None)
        expect(owner in allowed or is_killed and owner is None, f"results of {owner}, not of {allowed}")
        if self.out.is_dir():
            if (self.out / "notes.txt").exists() or None not in allowed:
                notes = self.out / "notes.txt"
                expect(not notes.exists() or notes.read_text() == NOTES, "the user's own file has changed")
            left = [path.name for path in self.out.iterdir() if path.name.startswith(".takt-")]
            expect(is_killed or not left, f"left behind: {left}")
        return owner

    def next(self):
        """A run that opens the folder and writes nothing of its own."""
        _, path = self.write_spec(INFEASIBLE)
        self.end(self.start(path), codes=(1,))

    def again(self, allowed):
        """The next run finishes what was begun, takes away what was left, and works as ever."""
        if self.draw.random() < 0.5 and self.out.is_dir():
            self.next()
            self.look(allowed)
        self.look([self.solve()])


def nap(longest):
    time.sleep(max(0.0, longest))


def wait_for_moves(case, process):
    """Until files are being written, or the run is over."""
    while process.poll() is None:
        try:
            if any(name.startswith(".takt-") for name in os.listdir(case.out)):
                return
        except OSError:
            pass


def moment(case, process):
    """Any time, or while files are written. The trial before solving counts too."""
    if case.draw.random() < 0.4:
        nap(case.draw.random() * 0.3)
        return
    for _ in range(case.draw.randint(1, 2)):
        wait_for_moves(case, process)
        nap(case.draw.choice([0, 0, 0.0002, 0.001, 0.003, 0.01]) * case.draw.random())


def kill(case):
    before = case.earlier()
    tag, path = case.write_spec()
    process = case.start(path)
    moment(case, process)
    process.kill()
    code, _, _ = case.end(process, codes=(0, -signal.SIGKILL))
    owner = case.look([before, tag], is_killed=code != 0)
    is_open = (case.out / ".takt-journal").exists() or not (case.out / "summary.json").exists()
    case.again([before, tag] if is_open else [owner])


def signals(case, count):
    before = case.earlier()
    tag, path = case.write_spec()
    process = case.start(path)
    moment(case, process)
    sent = [case.draw.choice([signal.SIGINT, signal.SIGTERM]) for _ in range(count)]
    for which in sent:
        process.send_signal(which)
        nap(case.draw.choice([0, 0.0003, 0.002, 0.02]) * case.draw.random())
    # Before takt listens, a signal has its usual effect.
    codes = (0, 3, *(-which for which in sent), *([130] if count > 1 else []))
    code, _, _ = case.end(process, codes)
    owner = case.look([before, tag], is_killed=code < 0)
    expect(code != 0 or owner == tag, "it ends well, and its results are not there")
    case.again([owner] if code >= 0 else [before, tag])


def single_signal(case):
    signals(case, 1)


def double_signal(case):
    signals(case, 2)


def full_outputs(case):
    before = case.earlier()
    tag, path = case.write_spec()
    with open("/dev/full", "wb", buffering=0) as full:
        which = case.draw.choice(["out", "err", "both"])
        stdout = full if which != "err" else subprocess.PIPE
        stderr = full if which != "out" else subprocess.PIPE
        more = ["--json"] if case.draw.random() < 0.5 else []
        _, out, _ = case.end(case.start(path, *more, stdout=stdout, stderr=stderr), codes=(0,))
    if more and out is not None and which == "err":
        expect(json.loads(out)["spec"] == tag, "the summary is another one")
    case.look([tag])


def closed_pipes(case):
    case.earlier()
    tag, path = case.write_spec()
    process = case.start(path, *(["--json"] if case.draw.random() < 0.5 else []))
    which = case.draw.choice([[process.stdout], [process.stderr], [process.stdout, process.stderr]])
    nap(case.draw.random() * 0.05 if case.draw.random() < 0.5 else 0)
    for pipe in which:
        pipe.close()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise Finding("does not end") from None
    expect(process.returncode == 0, f"exit code {process.returncode} after a closed pipe")
    case.look([tag])


def small_files(case):
    before = case.earlier()
    tag, path = case.write_spec()
    most = case.draw.choice([0, 1, 100, 1000, 4096, 10_000, 20_000, 50_000, 1_000_000])

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    code, _, _ = case.end(case.start(path, before=limit), codes=(0, 2))
    case.look([tag] if code == 0 else [before])
    case.again([tag if code == 0 else before])


def small_disk(case):
    if os.geteuid() != 0:
        return vanishing(case)
    case.out.mkdir()
    size = case.draw.choice(["4k", "16k", "32k", "64k", "128k", "1m"])
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", case.out],
                             stderr=subprocess.DEVNULL, check=False)
    if mounted.returncode != 0:
        case.out.rmdir()
        return vanishing(case)
    owner = None
    for _ in range(case.draw.randint(1, 3)):
        tag, path = case.write_spec()
        code, _, _ = case.end(case.start(path), codes=(0, 2))
        owner = tag if code == 0 else owner
        case.look([owner])


def read_only(case):
    before = case.earlier()
    case.out.mkdir(exist_ok=True)
    os.chmod(case.out, 0o555)
    os.chmod(case.root, 0o755)
    _, path = case.write_spec()

    def nobody():
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)

    try:
        process = case.start(path, before=nobody)
    except (PermissionError, subprocess.SubprocessError):
        return vanishing(case)
    code, _, err = case.end(process, codes=(2,))
    expect("found" not in err, "a folder that cannot be written to is noticed after solving")
    os.chmod(case.out, 0o755)
    case.look([before])
    return None


def vanishing(case):
    before = case.earlier()
    tag, path = case.write_spec()
    process = case.start(path)
    moment(case, process)
    shutil.rmtree(case.out, ignore_errors=True)
    code, _, _ = case.end(process, codes=(0, 2))
    # Files that come while the folder is cleared may be cleared with it.
    owners = set(case.tags().values())
    expect(owners <= {before, tag}, f"results of {owners}")
    shutil.rmtree(case.out, ignore_errors=True)
    shutil.rmtree(case.root / "tmp")
    (case.root / "tmp").mkdir()
    case.again([None])


def blocked(case):
    """A directory appears where a file is to go."""
    case.out.mkdir()
    (case.out / "notes.txt").write_text(NOTES)
    before = case.solve() if case.draw.random() < 0.7 else None
    tag, path = case.write_spec()
    name = case.draw.choice(FILES)
    process = case.start(path)
    moment(case, process)
    try:
        if not (case.out / name).exists():
            (case.out / name).mkdir()
    except OSError:
        pass
    code, _, err = case.end(process, codes=(0, 2))
    if (case.out / name).is_dir():
        expect(code == 2, f"`{name}` is a directory, and the exit code {code}")
        (case.out / name).rmdir()
    if (case.out / ".takt-journal").exists():
        # It stood in the way of undoing too; now it does not.
        case.next()
    case.look([tag] if code == 0 else [before])
    if code == 2 and "found" in err:
        kept = list((case.root / "tmp").glob("takt-results-*/summary.json"))
        expect(kept, "the schedule that was found is nowhere")


def dangling(case):
    case.out.symlink_to("nowhere")
    _, path = case.write_spec()
    code, _, err = case.end(case.start(path), codes=(2,))
    expect("found" not in err, "a link to nowhere is noticed after solving")
    expect(not (case.root / "nowhere").exists(), "the place of the link was made")
    case.out.unlink()
    real = case.root / "real"
    real.mkdir()
    case.out.symlink_to("real")
    case.look([case.solve()])
    expect(case.out.is_symlink(), "the link was replaced")


def concurrent(case):
    case.earlier()
    started = [(tag, case.start(path)) for tag, path in (case.write_spec() for _ in range(3))]
    for _, process in started:
        case.end(process, codes=(0,))
    case.look([tag for tag, _ in started])


def input_replaced(case):
    table = case.root / "orders.csv"
    case.out = case.root
    text = "id,recipe\nA,r\nB,r\n"
    table.write_text(text)
    _, path = case.write_spec(INFEASIBLE.replace(
        "[{id: A, recipe: r, deadline: 3}]", "[{file: orders.csv}]"))
    more = []
    if case.draw.random() < 0.5:
        case.out = case.root / "elsewhere"
        case.out.mkdir()
        link = case.draw.choice([os.symlink, os.link])
        link(table, case.out / case.draw.choice(FILES))
    code, _, err = case.end(case.start(path, *more), codes=(2,))
    expect("output-is-input" in err, f"another error: {err[-300:]}")
    expect(table.read_text() == text, "the order table was replaced")


def little_memory(case):
    """`ulimit -v`: whatever happens, the run ends by itself."""
    before = case.earlier()
    tag, path = case.write_spec()
    most = case.draw.choice([64, 100, 150, 200, 300, 500, 1000]) << 20

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    code, _, _ = case.end(case.start(path, "--time", "5s", before=limit), codes=(0, 3))
    case.look([tag] if code == 0 else [before])


KINDS = [kill, kill, kill, double_signal, double_signal, double_signal, single_signal, full_outputs,
         closed_pipes, small_files, small_disk, read_only, vanishing, blocked, dangling, concurrent,
         input_replaced, little_memory]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--takt", default="target/release/takt")
    parser.add_argument("--kind", help="only this one")
    options = parser.parse_args()
    takt = shutil.which(options.takt) or sys.exit(f"there is no {options.takt}")
    kinds = [kind for kind in KINDS if options.kind in (None, kind.__name__)]
    if not kinds:
        sys.exit(f"there is no kind {options.kind}")
    counts, findings = Counter(), 0
    for seed in range(options.seed, options.seed + options.cases):
        case = Case(os.path.abspath(takt), seed)
        # The kind is drawn apart, so that `--kind` shows the same case again.
        kind = random.Random(f"kind {seed}").choice(kinds)
        counts[kind.__name__] += 1
        try:
            kind(case)
        except Finding as finding:
            findings += 1
            print(f"seed {seed}, {kind.__name__}: {finding}", flush=True)
        finally:
            case.clean()
    for kind, count in sorted(counts.items()):
        print(f"{count:6} {kind}")
    print(f"{options.cases} cases, {findings} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
