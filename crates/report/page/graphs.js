// Graphs over one time, linked to the picture, and any quantity over any other.

import { axes, decade, font, inDecades, line, Scale, span } from './chart.js';
import { text } from './files.js';
import { clock, plain, si } from './format.js';
import { clamp, circle, mark, polyline, rectangle, sized, written } from './look.js';
import { originOf, quantities, rounding, samples, sizes, told } from './quantities.js';
import { TOGETHER } from './scene.js';

/** @typedef {import('./motion.js').State} State */
/** @typedef {{ name: string, colour: string, dash?: number[], fill?: string, width?: number, dots?: boolean, hollow?: boolean, letter?: string }} Line `letter`: stands on the line. */
/** @typedef {{ times: number[], series: (number | null)[][] }} Known Values that are known at some times alone. */
/** @typedef {{ title: string, unit: string, log?: boolean, lines: Line[], of: (s: State) => (number | null)[],
 *   impulses?: boolean, stacked?: boolean, spare?: boolean, known?: Known, drawn?: Known }} Panel What it shows of a state, of the run
 * that is shown. `stacked`: lines with a fill stand on each other, the last one lowest; `spare`: not shown where it is nothing all the time. */
/** @typedef {{ panel: Panel, canvas: HTMLCanvasElement, box: HTMLElement, keys: HTMLElement[], bare: boolean, marks: HTMLElement[], name: HTMLElement, values: HTMLElement, origin: HTMLElement, label: string,
 *   data: (number | null)[][], axes: { ticks: number[], labels: string[] }[], x: Scale, y: Scale }} Drawn A panel as it is drawn: `data`: times from a base on, and series; `origin`: what the numbers of its axis
 * upwards count from; `marks`: the time shown, that of the pointer, and a stretch that is chosen. */

const BLUE = '#0072B2';
const VERMILION = '#D55E00';
const PURPLE = '#9A4E7C';
const GREEN = '#007A59';
const GREY = '#555';
/** Part of the height that the highest bar has. */
const BARS = 0.9;
const HEIGHT = 162;
/** A graph on half a page of paper, pixels of half the size, so that print is sharp; `unit`: its text by that of the screen. */
const PAPER = { width: 680, height: 312, unit: 1.56 };
/** The page's text, pixels. */
const TEXT = 15;
/** Height of the graph whose axes are chosen, by that of the others. */
const TALLER = 1.36;
/** Letters of a run on its line. */
const LETTERS = 3;
/** Of hops that are summed up the gap is shown down to this part of the highest. */
const LOW = 1e-3;
/** Points of the chosen graph nearer to the one drawn before are not seen, pixels. */
const SEEN = 0.25;
const [INK, RULE] = ['#333', '#eee'];

/** The panels of a run, event by event or by time stepping, of what the graphs show now. @param {Graphs} graphs @returns {Panel[]} */
function panels(graphs) {
  const { steps, plain_gaps: plainGaps } = graphs.page;
  return [
    { title: 'height y', unit: 'm', lines: [{ name: 'y', colour: BLUE }], of: (s) => [s.y] },
    { title: 'speed', unit: 'm/s', lines: [{ name: 'speed', colour: BLUE }], of: (s) => [Math.sqrt(s.square)] },
    {
      title: `${steps ? 'mean ' : ''}normal force λ, and impulses as bars`, unit: 'N', impulses: true, spare: true,
      lines: [{ name: 'λ', colour: VERMILION }, { name: 'second contact', colour: BLUE, dash: [6, 4] }],
      of: (s) => [s.normal, s.second > 0 ? s.second : null],
    },
    {
      title: 'friction f and the cone ±μλ', unit: 'N', spare: true,
      lines: [{ name: 'f', colour: PURPLE }, { name: 'μλ', colour: GREY, dash: [4, 3] }, { name: '−μλ', colour: GREY, dash: [4, 3] }],
      of: (s) => { const { friction: mu } = graphs.page; return mu === null ? [s.friction, null, null] : [s.friction, mu * s.normal, -mu * s.normal]; },
    },
    {
      title: 'energy, stacked, potential from its least', unit: 'J', stacked: true,
      lines: [
        { name: 'start + energy put in', colour: '#111', dash: [6, 4], width: 2 },
        { name: 'dissipated', colour: VERMILION, fill: '#D55E0033' }, { name: 'kinetic', colour: BLUE, fill: '#0072B255' },
        { name: 'potential', colour: GREEN, fill: '#009E7355' },
      ],
      of: (s) => [graphs.given(s), s.dissipated, graphs.value('kinetic_energy', s), graphs.value('potential_energy', s) - graphs.lowest],
    },
    {
      title: `gap to the ground${plainGaps === null ? '' : `, from ${plain(plainGaps, 4)} s on without kinks`}`, unit: 'm', log: true, spare: true, lines: [{ name: 'gap', colour: BLUE }],
      of: (s) => [Math.max(s.gap, graphs.floor)],
    },
  ];
}

