// What canvases take from the style sheet, and what is drawn alike in several of them.

/** Colours, text and sizes of the page as it is now. */
class Look {
  constructor() {
    /** Size of all, by that of a usual screen. */
    this.unit = 1;
    this.font = 'sans-serif';
    /** @type {Map<string, string>} */ this.known = new Map();
    /** Of the window and of the reader's wishes. */
    this.narrow = false;
    this.still = false;
  }

  /** Reads them anew. */
  refresh() {
    this.style = getComputedStyle(document.documentElement);
    this.unit = parseFloat(this.style.fontSize) / 15;
    this.font = this.style.getPropertyValue('--font').trim() || 'sans-serif';
    this.known.clear();
    this.narrow = matchMedia('(max-width: 760px), (max-width: 1100px) and (orientation: portrait)').matches;
    this.still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  /** A colour by its name. @param {string} name @returns {string} */
  of(name) {
    let found = this.known.get(name);
    if (found === undefined) this.known.set(name, found = this.style?.getPropertyValue(`--${name}`).trim() || '#000');
    return found;
  }

  /** Text of a weight and a size. @param {number} weight @param {number} size @returns {string} */
  text(weight, size) { return `${weight} ${size * this.unit}px ${this.font}`; }
}
export const look = new Look();

/** Whether the window is a phone's: see the style sheet. @returns {boolean} */
export const small = () => look.narrow;
/** Whether the reader wants no motion but that of the ball. @returns {boolean} */
export const calm = () => look.still;
/** @param {number} x @param {number} low @param {number} high @returns {number} */
export const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
/** @param {number} a @param {number} b @param {number} part @returns {number} */
export const between = (a, b, part) => a + (b - a) * part;

/** A canvas at the size it has on the page, or at another. @param {HTMLCanvasElement} element @param {number[]} [size] pixels @param {number} [ratio] of the device's pixels to these
 * @returns {[CanvasRenderingContext2D, number, number]} */
export function sized(element, [width = 0, height = 0] = [element.clientWidth, element.clientHeight], ratio = window.devicePixelRatio || 1) {
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (element.width !== w || element.height !== h) [element.width, element.height] = [w, h];
  const canvas = /** @type {CanvasRenderingContext2D} */ (element.getContext('2d'));
  canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
  return [canvas, width, height];
}

/** @typedef {(path: CanvasRenderingContext2D) => void} Path */
/** @param {number} x @param {number} y @param {number} r @returns {Path} */
export const circle = (x, y, r) => (path) => { path.moveTo(x + r, y); path.arc(x, y, r, 0, 7); };
/** @param {number} x @param {number} y @param {number} w @param {number} h @param {number | number[]} [round] @returns {Path} */
export const rectangle = (x, y, w, h, round = 0) => (path) => path.roundRect(x, y, w, h, round);
/** @param {number[][]} points @returns {Path} */
export const polyline = (points) => (path) => points.forEach(([x = 0, y = 0], i) => (i > 0 ? path.lineTo(x, y) : path.moveTo(x, y)));

/** Draws a mark: what is filled, then what is stroked. @param {CanvasRenderingContext2D} canvas @param {Path | Path2D} path
 * @param {{ fill?: string | CanvasGradient, stroke?: string, width?: number, dash?: number[], alpha?: number, cap?: CanvasLineCap, from?: number }} how */
export function mark(canvas, path, { fill, stroke, width = 1, dash = [], alpha = 1, cap = 'butt', from = 0 }) {
  Object.assign(canvas, { globalAlpha: alpha, ...(fill && { fillStyle: fill }), ...(stroke && { strokeStyle: stroke, lineWidth: width, lineCap: cap, lineJoin: 'round', lineDashOffset: from }) });
  const whole = path instanceof Path2D ? path : undefined;
  if (!(path instanceof Path2D)) { canvas.beginPath(); path(canvas); }
  if (fill) { if (whole) canvas.fill(whole); else canvas.fill(); }
  if (stroke) {
    canvas.setLineDash(dash);
    if (whole) canvas.stroke(whole); else canvas.stroke();
    canvas.setLineDash([]);
  }
  canvas.globalAlpha = 1;
}

/** Text, with a halo where that has a width. @param {CanvasRenderingContext2D} canvas @param {string} words @param {number} x @param {number} y
 * @param {{ fill: string, font?: string, align?: CanvasTextAlign, base?: CanvasTextBaseline, halo?: number, around?: string }} how */
export function written(canvas, words, x, y, { fill, font, align = 'left', base = 'alphabetic', halo = 0, around = look.of('sky2') }) {
  Object.assign(canvas, { fillStyle: fill, textAlign: align, textBaseline: base, ...(font && { font }) });
  if (halo > 0) {
    Object.assign(canvas, { lineWidth: halo, lineJoin: 'round', strokeStyle: around });
    canvas.strokeText(words, x, y);
  }
  canvas.fillText(words, x, y);
}

/** Hears of a pointer from where it goes down, if that is taken, until it goes up. @param {HTMLElement} element
 * @param {(event: PointerEvent) => boolean | void} down false: not taken @param {(event: PointerEvent) => void} move @param {(event: PointerEvent) => void} [up] */
export function dragged(element, down, move, up) {
  let taken = false;
  element.addEventListener('pointerdown', (event) => {
    taken = down(event) !== false;
    if (taken) element.setPointerCapture(event.pointerId);
  }, { capture: true });
  element.addEventListener('pointermove', (event) => { if (taken) move(event); }, { capture: true });
  for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) element.addEventListener(end, (event) => { if (taken) { taken = false; up?.(event); } }, { capture: true });
}

