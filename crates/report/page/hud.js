// What is read in the picture: numbers, energies, one sentence for each event, and what was checked.

import { lastUpTo } from './events.js';
import { text } from './files.js';
import { plain, raised, si, velocity } from './format.js';
import { clamp } from './look.js';
import { swatch } from './scene.js';
import { t } from './words.js';

/** @typedef {import('./strip.js').Told} Told */

/** From how many hops on a pile is said to be one. */
const PILED = 6;
const VERBS = { resting: 'rests', rolling: 'rolls', sliding: 'slides' };

/** What is told of a ball. @param {import('./scene.js').Motion} motion @param {any} page @param {number} ball @param {import('./motion.js').State[]} states
 * @param {import('./events.js').Happening[]} events @param {import('./events.js').Pile[]} piles @returns {Told} */
export function account(motion, page, ball, states, events, piles) {
  const { mass, inertia } = page.balls[ball];
  const [gx, gy] = page.gravity;
  const potential = (/** @type {import('./motion.js').State} */ s) => s.elastic - mass * (gx * s.x + gy * s.y);
  const least = states.reduce((found, state) => Math.min(found, potential(state)), Infinity);
  const energies = (/** @type {import('./motion.js').State} */ s) => [Math.max(0, potential(s) - least), 0.5 * mass * s.square, 0.5 * inertia * s.turning, Math.max(0, s.dissipated)];
  const most = states.reduce((found, state) => Math.max(found, energies(state).reduce((a, b) => a + b)), 0);
  const strongest = events.reduce((found, { impulse }) => Math.max(found, impulse), 0) || 1;
  return { motion, states, page, ball, events, piles, energies, most: most || 1, strongest };
}

/** @param {number} value @param {number} digits @returns {string} */
const decimals = (value, digits) => value.toFixed(digits).replace(/^-(?=0\.?0*$)/, '').replace('-', '−');

/** One sentence for the last event up to a time. @param {Told} told @param {number} time @param {{ study: boolean, live: boolean }} how @returns {string} HTML */
export function sentence({ motion, events, piles, page, most, ball }, time, { study, live }) {
  const event = events[lastUpTo(events, time)];
  if (study) return '';
  if (!event) {
    if (time > motion.begin) return '';
    if (page.balls.length > 1) return `<b>${t('{0} balls.', page.balls.length)}</b> ${t('Press play.')} ${t('Click one to choose it.')}`;
    return `<b>${t(motion.at(time).square > 0 ? 'Thrown.' : 'Held still.')}</b> ${t(live ? 'Press play, or drag the ball.' : 'Press play.')}`;
  }
  const say = (/** @type {string} */ what, /** @type {string} */ more = '') => `${decimals(event.time, 3)} s · <b>${what}</b>${more ? `: ${more}` : ''}`;
  const pile = piles.find(({ hops, to }) => event.time > (hops[PILED]?.time ?? Infinity) && event.time <= to);
  const now = t(VERBS[/** @type {'resting'} */ (event.after)] ?? event.after);
  if (event.kind === 'impact') {
    if (event.other) return say(t('bounce {0}', event.number));
    if (pile && event.time < pile.to) return say(t('bouncing itself out'), t('{0} bounces, ever smaller', pile.bounces));
    const lost = Math.round((100 * event.lost) / most);
    return say(t('bounce {0}', event.number), t('hits at {0}, leaves at {1}', velocity(event.fast), velocity(event.left, event.fast)) + (lost > 0 && page.balls.length < 2 ? `, ${t('{0} % of all energy turns to heat', lost)}` : ''));
  }
  const mu = page.friction === null ? '∞' : page.friction;
  /** @type {Record<string, [string, string]>} */
  const kinds = {
    landing: [t('lands'), pile ? t('infinitely many bounces are over, now it {0}', now) : t('now it {0}', now)], slip: [t('slips'), t('it would need more grip than μ = {0} can give', mu)],
    stick: [t('grips'), t('sliding has become rolling')], 'lift-off': [t('lifts off'), event.before === 'compressed' ? '' : t('the ground curves away faster than gravity can bend the path')], rest: [t('rests'), ''],
    'end-of-ground': [t('leaves the track'), t('the track ends here')], touch: [t('touches'), t('the ground gives way')], release: [t('lets go'), ''], watch: [t('passes'), text(event.name)],
  };
  return say(...(kinds[event.kind] ?? [text(event.kind), ''])) + (page.balls.length > 1 ? ` (${t('ball')} ${ball + 1})` : '');
}

