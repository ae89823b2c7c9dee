// report.html in a real Chromium.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { AXE, chromium, close, folder, kugelbahn, kugelbahnStopped, onPaper, open, REPOSITORY, saved, sheet } from './browser.js';

const HILLS = join(REPOSITORY, 'experiments/src/bin/over_the_hills/scenario.toml');
const RUNS = {
  hills: [HILLS],
  zeno: [join(REPOSITORY, 'experiments/src/bin/zeno/scenario.toml')],
  marbles: [join(REPOSITORY, 'scenarios/marbles.toml')],
  shaken: [join(REPOSITORY, 'experiments/src/bin/shaken_table/scenario.toml')],
  loop: [join(REPOSITORY, 'scenarios/loop.toml')],
  events: [join(folder, 'events.toml')],
  gas: [join(REPOSITORY, 'experiments/src/bin/maxwell_gas/scenario.toml'), '--set', 'solver.duration=20'],
  bouncing: [join(REPOSITORY, 'experiments/src/bin/zeno/scenario.toml'), '--set', 'contact.restitution=0.9999', '--set', 'solver.duration=2000', '--set', 'output.interval=1'],
  many: [HILLS, '--set', 'solver.method=moreau', '--set', 'solver.step=2e-5', '--set', 'output.interval=3e-5'],
};
const STUDIES = {
  compare: ['compare', HILLS, '--methods', 'newmark,moreau,bdf', '--steps', '1e-2,1e-3'],
  small: ['compare', HILLS, '--methods', 'newmark,moreau,bdf', '--steps', '2e-4,1e-4'],
  converge: ['converge', HILLS, '--method', 'newmark,bdf', '--steps', '1e-2..1e-3/2'],
  orders: ['converge', join(REPOSITORY, 'scenarios/quarter-pipe.toml'), '--method', 'all', '--steps', '1e-2..1e-3/2', '--tries', '1'],
  fit: ['fit', join(REPOSITORY, 'scenarios/bounce.txt'), join(REPOSITORY, 'scenarios/bounce.toml'), '--free', 'contact.restitution,forces.drag.coefficient,initial.position,initial.velocity,initial.spin'],
};
/** @type {Record<string, string>} */
const pages = {};
/** @type {import('playwright-core').Browser} */
let browser;

/** Two balls event by event, with few rows. */
const EVENTS = `
title = "Two balls, event by event"
ball = [
  { mass = 0.02, radius = 0.02, inertia = 0.4, initial = { position = [-0.3, 0.8], velocity = [0.5, 0] } },
  { mass = 0.02, radius = 0.02, inertia = 0.4, initial = { position = [0.3, 0.6], velocity = [-0.3, 0] } },
]
ground = { curve = { kind = "polyline", points = [[-1, 1], [-1, 0], [1, 0], [1, 1]] } }
contact = { restitution = 0.8, friction = 0.2 }
solver = { method = "events", step = 1e-3, duration = 3.0 }
output = { interval = 0.5 }
`;

before(async () => {
  writeFileSync(join(folder, 'events.toml'), EVENTS);
  for (const [name, run] of Object.entries(RUNS)) {
    pages[name] = join(folder, `${name}.html`);
    kugelbahn('run', ...run, '--quiet', '--html', pages[name]);
  }
  for (const [name, study] of Object.entries(STUDIES)) {
    pages[name] = join(folder, `${name}.html`);
    kugelbahn(...study, '--quiet', '--html', pages[name]);
  }
  browser = await chromium();
});
after(async () => close(browser));

/** @param {string} text */
const table = (text) => {
  const [head, ...rows] = text.trim().split('\n').map((row) => row.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, isNaN(Number(row[i])) ? row[i] : Number(row[i])])));
};

