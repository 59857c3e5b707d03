#!/usr/bin/env python3
"""Makes the raw tables of the machine shop, always the same ones: orders and routings as an ERP system exports
them, with semicolons, decimal commas, German dates and the letters of latin1. `tables.py tuesday` makes what is known on
Tuesday of the plan of Monday."""

import random
import sys
from datetime import date, timedelta

MONDAY = date(2026, 11, 2)
CUSTOMERS = ["Bauer Pumpen", "Kern Hydraulik", "Ludwig & Söhne", "Nordmann Getriebe", "Seilbahn Tirol", "Voss Anlagen"]

# Parts by kind: how each step is done, minutes of preparation, and minutes a piece from least to most.
SAW = ("Sägen", "Säge", (10, 15), (0.5, 2.0))
TURN = ("Drehen", "Drehen1|Drehen2|Drehen3", (25, 60), (2.0, 7.0))
MILL = ("Fräsen", "Fräsen1|Fräsen2|Fräsen3|Fräsen4", (30, 75), (3.0, 9.0))
DRILL = ("Bohren", "Bohrwerk", (20, 40), (1.0, 4.0))
HARDEN = ("Härten", "", (1440, 1440), (0.0, 0.0))
GRIND = ("Schleifen", "Schleifen1|Schleifen2", (20, 45), (2.0, 5.0))
DEBUR = ("Entgraten", "Bank", (5, 10), (0.5, 1.5))
CHECK = ("Prüfen", "Messraum", (15, 20), (0.2, 0.8))
KINDS = {
    "Welle": [SAW, TURN, MILL, HARDEN, GRIND, CHECK],
    "Buchse": [SAW, TURN, DEBUR, CHECK],
    "Flansch": [SAW, TURN, DRILL, DEBUR, CHECK],
    "Gehäuse": [MILL, DRILL, DEBUR, CHECK],
    "Platte": [SAW, MILL, DRILL, DEBUR],
    "Zahnrad": [SAW, TURN, MILL, HARDEN, GRIND, CHECK],
}


def comma(number):
    return f"{number:.2f}".rstrip("0").rstrip(".").replace(".", ",")


def write(path, lines):
    with open(path, "w", encoding="latin1", newline="\r\n") as file:
        file.write("\n".join(lines) + "\n")


def parts(chance):
    for kind, steps in KINDS.items():
        for number in range(1, 8):
            yield f"{kind} {number}{chance.randrange(100, 999)}", steps


def routings(chance):
    lines = ["Teil;AG;Vorgang;Platz;Rüsten;Stückzeit;über Nacht"]
    names = []
    for part, steps in parts(chance):
        names.append(part)
        for number, (name, place, prepare, piece) in enumerate(steps, 1):
            prepare = chance.randrange(prepare[0], prepare[1] + 1, 5)
            piece = round(chance.uniform(*piece) * 20) / 20
            pause = "ja" if place else "nein"
            lines.append(f"{part};{number * 10};{name};{place};{prepare};{comma(piece)};{pause}")
    return lines, names


def orders(chance, names, count, days):
    lines = ["Auftrag;Teil;Menge;Kunde;Freigabe;Liefertermin;Pönale"]
    for number in range(count):
        release = MONDAY + timedelta(days=chance.choice([0, 0, 0] + list(range(days))))
        if release.weekday() > 4:
            release += timedelta(days=7 - release.weekday())
        due = release + timedelta(days=chance.randrange(5, 12))
        if due.weekday() > 4:
            due -= timedelta(days=due.weekday() - 4)
        size = chance.choice([4, 6, 8, 10, 12, 15, 20, 25, 30])
        penalty = chance.choice(["3/h", "3/h", "6/h", "6/h", "12/h", "1,5/h"])
        customer = chance.choice(CUSTOMERS)
        part = chance.choice(names)
        lines.append(f"{26100001 + number};{part};{size};{customer};{release:%d.%m.%Y};{due:%d.%m.%Y};{penalty}")
    return lines


def begun(lines, plans):
    """What was begun on Friday: the first step is over, the second one still runs."""
    rows = ["kind,order,step,resource,unit,start_time,end_time"]
    places = {"Drehen": ["Drehen1", "Drehen2"], "Fräsen": ["Fräsen1", "Fräsen2", "Fräsen4"], "Bohren": ["Bohrwerk"]}
    at, free = 7 * 60, {name: list(names) for name, names in places.items()}
    for line in lines[1:]:
        order, part, _, _, release = line.split(";")[:5]
        steps = [row.split(";")[2:4] for row in plans if row.startswith(part + ";")]
        (one, place), (two, _) = steps[:2]
        if release != "02.11.2026" or "|" in place or not free.get(two):
            continue
        clock = lambda minutes: f"{minutes // 60:02}:{minutes % 60:02}"
        rows.append(f"step,{order},{one},{place},1,2026-10-30T{clock(at)},2026-10-30T{clock(at + 40)}")
        on = free[two].pop(0)
        rows.append(f"step,{order},{two},{on},1,2026-10-30T{clock(at + 60)},2026-11-02T{clock(at - 10)}")
        at += 40
    return rows


def tuesday():
    """What the terminals tell on Tuesday morning: all that was planned to start by then did, but what was on the third
    mill when it broke down has to be done again."""
    with open("plans/plant.csv", encoding="utf-8") as file:
        header, *rows = file.read().splitlines()
    kept = [row for row in rows if row.split(",")[9] < "2026-11-03T06:00"]
    lost = lambda cells: cells[4] == "Fräsen3" and cells[10] > "2026-11-03T06:00"
    kept = [row for row in kept if not lost(row.split(","))]
    with open("begun-tuesday.csv", "w", encoding="utf-8") as file:
        file.write("\n".join([header, *kept]) + "\n")


def main():
    chance = random.Random(2026)
    lines, names = routings(chance)
    write("arbeitsplan.csv", lines)
    many = orders(chance, names, 300, 7)
    write("auftraege.csv", many)
    write("auftraege-1500.csv", orders(chance, names, 1500, 80))
    # As the terminals at the machines write it.
    with open("begun.csv", "w", encoding="utf-8") as file:
        file.write("\n".join(begun(many, lines)) + "\n")


if __name__ == "__main__":
    tuesday() if sys.argv[1:] == ["tuesday"] else main()
