// Which limit binds where?  A map over two symbols: the plane is cut along the
// lines on which two limits are equal, and each piece bears its limit's name.

roofline.kinds.map = (() => {
  "use strict";

  const {
    LINE, QUIET, VERBS, axisName, capital, clamp, colour, columns, dress,
    exactly, fill, format, fresh, holding, html, ladder, list, makeReadout,
    makeScale, makeState, mountFigure, put, range, say, svg, textWidth, ticks,
    tickText, tile, tint, wrapped,
  } = roofline.tools;

  const COLUMNS = 48;
  const ROWS = 32;
  // Heights of what has no value, and of the floor that shows through it.
  const UNDEFINED = -1e6;
  const FLOOR = -1e5;

  const height = (value) => {
    if (Number.isNaN(value)) return UNDEFINED;
    return value > 0 ? clamp(Math.log(value), -700, 700) : -700;
  };

  // --- The upper envelope of surfaces over a grid ---------------------------

  const mix = (p, q, share) => p.map((a, i) => a + share * (q[i] - a));

  // A point is [column, row, height of each surface]: everything on a
  // triangle is linear, so what follows is exact but for the triangles' size.
  const ahead = (point, one, other) => point[2 + one] - point[2 + other];

  function clip(polygon, one, other) {
    const kept = [];
    polygon.forEach((p, i) => {
      const q = polygon[(i + 1) % polygon.length];
      const a = ahead(p, one, other), b = ahead(q, one, other);
      if (a >= 0) kept.push(p);
      if ((a >= 0) !== (b >= 0)) kept.push(mix(p, q, a / (a - b)));
    });
    return kept;
  }

  // Where two surfaces meet on a triangle, as far as no third is higher.
  function seam(triangle, one, other, all) {
    const ends = [];
    triangle.forEach((p, i) => {
      const q = triangle[(i + 1) % 3];
      const a = ahead(p, one, other), b = ahead(q, one, other);
      if ((a >= 0) !== (b >= 0)) ends.push(mix(p, q, a / (a - b)));
    });
    let line = ends;
    for (const third of all) {
      if (third === one || third === other || line.length < 2) continue;
      const [a, b] = line.map((p) => ahead(p, one, third));
      if (a < 0 && b < 0) line = [];
      else if (a < 0) line = [mix(...line, a / (a - b)), line[1]];
      else if (b < 0) line = [line[0], mix(...line, a / (a - b))];
    }
    return line;
  }

  // {winners, pieces, seams}: the highest surface at every grid point, the
  // polygons in which each one is highest, and the lines between them. The
  // last surface is the floor.
  function envelope(surfaces) {
    const count = surfaces.length;
    const winners = new Int8Array((COLUMNS + 1) * (ROWS + 1));
    for (let i = 0; i < winners.length; i++) {
      let best = 0;
      for (let k = 1; k < count; k++) {
        if (surfaces[k][i] > surfaces[best][i]) best = k;
      }
      winners[i] = best;
    }
    const all = range(count);
    const pieces = all.map(() => []);
    const seams = [];

    function cut(corners) {
      const triangle = corners.map(([i, j]) => {
        const at = j * (COLUMNS + 1) + i;
        return [i, j, ...surfaces.map((surface) => surface[at])];
      });
      // What stays below the lowest corner of another is nowhere on top.
      const [p, q, r] = triangle;
      const sure = Math.max(...all.map((k) =>
        Math.min(p[2 + k], q[2 + k], r[2 + k])));
      const here = all.filter((k) =>
        Math.max(p[2 + k], q[2 + k], r[2 + k]) >= sure);
      here.forEach((one, i) => {
        let piece = triangle;
        for (const other of here) {
          if (other !== one && piece.length) piece = clip(piece, one, other);
        }
        if (piece.length > 2) pieces[one].push(piece);
        for (const other of here.slice(i + 1)) {
          const line = seam(triangle, one, other, here);
          if (line.length) seams.push(line);
        }
      });
    }

    for (let j = 0; j < ROWS; j++) {
      let run = null;
      const close = () => {
        if (!run) return;
        const { kind, from, to } = run;
        pieces[kind].push([[from, j], [to, j], [to, j + 1], [from, j + 1]]);
        run = null;
      };
      for (let i = 0; i < COLUMNS; i++) {
        const at = j * (COLUMNS + 1) + i;
        const kind = winners[at];
        const whole = winners[at + 1] === kind
          && winners[at + COLUMNS + 1] === kind
          && winners[at + COLUMNS + 2] === kind;
        if (whole && run?.kind === kind) {
          run.to = i + 1;
          continue;
        }
        close();
        if (whole) {
          run = { kind, from: i, to: i + 1 };
        } else {
          cut([[i, j], [i + 1, j], [i + 1, j + 1]]);
          cut([[i, j], [i + 1, j + 1], [i, j + 1]]);
        }
      }
      close();
    }
    return { winners, pieces, seams };
  }

  // --- What a map knows -----------------------------------------------------

  function makeModel(spec) {
    const { x, y, least } = spec;
    const state = makeState(spec,
      { ...spec.values, [x.symbol]: x.at, [y.symbol]: y.at },
      [x.symbol, y.symbol]);
    const { once, prepared, at } = state;
    const limits = spec.limits.map(prepared);
    const beyond = spec.beyond.map(({ label, one, other }) =>
      ({ label, one: prepared(one), other: prepared(other) }));
    const axis = (reach, count) => {
      const place = makeScale(reach, 0, count);
      return range(count + 1).map((i) => i === 0 ? reach.low
        : i === count ? reach.high : place.invert(i));
    };
    const columns = axis(x, COLUMNS);
    const rows = axis(y, ROWS);

    function surface(work) {
      const values = new Float64Array((COLUMNS + 1) * (ROWS + 1));
      let i = 0;
      for (const v of rows) for (const u of columns) values[i++] = work(u, v);
      return values;
    }

    const floor = surface(() => FLOOR);
    const sign = least ? -1 : 1;
    const regions = once("regions", () => envelope([
      ...limits.map((limit) => surface((u, v) => {
        const up = height(at(limit, u, v));
        return up === UNDEFINED ? up : sign * up;
      })), floor]));
    const outside = once("outside", () => beyond.map(({ one, other }) =>
      envelope([surface((u, v) => height(at(one, u, v))),
        surface((u, v) => height(at(other, u, v)))])));

    // The limits' values somewhere, which of them bind, what lies beyond.
    function read(u, v) {
      const values = limits.map((limit) => at(limit, u, v));
      const best = values.filter(Number.isFinite)
        .reduce((a, b) => (least ? Math.min(a, b) : Math.max(a, b)),
          least ? Infinity : -Infinity);
      return {
        values, best,
        first: values.indexOf(best),
        over: beyond.filter(({ one, other }) =>
          at(one, u, v) > at(other, u, v)).map(({ label }) => label),
      };
    }

    return { ...state, limits, beyond, columns, rows, regions, outside, read };
  }

  function makeWords(spec, model) {
    const { x, y, symbols, unit, least } = spec;
    const reading = (value) =>
      Number.isFinite(value) ? format(value, unit) : "undefined";

    function sentence() {
      const place = [x, y].map(({ symbol }) => {
        const value = model.get(symbol);
        return `${symbols[symbol].label} `
          + exactly(value, symbols[symbol].unit);
      });
      const { values, best, over } = model.read(
        model.get(x.symbol), model.get(y.symbol));
      const parts = model.limits
        .map(({ label }, i) => ({ label, value: values[i] }))
        .filter(({ value }) => Number.isFinite(value));
      const start = `At ${list(place)}, `;
      if (!parts.length) return `${start}no limit has a value.`;
      const would = least ? "would allow"
        : (VERBS[unit.style] ?? ["", "would be"])[1];
      const what = holding(parts, best,
        { least, would, reading, said: ` at ${format(best, unit)}` });
      return [`${start}${what}.`,
        ...over.map((label) => `Hatched here: ${label}.`)].join(" ");
    }

    // What the picture does not hold.
    const facts = model.once("facts", () => {
      const { winners } = model.regions();
      const seen = new Set(winners);
      const absent = model.limits.filter((_, i) => !seen.has(i))
        .map(({ label }) => label);
      const inside = model.beyond.filter((_, i) =>
        !model.outside()[i].winners.includes(0)).map(({ label }) => label);
      return [
        ...(absent.length ? [`${capital(list(absent))} `
          + `${absent.length > 1 ? "bind" : "binds"} nowhere in this map.`]
          : []),
        ...inside.map((label) => `${capital(label)}: nowhere in this map.`),
      ];
    });

    const notes = model.once("notes", () => {
      const { winners } = model.regions();
      return winners.includes(model.limits.length)
        ? ["No limit has a value where the map is blank."] : [];
    });

    return { reading, sentence, facts, notes };
  }

  // --- The picture ----------------------------------------------------------

  const path = (polygons, sx, sy, end) => {
    let text = "";
    for (const polygon of polygons) {
      polygon.forEach(([i, j], k) => {
        text += `${k ? "L" : "M"}${Math.round(10 * sx(i)) / 10} `
          + `${Math.round(10 * sy(j)) / 10}`;
      });
      text += end;
    }
    return text;
  };

  // How many true cells lie in [i0, i1) x [j0, j1), for any such rectangle.
  function counter(mask) {
    const wide = COLUMNS + 1;
    const sums = new Int32Array(wide * (ROWS + 1));
    for (let j = 0; j < ROWS; j++) {
      for (let i = 0; i < COLUMNS; i++) {
        sums[(j + 1) * wide + i + 1] = mask[j * COLUMNS + i]
          + sums[j * wide + i + 1] + sums[(j + 1) * wide + i]
          - sums[j * wide + i];
      }
    }
    return (i0, i1, j0, j1) => sums[j1 * wide + i1] - sums[j0 * wide + i1]
      - sums[j1 * wide + i0] + sums[j0 * wide + i0];
  }

  // The middle of the roomiest place for so many cells, or null.
  function roomFor(mask, wide, high) {
    const cells = counter(mask);
    for (const room of [2, 1.4, 1]) {
      const [w, h] = [Math.ceil(room * wide), Math.ceil(room * high)];
      const found = [];
      let sum = 0, rows = 0;
      for (let j = 0; j + h <= ROWS; j++) {
        for (let i = 0; i + w <= COLUMNS; i++) {
          if (cells(i, i + w, j, j + h) < w * h) continue;
          found.push(j * COLUMNS + i);
          sum += i;
          rows += j;
        }
      }
      if (!found.length) continue;
      let best = Infinity, place = null;
      for (const at of found) {
        const [i, j] = [at % COLUMNS, Math.floor(at / COLUMNS)];
        const off = (i - sum / found.length) ** 2
          + 4 * (j - rows / found.length) ** 2;
        if (off < best) [best, place] = [off, [i + w / 2, j + h / 2]];
      }
      return place;
    }
    return null;
  }

  // 1 for each cell whose four corners are of this kind.
  function cellsOf(winners, kind) {
    const mask = new Uint8Array(COLUMNS * ROWS);
    for (let j = 0; j < ROWS; j++) {
      for (let i = 0; i < COLUMNS; i++) {
        const at = j * (COLUMNS + 1) + i;
        mask[j * COLUMNS + i] = winners[at] === kind
          && winners[at + 1] === kind && winners[at + COLUMNS + 1] === kind
          && winners[at + COLUMNS + 2] === kind ? 1 : 0;
      }
    }
    return mask;
  }

  function makePlot(spec, model, { onpick, onhover, onkey }) {
    const { x, y, symbols } = spec;
    const ids = [...model.limits, ...model.beyond].map(() => fresh("hatch"));
    const drawn = (drawing, i) =>
      tint(tile(ids[i], drawing, i < model.limits.length),
        colour(model.limits[i]?.role ?? "total"));
    const layer = Object.fromEntries(["regions", "hatching", "grid", "seams",
      "edges", "ticks", "titles", "names", "handle"].map((name) =>
      [name, svg("g", { class: `roofline-${name}` })]));
    const areas = model.limits.map((_, i) => {
      const area = svg("path", { fill: `url(#${ids[i]})` });
      layer.regions.append(area);
      return area;
    });
    const hatched = model.beyond.map((_, i) => svg("path", {
      fill: `url(#${ids[model.limits.length + i]})`,
    }));
    layer.hatching.append(...hatched);
    const seams = svg("path");
    const edges = svg("path");
    layer.seams.append(seams);
    layer.edges.append(edges);
    const lines = [svg("line"), svg("line")];
    const knob = svg("g", {
      ...QUIET, class: "roofline-knob", tabindex: 0, role: "slider",
      "aria-label": `${symbols[x.symbol].label} and `
        + `${symbols[y.symbol].label}: arrow keys move both`,
      "aria-valuemin": 0, "aria-valuemax": 400, onkeydown: onkey,
    }, svg("circle", { r: 16, class: "roofline-grip" }),
    svg("circle", { r: 7 }));
    layer.handle.append(...lines, knob);
    const root = svg("svg", {
      class: "roofline-plot", role: "group", "aria-label": spec.alt,
    }, svg("defs", {}, ...[...spec.limits, ...spec.beyond]
      .map(({ hatch }, i) => drawn(hatch, i))), ...Object.values(layer));

    let width = 0, tall = 0, font = "", box = null, sx = null, sy = null;
    let done = null;

    function layout(newWidth) {
      width = newWidth;
      const style = getComputedStyle(root);
      font = `${style.fontSize} ${style.fontFamily}`;
      tall = clamp(0.6 * width, 290, 440) + 62;
      put(root, { viewBox: `0 0 ${width} ${tall}`, width, height: tall });
      axes();
      done = null;
    }

    function write(node, [px, py, anchor, text]) {
      put(node, { x: px, y: py, "text-anchor": anchor });
      say(node, text);
    }

    function axes() {
      const unit = (reach) => symbols[reach.symbol].unit;
      const rows = ticks(y, Math.max(2, Math.floor((tall - 62) / 48)));
      const texts = rows.map((value) => tickText(value, unit(y)));
      box = {
        left: Math.max(40, ...texts.map((t) => textWidth(t, font) + 12)),
        right: width - 24, top: 30, bottom: tall - 40,
      };
      sx = makeScale(x, box.left, box.right);
      sy = makeScale(y, box.bottom, box.top);
      const found = columns(x, sx, unit(x), font);
      fill(layer.grid, [
        ...rows.map((v) => [box.left, sy(v), box.right, sy(v)]),
        ...found.map(({ x: px }) => [px, box.top, px, box.bottom]),
      ], () => svg("line"), (line, [x1, y1, x2, y2]) =>
        put(line, { x1, y1, x2, y2 }));
      fill(layer.ticks, [
        ...rows.map((v, i) => [box.left - 8, sy(v) + 4, "end", texts[i]]),
        ...found.map(({ x: px, text }) =>
          [px, box.bottom + 19, "middle", text]),
      ], () => svg("text"), write);
      const [below, above] = [x, y].map((reach) =>
        axisName(symbols[reach.symbol].label, unit(reach)));
      fill(layer.titles, [
        [0, 12, "start", above],
        [Math.max(box.right, textWidth(below, font) + 1), tall - 4, "end",
          below],
      ], () => svg("text"), write);
    }

    function draw() {
      const regions = model.regions();
      if (!width || done === regions) return;
      done = regions;
      const outside = model.outside();
      const across = (box.right - box.left) / COLUMNS;
      const up = (box.bottom - box.top) / ROWS;
      const px = (i) => box.left + across * i;
      const py = (j) => box.bottom - up * j;
      areas.forEach((area, i) =>
        put(area, { d: path(regions.pieces[i], px, py, "Z") }));
      put(seams, { d: path(regions.seams, px, py, "") });
      hatched.forEach((node, i) =>
        put(node, { d: path(outside[i].pieces[0], px, py, "Z") }));
      put(edges, { d: outside.map((each) =>
        path(each.seams, px, py, "")).join("") });
      drawNames(regions, outside, { across, up, px, py });
    }

    // A name stands where its region is roomiest, and over no other name; one
    // that fits nowhere is left to the read-out above.
    function drawNames(regions, outside, { across, up, px, py }) {
      const hatchedCells = outside.map(({ winners }) => cellsOf(winners, 0));
      const taken = new Uint8Array(COLUMNS * ROWS);
      const free = (mask, ...without) => mask.map((cell, i) =>
        cell && !taken[i] && without.every((other) => !other[i]) ? 1 : 0);

      function place(label, role, masks) {
        const bold = `600 ${font}`;
        for (const mask of masks) {
          for (const most of [Infinity, 0]) {
            const lines = wrapped(label, bold, most);
            const wide = Math.max(...lines.map((t) => textWidth(t, bold)));
            const [w, h] = [(wide + 12) / across, (LINE * lines.length + 8)
              / up];
            const middle = roomFor(mask, w, h);
            if (!middle) continue;
            const [i0, j0] = [middle[0] - w / 2, middle[1] - h / 2];
            for (let j = Math.floor(j0); j < j0 + h; j++) {
              for (let i = Math.floor(i0); i < i0 + w; i++) {
                taken[j * COLUMNS + i] = 1;
              }
            }
            return { lines, role, x: px(middle[0]), y: py(middle[1]) };
          }
        }
        return { lines: [], role, x: 0, y: 0 };
      }

      const names = [
        ...model.limits.map(({ label, role }, i) => {
          const mask = cellsOf(regions.winners, i);
          return place(label, role, [free(mask, ...hatchedCells), free(mask)]);
        }),
        ...model.beyond.map(({ label }, i) =>
          place(label, "total", [free(hatchedCells[i])])),
      ];
      fill(layer.names, names, () => svg("text"), (node, name) => {
        tint(node, colour(name.role));
        fill(node, name.lines, () => svg("tspan"), say);
        name.lines.forEach((_, i) => put(node.childNodes[i], {
          x: name.x, y: name.y + 4 + LINE * (i - (name.lines.length - 1) / 2),
        }));
      });
    }

    const inside = (value, { low, high }) => value >= low && value <= high;

    // The handle, and the lines that carry it to the axes.
    function point(u, v, text, step) {
      if (!width) return;
      const on = inside(u, x) && inside(v, y);
      layer.handle.style.visibility = on ? "visible" : "hidden";
      put(knob, { "aria-valuetext": text, "aria-valuenow": step });
      if (!on) return;
      const [px, py] = [sx(u), sy(v)];
      put(lines[0], { x1: px, x2: px, y1: box.top, y2: box.bottom });
      put(lines[1], { x1: box.left, x2: box.right, y1: py, y2: py });
      put(knob, { transform: `translate(${px} ${py})` });
    }

    // The pointer's place, or null outside the axes.
    function under(event) {
      const { left, top, width: seen } = root.getBoundingClientRect();
      const px = (event.clientX - left) * width / seen;
      const py = (event.clientY - top) * width / seen;
      if (px < box.left - 12 || px > box.right + 12) return null;
      if (py < box.top - 12 || py > box.bottom + 12) return null;
      return [clamp(sx.invert(px), x.low, x.high),
        clamp(sy.invert(py), y.low, y.high)];
    }

    function follow(event) {
      const place = under(event);
      if (place && event.buttons & 1) onpick(...place);
      else onhover(place);
    }

    dress(root, {
      // A finger may be about to scroll, unless it lies on the handle.
      onpointerdown: (event) => {
        const held = knob.contains(event.target);
        if (event.button !== 0) return;
        if (event.pointerType === "touch" && !held) return;
        root.setPointerCapture(event.pointerId);
        follow(event);
      },
      onpointermove: follow,
      onpointerleave: () => onhover(null),
      onclick: (event) => {
        const place = under(event);
        if (place) onpick(...place);
      },
    }, []);

    return { root, layout, draw, point };
  }

  // Which limit binds at every pair of ticks.
  function makeTable({ x, y, symbols, limits }, model, details) {
    const [across, up] = [ticks(x, 7), ticks(y, 7)];
    const [xSymbol, ySymbol] = [symbols[x.symbol], symbols[y.symbol]];
    const cells = up.map(() => across.map(() => html("td")));
    const heads = across.map((u) =>
      html("th", { scope: "col" }, format(u, xSymbol.unit)));
    const summary = html("summary", {}, "Which limit binds where");
    const scroller = html("div", {
      class: "roofline-scroll", tabindex: 0, role: "group",
      "aria-label": "Which limit binds where",
    }, html("table", {},
      html("thead", {}, html("tr", {}, html("th", { scope: "col" },
        `${capital(ySymbol.label)} \\ ${xSymbol.label}`), ...heads)),
      html("tbody", {}, ...up.map((v, j) => html("tr", {},
        html("th", { scope: "row" }, format(v, ySymbol.unit)),
        ...cells[j])))));

    function draw() {
      if (!details.open) return;
      up.forEach((v, j) => across.forEach((u, i) => {
        const { first, over } = model.read(u, v);
        say(cells[j][i], [limits[first]?.label ?? "none", ...over]
          .join("; "));
      }));
    }

    details.addEventListener("toggle", draw);
    return { draw, show: () => details.replaceChildren(summary, scroller) };
  }

  const MOVES = {
    ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1],
    ArrowDown: [0, -1], PageUp: [0, 10], PageDown: [0, -10],
  };

  return function mountMap(figure, spec, options) {
    const { x, y, symbols } = spec;
    const model = makeModel(spec);
    const words = makeWords(spec, model);
    const details = figure.querySelector(".roofline-values");
    const table = details && makeTable(spec, model, details);
    const rungs = [x, y].map((reach) =>
      ladder(reach, symbols[reach.symbol].integer));
    const here = () => [model.get(x.symbol), model.get(y.symbol)];

    function build(change) {
      const readout = makeReadout([
        ...[x, y].map(({ symbol }) =>
          ({ label: symbols[symbol].label, role: "limit" })),
        ...model.limits]);
      const plot = makePlot(spec, model, { onpick, onhover, onkey });
      let hovered = null;

      readout.root.classList.add("roofline-legend");
      readout.spans.slice(2).forEach((span, i) => {
        const id = fresh("hatch");
        span.prepend(tint(svg("svg", { width: 22, height: 22 },
          svg("defs", {}, tile(id, spec.limits[i].hatch, true)),
          svg("rect", { width: 22, height: 22, fill: `url(#${id})` })),
        colour(model.limits[i].role)));
      });

      function onpick(u, v) {
        hovered = null;
        change({ [x.symbol]: rungs[0].neat(u), [y.symbol]: rungs[1].neat(v) });
      }

      function onhover(place) {
        if (!place && !hovered) return;
        hovered = place;
        read();
      }

      function onkey(event) {
        const move = MOVES[event.key];
        if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        const [u, v] = here().map((value, i) =>
          (move[i] ? rungs[i].moved(value, move[i]) : value));
        change({ [x.symbol]: u, [y.symbol]: v });
      }

      function read() {
        const place = hovered ?? here();
        const { values, first } = model.read(...place);
        const written = hovered ? format : exactly;
        const texts = [x, y].map(({ symbol }, i) =>
          written(place[i], symbols[symbol].unit));
        readout.show([...texts, ...values.map(words.reading)]);
        readout.spans.forEach((span, i) =>
          span.classList.toggle("roofline-binds", i === first + 2));
        if (hovered) return;
        plot.point(...place, list(texts), rungs[0].step(place[0]));
      }

      function refresh() {
        plot.draw();
        read();
      }

      function resize(width) {
        plot.layout(width);
        refresh();
      }

      return { nodes: [readout.root, plot.root], refresh, resize };
    }

    return {
      ...mountFigure(figure, spec, model, words, [x, y], build,
        { ...options, table }),
      evaluate: (name, u, v) => {
        const i = spec.limits.findIndex((limit) => limit.name === name);
        return model.read(u, v).values[i];
      },
      binding: (u, v) => spec.limits[model.read(u, v).first]?.name ?? null,
    };
  };
})();
