// Numbers as one writes them.

const PREFIXES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p'], [1e-15, 'f'], [1e-18, 'a']];

/** A number with so many digits that count. @param {number} value @param {number} [digits] @returns {string} */
export function plain(value, digits = 6) {
  if (!Number.isFinite(value)) return '—';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return scientific(value, digits);
  return String(Number(value.toPrecision(digits))).replace('-', '−');
}

/** @param {number} value @param {number} digits @returns {string} */
function scientific(value, digits) {
  const [mantissa, exponent] = value.toExponential(Math.min(digits - 1, 20)).split('e');
  return `${Number(mantissa)}·10${raised(Number(exponent))}`.replace('-', '−');
}

/** An exponent. @param {number} exponent @returns {string} */
export function raised(exponent) {
  return String(exponent).replace(/[-0-9]/g, (digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? ''));
}

/** A value with its unit and a prefix. @param {number} value @param {string} unit @param {number} [digits] @returns {string} */
export function si(value, unit, digits = 3) {
  const size = Math.abs(value);
  const [factor, prefix] = PREFIXES.find(([factor]) => size >= Number(factor) * 0.9995) ?? [1, ''];
  if (size === 0 || size < 1e-18) return `0 ${unit}`;
  return `${Number((value / Number(factor)).toPrecision(digits))} ${prefix}${unit}`.replace('-', '−');
}

/** A speed as it is said; of what was much faster as that. @param {number} value m/s @param {number} [beside] @returns {string} */
export const velocity = (value, beside = value) => (beside >= 0.05 ? `${value.toFixed(2)} m/s` : si(value, 'm/s'));

/** The greatest of 1, 2, 5 times a power of ten that is not above this. @param {number} value @returns {number} */
export function round125(value) {
  const decade = 10 ** Math.floor(Math.log10(value));
  const digit = [5, 2, 1].find((digit) => digit * decade <= value * (1 + 1e-12)) ?? 1;
  return digit * decade;
}

/** A time (s) with as many digits as a stretch of time (s) needs. @param {number} time @param {number} span @returns {string} */
export function clock(time, span) {
  const digits = Math.min(16, Math.max(3, 3 - Math.floor(Math.log10(span || 1))));
  return `${time.toFixed(digits)} s`.replace('-', '−');
}
