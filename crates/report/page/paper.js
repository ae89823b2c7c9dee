// What has room on paper.

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
