// Tables: events, phases, jumps, energies, balance, warnings, the scenario.

import { text } from './files.js';
import { plain } from './format.js';
import { told } from './quantities.js';
import { t } from './words.js';

/** Rows of a page of the event table, and how many bounces of a pile come before the others are folded. */
const [ROWS, FOLDED] = [200, 7];
/** Columns of events: keys, heads, digits and about how much room they need, rem. @type {[string, string, number, number][]} */
const TOLD = [
  ['time', 'time [s]', 10, 7], ['kind', 'event', 0, 4], ['ball', 'ball', 0, 3], ['other', 'other', 0, 3], ['x', 'x [m]', 5, 5], ['y', 'y [m]', 5, 5], ['normal_velocity_before', 'v·n [m/s]', 3, 11],
  ['tangential_velocity_before', 'v·τ [m/s]', 3, 7], ['spin_after', 'spin after [rad/s]', 6, 6], ['normal_impulse', 'P_n [N s]', 6, 8], ['tangential_impulse', 'P_t [N s]', 6, 8], ['energy_after', 'energy after [J]', 6, 6], ['speed_after', 'speed after [m/s]', 6, 6],
];
/** Sheets as narrow as a phone's, and as beside the picture, have room for so much, rem: see the style sheet. @type {[number, string][]} */
const ROOMS = [[23, ''], [41, 'wide'], [Infinity, 'widest']];

/** @param {string} title @param {string[]} head @param {string[][]} rows @param {string} [sheet] of the drawer @returns {string} */
function table(title, head, rows, sheet = 'audit') {
  const cells = (/** @type {string[]} */ row, /** @type {string} */ kind) => row.map((cell) => `<${kind}>${cell}</${kind}>`).join('');
  return `<div data-sheet="${sheet}"><h2>${title}</h2><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${cells(head, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table></div></div>`;
}

/** All tables but the events. @param {any} all @param {import('./scene.js').Motion} motion @returns {string} */
function facts(all, motion) {
  const { page, energy, balance } = all;
  const parts = [];
  const energies = ['kinetic', 'potential', 'total', 'dissipated', 'work_external', 'work_normal', 'work_tangential', 'numerical'];
  parts.push(table('Energy audit [J]', ['energy', 'start', 'end'], [
    ...energies.filter((key) => energy.end[key] !== undefined).map((key) => [key.replace('_', ' '), plain(energy.start[key], 10), plain(energy.end[key], 10)]),
    ['unexplained', '', plain(energy.unexplained, 4)],
  ]));
  const units = { place: 'm', momentum: 'N s', angular_momentum: 'N m s', ground: 'm', captured: 'm' };
  parts.push(table('Balance of events: the largest residuals', ['of', 'residual', 'at [s]'], Object.entries(units).map(([key, unit]) =>
    [key.replace('_', ' '), `${plain(balance[key].residual, 3)} ${unit}`, plain(balance[key].time, 9)])));
  if (all.jumps?.length > 0) {
    parts.push(table('Jumps', ['from x [m]', 'at [s]', 'v [m/s]', 'to x [m]', 'at [s]', 'angle', 'length [m]', 'fall [m]'], all.jumps.map((/** @type {any} */ j) =>
      [plain(j.lift_off.position[0], 5), plain(j.lift_off.time, 7), plain(j.speed, 4), plain(j.landing.position[0], 5), plain(j.landing.time, 7),
        `${plain((j.landing_angle * 180) / Math.PI, 3)}°`, plain(j.length, 4), plain(j.fall_height, 4)])));
  }
  if (!page.steps) parts.push(table('Phases', ['phase', 'from [s]', 'to [s]'], phases(motion), 'phases'));
  if (all.captures?.length > 0) {
    parts.push(table('Bounces summed up', ['at [s]', 'reason', 'w [m/s]', 'lasts [s]', 'error [m/s]', 'P_n [N s]'], all.captures.map((/** @type {any} */ c) =>
      [plain(c.time, 12), c.reason, plain(c.speed, 4), plain(c.duration, 4), plain(c.error_bound, 2), plain(c.normal_impulse, 4)])));
  }
  const counts = (/** @type {any} */ list) => Object.entries(list).filter(([, value]) => value !== 0).map(([key, value]) => [key.replaceAll('_', ' '), plain(Number(value), 8)]);
  parts.push(table('Counts', ['of', 'number'], counts(all.counts)), table('Work of the solver', ['of', 'number'], counts(all.solver)));
  const notes = [...page.warnings.map((/** @type {any} */ w) => `${w.code}: ${w.cause}. Cure: ${w.cure}`), ...(all.ground.notes ?? [])];
  const warned = notes.map((note) => `<p class="warning" data-sheet="audit">${text(note)}</p>`).join('');
  const said = Object.entries(all.versions).map(([name, version]) => `${name} ${version}`).join(', ');
  return `${warned}<div class="columns">${parts.join('')}</div>
<div data-sheet="scenario"><h2>Scenario, every value as used</h2><pre tabindex="0" aria-label="Scenario">${text(toml(all.scenario))}</pre><p>${text(said)}.</p></div>`;
}

