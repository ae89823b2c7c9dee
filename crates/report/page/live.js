// The page with an engine behind it: numbers and formulas of the scenario are changed, and the run follows.

import { Refusal } from './engine.js';
import { plain } from './format.js';
import { save, text } from './files.js';
import { toml } from './tables.js';
import { fromPart, part } from './ranges.js';

/** @typedef {import('./engine.js').Wish} Wish */

/** Pixels within which a handle is taken. */
const NEAR = 16;
/** The tip of a velocity is so far beyond its arrow, pixels: that of a ball at rest can be told from its start. */
const APART = 22;
/** A run that is not the newest any more is dropped when it is older than this, ms. */
const SOON = 300;

export class Live {
  /** @param {any} page @param {any} live @param {HTMLElement} place @param {import('./engine.js').Engine} engine */
  constructor(page, live, place, engine) {
    this.page = page;
    this.place = place;
    this.engine = engine;
    this.scenario = live.scenario;
    /** @type {Map<string, number | string>} */
    this.changes = new Map();
    /** States before, for undo, and those that were undone. @type {string[]} */
    this.past = [];
    /** @type {string[]} */
    this.future = [];
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
    /** The field that is being changed. @type {HTMLInputElement | undefined} */
    this.edited = undefined;
    /** Whether the newest change was made in the picture. */
    this.dragged = false;
    /** Why the newest change has no run. @type {unknown} */
    this.refused = undefined;
    /** When the change was made that is not answered yet, ms. @type {number | undefined} */
    this.asked = undefined;
    /** Where a start on the ground is dragged to, m, and how often it may be tried yet; how its place goes with its parameter there.
     * @type {{ x: number, y: number, tries: number } | undefined} */
    this.aim = undefined;
    /** @type {{ s: number, x: number, y: number, rate: [number, number] } | undefined} */
    this.slid = undefined;
    /** Pixels of 1 m/s while the velocity is dragged. @type {number | undefined} */
    this.unit = undefined;
    this.later = 0;
    this.build(live);
    this.handles();
    page.draw(page.player.time);
  }

  /** @param {any} live */
  build(live) {
    const { place } = this;
    const name = (/** @type {any} */ { key, words }, /** @type {string} */ id) => `<label for="${id}">${text(words)} <code>${text(key)}</code></label>`;
    const number = (/** @type {any} */ control, /** @type {number} */ i) => `<div class="control">${name(control, `c${i}`)}
<input id="c${i}" type="range" min="0" max="1000" step="1" data-key="${control.key}"><input type="number" step="${control.whole ? 1 : 'any'}" data-key="${control.key}" aria-label="${text(`${control.words}, ${control.unit || 'a number'}`)}"><span class="unit">${text(control.unit)}</span></div>`;
    const formula = (/** @type {any} */ control, /** @type {number} */ i) => `<div class="control wide">${name(control, `f${i}`)}<input id="f${i}" type="text" spellcheck="false" data-key="${control.key}"></div>`;
    // Physics first, each group below one head; how it is computed, and what each of several balls has, is folded.
    const groups = new Map(live.controls.map((/** @type {any} */ { group }) => [group, '']));
    live.controls.forEach((/** @type {any} */ control, /** @type {number} */ i) => groups.set(control.group, groups.get(control.group) + number(control, i)));
    const fields = [...groups].map(([group, inside]) => `<details${live.open.includes(group) ? ' open' : ''}><summary>${text(group)}</summary><div class="fields">${inside}</div></details>`);
    const names = live.names.map((/** @type {{ title: string, file: string }} */ { title, file }, /** @type {number} */ i) => `<option value="${i}" data-file="${text(file)}" title="${text(file)}">${text(title)}</option>`).join('');
    place.hidden = false;
    place.innerHTML = `<h2>Change it</h2><p class="row"><label>scenario <select id="gallery">${names}</select></label>
<button type="button" id="undo" title="(Ctrl+Z)">Undo</button> <button type="button" id="redo" title="(Ctrl+Y)">Redo</button> <button type="button" id="reset">Reset</button>
<button type="button" id="save-toml">Save scenario.toml</button> <button type="button" id="save-html">Save report.html</button></p>
<div id="wrong" role="alert"></div><div id="fields">${live.formulas.map(formula).join('')}${fields.join('')}</div>
<p>Drag the start of the chosen ball (○), the tip of its velocity and points of curves (□) in the picture.</p>`;
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
    on('#undo', () => this.back(this.past, this.future));
    on('#redo', () => this.back(this.future, this.past));
    on('#reset', () => { this.remember(); this.changes.clear(); this.fill(); this.ask(''); });
    on('#save-toml', () => this.keep(async () => {
      const { scenario, page } = this.page.all;
      // Files of the ground are named so that any folder will do.
      save('scenario.toml', `${toml({ ...scenario, ground: page.live.ground ?? scenario.ground })}\n`, 'text/plain');
    }));
    on('#save-html', () => this.keep(async () => save('report.html', await this.engine.report?.(this.wish()) ?? '', 'text/html')));
    for (const input of place.querySelectorAll('input')) {
      // One drag of a slider, one number written, or one row of strokes on keys is one step back.
      for (const end of ['pointerdown', 'blur']) input.addEventListener(end, () => { this.edited = undefined; });
      // What holds is seen again.
      input.addEventListener('blur', () => { if (input.value.trim() !== '') return; this.fill(true); this.wrong(this.refused); });
      input.addEventListener('input', () => this.input(input));
    }
    this.fill();
  }

