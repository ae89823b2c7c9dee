// The time bar: a graph, phases, impacts and the time that is shown, in one.

import { axes, line, Scale } from './chart.js';
import { band, clamp, circle, dragged, look, mark, polyline, rectangle, sized, written } from './look.js';
import { t } from './words.js';

/** Graphs that it can show. @type {[string, string, string, string][]} name, unit, colour */
export const SERIES = [['speed', 'Speed', 'm/s', 'v'], ['height', 'Height', 'm', 'pot'], ['push', 'Ground push', 'g', 'n'], ['energy', 'Energy', 'J', 'ink']];
const ENERGIES = [['height', 'pot'], ['speed', 'kin'], ['spin', 'spin'], ['heat', 'heat']];
/** What is still to come is as faint as this. */
const FAINT = 0.38;
/** Ticks of impacts nearer than this are one, pixels. */
const MERGED = 0.8;

/** @typedef {{ motion: import('./scene.js').Motion, states: import('./motion.js').State[], page: any, ball: number, events: import('./events.js').Happening[],
 *   piles: import('./events.js').Pile[], energies: (s: import('./motion.js').State) => number[], most: number, strongest: number }} Told What is told of a ball; `strongest`: its largest impulse, N s. */

export class Strip {
  /** @param {HTMLCanvasElement} element @param {(time: number) => void} go @param {(pile: import('./events.js').Pile) => void} magnify */
  constructor(element, go, magnify) {
    this.element = element;
    this.go = go;
    this.magnify = magnify;
    this.chosen = 'speed';
    this.version = 0;
    this.drawnFor = '';
    /** @type {Told | undefined} */ this.told = undefined;
    /** Another run's. @type {Told | undefined} */ this.ghost = undefined;
    this.begin = 0;
    this.end = 1;
    /** Of times and of the values that are drawn. */
    this.x = new Scale([0, 1], [0, 1]);
    this.y = new Scale([0, 1], [1, 0]);
    this.layers = [0, 1].map(() => document.createElement('canvas'));
    const at = (/** @type {PointerEvent} */ { offsetX }) => this.go(clamp(this.x.at(offsetX), this.begin, this.end));
    dragged(element, (event) => {
      const pin = this.told?.piles.find(({ to }) => event.offsetY < 26 * look.unit && Math.abs(this.x.px(to) - event.offsetX) < 15 * look.unit);
      if (pin) this.magnify(pin); else at(event);
      return !pin;
    }, at);
  }

  /** @param {Told} told @param {Told} [ghost] */
  show(told, ghost) {
    [this.told, this.ghost] = [told, ghost];
    [this.begin, this.end] = [told.motion.begin, Math.max(told.motion.end, ghost?.motion.end ?? -Infinity)];
    this.version += 1;
  }

  /** The value that is drawn. @param {Told} told @param {import('./motion.js').State} state @returns {number} */
  value(told, state) {
    if (this.chosen === 'speed') return Math.sqrt(state.square);
    return this.chosen === 'height' ? state.y : state.normal / ((told.page.balls[told.ball]?.mass ?? 1) * 9.81);
  }

  /** @param {number} time */
  draw(time) {
    const { told } = this;
    const [canvas, width, height] = sized(this.element);
    if (!told || width === 0) return;
    const [u, ratio] = [look.unit, window.devicePixelRatio || 1];
    const key = [width, height, this.version, this.chosen, look.of('sky1'), u, ratio].join();
    if (key !== this.drawnFor) this.layers.forEach((layer, bright) => this.drawLayer(layer, Boolean(bright), width, height));
    this.drawnFor = key;
    const [faint, bright] = /** @type {[HTMLCanvasElement, HTMLCanvasElement]} */ (this.layers);
    const [now, at] = [this.x.px(time), this.y.from + 8 * u];
    canvas.clearRect(0, 0, width, height);
    canvas.drawImage(faint, 0, 0, width, height);
    if (now > 1) canvas.drawImage(bright, 0, 0, now * ratio, bright.height, 0, 0, now, height);
    mark(canvas, polyline([[now, this.y.to - 2 * u], [now, at + 19 * u]]), { stroke: look.of('ink'), width: 2 * u });
    mark(canvas, circle(now, at + 8.5 * u, 8 * u), { fill: look.of('panel'), stroke: look.of('ink'), width: 2.5 * u });
    if (this.chosen === 'energy' || time > told.motion.end) return;
    const y = clamp(this.y.px(this.value(told, told.motion.at(time))), this.y.to, this.y.from);
    mark(canvas, circle(now, y, 4.5 * u), { fill: look.of(this.series()[3]), stroke: look.of('panel'), width: 1.5 * u });
  }