/** A stretch in a phase, told by its pattern: dots fly, hatches slide, what is full rolls, a frame rests.
 * @param {CanvasRenderingContext2D} canvas @param {number[]} box left, top, width, height @param {string} phase @param {string} colour */
export function band(canvas, [x = 0, y = 0, w = 0, h = 0], phase, colour) {
  canvas.save();
  canvas.beginPath();
  canvas.rect(x, y, w, h);
  canvas.clip();
  mark(canvas, rectangle(x, y, w, h), { fill: colour, alpha: { flight: 0.16, compressed: 0.5, sliding: 0.3, rolling: 0.85 }[phase] ?? 0 });
  const every = (/** @type {number} */ from, /** @type {number} */ step) => Array.from({ length: Math.max(0, Math.ceil((x + w + h - from) / step)) }, (_, i) => from + i * step);
  if (phase === 'flight') mark(canvas, (path) => every(Math.ceil(x / 9) * 9, 9).forEach((q) => circle(q, y + h / 2, 1.6)(path)), { fill: colour });
  else if (phase === 'sliding') mark(canvas, (path) => every(x - h - ((x - h) % 7), 7).forEach((q) => polyline([[q, y + h], [q + h, y]])(path)), { stroke: colour, width: 2 });
  else if (phase === 'resting') mark(canvas, rectangle(x + 0.7, y + 0.7, w - 1.4, h - 1.4), { stroke: colour, width: 1.5 });
  canvas.restore();
}

/** A glass marble with three unlike vanes; what turns too far in a picture is smeared, so that it never seems to run backwards.
 * @param {CanvasRenderingContext2D} canvas @param {number[]} place pixels: x, y, radius @param {number} angle rad @param {number} turn since the picture before, rad
 * @param {string} colour @param {boolean} [hollow] */
