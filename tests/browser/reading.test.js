// What a stranger reads off a page: numbers with units, lines that are told apart without colours, axes that say something.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { chromium, close, folder, kugelbahn, onPaper, open, REPOSITORY, sheet } from './browser.js';

const HILLS = join(REPOSITORY, 'experiments/src/bin/over_the_hills/scenario.toml');
const SHAKEN = join(REPOSITORY, 'experiments/src/bin/shaken_table/scenario.toml');
const FREE = 'contact.restitution,forces.drag.coefficient,initial.position,initial.velocity,initial.spin';
const MADE = {
  fit: ['fit', join(REPOSITORY, 'scenarios/bounce.txt'), join(REPOSITORY, 'scenarios/bounce.toml'), '--free', FREE],
  compare: ['compare', HILLS, '--methods', 'all', '--steps', '1e-2,1e-3'],
  stopped: ['compare', HILLS, '--methods', 'newmark,bdf', '--tolerances', '1e-9', '--set', 'solver.limit=60'],
  converge: ['converge', HILLS, '--method', 'newmark,bdf', '--steps', '1e-2..1e-3/2'],
  hills: ['run', HILLS],
  shaken: ['run', SHAKEN],
};
/** @type {Record<string, string>} */
const pages = {};
/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  for (const [name, args] of Object.entries(MADE)) {
    pages[name] = join(folder, `reading-${name}.html`);
    try { kugelbahn(...args, '--quiet', '--html', pages[name]); } catch { console.log(`${name} stopped`); }
  }
  browser = await chromium();
});
after(async () => close(browser));

/** The first graph of a title. @param {import('playwright-core').Page} page @param {string} title */
const panel = (page, title) => page.locator('.panel', { hasText: title }).first();

test('a fit says what the terminal says, with units', async () => {
  const { page } = await open(browser, pages.fit);
  const told = kugelbahn(...MADE.fit);
  const rows = await page.$$eval('#study [data-place="0"] tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent ?? '')));
  assert.deepEqual(rows[0]?.slice(0, 5), ['number', 'found', 'unit', 'standard error', '95 % interval']);
  for (const [key = '', found = '', unit = '', error = '', interval = ''] of rows.slice(1)) {
    const line = told.split('\n').find((text) => text.startsWith(key)) ?? '';
    assert.ok([found, error, interval].every((part) => part !== '' && line.includes(part)), `${found} ${error} ${interval} of ${line}`);
    assert.equal(unit, { contact: '', forces: 'kg/m', initial: key.includes('spin') ? 'rad/s' : key.includes('velocity') ? 'm/s' : 'm' }[key.split('.')[0] ?? '']);
  }
  const notes = await page.textContent('#study [data-place="0"]') ?? '';
  for (const part of ['correlation:', 'contact.restitution and forces.drag.coefficient', 'residuals: rms', 'degrees of freedom', 'jumps away from the rows beside']) assert.ok(notes.includes(part), part);
  await page.close();
});

test('runs have letters: in legends, in the table, on their lines and beside their paths', async () => {
  const { page } = await open(browser, pages.compare);
  await sheet(page, 'graphs');
  const seen = await page.evaluate(async () => {
    const { runs, graphs, scene } = window.kugelbahn;
    const drawn = new Set();
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...all) { drawn.add(`${this.canvas.id} ${text}`); return fillText.call(this, text, ...all); };
    graphs.drawn.forEach((drawn) => graphs.draw(drawn));
    scene.drawnFor = '';
    scene.draw(0, 0);
    await new Promise(requestAnimationFrame);
    CanvasRenderingContext2D.prototype.fillText = fillText;
    return { letters: runs.map(({ letter }) => letter), names: runs.map(({ name }) => name), drawn: [...drawn], legend: document.querySelector('#legend')?.textContent, table: document.querySelector('#study tbody')?.textContent };
  });
  assert.ok(seen.letters.length > 4 && new Set(seen.letters).size === seen.letters.length);
  for (const [i, letter] of seen.letters.entries()) {
    assert.ok(seen.legend?.includes(`${letter} ${seen.names[i]}`), letter);
    assert.ok(seen.drawn.includes(`trails ${letter}`), `no path ${letter}`);
    // The reference is what the others are held against.
    if (i > 0) assert.ok(seen.drawn.includes(` ${letter}`) && seen.table?.includes(letter), `no line ${letter}`);
  }
  await page.close();
});

