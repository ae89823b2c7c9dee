// The loop that everyone writes first: explicit steps, and a bounce where the gap changes its sign.

import { FIELDS, RowMotion } from './motion.js';

/** Looks in a second, as games have them, and all of them. */
const [LOOKS_A_SECOND, MOST_LOOKS] = [240, 40_000];

/** Runs it from where a run starts, under gravity alone, over the ground that is drawn: at each look it asks whether the ball has just gone below, and turns the velocity along the normal.
 * @param {import('./ground.js').Ground} ground @param {any} page @param {import('./scene.js').Motion} motion @param {number} restitution
 * @returns {{ motion: RowMotion, lost: number | undefined }} `lost`: from when on it is below for good, s */
export function naive(ground, page, motion, restitution) {
  const [{ radius }] = page.balls;
  const count = Math.min(MOST_LOOKS, Math.ceil((motion.end - motion.begin) * LOOKS_A_SECOND));
  const [step, [gx, gy]] = [(motion.end - motion.begin) / count, page.gravity];
  const rows = Object.fromEntries([...FIELDS, 'x', 'y', 'times'].map((name) => [`rows.${name}`, new Float64Array(count + 1)]));
  let { x, y, vx, vy } = motion.at(motion.begin);
  let [above, below] = [true, NaN];
  for (let k = 0; k <= count; k++) {
    const time = motion.begin + k * step;
    for (const [name, value] of Object.entries({ times: time, x, y, vx, vy })) /** @type {Float64Array} */ (rows[`rows.${name}`])[k] = value;
    [vx, vy] = [vx + step * gx, vy + step * gy];
    [x, y] = [x + step * vx, y + step * vy];
    const { gap, nx, ny } = ground.nearest(x, y, radius);
    const along = vx * nx + vy * ny;
    if (gap < 0 && above) [vx, vy, below] = [vx - (1 + restitution) * along * nx, vy - (1 + restitution) * along * ny, time];
    above = gap >= 0;
  }
  const deep = !above && ground.nearest(x, y, radius).gap < -radius;
  return { motion: new RowMotion({ ...rows, 'rows.phases': new Array(count + 1).fill('flight') }, 0, 1), lost: deep ? below : undefined };
}
