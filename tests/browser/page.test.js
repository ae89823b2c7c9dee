// report.html in a real Chromium.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AXE, chromium, close, folder, kugelbahn, kugelbahnStopped, open, REPOSITORY } from './browser.js';

const HILLS = join(REPOSITORY, 'experiments/src/bin/over_the_hills/scenario.toml');
const RUNS = {
  hills: [HILLS],
  zeno: [join(REPOSITORY, 'experiments/src/bin/zeno/scenario.toml')],
  marbles: [join(REPOSITORY, 'scenarios/marbles.toml')],
  shaken: [join(REPOSITORY, 'experiments/src/bin/shaken_table/scenario.toml')],
  loop: [join(REPOSITORY, 'scenarios/loop.toml')],
  many: [HILLS, '--set', 'solver.method=moreau', '--set', 'solver.step=2e-5', '--set', 'output.interval=3e-5'],
};
const STUDIES = {
  compare: ['compare', HILLS, '--methods', 'newmark,moreau,bdf', '--steps', '1e-2,1e-3'],
  converge: ['converge', HILLS, '--method', 'newmark,bdf', '--steps', '1e-2..1e-3/2'],
  fit: ['fit', join(REPOSITORY, 'scenarios/bounce.txt'), join(REPOSITORY, 'scenarios/bounce.toml'), '--free', 'contact.restitution,forces.drag.coefficient,initial.position,initial.velocity,initial.spin'],
};
/** @type {Record<string, string>} */
const pages = {};
/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
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

for (const name of Object.keys(RUNS)) {
  test(`${name}: opened without an error or a request, and played`, async () => {
    const { page, faults, requests } = await open(browser, pages[name]);
    await page.click('#play');
    await page.waitForTimeout(1000);
    const frames = await page.evaluate(() => window.kugelbahn.player.frames.length);
    assert.ok(frames > 10, `${frames} pictures`);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    assert.deepEqual(faults, []);
    assert.deepEqual(requests, [`file://${pages[name]}`]);
    await page.close();
  });
}

test('a report of over_the_hills has less than 400 kB', () => {
  const bytes = readFileSync(pages.hills).length;
  console.log(`${bytes} bytes`);
  assert.ok(bytes < 400_000, `${bytes}`);
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
    const [times, gaps] = panel.plot.data;
    const seen = ends.filter((time) => time < from + 1e-9);
    const arcs = seen.slice(1).map((to, i) => {
      const inside = gaps.filter((gap, k) => times[k] + graphs.base > seen[i] && times[k] + graphs.base < to);
      return [Math.max(...inside), (9.81 * (to - seen[i]) ** 2) / 8, inside.length];
    });
    return { arcs, from: graphs.from, to: graphs.to, labels: panel.plot.axes[0]._values, splits: panel.plot.axes[0]._splits, base: graphs.base, end: motions[0].end };
  });
  console.log(found);
  assert.ok(Math.abs(found.to - found.from - 1e-9) < 1e-12);
  assert.ok(found.arcs.length >= 3);
  for (const [height, exact, points] of found.arcs) {
    // A clock of 53 bits tells 2e-16 s of a hop of some 1e-10 s.
    assert.ok(Math.abs(height / exact - 1) < 1e-3 && points > 20, `${height} for ${exact}`);
  }
  const labelled = found.labels.slice(1).map((label) => Number.parseFloat(label.replace('−', '-')));
  found.splits.slice(1).forEach((split, i) => assert.ok(Math.abs(labelled[i] * (found.labels[1].endsWith('ns') ? 1e-9 : 1e-12) - split) < 1e-14));
  await page.screenshot({ path: join(folder, 'zeno-graphs.png'), fullPage: true });
  await page.close();
});

