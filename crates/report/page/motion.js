// The ball at every time: polynomials of the dense output, parabolas of several balls event by event, or rows with straight lines between.

import { owned } from './data.js';

/** @typedef {{ time: number, phase: string, x: number, y: number, angle: number, vx: number, vy: number, spin: number,
 *   ax: number, ay: number, s: number, square: number, turning: number, pn: number, pt: number, wn: number, wt: number, projection: number,
 *   normal: number, friction: number, second: number, dissipated: number, work: number, exchanged: number, elastic: number, gap: number,
 *   scheme: number, nx: number, ny: number, px: number, py: number, fx: number, fy: number, dx: number, dy: number, hop: number }} State
 * What the ball does at a time; `square`, `turning`: of speed and spin, between rows those that energies on a straight line have; `pn`, `pt`:
 * impulses since the row before, `wn`, `wt`: their works since the start; `px`, `py`: λ n, `fx`, `fy`: f τ, `dx`, `dy`: where the ground is carried to, `hop`: how high a hop is that is
 * summed up with others, else 0. SI units. */

/** Of a state that is no row: what rows alone have, and squares. @param {number} vx @param {number} vy @param {number} spin */
const squares = (vx, vy, spin) => ({ square: vx * vx + vy * vy, turning: spin * spin, pn: 0, pt: 0, wn: 0, wt: 0, projection: 0 });

/** λ n and f τ of one contact: τ is n turned by −90°. @param {number} normal @param {number} friction @param {number} nx @param {number} ny */
const vectors = (normal, friction, nx, ny) => ({ nx, ny, px: normal * nx, py: normal * ny, fx: friction * ny, fy: -friction * nx });

/** What is known piece by piece, each beginning where the one before ends. */
class Known {
  constructor() { this.count = 0; }

  /** When a piece ends. @param {number} _ @returns {number} */
  to(_) { return 0; }

  /** The piece that knows a time; of two that meet there the one after, or `before`. @param {number} t @param {boolean} [before] @returns {number} */
  find(t, before = false) {
    let [low, high] = [0, Math.max(0, this.count - 1)];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.to(middle) > t || (before && this.to(middle) >= t)) high = middle; else low = middle + 1;
    }
    return low;
  }
}

/** A series of this degree has an end that is noise. */
const LONG = 9;

/** Vectors of Chebyshev polynomials, one after the other. */
export class Pieces extends Known {
  /** @param {Record<string, any>} arrays @param {string} name @param {number} entries */
  constructor(arrays, name, entries) {
    super();
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

  /** Its derivative: Σ k cₖ U₍ₖ₋₁₎(x) · 2/h; 0 where as much of it could come from rounding, or from noise, which
   * the last terms of a long series are. @param {number} i @param {number} entry @param {number} t @returns {number} */
  rate(i, entry, t) {
    const k = i * this.entries + entry;
    const [from, to] = [this.offsets[k] ?? 0, this.offsets[k + 1] ?? 0];
    const x = this.part(i, t);
    const degree = to - from - 1;
    let [b1, b2, size, noise] = [0, 0, Math.abs(this.coefficients[from] ?? 0), 0];
    for (let j = to - 1; j > from; j--) {
      const c = this.coefficients[j] ?? 0;
      [b1, b2] = [(j - from) * c + 2 * x * b1 - b2, b1];
      size += (j - from) ** 2 * Math.abs(c);
      if (degree >= LONG && to - j <= 3) noise = Math.max(noise, Math.abs(c));
    }
    return Math.abs(b1) <= 4 * Number.EPSILON * size + 3 * degree ** 2 * noise ? 0 : (2 * b1) / (this.to(i) - this.from(i));
  }

  /** @param {number} i @param {number} t @returns {number} */
  part(i, t) {
    const [a, b] = [this.from(i), this.to(i)];
    return Math.min(1, Math.max(-1, (t - a + (t - b)) / (b - a)));
  }
}

/** A run event by event. */
export class PathMotion extends Pieces {
  /** @param {any} page @param {Record<string, any>} arrays */
  constructor(page, arrays) {
    super(arrays, 'motion', page.motion.length);
    /** Entries by their names. @type {Record<string, number>} */
    this.of = Object.fromEntries(page.motion.map((/** @type {string} */ name, /** @type {number} */ k) => [name, k]));
    this.gap = new Pieces(arrays, 'gap', 2);
    this.carried = new Pieces(arrays, 'carried', 2);
    /** @type {string[]} */ this.phases = arrays.phases;
    /** @type {Map<number, any>} */ this.jumps = new Map(page.jumps.map((/** @type {any} */ jump) => [jump.piece, jump]));
    /** What the last row has. @type {Partial<State> | null} */ this.last = page.last;
    /** Whether each piece begins as the one before ends. */
    this.joined = false;
    this.begin = this.from(0);
    this.end = this.to(this.count - 1);
  }