/** What was checked of a run. @param {any} all @returns {{ state: string, short: string, long: string, points: [boolean, string, string][] }} */
export function proof({ stop, page, energy, solver, captures, ledger }) {
  const unexplained = Math.abs(energy.unexplained);
  const size = (/** @type {number} */ value) => { const power = Math.floor(Math.log10(value)); return `${Math.round(value / 10 ** power)}·10${raised(power)}`; };
  const stepped = page.steps;
  const kept = !ledger || unexplained <= ledger.allowed;
  const heat = energy.end.dissipated - energy.start.dissipated;
  /** @type {[boolean, string, string][]} */
  const points = [
    stepped ? [false, 'Not proven', t('This run goes in steps of time: what happens within one is not looked for.')]
      : [true, 'No touch is missed, none invented.', t('Between two moments the path is a formula. The computer does not peek at it now and then: it finds the first touch, or proves that there is none. {0} searches in this run.', solver?.contact_searches ?? 0)],
    [kept, kept ? 'No energy is lost by the arithmetic.' : 'Energy has an account.', t('{0} at the start, {1} at the end, {2} became heat. Unexplained: {3}.', si(energy.start.total, 'J', 4), si(energy.end.total, 'J', 4), si(heat, 'J', 4), `${plain(energy.unexplained, 2)} J`)],
  ];
  const bound = Math.max(0, ...(captures ?? []).map((/** @type {any} */ { error_bound: error }) => error));
  if (captures?.length > 0) points.push([true, 'Bouncing comes to its end.', t('The last bounces, infinitely many, are one sum: its error is at most {0}.', si(bound, 'm/s', 2))]);
  const warnings = page.warnings.map((/** @type {any} */ { cause, cure }) => /** @type {[boolean, string, string]} */ ([false, '', `${cause}. ${cure}`]));
  if (stop) return { state: 'stopped', short: t('Stopped'), long: t('at {0} s', plain(page.end, 4)), points: [[false, 'Stopped', stop], ...warnings, ...points] };
  if (warnings.length > 0) return { state: 'warned', short: t('Warned'), long: t('{0} warnings', warnings.length), points: [...warnings, ...points] };
  if (stepped) return { state: 'unproven', short: t('Not proven'), long: t('time stepping looks only now and then'), points };
  return { state: 'proven', short: t('Checked'), long: t('no contact missed · energy kept to {0}', unexplained > 0 ? `${size(unexplained)} J` : t('the last digit')), points };
}

/** Numbers and bars in the picture. */
export class Hud {
  constructor() {
    const all = (/** @type {string} */ name) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(name)]);
    this.phase = all('#phase > span')[0];
    this.swatch = /** @type {HTMLCanvasElement} */ (document.querySelector('#phase canvas'));
    this.values = all('.big b');
    this.units = all('.big i');
    this.total = all('#energy h2 span')[0];
    this.stack = all('#bars .all i');
    this.bars = all('#bars > div:not(.all)');
    this.parts = all('#bar-names b');
    this.shown = '';
    /** @type {Map<Element, string>} */ this.written = new Map();
  }

  /** @param {Element | undefined} element @param {string} words @param {boolean} [html] */
  write(element, words, html = false) {
    // What is written anew is laid out and painted anew, also where it is the same.
    if (!element || this.written.get(element) === words) return;
    this.written.set(element, words);
    if (html) element.innerHTML = words; else element.textContent = words;
  }

  /** @param {Told} told @param {import('./motion.js').State} state @param {number} tall height of the picture's box, m */
  draw({ page, ball, energies, most }, state, tall) {
    const [speed, mass] = [state.phase === 'resting' ? 0 : Math.sqrt(state.square), page.balls[ball].mass];
    const [factor, unit] = tall < 0.02 ? [1000, 'mm'] : tall < 1 ? [100, 'cm'] : [1, 'm'];
    const words = [decimals(speed, speed < 0.095 ? 3 : speed < 100 ? 2 : 1), decimals(state.normal / (mass * 9.81), 1), decimals(state.y * factor, factor > 1 ? 1 : 2)];
    words.forEach((word, i) => this.write(this.values[i], word));
    this.write(this.units[2], unit);
    if (this.shown !== state.phase) swatch(this.swatch, state.phase);
    this.shown = state.phase;
    this.write(this.phase, t(state.phase === 'flight' ? 'flying' : state.phase));
    const parts = energies(state);
    this.write(this.total, si(parts.reduce((a, b) => a + b), 'J'));
    parts.forEach((part, i) => {
      const share = 100 * clamp(part / most, 0, 1);
      const [bar, piece] = [this.bars[i], this.stack[i]];
      if (bar) bar.style.clipPath = `inset(${(100 - share).toFixed(2)}% 0 0 0)`;
      if (piece) piece.style.height = `${share.toFixed(2)}%`;
      this.write(this.parts[i], `${Math.round(share)}%`);
    });
  }

  /** Drawn anew, as colours are other ones. */
  anew() {
    this.shown = '';
    this.written.clear();
  }
}
