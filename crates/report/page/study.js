// The page of a study: several runs side by side, curves over their time, tables that can be sorted.

import { owned } from './data.js';
import { text } from './files.js';

/** @typedef {{ name: string, letter: string, colour: string, dashed: boolean, document: any, arrays: Record<string, any> }} Side One run; its letter is the
 * same in the picture, graphs, legends and tables. */

/** The runs of a page: one, or those of a study. @param {import('./data.js').Data} data @returns {Side[]} */
export function sides({ document, arrays }) {
  if (!document.study) return [{ name: '', letter: '', colour: '', dashed: false, document, arrays }];
  const { runs } = document.study;
  return runs.map((/** @type {Side} */ run, /** @type {number} */ i) => ({ ...run, letter: runs.length > 1 ? (10 + i).toString(36) : '', arrays: owned(arrays, `${i}/`) }));
}

/** Panels of curves whose values are known at some times. @param {import('./data.js').Data} data @returns {import('./graphs.js').Panel[]} */
export function studyPanels({ document, arrays }) {
  const letters = new Map(sides({ document, arrays }).map(({ name, letter }) => [name, letter]));
  return (document.study?.panels ?? []).map((/** @type {any} */ panel, /** @type {number} */ i) => {
    const own = owned(arrays, `panel ${i}/`);
    const lines = panel.lines.map((/** @type {any} */ line, /** @type {number} */ k) => ({ ...line, letter: letters.get(line.name) ?? '', hollow: line.dots && k > 0, ...(line.dashed && { dash: [5, 4] }) }));
    const series = lines.map((/** @type {any} */ _, /** @type {number} */ k) => Array.from(own[k], (/** @type {number} */ value) => (Number.isNaN(value) ? null : value)));
    const known = { times: Array.from(own.times), series };
    const most = lines.every((/** @type {any} */ { dots }) => dots) ? usual(series.flat()) : Infinity;
    if (most === Infinity) return { ...panel, lines, known, of: () => [] };
    // What is far off has a place at the edge, so that the others keep their scale.
    const drawn = { times: known.times, series: series.map((/** @type {(number | null)[]} */ values) => values.map((value) => value && Math.min(most, Math.max(-most, value)))) };
    return { ...panel, title: `${panel.title}, far ones at the edge`, lines, known, drawn, of: () => [] };
  });
}

/** The scale of residuals: all of them, unless a few are more than four times as far off as 98 of 100. @param {(number | null)[]} values @returns {number} */
function usual(values) {
  const sizes = values.flatMap((value) => (value === null ? [] : [Math.abs(value)])).sort((a, b) => a - b);
  const [most = 0, part = 0] = [sizes.at(-1), sizes[Math.floor(0.98 * sizes.length)]];
  return most > 4 * part && part > 0 ? 1.3 * part : Infinity;
}

/** A number by which a cell is sorted. @param {string} cell @returns {number} */
function rank(cell) {
  const found = /^[^\d]*?([-−+]?\d[\d.]*(e[-+]?\d+)?)/.exec(cell);
  return found ? Number((found[1] ?? '').replace('−', '-')) : NaN;
}

/** Rows in the order of a column: numbers by size, what is none last. @param {string[]} a @param {string[]} b @param {number} column @returns {number} */
function order(a, b, column) {
  const [first = '', second = ''] = [a[column], b[column]];
  const [x, y] = column === 0 ? [NaN, NaN] : [rank(first), rank(second)];
  if (Number.isNaN(x) && Number.isNaN(y)) return first.localeCompare(second);
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return x - y;
}

/** Figures and tables of a study. */
export class Study {
  /** @param {HTMLElement} place @param {(run: number) => void} choose */
  constructor(place, choose) {
    this.place = place;
    this.place.addEventListener('click', (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const head = /** @type {HTMLElement | null} */ (target.closest('th'));
      if (head) this.sort(Number(head.dataset.table), Number(head.dataset.column));
      const row = /** @type {HTMLElement | null} */ (target.closest('tr[data-run]'));
      if (row) choose(Number(row.dataset.run));
    });
  }

