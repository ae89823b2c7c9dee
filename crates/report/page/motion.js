// The ball at every time: polynomials of the dense output, or rows with straight lines between them.

/** @typedef {{ time: number, phase: number, x: number, y: number, angle: number, vx: number, vy: number, spin: number,
 *   normal: number, friction: number, second: number, dissipated: number, work: number, elastic: number, gap: number,
 *   scheme: number, nx: number, ny: number, dx: number, dy: number }} State
 * What the ball does at a time; `dx`, `dy`: where the ground is carried to. SI units. */

/** What a ball does, by its number. */
export const PHASES = ['flight', 'sliding', 'rolling', 'resting', 'compressed'];

/** Vectors of Chebyshev polynomials, one after the other. */
export class Pieces {
  /** @param {Record<string, any>} arrays @param {string} name @param {number} entries */
  constructor(arrays, name, entries) {
    /** @type {Float64Array} */ this.spans = arrays[`${name}.spans`] ?? new Float64Array(0);
    /** @type {Float64Array} */ this.coefficients = arrays[`${name}.coefficients`] ?? new Float64Array(0);
    const lengths = arrays[`${name}.lengths`] ?? new Uint8Array(0);
    this.entries = entries;
    this.count = this.spans.length / 2;
    this.offsets = new Uint32Array(lengths.length + 1);
    for (let i = 0; i < lengths.length; i++) this.offsets[i + 1] = (this.offsets[i] ?? 0) + lengths[i];
  }

  /** When a piece begins. @param {number} i @returns {number} */
  from(i) { return this.spans[2 * i] ?? 0; }

  /** When a piece ends. @param {number} i @returns {number} */
  to(i) { return this.spans[2 * i + 1] ?? 0; }

  /** The piece that knows a time; of two that meet there the one after, or `before`. @param {number} t @param {boolean} [before] */
  find(t, before = false) {
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.to(middle) > t || (before && this.to(middle) >= t)) high = middle; else low = middle + 1;
    }
    return low;
  }

  /** An entry of a piece. @param {number} i @param {number} entry @param {number} t @returns {number} */
  value(i, entry, t) {
    const k = i * this.entries + entry;
    const [from, to] = [this.offsets[k] ?? 0, this.offsets[k + 1] ?? 0];
    if (to === from) return 0;
    const x = this.part(i, t);
    let [b1, b2] = [0, 0];
    for (let j = to - 1; j > from; j--) [b1, b2] = [(this.coefficients[j] ?? 0) + 2 * x * b1 - b2, b1];
    return (this.coefficients[from] ?? 0) + x * b1 - b2;
  }

  /** Its derivative: Σ k cₖ U₍ₖ₋₁₎(x) · 2/h. @param {number} i @param {number} entry @param {number} t @returns {number} */
  rate(i, entry, t) {
    const k = i * this.entries + entry;
    const [from, to] = [this.offsets[k] ?? 0, this.offsets[k + 1] ?? 0];
    const x = this.part(i, t);
    let [b1, b2] = [0, 0];
    for (let j = to - 1; j > from; j--) [b1, b2] = [(j - from) * (this.coefficients[j] ?? 0) + 2 * x * b1 - b2, b1];
    return (2 * b1) / (this.to(i) - this.from(i));
  }

  /** @param {number} i @param {number} t @returns {number} */
  part(i, t) {
    const [a, b] = [this.from(i), this.to(i)];
    return Math.min(1, Math.max(-1, (t - a + (t - b)) / (b - a)));
  }
}

/** A run event by event. */
export class PathMotion {
  /** @param {any} page @param {Record<string, any>} arrays */
  constructor(page, arrays) {
    this.motion = new Pieces(arrays, 'motion', 11);
    this.gap = new Pieces(arrays, 'gap', 1);
    this.carried = new Pieces(arrays, 'carried', 2);
    /** @type {Uint8Array} */ this.phases = arrays.phases;
    /** @type {Map<number, any>} */ this.jumps = new Map(page.jumps.map((/** @type {any} */ jump) => [jump.piece, jump]));
    this.count = this.motion.count;
    /** Whether each piece begins as the one before ends. */
    this.joined = false;
    this.begin = this.count > 0 ? this.motion.from(0) : 0;
    this.end = this.count > 0 ? this.motion.to(this.count - 1) : 0;
  }

