// From metres to pixels and back.

/** Which part of the plane is seen. */
export class Camera {
  constructor() {
    this.x = 0;
    this.y = 0;
    this.scale = 100;
    this.width = 800;
    this.height = 400;
    /** Between which abscissas the page knows the ground, m: nothing else is looked at. @type {[number, number]} */
    this.known = [-Infinity, Infinity];
  }

  /** Pixel of a place. @param {number} x @returns {number} */
  px(x) { return 0.5 * this.width + (x - this.x) * this.scale; }
  /** @param {number} y @returns {number} */
  py(y) { return 0.5 * this.height - (y - this.y) * this.scale; }

  /** Place of a pixel. @param {number} px @param {number} py @returns {[number, number]} */
  place(px, py) {
    return [this.x + (px - 0.5 * this.width) / this.scale, this.y - (py - 0.5 * this.height) / this.scale];
  }

  /** Shows a box: left, right, low, high. @param {number[]} box */
  show([left = 0, right = 1, low = 0, high = 1]) {
    this.x = 0.5 * (left + right);
    this.y = 0.5 * (low + high);
    const [wide, tall] = [Math.max(right - left, 1e-300), Math.max(high - low, 1e-300)];
    this.scale = 0.92 * Math.min(this.width / wide, this.height / tall);
  }

  /** Whether all of a box is seen: left, right, low, high. @param {number[]} box @returns {boolean} */
  shows([left = 0, right = 1, low = 0, high = 1]) {
    return this.px(left) >= 0 && this.px(right) <= this.width && this.py(high) >= 0 && this.py(low) <= this.height;
  }

  /** Zooms about a pixel, as far as rounding lets the place be told. @param {number} px @param {number} py @param {number} factor */
  zoom(px, py, factor) {
    const [x, y] = this.place(px, py);
    const finest = 1e15 / Math.max(Math.abs(x), Math.abs(y), 1e-3);
    const [left, right] = this.known;
    this.scale = Math.min(finest, Math.max(1e-9, this.width / (right - left), this.scale * factor));
    this.x = x - (px - 0.5 * this.width) / this.scale;
    this.y = y + (py - 0.5 * this.height) / this.scale;
    this.stay();
  }

  /** Goes back to where the ground is known. */
  stay() {
    const half = (0.5 * this.width) / this.scale;
    const [left, right] = this.known;
    this.x = Math.max(left + half, Math.min(right - half, this.x));
  }

  /** @param {number} dx pixels @param {number} dy pixels */
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.stay();
  }
}

/** @typedef {(t: number) => [number, number]} Place */

/** Draws a smooth curve to a quarter of a pixel: parts that are out of sight are passed over, those that bend are halved.
 * @param {Camera} camera @param {Place} place @param {number} from @param {number} to
 * @param {(x: number, y: number, begins: boolean) => void} draw */
export function trace(camera, place, from, to, draw) {
  const { width, height } = camera;
  const pixel = (/** @type {number} */ t) => {
    const [x, y] = place(t);
    return /** @type {[number, number]} */ ([camera.px(x), camera.py(y)]);
  };
  let drawn = false;
  /** @param {number} a @param {number[]} p @param {number} b @param {number[]} q @param {number} depth */
  const part = (a, [px = 0, py = 0], b, [qx = 0, qy = 0], depth) => {
    const middle = 0.5 * (a + b);
    const [[ux, uy], [mx, my], [wx, wy]] = [pixel(0.5 * (a + middle)), pixel(middle), pixel(0.5 * (middle + b))];
    const bend = Math.max(
      Math.hypot(mx - 0.5 * (px + qx), my - 0.5 * (py + qy)),
      Math.hypot(ux - 0.5 * (px + mx), uy - 0.5 * (py + my)),
      Math.hypot(wx - 0.5 * (mx + qx), wy - 0.5 * (my + qy)),
    );
    const room = 2 * bend + 20;
    const [left, right] = [Math.min(px, ux, mx, wx, qx), Math.max(px, ux, mx, wx, qx)];
    const [high, low] = [Math.min(py, uy, my, wy, qy), Math.max(py, uy, my, wy, qy)];
    if (right < -room || left > width + room || low < -room || high > height + room) {
      drawn = false;
      return;
    }
    const large = Math.max(right - left, low - high) > 4 * (width + height);
    if (depth < 50 && a < middle && middle < b && (bend > 0.25 || large)) {
      part(a, [px, py], middle, [mx, my], depth + 1);
      part(middle, [mx, my], b, [qx, qy], depth + 1);
      return;
    }
    if (!drawn) draw(px, py, true);
    draw(qx, qy, false);
    drawn = true;
  };
  part(from, pixel(from), to, pixel(to), 0);
}
