// `kugelbahn live` in a real Chromium, and against requests that mean no good.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { AXE, chromium, close, folder, open, PROGRAM, refusal, REPOSITORY, saved, sheet } from './browser.js';

const HILLS = 'experiments/src/bin/over_the_hills/scenario.toml';
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('node:child_process').ChildProcess} */
let server;
let link = '';

before(async () => {
  server = spawn(PROGRAM, ['live', HILLS], { cwd: REPOSITORY });
  link = await new Promise((done) => server.stdout?.once('data', (text) => done(String(text).split('\n')[0])));
  browser = await chromium();
});
after(async () => {
  server.kill();
  await close(browser);
});

/** @param {any} options @param {string} [body] @returns {Promise<number>} */
const ask = (options, body) => new Promise((done) => {
  const { port } = new URL(link);
  const asked = request({ host: '127.0.0.1', port, ...options }, (answer) => { answer.resume(); answer.on('end', () => done(answer.statusCode ?? 0)); });
  asked.on('error', () => done(0));
  asked.end(body);
});
const wish = (changes, scenario = 0) => JSON.stringify({ scenario, changes });
/** Files of the gallery, in its order. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
const files = (page) => page.evaluate(() => window.live.names.map(({ file }) => file));
/** Chooses a scenario, and waits for its run. @param {import('playwright-core').Page} page @param {number} index */
const choose = async (page, index) => {
  await page.click('#pick');
  await page.click(`.card[data-scene="${index}"]`);
  await page.waitForFunction((index) => !window.live.busy && window.live.scenario === index, index);
};
/** Opens all fields. @param {import('playwright-core').Page} page */
const more = (page) => page.evaluate(() => { for (const fold of document.querySelectorAll('#live details')) fold.open = true; });
const idle = (/** @type {import('playwright-core').Page} */ page) => page.waitForFunction(() => !window.live.busy);
const token = () => ({ 'X-Token': new URL(link).searchParams.get('token') ?? '' });