/** What axe-core finds that is serious. @param {import('playwright-core').Page} page */
async function faultsOf(page) {
  await page.addScriptTag({ content: readFileSync(AXE, 'utf8') }).catch(() => {});
  const { violations } = await page.evaluate(() => window.axe.run());
  const found = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.html.slice(0, 80)).join(' | ')}`);
  console.log(found);
  return found.filter((fault) => /^(serious|critical)/.test(fault));
}

// The picture stays in view beside what is read.
for (const name of ['hills', 'compare', 'converge']) {
  test(`${name}: nothing lies over the tables, and a wheel over the picture zooms there`, async () => {
    const { page } = await open(browser, pages[name]);
    const before = await page.evaluate(() => window.kugelbahn.camera.scale);
    await page.hover('#scene');
    await page.mouse.wheel(0, -300);
    await page.waitForFunction((before) => window.kugelbahn.camera.scale > 1.2 * before, before);
    assert.deepEqual(await page.evaluate(() => [scrollX, scrollY, document.documentElement.scrollHeight - innerHeight]), [0, 0, 0]);
    await sheet(page, name === 'hills' ? 'events' : 'study');
    const over = await page.evaluate(() => {
      const found = [];
      for (const part of document.querySelectorAll('#tables h2, #tables .scroll, #study h2, #study .scroll')) {
        part.scrollIntoView({ block: 'center' });
        const { left, top, width, height } = part.getBoundingClientRect();
        if (width === 0 || top < 0 || top > innerHeight) continue;
        for (const [x, y] of [[left + 5, top + 5], [left + width / 2, Math.min(top + height / 2, innerHeight - 5)]]) {
          const there = document.elementFromPoint(x, y);
          if (there && there.closest('#view, #time, #rail')) found.push(`${part.textContent?.slice(0, 30)} at ${x}, ${y}`);
        }
      }
      return found;
    });
    assert.deepEqual(over, []);
    await page.close();
  });
}

test('an event that is stepped to has a name, and its row is seen in the table', async () => {
  const { page } = await open(browser, pages.hills);
  await sheet(page, 'events');
  for (let i = 0; i < 60; i++) await page.click('#next');
  assert.match(await page.textContent('#clock') ?? '', /^[\d.]+ s · event 60 of \d+$/);
  assert.match(await page.textContent('#readout') ?? '', /^[\d.]+ s · \S/);
  const seen = await page.evaluate(() => {
    const [box, row] = [document.querySelector('#sheet'), document.querySelector('tr.current')].map((part) => part?.getBoundingClientRect());
    return box && row && row.top >= box.top && row.bottom <= box.bottom;
  });
  assert.ok(seen);
  await page.close();
});

test('a report of over_the_hills has less than 250 kB when it is sent', () => {
  const bytes = gzipSync(readFileSync(pages.hills)).length;
  console.log(`${bytes} bytes`);
  assert.ok(bytes < 250_000, `${bytes}`);
});

// The engine's own dense output at other times: rows of another interval.
for (const [name, run] of [['hills', RUNS.hills], ['zeno', RUNS.zeno], ['shaken', RUNS.shaken]]) {
  test(`${name}: between rows a ball is drawn where the run has it, at a window of 1e-6 m`, async () => {
    const out = join(folder, `rows-${name}`);
    const text = kugelbahn('run', ...run, '--json');
    const duration = JSON.parse(text).final.time;
    kugelbahn('run', ...run, '--quiet', '--out', out, '--set', `output.interval=${duration / 1237}`);
    const rows = table(readFileSync(join(out, 'trajectory.csv'), 'utf8'));
    const { page } = await open(browser, pages[name]);
    const worst = await page.evaluate((rows) => {
      const { kugelbahn } = window;
      const { camera, scene } = kugelbahn;
      kugelbahn.own = true;
      let worst = 0;
      for (const { time, x, y } of rows) {
        [camera.x, camera.y, camera.scale] = [x, y, camera.width / 1e-6];
        kugelbahn.player.go(time);
        const [px, py] = scene.places[0];
        worst = Math.max(worst, Math.hypot(px - camera.width / 2, py - camera.height / 2));
      }
      return worst;
    }, rows.slice(0, -1));
    console.log(`${name}: ${worst.toExponential(2)} pixels of ${rows.length} rows`);
    assert.ok(worst < 0.5, `${worst} pixels`);
    await page.close();
  });
}

test('several balls event by event move between rows as they do, and are at the ground when they bounce', async () => {
  const out = join(folder, 'rows-events');
  kugelbahn('run', join(folder, 'events.toml'), '--quiet', '--out', out, '--set', 'output.interval=0.00317');
  const rows = table(readFileSync(join(out, 'trajectory.csv'), 'utf8'));
  const { page } = await open(browser, pages.events);
  const { worst, impacts } = await page.evaluate((rows) => {
    const { motions, all } = window.kugelbahn;
    const names = [['x', 'x'], ['y', 'y'], ['vx', 'vx'], ['vy', 'vy'], ['spin', 'spin'], ['dissipated', 'dissipated_energy'], ['exchanged', 'exchanged_energy'], ['gap', 'gap']];
    const off = (ours, theirs) => Math.max(...rows.map((row) => Math.abs(motions[row.ball - 1].at(row.time)[ours] - row[theirs])));
    const [time, ball, other] = ['time', 'ball', 'other'].map((name) => all.page.columns.indexOf(name));
    const impacts = all.page.events.filter((row) => !Number(row[other])).map((row) => Math.abs(motions[row[ball] - 1].at(row[time], true).gap));
    return { impacts, worst: Object.fromEntries(names.map(([ours, theirs]) => [ours, off(ours, theirs)])) };
  }, rows);
  console.log(worst);
  assert.ok(worst.x < 1e-12 && worst.y < 1e-12 && worst.vx < 1e-12 && worst.vy < 1e-12, JSON.stringify(worst));
  assert.ok(worst.spin < 1e-5 && worst.dissipated < 1e-7 && worst.exchanged < 1e-7 && worst.gap < 1e-2, JSON.stringify(worst));
  assert.ok(impacts.length >= 5 && Math.max(...impacts) < 1e-9, impacts.join());
  await page.close();
});

test('values beside the place are those of the rows', async () => {
  const out = join(folder, 'rows-hills');
  const rows = table(readFileSync(join(out, 'trajectory.csv'), 'utf8')).slice(0, -1);
  const { page } = await open(browser, pages.hills);
  const worst = await page.evaluate((rows) => {
    const names = [['vx', 'vx'], ['vy', 'vy'], ['spin', 'spin'], ['angle', 'angle'], ['normal', 'normal_force'], ['friction', 'friction_force'], ['dissipated', 'dissipated_energy'], ['gap', 'gap']];
    return Object.fromEntries(names.map(([ours, theirs]) => {
      const size = Math.max(...rows.map((row) => Math.abs(row[theirs])));
      return [ours, Math.max(...rows.map((row) => Math.abs(window.kugelbahn.motions[0].at(row.time)[ours] - row[theirs]))) / size];
    }));
  }, rows);
  console.log(worst);
  for (const [name, error] of Object.entries(worst)) assert.ok(error < (name === 'gap' ? 1e-5 : 1e-8), `${name}: ${error}`);
  await page.close();
});

test('zeno: the last bounces have arcs and right labels in a stretch of 1e-9 s', async () => {
  const { page } = await open(browser, pages.zeno);
  await sheet(page, 'graphs');
  const found = await page.evaluate(async () => {
    const { graphs, motions, all } = window.kugelbahn;
    const [{ time: start, duration }] = all.captures;
    // Where hops take 2e-10 s: between the ends of hops, known by their law.
    const e = all.scenario.contact.restitution;
    const hop = Math.ceil(Math.log(2e-10 / (duration * (1 - e))) / Math.log(e));
    const ends = Array.from({ length: 12 }, (_, i) => start + duration * (1 - e ** (hop + i)));
    const from = ends[0];
    graphs.look(from, from + 1e-9);
    await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
    const panel = graphs.drawn.find(({ panel }) => panel.log);
    const [times, gaps] = panel.data;
    const seen = ends.filter((time) => time < from + 1e-9);
    const arcs = seen.slice(1).map((to, i) => {
      const inside = gaps.filter((gap, k) => times[k] + graphs.base > seen[i] && times[k] + graphs.base < to);
      return [Math.max(...inside), (9.81 * (to - seen[i]) ** 2) / 8, inside.length];
    });
    return { arcs, from: graphs.from, to: graphs.to, labels: panel.axes[0].labels, name: panel.label, splits: panel.axes[0].ticks, base: graphs.base, end: motions[0].end };
  });
  console.log(found);
  assert.ok(Math.abs(found.to - found.from - 1e-9) < 1e-12);
  assert.ok(found.arcs.length >= 3);
  for (const [height, exact, points] of found.arcs) {
    // A clock of 53 bits tells 2e-16 s of a hop of some 1e-10 s.
    assert.ok(Math.abs(height / exact - 1) < 1e-3 && points > 20, `${height} for ${exact}`);
  }
  const [, base, unit] = /^time − ([\d.]+) s \[(ns|ps)\]$/.exec(found.name) ?? [];
  assert.equal(Number(base), found.base);
  const labelled = found.labels.map((label) => Number.parseFloat(label.replace('−', '-')));
  found.splits.forEach((split, i) => assert.ok(Math.abs(labelled[i] * (unit === 'ns' ? 1e-9 : 1e-12) - split) < 1e-14));
  await page.screenshot({ path: join(folder, 'zeno-graphs.png'), fullPage: true });
  await page.close();
});

test('keys, graphs and tables go to the same time', async () => {
  const { page, faults } = await open(browser, pages.hills);
  await sheet(page, 'graphs');
  const time = () => page.evaluate(() => window.kugelbahn.player.time);
  const events = await page.evaluate(() => window.kugelbahn.player.events);
  await page.focus('#scene');
  await page.keyboard.press('ArrowRight');
  assert.equal(await time(), events[0]);
  await page.keyboard.press('ArrowRight');
  assert.equal(await time(), events[1]);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await time(), events[0]);
  await sheet(page, 'events');
  await page.click('#events tbody tr:nth-child(4)');
  assert.equal(await time(), events[3]);
  await sheet(page, 'graphs');
  await page.locator('.plot canvas').first().click({ position: { x: 100, y: 40 } });
  const shown = await time();
  const wanted = await page.evaluate(() => window.kugelbahn.graphs.drawn[0].x.at(100));
  assert.ok(Math.abs(shown - wanted) < 0.02, `${shown} for ${wanted}`);
  assert.match(await page.locator('.values').first().textContent() ?? '', /y .*m/);
  await page.focus('#scene');
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await page.waitForTimeout(300);
  await page.keyboard.press(' ');
  const played = await time();
  assert.ok(played > 0.1 && played < 0.6, `${played}`);
  assert.deepEqual(faults, []);
  await page.close();
});

for (const name of Object.keys(STUDIES)) {
  test(`the page of ${name} shows its runs, its tables and what lies apart`, async () => {
    const { page, faults, requests } = await open(browser, pages[name]);
    await sheet(page, 'graphs');
    assert.deepEqual(faults, []);
    assert.deepEqual(requests, [`file://${pages[name]}`]);
    await sheet(page, 'study');
    const shown = await page.evaluate(() => ({ runs: window.kugelbahn.motions.length, panels: window.kugelbahn.graphs.drawn.length, extra: window.kugelbahn.graphs.extra.length, svg: document.querySelectorAll('#study svg').length }));
    assert.ok(shown.runs >= 1 && shown.extra >= 1 && shown.panels > shown.extra && shown.svg >= 1, JSON.stringify(shown));
    await page.click('#play');
    await page.waitForTimeout(300);
    assert.ok((await page.evaluate(() => window.kugelbahn.player.frames.length)) > 2);
    // A click on a head sorts, a second one turns the order round.
    const column = () => page.$$eval('#study [data-place="0"] td:nth-child(2)', (cells) => cells.map((cell) => Number(cell.textContent)).filter(Number.isFinite));
    const head = '#study [data-place="0"] th:nth-child(2) button';
    await page.click(head);
    const up = await column();
    await page.click(head);
    assert.deepEqual(up, [...up].sort((a, b) => a - b));
    assert.deepEqual(await column(), [...up].reverse());
    const found = await faultsOf(page);
    assert.deepEqual(found, []);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    await page.close();
  });
}

