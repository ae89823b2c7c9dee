// Graphs over one time, linked to the picture.

import { zooms } from './camera.js';
import { text } from './files.js';
import { clock, plain, raised, si } from './format.js';
import { Plane, rounds, span } from './plane.js';
import { originOf, quantities, reduced, rounding, samples, sizes, told } from './quantities.js';

/** @typedef {{ name: string, colour: string, dash?: number[], fill?: string, width?: number, dots?: boolean, hollow?: boolean, letter?: string }} Line `letter`: stands on the line. */
/** @typedef {{ times: number[], series: (number | null)[][] }} Known Values that are known at some times alone. */
/** @typedef {{ title: string, unit: string, log?: boolean, lines: Line[], of: (s: any, q: Map<string, any>, page: any) => (number | null)[],
 *   impulses?: boolean, stacked?: boolean, spare?: boolean, known?: Known, drawn?: Known }} Panel What it shows of a state, of the run
 * that is shown. `stacked`: lines with a fill stand on each other, the last one lowest; `spare`: not shown where it is nothing all the time. */

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
/** Letters of a run on its line. */
const LETTERS = 3;
/** Of hops that are summed up the gap is shown down to this part of the highest. */
const LOW = 1e-3;

/** The panels of a run, event by event or by time stepping. @param {any} page @returns {Panel[]} */
function panels({ steps, plain_gaps: plainGaps }) {
  const value = (/** @type {any} */ s, /** @type {Map<string, any>} */ q, /** @type {string} */ key) => q.get(key).of(s);
  /** @type {Panel[]} */
  const all = [
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
      of: (s, _, { friction: mu }) => (mu === null ? [s.friction, null, null] : [s.friction, mu * s.normal, -mu * s.normal]),
    },
    {
      title: 'energy, stacked, potential from its least', unit: 'J', stacked: true,
      lines: [
        { name: 'start + energy put in', colour: '#111', dash: [6, 4], width: 2 },
        { name: 'dissipated', colour: VERMILION, fill: '#D55E0033' }, { name: 'kinetic', colour: BLUE, fill: '#0072B255' },
        { name: 'potential', colour: GREEN, fill: '#009E7355' },
      ],
      of: (s, q) => [q.get('put in').of(s), s.dissipated, value(s, q, 'kinetic_energy'), value(s, q, 'potential_energy') - q.get('lowest').of(s)],
    },
    {
      title: `gap to the ground${plainGaps === null ? '' : `, from ${plain(plainGaps, 4)} s on without kinks`}`, unit: 'm', log: true, spare: true, lines: [{ name: 'gap', colour: BLUE }],
      of: (s, q) => [Math.max(s.gap, q.get('floor').of(s))],
    },
  ];
  return all;
}

