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
      return `${plain(x / size, digits)} ${name}`;
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
    const { low, low_allowed } = formula;
    const at = compile(formula);
    if (low === undefined) return at;
    return (values) => {
      const value = at(values);
      return value > low || (low_allowed && value === low) ? value : NaN;
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
    return {
      neat,
      value(at) {
        if (at <= 0) return low;
        return at >= STEPS ? high : neat(raw(at / STEPS));
      },
      step(value) {
        const at = Math.round(STEPS * share(value));
        return Number.isNaN(at) ? 0 : clamp(at, 0, STEPS);
      },
    };
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

  function textWidth(text, font) {
    pen ??= document.createElement("canvas").getContext("2d");
    pen.font = font;
    return pen.measureText(text).width;
  }

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
    Number(`1e${round(Math.log10(value) + (round === Math.floor ? 1e-9
      : -1e-9))}`);

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

  const ticks = ({ low, high, scale }, count) =>
    scale === "log" ? logTicks(low, high, count)
      : linearTicks(low, high, count);

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
    const [number, prefix] = prefixed(x, 6, small);
    if (unit.style === "money") return `$${number}${prefix && ` ${prefix}`}`;
    const bare = unit.style === "count" || unit.suffix.includes("/");
    return `${number} ${prefix}${bare ? "" : unit.suffix}`.trim();
  }

  function axisLabel(label, unit) {
    const name = unit.style === "money" ? `$${unit.suffix}` : unit.suffix;
    return name ? `${label} (${name})` : label;
  }

  // --- What a chart knows: values, curves, crossings -----------------------

  const GRID = 480;

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

  function makeModel(spec) {
    const { x, y, symbols } = spec;
    const defaults = { ...spec.values, [x.symbol]: x.at };
    const grid = gridOf(x);
    const logX = x.scale === "log";
    const logY = y.scale === "log";
    let state = { ...defaults };
    let point = { ...defaults };

    // What follows from every value but x is worked out once.
    let known = {};
    const once = (name, work) => () => known[name] ??= work();

    function prepared(formula) {
      const lost = formula.args.find((name) => !has(defaults, name));
      if (lost) throw new Error(`${formula.label} needs a value of ${lost}`);
      return { ...formula, at: bounded(formula) };
    }

    function named(name) {
      const found = formulas.find((formula) => formula.name === name);
      if (!found) throw new Error(`there is no formula named ${name}`);
      return found;
    }

    const curves = spec.curves.map(prepared);
    const formulas = [...curves, ...(spec.formulas ?? []).map(prepared)];
    const branches = (spec.binding?.branches ?? []).map(prepared);
    const bound = spec.binding && named(spec.binding.curve);
    const pairs = spec.crossings.map((crossing) =>
      ({ ...crossing, of: crossing.curves.map(named) }));

    const shown = (value) => Number.isFinite(value) && !(logY && value <= 0);

    function at(formula, value) {
      point[x.symbol] = value;
      return formula.at(point);
    }

    // All changes or, if one is refused, none. Says whether anything moved.
    function set(changes) {
      const entries = Object.entries(changes);
      for (const [name, value] of entries) {
        if (!has(defaults, name)) throw new Error(`unknown symbol "${name}"`);
        if (has(symbols, name)) check(symbols[name], value);
      }
      const moved = entries.filter(([name, value]) => state[name] !== value);
      if (moved.some(([name]) => name !== x.symbol)) known = {};
      state = { ...state, ...changes };
      point = { ...state };
      return moved.length > 0;
    }

    const along = (formula) => grid.map((value) => at(formula, value));
    const sample = once("sample", () => curves.map(along));

    const crossings = once("crossings", () =>
      pairs.flatMap(({ of: [first, second], curves: names, label }) => {
        const gap = (value) => at(first, value) - at(second, value);
        return meetings(along(first), along(second), gap, grid, logX)
          .map((value) =>
            ({ curves: names, label, x: value, y: at(first, value) }));
      }));

    const first = extentOf(sample(), shown);
    const view = once("view", () => {
      const now = extentOf(sample(), shown);
      if (!Number.isFinite(now.low)) return { ...y };
      return (logY ? logWindow : linearWindow)(y, first, now);
    });

    const matches = (preset) => Object.entries(preset.values)
      .every(([name, value]) => state[name] === value);

    return {
      defaults, grid, curves, branches, bound, pairs, once, at, shown, set,
      sample, crossings, view,
      xSymbol: symbols[x.symbol],
      get: (name) => state[name],
      values: () => ({ ...state }),
      read: (value) => curves.map((curve) => at(curve, value)),
      evaluate: (name, value) => at(named(name), value),
      preset: () => spec.presets.findIndex(matches),
    };
  }

  // --- What a chart says ----------------------------------------------------

  const VERBS = {
    time: ["takes", "would need"],
    money: ["costs", "would cost"],
  };

  const list = (words) => words.length < 2 ? words.join("")
    : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

  function makeWords({ x, y, binding }, model) {
    const { curves, grid, shown, at, xSymbol } = model;
    const log = x.scale === "log";

    const reading = (value) =>
      shown(value) ? format(value, y.unit) : "undefined";

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
        (value) => (missing(at(curve, value)) === kind) === starts,
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
            .map((each) => reach(curve, each));
          const why = kind === "gap" && curve.low !== undefined
            ? ` (it must be ${allowed(curve)})` : "";
          return places.length ? [`${capital(curve.label)} ${facts[kind]} `
            + `for ${xSymbol.label} ${list(places)}${why}.`] : [];
        });
      });
    });

    // Which branch holds, and what the others would take.
    function holding(total, would) {
      const value = model.get(x.symbol);
      const parts = model.branches.map((branch) =>
        ({ label: branch.label, value: at(branch, value) }));
      const close = (part, share) =>
        Math.abs(part.value - total) <= share * Math.abs(total);
      const exact = parts.some((part) => close(part, 1e-9));
      const held = exact ? parts.filter((part) => close(part, 0.002))
        : [parts.reduce((a, b) => (b.value > a.value ? b : a))];
      const rest = parts.filter((part) => !held.includes(part));
      const names = list(held.map((part) => part.label));
      const verb = held.length > 1 ? "are in balance"
        : agree(names, exact ? "binds" : "weighs most");
      const others = rest.map((part, i) =>
        `${part.label} ${i ? "" : `${would} `}${reading(part.value)}`);
      return `${names} ${verb}${rest.length ? ` (${list(others)})` : ""}`;
    }

    // "weights bind", "memory binds".
    const agree = (name, verb) =>
      /[^s]s$/.test(name) ? verb.replace(/s\b/, "") : verb;

    // One sentence that can be read aloud.
    function sentence() {
      const value = model.get(x.symbol);
      const start = `At ${xSymbol.label} ${exactly(value, xSymbol.unit)}`;
      if (!binding) {
        const each = curves.map((curve) =>
          `${curve.label} is ${reading(at(curve, value))}`);
        return `${start}, ${list(each)}.`;
      }
      const total = at(model.bound, value);
      const { subject } = binding;
      if (!shown(total)) return `${start}, ${subject} has no defined value.`;
      const [does, would] = VERBS[y.unit.style] ?? ["is", "would be"];
      return `${start}, ${subject} ${does} ${format(total, y.unit)}; `
        + `${holding(total, would)}.`;
    }

    return { reading, crossings, notes, sentence };
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

  // A label in one line, or in the two that take the least width.
  function wrapped(text, font, most) {
    const widest = (lines) =>
      Math.max(...lines.map((line) => textWidth(line, font)));
    if (widest([text]) <= most) return [text];
    const words = text.split(" ");
    return range(words.length - 1)
      .map((i) => [words.slice(0, i + 1).join(" "),
        words.slice(i + 1).join(" ")])
      .reduce((a, b) => (widest(b) < widest(a) ? b : a), [text]);
  }

  function makePlot(spec, model, { onpick, onhover }) {
    const { x, y } = spec;
    const clip = fresh("clip");
    const frame = svg("rect");
    const layer = Object.fromEntries(
      ["grid", "ticks", "titles", "cursor", "curves", "labels", "marks",
        "dots"].map((name) =>
        [name, svg("g", { class: `roofline-${name}` })]));
    layer.curves.setAttribute("clip-path", `url(#${clip})`);
    const rule = svg("line");
    layer.cursor.append(rule);
    const root = svg("svg", {
      class: "roofline-plot", role: "img", "aria-label": spec.alt,
    }, svg("defs", {}, svg("clipPath", { id: clip }, frame)),
    ...Object.values(layer));

    const wide = (curve) => ROOFLINE_TABLES.width[curve.role] ?? 2;
    const paths = model.curves.map((curve) => svg("path", {
      stroke: colour(curve.role),
      "stroke-width": wide(curve),
      "stroke-dasharray": (ROOFLINE_TABLES.dash[curve.role] ?? []).join(" "),
    }));
    const painted = [...paths.keys()].sort((a, b) =>
      wide(model.curves[b]) - wide(model.curves[a]));
    layer.curves.append(...painted.map((i) => paths[i]));
    const dots = model.curves.map((curve) =>
      svg("circle", { r: 4, fill: colour(curve.role) }));
    layer.dots.append(...dots);

    let width = 0, height = 0, font = "", labelWidth = 0, names = [];
    let box = null, sx = null, sy = null, pixels = [], drawn = null;
    let shape = "";

    function layout(newWidth) {
      width = newWidth;
      const style = getComputedStyle(root);
      font = `${style.fontSize} ${style.fontFamily}`;
      const bold = `600 ${font}`;
      const most = Math.max(width / 5, ...model.curves
        .flatMap(({ label }) => label.split(" "))
        .map((word) => textWidth(word, bold)));
      names = model.curves.map(({ label }) => wrapped(label, bold, most));
      labelWidth = Math.max(...names.flat().map((t) => textWidth(t, bold)));
      const wanted = equalDecades(width - 72 - labelWidth);
      height = clamp(wanted ?? 0.5 * width, 250, clamp(0.62 * width, 270, 420))
        + 62;
      put(root, { viewBox: `0 0 ${width} ${height}`, width, height });
      shape = "";
      drawn = null;
    }

    // The height at which a decade is as high as it is wide.
    function equalDecades(plotWidth) {
      if (x.scale !== "log" || y.scale !== "log") return null;
      return plotWidth * Math.log(y.high / y.low) / Math.log(x.high / x.low);
    }

    function axes(view) {
      const rows = ticks(view, Math.max(2, Math.floor((height - 62) / 48)));
      const texts = rows.map((value) => tickText(value, y.unit));
      const left = Math.max(40, ...texts.map((t) => textWidth(t, font) + 12));
      box = {
        left, top: 30, bottom: height - 40,
        right: width - Math.max(24, labelWidth + 12),
      };
      sx = makeScale(x, box.left, box.right);
      sy = makeScale(view, box.bottom, box.top);
      pixels = Array.from(model.grid, (v) => Math.round(10 * sx(v)) / 10);
      put(frame, {
        x: box.left, y: box.top - 2,
        width: box.right - box.left, height: box.bottom - box.top + 4,
      });
      const columns = ticks(x, Math.max(2, Math.floor(
        (box.right - box.left) / 58)));
      drawGrid(rows, columns);
      drawTicks(rows, texts, columns);
      drawTitles();
    }

    function drawGrid(rows, columns) {
      const lines = [
        ...rows.map((v) => [box.left, sy(v), box.right, sy(v)]),
        ...columns.map((v) => [sx(v), box.top, sx(v), box.bottom]),
      ];
      fill(layer.grid, lines, () => svg("line"), (line, [x1, y1, x2, y2]) =>
        put(line, { x1, y1, x2, y2 }));
    }

    function write(node, [px, py, anchor, text]) {
      put(node, { x: px, y: py, "text-anchor": anchor });
      say(node, text);
    }

    function drawTicks(rows, texts, columns) {
      const marks = [
        ...rows.map((v, i) => [box.left - 8, sy(v) + 4, "end", texts[i]]),
        ...columns.map((v) => [sx(v), box.bottom + 18, "middle",
          tickText(v, model.xSymbol.unit)]),
      ];
      fill(layer.ticks, marks, () => svg("text"), write);
    }

    function drawTitles() {
      const titles = [
        [0, 12, "start", axisLabel(y.label, y.unit)],
        [box.right, height - 4, "end",
          axisLabel(model.xSymbol.label, model.xSymbol.unit)],
      ];
      fill(layer.titles, titles, () => svg("text"), write);
    }

    function trace(values) {
      let path = "", command = "M";
      for (let i = 0; i <= GRID; i += 3) {
        if (!model.shown(values[i])) {
          command = "M";
          continue;
        }
        const py = clamp(sy(values[i]), -4000, 4000);
        path += `${command}${pixels[i]} ${Math.round(10 * py) / 10}`;
        command = "L";
      }
      return path;
    }

    const visible = (value) => {
      const py = model.shown(value) ? sy(value) : NaN;
      return py >= box.top - 1 && py <= box.bottom + 1;
    };

    // Each label stands at the last visible point of its curve.
    function drawLabels(samples) {
      const labels = model.curves.map((curve, i) => {
        let last = GRID;
        while (last > 0 && !visible(samples[i][last])) last--;
        const py = visible(samples[i][last]) ? sy(samples[i][last]) : NaN;
        return {
          lines: names[i], wide: wide(curve), colour: colour(curve.role),
          hidden: isNaN(py), x: pixels[last] + 7,
          y: (isNaN(py) ? box.top : py) + 4 - LINE / 2 * (names[i].length - 1),
        };
      });
      dodge(labels.filter((label) => !label.hidden), box.top + 4, box.bottom);
      fill(layer.labels, labels, () => svg("text"), (node, label) => {
        tint(node, label.colour);
        node.style.visibility = label.hidden ? "hidden" : "visible";
        fill(node, label.lines, () => svg("tspan"), say);
        label.lines.forEach((_, i) =>
          put(node.childNodes[i], { x: label.x, y: label.y + LINE * i }));
      });
    }

    // A dot on every crossing; its value above it, or below where another's
    // value stands. Where both are taken the words alone give it.
    function drawMarks() {
      const taken = { above: -Infinity, below: -Infinity };
      const marks = model.crossings().filter((mark) => visible(mark.y))
        .map((mark) => {
          const text = format(mark.x, model.xSymbol.unit);
          const long = textWidth(text, `600 ${font}`) + 10;
          const [px, py] = [sx(mark.x), sy(mark.y)];
          const left = Math.max(px - long, box.left + 4);
          const side = (py - 14 > box.top + 8 ? ["above", "below"] : ["below"])
            .find((each) => taken[each] < left);
          if (side) taken[side] = left + long;
          return { text, px, py, left, side };
        });
      fill(layer.marks, marks,
        () => svg("g", {}, svg("circle", { r: 5 }), svg("text")),
        ({ firstChild, lastChild }, { text, px, py, left, side }) => {
          put(firstChild, { cx: px, cy: py });
          put(lastChild, { x: left, y: side === "above" ? py - 10 : py + 20 });
          say(lastChild, side ? text : "");
        });
    }

    function draw() {
      if (!width) return;
      const samples = model.sample();
      if (drawn === samples) return;
      drawn = samples;
      const view = model.view();
      const wanted = `${view.low} ${view.high}`;
      if (shape !== wanted) {
        axes(view);
        shape = wanted;
      }
      samples.forEach((values, i) => put(paths[i], { d: trace(values) }));
      drawLabels(samples);
      drawMarks();
    }

    // The read-out line, with a dot on every curve.
    function point(value, readings) {
      if (!width) return;
      const px = value >= x.low && value <= x.high ? sx(value) : NaN;
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
      const { left, width: seen } = root.getBoundingClientRect();
      const px = (event.clientX - left) * width / seen;
      if (px < box.left - 12 || px > box.right + 12) return null;
      return clamp(sx.invert(px), x.low, x.high);
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

    return { root, layout, draw, point };
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
    const root = html("div", { class: "roofline-control" },
      html("label", { for: id, title: symbol.says }, symbol.label),
      entry, slider, trouble);
    tint(root, colour(symbol.role));

    function slide() {
      onset(name, rungs.value(slider.valueAsNumber), slider);
    }

    // Steps over rungs that hold the same value, such as whole numbers.
    function press(event) {
      const steps = KEYS[event.key];
      if (!steps || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const now = model.get(name);
      let at = clamp(rungs.step(now) + steps, 0, STEPS);
      const way = Math.sign(steps);
      while (at > 0 && at < STEPS && way * (rungs.value(at) - now) <= 0) {
        at += way;
      }
      onset(name, rungs.value(at));
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
    }

    // The slider that moves keeps its own thumb; all else follows the value.
    function sync(source) {
      const value = model.get(name);
      const text = exactly(value, symbol.unit);
      if (source !== slider) slider.value = rungs.step(value);
      slider.setAttribute("aria-valuetext", text);
      slider.style.setProperty("--roofline-at",
        `${slider.valueAsNumber / STEPS * 100}%`);
      entry.value = text;
      entry.removeAttribute("aria-invalid");
      say(trouble, "");
    }

    let last = null;
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

  function settings(query) {
    const found = {};
    for (const [name, text] of new URLSearchParams(query)) {
      const value = text.trim() === "" ? NaN : Number(text);
      if (!Number.isFinite(value)) {
        throw new Error(`"${text}" is no number for ${name}`);
      }
      found[name] = value;
    }
    return found;
  }

  function fragment(spec, model) {
    const asked = [spec.x.symbol, ...spec.sliders.map((s) => s.symbol)];
    const moved = Object.keys(model.defaults).filter((name) =>
      !asked.includes(name) && model.get(name) !== model.defaults[name]);
    const query = [...asked, ...moved]
      .map((name) => `${encodeURIComponent(name)}=${model.get(name)}`);
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
      ...model.curves.map((curve) => curve.label)]);
    const body = html("tbody");
    const scroller = html("div", {
      class: "roofline-scroll", tabindex: 0, role: "group",
      "aria-label": "Values at this setting",
    }, html("table", {}, html("thead", {}, head), body));
    const summary = html("summary", {}, "Values at this setting");

    const row = () => html("tr", {}, html("th", { scope: "row" }),
      ...model.curves.map(() => html("td")));

    function draw() {
      if (!details.open) return;
      const rows = [model.get(x.symbol), ...steps];
      fill(body, rows, row, (node, value) => {
        const [first, ...rest] = node.children;
        say(first, exactly(value, unit));
        model.read(value).forEach((y, i) => say(rest[i], words.reading(y)));
      });
      body.firstChild.className = "roofline-now";
    }

    details.addEventListener("toggle", draw);
    return { draw, show: () => details.replaceChildren(summary, scroller) };
  }

  // --- A chart -------------------------------------------------------------

  // Each value beside its name, above the picture: what the line reads.
  function makeReadout(model, words) {
    const names = [{ label: model.xSymbol.label, role: "limit" },
      ...model.curves];
    const values = names.map(() => html("b"));
    const root = html("div",
      { class: "roofline-readout", "aria-hidden": "true" },
      ...names.map(({ label, role }, i) => tint(html("span", {},
        html("i", {}, label), values[i]), colour(role))));
    return {
      root,
      show(text, readings) {
        say(values[0], text);
        readings.forEach((y, i) => say(values[i + 1], words.reading(y)));
      },
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

  function mountChart(figure, spec, { linked = true, onchange } = {}) {
    const model = makeModel(spec);
    const words = makeWords(spec, model);
    const { x } = spec;
    const stage = figure.querySelector(".roofline-stage");
    const details = figure.querySelector(".roofline-values");
    const readout = makeReadout(model, words);
    const announcer = makeAnnouncer();
    const sentence = html("p", { class: "roofline-sentence",
      "aria-hidden": "true" });
    const meetings = html("div", { class: "roofline-crossings",
      "aria-hidden": "true" });
    const notes = html("div", { class: "roofline-notes" });
    const status = html("span", { class: "roofline-status", role: "status" });
    const table = details && makeTable(spec, model, words, details);
    const plot = makePlot(spec, model, { onpick, onhover: hover });
    const controls = [x, ...spec.sliders].map((reach) =>
      makeControl(reach.symbol, reach, model, spec.symbols[reach.symbol],
        (name, value, source) => change({ [name]: value }, source)));
    const presets = spec.presets.length
      ? makePresets(spec.presets, model, (preset) => receive(preset.values))
      : null;
    let hovered = null;

    function onpick(value) {
      hovered = null;
      change({ [x.symbol]: controls[0].neat(value) });
    }

    function hover(value) {
      if (value === hovered) return;
      hovered = value;
      read();
    }

    function read() {
      const value = hovered ?? model.get(x.symbol);
      const readings = model.read(value);
      const unit = model.xSymbol.unit;
      readout.show(hovered === null ? exactly(value, unit)
        : format(value, unit), readings);
      plot.point(value, readings);
    }

    function tell() {
      const text = words.sentence();
      say(sentence, text);
      fill(meetings, words.crossings(), () => html("p"), say);
      fill(notes, words.notes(), () => html("p"), say);
      announcer.say([text, meetings.textContent].join(" "));
    }

    function refresh(source) {
      plot.draw();
      read();
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
      attempt(() => change({ ...model.defaults, ...settings(query) }));
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
    stage.replaceChildren(readout.root, plot.root, sentence, meetings,
      html("div", { class: "roofline-bar" },
        ...(presets ? [presets.root] : []),
        button("Reset", reset),
        ...(linked ? [button("Link to this setting", link)] : []),
        status),
      html("div", { class: "roofline-controls" },
        ...controls.map((control) => control.root)),
      notes, announcer.root);

    let width = 0;
    function resize() {
      const now = Math.floor(stage.clientWidth);
      if (!now || now === width) return;
      width = now;
      plot.layout(width);
      plot.draw();
      read();
    }
    const observer = new ResizeObserver(resize);
    observer.observe(stage);
    resize();

    return {
      values: model.values,
      set: (name, value) => change({ [name]: value }),
      evaluate: model.evaluate,
      crossings: () => model.crossings().map((mark) => ({ ...mark })),
      sentence: words.sentence,
      reset, apply, receive,
      destroy() {
        observer.disconnect();
        announcer.stop();
      },
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
          html("label", { for: id }, axisLabel("Your answer", unit)), echo),
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

  const KINDS = { chart: mountChart, question: mountQuestion };

  function complain(root, error) {
    const stage = root.querySelector(".roofline-stage") ?? root;
    stage.append(html("p", { class: "roofline-broken", role: "note" },
      `This part of the page could not be started: ${error.message}.`));
  }

  // Makes one figure live. What is broken says so in its own place.
  function mount(root, spec, options) {
    try {
      if (!has(KINDS, spec.kind)) throw new Error(`no kind "${spec.kind}"`);
      root.roofline = KINDS[spec.kind](root, spec, options);
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

  return { format, parse, compile, mountAll, mount, render };
})();