  /** @param {number} i @returns {string} */
  phase(i) { return this.phases[i] ?? ''; }
  /** An entry by its name. @param {number} i @param {string} name @param {number} t @returns {number} */
  entry(i, name, t) { return this.value(i, this.of[name] ?? 0, t); }

  /** Times between which a piece is smooth: its ends, and of bounces that are summed up all ends of hops that can be told apart and
   * last longer than the least. @param {number} i @param {number} [least] s @returns {number[]} */
  smooth(i, least = 0) {
    const [from, to, jump] = [this.from(i), this.to(i), this.jumps.get(i)];
    const times = [from];
    if (jump && jump.restitution > 0) {
      for (let left = jump.restitution; times.length < 400 && left * jump.duration > 1e-15 * to && left * (1 - jump.restitution) * jump.duration > least; left *= jump.restitution) {
        times.push(from + jump.duration * (1 - left));
      }
    }
    return [...times, to];
  }

  /** The ball at a time. @param {number} t @param {boolean} [before] @returns {State} */
  at(t, before = false) {
    const state = this.on(this.find(t, before), t, before);
    // What it does from the end on.
    if (t < this.end || before || this.last === null) return state;
    Object.assign(state, this.last);
    return Object.assign(state, vectors(state.normal, state.friction, state.nx, state.ny));
  }

  /** Its place alone. @param {number} i @param {number} t @returns {[number, number]} */
  place(i, t) {
    if (this.jumps.has(i)) {
      const { x, y } = this.on(i, t);
      return [x, y];
    }
    const time = Math.min(this.to(i), Math.max(this.from(i), t));
    const [dx, dy] = this.carried.count === 0 ? [0, 0] : this.ground(time);
    return [dx + this.entry(i, 'x', time), dy + this.entry(i, 'y', time)];
  }

  /** Its angle alone. @param {number} i @param {number} t @returns {number} */
  turned(i, t) {
    return this.jumps.has(i) ? this.on(i, t).angle : this.entry(i, 'angle', Math.min(this.to(i), Math.max(this.from(i), t)));
  }

