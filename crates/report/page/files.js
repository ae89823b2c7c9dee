// Files for the reader, and text for the page.

/** Gives the reader a file. @param {string} name @param {string | Blob} content @param {string} [kind] */
export function save(name, content, kind = 'text/csv') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Text as HTML. @param {string} written @returns {string} */
export function text(written) {
  return written.replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter);
}