/** All graphs. */
export class Graphs {
  /** @param {HTMLElement} place @param {(time: number) => void} go */
  constructor(place, go) {
    this.place = place;
    this.go = go;
    /** @type {Drawn[]} */ this.drawn = [];
    /** Panels of a study, above the others. @type {Panel[]} */
    this.extra = [];
    /** What is seen, s. */
    this.from = 0;
    this.to = 1;
    this.base = 0;
    /** Impulses of events: [s, N s], up to a time, s. @type {[number, number][]} */
    this.impulses = [];
    this.told = Infinity;
    /** Those that are seen. */
    this.seen = this.impulses;
    /** The greatest size of each unit, and the least gap that can be told, m. @type {Map<string, number> | undefined} */
    this.sizes = undefined;
    this.floor = 0;
    /** The least potential energy, or 0, J; the energy of the start with what a ball is given by ground that moves, external forces, other balls and the scheme, or null: nothing. */
    this.lowest = 0;
    /** @type {(s: State) => number | null} */ this.given = () => null;
    /** @type {Map<string, import('./quantities.js').Quantity>} */ this.quantities = new Map();
    this.time = 0;
    this.paper = false;
  }

  /** Size of text, by that of a page of usual text. */
  unit() {
    return this.paper ? PAPER.unit : parseFloat(getComputedStyle(this.place).fontSize) / TEXT;
  }

  /** Of a graph, pixels. */
  height() {
    return this.paper ? PAPER.height : Math.round(HEIGHT * this.unit());
  }

  /** A quantity of a state. @param {string} key @param {State} state @returns {number} */
  value(key, state) {
    return this.quantities.get(key)?.of(state) ?? 0;
  }

  /** @param {import('./scene.js').Motion} motion @param {any} page @param {number} ball @param {import('./events.js').Happening[]} events */
  show(motion, page, ball, events) {
    const keep = this.motion && this.to > this.from && this.from >= motion.begin && this.to <= motion.end && !(this.from === this.motion.begin && this.to === this.motion.end);
    const fresh = this.page?.steps !== page.steps || this.drawn.length === 0;
    this.motion = motion;
    this.page = page;
    this.ball = ball;
    if (!keep) [this.from, this.to] = [motion.begin, motion.end];
    this.quantities = new Map(quantities(page, ball).map((quantity) => [quantity.key, quantity]));
    this.impulses = events.filter(({ impulse }) => impulse > 0).map(({ time, impulse }) => [time, impulse]);
    this.told = told(page);
    const all = samples(motion, motion.begin, motion.end, this.width());
    this.lowest = all.reduce((least, state) => Math.min(least, this.value('potential_energy', state)), 0);
    const given = (/** @type {State} */ s) => s.work + s.exchanged + s.scheme;
    const [first] = all;
    const start = first ? first.dissipated + this.value('total_energy', first) - this.lowest - given(first) : 0;
    this.given = all.some((state) => given(state) !== 0) ? (state) => start + given(state) : () => null;
    this.all = all;
    this.sizes = sizes(this.quantities.values(), all);
    this.floor = this.low(all);
    if (fresh) this.build();
    this.name();
    this.resample();
  }

