// What graphs and tables know of a state.

/** @typedef {import('./motion.js').State} State */
/** @typedef {{ key: string, label: string, unit: string, of: (s: State) => number }} Quantity */

/** Everything that can be drawn over anything. @param {any} page @param {number} ball @returns {Quantity[]} */
export function quantities(page, ball) {
  const { mass, inertia } = page.balls[ball];
  const [gx, gy] = page.gravity;
  const kinetic = (/** @type {State} */ s) => 0.5 * mass * (s.vx * s.vx + s.vy * s.vy) + 0.5 * inertia * s.spin * s.spin;
  const potential = (/** @type {State} */ s) => s.elastic - mass * (gx * s.x + gy * s.y);
  /** @type {[string, string, string, (s: State) => number][]} */
  const all = [
    ['time', 'time', 's', (s) => s.time],
    ['x', 'x', 'm', (s) => s.x],
    ['y', 'height y', 'm', (s) => s.y],
    ['speed', 'speed', 'm/s', (s) => Math.hypot(s.vx, s.vy)],
    ['vx', 'v_x', 'm/s', (s) => s.vx],
    ['vy', 'v_y', 'm/s', (s) => s.vy],
    ['angle', 'angle', 'rad', (s) => s.angle],
    ['spin', 'spin ω', 'rad/s', (s) => s.spin],
    ['normal_force', 'normal force λ', 'N', (s) => s.normal],
    ['friction_force', 'friction f', 'N', (s) => s.friction],
    ['second_normal_force', 'λ of a second contact', 'N', (s) => s.second],
    ['gap', 'gap', 'm', (s) => s.gap],
    ['kinetic_energy', 'kinetic', 'J', kinetic],
    ['potential_energy', 'potential', 'J', potential],
    ['dissipated_energy', 'dissipated', 'J', (s) => s.dissipated],
    ['work_external', 'external work', 'J', (s) => s.work],
    ['total_energy', 'kinetic + potential', 'J', (s) => kinetic(s) + potential(s)],
  ];
  return all.map(([key, label, unit, of]) => ({ key, label, unit, of }));
}

/** States that show every arc and every edge of a stretch of time: some for each smooth piece where there are few, the least and the
 * greatest of each column of pixels where there are many.
 * @param {import('./scene.js').Motion} motion @param {number} from @param {number} to @param {number} width pixels
 * @returns {State[]} */
export function samples(motion, from, to, width) {
  const [first, last] = [motion.find(from), motion.find(to, true)];
  /** @type {State[]} */
  const states = [];
  const many = last - first > 4 * width;
  for (let i = first; i <= last; i++) {
    const times = many ? [motion.from(i), motion.to(i)] : motion.smooth(i);
    for (let k = 1; k < times.length; k++) {
      const [a, b] = [Math.max(from, times[k - 1] ?? 0), Math.min(to, times[k] ?? 0)];
      if (!(a < b) && times.length > 2) continue;
      const points = Math.ceil((2 * width * (b - a)) / (to - from)) + (many ? 0 : 6);
      // A row ends where the next one begins.
      const begins = motion.joined && i > first ? 1 : 0;
      for (let n = begins; n <= points; n++) states.push(motion.on(i, n === points ? b : a + ((b - a) * n) / points));
    }
  }
  return states;
}

/** The same number of values, but at most two for each column: the least and the greatest, in their order.
 * @param {number[]} times @param {(number | null)[][]} series @param {number} columns @returns {(number | null)[][]} times, then series */
export function reduced(times, series, columns) {
  if (times.length <= 8 * columns) return [times, ...series];
  const [from, to] = [times[0] ?? 0, times[times.length - 1] ?? 1];
  /** @type {number[]} */
  const shown = [];
  /** @type {(number | null)[][]} */
  const out = series.map(() => []);
  let i = 0;
  for (let column = 0; column < columns && i < times.length; column++) {
    const end = column + 1 === columns ? Infinity : from + ((to - from) * (column + 1)) / columns;
    const begin = i;
    while (i < times.length && (times[i] ?? 0) < end) i++;
    if (i === begin) continue;
    shown.push(times[begin] ?? 0, times[i - 1] ?? 0);
    series.forEach((values, k) => {
      let [least, greatest] = [begin, begin];
      for (let j = begin; j < i; j++) {
        if ((values[j] ?? 0) < (values[least] ?? 0)) least = j;
        if ((values[j] ?? 0) > (values[greatest] ?? 0)) greatest = j;
      }
      const order = least < greatest ? [least, greatest] : [greatest, least];
      out[k]?.push(values[order[0] ?? 0] ?? null, values[order[1] ?? 0] ?? null);
    });
  }
  return [shown, ...out];
}
