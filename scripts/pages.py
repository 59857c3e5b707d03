#!/usr/bin/env python3
"""Opens reports in a browser: draws, zooms, searches, clicks, prints; with scripts and without.

    scripts/pages.py [--takt PROGRAM] [--shots FOLDER]

Needs Chromium (on Debian `apt-get install chromium`; with --install the script does that). Where there is none it says
so and ends well: nothing was tried. Solves the examples first; pages of 1500 and 2000 orders get a plan that was made up.
"""

import argparse
import base64
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
WIDE, NARROW = (1400, 1000), (390, 844)


class Browser:
    """Speaks the DevTools protocol over a pair of pipes, so that no port is opened."""

    def __init__(self, program, profile):
        to_browser, self.write = os.pipe()
        self.read, from_browser = os.pipe()

        def place():
            os.dup2(to_browser, 3)
            os.dup2(from_browser, 4)

        # The pipes may themselves be 3 and 4; they are moved out of the way first.
        to_browser, from_browser = (os.dup(os.dup(one)) for one in (to_browser, from_browser))
        arguments = [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                     "--hide-scrollbars", f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(arguments, close_fds=False, preexec_fn=place,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number, self.rest, self.events = 0, b"", []

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.read, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, session=None, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if session:
            request["sessionId"] = session
        os.write(self.write, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def end(self):
        self.call("Browser.close")
        self.process.wait(20)


class Page:
    def __init__(self, browser, path, size=WIDE, scripts=True, theme="light"):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
                  mobile=size[0] < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        browser.events.clear()
        self.call("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in browser.events):
            browser.events.append(browser.message())

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def ask(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def frame(self):
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", buttons=1, clickCount=1)
        self.frame()

    def key(self, key):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.frame()

    def shot(self, path, whole=True):
        image = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(image["data"]))

    def wrong(self):
        """Errors and requests that the page has made."""
        found = []
        for event in self.browser.events:
            params = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            if event["method"] == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                found.append(str(params["args"]))
            if event["method"] == "Log.entryAdded" and params["entry"]["level"] == "error":
                found.append(params["entry"]["text"])
            if event["method"] == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append("asks for " + url)
        return found

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


def expect(what, holds):
    print(f"  {'ok ' if holds else 'NOT'} {what}")
    if not holds:
        expect.failed += 1


expect.failed = 0


def bar(page, number=0):
    """Where a bar of the chart is on the page."""
    return page.ask(f"""(() => {{
        const {{ chart }} = report, box = chart.canvas.getBoundingClientRect();
        const row = chart.rows.filter(row => row.lanes.length && row.lanes[0].length)[{number}];
        const item = row.lanes[0][0], {{ items }} = row.plan;
        const x = Math.max(chart.gutter + 1, chart.x((items.left[item] + items.right[item]) / 2));
        return [box.left + x, box.top + {42} + row.top - chart.scroll + row.height / 2, row.plan.orders.id[items.order[item]] ?? ""];
    }})()""")


def look(browser, name, path, shots):
    print(name)
    page = Page(browser, path)
    expect("the script has run", page.ask("document.documentElement.dataset.ready") == "1")
    page.frame()
    inked = """(() => { const c = report.chart.canvas, d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
        const seen = new Set(); for (let k = 0; k < d.length; k += 400) seen.add(d[k] + "," + d[k+1] + "," + d[k+2]); return seen.size; })()"""
    expect("the chart has colours", page.ask(inked) > 3)
    move(page)
    choose(page)
    filters(page)
    if shots:
        page.shot(shots / f"{name}-clicked.png", whole=False)
    pdf = page.call("Page.printToPDF")["data"]
    expect("it prints", len(base64.b64decode(pdf)) > 3000)
    wrong = page.wrong()
    expect("no errors, no requests" + "".join("\n      " + line for line in wrong), not wrong)
    page.close()
    for size, width in ((WIDE, "wide"), (NARROW, "narrow")):
        for theme in ("light", "dark"):
            for scripts in (True, False):
                page = Page(browser, path, size, scripts, theme)
                page.call("Emulation.setScriptExecutionDisabled", value=False)
                over = page.ask("document.documentElement.scrollWidth - innerWidth")
                if over > 0:
                    expect(f"nothing sticks out: {over} pixels, {width}, {theme}, scripts {scripts}", False)
                if shots:
                    page.shot(shots / f"{name}-{width}-{theme}{'' if scripts else '-still'}.png")
                page.close()


def move(page):
    before = page.ask("report.chart.scale")
    page.ask("report.chart.canvas.focus()")
    page.key("+")
    expect("a key zooms", page.ask("report.chart.scale") > before)
    x, y = page.ask("(() => { const box = report.chart.canvas.getBoundingClientRect(); return [box.left + box.width / 2, box.top + 60]; })()")
    was = page.ask("report.chart.scale")
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-120, modifiers=2)
    page.frame()
    expect("the wheel zooms", page.ask("report.chart.scale") > was)
    start = page.ask("report.chart.from")
    page.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    for step in range(1, 6):
        page.mouse("mouseMoved", x - 20 * step, y, button="left", buttons=1)
    page.mouse("mouseReleased", x - 100, y, button="left", clickCount=1)
    page.frame()
    expect("the mouse pans", page.ask("report.chart.from") > start)
    page.key("0")
    expect("a key shows all", page.ask("report.chart.from") == 0)


def choose(page):
    x, y, order = bar(page)
    page.mouse("mouseMoved", x, y)
    page.frame()
    expect("a bar is told of", page.ask("!report.tip.hidden && report.tip.textContent.length > 3"))
    page.click(x, y)
    chosen = page.ask("report.chosen ? report.chosen.id : null")
    expect(f"a click chooses ({chosen})", chosen == order)
    if order:
        expect("its way is shown", page.ask("!document.getElementById('way').hidden && document.querySelectorAll('#way tbody tr').length > 0"))
    page.ask("report.chart.canvas.focus()")
    page.key("ArrowRight")
    page.key("ArrowDown")
    expect("arrows go on", page.ask("report.chosen !== null"))
    expect("it is said", page.ask("document.getElementById('told').textContent.length > 3"))
    page.key("Escape")
    expect("escape clears", page.ask("report.chosen === null"))


def filters(page):
    order = page.ask("report.model.plans[0].orders.id[0]")
    page.ask(f"""(() => {{ const input = document.querySelector("input[type=search]"); input.value = {json.dumps(order)};
        input.dispatchEvent(new Event("input")); }})()""")
    found = page.ask("report.chart.shown[0].reduce((a, b) => a + b, 0)")
    total = page.ask("report.model.plans[0].orders.count")
    expect(f"a search finds {found} of {total}", 0 < found <= total)
    for text in ("Orders", "Wafers"):
        page.ask(f"[...document.querySelectorAll('#chart button')].filter(b => b.textContent === '{text}').forEach(b => b.click())")
    expect("orders as rows", page.ask("report.chart.rows.some(row => row.order >= 0)"))
    page.ask("(() => { const input = document.querySelector('input[type=search]'); input.value = ''; input.dispatchEvent(new Event('input')); })()")
    for name in ("Critical", "Fold closed time", "Colour-blind", "Machine lists"):
        page.ask(f"[...document.querySelectorAll('button')].filter(b => b.textContent === '{name}').forEach(b => b.click())")
    page.frame()
    if page.ask("[...document.querySelectorAll('button')].some(b => b.textContent === 'Machine lists')"):
        expect("machines have lists", page.ask("document.querySelectorAll('#dispatch tbody tr').length > 0"))
    page.ask("""[...document.querySelectorAll("#chart select")].forEach(list => [...list.options].forEach(option => {
        list.value = option.value; list.dispatchEvent(new Event("change")); }))""")
    page.frame()
    expect("every choice draws", page.ask("report.chart.painted > 0"))


def frames(browser, path):
    """How long a frame takes while a large chart is moved, on the processor that draws it."""
    page = Page(browser, path)
    taken = page.ask("""(async () => {
        const all = [], { chart } = report;
        for (const scale of [1, 4, 20]) {
            chart.fit(); chart.zoom(scale);
            for (let k = 0; k < 30; k++) {
                chart.pan(37); await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                all.push(chart.painted);
            }
        }
        return all.sort((a, b) => a - b);
    })()""")
    bars = page.ask("report.model.plans[0].items.count")
    median, most = taken[len(taken) // 2], taken[int(len(taken) * 0.95)]
    print(f"{bars} bars: a frame takes {median:.1f} ms (median), {most:.1f} ms (19 of 20)")
    expect("moving is smooth", median < 16)
    page.close()


def crowd(page, orders, machines=40, steps=10):
    """A page like this one, of a plan so large that to make it would take longer than to look at it."""
    chance = random.Random(7)
    free, jobs = [0] * machines, []
    told = {"id": [], "recipe": [], "family": [], "release": None, "due": [], "deadline": None, "start": [], "finish": []}
    for order in range(orders):
        now = first = order * 9
        for step, machine in enumerate(chance.sample(range(machines), steps)):
            start, length = max(now, free[machine]), chance.randint(10, 60)
            now = free[machine] = start + length
            first = min(first, start) if step else start
            jobs.append((start, order, step, length, machine))
        for key, value in (("id", f"A{order}"), ("recipe", steps + order % 3), ("family", steps + 3 + order % 5),
                           ("due", first + 700), ("start", first), ("finish", now)):
            told[key].append(value)
    jobs.sort()
    starts = [job[0] for job in jobs]
    none = {"unit": [], "job": [], "start": [], "length": []}
    plan = {
        "name": "crowd", "end": max(told["finish"]), "now": None, "cycle": None, "calendars": [], "idle": [],
        "resources": [f"m{k}" for k in range(machines)], "units": [[k, "1", None] for k in range(machines)], "orders": told,
        "jobs": {"order": [job[1] for job in jobs], "step": [job[2] for job in jobs],
                 "start": [b - a for a, b in zip([0, *starts], starts)], "length": [job[3] for job in jobs],
                 "slack": [k % 50 for k in range(len(jobs))], "after": [-1] * len(jobs), "facts": [], "work": []},
        "bars": {"unit": [job[4] for job in jobs], "job": [0] + [1] * (len(jobs) - 1)}, "holds": none, "setups": none,
        "names": [f"s{k}" for k in range(steps)] + [f"r{k}" for k in range(3)] + [f"f{k}" for k in range(5)],
    }
    time = {"unit": "minute", "seconds": 60, "start": "2026-01-05T06:00:00", "ahead": []}
    data = {"version": 1, "title": "crowd", "kind": "plant", "time": time, "plans": [plan]}
    before, rest = page.read_text(encoding="utf-8").split('id="data">')
    out = page.parent / f"crowd-{orders}.html"
    out.write_text(f'{before}id="data">{json.dumps(data)}</script>{rest.split("</script>", 1)[1]}', encoding="utf-8")
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", default=ROOT / "target/debug/takt", type=Path)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--install", action="store_true")
    args = parser.parse_args()
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not program and args.install:
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "chromium"], check=False)
        program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not program:
        print("skipped: there is no Chromium here (apt-get install chromium, or --install)")
        return 0
    if args.shots:
        args.shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        browser = Browser(program, folder / "profile")
        examples = {"ft06": "specs/ft06.yaml", "shifts": "specs/starters/shifts.yaml", "scanner": "specs/scanner/base.yaml",
                    "lacquer": "specs/lacquer/v3.yaml"}
        for name, spec in examples.items():
            solve(args.takt, ["solve", ROOT / spec], folder / name)
            look(browser, name, folder / name / "report.html", args.shots)
        solve(args.takt, ["compare", ROOT / "specs/lacquer/v1.yaml", ROOT / "specs/lacquer/v2.yaml"], folder / "compare")
        look(browser, "compare", folder / "compare/report.html", args.shots)
        page = folder / "ft06/report.html"
        look(browser, "1500 orders", crowd(page, 1500), args.shots)
        frames(browser, crowd(page, 2000))
        browser.end()
    print("all well" if not expect.failed else f"{expect.failed} not as expected")
    return 1 if expect.failed else 0


def solve(takt, call, out, time="10s"):
    done = subprocess.run([takt, *call, "--time", time, "--out", out, "--quiet"], check=False)
    assert (out / "report.html").exists(), f"{call}: exit {done.returncode}"


if __name__ == "__main__":
    sys.exit(main())