/** Stretches of time in one phase. @param {import('./scene.js').Motion} motion @returns {string[][]} */
function phases(motion) {
  const rows = /** @type {string[][]} */ ([]);
  let from = motion.begin;
  for (let i = 0; i < motion.count && rows.length < 500; i++) {
    if (i + 1 < motion.count && motion.phase(i + 1) === motion.phase(i)) continue;
    rows.push([motion.phase(i), plain(from, 12), plain(motion.to(i), 12)]);
    from = motion.to(i);
  }
  return rows;
}

/** A scenario as one writes it. @param {any} value @returns {string} */
export function toml(value) {
  const key = (/** @type {string} */ name) => (/^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name));
  /** @param {any} v @returns {string} */
  const inline = (v) => {
    if (Array.isArray(v)) return `[${v.map(inline).join(', ')}]`;
    if (v === null || typeof v !== 'object') return JSON.stringify(v);
    return `{ ${Object.entries(v).filter(([, w]) => w !== null).map(([k, w]) => `${key(k)} = ${inline(w)}`).join(', ')} }`;
  };
  const lines = [];
  const entries = Object.entries(value).filter(([, v]) => v !== null);
  const isTable = (/** @type {any} */ v) => typeof v === 'object' && !Array.isArray(v);
  for (const [name, v] of entries.filter(([, v]) => !isTable(v) && !(Array.isArray(v) && isTable(v[0])))) lines.push(`${key(name)} = ${inline(v)}`);
  for (const [name, v] of entries.filter(([, v]) => isTable(v) || (Array.isArray(v) && isTable(v[0])))) {
    for (const one of [v].flat()) {
      lines.push('', Array.isArray(v) ? `[[${key(name)}]]` : `[${key(name)}]`);
      for (const [k, w] of Object.entries(one)) if (w !== null) lines.push(`${key(k)} = ${inline(w)}`);
    }
  }
  return lines.join('\n').trim();
}

/** The tables of a run. */
export class Tables {
  /** @param {HTMLElement} place @param {(time: number) => void} go */
  constructor(place, go) {
    this.place = place;
    this.page = 0;
    this.current = -1;
    /** Whether bounces that pile up are shown one by one. */
    this.unfolded = false;
    /** First and last event of each fold. @type {{ first: number, last: number, ratio: number }[]} */
    this.folds = [];
    this.place.addEventListener('click', (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const row = /** @type {HTMLElement | null} */ (target.closest('tr[data-time]'));
      if (row) go(Number(row.dataset.time));
      if (target.closest('tr.fold')) {
        this.unfolded = true;
        this.turn(this.page);
      }
      const { turn, all } = target.dataset;
      if (turn) this.turn(this.page + Number(turn));
      if (all !== undefined) this.place.classList.add('all');
    });
    this.place.addEventListener('keydown', (event) => this.key(event));
  }