test('opened without a fault, asking nobody but its engine', async () => {
  const { page, faults, requests } = await open(browser, link);
  await page.click('#play');
  await page.waitForTimeout(500);
  assert.deepEqual(faults, []);
  assert.deepEqual(requests.filter((url) => !url.startsWith(new URL(link).origin)), []);
  await page.screenshot({ path: join(folder, 'live.png'), fullPage: true });
  await more(page);
  await page.addScriptTag({ content: readFileSync(AXE, 'utf8') });
  const { violations } = await page.evaluate(() => window.axe.run());
  const found = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html.slice(0, 100)}`);
  assert.deepEqual(found.filter((fault) => /^(serious|critical)/.test(fault)), []);
  await page.close();
});

test('the restitution is dragged, and every position is answered', async () => {
  const { page, faults } = await open(browser, link);
  const times = await page.evaluate(async () => {
    const slider = document.querySelector('input[type="range"][data-key="contact.restitution"]');
    for (let i = 100; i <= 990; i += 5) {
      slider.value = String(i);
      slider.dispatchEvent(new Event('input'));
      while (window.live.busy) await new Promise((done) => { setTimeout(done, 1); });
      const shown = window.kugelbahn.all.scenario.contact.restitution;
      if (shown !== i / 1000) throw new Error(`${shown} is shown for ${i / 1000}`);
    }
    return window.live.times.sort((a, b) => a - b);
  });
  console.log(`answered in ${times[Math.floor(times.length / 2)].toFixed(1)} ms (median), ${times[Math.floor(times.length * 0.95)].toFixed(1)} ms (p95), ${times.at(-1).toFixed(1)} ms (most)`);
  assert.deepEqual(faults, []);
  await page.screenshot({ path: join(folder, 'live-dragged.png') });
  await page.close();
});

test('the newest of many changes at once is shown, undo and reset go back', async () => {
  const { page } = await open(browser, link);
  const shown = () => page.evaluate(() => window.kugelbahn.all.scenario.contact.restitution);
  const idle = () => page.waitForFunction(() => !window.live.busy);
  await page.evaluate(() => {
    window.live.remember();
    for (const fold of document.querySelectorAll('#live details')) fold.open = true;
    const slider = document.querySelector('input[type="range"][data-key="contact.restitution"]');
    for (const value of [100, 200, 300, 400, 500]) { slider.value = String(value); slider.dispatchEvent(new Event('input')); }
  });
  await idle();
  assert.equal(await shown(), 0.5);
  await page.click('#undo');
  await idle();
  assert.equal(await shown(), 0.7);
  await page.fill('input[data-key="ground.curve.y"]', 'amplitude*cos(pi*x');
  await idle();
  assert.match(await page.textContent('#wrong') ?? '', /\)|bracket/);
  assert.equal(await page.getAttribute('input[data-key="ground.curve.y"]', 'aria-invalid'), '');
  await page.fill('input[data-key="ground.curve.y"]', '0.1*x^2');
  await idle();
  assert.equal(await page.textContent('#wrong'), '');
  assert.match(await page.evaluate(() => window.kugelbahn.all.scenario.ground.curve.y), /0\.1\*x\^2/);
  await page.click('#reset');
  await idle();
  const download = await saved(page, 'save-toml');
  assert.match(readFileSync(download, 'utf8'), /restitution = 0.7/);
  const report = await saved(page, 'save-html');
  assert.match(readFileSync(report, 'utf8'), /connect-src 'none'/);
  await page.close();
});

test('what is wrong is told at its field, in the words of the command line', async () => {
  const { page, faults } = await open(browser, link);
  await more(page);
  const words = (/** @type {string | null} */ text) => (text ?? '').replace(/[^\p{L}\d().`=<>-]+/gu, ' ');
  const cases = [
    { key: 'contact.restitution', value: '2', set: 'contact.restitution=2', mark: '' },
    { key: 'initial.position.y', value: '-3', set: 'initial.position=[-0.75,-3]', mark: '' },
    { key: 'ground.curve.y', value: 'amplitude*cos(pi*x', set: 'ground.curve={kind="graph",y="amplitude*cos(pi*x",parameters={amplitude=1,wavelength=1}}', mark: '(' },
    { key: 'ground.curve.y', value: 'sin(x) + foo*x', set: 'ground.curve={kind="graph",y="sin(x) + foo*x",parameters={amplitude=1,wavelength=1}}', mark: 'foo' },
  ];
  for (const { key, value, set, mark } of cases) {
    await page.fill(`input[data-key="${key}"]:not([type="range"])`, value);
    await page.waitForFunction(() => !window.live.busy);
    const at = page.locator(`.control:has(input[data-key="${key}"]) #wrong`);
    assert.equal(await at.count(), 1, key);
    const told = refusal('run', join(REPOSITORY, HILLS), '--set', set);
    const [said] = (await at.locator('p').textContent() ?? '').split('\n');
    assert.ok(words(told).includes(words(said)), `${said} is not in ${told}`);
    assert.equal(await at.locator('mark').count() ? await at.locator('mark').textContent() : '', mark);
    // All that is shown is then of no run that is asked for, and pale; the message is told once.
    for (const part of ['#scene', '#strip', '#graphs', '#tables']) assert.equal(await page.evaluate((name) => getComputedStyle(document.querySelector(name)).opacity, part), '0.35');
    assert.equal(await page.locator('#refused').isHidden(), true);
    await page.click('#reset');
    await page.waitForFunction(() => !window.live.busy);
    assert.equal(await page.textContent('#wrong'), '');
  }
  assert.deepEqual(faults.filter((fault) => !fault.includes('422')), []);
  await page.close();
});

test('graphs follow the numbers that they are made of', async () => {
  const { page } = await open(browser, link);
  await more(page);
  const change = (/** @type {[string, number][]} */ changes) => page.evaluate((changes) => window.live.set(changes), changes);
  await sheet(page, 'graphs');
  const cone = () => page.evaluate(() => {
    const { graphs } = window.kugelbahn;
    const { panel, data } = graphs.drawn.find(({ panel }) => panel.title.startsWith('friction'));
    const force = graphs.drawn.find(({ panel }) => panel.title.startsWith('normal')).data[1];
    return [Math.max(...data[2].filter(Number.isFinite)) / Math.max(...force.filter(Number.isFinite)), panel.lines[1].name];
  });
  const energy = () => page.evaluate(() => { const { graphs, motions } = window.kugelbahn; return graphs.plane.list.find(({ key }) => key === 'kinetic_energy').of(motions[0].at(0)); });
  assert.ok(Math.abs((await cone())[0] - 0.2) < 1e-6, `${await cone()}`);
  assert.ok(Math.abs(await energy() - 6.125) < 1e-9);
  await change([['contact.friction', 0.5], ['ball.mass', 2]]);
  assert.ok(Math.abs((await cone())[0] - 0.5) < 1e-6, `${await cone()}`);
  assert.ok(Math.abs(await energy() - 12.25) < 1e-9);
  await page.close();
});

