// The time bar: a graph, phases, impacts and the time that is shown, in one.

import { rounds } from './plane.js';
import { band, clamp, look, sized } from './look.js';
import { t } from './words.js';

/** Graphs that it can show. @type {[string, string, string, string][]} name, unit, colour */
export const SERIES = [['speed', 'Speed', 'm/s', 'v'], ['height', 'Height', 'm', 'pot'], ['push', 'Ground push', 'g', 'n'], ['energy', 'Energy', 'J', 'ink']];
const ENERGIES = [['height', 'pot'], ['speed', 'kin'], ['spin', 'spin'], ['heat', 'heat']];
/** What is still to come is as faint as this. */
const FAINT = 0.38;
/** Ticks of impacts nearer than this are one, pixels. */
const MERGED = 0.8;

/** @typedef {{ motion: import('./scene.js').Motion, states: import('./motion.js').State[], page: any, ball: number, events: import('./events.js').Happening[],
 *   piles: import('./events.js').Pile[], energies: (s: import('./motion.js').State) => number[], most: number }} Told What is told of a ball. */

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
    /** Of the values that are drawn. */
    this.low = 0;
    this.high = 1;
    this.layers = [0, 1].map(() => document.createElement('canvas'));
    let down = false;
    const at = (/** @type {PointerEvent} */ { offsetX }) => { const [left = 0, right = 1] = this.ends(); this.go(this.begin + clamp((offsetX - left) / (right - left), 0, 1) * (this.end - this.begin)); };
    element.addEventListener('pointerdown', (event) => {
      const pin = this.told?.piles.find(({ to }) => event.offsetY < 26 * look.unit && Math.abs(this.px(to) - event.offsetX) < 15 * look.unit);
      if (pin) return this.magnify(pin);
      down = true;
      element.setPointerCapture(event.pointerId);
      at(event);
    });
    element.addEventListener('pointermove', (event) => { if (down) at(event); });
    for (const end of ['pointerup', 'pointercancel']) element.addEventListener(end, () => { down = false; });
  }

  /** @param {Told} told @param {Told} [ghost] */
  show(told, ghost) {
    [this.told, this.ghost] = [told, ghost];
    [this.begin, this.end] = [told.motion.begin, Math.max(told.motion.end, ghost?.motion.end ?? -Infinity)];
    this.version += 1;
  }

  /** Where times are: left and right, pixels. @returns {number[]} */
  ends() { return [46 * look.unit, this.element.clientWidth - 16 * look.unit]; }

  /** @param {number} time @returns {number} */
  px(time) {
    const [left = 0, right = 1] = this.ends();
    return left + ((right - left) * (time - this.begin)) / (this.end - this.begin || 1);
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
    const key = [width, height, this.version, this.chosen, look.of('sky1'), look.unit, window.devicePixelRatio].join();
    if (key !== this.drawnFor) this.layers.forEach((layer, bright) => this.drawLayer(layer, Boolean(bright), width, height));
    this.drawnFor = key;
    const [u, now, ratio] = [look.unit, this.px(time), window.devicePixelRatio || 1];
    const [faint, bright] = /** @type {[HTMLCanvasElement, HTMLCanvasElement]} */ (this.layers);
    canvas.clearRect(0, 0, width, height);
    canvas.drawImage(faint, 0, 0, width, height);
    if (now > 1) canvas.drawImage(bright, 0, 0, now * ratio, bright.height, 0, 0, now, height);
    const { top, bottom, band: at } = this.rows(height);
    Object.assign(canvas, { strokeStyle: look.of('ink'), fillStyle: look.of('panel'), lineWidth: 2 * u });
    canvas.beginPath();
    canvas.moveTo(now, top - 2 * u);
    canvas.lineTo(now, at + 19 * u);
    canvas.stroke();
    canvas.lineWidth = 2.5 * u;
    canvas.beginPath();
    canvas.arc(now, at + 8.5 * u, 8 * u, 0, 7);
    canvas.fill();
    canvas.stroke();
    if (this.chosen === 'energy' || time > told.motion.end) return;
    const y = bottom - (bottom - top) * (this.value(told, told.motion.at(time)) - this.low) / (this.high - this.low);
    Object.assign(canvas, { fillStyle: look.of(SERIES.find(([key]) => key === this.chosen)?.[3] ?? 'v'), strokeStyle: look.of('panel'), lineWidth: 1.5 * u });
    canvas.beginPath();
    canvas.arc(now, clamp(y, top, bottom), 4.5 * u, 0, 7);
    canvas.fill();
    canvas.stroke();
  }

  /** Where the graph and the band of phases are. @param {number} height @returns {{ top: number, bottom: number, band: number }} */
  rows(height) {
    const u = look.unit;
    return { top: (this.told?.piles.length ? 20 : 8) * u, bottom: height - 43 * u, band: height - 35 * u };
  }

  /** All of it as it will be, or as it was up to now. @param {HTMLCanvasElement} layer @param {boolean} bright @param {number} width @param {number} height */
  drawLayer(layer, bright, width, height) {
    const { told, ghost } = this;
    if (!told) return;
    const [ratio, u] = [window.devicePixelRatio || 1, look.unit];
    [layer.width, layer.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const canvas = /** @type {CanvasRenderingContext2D} */ (layer.getContext('2d'));
    canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { top, bottom } = this.rows(height);
    const energy = this.chosen === 'energy';
    const values = (/** @type {Told | undefined} */ one) => (one && !energy ? one.states.map((state) => /** @type {[number, number]} */ ([state.time, this.value(one, state)])) : []);
    const [line, other] = [values(told), values(ghost)];
    let [low, high] = [0, energy ? told.most : this.chosen === 'push' ? 1 : 0];
    for (const [, value] of [...line, ...other]) [low, high] = [Math.min(low, value), Math.max(high, value)];
    [this.low, this.high] = [low, high + 0.06 * (high - low || 1)];
    const py = (/** @type {number} */ value) => bottom - ((bottom - top) * (value - this.low)) / (this.high - this.low);
    this.drawAxes(canvas, py, width, height, bright);
    if (energy) this.drawEnergies(canvas, told, py);
    const stroke = (/** @type {[number, number][]} */ values, /** @type {string} */ colour, /** @type {number} */ wide) => {
      canvas.beginPath();
      let last = NaN;
      values.forEach(([time, value], i) => { const x = this.px(time); if (i > 0 && x - last < 0.15 && i + 1 < values.length && values.length > 8 * width) return; last = x; if (i === 0) canvas.moveTo(x, py(value)); else canvas.lineTo(x, py(value)); });
      Object.assign(canvas, { strokeStyle: look.of(colour), lineWidth: wide * u, lineJoin: 'round' });
      canvas.stroke();
    };
    if (other.length > 0) { canvas.setLineDash([2 * u, 4 * u]); stroke(other, 'ghost', 1.8); canvas.setLineDash([]); }
    canvas.globalAlpha = bright ? 1 : FAINT;
    if (line.length > 0) stroke(line, SERIES.find(([key]) => key === this.chosen)?.[3] ?? 'v', bright ? 2.4 : 1.4);
    canvas.globalAlpha = 1;
    this.drawPhases(canvas, told, height);
  }

  /** @param {CanvasRenderingContext2D} canvas @param {(value: number) => number} py @param {number} width @param {number} height @param {boolean} bright */
  drawAxes(canvas, py, width, height, bright) {
    const [u, [left = 0, right = 1], { top, bottom, band: at }] = [look.unit, this.ends(), this.rows(height)];
    Object.assign(canvas, { font: look.text(500, 11.5), textBaseline: 'middle', lineWidth: 1 });
    const shown = (/** @type {number} */ value) => String(Number(value.toPrecision(4))).replace('-', '−');
    const size = Math.max(Math.abs(this.low), Math.abs(this.high));
    for (const value of rounds(this.low, this.high, clamp((bottom - top) / (22 * u), 1.6, 5)).filter((value) => py(value) > top - 2)) {
      canvas.strokeStyle = look.of('line');
      canvas.beginPath();
      canvas.moveTo(left, Math.round(py(value)) + 0.5);
      canvas.lineTo(right, Math.round(py(value)) + 0.5);
      if (!bright) canvas.stroke();
      Object.assign(canvas, { fillStyle: look.of('ink2'), textAlign: 'right' });
      if (!bright) canvas.fillText(size < 1e-3 || size >= 1e5 ? value.toExponential(0).replace('e', '·10^') : shown(value), left - 6 * u, py(value));
    }
    if (bright) return;
    canvas.textAlign = 'left';
    canvas.fillText(SERIES.find(([key]) => key === this.chosen)?.[2] ?? '', 2 * u, top - (this.told?.piles.length ? 8 : 0) * u);
    canvas.textAlign = 'center';
    const times = rounds(this.begin, this.end, (right - left) / (90 * u));
    times.forEach((time, i) => {
      canvas.fillText(shown(time) + (i === 0 ? ' s' : ''), clamp(this.px(time), 10 * u, width - 14 * u), height - 7 * u);
      canvas.fillRect(this.px(time) - 0.5, at + 17 * u, 1, 4 * u);
    });
  }

  /** Energies on each other. @param {CanvasRenderingContext2D} canvas @param {Told} told @param {(value: number) => number} py */
  drawEnergies(canvas, told, py) {
    const rows = told.states.map((state) => told.energies(state));
    let below = rows.map(() => 0);
    ENERGIES.forEach(([name = '', colour = ''], k) => {
      const above = rows.map((row, i) => (below[i] ?? 0) + (row[k] ?? 0));
      canvas.beginPath();
      above.forEach((value, i) => canvas.lineTo(this.px(told.states[i]?.time ?? 0), py(value)));
      for (let i = rows.length - 1; i >= 0; i--) canvas.lineTo(this.px(told.states[i]?.time ?? 0), py(below[i] ?? 0));
      canvas.globalAlpha = 0.75;
      canvas.fillStyle = look.of(colour);
      canvas.fill();
      canvas.globalAlpha = 1;
      const thick = (/** @type {number} */ i) => py(below[i] ?? 0) - py(above[i] ?? 0);
      const [from = 0, to = 1] = this.ends();
      let best = -1;
      rows.forEach((_, i) => { const x = this.px(told.states[i]?.time ?? 0); if (x > from + 30 * look.unit && x < to - 40 * look.unit && thick(i) > (best < 0 ? 15 * look.unit : thick(best))) best = i; });
      if (best >= 0) {
        canvas.font = look.text(650, 11.5);
        canvas.textBaseline = 'middle';
        canvas.textAlign = 'center';
        canvas.fillStyle = look.of('panel');
        canvas.fillText(t(name), this.px(told.states[best]?.time ?? 0), (py(below[best] ?? 0) + py(above[best] ?? 0)) / 2);
      }
      below = above;
    });
  }

  /** Phases, ticks of impacts, and pins where bounces pile up. @param {CanvasRenderingContext2D} canvas @param {Told} told @param {number} height */
  drawPhases(canvas, { motion, events, piles }, height) {
    const [u, { top, band: at }] = [look.unit, this.rows(height)];
    for (let i = 0; i < motion.count; i++) {
      const [phase, from] = [motion.phase(i), this.px(motion.from(i))];
      while (i + 1 < motion.count && motion.phase(i + 1) === phase) i++;
      const wide = this.px(motion.to(i)) - from;
      if (wide < 0.4) continue;
      band(canvas, [from, at, Math.max(1, wide - 1), 17 * u], phase, look.of('ink2'));
      canvas.font = look.text(600, 11);
      const name = t(phase === 'flight' ? 'flying' : phase);
      const room = canvas.measureText(name).width + 8 * u;
      if (wide < room + 6 * u) continue;
      canvas.fillStyle = look.of('panel');
      canvas.beginPath();
      canvas.roundRect(from + wide / 2 - room / 2, at + 2 * u, room, 13 * u, 4 * u);
      canvas.fill();
      Object.assign(canvas, { fillStyle: look.of('ink'), textAlign: 'center', textBaseline: 'middle' });
      canvas.fillText(name, from + wide / 2, at + 9 * u);
    }
    const most = events.reduce((found, { impulse }) => Math.max(found, impulse), 0) || 1;
    let [last, tall] = [-Infinity, 0];
    canvas.fillStyle = look.of('ball');
    for (const { time, kind, impulse } of events) {
      const [x, high] = [this.px(time), (5 + 13 * Math.sqrt(impulse / most)) * u];
      if (kind !== 'impact' || (x - last < MERGED && high <= tall)) continue;
      [last, tall] = [x, high];
      canvas.fillRect(x - 0.8 * u, at - high + 4 * u, 1.6 * u, high);
    }
    for (const { to } of piles) {
      const x = this.px(to);
      Object.assign(canvas, { strokeStyle: look.of('accent'), fillStyle: look.of('accent'), lineWidth: 1.5 * u });
      canvas.setLineDash([2 * u, 3 * u]);
      canvas.beginPath();
      canvas.moveTo(x, top - 2 * u);
      canvas.lineTo(x, at);
      canvas.stroke();
      canvas.setLineDash([]);
      canvas.beginPath();
      canvas.roundRect(x - 14 * u, top - 18 * u, 28 * u, 17 * u, 8.5 * u);
      canvas.fill();
      Object.assign(canvas, { fillStyle: look.of('accent-ink'), font: look.text(700, 15), textAlign: 'center', textBaseline: 'middle' });
      canvas.fillText('∞', x, top - 9 * u);
    }
  }
}
