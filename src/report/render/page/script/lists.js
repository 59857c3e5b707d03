// Lists for those who work: what each machine does, shift by shift, to be printed.

const MOST_LINES = 1500;

/** The shifts of a unit that lie in a stretch of time: its windows, else days, else all of it. */
function shiftsOf(clock, plan, unit, from, to) {
  const { calendar } = plan.units[unit];
  if (calendar !== null) {
    const windows = plan.calendars[calendar], found = [];
    for (let k = 0; k + 1 < windows.length; k += 2) if (windows[k + 1] > from && windows[k] < to) found.push([windows[k], windows[k + 1]]);
    // A machine that hardly ever stops has days.
    if (found.length && found.every(([a, b]) => !clock.seconds || (b - a) * clock.seconds <= 86400)) return found;
  }
  if (!clock.seconds) return [[from, to]];
  const found = [];
  const day = DAY / clock.seconds;
  if (clock.isCivil) {
    const begin = Math.floor(clock.civil(from) / DAY) * DAY;
    for (let civil = begin; clock.instant(civil) < to; civil += DAY) found.push([clock.instant(civil), clock.instant(civil + DAY)]);
  } else {
    for (let at = Math.floor(from / day) * day; at < to; at += day) found.push([at, at + day]);
  }
  return found;
}

/** A table for each shift in which the unit begins something. */
function machineList(clock, plan, unit, from, to, room) {
  const { items, orders, jobs, names } = plan;
  const own = [];
  for (let k = 0; k < items.count; k++) if (items.unit[k] === unit && items.end[k] > from && items.start[k] < to) own.push(k);
  own.sort(byStart(items));
  const section = make("div", { class: "machine" }, make("h3", {}, unitName(plan, unit)));
  const shifts = shiftsOf(clock, plan, unit, from, to);
  let lines = 0;
  for (let s = 0; s < shifts.length; s++) {
    const [begin, end] = shifts[s];
    const upTo = s + 1 < shifts.length ? shifts[s + 1][0] : Infinity;
    const here = own.filter(item => items.start[item] < upTo && (items.start[item] >= begin || (s === 0 && items.end[item] > begin)));
    if (!here.length || lines >= room) continue;
    const rows = here.map(item => {
      const order = items.order[item], kind = ["", "hold", "setup"][items.kind[item]];
      const isLate = order >= 0 && orders.late[order] > 0;
      const notes = [kind, jobs.facts.has(items.job[item]) ? "settled" : "", jobs.work.has(items.job[item]) && items.kind[item] === STEP ? "pauses" : "", isLate ? "late order" : ""];
      return make("tr", {},
        make("td", { class: "n" }, clock.told(items.start[item])), make("td", { class: "n" }, clock.told(items.end[item])),
        make("th", { scope: "row" }, order < 0 ? "" : orders.id[order]), make("td", {}, names[jobs.step[items.job[item]]]),
        make("td", {}, order < 0 ? "" : names[orders.family[order]]), make("td", {}, notes.filter(Boolean).join(", ")));
    });
    lines += rows.length;
    const heads = [["Start", "n"], ["End", "n"], ["Order"], ["Step"], ["Family"], ["Note"]];
    section.append(make("div", { class: "sheet" },
      make("p", { class: "about" }, `${clock.told(begin)} to ${clock.told(end)}`),
      make("div", { class: "scroll" }, make("table", {},
        make("thead", {}, make("tr", {}, ...heads.map(([name, kind]) => make("th", { scope: "col", class: kind }, name)))),
        make("tbody", {}, ...rows)))));
  }
  return { section, lines };
}

/** The panel with its choice of machine and stretch of time. */
function showLists(panel, clock, chart, plan, act) {
  const used = new Set();
  for (let k = 0; k < plan.items.count; k++) if (plan.items.unit[k] >= 0) used.add(plan.items.unit[k]);
  const units = [...used].sort((a, b) => a - b);
  const choice = make("select", { "aria-label": "Machine" }, make("option", { value: "-1" }, "all machines"),
    ...units.map(unit => make("option", { value: unit }, unitName(plan, unit))));
  const range = make("select", { "aria-label": "Time" }, make("option", { value: "all" }, "the whole plan"), make("option", { value: "view" }, "what the chart shows"));
  const out = make("div");
  const fill = () => {
    const [from, to] = range.value === "view" ? [chart.instant(chart.gutter), chart.instant(chart.width)] : [0, plan.end];
    let lines = 0;
    const sections = [];
    for (const unit of choice.value === "-1" ? units : [Number(choice.value)]) {
      const list = machineList(clock, plan, unit, from, to, MOST_LINES - lines);
      lines += list.lines;
      if (list.lines) sections.push(list.section);
      if (lines >= MOST_LINES) {
        sections.push(make("p", { class: "more" }, "More than can be listed here: choose a machine, or zoom in and choose what the chart shows."));
        break;
      }
    }
    out.replaceChildren(...(sections.length ? sections : [make("p", { class: "about" }, "Nothing is to be done then.")]));
  };
  choice.addEventListener("change", fill);
  range.addEventListener("change", fill);
  const print = () => {
    document.documentElement.classList.add("printing-lists");
    window.print();
    document.documentElement.classList.remove("printing-lists");
  };
  panel.replaceChildren(make("h2", { tabindex: "-1" }, "What each machine does"),
    make("div", { class: "bar" }, choice, range, make("button", { type: "button", onclick: print }, "Print"),
      make("button", { type: "button", class: "close", onclick: act.close }, "Close")), out);
  fill();
  panel.hidden = false;
}
