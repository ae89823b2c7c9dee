// The engine compiled to WebAssembly, in a thread of its own: a run that takes long stops no picture.

/** @typedef {'data' | 'report'} Kind What is asked for: the data of a run, or what a report of it carries. */

/** All that the thread does; its text is what the thread is given, so it uses nothing from outside. */
function thread() {
  /** @type {any} */
  let engine;
  /** @type {() => Promise<void>} */
  let open;
  let [begun, told] = [0, 0];
  const ends = (/** @type {number} */ part, /** @type {number} */ patience) => {
    const now = performance.now();
    if (now - told > 100) postMessage({ part });
    if (now - told > 100) told = now;
    return Number(now - begun > 1000 * patience);
  };
  const put = (/** @type {string} */ text) => {
    const bytes = new TextEncoder().encode(text);
    const at = engine.input(bytes.length);
    new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  };
  const taken = () => new Uint8Array(engine.memory.buffer, engine.output(), engine.output_length()).slice();
  const heard = async (/** @type {any} */ { packed, compiled, gallery, kind, wish }) => {
    try {
      if (gallery !== undefined) {
        const bytes = () => Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
        const stream = () => new Blob([bytes()]).stream().pipeThrough(new DecompressionStream('gzip'));
        const module = /** @type {WebAssembly.Module} */ (compiled ?? await WebAssembly.compile(await new Response(stream()).arrayBuffer()));
        open = async () => {
          engine = (await WebAssembly.instantiate(module, { worker: { ends } })).exports;
          put(gallery);
          engine.open();
        };
        await open();
        postMessage({ compiled: module });
        return;
      }
      put(wish);
      begun = told = performance.now();
      const refused = engine[kind]() !== 0;
      const answer = taken();
      postMessage({ refused, answer }, { transfer: [answer.buffer] });
    } catch (error) {
      // What the engine said before it broke down; then a fresh one.
      const said = engine && error instanceof WebAssembly.RuntimeError ? new TextDecoder().decode(taken()) : '';
      if (engine) await open();
      postMessage({ broken: `the engine broke down: ${said || String(error)}` });
    }
  };
  let last = Promise.resolve();
  onmessage = ({ data }) => { last = last.then(() => heard(data)); };
}

/** A thread with an engine, which answers one question after the other. */
export class Thread {
  /** @param {string} packed the engine, packed by gzip, in the 64 letters @param {string} gallery */
  constructor(packed, gallery) {
    this.gallery = gallery;
    /** @type {WebAssembly.Module | undefined} */ this.compiled = undefined;
    /** Who waits for answers. @type {{ resolve: (answer: ArrayBuffer) => void, reject: (error: unknown) => void }[]} */
    this.waiting = [];
    /** Hears how far a run is, from 0 to 1. @type {((part: number) => void) | undefined} */
    this.progress = undefined;
    this.place = URL.createObjectURL(new Blob([`(${thread})()`], { type: 'text/javascript' }));
    this.worker = this.begun({ packed });
  }

  /** A worker that is given an engine, packed or compiled. @param {object} engine */
  begun(engine) {
    const worker = new Worker(this.place);
    worker.onmessage = ({ data: { compiled, part, refused, answer, broken } }) => {
      if (compiled) this.compiled = compiled;
      if (part !== undefined) this.progress?.(part);
      if (!answer && !broken) return;
      const waiting = this.waiting.shift();
      if (broken) waiting?.reject(new Error(broken));
      else if (refused) waiting?.reject(JSON.parse(new TextDecoder().decode(answer)));
      else waiting?.resolve(answer.buffer);
    };
    worker.onerror = ({ message }) => this.end(new Error(message || 'the engine does not start here'));
    worker.postMessage({ ...engine, gallery: this.gallery });
    return worker;
  }

  /** @param {Kind} kind @param {object} wish @returns {Promise<ArrayBuffer>} */
  ask(kind, wish) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.worker.postMessage({ kind, wish: JSON.stringify(wish) });
    });
  }

  /** Nobody is answered any more. @param {unknown} error */
  end(error) {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  /** The run under way ends at once, with its thread. */
  drop() {
    if (this.waiting.length === 0 || !this.compiled) return;
    this.worker.terminate();
    this.end(new DOMException('dropped', 'AbortError'));
    this.worker = this.begun({ compiled: this.compiled });
  }
}
