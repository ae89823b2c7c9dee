// The ground.

import { trace } from './camera.js';
import { Pieces } from './motion.js';

/** The ground as polynomials of its parameter. */
export class Ground {
  /** @param {Record<string, any>} arrays */
  constructor(arrays) {
    this.pieces = new Pieces(arrays, 'ground', 2);
    /** Of curves that move against each other: which part each piece is of, and where that is. @type {Uint8Array} */
    this.parts = arrays['ground.part'] ?? new Uint8Array(0);
    this.carried = Array.from({ length: this.parts.reduce((most, part) => Math.max(most, part + 1), 0) }, (_, k) => new Pieces(arrays, `part${k}`, 2));
    /** @type {Uint8Array} */ this.joined = arrays['ground.joined'] ?? new Uint8Array(0);
  }

  /** Where a part is carried to, m. @param {number} part @param {number} time s @returns {[number, number]} */
  way(part, time) {
    const way = this.carried[part];
    if (!way || way.count === 0) return [0, 0];
    const i = way.find(time);
    return [way.value(i, 0, time), way.value(i, 1, time)];
  }

  /** Whether it does, in these runs. @param {import('./scene.js').Motion[]} motions @returns {boolean} */
  moves(motions) {
    return this.carried.length > 0 || motions.some((motion) => 'carried' in motion && motion.carried.count > 0);
  }

  /** Draws it at a time, carried to (dx, dy) as a whole.
   * @param {CanvasRenderingContext2D} canvas @param {import('./camera.js').Camera} camera @param {number} time @param {number} dx @param {number} dy */
  draw(canvas, camera, time, dx, dy) {
    const { pieces } = this;
    const ways = this.carried.map((_, part) => this.way(part, time));
    canvas.beginPath();
    for (let i = 0; i < pieces.count; i++) {
      const [x = 0, y = 0] = ways[this.parts[i] ?? 0] ?? [];
      const place = (/** @type {number} */ s) => /** @type {[number, number]} */ ([pieces.value(i, 0, s) + dx + x, pieces.value(i, 1, s) + dy + y]);
      trace(camera, place, pieces.from(i), pieces.to(i), (px, py, begins) => (begins ? canvas.moveTo(px, py) : canvas.lineTo(px, py)));
    }
    canvas.lineJoin = 'round';
    canvas.lineCap = 'round';
    canvas.setLineDash([]);
    canvas.strokeStyle = '#444';
    canvas.lineWidth = 2.5;
    canvas.stroke();
  }
}