test('keys, graphs and tables go to the same time', async () => {
  const { page, faults } = await open(browser, pages.hills);
  const time = () => page.evaluate(() => window.kugelbahn.player.time);
  const events = await page.evaluate(() => window.kugelbahn.player.events);
  await page.focus('#scene');
  await page.keyboard.press('ArrowRight');
  assert.equal(await time(), events[0]);
  await page.keyboard.press('ArrowRight');
  assert.equal(await time(), events[1]);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await time(), events[0]);
  await page.click('#events tbody tr:nth-child(4)');
  assert.equal(await time(), events[3]);
  await page.locator('.u-over').first().click({ position: { x: 100, y: 40 } });
  const shown = await time();
  const wanted = await page.evaluate(() => window.kugelbahn.graphs.drawn[0].plot.posToVal(100, 'x'));
  assert.ok(Math.abs(shown - wanted) < 0.02, `${shown} for ${wanted}`);
  assert.match(await page.locator('.values').first().textContent() ?? '', /y .*m/);
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
    assert.deepEqual(faults, []);
    assert.deepEqual(requests, [`file://${pages[name]}`]);
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

test('a row of a comparison chooses its run, whose graphs and events are shown then', async () => {
  const { page } = await open(browser, pages.compare);
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
    const begin = method === 'moreau' ? 0 : 3;
    const seen = () => page.evaluate(() => [window.kugelbahn.player.time, window.kugelbahn.graphs.from, window.kugelbahn.graphs.to, Number(document.querySelector('#time').value)]);
    assert.deepEqual(await seen(), [begin, begin, begin + 2, 0]);
    await page.keyboard.press('End');
    assert.deepEqual((await seen())[3], 1e6);
    await page.keyboard.press('Home');
    assert.equal((await seen())[0], begin);
    if (method === 'newmark') {
      const phases = await page.$$eval('[aria-label="Phases"] tbody td:nth-child(2)', (cells) => cells.map((cell) => cell.textContent));
      assert.equal(phases[0], '3');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#csv')]);
      const rows = table(readFileSync(await download.path(), 'utf8'));
      assert.deepEqual([rows[0].time, rows.at(-1).time], [3, 5]);
      assert.ok(Math.abs(rows[0].y - 1) < 1e-12, `${rows[0].y}`);
    }
    await page.close();
  }
});

test('slow motion has 1/1000', async () => {
  const { page } = await open(browser, pages.hills);
  await page.selectOption('#speed', '0.001');
  await page.click('#play');
  await page.waitForTimeout(1000);
  const time = await page.evaluate(() => window.kugelbahn.player.time);
  assert.ok(time > 5e-4 && time < 1.6e-3, `${time}`);
  await page.close();
});

test('the motion as CSV has rows that are the trajectory', async () => {
  const { page } = await open(browser, pages.hills);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#csv')]);
  const rows = table(readFileSync(await download.path(), 'utf8'));
  const out = join(folder, 'csv');
  kugelbahn('run', HILLS, '--quiet', '--out', out);
  const theirs = table(readFileSync(join(out, 'trajectory.csv'), 'utf8'));
  assert.equal(rows.length, theirs.length);
  const worst = Math.max(...rows.map((row, i) => Math.abs(row.x - theirs[i].x) + Math.abs(row.total_energy - theirs[i].total_energy)));
  assert.ok(worst < 1e-7, `${worst}`);
  await page.close();
});

for (const name of Object.keys(RUNS)) {
  test(`${name}: two pages of paper`, async () => {
    const { page } = await open(browser, pages[name]);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 703, height: 1000 });
    const seen = await page.evaluate(async () => {
      dispatchEvent(new Event('beforeprint'));
      await new Promise(requestAnimationFrame);
      const inside = [...document.querySelectorAll('.panel')].filter((panel) => panel.querySelector('.uplot, .plane canvas').getBoundingClientRect().right <= panel.getBoundingClientRect().right + 1);
      const [time] = document.querySelectorAll('#events td button');
      return { inside: inside.length, panels: document.querySelectorAll('.panel').length, time: time ? time.getBoundingClientRect().width : 1, plane: document.querySelector('.paper').getBoundingClientRect().width };
    });
    assert.ok(seen.inside === seen.panels && seen.time > 0 && seen.plane > 0, JSON.stringify(seen));
    const paper = await page.pdf({ path: join(folder, `${name}.pdf`), preferCSSPageSize: true, printBackground: true });
    const count = (paper.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
    assert.equal(count, 2);
    await page.close();
  });
}

test('any quantity over any other: round numbers at its axes, hover shows values, a click goes there', async () => {
  const { page, faults } = await open(browser, pages.hills);
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

test('tables out of sight are not painted while the ball moves, and are there when it stands', async () => {
  const { page } = await open(browser, pages.zeno);
  const shown = () => page.evaluate(() => getComputedStyle(document.querySelector('#tables')).contentVisibility);
  assert.equal(await shown(), 'visible');
  await page.click('#play');
  await page.waitForTimeout(200);
  assert.equal(await shown(), 'hidden');
  await page.evaluate(() => document.querySelector('#tables').scrollIntoView());
  await page.waitForTimeout(200);
  assert.equal(await shown(), 'visible');
  await page.evaluate(() => { scrollTo(0, 0); window.kugelbahn.player.play(false); });
  await page.waitForTimeout(200);
  assert.equal(await shown(), 'visible');
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

for (const name of [...Object.keys(RUNS), ...Object.keys(STUDIES)]) {
  test(`${name}: axe-core finds no fault, on a phone nothing is too wide`, async () => {
    for (const [kind, size] of [['wide', [1280, 900]], ['phone', [360, 740]], ['projector', [1920, 1080]]]) {
      const { page } = await open(browser, pages[name], size);
      assert.deepEqual(await faultsOf(page), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide for a ${kind}`);
      if (kind !== 'wide') await page.screenshot({ path: join(folder, `${name}-${kind}.png`) });
      await page.close();
    }
  });
}