test('a scenario is chosen while runs of another are under way: it is shown in the end', async () => {
  const { page, faults } = await open(browser, link);
  const names = await files(page);
  const [zeno, marbles] = ['zeno/scenario.toml', 'marbles.toml'].map((end) => names.findIndex((name) => name.endsWith(end)));
  await page.evaluate(([zeno, marbles]) => {
    const slider = document.querySelector('input[type="range"][data-key="contact.restitution"]');
    for (const value of [300, 400, 500]) { slider.value = String(value); slider.dispatchEvent(new Event('input')); }
    window.live.choose(zeno);
    window.live.choose(marbles);
  }, [zeno, marbles]);
  await page.waitForFunction(() => !window.live.busy);
  assert.deepEqual(await page.evaluate(() => [window.live.scenario, window.kugelbahn.motions.length, document.querySelector('#title').textContent]), [marbles, 3, 'Three marbles in a bowl']);
  await page.waitForTimeout(400);
  assert.deepEqual(faults, []);
  await page.close();
});

test('a scenario that is saved runs alone, from anywhere', async () => {
  const { page } = await open(browser, link);
  const away = mkdtempSync(join(tmpdir(), 'kugelbahn-'));
  const names = await files(page);
  for (const end of ['over_the_hills/scenario.toml', 'scenarios/loop.toml', 'scenarios/jump.toml', 'scenarios/zigzag.toml', 'marbles.toml']) {
    await choose(page, names.findIndex((name) => name.endsWith(end)));
    const download = await saved(page, 'save-toml');
    const file = join(away, 'saved.toml');
    copyFileSync(download, file);
    const final = (/** @type {string} */ file) => JSON.parse(execFileSync(PROGRAM, ['run', file, '--json'], { cwd: away, encoding: 'utf8', maxBuffer: 1 << 28 })).final;
    assert.deepEqual(final(file), final(resolve(REPOSITORY, names.find((name) => name.endsWith(end)) ?? '')), end);
  }
  await page.close();
});

test('the start is dragged in the picture', async () => {
  const { page } = await open(browser, link);
  const [x, y, scale] = await page.evaluate(() => [...window.live.ends()[0], window.kugelbahn.camera.scale]);
  const box = await page.locator('#scene').boundingBox();
  await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + x + 20, (box?.y ?? 0) + y - 10, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction(() => !window.live.busy);
  const now = await page.evaluate(() => window.kugelbahn.all.scenario.initial.position);
  assert.ok(Math.abs(now[0] - (-0.75 + 20 / scale)) < 0.02 && Math.abs(now[1] - (1.2 + 10 / scale)) < 0.02, `${now}`);
  await page.close();
});

test('points of curves are dragged, where two pieces meet both', async () => {
  const { page, faults } = await open(browser, link);
  const names = await files(page);
  await choose(page, names.findIndex((name) => name.endsWith('scenarios/jump.toml')));
  const joint = await page.evaluate(() => window.live.points.findIndex(({ keys }) => keys.length === 2));
  const [[x, y], box] = [await page.evaluate((i) => window.live.places()[i], joint), await page.locator('#scene').boundingBox()];
  await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y + 6, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => !window.live.busy);
  const { pieces } = await page.evaluate(() => window.kugelbahn.all.scenario.ground[0].curve);
  assert.deepEqual(pieces[0].to, pieces[1].points[0]);
  assert.ok(pieces[0].to[1] < 0.08 && pieces[0].to[1] > 0, `${pieces[0].to}`);
  assert.equal(await page.textContent('#wrong'), '');
  assert.deepEqual(faults, []);
  await page.screenshot({ path: join(folder, 'live-jump.png') });
  await page.close();
});

test('a double click puts a point on a track, Delete takes it away, undo brings it back, and a link has it', async () => {
  const { page, faults } = await open(browser, link);
  const names = await files(page);
  await choose(page, names.findIndex((name) => name.endsWith('scenarios/jump.toml')));
  await page.keyboard.press('e');
  const points = () => page.evaluate(() => window.kugelbahn.all.scenario.ground[1].curve.points);
  assert.equal((await points()).length, 3);
  const [[x, y], [u, v]] = await page.evaluate(() => window.live.places().slice(-2));
  const box = await page.locator('#scene').boundingBox();
  await page.mouse.dblclick((box?.x ?? 0) + (x + u) / 2, (box?.y ?? 0) + (y + v) / 2 - 40);
  await idle(page);
  const four = await points();
  assert.ok(four.length === 4 && four[2][0] > 0.5 && four[2][0] < 1.2, JSON.stringify(four));
  await page.waitForTimeout(400);
  const shared = page.url();
  await page.keyboard.press('Delete');
  await idle(page);
  assert.equal((await points()).length, 3);
  await page.keyboard.press('Control+z');
  await idle(page);
  assert.deepEqual(await points(), four);
  const other = await open(browser, shared);
  assert.deepEqual(await other.page.evaluate(() => window.kugelbahn.all.scenario.ground[1].curve.points), four);
  for (const nonsense of ['[', '7', '[[1]]', '[[1,"x"]]']) {
    const wrong = await open(browser, shared.replace(/(ground\.1\.curve\.points=)[^&]*/, `$1${encodeURIComponent(nonsense)}`));
    assert.equal((await wrong.page.evaluate(() => window.kugelbahn.all.scenario.ground[1].curve.points)).length, 3, nonsense);
    assert.deepEqual(wrong.faults, []);
  }
  assert.deepEqual([...faults, ...other.faults], []);
  await page.close();
});

