// The page with an engine behind it: numbers and formulas of the scenario are changed, and the run follows.

import { inflate } from './data.js';
import { plain } from './format.js';
import { save, text } from './files.js';
import { toml } from './tables.js';

/** @typedef {{ scenario: number, changes: [string, number | string][] }} Wish */

/** The engine behind the port that the page came from. */
export class Port {
  constructor() {
    this.token = new URLSearchParams(location.search).get('token') ?? '';
    /** Of the run under way. @type {AbortController | undefined} */
    this.patience = undefined;
  }

  /** The run under way is not waited for any longer, and ends. */
  drop() {
    this.patience?.abort();
  }

  /** @param {string} path @param {Wish} wish @param {AbortSignal} [signal] @returns {Promise<Response>} */
  async ask(path, wish, signal) {
    const headers = { 'X-Token': this.token, 'Content-Type': 'application/json' };
    const asked = { method: 'POST', headers, body: JSON.stringify(wish), signal: signal ?? null };
    let answer = await fetch(path, asked);
    for (let tries = 0; answer.status === 503 && tries < 40; tries++) {
      await new Promise((done) => { setTimeout(done, 250); });
      answer = await fetch(path, asked);
    }
    if (answer.status === 422) throw new Refusal(await answer.json());
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  }

  /** A run. @param {Wish} wish @returns {Promise<import('./data.js').Data>} */
  async run(wish) {
    this.patience = new AbortController();
    return inflate(await (await this.ask('/run', wish, this.patience.signal)).arrayBuffer());
  }

  /** A report to be kept. @param {Wish} wish @returns {Promise<string>} */
  async report(wish) {
    return (await this.ask('/report', wish)).text();
  }
}

/** What the engine says of a scenario that can't be run: as on the command line. */
class Refusal extends Error {
  /** @param {{ message: string, field?: string, from?: number, to?: number }} told */
  constructor({ message, field, from, to }) {
    super(message);
    /** The formula at fault, and which of its letters. */
    this.field = field;
    this.letters = [from ?? 0, to ?? 0];
  }
}

/** Pixels within which a handle is taken. */
const NEAR = 16;
/** A run that is not the newest any more is dropped when it is older than this, ms. */
const SOON = 300;

export class Live {
  /** @param {any} page @param {any} live @param {HTMLElement} place */
  constructor(page, live, place) {
    this.page = page;
    this.place = place;
    this.engine = new Port();
    this.scenario = live.scenario;
    /** @type {Map<string, number | string>} */
    this.changes = new Map();
    /** States before, for undo. @type {string[]} */
    this.past = [];
    /** Time from a change to its picture, ms: the last ones. @type {number[]} */
    this.times = [];
    this.busy = false;
    /** When what runs was asked for, ms, and the timer that drops it. */
    this.begun = 0;
    this.hurried = 0;
    /** Whether there is something to run that is newer than what runs. */
    this.wanted = false;
    /** A scenario of the gallery that is to be taken. @type {number | undefined} */
    this.next = undefined;
    this.field = '';
    /** When the change was made that is not answered yet, ms. @type {number | undefined} */
    this.asked = undefined;
    /** Pixels of 1 m/s while the velocity is dragged. @type {number | undefined} */
    this.unit = undefined;
    this.later = 0;
    this.build(live);
    this.handles();
  }

  /** @param {any} live */
  build(live) {
    const { place } = this;
    const number = (/** @type {any} */ control, /** @type {number} */ i) => `<div class="control"><label for="c${i}">${control.key}</label>
<input id="c${i}" type="range" min="0" max="1000" step="1" data-key="${control.key}"><input type="number" step="any" data-key="${control.key}" aria-label="${control.key}"></div>`;
    const formula = (/** @type {any} */ { key }, /** @type {number} */ i) => `<div class="control wide"><label for="f${i}">${key}</label><input id="f${i}" type="text" spellcheck="false" data-key="${key}"></div>`;
    const names = live.names.map((/** @type {string} */ name, /** @type {number} */ i) => `<option value="${i}">${text(name)}</option>`).join('');
    place.hidden = false;
    place.innerHTML = `<h2>Change it</h2><p class="row"><label>scenario <select id="gallery">${names}</select></label>
<button type="button" id="undo">Undo</button> <button type="button" id="reset">Reset</button>
<button type="button" id="save-toml">Save scenario.toml</button> <button type="button" id="save-html">Save report.html</button></p>
<div id="wrong" role="alert"></div><div class="fields">${live.formulas.map(formula).join('')}${live.controls.map(number).join('')}</div>
<p>Drag the ball's start (○), the tip of its velocity and points of curves (□) in the picture.</p>`;
    /** @type {any[]} */
    this.controls = live.controls;
    this.formulas = live.formulas;
    /** @type {{ keys: [string, ...string[]], value: [number, number] }[]} */
    this.points = live.points;
    /** The part of each table of grounds that move against each other. @type {number[]} */
    this.parts = live.parts;
    const gallery = /** @type {HTMLSelectElement} */ (place.querySelector('#gallery'));
    gallery.value = String(this.scenario);
    gallery.addEventListener('change', () => this.choose(Number(gallery.value)));
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => place.querySelector(id)?.addEventListener('click', act);
    on('#undo', () => this.undo());
    on('#reset', () => { this.remember(); this.changes.clear(); this.fill(); this.ask(''); });
    on('#save-toml', () => save('scenario.toml', `${toml(this.page.all.scenario)}\n`, 'text/plain'));
    on('#save-html', () => this.engine.report(this.wish()).then((html) => save('report.html', html, 'text/html'), (error) => this.wrong(error)));
    for (const input of place.querySelectorAll('input')) {
      input.addEventListener('pointerdown', () => this.remember());
      input.addEventListener('focus', () => this.remember());
      input.addEventListener('input', () => this.input(input));
    }
    this.fill();
  }

