// The ground: earth where nothing goes below it, stones where curves are closed, else a rail.

import { trace } from './camera.js';
import { clamp, look, mark } from './look.js';
import { Pieces } from './motion.js';

/** @typedef {{ first: number, end: number, part: number, box: number[], shape: 'earth' | 'stone' | 'rail', closed: boolean, loops: boolean, points: [number, number][], low: Float64Array | undefined }} Chain
 * Pieces that go on where the one before ended; `loops`: it goes back over itself; `low`: its lowest places over columns of x. */

/** Columns in which the earth is told from rails, and points of all its pieces for that. */
const COLUMNS = 400;
const POINTS = 3000;
/** Earth is what is below most of the picture. */
const MOST = 0.7;
/** Pixels from one column of the earth to the next. */
const STEP = 2;

/** The ground as polynomials of its parameter. */
export class Ground {
  /** @param {Record<string, any>} arrays */
  constructor(arrays) {
    this.pieces = new Pieces(arrays, 'ground', 2);
    /** Of curves that move against each other: which part each piece is of, and where that is. @type {Uint8Array} */
    this.parts = arrays['ground.part'] ?? new Uint8Array(0);
    this.carried = Array.from({ length: this.parts.reduce((most, part) => Math.max(most, part + 1), 0) }, (_, k) => new Pieces(arrays, `part${k}`, 2));
    const joined = /** @type {Uint8Array} */ (arrays['ground.joined'] ?? new Uint8Array(0));
    /** @type {Chain[]} */ this.chains = [];
    for (let i = 0; i < this.pieces.count; i++) {
      const [part, last] = [this.parts[i] ?? 0, this.chains.at(-1)];
      if (last && joined[i] && last.part === part) last.end = i + 1;
      else this.chains.push({ first: i, end: i + 1, part, box: [], shape: 'rail', closed: false, loops: false, points: [], low: undefined });
    }
    this.chains.forEach((chain) => this.shaped(chain));
    /** Left and right end of what is earth, m. */
    this.span = [0, 0];
  }

  /** This one, or another where it is another. @param {Record<string, any>} arrays @returns {Ground} */
  of(arrays) {
    const same = (/** @type {ArrayLike<number>} */ own, /** @type {ArrayLike<number>} */ other) => own.length === other?.length && Array.prototype.every.call(own, (value, i) => value === other[i]);
    const { spans, coefficients } = this.pieces;
    return this.carried.length === 0 && same(spans, arrays['ground.spans']) && same(coefficients, arrays['ground.coefficients']) ? this : new Ground(arrays);
  }

