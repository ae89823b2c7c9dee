// The rail of a page with an engine: numbers and formulas of the scenario are changed, and the run follows.

import { errors, matter, naive } from './beside.js';
import { Refusal } from './engine.js';
import { plain } from './format.js';
import { save, text } from './files.js';
import { noteAddress, toast } from './keep.js';
import { dragged, look } from './look.js';
import { motions } from './motion.js';
import { toml } from './tables.js';
import { t } from './words.js';

/** @typedef {import('./engine.js').Wish} Wish */
/** @typedef {{ title: string, file: string, about?: string, picture?: string, tries?: [string, [string, number | string][]][] }} Scenery A scenario of the gallery; `tries`: questions, and what they change. */

/** Pixels within which a handle is taken. */
const NEAR = 18;
/** The tip of a velocity is so far beyond its arrow, pixels: that of a ball at rest can be told from its start. */
const APART = 30;
/** A finger is held so long, ms; and a step of what is compared with, s. */
const [HELD, COARSE] = [550, 1 / 240];
/** A run that is not the newest any more is dropped when it is older than this, ms. */
const SOON = 300;
/** Letters of the longest file that is taken. */
const LARGE = 4e6;
/** The numbers that come first: ends of their keys, what they are called, their sign, and what both ends are like. @type {[string, string, string, string[]][]} */
const FIRST = [
  ['position.y', 'height of the start', 'h', []], ['contact.s', 'start along the track', 's', []], ['velocity.x', 'speed to the right', 'v', []], ['contact.speed', 'speed along the track', 'v', []],
  ['contact.restitution', 'bounciness', 'e', ['lump of clay', 'super ball']], ['contact.friction', 'grip', 'μ', ['ice', 'rubber']],
];
/** So many of them. */
const MOST_FIRST = 4;
/** What a run is compared with: a letter, its button, and what it is. @type {[string, string, string][]} */
const OTHERS = [['M', 'with time stepping', 'Moreau, 240 steps a second'], ['N', 'with a naive loop', 'a naive loop, 240 looks a second'], ['J', 'with matter-js', 'matter-js 0.20 (MIT), 60 steps a second']];
/** @type {[string, number, string][]} */
const GRAVITIES = [
  ['Moon', 1.62, '<circle cx="14" cy="14" r="5" fill="#B9BDC2"/><circle cx="12.5" cy="12.5" r="1.3" fill="#8c9096"/><circle cx="15.5" cy="15.5" r="1" fill="#8c9096"/>'], ['Mars', 3.71, '<circle cx="14" cy="14" r="6.5" fill="#C1603A"/>'],
  ['Earth', 9.81, '<circle cx="14" cy="14" r="9" fill="#3F84C4"/><path d="M8 10c3-3 6-1 6 1s-3 2-2 5-3 1-4-1zM17 13c2-1 5 0 5 2s-3 5-4 4 0-5-1-6z" fill="#4E9A57"/>'],
  ['Jupiter', 24.79, '<circle cx="14" cy="14" r="12.5" fill="#C79A6B"/><path d="M2.3 11h23.4M1.5 15h25M3 19h22" stroke="#8F6238" stroke-width="1.8"/>'],
];
/** @type {[string, number, string][]} */
const KINDS = [
  ['solid', 0.4, '<circle cx="14" cy="14" r="10" fill="var(--ball)"/>'], ['hollow', 2 / 3, '<circle cx="14" cy="14" r="9" fill="color-mix(in srgb, var(--ball) 35%, var(--panel))" stroke="var(--ball)" stroke-width="2.4"/><circle cx="14" cy="14" r="6" fill="var(--panel)"/>'],
  ['ring', 1, '<circle cx="14" cy="14" r="8.5" fill="none" stroke="var(--ball)" stroke-width="3.5"/>'],
];

/** Questions to try where a scene has none of its own: what they ask, which number they change, and to what. @type {[string, string, number][]} */
const QUESTIONS = [['How high does a livelier ball bounce?', 'contact.restitution', 0.9], ['And on ice?', 'contact.friction', 0], ['How is it on the Moon?', 'forces.gravity.y', -1.62], ['Is a ring slower than a ball?', 'ball.inertia', 1]];

/** Where a value stands in its range, 0 to 1. @param {any} control @param {number} value @returns {number} */
function part({ low, high, decades }, value) {
  const at = decades ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, at));
}

/** @param {any} control @param {number} at @returns {number} */
function fromPart({ low, high, decades, whole }, at) {
  const value = decades ? low * (high / low) ** at : low + at * (high - low);
  return whole ? Math.round(value) : Math.min(high, Math.max(low, Number(value.toPrecision(4))));
}