  /** The ball at a time, by a piece; where two hops of it meet as the first one ends, if `before`.
   * @param {number} i @param {number} t @param {boolean} [before] @returns {State} */
  on(i, t, before = false) {
    const time = Math.min(this.to(i), Math.max(this.from(i), t));
    const [dx, dy, du, dv] = this.ground(time);
    const phase = this.phase(i);
    const value = (/** @type {string} */ name) => this.entry(i, name, time);
    const rate = (/** @type {string} */ name) => this.rate(i, this.of[name] ?? 0, time);
    const [normal, friction, vx, vy, spin] = [value('normal'), value('friction'), du + rate('x'), dv + rate('y'), rate('angle')];
    const state = {
      time, phase, dx, dy, x: dx + value('x'), y: dy + value('y'), angle: value('angle'),
      vx, vy, spin, ax: value('ax'), ay: value('ay'), s: value('s'), ...squares(vx, vy, spin),
      normal, friction, second: value('second'), dissipated: value('dissipated'), work: value('work'), exchanged: 0, elastic: value('elastic'),
      ...vectors(normal, friction, value('nx'), value('ny')), gap: 0, scheme: 0, hop: 0,
    };
    const jump = this.jumps.get(i);
    if (jump) hop(state, jump, time - this.from(i), before, [dx, dy, du, dv]);
    else if (phase === 'flight' || phase === 'compressed') {
      const near = this.gap.find(time, time >= this.to(i));
      [state.gap, state.s] = this.gap.count > 0 ? [this.gap.value(near, 0, time), this.gap.value(near, 1, time)] : [NaN, NaN];
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
 * @param {State} state @param {any} jump @param {number} t @param {boolean} before of two hops the first
 * @param {[number, number, number, number]} ground */
function hop(state, jump, t, before, [dx, dy, du, dv]) {
  const { position, tangent, normal, along, acceleration, speed, pull, restitution: e, duration } = jump;
  const left = 1 - t / duration;
  let [height, rise] = [0, 0];
  if (left > 0 && e > 0) {
    // A time is known to some 1e-16 s of the run's clock: how far that is from the end of a hop.
    const at = Math.log(left) / Math.log(e);
    const near = Math.abs(at - Math.round(at)) * Math.abs(Math.log(e)) * left * duration <= 4 * Number.EPSILON * state.time;
    const scale = e ** Math.max(0, near ? Math.round(at) - Number(before) : Math.floor(at));
    const since = t - duration * (1 - scale);
    height = Math.max(0, since * (speed * scale - 0.5 * pull * since));
    rise = speed * scale - pull * since;
    state.hop = (speed * scale) ** 2 / (2 * pull);
  }
  const way = t * (along + 0.5 * acceleration * t);
  const fast = along + acceleration * t;
  state.x = dx + position[0] + tangent[0] * way + normal[0] * height;
  state.y = dy + position[1] + tangent[1] * way + normal[1] * height;
  state.vx = du + tangent[0] * fast + normal[0] * rise;
  state.vy = dv + tangent[1] * fast + normal[1] * rise;
  [state.angle, state.spin, state.gap] = [jump.angle + jump.spin * t, jump.spin, height];
  Object.assign(state, squares(state.vx, state.vy, state.spin));
}

/** One ball of several: from each of its knots to the next a parabola, or a straight line where it went in steps. */
export class KnotMotion extends Known {
  /** @param {any} page @param {Record<string, any>} of numbers of all balls' knots: row by row in steps of time, else ball by ball @param {number} ball */
  constructor({ balls, gravity, cut, end, steps }, of, ball) {
    super();
    this.of = of;
    this.ball = balls[ball];
    this.gravity = gravity;
    /** Whether all of it goes in steps of time, and these. */
    this.joined = Boolean(steps);
    /** @type {Float64Array | undefined} */ this.times = of.times;
    this.stride = steps ? balls.length : 1;
    this.first = steps ? ball : of.first[ball];
    this.last = steps ? of.times.length - 1 : of.first[ball + 1] - this.first - 1;
    this.count = Math.max(0, steps ? this.last : this.last + 1);
    this.begin = this.from(0);
    this.end = steps ? this.from(this.last) : cut ?? end;
  }

  /** Where a knot stands among those of all balls; after the last one that. @param {number} k @returns {number} */
  index(k) { return this.first + this.stride * Math.min(k, this.last); }
  /** @param {number} i @returns {number} */
  from(i) { return (this.times ? this.times[i] : this.of.time[this.index(i)]) ?? 0; }
  /** @param {number} i @returns {number} */
  to(i) { return i < this.last ? this.from(i + 1) : this.end; }
  /** The phase of a piece: a row tells that of the step before it. @param {number} i @returns {string} */
  phase(i) { return this.of.phases[this.index(this.joined ? i + 1 : i)] ?? ''; }
  /** @param {number} i @returns {number[]} */
  smooth(i) { return [this.from(i), this.to(i)]; }
  /** Where the ground is carried to, and how fast: of several balls it is not known. @returns {[number, number, number, number]} */
  ground() { return [0, 0, 0, 0]; }
  /** @param {number} t @param {boolean} [before] @returns {State} */
  at(t, before = false) { return this.on(this.find(t, before), t); }
  /** Whether a piece is a straight line. @param {number} i @returns {boolean} */
  straight(i) { return this.joined || (i < this.last && Boolean(this.of.stepped[this.index(i)])); }

  /** The time within a piece since its knot, and which part of its way that is. @param {number} i @param {number} t @returns {[number, number]} */
  since(i, t) {
    const [from, to] = [this.from(i), this.to(i)];
    const since = Math.min(to, Math.max(from, t)) - from;
    return [since, to > from ? since / (to - from) : 0];
  }

  /** A number, which has a rate, and this has one, too. @param {number} i @param {number} t @param {string[]} names @returns {number} */
  moved(i, t, [name = '', rate = '', bend = '']) {
    const { of: { [name]: value, [rate]: fast, [bend]: more } } = this;
    const [[since, part], a] = [this.since(i, t), this.index(i)];
    return this.straight(i) ? value[a] + part * (value[this.index(i + 1)] - value[a]) : value[a] + (fast[a] + 0.5 * more[a] * since) * since;
  }

  /** @param {number} i @param {number} t @returns {[number, number]} */
  place(i, t) { return [this.moved(i, t, ['x', 'vx', 'ax']), this.moved(i, t, ['y', 'vy', 'ay'])]; }
  /** @param {number} i @param {number} t @returns {number} */
  turned(i, t) { return this.moved(i, t, ['angle', 'spin', 'turn']); }

  /** Kinetic and potential energy. @param {number} x @param {number} y @param {number} u @param {number} v @param {number} spin @returns {number} */
  energy(x, y, u, v, spin) {
    const { mass, inertia } = this.ball;
    return 0.5 * mass * (u * u + v * v) + 0.5 * inertia * spin * spin - mass * (this.gravity[0] * x + this.gravity[1] * y);
  }

  /** At the time of a row what the row says; phases and forces between rows are those of the next one. @param {number} i @param {number} t @returns {State} */
  on(i, t) {
    const { of, joined } = this;
    const [[since, part], [x, y], [a, b]] = [this.since(i, t), this.place(i, t), [this.index(i), this.index(i + 1)]];
    const line = (/** @type {string} */ name, power = 1) => { const { [name]: values = [] } = of; return (values[a] ?? 0) ** power + part * ((values[b] ?? 0) ** power - (values[a] ?? 0) ** power); };
    const told = (/** @type {string} */ name) => of[name]?.[joined && part > 0 ? b : a] ?? 0;
    const straight = joined || Boolean(of.stepped[a]);
    const fast = (/** @type {string} */ name, /** @type {string} */ rate) => (straight ? line(name) : of[name][a] + of[rate][a] * since);
    const [vx, vy, spin, phase] = [fast('vx', 'ax'), fast('vy', 'ay'), fast('spin', 'turn'), told('phases')];
    const mean = (/** @type {string} */ name) => (b > a ? (of[name][b] - of[name][a]) / (this.to(i) - this.from(i)) : 0);
    // Gravity is all that does work: on the ground friction takes what is missing.
    const lost = straight || phase === 'flight' ? 0 : this.energy(of.x[a], of.y[a], of.vx[a], of.vy[a], of.spin[a]) - this.energy(x, y, vx, vy, spin);
    return {
      time: this.from(i) + since, phase, x, y, vx, vy, spin, angle: this.turned(i, t), s: joined ? line('s') : NaN, ...squares(vx, vy, spin),
      ...(straight && { square: line('vx', 2) + line('vy', 2), turning: line('spin', 2) }), ...(straight && !joined ? { ax: mean('vx'), ay: mean('vy') } : { ax: told('ax'), ay: told('ay') }),
      normal: told('normal'), friction: told('friction'), second: 0, dissipated: straight ? line('dissipated') : of.dissipated[a] + lost, work: line('work'), exchanged: straight ? line('exchanged') : of.exchanged[a],
      scheme: line('scheme'), elastic: 0, gap: joined ? line('gap') : this.gap(i, part), pn: told('pn'), pt: told('pt'), wn: line('wn'), wt: line('wt'), projection: line('projection'),
      ...(joined ? { nx: 0, ny: 0, px: told('px'), py: told('py'), fx: told('fx'), fy: told('fy') } : vectors(told('normal'), told('friction'), of.nx[a], of.ny[a])), dx: 0, dy: 0, hop: 0,
    };
  }

  /** Over straight ground a parabola; the cubic that has the gaps and their rates at both ends. @param {number} i @param {number} part @returns {number} */
  gap(i, part) {
    const { gap, nx, ny, vx, vy, ax, ay, stepped } = this.of;
    const [k, next, long] = [this.index(i), this.index(i + 1), this.to(i) - this.from(i)];
    const [a, b] = [gap[k], gap[next]];
    if (stepped[k] || next === k) return a + part * (b - a);
    const rates = [vx[k] * nx[k] + vy[k] * ny[k], (vx[k] + ax[k] * long) * nx[next] + (vy[k] + ay[k] * long) * ny[next]].map((rate) => rate * long);
    const left = 1 - part;
    return a * left * left * (1 + 2 * part) + b * part * part * (1 + 2 * left) + part * left * ((rates[0] ?? 0) * left - (rates[1] ?? 0) * part);
  }
}

/** The motions of all balls. @param {any} document @param {Record<string, any>} arrays @returns {(PathMotion | KnotMotion)[]} */
export function motions({ page }, arrays) {
  if (!page.legs && !page.steps) return [new PathMotion(page, arrays)];
  const of = owned(arrays, page.legs ? 'legs.' : 'rows.');
  return page.balls.map((/** @type {any} */ _, /** @type {number} */ i) => new KnotMotion(page, of, i));
}
