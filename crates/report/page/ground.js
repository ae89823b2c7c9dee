// The ground.

import { trace } from './camera.js';
import { Pieces } from './motion.js';

/** The ground as polynomials of its parameter. */
export class Ground {
  /** @param {Record<string, any>} arrays */
  constructor(arrays) {
    this.pieces = new Pieces(arrays, 'ground', 2);
    /** @type {Uint8Array} */ this.joined = arrays['ground.joined'] ?? new Uint8Array(0);
  }

  /** Draws it, carried to (dx, dy).
   * @param {CanvasRenderingContext2D} canvas @param {import('./camera.js').Camera} camera @param {number} dx @param {number} dy */
  draw(canvas, camera, dx, dy) {
    const { pieces } = this;
    canvas.beginPath();
    for (let i = 0; i < pieces.count; i++) {
      const place = (/** @type {number} */ s) => /** @type {[number, number]} */ ([pieces.value(i, 0, s) + dx, pieces.value(i, 1, s) + dy]);
      trace(camera, place, pieces.from(i), pieces.to(i), (x, y, begins) => (begins ? canvas.moveTo(x, y) : canvas.lineTo(x, y)));
    }
    canvas.lineJoin = 'round';
    canvas.lineCap = 'round';
    canvas.setLineDash([]);
    canvas.strokeStyle = '#444';
    canvas.lineWidth = 2.5;
    canvas.stroke();
  }
}
