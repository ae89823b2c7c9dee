// What graphs and tables know of a state.

/** @typedef {import('./motion.js').State} State */
/** @typedef {{ key: string, label: string, unit: string, of: (s: State) => number }} Quantity */

/** Everything that can be drawn over anything. @param {any} page @param {number} ball @returns {Quantity[]} */
export function quantities(page, ball) {
  const { mass, inertia } = page.balls[ball];
  const [gx, gy] = page.gravity;
  const kinetic = (/** @type {State} */ s) => 0.5 * mass * s.square + 0.5 * inertia * s.turning;
  const potential = (/** @type {State} */ s) => s.elastic - mass * (gx * s.x + gy * s.y);
  /** @type {[string, string, string, (s: State) => number][]} */
  const all = [
    ['time', 'time', 's', (s) => s.time],
    ['x', 'x', 'm', (s) => s.x],
    ['y', 'height y', 'm', (s) => s.y],
    ['speed', 'speed', 'm/s', (s) => Math.sqrt(s.square)],
    ['vx', 'v_x', 'm/s', (s) => s.vx],
    ['vy', 'v_y', 'm/s', (s) => s.vy],
    ['angle', 'angle', 'rad', (s) => s.angle],
    ['spin', 'spin ω', 'rad/s', (s) => s.spin],
    ['ax', 'a_x', 'm/s²', (s) => s.ax],
    ['ay', 'a_y', 'm/s²', (s) => s.ay],
    ['s', 's of the ground', '', (s) => s.s],
    ['normal_force', 'normal force λ', 'N', (s) => s.normal],
    ['friction_force', 'friction f', 'N', (s) => s.friction],
    ['second_normal_force', 'λ of a second contact', 'N', (s) => s.second],
    ['gap', 'gap', 'm', (s) => s.gap],
    ['kinetic_energy', 'kinetic', 'J', kinetic],
    ['potential_energy', 'potential', 'J', potential],
    ['dissipated_energy', 'dissipated', 'J', (s) => s.dissipated],
    ['work_external', 'external work', 'J', (s) => s.work],
    ['exchanged_energy', 'from other balls', 'J', (s) => s.exchanged],
    ['total_energy', 'kinetic + potential', 'J', (s) => kinetic(s) + potential(s)],
    ['normal_impulse', 'P_n since last row', 'N s', (s) => s.pn],
    ['tangential_impulse', 'P_t since last row', 'N s', (s) => s.pt],
    ['work_normal', 'work of P_n', 'J', (s) => s.wn],
    ['work_tangential', 'work of P_t', 'J', (s) => s.wt],
    ['projection_energy', 'by projections', 'J', (s) => s.projection],
    ['numerical_energy', 'by the scheme', 'J', (s) => s.scheme],
  ];
  const of_rows = ['normal_impulse', 'tangential_impulse', 'work_normal', 'work_tangential', 'projection_energy', 'numerical_energy'];
  // One ball event by event has none to give to; of several nearest places are not kept.
  const absent = [...(page.steps || page.legs ? [] : ['exchanged_energy']), ...(page.steps ? ['second_normal_force'] : of_rows), ...(page.legs ? ['s', 'second_normal_force'] : [])];
  const there = all.filter(([key]) => !absent.includes(key));
  return there.map(([key, label, unit, of]) => ({ key, label, unit, of }));
}

/** States that show every arc and every edge of a stretch of time: some for each smooth piece where there are few, the least and the
 * greatest of each column of pixels where there are many.
 * @param {import('./scene.js').Motion} motion @param {number} from @param {number} to @param {number} width pixels @param {number} [few] states within a piece that is short
 * @returns {State[]} */
export function samples(motion, from, to, width, few = 6) {
  const [first, last] = [motion.find(from), motion.find(to, true)];
  const states = /** @type {State[]} */ ([]);
  const many = last - first > 4 * width;
  // What is shorter is within a column.
  const least = many ? (to - from) / (4 * width) : 0;
  // A straight line has nothing between its ends.
  const inside = many ? (motion.joined ? 0 : Math.max(3, Math.min(16, Math.floor((40 * width) / (last - first))))) : few;
  for (let i = first; i <= last; i++) {
    const times = motion.smooth(i, least);
    for (let k = 1; k < times.length; k++) {
      const [a, b] = [Math.max(from, times[k - 1] ?? 0), Math.min(to, times[k] ?? 0)];
      if (!(a < b) && times.length > 2) continue;
      // An even number of parts: one begins in the middle, where a hop is highest.
      const wanted = Math.ceil((width * (b - a)) / (to - from)) + inside;
      const points = motion.joined ? wanted : wanted + (wanted % 2);
      // A row ends where the next one begins.
      const begins = motion.joined && i > first ? 1 : 0;
      for (let n = begins; n <= points; n++) states.push(n === points ? motion.on(i, b, true) : motion.on(i, a + ((b - a) * n) / points));
    }
  }
  return states;
}

/** When the last event was that the page has, s, if it has not all of them. @param {any} page @returns {number} */
export function told({ columns, events, event_count: count }) {
  return count > events.length ? events.at(-1)?.[columns.indexOf('time')] ?? -Infinity : Infinity;
}

/** Rounding of numbers of this size: what differs by less is the same. @param {number} size @returns {number} */
export const rounding = (size) => 16 * Number.EPSILON * size;

/** The greatest size that something of a unit has in some states: rounding of one is rounding of all. @param {Iterable<Quantity>} list @param {State[]} states @returns {Map<string, number>} */
export function sizes(list, states) {
  const found = /** @type {Map<string, number>} */ (new Map());
  for (const { unit, of } of list) {
    let most = found.get(unit) ?? 0;
    for (const state of states) {
      const size = Math.abs(of(state));
      if (size > most) most = size;
    }
    found.set(unit, most);
  }
  return found;
}

/** What numbers on an axis count from: 0, unless they differ only in digits that have no room there. It is a number of few digits just below
 * them, and they are taken from it before they are drawn, so that none is lost to rounding.
 * @param {(number | null)[][]} series @param {number} [most] the greatest size of their unit @returns {number} */
export function originOf(series, most = 0) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of series.flat()) if (value !== null && Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(high - low > rounding(most) && high - low < 1e-4 * size)) return 0;
  const unit = 10 ** Math.floor(Math.log10(high - low));
  return Number((Math.floor(low / unit) * unit).toPrecision(Math.min(16, Math.max(1, Math.ceil(Math.log10(size / unit))))));
}