  /** Rows of events are one stop of the tab key: arrows lead from one to the next. @param {KeyboardEvent} event */
  key(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest('tr[data-time]');
    const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key];
    if (!next) return;
    event.preventDefault();
    this.stop(next);
    next.querySelector('button')?.focus();
  }

  /** The row that the tab key leads to. @param {Element | null} row */
  stop(row) {
    this.place.querySelector('tr button[tabindex="0"]')?.setAttribute('tabindex', '-1');
    row?.querySelector('button')?.setAttribute('tabindex', '0');
  }

  /** @param {any} all @param {import('./scene.js').Motion} motion @param {import('./events.js').Pile[]} piles */
  show(all, motion, piles) {
    this.all = all;
    [this.current, this.unfolded] = [-1, false];
    const { columns, events } = all.page;
    const times = events.map((/** @type {any[]} */ row) => row[columns.indexOf('time')]);
    this.folds = piles.map(({ hops, summed, ratio }) => ({ first: times.indexOf(hops[FOLDED]?.time), last: times.indexOf(summed) - 1, ratio })).filter(({ first, last }) => first >= 0 && last > first);
    this.place.innerHTML = `<p class="paper">${all.page.event_count} events. Tables and the scenario end where they have no more room on this page: on the screen, and in events.csv, summary.json and scenario.toml, they are whole.</p><div id="events" data-sheet="events"></div>${facts(all, motion)}`;
    this.turn(0);
  }

  /** @param {number} page */
  turn(page) {
    const { events, columns, event_count: count } = this.all.page;
    const last = Math.max(0, Math.ceil(events.length / ROWS) - 1);
    this.page = Math.min(last, Math.max(0, page));
    const place = this.place.querySelector('#events');
    if (!place) return;
    /** @type {(row: any[], key: string) => any} */
    const value = (row, key) => (key === 'speed_after' ? Math.hypot(value(row, 'vx_after'), value(row, 'vy_after')) : row[columns.indexOf(key)]);
    // What is nothing in all of them, as the spin of a point, has no column.
    const there = TOLD.filter(([key]) => events.length === 0 || events.some((/** @type {any[]} */ row) => value(row, key)));
    let room = 0;
    const shown = there.map(([key, head, digits, needs]) => { room += needs; return { key, head, digits, kind: ROOMS.find(([most]) => room <= most)?.[1] ?? '' }; });
    const first = this.page * ROWS;
    const rows = events.slice(first, first + ROWS).map((/** @type {any[]} */ row, /** @type {number} */ i) => {
      const time = value(row, 'time');
      const fold = this.unfolded ? undefined : this.folds.find((fold) => first + i >= fold.first && first + i <= fold.last);
      if (fold && first + i > Math.max(first, fold.first)) return '';
      if (fold) return `<tr class="fold" data-time="${time}" data-index="${fold.first}"><td colspan="${shown.length}"><button type="button" tabindex="-1">${t('… {0} more bounces, each {1} of the one before', fold.last - fold.first + 1, Number(fold.ratio.toPrecision(2)))}: ${t('show all')}</button></td></tr>`;
      const cells = shown.map(({ key, digits, kind }) => {
        const said = (/** @type {string} */ key) => { const known = value(row, key); return typeof known === 'number' && digits > 0 ? plain(known, digits) : text(String(known ?? '')); };
        // A watch has a name; a velocity is told before and after.
        const cell = key === 'kind' ? `${said(key)} ${said('name')}`.trim() : key.endsWith('velocity_before') ? `${said(key)} → ${said(key.replace('before', 'after'))}` : said(key);
        return `<td class="${kind}">${key === 'time' ? `<button type="button" tabindex="-1">${cell}</button>` : cell}</td>`;
      });
      return `<tr data-time="${time}" data-index="${first + i}">${cells.join('')}</tr>`;
    });
    place.setAttribute('style', `--rows: ${rows.filter(Boolean).length}`);
    const pages = last > 0 ? `<p><button type="button" data-turn="-1">before</button> ${this.page + 1} of ${last + 1} <button type="button" data-turn="1">after</button></p>` : '';
    const more = count > events.length ? `<p class="cut">The first ${events.length} of ${count}, up to t = ${plain(told(this.all.page), 8)} s.</p>` : '';
    place.innerHTML = `${more}${pages}<p class="rest"><button type="button" data-all="">${t('all columns')}</button></p><div class="scroll events" tabindex="0" role="region" aria-label="Events"><table><thead><tr>${shown.map(({ head, kind }) => `<th scope="col" class="${kind}">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
    this.stop(place.querySelector('tr[data-time]'));
  }

  /** Marks the last event up to a time, and shows it in its box. @param {number} time */
  at(time) {
    const { columns, events } = this.all.page;
    const when = columns.indexOf('time');
    const current = events.findLastIndex((/** @type {any[]} */ row) => row[when] <= time);
    if (current === this.current) return;
    this.current = current;
    const page = Math.floor(Math.max(0, current) / ROWS);
    if (page !== this.page) this.turn(page);
    const rows = /** @type {NodeListOf<HTMLElement>} */ (this.place.querySelectorAll('tr[data-time]'));
    const row = [...rows].findLast(({ dataset }) => Number(dataset.index) <= current);
    rows.forEach((one) => one.classList.toggle('current', one === row));
    if (!row) return;
    this.stop(row);
    const box = this.place.parentElement;
    const [{ top, bottom }, frame] = [row.getBoundingClientRect(), box?.getBoundingClientRect()];
    if (box && frame && frame.height > 0 && (top < frame.top + 2 * row.offsetHeight || bottom > frame.bottom)) box.scrollTop += top - frame.top - frame.height / 2;
  }
}

/** Width of a sheet, and of one of two columns on it, pixels of 1/96 inch. */
const ROOM = [703, 342];

/** Leaves out on paper those columns of tables, the last ones, that have no room there, and says which. @param {HTMLElement} place */
export function narrow(place) {
  place.querySelectorAll('.left-out').forEach((note) => note.remove());
  place.querySelectorAll('.unprinted').forEach((cell) => cell.classList.remove('unprinted'));
  for (const table of place.querySelectorAll('table')) {
    const room = ROOM[table.closest('.columns, .half') ? 1 : 0] ?? 0;
    const sheet = document.createElement('div');
    sheet.className = 'papered';
    sheet.style.width = `${room}px`;
    const copy = /** @type {HTMLTableElement} */ (table.cloneNode(true));
    sheet.append(copy);
    document.body.append(sheet);
    const names = Array.from(table.rows[0]?.cells ?? [], (cell) => cell.textContent ?? '');
    let count = names.length;
    while (count > 2 && copy.offsetWidth > room) {
      count -= 1;
      for (const row of copy.rows) row.cells[count]?.remove();
    }
    sheet.remove();
    if (count === names.length) continue;
    for (const row of table.rows) Array.from(row.cells).slice(count).forEach((cell) => cell.classList.add('unprinted'));
    const note = document.createElement('p');
    note.className = 'paper left-out';
    note.textContent = `Columns without room on paper: ${names.slice(count).join(', ')}.`;
    table.closest('.scroll')?.before(note);
  }
}