test('a fit names its file without folders, and shows all places that were seen', async () => {
  const { page } = await open(browser, pages.fit);
  assert.match(await page.textContent('#subtitle') ?? '', /^fit of \d+ rows of bounce\.txt:/);
  const outside = await page.evaluate(() => {
    const { scene, camera } = window.kugelbahn;
    // One far off, as a tracker sees it.
    scene.seen[0] = scene.box()[1] + 1;
    window.kugelbahn.fit();
    return Array.from({ length: scene.seen.length / 2 }, (_, i) => [camera.px(scene.seen[2 * i]), camera.py(scene.seen[2 * i + 1])])
      .filter(([x, y]) => !(x >= 0 && x <= camera.width && y >= 0 && y <= camera.height)).length;
  });
  assert.equal(outside, 0);
  await page.close();
});

test('a comparison shows each method moving, also one of many steps', async () => {
  const { page } = await open(browser, pages.small);
  const names = await page.evaluate(() => window.kugelbahn.runs.map(({ name }) => name.split(',')[0]));
  assert.deepEqual([...new Set(names)].sort(), ['moreau', 'newmark', 'reference']);
  const bytes = readFileSync(pages.small).length;
  console.log(`${bytes} bytes`);
  assert.ok(bytes < 3_000_000, `${bytes}`);
  await page.close();
});

test('a row of a comparison chooses its run, whose graphs and events are shown then', async () => {
  const { page } = await open(browser, pages.compare);
  await sheet(page, 'graphs');
  await sheet(page, 'study');
  const rows = await page.$$('#study tr[data-run]');
  assert.ok(rows.length >= 3);
  const bounces = [];
  for (const row of [0, rows.length - 1]) {
    await page.click(`#study tr[data-run] >> nth=${row}`);
    assert.equal(await page.locator('#study tr.current').count(), 1);
    bounces.push(await page.evaluate(() => [window.kugelbahn.ball, window.kugelbahn.all.page.event_count]));
  }
  assert.notDeepEqual(bounces[0], bounces[1]);
  await page.close();
});

