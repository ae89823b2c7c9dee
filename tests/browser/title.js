// The title picture of the README, which moves: node title.js REPORT.html PICTURE.svg
import { writeFileSync } from 'node:fs';
import { chromium, close, open } from './browser.js';

/** Pixels; seconds of the picture for a second of the run, and at its end; states a second of the run. */
const [WIDTH, HIGH, GRAPH, GAP] = [960, 210, 84, 26];
const [SLOW, PAUSE, RATE] = [2, 1.5, 50];
const COLOURS = { flight: '#0072B2', sliding: '#9A4E7C', rolling: '#D55E00', resting: '#007A59', compressed: '#8A6000' };

const [report = '', picture = ''] = process.argv.slice(2);
const browser = await chromium();
const { page } = await open(browser, report);
const run = await page.evaluate((rate) => {
  const { motions: [motion], scene, all } = window.kugelbahn;
  const { pieces } = scene.ground;
  const ground = Array.from({ length: pieces.count }, (_, i) => Array.from({ length: 25 }, (_, k) => {
    const s = pieces.from(i) + ((pieces.to(i) - pieces.from(i)) * k) / 24;
    return [pieces.value(i, 0, s), pieces.value(i, 1, s)];
  })).flat();
  const [time, kind, impulse] = ['time', 'kind', 'normal_impulse'].map((name) => all.page.columns.indexOf(name));
  const events = all.page.events.map((row) => ({ time: row[time], kind: row[kind], impulse: row[impulse] }));
  const at = (t, before) => { const { x, y, angle, normal, phase } = motion.at(t, before); return { t, x, y, angle, normal, phase }; };
  // Forces by themselves, so finely that their arcs are none of straight lines.
  const fine = Array.from({ length: 2001 }, (_, i) => (motion.end * i) / 2000);
  const steps = [...new Set([...fine, ...events.map((event) => event.time)])].sort((a, b) => a - b);
  const forces = steps.flatMap((t) => [at(t, true), at(t, false)].map(({ normal }) => [t, normal]));
  const grid = Array.from({ length: Math.ceil(rate * motion.end) + 1 }, (_, i) => Math.min(motion.end, i / rate));
  const times = [...new Set([...grid, ...events.map((event) => event.time)])].sort((a, b) => a - b);
  return { ground, events, end: motion.end, radius: all.page.balls[0].radius, forces, states: times.flatMap((t) => [at(t, true), at(t, false)]), title: all.title };
}, RATE);
await close(browser);

