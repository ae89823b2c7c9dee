// The loop that everyone writes first: explicit steps, and a bounce where the gap changes its sign.

import { KnotMotion } from './motion.js';

/** Looks in a second, as games have them; and how often at most it is asked how near a point of the ground is: a run that asks more ends earlier. */
const [LOOKS_A_SECOND, MOST_LOOKS] = [240, 2e7];

/** Runs it from where a run starts, under gravity alone, over the ground that is drawn: at each look it asks whether the ball has just gone below, and turns the velocity along the normal.
 * @param {import('./ground.js').Ground} ground @param {any} page @param {import('./scene.js').Motion} motion @param {number} restitution
 * @returns {{ motion: KnotMotion, lost: number | undefined }} `lost`: from when on it is below for good, s */
export function naive(ground, page, motion, restitution) {
  const [{ radius }] = page.balls;
  const points = ground.chains.reduce((sum, chain) => sum + chain.points.length, 1);
  const count = Math.ceil(Math.min(MOST_LOOKS / points, (motion.end - motion.begin) * LOOKS_A_SECOND));
  const [step, [gx, gy]] = [1 / LOOKS_A_SECOND, page.gravity];
  const rows = Object.fromEntries(['times', 'x', 'y', 'vx', 'vy', 'angle'].map((name) => [name, new Float64Array(count + 1)]));
  let { x, y, vx, vy } = motion.at(motion.begin);
  let [above, below] = [true, NaN];
  for (let k = 0; k <= count; k++) {
    const time = motion.begin + k * step;
    for (const [name, value] of Object.entries({ times: time, x, y, vx, vy })) /** @type {Float64Array} */ (rows[name])[k] = value;
    [vx, vy] = [vx + step * gx, vy + step * gy];
    [x, y] = [x + step * vx, y + step * vy];
    const { gap, nx, ny } = ground.nearest(x, y, radius);
    const along = vx * nx + vy * ny;
    if (gap < 0 && above) [vx, vy, below] = [vx - (1 + restitution) * along * nx, vy - (1 + restitution) * along * ny, time];
    above = gap >= 0;
  }
  const deep = !above && ground.nearest(x, y, radius).gap < -radius;
  return { motion: new KnotMotion({ ...page, steps: true }, { ...rows, phases: new Array(count + 1).fill('flight') }, 0), lost: deep ? below : undefined };
}
