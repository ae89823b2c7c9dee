// Where runs come from. The page asks nothing else.

import { Thread } from './compiled.js';
import { parsed, unpack } from './data.js';

/** @typedef {import('./data.js').Data} Data */
/** @typedef {{ scenario: number, changes: [string, any][], method?: string, step?: number }} Wish A scenario of the gallery by its index, with changed values; `method`: by this one, with a step, s. */
/** @typedef {{ open: () => Promise<Data>, change?: (wish: Wish) => Promise<Data>, report?: (wish: Wish) => Promise<string>, drop?: () => void }} Engine
 * `open`: the first run; `change`: another one, where something computes; `report`: a page to be kept; `drop`: the run under way ends, as nobody
 * waits for it: its promise is broken by an `AbortError`. */

/** The run that the page carries. @implements {Engine} */
class Carried {
  /** @returns {Promise<Data>} */
  open() {
    return unpack(document.getElementById('data')?.textContent ?? '');
  }
}

/** The engine behind the port that the page came from. @implements {Engine} */
class Port extends Carried {
  constructor() {
    super();
    this.token = new URLSearchParams(location.search).get('token') ?? '';
    /** Of the run under way. @type {AbortController | undefined} */
    this.patience = undefined;
  }

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

  /** @param {Wish} wish @returns {Promise<Data>} */
  async change(wish) {
    this.patience = new AbortController();
    return parsed(await (await this.ask('/run', wish, this.patience.signal)).arrayBuffer());
  }

  /** @param {Wish} wish @returns {Promise<string>} */
  async report(wish) {
    return (await this.ask('/report', wish)).text();
  }
}

/** The engine that the page carries, in a thread of its own. @implements {Engine} */
class Compiled extends Carried {
  constructor() {
    super();
    const [packed, scenes] = ['engine', 'scenes'].map((id) => document.getElementById(id));
    const list = scenes?.textContent ?? '[]';
    /** What the page says of each scene. @type {any[]} */
    this.scenes = JSON.parse(list);
    this.thread = new Thread(packed?.textContent ?? '', list);
    // A report is this page with other data and without an engine.
    for (const part of [packed, scenes]) part?.remove();
    this.page = document.documentElement.outerHTML;
  }

  async open() {
    return this.named(await super.open());
  }

  drop() {
    this.thread.drop();
  }

  /** @param {Data} data */
  named(data) {
    data.document.page.live.names = this.scenes;
    return data;
  }

  /** @param {import('./compiled.js').Kind} kind @param {Wish} wish */
  async ask(kind, wish) {
    try {
      return await this.thread.ask(kind, wish);
    } catch (error) {
      throw error instanceof Error ? error : new Refusal(/** @type {any} */ (error));
    }
  }

  /** @param {Wish} wish @returns {Promise<Data>} */
  async change(wish) {
    return this.named(parsed(await this.ask('data', wish)));
  }

  /** @param {Wish} wish @returns {Promise<string>} */
  async report(wish) {
    const { title, data, still } = JSON.parse(new TextDecoder().decode(await this.ask('report', wish)));
    const page = new DOMParser().parseFromString(this.page, 'text/html');
    const put = (/** @type {string} */ place, /** @type {string} */ text) => { const found = page.querySelector(place); if (found) found.textContent = text; };
    put('title', `${title} · Kugelbahn`);
    put('#title', title);
    put('#data', data);
    const pictures = page.querySelector('noscript');
    if (pictures) pictures.innerHTML = still;
    return `<!DOCTYPE html>\n${page.documentElement.outerHTML}`;
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
