// What a reader takes along: a picture, a film, data, a link.

import { save, text } from './files.js';
import { quantities } from './quantities.js';
import { t } from './words.js';

/** Opens a sheet below an element: one at a time, until something else is touched. @param {HTMLElement} at @param {string} content HTML @returns {HTMLElement} */
export function pop(at, content) {
  unpop();
  const sheet = document.createElement('div');
  [sheet.className, sheet.innerHTML, sheet.tabIndex] = ['pop', content, -1];
  sheet.setAttribute('role', 'dialog');
  sheet.setAttribute('aria-label', at.title || at.textContent || '');
  document.body.append(sheet);
  const { top, bottom, left } = at.getBoundingClientRect();
  const below = bottom + 8 + sheet.offsetHeight < innerHeight ? bottom + 8 : Math.max(8, top > sheet.offsetHeight + 8 ? top - sheet.offsetHeight - 8 : 60);
  Object.assign(sheet.style, { top: `${below}px`, left: `${Math.max(8, Math.min(left, innerWidth - sheet.offsetWidth - 8))}px` });
  sheet.focus({ preventScroll: true });
  return sheet;
}

/** Closes it. */
export const unpop = () => document.querySelector('.pop')?.remove();

/** Letters of the longest scenario that a link holds. */
const LINKED = 2000;

let fading = 0;
/** Says something for a while. @param {string} words */
export function toast(words) {
  const place = document.getElementById('toast');
  if (!place) return;
  place.textContent = words;
  clearTimeout(fading);
  fading = window.setTimeout(() => { place.textContent = ''; }, 2600);
}

/** A name for files of a run. @param {string} title @param {string} end @returns {string} */
const fileOf = (title, end) => `${title.toLowerCase().replace(/[^\p{L}\d]+/gu, '-').replace(/^-|-$/g, '').slice(0, 60) || 'run'}.${end}`;

/** The menu of what can be saved. @param {import('./main.js').Page} page @param {HTMLElement} at @param {{ toml: () => void, html?: () => void }} more */
export function saving(page, at, { toml, html }) {
  /** @type {[string, string, string, (() => unknown) | undefined][]} */
  const entries = [
    ['png', 'Picture', 'PNG', () => page.scene.picture().toBlob((blob) => { if (blob) save(fileOf(page.title, 'png'), blob, 'image/png'); })],
    ['film', 'Film', t('WebM, from here to the end'), () => film(page)],
    ['figures', 'Figures for print', 'SVG', () => figures(page)],
    ['csv', 'Motion', 'CSV', () => save('motion.csv', motionCsv(page))],
    ['csv-events', 'Events', 'CSV', () => save('events.csv', eventsCsv(page.all))],
    ['save-toml', 'Scenario', 'scenario.toml', toml],
    ['save-html', 'This page', 'report.html', html],
    ['print', 'Two pages', t('print'), () => print()],
  ];
  const sheet = pop(at, `<div class="menu">${entries.filter(([, , , act]) => act).map(([id, name, kind]) => `<button type="button" id="${id}">${t(name)}<small>${kind}</small></button>`).join('')}</div>`);
  for (const [id, , , act] of entries) {
    sheet.querySelector(`#${id}`)?.addEventListener('click', () => {
      unpop();
      act?.();
    });
  }
}

/** The picture as a film, from now to the end, or until it is paused. @param {import('./main.js').Page} page */
function film(page) {
  const { scene, player } = page;
  const whole = scene.picture();
  const canvas = /** @type {CanvasRenderingContext2D} */ (whole.getContext('2d'));
  const kind = 'captureStream' in whole && typeof MediaRecorder !== 'undefined' && ['video/webm;codecs=vp9', 'video/webm', 'video/mp4'].find((kind) => MediaRecorder.isTypeSupported(kind));
  if (!kind) return toast(t('This browser makes no films.'));
  const recorder = new MediaRecorder(whole.captureStream(60), { videoBitsPerSecond: 8e6, mimeType: kind });
  const parts = /** @type {Blob[]} */ ([]);
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => save(fileOf(page.title, /\w+\/(\w+)/.exec(kind)?.[1] ?? 'webm'), new Blob(parts, { type: recorder.mimeType }), recorder.mimeType);
  page.film = () => {
    if (!player.playing) {
      page.film = undefined;
      return recorder.stop();
    }
    scene.compose(canvas);
  };
  recorder.start();
  player.play(true);
  toast(t('Filming: a pause ends it.'));
}