test('time stepping and a naive loop run beside, follow a change, and say what they miss', async () => {
  const { page, faults } = await open(browser, link);
  const names = await files(page);
  await choose(page, names.findIndex((name) => name.endsWith('zeno/scenario.toml')));
  await page.click('[data-rival="N"]');
  await page.click('[data-rival="M"]');
  await page.waitForFunction(() => window.kugelbahn.rivals.size === 2);
  await page.keyboard.press('End');
  assert.match(await page.textContent('#apart-N') ?? '', /fell through the track at [\d.]+ s/);
  assert.match(await page.textContent('#apart-M') ?? '', /now [\d.]+ .?m apart/);
  const before = await page.evaluate(() => window.kugelbahn.rivals.get('M').told.motion.at(2).y);
  await page.evaluate(() => window.live.set([['contact.restitution', 0.5]]));
  await page.waitForFunction((before) => window.kugelbahn.rivals.get('M').told.motion.at(2).y < 0.7 * before, before);
  await page.click('.ghost [data-rival="M"]');
  assert.deepEqual(await page.evaluate(() => [...window.kugelbahn.rivals.keys()]), ['N']);
  assert.equal(await ask({ method: 'POST', path: '/run', headers: { ...token(), Host: new URL(link).host } }, JSON.stringify({ scenario: 0, changes: [], method: 'bdf', step: 1 })), 422);
  assert.deepEqual(faults, []);
  await page.close();
});

test('the drawer tells errors of others against this run, and on another track others', async () => {
  const { page, faults } = await open(browser, link, [1366, 768]);
  const errors = async () => {
    await sheet(page, 'beside');
    await page.click('#beside button');
    await page.waitForFunction(() => document.querySelectorAll('#beside tbody tr').length === 2);
    return page.$$eval('#beside tbody tr', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent ?? '')));
  };
  const hills = await errors();
  await page.screenshot({ path: join(folder, 'live-beside.png') });
  await sheet(page, '');
  await choose(page, (await files(page)).findIndex((name) => name.endsWith('zeno/scenario.toml')));
  const drop = await errors();
  for (const [name, late] of [...hills, ...drop]) {
    assert.match(name, /^[MN] /);
    // Either looks 240 times a second.
    assert.match(late, /^−?[\d.]+ [mµ]s$/);
    assert.ok(Math.abs(parseFloat(late.replace('−', '-'))) * (late.endsWith('ms') ? 240 : 0.24) < 2000, late);
  }
  hills.forEach((row, i) => row.slice(1).forEach((cell, k) => assert.notEqual(cell, drop[i][k + 1])));
  assert.deepEqual(faults, []);
  await page.close();
});

test('a film has pictures', async () => {
  const { page, faults } = await open(browser, link);
  await page.evaluate(() => window.kugelbahn.player.go(2));
  const film = await saved(page, 'film');
  assert.ok(statSync(film).size > 20_000, `${statSync(film).size} bytes`);
  assert.deepEqual(faults, []);
  await page.close();
});

test('a tour leads through the page, and every word has German', async () => {
  const { page, faults } = await open(browser, link);
  await page.keyboard.press('?');
  await page.click('.pop [lang="de"]');
  assert.deepEqual(await page.evaluate(() => window.kugelbahn.actions.flatMap(([, key, words]) => (key && words && !window.translated(words) ? [words] : []))), []);
  await page.keyboard.press('?');
  await page.click('#tour');
  let stations = 0;
  for (; await page.locator('.pop.tour').count() > 0; stations++) {
    assert.doesNotMatch(await page.textContent('.pop.tour p') ?? '', /\b(the|and|of)\b/);
    await page.click('.pop.tour button');
  }
  assert.equal(stations, 8);
  assert.deepEqual(faults, []);
  await page.close();
});

