// What happens in the reader's browser?  Charts that move and questions that
// answer.  No formula is written here: each spec brings its own, printed by
// SymPy.  ROOFLINE_TABLES holds the units, dashes and widths of the library.

const roofline = (() => {
  "use strict";

  const UNITS = ROOFLINE_TABLES.units;
  const PLAIN = {
    text: "1", style: "count", scale: 1, suffix: "", whole: false,
    singular: "", dimension: UNITS.base.map(() => 0), factor: 1,
  };
  const has = (table, key) => Object.hasOwn(table, key);
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const range = (count) => Array.from({ length: count }, (_, i) => i);

  // --- Numbers: the twin of units.format_value ----------------------------

  // "1.2e+4" as "12000": a decimal string without a power.
  function written(text) {
    const [mantissa, power] = text.split("e");
    if (power === undefined) return text;
    const [, sign, whole, part = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(mantissa);
    const digits = whole + part;
    const point = whole.length + Number(power);
    if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
    if (point >= digits.length) return sign + digits.padEnd(point, "0");
    return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  }

  // Zeros at the end stay where rounding happened, go where it is exact.
  function significant(value, digits) {
    if (value === 0) return "0";
    const text = written(value.toPrecision(digits));
    const exact = Math.abs(Number(text) - value) <= 1e-12 * Math.abs(value);
    return exact && text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }

  function grouped(text) {
    const [whole, part] = text.split(".");
    const commas = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return part === undefined ? commas : `${commas}.${part}`;
  }

  // A count: 5,670; 37 billion; 2.5e-7 where it is tiny.
  function counted(x, digits) {
    if (x !== 0 && Math.abs(x) < 1e-4) {
      const power = Number(x.toExponential(digits - 1).split("e")[1]);
      return `${significant(x / Number(`1e${power}`), digits)}e${power}`;
    }
    const text = significant(x, digits);
    const size = Math.abs(Number(text));
    if (size < 1e6) return grouped(text);
    const [unit, word] = UNITS.words.find(([least]) => size >= least);
    return `${grouped(significant(x / unit, digits))} ${word}`;
  }

  function plain(x, digits) {
    const size = Math.abs(x);
    if (x !== 0 && (size < 1e-4 || size >= 1e6)) return counted(x, digits);
    return grouped(significant(x, digits));
  }

  // [number, SI prefix], the number between 1 and 1000 if possible.
  function prefixed(x, digits, whole) {
    if (x === 0) return ["0", ""];
    const size = Math.abs(Number(significant(x, digits)));
    const lowest = whole ? 0 : UNITS.si[0][0];
    const highest = UNITS.si[UNITS.si.length - 1][0];
    const wanted = 3 * Math.floor(Math.floor(Math.log10(size) + 1e-9) / 3);
    const power = clamp(wanted, lowest, highest);
    const prefix = UNITS.si.find(([p]) => p === power)[1];
    return [grouped(significant(x / Number(`1e${power}`), digits)), prefix];
  }

  // A base-unit number as text in its unit: three significant digits.
  function format(value, unit, digits = 3) {
    if (!Number.isFinite(value)) {
      const name = Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
      throw new Error(`a printed number must be finite, not ${name}`);
    }
    const x = value / unit.scale;
    if (unit.style === "money") {
      return `${x < 0 ? "-" : ""}$${plain(Math.abs(x), digits)}${unit.suffix}`;
    }
    if (unit.style === "percent") return `${plain(x, digits)}%`;
    if (unit.style === "count") {
      const number = counted(x, digits);
      const single = number === "1" && unit.text !== "1";
      return `${number} ${single ? unit.text : unit.suffix}`.trimEnd();
    }
    if (unit.style === "binary") {
      const name = UNITS.binary.find((n) => Math.abs(x) >= UNITS.atoms[n][0])
        ?? UNITS.binary.at(-1);
      return `${plain(x / UNITS.atoms[name][0], digits)} ${name}`
        + unit.suffix;
    }
    if (unit.style === "time" && Math.abs(x) >= 60) {
      const [size, name] = [[86400, "days"], [3600, "h"], [60, "min"]]
        .find(([least]) => Math.abs(x) >= least);
      const number = plain(x / size, digits);
      return `${number} ${number === "1" && name === "days" ? "day" : name}`;
    }
    const [number, prefix] = prefixed(x, digits, unit.whole);
    return `${number} ${prefix}${unit.suffix}`;
  }

  // The shortest text that reads back as this very number, if short enough.
  function exactly(value, unit) {
    const texts = [3, 4, 5, 6, 7].map((digits) => format(value, unit, digits));
    const same = (text) =>
      Math.abs(parse(text, unit) - value) <= 1e-12 * Math.abs(value);
    try {
      return texts.find(same) ?? texts[0];
    } catch {
      return texts[0];
    }
  }

  // --- Quantities: the twin of units.parse_quantity -----------------------

  // How many characters two words share, longest common run first.
  function shared(one, other) {
    let best = 0, from = 0, to = 0;
    for (let i = 0; i < one.length; i++) {
      for (let j = 0; j < other.length; j++) {
        let run = 0;
        while (i + run < one.length && one[i + run] === other[j + run]) run++;
        if (run > best) [best, from, to] = [run, i, j];
      }
    }
    if (best === 0) return 0;
    return best + shared(one.slice(0, from), other.slice(0, to))
      + shared(one.slice(from + best), other.slice(to + best));
  }

  // A clause such as '; did you mean "ms"?' or an empty string.
  function near(word, known) {
    const close = known
      .map((name) => [2 * shared(name, word) / (name.length + word.length),
        name])
      .filter(([ratio]) => ratio >= 0.5)
      .sort((a, b) => b[0] - a[0] || (a[1] < b[1] ? 1 : -1))
      .slice(0, 3)
      .map(([, name]) => `"${name}"`);
    return close.length ? `; did you mean ${close.join(" or ")}?` : "";
  }

  // [factor to the base unit, dimension] of one word of a unit.
  function atom(given) {
    const word = has(UNITS.plurals, given) ? UNITS.plurals[given] : given;
    if (has(UNITS.labels, word)) return [1, PLAIN.dimension];
    if (has(UNITS.atoms, word)) return UNITS.atoms[word];
    const [prefix, rest] = [word.slice(0, 1), word.slice(1)];
    if (has(UNITS.prefixes, prefix) && UNITS.prefixed.includes(rest)) {
      const [factor, dimension] = UNITS.atoms[rest];
      return [UNITS.prefixes[prefix] * factor, dimension];
    }
    const known = [...Object.keys(UNITS.atoms), ...Object.keys(UNITS.labels)];
    for (const sign of Object.keys(UNITS.prefixes)) {
      known.push(...UNITS.prefixed.map((name) => sign + name));
    }
    throw new Error(`unknown unit "${word}"${near(word, known)}`);
  }

  // The factor and dimension of "$/chip/h", "B/token", "FLOP*s".
  function readUnit(text) {
    let factor = 1;
    let dimension = PLAIN.dimension;
    text.split("/").forEach((part, i) => part.split("*").forEach((word) => {
      const [size, powers] = atom(word.trim());
      factor *= i ? 1 / size : size;
      dimension = dimension.map((p, j) => p + (i ? -1 : 1) * powers[j]);
    }));
    return { factor, dimension };
  }

  // A dimension in words: "byte/second"; "a pure number".
  function described(dimension) {
    const power = (p, i) => UNITS.base[i] + (p === 1 ? "" : `^${p}`);
    const up = dimension.map((p, i) => p > 0 && power(p, i)).filter(Boolean);
    const down = dimension.map((p, i) => p < 0 && power(-p, i))
      .filter(Boolean);
    if (!up.length && !down.length) return "a pure number";
    return [up.join("*") || "1", ...down].join("/");
  }

  // A unit in words as its text: "per million tokens" is $/Mtoken.
  function compact(rest, money) {
    for (const [text, word] of Object.entries(UNITS.per)) {
      rest = rest.replaceAll(word, text);
    }
    rest = rest.replace(/\s*(?:\/|\bper\b)\s*/g, "/").trim();
    rest = rest.replace(/-(?=h$)/, "/");
    return (money ? "$" : rest.startsWith("/") ? "1" : "") + rest;
  }

  // A typed quantity in base units: "2.4k", "1.2 ms", "5,667", "$0.69".
  function parse(text, unit) {
    const raw = text.trim();
    const money = raw.startsWith("$");
    const body = money ? raw.slice(1).trim() : raw;
    const match = /^[-+]?(?:\d[\d,_ ]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/
      .exec(body);
    if (!match) throw new Error(`"${raw}" does not start with a number`);
    let number = Number(match[0].replace(/[,_ ]/g, ""));
    let rest = body.slice(match[0].length).trim();
    const magnitude = Object.keys(UNITS.magnitudes)
      .filter((word) => rest === word
        || (word.length > 1 && rest.startsWith(word)))
      .sort((a, b) => b.length - a.length)[0];
    if (magnitude) {
      number *= UNITS.magnitudes[magnitude];
      rest = rest.slice(magnitude.length).trim();
    }
    if (!rest && (!money || unit.style === "money")) {
      return number * unit.factor;
    }
    const given = readUnit(compact(rest, money));
    if (given.dimension.join() !== unit.dimension.join()) {
      throw new Error(`"${raw}" is ${described(given.dimension)}; expected `
        + `${described(unit.dimension)}, such as ${unit.text}`);
    }
    return number * given.factor;
  }

  // "1 and 100,000 sequences": the shared unit is said once.
  function between(low, high, unit) {
    const [first, last] = [format(low, unit), format(high, unit)];
    const names = [unit.singular, unit.suffix].filter(Boolean);
    const name = unit.style === "count"
      && names.find((each) => first.endsWith(` ${each}`));
    return `${name ? first.slice(0, -name.length - 1) : first} and ${last}`;
  }

  // --- Formulas and domains -----------------------------------------------

  // A function of {symbol: value} from a printed formula and its arguments.
  function compile({ args, js }) {
    return new Function(`{ ${args.join(", ")} }`, `return ${js};`);
  }

  // The same, with no value where the result is one that cannot be.
  function bounded(formula) {
    const { args, low, low_allowed, where = "true" } = formula;
    const at = compile(formula);
    if (low === undefined) return at;
    const holds = compile({ args, js: where });
    return (values) => {
      const value = at(values);
      const above = value > low || (low_allowed && value === low);
      return above && holds(values) ? value : NaN;
    };
  }

  // What a symbol may be, in words: "above 0 and at most 1".
  function allowed({ low, low_allowed, high = null, unit }) {
    const words = [];
    if (low !== null) {
      words.push(`${low_allowed ? "at least" : "above"} ${format(low, unit)}`);
    }
    if (high !== null) words.push(`at most ${format(high, unit)}`);
    return words.join(" and ") || "a finite number";
  }

  // Throws, by name, for a value outside a symbol's domain.
  function check(symbol, value) {
    const { label, low, low_allowed, high, integer, unit } = symbol;
    const above = low === null || value > low
      || (low_allowed && value === low);
    const below = high === null || value <= high;
    const shown = () =>
      Number.isFinite(value) ? format(value, unit) : String(value);
    if (!Number.isFinite(value) || !above || !below) {
      throw new Error(
        `${label} must be ${allowed(symbol)}; got ${shown()}`);
    }
    if (integer && !Number.isInteger(value)) {
      throw new Error(`${label} must be a whole number; got ${shown()}`);
    }
  }

  // The x between low and high at which a test turns from false to true, as
  // fine as floats go or to a share of the first interval.
  function turning(test, low, high, log, share = 0) {
    const enough = share * (high - low);
    while (high - low > enough) {
      const middle = log ? Math.sqrt(low) * Math.sqrt(high)
        : low + (high - low) / 2;
      if (!(middle > low && middle < high)) break;
      if (test(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  // The stretches {kind, first, last} of neighbours of one kind, "" left out.
  function stretches(values, kindOf) {
    const found = [];
    let before = "";
    values.forEach((value, i) => {
      const kind = kindOf(value);
      if (kind && kind === before) found.at(-1).last = i;
      else if (kind) found.push({ kind, first: i, last: i });
      before = kind;
    });
    return found;
  }

  // 400 steps of a slider as values of three digits, and back.
  const STEPS = 400;

  function ladder({ low, high, scale }, integer) {
    const log = scale === "log";
    const span = log ? Math.log(high / low) : high - low;
    const step = log ? Math.exp(span / STEPS) - 1
      : span / STEPS / Math.max(Math.abs(low), Math.abs(high));
    const digits = clamp(Math.ceil(-Math.log10(step)), 3, 15);
    const raw = (share) =>
      log ? low * Math.exp(span * share) : low + span * share;
    const neat = (value) => {
      const rounded = Number(value.toPrecision(digits));
      return clamp(integer ? Math.round(rounded) : rounded, low, high);
    };
    const share = (value) =>
      log ? Math.log(value / low) / span : (value - low) / span;
    function value(at) {
      if (at <= 0) return low;
      return at >= STEPS ? high : neat(raw(at / STEPS));
    }
    function nearest(now) {
      const at = Math.round(STEPS * share(now));
      return Number.isNaN(at) ? 0 : clamp(at, 0, STEPS);
    }
    // So many steps on, over rungs of the same value, such as whole numbers.
    function moved(now, steps) {
      const way = Math.sign(steps);
      let at = clamp(nearest(now) + steps, 0, STEPS);
      while (at > 0 && at < STEPS && way * (value(at) - now) <= 0) at += way;
      return value(at);
    }
    return { neat, value, step: nearest, moved };
  }

  // --- Nodes ---------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";
  let serial = 0;
  const fresh = (what) => `roofline-${what}-${++serial}`;

  function dress(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) {
        node.addEventListener(name.slice(2), value);
      } else {
        node.setAttribute(name, value === true ? "" : value);
      }
    }
    node.append(...children);
    return node;
  }

  const html = (tag, attributes = {}, ...children) =>
    dress(document.createElement(tag), attributes, children);
  const svg = (tag, attributes = {}, ...children) =>
    dress(document.createElementNS(SVG, tag), attributes, children);

  function put(node, attributes) {
    for (const name in attributes) node.setAttribute(name, attributes[name]);
    return node;
  }

  function say(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }

  // As many children as there are data: nodes are made once and then reused.
  function fill(group, data, make, update) {
    while (group.childNodes.length < data.length) group.append(make());
    while (group.childNodes.length > data.length) group.lastChild.remove();
    data.forEach((each, i) => update(group.childNodes[i], each));
  }

  const colour = (role) => `var(--roofline-${role || "total"})`;

  function tint(node, colour) {
    node.style.setProperty("--roofline-accent", colour);
    return node;
  }

  let pen = null;
  const widths = new Map();

  // Measured once: setting the font is most of the work.
  function textWidth(text, font) {
    const key = `${font} ${text}`;
    if (!widths.has(key)) {
      pen ??= document.createElement("canvas").getContext("2d");
      pen.font = font;
      widths.set(key, pen.measureText(text).width);
    }
    return widths.get(key);
  }

  // A pattern of 10 x 10 pixels in the accent of what it fills.
  const tile = (id, drawing, filled) => svg("pattern", {
    id, width: 10, height: 10, patternUnits: "userSpaceOnUse",
  }, ...(filled ? [svg("rect", { width: 10, height: 10 })] : []),
  svg("path", { d: drawing }));

  // --- Axes ----------------------------------------------------------------

  // A function from values to pixels, with its inverse.
  function makeScale({ low, high, scale }, from, to) {
    const log = scale === "log";
    const f = log ? Math.log : (value) => value;
    const g = log ? Math.exp : (value) => value;
    const slope = (to - from) / (f(high) - f(low));
    const pixel = (value) => from + slope * (f(value) - f(low));
    pixel.invert = (at) => g(f(low) + (at - from) / slope);
    return pixel;
  }

  const decade = (value, round) =>
    Number("1e" + round(Math.log10(value)
      + (round === Math.floor ? 1e-9 : -1e-9)));

  // The step of 1, 2 or 5 times a power of ten for about `count` steps.
  function roundStep(span, count) {
    const raw = span / count;
    const size = decade(raw, Math.floor);
    return size * [1, 2, 5, 10].find((m) => m * size >= raw * 0.999);
  }

  function linearTicks(low, high, count) {
    const step = roundStep(high - low, count);
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    return range(last - first + 1)
      .map((i) => Number(((first + i) * step).toPrecision(12)));
  }

  // Decades; with 2 and 5 where few fit, every second or third where many.
  function logTicks(low, high, count) {
    const first = Math.floor(Math.log10(low) + 1e-9);
    const last = Math.ceil(Math.log10(high) - 1e-9);
    const stride = Math.max(1, Math.ceil((last - first) / count));
    const inner = last - first <= 2 && count >= 4 ? [1, 2, 5] : [1];
    const ticks = [];
    for (let power = first; power <= last; power += stride) {
      for (const m of inner) ticks.push(Number(`${m}e${power}`));
    }
    return ticks.filter((t) => t >= low * 0.9999 && t <= high * 1.0001);
  }

  // About so many ticks, but two at least: one tells of no scale.
  function ticks({ low, high, scale }, count) {
    const make = scale === "log" ? logTicks : linearTicks;
    const found = make(low, high, count);
    return found.length > 1 || count > 9 ? found
      : ticks({ low, high, scale }, count + 1);
  }

  // "1 ms", "10 k", "$100": the axis label carries the rest of the unit.
  function tickText(value, unit) {
    const x = value / unit.scale;
    if (unit.style === "percent") return `${plain(x, 6)}%`;
    if (unit.style === "binary") return format(value, unit);
    const small = unit.whole || unit.style === "count"
      || unit.style === "money";
    if (small && Math.abs(x) < 1) {
      return (unit.style === "money" ? "$" : "") + plain(x, 6);
    }
    // Far beyond the last prefix a power of ten.
    const [number, prefix] = Math.abs(x) < 1e30 ? prefixed(x, 6, small)
      : [x.toExponential().replace("+", ""), ""];
    if (unit.style === "money") return `$${number}${prefix && ` ${prefix}`}`;
    const bare = unit.style === "count" || unit.suffix.includes("/");
    return `${number} ${prefix}${bare ? "" : unit.suffix}`.trim();
  }

  // As many ticks along a horizontal axis as have room for their texts.
  function columns(axis, pixel, unit, font, each = 58) {
    const wide = Math.abs(pixel(axis.high) - pixel(axis.low));
    for (let count = Math.max(3, Math.floor(wide / each)); ; count--) {
      const found = ticks(axis, count)
        .map((value) => ({ x: pixel(value), text: tickText(value, unit) }));
      const apart = ({ x, text }, i) => !i || x - found[i - 1].x > 6
        + (textWidth(text, font) + textWidth(found[i - 1].text, font)) / 2;
      if (count <= 2 || found.every(apart)) return found;
    }
  }

  const unitName = (unit) =>
    unit.style === "money" ? `$${unit.suffix}` : unit.suffix;

  const axisLabel = (label, name) => (name ? `${label} (${name})` : label);

  // An axis says of its unit what its label and its ticks leave out.
  function axisName(label, unit) {
    const whole = label.split(" ").includes(unit.suffix)
      || unit.style === "percent" || unit.style === "binary"
      || unit.style === "time" || unit.text === "$"
      || (unit.style === "si" && !unit.suffix.includes("/"));
    return axisLabel(label, whole ? "" : unitName(unit));
  }

  // --- What a chart knows: values, curves, crossings -----------------------

  const GRID = 480;
  const THIRDS = range(GRID / 3 + 1).map((i) => 3 * i);

  // The grid of x on which curves are sampled, both ends exact.
  function gridOf({ low, high, scale }) {
    const at = scale === "log"
      ? (share) => low * (high / low) ** share
      : (share) => low + (high - low) * share;
    const inner = range(GRID - 1).map((i) => at((i + 1) / GRID));
    return Float64Array.from([low, ...inner, high]);
  }

  // Which of two values is larger: 1, -1, or 0 within rounding, so that a
  // curve and its own maximum do not cross everywhere.
  function order(a, b) {
    if (!Number.isFinite(a) || !Number.isFinite(b)) return NaN;
    const equal = 1e-12 * Math.max(Math.abs(a), Math.abs(b));
    return Math.abs(a - b) <= equal ? 0 : Math.sign(a - b);
  }

  // Every x at which two sampled curves change order; gap is their
  // difference at any x. A jump of the gap to infinity is no crossing.
  function meetings(one, other, gap, grid, log) {
    const found = [];
    let last = -1, before = NaN;
    one.forEach((value, i) => {
      const now = order(value, other[i]);
      if (now === 0) {
        const apart = i === GRID && order(one[i - 1], other[i - 1]);
        if (Math.abs(apart) === 1) found.push(grid[i]);
        return;
      }
      if (i === 1 && last < 0 && order(one[0], other[0]) === 0) {
        found.push(grid[0]);
      }
      if (now === -before) {
        const root = i - last > 1 ? grid[last + 1]
          : turning((x) => Math.sign(gap(x)) === now, grid[last], grid[i],
            log);
        const most = Math.max(Math.abs(one[last] - other[last]),
          Math.abs(value - other[i]));
        if (Math.abs(gap(root)) <= most) found.push(root);
      }
      [last, before] = [i, now];
    });
    return found;
  }

  // Lowest and highest value shown, and the lowest top of any curve.
  function extentOf(samples, shown) {
    const all = { low: Infinity, high: -Infinity, leastTop: Infinity };
    for (const values of samples) {
      let top = -Infinity;
      for (const value of values) {
        if (!shown(value)) continue;
        if (value < all.low) all.low = value;
        if (value > top) top = value;
      }
      if (top === -Infinity) continue;
      all.high = Math.max(all.high, top);
      all.leastTop = Math.min(all.leastTop, top);
    }
    return all;
  }

  // The y axis follows the curves by whole decades. At the defaults it is the
  // author's; an end that cuts the curves there moves along with them.
  function logWindow(y, first, now) {
    const decades = (a, b, round) => Number(`1e${round(Math.log10(a / b))}`);
    let { low, high } = y;
    if (first.low < low) {
      low *= decades(now.low, first.low, Math.trunc);
      low = Math.min(low, decade(now.leastTop, Math.floor));
    } else if (now.low < low) {
      low = decade(now.low, Math.floor);
    } else {
      low *= Math.max(1, decades(now.low, first.low, Math.floor));
    }
    if (first.high > high) {
      high *= decades(now.high, first.high, Math.trunc);
    } else if (now.high > high) {
      high = decade(now.high, Math.ceil);
    } else {
      high *= Math.min(1, decades(now.high, first.high, Math.ceil));
    }
    return { ...y, low, high: Math.max(high, 10 * low) };
  }

  // The same with round numbers: higher for what leaves the axis, lower where
  // two thirds of it would stand empty.
  function linearWindow(y, first, now) {
    const rounded = (value, round) => {
      const step = roundStep(Math.abs(value) || 1, 5);
      return Number((round(value / step) * step).toPrecision(12));
    };
    let { low, high } = y;
    const cut = first.high > high && now.high <= first.high;
    if (!cut && (now.high > high || now.high < low + (high - low) / 3)) {
      high = rounded(now.high, Math.ceil);
    }
    if (now.low < low && first.low >= low) {
      low = rounded(now.low, Math.floor);
    }
    return high > low ? { ...y, low, high } : { ...y };
  }

  // An axis that holds the data as they move, and the points that do not.
  function following(axis, data, fixed = []) {
    const log = axis.scale === "log";
    const seen = (value) => Number.isFinite(value) && !(log && value <= 0);
    const extent = () => extentOf([...data(), ...fixed], seen);
    const first = extent();
    return () => {
      const now = extent();
      if (!Number.isFinite(now.low)) return { ...axis };
      return (log ? logWindow : linearWindow)(axis, first, now);
    };
  }

  // The values of a figure by symbol, checked as they change. What follows
  // from all but the symbols on the axes is worked out once.
  function makeState({ symbols, presets }, defaults, axes) {
    const [across, up] = axes;
    let state = { ...defaults };
    let point = { ...defaults };
    let known = {};
    const once = (name, work) => () => known[name] ??= work();

    function prepared(formula) {
      const lost = formula.args.find((name) => !has(defaults, name));
      if (lost) throw new Error(`${formula.label} needs a value of ${lost}`);
      return { ...formula, at: bounded(formula) };
    }

    // A formula's value at places on the axes.
    function at(formula, x, y) {
      if (across) point[across] = x;
      if (up) point[up] = y;
      return formula.at(point);
    }

    // All changes or, if one is refused, none. Says whether anything moved.
    function set(changes) {
      const entries = Object.entries(changes);
      for (const [name, value] of entries) {
        if (!has(defaults, name)) throw new Error(`unknown symbol "${name}"`);
        const own = value === null && defaults[name] === null;
        if (has(symbols, name) && !own) check(symbols[name], value);
      }
      const moved = entries.filter(([name, value]) => state[name] !== value);
      if (moved.some(([name]) => !axes.includes(name))) known = {};
      state = { ...state, ...changes };
      point = { ...state };
      return moved.length > 0;
    }

    const matches = (preset) => Object.entries(preset.values)
      .every(([name, value]) => state[name] === value);

    return {
      defaults, axes, once, prepared, at, set,
      get: (name) => state[name],
      values: () => ({ ...state }),
      preset: () => presets.findIndex(matches),
    };
  }

  // "batch 5 sequences", but only "5 chips".
  function valued(label, text) {
    const bare = (word) => word.replace(/s$/, "");
    const alike = bare(text.split(" ").at(-1)) === bare(label);
    return alike ? text : `${label} ${text}`;
  }

  function makeModel(spec) {
    const { x, y, symbols } = spec;
    const state = makeState(spec, { ...spec.values, [x.symbol]: x.at },
      [x.symbol]);
    const { once, prepared, at } = state;
    const grid = gridOf(x);
    const logX = x.scale === "log";
    const logY = y.scale === "log";

    function named(name) {
      const found = formulas.find((formula) => formula.name === name);
      if (!found) throw new Error(`there is no formula named ${name}`);
      return found;
    }

    const curves = spec.curves.map(prepared);
    const across = spec.across && prepared(spec.across);
    const formulas = [...curves, ...(across ? [across] : []),
      ...(spec.formulas ?? []).map(prepared)];
    const branches = (spec.binding?.branches ?? []).map(prepared);
    const bound = spec.binding && named(spec.binding.curve);
    const pairs = spec.crossings.map((crossing) =>
      ({ ...crossing, of: crossing.curves.map(named) }));

    const xUnit = (across ?? symbols[x.symbol]).unit;
    const points = (spec.points ?? []).map((dot) => ({
      ...dot,
      says: `${dot.label}: ${format(dot.x, xUnit)}, ${format(dot.y, y.unit)}`,
    }));

    const shown = (value) => Number.isFinite(value) && !(logY && value <= 0);

    const raw = once("raw", () => curves.map((curve) =>
      grid.map((value) => at(curve, value))));
    const along = (formula) => raw()[curves.indexOf(formula)]
      ?? grid.map((value) => at(formula, value));

    // A stack draws each curve upon those before it.
    const sample = once("sample", () => {
      if (!spec.stack) return raw();
      let below = new Float64Array(grid.length);
      return raw().map((values) =>
        below = values.map((value, i) => value + below[i]));
    });
    const drawnAt = (i, value) => !spec.stack ? at(curves[i], value)
      : curves.slice(0, i + 1).reduce((sum, curve) =>
        sum + at(curve, value), 0);

    // Where on the horizontal axis a value of the symbol stands.
    const place = (value) => across ? at(across, value) : value;
    const places = once("places", () => across ? grid.map(place) : grid);

    const crossings = once("crossings", () =>
      pairs.flatMap(({ of: [first, second], curves: names, label }) => {
        const gap = (value) => at(first, value) - at(second, value);
        return meetings(along(first), along(second), gap, grid, logX)
          .map((value) =>
            ({ curves: names, label, x: value, y: at(first, value) }));
      }));

    const fixed = (key) => points.length ? [points.map((dot) => dot[key])]
      : [];
    const view = once("view", following(y, sample, fixed("y")));
    const xView = !across ? () => x
      : once("xView", following(across.range, () => [places()], fixed("x")));

    return {
      ...state, grid, curves, branches, bound, pairs, shown, across, points,
      sample, drawnAt, place, places, crossings, view, xView,
      xSymbol: symbols[x.symbol],
      read: (value) => curves.map((curve) => at(curve, value)),
      drawn: (value) => curves.map((_, i) => drawnAt(i, value)),
      evaluate: (name, value) => at(named(name), value),
    };
  }

  // --- What a chart says ----------------------------------------------------

  const VERBS = {
    time: ["takes", "would need"],
    money: ["costs", "would cost"],
  };

  const list = (words) => words.length < 2 ? words.join("")
    : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

  // "weights bind", "memory binds".
  const agree = (name, verb) =>
    /[^s]s$/.test(name) ? verb.replace(/s\b/, "") : verb;

  const closeTo = (value, total, share) =>
    Math.abs(value - total) <= share * Math.abs(total);

  // Which of the parts {label, value} make the total, and what the others
  // would take: "memory binds (arithmetic would need 105 µs)".
  function holding(parts, total, { least, would, reading, said = "" }) {
    const exact = parts.some(({ value }) => closeTo(value, total, 1e-9));
    const beats = (a, b) => (least ? a.value < b.value : a.value > b.value);
    const held = exact
      ? parts.filter(({ value }) => closeTo(value, total, 0.002))
      : [parts.reduce((a, b) => (beats(b, a) ? b : a))];
    const rest = parts.filter((part) => !held.includes(part));
    const names = list(held.map(({ label }) => label));
    const verb = held.length > 1 ? "are in balance"
      : agree(names, exact ? "binds" : "weighs most");
    const others = rest.map(({ label, value }, i) =>
      `${label} ${i ? "" : `${would} `}${reading(value)}`);
    return `${names} ${verb}${said}`
      + (rest.length ? ` (${list(others)})` : "");
  }

  function makeWords({ x, y, binding, stack }, model) {
    const { curves, grid, shown, at, xSymbol, across } = model;
    const log = x.scale === "log";

    const reading = (value) =>
      shown(value) ? format(value, y.unit) : "undefined";

    // Names of what the read-out and the table hold, and their texts.
    const names = [...(across ? [across] : []), ...curves,
      ...(stack ? [{ label: stack, role: "total" }] : [])];
    function texts(value) {
      const values = model.read(value);
      const out = values.map(reading);
      if (across) {
        const here = model.place(value);
        out.unshift(Number.isFinite(here) ? format(here, across.unit)
          : "undefined");
      }
      if (stack) out.push(reading(values.reduce((sum, each) => sum + each)));
      return out;
    }

    const crossings = model.once("crossing words", () =>
      model.pairs.map(({ of, curves: names, label }) => {
        const places = model.crossings()
          .filter((mark) => mark.curves === names)
          .map((mark) => `${format(mark.x, xSymbol.unit)} `
            + `(${format(mark.y, y.unit)})`);
        const name = label ? `${label}: ` : "";
        const both = list(of.map((formula) => formula.label));
        return capital(places.length
          ? `${name}${both} cross at ${xSymbol.label} ${list(places)}.`
          : `${name}${both} never cross between `
            + `${between(x.low, x.high, xSymbol.unit)}.`);
      }));

    // Why a value is not in the picture, or "".
    function missing(value) {
      if (!shown(value)) return "gap";
      const { low, high, scale } = model.view();
      const slack = 1e-3 * (scale === "log" ? Math.abs(value) : high - low);
      if (value < low - slack) return "below";
      return value > high + slack ? "above" : "";
    }

    // "between 1 and 486 sequences", exact to the three digits shown.
    function reach(curve, { kind, first, last }) {
      const edge = (i, starts) => turning(
        (value) => (missing(model.drawnAt(curve, value)) === kind) === starts,
        grid[i], grid[i + 1], log, 1e-3);
      const from = first > 0 ? edge(first - 1, true) : x.low;
      const to = last < GRID ? edge(last, false) : x.high;
      return `between ${between(from, to, xSymbol.unit)}`;
    }

    // What the picture leaves out.
    const notes = model.once("notes", () => {
      const { low, high } = model.view();
      const facts = {
        gap: "has no value",
        below: `runs below the picture (under ${format(low, y.unit)})`,
        above: `runs above the picture (over ${format(high, y.unit)})`,
      };
      return curves.flatMap((curve, i) => {
        const found = stretches(model.sample()[i], missing);
        return Object.keys(facts).flatMap((kind) => {
          const places = found.filter((each) => each.kind === kind)
            .map((each) => reach(i, each));
          const why = kind === "gap" && curve.low !== undefined
            ? ` (there it would not be ${curve.allowed})` : "";
          return places.length ? [`${capital(curve.label)} ${facts[kind]} `
            + `for ${xSymbol.label} ${list(places)}${why}.`] : [];
        });
      });
    });

    // One sentence that can be read aloud.
    function sentence() {
      const value = model.get(x.symbol);
      const place = valued(xSymbol.label, exactly(value, xSymbol.unit));
      const here = `At ${place}`;
      const read = texts(value);
      if (!binding) {
        const each = names.map(({ label }, i) => `${label} ${read[i]}`);
        return `${here}: ${each.join(", ")}.`;
      }
      const start = across ? `${here}, where ${across.label} is ${read[0]}`
        : here;
      const total = at(model.bound, value);
      const { subject } = binding;
      if (!shown(total)) return `${start}, ${subject} has no defined value.`;
      const [does, needs] = VERBS[y.unit.style] ?? ["is", "would be"];
      const would = binding.least ? "would allow" : needs;
      const parts = model.branches.map((branch) =>
        ({ label: branch.label, value: at(branch, value) }));
      const what = holding(parts, total,
        { least: binding.least, would, reading });
      return `${start}, ${subject} ${does} ${format(total, y.unit)}; `
        + `${what}.`;
    }

    return { names, texts, facts: crossings, notes, sentence };
  }

  // --- The picture ---------------------------------------------------------

  const LINE = 15;

  // Moves labels apart, top to bottom, and back up from the lower edge. Of
  // two at one height the thicker curve's comes first.
  function dodge(labels, top, bottom) {
    const sorted = [...labels].sort((a, b) => a.y - b.y || b.wide - a.wide);
    let free = top;
    for (const label of sorted) {
      label.y = Math.max(label.y, free);
      free = label.y + LINE * label.lines.length;
    }
    let limit = bottom + LINE;
    for (const label of sorted.reverse()) {
      label.y = Math.min(label.y, limit - LINE * label.lines.length);
      limit = label.y;
    }
  }

  // --- Names beside dots ---------------------------------------------------

  // Where a text may stand beside its dot, the best side first.
  const SIDES = {
    name: [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1],
      [-1, 1]],
    value: [[-1, -1], [1, 1], [1, -1], [-1, 1], [0, -1], [0, 1], [1, 0],
      [-1, 0]],
  };

  // What a text over a curve costs, in places further down the list, and
  // how many times around the dot the list goes.
  const OVER = 16;
  const RINGS = 5;

  // Boxes are [left, top, right, bottom], read by index: these two functions
  // run some thousand times a frame.
  const apart = (a) => (b) =>
    a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];
  const inBox = (a, b) =>
    a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3];

  // The box of a text of this size on a side of a dot.
  function boxBeside({ px, py, wide, high }, [dx, dy], far, [left, , right]) {
    const gap = far + (dy ? 6 : 9);
    const l = dx ? px + dx * gap - (dx < 0 ? wide : 0)
      : clamp(px - wide / 2, left, Math.max(left, right - wide));
    const t = py + dy * gap - (dy < 0 ? high : dy ? 0 : high / 2);
    return [l, t, l + wide, t + high];
  }

  // Points along a leader, from outside its dot to its text.
  function along(x1, y1, x2, y2) {
    const long = Math.hypot(x2 - x1, y2 - y1);
    return range(Math.ceil((long - 13) / 5)).map((i) => (13 + 5 * i) / long)
      .map((s) => ({ px: x1 + s * (x2 - x1), py: y1 + s * (y2 - y1) }));
  }

  const around = (by) => ({ px, py }) =>
    [px - by, py - by, px + by, py + by];

  // The boxes of a dot's text and leader, the cheapest that are free, and the
  // leader's end; or nothing.
  function besideOne(dot, foreign, { sides, taken, area, crossed }) {
    const { px, py } = dot;
    let best = Infinity, found = null;
    for (let k = 0; k < Math.min(best, RINGS * sides.length); k++) {
      const far = 15 * Math.floor(k / sides.length);
      const box = boxBeside(dot, sides[k % sides.length], far, area);
      const free = apart(box);
      if (!inBox(box, area) || !taken.every(free) || !foreign.every(free)) {
        continue;
      }
      const [x, y] = [clamp(px, box[0], box[2]), clamp(py, box[1], box[3])];
      const leader = far ? along(px, py, x, y).map(around(2.5)) : [];
      if (!leader.every((one) => taken.every(apart(one)))) continue;
      const cost = k + OVER * crossed(box, (best - k) / OVER);
      if (cost >= best) continue;
      best = cost;
      found = { box, boxes: [box, ...leader], end: far ? [x, y] : [px, py] };
    }
    return found;
  }

  // Gives each dot the `box` for its text: close by or, at the end of a
  // leader, further off; within the area, over nothing that is taken, and
  // over as few curves as can be. What fits nowhere comes first in another
  // try; what then fits nowhere gets none.
  function besides(dots, work) {
    const { taken } = work;
    taken.push(...dots.map(around(6)));
    // A text that stands close to another dot seems to be that one's.
    const wider = dots.map(around(10));
    let order = range(dots.length), most = -1, best = [];
    for (let tries = 0; tries < 3 && most < dots.length; tries++) {
      const now = { ...work, taken: [...taken] };
      const found = [];
      for (const i of order) {
        found[i] = besideOne(dots[i], wider.filter((_, j) => j !== i), now);
        now.taken.push(...found[i]?.boxes ?? []);
      }
      const count = found.filter(Boolean).length;
      if (count > most) [most, best] = [count, found];
      order = [...order.filter((i) => !found[i]),
        ...order.filter((i) => found[i])];
    }
    dots.forEach((dot, i) => {
      Object.assign(dot, { box: best[i]?.box, end: best[i]?.end });
      taken.push(...best[i]?.boxes ?? []);
    });
  }

  // A dot, its text, and the leader between them.
  const makeDot = () => svg("g", {}, svg("line"),
    svg("circle", { r: 5 }, svg("title")), svg("text"));

  function putDot(node, dot) {
    const { px, py, box, lines } = dot;
    const drawn = [px, py, box, dot.end, lines].join();
    if (node.drawn === drawn) return;
    node.drawn = drawn;
    const [leader, circle, text] = node.childNodes;
    const [x2, y2] = box ? dot.end : [px, py];
    put(leader, { x1: px, y1: py, x2, y2 });
    put(circle, { cx: px, cy: py });
    say(circle.firstChild, dot.says);
    fill(text, box ? lines : [], () => svg("tspan"), say);
    if (box) {
      lines.forEach((_, i) =>
        put(text.childNodes[i], { x: box[0], y: box[1] + 12 + LINE * i }));
    }
  }

  // What may stand on a line of its own: words, and parts up to a hyphen.
  const pieces = (text) => text.match(/[^ -]+[ -]*/g) ?? [text];

  // A label in one line, or in the two that take the least width.
  function wrapped(text, font, most) {
    const widest = (lines) =>
      Math.max(...lines.map((line) => textWidth(line, font)));
    if (widest([text]) <= most) return [text];
    const parts = pieces(text);
    return range(parts.length - 1)
      .map((i) => [parts.slice(0, i + 1), parts.slice(i + 1)]
        .map((line) => line.join("").trim()))
      .reduce((a, b) => (widest(b) < widest(a) ? b : a), [text]);
  }

  function makePlot(spec, model, { onpick, onhover }) {
    const { x, y } = spec;
    const clip = fresh("clip");
    const frame = svg("rect");
    const layer = Object.fromEntries(
      ["areas", "grid", "ticks", "titles", "cursor", "curves", "labels",
        "points", "marks", "dots"].map((name) =>
        [name, svg("g", { class: `roofline-${name}` })]));
    layer.curves.setAttribute("clip-path", `url(#${clip})`);
    layer.areas.setAttribute("clip-path", `url(#${clip})`);
    const rule = svg("line");
    layer.cursor.append(rule);
    const root = svg("svg", {
      class: "roofline-plot", role: "img", "aria-label": spec.alt,
    }, svg("defs", {}, svg("clipPath", { id: clip }, frame)),
    ...Object.values(layer));

    // The top of a stack is its total.
    const stacked = Boolean(spec.stack);
    const styles = model.curves.map(({ role }, i) =>
      (stacked && i === model.curves.length - 1 ? "total" : role));
    const wide = (i) => ROOFLINE_TABLES.width[styles[i]] ?? 2;
    const paths = styles.map((role, i) => svg("path", {
      stroke: colour(role),
      "stroke-width": wide(i),
      "stroke-dasharray": stacked ? ""
        : (ROOFLINE_TABLES.dash[role] ?? []).join(" "),
    }));
    const areas = !stacked ? [] : model.curves.map(({ role, hatch }) => {
      const id = fresh("hatch");
      root.firstChild.append(tint(tile(id, hatch, true), colour(role)));
      return svg("path", { fill: `url(#${id})` });
    });
    layer.areas.append(...areas);
    const painted = [...paths.keys()].sort((a, b) => wide(b) - wide(a));
    layer.curves.append(...painted.map((i) => paths[i]));
    const dots = model.curves.map((curve) =>
      svg("circle", { r: 4, fill: colour(curve.role) }));
    layer.dots.append(...dots);

    let width = 0, height = 0, font = "", labelWidth = 0, names = [];
    let box = null, sx = null, sy = null, pixels = [], drawn = null;
    let shape = "", curves = [], named = [];

    function layout(newWidth) {
      width = newWidth;
      const style = getComputedStyle(root);
      font = `${style.fontSize} ${style.fontFamily}`;
      const bold = `600 ${font}`;
      const most = Math.max(width / 5, ...model.curves
        .flatMap(({ label }) => pieces(label))
        .map((piece) => textWidth(piece.trim(), bold)));
      names = [...model.curves, ...(stacked ? [{ label: spec.stack }] : [])]
        .map(({ label }) => wrapped(label, bold, most));
      labelWidth = Math.max(...names.flat().map((t) => textWidth(t, bold)));
      named = model.points.map((point) =>
        ({ ...point, ...sized(wrapped(point.label, bold, width / 4)) }));
      const wanted = equalDecades(width - 72 - labelWidth);
      height = clamp(wanted ?? 0.5 * width, 250, clamp(0.62 * width, 270, 420))
        + 62;
      put(root, { viewBox: `0 0 ${width} ${height}`, width, height });
      shape = "";
      drawn = null;
    }

    function sized(lines) {
      const wide = lines.map((text) => textWidth(text, `600 ${font}`));
      return { lines, wide: Math.max(...wide), high: LINE * lines.length + 1 };
    }

    // The height at which a decade is as high as it is wide.
    function equalDecades(plotWidth) {
      const { low, high, scale } = model.across?.range ?? x;
      if (scale !== "log" || y.scale !== "log") return null;
      return plotWidth * Math.log(y.high / y.low) / Math.log(high / low);
    }

    function axes(view, xView) {
      const rows = ticks(view, Math.max(2, Math.floor((height - 62) / 48)));
      const texts = rows.map((value) => tickText(value, y.unit));
      const left = Math.max(40, ...texts.map((t) => textWidth(t, font) + 12));
      box = {
        left, top: 30, bottom: height - 40,
        right: width - Math.max(24, labelWidth + 12),
      };
      sx = makeScale(xView, box.left, box.right);
      sy = makeScale(view, box.bottom, box.top);
      put(frame, {
        x: box.left, y: box.top - 2,
        width: box.right - box.left, height: box.bottom - box.top + 4,
      });
      const { label, unit } = model.across ?? model.xSymbol;
      const found = columns(xView, sx, unit, font);
      drawGrid(rows, found);
      drawTicks(rows, texts, found);
      drawTitles(axisName(label, unit));
    }

    function drawGrid(rows, found) {
      const lines = [
        ...rows.map((v) => [box.left, sy(v), box.right, sy(v)]),
        ...found.map(({ x: px }) => [px, box.top, px, box.bottom]),
      ];
      fill(layer.grid, lines, () => svg("line"), (line, [x1, y1, x2, y2]) =>
        put(line, { x1, y1, x2, y2 }));
    }

    function write(node, [px, py, anchor, text]) {
      put(node, { x: px, y: py, "text-anchor": anchor });
      say(node, text);
    }

    function drawTicks(rows, texts, found) {
      const marks = [
        ...rows.map((v, i) => [box.left - 8, sy(v) + 4, "end", texts[i]]),
        ...found.map(({ x: px, text }) =>
          [px, box.bottom + 19, "middle", text]),
      ];
      fill(layer.ticks, marks, () => svg("text"), write);
    }

    function drawTitles(name) {
      const titles = [
        [0, 12, "start", axisName(y.label, y.unit)],
        [Math.max(box.right, textWidth(name, font) + 1), height - 4, "end",
          name],
      ];
      fill(layer.titles, titles, () => svg("text"), write);
    }

    // The heights of every third sample, in pixels; NaN where there is none.
    const profile = (values) => THIRDS.map((i) =>
      model.shown(values[i]) ? Math.round(10 * clamp(sy(values[i]), -4000,
        4000)) / 10 : NaN);

    // Path data through heights; a gap starts a new line.
    function trace(heights) {
      let path = "", command = "M";
      heights.forEach((py, k) => {
        const px = pixels[3 * k];
        if (isNaN(py) || isNaN(px)) {
          command = "M";
          return;
        }
        path += `${command}${px} ${py}`;
        command = "L";
      });
      return path;
    }

    // The area between two curves, where both have a value.
    function band(top, below) {
      const known = range(THIRDS.length).filter((k) => !isNaN(top[k]));
      const side = (heights, indices) =>
        indices.map((k) => `${pixels[3 * k]} ${heights[k]}`).join("L");
      return known.length
        ? `M${side(top, known)}L${side(below, known.reverse())}Z` : "";
    }

    // How many curves run through a box, counted up to `enough`. Where the
    // axis is the symbol's own, samples stand at even distances.
    function crossed([l, t, r, b], enough) {
      const last = THIRDS.length - 1;
      const step = (box.right - box.left) / last;
      const from = model.across ? 1
        : Math.max(1, Math.ceil((l - box.left) / step));
      const to = model.across ? last
        : Math.min(last, Math.ceil((r - box.left) / step));
      let count = 0;
      for (let c = 0; c < curves.length && count < enough; c++) {
        const heights = curves[c];
        for (let k = from; k <= to; k++) {
          const u = pixels[3 * k - 3], v = pixels[3 * k];
          const h = heights[k - 1], i = heights[k];
          if ((u > l || v > l) && (u < r || v < r)
            && (h > t || i > t) && (h < b || i < b)) {
            count++;
            break;
          }
        }
      }
      return count;
    }

    const visible = (value) => {
      const py = model.shown(value) ? sy(value) : NaN;
      return py >= box.top - 1 && py <= box.bottom + 1;
    };

    // Each label stands at the visible end of its curve that is further right,
    // or in a stack in the middle of its area.
    function drawLabels(samples) {
      const bold = `600 ${font}`;
      const labels = names.map((lines, i) => {
        const of = Math.min(i, samples.length - 1);
        const values = samples[of];
        const seen = THIRDS.filter((i) => visible(values[i]));
        const ends = [seen.at(-1) ?? 0, seen[0] ?? 0];
        const last = ends[Number(pixels[ends[1]] > pixels[ends[0]])];
        const hidden = !visible(values[last]) || isNaN(pixels[last]);
        const middle = stacked && i === of
          ? (values[last] + (samples[i - 1]?.[last] ?? 0)) / 2 : values[last];
        const long = Math.max(...lines.map((t) => textWidth(t, bold)));
        return {
          lines, hidden, long, wide: wide(of),
          x: Math.min(pixels[last] + 7, width - long),
          colour: colour(i === of ? model.curves[i].role : "total"),
          y: (hidden ? box.top : sy(middle)) + 4
            - LINE / 2 * (lines.length - 1),
        };
      });
      const seen = labels.filter((label) => !label.hidden);
      dodge(seen, box.top + 4, box.bottom);
      fill(layer.labels, labels, () => svg("text"), (node, label) => {
        tint(node, label.colour);
        node.style.visibility = label.hidden ? "hidden" : "visible";
        fill(node, label.lines, () => svg("tspan"), say);
        label.lines.forEach((_, i) =>
          put(node.childNodes[i], { x: label.x, y: label.y + LINE * i }));
      });
      return seen.map(({ x: l, y: base, long, lines }) =>
        [l, base - 12, l + long, base + 4 + LINE * (lines.length - 1)]);
    }

    // A dot for each point with its name, and one for each crossing with its
    // value. The words have what finds no room here.
    function drawDots(taken) {
      const area = [box.left + 3, box.top - 8, width, box.bottom - 2];
      for (const dot of named) Object.assign(dot, { px: sx(dot.x),
        py: sy(dot.y) });
      const valued = model.crossings().filter((mark) => visible(mark.y))
        .map((mark) => ({
          ...sized([format(mark.x, model.xSymbol.unit)]), says: "",
          px: sx(model.place(mark.x)), py: sy(mark.y),
        }));
      // The read-out's dots, where they stand at first, stay free as well.
      const [px, start] = [sx(model.place(x.at)), model.drawn(x.at)];
      taken.push(...start.filter(visible).map((value) =>
        [px - 5, sy(value) - 5, px + 5, sy(value) + 5]));
      besides(named, { sides: SIDES.name, taken, area, crossed });
      besides(valued, { sides: SIDES.value, taken, area, crossed });
      fill(layer.points, named, makeDot, (node, dot) =>
        putDot(tint(node, colour(dot.role)), dot));
      fill(layer.marks, valued, makeDot, putDot);
    }

    function draw() {
      if (!width) return;
      const samples = model.sample();
      if (drawn === samples) return;
      drawn = samples;
      const view = model.view();
      const xView = model.xView();
      const wanted = [view.low, view.high, xView.low, xView.high].join();
      if (shape !== wanted) axes(view, xView);
      if (shape !== wanted || model.across) {
        pixels = Array.from(model.places(),
          (value) => Math.round(10 * sx(value)) / 10);
      }
      shape = wanted;
      curves = samples.map(profile);
      curves.forEach((heights, i) => put(paths[i], { d: trace(heights) }));
      areas.forEach((area, i) => put(area, { d: band(curves[i],
        curves[i - 1] ?? curves[i].map(() => sy(0))) }));
      drawDots(drawLabels(samples));
    }

    // The read-out line, with a dot on every curve.
    function point(value, readings) {
      if (!width) return;
      const px = value >= x.low && value <= x.high ? sx(model.place(value))
        : NaN;
      layer.cursor.style.visibility = isNaN(px) ? "hidden" : "visible";
      if (!isNaN(px)) {
        put(rule, { x1: px, x2: px, y1: box.top, y2: box.bottom });
      }
      readings.forEach((reading, i) => {
        const on = !isNaN(px) && visible(reading);
        dots[i].style.visibility = on ? "visible" : "hidden";
        if (on) put(dots[i], { cx: px, cy: sy(reading) });
      });
    }

    // The pointer's x, or null outside the axes.
    function under(event) {
      const { left, top, width: seen } = root.getBoundingClientRect();
      const px = (event.clientX - left) * width / seen;
      if (px < box.left - 12 || px > box.right + 12) return null;
      if (model.across) {
        return nearest(px, (event.clientY - top) * width / seen);
      }
      return clamp(sx.invert(px), x.low, x.high);
    }

    // The value of the symbol whose point on a curve is closest.
    function nearest(px, py) {
      let best = Infinity, found = null;
      for (const values of model.sample()) {
        values.forEach((value, i) => {
          if (!model.shown(value)) return;
          const off = Math.hypot(pixels[i] - px, sy(value) - py);
          if (off < best) [best, found] = [off, model.grid[i]];
        });
      }
      return found;
    }

    function follow(event) {
      const value = under(event);
      if (value !== null && event.buttons & 1) onpick(value);
      else onhover(value);
    }

    dress(root, {
      // A finger may be about to scroll; its tap arrives as a click.
      onpointerdown: (event) => {
        if (event.button === 0 && event.pointerType !== "touch") follow(event);
      },
      onpointermove: follow,
      onpointerleave: () => onhover(null),
      onclick: (event) => {
        const value = under(event);
        if (value !== null) onpick(value);
      },
    }, []);

    return { root, layout, draw, point,
      nameless: () => named.filter((dot) => dot.px && !dot.box)
        .map(({ label }) => label) };
  }

  // --- Controls ------------------------------------------------------------

  const KEYS = {
    ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1,
    PageUp: 10, PageDown: -10,
  };
  // JupyterLab takes arrow keys away from inputs that do not say this.
  const QUIET = { "data-lm-suppress-shortcuts": "true" };

  // A slider and a typed entry for one symbol.
  function makeControl(name, reach, model, symbol, onset) {
    const rungs = ladder(reach, symbol.integer);
    const id = fresh("slider");
    const trouble = html("span", {
      class: "roofline-error", id: fresh("error"), role: "alert",
    });
    const slider = html("input", {
      ...QUIET, type: "range", id, min: 0, max: STEPS, step: 1,
      title: symbol.says, oninput: slide, onkeydown: press,
    });
    const entry = html("input", {
      ...QUIET, type: "text", class: "roofline-entry", autocomplete: "off",
      spellcheck: "false", enterkeyhint: "done", title: symbol.says,
      "aria-label": `${symbol.label}, typed value`,
      "aria-describedby": trouble.id, onchange: commit, onkeydown: leave,
      onfocus: () => entry.select(),
    });
    const field = html("span", { class: "roofline-field" }, entry);
    const root = html("div", { class: "roofline-control" },
      html("label", { for: id, title: symbol.says }, symbol.label),
      field, slider, trouble);
    tint(root, colour(symbol.role));

    // The field is as wide as its longest text so far, and never narrower
    // again: nothing moves under the hand.
    function hold(text) {
      if (text.length > (field.dataset.text ?? "").length) {
        field.dataset.text = text;
      }
    }
    [reach.low, reach.high].forEach((end) => hold(exactly(end, symbol.unit)));

    function slide() {
      onset(name, rungs.value(slider.valueAsNumber), slider);
    }

    function press(event) {
      const steps = KEYS[event.key];
      if (!steps || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      onset(name, rungs.moved(model.get(name), steps));
    }

    function commit() {
      try {
        const value = parse(entry.value, symbol.unit);
        onset(name, value);
        sync();
      } catch (error) {
        entry.setAttribute("aria-invalid", "true");
        say(trouble, error.message);
      }
    }

    function leave(event) {
      if (event.key === "Escape") sync();
      // JupyterLab keeps the change event that Enter brings elsewhere.
      if (event.key === "Enter") commit();
    }

    // The slider that moves keeps its own thumb; all else follows the value.
    function sync(source) {
      const value = model.get(name);
      const text = value === null ? "each its own"
        : exactly(value, symbol.unit);
      if (source !== slider) slider.value = rungs.step(value);
      slider.setAttribute("aria-valuetext", text);
      slider.style.setProperty("--roofline-at",
        `${slider.valueAsNumber / STEPS * 100}%`);
      hold(text);
      entry.value = text;
      entry.removeAttribute("aria-invalid");
      say(trouble, "");
    }

    let last;
    return {
      root,
      neat: rungs.neat,
      restore: () => sync(),
      sync(source) {
        if (model.get(name) === last && source !== slider) return;
        last = model.get(name);
        sync(source);
      },
    };
  }

  // The preset menu; "custom setting" stands there only when it is true.
  function makePresets(presets, model, onpick) {
    const custom = html("option", { value: "" }, "custom setting");
    const select = html("select", {
      ...QUIET, "aria-label": "Preset",
      onchange: () => {
        if (select.value !== "") onpick(presets[Number(select.value)]);
      },
    }, ...presets.map((preset, i) =>
      html("option", { value: i }, preset.label)));
    let shown = null;
    return {
      root: html("span", { class: "roofline-presets" }, select),
      sync() {
        const now = model.preset();
        if (now === shown) return;
        shown = now;
        if (now < 0) select.prepend(custom);
        else custom.remove();
        select.value = now < 0 ? "" : String(now);
      },
    };
  }

  // --- Links ---------------------------------------------------------------

  // "#chart-two-clocks?batch=512" as its id and its settings.
  function readFragment() {
    const [id, query] = location.hash.slice(1).split(/\?(.*)/s);
    return query === undefined ? null : { id, query };
  }

  function settings(query, read = (_, text) => Number(text)) {
    const found = {};
    for (const [name, text] of new URLSearchParams(query)) {
      const value = text.trim() === "" ? NaN : read(name, text);
      if (Number.isNaN(value) || Math.abs(value) === Infinity) {
        throw new Error(`"${text}" is no number for ${name}`);
      }
      found[name] = value;
    }
    return found;
  }

  function fragment(spec, model) {
    const asked = [...model.axes, ...spec.sliders.map((s) => s.symbol)];
    const moved = Object.keys(model.defaults).filter((name) =>
      !asked.includes(name) && model.get(name) !== model.defaults[name]);
    const query = [...asked, ...moved]
      .filter((name) => model.get(name) !== null)
      .map((name) => `${encodeURIComponent(name)}=`
        + encodeURIComponent(model.get(name)));
    return `#${spec.id}?${query.join("&")}`;
  }

  // --- The table of values -------------------------------------------------

  function makeTable(spec, model, words, details) {
    const { x } = spec;
    const unit = model.xSymbol.unit;
    const steps = x.scale === "log"
      ? logTicks(x.low, x.high, 8).filter((v) => Number.isInteger(
        Math.round(1e9 * Math.log10(v)) / 1e9))
      : linearTicks(x.low, x.high, 6);
    const cells = (row, tag, texts) => row.append(
      ...texts.map((text) => html(tag, tag === "th" ? { scope: "col" } : {},
        text)));
    const head = html("tr");
    cells(head, "th", [capital(model.xSymbol.label),
      ...words.names.map(({ label }) => label)]);
    const body = html("tbody");
    const scroller = html("div", {
      class: "roofline-scroll", tabindex: 0, role: "group",
      "aria-label": "Values at this setting",
    }, html("table", {}, html("thead", {}, head), body));
    const summary = html("summary", {}, "Values at this setting");

    const row = () => html("tr", {}, html("th", { scope: "row" }),
      ...words.names.map(() => html("td")));

    function draw() {
      if (!details.open) return;
      const rows = [model.get(x.symbol), ...steps];
      fill(body, rows, row, (node, value) => {
        const [first, ...rest] = node.children;
        say(first, exactly(value, unit));
        words.texts(value).forEach((text, i) => say(rest[i], text));
      });
      body.firstChild.className = "roofline-now";
    }

    details.addEventListener("toggle", draw);
    const dots = details.querySelector(".roofline-points");
    return {
      draw,
      show: () => details.replaceChildren(summary, scroller,
        ...(dots ? [dots] : [])),
    };
  }

  // --- A chart -------------------------------------------------------------

  // Each value beside its name, above the picture: what the line reads.
  function makeReadout(names) {
    const values = names.map(() => html("b"));
    const spans = names.map(({ label, role }, i) => tint(
      html("span", {}, html("i", {}, label), values[i]), colour(role)));
    return {
      root: html("div",
        { class: "roofline-readout", "aria-hidden": "true" }, ...spans),
      spans,
      show: (texts) => texts.forEach((text, i) => say(values[i], text)),
    };
  }

  // A paragraph a screen reader hears once the hand has come to rest.
  function makeAnnouncer() {
    const root = html("p", {
      class: "roofline-heard", role: "status", "aria-live": "polite",
    });
    let timer = null;
    return {
      root,
      // The first text is there when the page reads it, and not announced.
      say(text) {
        if (timer === null) say(root, text);
        clearTimeout(timer);
        timer = setTimeout(() => say(root, text), 600);
      },
      stop: () => clearTimeout(timer),
    };
  }

  // What every figure with values has: controls, presets, reset and link,
  // a sentence, facts and notes under the picture, a table. `build` gets the
  // function that changes values and returns the face: {nodes, resize,
  // refresh}, and {halt} if it can move by itself; `words` are {sentence,
  // facts, notes}, lists but the first.
  function mountFigure(figure, spec, model, words, reaches, build,
    { linked = true, onchange, table } = {}) {
    const stage = figure.querySelector(".roofline-stage");
    const announcer = makeAnnouncer();
    const sentence = html("p", { class: "roofline-sentence",
      "aria-hidden": "true" });
    const facts = html("div", { class: "roofline-crossings",
      "aria-hidden": "true" });
    const notes = html("div", { class: "roofline-notes" });
    const status = html("span", { class: "roofline-status", role: "status" });
    const face = build(change);
    const controls = [...reaches, ...spec.sliders].map((reach) =>
      makeControl(reach.symbol, reach, model, spec.symbols[reach.symbol],
        (name, value, source) => change({ [name]: value }, source)));
    const presets = spec.presets.length
      ? makePresets(spec.presets, model, (preset) => receive(preset.values))
      : null;

    function tell() {
      const text = words.sentence();
      say(sentence, text);
      fill(facts, words.facts(), () => html("p"), say);
      fill(notes, [...words.notes(), ...face.notes?.() ?? []],
        () => html("p"), say);
      announcer.say([text, facts.textContent].join(" "));
    }

    function refresh(source) {
      face.refresh();
      tell();
      controls.forEach((control) => control.sync(source));
      presets?.sync();
      table?.draw();
    }

    function change(changes, source) {
      if (!model.set(changes)) return;
      refresh(source);
      say(status, "");
      onchange?.(model.values());
    }

    function reset() {
      face.halt?.();
      change(model.defaults);
      controls.forEach((control) => control.restore());
    }

    async function link() {
      history.replaceState(history.state, "", fragment(spec, model));
      try {
        await navigator.clipboard.writeText(location.href);
        say(status, "Link copied.");
      } catch {
        say(status, "The address bar now holds this setting.");
      }
    }

    // A setting from outside, all of it or none.
    function receive(changes) {
      attempt(() => change(changes));
    }

    function apply(query) {
      face.halt?.();
      attempt(() => change({ ...model.defaults,
        ...settings(query, model.reader) }));
    }

    function attempt(work) {
      try {
        work();
      } catch (error) {
        say(status, `This setting was left out: ${error.message}.`);
      }
    }

    const button = (text, onclick) =>
      html("button", { type: "button", onclick }, text);

    // Whatever fails has failed by now: only then the static face goes.
    refresh();
    table?.show();
    const settable = Object.keys(model.values()).length > 0;
    stage.replaceChildren(...face.nodes, sentence, facts,
      ...(settable ? [html("div", { class: "roofline-bar" },
        ...(presets ? [presets.root] : []),
        button("Reset", reset),
        ...(linked ? [button("Link to this setting", link)] : []),
        status)] : []),
      html("div", { class: "roofline-controls" },
        ...controls.map((control) => control.root)),
      notes, announcer.root);

    const stop = onWidth(stage, (width) => {
      face.resize(width);
      tell();
    });

    return {
      values: model.values,
      set: (name, value) => change({ [name]: value }),
      sentence: words.sentence,
      reset, apply, receive,
      destroy() {
        stop();
        announcer.stop();
      },
    };
  }

  // Calls with the width of a node, now and whenever it changes.
  function onWidth(node, work) {
    let width = 0;
    function resize() {
      const now = Math.floor(node.clientWidth);
      if (!now || now === width) return;
      width = now;
      work(width);
    }
    const observer = new ResizeObserver(resize);
    observer.observe(node);
    resize();
    return () => observer.disconnect();
  }

  function mountChart(figure, spec, options) {
    const model = makeModel(spec);
    const words = makeWords(spec, model);
    const details = figure.querySelector(".roofline-values");
    const table = details && makeTable(spec, model, words, details);
    const { neat } = ladder(spec.x, model.xSymbol.integer);

    function build(change) {
      const readout = makeReadout([{ label: model.xSymbol.label,
        role: "limit" }, ...words.names]);
      const plot = makePlot(spec, model, { onpick, onhover });
      let hovered = null;

      function onpick(value) {
        hovered = null;
        change({ [spec.x.symbol]: neat(value) });
      }

      function onhover(value) {
        if (value === hovered) return;
        hovered = value;
        read();
      }

      function read() {
        const value = hovered ?? model.get(spec.x.symbol);
        const unit = model.xSymbol.unit;
        const text = hovered === null ? exactly(value, unit)
          : format(value, unit);
        readout.show([text, ...words.texts(value)]);
        plot.point(value, model.drawn(value));
      }

      function refresh() {
        plot.draw();
        read();
      }

      function resize(width) {
        plot.layout(width);
        refresh();
      }

      // What a narrow picture leaves out.
      function notes() {
        const lost = plot.nameless();
        return lost.length ? [`Without room for a name: ${list(lost)}.`] : [];
      }

      return { nodes: [readout.root, plot.root], refresh, resize, notes };
    }

    return {
      ...mountFigure(figure, spec, model, words, [spec.x], build,
        { ...options, table }),
      evaluate: model.evaluate,
      crossings: () => model.crossings().map((mark) => ({ ...mark })),
    };
  }

  // --- A question ----------------------------------------------------------

  // A reader's last answer, where the browser keeps one.
  function makeMemory(id) {
    const key = `roofline:${id}`;
    const attempt = (work) => {
      try {
        return work();
      } catch {
        return null;
      }
    };
    return {
      read: () => attempt(() => localStorage.getItem(key)),
      write: (text) => attempt(() => localStorage.setItem(key, text)),
      clear: () => attempt(() => localStorage.removeItem(key)),
    };
  }

  const within = (value, target, tolerance) =>
    Math.abs(value - target) <= tolerance * Math.abs(target);

  function wrongBy(value, answer) {
    const way = value > answer ? "high" : "low";
    const ratio = value / answer;
    if (!(ratio > 0) || !Number.isFinite(ratio)) return `Too ${way}.`;
    const factor = Math.max(ratio, 1 / ratio);
    if (factor < 1.1) {
      const share = significant(100 * Math.abs(ratio - 1), 2);
      return `Close, but too ${way} by ${share}%.`;
    }
    return `Too ${way} by a factor of ${plain(factor, 2)}.`;
  }

  // A verdict on a typed answer: {mood, text}.
  function judge(spec, text) {
    const unit = spec.unit ?? PLAIN;
    let value;
    try {
      value = parse(text, unit);
      if (!Number.isFinite(value)) throw new Error("that is no finite number");
    } catch (error) {
      return { mood: "unread", text: `${capital(error.message)}.` };
    }
    const said = format(value, unit);
    if (within(value, spec.answer, spec.tolerance)) {
      return {
        mood: "right",
        text: `Right: ${format(spec.answer, unit)} (you said ${said}).`,
      };
    }
    const known = (spec.near ?? []).find((each) =>
      within(value, each.value, spec.tolerance));
    const hint = known ? known.says : wrongBy(value, spec.answer);
    return { mood: "wrong", text: `Not ${said}. ${hint}` };
  }

  // The field for a typed answer, with what it is read as.
  function numericAnswer(spec) {
    const unit = spec.unit ?? PLAIN;
    const id = fresh("answer");
    const echo = html("span", { class: "roofline-echo", id: fresh("echo") });
    const field = html("input", {
      ...QUIET, type: "text", id, autocomplete: "off", spellcheck: "false",
      "aria-describedby": echo.id, oninput: readAs,
    });

    function readAs() {
      field.removeAttribute("aria-invalid");
      try {
        say(echo, `read as ${exactly(parse(field.value, unit), unit)}`);
      } catch {
        say(echo, "");
      }
    }

    return {
      root: html("span", { class: "roofline-typed" },
        html("span", { class: "roofline-ask" },
          html("label", { for: id },
            axisLabel("Your answer", unitName(unit))), echo),
        field),
      read: () => field.value,
      write: (text) => {
        field.value = text;
        readAs();
      },
      judge: (text) => judge(spec, text),
      mark: (mood) => {
        if (mood === "unread") field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
      },
    };
  }

  // One of several answers, each with its reason.
  function choiceAnswer(spec) {
    const group = fresh("choice");
    const radios = spec.choices.map((choice, i) =>
      html("input", { ...QUIET, type: "radio", name: group, value: i }));
    return {
      root: html("fieldset", {}, html("legend", {}, "Choose one"),
        ...spec.choices.map((choice, i) =>
          html("label", {}, radios[i], html("span", {}, choice.text)))),
      read: () => radios.find((radio) => radio.checked)?.value ?? "",
      write: (text) => radios.forEach((radio) => {
        radio.checked = radio.value === text;
      }),
      judge: (text) => {
        const choice = text === "" ? null : spec.choices[Number(text)];
        if (!choice) return { mood: "unread", text: "Choose one first." };
        const verdict = choice.right ? "Right." : "Not this one.";
        return {
          mood: choice.right ? "right" : "wrong",
          text: choice.why ? `${verdict} ${choice.why}` : verdict,
        };
      },
      mark: () => {},
    };
  }

  function mountQuestion(section, spec) {
    const memory = makeMemory(spec.id);
    const answer = spec.choices ? choiceAnswer(spec) : numericAnswer(spec);
    const result = html("p", { class: "roofline-result", role: "status" });
    const forget = html("button", {
      type: "button", class: "roofline-forget", onclick: clear,
    }, "Forget");
    const form = html("form", {
      class: "roofline-answer", novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        check();
      },
    }, answer.root, html("button", { type: "submit" }, "Check"), forget,
    result);

    function check() {
      const text = answer.read();
      const { mood, text: words } = answer.judge(text);
      answer.mark(mood);
      result.dataset.mood = mood;
      say(result, words);
      if (mood === "unread") return;
      memory.write(text);
      forget.hidden = false;
    }

    function clear() {
      memory.clear();
      answer.write("");
      answer.mark("");
      delete result.dataset.mood;
      say(result, "");
      forget.hidden = true;
    }

    const kept = memory.read();
    forget.hidden = kept === null;
    if (kept !== null) {
      answer.write(kept);
      check();
    }
    section.querySelector(".roofline-stage").replaceChildren(form);
    return {
      answer(text) {
        answer.write(text);
        check();
        return result.textContent;
      },
      forget: clear,
      result: () => result.textContent,
      destroy() {},
    };
  }

  // --- Mounting ------------------------------------------------------------

  const kinds = { chart: mountChart, question: mountQuestion };

  function complain(root, error) {
    const stage = root.querySelector(".roofline-stage") ?? root;
    stage.append(html("p", { class: "roofline-broken", role: "note" },
      `This part of the page could not be started: ${error.message}.`));
  }

  // Makes one figure live. What is broken says so in its own place.
  function mount(root, spec, options) {
    try {
      if (!has(kinds, spec.kind)) throw new Error(`no kind "${spec.kind}"`);
      root.roofline = kinds[spec.kind](root, spec, options);
      root.classList.add("roofline-live");
    } catch (error) {
      complain(root, error);
    }
    return root.roofline;
  }

  function mountStored(root) {
    if (root.dataset.roofline) return root.roofline;
    root.dataset.roofline = "mounted";
    try {
      const stored = root.querySelector(".roofline-spec").textContent;
      return mount(root, JSON.parse(stored));
    } catch (error) {
      return complain(root, error);
    }
  }

  // The figure that the address names: set as the link says, and in view.
  function follow(scope, event) {
    const wanted = readFragment();
    const root = wanted && scope.querySelector(
      `.roofline[id="${CSS.escape(wanted.id)}"]`);
    if (!root) return;
    if (event?.type !== "load") mountStored(root)?.apply?.(wanted.query);
    root.scrollIntoView({ block: "start" });
  }

  // Mounts every figure of a page as it nears the window.
  function mountAll(scope) {
    const roots = [...scope.querySelectorAll(".roofline")]
      .filter((root) => root.querySelector(".roofline-spec"));
    const watcher = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        mountStored(target);
      }
    }, { rootMargin: "600px" });
    roots.forEach((root) => watcher.observe(root));
    follow(scope);
    // Once more when maths and pictures have found their final heights.
    addEventListener("hashchange", (event) => follow(scope, event));
    addEventListener("load", (event) => follow(scope, event));
  }

  // anywidget: the same figure, with its values tied to the kernel's.
  function render({ model, el }) {
    el.innerHTML = model.get("html");
    const root = el.querySelector(".roofline");
    const live = mount(root, model.get("spec"), {
      linked: false,
      onchange: (values) => {
        model.set("values", values);
        model.save_changes();
      },
    });
    // What comes back unchanged changes nothing, so no echo is sent.
    const receive = () => live?.receive?.(model.get("values") ?? {});
    receive();
    model.on("change:values", receive);
    return () => {
      model.off("change:values", receive);
      live?.destroy();
    };
  }

  // The other kinds stand in files of their own and build on these.
  const tools = {
    LINE, QUIET, VERBS, allowed, axisName, bounded, capital, clamp, colour,
    columns, dress, exactly, fill, following, format, fresh, holding, html,
    ladder, list, makeReadout, makeScale, makeState, mountFigure, put, range,
    say, svg, textWidth, ticks, tickText, tile, tint, wrapped,
  };

  return { format, parse, compile, mountAll, mount, render, kinds, tools };
})();