test('a watch has its name in the table of events', async () => {
  const scenario = join(folder, 'watched.toml');
  writeFileSync(scenario, `
    initial = { position = [-0.75, 1.2], velocity = [3.5, 0] }
    ground = { curve = { kind = "graph", y = "0.25*sin(pi*x)" } }
    watch = [{ name = "gate", x = 3.0 }]
    solver = { duration = 2.0 }
  `);
  const html = join(folder, 'watched.html');
  kugelbahn('run', scenario, '--quiet', '--html', html);
  const { page } = await open(browser, html);
  await sheet(page, 'events');
  const kinds = await page.$$eval('#events tbody td:nth-child(2)', (cells) => cells.map((cell) => cell.textContent));
  assert.ok(kinds.includes('watch gate') && kinds.includes('landing'), kinds.join(', '));
  await page.close();
});

test('a run that begins later is shown from there on', async () => {
  const scenario = join(folder, 'later.toml');
  writeFileSync(scenario, `
    initial = { position = [0, 1], velocity = [0.3, 0], time = 3 }
    ground = { curve = { kind = "graph", y = 0 } }
    contact = { restitution = 0.5 }
    solver = { duration = 2.0 }
  `);
  for (const method of ['newmark', 'moreau']) {
    const html = join(folder, `later-${method}.html`);
    if (method === 'moreau') writeFileSync(scenario, readFileSync(scenario, 'utf8').replace(', time = 3', '').replace('duration = 2.0', 'duration = 2.0, method = "moreau", step = 1e-3'));
    kugelbahn('run', scenario, '--quiet', '--html', html);
    const { page } = await open(browser, html);
    await sheet(page, 'graphs');
    const begin = method === 'moreau' ? 0 : 3;
    const strip = ['valuemin', 'valuemax', 'valuenow'].map((name) => `aria-${name}`);
    const seen = () => page.evaluate((strip) => [window.kugelbahn.player.time, window.kugelbahn.graphs.from, window.kugelbahn.graphs.to, ...strip.map((name) => Number(document.querySelector('#strip').getAttribute(name)))], strip);
    assert.deepEqual(await seen(), [begin, begin, begin + 2, begin, begin + 2, begin]);
    await page.keyboard.press('End');
    assert.deepEqual((await seen())[5], begin + 2);
    await page.keyboard.press('Home');
    assert.equal((await seen())[0], begin);
    if (method === 'newmark') {
      await sheet(page, 'phases');
      const phases = await page.$$eval('[aria-label="Phases"] tbody td:nth-child(2)', (cells) => cells.map((cell) => cell.textContent));
      assert.equal(phases[0], '3');
      const rows = table(readFileSync(await saved(page, 'csv'), 'utf8'));
      assert.deepEqual([rows[0].time, rows.at(-1).time], [3, 5]);
      assert.ok(Math.abs(rows[0].y - 1) < 1e-12, `${rows[0].y}`);
    }
    await page.close();
  }
});

test('energies on each other: the pointer shows each by itself, and they have names', async () => {
  const { page } = await open(browser, pages.hills);
  await sheet(page, 'graphs');
  const panel = page.locator('.panel', { hasText: 'energy, stacked' }).first();
  assert.deepEqual(await panel.locator('h2 .name:not([hidden])').allTextContents().then((all) => all.map((name) => name.trim())), ['dissipated', 'kinetic', 'potential']);
  const wanted = await page.evaluate(() => {
    const { graphs, motions } = window.kugelbahn;
    const { x, y } = graphs.drawn.find(({ panel }) => panel.stacked);
    const state = motions[0].at(x.at(150));
    return [state.dissipated, graphs.quantities.get('kinetic_energy').of(state), y.at(y.to), y.low];
  });
  await panel.locator('canvas').hover({ position: { x: 150, y: 30 } });
  const shown = await panel.locator('.values').textContent() ?? '';
  const [dissipated, kinetic] = ['dissipated', 'kinetic'].map((name) => Number(new RegExp(`${name} ([\\d.]+) J`).exec(shown)?.[1]));
  assert.ok(Math.abs(dissipated - wanted[0]) < 1e-3 * wanted[0] && Math.abs(kinetic - wanted[1]) < 0.02 * wanted[1], `${shown} for ${wanted}`);
  assert.equal(wanted[3], 0);
  await page.close();
});

test('of columns with gaps and values the values are drawn', async () => {
  const { page } = await open(browser, pages.zeno);
  await sheet(page, 'graphs');
  const columns = await page.evaluate(() => {
    const { graphs } = window.kugelbahn;
    const [times, gaps] = graphs.drawn.find(({ panel }) => panel.log).data;
    const end = window.kugelbahn.all.captures[0].time;
    return [times.filter((time, i) => time < end && gaps[i] === null).length, times.filter((time) => time < end).length];
  });
  console.log(columns);
  assert.ok(columns[0] < 0.1 * columns[1], columns.join());
  await page.close();
});

test('any quantity over any other: a jump of velocity is upright', async () => {
  const { page } = await open(browser, pages.shaken);
  await sheet(page, 'graphs');
  const far = await page.evaluate(() => {
    const { graphs, all } = window.kugelbahn;
    const { states } = graphs.plane;
    const time = all.page.columns.indexOf('time');
    // The two states of each impact that are drawn beside each other.
    return Math.max(...all.page.events.map((row) => {
      const at = states.map((state, i) => [i, state]).filter(([, state]) => state.time === row[time]).map(([i]) => i);
      return at.length >= 2 && at[1] === at[0] + 1 ? Math.abs(states[at[1]].y - states[at[0]].y) : Infinity;
    }));
  });
  assert.ok(far < 1e-9, `${far}`);
  await page.close();
});

test('the stretch of time of graphs is chosen by keys and buttons', async () => {
  const { page } = await open(browser, pages.hills);
  await sheet(page, 'graphs');
  const seen = () => page.evaluate(() => [window.kugelbahn.graphs.from, window.kugelbahn.graphs.to]);
  const all = await seen();
  await page.focus('#scene');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('t');
  await page.click('#shorter');
  const [from, to] = await seen();
  const time = await page.evaluate(() => window.kugelbahn.player.time);
  assert.ok(to - from < 0.3 * (all[1] - all[0]) && from <= time && time <= to, `${from} ${to}`);
  await page.keyboard.press('a');
  assert.deepEqual(await seen(), all);
  await page.close();
});