/** A place or a list of places as it is written, if it is like another. @param {unknown} written @param {any[]} like @returns {any[] | undefined} */
function placesOf(written, like) {
  const place = (/** @type {any} */ value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
  try {
    const value = JSON.parse(String(written));
    return Array.isArray(value) && (place(like) ? place(value) : value.every(place)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How an engine is told of a scenario. @param {number | string} scenario */
const chosen = (scenario) => (typeof scenario === 'string' ? { text: scenario } : { scenario });

/** Whether it is a list of places, which takes more of them and loses some. @param {any[]} places @returns {boolean} */
export const grows = (places) => Array.isArray(places[0]);

export class Live {
  /** @param {import('./main.js').Page} page @param {any} live @param {HTMLElement} place @param {import('./engine.js').Engine} engine */
  constructor(page, live, place, engine) {
    this.page = page;
    this.place = place;
    this.engine = engine;
    /** @type {any[]} */ this.controls = [];
    /** What can be dragged: with the places of curves that each is. @type {{ keys: [string, ...string[]], value: [number, number] }[]} */ this.points = [];
    /** @type {Scenery[]} */ this.names = [];
    /** The part of each table of grounds that move against each other. @type {number[]} */
    this.parts = [];
    /** @type {any[]} */ this.formulas = [];
    /** Its index in the gallery, or its text. @type {number | string} */
    this.scenario = live.scenario;
    /** @type {Map<string, number | string>} */ this.changes = new Map();
    /** States before, for undo, and those that were undone. @type {string[]} */
    this.past = [];
    /** @type {string[]} */ this.future = [];
    /** Time from a change to its picture, ms: the last ones. @type {number[]} */
    this.times = [];
    this.busy = false;
    /** When what runs was asked for, ms, and the timer that drops it. */
    this.begun = 0;
    this.hurried = 0;
    /** Whether there is something to run that is newer than what runs. */
    this.wanted = false;
    /** Another scenario that is to be taken. @type {number | string | undefined} */
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
    /** @type {{ s: number, x: number, y: number, rate: [number, number] } | undefined} */ this.slid = undefined;
    /** Pixels of 1 m/s while the velocity is dragged. @type {number | undefined} */
    this.unit = undefined;
    this.later = 0;
    /** Letters of methods that are compared with. @type {Set<string>} */
    this.rivals = new Set();
    /** Places of curves and lists of them, by their keys, as they are now. @type {Map<string, any[]>} */
    this.lists = new Map();
    this.build(live);
    this.handles();
    page.draw(page.player.time);
  }

  /** @param {any} live */
  build(live) {
    const { place } = this;
    this.controls = live.controls.map((/** @type {any} */ control) => ({ ...control }));
    this.formulas = live.formulas;
    this.live = live;
    this.parts = live.parts;
    this.relisted();
    this.names = live.names;
    const first = this.first();
    const field = (/** @type {any} */ control) => `<input type="range" min="0" max="1000" step="1" id="r-${text(control.key)}" data-key="${text(control.key)}"><input type="number" step="${control.whole ? 1 : 'any'}" data-key="${text(control.key)}" aria-label="${text(`${control.words}, ${control.unit || 'a number'}`)}">`;
    const number = (/** @type {any} */ control) => `<div class="control"><label for="r-${text(control.key)}">${text(control.words)} <code>${text(control.key)}</code></label>${field(control)}<span class="unit">${text(control.unit)}</span></div>`;
    const simple = first.map(({ control, name, sign, ends }) => `<div class="control first"><label for="r-${text(control.key)}" title="${text(control.key)}">${t(name)} <i>${sign}</i></label>${field(control)}<span class="unit">${text(control.unit)}</span><small>${ends.map((end) => `<span>${t(end)}</span>`).join('')}</small></div>`);
    const formula = (/** @type {any} */ { key, words }, /** @type {number} */ i) => `<div class="control wide"><label for="f${i}">${text(words)} <code>${text(key)}</code></label><input id="f${i}" type="text" spellcheck="false" data-key="${text(key)}"></div>`;
    // Physics first, each group below one head; how it is computed, and what each of several balls has, is folded.
    const shown = new Set(first.map(({ control }) => control.key));
    const groups = new Map(live.controls.map((/** @type {any} */ { group }) => [group, '']));
    for (const control of this.controls) if (!shown.has(control.key)) groups.set(control.group, groups.get(control.group) + number(control));
    const folds = [...groups].filter(([, inside]) => inside).map(([group, inside]) => `<details${live.open.includes(group) ? ' open' : ''}><summary>${text(t(group))}</summary>${inside}</details>`);
    const choice = (/** @type {string} */ key, /** @type {string} */ name, /** @type {[string, number, string][]} */ all, /** @type {number} */ sign) => this.has(key) ? `<div class="seg" role="radiogroup" aria-label="${t(name)}" data-choice="${key}">${all.map(([one, value, icon]) => `<button type="button" role="radio" data-value="${sign * value}"><svg viewBox="0 0 28 28" aria-hidden="true">${icon}</svg>${t(one)}${sign < 0 ? `<small>${value}</small>` : ''}</button>`).join('')}</div>` : '';
    const gravity = this.controls.find(({ key }) => key === 'forces.gravity.x')?.value === 0 ? choice('forces.gravity.y', 'Gravity', GRAVITIES, -1) : '';
    const kind = this.page.all.page.balls[0].radius > 0 ? choice('ball.inertia', 'Ball', KINDS, 1) : '';
    const bounces = this.page.told?.events.some(({ kind }) => kind === 'impact');
    /** @type {[string, [string, number | string][]][]} */
    const any = QUESTIONS.filter(([, key, value]) => (bounces || key !== 'contact.restitution') && this.controls.some((control) => control.key === key && control.value !== value)).map(([question, key, value]) => [t(question), [[key, value]]]);
    const tries = this.names[Number(this.scenario)]?.tries ?? (this.page.motions?.length === 1 ? any.slice(0, 3) : []);
    place.innerHTML = `<h2><span>${t('Change it')}</span><button type="button" id="undo" title="${t('Undo')} (Ctrl+Z)">${t('undo')}</button><button type="button" id="redo" title="${t('Redo')} (Ctrl+Y)">${t('redo')}</button><button type="button" id="reset">${t('reset')}</button></h2>
<div id="fields">${simple.join('')}${gravity}${kind}<div id="wrong" role="alert"></div><details id="more"><summary>${t('More: all its numbers')}</summary>${this.formulas.map(formula).join('')}${folds.join('')}</details></div><hr>
<h2><span>${t('Compare')}</span></h2><div id="ghost"></div>${tries.length > 0 ? `<hr><h2><span>${t('Try')}</span></h2><div class="tries">${tries.map(([question], i) => `<button type="button" data-try="${i}">${text(question)}</button>`).join('')}</div>` : ''}`;
    this.wrongs = place.querySelector('#wrong');
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => place.querySelector(id)?.addEventListener('click', act);
    on('#undo', () => this.back(this.past, this.future));
    on('#redo', () => this.back(this.future, this.past));
    on('#reset', () => { this.remember(); this.changes.clear(); this.relisted(); this.fill(); this.ask(''); });
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('[data-value]'))) {
      button.addEventListener('click', () => this.set([[/** @type {HTMLElement} */ (button.parentElement).dataset.choice ?? '', Number(button.dataset.value)]]));
    }
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('[data-try]'))) {
      button.addEventListener('click', async () => {
        this.pin();
        this.page.player.go(this.page.player.begin);
        await this.set(tries[Number(button.dataset.try)]?.[1] ?? []);
        this.page.player.play(true);
      });
    }
    for (const input of place.querySelectorAll('input')) {
      // One drag of a slider, one number written, or one row of strokes on keys is one step back.
      for (const end of ['pointerdown', 'blur']) input.addEventListener(end, () => { this.edited = undefined; });
      // What holds is seen again.
      input.addEventListener('blur', () => { if (input.value.trim() !== '') return; this.fill(true); this.wrong(this.refused); });
      input.addEventListener('input', () => this.input(input));
    }
    this.ghost();
    this.fill();
  }

  /** Points of curves as they are now: where pieces meet that move alike there is one. */
  relisted() {
    const part = (/** @type {string} */ key) => this.parts[Number(key.split('.')[1])];
    this.lists = new Map(this.live.places.map((/** @type {any} */ { key, value }) => [key, placesOf(this.changes.get(key), value) ?? value]));
    this.points = [];
    for (const [list, places] of this.lists) {
      for (const [i, [x, y]] of (grows(places) ? places : [places]).entries()) {
        const key = grows(places) ? `${list}.${i}` : list;
        const one = this.points.find(({ keys: [other], value: [u, v] }) => part(other) === part(key) && Math.hypot(x - u, y - v) < 1e-9);
        if (one) one.keys.push(key); else this.points.push({ keys: [key], value: [x, y] });
      }
    }
  }

  /** Whether a number of this key can be changed. @param {string} key @returns {boolean} */
  has(key) {
    return Boolean(this.controls.some((control) => control.key === key));
  }

  /** The numbers that come first, with ranges about the values they have. */
  first() {
    const table = this.table();
    const [, , low = 0, high = 1] = this.page.scene.motionBox ?? [];
    const found = FIRST.flatMap(([end, name, sign, ends]) => {
      const control = this.controls.find(({ key }) => key === `${table}.${end}` || key === end);
      if (!control || (end.startsWith('velocity') && control.value === 0)) return [];
      const { value } = control;
      if (end === 'position.y') Object.assign(control, { low: value - 0.7 * (high - low), high: value + 0.7 * (high - low) });
      if (end.startsWith('velocity')) Object.assign(control, { low: Math.min(0, 2 * value), high: Math.max(0, 2 * value) });
      if (end === 'contact.speed') Object.assign(control, { low: Math.min(0, 2 * value), high: Math.max(1, 2 * value) });
      if (end === 'contact.friction') control.high = Math.max(1, 1.5 * value);
      return [{ control, name, sign, ends }];
    });
    return found.slice(0, MOST_FIRST);
  }

  /** What the fields show. @param {boolean} [all] also the one that is written in */
  fill(all = false) {
    for (const input of this.place.querySelectorAll('input')) {
      const control = this.controls.find(({ key }) => key === input.dataset.key);
      const formula = this.formulas.find((/** @type {any} */ { key }) => key === input.dataset.key);
      const value = this.changes.get(input.dataset.key ?? '') ?? control?.value ?? formula?.value;
      const range = input.type === 'range';
      if (!all && input === document.activeElement && !range) continue;
      const next = range ? String(Math.round(1000 * part(control, Number(value)))) : input.type === 'number' ? String(Number(Number(value).toPrecision(6))) : String(value);
      // What is written anew is laid out anew.
      if (input.value !== next) input.value = next;
      if (range) input.style.setProperty('--p', `${Number(next) / 10}%`);
      const words = `${plain(Number(value))} ${control?.unit ?? ''}`.trim();
      if (range && input.getAttribute('aria-valuetext') !== words) input.setAttribute('aria-valuetext', words);
    }
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.place.querySelectorAll('[data-value]'))) {
      const key = button.parentElement?.dataset.choice ?? '';
      const value = Number(this.changes.get(key) ?? this.controls.find((control) => control.key === key)?.value);
      button.setAttribute('aria-checked', String(Math.abs(value - Number(button.dataset.value)) < 1e-6));
    }
    this.dead();
  }

  /** Numbers that change nothing in this run say so. */
  dead() {
    const input = this.place.querySelector('.first [data-key="contact.restitution"]');
    const place = input?.parentElement;
    const events = this.page.told?.events ?? [];
    const dead = this.page.all.page.balls.length === 1 && this.page.player.told === Infinity && !events.some(({ kind }) => kind === 'impact');
    if (!place || place.classList.contains('dead') === dead) return;
    place.classList.toggle('dead', dead);
    const ends = FIRST.find(([end]) => end === 'contact.restitution')?.[3] ?? [];
    const small = place.querySelector('small');
    if (small) small.innerHTML = (dead ? [t('no bounce in this run: it changes nothing')] : ends.map((end) => t(end))).map((words) => `<span>${words}</span>`).join('');
  }

  /** Changes values, as one step. @param {[string, number | string][]} changes */
  async set(changes) {
    this.remember();
    for (const [key, value] of changes) this.changes.set(key, value);
    this.relisted();
    this.fill();
    await this.ask(changes[0]?.[0] ?? '');
  }

  /** @param {HTMLInputElement} input */
  input(input) {
    const key = input.dataset.key ?? '';
    const control = this.controls.find((control) => control.key === key);
    const value = input.type === 'text' ? input.value : input.type === 'range' ? fromPart(control, Number(input.value) / 1000) : Number(input.value);
    if (input.type === 'number' && input.value.trim() === '') {
      this.field = key;
      this.wrong(new Error(t('no number: {0} holds', plain(Number(this.changes.get(key) ?? control?.value)))));
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
    // A list is written as one in links; the engine takes it as one.
    return { ...chosen(this.scenario), changes: [...this.changes].map(([key, value]) => [key, this.lists.get(key) ?? value]) };
  }

  /** Saves what the fields show once it has run; what can't run is not saved. @param {() => Promise<void>} write */
  async keep(write) {
    while (this.busy) await new Promise((done) => { setTimeout(done, 10); });
    try {
      if (this.refused) throw this.refused;
      await write();
    } catch (error) {
      this.wrong(error, t('Not saved: '));
    }
  }

  /** The scenario as a file: files of the ground are named so that any folder will do. */
  saveToml() {
    return this.keep(async () => {
      const { scenario, page } = this.page.all;
      save('scenario.toml', `${toml({ ...scenario, ground: page.live.ground ?? scenario.ground })}\n`, 'text/plain');
    });
  }

  /** This page with the run in it. */
  saveHtml() {
    return this.keep(async () => {
      this.page.fill('tables');
      save('report.html', await this.engine.report?.(this.wish(), this.page.tables.place.innerHTML) ?? '', 'text/html');
    });
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
    this.relisted();
    this.fill(true);
    this.ask('');
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (['Delete', 'Backspace'].includes(event.key) && this.page.scene.editing && !/** @type {HTMLElement} */ (event.target).matches('input')) this.takeOut();
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
        const data = await this.engine.change?.(next === undefined ? this.wish() : { ...chosen(next), changes: [] });
        // Of another scenario than the one that was chosen meanwhile nothing is shown.
        if (this.next !== undefined || !data) continue;
        if (next === undefined) this.show(data); else this.take(next, data);
        this.refused = undefined;
        this.wrong();
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') continue;
        // What can't be taken leaves all as it is.
        if (typeof next === 'string') {
          toast(error instanceof Error ? error.message : String(error));
          continue;
        }
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
    [page.scene.before] = page.scene.tracks;
    page.show(data, 'quick');
    this.slide();
    this.dead();
    clearTimeout(this.later);
    this.later = window.setTimeout(() => { page.choose(); page.thumb(); noteAddress(page); this.rival(); }, 250);
  }

  /** What is wrong, where it was made so: at the field or in the picture, which is then of the run before.
   * @param {unknown} [error] nothing: all is well @param {string} [before] the message */
  wrong(error, before = '') {
    const message = error === undefined ? '' : before + (error instanceof Error ? error.message : String(error));
    const place = this.wrongs;
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
    for (let fold = at?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
    if (at) at.parentElement?.append(place); else if (above?.previousElementSibling !== place) above?.before(place);
    this.page.refuse(message !== '', this.dragged ? message : '');
    place.innerHTML = message && !this.dragged ? `${marked}<p>${text(message)}</p>` : '';
  }

  /** Another scenario: its index, or its text. @param {number | string} scenario */
  async choose(scenario) {
    this.next = scenario;
    await this.ask('');
  }

  /** A drawing or a scenario of the reader's own. @param {Blob | undefined} file */
  async read(file) {
    if (!file) return;
    this.closed();
    if (file.size > LARGE) toast(t('A file of {0} MB is too large for a page.', (file.size / 1e6).toFixed(0)));
    else await this.choose(await file.text());
  }

  /** Its run is there. @param {number | string} scenario @param {import('./data.js').Data} data */
  take(scenario, data) {
    clearTimeout(this.later);
    this.scenario = scenario;
    [this.aim, this.slid] = [undefined, undefined];
    this.changes.clear();
    [this.past, this.future] = [[], []];
    [this.page.scene.before, this.page.scene.touched, this.page.scene.chosen] = [undefined, false, -1];
    this.page.rivals.clear();
    this.rivals.clear();
    this.page.show(data);
    this.build(data.document.page.live);
    this.page.draw(this.page.player.time);
    noteAddress(this.page);
  }

  /** The table in which the chosen ball's start stands. */
  table() {
    const own = `ball.${this.page.ball + 1}.initial`;
    return this.controls.some(({ key }) => key.startsWith(`${own}.`)) ? own : 'initial';
  }

  /** Whether the start has this number. @param {string} end of its key */
  starts(end) {
    return Boolean(this.controls.some(({ key }) => key === `${this.table()}.${end}`));
  }

  /** The start of the chosen ball, m, how far from it that is drawn, the way it goes and how fast, m/s: on the ground along its tangent, where the speed has a sign. */
  start() {
    const { motions, ball, scene } = this.page;
    const [motion, track] = [motions?.[ball], scene.tracks[ball]];
    if (!motion || !track) return undefined;
    const { x, y, vx, vy, nx, ny } = motion.at(motion.begin);
    const [size, ground] = [Math.hypot(vx, vy), this.starts('contact.s') && (nx !== 0 || ny !== 0)];
    // The tangent is the normal turned by −90°.
    const [u, v] = ground ? [ny, -nx] : size > 0 ? [vx / size, vy / size] : [1, 0];
    return { x, y, u, v, speed: vx * u + vy * v, shift: scene.shift(track, 0, motion.begin) };
  }

  /** The start of the chosen ball and the tip of its first velocity, pixels; none if no number is theirs. @returns {[number, number][]} */
  ends() {
    const { scene, camera } = this.page;
    const start = this.start();
    if (!start || !(this.starts('position.x') || (this.starts('contact.s') && this.starts('contact.speed')))) return [];
    const [x, y, unit] = [camera.px(start.x + start.shift[0]), camera.py(start.y + start.shift[1]), this.unit ?? (scene.units[0] ?? 10) * look.unit];
    const [vx = 0, vy = 0] = scene.bounded([start.u * start.speed * unit, -start.v * start.speed * unit]);
    const long = Math.hypot(vx, vy);
    // Less than a pixel has no side.
    const reach = start.speed * unit < -1 ? -APART - long : APART + long;
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
    const [dx, dy] = start?.shift ?? [0, 0];
    if (this.starts('contact.s') && !tip) {
      this.aim = { x: x - dx, y: y - dy, tries: 6 };
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
    return this.pair([key], tip ? [tip[0] * part, tip[1] * part] : [x - dx, y - dy]);
  }

  /** Changes places or velocities. @param {string[]} keys @param {[number, number]} pair @returns {string} what was changed */
  pair(keys, [x, y]) {
    const place = [Number(x.toPrecision(4)), Number(y.toPrecision(4))];
    for (const key of keys) {
      const [list, at] = this.listed(key);
      const value = at < 0 ? place : this.lists.get(list)?.map((point, i) => (i === at ? place : point));
      if (list) this.changes.set(list, JSON.stringify(value));
      else ['x', 'y'].forEach((axis, i) => this.changes.set(`${key}.${axis}`, place[i] ?? 0));
      this.relisted();
    }
    return `${keys[0]}.y`;
  }

  /** Where the curve of a key is carried to now, m. @returns {(key: string) => [number, number]} */
  carried() {
    const { motions, scene: { ground }, player, ball } = this.page;
    const { dx, dy } = motions?.[ball]?.at(player.time) ?? { dx: 0, dy: 0 };
    return (key) => {
      const [x, y] = ground?.way(this.parts[Number(key.split('.')[1])] ?? 0, player.time) ?? [0, 0];
      return [dx + x, dy + y];
    };
  }

  /** Points of curves as they are now, pixels. @returns {[number, number][]} */
  places() {
    const { camera } = this.page;
    const carried = this.carried();
    return this.points.map(({ keys: [key], value: [x, y] }) => {
      const [dx, dy] = carried(key);
      return [camera.px(x + dx), camera.py(y + dy)];
    });
  }

  /** Places in the picture that can be dragged. */
  handles() {
    const { scene, camera } = this.page;
    const canvas = scene.element;
    let [taken, held] = [-1, 0];
    document.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => { event.preventDefault(); this.read(event.dataTransfer?.files[0]); });
    scene.handles = () => ({ ends: this.ends(), places: this.places() });
    canvas.addEventListener('dblclick', (event) => { if (scene.editing) { event.stopImmediatePropagation(); this.put(event.offsetX, event.offsetY); } }, { capture: true });
    // A finger that is held and does not move stands for the double click.
    let from = [0, 0];
    canvas.addEventListener('pointerdown', ({ pointerType, offsetX, offsetY }) => {
      from = [offsetX, offsetY];
      if (scene.editing && pointerType !== 'mouse') held = window.setTimeout(() => { taken = -1; this.put(offsetX, offsetY); }, HELD);
    }, { capture: true });
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel', 'pointermove'])) canvas.addEventListener(end, ({ offsetX, offsetY }) => { if (end !== 'pointermove' || Math.hypot(offsetX - (from[0] ?? 0), offsetY - (from[1] ?? 0)) > 8) clearTimeout(held); }, { capture: true });
    dragged(canvas, (event) => {
      if (this.page.player.playing) return false;
      // The tip before the start, and points below both.
      const all = [...this.places().reverse(), ...this.ends()];
      const found = all.findLastIndex(([x, y]) => Math.hypot(x - event.offsetX, y - event.offsetY) < NEAR);
      taken = found < 0 ? -1 : all.length - 1 - found;
      if (taken < 0) return false;
      event.stopImmediatePropagation();
      this.remember();
      this.slid = undefined;
      scene.chosen = taken - this.ends().length;
      [this.unit, this.page.frozen, scene.touched] = [(scene.units[0] || 10) * look.unit, true, true];
      return true;
    }, (event) => {
      event.stopImmediatePropagation();
      if (taken < 0) return;
      scene.pointer = [event.offsetX, event.offsetY];
      const [x, y] = camera.place(event.offsetX, event.offsetY);
      const ends = this.ends();
      const [[px, py] = [0, 0]] = ends;
      let changed = '';
      if (taken < ends.length) {
        changed = this.move([x, y], taken === 0 ? [event.offsetX - px, py - event.offsetY] : undefined);
      } else {
        const keys = this.points[taken - ends.length]?.keys ?? [];
        const [dx, dy] = this.carried()(keys[0] ?? '');
        changed = this.pair(keys, [x - dx, y - dy]);
      }
      if (!changed) return;
      this.fill();
      this.ask(changed, true);
    }, () => {
      [taken, this.unit, this.page.frozen] = [-1, undefined, false];
      this.page.draw(this.page.player.time);
    });
  }

  /** What a place of a curve is changed with: itself, or the list that it stands in with its index there. @param {string} [key] @returns {[string, number]} */
  listed(key = '') {
    const [, list = '', at = ''] = /^(.*)\.(\d+)$/.exec(key) ?? [];
    return this.lists.has(key) ? [key, -1] : this.lists.has(list) ? [list, Number(at)] : ['', -1];
  }

  /** A point more, on the line between two that is nearest to a pixel; where there is one it goes. @param {number} px @param {number} py */
  put(px, py) {
    const { page: { scene, camera } } = this;
    const places = this.places();
    scene.chosen = places.findIndex(([x, y]) => Math.hypot(x - px, y - py) < NEAR);
    if (scene.chosen >= 0) return this.takeOut();
    /** @type {{ list: string, at: number, away: number }} */
    let best = { list: '', at: 0, away: Infinity };
    for (const [list, points] of [...this.lists].filter(([, points]) => grows(points))) {
      const [dx, dy] = this.carried()(list);
      for (let at = 1; at < points.length; at++) {
        const [[x = 0, y = 0] = [], [u = 0, v = 0] = []] = points.slice(at - 1, at + 1).map(([x, y]) => [camera.px(x + dx), camera.py(y + dy)]);
        const part = Math.min(1, Math.max(0, ((px - x) * (u - x) + (py - y) * (v - y)) / ((u - x) ** 2 + (v - y) ** 2 || 1)));
        const away = Math.hypot(px - x - part * (u - x), py - y - part * (v - y));
        if (away < best.away) best = { list, at, away };
      }
    }
    if (!best.list) return toast(t('Only a track that is a list of points takes more of them.'));
    const [[dx, dy], [x, y]] = [this.carried()(best.list), camera.place(px, py)];
    this.relist(best.list, (points) => points.splice(best.at, 0, [Number((x - dx).toPrecision(4)), Number((y - dy).toPrecision(4))]));
    scene.chosen = this.points.findIndex(({ keys }) => keys.includes(`${best.list}.${best.at}`));
  }

  /** The point that was touched last goes. */
  takeOut() {
    const [list = '', at = 0] = this.points[this.page.scene.chosen]?.keys.map((key) => this.listed(key)).find(([, at]) => at >= 0) ?? [];
    if (!list) return toast(t('Only a track that is a list of points can lose one.'));
    this.page.scene.chosen = -1;
    this.relist(list, (points) => points.splice(at, 1));
  }

  /** Changes a list of points. @param {string} list @param {(points: number[][]) => void} change */
  relist(list, change) {
    const points = [...this.lists.get(list) ?? []];
    change(points);
    this.set([[list, JSON.stringify(points)]]);
  }

  /** Keeps this run, to compare others with. */
  pin() {
    const { page } = this;
    const motion = page.motions?.[page.ball];
    if (!page.told || !motion) return;
    const [key, value] = [...this.changes].at(-1) ?? [];
    page.beside({ letter: 'B', name: key ? `${this.controls.find((control) => control.key === key)?.words ?? key} ${typeof value === 'number' ? plain(value, 4) : value}` : t('as it was') }, motion, page.all.page);
    this.ghost();
    toast(t('Kept as ghost B. Now change something.'));
  }

  /** Ghosts of other methods are of the run that is shown now. */
  async rival() {
    const { page, rivals, engine } = this;
    const [motion] = page.motions ?? [];
    const { scene, all } = page;
    if (!motion || page.motions?.length !== 1 || !scene.ground) return;
    const [ground, restitution, wish] = [scene.ground, Number(all.scenario.contact?.restitution) || 0, this.wish()];
    /** @type {Record<string, () => any>} */
    const runs = {
      N: () => naive(ground, all.page, motion, restitution),
      J: () => matter(engine.matter ?? '', scene, all.page, motion, restitution),
      M: async () => {
        const data = await engine.change?.({ ...wish, method: 'moreau', step: COARSE });
        return data && { motion: motions(data.document, data.arrays)[0], page: data.document.page };
      },
    };
    for (const [letter, , name] of OTHERS.filter(([letter]) => rivals.has(letter) && !(letter === 'M' && this.busy))) {
      try {
        const run = await runs[letter]?.();
        if (!run || JSON.stringify(wish) !== JSON.stringify(this.wish())) return;
        if (rivals.has(letter)) page.beside({ letter, name: t(name), ...run }, run.motion, run.page ?? all.page);
      } catch (error) {
        if (error instanceof DOMException) return;
        rivals.delete(letter);
        toast(error instanceof Error ? error.message : String(error));
      }
    }
    this.ghost();
  }

  /** What is compared with. */
  ghost() {
    const place = this.place.querySelector('#ghost');
    const { page, rivals } = this;
    if (!place) return;
    for (const letter of page.rivals.keys()) if (letter !== 'B' && !rivals.has(letter)) page.rivals.delete(letter);
    const row = (/** @type {import('./main.js').Rival} */ { letter, name }) => `<div class="ghost"><svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true"><circle cx="11" cy="11" r="8" fill="none" stroke="var(--ghost)" stroke-width="2" stroke-dasharray="3.5 2.5"/><text x="11" y="15" text-anchor="middle" font-size="11" font-weight="700" fill="var(--ghost)">${letter}</text></svg><span>${text(name)}<small id="apart-${letter}"></small></span><button type="button" data-rival="${letter}">${t('remove')}</button></div>`;
    const others = this.others().filter(([letter = '']) => !rivals.has(letter));
    const button = (/** @type {string[]} */ [letter = '', name = '']) => `<button type="button" class="btn" data-rival="${letter}"${letter === 'B' ? ' id="pin" title="(g)"' : ''}>${t(name)}</button>`;
    place.innerHTML = `${[...page.rivals.values()].map(row).join('')}<p class="row">${[['B', 'Keep as ghost'], ...others].map(button).join('')}</p>`;
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('[data-rival]'))) one.addEventListener('click', () => this.against(one.dataset.rival ?? '', Boolean(one.closest('.ghost'))));
    this.beside();
    page.hud.written.clear();
    page.account();
    page.draw(page.player.time);
  }

  /** What a run can be compared with here. */
  others() {
    return this.page.motions?.length === 1 ? OTHERS.filter(([letter]) => letter !== 'J' || this.engine.matter) : [];
  }

  /** Errors of others, in the drawer. */
  beside() {
    const place = document.getElementById('beside');
    if (!place) return;
    place.innerHTML = `${errors(this.page)}<p class="row"><button type="button" class="btn">${t('run all of them')}</button></p>`;
    place.querySelector('button')?.addEventListener('click', () => { for (const [letter] of this.others()) this.rivals.add(letter); this.rival(); });
  }

  /** Another run is compared with, or no more. @param {string} letter @param {boolean} gone */
  against(letter, gone) {
    if (gone) {
      this.rivals.delete(letter);
      this.page.rivals.delete(letter);
      return this.ghost();
    }
    if (letter === 'B') return this.pin();
    this.rivals.add(letter);
    this.rival();
  }

  /** Shows the gallery. */
  gallery() {
    const place = /** @type {HTMLElement} */ (document.getElementById('gallery'));
    if (!place.hidden) return void this.closed();
    const cards = this.names.map(({ title, file, about, picture }, i) => `<button type="button" class="card" data-scene="${i}" data-file="${text(file)}"${i === this.scenario ? ' aria-current="true"' : ''}>${picture ?? ''}<div><b>${text(title)}</b><span>${text(about ?? file.split('/').slice(-3).join('/'))}</span></div></button>`);
    place.innerHTML = `<header><div><h2 id="gallery-title">${t('Choose a track')}</h2><p>${t('Every one is a file of a few lines, and all can be changed. A drawing (SVG), a GPS track (GPX) or a scenario of yours is dropped on the page, or opened:')} <button type="button" id="open">${t('open a file')}</button></p></div><button type="button" class="btn" id="gallery-close">${t('✕ close')}</button></header><div id="cards">${cards.join('')}</div>`;
    place.hidden = false;
    this.page.player.play(false);
    place.querySelector('#gallery-close')?.addEventListener('click', () => this.closed());
    place.querySelector('#open')?.addEventListener('click', () => {
      const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.svg,.gpx,.toml' });
      input.addEventListener('change', () => this.read(input.files?.[0]));
      input.click();
    });
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('.card'))) card.addEventListener('click', () => { this.closed(); this.choose(Number(card.dataset.scene)); });
    /** @type {HTMLElement | null} */ (place.querySelector('[aria-current]'))?.focus();
  }

  /** Closes the gallery. @returns {boolean} whether it was closed */
  closed() {
    const place = /** @type {HTMLElement} */ (document.getElementById('gallery'));
    if (place.hidden) return true;
    place.hidden = true;
    document.getElementById('pick')?.focus();
    return false;
  }

  /** Goes to the scenario and the values that a link tells. @param {URLSearchParams} state */
  async restore(state) {
    const scene = this.names.findIndex(({ title }) => title === state.get('scene'));
    if (scene > 0) await this.choose(scene);
    else if (state.get('text')) await this.choose(state.get('text') ?? '');
    const changes = [...state].flatMap(([key, value]) => {
      const [places, formula] = [this.lists.get(key), this.formulas.some((/** @type {any} */ one) => one.key === key)];
      const known = places ? placesOf(value, places) : this.has(key) || formula;
      return known ? [/** @type {[string, number | string]} */ ([key, places || formula ? value : Number(value)])] : [];
    });
    if (changes.length > 0) await this.set(changes);
  }
}
