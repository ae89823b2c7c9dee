// Where runs come from. The page asks nothing else.

import { Thread } from './compiled.js';
import { pack, parsed, unpack } from './data.js';
import { text } from './files.js';

/** @typedef {import('./data.js').Data} Data */
/** @typedef {{ scenario?: number, text?: string, changes: [string, any][], method?: string, step?: number, carried?: boolean }} Wish A scenario of the gallery by its index, or its text, with changed values; `method`: by this one, with a step, s. */
/** @typedef {{ open: () => Promise<Data>, change?: (wish: Wish) => Promise<Data>, report?: (wish: Wish, tables: string) => Promise<string>, figures?: (wish: Wish) => Promise<string>, drop?: () => void, matter?: string }} Engine
 * `open`: the first run; `change`: another one, where something computes; `report`: a page to be kept, with `tables` for those without scripts; `figures`: SVG; `drop`: the run under way ends, as nobody
 * waits for it: its promise is broken by an `AbortError`; `matter`: matter-js, packed, to compare with. */

/** The run that the page carries. @implements {Engine} */
class Carried {
  /** @returns {Promise<Data>} */
  open() {
    return unpack(document.getElementById('data')?.textContent ?? '');
  }
}

/** What computes runs. */
class Computing extends Carried {
  constructor() {
    super();
    /** What the page says of each scene, if it carries them. @type {any[] | undefined} */
    this.scenes = undefined;
    this.page = document.documentElement.outerHTML;
  }

  /** Asks for the data of a run, or for what a report of it carries. @param {import('./compiled.js').Kind} _ @param {Wish} __ @returns {Promise<ArrayBuffer>} */
  ask(_, __) { return Promise.reject(new Error('nobody computes')); }

  /** @param {Wish} wish @returns {Promise<Data>} */
  async change(wish) {
    const data = parsed(await this.ask('data', wish));
    if (this.scenes) data.document.page.live.names = this.scenes;
    return data;
  }

  /** @param {Wish} wish @returns {Promise<string>} */
  async figures(wish) {
    return new TextDecoder().decode(await this.ask('figures', wish));
  }

  /** This page with another run in it, which asks nobody. @param {Wish} wish @param {string} [tables] @returns {Promise<string>} */
  async report(wish, tables = '') {
    const [data, figures] = [await this.ask('data', { ...wish, carried: true }), await this.figures(wish)];
    const { title } = parsed(data).document;
    const page = new DOMParser().parseFromString(this.page, 'text/html');
    const put = (/** @type {string} */ place, /** @type {string} */ text) => { const found = page.querySelector(place); if (found) found.textContent = text; };
    put('title', `${title} · Kugelbahn`);
    put('#title', title);
    put('#data', await pack(data));
    const [pictures, policy] = [page.querySelector('noscript'), page.querySelector('meta[http-equiv]')];
    if (pictures) pictures.innerHTML = `<h1>${text(title)}</h1><p>Without JavaScript this page shows still pictures and numbers.</p>${figures}${tables}`;
    policy?.setAttribute('content', policy.getAttribute('content')?.replace(/connect-src [^;]*/, "connect-src 'none'") ?? '');
    return `<!DOCTYPE html>\n${page.documentElement.outerHTML}`;
  }
}

/** The engine behind the port that the page came from. @implements {Engine} */
class Port extends Computing {
  constructor() {
    super();
    this.token = new URLSearchParams(location.search).get('token') ?? '';
    /** Of the run under way. */
    this.patience = new AbortController();
  }

  drop() {
    this.patience.abort();
  }

  /** @param {import('./compiled.js').Kind} kind @param {Wish} wish */
  async ask(kind, wish) {
    const [path, signal] = kind === 'data' ? ['run', (this.patience = new AbortController()).signal] : [kind, null];
    const headers = { 'X-Token': this.token, 'Content-Type': 'application/json' };
    const asked = { method: 'POST', headers, body: JSON.stringify(wish), signal };
    let answer = await fetch(path, asked);
    for (let tries = 0; answer.status === 503 && tries < 40; tries++) {
      await new Promise((done) => { setTimeout(done, 250); });
      answer = await fetch(path, asked);
    }
    if (answer.status === 422) throw new Refusal(await answer.json());
    if (!answer.ok) throw new Error(await answer.text());
    return answer.arrayBuffer();
  }
}

/** The engine that the page carries, in a thread of its own. @implements {Engine} */
class Compiled extends Computing {
  constructor() {
    super();
    const [packed, scenes, matter] = ['engine', 'scenes', 'matter'].map((id) => document.getElementById(id));
    const list = scenes?.textContent ?? '[]';
    this.scenes = JSON.parse(list);
    this.thread = new Thread(packed?.textContent ?? '', list);
    this.matter = matter?.textContent ?? '';
    for (const part of [packed, scenes, matter]) part?.remove();
    // A report is this page without an engine.
    this.page = document.documentElement.outerHTML;
  }

  open() {
    return this.change({ scenario: 0, changes: [] });
  }

  drop() {
    this.thread.drop();
  }

  /** @param {import('./compiled.js').Kind} kind @param {Wish} wish */
  async ask(kind, wish) {
    try {
      return await this.thread.ask(kind, wish);
    } catch (error) {
      throw error instanceof Error ? error : new Refusal(/** @type {any} */ (error));
    }
  }
}

/** What the engine says of a scenario that can't be run: as on the command line. */
export class Refusal extends Error {
  /** @param {{ message: string, field?: string, from?: number, to?: number }} told */
  constructor({ message, field, from, to }) {
    super(message);
    /** The formula at fault, and which of its letters. */
    this.field = field;
    this.letters = [from ?? 0, to ?? 0];
  }
}

/** The engine of this page. @returns {Engine} */
export function connect() {
  if (document.getElementById('engine')) return new Compiled();
  return new URLSearchParams(location.search).has('token') ? new Port() : new Carried();
}