  /** Names what there is. */
  name() {
    for (const drawn of this.drawn.filter(({ panel }) => !panel.known)) {
      const { panel, box, keys, name } = drawn;
      const there = panel.lines.map(() => false);
      const nothing = panel.log ? this.floor : 0;
      for (const state of this.all ?? []) panel.of(state).forEach((value, i) => { if (value && value !== nothing) there[i] = true; });
      // Without forces impulses have the axis.
      drawn.bare = Boolean(panel.impulses) && !there.includes(true) && this.impulses.length > 0;
      name.textContent = drawn.bare ? 'impulses [N s]' : `${panel.title} [${panel.unit}]`;
      box.hidden = Boolean(panel.spare) && !there.includes(true) && !drawn.bare;
      keys.forEach((key, i) => { key.hidden = !there[i]; });
    }
  }

  build() {
    this.place.querySelectorAll('.panel').forEach((panel) => panel.remove());
    this.drawn = [...this.extra, ...panels(this)].map((panel) => this.panel(panel));
    this.plane = new Plane(this.place, this.go);
  }

  /** @param {Panel} panel @returns {Drawn} */
  panel(panel) {
    const box = document.createElement('div');
    box.className = panel.known ? 'panel known' : 'panel';
    const names = panel.lines.map(keyOf);
    // Lines with letters are named below the picture.
    const list = panel.known && !panel.lines.some(({ letter }) => letter) ? `<ul>${names.map((name) => `<li>${name}</li>`).join('')}</ul>` : '';
    box.innerHTML = `<h2><span class="title">${text(`${panel.title} [${panel.unit}]`)}</span><span class="base"></span>${!panel.known && names.length > 1 ? names.join('') : ''}</h2><div class="plot"><canvas tabindex="-1"></canvas><i class="now"></i><i class="now pointed"></i><i class="picked"></i></div>${list}<p class="values"></p>`;
    const all = (/** @type {string} */ name) => /** @type {HTMLElement[]} */ ([...box.querySelectorAll(name)]);
    const [name, origin, canvas, values] = /** @type {[HTMLElement, HTMLElement, HTMLCanvasElement, HTMLElement]} */ (['.title', '.base', 'canvas', '.values'].map((name) => all(name)[0]));
    this.place.append(box);
    /** @type {Drawn} */
    const drawn = { panel, canvas, box, keys: all('h2 .name'), bare: false, marks: all('i:is(.now, .picked)'), name, values, origin, label: '', data: [], axes: [], x: new Scale([], []), y: new Scale([], []) };
    this.listen(drawn);
    return drawn;
  }

  /** Draws a panel. @param {Drawn} drawn */
  draw(drawn) {
    const { panel, canvas: element, data: [times = [], ...series] } = drawn;
    const [u, ratio] = [this.unit(), this.paper ? 2 : window.devicePixelRatio || 1];
    const [canvas, width, height] = sized(element, [this.width(), this.height()], ratio);
    element.style.cssText = `width: ${width}px; height: ${height}px`;
    const right = width - (this.paper && !panel.impulses ? 12 : 48) * u;
    const at = /** @type {number[]} */ (times);
    drawn.x = new Scale([this.from - this.base, this.to - this.base], [(this.paper ? 52 : 62) * u, right]);
    drawn.y = new Scale(this.range(drawn, series), [height - 40 * u, 6 * u], panel.log);
    const { x, y } = drawn;
    Object.assign(canvas, { font: font(u) });
    canvas.clearRect(0, 0, width, height);
    const [name, named] = this.clocked(Math.max(Math.abs(x.low), Math.abs(x.high)));
    // Lines of gaps end at what can be told.
    const tenth = (/** @type {number} */ value) => `${!panel.known && Math.abs(value / this.floor - 1) < 1e-6 ? '≤' : ''}${decade(value)}`;
    drawn.axes = axes(canvas, x, y, { unit: u, ink: INK, rule: RULE, space: [(this.paper ? 50 : 80) * u, 24 * u], names: [named, panel.log ? tenth : (value) => plain(value, 5)] });
    drawn.label = name;
    written(canvas, name, (x.from + x.to) / 2, height - 9 * u, { fill: INK, align: 'center', base: 'middle' });
    this.lines(canvas, panel, at, series, x, y, u);
    if (panel.impulses) this.bars(canvas, drawn, u);
    else this.letters(canvas, panel, at, series, x, y, u);
  }