  /** What its chains look like. @returns {string} */
  shapes() {
    return this.chains.map(({ shape }) => shape).join();
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

  /** The box of a chain, whether it is closed around what is solid, and whether it goes back. @param {Chain} chain */
  shaped(chain) {
    const { pieces } = this;
    const points = Math.max(2, Math.ceil(POINTS / this.pieces.count));
    for (let i = chain.first; i < chain.end; i++) {
      for (let k = 0; k <= points; k++) {
        const s = pieces.from(i) + ((pieces.to(i) - pieces.from(i)) * k) / points;
        chain.points.push([pieces.value(i, 0, s), pieces.value(i, 1, s)]);
      }
    }
    const [xs, ys] = [chain.points.map(([x]) => x), chain.points.map(([, y]) => y)];
    const least = (/** @type {number[]} */ list) => list.reduce((a, b) => Math.min(a, b), Infinity);
    chain.box = [least(xs), -least(xs.map((x) => -x)), least(ys), -least(ys.map((y) => -y))];
    const [left = 0, right = 0, low = 0, high = 0] = chain.box;
    const size = Math.hypot(right - left, high - low);
    const [begin = [0, 0], end = [0, 0]] = [chain.points[0], chain.points.at(-1)];
    let area = 0;
    chain.points.forEach(([x, y], i) => { const [u, v] = chain.points[i - 1] ?? end; area += u * y - x * v; });
    // The free side is left of travel: around what is solid a curve goes clockwise.
    chain.closed = Math.hypot(end[0] - begin[0], end[1] - begin[1]) < 1e-6 * size && chain.points.length > 3;
    if (chain.closed && area < 0) chain.shape = 'stone';
    const forth = Math.sign(end[0] - begin[0]);
    chain.loops = xs.some((x, i) => i > 0 && (x - (xs[i - 1] ?? x)) * forth < -1e-9 * size);
  }

  /** Tells earth from rails: by the places that a ball comes to, m, and the box around them. @param {[number, number][]} places @param {number[]} box */
  settle(places, [left = 0, right = 1, low = 0, high = 1]) {
    const open = this.chains.filter(({ shape, part }) => shape !== 'stone' && !(this.carried[part]?.count));
    const ends = (/** @type {Chain} */ { box }) => [box[0] ?? 0, box[1] ?? 0];
    const room = Math.max(right - left, high - low, 1e-9);
    const from = Math.max(left - room, Math.min(left, ...open.map((chain) => ends(chain)[0] ?? 0)));
    const to = Math.min(right + room, Math.max(right, ...open.map((chain) => ends(chain)[1] ?? 0)));
    const column = (/** @type {number} */ x) => ((x - from) / (to - from)) * COLUMNS;
    const whole = new Uint8Array(COLUMNS + 1);
    for (const chain of open) {
      chain.shape = 'rail';
      const lows = new Float64Array(COLUMNS + 1).fill(Infinity);
      chain.points.forEach(([x, y], i) => { if (i > 0) lowest(lows, column((chain.points[i - 1] ?? [x, y])[0]), (chain.points[i - 1] ?? [x, y])[1], column(x), y, Math.min); });
      const under = places.some(([x, y]) => { const at = lows[Math.round(column(x))] ?? Infinity; return at < Infinity && y < at - 1e-3 * room; });
      chain.low = lows;
      if (under || chain.closed) continue;
      chain.shape = 'earth';
      lows.forEach((y, k) => { if (y < Infinity) whole[k] = 1; });
    }
    if (whole.reduce((sum, there) => sum + there, 0) < MOST * COLUMNS) open.forEach((chain) => { chain.shape = 'rail'; });
    // What is nowhere the lowest earth hangs in the air.
    const earth = open.filter(({ shape }) => shape === 'earth');
    for (const chain of earth) if (!chain.low?.some((y, k) => y < Infinity && earth.every(({ low }) => y <= (low?.[k] ?? Infinity)))) chain.shape = 'rail';
    this.span = [from, to];
  }

  /** Whether there is earth at any of some pixels. @param {import('./camera.js').Camera} camera @param {number[][]} pixels @returns {boolean} */
  covers(camera, pixels) {
    const [from = 0, to = 1] = this.span;
    return pixels.some(([px = 0, py = 0]) => {
      const [x, y] = camera.place(px, py);
      const column = Math.round(((x - from) / (to - from)) * COLUMNS);
      return this.chains.some(({ shape, low }) => shape === 'earth' && y < (low?.[column] ?? -Infinity) && low?.[column] !== Infinity);
    });
  }

  /** The gap of a ball at a place, m, negative on the other side of what is nearest, and the normal there: the free side is left of travel. @param {number} x @param {number} y @param {number} radius m */
  nearest(x, y, radius) {
    let found = { gap: Infinity, nx: 0, ny: 1, away: Infinity };
    for (const { points } of this.chains) {
      points.forEach(([bx, by], i) => {
        const [ax, ay] = points[i - 1] ?? [bx, by];
        const [ux, uy] = [bx - ax, by - ay];
        const long = Math.hypot(ux, uy);
        if (long === 0) return;
        const part = clamp(((x - ax) * ux + (y - ay) * uy) / (long * long), 0, 1);
        const away = Math.hypot(x - ax - part * ux, y - ay - part * uy);
        if (away >= found.away) return;
        const side = Math.sign(ux * (y - ay) - uy * (x - ax)) || 1;
        found = { gap: side * away - radius, nx: -uy / long, ny: ux / long, away };
      });
    }
    return found;
  }

  /** Ends of all of it that ends, m: left, right, low, high; none. @returns {number[]} */
  extent() {
    const boxes = this.chains.map(({ box }) => box);
    return [0, 1, 2, 3].map((k) => boxes.reduce((most, box) => (k % 2 ? Math.max(most, box[k] ?? 0) : Math.min(most, box[k] ?? 0)), k % 2 ? -Infinity : Infinity));
  }

  /** Draws it at a time, carried to (dx, dy) as a whole.
   * @param {CanvasRenderingContext2D} canvas @param {import('./camera.js').Camera} camera @param {number} time @param {number} dx @param {number} dy */
  draw(canvas, camera, time, dx, dy) {
    const ways = this.carried.map((_, part) => this.way(part, time));
    const lines = this.chains.map((chain) => {
      const [x = 0, y = 0] = ways[chain.part] ?? [];
      return { chain, line: this.line(camera, chain, dx + x, dy + y) };
    });
    this.drawEarth(canvas, camera, lines.filter(({ chain }) => chain.shape === 'earth'), dx, dy);
    const u = look.unit;
    const stroke = (/** @type {Path2D} */ path, /** @type {string} */ colour, /** @type {number} */ width) => mark(canvas, path, { stroke: colour, width: width * u, cap: 'round' });
    for (const { chain, line } of lines) {
      const path = new Path2D();
      for (const [x, y, begins] of line) if (begins) path.moveTo(x, y); else path.lineTo(x, y);
      const free = chain.shape === 'rail' || chain.loops;
      if (chain.shape === 'stone') {
        mark(canvas, path, { fill: look.of('stone') });
      } else if (free) {
        canvas.save();
        canvas.translate(0, 3 * u);
        stroke(path, '#0003', 7);
        canvas.restore();
      }
      stroke(path, look.of('edge'), free && chain.shape !== 'stone' ? 5 : 3);
      if (free && chain.shape !== 'stone') stroke(path, look.of('steel'), 2);
    }
  }

  /** A chain in pixels. @param {import('./camera.js').Camera} camera @param {Chain} chain @param {number} dx @param {number} dy @returns {[number, number, boolean][]} */
  line(camera, { first, end }, dx, dy) {
    const { pieces } = this;
    const line = /** @type {[number, number, boolean][]} */ ([]);
    for (let i = first; i < end; i++) {
      const place = (/** @type {number} */ s) => /** @type {[number, number]} */ ([pieces.value(i, 0, s) + dx, pieces.value(i, 1, s) + dy]);
      trace(camera, place, pieces.from(i), pieces.to(i), (x, y, begins) => {
        const [u = NaN, v = NaN] = line.at(-1) ?? [];
        if (!(begins && Math.abs(u - x) + Math.abs(v - y) < 0.6)) line.push([x, y, begins]);
      });
    }
    return line;
  }

  /** Fills what is below the lowest lines. @param {CanvasRenderingContext2D} canvas @param {import('./camera.js').Camera} camera @param {{ chain: Chain, line: [number, number, boolean][] }[]} lines @param {number} dx @param {number} dy */
  drawEarth(canvas, camera, lines, dx, dy) {
    if (lines.length === 0) return;
    const { width, height } = camera;
    const u = look.unit;
    const top = new Float64Array(Math.ceil(width / STEP) + 2).fill(-Infinity);
    for (const { line } of lines) {
      line.forEach(([x, y, begins], i) => { const [a, b] = line[i - 1] ?? [x, y]; if (!begins) lowest(top, a / STEP, b, x / STEP, y, Math.max); });
    }
    // Where its line is out of sight: all of a column is earth, or none.
    const [from = 0, to = 1] = this.span;
    top.forEach((y, k) => {
      if (y > -Infinity) return;
      const column = ((camera.place(k * STEP, 0)[0] - dx - from) / (to - from)) * COLUMNS;
      for (const { chain } of lines) {
        const [left = 0, right = 0] = chain.box;
        const x = camera.place(k * STEP, 0)[0] - dx;
        if (x < left || x > right) continue;
        const low = chain.low?.[clamp(Math.round(column), 0, COLUMNS)] ?? Infinity;
        top[k] = Math.max(top[k] ?? 0, low < Infinity && camera.py(low + dy) < height / 2 ? -40 : height + 40);
      }
    });
    const least = top.reduce((most, y) => (y > -Infinity ? Math.min(most, y) : most), height);
    const shade = canvas.createLinearGradient(0, Math.max(-height, least), 0, Math.max(least + 80, height));
    shade.addColorStop(0, look.of('earth1'));
    shade.addColorStop(1, look.of('earth2'));
    for (let k = 0; k < top.length; k++) {
      if (!((top[k] ?? 0) > -Infinity)) continue;
      const begin = k;
      while (k + 1 < top.length && (top[k + 1] ?? 0) > -Infinity) k++;
      const edge = (/** @type {number} */ down) => (/** @type {CanvasRenderingContext2D} */ path) => { for (let i = begin; i <= k; i++) path.lineTo(i * STEP, (top[i] ?? 0) + down); };
      mark(canvas, (path) => { edge(0)(path); path.lineTo(k * STEP, height + 99); path.lineTo(begin * STEP, height + 99); }, { fill: shade });
      canvas.save();
      canvas.clip();
      for (let i = 1; i < 9; i++) mark(canvas, edge(i * i * 5 * u + 8 * u), { stroke: look.of('strata'), width: (2 + 2.2 * i) * u });
      canvas.restore();
    }
  }
}

/** Puts a straight line into columns, those of them that are lowest there.
 * @param {Float64Array} columns @param {number} a column @param {number} y @param {number} b column @param {number} z @param {(a: number, b: number) => number} choose */
function lowest(columns, a, y, b, z, choose) {
  const [first, last] = [Math.max(0, Math.ceil(Math.min(a, b))), Math.min(columns.length - 1, Math.floor(Math.max(a, b)))];
  for (let k = first; k <= last; k++) {
    const at = b === a ? choose(y, z) : y + ((z - y) * (k - a)) / (b - a);
    columns[k] = choose(columns[k] ?? at, at);
  }
}
