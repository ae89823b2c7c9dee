// What the tests share: a Chromium, the program, a folder for what they make.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium as made } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const REPOSITORY = join(here, '../..');
export const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** The program under test: `tests/browser/run` builds it and says where it is. */
export const PROGRAM = process.env.KUGELBAHN ?? join(REPOSITORY, 'target/debug/kugelbahn');
/** Pages and pictures stay here, to be looked at. */
export const folder = join(here, 'pictures');
mkdirSync(folder, { recursive: true });

/** A page with the sources that stand in `crates/report/page` now, so that a change of them is tried without a build: where `PAGE_FROM_DISK` is set. @param {string} html @returns {string} */
function fromDisk(html) {
  const read = (name) => readFileSync(join(REPOSITORY, 'crates/report', name), 'utf8');
  const [, title = ''] = /<title>([^]*?) · Kugelbahn<\/title>/.exec(html) ?? [];
  const within = (from, to) => html.split(from)[1]?.split(to)[0] ?? '';
  const modules = [.../modules! \{([^}]*)\}/.exec(read('src/page/mod.rs'))?.[1]?.matchAll(/\w+/g) ?? []].map(([name]) => read(`page/${name}.js`)).join('\n');
  const parts = {
    TITLE: title, STYLE: read('page/page.css'), CONNECT: within('connect-src ', ';'), STILL: within('</h1>', '</noscript>'), DATA: within('id="data">', '</script>'),
    ENGINE: html.includes('id="engine"') ? `<script type="text/plain" id="engine">${within('id="engine">', '</script>')}</script><script type="application/json" id="scenes">${within('id="scenes">', '</script>')}</script><script type="text/plain" id="matter">${within('id="matter">', '</script>')}</script>` : '',
    MODULES: modules.replace(/^import .*$/gm, '').replace(/^export /gm, ''),
  };
  return read('page/page.html').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name] ?? '');
}

/** Runs the program. @param {...string} args @returns {string} what it prints */
export function kugelbahn(...args) {
  return execFileSync(PROGRAM, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** The same of a run that stops: exit status 1. @param {...string} args */
export function kugelbahnStopped(...args) {
  const { status } = spawnSync(PROGRAM, args);
  if (status !== 1) throw new Error(`exit status ${status}`);
}

/** What the program says of bad input. @param {...string} args @returns {string} */
export function refusal(...args) {
  const { status, stderr } = spawnSync(PROGRAM, args, { encoding: 'utf8' });
  if (status !== 2) throw new Error(`exit status ${status}`);
  return stderr;
}

export const chromium = () => made.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

/** Opens a page, and hears of its faults. @param {import('playwright-core').Browser} browser @param {string} place a file or an address @param {number[]} [size]
 * @param {{ bypassCSP: boolean }} [how] whether scripts of a test may be put into it */
export async function open(browser, place, [width, height] = [1280, 900], { bypassCSP } = { bypassCSP: true }) {
  const context = await browser.newContext({ viewport: { width, height }, bypassCSP });
  const page = await context.newPage();
  /** @type {string[]} */
  const [faults, requests] = [[], []];
  page.on('console', (message) => { if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text()); });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  if (process.env.PAGE_FROM_DISK) {
    if (!place.startsWith('http')) writeFileSync(place, fromDisk(readFileSync(place, 'utf8')));
    else await page.route((url) => url.pathname === '/', async (route) => { const response = await route.fetch(); await route.fulfill({ response, body: fromDisk(await response.text()) }); });
  }
  await page.goto(place.startsWith('http') ? place : `file://${place}`);
  await page.waitForFunction(() => window.kugelbahn, null, { timeout: Number(process.env.PATIENCE ?? 10_000) });
  return { page, faults, requests };
}

/** Opens a sheet of the drawer. @param {import('playwright-core').Page} page @param {string} name */
export const sheet = (page, name) => page.evaluate((name) => window.kugelbahn.data(name), name);

/** Saves one of the entries of the menu. @param {import('playwright-core').Page} page @param {string} entry @returns {Promise<string>} the file */
export async function saved(page, entry) {
  await page.click('#save');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#${entry}`)]);
  return download.path();
}

/** As a sheet of A4 shows it. @param {import('playwright-core').Page} page */
export async function onPaper(page) {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 703, height: 1000 });
  await page.evaluate(async () => {
    dispatchEvent(new Event('beforeprint'));
    await new Promise(requestAnimationFrame);
  });
}

/** @param {import('playwright-core').Browser} browser */
export const close = (browser) => browser.close();