export function marble(canvas, [x = 0, y = 0, r = 0], angle, turn, colour, hollow) {
  const smear = clamp((Math.abs(turn) - 0.9) / 1.3, 0, 1);
  // The path shows through a ball that is large on the screen.
  const alpha = clamp(90 / r, 0.12, 1);
  canvas.save();
  canvas.translate(x, y);
  mark(canvas, circle(0, 0, r), { fill: '#fff', alpha });
  canvas.save();
  canvas.clip();
  canvas.rotate(-angle);
  for (const vane of smear < 1 ? [colour, look.of('vane2'), look.of('vane3')] : []) {
    mark(canvas, (path) => {
      path.moveTo(0, 0);
      path.bezierCurveTo(r * 0.15, -r * 0.42, r * 0.6, -r * 0.72, r * 1.06, -r * 0.62);
      path.lineTo(r * 1.06, r * 0.36);
      path.bezierCurveTo(r * 0.8, -r * 0.12, r * 0.34, -0.16 * r, 0, 0);
    }, { fill: vane, alpha: alpha * (1 - smear) });
    canvas.rotate((Math.PI * 2) / 3);
  }
  canvas.rotate(angle);
  if (smear > 0) {
    mark(canvas, circle(0, 0, r), { fill: colour, alpha: 0.55 * smear * alpha });
    mark(canvas, circle(0, 0, r * 0.62), { stroke: look.of('vane2'), width: r * 0.14, alpha: 0.55 * smear * alpha });
  }
  if (r < 4000) {
    const light = canvas.createRadialGradient(-r * 0.35, -r * 0.45, r * 0.1, 0, 0, r * 1.08);
    for (const [stop, tone] of /** @type {[number, string][]} */ ([[0, '#ffffffbf'], [0.25, '#ffffff14'], [0.7, '#00000005'], [1, '#0a141e80']])) light.addColorStop(stop, tone);
    mark(canvas, rectangle(-r, -r, 2 * r, 2 * r), { fill: light, alpha });
  }
  canvas.restore();
  if (hollow) mark(canvas, circle(0, 0, r * 0.5), { fill: look.of('sky2'), stroke: '#0008' });
  mark(canvas, circle(0, 0, Math.min(r, 1e6)), { stroke: look.of('edge'), width: clamp(r * 0.09, 1.4, 4) });
  canvas.restore();
}

/** An arrow with a halo, and its label.
 * @param {CanvasRenderingContext2D} canvas @param {number[]} from pixels @param {number[]} way pixels @param {string} colour @param {string} [label] @param {number[]} [room] where it may stand: width, height @param {number} [beyond] the tip, pixels */
export function arrow(canvas, [x = 0, y = 0], [dx = 0, dy = 0], colour, label, [width = Infinity, height = Infinity] = [], beyond = 0) {
  const [length, u] = [Math.hypot(dx, dy), look.unit];
  const [ux, uy, h, ex, ey] = [dx / length, dy / length, Math.min(9 * u, 0.7 * length), x + dx, y + dy];
  for (const [wide, tone, more] of /** @type {[number, string, number][]} */ ([[6.5 * u, look.of('sky2'), 1.7 * u], [3 * u, colour, 0]])) {
    const alpha = more > 0 ? 0.75 : 1;
    const [back, side] = [h + more, h * 0.55 + more];
    mark(canvas, polyline([[x, y], [ex - ux * h * 0.8, ey - uy * h * 0.8]]), { stroke: tone, width: wide, alpha, cap: 'round' });
    mark(canvas, polyline([[ex + ux * more, ey + uy * more], [ex - ux * back - uy * side, ey - uy * back + ux * side], [ex - ux * back + uy * side, ey - uy * back - ux * side]]), { fill: tone, alpha });
  }
  if (!label || length < 20 * u) return;
  canvas.font = look.text(600, 13);
  const wide = canvas.measureText(label).width;
  const wanted = ex + ux * (8 * u + beyond) + (ux < -0.3 ? -wide : ux > 0.3 ? 0 : -wide / 2);
  const left = clamp(wanted, 4, width - wide - 4);
  // Where it has no room beyond the tip it stands above the arrow.
  const base = clamp(ey + uy * (14 * u + beyond) + (left === wanted ? 4 : -12) * u, 16 * u, height);
  written(canvas, label, left, base, { fill: colour, halo: 4 * u });
}