test('a point of a curve that moves is dragged where it is then', async () => {
  const { page, faults } = await open(browser, link);
  const names = await files(page);
  const lift = names.findIndex((name) => name.endsWith('scenarios/lift.toml'));
  await choose(page, lift);
  // The part that moves, at a time when it is elsewhere.
  const point = await page.evaluate(() => {
    const { scene, player } = window.kugelbahn;
    const part = scene.ground.carried.findIndex((/** @type {any} */ way) => way.count > 0);
    player.play(false);
    player.go(player.begin + 0.4 * (player.end - player.begin));
    return window.live.points.findIndex(({ keys }) => window.live.parts[Number(keys[0].split('.')[1])] === part);
  });
  const now = (/** @type {number} */ i) => page.evaluate((i) => {
    const { keys: [key] } = window.live.points[i];
    const place = key.split('.').slice(1).reduce((/** @type {any} */ value, /** @type {string} */ name) => value[name], window.kugelbahn.all.scenario.ground);
    const { camera } = window.kugelbahn;
    return { place, drawn: window.live.places()[i], still: [camera.px(place[0]), camera.py(place[1])], scale: camera.scale };
  }, i);
  const before = await now(point);
  assert.ok(Math.hypot(before.drawn[0] - before.still[0], before.drawn[1] - before.still[1]) > 20, JSON.stringify(before));
  const box = await page.locator('#scene').boundingBox();
  const [x, y] = [(box?.x ?? 0) + before.drawn[0], (box?.y ?? 0) + before.drawn[1]];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 8, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => !window.live.busy);
  const after = await now(point);
  assert.ok(Math.abs(before.place[1] - after.place[1] - 8 / before.scale) < 1.5 / before.scale, `${before.place} ${after.place}`);
  assert.ok(Math.abs(before.place[0] - after.place[0]) < 1.5 / before.scale);
  assert.deepEqual(faults, []);
  await page.close();
});

test('a run that takes long ends, is told to, and does not keep the next change waiting', async () => {
  const names = (await (async () => { const { page } = await open(browser, link); const all = await files(page); await page.close(); return all; })());
  const long = names.findIndex((name) => name.endsWith('hole_in_one/scenario.toml'));
  const { page, faults } = await open(browser, link);
  await choose(page, long);
  const duration = (/** @type {number} */ value) => page.evaluate((value) => { window.live.changes.set('solver.duration', value); window.live.ask('solver.duration'); }, value);
  await duration(1e5);
  await page.waitForFunction(() => !window.live.busy);
  const whole = await page.evaluate(() => window.live.times.at(-1));
  assert.match(await page.textContent('#trouble') ?? '', /^This is shown up to t = [\d.]+ s of 100000 s: here a run ends after 2 s of computing/);
  // The next change is not kept waiting for that long by one that nobody wants any more.
  await duration(9e4);
  await page.waitForTimeout(100);
  await duration(1);
  await page.waitForFunction(() => !window.live.busy);
  const took = await page.evaluate(() => window.live.times.at(-1));
  assert.ok(took < whole, `${took} ms of ${whole} ms`);
  assert.equal(await page.evaluate(() => window.kugelbahn.all.scenario.solver.duration), 1);
  assert.equal(await page.isHidden('#trouble'), true);
  assert.deepEqual(faults, []);
  await page.close();
});

test('what can be dragged is drawn at first, and after another scenario is chosen', async () => {
  const { page } = await open(browser, link);
  // What is there is what is drawn again.
  const same = () => page.evaluate(() => {
    const { scene, player } = window.kugelbahn;
    const before = scene.element.toDataURL();
    window.kugelbahn.draw(player.time);
    const { ends, places } = scene.handles();
    return before === scene.element.toDataURL() && ends.length + places.length > 1;
  });
  assert.ok(await same());
  const names = await files(page);
  for (const end of ['jump.toml', 'marbles.toml']) {
    const i = names.findIndex((name) => name.endsWith(end));
    await choose(page, i);
    assert.ok(await same(), end);
  }
  await page.close();
});

test('one drag of a slider is one step back', async () => {
  const { page } = await open(browser, link);
  const slider = page.locator('input[type="range"][data-key="contact.restitution"]');
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  const [x, y, width] = [box?.x ?? 0, (box?.y ?? 0) + (box?.height ?? 0) / 2, box?.width ?? 0];
  await page.mouse.move(x + 0.1 * width, y);
  await page.mouse.down();
  await page.mouse.move(x + 0.4 * width, y, { steps: 5 });
  await page.mouse.up();
  await idle(page);
  const shown = () => page.evaluate(() => window.kugelbahn.all.scenario.contact.restitution);
  assert.ok(Math.abs(await shown() - 0.4) < 0.1, `${await shown()}`);
  await page.click('#undo');
  await idle(page);
  assert.equal(await shown(), 0.7);
  await page.close();
});