  /** What the fields show. @param {boolean} [all] also the one that is written in */
  fill(all = false) {
    for (const input of this.place.querySelectorAll('input')) {
      const control = this.controls?.find(({ key }) => key === input.dataset.key);
      const formula = this.formulas.find((/** @type {any} */ { key }) => key === input.dataset.key);
      const value = this.changes.get(input.dataset.key ?? '') ?? control?.value ?? formula?.value;
      if (!all && input === document.activeElement && input.type !== 'range') continue;
      const next = input.type === 'range' ? String(Math.round(1000 * part(control, Number(value)))) : String(value);
      // What is written anew is laid out anew.
      if (input.value !== next) input.value = next;
      const words = plain(Number(value));
      if (input.type === 'range' && input.getAttribute('aria-valuetext') !== words) input.setAttribute('aria-valuetext', words);
    }
  }

  /** @param {HTMLInputElement} input */
  input(input) {
    const key = input.dataset.key ?? '';
    const control = this.controls?.find((control) => control.key === key);
    const value = input.type === 'text' ? input.value : input.type === 'range' ? fromPart(control, Number(input.value) / 1000) : Number(input.value);
    if (input.type === 'number' && input.value.trim() === '') {
      this.field = key;
      this.wrong(new Error(`no number: ${plain(Number(this.changes.get(key) ?? control?.value))} holds`));
      return;
    }
    this.aim = undefined;
    if (this.edited !== input) this.remember();
    this.edited = input;
    this.changes.set(key, value);
    this.fill();
    this.ask(key);
  }

  /** @returns {Wish} */
  wish() {
    return { scenario: this.scenario, changes: [...this.changes] };
  }

  /** Saves what the fields show once it has run; what can't run is not saved. @param {() => Promise<void>} write */
  async keep(write) {
    while (this.busy) await new Promise((done) => { setTimeout(done, 10); });
    try {
      if (this.refused) throw this.refused;
      await write();
    } catch (error) {
      this.wrong(error, 'Not saved: ');
    }
  }

  /** Keeps what is now, to come back to. */
  remember() {
    const now = JSON.stringify([...this.changes]);
    if (this.past.at(-1) !== now) this.past.push(now);
    if (this.past.length > 200) this.past.shift();
    this.future = [];
  }

  /** One step back, or on again. @param {string[]} from @param {string[]} to */
  back(from, to) {
    const now = JSON.stringify([...this.changes]);
    let before = from.pop();
    while (before === now) before = from.pop();
    if (before === undefined) return;
    to.push(now);
    [this.aim, this.edited] = [undefined, undefined];
    this.changes = new Map(JSON.parse(before));
    this.fill(true);
    this.ask('');
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const on = key === 'y' || (key === 'z' && event.shiftKey);
    if (!on && key !== 'z') return;
    event.preventDefault();
    if (on) this.back(this.future, this.past); else this.back(this.past, this.future);
  }