test('methods of one path are named in the table, the legend and below', async () => {
  const { page } = await open(browser, pages.compare);
  const first = await page.textContent('#study tbody td') ?? '';
  assert.match(first, /newmark = bdf = \d others/);
  assert.match(await page.textContent('#legend') ?? '', /newmark, h 0.01 = bdf = \d others/);
  assert.match(await page.textContent('#study .note') ?? '', /^the same run as newmark \(h 0.01, h 0.001\): bdf, radau/);
  await page.close();
});

test('in the table of runs errors come before counts, and what stopped is told first', async () => {
  const { page } = await open(browser, pages.stopped);
  const heads = await page.$$eval('#study thead th', (all) => all.map((head) => head.textContent));
  assert.ok(heads.indexOf('x(T) [m]') < heads.indexOf('missed') && heads.indexOf('x(T) [m]') < heads.indexOf('events'), heads.join());
  assert.match(await page.textContent('#study .note') ?? '', /stopped: /);
  await page.close();
});

test('impulses without forces have the axis, and energies that come in close the sum', async () => {
  const { page } = await open(browser, pages.shaken);
  await sheet(page, 'graphs');
  assert.match(await panel(page, 'impulses').locator('h2').textContent() ?? '', /^impulses \[N s\]/);
  const seen = await page.evaluate(() => {
    const { graphs } = window.kugelbahn;
    const [bars, energy] = [graphs.drawn.find(({ panel }) => panel.impulses), graphs.drawn.find(({ panel }) => panel.stacked)];
    const [, sum, top] = energy.data;
    const most = Math.max(...top);
    return { scale: bars.y.high, most: Math.max(...graphs.seen.map(([, size]) => size)), apart: Math.max(...top.map((value, i) => Math.abs(value - sum[i]))) / most, first: top[0] / most };
  });
  assert.ok(seen.scale > seen.most && seen.scale < 1.3 * seen.most, JSON.stringify(seen));
  // More comes in than there was.
  assert.ok(seen.apart < 1e-6 && seen.first < 0.5, JSON.stringify(seen));
  assert.deepEqual((await panel(page, 'energy, stacked').locator('h2 .name:not([hidden])').allTextContents()).map((name) => name.trim()), ['start + energy put in', 'dissipated', 'kinetic', 'potential']);
  await page.close();
});

test('on paper graphs have numbers enough, and no note is cut', async () => {
  for (const name of ['hills', 'converge']) {
    const { page } = await open(browser, pages[name]);
    await onPaper(page);
    const seen = await page.evaluate(() => {
      const ticks = window.kugelbahn.graphs.drawn.filter(({ box }) => box.getBoundingClientRect().height > 0).map(({ axes }) => [0, 1].map((axis) => axes[axis].ticks.length));
      // What has no room goes on out of sight, at the right of the sheet.
      const cut = [...document.querySelectorAll('#study .note')].filter((note) => note.getBoundingClientRect().left > 700);
      return { ticks, cut: cut.length };
    });
    assert.ok(seen.ticks.length > 1 && seen.ticks.every(([x, y]) => x >= 5 && y >= 3), JSON.stringify(seen));
    assert.equal(seen.cut, 0);
    await page.close();
  }
});

test('large text is large everywhere, and fits', async () => {
  const { page, faults } = await open(browser, pages.hills, [1280, 720]);
  await sheet(page, 'graphs');
  const sizes = () => page.evaluate(async () => {
    const fonts = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...all) { fonts.push(parseFloat(/([\d.]+)px/.exec(this.font)?.[1] ?? '0')); return fillText.call(this, text, ...all); };
    window.kugelbahn.graphs.drawn.forEach((drawn) => window.kugelbahn.graphs.draw(drawn));
    window.kugelbahn.graphs.plane.draw();
    window.kugelbahn.scene.draw(0, 0);
    await new Promise(requestAnimationFrame);
    CanvasRenderingContext2D.prototype.fillText = fillText;
    const written = [...document.querySelectorAll('button, label, h1, h2, p, li, td')].filter((part) => part.getBoundingClientRect().width > 0).map((part) => parseFloat(getComputedStyle(part).fontSize));
    return { fonts: Math.min(...fonts), written: Math.min(...written), wide: document.documentElement.scrollWidth };
  });
  const usual = await sizes();
  await page.focus('#scene');
  await page.keyboard.press('l');
  const large = await sizes();
  // One fortieth of the height of a picture is read from the last row.
  assert.ok(large.fonts > 1.4 * usual.fonts && large.written > 1.4 * usual.written && large.written >= 720 / 40, JSON.stringify([usual, large]));
  assert.ok(large.wide <= 1280, `${large.wide}`);
  await page.screenshot({ path: join(folder, 'large.png') });
  assert.deepEqual(faults, []);
  await page.close();
});