test('from afar the ground goes through the whole picture, and nothing is looked at that is not known', async () => {
  const { page } = await open(browser, pages.hills);
  const seen = await page.evaluate(() => {
    const { camera, scene, player } = window.kugelbahn;
    const ends = () => {
      // Earth, or its edge.
      const canvas = scene.back;
      const column = (x) => canvas.getContext('2d').getImageData(x, 0, 1, Math.round(0.75 * canvas.height)).data.some((value, i) => i % 4 === 0 && value < 120);
      return [column(1), column(canvas.width - 2)];
    };
    const found = [];
    for (let i = 0; i < 30; i++) {
      window.kugelbahn.zoom(1 / 1.5);
      found.push(...ends());
    }
    camera.pan(1e5, 0);
    window.kugelbahn.draw(player.time);
    return { found: [...found, ...ends()], wide: camera.width / camera.scale, known: camera.known };
  });
  assert.ok(seen.found.every(Boolean), JSON.stringify(seen));
  assert.ok(seen.wide > 50 && seen.wide <= (seen.known[1] - seen.known[0]) * (1 + 1e-9), JSON.stringify(seen));
  await page.close();
});

/** A number as the page writes it. @param {string} shown */
const number = (shown) => Number(shown.replaceAll('−', '-').replace(/·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/, (_, power) => `e${[...power].map((digit) => (digit === '⁻' ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit))).join('')}`));

// In the last hops of a drop without end, and in a roll far from zero.
for (const [name, from, spans] of [['hills', 2.18, [1e-3, 1e-5, 1e-8]], ['zeno', 8.57894728, [5e-8, 1e-8, 1e-9]]]) {
  test(`${name}: numbers of an axis differ and are right, however short the stretch`, async () => {
    const { page } = await open(browser, pages[name]);
    await sheet(page, 'graphs');
    for (const span of spans) {
      const found = await page.evaluate(async ([from, span]) => {
        const { graphs, motions } = window.kugelbahn;
        graphs.look(from, from + span);
        await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
        const shown = graphs.drawn.filter(({ panel, box }) => !panel.log && !box.hidden);
        return shown.map(({ panel, data, axes, box }) => {
          // What is drawn at the last time, in the numbers of the axis, and what it is.
          const [times, values] = data;
          const i = values.length - 1;
          const whole = panel.stacked || panel.impulses ? null : panel.of(motions[0].at(times[i] + graphs.base, true), graphs.quantities, graphs.page)[0];
          return { labels: axes[1].labels, splits: axes[1].ticks, base: box.querySelector('.base').textContent, drawn: values[i], whole };
        });
      }, [from, span]);
      assert.ok(found.length >= 4);
      for (const { labels, splits, base, drawn, whole } of found) {
        const step = Math.abs(splits[1] - splits[0]);
        assert.ok(labels.length >= 2 && new Set(labels).size === labels.length, `${labels} ${splits}`);
        assert.ok(labels.every((label) => label.length < 11), `${labels}`);
        labels.forEach((label, i) => assert.ok(Math.abs(number(label) - splits[i]) <= 1e-9 * step, `${label} ${splits[i]}`));
        const origin = number(/from (\S+) on/.exec(base)?.[1] ?? '0');
        if (whole !== null) assert.ok(Math.abs(origin + drawn - whole) <= 4e-16 * Math.abs(whole), `${origin} + ${drawn}, not ${whole}`);
      }
    }
    await page.close();
  });
}

test('what balls hand to each other is no loss of one', async () => {
  const { page } = await open(browser, pages.gas);
  const { lost, handed, before } = await page.evaluate(() => {
    const { motions } = window.kugelbahn;
    const states = motions.flatMap((motion) => [0.1, 0.5, 1].map((part) => motion.at(part * motion.end)));
    return { lost: Math.max(...states.map(({ dissipated }) => Math.abs(dissipated))), handed: motions.map((motion) => motion.at(motion.end).exchanged), before: motions.length * 5e-4 };
  });
  const sum = handed.reduce((all, one) => all + one, 0);
  // Elastic: none loses anything, and many have another energy than at the start.
  assert.ok(lost < 1e-12 && Math.max(...handed) > 5e-4 && Math.abs(sum) < 1e-6 * before, `${lost} ${sum} ${Math.max(...handed)}`);
  await page.close();
});

test('balls that look alike are drawn at once, each where it is', async () => {
  const { page } = await open(browser, pages.gas);
  for (const scale of [1, 0.5]) {
    const { strokes, drawn, balls, part } = await page.evaluate((scale) => {
      const { camera, player, scene, fit } = window.kugelbahn;
      fit.call(window.kugelbahn);
      window.kugelbahn.own = true;
      camera.scale *= scale;
      const { stroke } = CanvasRenderingContext2D.prototype;
      let strokes = 0;
      CanvasRenderingContext2D.prototype.stroke = function (...all) {
        if (this.canvas === scene.element) strokes += 1;
        return stroke.apply(this, all);
      };
      player.go(3.21);
      CanvasRenderingContext2D.prototype.stroke = stroke;
      // Where there is no ball nothing is drawn.
      const full = ([x, y]) => scene.canvas.getImageData(Math.floor(x), Math.floor(y), 1, 1).data[3] > 200;
      const whole = scene.canvas.getImageData(0, 0, camera.width, camera.height).data.filter((value, i) => i % 4 === 3 && value > 200).length;
      return { strokes, balls: scene.places.length, drawn: scene.places.filter(full).length, part: whole / (camera.width * camera.height) };
    }, scale);
    assert.ok(balls === 200 && drawn === balls && part < 0.3 && strokes < 40, `${strokes} strokes, ${drawn} of ${balls} balls, ${part}`);
  }
  await page.close();
});