  /** @param {any} study @param {Side[]} runs */
  show(study, runs) {
    this.runs = runs;
    /** @type {any[]} */
    const tables = study.tables.map((/** @type {any} */ table) => {
      const [head, ...rows] = table.rows;
      return { ...table, head, rows: rows.map((/** @type {string[]} */ cells, /** @type {number} */ i) => ({ cells, run: table.runs[i] ?? null })), column: -1, up: true };
    });
    this.tables = tables;
    this.place.hidden = false;
    // The pictures that are all of the page without scripts.
    const figures = document.querySelector('noscript')?.textContent?.match(/<svg[^]*<\/svg>/)?.[0] ?? '';
    const split = figures ? `<div class="columns figures">${figures}</div>` : '';
    // Small tables of many stand beside each other on paper.
    const kind = (/** @type {number} */ i) => (tables.length > 2 && i + 1 < tables.length ? ' class="half"' : '');
    this.place.innerHTML = `<div class="sheets">${tables.map((_, i) => `<div data-place="${i}"${kind(i)}></div>`).join('')}</div><p class="paper">Graphs, events, energies and the scenario of each run, and what has no room above, stand on the screen.</p>${split}`;
    tables.forEach((_, i) => this.draw(i));
  }

  /** @param {number} index */
  draw(index) {
    const { title, head, rows, notes, column, up } = this.tables?.[index] ?? {};
    const place = this.place.querySelector(`[data-place="${index}"]`);
    if (!place) return;
    const heads = head.map((/** @type {string} */ name, /** @type {number} */ i) => {
      const sorted = i === column ? ` aria-sort="${up ? 'ascending' : 'descending'}"` : '';
      return `<th scope="col" data-table="${index}" data-column="${i}"${sorted}><button type="button">${text(name || 'fineness')}${i === column ? (up ? ' ▲' : ' ▼') : ''}</button></th>`;
    });
    const lines = rows.map((/** @type {any} */ { cells, run }) => {
      const shown = run !== null && run === this.chosen ? ' class="current"' : '';
      const colour = run === null ? '' : `<i class="key" style="border-color: ${this.runs?.[run]?.colour}; border-top-style: ${this.runs?.[run]?.dashed ? 'dashed' : 'solid'}"></i>`;
      const name = run === null ? text(cells[0] ?? '') : `${colour}<b>${this.runs?.[run]?.letter}</b> <button type="button" title="choose this run">${text(cells[0] ?? '')}</button>`;
      return `<tr${run === null ? '' : ` data-run="${run}"`}${shown}><td>${name}</td>${cells.slice(1).map((/** @type {string} */ cell) => `<td>${text(cell)}</td>`).join('')}</tr>`;
    });
    place.innerHTML = `<h2>${text(title)}</h2><div class="scroll" tabindex="0" role="region" aria-label="${text(title)}"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>${notes.map((/** @type {string} */ note) => `<p class="note">${text(note)}</p>`).join('')}`;
  }

  /** Sorts a table by a column; the other way round if it is. @param {number} index @param {number} column */
  sort(index, column) {
    const table = this.tables?.[index];
    if (!table) return;
    table.up = table.column === column ? !table.up : true;
    table.column = column;
    table.rows.sort((/** @type {any} */ a, /** @type {any} */ b) => (table.up ? 1 : -1) * order(a.cells, b.cells, column));
    this.draw(index);
    /** @type {HTMLElement | null} */ (this.place.querySelector(`th[data-table="${index}"][data-column="${column}"] button`))?.focus();
  }

  /** Marks the run that is chosen. @param {number} run */
  choose(run) {
    this.chosen = run;
    this.place.querySelectorAll('tr[data-run]').forEach((row) => row.classList.toggle('current', Number(/** @type {HTMLElement} */ (row).dataset.run) === run));
  }
}