/** All graphs. */
export class Graphs {
  /** @param {HTMLElement} place @param {(time: number) => void} go */
  constructor(place, go) {
    this.place = place;
    this.go = go;
    /** `origin`: what the numbers of its axis upwards count from. @type {{ panel: Panel, plot: any, box: HTMLElement, keys: HTMLElement[], bare: boolean, now: HTMLElement, name: HTMLElement, values: HTMLElement, origin: HTMLElement }[]} */
    this.drawn = [];
    /** Panels of a study, above the others. @type {Panel[]} */
    this.extra = [];
    /** What is seen, s. */
    this.from = 0;
    this.to = 1;
    this.base = 0;
    /** Impulses of events: [s, N s], up to a time, s. @type {[number, number][]} */
    this.impulses = [];
    this.told = Infinity;
    /** The greatest size of each unit, and the least gap that can be told, m. @type {Map<string, number> | undefined} */
    this.sizes = undefined;
    this.floor = 0;
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

  /** @param {import('./scene.js').Motion} motion @param {any} page @param {number} ball */
  show(motion, page, ball) {
    const keep = this.motion && this.to > this.from && this.from >= motion.begin && this.to <= motion.end && !(this.from === this.motion.begin && this.to === this.motion.end);
    const fresh = this.page?.steps !== page.steps || this.drawn.length === 0;
    this.motion = motion;
    this.page = page;
    this.ball = ball;
    if (!keep) [this.from, this.to] = [motion.begin, motion.end];
    this.quantities = new Map(quantities(page, ball).map((quantity) => [quantity.key, quantity]));
    const [time, impulse, one, other] = ['time', 'normal_impulse', 'ball', 'other'].map((column) => page.columns.indexOf(column));
    const own = String(ball + 1);
    this.impulses = page.events
      .filter((/** @type {any[]} */ row) => page.balls.length < 2 || [row[one ?? 0], row[other ?? 0]].map(String).includes(own))
      .map((/** @type {any[]} */ row) => [row[time ?? 0], row[impulse ?? 0]])
      .filter((/** @type {number[]} */ [, size]) => (size ?? 0) > 0);
    this.told = told(page);
    let lowest = Infinity;
    const potential = this.quantities.get('potential_energy');
    const all = samples(motion, motion.begin, motion.end, this.width());
    for (const state of all) lowest = Math.min(lowest, potential?.of(state) ?? 0);
    this.quantities.set('lowest', { key: 'lowest', label: '', unit: 'J', of: () => Math.min(lowest, 0) });
    // What is put into a ball by ground that moves, external forces, other balls and the scheme; null: nothing.
    const given = (/** @type {any} */ s) => s.work + s.exchanged + s.scheme;
    const [first] = all;
    const start = first ? first.dissipated + (this.quantities.get('total_energy')?.of(first) ?? 0) - Math.min(lowest, 0) - given(first) : 0;
    const some = all.some((state) => given(state) !== 0);
    this.quantities.set('put in', { key: 'put in', label: '', unit: 'J', of: (s) => (some ? start + given(s) : /** @type {any} */ (null)) });
    this.all = all;
    this.sizes = sizes(this.quantities.values(), all);
    this.floor = this.low(all);
    this.quantities.set('floor', { key: 'floor', label: '', unit: 'm', of: () => this.floor });
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
      for (const state of this.all ?? []) panel.of(state, this.quantities ?? new Map(), this.page).forEach((value, i) => { if (value && value !== nothing) there[i] = true; });
      // Without forces impulses have the axis.
      drawn.bare = Boolean(panel.impulses) && !there.includes(true) && this.impulses.length > 0;
      name.textContent = drawn.bare ? 'impulses [N s]' : `${panel.title} [${panel.unit}]`;
      box.hidden = Boolean(panel.spare) && !there.includes(true) && !drawn.bare;
      keys.forEach((key, i) => { key.hidden = !there[i]; });
    }
  }

  build() {
    this.drawn.forEach(({ plot }) => plot.destroy());
    this.place.querySelectorAll('.panel').forEach((panel) => panel.remove());
    this.drawn = [...this.extra, ...panels(this.page)].map((panel) => this.panel(panel));
    this.plane = new Plane(this.place, this.go);
  }

  /** @param {Panel} panel */
  panel(panel) {
    const box = document.createElement('div');
    box.className = panel.known ? 'panel known' : 'panel';
    box.innerHTML = `<h2><span class="title">${text(`${panel.title} [${panel.unit}]`)}</span><span class="base"></span></h2><div class="plot"></div><p class="values"></p>`;
    const [title, name, place, values, origin] = ['h2', '.title', '.plot', '.values', '.base'].map((name) => /** @type {HTMLElement} */ (box.querySelector(name)));
    if (!title || !name || !place || !values || !origin) throw new Error('no panel');
    if (!panel.known && panel.lines.length > 1) title.insertAdjacentHTML('beforeend', panel.lines.map(keyOf).join(''));
    const keys = /** @type {HTMLElement[]} */ ([...title.querySelectorAll('.name')]);
    // Lines with letters are named below the picture.
    if (panel.known && !panel.lines.some(({ letter }) => letter)) values.insertAdjacentHTML('beforebegin', `<ul>${panel.lines.map((line) => `<li>${keyOf(line)}</li>`).join('')}</ul>`);
    this.place.append(box);
    const plot = new uPlot(this.options(panel), /** @type {any} */ ([[], ...panel.lines.map(() => [])]), place);
    const now = document.createElement('div');
    now.className = 'now';
    plot.over.append(now);
    this.listen(plot);
    return { panel, plot, box, keys, bare: false, now, name, values, origin };
  }