test('the start of the chosen one of several balls is dragged', async () => {
  const { page, faults } = await open(browser, link);
  const marbles = (await files(page)).findIndex((name) => name.endsWith('marbles.toml'));
  await choose(page, marbles);
  await page.selectOption('#ball', { value: '2' });
  const start = () => page.evaluate(() => window.kugelbahn.all.scenario.ball.map((/** @type {any} */ { initial }) => initial.position));
  const [before, [x, y], box] = [await start(), await page.evaluate(() => window.live.ends()[0]), await page.locator('#scene').boundingBox()];
  await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y - 15, { steps: 3 });
  await page.mouse.up();
  await idle(page);
  const [after, scale] = [await start(), await page.evaluate(() => window.kugelbahn.camera.scale)];
  assert.deepEqual(after.slice(0, 2), before.slice(0, 2));
  assert.ok(Math.abs(after[2][1] - before[2][1] - 15 / scale) < 1.5 / scale, `${before} ${after}`);
  assert.equal(await page.inputValue('#ball'), '2');
  assert.deepEqual(faults, []);
  await page.close();
});

test('a start on the ground is dragged along it, and the tip of its velocity makes its speed', async () => {
  const { page, faults } = await open(browser, link);
  // Down a slope: the parameter of its curve is a length, no abscissa.
  const loop = (await files(page)).findIndex((name) => name.endsWith('scenarios/loop.toml'));
  await choose(page, loop);
  const seen = () => page.evaluate(() => ({ ends: window.live.ends(), contact: window.kugelbahn.all.scenario.initial.contact, unit: window.kugelbahn.scene.units[0] }));
  const drag = async (/** @type {number} */ which, /** @type {number[]} */ [dx = 0, dy = 0]) => {
    const [{ ends }, box] = [await seen(), await page.locator('#scene').boundingBox()];
    const [x, y] = ends[which];
    await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + x + dx, (box?.y ?? 0) + y + dy, { steps: 4 });
    await page.mouse.up();
    await idle(page);
  };
  const before = await seen();
  const [[x, y], [tx, ty]] = before.ends;
  const along = [tx - x, ty - y].map((part) => part / Math.hypot(tx - x, ty - y));
  await drag(0, along.map((part) => 30 * part));
  const moved = await seen();
  assert.ok(Math.hypot(moved.ends[0][0] - x - 30 * along[0], moved.ends[0][1] - y - 30 * along[1]) < 1, JSON.stringify(moved));
  assert.ok(moved.contact.s > before.contact.s && moved.contact.speed === before.contact.speed, JSON.stringify(moved));
  await drag(1, along.map((part) => 30 * part));
  const fast = await seen();
  assert.ok(Math.abs(fast.contact.speed - moved.contact.speed - 30 / moved.unit) < 0.05 * fast.contact.speed, `${fast.contact.speed} ${30 / moved.unit}`);
  assert.equal(fast.contact.s, moved.contact.s);
  await page.click('#undo');
  await idle(page);
  assert.deepEqual((await seen()).contact, moved.contact);
  assert.deepEqual(faults, []);
  await page.close();
});

test('what can not run is told where it was made, once, and is not saved', async () => {
  const { page } = await open(browser, link);
  // The start is dragged into the ground.
  const [[x, y], box, scale] = [await page.evaluate(() => window.live.ends()[0]), await page.locator('#scene').boundingBox(), await page.evaluate(() => window.kugelbahn.camera.scale)];
  await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y + 1.8 * scale, { steps: 3 });
  await page.mouse.up();
  await idle(page);
  const [told, field] = [page.locator('#refused'), page.locator('#wrong')];
  assert.match(await told.textContent() ?? '', /ground/);
  assert.equal(await field.textContent(), '');
  await page.click('#reset');
  await idle(page);
  await page.fill('input[type="number"][data-key="contact.restitution"]', '2');
  await idle(page);
  assert.match(await field.textContent() ?? '', /restitution/);
  assert.doesNotMatch(await field.textContent() ?? '', /\nhere$/m);
  assert.equal(await told.isHidden(), true);
  let files = 0;
  page.on('download', () => { files += 1; });
  for (const button of ['#save-toml', '#save-html']) {
    await page.click('#save');
    await page.click(button);
    await page.waitForFunction(() => document.querySelector('#wrong p')?.textContent?.startsWith('Not saved: '));
  }
  assert.equal(files, 0);
  await page.fill('input[type="number"][data-key="contact.restitution"]', '0.6');
  const download = await saved(page, 'save-toml');
  assert.match(readFileSync(download, 'utf8'), /restitution = 0.6/);
  assert.equal(await field.textContent(), '');
  await page.close();
});

