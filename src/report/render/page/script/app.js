// Joins the parts: controls, what is chosen, what is searched for.

const byId = id => document.getElementById(id);

class App {
  constructor() {
    this.model = readData();
    this.clock = new Clock(this.model.time);
    this.section = byId("chart");
    this.state = {
      view: "units", by: this.firstColours(), sort: this.model.plans.some(plan => plan.orders.count > 40) ? "start" : "written", text: "", only: "", isFolded: false, isCritical: false,
      palette: "calm", resource: -1, plan: this.model.plans.length > 1 ? "together" : "0",
    };
    this.chosen = null;
    this.build();
    this.recolour();
    this.rebuild();
    listen(this.chart, this.roll, this);
    new ResizeObserver(() => this.resize()).observe(this.board);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.recolour());
    document.documentElement.dataset.ready = "1";
  }

  /** Colours that say something: few orders each have one, many have that of their family or recipe. */
  firstColours() {
    if (this.model.isLayout) return "step";
    const plan = this.model.plans[0];
    if (!plan || plan.orders.count <= 16) return "order";
    const few = list => { const count = new Set(list).size; return count > 1 && count <= 16; };
    if (few(plan.orders.family)) return "family";
    if (few(plan.orders.recipe)) return "recipe";
    return plan.orders.due.some(due => !Number.isNaN(due)) ? "late" : "order";
  }

  build() {
    const canvas = make("canvas", { tabindex: "0", role: "application", "aria-roledescription": "chart",
      "aria-label": "Chart of the plan. Arrows go from bar to bar, with shift they move the chart; plus and minus zoom; enter shows an order's way; escape clears. The tables below say the same in words.", "aria-describedby": "chart-hint" });
    this.spacer = make("div", {}, canvas);
    this.roll = make("div", { class: "roll", tabindex: "-1" }, this.spacer);
    this.tip = make("div", { class: "tip", hidden: true });
    this.board = make("div", { class: "board" }, this.roll, this.tip);
    this.legend = make("div", { class: "legend" });
    this.chart = new Chart(canvas, this.model, this.clock);
    this.chart.wantScroll = top => { this.roll.scrollTop = Math.max(0, top); };
    const hint = make("p", { class: "hint mouse", id: "chart-hint" });
    for (const part of [["Drag"], " moves, ", ["Ctrl"], " + wheel or ", ["+"], ["−"], " zoom, a click shows an order's way, ", ["0"], " shows all."]) {
      hint.append(Array.isArray(part) ? make("kbd", {}, part[0]) : part);
    }
    this.section.replaceChildren(make("h2", { class: "unseen" }, "Chart"), this.controls(), this.board, this.legend, hint);
    this.pageTools();
  }

  select(name, key, options, after) {
    const list = make("select", { onchange: event => { this.state[key] = event.target.value; after(); } },
      ...options.map(([value, text]) => make("option", { value, selected: this.state[key] === value }, text)));
    return make("label", {}, name, list);
  }

  toggle(text, key, after, title) {
    const button = make("button", { type: "button", title, "aria-pressed": String(this.state[key]), onclick: () => {
      this.state[key] = !this.state[key];
      button.setAttribute("aria-pressed", String(this.state[key]));
      after();
    } }, text);
    return button;
  }

  controls() {
    const { model } = this;
    const rebuild = () => this.rebuild();
    const views = make("div", { class: "group", role: "group", "aria-label": "Rows" },
      ...[["units", model.isLayout ? "Components" : "Resources"], ["orders", model.isLayout ? "Wafers" : "Orders"]].map(([value, text]) =>
        make("button", { type: "button", "aria-pressed": String(this.state.view === value), onclick: event => {
          this.state.view = value;
          for (const other of event.target.parentNode.children) other.setAttribute("aria-pressed", String(other === event.target));
          this.sortLabel.hidden = value !== "orders";
          this.rebuild();
          this.showFirst();
        } }, text)));
    const search = make("input", { type: "search", placeholder: model.isLayout ? "Find wafer, operation …" : "Find order, step, resource …", "aria-label": "Find", oninput: event => {
      this.state.text = event.target.value;
      this.refilter();
    } });
    const only = [["", model.isLayout ? "all wafers" : "all orders"]];
    if (model.plans.some(plan => plan.orders.late.some(late => late > 0))) only.push(["late", "late orders"]);
    for (const [kind, name] of [["recipe", "recipe"], ["family", "family"]]) {
      const names = new Set(model.plans.flatMap(plan => plan.orders[kind].map(number => plan.names[number])));
      if (names.size > 1 && names.size <= 60) for (const own of names) only.push([kind + ":" + own, `${name} ${own}`]);
    }
    const colours = model.isLayout ? [["step", "operation"], ["order", "wafer"], ["resource", "component"]]
      : [["order", "order"], ["family", "family"], ["recipe", "recipe"], ["late", "lateness"], ["resource", "resource"], ["step", "step"]];
    this.sortLabel = this.select("by", "sort", [["written", "the spec"], ["start", "start"], ["due", "due date"], ["late", "lateness"]], rebuild);
    this.sortLabel.hidden = true;
    const tools = [views, this.sortLabel, make("span", { class: "wide" }, search)];
    if (only.length > 1) tools.push(this.select("Show", "only", only, () => this.refilter()));
    tools.push(this.select("Colour", "by", colours, () => this.recolour()));
    if (model.plans.length > 1) tools.push(this.planChoice());
    tools.push(make("span", { class: "space" }));
    if (closedGaps(model.plans).length) tools.push(this.toggle("Fold closed time", "isFolded", () => this.refold(), "Leave out time in which nothing is open"));
    if (model.plans.some(plan => plan.jobs.slack)) tools.push(this.toggle("Critical", "isCritical", () => this.refilter(), "Steps that cannot start later without making an order late, or later"));
    const zoom = (text, name, act) => make("button", { type: "button", "aria-label": name, title: name, onclick: act }, text);
    tools.push(make("div", { class: "group", role: "group", "aria-label": "Zoom" },
      zoom("−", "Zoom out", () => this.chart.zoom(1 / 1.6)), zoom("+", "Zoom in", () => this.chart.zoom(1.6)), zoom("All", "Show all", () => this.chart.fit())));
    return make("div", { class: "bar", role: "group", "aria-label": "Chart" }, ...tools);
  }

  planChoice() {
    const { plans } = this.model;
    const letters = "ABCDEFGHIJ";
    const options = [["together", "row by row"], ["under", "one under the other"], ...plans.map((plan, k) => [String(k), `${letters[k] || ""} ${plan.name}`])];
    return this.select("Plans", "plan", options, () => this.rebuild());
  }

  pageTools() {
    const root = document.documentElement;
    const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    const theme = make("button", { type: "button", onclick: () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      theme.textContent = isDark() ? "Light" : "Dark";
      this.recolour();
    } }, isDark() ? "Light" : "Dark");
    theme.setAttribute("aria-label", "Switch between light and dark");
    const palette = make("button", { type: "button", "aria-pressed": "false", title: "Colours that colour-blind readers can tell apart", onclick: () => {
      this.state.palette = this.state.palette === "calm" ? "safe" : "calm";
      palette.setAttribute("aria-pressed", String(this.state.palette === "safe"));
      this.recolour();
    } }, "Colour-blind");
    const lists = this.model.isLayout || !this.model.plans.length ? null : make("button", { type: "button", onclick: () => this.openLists() }, "Machine lists");
    byId("page-tools").replaceChildren(...[lists, palette, theme].filter(Boolean));
  }

  get shownPlans() {
    const own = this.model.plans[Number(this.state.plan)];
    return own ? [own] : this.model.plans;
  }

  /** Rows anew, for another view, sequence or plan. */
  rebuild() {
    this.filter();
    const groups = this.shownPlans.map(plan => this.state.view === "orders" ? orderRows(plan, this.state.sort, this.rowsShown(plan)) : unitRows(plan));
    const { rows, height } = arrange(groups, this.state.plan === "together", this.shownPlans.map(plan => plan.name));
    this.chart.rows = rows;
    this.rowsHeight = height;
    this.chart.curve = this.curve();
    if (this.chart.span === undefined) { this.resize(); this.refold(); }
    else this.resize();
  }

  /** Scrolls to the first row that has something in view. */
  showFirst() {
    const { chart } = this;
    const to = chart.from + chart.inner / chart.scale;
    const isSeen = ({ plan, lanes }) => lanes.some(lane => {
      const { items } = plan;
      const item = lane[search(lane.length, k => items.right[lane[k]] < chart.from)];
      return item !== undefined && items.left[item] < to;
    });
    const row = chart.rows.find(isSeen);
    this.roll.scrollTop = row ? row.top : 0;
  }

  /** Rows of orders that are not meant are left out. */
  rowsShown(plan) {
    return this.chart.isAllShown ? new Uint8Array(plan.orders.count).fill(1) : this.chart.shown[plan.number].map((shown, k) => shown || this.hasFound(plan, k) ? 1 : 0);
  }

  hasFound(plan, order) {
    const { found } = this.chart;
    return Boolean(found) && plan.ofOrder[order].some(job => plan.ofJob[job].some(item => found[plan.number][item]));
  }

  curve() {
    const plan = this.shownPlans[0];
    const curve = load(plan, this.state.resource);
    curve.name = this.state.resource < 0 ? (this.shownPlans.length > 1 ? "load A" : "load") : plan.resources[this.state.resource];
    const most = level => level.reduce((a, b) => Math.max(a, b), 0);
    curve.most = Math.max(most(curve.open.level), Math.min(most(curve.taken.level), 1e9), 1);
    return curve;
  }

  resize() {
    const width = this.board.clientWidth;
    const high = Math.max(240, Math.min(window.innerHeight * 0.68, 760));
    const height = Math.min(AXIS + LOAD + this.rowsHeight + 2, high);
    this.roll.style.height = height + "px";
    this.spacer.style.height = AXIS + LOAD + this.rowsHeight + 2 + "px";
    const wide = this.roll.clientWidth || width;
    const isFit = this.chart.span !== undefined && this.chart.scale !== undefined && Math.abs(this.chart.scale * this.chart.span - this.chart.inner) < 2;
    this.chart.scroll = this.roll.scrollTop;
    this.chart.resize(wide, height);
    if (isFit) this.chart.fit();
  }

  refold() {
    this.chart.setFold(this.state.isFolded);
  }

  recolour() {
    this.chart.colours = theme();
    this.chart.colouring = colouring(this.model, this.state.by, this.state.palette, this.chart.colours);
    this.showLegend();
    this.chart.draw();
  }

  showLegend() {
    const { entries, by } = this.chart.colouring;
    const signs = [];
    const plans = this.model.plans;
    if (plans.some(plan => plan.items.kind.includes(SETUP))) signs.push("thin grey: setup");
    if (plans.some(plan => plan.items.kind.includes(HOLD))) signs.push("pale: held");
    if (plans.some(plan => plan.jobs.facts.size)) signs.push("hatched: settled");
    if (plans.some(plan => plan.jobs.work.size)) signs.push("line: pause");
    const few = entries.length <= 20 ? entries : [];
    const buttons = few.map(entry => {
      const swatch = make("i");
      swatch.style.background = entry.colour;
      return make("button", { type: "button", title: `Find ${entry.name}`, onclick: () => this.findName(by === "late" ? "" : entry.name, by === "late" ? entry.name : "") }, swatch, entry.name);
    });
    const rest = entries.length > 20 ? [make("span", {}, `${entries.length} colours: point at a bar to read it`)] : [];
    this.legend.replaceChildren(...buttons, ...rest, ...signs.map(sign => make("span", {}, sign)));
  }

  findName(name, only) {
    const input = this.section.querySelector("input[type=search]");
    this.state.text = input.value = this.state.text === name ? "" : name;
    if (only === "late") {
      const list = [...this.section.querySelectorAll("select")].find(list => [...list.options].some(option => option.value === "late" && option.textContent === "late orders"));
      if (list) this.state.only = list.value = this.state.only === "late" ? "" : "late";
    }
    this.refilter();
  }

  refilter() {
    this.chart.isCritical = this.state.isCritical;
    if (this.state.view === "orders") this.rebuild(); else { this.filter(); this.chart.draw(); }
    const count = this.chart.isAllShown ? "" : this.chart.shown.reduce((sum, list) => sum + list.reduce((a, b) => a + b, 0), 0) + " orders found";
    this.say(count);
  }

  /** Which orders are meant, and which items beside them. */
  filter() {
    const text = this.state.text.trim().toLowerCase(), { only } = this.state;
    const { plans } = this.model;
    this.chart.isAllShown = !text && !only;
    this.chart.shown = this.chart.isAllShown ? null : plans.map(plan => {
      const { orders, names } = plan;
      const [kind, name] = [only.split(":")[0], only.slice(only.indexOf(":") + 1)];
      return Uint8Array.from({ length: orders.count }, (_, k) => {
        if (kind === "late" && !(orders.late[k] > 0)) return 0;
        if ((kind === "recipe" || kind === "family") && names[orders[kind][k]] !== name) return 0;
        if (!text) return 1;
        const own = [orders.id[k], names[orders.recipe[k]], names[orders.family[k]]];
        return own.some(word => word.toLowerCase().includes(text)) ? 1 : 0;
      });
    });
    this.chart.found = text ? plans.map((plan, number) => {
      const steps = plan.names.map(name => name.toLowerCase().includes(text));
      const resources = plan.resources.map(name => name.toLowerCase().includes(text));
      const isKept = order => !only || order < 0 || this.isKept(plan, order);
      return Uint8Array.from({ length: plan.items.count }, (_, k) => {
        const unit = plan.items.unit[k];
        const isOwn = steps[plan.jobs.step[plan.items.job[k]]] || (unit >= 0 && resources[plan.units[unit].resource]);
        return isOwn && isKept(plan.items.order[k]) ? 1 : 0;
      });
    }) : null;
  }

  isKept(plan, order) {
    const { only } = this.state;
    if (only === "late") return plan.orders.late[order] > 0;
    const kind = only.split(":")[0];
    return plan.names[plan.orders[kind][order]] === only.slice(only.indexOf(":") + 1);
  }

  say(text) { byId("told").textContent = text; }

  /** What is told of an item, line by line. */
  about(plan, item) {
    const { items, orders, jobs, names } = plan;
    const order = items.order[item], job = items.job[item];
    const kind = ["", "hold: ", "setup: "][items.kind[item]];
    const lines = [kind + [order < 0 ? "" : orders.id[order], names[jobs.step[job]]].filter(Boolean).join(" · ")];
    lines.push(`${unitName(plan, items.unit[item])}, ${this.clock.length(items.end[item] - items.start[item])}`);
    lines.push(`${this.clock.told(items.start[item])} to ${this.clock.told(items.end[item])}`);
    if (order >= 0 && orders.late[order] > 0) lines.push(`order late by ${this.clock.length(orders.late[order])}`);
    if (jobs.facts.has(job)) lines.push("settled");
    else if (jobs.slack && items.kind[item] === STEP) lines.push(`slack ${this.clock.length(jobs.slack[job])}`);
    if (this.model.plans.length > 1) lines.push(plan.name);
    return lines;
  }

  hover(hit, x, y) {
    const { tip, chart } = this;
    if (!hit || hit.item < 0) {
      if (!tip.hidden) tip.hidden = true;
      return;
    }
    const [first, ...rest] = this.about(hit.row.plan, hit.item);
    tip.replaceChildren(make("b", {}, first), ...rest.map(line => make("span", {}, line)));
    tip.hidden = false;
    const { offsetWidth, offsetHeight } = tip;
    tip.style.left = Math.max(4, Math.min(x + 14, chart.width - offsetWidth - 6)) + "px";
    tip.style.top = Math.max(4, y + 18 + offsetHeight > chart.height ? y - offsetHeight - 12 : y + 18) + "px";
  }

  choose(hit) {
    const { row, item } = hit;
    if (item >= 0) this.pick(row.plan, item, true);
    else if (row.order >= 0) this.pick(row.plan, row.lanes[0][0], false);
    else if (row.unit !== undefined && hit.item < 0) this.chooseLoad(row);
  }

  /** The load of the resource whose name was clicked. */
  chooseLoad(row) {
    const { resource } = row.plan.units[row.unit];
    this.state.resource = this.state.resource === resource ? -1 : resource;
    this.chart.curve = this.curve();
    this.clear();
    this.say(this.state.resource < 0 ? "load of all resources" : "load of " + row.plan.resources[resource]);
  }

  pick(plan, item, isExact) {
    const order = plan.items.order[item];
    const job = plan.items.job[item];
    this.chosen = { plan, item, job, order, isExact, id: order >= 0 ? plan.orders.id[order] : "" };
    this.chart.selected = this.chosen;
    this.chart.isFocused = order >= 0;
    if (order >= 0) showWay(byId("way"), this.model, this.clock, this.chosen, this);
    else byId("way").hidden = true;
    this.say(this.about(plan, item).join(", "));
    this.chart.draw();
  }

  /** To another step, from a link. */
  go(plan, job) {
    const item = plan.ofJob[job].find(item => plan.items.kind[item] === STEP);
    if (item === undefined) return;
    this.pick(plan, item, true);
    this.chart.show(plan, item);
  }

  /** To a neighbour on the row, or to the nearest bar of another row. */
  step(along, across) {
    const { chart } = this;
    const at = this.chosen && chart.placeOf(this.chosen.plan, this.chosen.item);
    if (!at) {
      const row = chart.rows.find(row => row.lanes.length && row.lanes[0].length);
      if (row) this.pick(row.plan, row.lanes[0][0], true);
      return;
    }
    const { items } = this.chosen.plan;
    let item;
    if (along) {
      const lane = at.row.lanes[at.lane];
      item = lane[lane.indexOf(this.chosen.item) + along];
    } else {
      let number = chart.rows.indexOf(at.row) + across;
      while (chart.rows[number] && !(chart.rows[number].lanes.length && chart.rows[number].lanes[0].length)) number += across;
      const row = chart.rows[number];
      if (!row) return;
      const { items: others } = row.plan, start = items.start[this.chosen.item];
      item = row.lanes[0].reduce((best, one) => Math.abs(others.start[one] - start) < Math.abs(others.start[best] - start) ? one : best);
      this.pick(row.plan, item, true);
      chart.show(row.plan, item);
      return;
    }
    if (item === undefined) return;
    this.pick(this.chosen.plan, item, true);
    chart.show(this.chosen.plan, item);
  }

  open() {
    const heading = byId("way").querySelector("h2");
    if (this.chosen && heading) { heading.focus(); heading.scrollIntoView({ block: "nearest" }); }
  }

  clear() {
    this.chosen = this.chart.selected = null;
    this.chart.isFocused = false;
    byId("way").hidden = true;
    this.chart.draw();
  }

  openLists() {
    const panel = byId("dispatch");
    showLists(panel, this.clock, this.chart, this.shownPlans[0], { close: () => { panel.hidden = true; } });
    panel.querySelector("h2").focus({ preventScroll: true });
    panel.scrollIntoView({ block: "start" });
  }
}

// For scripts that look after the page: what it shows, and how long it took to draw.
if (document.getElementById("data").textContent.trim()) {
  window.report = new App();
}
})();
