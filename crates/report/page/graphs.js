// Graphs over one time, linked to the picture.

import { text } from './files.js';
import { clock, plain, raised } from './format.js';
import { Plane, span } from './plane.js';
import { quantities, reduced, samples } from './quantities.js';

/** @typedef {{ name: string, colour: string, dash?: number[], fill?: string, width?: number, dots?: boolean }} Line */
/** @typedef {{ times: number[], series: (number | null)[][] }} Known Values that are known at some times alone. */
/** @typedef {{ title: string, unit: string, log?: boolean, lines: Line[], of: (s: any, q: Map<string, any>, page: any) => (number | null)[],
 *   impulses?: boolean, known?: Known, drawn?: Known }} Panel What it shows of a state, of the run that is shown. */

const BLUE = '#0072B2';
const VERMILION = '#D55E00';
const PURPLE = '#9A4E7C';
const GREEN = '#007A59';
const GREY = '#555';
const HEIGHT = 150;
/** Width and height of a graph on half a page of paper, pixels. */
const PAPER = [340, 122];
/** Gaps are shown down to here, m. */
const FLOOR = 1e-26;

/** The panels of a run, event by event or by time stepping. @param {boolean} steps @returns {Panel[]} */
function panels(steps) {
  const value = (/** @type {any} */ s, /** @type {Map<string, any>} */ q, /** @type {string} */ key) => q.get(key).of(s);
  /** @type {Panel[]} */
  const all = [
    { title: 'height y', unit: 'm', lines: [{ name: 'y', colour: BLUE }], of: (s) => [s.y] },
    { title: 'speed', unit: 'm/s', lines: [{ name: 'speed', colour: BLUE }], of: (s) => [Math.hypot(s.vx, s.vy)] },
    {
      title: steps ? 'mean normal force' : 'normal force λ, and impulses as bars', unit: 'N', impulses: !steps,
      lines: [{ name: 'λ', colour: VERMILION }, { name: 'second contact', colour: BLUE, dash: [6, 4] }],
      of: (s) => [s.normal, s.second > 0 ? s.second : null],
    },
    {
      title: 'friction f and the cone ±μλ', unit: 'N',
      lines: [{ name: 'f', colour: PURPLE }, { name: 'μλ', colour: GREY, dash: [4, 3] }, { name: '−μλ', colour: GREY, dash: [4, 3] }],
      of: (s, _, { friction: mu }) => (mu === null ? [s.friction, null, null] : [s.friction, mu * s.normal, -mu * s.normal]),
    },
    {
      title: 'energy, stacked', unit: 'J',
      lines: [
        { name: 'dissipated', colour: VERMILION, fill: '#D55E0033' }, { name: 'kinetic', colour: BLUE, fill: '#0072B255' },
        { name: 'potential', colour: GREEN, fill: '#009E7355' },
      ],
      of: (s, q) => {
        const [potential, kinetic] = [value(s, q, 'potential_energy') - q.get('lowest').of(s), value(s, q, 'kinetic_energy')];
        return [potential + kinetic + s.dissipated, potential + kinetic, potential];
      },
    },
    {
      title: 'gap to the ground', unit: 'm', log: true, lines: [{ name: 'gap', colour: BLUE }],
      of: (s) => [s.gap > FLOOR ? s.gap : null],
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
    /** @type {{ panel: Panel, plot: any, now: HTMLElement, values: HTMLElement }[]} */
    this.drawn = [];
    /** Panels of a study, above the others. @type {Panel[]} */
    this.extra = [];
    /** What is seen, s. */
    this.from = 0;
    this.to = 1;
    this.base = 0;
    /** Impulses of events: [s, N s]. @type {[number, number][]} */
    this.impulses = [];
    this.time = 0;
    this.paper = false;
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
    const [time, impulse] = ['time', 'normal_impulse'].map((column) => page.columns.indexOf(column));
    this.impulses = page.events
      .map((/** @type {any[]} */ row) => [row[time ?? 0], row[impulse ?? 0]])
      .filter((/** @type {number[]} */ [, size]) => (size ?? 0) > 0);
    let lowest = Infinity;
    const potential = this.quantities.get('potential_energy');
    for (const state of samples(motion, motion.begin, motion.end, 400)) lowest = Math.min(lowest, potential?.of(state) ?? 0);
    this.quantities.set('lowest', { key: 'lowest', label: '', unit: 'J', of: () => Math.min(lowest, 0) });
    if (fresh) this.build();
    this.resample();
  }

  build() {
    this.drawn.forEach(({ plot }) => plot.destroy());
    this.place.querySelectorAll('.panel').forEach((panel) => panel.remove());
    this.drawn = [...this.extra, ...panels(this.page.steps)].map((panel) => this.panel(panel));
    this.plane = new Plane(this.place, this.go);
  }

  /** @param {Panel} panel */
  panel(panel) {
    const box = document.createElement('div');
    box.className = 'panel';
    box.innerHTML = `<h2></h2><div class="plot"></div><p class="values"></p>`;
    const [title, place, values] = ['h2', '.plot', '.values'].map((name) => /** @type {HTMLElement} */ (box.querySelector(name)));
    if (!title || !place || !values) throw new Error('no panel');
    title.textContent = `${panel.title} [${panel.unit}]`;
    if (panel.known) values.insertAdjacentHTML('beforebegin', `<ul>${panel.lines.map(({ name, colour, dash, dots }) => `<li>${dots ? `<b style="color: ${colour}">● </b>` : `<i class="key" style="border-color: ${colour}; border-top-style: ${dash ? 'dashed' : 'solid'}"></i>`}${text(name)}</li>`).join('')}</ul>`);
    this.place.append(box);
    const plot = new uPlot(this.options(panel), /** @type {any} */ ([[], ...panel.lines.map(() => [])]), place);
    const now = document.createElement('div');
    now.className = 'now';
    plot.over.append(now);
    this.listen(plot);
    return { panel, plot, now, values };
  }

  /** @param {Panel} panel */
  options(panel) {
    const axis = { stroke: '#333', grid: { stroke: '#eee', width: 1 }, ticks: { stroke: '#999', width: 1, size: 4 }, font: '12px system-ui, Arial' };
    const bars = (/** @type {any} */ plot) => panel.impulses && this.bars(plot);
    return {
      width: this.width(), height: HEIGHT, legend: { show: false }, padding: [6, 48, 0, 0],
      cursor: { sync: { key: 'time' }, drag: { x: true, y: false, setScale: false }, points: { show: true, size: 6 } },
      scales: { x: { time: false, range: () => [this.from - this.base, this.to - this.base] }, y: panel.log ? { distr: 3 } : { range: panel.impulses ? fromZero : span } },
      axes: [
        { ...axis, size: 34, space: 90, values: (/** @type {any} */ _, /** @type {number[]} */ at) => this.labels(at) },
        { ...axis, size: 62, space: 24, ...(panel.log && { splits: decades, filter: (/** @type {any} */ _, /** @type {number[]} */ at) => at, grid: { stroke: '#eee', width: 1 } }), values: (/** @type {any} */ _, /** @type {number[]} */ at) => at.map((v) => (panel.log ? decade(v) : plain(v, 5))) },
      ],
      series: [{}, ...panel.lines.map(({ name, colour, dash, fill, width, dots }) => ({ label: name, stroke: colour, dash, fill, width: width ?? 1.6, pxAlign: 0, spanGaps: Boolean(panel.known), points: dots ? { show: true, size: 4, fill: colour } : { show: false }, ...(dots && { paths: () => null }) }))],
      hooks: {
        draw: [bars], setCursor: [(/** @type {any} */ plot) => this.hover(plot)],
        setSelect: [(/** @type {any} */ plot) => this.select(plot)],
      },
    };
  }

  /** Labels of the time axis: from a base on, where a stretch is short against its time. @param {number[]} at @returns {string[]} */
  labels(at) {
    if (this.base === 0) return at.map((time) => plain(time, 8));
    const size = Math.max(...at.map(Math.abs), 1e-30);
    const [factor, unit] = [[1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns'], [1e-12, 'ps']].find(([factor]) => size >= Number(factor)) ?? [1e-15, 'fs'];
    return at.map((time, i) => `${i === 0 ? `${plain(this.base, 16)} s + ` : ''}${plain(time / Number(factor), 6)} ${unit}`);
  }

  /** Impulses, as bars on a scale of their own at the right. @param {any} plot */
  bars(plot) {
    const seen = this.impulses.filter(([time]) => this.from <= time && time <= this.to);
    const most = Math.max(0, ...seen.map(([, size]) => size));
    if (!(most > 0)) return;
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.setLineDash([]);
    ctx.strokeStyle = BLUE;
    ctx.fillStyle = BLUE;
    ctx.lineWidth = 2 * devicePixelRatio;
    const bottom = plot.valToPos(0, 'y', true);
    const height = 0.9 * (bottom - bbox.top);
    for (const [time, size] of seen) {
      const x = plot.valToPos(time - this.base, 'x', true);
      const top = bottom - (height * size) / most;
      ctx.beginPath();
      ctx.moveTo(x, bottom);
      ctx.lineTo(x, top);
      ctx.stroke();
    }
    ctx.font = `${11 * devicePixelRatio}px system-ui, Arial`;
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'left';
    const right = bbox.left + bbox.width + 4 * devicePixelRatio;
    ctx.fillText(plain(most, 2), right, bottom - height);
    ctx.fillText('N s', right, bottom - 0.8 * height);
    ctx.restore();
  }

  /** @param {any} plot */
  listen(plot) {
    let down = 0;
    plot.over.addEventListener('mousedown', (/** @type {MouseEvent} */ event) => { down = event.clientX; });
    plot.over.addEventListener('click', (/** @type {MouseEvent} */ event) => {
      if (Math.abs(event.clientX - down) < 4) this.go(this.base + plot.posToVal(event.offsetX, 'x'));
    });
    plot.over.addEventListener('dblclick', () => this.look(this.motion?.begin ?? 0, this.motion?.end ?? 1));
    plot.over.addEventListener('wheel', (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      const at = this.base + plot.posToVal(event.offsetX, 'x');
      const factor = 1.25 ** Math.sign(event.deltaY);
      this.look(at - (at - this.from) * factor, at + (this.to - at) * factor);
    }, { passive: false });
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
    drawn.values.innerHTML = `${clock(time, this.to - this.from)}  ${shown.filter(Boolean).join('  ')}`;
  }

  /** For paper, or for the screen again. @param {boolean} paper */
  print(paper) {
    this.paper = paper;
    this.resample();
  }

  /** Of a graph, pixels: on paper half of its width. */
  width() {
    return this.paper ? PAPER[0] ?? 0 : Math.max(200, this.place.clientWidth);
  }

  resample() {
    const { motion, quantities: known } = this;
    if (!motion || !known) return;
    const width = this.width();
    const span = this.to - this.from;
    // uPlot's numbers are from a base on, so that they keep their digits.
    this.base = span < 1e-4 * this.to ? Number(this.from.toPrecision(Math.max(6, Math.ceil(-Math.log10(span / this.to)) + 1))) : 0;
    const states = samples(motion, this.from, this.to, width);
    const times = states.map((state) => state.time - this.base);
    for (const { panel, plot } of this.drawn) {
      if (plot.width !== width) plot.setSize({ width, height: this.paper ? PAPER[1] : HEIGHT });
      if (panel.known) {
        plot.setData(/** @type {any} */ (this.part(panel.drawn ?? panel.known)), true);
        continue;
      }
      const rows = states.map((state) => panel.of(state, known, this.page));
      const series = panel.lines.map((_, i) => rows.map((row) => row[i] ?? null));
      plot.setData(/** @type {any} */ (reduced(times, series, width)), true);
    }
    this.plane?.show(motion, states, width, [...known.values()].filter(({ label }) => label));
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
      if (seen) now.style.transform = `translateX(${plot.valToPos(time - this.base, 'x')}px)`;
    }
    this.plane?.at(time);
  }
}

/** A range that bars can stand in. @param {any} _ @param {number} low @param {number} high @returns {[number, number]} */
function fromZero(_, low, high) {
  return span(null, Math.min(0, low), high > 0 ? high : 1);
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
