// The engine compiled to WebAssembly, in a thread of its own: a run that takes long stops no picture.

/** @typedef {'data' | 'figures'} Kind What is asked for: the data of a run, or its figures. */

/** What `xz --format=lzma` has packed (Pavlov, LZMA specification, 2015). Gzip, which browsers unlzma, takes a third more. */
export function unlzma(/** @type {Uint8Array} */ packed) {
  const byte = (/** @type {number} */ i) => packed[i] ?? 0;
  const [lc, lp, pb] = [byte(0) % 9, Math.trunc(byte(0) / 9) % 5, Math.trunc(byte(0) / 45)];
  let out = new Uint8Array(1 << 23);
  let [at, length] = [18, 0];
  /** Range and code: in an array of their own, as numbers of 32 bits are slow elsewhere. */
  const now = /** @type {[number, number]} */ (/** @type {unknown} */ (new Uint32Array([-1, 0])));
  const next = () => { now[1] = now[1] << 8 | byte(at++); };
  for (at = 14; at < 18;) next();
  /** Chances of a bit of zero, in 2048ths. */
  const chances = (/** @type {number} */ count) => new Uint16Array(count).fill(1024);
  const bit = (/** @type {Uint16Array} */ of, /** @type {number} */ i) => {
    const chance = of[i] ?? 0;
    const bound = (now[0] >>> 11) * chance;
    const one = now[1] >= bound;
    if (one) { now[0] -= bound; now[1] -= bound; } else now[0] = bound;
    of[i] = one ? chance - (chance >> 5) : chance + ((2048 - chance) >> 5);
    if (now[0] < 1 << 24) { now[0] <<= 8; next(); }
    return Number(one);
  };
  const even = (/** @type {number} */ count) => {
    let value = 0;
    for (; count > 0; count--) {
      now[0] >>>= 1;
      const one = now[1] >= now[0];
      if (one) now[1] -= now[0];
      value = value * 2 + Number(one);
      if (now[0] < 1 << 24) { now[0] <<= 8; next(); }
    }
    return value;
  };
  const tree = (/** @type {Uint16Array} */ of, /** @type {number} */ from, /** @type {number} */ bits) => {
    let node = 1;
    for (let i = 0; i < bits; i++) node = node << 1 | bit(of, from + node);
    return node - (1 << bits);
  };
  const back = (/** @type {Uint16Array} */ of, /** @type {number} */ from, /** @type {number} */ bits) => {
    let [node, value] = [1, 0];
    for (let i = 0; i < bits; i++) { const one = bit(of, from + node); node = node << 1 | one; value |= one << i; }
    return value;
  };
  const lengths = () => ({ choice: chances(2), low: chances(128), mid: chances(128), high: chances(256) });
  const run = (/** @type {ReturnType<typeof lengths>} */ of, /** @type {number} */ place) => {
    if (bit(of.choice, 0) === 0) return 2 + tree(of.low, place << 3, 3);
    return bit(of.choice, 1) === 0 ? 10 + tree(of.mid, place << 3, 3) : 18 + tree(of.high, 0, 8);
  };
  const [literals, matches, repeated] = [chances(768 << lc + lp), chances(192), chances(12)];
  const [first, short, second, third] = [chances(12), chances(192), chances(12), chances(12)];
  const [slots, near, low, fresh, again] = [chances(256), chances(128), chances(16), lengths(), lengths()];
  /** How far back the last matches were. */
  let [state, back0, back1, back2, back3] = [0, 0, 0, 0, 0];
  for (;;) {
    const place = length & (1 << pb) - 1;
    if (length + 300 > out.length) { const more = new Uint8Array(2 * out.length); more.set(out); out = more; }
    if (bit(matches, state << 4 | place) === 0) {
      const from = 768 * (((length & (1 << lp) - 1) << lc) + ((out[length - 1] ?? 0) >> 8 - lc));
      let [node, same] = [1, state < 7 ? 0 : 256];
      const like = out[length - 1 - back0] ?? 0;
      for (let i = 7; node < 256; i--) {
        // After a match the byte that would have gone on with it tells which chances count, up to where the two part.
        const other = like >> i & 1;
        const one = bit(literals, from + node + (same && 256 << other));
        node = node << 1 | one;
        if (one !== other) same = 0;
      }
      out[length++] = node;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let count = 0;
    if (bit(repeated, state) === 0) {
      [back1, back2, back3] = [back0, back1, back2];
      count = run(fresh, place);
      const slot = tree(slots, Math.min(count - 2, 3) << 6, 6);
      const bits = (slot >> 1) - 1;
      back0 = slot < 4 ? slot : (2 | slot & 1) * 2 ** bits;
      if (slot >= 4) back0 += slot < 14 ? back(near, back0 - slot, bits) : 16 * even(bits - 4) + back(low, 0, 4);
      if (back0 === 2 ** 32 - 1) return out.slice(0, length);
      state = state < 7 ? 7 : 10;
    } else {
      if (bit(first, state) === 0) {
        if (bit(short, state << 4 | place) === 0) count = 1;
      } else if (bit(second, state) === 0) [back0, back1] = [back1, back0];
      else if (bit(third, state) === 0) [back0, back1, back2] = [back2, back0, back1];
      else [back0, back1, back2, back3] = [back3, back0, back1, back2];
      if (count === 1) state = state < 7 ? 9 : 11;
      else { count = run(again, place); state = state < 7 ? 8 : 11; }
    }
    for (; count > 0; count--, length++) out[length] = out[length - 1 - back0] ?? 0;
  }
}

/** Bytes from letters, of which the first 34 stand for 6 bits and the others for 7: see `page.rs`. @param {string} text @returns {Uint8Array} */
export function unlettered(text) {
  const out = new Uint8Array(Math.ceil((7 * text.length) / 8));
  let [held, count, at] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i) - (text.charCodeAt(i) > 60 ? 33 : 32);
    const bits = letter < 34 ? 6 : 7;
    held = held << bits | (letter < 34 ? letter : letter + 34);
    count += bits;
    if (count < 8) continue;
    count -= 8;
    out[at++] = held >> count;
    held &= (1 << count) - 1;
  }
  return out.subarray(0, at);
}