test('more events than a page keeps: it says so in its tables, its graph of impulses and its picture', async () => {
  const { page } = await open(browser, pages.gas);
  await sheet(page, 'graphs');
  const last = await page.evaluate(() => window.kugelbahn.all.page.events.at(-1)[window.kugelbahn.all.page.columns.indexOf('time')]);
  const count = await page.evaluate(() => window.kugelbahn.all.page.event_count);
  assert.ok(count > 20_000 && last > 6 && last < 8, `${count} ${last}`);
  await sheet(page, 'events');
  const [, of, until] = /^The first 10000 of (\d+), up to t = ([\d.]+) s\.$/.exec(await page.textContent('#events .cut') ?? '') ?? [];
  assert.ok(Number(of) === count && Math.abs(Number(until) - last) < 1e-6, `${of} ${until}`);
  await page.evaluate((last) => window.kugelbahn.player.go(last - 1e-6), last);
  assert.doesNotMatch(await page.textContent('#readout') ?? '', /left out/);
  for (let i = 0; i < 3; i++) await page.click('#next');
  assert.equal(await page.evaluate(() => window.kugelbahn.player.time), last);
  assert.match(await page.textContent('#readout') ?? '', new RegExp(`events after ${String(last).slice(0, 4)}\\d+ s are left out`));
  const grey = await page.evaluate(() => {
    const { graphs } = window.kugelbahn;
    const { canvas, x: scale, y } = graphs.drawn.find(({ panel }) => panel.impulses);
    const column = (time) => {
      const x = Math.round(scale.px(time)) + 3;
      return canvas.getContext('2d').getImageData(x, Math.round(y.to + 0.7 * (y.from - y.to)), 1, 1).data[3];
    };
    return [column(graphs.told + 2), column(graphs.told + 5)];
  });
  assert.ok(grey.every((alpha) => alpha > 10), `${grey}`);
  await page.close();
});

test('of thousands of bounces every height is drawn, and no line leads across an impact', async () => {
  // More hops than four for each pixel.
  const { page } = await open(browser, pages.bouncing, [1000, 900]);
  await sheet(page, 'graphs');
  const seen = await page.evaluate(() => {
    const { graphs, all } = window.kugelbahn;
    const { states } = graphs.plane;
    const [time, y] = ['time', 'y'].map((name) => all.page.columns.indexOf(name));
    const { events } = all.page;
    // The highest place between two impacts, of the law of free fall and of the states that are drawn.
    let [k, worst] = [0, 0];
    for (let i = 1; i + 1 < events.length; i++) {
      const [[from, low], [to, high]] = [events[i], events[i + 1]].map((row) => [row[time], row[y]]);
      const up = (high - low) / (to - from) + 0.5 * 9.81 * (to - from);
      let most = -Infinity;
      while (k < states.length && states[k].time < to) {
        if (states[k].time >= from) most = Math.max(most, states[k].y);
        k += 1;
      }
      worst = Math.max(worst, low + (up * up) / (2 * 9.81) - most);
    }
    return { worst, hops: events.length };
  });
  console.log(seen);
  assert.ok(seen.hops > 2000 && seen.worst < 1e-6, JSON.stringify(seen));
  await page.close();
});

test('any quantity over any other: what jumps at slanted impacts has a gap', async () => {
  for (const [name, axes] of [['hills', ['vy', 'vx']], ['zeno', ['vy', 'time']]]) {
    const { page } = await open(browser, pages[name]);
    await sheet(page, 'graphs');
    const far = await page.evaluate(([up, right]) => {
      const { graphs } = window.kugelbahn;
      const { lineTo, moveTo } = CanvasRenderingContext2D.prototype;
      let [last, longest] = [[0, 0], 0];
      CanvasRenderingContext2D.prototype.moveTo = function (x, y) { last = [x, y]; return moveTo.call(this, x, y); };
      CanvasRenderingContext2D.prototype.lineTo = function (x, y) {
        if (this.strokeStyle === '#0072b2') longest = Math.max(longest, Math.hypot(x - last[0], y - last[1]));
        last = [x, y];
        return lineTo.call(this, x, y);
      };
      graphs.plane.selects[0].value = up;
      graphs.plane.selects[1].value = right;
      graphs.plane.draw();
      return longest;
    }, axes);
    console.log(name, far);
    assert.ok(far > 0 && far < 25, `${name}: ${far} pixels`);
    await page.close();
  }
});

test('a ball that starts at rest has no speed then, and has one later', async () => {
  for (const run of ['scenarios/loop.toml', 'experiments/src/bin/brachistochrone/scenario.toml', 'experiments/src/bin/tautochrone/scenario.toml']) {
    const html = join(folder, 'rest.html');
    kugelbahn('run', join(REPOSITORY, run), '--quiet', '--html', html);
    const { page } = await open(browser, html);
    assert.equal(await page.textContent('#hud .v b'), '0.000');
    // A ball that is let go has g t at most: nothing of it is taken for rounding.
    const speed = await page.evaluate(() => {
      const { vx, vy } = window.kugelbahn.motions[0].at(1e-6);
      return Math.hypot(vx, vy);
    });
    assert.ok(speed > 1e-7 && speed < 9.82e-6, `${run}: ${speed}`);
    await page.close();
  }
});

test('slow motion has 1/1000', async () => {
  const { page } = await open(browser, pages.hills);
  await page.fill('#speed', '-3');
  assert.equal(await page.textContent('#rate'), '1/1 000');
  await page.click('#play');
  // By the page's own clock: a busy machine is late with anything else.
  const rate = await page.evaluate(async () => {
    const { player } = window.kugelbahn;
    const [time, begun] = [player.time, performance.now()];
    await new Promise((done) => setTimeout(done, 1000));
    return (player.time - time) / (performance.now() - begun);
  });
  assert.ok(rate > 5e-7 && rate < 1.6e-6, `${rate} s in a millisecond`);
  await page.close();
});

/** Every column of a trajectory is one of the page, with the same numbers, to a part of the largest.
 * @param {Record<string, any>[]} rows @param {Record<string, any>[]} theirs @param {number} part */
function same(rows, theirs, part) {
  for (const name of Object.keys(theirs[0] ?? {})) {
    const size = Math.max(...theirs.map((row) => Math.abs(row[name])));
    if (name === 'phase') assert.deepEqual(rows.map(({ phase }) => phase), theirs.map(({ phase }) => phase));
    else rows.forEach((row, i) => assert.ok(Math.abs(row[name] - theirs[i][name]) <= part * size, `${name} at ${row.time}: ${row[name]}, not ${theirs[i][name]}`));
  }
}

test('the motion as CSV has rows that are the trajectory', async () => {
  const { page } = await open(browser, pages.hills);
  const rows = table(readFileSync(await saved(page, 'csv'), 'utf8'));
  const out = join(folder, 'csv');
  kugelbahn('run', HILLS, '--quiet', '--out', out);
  const theirs = table(readFileSync(join(out, 'trajectory.csv'), 'utf8'));
  assert.equal(rows.length, theirs.length);
  same(rows, theirs, 2e-6);
  await page.close();
});