test('fields have words, units and the keys of the command line', async () => {
  const { page } = await open(browser, link);
  const fields = () => page.$$eval('#live .control', (all) => all.map((one) => [...one.querySelectorAll('label, .unit')].map((part) => part.textContent?.trim())));
  const own = await fields();
  const found = own.find(([label]) => label?.endsWith(' initial.velocity.y'));
  assert.deepEqual(found, ['start: velocity upwards initial.velocity.y', 'm/s']);
  // Those that come first have plain words.
  assert.deepEqual(own.slice(0, 4).map(([label]) => label), ['height of the start h', 'speed to the right v', 'bounciness e', 'grip μ']);
  assert.ok(own.every(([label]) => (label ?? '').split(' ').length > 1), JSON.stringify(own));
  const marbles = (await files(page)).findIndex((name) => name.endsWith('marbles.toml'));
  await choose(page, marbles);
  const keys = await page.$$eval('#live input[type="range"]', (all) => all.map((one) => one.dataset.key ?? ''));
  assert.ok(keys.includes('ball.1.mass') && keys.includes('ball.3.mass') && !keys.some((key) => key.startsWith('ball.0')), keys.join());
  // What each ball has of its own is folded, as is the solver; what holds for all is not.
  const folds = await page.$$eval('#live details details', (all) => all.map((one) => [one.querySelector('summary')?.textContent, one.open]));
  assert.deepEqual(folds.slice(0, 2).map(([, there]) => there), [true, true], JSON.stringify(folds));
  assert.ok(['Ball 1', 'Ball 3', 'Solver'].every((name) => folds.some(([group, there]) => group === name && !there)), JSON.stringify(folds));
  await page.click('#more > summary');
  await page.click('#live summary:text-is("Ball 3")');
  // The same key on the command line changes the same ball.
  await page.fill('input[type="number"][data-key="ball.3.mass"]', '0.5');
  await idle(page);
  assert.deepEqual(await page.evaluate(() => window.kugelbahn.all.scenario.ball.map(({ mass }) => mass === 0.5)), [false, false, true]);
  await page.screenshot({ path: join(folder, 'live-fields.png'), fullPage: true });
  await page.close();
});

test('undo and redo, by buttons and by keys wherever the focus is', async () => {
  const { page } = await open(browser, link);
  const shown = async () => { await idle(page); return page.evaluate(() => window.kugelbahn.all.scenario.contact.restitution); };
  const field = 'input[type="number"][data-key="contact.restitution"]';
  await page.fill(field, '0.5');
  assert.equal(await shown(), 0.5);
  await page.click('#undo');
  assert.equal(await shown(), 0.7);
  await page.click('#redo');
  assert.equal(await shown(), 0.5);
  for (const place of ['#scene', field]) {
    await page.focus(place);
    await page.keyboard.press('Control+z');
    assert.equal(await shown(), 0.7, place);
    assert.equal(await page.inputValue(field), '0.7');
    await page.keyboard.press('Control+y');
    assert.equal(await shown(), 0.5, place);
  }
  // What is changed after a step back is on a way of its own.
  await page.keyboard.press('Control+z');
  await page.fill(field, '0.3');
  assert.equal(await shown(), 0.3);
  await page.click('#redo');
  assert.equal(await shown(), 0.3);
  await page.close();
});

test('ranges are what keys allow, and a number that is taken out holds until another is written', async () => {
  const { page } = await open(browser, link);
  const loop = (await files(page)).findIndex((name) => name.endsWith('scenarios/loop.toml'));
  await choose(page, loop);
  const of = (/** @type {string} */ key) => page.evaluate((key) => window.live.controls.find((/** @type {any} */ control) => control.key === key), key);
  const [start, loops] = [await of('initial.contact.s'), await of('ground.parameters.loops')];
  assert.ok(start.low === 0 && start.high > 2, JSON.stringify(start));
  assert.ok(loops.whole && loops.low === 1 && loops.high === 10, JSON.stringify(loops));
  const field = 'input[type="number"][data-key="contact.friction"]';
  const before = await page.inputValue(field);
  await page.fill(field, '');
  assert.match(await page.textContent('#wrong') ?? '', /no number: .* holds/);
  await page.focus('#scene');
  assert.equal(await page.inputValue(field), before);
  assert.equal(await page.textContent('#wrong'), '');
  await page.close();
});

