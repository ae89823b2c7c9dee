// Any quantity over any other.

import { plain } from './format.js';
import { quantities } from './quantities.js';

const PLANE_HEIGHT = 220;
/** Points drawn. */
const PLANE_POINTS = 8000;

/** A graph whose axes are chosen. */
export class Plane {
  /** @param {HTMLElement} place @param {any} page @param {number} ball */
  constructor(place, page, ball) {
    this.place = place;
    this.time = 0;
    this.list = quantities(page, ball);
    /** @type {import('./motion.js').State[]} */
    this.states = [];
    const box = document.createElement('div');
    box.className = 'panel';
    const choice = (/** @type {string} */ chosen) => this.list.map(({ key, label, unit }) => `<option value="${key}"${key === chosen ? ' selected' : ''}>${label} [${unit}]</option>`).join('');
    box.innerHTML = `<h2><select aria-label="upwards">${choice('vy')}</select> over <select aria-label="to the right">${choice('y')}</select></h2>`;
    this.selects = [...box.querySelectorAll('select')];
    this.line = document.createElement('canvas');
    this.dot = document.createElement('div');
    this.dot.className = 'dot';
    const frame = document.createElement('div');
    frame.className = 'plane';
    frame.append(this.line, this.dot);
    box.append(frame);
    place.append(box);
    this.selects.forEach((select) => select.addEventListener('change', () => { this.draw(); this.at(this.time); }));
  }

  /** @param {import('./scene.js').Motion} motion @param {import('./motion.js').State[]} states */
  show(motion, states) {
    this.motion = motion;
    const step = Math.ceil(states.length / PLANE_POINTS);
    this.states = step > 1 ? states.filter((_, i) => i % step === 0) : states;
    this.draw();
  }

  /** The line and the axes. */
  draw() {
    const width = Math.max(200, this.place.clientWidth);
    const ratio = devicePixelRatio;
    this.line.width = width * ratio;
    this.line.height = PLANE_HEIGHT * ratio;
    this.line.style.cssText = `width: ${width}px; height: ${PLANE_HEIGHT}px`;
    const context = this.line.getContext('2d');
    const [ys, xs] = this.selects.map((select) => this.list.find(({ key }) => key === select.value));
    if (!xs || !ys || !context) return;
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
    const px = (/** @type {number} */ x) => 62 + ((x - left) / (right - left)) * (width - 80);
    const py = (/** @type {number} */ y) => 190 - ((y - low) / (high - low)) * 180;
    this.pixel = (/** @type {import('./motion.js').State} */ state) => /** @type {[number, number]} */ ([px(xs.of(state)), py(ys.of(state))]);
    context.font = '12px system-ui, Arial';
    context.strokeStyle = '#999';
    context.strokeRect(62, 10, width - 80, 180);
    context.fillStyle = '#333';
    for (let i = 0; i <= 4; i++) {
      const [x, y] = [left + ((right - left) * i) / 4, low + ((high - low) * i) / 4];
      context.textAlign = 'center';
      context.fillText(plain(x, 3), px(x), 207);
      context.textAlign = 'right';
      context.fillText(plain(y, 3), 57, py(y) + 4);
    }
    context.strokeStyle = '#0072B2';
    context.lineWidth = 1.4;
    context.lineJoin = 'round';
    context.beginPath();
    this.states.forEach((state, i) => context[i === 0 ? 'moveTo' : 'lineTo'](px(xs.of(state)), py(ys.of(state))));
    context.stroke();
  }

  /** Marks a time. @param {number} time */
  at(time) {
    this.time = time;
    if (!this.pixel || !this.motion) return;
    const [x, y] = this.pixel(this.motion.at(time));
    this.dot.style.transform = `translate(${x}px, ${y}px)`;
  }
}

/** A range that is not empty. @param {any} _ @param {number} low @param {number} high @returns {[number, number]} */
export function span(_, low, high) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = high > low ? 0.05 * (high - low) : 0.1 * Math.abs(high) || 1;
  return [low - room, high + room];
}