for (const name of ['loop', 'zigzag']) {
  test(`${name}: the last row is that of the trajectory, behind its last event`, async () => {
    const [out, html] = [join(folder, `last-${name}`), join(folder, `last-${name}.html`)];
    kugelbahn('run', join(REPOSITORY, `scenarios/${name}.toml`), '--quiet', '--out', out, '--html', html);
    const { page } = await open(browser, html);
    const rows = table(await page.evaluate(() => window.motionCsv()));
    const theirs = table(readFileSync(join(out, 'trajectory.csv'), 'utf8'));
    const [last, wanted] = [rows.at(-1), theirs.at(-1)];
    assert.equal(last.phase, wanted.phase);
    for (const key of ['time', 'ax', 'ay', 'normal_force', 'friction_force']) assert.ok(Math.abs(last[key] - wanted[key]) < 1e-9, `${key}: ${last[key]}, ${wanted[key]}`);
    const columns = readFileSync(join(out, 'events.csv'), 'utf8').split('\n')[0];
    assert.equal(await page.evaluate(() => window.eventsCsv().split('\n')[0]), columns);
    await page.close();
  });
}

test('arrows of a thousand balls have the scale of all times and balls', async () => {
  const [file, html] = [join(folder, 'thousand.toml'), join(folder, 'thousand.html')];
  writeFileSync(file, `
ground = { curve = { kind = "graph", y = "x^2" } }
contact = { restitution = 0.3, friction = 0.3, balls = { restitution = 0.3 } }
solver = { method = "moreau", step = 2e-3, duration = 0.3 }
output = { interval = 0.01 }
balls = [{ count = 1000, radius = 0.01, random = { from = [-0.6, 0.6], to = [0.6, 2.0] }, seed = 3 }]
`);
  kugelbahn('run', file, '--quiet', '--html', html);
  const { page } = await open(browser, html);
  const [units, fastest, longest] = await page.evaluate(() => {
    const { scene, motions } = window.kugelbahn;
    const fastest = Math.max(...motions.map((motion) => Math.sqrt(motion.at(0.295).square)));
    return [scene.units, fastest, scene.units[0] * fastest];
  });
  assert.ok(fastest > 2 && longest > 40 && longest < 200 && units[1] > 0, JSON.stringify([units, fastest]));
  await page.close();
});

test('time stepping: rows of the page are those of the trajectory, and impacts are no forces', async () => {
  const out = join(folder, 'stepped');
  const html = join(folder, 'stepped.html');
  kugelbahn('run', HILLS, '--set', 'solver.method=moreau', '--set', 'solver.step=2e-5', '--quiet', '--out', out, '--html', html);
  const { page } = await open(browser, html);
  await sheet(page, 'graphs');
  const [rows, theirs] = [await saved(page, 'csv'), join(out, 'trajectory.csv')].map((file) => table(readFileSync(file, 'utf8')));
  assert.equal(rows.length, theirs.length);
  same(rows, theirs, 1e-6);
  // Between two rows about an impact the ball does not stand still: energies are on straight lines.
  const dips = await page.evaluate(() => {
    const { graphs } = window.kugelbahn;
    const energy = graphs.quantities.get('kinetic_energy');
    const { times } = graphs.motion;
    return [...times].slice(1).filter((to, i) => {
      const [a, middle, b] = [times[i], 0.5 * (times[i] + to), to].map((time) => energy.of(graphs.motion.at(time)));
      return Math.abs(middle - 0.5 * (a + b)) > 1e-9 * (a + b);
    }).length;
  });
  assert.equal(dips, 0);
  const seen = await page.evaluate(() => {
    const { graphs, scene } = window.kugelbahn;
    return { most: Math.max(...graphs.all.map(({ normal }) => normal)), pushes: graphs.impulses.length, units: scene.units };
  });
  // Of 1 kg at 4 m/s in valleys: a few times its weight.
  assert.ok(seen.most > 10 && seen.most < 100 && seen.pushes > 5 && seen.units.every((unit) => unit > 0.1), JSON.stringify(seen));
  const svg = readFileSync(join(out, 'time.svg'), 'utf8');
  assert.match(svg, /impulse \[N s\]/);
  assert.doesNotMatch(svg, />\d{3,}</);
  await page.close();
});

// While Chromium prints, to clear a canvas clears what lies below it, too: the trail of the ball.
test('a page that is printed at once has the trail', async () => {
  const { page } = await open(browser, pages.hills ?? Object.values(pages)[0]);
  await page.evaluate(() => {
    const seen = { cleared: 0, stroked: 0 };
    Object.assign(window, { seen });
    const { clearRect, stroke } = CanvasRenderingContext2D.prototype;
    const prints = () => window.kugelbahn.scene.paper;
    CanvasRenderingContext2D.prototype.clearRect = function (...all) {
      if (prints() && this.canvas.id === 'scene') seen.cleared += 1;
      return clearRect.apply(this, all);
    };
    CanvasRenderingContext2D.prototype.stroke = function (...all) {
      if (prints() && this.canvas.id === 'trails') seen.stroked += 1;
      return stroke.apply(this, all);
    };
  });
  await page.pdf({ preferCSSPageSize: true });
  const seen = await page.evaluate(() => window.seen);
  assert.ok(seen.cleared === 0 && seen.stroked > 0, JSON.stringify(seen));
  await page.close();
});

