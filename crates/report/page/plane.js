// Any quantity over any other.

import { plain } from './format.js';

const PLANE_HEIGHT = 220;
/** Points drawn. */
const PLANE_POINTS = 8000;

/** A graph whose axes are chosen. */
export class Plane {
  /** @param {HTMLElement} place @param {(time: number) => void} go */
  constructor(place, go) {
    this.time = 0;
    this.width = 200;
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

  /** @param {import('./scene.js').Motion} motion @param {import('./motion.js').State[]} states @param {number} width pixels @param {import('./quantities.js').Quantity[]} list */
  show(motion, states, width, list) {
    this.width = width;
    this.motion = motion;
    if (this.list.length === 0) {
      const chosen = ['vy', 'y'];
      this.selects.forEach((select, i) => {
        select.innerHTML = list.map(({ key, label, unit }) => `<option value="${key}"${key === chosen[i] ? ' selected' : ''}>${label} [${unit}]</option>`).join('');
      });
    }
    this.list = list;
    const step = Math.ceil(states.length / PLANE_POINTS);
    this.states = step > 1 ? states.filter((_, i) => i % step === 0) : states;
    this.draw();
  }

  /** What is chosen: upwards, to the right. */
  chosen() {
    return this.selects.map((select) => this.list.find(({ key }) => key === select.value));
  }

  /** The line and the axes. */
  draw() {
    const { width } = this;
    const ratio = devicePixelRatio;
    this.line.width = width * ratio;
    this.line.height = PLANE_HEIGHT * ratio;
    this.line.style.cssText = `width: ${width}px; height: ${PLANE_HEIGHT}px`;
    const context = this.line.getContext('2d');
    const [ys, xs] = this.chosen();
    if (!xs || !ys || !context) return;
    const written = this.selects[0]?.closest('h2')?.querySelector('.paper');
    if (written) written.textContent = `${ys.label} [${ys.unit}] over ${xs.label} [${xs.unit}]`;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const extent = (/** @type {import('./quantities.js').Quantity} */ quantity) => {
      let [low, high] = [Infinity, -Infinity];
      for (const state of this.states) {
        const value = quantity.of(state);
        [low, high] = [Math.min(low, value), Math.max(high, value)];
      }
      return span(null, low, high);
    };
    const [[left, right], [low, high]] = [extent(xs), extent(ys)];
    const px = (/** @type {number} */ x) => 62 + ((x - left) / (right - left)) * (width - 110);
    const py = (/** @type {number} */ y) => 190 - ((y - low) / (high - low)) * 180;
    this.pixel = (/** @type {import('./motion.js').State} */ state) => /** @type {[number, number]} */ ([px(xs.of(state)), py(ys.of(state))]);
    context.font = '12px system-ui, Arial';
    context.strokeStyle = '#eee';
    context.fillStyle = '#333';
    const rule = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ u, /** @type {number} */ v) => {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(u, v);
      context.stroke();
    };
    context.textAlign = 'center';
    for (const x of rounds(left, right, (width - 110) / 90)) {
      rule(px(x), 10, px(x), 190);
      context.fillText(plain(x), px(x), 207);
    }
    context.textAlign = 'right';
    for (const y of rounds(low, high, 6)) {
      rule(62, py(y), width - 48, py(y));
      context.fillText(plain(y), 57, py(y) + 4);
    }
    context.strokeStyle = '#0072B2';
    context.lineWidth = 1.4;
    context.lineJoin = 'round';
    context.beginPath();
    this.states.forEach((state, i) => context[i === 0 ? 'moveTo' : 'lineTo'](px(xs.of(state)), py(ys.of(state))));
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

/** Round numbers between two, at most so many. @param {number} low @param {number} high @param {number} most @returns {number[]} */
function rounds(low, high, most) {
  const least = (high - low) / Math.max(2, most);
  const decade = 10 ** Math.floor(Math.log10(least));
  const size = [1, 2, 5].map((digit) => digit * decade).find((step) => step >= least) ?? 10 * decade;
  const first = Math.ceil(low / size);
  const count = Math.max(0, Math.min(40, Math.floor(high / size) - first + 1));
  return Array.from({ length: count }, (_, i) => Number(((first + i) * size).toPrecision(12)));
}

/** A range that is not empty. @param {any} _ @param {number} low @param {number} high @returns {[number, number]} */
export function span(_, low, high) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = high > low ? 0.05 * (high - low) : 0.1 * Math.abs(high) || 1;
  return [low - room, high + room];
}