  /** @param {Panel} panel */
  options(panel) {
    const unit = this.unit();
    const axis = { stroke: '#333', grid: { stroke: '#eee', width: 1 }, ticks: { stroke: '#999', width: 1, size: 4 * unit }, gap: 5 * unit, font: `${12 * unit}px system-ui, Arial` };
    const drawn = (/** @type {any} */ plot) => { if (panel.impulses) this.bars(plot); else this.letters(plot, panel); };
    // Of impulses alone the axis is theirs.
    const range = (/** @type {any} */ plot, /** @type {number} */ low, /** @type {number} */ high) => fromZero(plot, low, this.drawn.find((drawn) => drawn.plot === plot)?.bare ? this.strongest() / BARS : high);
    // uPlot itself knows no steps below 1e-16.
    const even = (/** @type {any} */ plot, /** @type {number} */ axis, /** @type {number} */ low, /** @type {number} */ high) =>
      rounds(low, high, axis === 0 ? plot.bbox.width / devicePixelRatio / (this.paper ? 50 : 80) / unit : plot.bbox.height / devicePixelRatio / 24 / unit);
    // What stands on another is filled down to it.
    const bands = panel.lines.flatMap(({ fill }, i) => (fill && panel.lines[i + 1]?.fill ? [{ series: [i + 1, i + 2], fill }] : []));
    return {
      bands, width: this.width(), height: this.height(), legend: { show: false }, padding: [6 * unit, (this.paper && !panel.impulses ? 12 : 48) * unit, 0, 0],
      cursor: { sync: { key: 'time' }, drag: { x: true, y: false, setScale: false }, points: { show: true, size: 6 } },
      scales: { x: { time: false, range: () => [this.from - this.base, this.to - this.base] }, y: panel.log ? { distr: 3, range: inDecades } : { range: panel.impulses || panel.stacked ? range : (/** @type {any} */ _, /** @type {number} */ low, /** @type {number} */ high) => span(low, high, this.most(panel)) } },
      axes: [
        { ...axis, size: 30 * unit, space: 90, splits: even, label: 'time [s]', labelSize: 16 * unit, labelGap: 0, labelFont: axis.font, values: (/** @type {any} */ plot, /** @type {number[]} */ at) => this.labels(plot, at) },
        { ...axis, size: (this.paper ? 52 : 70) * unit, space: 24, splits: even, ...(panel.log && { splits: decades, filter: (/** @type {any} */ _, /** @type {number[]} */ at) => at, grid: { stroke: '#eee', width: 1 } }), values: (/** @type {any} */ _, /** @type {number[]} */ at) => at.map(panel.log ? (value) => this.decade(panel, value) : (value) => plain(value, 5)) },
      ],
      series: [{}, ...panel.lines.map(({ name, colour, dash, fill, width, dots, hollow }, i) => ({ label: name, stroke: colour, dash, fill: panel.lines[i + 1]?.fill ? undefined : fill, width: (width ?? 1.6) * unit, pxAlign: 0, spanGaps: Boolean(panel.known), points: dots ? { show: true, size: 4 * unit, fill: hollow ? '#fff' : colour } : { show: false }, ...(dots && { paths: () => null }) }))],
      hooks: {
        draw: [drawn], setCursor: [(/** @type {any} */ plot) => this.hover(plot)],
        setSelect: [(/** @type {any} */ plot) => this.select(plot)],
      },
    };
  }