  /** What the fields show. */
  fill() {
    for (const input of this.place.querySelectorAll('input')) {
      const control = this.controls?.find(({ key }) => key === input.dataset.key);
      const formula = this.formulas.find((/** @type {any} */ { key }) => key === input.dataset.key);
      const value = this.changes.get(input.dataset.key ?? '') ?? control?.value ?? formula?.value;
      if (input === document.activeElement && input.type !== 'range') continue;
      input.value = input.type === 'range' ? String(Math.round(1000 * part(control, Number(value)))) : String(value);
      if (input.type === 'range') input.setAttribute('aria-valuetext', plain(Number(value)));
    }
  }

  /** @param {HTMLInputElement} input */
  input(input) {
    const key = input.dataset.key ?? '';
    const control = this.controls?.find((control) => control.key === key);
    const value = input.type === 'text' ? input.value : input.type === 'range' ? fromPart(control, Number(input.value) / 1000) : Number(input.value);
    if (input.type === 'number' && input.value.trim() === '') return;
    this.changes.set(key, value);
    this.fill();
    this.ask(key);
  }

  /** @returns {Wish} */
  wish() {
    return { scenario: this.scenario, changes: [...this.changes] };
  }

  /** Keeps what is now, to come back to. */
  remember() {
    const now = JSON.stringify([...this.changes]);
    if (this.past.at(-1) !== now) this.past.push(now);
    if (this.past.length > 200) this.past.shift();
  }

  undo() {
    const now = JSON.stringify([...this.changes]);
    let before = this.past.pop();
    while (before === now) before = this.past.pop();
    if (before === undefined) return;
    this.changes = new Map(JSON.parse(before));
    this.fill();
    this.ask('');
  }

  /** Runs anew; of changes that come while a run is under way the newest counts, also where it is another scenario. @param {string} field what was changed */
  async ask(field) {
    this.field = field;
    this.asked ??= performance.now();
    this.wanted = true;
    if (this.busy) {
      this.hurry();
      return;
    }
    this.busy = true;
    while (this.wanted) {
      this.wanted = false;
      this.begun = performance.now();
      const asked = this.asked ?? performance.now();
      this.asked = undefined;
      const next = this.next;
      this.next = undefined;
      try {
        const data = await this.engine.run(next === undefined ? this.wish() : { scenario: next, changes: [] });
        // Of another scenario than the one that was chosen meanwhile nothing is shown.
        if (this.next !== undefined) continue;
        if (next === undefined) this.show(data); else this.take(next, data);
        this.wrong();
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') continue;
        this.wrong(error);
      } finally {
        clearTimeout(this.hurried);
      }
      this.times.push(performance.now() - asked);
      if (this.times.length > 2000) this.times.shift();
    }
    this.busy = false;
  }

  /** What runs is older than what is wanted: it may come to its end soon, else it is dropped. */
  hurry() {
    clearTimeout(this.hurried);
    this.hurried = window.setTimeout(() => { if (this.wanted) this.engine.drop(); }, Math.max(0, SOON - (performance.now() - this.begun)));
  }

  /** @param {import('./data.js').Data} data */
  show(data) {
    const { page } = this;
    page.scene.before = page.motions.slice(0, 1);
    page.show(data, 'quick');
    clearTimeout(this.later);
    document.body.classList.add('changing');
    this.later = window.setTimeout(() => { document.body.classList.remove('changing'); page.choose(); }, 250);
  }

