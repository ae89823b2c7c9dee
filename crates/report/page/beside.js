// Other programs on the same track, and how far off they are: the loop that everyone writes first, and matter-js as a game has it.

import { unlettered, unlzma } from './compiled.js';
import { text } from './files.js';
import { si } from './format.js';
import { KnotMotion } from './motion.js';
import { t } from './words.js';

/** @typedef {{ motion: KnotMotion, touch: number, lost?: number | undefined, roams: true }} Stray A run that may go anywhere; `touch`: when it touches the ground first, s, or NaN; `lost`: from when on it is below for good, s. */

/** Looks of the loop in a second, as games have them; and how often at most it is asked how near a point of the ground is: a run that asks more ends earlier. */
const [LOOKS_A_SECOND, MOST_LOOKS] = [240, 2e7];
/** Steps of matter-js in a second, as its makers mean it, and the most of them; pixels of a ball's radius there; most blocks of the ground, and the bend between them, rad. */
const [STEPS_A_SECOND, MOST_STEPS, BALL, BLOCKS, BEND] = [60, 6000, 20, 1500, 0.02];
/** Blocks of rails are so many radii thick, those of stones as thick as they are, and earth is as deep as the track is large; a point mass is a ball there, this part of the track's size, or so large that it goes no farther in a step than these radii. */
const [THICK, POINT, REACH] = [10, 0.01, 3];
/** When places are compared, but at the end, s. */
const LATER = 1;

/** A motion in equal steps, straight from one to the next. @param {any} page @param {Record<string, Float64Array>} columns */
const straight = (page, columns) => new KnotMotion({ ...page, steps: true }, { ...columns, phases: new Array(columns.times?.length ?? 0).fill('flight') }, 0);

/** Runs the loop from where a run starts, under gravity alone, over the ground that is drawn: at each look it asks whether the ball has just gone below, and turns the velocity along the normal.
 * @param {import('./ground.js').Ground} ground @param {any} page @param {import('./scene.js').Motion} motion @param {number} restitution @returns {Stray} */
export function naive(ground, page, motion, restitution) {
  const [{ radius }] = page.balls;
  const points = ground.chains.reduce((sum, chain) => sum + chain.points.length, 1);
  const count = Math.ceil(Math.min(MOST_LOOKS / points, (motion.end - motion.begin) * LOOKS_A_SECOND));
  const [step, [gx, gy]] = [1 / LOOKS_A_SECOND, page.gravity];
  const rows = Object.fromEntries(['times', 'x', 'y', 'vx', 'vy', 'angle'].map((name) => [name, new Float64Array(count + 1)]));
  let { x, y, vx, vy } = motion.at(motion.begin);
  let [above, below, touch] = [true, NaN, NaN];
  for (let k = 0; k <= count; k++) {
    const time = motion.begin + k * step;
    for (const [name, value] of Object.entries({ times: time, x, y, vx, vy })) /** @type {Float64Array} */ (rows[name])[k] = value;
    [vx, vy] = [vx + step * gx, vy + step * gy];
    [x, y] = [x + step * vx, y + step * vy];
    const { gap, nx, ny } = ground.nearest(x, y, radius);
    const along = vx * nx + vy * ny;
    if (gap < 0 && above) [vx, vy, below] = [vx - (1 + restitution) * along * nx, vy - (1 + restitution) * along * ny, time];
    if (gap < 0 && Number.isNaN(touch)) touch = time + step;
    above = gap >= 0;
  }
  const deep = !above && ground.nearest(x, y, radius).gap < -radius;
  return { motion: straight(page, rows), touch, lost: deep ? below : undefined, roams: true };
}

/** All that the thread of matter-js does; its text is what the thread is given, behind matter-js. Lengths are pixels, downwards, times ms. */
function matterThread() {
  onmessage = ({ data: { blocks, law, start, mass, inertia, gravity, count, step } }) => {
    const { Engine, Bodies, Body, Composite } = /** @type {any} */ (globalThis).Matter;
    const engine = Engine.create({ gravity: { ...gravity, scale: 1 } });
    const ball = Bodies.circle(start.x, start.y, start.radius, law);
    Body.setMass(ball, mass);
    Body.setInertia(ball, inertia);
    // Its speeds are those of a step of 1/60 s.
    const base = 1000 / 60;
    Body.setVelocity(ball, { x: base * start.vx, y: base * start.vy });
    Body.setAngularVelocity(ball, base * start.spin);
    Composite.add(engine.world, [ball, ...blocks.map((/** @type {any} */ block) => Body.create({ ...law, ...block, isStatic: true }))]);
    const rows = [];
    let touch = NaN;
    for (let k = 0; k <= count; k++) {
      const { x, y } = Body.getVelocity(ball);
      rows.push([ball.position.x, ball.position.y, x / base, y / base, ball.angle]);
      Engine.update(engine, step);
      if (Number.isNaN(touch) && engine.pairs.collisionStart.length > 0) touch = (k + 1) * step;
    }
    postMessage({ rows, touch });
  };
}

/** Runs matter-js from where a run starts, on ground of blocks along the lines that are drawn: ball, restitution, friction and gravity are those of the run.
 * @param {string} packed matter-js, by LZMA, as letters @param {import('./scene.js').Scene} scene @param {any} page @param {import('./scene.js').Motion} motion @param {number} restitution @returns {Promise<Stray>} */
