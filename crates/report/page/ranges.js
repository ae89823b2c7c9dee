// A slider: a value as a part of its range, which may be of decades or of whole numbers.

/** Where a value stands in its range, 0 to 1. @param {any} control @param {number} value @returns {number} */
export function part({ low, high, decades }, value) {
  const at = decades ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, at));
}

/** @param {any} control @param {number} at @returns {number} */
export function fromPart({ low, high, decades, whole }, at) {
  const value = decades ? low * (high / low) ** at : low + at * (high - low);
  return whole ? Math.round(value) : Math.min(high, Math.max(low, Number(value.toPrecision(4))));
}
