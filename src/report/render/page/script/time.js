// Instants and lengths in words, ticks of an axis, and an axis that leaves out closed time.

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY = 86400;
const pad = number => String(number).padStart(2, "0");

class Clock {
  constructor({ unit, seconds, start, ahead }) {
    this.unit = unit;
    this.seconds = seconds;
    this.isCivil = start !== null && seconds !== null;
    // Civil time is counted as if it were that of Greenwich; `ahead` says where clocks are set.
    this.zero = this.isCivil ? Date.parse(start + "Z") / 1000 : 0;
    this.ahead = ahead;
  }

  /** Seconds of civil time. */
  civil(instant) {
    let ahead = 0;
    for (const [from, by] of this.ahead) if (instant >= from) ahead = by;
    return this.zero + instant * this.seconds + ahead;
  }

  /** The instant of a civil time. */
  instant(civil) {
    let at = (civil - this.zero) / this.seconds;
    for (let k = this.ahead.length - 1; k >= 0; k--) {
      const [from, by] = this.ahead[k];
      const then = (civil - this.zero - by) / this.seconds;
      if (then >= from) return then;
      at = Math.min(at, k ? at : from);
    }
    return at;
  }

  /** As everywhere else that takt tells of instants. */
  told(instant) {
    if (!this.isCivil) return this.seconds && instant ? `${instant} (${this.length(instant)})` : String(instant);
    const date = new Date(this.civil(instant) * 1000);
    const day = `${DAYS[date.getUTCDay()]} ${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
    const second = this.unit === "second" ? ":" + pad(date.getUTCSeconds()) : "";
    return `${day} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}${second}`;
  }

  /** `1d4h30m` */
  length(units) {
    if (!this.seconds || units === 0) return String(units);
    let rest = Math.abs(units) * this.seconds, text = units < 0 ? "-" : "";
    for (const [seconds, letter] of [[DAY, "d"], [3600, "h"], [60, "m"], [1, "s"]]) {
      const number = Math.floor(rest / seconds);
      rest -= number * seconds;
      if (number) text += number + letter;
    }
    return text;
  }

  /** Round instants between two, no closer to each other than that: `{at, label, group}`. */
  ticks(from, to, apart) {
    return this.isCivil ? this.civilTicks(from, to, apart) : this.plainTicks(from, to, apart);
  }

  /** What an instant belongs to, in the words of these ticks. */
  group(instant, ticks) {
    if (!this.isCivil || !ticks.length || !ticks[0].group) return "";
    const date = new Date(this.civil(instant) * 1000);
    const month = `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
    const day = `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
    const first = ticks[0].group;
    return DAYS.some(name => first.startsWith(name + " ")) ? day : first.includes(" ") ? month : String(date.getUTCFullYear());
  }

  plainTicks(from, to, apart) {
    const found = [];
    let step = 1;
    for (let k = 0; step < apart && k < 60; k++) step = [1, 2, 5][k % 3] * 10 ** Math.floor(k / 3);
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) found.push({ at, label: String(at), group: "" });
    return found;
  }

  civilTicks(from, to, apart) {
    const found = [];
    const least = apart * this.seconds;
    const short = [1, 5, 10, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200].find(step => step >= least);
    const begin = this.civil(from), end = this.civil(to);
    const add = (civil, label, group) => {
      const at = this.instant(civil);
      const last = found[found.length - 1];
      if (at >= from && at <= to && !(last && last.at >= at)) found.push({ at, label, group });
    };
    if (short) {
      for (let civil = Math.floor(begin / short) * short; civil <= end; civil += short) {
        const date = new Date(civil * 1000);
        const second = short < 60 ? ":" + pad(date.getUTCSeconds()) : "";
        add(civil, `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}${second}`,
          `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`);
      }
      return found;
    }
    const days = [1, 7, 14].find(step => step * DAY >= least);
    if (days) {
      // The first of January 1970 was a Thursday; weeks begin on Mondays.
      const shift = days > 1 ? 4 * DAY : 0;
      for (let civil = Math.floor((begin - shift) / (days * DAY)) * days * DAY + shift; civil <= end; civil += days * DAY) {
        const date = new Date(civil * 1000);
        const month = `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
        add(civil, days === 1 ? `${DAYS[date.getUTCDay()]} ${date.getUTCDate()}` : `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`, month);
      }
      return found;
    }
    const months = [1, 3, 6, 12, 24, 60, 120, 600].find(step => step * 31 * DAY >= least) || 1200;
    const first = new Date(begin * 1000);
    let month = first.getUTCFullYear() * 12 + first.getUTCMonth();
    month -= month % months;
    for (; ; month += months) {
      const civil = Date.UTC(Math.floor(month / 12), month % 12) / 1000;
      if (civil > end) return found;
      add(civil, months < 12 ? MONTHS[month % 12] : String(Math.floor(month / 12)), months < 12 ? String(Math.floor(month / 12)) : "");
    }
  }
}

/** Maps instants to an axis on which closed time takes next to no room. */
class Fold {
  /** `gaps`: rising pairs of instants. */
  constructor(gaps, length) {
    this.width = length / (160 + 8 * gaps.length);
    const kept = gaps.filter(([from, to]) => to - from > 2 * this.width);
    this.gaps = kept;
    this.from = Float64Array.from(kept, gap => gap[0]);
    this.to = Float64Array.from(kept, gap => gap[1]);
    this.cut = new Float64Array(kept.length + 1);
    kept.forEach(([from, to], k) => { this.cut[k + 1] = this.cut[k] + (to - from) - this.width; });
  }

  place(instant) {
    const k = search(this.from.length, i => this.from[i] <= instant);
    if (k && instant < this.to[k - 1]) {
      const share = (instant - this.from[k - 1]) / (this.to[k - 1] - this.from[k - 1]);
      return this.from[k - 1] - this.cut[k - 1] + share * this.width;
    }
    return instant - this.cut[k];
  }

  instant(place) {
    const k = search(this.from.length, i => this.from[i] - this.cut[i] <= place);
    if (k) {
      const begin = this.from[k - 1] - this.cut[k - 1];
      if (place < begin + this.width) return this.from[k - 1] + (place - begin) / this.width * (this.to[k - 1] - this.from[k - 1]);
    }
    return place + this.cut[k];
  }
}

/** Stretches in which no unit is open and nothing is under way. */
function closedGaps(plans) {
  const busy = [];
  let end = 0;
  for (const plan of plans) {
    end = Math.max(end, plan.end);
    const used = new Set();
    for (let k = 0; k < plan.items.count; k++) {
      const unit = plan.items.unit[k];
      if (plan.items.kind[k] !== STEP) continue;
      const calendar = unit < 0 ? null : plan.units[unit].calendar;
      if (calendar === null) busy.push([plan.items.start[k], plan.items.end[k]]);
      else used.add(calendar);
    }
    for (const calendar of used) {
      const windows = plan.calendars[calendar];
      for (let k = 0; k + 1 < windows.length; k += 2) busy.push([windows[k], windows[k + 1]]);
    }
  }
  busy.sort((a, b) => a[0] - b[0]);
  const gaps = [];
  let last = 0;
  for (const [from, to] of busy) {
    if (from > last && last < end) gaps.push([last, Math.min(from, end)]);
    last = Math.max(last, to);
  }
  return gaps;
}
