// Which rows a chart has. A row has lanes, which stand above each other; on a lane nothing overlaps, so that
// what lies in view is found by its place.

/** More units of one resource than this share a row. */
const MANY_UNITS = 60;
const LANE = 20;

/** Lanes for items by start: each goes to the first that is free. */
function lanesOf(items, list) {
  const lanes = [], ends = [];
  for (const item of list) {
    let lane = ends.findIndex(end => end <= items.start[item]);
    if (lane < 0) { lane = lanes.length; lanes.push([]); ends.push(0); }
    lanes[lane].push(item);
    ends[lane] = Math.max(items.end[item], items.start[item] + 1e-9);
  }
  return lanes.map(lane => Int32Array.from(lane));
}

function byStart(items) {
  return (a, b) => items.start[a] - items.start[b] || items.end[a] - items.end[b] || a - b;
}

/** `{key, label, plan, lanes, strips, calendar, order}` of each unit that is taken. */
function unitRows(plan) {
  const { items } = plan;
  const ofUnit = plan.units.map(() => []), none = [];
  for (let k = 0; k < items.count; k++) (items.unit[k] < 0 ? none : ofUnit[items.unit[k]]).push(k);
  const rows = [];
  for (let first = 0; first < plan.units.length;) {
    const { resource } = plan.units[first];
    let last = first;
    while (last < plan.units.length && plan.units[last].resource === resource) last++;
    const used = [];
    for (let unit = first; unit < last; unit++) if (ofUnit[unit].length || last - first <= 12) used.push(unit);
    const name = plan.resources[resource];
    if (used.length > MANY_UNITS) {
      const all = used.flatMap(unit => ofUnit[unit]).sort(byStart(items));
      rows.push({ key: name, label: name, plan, lanes: lanesOf(items, all), laneHeight: 3, calendar: plan.units[first].calendar, order: -1 });
    } else {
      for (const unit of used) {
        const own = ofUnit[unit].sort(byStart(items));
        const label = unitName(plan, unit);
        rows.push({ key: label, label, plan, lanes: lanesOf(items, own), calendar: plan.units[unit].calendar, order: -1, unit });
      }
    }
    first = last;
  }
  if (none.length) rows.push({ key: "\u0000none", label: "no resource", plan, lanes: lanesOf(items, none.sort(byStart(items))), laneHeight: 12, calendar: null, order: -1 });
  return rows;
}

/** A row for each order: its steps, what it holds as thin strips. */
function orderRows(plan, sort, shown) {
  const { items, orders } = plan;
  const numbers = [];
  for (let k = 0; k < orders.count; k++) if (shown[k] && plan.ofOrder[k].length) numbers.push(k);
  const keys = {
    start: k => orders.start[k], finish: k => orders.finish[k], late: k => -orders.late[k],
    due: k => Number.isNaN(orders.due[k]) ? Infinity : orders.due[k],
  };
  const key = keys[sort];
  if (key) numbers.sort((a, b) => { const d = key(a) - key(b); return Number.isNaN(d) || d === 0 ? a - b : d; });
  return numbers.map(number => {
    const steps = [], holds = [];
    for (const job of plan.ofOrder[number]) {
      const own = plan.ofJob[job];
      const step = own.find(item => items.kind[item] === STEP);
      if (step !== undefined) steps.push(step);
      holds.push(...own.filter(item => items.kind[item] === HOLD));
    }
    const order = byStart(items);
    return { key: orders.id[number], label: orders.id[number], plan, lanes: lanesOf(items, steps.sort(order)), strips: lanesOf(items, holds.sort(order)), calendar: null, order: number };
  });
}

/** Gives rows their places: `top`, `height`. Rows of one name stand together if plans are to be compared row by row. */
function arrange(groups, isTogether, names) {
  const rows = [];
  if (isTogether && groups.length > 1) {
    const known = new Map();
    groups.forEach((group, number) => group.forEach(row => {
      if (!known.has(row.key)) known.set(row.key, []);
      known.get(row.key).push({ ...row, tag: number });
    }));
    for (const own of known.values()) own.forEach((row, k) => rows.push({ ...row, isFirst: k === 0, label: k ? "" : row.label, isInner: k < own.length - 1 }));
  } else {
    groups.forEach((group, number) => {
      if (groups.length > 1) rows.push({ title: names[number], lanes: [], plan: group[0] && group[0].plan });
      rows.push(...group);
    });
  }
  let top = 0;
  for (const row of rows) {
    row.top = top;
    row.lane = row.laneHeight || (row.lanes.length > 3 ? 14 : LANE);
    const strips = row.strips ? row.strips.length * 4 : 0;
    row.height = row.title !== undefined ? 30 : Math.max(1, row.lanes.length) * row.lane + strips + (row.isInner ? 2 : 8);
    top += row.height;
  }
  return { rows, height: top };
}

/** How much of a resource is taken, or could be, as steps over time with their integral. */
class Curve {
  /** Changes: pairs of instant and by how much. */
  constructor(changes) {
    changes.sort((a, b) => a[0] - b[0]);
    const at = [], level = [], area = [];
    let now = 0, sum = 0, last = 0;
    for (const [instant, by] of changes) {
      sum += now * (instant - last);
      now += by;
      if (at.length && at[at.length - 1] === instant) { level[level.length - 1] = now; }
      else { at.push(instant); level.push(now); area.push(sum); }
      last = instant;
    }
    this.at = Float64Array.from(at);
    this.level = Float64Array.from(level);
    this.area = Float64Array.from(area);
  }

  until(instant) {
    const k = search(this.at.length, i => this.at[i] <= instant);
    return k ? this.area[k - 1] + this.level[k - 1] * (instant - this.at[k - 1]) : 0;
  }

  mean(from, to) {
    return (this.until(to) - this.until(from)) / (to - from || 1);
  }
}

/** What is taken of a resource, or of all of them, and what is open. */
function load(plan, resource) {
  const taken = [], open = [];
  const isMeant = unit => unit >= 0 && (resource < 0 || plan.units[unit].resource === resource);
  const { items } = plan;
  const add = (list, from, to) => { list.push([from, 1], [to, -1]); };
  for (let k = 0; k < items.count; k++) {
    if (items.kind[k] === SETUP || !isMeant(items.unit[k])) continue;
    const work = items.kind[k] === STEP && plan.jobs.work.get(items.job[k]);
    if (work) for (let i = 0; i + 1 < work.length; i += 2) add(taken, work[i], work[i + 1]);
    else add(taken, items.start[k], items.end[k]);
  }
  // Units of one calendar are looked at together.
  const alike = new Map();
  plan.units.forEach((unit, k) => { if (isMeant(k)) alike.set(unit.calendar, (alike.get(unit.calendar) || 0) + 1); });
  for (const { resource: own, calendar, count } of plan.idle) {
    if (resource < 0 || own === resource) alike.set(calendar, (alike.get(calendar) || 0) + count);
  }
  for (const [calendar, count] of alike) {
    const windows = calendar === null ? [0, plan.end] : plan.calendars[calendar];
    for (let i = 0; i + 1 < windows.length; i += 2) open.push([windows[i], count], [windows[i + 1], -count]);
  }
  return { taken: new Curve(taken), open: new Curve(open) };
}