/** All that the thread does; its text is what the thread is given, so it uses nothing from outside. @param {typeof unlzma} unlzma @param {typeof unlettered} unlettered */
function thread(unlzma, unlettered) {
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
  const heard = async (/** @type {any} */ { packed, compiled, gallery, kind, wish }) => {
    try {
      if (gallery !== undefined) {
        /** @type {WebAssembly.Module} */
        const module = compiled ?? await WebAssembly.compile(unlzma(unlettered(packed)));
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
      const answer = new Uint8Array(engine.memory.buffer, engine.output(), engine.output_length()).slice();
      postMessage({ refused, answer }, { transfer: [answer.buffer] });
    } catch (error) {
      if (engine) await open();
      postMessage({ broken: `the engine broke down: ${String(error)}` });
    }
  };
  let last = Promise.resolve();
  onmessage = ({ data }) => { last = last.then(() => heard(data)); };
}

/** A thread with an engine, which answers one question after the other. */
export class Thread {
  /** @param {string} packed the engine, packed by LZMA, as letters @param {string} gallery */
  constructor(packed, gallery) {
    this.gallery = gallery;
    /** @type {WebAssembly.Module | undefined} */ this.compiled = undefined;
    /** Who waits for answers. @type {{ resolve: (answer: ArrayBuffer) => void, reject: (error: unknown) => void }[]} */
    this.waiting = [];
    /** Hears how far a run is, from 0 to 1. @type {((part: number) => void) | undefined} */
    this.progress = undefined;
    this.place = URL.createObjectURL(new Blob([`(${thread})(${unlzma}, ${unlettered})`], { type: 'text/javascript' }));
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
