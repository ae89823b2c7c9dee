// Where runs come from. The page asks nothing else: an engine behind a port, or compiled for the browser, has the same methods.

import { unpack } from './data.js';

/** @typedef {{ first: () => Promise<import('./data.js').Data> }} Engine */

/** The run that the page carries. @implements {Engine} */
export class Carried {
  /** @returns {Promise<import('./data.js').Data>} */
  first() {
    return unpack(document.getElementById('data')?.textContent ?? '');
  }
}
