// What bars look like.

/** Calm ones, and those of Okabe and Ito, which stay apart for colour-blind readers. */
const PALETTES = {
  calm: ["#3b78b5", "#e0a030", "#3d9a78", "#c46f9b", "#78b7d9", "#cf6a3c", "#7d6bb0", "#9aa53f", "#5f9ea0", "#b5838d"],
  safe: ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#6b6b6b"],
};

function parse(hex) {
  return [1, 3, 5].map(k => parseInt(hex.slice(k, k + 2), 16));
}

/** Towards black or white. */
function mixed(hex, other, share) {
  const channels = parse(hex).map(c => Math.round(c * (1 - share) + other * share));
  return "#" + channels.map(c => c.toString(16).padStart(2, "0")).join("");
}

/** Black or white, whichever reads better (relative luminance of WCAG). */
function inkOn(hex) {
  const [r, g, b] = parse(hex).map(c => (c / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.22 ? "#14181c" : "#ffffff";
}

/** A colour for each number; beyond the palette lighter and darker ones. */
function colourOf(number, palette) {
  const base = PALETTES[palette];
  const hex = base[number % base.length];
  const round = Math.floor(number / base.length) % 3;
  return round === 0 ? hex : round === 1 ? mixed(hex, 255, 0.4) : mixed(hex, 0, 0.3);
}

const inks = new Map();
function ink(hex) {
  if (!inks.has(hex)) inks.set(hex, inkOn(hex));
  return inks.get(hex);
}

/** The colours of the page, as the theme has them. */
function theme() {
  const style = getComputedStyle(document.documentElement);
  const get = name => style.getPropertyValue("--" + name).trim();
  const found = {};
  for (const name of ["ground", "sheet", "ink", "soft", "faint", "line", "closed", "accent", "bad", "good", "heat"]) found[name] = get(name);
  return found;
}

/**
 * How bars are coloured: a number for each item, the colour of each number, and what stands in a legend.
 * The same name has the same colour in all plans.
 */
function colouring(model, by, palette, colours) {
  const entries = [], known = new Map();
  const number = name => {
    if (!known.has(name)) { known.set(name, entries.length); entries.push({ name, colour: colourOf(entries.length, palette) }); }
    return known.get(name);
  };
  if (by === "late") {
    const late = palette === "safe" ? ["#d55e00", "#0072b2", "#999999"] : ["#c8453b", "#4d8fc4", "#a3abb3"];
    ["late", "on time", "no due date"].forEach((name, k) => entries.push({ name, colour: late[k] }));
  }
  const ofPlans = model.plans.map(plan => {
    const { orders, jobs, items, names } = plan;
    const ofOrder = k => {
      if (by === "order") return number(orders.id[k]);
      if (by === "family") return number(names[orders.family[k]]);
      if (by === "recipe") return number(names[orders.recipe[k]]);
      return Number.isNaN(orders.due[k]) ? 2 : orders.late[k] > 0 ? 0 : 1;
    };
    const ofItems = new Int32Array(items.count);
    if (by === "resource" || by === "step") {
      if (by === "resource") plan.resources.forEach(number);
      for (let k = 0; k < items.count; k++) {
        const unit = items.unit[k];
        ofItems[k] = by === "step" ? number(names[jobs.step[items.job[k]]]) : unit < 0 ? number("no resource") : number(plan.resources[plan.units[unit].resource]);
      }
    } else {
      const own = Int32Array.from({ length: orders.count }, (_, k) => ofOrder(k));
      for (let k = 0; k < items.count; k++) ofItems[k] = items.order[k] < 0 ? -1 : own[items.order[k]];
    }
    return ofItems;
  });
  return { by, entries, ofPlans, colour: entries.map(entry => entry.colour), none: colours.faint };
}