const { states, events, end } = run;
const [left, right] = [Math.min(...states.map(({ x }) => x)) - 0.35, Math.max(...states.map(({ x }) => x)) + 0.35];
const low = Math.min(...states.map(({ y }) => y)) - 0.32;
const metre = WIDTH / (right - left);
const px = (/** @type {number} */ x) => ((x - left) * metre).toFixed(1);
const py = (/** @type {number} */ y) => (HIGH - (y - low) * metre).toFixed(1);
const line = (/** @type {any[]} */ points) => points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${px(x)} ${py(y)}`).join('');
const LOOKS = { rolling: 'stroke-width="4"', sliding: 'stroke-width="2.6" stroke-dasharray="7 4"' };
const look = (/** @type {string} */ phase) => `stroke="${COLOURS[phase]}" ${LOOKS[phase] ?? 'stroke-width="1.8"'}`;
/** The trail, phase by phase. */
const trail = [];
for (let i = 0; i < states.length;) {
  let next = i;
  while (next < states.length && states[next].phase === states[i].phase) next++;
  const { phase } = states[i];
  trail.push(`<path d="${line(states.slice(i, next))}" ${look(phase)}/>`);
  i = next;
}
const [begin, width, bottom] = [44, WIDTH - 88, HIGH + GAP + GRAPH];
const tx = (/** @type {number} */ t) => (begin + (width * t) / end).toFixed(1);
const most = { force: Math.max(...run.forces.map(([, normal]) => normal)), impulse: Math.max(...events.map(({ impulse }) => impulse)) };
const all = run.forces.map(([t, normal]) => [Number(tx(t)), Number((bottom - (0.9 * GRAPH * normal) / most.force).toFixed(1))]);
const points = all.filter(([x, y], i) => i === 0 || x !== all[i - 1][0] || y !== all[i - 1][1]);
/** Without those that stand on the line of their neighbours. */
const corners = points.filter(([x, y], i) => {
  const [[u, v] = [x, y], [p, q] = [x, y]] = [points[i - 1], points[i + 1]];
  return i === 0 || i === points.length - 1 || Math.abs((y - v) * (p - u) - (q - v) * (x - u)) > 1e-9;
});
const force = corners.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
const bars = events.filter(({ impulse }) => impulse > 0).map(({ time, impulse }) => `M${tx(time)} ${bottom}V${(bottom - (0.9 * GRAPH * impulse) / most.impulse).toFixed(1)}`).join('');
const whole = SLOW * end + PAUSE;
const frames = states.filter((_, i) => i % 2 === 1);
const moved = (/** @type {string} */ what, /** @type {(state: any) => string} */ of) =>
  `<animateTransform attributeName="transform" type="${what}" dur="${whole}s" repeatCount="indefinite" values="${[...frames, frames.at(-1)].map(of).join(';')}" keyTimes="${[...frames.map(({ t }) => ((SLOW * t) / whole).toFixed(5)), '1'].join(';')}"/>`;
const kinds = [...new Set(events.map(({ kind }) => kind))].map((kind) => [kind, events.filter((event) => event.kind === kind).length]);
const counted = kinds.map(([kind, count]) => `${count} ${kind}${Number(count) > 1 ? 's' : ''}`).join(', ');
const names = [...new Set(states.map(({ phase }) => phase))];
const still = frames.reduce((found, state) => (Math.abs(state.t - 2.16) < Math.abs(found.t - 2.16) ? state : found));
const r = (run.radius * metre).toFixed(1);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${bottom + 34}" viewBox="0 0 ${WIDTH} ${bottom + 34}" font-family="DejaVu Sans, Liberation Sans, Arial, sans-serif" font-size="13">
<title>${run.title}: ${counted}; with the normal force over time</title>
<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#dcebf5"/><stop offset="1" stop-color="#fff"/></linearGradient><clipPath id="round"><rect width="${WIDTH}" height="${bottom + 34}" rx="10"/></clipPath></defs>
<g clip-path="url(#round)"><rect width="100%" height="100%" fill="#fff"/><rect width="100%" height="${HIGH}" fill="url(#sky)"/>
<path d="${line(run.ground.filter(([x]) => x > left - 0.5 && x < right + 0.5).map(([x, y]) => ({ x, y })))}V${HIGH}H0Z" fill="#4a4a46" stroke="#222" stroke-width="1.5" stroke-linejoin="round"/>
<g fill="none" stroke-linejoin="round" stroke-linecap="round">${trail.join('')}</g>
<text x="14" y="24" font-size="15" font-weight="bold" fill="#222">${events.length} events in ${end} s: ${counted}</text>
<path d="${bars}" stroke="#56B4E9" stroke-width="2" fill="none"/><path d="${force}" fill="none" stroke="#D55E00" stroke-width="2" stroke-linejoin="round"/><path d="M${begin} ${bottom}H${begin + width}" stroke="#222"/>
<text x="${begin}" y="${HIGH + 18}" fill="#a84300">normal force, up to ${most.force.toFixed(0)} N</text><text x="${begin + 210}" y="${HIGH + 18}" fill="#0072B2">impulses, up to ${most.impulse.toFixed(1)} N s</text>
${names.map((name, i) => `<path d="M${WIDTH - 290 + 95 * i} ${HIGH + 14}h24" ${look(name)} stroke-linecap="round"/><text x="${WIDTH - 258 + 95 * i}" y="${HIGH + 18}" fill="#222">${name}</text>`).join('')}
${Array.from({ length: Math.floor(end) + 1 }, (_, t) => `<text x="${tx(t)}" y="${bottom + 18}" text-anchor="middle" fill="#444">${t} s</text>`).join('')}
<g transform="translate(${tx(still.t)} 0)">${moved('translate', ({ t }) => `${tx(t)} 0`)}<path d="M0 ${HIGH + GAP}V${bottom}" stroke="#222" stroke-width="1.5"/></g>
<g transform="translate(${px(still.x)} ${py(still.y)})">${moved('translate', ({ x, y }) => `${px(x)} ${py(y)}`)}<g transform="rotate(${((-still.angle * 180) / Math.PI).toFixed(1)})">${moved('rotate', ({ angle }) => ((-angle * 180) / Math.PI).toFixed(1))}<circle r="${r}" fill="#F0E442" stroke="#111" stroke-width="1.6"/><path d="M0 0H${r}" stroke="#111" stroke-width="1.6"/></g></g>
</g></svg>
`;
writeFileSync(picture, svg);
console.log(`${picture}: ${svg.length} bytes`);