  /** Runs anew; of changes that come while a run is under way the newest counts, also where it is another scenario.
   * @param {string} field what was changed @param {boolean} [dragged] in the picture */
  async ask(field, dragged = false) {
    this.field = field;
    this.dragged = dragged;
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
        const data = await this.engine.change?.(next === undefined ? this.wish() : { scenario: next, changes: [] });
        // Of another scenario than the one that was chosen meanwhile nothing is shown.
        if (this.next !== undefined || !data) continue;
        if (next === undefined) this.show(data); else this.take(next, data);
        this.refused = undefined;
        this.wrong();
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') continue;
        this.refused = error;
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
    this.hurried = window.setTimeout(() => { if (this.wanted) this.engine.drop?.(); }, Math.max(0, SOON - (performance.now() - this.begun)));
  }

  /** @param {import('./data.js').Data} data */
  show(data) {
    const { page } = this;
    page.scene.before = page.motions.slice(0, 1);
    page.show(data, 'quick');
    this.slide();
    if (this.unit === undefined) page.keep();
    clearTimeout(this.later);
    document.body.classList.add('changing');
    this.later = window.setTimeout(() => { document.body.classList.remove('changing'); page.choose(); }, 250);
  }

  /** What is wrong, where it was made so: at the field or in the picture, which is then of the run before.
   * @param {unknown} [error] nothing: all is well @param {string} [before] the message */
  wrong(error, before = '') {
    const message = error === undefined ? '' : before + (error instanceof Error ? error.message : String(error));
    const place = this.place.querySelector('#wrong');
    const refusal = error instanceof Refusal && error.field ? error : undefined;
    const [from = 0, to = 0] = refusal?.letters ?? [];
    const field = refusal?.field ?? this.field;
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
    const above = this.place.querySelector('#fields');
    at?.closest('details')?.setAttribute('open', '');
    if (at) at.parentElement?.append(place); else if (above?.previousElementSibling !== place) above?.before(place);
    this.page.refuse(message !== '', this.dragged ? message : '');
    place.innerHTML = message && !this.dragged ? `${marked}<p>${text(message)}</p>` : '';
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
    [this.aim, this.slid] = [undefined, undefined];
    this.changes.clear();
    [this.past, this.future] = [[], []];
    this.page.scene.before = [];
    this.build(data.document.page.live);
    this.page.show(data);
  }

  /** The table in which the chosen ball's start stands. */
  table() {
    const own = `ball.${this.page.ball + 1}.initial`;
    return this.controls?.some(({ key }) => key.startsWith(`${own}.`)) ? own : 'initial';
  }

  /** Whether the start has this number. @param {string} end of its key */
  starts(end) {
    return Boolean(this.controls?.some(({ key }) => key === `${this.table()}.${end}`));
  }

  /** The start of the chosen ball, m, the way it goes and how fast, m/s: on the ground along its tangent, where the speed has a sign. */
  start() {
    const { motions, ball } = this.page;
    const motion = motions?.[ball];
    if (!motion) return undefined;
    const { x, y, vx, vy, nx, ny } = motion.at(motion.begin);
    const [size, ground] = [Math.hypot(vx, vy), this.starts('contact.s') && (nx !== 0 || ny !== 0)];
    // The tangent is the normal turned by −90°.
    const [u, v] = ground ? [ny, -nx] : size > 0 ? [vx / size, vy / size] : [1, 0];
    return { x, y, u, v, speed: vx * u + vy * v };
  }

  /** The start of the chosen ball and the tip of its first velocity, pixels; none if no number is theirs. @returns {[number, number][]} */
  ends() {
    const { scene, camera } = this.page;
    const start = this.start();
    if (!start || !(this.starts('position.x') || (this.starts('contact.s') && this.starts('contact.speed')))) return [];
    const [x, y, unit] = [camera.px(start.x), camera.py(start.y), this.unit ?? scene.units[0]];
    const reach = (start.speed < 0 ? -APART : APART) + start.speed * unit;
    return [[x, y], [x + start.u * reach, y - start.v * reach]];
  }

