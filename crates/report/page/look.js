// What canvases take from the style sheet, and what is drawn alike in several of them.

/** Colours, text and sizes of the page as it is now. */
class Look {
  constructor() {
    /** Size of all, by that of a usual screen. */
    this.unit = 1;
    this.font = 'sans-serif';
    /** @type {Map<string, string>} */
    this.known = new Map();
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

/** A canvas at the size it has on the page. @param {HTMLCanvasElement} element @returns {[CanvasRenderingContext2D, number, number]} */
export function sized(element) {
  const [ratio, width, height] = [window.devicePixelRatio || 1, element.clientWidth, element.clientHeight];
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (element.width !== w || element.height !== h) [element.width, element.height] = [w, h];
  const canvas = /** @type {CanvasRenderingContext2D} */ (element.getContext('2d'));
  canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
  return [canvas, width, height];
}

/** A stretch in a phase, told by its pattern: dots fly, hatches slide, what is full rolls, a frame rests.
 * @param {CanvasRenderingContext2D} canvas @param {number[]} box left, top, width, height @param {string} phase @param {string} colour */
export function band(canvas, [x = 0, y = 0, w = 0, h = 0], phase, colour) {
  canvas.save();
  canvas.beginPath();
  canvas.rect(x, y, w, h);
  canvas.clip();
  canvas.fillStyle = canvas.strokeStyle = colour;
  canvas.globalAlpha = { flight: 0.16, compressed: 0.5, sliding: 0.3, rolling: 0.85 }[phase] ?? 0;
  canvas.fillRect(x, y, w, h);
  canvas.globalAlpha = 1;
  if (phase === 'flight') {
    canvas.beginPath();
    for (let q = Math.ceil(x / 9) * 9; q < x + w; q += 9) { canvas.moveTo(q, y + h / 2); canvas.arc(q, y + h / 2, 1.6, 0, 7); }
    canvas.fill();
  } else if (phase === 'sliding') {
    canvas.lineWidth = 2;
    canvas.beginPath();
    for (let q = x - h - ((x - h) % 7); q < x + w + h; q += 7) { canvas.moveTo(q, y + h); canvas.lineTo(q + h, y); }
    canvas.stroke();
  } else if (phase === 'resting') {
    canvas.lineWidth = 1.5;
    canvas.strokeRect(x + 0.7, y + 0.7, w - 1.4, h - 1.4);
  }
  canvas.restore();
}

/** A glass marble with three unlike vanes; what turns too far in a picture is smeared, so that it never seems to run backwards.
 * @param {CanvasRenderingContext2D} canvas @param {number[]} place pixels: x, y, radius @param {number} angle rad @param {number} turn since the picture before, rad
 * @param {string} colour @param {boolean} [hollow] */
export function marble(canvas, [x = 0, y = 0, r = 0], angle, turn, colour, hollow) {
  const circle = (/** @type {number} */ radius) => { canvas.beginPath(); canvas.arc(0, 0, radius, 0, 7); };
  const smear = clamp((Math.abs(turn) - 0.9) / 1.3, 0, 1);
  canvas.save();
  canvas.translate(x, y);
  canvas.setLineDash([]);
  // The path shows through a ball that is large on the screen.
  canvas.globalAlpha = clamp(90 / r, 0.12, 1);
  const whole = canvas.globalAlpha;
  circle(r);
  canvas.fillStyle = '#fff';
  canvas.fill();
  canvas.save();
  canvas.clip();
  if (smear < 1) {
    canvas.globalAlpha = whole * (1 - smear);
    canvas.rotate(-angle);
    for (const vane of [colour, look.of('vane2'), look.of('vane3')]) {
      canvas.fillStyle = vane;
      canvas.beginPath();
      canvas.moveTo(0, 0);
      canvas.bezierCurveTo(r * 0.15, -r * 0.42, r * 0.6, -r * 0.72, r * 1.06, -r * 0.62);
      canvas.lineTo(r * 1.06, r * 0.36);
      canvas.bezierCurveTo(r * 0.8, -r * 0.12, r * 0.34, -0.16 * r, 0, 0);
      canvas.fill();
      canvas.rotate((Math.PI * 2) / 3);
    }
    canvas.rotate(angle);
  }
  if (smear > 0) {
    canvas.globalAlpha = 0.55 * smear * whole;
    canvas.fillStyle = colour;
    circle(r);
    canvas.fill();
    [canvas.strokeStyle, canvas.lineWidth] = [look.of('vane2'), r * 0.14];
    circle(r * 0.62);
    canvas.stroke();
  }
  canvas.globalAlpha = whole;
  if (r < 4000) {
    const light = canvas.createRadialGradient(-r * 0.35, -r * 0.45, r * 0.1, 0, 0, r * 1.08);
    for (const [stop, tone] of /** @type {[number, string][]} */ ([[0, '#ffffffbf'], [0.25, '#ffffff14'], [0.7, '#00000005'], [1, '#0a141e80']])) light.addColorStop(stop, tone);
    canvas.fillStyle = light;
    canvas.fillRect(-r, -r, 2 * r, 2 * r);
  }
  canvas.restore();
  canvas.globalAlpha = 1;
  if (hollow) {
    circle(r * 0.5);
    canvas.fillStyle = look.of('sky2');
    canvas.fill();
    [canvas.lineWidth, canvas.strokeStyle] = [1, '#0008'];
    canvas.stroke();
  }
  [canvas.lineWidth, canvas.strokeStyle] = [clamp(r * 0.09, 1.4, 4), look.of('edge')];
  circle(Math.min(r, 1e6));
  canvas.stroke();
  canvas.restore();
}

/** An arrow with a halo, and its label.
 * @param {CanvasRenderingContext2D} canvas @param {number[]} from pixels @param {number[]} way pixels @param {string} colour @param {string} [label] @param {number[]} [room] where it may stand: width, height */
export function arrow(canvas, [x = 0, y = 0], [dx = 0, dy = 0], colour, label, [width = Infinity, height = Infinity] = []) {
  const [length, u] = [Math.hypot(dx, dy), look.unit];
  const [ux, uy, h, ex, ey] = [dx / length, dy / length, Math.min(9 * u, 0.7 * length), x + dx, y + dy];
  canvas.setLineDash([]);
  canvas.lineCap = 'round';
  for (const [wide, tone, more] of /** @type {[number, string, number][]} */ ([[6.5 * u, look.of('sky2'), 1.7 * u], [3 * u, colour, 0]])) {
    canvas.strokeStyle = canvas.fillStyle = tone;
    canvas.lineWidth = wide;
    canvas.globalAlpha = more > 0 ? 0.75 : 1;
    canvas.beginPath();
    canvas.moveTo(x, y);
    canvas.lineTo(ex - ux * h * 0.8, ey - uy * h * 0.8);
    canvas.stroke();
    canvas.beginPath();
    canvas.moveTo(ex + ux * more, ey + uy * more);
    canvas.lineTo(ex - ux * (h + more) - uy * (h * 0.55 + more), ey - uy * (h + more) + ux * (h * 0.55 + more));
    canvas.lineTo(ex - ux * (h + more) + uy * (h * 0.55 + more), ey - uy * (h + more) - ux * (h * 0.55 + more));
    canvas.fill();
  }
  canvas.globalAlpha = 1;
  if (!label || length < 20 * u) return;
  canvas.font = look.text(600, 13);
  const wide = canvas.measureText(label).width;
  written(canvas, label, clamp(ex + ux * 8 * u + (ux < -0.3 ? -wide : ux > 0.3 ? 0 : -wide / 2), 4, width - wide - 4), clamp(ey + uy * 14 * u + 4 * u, 16 * u, height), colour);
}

/** Text with a halo. @param {CanvasRenderingContext2D} canvas @param {string} text @param {number} x @param {number} y @param {string} colour */
export function written(canvas, text, x, y, colour) {
  Object.assign(canvas, { lineWidth: 4 * look.unit, lineJoin: 'round', strokeStyle: look.of('sky2'), fillStyle: colour, textAlign: 'left', textBaseline: 'alphabetic' });
  canvas.strokeText(text, x, y);
  canvas.fillText(text, x, y);
}
