// What happens step by step?  Plays tables that Python computed for every
// setting on offer; nothing is computed here but which cells to show.

roofline.kinds.stepper = (() => {
  "use strict";

  const {
    QUIET, capital, clamp, colour, fill, fresh, html, list, mountFigure, put,
    range, say, svg, textWidth, tile, tint,
  } = roofline.tools;

  const slow = matchMedia("(prefers-reduced-motion: reduce)");

  // "0*3,4+3,9" as 0 0 0 4 5 6 9.
  function unpacked(text) {
    return text.split(",").flatMap((token) => {
      const [, first, sign, count] = /^(\d+)(?:([*+])(\d+))?$/.exec(token);
      const start = Number(first);
      return sign ? range(Number(count)).map((i) =>
        (sign === "+" ? start + i : start)) : [start];
    });
  }

  const nameOf = (names, i) =>
    (typeof names === "string" ? `${names} ${i + 1}` : names[i]);

  // --- What a stepper knows -------------------------------------------------

  function makeModel(spec) {
    const { settings } = spec;
    const names = settings.map(({ name }) => name);
    const defaults = { step: spec.step };
    for (const { name, at } of settings) defaults[name] = at;
    let state = { ...defaults };
    const tables = new Map();

    function table(i) {
      if (!tables.has(i)) {
        const { cells, rows, columns, joined } = spec.tables[i];
        tables.set(i, {
          cells: cells.map(unpacked), joined,
          rows: spec.names[rows], columns: spec.names[columns],
        });
      }
      return tables.get(i);
    }

    function runOf(values) {
      const at = settings.reduce((sum, { name, values: known }) =>
        sum * known.length + known.indexOf(values[name]), 0);
      return spec.runs[at];
    }

    const run = () => runOf(state);
    const stepsOf = (one) => (one.none !== undefined ? 1
      : one.frames?.length ?? table(one.table).cells[0].length);

    // A step that stood at the end stays there as the settings change.
    function set(changes) {
      for (const [name, value] of Object.entries(changes)) {
        const known = settings.find((each) => each.name === name);
        if (known && !known.values.includes(value)) {
          throw new Error(`${known.label} must be one of `
            + `${known.values.join(", ")}; got ${value}`);
        }
        if (!known && name !== "step") {
          throw new Error(`unknown symbol "${name}"`);
        }
        if (name === "step" && !(Number.isInteger(value) && value > 0)) {
          throw new Error(`step must be a whole number above 0; got ${value}`);
        }
      }
      const ended = state.step === stepsOf(run());
      const next = { ...state, ...changes };
      const steps = stepsOf(runOf(next));
      if (changes.step === undefined && ended && !runOf(next).frames) {
        next.step = steps;
      }
      next.step = clamp(next.step, 1, steps);
      const moved = Object.keys(next).some((name) =>
        next[name] !== state[name]);
      state = next;
      return moved;
    }

    // The table that stands there, and how many of its columns.
    function frame() {
      const one = run();
      if (one.none !== undefined) return { none: one.none };
      if (one.frames) {
        const [i, says] = one.frames[state.step - 1];
        const now = table(i);
        return { table: now, shown: now.cells[0].length, says, now: -1 };
      }
      return { table: table(one.table), shown: state.step, about: one.says,
        now: state.step - 1 };
    }

    // A value as an address writes it.
    function reader(name, text) {
      const known = settings.find((each) => each.name === name);
      return known?.values.find((value) => String(value) === text)
        ?? Number(text);
    }

    return {
      defaults, set, frame, reader, axes: [...names, "step"],
      steps: () => stepsOf(run()),
      get: (name) => state[name],
      values: () => ({ ...state }),
      preset: () => -1,
    };
  }

  function makeWords(spec, model) {
    function sentence() {
      const { none, table, says, now } = model.frame();
      if (none !== undefined) return none;
      if (says) return says;
      const busy = [], idle = [];
      table.cells.forEach((row, i) => {
        const [text, role] = spec.cells[row[now]];
        const kind = spec.legend[role];
        const name = nameOf(table.rows, i);
        if (text) busy.push([name, ...(kind ? [kind] : []), text].join(" "));
        else idle.push(name);
      });
      if (idle.length) busy.push(`${list(idle)} ${spec.empty}`);
      return `${capital(nameOf(table.columns, now))}: ${busy.join(", ")}.`;
    }

    const facts = () => {
      const { about } = model.frame();
      return about ? [about] : [];
    };
    return { sentence, facts, notes: () => [] };
  }

  // --- The picture ----------------------------------------------------------

  const TOP = 24;

  function makePlot(spec, model, onkey) {
    const ids = Object.fromEntries(Object.keys(spec.roles).map((role) =>
      [role, fresh("hatch")]));
    const rows = svg("svg",
      { class: "roofline-names", "aria-hidden": "true" });
    const layer = Object.fromEntries(["frame", "boxes", "texts", "heads"]
      .map((name) => [name, svg("g", { class: `roofline-${name}` })]));
    const paper = svg("rect", { class: "roofline-paper" });
    const now = svg("rect", { class: "roofline-current", rx: 2 });
    layer.frame.append(paper);
    const plane = svg("svg", { role: "img", "aria-label": spec.alt },
      svg("defs", {}, ...Object.entries(spec.roles).map(([role, drawing]) =>
        tint(tile(ids[role], drawing, true), colour(role)))),
      ...Object.values(layer), now);
    const scroller = html("div", {
      ...QUIET, class: "roofline-plane", tabindex: 0, role: "group",
      "aria-label": "Table of cells; arrow keys step, space plays",
      onkeydown: onkey,
    }, plane);
    const root = html("div", { class: "roofline-grid-view" }, rows, scroller);

    let width = 0, font = "", drawn = null, boxes = [], wide = 0, tall = 0,
      room = 0;

    function layout(newWidth) {
      width = newWidth;
      const style = getComputedStyle(plane);
      font = `${style.fontSize} ${style.fontFamily}`;
      drawn = null;
    }

    // Equal neighbours are one box where the table says so.
    function boxesOf({ cells, joined }) {
      return cells.flatMap((row, i) => {
        const found = [];
        row.forEach((cell, j) => {
          const last = found.at(-1);
          if (joined && last?.cell === cell && last.j + last.span === j) {
            last.span += 1;
          } else {
            found.push({ i, j, span: 1, cell });
          }
        });
        return found.filter(({ cell }) => spec.cells[cell].some(Boolean));
      });
    }

    // All that depends on the table, not on the step.
    function build(table) {
      const { cells, columns } = table;
      const count = cells[0].length;
      const names = cells.map((_, i) => nameOf(table.rows, i));
      const left = Math.max(...names.map((t) => textWidth(t, font))) + 12;
      const texts = [...new Set(cells.flat())].map((c) => spec.cells[c][0]);
      const least = Math.max(8, ...texts.map((t) =>
        (t ? textWidth(t, font) + 7 : 0)));
      const most = width - left - 2;
      room = most;
      wide = clamp(most / count, Math.min(least, 40), 64);
      tall = clamp(wide, cells.length > 16 ? 12 : 26, 36);
      const height = TOP + tall * cells.length + 2;
      put(rows, { viewBox: `0 0 ${left} ${height}`, width: left, height });
      const full = wide * count + 2;
      put(plane, { viewBox: `0 0 ${full} ${height}`, width: full, height });
      put(paper, { x: 0.5, y: TOP + 0.5, width: wide * count,
        height: tall * cells.length });
      const skip = Math.max(1, Math.ceil(14 / tall));
      fill(rows, names.filter((_, i) => i % skip === 0), () => svg("text"),
        (node, name) => say(node, name));
      [...rows.childNodes].forEach((node, i) => put(node, {
        x: left - 8, y: TOP + tall * (i * skip + 0.5) + 4,
        "text-anchor": "end",
      }));
      const heads = range(count).map((j) =>
        (typeof columns === "string" ? String(j + 1) : columns[j]));
      const every = Math.max(1, Math.ceil(
        (Math.max(...heads.map((t) => textWidth(t, font))) + 6) / wide));
      fill(layer.heads, range(Math.ceil(count / every)).map((k) => k * every),
        () => svg("text", { "text-anchor": "middle" }), (node, j) => {
          put(node, { x: wide * (j + 0.5), y: TOP - 8 });
          say(node, heads[j]);
        });
      boxes = boxesOf(table);
      fill(layer.boxes, boxes, () => svg("rect", { rx: 2 }), (node, box) => {
        const [, role, share] = spec.cells[box.cell];
        tint(node, role ? colour(role) : "var(--roofline-grid)");
        const even = share === undefined;
        put(node, {
          x: wide * box.j + 1.5, y: TOP + tall * box.i + 1.5,
          width: Math.max(1, wide * box.span - 2), height: tall - 2,
          fill: !role ? "none"
            : even ? `url(#${ids[role]})` : "var(--roofline-accent)",
          "fill-opacity": even ? 1 : 0.42 * share,
        });
      });
      const written = boxes.filter(({ cell, span }) => tall >= 14
        && textWidth(spec.cells[cell][0], font) <= wide * span - 2);
      fill(layer.texts, written, () => svg("text"), (node, box) => {
        put(node, { x: wide * (box.j + box.span / 2),
          y: TOP + tall * (box.i + 0.5) + 4, "text-anchor": "middle" });
        say(node, spec.cells[box.cell][0]);
        node.box = box;
      });
    }

    function draw() {
      if (!width) return;
      const { none, table, shown, now: at } = model.frame();
      root.hidden = none !== undefined;
      if (root.hidden) return;
      if (drawn !== table) build(table);
      drawn = table;
      const cut = (node, box) => {
        const seen = clamp(shown - box.j, 0, box.span);
        node.style.visibility = seen ? "visible" : "hidden";
        return seen;
      };
      layer.boxes.childNodes.forEach((node, k) => {
        const seen = cut(node, boxes[k]);
        if (boxes[k].span > 1 && seen) {
          put(node, { width: Math.max(1, wide * seen - 2) });
        }
      });
      layer.texts.childNodes.forEach((node) => cut(node, node.box));
      now.style.visibility = at < 0 ? "hidden" : "visible";
      if (at < 0) return;
      put(now, { x: wide * at + 0.5, y: TOP + 0.5, width: wide + 1,
        height: tall * table.cells.length });
      // Where the plane scrolls the current column stays in view; asked later,
      // for to ask now would lay the page out twice.
      if (wide * table.cells[0].length > room) {
        requestAnimationFrame(() => follow(wide * at));
      }
    }

    function follow(x) {
      const { scrollLeft, clientWidth } = scroller;
      if (x < scrollLeft) scroller.scrollLeft = x - wide;
      else if (x + 2 * wide > scrollLeft + clientWidth) {
        scroller.scrollLeft = x + 2 * wide - clientWidth;
      }
    }

    return { root, layout, draw };
  }

  // --- Controls -------------------------------------------------------------

  function makeSlider(label, tell, onmove) {
    const id = fresh("slider");
    const output = html("output", { for: id });
    const slider = html("input", {
      ...QUIET, type: "range", id, min: 0, step: 1,
      oninput: () => onmove(slider.valueAsNumber),
    });
    return {
      root: tint(html("div", { class: "roofline-control" },
        html("label", { for: id }, label), output, slider), colour("total")),
      sync(at, count) {
        slider.max = count - 1;
        slider.value = at;
        const text = tell(at, count);
        slider.setAttribute("aria-valuetext", text);
        slider.style.setProperty("--roofline-at",
          `${count > 1 ? at / (count - 1) * 100 : 100}%`);
        say(output, text);
      },
    };
  }

  // A slider over whole numbers, a menu for everything else.
  function makeSetting({ name, label, values }, onset) {
    if (values.every(Number.isFinite)) {
      const slider = makeSlider(label, (at) => String(values[at]),
        (at) => onset({ [name]: values[at] }));
      return {
        root: slider.root,
        sync: (value) => slider.sync(values.indexOf(value), values.length),
      };
    }
    const id = fresh("setting");
    const select = html("select", {
      ...QUIET, id, onchange: () => onset({ [name]: values[select.value] }),
    }, ...values.map((value, i) => html("option", { value: i }, value)));
    return {
      root: html("div", { class: "roofline-control" },
        html("label", { for: id }, label), select),
      sync: (value) => {
        select.value = values.indexOf(value);
      },
    };
  }

  function makeLegend({ legend, roles }) {
    const entries = Object.entries(legend).map(([role, word]) => {
      const id = fresh("hatch");
      return tint(html("span", {}, svg("svg", { width: 18, height: 18 },
        svg("defs", {}, tile(id, roles[role], true)),
        svg("rect", { width: 18, height: 18, fill: `url(#${id})` })), word),
      colour(role));
    });
    return html("div", { class: "roofline-key" }, ...entries);
  }

  // The table that stands there, as a table.
  function makeTable(spec, model, details) {
    const table = html("table");
    const scroller = html("div", {
      class: "roofline-scroll", tabindex: 0, role: "group",
      "aria-label": "This step as a table",
    }, table);
    const summary = html("summary", {}, "This step as a table");

    function draw() {
      if (!details.open) return;
      const { table: now, shown } = model.frame();
      if (!now) {
        table.replaceChildren();
        return;
      }
      const columns = range(shown);
      table.replaceChildren(
        html("thead", {}, html("tr", {}, html("td"), ...columns.map((j) =>
          html("th", { scope: "col" }, nameOf(now.columns, j))))),
        html("tbody", {}, ...now.cells.map((row, i) => html("tr", {},
          html("th", { scope: "row" }, nameOf(now.rows, i)),
          ...columns.map((j) => html("td", {}, spec.cells[row[j]][0]))))));
    }

    details.addEventListener("toggle", draw);
    return { draw, show: () => details.replaceChildren(summary, scroller) };
  }

  return function mountStepper(figure, spec, options) {
    const model = makeModel(spec);
    const words = makeWords(spec, model);
    const details = figure.querySelector(".roofline-values");
    const table = details && makeTable(spec, model, details);
    let timer = null;

    function stop() {
      clearInterval(timer);
      timer = null;
    }

    function build(change) {
      const plot = makePlot(spec, model, onkey);
      const settings = spec.settings.map((setting) =>
        makeSetting(setting, byHand));
      const steps = makeSlider("step", (at, count) =>
        `${at + 1} of ${count}`, (at) => byHand({ step: at + 1 }));
      const button = (text, onclick) =>
        html("button", { type: "button", onclick }, text);
      const play = button("Play", toggle);
      const back = button("Back", () => move(-1));
      const forward = button("Forward", () => move(1));

      function halt() {
        stop();
        label();
      }

      function byHand(changes) {
        halt();
        change(changes);
      }

      const label = () => say(play, timer === null ? "Play" : "Pause");

      function move(by) {
        byHand({ step: clamp(model.get("step") + by, 1, model.steps()) });
      }

      function toggle() {
        if (timer !== null) return halt();
        if (model.get("step") === model.steps()) change({ step: 1 });
        timer = setInterval(tick, slow.matches ? 1500 : 700);
        return label();
      }

      function tick() {
        if (model.get("step") < model.steps()) {
          change({ step: model.get("step") + 1 });
        }
        if (model.get("step") >= model.steps()) halt();
      }

      const KEYS = {
        ArrowRight: () => move(1), ArrowLeft: () => move(-1), " ": toggle,
        Home: () => byHand({ step: 1 }),
        End: () => byHand({ step: model.steps() }),
      };

      function onkey(event) {
        const work = KEYS[event.key];
        if (!work || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        work();
      }

      function refresh() {
        plot.draw();
        settings.forEach((control, i) =>
          control.sync(model.get(spec.settings[i].name)));
        steps.sync(model.get("step") - 1, model.steps());
        back.disabled = model.get("step") <= 1;
        forward.disabled = model.get("step") >= model.steps();
      }

      function resize(width) {
        plot.layout(width);
        refresh();
      }

      const nodes = [
        ...(settings.length ? [html("div", { class: "roofline-controls "
          + "roofline-settings" }, ...settings.map(({ root }) => root))] : []),
        ...(Object.keys(spec.legend).length ? [makeLegend(spec)] : []),
        plot.root,
        html("div", { class: "roofline-transport" }, play, back, forward,
          steps.root),
      ];
      return { nodes, refresh, resize, halt };
    }

    const live = mountFigure(figure, spec, model, words, [], build,
      { ...options, table });
    return {
      ...live,
      cells: () => {
        const { table: now, shown } = model.frame();
        return now?.cells.map((row) =>
          row.slice(0, shown).map((cell) => spec.cells[cell]));
      },
      destroy() {
        stop();
        live.destroy();
      },
    };
  };
})();