  /** @param {CanvasRenderingContext2D} canvas @param {Panel} panel @param {number[]} times @param {(number | null)[][]} series @param {Scale} x @param {Scale} y @param {number} u */
  lines(canvas, { lines, known }, times, series, x, y, u) {
    canvas.save();
    canvas.beginPath();
    canvas.rect(x.from, y.to - 2, x.to - x.from, y.from - y.to + 4);
    canvas.clip();
    lines.forEach(({ colour, dash, fill, width, dots, hollow }, i) => {
      const values = series[i] ?? [];
      if (fill) {
        // What stands on another is filled down to it.
        const under = lines[i + 1]?.fill ? series[i + 1] ?? [] : values.map(() => Math.max(0, y.low));
        mark(canvas, (path) => { line(times, values, x, y)(path); line(times, under, x, y, { back: true })(path); }, { fill });
      }
      if (!dots) return mark(canvas, line(times, values, x, y, { spans: Boolean(known) }), { stroke: colour, width: (width ?? 1.6) * u, dash: (dash ?? []).map((part) => part * u) });
      const places = times.flatMap((time, k) => { const value = values[k] ?? null; return value === null ? [] : [circle(x.px(time), y.px(value), 2 * u)]; });
      return mark(canvas, (path) => places.forEach((place) => place(path)), { fill: hollow ? '#fff' : colour, stroke: colour, width: u });
    });
    canvas.restore();
  }

