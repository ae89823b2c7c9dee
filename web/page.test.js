// kugelbahn.html from the disk in a real Chromium: it asks nobody, computes by itself, and stays alive.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium, close, folder, open } from '../tests/browser/browser.js';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..');
const file = join(process.env.CARGO_TARGET_DIR ?? join(repository, 'target'), 'web/kugelbahn.html');
/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await chromium(); });
after(() => close(browser));
/** The page, with the policy that it brings. */
const opened = () => open(browser, file, [1366, 768], { bypassCSP: false });
const run = (page, wish) => page.evaluate((asked) => window.live.engine.change(asked).then(
  ({ document }) => ({ title: document.title, events: document.page.event_count, late: document.page.live.late }),
  (error) => ({ error: error.message, name: error.name }),
), wish);

/** A file is dropped on the page. */
const dropped = (page, text) => page.evaluate((text) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], 'track'));
  document.dispatchEvent(new DragEvent('drop', { dataTransfer }));
}, text);

test('no more than 900 kB, packed, with engine and gallery', () => {
  const size = gzipSync(readFileSync(file), { level: 9 }).length;
  console.log(`${size} bytes packed`);
  assert.ok(size <= 900_000);
});

test('opens from the disk, asks nobody, and each scene of the gallery runs', async () => {
  const { page, faults, requests } = await opened();
  const paint = await page.evaluate(() => performance.getEntriesByType('paint').map(({ name, startTime }) => `${name} ${startTime.toFixed(0)} ms`));
  console.log(paint.join(', '));
  const scenes = await page.evaluate(() => window.live.engine.scenes.map(({ title, picture, about }) => ({ title, drawn: picture.includes('<path'), about })));
  assert.ok(scenes.length >= 16 && scenes.every(({ drawn, about }) => drawn && about), JSON.stringify(scenes));
  for (const [scenario, { title }] of scenes.entries()) {
    const begun = performance.now();
    const found = await run(page, { scenario, changes: [] });
    console.log(`${title}: ${(performance.now() - begun).toFixed(0)} ms`);
    assert.equal(found.title, title, JSON.stringify(found));
    assert.equal(found.late, null, title);
  }
  assert.deepEqual(requests.filter((url) => !/^(file|blob|data):/.test(url)), []);
  assert.deepEqual(faults, []);
  await page.screenshot({ path: join(folder, 'kugelbahn.png') });
  await page.close();
});

test('a run is told how far it is, and ends when it is dropped; the next one goes on', async () => {
  const { page } = await opened();
  const gas = await page.evaluate(() => window.live.engine.scenes.findIndex(({ file }) => file.includes('brownian')));
  const told = await page.evaluate(async (scenario) => {
    const parts = [];
    window.live.engine.thread.progress = (part) => parts.push(part);
    await window.live.engine.change({ scenario: 0, changes: [] });
    const going = window.live.engine.change({ scenario, changes: [['solver.duration', 5000]] }).then(() => 'over', (error) => error.name);
    await new Promise((done) => { window.live.engine.thread.progress = (part) => { parts.push(part); done(undefined); }; });
    window.live.engine.drop();
    return [await going, parts.at(-1)];
  }, gas);
  assert.equal(told[0], 'AbortError');
  assert.ok(told[1] > 0 && told[1] < 1, String(told[1]));
  assert.equal((await run(page, { scenario: 0, changes: [] })).error, undefined);
  await page.close();
});

test('a drawing that is dropped on the page is run on, and is in the link; what is none leaves the page as it is', async () => {
  const { page, faults } = await opened();
  const shown = (page) => page.evaluate(() => [window.kugelbahn.title, window.kugelbahn.all.page.event_count]);
  await dropped(page, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 400"><path d="M20 40C200 380 400 380 460 200S800 380 880 350" fill="none" stroke="#000"/></svg>');
  await page.waitForFunction(() => window.kugelbahn.title === 'A marble on a drawing');
  const first = await shown(page);
  assert.ok(first[1] > 0, String(first));
  await page.screenshot({ path: join(folder, 'dropped.png') });
  const link = await page.evaluate(() => location.hash);
  const second = await open(browser, `${file}${link}`, [1366, 768], { bypassCSP: false });
  await second.page.waitForFunction(() => window.kugelbahn.title === 'A marble on a drawing');
  assert.deepEqual(await shown(second.page), first);
  for (const text of ['<gpx/>', '<svg', 'title = 1', '\u0000']) {
    await dropped(page, text);
    await page.waitForFunction(() => document.getElementById('toast').textContent !== '');
    assert.deepEqual(await shown(page), first);
    await page.evaluate(() => { document.getElementById('toast').textContent = ''; });
  }
  assert.deepEqual([...faults, ...second.faults], []);
  await page.close();
  await second.page.close();
});

test('a GPS track that is dropped is run on; matter-js runs beside, and what it misses is told', async () => {
  const { page, faults } = await opened();
  const points = Array.from({ length: 60 }, (_, i) => `<trkpt lat="0" lon="${(i * 1e-4).toFixed(6)}"><ele>${(20 * Math.cos(i / 5)).toFixed(3)}</ele></trkpt>`);
  await dropped(page, `<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`);
  await page.waitForFunction(() => window.kugelbahn.title === 'A marble on a GPS track');
  assert.ok(await page.evaluate(() => window.kugelbahn.all.page.event_count > 0));
  await page.screenshot({ path: join(folder, 'dropped-gpx.png') });
  await page.evaluate(() => window.live.choose(0));
  await page.evaluate(() => { window.kugelbahn.data('beside'); window.live.rivals.add('J'); return window.live.rival(); });
  const [cells] = await page.$$eval('#beside tbody tr', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  // It looks once in 1/60 s: the first touch is that near.
  assert.match(cells[0], /matter-js/);
  assert.ok(Math.abs(parseFloat(cells[1].replace('−', '-'))) < 17 && cells[1].endsWith(' ms'), cells.join());
  await page.screenshot({ path: join(folder, 'beside.png') });
  assert.deepEqual(faults, []);
  await page.close();
});

test('texts that mean no good are refused as text, and the page is alive', async () => {
  const { page, faults } = await opened();
  const nasty = `</script><img src=x onerror="window.hurt=1">`;
  const found = await run(page, { text: `title = ${JSON.stringify(nasty)}\n[initial]\nposition = [0, 1]\n[ground]\ncurve = "sine"\n`, changes: [] });
  assert.equal(found.title, nasty);
  assert.ok((await run(page, { text: '['.repeat(1 << 20), changes: [] })).error);
  assert.ok((await run(page, { text: nasty, changes: [] })).error);
  assert.equal((await run(page, { scenario: 0, changes: [] })).error, undefined);
  const report = await page.evaluate((text) => window.live.engine.report({ text, changes: [] }), `title = ${JSON.stringify(nasty)}\n[initial]\nposition = [0, 1]\n[ground]\ncurve = "sine"\n`);
  const place = join(folder, 'report-of-page.html');
  writeFileSync(place, report);
  const second = await open(browser, place, [1366, 768], { bypassCSP: false });
  assert.ok((await second.page.title()).startsWith(nasty));
  assert.equal(await second.page.evaluate(() => window.hurt), undefined);
  assert.deepEqual([...faults, ...second.faults], []);
  await page.close();
});
