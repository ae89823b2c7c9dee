// The Zeno magnifier: bounces that pile up, in a time that counts in decades to their end.

import { si } from './format.js';
import { circle, clamp, dragged, look, marble, mark, polyline, rectangle, sized, written } from './look.js';
import { t } from './words.js';

/** Things as high as a hop, m. @type {[number, string][]} */
const LIKE = [[2e-2, ''], [4e-3, 'a fingertip'], [1e-3, 'a grain of rice'], [1.5e-4, 'a grain of sand'], [3e-5, 'a hair'], [3e-6, 'a blood cell'], [3e-7, 'a bacterium'], [3e-8, 'a virus'],
  [4e-9, 'the skin of a cell'], [4e-10, 'a molecule'], [4e-11, 'an atom'], [0, 'less than an atom']];
/** A decade lasts so long, s; and so long it halts where all the rest is one sum. */
const DECADE = 3;
export const HALT = 1.2;
/** Time is not told more finely, by that of the run. */
const FINEST = 1e-13;

export class Lens {
  /** @param {HTMLElement} place @param {(time: number) => void} go */
  constructor(place, go) {
    this.place = place;
    /** @type {import('./events.js').Pile | undefined} */ this.pile = undefined;
    this.open = false;
    this.tape = /** @type {HTMLCanvasElement} */ (place.querySelector('#tape'));
    this.log = /** @type {HTMLCanvasElement} */ (place.querySelector('#log'));
    this.about = place.querySelector('#lens-about');
    this.slow = /** @type {HTMLInputElement} */ (place.querySelector('#lens-slow'));
    this.values = [...place.querySelectorAll('.row b')];
    this.alike = place.querySelector('.row > :last-child > :last-child');
    const at = (/** @type {PointerEvent} */ { offsetX }) => {
      if (!this.pile) return;
      const { to } = this.pile;
      const [first = 0, last = -1, left = 0, right = 1] = this.range();
      const along = (offsetX - left) / (right - left);
      go(along > 1.02 ? to : to - 10 ** (first - (first - last) * clamp(along, 0, 1)));
    };
    dragged(this.log, at, at);
  }

  /** Seconds of the run in a second that leave a decade its time. @param {number} time @returns {number} */
  rate(time) {
    if (!this.open || !this.pile || !this.slow.checked || time >= this.pile.to) return Infinity;
    return (Math.max(this.pile.to - time, FINEST * this.pile.to) * Math.LN10) / DECADE;
  }

  /** From what is nearly its end to the end. @param {number} from @param {number} to @returns {{ time: number, halt: number }} */
  pass(from, to) {
    const { pile } = this;
    if (!this.open || !pile || !this.slow.checked || from >= pile.to || pile.to - to > 0.2 * (pile.to - pile.summed)) return { time: to, halt: 0 };
    return { time: pile.to, halt: HALT };
  }

  /** Decades of the time left at both ends, and where they are, pixels. @returns {number[]} */
  range() {
    const { pile: { from, to, summed } = { from: 0, to: 1, summed: 0 }, log } = this;
    return [Math.log10((to - from) * 1.25), Math.log10(Math.max(to - summed, 1e-16 * to, 1e-300)), 10 * look.unit, log.clientWidth - 74 * look.unit];
  }

  /** @param {number} time @param {{ angle: number, phase: string }} state @param {string} after phase in which it ends */
  draw(time, state, after) {
    const { pile } = this;
    if (!this.open || !pile) return;
    const left = Math.max(pile.to - time, 1e-300);
    const hop = time < pile.to ? pile.hops.find(({ time: from, last }) => time >= from && time < from + last) : undefined;
    this.drawTape(pile, time, left, hop, state, after);
    this.drawLog(pile, time, left);
    const done = time >= pile.to;
    const words = [done ? '0 s' : si(left, 's'), done ? '∞' : t('{0} of ∞', hop?.number ?? 0), done ? '0 m' : hop ? si(hop.height, 'm') : '–'];
    this.values.forEach((place, i) => { place.textContent = words[i] ?? ''; });
    const alike = hop && !done ? LIKE.find(([height]) => hop.height > height)?.[1] : '';
    if (this.alike) this.alike.textContent = alike ? `≈ ${t(alike)}` : '';
    if (this.about) this.about.textContent = t('each hop lasts {0} × the last', Number(pile.ratio.toPrecision(3)));
    this.log.setAttribute('aria-valuetext', `${words[0]} ${t('to go')}`);
  }