test('a path that leaves the view is followed by it, unless the reader has chosen one', async () => {
  const { page } = await open(browser, link);
  const seen = () => page.evaluate(() => { const { camera, scene, along } = window.kugelbahn; const [left, right, low, high] = scene.box(); return along.call(window.kugelbahn, right - left, high - low) || camera.shows([left, right, low, high]); });
  const field = 'input[type="number"][data-key="initial.position.y"]';
  await page.fill(field, '6');
  await idle(page);
  assert.equal(await seen(), true);
  await page.focus('#scene');
  await page.keyboard.press('+');
  await page.fill(field, '9');
  await idle(page);
  assert.equal(await seen(), false);
  await page.close();
});

test('the gallery is there from anywhere: titles, each scenario once', async () => {
  const elsewhere = spawn(PROGRAM, ['live', join(REPOSITORY, HILLS)], { cwd: tmpdir() });
  const place = await new Promise((done) => elsewhere.stdout?.once('data', (text) => done(String(text).split('\n')[0])));
  for (const there of [place, link]) {
    const { page } = await open(browser, there);
    const names = (await files(page)).map((name) => resolve(REPOSITORY, name));
    assert.ok(names.length > 20 && new Set(names).size === names.length, names.join());
    await page.keyboard.press('o');
    assert.equal(await page.locator('.card b:text-is("Over the hills")').count(), 1);
    assert.equal(await page.locator('.card').count(), names.length);
    await page.keyboard.press('Escape');
    assert.equal(await page.isHidden('#gallery'), true);
    await page.close();
  }
  elsewhere.kill();
});

test('other scenarios are chosen', async () => {
  const { page, faults } = await open(browser, link);
  const names = await files(page);
  assert.ok(names.length > 10);
  await choose(page, names.findIndex((name) => name.endsWith('marbles.toml')));
  assert.deepEqual(faults, []);
  await page.close();
});

test('requests that mean no good are refused', async () => {
  const good = { method: 'POST', path: '/run', headers: token() };
  assert.equal(await ask(good, wish([])), 200);
  assert.equal(await ask({ method: 'GET', path: '/' }), 403);
  assert.equal(await ask({ ...good, headers: {} }, wish([])), 403);
  assert.equal(await ask({ ...good, headers: { 'X-Token': 'x' } }, wish([])), 403);
  assert.equal(await ask({ ...good, headers: { ...token(), Host: 'evil.example' } }, wish([])), 403);
  assert.equal(await ask({ ...good, headers: { ...token(), Origin: 'http://evil.example' } }, wish([])), 403);
  assert.equal(await ask({ ...good, path: '/../../etc/passwd' }, ''), 404);
  for (const change of [['ground.curve', '/etc/passwd'], ['ground.curve.y', { kind: 'svg', file: '/etc/passwd' }], ['contact.restitution', 'x"'], ['solver.limit', 1e300], ['contact.restitution', 1e999]]) {
    assert.equal(await ask(good, wish([change])), 422, JSON.stringify(change));
  }
  for (const body of ['', '{', '[]', wish([], 1e9), '{"scenario":-1,"changes":[]}']) assert.equal(await ask(good, body), 422, body);
  // What is long to run is cut short.
  assert.equal(await ask(good, wish([['solver.duration', 1e5]])), 200);
});

test('a body of a gigabyte, slow and broken requests, a thousand at once: it still answers', async () => {
  const { port } = new URL(link);
  assert.equal(await ask({ method: 'POST', path: '/run', headers: { ...token(), 'Content-Length': 1e9 } }, 'x'.repeat(1000)), 413);
  const raw = (text) => new Promise((done) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
    socket.setTimeout(8000, () => socket.destroy());
    socket.on('data', () => socket.destroy());
    socket.on('error', () => done(0));
    socket.on('close', () => done(0));
  });
  await Promise.all([raw('\0\0\0\r\n\r\n'), raw(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`), raw('GET / HTTP/1.1\r\n'), raw('POST /run HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n')]);
  // Who is silent keeps nobody else waiting for long.
  const silent = Array.from({ length: 300 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
  const again = async () => {
    for (let tries = 0; tries < 60; tries++) {
      const status = await ask({ method: 'POST', path: '/run', headers: token() }, wish([]));
      if (status === 200) return tries;
      await new Promise((done) => { setTimeout(done, 250); });
    }
    return Infinity;
  };
  assert.ok(await again() < 60);
  silent.forEach((socket) => socket.destroy());
  const many = await Promise.all(Array.from({ length: 1000 }, () => ask({ method: 'GET', path: '/' })));
  console.log(`of 1000 at once: ${many.filter((code) => code === 403).length} refused, ${many.filter((code) => code === 503).length} told to come again`);
  assert.ok(many.every((code) => code === 403 || code === 503 || code === 0));
  assert.equal(await ask({ method: 'POST', path: '/run', headers: token() }, wish([])), 200);
});
