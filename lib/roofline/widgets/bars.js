// How do several machines compare?  One formula for each of them, as bars.

roofline.kinds.bars = (() => {
  "use strict";

  const {
    LINE, axisName, bounded, capital, clamp, colour, columns, exactly, fill,
    following, format, html, list, makeScale, makeState, mountFigure, put,
    range, say, svg, textWidth, tint, wrapped,
  } = roofline.tools;

  const THICK = 16;

  function makeModel(spec) {
    const { x } = spec;
    const state = makeState(spec, spec.values, []);
    const { once } = state;
    // A formula sees the bar's own values, under those that the reader set.
    const at = bounded(spec.formula);

    const results = once("results", () => {
      const set = Object.entries(state.values())
        .filter(([, value]) => value !== null);
      return spec.bars.map((bar) =>
        at({ ...bar.values, ...Object.fromEntries(set) }));
    });
    const shown = (value) => Number.isFinite(value)
      && !(x.scale === "log" && value <= 0);
    const order = once("order", () => {
      const all = range(spec.bars.length);
      const size = (i) => (shown(results()[i]) ? results()[i] : -Infinity);
      return spec.sorted ? all.sort((a, b) => size(b) - size(a)) : all;
    });
    const view = once("view", following(x, () => [results()]));
    return { ...state, results, shown, order, view };
  }

  function makeWords(spec, model) {
    const { formula, bars, symbols } = spec;
    const reading = (value) =>
      (model.shown(value) ? format(value, formula.unit) : "undefined");

    function sentence() {
      const set = spec.sliders
        .filter(({ symbol }) => model.get(symbol) !== null)
        .map(({ symbol }) => `${symbols[symbol].label} `
          + exactly(model.get(symbol), symbols[symbol].unit));
      const start = set.length ? `At ${list(set)}, ${formula.label}`
        : capital(formula.label);
      const known = range(bars.length)
        .filter((i) => model.shown(model.results()[i]))
        .sort((a, b) => model.results()[a] - model.results()[b]);
      if (!known.length) return `${start} has no value anywhere.`;
      const [low, high] = [known[0], known.at(-1)];
      const [least, most] = [model.results()[low], model.results()[high]];
      if (least === most) return `${start}: ${reading(most)} for all.`;
      const ratio = least > 0
        ? `, a factor of ${format(most / least, spec.pure)}` : "";
      return `${start}: from ${reading(least)} (${bars[low].label}) to `
        + `${reading(most)} (${bars[high].label})${ratio}.`;
    }

    const notes = model.once("notes", () => {
      const lost = bars.filter((_, i) => !model.shown(model.results()[i]));
      return lost.length ? [`${capital(formula.label)} has no value for `
        + `${list(lost.map(({ label }) => label))} (there it would not be `
        + `${formula.allowed}).`] : [];
    });

    return { reading, sentence, facts: () => [], notes };
  }

  function makePlot(spec, model, words) {
    const { x, bars, formula } = spec;
    const layer = Object.fromEntries(
      ["grid", "bars", "labels", "ticks", "titles"].map((name) =>
        [name, svg("g", { class: `roofline-${name}` })]));
    const root = svg("svg", {
      class: "roofline-plot roofline-still", role: "img",
      "aria-label": spec.alt,
    }, ...Object.values(layer));
    let width = 0, font = "";

    function layout(newWidth) {
      width = newWidth;
      const style = getComputedStyle(root);
      font = `${style.fontSize} ${style.fontFamily}`;
    }

    // The name above the bar, the value at its end.
    function draw() {
      if (!width) return;
      const view = model.view();
      const results = model.results();
      const bold = `600 ${font}`;
      const texts = results.map(words.reading);
      const right = width - 8
        - Math.max(...texts.map((text) => textWidth(text, bold)));
      const sx = makeScale(view, 0, right);
      let top = 4;
      const rows = model.order().map((i) => {
        const lines = wrapped(bars[i].label, font, width);
        const name = top + 12;
        const bar = top + LINE * lines.length + 4;
        top = bar + THICK + 12;
        return {
          ...bars[i], lines, name, bar, text: texts[i],
          long: model.shown(results[i]) ? clamp(sx(results[i]), 1, width) : 0,
        };
      });
      const height = top + 42;
      put(root, { viewBox: `0 0 ${width} ${height}`, width, height });
      const found = columns(view, sx, formula.unit, font, 90);
      fill(layer.grid, found, () => svg("line"), (line, { x: px }) =>
        put(line, { x1: px, x2: px, y1: 0, y2: top }));
      fill(layer.bars, rows, () => svg("rect"), (rect, row) =>
        put(tint(rect, colour(row.role)), {
          x: 0, y: row.bar, width: row.long, height: THICK, rx: 2,
        }));
      fill(layer.labels, rows, () => svg("g", {}, svg("text"), svg("text")),
        ({ firstChild, lastChild }, row) => {
          fill(firstChild, row.lines, () => svg("tspan"), say);
          row.lines.forEach((_, k) => put(firstChild.childNodes[k],
            { x: 0, y: row.name + LINE * k }));
          tint(lastChild, colour(row.role));
          put(lastChild, { x: row.long + 6, y: row.bar + THICK - 4 });
          say(lastChild, row.text);
        });
      fill(layer.ticks, found, () => svg("text"), (text, tick) => {
        const edge = tick.x < 12 ? "start" : "middle";
        put(text, { x: tick.x, y: top + 16, "text-anchor": edge });
        say(text, tick.text);
      });
      fill(layer.titles, [axisName(x.label, formula.unit)], () => svg("text"),
        (text, name) => {
          put(text, { x: 0, y: top + 36 });
          say(text, name);
        });
    }

    return { root, layout, draw };
  }

  function makeTable(spec, model, words, details) {
    const body = html("tbody");
    const summary = html("summary", {}, "Values at this setting");
    const table = html("table", {}, html("thead", {}, html("tr", {},
      html("th", { scope: "col" }, "Of"),
      html("th", { scope: "col" }, spec.formula.label))), body);
    const row = () => html("tr", {}, html("th", { scope: "row" }),
      html("td"));

    function draw() {
      if (!details.open) return;
      fill(body, model.order(), row, ({ firstChild, lastChild }, i) => {
        say(firstChild, spec.bars[i].label);
        say(lastChild, words.reading(model.results()[i]));
      });
    }

    details.addEventListener("toggle", draw);
    return {
      draw,
      show: () => details.replaceChildren(summary, html("div", {
        class: "roofline-scroll", tabindex: 0, role: "group",
        "aria-label": "Values at this setting",
      }, table)),
    };
  }

  return function mountBars(figure, spec, options) {
    const model = makeModel(spec);
    const words = makeWords(spec, model);
    const details = figure.querySelector(".roofline-values");
    const table = details && makeTable(spec, model, words, details);

    function build() {
      const plot = makePlot(spec, model, words);
      function resize(width) {
        plot.layout(width);
        plot.draw();
      }
      return { nodes: [plot.root], refresh: plot.draw, resize };
    }

    return {
      ...mountFigure(figure, spec, model, words, [], build,
        { ...options, table }),
      evaluate: (label) =>
        model.results()[spec.bars.findIndex((bar) => bar.label === label)],
    };
  };
})();