/** The figures that are all of the page without scripts. @param {import('./main.js').Page} page */
async function figures(page) {
  const still = page.live ? await page.live.engine.figures?.(page.live.wish()) ?? '' : document.querySelector('noscript')?.textContent ?? '';
  (still.match(/<svg[^]*?<\/svg>/g) ?? []).forEach((figure, i) => save(fileOf(page.title, `${i + 1}.svg`), figure.replace('<svg', figure.includes('xmlns=') ? '<svg' : '<svg xmlns="http://www.w3.org/2000/svg"'), 'image/svg+xml'));
}

/** The motion, row by row as the scenario asks. @param {import('./main.js').Page} page @returns {string} */
export function motionCsv(page) {
  const { all, motions } = page;
  const motion = motions?.[page.ball];
  if (!motion || !all) return '';
  const list = quantities(all.page, page.index());
  const { interval, times = [] } = all.scenario.output;
  const ball = all.page.balls.length > 1 ? [page.index() + 1] : [];
  const first = Math.floor(motion.begin / interval);
  const rows = Math.min(2e5, Math.ceil((motion.end / interval) * (1 - 1e-12)) - first);
  const wanted = 'times' in motion && motion.times ? [...motion.times] : [motion.begin, ...Array.from({ length: rows }, (_, i) => (first + i) * interval), ...times, motion.end];
  const inside = wanted.filter((time) => motion.begin <= time && time <= motion.end).sort((a, b) => a - b);
  const lines = [...new Set(inside)].map((time) => {
    const state = motion.at(time);
    return [...list.map(({ of }) => of(state)), state.phase, ...ball].join(',');
  });
  return [[...list.map(({ key }) => key), 'phase', ...(ball.length > 0 ? ['ball'] : [])].join(','), ...lines, ''].join('\n');
}