  /** What is wrong, at the field that made it so; the picture is then of the run before. @param {unknown} [error] nothing: all is well */
  wrong(error) {
    const message = error === undefined ? '' : error instanceof Error ? error.message : String(error);
    const place = this.place.querySelector('#wrong');
    const refusal = error instanceof Refusal && error.field ? error : undefined;
    const [from = 0, to = 0] = refusal?.letters ?? [];
    const field = refusal?.field ?? this.field;
    this.page.scene.element.style.opacity = message ? '0.35' : '';
    /** @type {Element | undefined} */
    let at;
    for (const input of this.place.querySelectorAll('input')) {
      const here = message !== '' && input.dataset.key === field;
      input.toggleAttribute('aria-invalid', here);
      if (here) input.setAttribute('aria-errormessage', 'wrong'); else input.removeAttribute('aria-errormessage');
      if (here) at = input;
    }
    if (!place) return;
    const formula = String(this.changes.get(field) ?? '');
    const marked = to > from ? `<code>${text(formula.slice(0, from))}<mark>${text(formula.slice(from, to)) || ' '}</mark>${text(formula.slice(to))}</code>` : '';
    // Below what was changed; else above all.
    const above = this.place.querySelector('.fields');
    if (at) at.parentElement?.append(place); else if (above?.previousElementSibling !== place) above?.before(place);
    place.innerHTML = message ? `${marked}<p>${text(message)}</p>` : '';
  }

  /** Another scenario. @param {number} scenario */
  choose(scenario) {
    this.next = scenario;
    this.ask('');
  }

  /** Its run is there. @param {number} scenario @param {import('./data.js').Data} data */
  take(scenario, data) {
    clearTimeout(this.later);
    document.body.classList.remove('changing');
    this.scenario = scenario;
    this.changes.clear();
    this.past = [];
    this.page.scene.before = [];
    this.page.show(data);
    this.build(data.document.page.live);
  }

  /** The start and the tip of the first velocity, pixels; none where the ball starts on the ground. @returns {[number, number][]} */
  ends() {
    if (!this.controls?.some(({ key }) => key === 'initial.position.x') || !this.page.motions?.[0]) return [];
    const { scene, camera, motions } = this.page;
    const start = motions[0].at(0);
    const [x, y, unit] = [camera.px(start.x), camera.py(start.y), this.unit ?? scene.units[0]];
    return [[x, y], [x + start.vx * unit, y - start.vy * unit]];
  }

  /** Where the curve of a key is carried to now, m. @returns {(key: string) => [number, number]} */
  carried() {
    const { motions, scene: { ground }, player, ball } = this.page;
    const { dx, dy } = motions?.[ball]?.at(player.time) ?? { dx: 0, dy: 0 };
    return (key) => {
      const [x, y] = ground?.way(this.parts?.[Number(key.split('.')[1])] ?? 0, player.time) ?? [0, 0];
      return [dx + x, dy + y];
    };
  }

  /** Points of curves as they are now, pixels. @returns {[number, number][]} */
  places() {
    const { camera } = this.page;
    const at = (/** @type {string} */ key, /** @type {number | undefined} */ value) => Number(this.changes.get(key) ?? value);
    const carried = this.carried();
    return (this.points ?? []).map(({ keys: [key], value: [x, y] }) => {
      const [dx, dy] = carried(key);
      return [camera.px(at(`${key}.x`, x) + dx), camera.py(at(`${key}.y`, y) + dy)];
    });
  }

  /** Places in the picture that can be dragged. */
  handles() {
    const { scene, camera } = this.page;
    const canvas = scene.element;
    let taken = -1;
    scene.handles = () => ({ ends: this.ends(), places: this.places() });
    canvas.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
      // The tip before the start, and points below both.
      const all = [...this.places().reverse(), ...this.ends()];
      taken = all.findLastIndex(([x, y]) => Math.hypot(x - event.offsetX, y - event.offsetY) < NEAR);
      if (taken < 0) return;
      taken = all.length - 1 - taken;
      event.stopImmediatePropagation();
      canvas.setPointerCapture(event.pointerId);
      this.remember();
      this.unit = scene.units[0] || 10;
    }, { capture: true });
    canvas.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      if (taken < 0) return;
      event.stopImmediatePropagation();
      const [x, y] = camera.place(event.offsetX, event.offsetY);
      const ends = this.ends();
      const [[px, py] = [0, 0]] = ends;
      const unit = this.unit ?? 10;
      const tip = ends.length > 0 && taken === 0;
      const keys = taken < ends.length ? [tip ? 'initial.velocity' : 'initial.position'] : this.points?.[taken - ends.length]?.keys ?? [];
      const [dx, dy] = taken < ends.length ? [0, 0] : this.carried()(keys[0] ?? '');
      const pair = tip ? [(event.offsetX - px) / unit, (py - event.offsetY) / unit] : [x - dx, y - dy];
      for (const key of keys) {
        this.changes.set(`${key}.x`, Number(pair[0]?.toPrecision(4)));
        this.changes.set(`${key}.y`, Number(pair[1]?.toPrecision(4)));
      }
      this.fill();
      this.ask(`${keys[0]}.y`);
    }, { capture: true });
    canvas.addEventListener('pointerup', () => { taken = -1; this.unit = undefined; }, { capture: true });
  }
}

/** Where a value stands in its range, 0 to 1. @param {any} control @param {number} value @returns {number} */
function part({ low, high, decades }, value) {
  const at = decades ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, at));
}

/** @param {any} control @param {number} at @returns {number} */
function fromPart({ low, high, decades }, at) {
  return Number((decades ? low * (high / low) ** at : low + at * (high - low)).toPrecision(4));
}
