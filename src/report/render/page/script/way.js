// An order's whole way: its steps, the waits between them, and who had the unit meanwhile.

/** Makes an element; text is only ever text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

function figure(name, value, kind) {
  return make("div", { class: kind }, make("dt", {}, name), make("dd", {}, value));
}

/** Who is on a unit between two instants, other than this job. */
function others(plan, unit, from, to, job) {
  const { items } = plan;
  const found = [];
  for (let k = 0; k < items.count; k++) {
    if (items.unit[k] === unit && items.job[k] !== job && items.start[k] < to && items.end[k] > from) found.push(k);
  }
  return found.sort(byStart(items));
}

/** The instant from which a job could have begun as far as its order goes: the last end before its start. */
function readyAt(plan, job) {
  const { jobs, orders } = plan;
  const order = jobs.order[job], start = jobs.start[job];
  let ready = Number.isNaN(orders.release[order]) ? 0 : orders.release[order];
  if (plan.now !== null) ready = Math.max(ready, plan.now);
  for (const other of plan.ofOrder[order]) {
    const end = jobs.start[other] + jobs.length[other];
    if (other !== job && end <= start && jobs.start[other] <= start) ready = Math.max(ready, end);
  }
  return Math.min(ready, start);
}

function words(list) {
  return list.length < 2 ? list.join("") : list.slice(0, -1).join(", ") + " and " + list[list.length - 1];
}

/** What happened between two instants on the units that a job takes. */
function waitWords(clock, plan, job, from, to, link) {
  const { items, jobs, names, orders } = plan;
  const own = plan.ofJob[job].filter(item => items.kind[item] === STEP && items.unit[item] >= 0);
  const parts = [];
  for (const item of own.slice(0, 3)) {
    const met = others(plan, items.unit[item], from, to, job).filter(other => items.kind[other] !== SETUP);
    if (!met.length) continue;
    const line = [unitName(plan, items.unit[item]) + " had "];
    met.slice(0, 4).forEach((other, k) => {
      const order = items.order[other];
      if (k) line.push(", ");
      line.push(order < 0 ? names[jobs.step[items.job[other]]] : link(plan, items.job[other], orders.id[order] + " " + names[jobs.step[items.job[other]]]));
    });
    if (met.length > 4) line.push(` and ${met.length - 4} more`);
    parts.push(line);
  }
  const setup = plan.ofJob[job].find(item => items.kind[item] === SETUP);
  if (setup !== undefined && items.start[setup] < to) parts.push([`${clock.length(items.end[setup] - items.start[setup])} of setup`]);
  const closed = own.map(item => plan.units[items.unit[item]].calendar).filter(calendar => calendar !== null)
    .map(calendar => closedWithin(plan.calendars[calendar], from, to)).reduce((a, b) => Math.max(a, b), 0);
  if (closed > 0) parts.push([`closed for ${clock.length(closed)}`]);
  return parts;
}

function closedWithin(windows, from, to) {
  let open = 0;
  for (let k = search(windows.length / 2, i => windows[2 * i + 1] <= from); 2 * k + 1 < windows.length && windows[2 * k] < to; k++) {
    open += Math.min(to, windows[2 * k + 1]) - Math.max(from, windows[2 * k]);
  }
  return to - from - open;
}

function showWay(panel, model, clock, chosen, act) {
  const { plan, order } = chosen;
  const { orders, jobs, names, items } = plan;
  const link = (other, job, text) => make("button", { class: "link", type: "button", onclick: () => act.go(other, job) }, text);
  const late = orders.late[order], due = orders.due[order];
  const figures = [
    figure("recipe", names[orders.recipe[order]]),
    names[orders.family[order]] !== names[orders.recipe[order]] ? figure("family", names[orders.family[order]]) : null,
    Number.isNaN(orders.release[order]) ? null : figure("release", clock.told(orders.release[order])),
    figure("from", clock.told(orders.start[order])),
    figure("until", clock.told(orders.finish[order])),
    Number.isNaN(due) ? null : figure("due", clock.told(due)),
    Number.isNaN(orders.deadline[order]) ? null : figure("deadline", clock.told(orders.deadline[order])),
    Number.isNaN(due) ? null : late > 0 ? figure("late by", clock.length(late), "bad") : figure("early by", clock.length(due - orders.finish[order]), "good"),
  ];
  if (model.isLayout) figures.splice(0, 2);
  const body = make("tbody");
  const hasSlack = Boolean(jobs.slack);
  for (const job of plan.ofOrder[order]) {
    const ready = readyAt(plan, job), start = jobs.start[job], end = start + jobs.length[job];
    if (start > ready) {
      const cell = make("td", { colspan: hasSlack ? 6 : 5 }, `waits ${clock.length(start - ready)}`);
      waitWords(clock, plan, job, ready, start, link).forEach((line, k) => cell.append(k ? "; " : ": ", ...line));
      body.append(make("tr", { class: "wait" }, cell));
    }
    const units = plan.ofJob[job].filter(item => items.kind[item] === STEP && items.unit[item] >= 0).map(item => unitName(plan, items.unit[item]));
    const held = plan.ofJob[job].filter(item => items.kind[item] === HOLD).map(item => unitName(plan, items.unit[item]));
    const slack = !hasSlack ? null : jobs.slack[job] < 0 ? "settled" : clock.length(jobs.slack[job]);
    body.append(make("tr", { class: job === chosen.job && chosen.isExact ? "now" : null },
      make("th", { scope: "row" }, link(plan, job, names[jobs.step[job]])),
      make("td", {}, words(summary(units)) + (held.length ? ` (holds ${words(summary(held))})` : "")),
      make("td", { class: "n" }, clock.told(start)), make("td", { class: "n" }, clock.told(end)),
      make("td", { class: "n" }, clock.length(jobs.length[job])),
      hasSlack ? make("td", { class: "n" }, slack) : null));
  }
  const heads = [["Step"], ["Takes"], ["Start", "n"], ["End", "n"], ["Lasts", "n"]];
  if (hasSlack) heads.push(["Slack", "n"]);
  panel.replaceChildren(
    make("div", { class: "head" }, make("h2", { tabindex: "-1" }, (model.isLayout ? "Wafer " : "Order ") + orders.id[order]),
      model.plans.length > 1 ? make("span", { class: "count" }, plan.name) : null, make("span", { class: "space" }),
      make("button", { type: "button", class: "close", onclick: () => act.clear() }, "Close")),
    make("dl", { class: "figures" }, ...figures.filter(Boolean)),
    make("div", { class: "scroll" }, make("table", {},
      make("thead", {}, make("tr", {}, ...heads.map(([name, kind]) => make("th", { scope: "col", class: kind }, name)))), body)));
  if (hasSlack) panel.append(make("p", { class: "about" }, "Slack: how much later a step could start without making any order late, or later, with the sequence on every unit as it is."));
  panel.hidden = false;
}

/** `F 1, F 2` for few, else how many. */
function summary(list) {
  return list.length <= 4 ? list : [...list.slice(0, 3), `${list.length - 3} more`];
}