/** @param {any} all @returns {string} */
export function eventsCsv({ page: { columns, events } }) {
  const cell = (/** @type {any} */ value) => (/[",\n]/.test(String(value)) ? `"${String(value).replace(/"/g, '""')}"` : value);
  return [columns, ...events].map((row) => row.map(cell).join(',')).join('\n');
}

/** The state of the page as the end of a link. @param {import('./main.js').Page} page @param {boolean} [moment] also when and how it is looked at @returns {string} */
export function address(page, moment) {
  const state = new URLSearchParams();
  const { scenario = 0, names = [] } = page.live ?? {};
  if (typeof scenario === 'string') state.set('text', scenario); else if (scenario) state.set('scene', names[scenario]?.title ?? '');
  for (const [key, value] of page.live?.changes ?? []) state.set(key, String(value));
  if (moment) {
    state.set('t', String(Number(page.player.time.toPrecision(12))));
    if (page.ball > 0) state.set('ball', String(page.ball + 1));
    if (page.player.speed < 1) state.set('speed', String(page.player.speed));
    if (page.strip.chosen !== 'speed') state.set('graph', page.strip.chosen);
    if (page.lens.open) state.set('lens', '1');
  }
  return String(state);
}

/** Whether a link can hold the scenario. @param {import('./main.js').Page} page @returns {boolean} */
const linked = ({ live }) => String(live?.scenario ?? '').length <= LINKED;

/** Keeps it in the address of the page. @param {import('./main.js').Page} page @param {boolean} [moment] */
export function noteAddress(page, moment) {
  const state = linked(page) ? address(page, moment) : '';
  if (state !== '' || location.hash !== '') history.replaceState(null, '', `${location.pathname}${location.search}${state ? `#${state}` : ''}`);
}

/** @param {import('./main.js').Page} page */
export async function share(page) {
  noteAddress(page, true);
  if (!linked(page)) return toast(t('This track is too long for a link: save this page, and send it.'));
  try {
    await navigator.clipboard.writeText(location.href);
    toast(t('Link copied: this track, these values, this moment.'));
  } catch {
    toast(location.href);
  }
}

/** The keys, the tour and the language. @param {import('./main.js').Page} page @param {HTMLElement} at @param {string} language @param {(code: 'en' | 'de') => void} speak */
export function keysOf(page, at, language, speak) {
  const signs = /** @type {Record<string, string>} */ ({ ' ': t('space'), ArrowLeft: '←', ArrowRight: '→', Home: t('Home'), End: t('End'), '-': '−' });
  const keys = (page.actions ?? []).filter(([, key, words]) => key && words).map(([, key, words]) => [signs[key] ?? key, t(words)]);
  const rows = [...keys, [t('drag, wheel'), t('move, zoom; on a graph: choose a stretch of time')]].map(([key = '', act = '']) => `<dt><b>${text(key)}</b></dt><dd>${act}</dd>`);
  const languages = [['en', 'English'], ['de', 'Deutsch']].map(([code, name]) => `<button type="button" class="btn" lang="${code}" aria-pressed="${code === language}">${name}</button>`);
  const sheet = pop(at, `<h2>${t('Keys')}</h2><dl class="keys">${rows.join('')}</dl><p class="row"><button type="button" class="btn" id="tour">${t('A tour of one minute')}</button> ${languages.join(' ')}</p>`);
  for (const button of sheet.querySelectorAll('button')) button.addEventListener('click', () => { unpop(); if (button.id === 'tour') tour(page); else speak(button.lang === 'de' ? 'de' : 'en'); });
}

/** Stations of the tour: what it is about, what is said there, and what is done. @type {[string, string, (page: import('./main.js').Page) => void][]} */
const STATIONS = [
  ['#play', 'Play: the path grows behind the ball, with a dot every so often. Far apart they are where it is fast.', (page) => { page.player.go(page.player.begin); page.player.play(true); }],
  ['#strip', 'The whole run: drag anywhere in it. Ticks are impacts, the band below says whether the ball flies, slides, rolls or rests.', () => {}],
  ['#slow', 'Slow motion, down to a thousandth.', (page) => { page.player.speed = 0.1; page.draw(page.player.time); }],
  ['#energy', 'Where the energy is: what goes into heat never comes back.', (page) => { page.player.speed = 1; page.draw(page.player.time); }],
  ['#magnify', 'Bounces that become smaller and smaller pile up: infinitely many of them in a finite time. The magnifier shows each as large as the last.', (page) => { page.player.play(false); if (page.told?.piles.length) page.magnify(true); }],
  ['#rail', 'Change a number, and the run follows at once. Keep a run as a ghost to compare with, also with what other programs do.', (page) => page.magnify(false)],
  ['#proof', 'What was checked: that no touch is missed, and that the arithmetic keeps the energy.', () => {}],
  ['#pick', 'Other tracks are here. All of it can be saved and sent.', () => {}],
];

/** Leads through the page, eight seconds a station. @param {import('./main.js').Page} page @param {number} [station] */
export function tour(page, station = 0) {
  unpop();
  const there = STATIONS.slice(station).findIndex(([place]) => /** @type {HTMLElement | null} */ (document.querySelector(place))?.offsetParent);
  const [place = '', words = '', act] = STATIONS[there < 0 ? STATIONS.length : station + there] ?? [];
  const at = /** @type {HTMLElement | null} */ (document.querySelector(place || 'nothing'));
  if (!at || !act) return;
  act(page);
  const sheet = pop(at, `<p>${t(words)}</p><p class="row"><button type="button" class="btn">${t('go on')}</button><small>${station + there + 1}/${STATIONS.length}</small></p>`);
  sheet.classList.add('tour');
  const next = () => { if (sheet.isConnected) tour(page, station + there + 1); };
  sheet.querySelector('button')?.addEventListener('click', next);
  sheet.querySelector('button')?.focus({ preventScroll: true });
  setTimeout(next, 8000);
}