  /** The graph that is chosen. @returns {[string, string, string, string]} */
  series() { return SERIES.find(([key]) => key === this.chosen) ?? ['', '', '', 'v']; }

  /** All of it as it will be, or as it was up to now. @param {HTMLCanvasElement} layer @param {boolean} bright @param {number} width @param {number} height */
  drawLayer(layer, bright, width, height) {
    const { told, ghost } = this;
    if (!told) return;
    const u = look.unit;
    const [canvas] = sized(layer, [width, height]);
    canvas.clearRect(0, 0, width, height);
    const energy = this.chosen === 'energy';
    const values = (/** @type {Told | undefined} */ one) => (one && !energy ? one.states.map((state) => this.value(one, state)) : []);
    const [own, other] = [values(told), values(ghost)];
    let [low, high] = [0, energy ? told.most : this.chosen === 'push' ? 1 : 0];
    for (const values of [own, other]) for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
    this.x = new Scale([this.begin, this.end], [46 * u, width - 16 * u]);
    this.y = new Scale([low, high + 0.06 * (high - low || 1)], [height - 43 * u, (told.piles.length > 0 ? 20 : 8) * u]);
    const times = (/** @type {Told} */ { states }) => states.map(({ time }) => time);
    if (!bright) this.drawAxes(canvas, width, height);
    if (energy) this.drawEnergies(canvas, told, times(told));
    if (ghost && other.length > 0) mark(canvas, line(times(ghost), other, this.x, this.y), { stroke: look.of('ghost'), width: 1.8 * u, dash: [2 * u, 4 * u] });
    if (own.length > 0) mark(canvas, line(times(told), own, this.x, this.y), { stroke: look.of(this.series()[3]), width: (bright ? 2.4 : 1.4) * u, alpha: bright ? 1 : FAINT });
    this.drawPhases(canvas, told);
  }

  /** @param {CanvasRenderingContext2D} canvas @param {number} width @param {number} height */
  drawAxes(canvas, width, height) {
    const [u, { x, y }] = [look.unit, this];
    const size = Math.max(Math.abs(y.low), Math.abs(y.high));
    const shown = (/** @type {number} */ value) => String(Number(value.toPrecision(4))).replace('-', '−');
    const beside = (/** @type {number} */ value) => (size < 1e-3 || size >= 1e5 ? value.toExponential(0).replace('e', '·10^') : shown(value));
    const [tall, ink] = [y.from - y.to, look.of('ink2')];
    canvas.font = look.text(500, 11.5);
    axes(canvas, x, y, { unit: u, ink, rule: look.of('line'), space: [90 * u, tall / clamp(tall / (22 * u), 1.6, 5)], names: [shown, beside], upright: false });
    written(canvas, this.series()[2], 2 * u, y.to - (this.told?.piles.length ? 8 : 0) * u, { fill: ink, base: 'middle' });
    x.ticks(90 * u).forEach((time, i) => {
      written(canvas, shown(time) + (i === 0 ? ' s' : ''), clamp(x.px(time), 10 * u, width - 14 * u), height - 7 * u, { fill: ink, align: 'center', base: 'middle' });
      canvas.fillRect(x.px(time) - 0.5, y.from + 25 * u, 1, 4 * u);
    });
  }