  /** @param {number} i @returns {number} */
  from(i) { return this.motion.from(i); }
  /** @param {number} i @returns {number} */
  to(i) { return this.motion.to(i); }
  /** @param {number} t @param {boolean} [before] @returns {number} */
  find(t, before = false) { return this.motion.find(t, before); }
  /** @param {number} i @returns {number} */
  phase(i) { return this.phases[i] ?? 0; }

  /** Times between which a piece is smooth: its ends, and of bounces that are summed up all ends of hops that can be told apart.
   * @param {number} i @returns {number[]} */
  smooth(i) {
    const [from, to, jump] = [this.from(i), this.to(i), this.jumps.get(i)];
    const times = [from];
    if (jump && jump.restitution > 0) {
      for (let left = jump.restitution; times.length < 400 && left * jump.duration > 1e-15 * to; left *= jump.restitution) {
        times.push(from + jump.duration * (1 - left));
      }
    }
    return [...times, to];
  }

  /** The ball at a time. @param {number} t @param {boolean} [before] @returns {State} */
  at(t, before = false) { return this.on(this.find(t, before), t); }

  /** Its place alone. @param {number} i @param {number} t @returns {[number, number]} */
  place(i, t) {
    if (this.jumps.has(i)) {
      const { x, y } = this.on(i, t);
      return [x, y];
    }
    const time = Math.min(this.to(i), Math.max(this.from(i), t));
    const [dx, dy] = this.carried.count === 0 ? [0, 0] : this.ground(time);
    return [dx + this.motion.value(i, 0, time), dy + this.motion.value(i, 1, time)];
  }

  /** The ball at a time, by a piece. @param {number} i @param {number} t @returns {State} */
  on(i, t) {
    const { motion } = this;
    const time = Math.min(this.to(i), Math.max(this.from(i), t));
    const [dx, dy, du, dv] = this.ground(time);
    const phase = this.phase(i);
    const state = {
      time, phase, dx, dy, x: dx + motion.value(i, 0, time), y: dy + motion.value(i, 1, time), angle: motion.value(i, 2, time),
      vx: du + motion.rate(i, 0, time), vy: dv + motion.rate(i, 1, time), spin: motion.rate(i, 2, time),
      normal: motion.value(i, 3, time), friction: motion.value(i, 4, time), second: motion.value(i, 5, time),
      dissipated: motion.value(i, 6, time), work: motion.value(i, 7, time), elastic: motion.value(i, 8, time),
      nx: motion.value(i, 9, time), ny: motion.value(i, 10, time), gap: 0, scheme: 0,
    };
    const jump = this.jumps.get(i);
    if (jump) hop(state, jump, time - this.from(i), [dx, dy, du, dv]);
    else if (phase === 0 || phase === 4) {
      const near = this.gap.find(time, time >= this.to(i));
      state.gap = this.gap.count > 0 ? this.gap.value(near, 0, time) : NaN;
    }
    return state;
  }

  /** Where the ground is carried to, and how fast. @param {number} t @returns {[number, number, number, number]} */
  ground(t) {
    const { carried } = this;
    if (carried.count === 0) return [0, 0, 0, 0];
    const i = carried.find(t);
    return [carried.value(i, 0, t), carried.value(i, 1, t), carried.rate(i, 0, t), carried.rate(i, 1, t)];
  }
}

/** The frozen parabolas of bounces that are summed up: hop k lasts from T(1−eᵏ) to T(1−eᵏ⁺¹) and starts with w eᵏ.
 * @param {State} state @param {any} jump @param {number} t @param {[number, number, number, number]} ground */