  /** Hops, each at its own scale, so that all are alike. @param {import('./events.js').Pile} pile @param {number} time @param {number} left s
   * @param {import('./events.js').Hop | undefined} hop @param {{ angle: number }} state @param {string} after */
  drawTape(pile, time, left, hop, state, after) {
    const [canvas, width, height] = sized(this.tape);
    const [u, ground, done, middle] = [look.unit, height - 17 * look.unit, time >= pile.to, width * 0.5];
    const fill = (/** @type {string} */ colour, /** @type {number} */ from, /** @type {number} */ tall) => { canvas.fillStyle = look.of(colour); canvas.fillRect(0, from, width, tall); };
    fill('sky2', 0, height);
    fill('earth2', ground, height);
    fill('edge', ground, 2.4 * u);
    // Pixels of a decade, so that a hop has room; where now is.
    const decade = clamp(width / 5.2, 70 * u, 150 * u) / -Math.log10(clamp(pile.ratio, 0.05, 0.98));
    const now = -Math.log10(done ? (pile.hops.at(-1)?.left ?? 1) * pile.ratio : left);
    const px = (/** @type {number} */ rest) => middle + (-Math.log10(Math.max(rest, 1e-300)) - now) * decade;
    const high = ground - 30 * u;
    for (const { time: from, last, left: rest, number, summed, height: rise } of pile.hops) {
      const [x0, x1] = [px(rest), px(Math.max(rest - last, 1e-300))];
      if (x1 < -20 || x0 > width + 20) continue;
      const points = Array.from({ length: 25 }, (_, i) => [px(rest - (i / 24) * last), ground - (high * 4 * (i / 24) * (24 - i)) / 24, from + (i / 24) * last]);
      for (const past of [true, false]) {
        const seen = points.filter(([, , at = 0]) => (past ? at <= time : at >= time));
        mark(canvas, polyline(seen), { stroke: look.of('trail'), alpha: past ? 0.9 : 0.4, width: (past ? 2.2 : 1.5) * u, dash: !past && summed ? [2, 5] : [] });
      }
      if (x1 - x0 > 44 * u) written(canvas, si(rise, 'm', 2), (x0 + x1) / 2, height - 4.5 * u, { fill: look.of('onearth'), font: look.text(600, 11), align: 'center' });
      mark(canvas, (path) => path.arc(x0, ground + u, 5.5 * u, 0, Math.PI), { fill: look.of('ball') });
      if (x1 - x0 > 30 * u) written(canvas, `№ ${number}`, (x0 + x1) / 2, 13 * u, { fill: look.of('ink2'), font: look.text(500, 11), align: 'center' });
    }
    if (time < pile.from) return written(canvas, t('the bouncing begins at {0} s', pile.from.toFixed(3)), middle, height / 2 - 8 * u, { fill: look.of('ink2'), font: look.text(500, 13), align: 'center', halo: 5 * u });
    const part = hop && !done ? (time - hop.time) / hop.last : 0;
    marble(canvas, [middle, ground - high * 4 * part * (1 - part) - 10 * u, 10 * u], state.angle, 0, look.of('ball'));
    if (!done) return;
    written(canvas, t('All the rest in one sum.'), middle + 26 * u, ground - 44 * u, { fill: look.of('ink'), font: look.text(700, 14) });
    written(canvas, t({ resting: 'Now it rests.', rolling: 'Now it rolls.' }[after] ?? 'Now it slides.'), middle + 26 * u, ground - 24 * u, { fill: look.of('ink2'), font: look.text(500, 13) });
  }

  /** The time left, in decades. @param {import('./events.js').Pile} pile @param {number} time @param {number} left s */
  drawLog(pile, time, left) {
    const [canvas, width, height] = sized(this.log);
    const [u, y, [first = 0, last = -1, from = 0, to = 1]] = [look.unit, 15 * look.unit, this.range()];
    const px = (/** @type {number} */ rest) => from + ((to - from) * (first - Math.log10(rest))) / (first - last);
    canvas.clearRect(0, 0, width, height);
    const bar = (/** @type {string} */ colour, /** @type {number} */ left, /** @type {number[]} */ round) => mark(canvas, rectangle(left, y - 7 * u, width - left - 4 * u, 14 * u, round), { fill: look.of(colour) });
    bar('soft', from, [7 * u]);
    canvas.fillStyle = look.of('ball');
    for (const { left: rest, summed } of pile.hops) if (!summed && px(rest) >= from && px(rest) <= to) canvas.fillRect(px(rest) - 0.7 * u, y - 7 * u, 1.4 * u, 14 * u);
    bar('accent', to, [0, 7 * u, 7 * u, 0]);
    written(canvas, '∞', (to + width - 4 * u) / 2, y + 0.5, { fill: look.of('accent-ink'), font: look.text(700, 15), align: 'center', base: 'middle' });
    const every = Math.max(1, Math.ceil((46 * u * (first - last)) / (to - from)));
    const below = (/** @type {string} */ words, /** @type {number} */ x, /** @type {CanvasTextAlign} */ align) => written(canvas, words, x, y + 20 * u, { fill: look.of('ink2'), font: look.text(500, 11), align, base: 'middle' });
    for (let decade = Math.floor(first); decade >= last; decade--) {
      const x = px(10 ** decade);
      if (x < from || x > to - 30 * u) continue;
      if (decade % every === 0) below(si(10 ** decade, 's', 1), Math.max(x, 22 * u), 'center');
      canvas.fillRect(x - 0.5, y + 8 * u, 1, 4 * u);
    }
    below(`${pile.to.toFixed(6)} s`, width - 2 * u, 'right');
    mark(canvas, circle(time >= pile.to ? width - 16 * u : clamp(px(left), from, width - 14 * u), y, 8 * u), { fill: look.of('panel'), stroke: look.of('ink'), width: 2.5 * u });
  }
}