  /** Range of a panel's numbers. @param {Drawn} drawn @param {(number | null)[][]} series @returns {[number, number]} */
  range({ panel, bare }, series) {
    let [low, high] = [Infinity, -Infinity];
    for (const values of series) for (const value of values) if (value !== null && Number.isFinite(value) && !(panel.log && value <= 0)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (panel.log) return inDecades(low, high);
    if (!panel.impulses && !panel.stacked) return span(low, high, this.most(panel));
    // What stands on zero; of impulses alone the axis is theirs.
    if (bare) high = largest(this.seen) / BARS;
    const [bottom, top] = span(Math.min(0, low), high > 0 ? high : 1);
    return [low < 0 ? bottom : 0, top];
  }

  /** How the time axis is called and its numbers are written: from a base on, where a stretch is short against its time. @param {number} size of the numbers, s @returns {[string, (time: number) => string]} */
  clocked(size) {
    const units = this.base === 0 ? [] : [[1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns'], [1e-12, 'ps'], [1e-15, 'fs']];
    const [factor, unit] = units.find(([factor]) => size >= Number(factor)) ?? [1, 's'];
    return [this.base === 0 ? 'time [s]' : `time − ${plain(this.base, 16)} s [${unit}]`, (time) => plain(time / Number(factor), 8)];
  }

  /** Names lines of runs by their letters, where they are by themselves, each at other times; one that never is has one letter.
   * @param {CanvasRenderingContext2D} canvas @param {Panel} panel @param {number[]} times @param {(number | null)[][]} series @param {Scale} x @param {Scale} y @param {number} u */
  letters(canvas, { lines }, times, series, x, y, u) {
    const [size, named] = [11 * u, lines.filter(({ letter }) => letter).length];
    const up = (/** @type {number} */ i, /** @type {number} */ at) => { const value = series[i]?.[at] ?? null; return value === null ? NaN : y.px(value); };
    const index = (/** @type {number} */ time) => { const found = times.findIndex((known) => known >= time); return found < 0 ? times.length - 1 : found; };
    lines.forEach(({ letter, colour }, i) => {
      const places = letter ? Array.from({ length: LETTERS }, (_, k) => index(x.at(x.from + ((k + (i + 0.7) / (named + 0.4)) / LETTERS) * (x.to - x.from)))).filter((at) => !Number.isNaN(up(i, at))) : [];
      const apart = places.filter((at) => lines.every((_, j) => j === i || !(Math.abs(up(j, at) - up(i, at)) < size)));
      for (const at of apart.length > 0 ? apart : places.slice(0, 1)) written(canvas, letter ?? '', x.px(times[at] ?? 0), up(i, at), { fill: colour, font: font((11 / 12) * u, 'bold'), align: 'center', base: 'middle', halo: 0.4 * size, around: '#fff' });
    });
  }

  /** The greatest size of what has the unit of a panel; of known values only their own counts. @param {Panel} panel @returns {number} */
  most(panel) {
    return panel.known ? 0 : this.sizes?.get(panel.unit) ?? 0;
  }

  /** Down to where gaps are told, m: in whole decades, so that it stands on the axis. Hops that are summed up are known by their law, also
   * where all that is seen is below rounding. @param {State[]} states @returns {number} */
  low(states) {
    const told = 10 ** Math.ceil(Math.log10(rounding((this.sizes?.get('m') ?? 0) + this.page.balls[this.ball ?? 0].radius) || 1e-15));
    const hop = states.reduce((most, state) => Math.max(most, state.hop), 0);
    return hop > 0 && states.every(({ gap }) => !(gap > told)) ? Math.min(told, 10 ** Math.floor(Math.log10(LOW * hop))) : told;
  }

  /** Impulses as bars: on the axis, or where that is of forces on a scale of their own at the right. @param {CanvasRenderingContext2D} canvas @param {Drawn} drawn @param {number} u */
  bars(canvas, { x, y, bare }, u) {
    if (this.told < this.to) {
      // From then on there are no impulses, as there are too many.
      const left = Math.max(x.from, x.px(this.told - this.base));
      const words = `impulses after ${plain(this.told, 6)} s are left out`;
      mark(canvas, rectangle(left, y.to, x.to - left, y.from - y.to), { fill: '#00000014' });
      const room = canvas.measureText(words).width <= x.to - left - 12 * u;
      written(canvas, words, room ? left + 6 * u : x.to - 6 * u, y.to + 6 * u, { fill: INK, align: room ? 'left' : 'right', base: 'top' });
    }
    const [most, bottom] = [largest(this.seen), y.px(0)];
    if (!(most > 0)) return;
    const height = BARS * (bottom - y.to);
    mark(canvas, (path) => { for (const [time, size] of this.seen) polyline([[x.px(time - this.base), bottom], [x.px(time - this.base), bottom - (height * size) / most]])(path); }, { stroke: BLUE, width: 2 * u });
    if (!bare) si(most, 'N s', 2).split(/(?<=^\S+) /).forEach((part, i) => written(canvas, part, x.to + 5 * u, bottom - height + 13 * u * i, { fill: BLUE, font: font((11 / 12) * u), base: 'middle' }));
  }

  /** @param {Drawn} drawn */
  listen(drawn) {
    const { canvas, marks: [, , picked] } = drawn;
    const at = (/** @type {MouseEvent} */ { offsetX }) => clamp(this.base + drawn.x.at(offsetX), this.from, this.to);
    let [begun, from] = [0, NaN];
    canvas.addEventListener('pointerdown', (event) => { [begun, from] = [event.offsetX, at(event)]; canvas.focus({ preventScroll: true }); });
    canvas.addEventListener('pointermove', (event) => {
      this.hover(at(event), drawn, event.offsetX);
      if (!picked || Number.isNaN(from)) return;
      const [left, right] = [begun, event.offsetX].sort((a, b) => a - b);
      picked.style.cssText = `display: block; left: ${left}px; width: ${(right ?? 0) - (left ?? 0)}px`;
    });
    canvas.addEventListener('pointerup', (event) => {
      const [a = 0, b = 0] = [from, at(event)].sort((one, other) => one - other);
      from = NaN;
      picked?.removeAttribute('style');
      if (Math.abs(event.offsetX - begun) < 4) this.go(at(event)); else this.look(a, b);
    });
    canvas.addEventListener('pointerleave', () => this.hover(NaN, drawn, 0));
    canvas.addEventListener('dblclick', () => this.zoom(Infinity));
    canvas.addEventListener('wheel', (event) => {
      // It is meant for the graph and not for the page with ctrl or ⌘, which a pinch has, or after a click there.
      if (!(event.ctrlKey || event.metaKey || document.activeElement === canvas)) return;
      event.preventDefault();
      const factor = 1.25 ** Math.sign(event.deltaY);
      this.look(at(event) - (at(event) - this.from) * factor, at(event) + (this.to - at(event)) * factor);
    }, { passive: false });
  }

  /** Looks at a stretch of time that is longer by a factor, about the time of the picture. @param {number} factor */
  zoom(factor) {
    const { begin, end } = this.motion ?? { begin: 0, end: 1 };
    if (factor === Infinity) return this.look(begin, end);
    const seen = this.from <= this.time && this.time <= this.to;
    const [before, after] = seen ? [this.time - this.from, this.to - this.time] : [0.5 * (this.to - this.from), 0.5 * (this.to - this.from)];
    return this.look(this.time - before * factor, this.time + after * factor);
  }

  /** Looks at a stretch of time, s. @param {number} from @param {number} to */
  look(from, to) {
    const { begin, end } = this.motion ?? { begin: 0, end: 1 };
    const [low, high] = [Math.max(begin, from), Math.min(end, to)];
    // Shorter than this no clock of 53 bits tells.
    if (!(high - low > 64 * Number.EPSILON * Math.max(high, 1e-300))) return;
    this.from = low;
    this.to = high;
    this.resample();
  }

  /** Values of all panels where the pointer is. @param {number} time NaN: nowhere @param {Drawn} on the panel it is on @param {number} px */
  hover(time, on, px) {
    this.marked(1, time);
    if (!this.motion || Number.isNaN(time)) return;
    const state = this.motion.at(time);
    const { panel: { known, lines, unit, of, impulses }, values: place, x } = on;
    const values = known ? at(known, time) : of(state);
    const shown = lines.map(({ name }, i) => (values[i] === null || values[i] === undefined ? '' : `${text(name)} <b>${plain(values[i] ?? 0)} ${unit}</b>`));
    const [near] = impulses ? this.impulses.filter(([at]) => Math.abs(x.px(at - this.base) - px) < 3) : [];
    if (near) shown.push(`impulse <b>${si(near[1], 'N s', 6)}</b>`);
    place.innerHTML = `${clock(time, this.to - this.from)}  ${shown.filter(Boolean).join('  ')}`;
  }

  /** Drawn anew, with text of another size. */
  anew() {
    if (!this.motion) return;
    this.build();
    this.name();
    this.resample();
  }

  /** Of a graph, pixels: on paper half of its width. */
  width() {
    return this.paper ? PAPER.width : Math.max(200, this.place.clientWidth);
  }

  resample() {
    const { motion, quantities: known } = this;
    if (!motion) return;
    const span = this.to - this.from;
    // Numbers are from a base on, so that they keep their digits.
    this.base = span < 1e-4 * this.to ? Number(this.from.toPrecision(Math.max(6, Math.ceil(-Math.log10(span / this.to)) + 1))) : 0;
    const whole = this.from === motion.begin && this.to === motion.end && !this.paper;
    const states = whole && this.all ? this.all : samples(motion, this.from, this.to, this.width());
    this.sizes = sizes(known.values(), states);
    this.floor = this.low(states);
    this.seen = this.impulses.filter(([time]) => this.from <= time && time <= this.to);
    const times = states.map((state) => state.time - this.base);
    for (const drawn of this.drawn) {
      const { panel } = drawn;
      const [at = [], ...series] = panel.known ? this.part(panel.drawn ?? panel.known) : [times, ...this.series(panel, states)];
      const from = panel.log || panel.impulses || panel.stacked ? 0 : originOf(series, this.most(panel));
      drawn.origin.textContent = from === 0 ? '' : ` from ${plain(from, 16)} on`;
      drawn.data = [at, ...(from === 0 ? series : series.map((values) => values.map((value) => value === null ? null : value - from)))];
      this.draw(drawn);
    }
    const size = /** @type {[number, number]} */ ([this.width(), Math.round(TALLER * this.height())]);
    this.plane?.show(motion, states, size, this.unit(), this.paper, [...known.values()]);
    this.at(this.time);
  }

  /** Values of a panel in some states. @param {Panel} panel @param {State[]} states @returns {(number | null)[][]} */
  series({ lines, of, stacked }, states) {
    const series = /** @type {(number | null)[][]} */ (lines.map(() => new Array(states.length).fill(null)));
    states.forEach((state, k) => {
      const row = of(state);
      if (stacked) for (let i = row.length - 2; lines[i]?.fill; i--) row[i] = (row[i] ?? 0) + (row[i + 1] ?? 0);
      row.forEach((value, i) => { const own = series[i]; if (own) own[k] = value; });
    });
    return series;
  }

  /** What of known values is seen, with a neighbour at both ends. @param {Known} known @returns {(number | null)[][]} */
  part({ times, series }) {
    const first = Math.max(0, times.findIndex((time) => time >= this.from) - 1);
    const last = times.findLastIndex((time) => time <= this.to) + 2;
    return [times.slice(first, last).map((time) => time - this.base), ...series.map((values) => values.slice(first, last))];
  }

  /** The time that the picture shows. @param {number} time */
  at(time) {
    this.time = time;
    this.marked(0, time);
    this.plane?.at(time);
  }

  /** Puts the mark of a time into all panels. @param {0 | 1} which @param {number} time */
  marked(which, time) {
    const seen = this.from <= time && time <= this.to;
    for (const { marks: { [which]: place }, x } of this.drawn) if (place) place.style.cssText = seen ? `transform: translateX(${x.px(time - this.base)}px)` : 'display: none';
  }
}

/** The largest of some impulses, N s. @param {[number, number][]} impulses @returns {number} */
const largest = (impulses) => impulses.reduce((most, [, size]) => Math.max(most, size), 0);

/** The name of a line, with what it looks like. @param {Line} line @returns {string} */
function keyOf({ name, colour, dash, fill, dots, hollow, letter }) {
  const look = fill ? `<i class="swatch" style="border-color: ${colour}; background: ${fill}"></i>`
    : dots ? `<b style="color: ${colour}">${hollow ? '○' : '●'} </b>`
      : `<i class="key" style="border-color: ${colour}; border-top-style: ${dash ? 'dashed' : 'solid'}"></i>`;
  return ` <span class="name">${look}${letter ? `<b>${letter}</b> ` : ''}${text(name)}</span>`;
}

/** Known values, at the last time up to this. @param {Known} known @param {number} time @returns {(number | null)[]} */
function at({ times, series }, time) {
  const i = Math.max(0, times.findLastIndex((known) => known <= time));
  return series.map((values) => values[i] ?? null);
}

/** A graph whose axes are chosen. */
class Plane {
  /** @param {HTMLElement} place @param {(time: number) => void} go */
  constructor(place, go) {
    this.time = 0;
    /** @type {import('./quantities.js').Quantity[]} */ this.list = [];
    /** @type {State[]} */ this.states = [];
    const box = document.createElement('div');
    box.className = 'panel';
    box.innerHTML = '<h2><span><select aria-label="upwards"></select> over <select aria-label="to the right"></select></span><span class="paper"></span></h2><div class="plot plane"><canvas></canvas><i class="dot"></i></div><p class="values"></p>';
    this.selects = [...box.querySelectorAll('select')];
    this.canvas = /** @type {HTMLCanvasElement} */ (box.querySelector('canvas'));
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (box.querySelector(name));
    this.dot = part('.dot');
    this.values = part('.values');
    this.written = part('.paper');
    /** Size, pixels, that of text by the usual, and whether it is for paper. */
    this.size = [200, 220];
    this.unit = 1;
    this.paper = false;
    /** @type {import('./scene.js').Motion | undefined} */ this.motion = undefined;
    /** @type {((state: State) => [number, number]) | undefined} */ this.pixel = undefined;
    /** @type {{ ticks: number[], labels: string[] }[]} */ this.axes = [];
    place.append(box);
    this.selects.forEach((select) => select.addEventListener('change', () => { this.draw(); this.at(this.time); }));
    this.canvas.addEventListener('pointermove', (event) => this.hover(this.nearest(event)));
    this.canvas.addEventListener('click', (event) => { const state = this.nearest(event); if (state) go(state.time); });
  }

  /** @param {import('./scene.js').Motion} motion @param {State[]} states @param {[number, number]} size pixels @param {number} unit size of text by the usual @param {boolean} paper @param {import('./quantities.js').Quantity[]} list */
  show(motion, states, size, unit, paper, list) {
    Object.assign(this, { motion, states, size, unit, paper });
    const chosen = ['vy', 'y'];
    if (this.list.length === 0) this.selects.forEach((select, i) => { select.innerHTML = list.map(({ key, label, unit }) => `<option value="${key}"${key === chosen[i] ? ' selected' : ''}>${named(label, unit)}</option>`).join(''); });
    this.list = list;
    this.draw();
  }

  /** What is chosen: upwards, to the right. */
  chosen() {
    return this.selects.map((select) => this.list.find(({ key }) => key === select.value));
  }

  /** The line and the axes. */
  draw() {
    const { unit, paper, size } = this;
    const [ys, xs] = this.chosen();
    if (!xs || !ys) return;
    const [canvas, width, height] = sized(this.canvas, size, paper ? 2 : window.devicePixelRatio || 1);
    this.canvas.style.cssText = `width: ${width}px; height: ${height}px`;
    this.written.textContent = `${named(ys.label, ys.unit)} over ${named(xs.label, xs.unit)}`;
    const greatest = sizes(this.list, this.states);
    /** What the numbers count from, and their range. @param {import('./quantities.js').Quantity} quantity @param {number[]} pixels @returns {[number, Scale]} */
    const scale = ({ unit, of }, pixels) => {
      let [low, high] = [Infinity, -Infinity];
      for (const state of this.states) [low, high] = [Math.min(low, of(state)), Math.max(high, of(state))];
      const origin = originOf([[low, high]], greatest.get(unit));
      return [origin, new Scale(span(low - origin, high - origin, greatest.get(unit)), pixels)];
    };
    const [[x0, x], [y0, y]] = [scale(xs, [62 * unit, width - 24 * unit]), scale(ys, [height - 30 * unit, 10 * unit])];
    const pixel = (/** @type {State} */ state) => /** @type {[number, number]} */ ([x.px(xs.of(state) - x0), y.px(ys.of(state) - y0)]);
    this.pixel = pixel;
    canvas.clearRect(0, 0, width, height);
    canvas.font = font(unit);
    this.axes = axes(canvas, x, y, { unit, ink: INK, rule: RULE, space: [80 * unit, 32 * unit], names: [plain, plain] });
    if (x0 !== 0) written(canvas, `from ${plain(x0, 16)} ${xs.unit} on`, 0.5 * width, height - unit, { fill: INK, align: 'center' });
    if (y0 !== 0) written(canvas, `from ${plain(y0, 16)} ${ys.unit} on`, 66 * unit, 9 * unit, { fill: INK });
    let [last, points, time] = [[NaN, NaN], 0, NaN];
    /** @type {number[][]} */
    let part = [];
    const flush = () => { mark(canvas, polyline(part), { stroke: BLUE, width: 1.4 * unit }); part = []; };
    for (const state of this.states) {
      const at = pixel(state);
      // Two states of one time are before and after what makes the ball jump: no line leads from one to the other.
      const jumps = state.time === time;
      time = state.time;
      if (!jumps && Math.abs(at[0] - (last[0] ?? 0)) + Math.abs(at[1] - (last[1] ?? 0)) < SEEN) continue;
      // One line of many points that cross each other takes much longer than several.
      if (jumps || points > TOGETHER) { flush(); points = 0; if (!jumps) part.push(last); }
      part.push(at);
      points += 1;
      last = at;
    }
    flush();
  }

  /** The state drawn nearest to the pointer. @param {MouseEvent} event */
  nearest({ offsetX, offsetY }) {
    let [found, least] = [this.states[0], Infinity];
    for (const state of this.states) {
      const [x, y] = this.pixel?.(state) ?? [0, 0];
      const away = Math.hypot(x - offsetX, y - offsetY);
      if (away < least) [found, least] = [state, away];
    }
    return found;
  }

  /** Values of a state. @param {State | undefined} state */
  hover(state) {
    const [ys, xs] = this.chosen();
    if (!state || !xs || !ys) return;
    this.values.textContent = `${plain(state.time)} s  ${[xs, ys].map(({ label, unit, of }) => `${label} ${plain(of(state))} ${unit}`).join('  ')}`;
  }

  /** Marks a time. @param {number} time */
  at(time) {
    this.time = time;
    if (!this.pixel || !this.motion) return;
    const [x, y] = this.pixel(this.motion.at(time));
    this.dot.style.transform = `translate(${x}px, ${y}px)`;
  }
}

/** A quantity and its unit, if it has one. @param {string} label @param {string} unit @returns {string} */
const named = (label, unit) => (unit ? `${label} [${unit}]` : label);
