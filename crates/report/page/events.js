// Events of one ball, and bounces that pile up.

/** @typedef {{ time: number, kind: string, name: string, before: string, after: string, x: number, y: number, nx: number, ny: number, fast: number, left: number,
 *   impulse: number, lost: number, number: number, other: boolean }} Happening An event: `fast`, `left`: speed along the normal before and after, m/s; `lost`: energy, J;
 *   `number`: which impact it is; `other`: with another ball. */
/** @typedef {{ time: number, last: number, speed: number, number: number, summed: boolean, left: number, height: number }} Hop From `time` on for `last` s, with `left` s to the end of all. */
/** @typedef {{ from: number, to: number, ratio: number, summed: number, bounces: number, hops: Hop[], end: Happening }} Pile Bounces, each less than the one before, up to a landing;
 *   from `summed` on they are one sum. */

/** A hop shorter than this part of the one before is one of a pile, which has so many. */
const SHRINKS = 0.98;
const LEAST = 6;
/** Hops shown of those that are summed up. */
const SHOWN = 16;

/** Events of a ball. @param {any} page @param {number} ball @returns {Happening[]} */
export function happenings({ columns, events, balls }, ball) {
  const at = Object.fromEntries(columns.map((/** @type {string} */ name, /** @type {number} */ i) => [name, i]));
  const own = String(ball + 1);
  let number = 0;
  const found = /** @type {Happening[]} */ ([]);
  for (const row of events) {
    if (balls.length > 1 && String(row[at.ball]) !== own && String(row[at.other]) !== own) continue;
    const get = (/** @type {string} */ name) => row[at[name] ?? -1] ?? 0;
    const kind = row[at.kind ?? 0];
    if (kind === 'impact') number += 1;
    found.push({
      time: row[at.time ?? 0], kind, name: row[at.name ?? -1] ?? '', before: get('phase_before'), after: get('phase_after'), x: get('x'), y: get('y'), nx: get('nx'), ny: get('ny'),
      fast: -get('normal_velocity_before'), left: get('normal_velocity_after'), impulse: get('normal_impulse'), lost: get('energy_before') - get('energy_after'), number, other: Boolean(Number(get('other'))),
    });
  }
  return found;
}

/** Piles of bounces. @param {Happening[]} events @returns {Pile[]} */
export function piles(events) {
  const found = /** @type {Pile[]} */ ([]);
  events.forEach((end, i) => {
    let first = i - 2;
    if (!['landing', 'rest'].includes(end.kind) || first < 1) return;
    const time = (/** @type {number} */ k) => events[k]?.time ?? 0;
    const bounces = (/** @type {number} */ k) => events[k]?.kind === 'impact' && !events[k]?.other;
    while (first > 0 && bounces(first) && bounces(first - 1) && time(first) - time(first - 1) > (time(first + 1) - time(first)) / SHRINKS) first--;
    if (i - first < LEAST || !bounces(i - 1)) return;
    const [last, before] = [events[i - 1], events[i - 2]];
    if (!last || !before || !(before.fast > 0)) return;
    const ratio = Math.min(0.999, Math.max(0, before.left / before.fast));
    const hops = /** @type {Hop[]} */ ([]);
    const add = (/** @type {number} */ from, /** @type {number} */ lasts, /** @type {number} */ speed, /** @type {boolean} */ summed, /** @type {number} */ left) =>
      hops.push({ time: from, last: lasts, speed, number: hops.length + 1, summed, left, height: (speed * lasts) / 4 });
    for (let k = first; k < i - 1; k++) add(time(k), time(k + 1) - time(k), events[k]?.left ?? 0, false, end.time - time(k));
    let [left, speed, from] = [end.time - last.time, last.left, last.time];
    for (let k = 0; k < SHOWN && ratio > 0; k++) {
      const lasts = left * (1 - ratio);
      add(from, lasts, speed, true, left);
      [from, left, speed] = [from + lasts, left - lasts, speed * ratio];
    }
    found.push({ from: time(first), to: end.time, ratio, summed: last.time, bounces: i - first, hops, end });
  });
  return found;
}

/** The pile at a time, or near before it; else the next one, else the first. @param {Pile[]} all @param {number} time @returns {Pile | undefined} */
export const pileAt = (all, time) => all.find(({ from, to }) => time <= to && time >= from - 0.4 * (to - from)) ?? all.find(({ to }) => to >= time) ?? all[0];

/** The last of what is in the order of time up to a time, by its index; −1: none. @param {{ time: number }[]} events @param {number} time @returns {number} */
export function lastUpTo(events, time) {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.time ?? 0) <= time) low = middle + 1; else high = middle;
  }
  return low - 1;
}
