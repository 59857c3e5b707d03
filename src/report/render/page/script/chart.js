// The chart on its canvas: rows of bars over time, an axis above them and the load below. Only what can be
// seen is drawn, and bars thinner than a pixel are drawn as one where they have one colour.

const AXIS = 42, LOAD = 66, INSET = 4;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

class Chart {
  constructor(canvas, model, clock) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.model = model;
    this.clock = clock;
    this.rows = [];
    this.scroll = 0;
    this.length = Math.max(1, ...model.plans.map(plan => plan.end), ...this.markers());
    this.from = 0;
    this.fold = new Fold([], 1);
    this.selected = this.hovered = null;
    this.widths = new Map();
    this.frame = 0;
    this.isCritical = false;
  }

  /** Due instants that lie not far beyond the end are in view. */
  markers() {
    const end = Math.max(1, ...this.model.plans.map(plan => plan.end));
    return this.model.plans.flatMap(plan => Array.from(plan.orders.due).filter(due => due > end && due < end * 1.12));
  }

  resize(width, height) {
    const ratio = window.devicePixelRatio || 1;
    this.width = width;
    this.height = height;
    this.gutter = Math.round(Math.min(width < 560 ? 92 : 190, Math.max(66, this.labelWidth() + 22 + (this.rows.some(row => row.tag !== undefined) ? 16 : 0))));
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = width + "px";
    this.canvas.style.height = height + "px";
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.limit();
    this.draw();
  }

  labelWidth() {
    this.pen.font = `12.5px ${FONT}`;
    return Math.max(0, ...this.rows.slice(0, 400).map(row => this.pen.measureText(row.label || "").width));
  }

  /** Places of all items on an axis with or without closed time. */
  setFold(isFolded) {
    this.gaps = this.gaps || closedGaps(this.model.plans);
    this.fold = new Fold(isFolded ? this.gaps : [], this.length);
    this.span = this.fold.place(this.length);
    for (const { items } of this.model.plans) {
      for (let k = 0; k < items.count; k++) {
        items.left[k] = this.fold.place(items.start[k]);
        items.right[k] = this.fold.place(items.end[k]);
      }
    }
    this.fit();
  }

  get inner() { return Math.max(50, this.width - this.gutter - 12); }

  fit() {
    this.from = 0;
    this.scale = this.inner / (this.span || 1);
    this.draw();
  }

  /** Zooms by a factor about a place on the screen. */
  zoom(factor, x) {
    const about = x === undefined ? this.gutter + this.inner / 2 : Math.max(x, this.gutter);
    const place = this.from + (about - this.gutter) / this.scale;
    this.scale *= factor;
    this.limit();
    this.from = place - (about - this.gutter) / this.scale;
    this.limit();
    this.draw();
  }

  pan(pixels) {
    this.from += pixels / this.scale;
    this.limit();
    this.draw();
  }

  limit() {
    const least = this.inner / (this.span || 1);
    this.scale = Math.min(Math.max(this.scale || least, least), Math.max(least, 60));
    this.from = Math.min(Math.max(this.from, 0), Math.max(0, this.span - this.inner / this.scale));
  }

  x(place) { return this.gutter + (place - this.from) * this.scale; }
  at(instant) { return this.x(this.fold.place(instant)); }
  instant(x) { return this.fold.instant(this.from + (x - this.gutter) / this.scale); }
  get bottom() { return this.height - LOAD; }

  /** Brings an item into view. */
  show(plan, item) {
    const { items } = plan;
    const left = this.x(items.left[item]), right = this.x(items.right[item]);
    if (right < this.gutter + 20 || left > this.width - 20) {
      this.from = (items.left[item] + items.right[item]) / 2 - this.inner / this.scale / 2;
      this.limit();
    }
    const place = this.placeOf(plan, item);
    if (place) {
      const { row } = place, room = this.bottom - AXIS;
      if (row.top < this.scroll || row.top + row.height > this.scroll + room) this.wantScroll(row.top - room / 3);
    }
    this.draw();
  }

  placeOf(plan, item) {
    for (const row of this.rows) {
      if (row.plan !== plan || row.title !== undefined) continue;
      for (let lane = 0; lane < row.lanes.length; lane++) if (row.lanes[lane].includes(item)) return { row, lane };
    }
    return null;
  }

  /** The row and item at a point. */
  hit(x, y) {
    if (y < AXIS || y > this.bottom) return null;
    const inside = y - AXIS + this.scroll;
    const row = this.rows[search(this.rows.length, k => this.rows[k].top + this.rows[k].height <= inside)];
    if (!row || row.title !== undefined) return null;
    if (x < this.gutter) return { row, item: -1 };
    const lane = Math.floor((inside - row.top - this.pad(row)) / row.lane);
    const own = row.lanes[Math.min(Math.max(lane, 0), row.lanes.length - 1)];
    if (!own) return { row, item: -1 };
    const { items } = row.plan;
    const place = this.from + (x - this.gutter) / this.scale, near = 3 / this.scale;
    const k = search(own.length, i => items.right[own[i]] < place - near);
    const candidates = [own[k], own[k + 1]].filter(item => item !== undefined && items.left[item] <= place + near);
    const inIt = candidates.find(item => items.left[item] <= place && items.right[item] > place);
    return { row, item: inIt ?? candidates[0] ?? -1 };
  }

  pad(row) { return row.isInner || row.isFirst === false ? 1 : INSET; }

  draw() {
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.paint(); });
  }

  paint() {
    if (!this.width || !this.colouring) return;
    const { pen, colours } = this;
    const began = performance.now();
    pen.clearRect(0, 0, this.width, this.height);
    this.ticks = this.clock.ticks(this.instant(this.gutter), this.instant(this.width), this.apart());
    this.clip(this.gutter, AXIS, this.width - this.gutter, this.bottom - AXIS, () => {
      this.drawClosed();
      this.drawGrid();
      this.visible(row => this.drawRow(row));
      this.drawMarks();
      if (this.isCritical) this.drawCritical();
      if (this.selected && this.selected.order >= 0) this.drawWay(this.selected);
    });
    this.drawLabels();
    this.drawLoad();
    this.drawAxis();
    pen.fillStyle = colours.line;
    pen.fillRect(this.gutter - 1, 0, 1, this.height);
    this.painted = performance.now() - began;
  }

  clip(x, y, width, height, draw) {
    this.pen.save();
    this.pen.beginPath();
    this.pen.rect(x, y, width, height);
    this.pen.clip();
    draw();
    this.pen.restore();
  }

  /** Units of time that ticks are apart, at least. */
  apart() {
    // Folded time makes labels crowd; ticks that would are left out when they are drawn.
    const span = this.instant(this.width) - this.instant(this.gutter);
    return Math.max(1e-9, span / (this.inner / (this.width < 560 ? 56 : 74)));
  }

  visible(each) {
    const first = search(this.rows.length, k => this.rows[k].top + this.rows[k].height <= this.scroll);
    for (let k = first; k < this.rows.length; k++) {
      const row = this.rows[k];
      const y = AXIS + row.top - this.scroll;
      if (y > this.bottom) return;
      row.y = y;
      each(row);
    }
  }

  drawClosed() {
    const { pen, colours } = this;
    pen.fillStyle = colours.closed;
    const from = this.instant(this.gutter), to = this.instant(this.width);
    this.visible(row => {
      if (row.calendar === null || row.calendar === undefined) return;
      const windows = row.plan.calendars[row.calendar];
      const count = windows.length / 2;
      let k = search(count, i => windows[2 * i + 1] <= from);
      let last = k ? windows[2 * k - 1] : 0;
      for (; k <= count && last < to; k++) {
        const next = k < count ? windows[2 * k] : Math.min(to, Math.max(last, this.length));
        const x = this.at(last), width = this.at(next) - x;
        if (width > 0.6) pen.fillRect(x, row.y, width, row.height - (row.isInner ? 0 : 1));
        if (k < count) last = windows[2 * k + 1]; else break;
      }
    });
  }

  drawGrid() {
    const { pen, colours } = this;
    pen.fillStyle = colours.line;
    for (const tick of this.ticks) pen.fillRect(Math.round(this.at(tick.at)), AXIS, 1, this.bottom);
    this.visible(row => { if (!row.isInner) pen.fillRect(this.gutter, row.y + row.height - 1, this.inner + 12, 1); });
    pen.fillStyle = colours.faint;
    for (let k = 0; k < this.fold.from.length; k++) {
      const x = Math.round(this.at(this.fold.from[k]) + this.fold.width * this.scale / 2);
      if (x > this.gutter && x < this.width) for (let y = AXIS; y < this.bottom; y += 6) pen.fillRect(x, y, 1, 2);
    }
  }

  drawRow(row) {
    if (row.title !== undefined) return;
    const top = row.y + this.pad(row);
    row.lanes.forEach((lane, k) => this.drawLane(row, lane, top + k * row.lane, row.lane > 6 ? row.lane - 2 : row.lane - 1));
    if (row.strips) row.strips.forEach((lane, k) => this.drawLane(row, lane, top + row.lanes.length * row.lane + k * 4, 3));
    if (row.order >= 0) this.drawDue(row);
  }

  drawLane(row, lane, y, height) {
    const { items } = row.plan;
    const { from, scale, gutter } = this;
    const to = from + (this.width - gutter) / scale;
    const numbers = this.colouring.ofPlans[row.plan.number];
    // A run of bars too thin to be told apart.
    let runFrom = 0, runTo = -1, runColour = "", runIsDim = false;
    const flush = () => {
      if (runTo > runFrom) this.fill(runFrom, y, Math.max(1, runTo - runFrom), height, runColour, runIsDim);
      runTo = -1;
    };
    for (let k = search(lane.length, i => items.right[lane[i]] < from); k < lane.length; k++) {
      const item = lane[k];
      if (items.left[item] > to) break;
      const x = gutter + (items.left[item] - from) * scale;
      const end = gutter + (items.right[item] - from) * scale;
      const isDim = this.isDim(row.plan, item);
      const number = numbers[item];
      const colour = items.kind[item] === SETUP || number < 0 ? this.colouring.none : this.colouring.colour[number];
      if (end - x < 2.2 && row.plan !== null) {
        if (runTo >= 0 && colour === runColour && isDim === runIsDim && x - runTo < 0.8) { runTo = Math.max(end, runTo); continue; }
        if (runTo >= 0 && end <= runFrom + 1 && isDim) continue;
        flush();
        runFrom = x;
        runTo = Math.max(end, x + 0.7);
        runColour = colour;
        runIsDim = isDim;
        continue;
      }
      flush();
      this.drawBar(row, item, x, y, end - x, height, colour, isDim);
    }
    flush();
  }

  fill(x, y, width, height, colour, isDim) {
    const { pen } = this;
    pen.globalAlpha = isDim ? 0.16 : 1;
    pen.fillStyle = colour;
    pen.fillRect(x, y, width, height);
    pen.globalAlpha = 1;
  }

  isDim(plan, item) {
    const order = plan.items.order[item];
    const chosen = this.selected || this.hovered;
    if (this.isCritical && !(plan.jobs.slack && plan.jobs.slack[plan.items.job[item]] === 0)) return true;
    if (this.shown && !(order >= 0 ? this.shown[plan.number][order] : this.isAllShown) && !this.isItemShown(plan, item)) return true;
    return Boolean(chosen) && chosen.order >= 0 && this.isFocused && (plan.orders.id[order] !== chosen.id);
  }

  /** Items may be searched for by their own step or resource. */
  isItemShown(plan, item) { return this.found ? this.found[plan.number][item] === 1 : false; }

  drawBar(row, item, x, y, width, height, colour, isDim) {
    const { pen, colours } = this;
    const { items, jobs } = row.plan;
    const kind = items.kind[item], job = items.job[item];
    const gap = width > 5 ? 1 : 0;
    const inner = Math.max(1, width - gap);
    pen.globalAlpha = isDim ? 0.16 : 1;
    pen.fillStyle = colour;
    let ground = colour;
    if (kind === HOLD && height > 4) {
      pen.globalAlpha *= 0.3;
      pen.fillRect(x, y, inner, height);
      pen.globalAlpha = isDim ? 0.16 : 1;
      pen.fillRect(x, y + height - 2, inner, 2);
      ground = null;
    } else if (kind === SETUP) {
      pen.globalAlpha *= 0.75;
      pen.fillRect(x, y + height * 0.3, inner, height * 0.4);
      ground = null;
    } else {
      this.body(row.plan, job, x, y, inner, height);
    }
    const isFact = kind === STEP && jobs.facts.has(job);
    if (isFact && height > 4) this.hatch(x, y, inner, height, ground);
    const isLast = kind === STEP && row.plan.orders.late[items.order[item]] > 0 && items.end[item] === row.plan.orders.finish[items.order[item]];
    if (isLast && width > 2 && height > 6) {
      pen.fillStyle = colours.bad;
      pen.fillRect(x + inner - 3, y, 3, height);
    }
    if (height > 10 && width > 22 && kind !== SETUP) this.label(row, item, x, y, inner, height, ground);
    pen.globalAlpha = 1;
    const chosen = this.selected;
    if (chosen && chosen.plan === row.plan && (chosen.job === job) && chosen.isExact) {
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 2;
      pen.strokeRect(x + 1, y + 1, Math.max(1, inner - 2), height - 2);
    }
  }

  /** Where it pauses, a step is a thin line. */
  body(plan, job, x, y, width, height) {
    const { pen } = this;
    const work = plan.jobs.work.get(job);
    if (!work) { pen.fillRect(x, y, width, height); return; }
    pen.fillRect(x, y + height / 2 - 1, width, 2);
    for (let k = 0; k + 1 < work.length; k += 2) {
      const from = this.at(work[k]), to = this.at(work[k + 1]);
      pen.fillRect(from, y, Math.max(1, Math.min(to, x + width) - from), height);
    }
  }

  hatch(x, y, width, height, ground) {
    const { pen } = this;
    pen.save();
    pen.beginPath();
    pen.rect(x, y, width, height);
    pen.clip();
    pen.globalAlpha *= 0.55;
    pen.strokeStyle = ink(ground) === "#ffffff" ? "#ffffff" : "#14181c";
    pen.lineWidth = 1.2;
    pen.beginPath();
    const first = Math.max(x - height, this.gutter - height), last = Math.min(x + width, this.width);
    for (let at = first - (first % 6); at < last; at += 6) { pen.moveTo(at, y + height); pen.lineTo(at + height, y); }
    pen.stroke();
    pen.restore();
  }

  label(row, item, x, y, width, height, ground) {
    const { pen, colours } = this;
    const { items, orders, jobs, names } = row.plan;
    // Names stand on work, not on pauses.
    const work = items.kind[item] === STEP && jobs.work.get(items.job[item]);
    let from = x, to = x + width;
    if (work) {
      let longest = 0;
      for (let k = 2; k + 1 < work.length; k += 2) if (work[k + 1] - work[k] > work[longest + 1] - work[longest]) longest = k;
      from = this.at(work[longest]);
      to = this.at(work[longest + 1]);
    }
    const left = Math.max(from, this.gutter), room = Math.min(to, this.width) - left - 8;
    if (room < 14) return;
    const order = items.order[item] < 0 ? "" : orders.id[items.order[item]];
    const step = names[jobs.step[items.job[item]]];
    const best = row.order >= 0 ? [step] : items.kind[item] === HOLD ? [order] : [order + " " + step, order || step];
    pen.font = `${height > 15 ? 11.5 : 10}px ${FONT}`;
    let text = best.find(text => this.measure(text, pen.font) <= room);
    if (text === undefined) text = this.shortened(best[best.length - 1], room, pen.font);
    if (!text) return;
    pen.fillStyle = ground ? ink(ground) : colours.ink;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(text, left + 4, y + height / 2 + 0.5);
  }

  measure(text, font) {
    const key = font + text;
    let width = this.widths.get(key);
    if (width === undefined) {
      if (this.widths.size > 20000) this.widths.clear();
      width = this.pen.measureText(text).width;
      this.widths.set(key, width);
    }
    return width;
  }

  /** As much as fits, if that says anything; names often differ at their end. */
  shortened(text, room, font) {
    const share = room / this.measure(text, font);
    const letters = Array.from(text);
    const kept = Math.floor(letters.length * share) - 1;
    if (kept < 2) return "";
    const back = kept > 5 ? Math.floor(kept / 3) : 0;
    return letters.slice(0, kept - back).join("") + "…" + letters.slice(letters.length - back).join("");
  }

  /** Of an order's row: due instant, deadline, and how late it is. */
  drawDue(row) {
    const { pen, colours } = this;
    const { orders } = row.plan;
    const due = orders.due[row.order], deadline = orders.deadline[row.order];
    const y = row.y + 2, height = row.height - 5;
    if (!Number.isNaN(due)) {
      const x = this.at(due), isLate = orders.late[row.order] > 0;
      pen.fillStyle = isLate ? colours.bad : colours.good;
      if (isLate) {
        pen.globalAlpha = 0.13;
        pen.fillRect(x, y, this.at(orders.finish[row.order]) - x, height);
        pen.globalAlpha = 1;
      }
      pen.fillRect(x - 1, y, 2, height);
    }
    if (!Number.isNaN(deadline)) {
      const x = this.at(deadline);
      pen.fillStyle = colours.ink;
      pen.beginPath();
      pen.moveTo(x, y + height / 2 - 5);
      pen.lineTo(x + 5, y + height / 2);
      pen.lineTo(x, y + height / 2 + 5);
      pen.fill();
    }
  }

  /** Now, and the cycle of a machine. */
  drawMarks() {
    const marks = [];
    for (const plan of this.model.plans) {
      if (plan.now !== null) marks.push([plan.now, "now"]);
      if (plan.cycle) marks.push([plan.cycle[0], "A"], [plan.cycle[1], "B"]);
    }
    this.marks = marks;
    this.pen.fillStyle = this.colours.accent;
    for (const [at] of marks) this.pen.fillRect(Math.round(this.at(at)) - 1, AXIS, 2, this.bottom);
  }

  /** From each step of an order to the next. */
  drawWay({ plan, order }) {
    const jobs = plan.ofOrder[order];
    const wide = this.at(plan.orders.finish[order]) - this.at(plan.orders.start[order]);
    if (jobs.length > 400 || wide < 24) return;
    this.chain(plan, jobs.slice(1).map((job, k) => [jobs[k], job]), this.colours.ink);
  }

  drawCritical() {
    for (const plan of this.model.plans) {
      const { slack, after, count } = plan.jobs;
      if (!slack) continue;
      const pairs = [];
      for (let job = 0; job < count && pairs.length < 1500; job++) {
        if (slack[job] === 0 && after[job] >= 0 && slack[after[job]] === 0) pairs.push([after[job], job]);
      }
      this.chain(plan, pairs, this.colours.bad);
    }
  }

  chain(plan, pairs, colour) {
    const places = new Map();
    const wanted = new Set(pairs.flat());
    this.visible(row => {
      if (row.plan !== plan || row.title !== undefined) return;
      row.lanes.forEach((lane, k) => {
        for (const item of lane) {
          const job = plan.items.job[item];
          if (plan.items.kind[item] === STEP && wanted.has(job) && !places.has(job)) places.set(job, row.y + this.pad(row) + (k + 0.5) * row.lane);
        }
      });
    });
    const { pen } = this;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.3;
    pen.globalAlpha = 0.75;
    pen.beginPath();
    for (const [before, then] of pairs) {
      const from = places.get(before), to = places.get(then);
      if (from === undefined || to === undefined || from === to) continue;
      const x = this.at(plan.jobs.start[before] + plan.jobs.length[before]), end = this.at(plan.jobs.start[then]);
      const bend = Math.max(8, Math.min(40, Math.abs(end - x) / 2));
      pen.moveTo(x, from);
      pen.bezierCurveTo(x + bend, from, end - bend, to, end, to);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  drawLabels() {
    const { pen, colours } = this;
    this.clip(0, AXIS, this.width, this.bottom - AXIS, () => {
      this.visible(row => {
        pen.textBaseline = "middle";
        if (row.title !== undefined) {
          pen.font = `600 13px ${FONT}`;
          pen.textAlign = "left";
          pen.fillStyle = colours.ink;
          pen.fillText(row.title, 12, row.y + row.height / 2 + 1);
          return;
        }
        pen.font = `12.5px ${FONT}`;
        pen.textAlign = "right";
        pen.fillStyle = row.order >= 0 && row.plan.orders.late[row.order] > 0 ? colours.bad : colours.ink;
        const room = this.gutter - 20 - (row.tag === undefined ? 0 : 16);
        const text = this.measure(row.label, pen.font) <= room ? row.label : this.shortened(row.label, room, pen.font);
        pen.fillText(text, this.gutter - 10 - (row.tag === undefined ? 0 : 16), row.y + Math.min(row.height, 30) / 2);
        if (row.tag !== undefined) {
          pen.fillStyle = colours.faint;
          pen.font = `600 10.5px ${FONT}`;
          pen.fillText("ABCDEFGHIJ"[row.tag] || "", this.gutter - 8, row.y + row.height / 2);
        }
      });
    });
  }

  drawAxis() {
    const { pen, colours } = this;
    pen.fillStyle = colours.sheet;
    pen.fillRect(0, 0, this.width, AXIS);
    pen.fillStyle = colours.line;
    pen.fillRect(0, AXIS - 1, this.width, 1);
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    let last = -Infinity, group = null, groupEnd = -Infinity;
    // What the axis begins in, unless that is told right there.
    const begin = this.clock.group(this.instant(this.gutter), this.ticks);
    const next = this.ticks.find(tick => tick.group !== begin && this.at(tick.at) >= this.gutter);
    pen.font = `600 11.5px ${FONT}`;
    if (begin && (!next || this.at(next.at) > this.gutter + this.measure(begin, pen.font) + 16)) {
      pen.fillStyle = colours.ink;
      pen.fillText(begin, this.gutter + 4, 13);
      group = begin;
      groupEnd = this.gutter + this.measure(begin, pen.font) + 12;
    }
    for (const tick of this.ticks) {
      const x = this.at(tick.at);
      if (x < this.gutter - 1) continue;
      pen.fillStyle = colours.faint;
      pen.fillRect(Math.round(x), AXIS - 5, 1, 4);
      pen.font = `11.5px ${FONT}`;
      const width = this.measure(tick.label, pen.font);
      if (x > last && x + width < this.width) {
        pen.fillStyle = colours.soft;
        pen.fillText(tick.label, x + 4, 29);
        last = x + width + 14;
      }
      if (tick.group !== group) {
        pen.font = `600 11.5px ${FONT}`;
        if (x > groupEnd && x + this.measure(tick.group, pen.font) < this.width) {
          group = tick.group;
          pen.fillStyle = colours.ink;
          pen.fillText(tick.group, x + 4, 13);
          groupEnd = x + this.measure(tick.group, pen.font) + 12;
        }
      }
    }
    pen.font = `600 11px ${FONT}`;
    for (const [at, name] of this.marks || []) {
      const x = this.at(at), width = this.measure(name, pen.font) + 10;
      if (x < this.gutter || x > this.width) continue;
      pen.fillStyle = colours.accent;
      pen.fillRect(Math.round(x) - 1, AXIS - 17, width, 16);
      pen.fillStyle = colours.sheet;
      pen.fillText(name, x + 4, AXIS - 8);
    }
    pen.textAlign = "right";
    pen.fillStyle = colours.soft;
    pen.font = `11.5px ${FONT}`;
    if (!this.clock.isCivil) pen.fillText(this.clock.unit + "s", this.gutter - 10, 29);
  }

  /** What is taken of what is open, pixel by pixel. */
  drawLoad() {
    const { pen, colours } = this;
    const top = this.bottom, base = this.height - 8, high = LOAD - 26;
    pen.fillStyle = colours.sheet;
    pen.fillRect(0, top, this.width, LOAD);
    pen.fillStyle = colours.line;
    pen.fillRect(0, top, this.width, 1);
    const { curve } = this;
    if (!curve) return;
    this.clip(this.gutter, top, this.width - this.gutter, LOAD, () => {
      const most = Math.max(1e-9, curve.most);
      const wide = 2;
      for (let x = this.gutter; x < this.width; x += wide) {
        const from = this.instant(x), to = this.instant(x + wide);
        if (from >= this.length) break;
        const open = curve.open.mean(from, to), taken = curve.taken.mean(from, to);
        pen.fillStyle = colours.closed;
        pen.fillRect(x, base - open / most * high, wide, open / most * high);
        if (taken <= 0) continue;
        pen.fillStyle = `rgba(${colours.heat}, .62)`;
        const height = Math.min(taken / most, 1) * high;
        pen.fillRect(x, base - height, wide, height);
      }
    });
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.font = `11.5px ${FONT}`;
    pen.fillStyle = colours.soft;
    pen.fillText(curve.name, this.gutter - 10, base - high / 2);
    pen.font = `10.5px ${FONT}`;
    pen.fillStyle = colours.faint;
    pen.textAlign = "left";
    pen.fillText(`of ${Math.round(curve.most * 10) / 10}`, this.gutter + 4, base - high - 7);
  }
}