  /** Brings a start on the ground nearer to where it is dragged: by the parameter of the curve, which is its length or an abscissa of
   * it, so that what the last change of it did tells how far to go. */
  slide() {
    const { aim } = this;
    const start = this.start();
    const path = `${this.table()}.contact.s`;
    const { scenario } = this.page.all;
    const s = Number((path.startsWith('ball.') ? scenario.ball[this.page.ball].initial : scenario.initial).contact?.s);
    if (!aim || !start || aim.tries <= 0 || !Number.isFinite(s)) return;
    const { x, y } = start;
    const before = this.slid;
    /** @type {[number, number]} */
    const rate = before && before.s !== s ? [(x - before.x) / (s - before.s), (y - before.y) / (s - before.s)] : before?.rate ?? [start.u, start.v];
    this.slid = { s, x, y, rate };
    const step = ((aim.x - x) * rate[0] + (aim.y - y) * rate[1]) / Math.max(1e-12, rate[0] ** 2 + rate[1] ** 2);
    if (Math.abs(step) * Math.hypot(...rate) * this.page.camera.scale < 0.5) return;
    aim.tries -= 1;
    this.changes.set(path, Number((s + step).toPrecision(6)));
    this.fill();
    this.ask(path, true);
  }

  /** The start is dragged to a place, m, on the ground along it; or the tip of its velocity, by pixels from the start.
   * @param {[number, number]} place @param {[number, number] | undefined} tip @returns {string} what was changed */
  move([x, y], tip) {
    const [table, start, unit] = [this.table(), this.start(), this.unit ?? 10];
    if (this.starts('contact.s') && !tip) {
      this.aim = { x, y, tries: 6 };
      this.slide();
      return '';
    }
    if (this.starts('contact.s') && tip && start) {
      const along = tip[0] * start.u + tip[1] * start.v;
      this.changes.set(`${table}.contact.speed`, Number(((Math.sign(along) * Math.max(0, Math.abs(along) - APART)) / unit).toPrecision(4)));
      return `${table}.contact.speed`;
    }
    const part = tip ? Math.max(0, 1 - APART / Math.hypot(...tip)) / unit : 0;
    const key = `${table}.${tip ? 'velocity' : 'position'}`;
    return this.pair([key], tip ? [tip[0] * part, tip[1] * part] : [x, y]);
  }

  /** Changes places or velocities. @param {string[]} keys @param {[number, number]} pair @returns {string} what was changed */
  pair(keys, [x, y]) {
    for (const key of keys) {
      this.changes.set(`${key}.x`, Number(x.toPrecision(4)));
      this.changes.set(`${key}.y`, Number(y.toPrecision(4)));
    }
    return `${keys[0]}.y`;
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
    document.addEventListener('keydown', (event) => this.key(event));
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
      this.slid = undefined;
      this.unit = scene.units[0] || 10;
    }, { capture: true });
    canvas.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      if (taken < 0) return;
      event.stopImmediatePropagation();
      const [x, y] = camera.place(event.offsetX, event.offsetY);
      const ends = this.ends();
      const [[px, py] = [0, 0]] = ends;
      let changed = '';
      if (taken < ends.length) {
        changed = this.move([x, y], taken === 0 ? [event.offsetX - px, py - event.offsetY] : undefined);
      } else {
        const keys = this.points?.[taken - ends.length]?.keys ?? [];
        const [dx, dy] = this.carried()(keys[0] ?? '');
        changed = this.pair(keys, [x - dx, y - dy]);
      }
      if (!changed) return;
      this.fill();
      this.ask(changed, true);
    }, { capture: true });
    for (const end of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(end, () => {
        if (taken < 0) return;
        [taken, this.unit] = [-1, undefined];
        this.page.keep();
      }, { capture: true });
    }
  }
}
