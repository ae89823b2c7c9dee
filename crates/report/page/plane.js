// Any quantity over any other.

import { plain } from './format.js';
import { originOf, rounding, sizes } from './quantities.js';
import { TOGETHER } from './scene.js';

const PLANE_HEIGHT = 220;
/** Points nearer to the one drawn before are not seen, pixels. */
const SEEN = 0.25;

/** A graph whose axes are chosen. */
export class Plane {
  /** @param {HTMLElement} place @param {(time: number) => void} go */
  constructor(place, go) {
    this.time = 0;
    this.width = 200;
    this.unit = 1;
    /** @type {import('./quantities.js').Quantity[]} */
    this.list = [];
    /** @type {import('./motion.js').State[]} */
    this.states = [];
    const box = document.createElement('div');
    box.className = 'panel';
    box.innerHTML = '<h2><span><select aria-label="upwards"></select> over <select aria-label="to the right"></select></span><span class="paper"></span></h2><div class="plane"><canvas></canvas><div class="dot"></div></div><p class="values"></p>';
    this.selects = [...box.querySelectorAll('select')];
    const [line, dot, values] = ['canvas', '.dot', '.values'].map((name) => box.querySelector(name));
    if (!(line instanceof HTMLCanvasElement && dot instanceof HTMLElement && values instanceof HTMLElement)) throw new Error('no plane');
    this.line = line;
    this.dot = dot;
    this.values = values;
    place.append(box);
    this.selects.forEach((select) => select.addEventListener('change', () => { this.draw(); this.at(this.time); }));
    line.addEventListener('pointermove', (event) => this.hover(this.nearest(event)));
    line.addEventListener('click', (event) => { const state = this.nearest(event); if (state) go(state.time); });
  }

  /** @param {import('./scene.js').Motion} motion @param {import('./motion.js').State[]} states @param {number} width pixels @param {number} unit size of text by the usual @param {import('./quantities.js').Quantity[]} list */
  show(motion, states, width, unit, list) {
    this.width = width;
    this.unit = unit;
    this.motion = motion;
    if (this.list.length === 0) {
      const chosen = ['vy', 'y'];
      this.selects.forEach((select, i) => {
        select.innerHTML = list.map(({ key, label, unit }) => `<option value="${key}"${key === chosen[i] ? ' selected' : ''}>${named(label, unit)}</option>`).join('');
      });
    }
    this.list = list;
    this.states = states;
    this.draw();
  }

  /** What is chosen: upwards, to the right. */
  chosen() {
    return this.selects.map((select) => this.list.find(({ key }) => key === select.value));
  }

  /** The line and the axes. */
  draw() {
    const { width, unit } = this;
    const ratio = (width < 400 ? 2 : 1) * devicePixelRatio;
    const height = PLANE_HEIGHT * unit;
    const [west, east, north, south] = [70 * unit, width - 48, 10 * unit, height - 30 * unit];
    this.line.width = width * ratio;
    this.line.height = height * ratio;
    this.line.style.cssText = `width: ${width}px; height: ${height}px`;
    const context = this.line.getContext('2d');
    const [ys, xs] = this.chosen();
    if (!xs || !ys || !context) return;
    const written = this.selects[0]?.closest('h2')?.querySelector('.paper');
    if (written) written.textContent = `${named(ys.label, ys.unit)} over ${named(xs.label, xs.unit)}`;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const greatest = sizes(this.list, this.states);
    const extent = (/** @type {import('./quantities.js').Quantity} */ quantity) => {
      const most = greatest.get(quantity.unit);
      let [low, high] = [Infinity, -Infinity];
      for (const state of this.states) {
        const value = quantity.of(state);
        [low, high] = [Math.min(low, value), Math.max(high, value)];
      }
      const origin = originOf([[low, high]], most);
      return /** @type {const} */ ([origin, ...span(low - origin, high - origin, most)]);
    };
    const [[x0, left, right], [y0, low, high]] = [extent(xs), extent(ys)];
    const px = (/** @type {number} */ x) => west + ((x - left) / (right - left)) * (east - west);
    const py = (/** @type {number} */ y) => south - ((y - low) / (high - low)) * (south - north);
    const pixel = (/** @type {import('./motion.js').State} */ state) => /** @type {[number, number]} */ ([px(xs.of(state) - x0), py(ys.of(state) - y0)]);
    this.pixel = pixel;
    context.font = `${12 * unit}px system-ui, Arial`;
    context.strokeStyle = '#eee';
    context.fillStyle = '#333';
    const rule = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ u, /** @type {number} */ v) => {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(u, v);
      context.stroke();
    };
    context.textAlign = 'center';
    for (const x of rounds(left, right, (east - west) / (80 * unit))) {
      rule(px(x), north, px(x), south);
      context.fillText(plain(x), px(x), south + 17 * unit);
    }
    // What the numbers count from, where they differ only in digits that have no room.
    if (x0 !== 0) context.fillText(`from ${plain(x0, 16)} ${xs.unit} on`, 0.5 * width, south + 29 * unit);
    context.textAlign = 'left';
    if (y0 !== 0) context.fillText(`from ${plain(y0, 16)} ${ys.unit} on`, west + 4, 9 * unit);
    context.textAlign = 'right';
    for (const y of rounds(low, high, 6)) {
      rule(west, py(y), east, py(y));
      context.fillText(plain(y), west - 5 * unit, py(y) + 4 * unit);
    }
    context.strokeStyle = '#0072B2';
    context.lineWidth = 1.4;
    context.lineJoin = 'round';
    context.beginPath();
    let [last, points, time] = [[NaN, NaN], 0, NaN];
    for (const state of this.states) {
      // Two states of one time are before and after what makes the ball jump: no line leads from one to the other.
      if (state.time === time) last = [NaN, NaN];
      time = state.time;
      const at = pixel(state);
      const [dx, dy] = [(at[0] ?? 0) - (last[0] ?? 0), (at[1] ?? 0) - (last[1] ?? 0)];
      if (Math.abs(dx) + Math.abs(dy) < SEEN) continue;
      if (points > TOGETHER) {
        context.stroke();
        context.beginPath();
        context.moveTo(last[0] ?? 0, last[1] ?? 0);
        points = 0;
      }
      context[Number.isNaN(dx) ? 'moveTo' : 'lineTo'](at[0] ?? 0, at[1] ?? 0);
      points += 1;
      last = at;
    }
    context.stroke();
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

  /** Values of a state. @param {import('./motion.js').State | undefined} state */
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

/** Round numbers between two, some so many and two at least. @param {number} low @param {number} high @param {number} most @returns {number[]} */
export function rounds(low, high, most) {
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

/** A range that is not empty; of what is the same but for rounding as wide as a tenth of what else has its unit.
 * @param {number} low @param {number} high @param {number} [most] the greatest size of that @returns {[number, number]} */
export function span(low, high, most = 0) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = high - low > rounding(most) ? 0.05 * (high - low) : 0.1 * Math.max(Math.abs(high), most) || 1;
  return [low - room, high + room];
}