  /** Numbers of the time axis, and what it is called: from a base on, where a stretch is short against its time.
   * @param {any} plot @param {number[]} at @returns {string[]} */
  labels(plot, at) {
    const size = Math.max(...at.map(Math.abs), 1e-30);
    const units = this.base === 0 ? [] : [[1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns'], [1e-12, 'ps'], [1e-15, 'fs']];
    const [factor, unit] = units.find(([factor]) => size >= Number(factor)) ?? [1, 's'];
    plot.axes[0].label = this.base === 0 ? 'time [s]' : `time − ${plain(this.base, 16)} s [${unit}]`;
    return at.map((time) => plain(time / Number(factor), 8));
  }

  /** Names lines of runs by their letters, where they are by themselves, each at other times; one that never is has one letter.
   * @param {any} plot @param {Panel} panel */
  letters(plot, { lines }) {
    const { ctx, bbox } = plot;
    const [size, named] = [11 * this.unit() * devicePixelRatio, lines.filter(({ letter }) => letter).length];
    const up = (/** @type {number} */ i, /** @type {number} */ at) => { const value = plot.data[i + 1]?.[at] ?? null; return value === null ? NaN : plot.valToPos(value, 'y', true); };
    ctx.save();
    ctx.setLineDash([]);
    Object.assign(ctx, { font: `bold ${size}px system-ui, Arial`, textAlign: 'center', textBaseline: 'middle', strokeStyle: '#fff', lineWidth: 0.4 * size, lineJoin: 'round' });
    lines.forEach(({ letter, colour }, i) => {
      const places = letter ? Array.from({ length: LETTERS }, (_, k) => plot.posToIdx(((k + (i + 0.7) / (named + 0.4)) / LETTERS) * (bbox.width / devicePixelRatio))).filter((at) => !Number.isNaN(up(i, at))) : [];
      const apart = places.filter((at) => lines.every((_, j) => j === i || !(Math.abs(up(j, at) - up(i, at)) < size)));
      for (const at of apart.length > 0 ? apart : places.slice(0, 1)) {
        const [x, y] = [plot.valToPos(plot.data[0][at], 'x', true), up(i, at)];
        ctx.strokeText(letter, x, y);
        ctx.fillStyle = colour;
        ctx.fillText(letter, x, y);
      }
    });
    ctx.restore();
  }

  /** A power of ten on the axis of a panel; lines of gaps end at what can be told. @param {Panel} panel @param {number} value @returns {string} */
  decade(panel, value) {
    return `${!panel.known && Math.abs(value / this.floor - 1) < 1e-6 ? '≤' : ''}${decade(value)}`;
  }

  /** Impulses that are seen. */
  seen() {
    return this.impulses.filter(([time]) => this.from <= time && time <= this.to);
  }

  /** The greatest size of what has the unit of a panel; of known values only their own counts. @param {Panel} panel @returns {number} */
  most(panel) {
    return panel.known ? 0 : this.sizes?.get(panel.unit) ?? 0;
  }

  /** Down to where gaps are told, m: in whole decades, so that it stands on the axis. Hops that are summed up are known by their law, also
   * where all that is seen is below rounding. @param {import('./motion.js').State[]} states @returns {number} */
  low(states) {
    const told = 10 ** Math.ceil(Math.log10(rounding((this.sizes?.get('m') ?? 0) + this.page.balls[this.ball ?? 0].radius) || 1e-15));
    const hop = states.reduce((most, state) => Math.max(most, state.hop), 0);
    return hop > 0 && states.every(({ gap }) => !(gap > told)) ? Math.min(told, 10 ** Math.floor(Math.log10(LOW * hop))) : told;
  }

  /** The largest of them, N s. */
  strongest() {
    return this.seen().reduce((most, [, size]) => Math.max(most, size), 0);
  }

  /** Impulses as bars: on the axis, or where that is of forces on a scale of their own at the right. @param {any} plot */
  bars(plot) {
    const [seen, most] = [this.seen(), this.strongest()];
    const { ctx, bbox } = plot;
    ctx.save();
    if (this.told < this.to) this.untold(plot);
    if (!(most > 0)) return ctx.restore();
    ctx.setLineDash([]);
    ctx.strokeStyle = BLUE;
    ctx.fillStyle = BLUE;
    ctx.lineWidth = 2 * this.unit() * devicePixelRatio;
    const bottom = plot.valToPos(0, 'y', true);
    const height = BARS * (bottom - bbox.top);
    for (const [time, size] of seen) {
      const x = plot.valToPos(time - this.base, 'x', true);
      const top = bottom - (height * size) / most;
      ctx.beginPath();
      ctx.moveTo(x, bottom);
      ctx.lineTo(x, top);
      ctx.stroke();
    }
    const size = 11 * this.unit() * devicePixelRatio;
    ctx.font = `${size}px system-ui, Arial`;
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'left';
    const right = bbox.left + bbox.width + 0.4 * size;
    const bare = this.drawn.find((drawn) => drawn.plot === plot)?.bare;
    if (!bare) si(most, 'N s', 2).split(/(?<=^\S+) /).forEach((part, i) => ctx.fillText(part, right, bottom - height + 1.2 * size * i));
    ctx.restore();
  }

  /** Says from when on there are no impulses, as there are too many. @param {any} plot */
  untold({ ctx, bbox, valToPos }) {
    const left = Math.max(bbox.left, valToPos(this.told - this.base, 'x', true));
    const [width, ratio] = [bbox.left + bbox.width - left, devicePixelRatio * this.unit()];
    ctx.fillStyle = '#00000014';
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.fillStyle = '#333';
    ctx.font = `${12 * ratio}px system-ui, Arial`;
    ctx.textBaseline = 'top';
    const words = `impulses after ${plain(this.told, 6)} s are left out`;
    const room = ctx.measureText(words).width <= width - 12 * ratio;
    ctx.textAlign = room ? 'left' : 'right';
    ctx.fillText(words, room ? left + 6 * ratio : bbox.left + bbox.width - 6 * ratio, bbox.top + 6 * ratio);
  }

  /** @param {any} plot */
  listen(plot) {
    let down = 0;
    plot.over.tabIndex = -1;
    plot.over.addEventListener('mousedown', (/** @type {MouseEvent} */ event) => { down = event.clientX; plot.over.focus({ preventScroll: true }); });
    plot.over.addEventListener('click', (/** @type {MouseEvent} */ event) => {
      if (Math.abs(event.clientX - down) < 4) this.go(this.base + plot.posToVal(event.offsetX, 'x'));
    });
    plot.over.addEventListener('dblclick', () => this.look(this.motion?.begin ?? 0, this.motion?.end ?? 1));
    plot.over.addEventListener('wheel', (/** @type {WheelEvent} */ event) => {
      if (!zooms(event, plot.over)) return;
      event.preventDefault();
      const at = this.base + plot.posToVal(event.offsetX, 'x');
      const factor = 1.25 ** Math.sign(event.deltaY);
      this.look(at - (at - this.from) * factor, at + (this.to - at) * factor);
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

  /** @param {any} plot */
  select(plot) {
    const { left, width } = plot.select;
    if (width < 4) return;
    const [from, to] = [left, left + width].map((x) => this.base + plot.posToVal(x, 'x'));
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    this.look(from ?? 0, to ?? 1);
  }

  /** Values where the pointer is. @param {any} plot */
  hover(plot) {
    const drawn = this.drawn.find((drawn) => drawn.plot === plot);
    if (!drawn || !this.motion || plot.cursor.left < 0) return;
    const time = Math.min(this.to, Math.max(this.from, this.base + plot.posToVal(plot.cursor.left, 'x')));
    const { known } = drawn.panel;
    const values = known ? at(known, time) : drawn.panel.of(this.motion.at(time), this.quantities ?? new Map(), this.page);
    const shown = drawn.panel.lines.map(({ name }, i) => {
      const value = values[i];
      return value === null || value === undefined ? '' : `${text(name)} <b>${plain(value)} ${drawn.panel.unit}</b>`;
    });
    const [near] = drawn.panel.impulses ? this.impulses.filter(([at]) => Math.abs(plot.valToPos(at - this.base, 'x') - plot.cursor.left) < 3) : [];
    if (near) shown.push(`impulse <b>${si(near[1], 'N s', 6)}</b>`);
    drawn.values.innerHTML = `${clock(time, this.to - this.from)}  ${shown.filter(Boolean).join('  ')}`;
  }

  /** For paper, or for the screen again. @param {boolean} paper */
  print(paper) {
    this.paper = paper;
    this.anew();
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
    if (!motion || !known) return;
    const width = this.width();
    const span = this.to - this.from;
    // uPlot's numbers are from a base on, so that they keep their digits.
    this.base = span < 1e-4 * this.to ? Number(this.from.toPrecision(Math.max(6, Math.ceil(-Math.log10(span / this.to)) + 1))) : 0;
    const whole = this.from === motion.begin && this.to === motion.end && !this.paper;
    const states = whole && this.all ? this.all : samples(motion, this.from, this.to, width);
    this.sizes = sizes(known.values(), states);
    this.floor = this.low(states);
    const times = states.map((state) => state.time - this.base);
    for (const { panel, plot, origin } of this.drawn) {
      const set = (/** @type {(number | null)[][]} */ [at = [], ...series]) => {
        const from = panel.log || panel.impulses || panel.stacked ? 0 : originOf(series, this.most(panel));
        origin.textContent = from === 0 ? '' : ` from ${plain(from, 16)} on`;
        plot.setData([at, ...(from === 0 ? series : series.map((values) => values.map((value) => value === null ? null : value - from)))], true);
      };
      if (plot.width !== width) plot.setSize({ width, height: this.height() });
      if (panel.known) {
        set(this.part(panel.drawn ?? panel.known));
        continue;
      }
      /** @type {(number | null)[][]} */
      const series = panel.lines.map(() => new Array(states.length).fill(null));
      states.forEach((state, k) => {
        const row = panel.of(state, known, this.page);
        if (panel.stacked) for (let i = row.length - 2; panel.lines[i]?.fill; i--) row[i] = (row[i] ?? 0) + (row[i + 1] ?? 0);
        row.forEach((value, i) => { const own = series[i]; if (own) own[k] = value; });
      });
      set(reduced(times, series, width));
    }
    this.plane?.show(motion, states, this.paper ? width / 2 : width, this.paper ? PAPER.unit / 2 : this.unit(), [...known.values()].filter(({ label }) => label));
    this.at(this.time);
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
    for (const { plot, now } of this.drawn) {
      const seen = this.from <= time && time <= this.to;
      now.style.display = seen ? '' : 'none';
      // uPlot knows a new stretch of time only later.
      if (seen) now.style.transform = `translateX(${((time - this.from) / (this.to - this.from)) * (plot.bbox.width / devicePixelRatio)}px)`;
    }
    this.plane?.at(time);
  }
}

/** A range of what stands on zero. @param {any} _ @param {number} low @param {number} high @returns {[number, number]} */
function fromZero(_, low, high) {
  const [bottom, top] = span(Math.min(0, low), high > 0 ? high : 1);
  return [low < 0 ? bottom : 0, top];
}

/** The name of a line, with what it looks like. @param {Line} line @returns {string} */
function keyOf({ name, colour, dash, fill, dots, hollow, letter }) {
  const look = fill ? `<i class="swatch" style="border-color: ${colour}; background: ${fill}"></i>`
    : dots ? `<b style="color: ${colour}">${hollow ? '○' : '●'} </b>`
      : `<i class="key" style="border-color: ${colour}; border-top-style: ${dash ? 'dashed' : 'solid'}"></i>`;
  return ` <span class="name">${look}${letter ? `<b>${letter}</b> ` : ''}${text(name)}</span>`;
}

/** A range of whole decades. @param {any} _ @param {number} low @param {number} high @returns {[number, number]} */
function inDecades(_, low, high) {
  if (!(low > 0 && high > 0)) return [1e-3, 1];
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  return [Number(`1e${from}`), Number(`1e${to > from ? to : from + 1}`)];
}

/** Known values, at the last time up to this. @param {Known} known @param {number} time @returns {(number | null)[]} */
function at({ times, series }, time) {
  const i = Math.max(0, times.findLastIndex((known) => known <= time));
  return series.map((values) => values[i] ?? null);
}

/** Some powers of ten on an axis. @param {any} _ @param {number} __ @param {number} low @param {number} high @returns {number[]} */
function decades(_, __, low, high) {
  const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((to - from) / 5));
  return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, i) => Number(`1e${from + i * step}`));
}

/** A power of ten. @param {number} value @returns {string} */
function decade(value) {
  const exponent = Math.round(Math.log10(value));
  return Math.abs(value / 10 ** exponent - 1) < 1e-6 ? `10${raised(exponent)}` : '';
}