  /** Energies on each other, each named where it is thickest. @param {CanvasRenderingContext2D} canvas @param {Told} told @param {number[]} times */
  drawEnergies(canvas, told, times) {
    const [u, { x, y }, rows] = [look.unit, this, told.states.map((state) => told.energies(state))];
    let below = rows.map(() => 0);
    ENERGIES.forEach(([name = '', colour = ''], k) => {
      const above = rows.map((row, i) => (below[i] ?? 0) + (row[k] ?? 0));
      const under = below;
      mark(canvas, (path) => { line(times, above, x, y)(path); line(times, under, x, y, { back: true })(path); }, { fill: look.of(colour), alpha: 0.75 });
      const room = rows.map((row, i) => { const at = x.px(times[i] ?? 0); return at > x.from + 30 * u && at < x.to - 40 * u ? y.px(0) - y.px(row[k] ?? 0) : 0; });
      const best = room.indexOf(room.reduce((most, here) => Math.max(most, here), 0));
      if ((room[best] ?? 0) > 15 * u) written(canvas, t(name), x.px(times[best] ?? 0), (y.px(under[best] ?? 0) + y.px(above[best] ?? 0)) / 2, { fill: look.of('panel'), font: look.text(650, 11.5), align: 'center', base: 'middle' });
      below = above;
    });
  }

  /** Phases, ticks of impacts, and pins where bounces pile up. @param {CanvasRenderingContext2D} canvas @param {Told} told */
  drawPhases(canvas, { motion, events, piles, strongest }) {
    const [u, { x, y }, at] = [look.unit, this, this.y.from + 8 * look.unit];
    for (let i = 0; i < motion.count; i++) {
      const [phase, from] = [motion.phase(i), x.px(motion.from(i))];
      while (i + 1 < motion.count && motion.phase(i + 1) === phase) i++;
      const wide = x.px(motion.to(i)) - from;
      if (wide < 0.4) continue;
      band(canvas, [from, at, Math.max(1, wide - 1), 17 * u], phase, look.of('ink2'));
      const name = t(phase === 'flight' ? 'flying' : phase);
      canvas.font = look.text(600, 11);
      const room = canvas.measureText(name).width + 8 * u;
      if (wide < room + 6 * u) continue;
      mark(canvas, rectangle(from + wide / 2 - room / 2, at + 2 * u, room, 13 * u, 4 * u), { fill: look.of('panel') });
      written(canvas, name, from + wide / 2, at + 9 * u, { fill: look.of('ink'), align: 'center', base: 'middle' });
    }
    let [last, tall] = [-Infinity, 0];
    canvas.fillStyle = look.of('ball');
    for (const { time, kind, impulse } of events) {
      const [px, high] = [x.px(time), (5 + 13 * Math.sqrt(impulse / strongest)) * u];
      if (kind !== 'impact' || (px - last < MERGED && high <= tall)) continue;
      [last, tall] = [px, high];
      canvas.fillRect(px - 0.8 * u, at - high + 4 * u, 1.6 * u, high);
    }
    let pinned = -Infinity;
    for (const { to } of piles) {
      const px = x.px(to);
      mark(canvas, polyline([[px, y.to - 2 * u], [px, at]]), { stroke: look.of('accent'), width: 1.5 * u, dash: [2 * u, 3 * u] });
      // One pin stands for those that have no room beside it.
      if (px - pinned < 30 * u) continue;
      pinned = px;
      mark(canvas, rectangle(px - 14 * u, y.to - 18 * u, 28 * u, 17 * u, 8.5 * u), { fill: look.of('accent') });
      written(canvas, '∞', px, y.to - 9 * u, { fill: look.of('accent-ink'), font: look.text(700, 15), align: 'center', base: 'middle' });
    }
  }
}
