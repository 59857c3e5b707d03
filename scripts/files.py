#!/usr/bin/env python3
"""Reads files that takt writes with what others wrote: events with the icalendar of PyPI, workbooks with LibreOffice.

    scripts/files.py [--takt PROGRAM] [--install]

What is not there is skipped with a word (--install: pip and apt-get fetch it).
"""

import argparse
import csv
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPECS = ["specs/starters/shifts.yaml", "specs/starters/lacquer.yaml", "specs/bakery.yaml"]


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def events(folder, modules):
    """Each step is one event, at its time."""
    path = folder / "schedule.ics"
    if not path.exists():
        return "no civil time"
    sys.path.insert(0, str(modules))
    from icalendar import Calendar

    calendar = Calendar.from_ical(path.read_bytes())
    assert calendar["VERSION"] == "2.0" and calendar["PRODID"]
    found = {}
    for event in calendar.walk("VEVENT"):
        assert not event.errors, event.errors
        assert event["UID"] not in found, "two events of one name"
        assert event["DTSTAMP"].dt.tzinfo is not None, "the stamp is universal time"
        end = event["DTEND"].dt if "DTEND" in event else event["DTSTART"].dt
        found[str(event["UID"])] = (str(event["SUMMARY"]), event["DTSTART"].dt, end)
    steps = {(row["order"], row["step"]): row for row in rows(folder / "schedule.csv") if row["kind"] == "step"}
    assert len(found) == len(steps), f"{len(found)} events of {len(steps)} steps"
    if all(start.tzinfo is None for _, start, _ in found.values()):
        wanted = {(f"{row['order']} {row['step']}", datetime.fromisoformat(row["start_time"]),
                   datetime.fromisoformat(row["end_time"])) for row in steps.values()}
        assert set(found.values()) == wanted, set(found.values()) ^ wanted
    return f"{len(found)} events"


def workbook(folder, office):
    """All sheets are there, and starts come out as dates."""
    call = [office, "--headless", f"-env:UserInstallation=file://{folder}/profile", "--convert-to",
            'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1', "--outdir", folder / "sheets",
            folder / "schedule.xlsx"]
    subprocess.run(call, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=180)
    for name in ("Schedule", "Orders", "Load", "Gantt"):
        assert (folder / "sheets" / f"schedule-{name}.csv").exists(), f"no sheet {name}"
    told = rows(folder / "sheets" / "schedule-Schedule.csv")
    known = rows(folder / "schedule.csv")
    assert len(told) == len(known), f"{len(told)} rows of {len(known)}"
    for one, row in zip(told, known):
        assert one["order"] == row["order"] and one["step"] == row["step"], (one, row)
        wanted = row["start_time"].replace("T", " ")[:16] or row["start"]
        assert one["start"][:16] == wanted, (one["start"], wanted)
    return f"{len(told)} rows"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", default=ROOT / "target/debug/takt", type=Path)
    parser.add_argument("--install", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        modules = folder / "modules"
        if args.install:
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", modules, "icalendar"], check=False)
            if not shutil.which("soffice"):
                subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "libreoffice-calc-nogui"], check=False)
        sys.path.insert(0, str(modules))
        try:
            import icalendar  # noqa: F401
            has_icalendar = True
        except ImportError:
            has_icalendar = False
            print("skipped: there is no icalendar here (--install fetches it)")
        office = shutil.which("soffice")
        if not office:
            print("skipped: there is no LibreOffice here (--install fetches it)")
        for spec in SPECS:
            out = folder / Path(spec).stem
            civil = "start:" in (ROOT / spec).read_text(encoding="utf-8")
            files = "xlsx,ics,dispatch" if civil else "xlsx,dispatch"
            subprocess.run([args.takt, "solve", ROOT / spec, "--out", out, "--write", files, "--time", "10s", "--quiet"], check=True)
            units = [row for row in rows(out / "schedule.csv") if row["resource"]]
            assert len(rows(out / "dispatch.csv")) == len(units)
            print(spec, events(out, modules) if has_icalendar else "", workbook(out, office) if office else "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
