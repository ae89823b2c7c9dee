// Scales, axes and lines of graphs: those of the drawer, any quantity over any other, and the one below the picture.

import { raised } from './format.js';
import { look, mark, written } from './look.js';
import { rounding } from './quantities.js';

/** Points of a line within this many pixels are one column, of which the least and the greatest are drawn. */
const COLUMN = 0.5;

/** Numbers along a line of pixels. */
export class Scale {
  /** @param {number[]} range @param {number[]} pixels where both ends are @param {boolean} [decades] whether it counts in them */
  constructor([low = 0, high = 1], [from = 0, to = 1], decades = false) {
    this.low = low;
    this.high = high;
    this.from = from;
    this.to = to;
    this.decades = decades;
  }

  /** @param {number} value @returns {number} */
  px(value) {
    const { low, high, from, to } = this;
    return from + (to - from) * (this.decades ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low || 1));
  }

  /** @param {number} px @returns {number} */
  at(px) {
    const { low, high, from, to } = this;
    const part = (px - from) / (to - from);
    return this.decades ? low * (high / low) ** part : low + part * (high - low);
  }

  /** Round numbers on it, about so many pixels apart. @param {number} space @returns {number[]} */
  ticks(space) {
    return this.decades ? decades(this.low, this.high) : rounds(this.low, this.high, Math.abs(this.to - this.from) / space);
  }
}

/** Draws lines and numbers of both axes. @param {CanvasRenderingContext2D} canvas @param {Scale} x @param {Scale} y
 * @param {{ unit: number, ink: string, rule: string, space: number[], names: ((value: number) => string)[], upright?: boolean }} how `space`: between numbers, pixels
 * @returns {{ ticks: number[], labels: string[] }[]} of each axis */
export function axes(canvas, x, y, { unit, ink, rule, space: [wide = 90, high = 24], names: [nameX = String, nameY = String], upright = true }) {
  const [xs, ys] = [x.ticks(wide), y.ticks(high)];
  const lines = (/** @type {CanvasRenderingContext2D} */ path) => {
    for (const value of ys) { path.moveTo(x.from, Math.round(y.px(value)) + 0.5); path.lineTo(x.to, Math.round(y.px(value)) + 0.5); }
    for (const value of upright ? xs : []) { path.moveTo(Math.round(x.px(value)) + 0.5, y.from); path.lineTo(Math.round(x.px(value)) + 0.5, y.to); }
  };
  mark(canvas, lines, { stroke: rule });
  const [below, beside] = [xs.map((value) => nameX(value)), ys.map((value) => nameY(value))];
  ys.forEach((value, i) => written(canvas, beside[i] ?? '', x.from - 6 * unit, y.px(value), { fill: ink, align: 'right', base: 'middle' }));
  if (upright) xs.forEach((value, i) => written(canvas, below[i] ?? '', x.px(value), y.from + 13 * unit, { fill: ink, align: 'center', base: 'middle' }));
  return [{ ticks: xs, labels: below }, { ticks: ys, labels: beside }];
}

/** A line through points, some of which are not there: a gap, unless it is spanned. Points that share a column of pixels are drawn as their first, least, greatest and last.
 * @param {ArrayLike<number>} times @param {ArrayLike<number | null>} values @param {Scale} x @param {Scale} y @param {{ spans?: boolean, back?: boolean }} [how] `back`: from the last to the first
 * @returns {(path: CanvasRenderingContext2D) => void} */
export const line = (times, values, x, y, { spans = false, back = false } = {}) => (path) => {
  let [column, low, high, lastX, lastY, begun, many] = [NaN, 0, 0, 0, 0, back, false];
  const flush = () => { if (many) for (const [px, py] of [[lastX, low], [lastX, high], [lastX, lastY]]) path.lineTo(px ?? 0, py ?? 0); many = false; };
  for (let k = 0; k < times.length; k++) {
    const i = back ? times.length - 1 - k : k;
    const value = values[i] ?? null;
    if (value === null || Number.isNaN(value)) {
      flush();
      begun &&= spans;
      column = NaN;
      continue;
    }
    const [px, py] = [x.px(times[i] ?? 0), y.px(value)];
    const own = Math.floor(px / COLUMN);
    if (begun && own === column) [low, high, many] = [Math.min(low, py), Math.max(high, py), true];
    else {
      flush();
      if (begun) path.lineTo(px, py); else path.moveTo(px, py);
      [low, high, begun, column] = [py, py, true, own];
    }
    [lastX, lastY] = [px, py];
  }
  flush();
};

/** Round numbers between two, some so many and two at least. @param {number} low @param {number} high @param {number} most @returns {number[]} */
function rounds(low, high, most) {
  const least = (high - low) / Math.max(2, most);
  const decade = 10 ** Math.floor(Math.log10(least));
  const steps = [0.5, 1, 2, 5, 10].map((digit) => digit * decade);
  const fit = steps.findIndex((step) => step >= least);
  const few = (/** @type {number} */ step) => Math.floor(high / step) <= Math.ceil(low / step);
  const size = (few(steps[fit] ?? decade) ? steps[fit - 1] : steps[fit]) ?? 10 * decade;
  const first = Math.ceil(low / size);
  const count = Math.max(0, Math.min(40, Math.floor(high / size) - first + 1));
  return Array.from({ length: count }, (_, i) => Number(((first + i) * size).toPrecision(12)));
}

/** Some powers of ten. @param {number} low @param {number} high @returns {number[]} */
function decades(low, high) {
  const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((to - from) / 5));
  return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, i) => Number(`1e${from + i * step}`));
}

/** A power of ten as it is written. @param {number} value @returns {string} */
export const decade = (value) => `10${raised(Math.round(Math.log10(value)))}`;

/** A range that is not empty; of what is the same but for rounding as wide as a tenth of what else has its unit.
 * @param {number} low @param {number} high @param {number} [most] the greatest size of that @returns {[number, number]} */
export function span(low, high, most = 0) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = high - low > rounding(most) ? 0.05 * (high - low) : 0.1 * Math.max(Math.abs(high), most) || 1;
  return [low - room, high + room];
}

/** A range of whole decades. @param {number} low @param {number} high @returns {[number, number]} */
export function inDecades(low, high) {
  if (!(low > 0 && high > 0)) return [1e-3, 1];
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  return [Number(`1e${from}`), Number(`1e${to > from ? to : from + 1}`)];
}

/** Font of graphs that have their own paper. @param {number} unit @param {string} [weight] @returns {string} */
export const font = (unit, weight = '') => `${weight} ${12 * unit}px ${look.font}`;
