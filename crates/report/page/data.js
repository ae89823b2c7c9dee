// The data of a page: see `pack.rs`.

/** @typedef {{ document: any, arrays: Record<string, any> }} Data */

/** Reads base64 text. @param {string} text @returns {Promise<Data>} */
export async function unpack(text) {
  const letters = atob(text.trim());
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return parsed(await new Response(stream).arrayBuffer());
}

/** Bytes as text that `unpack` reads. @param {ArrayBuffer} bytes @returns {Promise<string>} */
export async function pack(bytes) {
  const packed = new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate')));
  const reader = new FileReader();
  reader.readAsDataURL(await packed.blob());
  await new Promise((done) => { reader.onload = done; });
  return String(reader.result).split(',')[1] ?? '';
}

/** Reads bytes. @param {ArrayBuffer} bytes @returns {Data} */
export function parsed(bytes) {
  const all = new Uint8Array(bytes);
  const length = new DataView(all.buffer).getUint32(0, true);
  const document = JSON.parse(new TextDecoder().decode(all.subarray(4, 4 + length)));
  const arrays = /** @type {Record<string, any>} */ ({});
  for (const [name, [kind, from, count]] of Object.entries(document.arrays)) {
    const found = all.subarray(4 + length + from);
    arrays[name] = Array.isArray(kind) ? Array.from(found.subarray(0, count), (index) => kind[index]) : numbers(found, kind, count);
  }
  return { document, arrays };
}

/** Arrays whose names begin alike, by the rest of them. @param {Record<string, any>} arrays @param {string} begin @returns {Record<string, any>} */
export function owned(arrays, begin) {
  return Object.fromEntries(Object.entries(arrays).flatMap(([name, values]) => (name.startsWith(begin) ? [[name.slice(begin.length), values]] : [])));
}

/** First bytes of all numbers come first. @param {Uint8Array} bytes @param {string} kind @param {number} count */
function numbers(bytes, kind, count) {
  if (kind === 'u8') return bytes.slice(0, count);
  // Four bytes at once; of a double the lower half stands first.
  const halves = kind === 'f64' ? 2 : 1;
  const whole = new Uint32Array(halves * count);
  for (let half = 0; half < halves; half++) {
    const at = 4 * half * count;
    for (let i = 0; i < count; i++) {
      const k = at + i;
      whole[halves * i + half] = (bytes[k] ?? 0) | ((bytes[k + count] ?? 0) << 8) | ((bytes[k + 2 * count] ?? 0) << 16) | ((bytes[k + 3 * count] ?? 0) << 24);
    }
  }
  return kind === 'f64' ? new Float64Array(whole.buffer) : new Float32Array(whole.buffer);
}
