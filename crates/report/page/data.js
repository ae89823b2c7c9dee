// The data of a page: see `pack.rs`.

/** @typedef {{ document: any, arrays: Record<string, any> }} Data */

/** Reads base64 text. @param {string} text @returns {Promise<Data>} */
export async function unpack(text) {
  const letters = atob(text.trim());
  return inflate(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
}

/** Reads deflated bytes. @param {BlobPart} bytes @returns {Promise<Data>} */
export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(all.buffer).getUint32(0, true);
  const document = JSON.parse(new TextDecoder().decode(all.subarray(4, 4 + length)));
  /** @type {Record<string, any>} */
  const arrays = {};
  for (const [name, [kind, from, count]] of Object.entries(document.arrays)) {
    arrays[name] = numbers(all.subarray(4 + length + from), kind, count);
  }
  return { document, arrays };
}

/** First bytes of all numbers come first. @param {Uint8Array} bytes @param {string} kind @param {number} count */
function numbers(bytes, kind, count) {
  if (kind === 'u8') return bytes.slice(0, count);
  const width = kind === 'f64' ? 8 : 4;
  const whole = new Uint8Array(width * count);
  for (let i = 0; i < width; i++) {
    for (let k = 0; k < count; k++) whole[width * k + i] = bytes[i * count + k] ?? 0;
  }
  return kind === 'f64' ? new Float64Array(whole.buffer) : new Float32Array(whole.buffer);
}