for (const name of ['hills', 'zeno', 'marbles', 'gas', 'bouncing', 'compare', 'orders', 'fit']) {
  test(`${name}: two pages of paper`, async () => {
    const study = name in STUDIES;
    const { page } = await open(browser, pages[name]);
    await onPaper(page);
    const seen = await page.evaluate(() => {
      const printed = [...document.querySelectorAll('.panel')].filter((panel) => panel.getBoundingClientRect().height > 0);
      const inside = printed.filter((panel) => panel.querySelector('.plot canvas').getBoundingClientRect().right <= panel.getBoundingClientRect().right + 1);
      const [time] = document.querySelectorAll('#events td button');
      const { camera, scene } = window.kugelbahn;
      // Cells of tables that go beyond the sheet, and columns that are left out without a word.
      const cells = [...document.querySelectorAll('td, th')].map((cell) => cell.getBoundingClientRect()).filter(({ width }) => width > 0);
      const cut = cells.filter(({ right, left }) => right > 704 && left < 704).length;
      const silent = [...document.querySelectorAll('table:has(.unprinted)')].filter((table) => !table.closest('.scroll').previousElementSibling?.classList.contains('left-out')).length;
      return { cut, silent, width: [camera.width, scene.element.width], inside: inside.length, panels: printed.length, time: time ? time.getBoundingClientRect().width : 1, plane: document.querySelector('.paper').getBoundingClientRect().width };
    });
    // Text of 13 pixels of the picture is then of nearly 10 points.
    assert.deepEqual(seen.width, [703, 3 * 703]);
    assert.match(await page.locator(study ? '#study p.paper' : '#tables p.paper').last().textContent() ?? '', study ? /on the screen/ : /no more room|without room/);
    assert.ok(seen.cut === 0 && seen.silent === 0, JSON.stringify(seen));
    assert.ok(seen.inside === seen.panels && seen.panels > 0 && (study || (seen.time > 0 && seen.plane > 0)), JSON.stringify(seen));
    const paper = await page.pdf({ path: join(folder, `${name}.pdf`), preferCSSPageSize: true, printBackground: true });
    const count = (paper.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
    assert.equal(count, 2);
    await page.close();
  });
}

test('any quantity over any other: round numbers at its axes, hover shows values, a click goes there', async () => {
  const { page, faults } = await open(browser, pages.hills);
  await sheet(page, 'graphs');
  const plane = page.locator('.plane canvas');
  await page.selectOption('select[aria-label="upwards"]', 'kinetic_energy');
  await page.selectOption('select[aria-label="to the right"]', 'x');
  const wanted = await page.evaluate(() => {
    const { graphs, motions } = window.kugelbahn;
    const [x, y] = graphs.plane.pixel(motions[0].at(1));
    return { x, y, energy: graphs.quantities.get('kinetic_energy').of(motions[0].at(1)) };
  });
  await plane.hover({ position: { x: wanted.x, y: wanted.y } });
  const shown = await page.locator('.panel:has(.plane) .values').textContent() ?? '';
  assert.ok(Math.abs(Number(/kinetic ([\d.]+) J/.exec(shown)?.[1]) - wanted.energy) < 0.02 * wanted.energy, `${shown} for ${wanted.energy}`);
  await plane.click({ position: { x: wanted.x, y: wanted.y } });
  const time = await page.evaluate(() => window.kugelbahn.player.time);
  assert.ok(Math.abs(time - 1) < 0.01, `${time}`);
  assert.deepEqual(faults, []);
  await page.close();
});

test('tables and graphs that are not seen are not made, and are there when they are', async () => {
  const { page } = await open(browser, pages.zeno);
  const made = () => page.evaluate(() => [document.querySelectorAll('#events tr').length > 0, document.querySelectorAll('.plot').length > 0]);
  assert.deepEqual(await made(), [false, false]);
  await page.keyboard.press('d');
  assert.deepEqual(await made(), [true, false]);
  await page.click('#sheets [data-key="graphs"]');
  assert.deepEqual(await made(), [true, true]);
  await page.keyboard.press('Escape');
  assert.equal(await page.isHidden('#drawer'), true);
  await page.close();
});

test('zeno: a drop without drag takes one polynomial for each hop', async () => {
  const { page } = await open(browser, pages.zeno);
  const [pieces, events] = await page.evaluate(() => [window.kugelbahn.motions[0].count, window.kugelbahn.all.page.event_count]);
  assert.ok(pieces <= events + 2, `${pieces} for ${events} events`);
  await page.close();
});

test('over ground that waves too finely to be followed the gap has no more pieces than allowed', async () => {
  const html = join(folder, 'fine.html');
  kugelbahnStopped('run', HILLS, '--set', 'ground={ curve = { kind = "graph", y = "sin(1e4*x)" } }', '--quiet', '--html', html);
  const { page, faults } = await open(browser, html);
  const pieces = await page.evaluate(() => window.kugelbahn.motions[0].gap.count);
  assert.ok(pieces > 500 && pieces < 1600, `${pieces}`);
  assert.deepEqual(faults, []);
  await page.close();
});

test('without scripts the still pictures are shown', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`file://${pages.hills}`);
  assert.equal(await page.locator('noscript').count(), 1);
  assert.ok((await page.locator('svg').count()) >= 2);
  await context.close();
});

// Of each kind of page one is looked at in all sizes, three of them by a projector; the others are opened.
const [KINDS, PROJECTED] = [['hills', 'zeno', 'marbles', 'gas', 'shaken', 'compare', 'converge', 'fit'], ['hills', 'gas', 'converge']];
const SIZES = { wide: [1280, 900], phone: [360, 740], projector: [1920, 1080] };
for (const name of [...Object.keys(RUNS), ...Object.keys(STUDIES)]) {
  const sizes = Object.entries(SIZES).filter(([size]) => size === 'wide' || (size === 'phone' ? KINDS : PROJECTED).includes(name));
  test(`${name}: opened without an error or a request, and played; axe-core finds no fault, and nothing is too wide: ${sizes.map(([size]) => size).join(', ')}`, async () => {
    for (const [kind, size] of sizes) {
      const { page, faults, requests } = await open(browser, pages[name], size);
      if (kind === 'wide' && name in RUNS) {
        await page.click('#play');
        await page.waitForTimeout(1000);
        const frames = await page.evaluate(() => window.kugelbahn.player.frames.length);
        assert.ok(frames > 10, `${frames} pictures`);
        await page.evaluate(() => window.kugelbahn.player.play(false));
      }
      await page.screenshot({ path: join(folder, `${name}-${kind}.png`) });
      if (KINDS.includes(name)) assert.deepEqual(await faultsOf(page), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide for a ${kind}`);
      assert.deepEqual(faults, []);
      assert.deepEqual(requests, [`file://${pages[name]}`]);
      await page.close();
    }
  });
}