export async function matter(packed, { ground, most: [fastest = 0] = [], motionBox: [left = 0, right = 1, low = 0, high = 1] = [] }, page, motion, restitution) {
  const [{ radius: own, mass, inertia }] = page.balls;
  const size = Math.max(right - left, high - low, 1e-9);
  const radius = own > 0 ? own : Math.max(POINT * size, fastest / STEPS_A_SECOND / REACH);
  // Pixels of a metre.
  const scale = BALL / radius;
  const shortest = Math.max(radius / 2, (4 * size) / BLOCKS);
  const blocks = /** @type {any[]} */ ([]);
  for (const { points, part, shape, box: [west = 0, east = 0, south = 0, north = 0] } of ground?.chains ?? []) {
    const thick = shape === 'stone' ? Math.min(THICK * radius, (east - west) / 2, (north - south) / 2) : THICK * radius;
    const [dx, dy] = ground?.way(part, motion.begin) ?? [0, 0];
    let [ax, ay] = points[0] ?? [0, 0];
    points.forEach(([bx, by], i) => {
      const [long, [px, py]] = [Math.hypot(bx - ax, by - ay), points[i - 1] ?? [bx, by]];
      // Straight ground is one block: matter-js pushes a fast ball out sideways where two of them meet.
      const bent = Math.abs((bx - ax) * (by - py) - (by - ay) * (bx - px)) > BEND * long * Math.hypot(bx - px, by - py);
      if ((long < shortest || !bent) && i < points.length - 1) return;
      // Away from the free side.
      const [nx, ny] = [(by - ay) / long, (ax - bx) / long];
      // On the line, and below it for a ball that stands for a point.
      const upper = [[ax, ay], [bx, by]].map(([x = 0, y = 0]) => [x + dx + nx * (radius - own), y + dy + ny * (radius - own)]);
      const [sx, sy] = shape === 'earth' ? [0, -size] : [nx * thick, ny * thick];
      [ax, ay] = [bx, by];
      if (long === 0 || Math.max(...upper.map(([x = 0]) => x)) < left - size || Math.min(...upper.map(([x = 0]) => x)) > right + size) return;
      const corners = [...upper, ...upper.map(([x = 0, y = 0]) => [x + sx, y + sy]).reverse()].map(([x = 0, y = 0]) => ({ x: scale * x, y: -scale * y }));
      blocks.push({ vertices: corners, position: { x: corners.reduce((sum, { x }) => sum + x / 4, 0), y: corners.reduce((sum, { y }) => sum + y / 4, 0) } });
    });
  }
  const [{ x, y, vx, vy, spin, angle }, mu, [gx, gy]] = [motion.at(motion.begin), page.friction ?? 100, page.gravity];
  const [count, step] = [Math.min(MOST_STEPS, Math.ceil((motion.end - motion.begin) * STEPS_A_SECOND)), 1000 / STEPS_A_SECOND];
  const place = URL.createObjectURL(new Blob([`${new TextDecoder().decode(unlzma(unlettered(packed)))};(${matterThread})()`], { type: 'text/javascript' }));
  const worker = new Worker(place);
  const { rows, touch } = await new Promise((done, failed) => {
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = ({ message }) => failed(new Error(`matter-js: ${message}`));
    worker.postMessage({
      blocks, count, step, mass, inertia: inertia > 0 ? inertia * scale ** 2 : 0.4 * mass * BALL ** 2, gravity: { x: (gx * scale) / 1e6, y: (-gy * scale) / 1e6 },
      law: { restitution, friction: Math.min(mu, 100), frictionStatic: mu > 0 ? 10 : 0, frictionAir: 0 },
      start: { x: x * scale, y: -y * scale, vx: (vx * scale) / 1000, vy: (-vy * scale) / 1000, spin: -spin / 1000, radius: BALL },
    });
  }).finally(() => { worker.terminate(); URL.revokeObjectURL(place); });
  const column = (/** @type {number} */ k, /** @type {number} */ factor, from = 0) => Float64Array.from(rows, (/** @type {number[]} */ row) => from + factor * (row[k] ?? 0));
  const columns = { times: Float64Array.from(rows, (_, k) => motion.begin + (k * step) / 1000), x: column(0, 1 / scale), y: column(1, -1 / scale), vx: column(2, 1000 / scale), vy: column(3, -1000 / scale), angle: column(4, -1, angle) };
  return { motion: straight(page, columns), touch: motion.begin + touch / 1000, roams: true };
}

/** Errors of what is compared with, as a table: of the first touch, and of places. @param {import('./main.js').Page} page @returns {string} HTML */
export function errors({ told, rivals }) {
  if (!told) return '';
  const { motion, events } = told;
  const first = (/** @type {import('./events.js').Happening[]} */ list) => list.find(({ kind }) => ['impact', 'landing', 'touch'].includes(kind))?.time ?? NaN;
  const times = [...(motion.begin + 1.1 * LATER < motion.end ? [motion.begin + LATER] : []), motion.end];
  const cell = (/** @type {number} */ value, /** @type {string} */ unit) => `<td>${Number.isFinite(value) ? si(value, unit, 2) : '—'}</td>`;
  const rows = [...rivals.values()].map(({ letter, name, touch, told: other }) => {
    const places = times.map((time) => { const [a, b] = [motion.at(time), other.motion.at(time)]; return cell(Math.hypot(b.x - a.x, b.y - a.y), 'm'); });
    return `<tr><td><b>${letter}</b> ${text(name)}</td>${cell((touch ?? first(other.events)) - first(events), 's')}${places.join('')}</tr>`;
  });
  const heads = [t('beside this run'), t('first touch late by'), ...times.map((time) => t('off at {0}', si(time, 's', 4)))].map((name) => `<th scope="col">${name}</th>`);
  return `<h2>${t('Beside others')}</h2><p class="note">${t('Errors of other programs on this track, from the same start: against this run, whose contacts are certified.')}</p>${rows.length === 0 ? '' : `<div class="scroll" tabindex="0" role="region" aria-label="${t('Beside others')}"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`}`;
}