function hop(state, jump, t, [dx, dy, du, dv]) {
  const { position, tangent, normal, along, acceleration, speed, pull, restitution: e, duration } = jump;
  const left = 1 - t / duration;
  let [height, rise] = [0, 0];
  if (left > 0 && e > 0) {
    const scale = e ** Math.max(0, Math.floor(Math.log(left) / Math.log(e)));
    const since = t - duration * (1 - scale);
    height = Math.max(0, since * (speed * scale - 0.5 * pull * since));
    rise = speed * scale - pull * since;
  }
  const way = t * (along + 0.5 * acceleration * t);
  const fast = along + acceleration * t;
  state.x = dx + position[0] + tangent[0] * way + normal[0] * height;
  state.y = dy + position[1] + tangent[1] * way + normal[1] * height;
  state.vx = du + tangent[0] * fast + normal[0] * rise;
  state.vy = dv + tangent[1] * fast + normal[1] * rise;
  [state.angle, state.spin, state.gap] = [jump.angle + jump.spin * t, jump.spin, height];
}

/** One ball of a run by time stepping. */
export class RowMotion {
  /** @param {Record<string, any>} arrays @param {number} ball @param {number} balls */
  constructor(arrays, ball, balls) {
    /** @type {Float64Array} */ this.times = arrays['rows.times'];
    this.arrays = arrays;
    this.ball = ball;
    this.balls = balls;
    this.count = Math.max(0, this.times.length - 1);
    this.joined = true;
    this.begin = this.times[0] ?? 0;
    this.end = this.times[this.count] ?? 0;
  }

  /** @param {number} i @returns {number} */
  from(i) { return this.times[i] ?? 0; }
  /** @param {number} i @returns {number} */
  to(i) { return this.times[i + 1] ?? this.end; }
  /** @param {number} i @returns {number} */
  phase(i) { return this.arrays['rows.phases'][Math.min(i + 1, this.count) * this.balls + this.ball]; }
  /** @param {number} i @returns {number[]} */
  smooth(i) { return [this.from(i), this.to(i)]; }

  /** The rows around a time. @param {number} t @param {boolean} [before] @returns {number} */
  find(t, before = false) {
    let [low, high] = [0, Math.max(0, this.count - 1)];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.to(middle) > t || (before && this.to(middle) >= t)) high = middle; else low = middle + 1;
    }
    return low;
  }

  /** @param {number} t @param {boolean} [before] @returns {State} */
  at(t, before = false) { return this.on(this.find(t, before), t); }

  /** @param {number} i @param {number} t @returns {[number, number]} */
  place(i, t) {
    const [from, to] = [this.from(i), this.to(i)];
    const part = to > from ? Math.min(1, Math.max(0, (t - from) / (to - from))) : 0;
    const [a, b] = [i * this.balls + this.ball, Math.min(i + 1, this.count) * this.balls + this.ball];
    const { 'rows.x': x, 'rows.y': y } = this.arrays;
    return [x[a] + part * (x[b] - x[a]), y[a] + part * (y[b] - y[a])];
  }

  /** @param {number} i @param {number} t @returns {State} */
  on(i, t) {
    const [from, to] = [this.from(i), this.to(i)];
    const time = Math.min(to, Math.max(from, t));
    const part = to > from ? (time - from) / (to - from) : 0;
    const [a, b] = [i * this.balls + this.ball, Math.min(i + 1, this.count) * this.balls + this.ball];
    const between = (/** @type {string} */ name) => {
      const values = this.arrays[`rows.${name}`];
      return values[a] + part * (values[b] - values[a]);
    };
    const after = (/** @type {string} */ name) => this.arrays[`rows.${name}`][b];
    return {
      time, phase: this.phase(i), x: between('x'), y: between('y'), angle: between('0'), vx: between('1'), vy: between('2'),
      spin: between('3'), normal: after('4'), friction: after('5'), second: 0, gap: between('6'), dissipated: between('7'),
      work: between('8'), scheme: between('9'), elastic: 0, nx: 0, ny: 0, dx: 0, dy: 0,
    };
  }
}

/** The motions of all balls. @param {any} document @param {Record<string, any>} arrays @returns {(PathMotion | RowMotion)[]} */
export function motions(document, arrays) {
  const { page } = document;
  if (!page.steps) return [new PathMotion(page, arrays)];
  return page.balls.map((/** @type {any} */ _, /** @type {number} */ i) => new RowMotion(arrays, i, page.balls.length));
}
