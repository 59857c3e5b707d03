// Moving about in the chart: wheel, mouse, fingers, keys.

function listen(chart, roll, act) {
  const { canvas } = chart;
  const fingers = new Map();
  let moved = 0, last = null, spread = 0;

  const place = event => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  // Rows are scrolled as anything is; with a key, or over the axis, the wheel zooms.
  canvas.addEventListener("wheel", event => {
    const [x, y] = place(event);
    if (event.ctrlKey || event.metaKey || y < AXIS || y > chart.bottom) {
      event.preventDefault();
      chart.zoom(Math.exp(-Math.max(-80, Math.min(80, event.deltaY)) * (event.ctrlKey ? 0.008 : 0.004)), x);
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      chart.pan(event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX);
    }
  }, { passive: false });

  canvas.addEventListener("pointerdown", event => {
    if (event.button > 0) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    canvas.setPointerCapture(event.pointerId);
    moved = 0;
    last = [event.clientX, event.clientY];
    spread = distance(fingers);
    act.hover(null);
  });
  canvas.addEventListener("pointermove", event => {
    if (!fingers.has(event.pointerId)) {
      const [x, y] = place(event);
      const hit = chart.hit(x, y);
      canvas.classList.toggle("hit", Boolean(hit && hit.item >= 0));
      act.hover(hit, x, y);
      return;
    }
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size > 1) {
      const now = distance(fingers);
      if (spread > 0 && now > 0) chart.zoom(now / spread, middle(fingers) - canvas.getBoundingClientRect().left);
      spread = now;
      moved = 99;
      return;
    }
    const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
    moved += Math.abs(dx) + Math.abs(dy);
    last = [event.clientX, event.clientY];
    if (moved < 4) return;
    canvas.classList.add("drag");
    chart.pan(-dx);
    if (event.pointerType === "mouse") roll.scrollTop -= dy;
  });
  const up = event => {
    if (!fingers.delete(event.pointerId)) return;
    canvas.classList.remove("drag");
    spread = distance(fingers);
    if (event.type === "pointerup" && moved < 4) {
      const hit = chart.hit(...place(event));
      if (hit) act.choose(hit);
    }
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => act.hover(null));
  canvas.addEventListener("dblclick", event => chart.zoom(event.shiftKey ? 0.4 : 2.5, place(event)[0]));

  const keys = {
    "+": () => chart.zoom(1.5), "=": () => chart.zoom(1.5), "-": () => chart.zoom(1 / 1.5), "_": () => chart.zoom(1 / 1.5),
    "0": () => chart.fit(), Home: () => { chart.from = 0; chart.limit(); chart.draw(); },
    End: () => { chart.from = Infinity; chart.limit(); chart.draw(); },
    ArrowLeft: event => event.shiftKey ? chart.pan(-chart.inner / 5) : act.step(-1, 0),
    ArrowRight: event => event.shiftKey ? chart.pan(chart.inner / 5) : act.step(1, 0),
    ArrowUp: event => event.shiftKey ? roll.scrollBy(0, -60) : act.step(0, -1),
    ArrowDown: event => event.shiftKey ? roll.scrollBy(0, 60) : act.step(0, 1),
    PageUp: () => roll.scrollBy(0, -roll.clientHeight / 2), PageDown: () => roll.scrollBy(0, roll.clientHeight / 2),
    Enter: () => act.open(), Escape: () => act.clear(),
  };
  canvas.addEventListener("keydown", event => {
    const key = keys[event.key];
    if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    key(event);
  });
  roll.addEventListener("scroll", () => { chart.scroll = roll.scrollTop; act.hover(null); chart.draw(); });
}

function distance(fingers) {
  const [a, b] = fingers.values();
  return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
}

function middle(fingers) {
  const [a, b] = fingers.values();
  return (a[0] + b[0]) / 2;
}
