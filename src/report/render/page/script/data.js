"use strict";
(() => {
// What `data.rs` wrote, as typed columns. An item is whatever has a bar: a step on a unit, a hold, a setup.

const STEP = 0, HOLD = 1, SETUP = 2;

/** Sums up differences in place of which they were told. */
function summed(list) {
  const out = new Float64Array(list.length);
  let last = 0;
  for (let k = 0; k < list.length; k++) out[k] = last += list[k];
  return out;
}

/** Times of orders; none is told as NaN. */
function times(list, count) {
  const out = new Float64Array(count).fill(NaN);
  if (list) list.forEach((at, k) => { if (at !== null) out[k] = at; });
  return out;
}

function readPlan(raw, number) {
  const count = raw.orders.id.length;
  const plan = {
    number, name: raw.name, end: raw.end, now: raw.now, cycle: raw.cycle, names: raw.names, resources: raw.resources,
    units: raw.units.map(([resource, name, calendar]) => ({ resource, name, calendar })),
    idle: raw.idle.map(([resource, calendar, count]) => ({ resource, calendar, count })),
    calendars: raw.calendars.map(summed),
    orders: {
      count, id: raw.orders.id, recipe: raw.orders.recipe, family: raw.orders.family,
      release: times(raw.orders.release, count), due: times(raw.orders.due, count),
      deadline: times(raw.orders.deadline, count), start: times(raw.orders.start, count),
      finish: times(raw.orders.finish, count),
    },
    jobs: {
      count: raw.jobs.order.length, order: raw.jobs.order, step: raw.jobs.step, start: summed(raw.jobs.start),
      length: raw.jobs.length, slack: raw.jobs.slack, after: raw.jobs.after,
      facts: new Set(raw.jobs.facts), work: new Map(raw.jobs.work.map(([job, list]) => [job, summed(list)])),
    },
  };
  const { orders, jobs } = plan;
  plan.unitsOf = plan.resources.map(() => 0);
  for (const { resource, count = 1 } of [...plan.units, ...plan.idle]) plan.unitsOf[resource] += count;
  orders.late = new Float64Array(count);
  for (let k = 0; k < count; k++) orders.late[k] = orders.finish[k] > orders.due[k] ? orders.finish[k] - orders.due[k] : 0;
  plan.items = readItems(raw, plan);
  // The jobs of each order in the sequence of their starts, and the items of each job.
  plan.ofOrder = Array.from({ length: count }, () => []);
  for (let job = 0; job < jobs.count; job++) if (jobs.order[job] >= 0) plan.ofOrder[jobs.order[job]].push(job);
  plan.ofJob = Array.from({ length: jobs.count }, () => []);
  for (let k = 0; k < plan.items.count; k++) plan.ofJob[plan.items.job[k]].push(k);
  return plan;
}

function readItems(raw, plan) {
  const { jobs } = plan;
  const { bars, holds, setups } = raw;
  const count = bars.unit.length + holds.unit.length + setups.unit.length;
  const items = {
    count, kind: new Uint8Array(count), unit: new Int32Array(count), job: new Int32Array(count),
    order: new Int32Array(count), start: new Float64Array(count), end: new Float64Array(count),
    // Where they are on an axis that may leave out closed time.
    left: new Float64Array(count), right: new Float64Array(count),
  };
  let k = 0;
  const add = (kind, unit, job, start, length) => {
    items.kind[k] = kind;
    items.unit[k] = unit;
    items.job[k] = job;
    items.order[k] = jobs.order[job];
    items.start[k] = start;
    items.end[k++] = start + length;
  };
  const ofBars = summed(bars.job);
  bars.unit.forEach((unit, i) => add(STEP, unit, ofBars[i], jobs.start[ofBars[i]], jobs.length[ofBars[i]]));
  for (const [kind, list] of [[HOLD, holds], [SETUP, setups]]) {
    const starts = summed(list.start);
    list.unit.forEach((unit, i) => add(kind, unit, list.job[i], starts[i], list.length[i]));
  }
  return items;
}

function readData() {
  const raw = JSON.parse(document.getElementById("data").textContent);
  return { title: raw.title, isLayout: raw.kind === "layout", time: raw.time, plans: raw.plans.map(readPlan) };
}

/** The number of the first of `count` for which this does not hold; it holds up to there. */
function search(count, holds) {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1; else high = middle;
  }
  return low;
}

function unitName(plan, unit) {
  if (unit < 0) return "no resource";
  const { resource, name } = plan.units[unit];
  const alone = plan.unitsOf[resource] === 1;
  return alone || name === "" ? plan.resources[resource] : plan.resources[resource] + (plan.cycle ? "." : " ") + name;
}
