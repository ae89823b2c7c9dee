// The picture: ground, trail, balls, arrows, scale.

import { trace } from './camera.js';
import { round125, si } from './format.js';

/** How each phase is drawn: colour, dashes, width; told apart without colours, too. @type {Record<string, { colour: string, dash: number[], width: number }>} */
export const STROKES = {
  flight: { colour: '#0072B2', dash: [], width: 1.8 },
  sliding: { colour: '#9A4E7C', dash: [7, 4], width: 2.6 },
  rolling: { colour: '#D55E00', dash: [], width: 4 },
  resting: { colour: '#007A59', dash: [2, 4], width: 4 },
  compressed: { colour: '#8A6000', dash: [2, 3], width: 2.6 },
};

/** @typedef {import('./motion.js').State} State */
/** @typedef {{ px: number, py: number, size: number, angle: number }} Disc A ball, in pixels and rad. */
/** @typedef {import('./motion.js').PathMotion | import('./motion.js').LegMotion | import('./motion.js').RowMotion} Motion */

/** Arrows: what of a state, its unit and colour. */
const ARROWS = [
  { name: 'velocity', unit: 'm/s', colour: '#0072B2', of: (/** @type {State} */ s) => [s.vx, s.vy] },
  { name: 'normal force', unit: 'N', colour: '#D55E00', of: (/** @type {State} */ s) => [s.px, s.py] },
  { name: 'friction', unit: 'N', colour: '#9A4E7C', of: (/** @type {State} */ s) => [s.fx, s.fy] },
];

const FACE = 'system-ui, "DejaVu Sans", Arial, sans-serif';
/** Width and height on paper: 186 and 60 mm, in pixels of 1/96 inch. @type {[number, number]} */
const SHEET = [703, 227];
/** Pieces that the scale of arrows is found from. */
const LOOKS = 4000;
/** Length of the longest arrow, pixels. */
const LONGEST = 90;
/** Points that are drawn at once. */
export const TOGETHER = 200;
/** Shorter lines of a trail are drawn with the next ones, pixels. */
const SHORT = 0.3;
/** Pixels farther from the window than this are not given to the canvas, which counts in single precision. */
const FAR = 1e4;
/** Balls that are drawn at once, and from how many on one is a stamp for all. */
const DISCS = 64;
const ALIKE = 16;
/** On smaller balls no mark has room, pixels. */
const LEAST_MARKED = 5;
/** Trails of more balls than these are not drawn all. */
const TRAILS = 12;

export class Scene {
  /** @param {HTMLCanvasElement} element @param {HTMLCanvasElement} trails below it @param {import('./camera.js').Camera} camera */
  constructor(element, trails, camera) {
    this.element = element;
    this.camera = camera;
    this.canvas = /** @type {CanvasRenderingContext2D} */ (element.getContext('2d'));
    this.trails = trails;
    this.drawnFor = '';
    this.paper = false;
    /** Scale, width and height on the screen while paper is drawn. @type {number[] | undefined} */
    this.screen = undefined;
    this.arrows = true;
    /** Lengths of one unit of each arrow, pixels. @type {number[]} */
    this.units = [];
    /** Paths of runs before, in grey. @type {Motion[]} */
    this.before = [];
    /** How the trails of a study's runs are drawn; else the chosen one is coloured by phase. @type {{ colour: string, dash: number[], letter: string }[] | undefined} */
    this.lines = undefined;
    /** Places that were seen: x, y, x, y, … m. @type {Float64Array | undefined} */
    this.seen = undefined;
    /** Those that are left out. @type {Float64Array | undefined} */
    this.leftOut = undefined;
    this.version = 0;
    /** @type {{ colour: string, ratio: number, picture: HTMLCanvasElement } | undefined} */
    this.stamped = undefined;
    /** What can be dragged, pixels: the start and the tip of its velocity, points of curves. @type {() => { ends: [number, number][], places: [number, number][] }} */
    this.handles = () => ({ ends: [], places: [] });
    /** Where the balls were drawn last, pixels. @type {[number, number][]} */
    this.places = [];
  }

  /** @param {Motion[]} motions @param {import('./ground.js').Ground} ground @param {any} page */
  show(motions, ground, page) {
    this.motions = motions;
    this.ground = ground;
    this.page = page;
    const [left, right] = page.known ?? [null, null];
    this.camera.known = [left ?? -Infinity, right ?? Infinity];
    this.version += 1;
    const most = [0, 0, 0];
    motions.forEach((motion, ball) => {
      const looks = Math.min(motion.count, Math.ceil(LOOKS / motions.length));
      for (let k = 0; k < looks; k++) {
        // All pieces, or some at other times of each ball.
        const i = Math.floor(motion.count * (((k + 0.618 * ball) / looks) % 1));
        for (const part of [0.05, 0.5, 0.95]) {
          const state = motion.on(i, motion.from(i) + part * (motion.to(i) - motion.from(i)));
          ARROWS.forEach(({ of }, arrow) => { most[arrow] = Math.max(most[arrow] ?? 0, Math.hypot(...of(state))); });
        }
      }
    });
    // Forces share one scale.
    const force = Math.max(most[1] ?? 0, most[2] ?? 0);
    this.units = [most[0] ?? 0, force, force].map((size) => (size > 0 ? LONGEST / size : 0));
    this.shown = most.map((size) => size > 0);
  }

  /** For paper, or for the screen again: the same part of the plane is seen, at the size of print. @param {boolean} paper */
  print(paper) {
    const { camera } = this;
    if (paper) this.screen = [camera.scale, camera.width, camera.height];
    this.paper = paper;
    this.resize();
    const [scale = 1, width = 1, height = 1] = this.screen ?? [];
    camera.scale = paper ? scale * Math.min(camera.width / width, camera.height / height) : scale;
  }

  /** Whether the canvas has another size than it was drawn for. @returns {boolean} */
  resized() {
    const { element, camera, ratio } = this;
    return !this.paper && (element.clientWidth !== camera.width || element.clientHeight !== camera.height || (window.devicePixelRatio || 1) !== ratio);
  }

  /** The canvas has another size. */
  resize() {
    const { element, camera } = this;
    const ratio = this.paper ? 3 : window.devicePixelRatio || 1;
    [camera.width, camera.height] = this.paper ? SHEET : [Math.max(1, element.clientWidth), Math.max(1, element.clientHeight)];
    for (const canvas of [element, this.trails]) {
      [canvas.width, canvas.height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
    }
    this.ratio = ratio;
    this.trails.style.height = `${camera.height}px`;
    this.drawnFor = '';
  }

  /** The box around all motions and places that were seen: left, right, low, high. @returns {number[]} */
  box() {
    const box = [Infinity, -Infinity, Infinity, -Infinity];
    const { motions = [], page } = this;
    motions.forEach((motion, ball) => {
      // Of ground that is carried up and down where it is touched.
      const carried = [Infinity, -Infinity];
      let lowest = Infinity;
      const radius = page.balls[ball]?.radius ?? 0;
      for (let i = 0; i < motion.count; i++) {
        for (const part of motion.joined ? [0, 1] : [0, 0.25, 0.5, 0.75, 1]) {
          const time = motion.from(i) + part * (motion.to(i) - motion.from(i));
          const [[x, y], [, dy]] = [motion.place(i, time), motion.ground(time)];
          carried[0] = Math.min(carried[0] ?? dy, dy);
          carried[1] = Math.max(carried[1] ?? dy, dy);
          lowest = Math.min(lowest, y - radius - dy);
          box[0] = Math.min(box[0] ?? x, x - radius);
          box[1] = Math.max(box[1] ?? x, x + radius);
          box[2] = Math.min(box[2] ?? y, y - radius);
          box[3] = Math.max(box[3] ?? y, y + radius);
        }
      }
      box[2] = Math.min(box[2] ?? 0, lowest + (carried[0] ?? 0));
      box[3] = Math.max(box[3] ?? 0, lowest + (carried[1] ?? 0));
    });
    for (let i = 0; i + 1 < (this.seen?.length ?? 0); i += 2) {
      const [x, y] = [this.seen?.[i] ?? 0, this.seen?.[i + 1] ?? 0];
      [box[0], box[1]] = [Math.min(box[0] ?? x, x), Math.max(box[1] ?? x, x)];
      [box[2], box[3]] = [Math.min(box[2] ?? y, y), Math.max(box[3] ?? y, y)];
    }
    const [left = 0, right = 0, low = 0, high = 0] = box;
    if (!(left <= right && low <= high)) return [-1, 1, -1, 1];
    const room = 0.06 * Math.max(right - left, high - low) + 0.01 * (right === left && low === high ? 100 : 1e-9);
    return [left - room, right + room, low - room, high + room];
  }

  /** @param {number} time @param {number} ball the one that is chosen */
  draw(time, ball) {
    const { canvas, camera, motions, ground } = this;
    if (!motions || !ground) return;
    const state = motions[ball]?.at(time);
    if (!state) return;
    const still = [camera.x, camera.y, camera.scale, camera.width, camera.height, ball, this.version].join();
    if (still !== this.drawnFor) {
      this.drawnFor = still;
      this.drawStill(ball);
    }
    canvas.setTransform(1, 0, 0, 1, 0, 0);
    // A sheet of paper is new, and to clear it would clear what lies below this canvas, too.
    if (!this.paper) canvas.clearRect(0, 0, this.element.width, this.element.height);
    canvas.setTransform(this.ratio ?? 1, 0, 0, this.ratio ?? 1, 0, 0);
    if (ground.moves(motions)) ground.draw(canvas, camera, time, state.dx, state.dy);
    this.places = [];
    this.drawBalls(time, ball);
    if (this.arrows) this.drawArrows(state);
    this.drawHandles();
    this.drawScale();
  }

  /** What only changes with the camera. @param {number} ball */
  drawStill(ball) {
    const { camera, motions = [] } = this;
    const canvas = /** @type {CanvasRenderingContext2D} */ (this.trails.getContext('2d'));
    canvas.setTransform(1, 0, 0, 1, 0, 0);
    canvas.fillStyle = '#fff';
    canvas.fillRect(0, 0, this.trails.width, this.trails.height);
    canvas.setTransform(this.ratio ?? 1, 0, 0, this.ratio ?? 1, 0, 0);
    const faint = { colour: '#bbb', dash: [], width: 1.5 };
    for (const motion of this.before) drawTrail(canvas, camera, motion, faint);
    motions.forEach((motion, i) => {
      const line = this.lines?.[i];
      const own = line ? { ...line, width: i === ball ? 3 : 1.6 } : faint;
      if (i === ball || motions.length <= TRAILS) drawTrail(canvas, camera, motion, i === ball && !line ? undefined : own);
    });
    if (!this.ground?.moves(motions)) this.ground?.draw(canvas, camera, 0, 0, 0);
    if (this.seen) this.drawSeen(canvas, this.seen, (x, y) => { canvas.moveTo(x + 2.5, y); canvas.arc(x, y, 2.5, 0, 2 * Math.PI); });
    if (this.leftOut) this.drawSeen(canvas, this.leftOut, (x, y) => { for (const side of [-4, 4]) { canvas.moveTo(x - 4, y - side); canvas.lineTo(x + 4, y + side); } });
    this.drawLetters(canvas);
  }

  /** Names paths of runs, each at other times. @param {CanvasRenderingContext2D} canvas */
  drawLetters(canvas) {
    const { camera, motions = [], lines = [] } = this;
    canvas.setLineDash([]);
    Object.assign(canvas, { font: `bold ${13 * this.text()}px ${FACE}`, textAlign: 'center', textBaseline: 'middle', strokeStyle: '#fff', lineWidth: 5, lineJoin: 'round' });
    lines.forEach(({ letter, colour }, i) => {
      const { begin = 0, end = 0 } = motions[i] ?? {};
      for (let k = 0; k < 2; k++) {
        const { x, y } = motions[i]?.at(begin + ((end - begin) * (k + (i + 0.7) / (lines.length + 0.4))) / 2) ?? { x: NaN, y: NaN };
        canvas.fillStyle = colour;
        canvas.strokeText(letter, camera.px(x), camera.py(y) - 10);
        canvas.fillText(letter, camera.px(x), camera.py(y) - 10);
      }
    });
  }

  /** Size of text, by that of a page of usual text. */
  text() {
    return this.paper ? 1 : parseFloat(getComputedStyle(this.element).fontSize) / 15;
  }

  /** Places that were seen. @param {CanvasRenderingContext2D} canvas @param {Float64Array} places @param {(x: number, y: number) => void} mark */
  drawSeen(canvas, places, mark) {
    const { camera } = this;
    canvas.strokeStyle = '#111';
    canvas.lineWidth = 1;
    canvas.beginPath();
    for (let i = 0; i + 1 < places.length; i += 2) {
      const [px, py] = [camera.px(places[i] ?? 0), camera.py(places[i + 1] ?? 0)];
      if (!(px > -9 && py > -9 && px < camera.width + 9 && py < camera.height + 9)) continue;
      mark(px, py);
    }
    canvas.stroke();
  }

  /** Balls that look alike at once; the chosen one on top. @param {number} time @param {number} ball the one that is chosen */
  drawBalls(time, ball) {
    const { camera, motions = [], page, lines } = this;
    this.places = [];
    /** @type {Map<string, Disc[]>} */
    const alike = new Map();
    motions.forEach((motion, i) => {
      const piece = motion.find(time);
      const [x, y] = motion.place(piece, time);
      const size = (page.balls[i]?.radius ?? 0) * camera.scale;
      const [px, py] = [camera.px(x), camera.py(y)];
      this.places.push([px, py]);
      if (px < -size - 9 || py < -size - 9 || px > camera.width + size + 9 || py > camera.height + size + 9) return;
      const look = i === ball ? '' : `${size} ${lines?.[i]?.colour}`;
      const discs = alike.get(look) ?? [];
      discs.push({ px, py, size, angle: motion.turned(piece, time) });
      alike.set(look, discs);
      if (i !== ball && discs.length >= DISCS) {
        this.drawDiscs(discs, false, lines?.[i]?.colour);
        alike.delete(look);
      }
    });
    const chosen = alike.get('');
    alike.delete('');
    for (const [look, discs] of alike) this.drawDiscs(discs, false, lines ? look.split(' ')[1] : undefined);
    if (chosen) this.drawDiscs(chosen, true, lines?.[ball]?.colour);
  }

  /** @param {Disc[]} discs of one size @param {boolean} chosen @param {string} [colour] of a run */
  drawDiscs(discs, chosen, colour) {
    const { canvas } = this;
    const [{ size }] = /** @type {[Disc]} */ (discs);
    if (discs.length >= ALIKE && size < 4) return this.stamp(discs, colour);
    const circles = (/** @type {number} */ radius) => {
      canvas.beginPath();
      for (const { px, py } of discs) {
        canvas.moveTo(px + radius, py);
        canvas.arc(px, py, radius, 0, 2 * Math.PI);
      }
    };
    canvas.setLineDash([]);
    canvas.lineWidth = chosen ? 2 : 1.2;
    canvas.strokeStyle = '#111';
    canvas.fillStyle = colour ?? (chosen ? '#F0E442' : '#e8e8e8');
    circles(Math.min(Math.max(size, 4), 1e6));
    // Its path shows through a ball that is large on the screen.
    canvas.globalAlpha = Math.min(1, Math.max(0.12, 40 / size));
    canvas.fill();
    canvas.globalAlpha = 1;
    canvas.stroke();
    if (size < LEAST_MARKED) return;
    // A mark that turns with the ball, thinner on a small one.
    canvas.beginPath();
    for (const { px, py, angle } of discs) {
      canvas.moveTo(px, py);
      canvas.lineTo(px + 0.9 * size * Math.cos(angle), py - 0.9 * size * Math.sin(angle));
    }
    canvas.strokeStyle = colour ? '#fff' : '#111';
    canvas.lineWidth = Math.min(2.5, 0.2 * size);
    canvas.stroke();
    circles(Math.min(3, 0.2 * size));
    canvas.fillStyle = '#111';
    canvas.fill();
  }

  /** Discs as small as they may be: one is drawn, and its picture stands for each. @param {Disc[]} discs @param {string} [colour] of a run */
  stamp(discs, colour = '#e8e8e8') {
    const [ratio, half] = [this.ratio ?? 1, 6];
    if (this.stamped?.colour !== colour || this.stamped.ratio !== ratio) {
      const picture = document.createElement('canvas');
      picture.width = picture.height = Math.ceil(2 * half * ratio);
      const canvas = /** @type {CanvasRenderingContext2D} */ (picture.getContext('2d'));
      canvas.scale(ratio, ratio);
      [canvas.fillStyle, canvas.strokeStyle, canvas.lineWidth] = [colour, '#111', 1.2];
      canvas.arc(half, half, 4, 0, 2 * Math.PI);
      canvas.fill();
      canvas.stroke();
      this.stamped = { colour, ratio, picture };
    }
    const { picture } = this.stamped;
    const side = picture.width / ratio;
    for (const { px, py } of discs) this.canvas.drawImage(picture, px - half, py - half, side, side);
  }

  drawHandles() {
    const { canvas } = this;
    const { ends: [start, tip], places } = this.handles();
    canvas.strokeStyle = '#333';
    canvas.fillStyle = '#ffffffc0';
    canvas.lineWidth = 1.5;
    for (const [x, y] of places) {
      canvas.fillRect(x - 5, y - 5, 10, 10);
      canvas.strokeRect(x - 5, y - 5, 10, 10);
    }
    if (!start || !tip) return;
    canvas.setLineDash([3, 3]);
    canvas.beginPath();
    canvas.moveTo(...start);
    canvas.lineTo(...tip);
    canvas.stroke();
    canvas.setLineDash([]);
    for (const [x, y] of [start, tip]) {
      canvas.beginPath();
      canvas.arc(x, y, 7, 0, 2 * Math.PI);
      canvas.fill();
      canvas.stroke();
    }
  }

  /** @param {State} state */
  drawArrows(state) {
    const { canvas, camera } = this;
    ARROWS.forEach(({ of, colour }, k) => {
      const [u = 0, v = 0] = of(state);
      const unit = this.units[k] ?? 0;
      const [length, from] = [Math.hypot(u, v) * unit, [camera.px(state.x), camera.py(state.y)]];
      if (length < 2) return;
      arrow(canvas, from[0] ?? 0, from[1] ?? 0, u * unit, -v * unit, colour);
    });
  }

  /** A bar that is as long as it says, and arrows that are as much. */
  drawScale() {
    const { canvas, camera } = this;
    canvas.setLineDash([]);
    canvas.font = `${13 * this.text()}px ${FACE}`;
    canvas.textBaseline = 'middle';
    let [left, bottom] = [14, camera.height - 14];
    const length = round125(120 / camera.scale);
    canvas.strokeStyle = canvas.fillStyle = '#111';
    canvas.lineWidth = 2;
    canvas.beginPath();
    const width = length * camera.scale;
    for (const [x, y] of [[left, bottom - 5], [left, bottom], [left + width, bottom], [left + width, bottom - 5]]) canvas.lineTo(x ?? 0, y ?? 0);
    canvas.stroke();
    left += width + 6;
    left = this.label(si(length, 'm'), left, bottom - 2);
    if (!this.arrows) return;
    ARROWS.forEach(({ name, unit, colour }, k) => {
      const pixels = this.units[k] ?? 0;
      if (!(this.shown?.[k] && pixels > 0)) return;
      const size = round125(60 / pixels);
      // What has no room stands in a row above.
      if (left + size * pixels + 6 + canvas.measureText(`${name} ${si(size, unit)}`).width > camera.width - 6) [left, bottom] = [14, bottom - 20 * this.text()];
      arrow(canvas, left, bottom - 2, size * pixels, 0, colour);
      canvas.fillStyle = '#111';
      left = this.label(`${name} ${si(size, unit)}`, left + size * pixels + 6, bottom - 2);
    });
  }

  /** @param {string} text @param {number} x @param {number} y @returns {number} where the next thing may be */
  label(text, x, y) {
    const width = this.canvas.measureText(text).width;
    this.canvas.fillStyle = '#ffffffc0';
    this.canvas.fillRect(x - 2, y - 9 * this.text(), width + 4, 18 * this.text());
    this.canvas.fillStyle = '#111';
    this.canvas.fillText(text, x, y);
    return x + width + 18;
  }
}

/** @param {CanvasRenderingContext2D} canvas @param {number} x @param {number} y @param {number} dx @param {number} dy @param {string} colour */
function arrow(canvas, x, y, dx, dy, colour) {
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(9, 0.6 * length);
  canvas.setLineDash([]);
  canvas.strokeStyle = canvas.fillStyle = colour;
  canvas.lineWidth = 2.5;
  canvas.beginPath();
  canvas.moveTo(x, y);
  canvas.lineTo(x + dx - 0.8 * head * ux, y + dy - 0.8 * head * uy);
  canvas.stroke();
  canvas.beginPath();
  canvas.moveTo(x + dx, y + dy);
  canvas.lineTo(x + dx - head * ux - 0.5 * head * uy, y + dy - head * uy + 0.5 * head * ux);
  canvas.lineTo(x + dx - head * ux + 0.5 * head * uy, y + dy - head * uy - 0.5 * head * ux);
  canvas.fill();
}

/** The path of a ball, by phase or as one line.
 * @param {CanvasRenderingContext2D} canvas @param {import('./camera.js').Camera} camera @param {Motion} motion
 * @param {{ colour: string, dash: number[], width: number }} [own] */
function drawTrail(canvas, camera, motion, own) {
  canvas.lineJoin = canvas.lineCap = 'round';
  let [i, lastX, lastY, points] = [0, 0, 0, 0];
  /** Parts too short to be seen are drawn with the next. @param {number} x @param {number} y @param {boolean} begins */
  const draw = (x, y, begins) => {
    if (!begins && Math.abs(x - lastX) + Math.abs(y - lastY) < SHORT) return;
    [lastX, lastY] = [x, y];
    points += 1;
    if (begins) canvas.moveTo(x, y); else canvas.lineTo(x, y);
  };
  while (i < motion.count) {
    const phase = motion.phase(i);
    const line = own ?? STROKES[phase] ?? { colour: '#111', dash: [], width: 2 };
    canvas.strokeStyle = line.colour;
    canvas.lineWidth = line.width;
    canvas.setLineDash(line.dash);
    canvas.beginPath();
    points = 0;
    /** Where a line of rows is. @type {[number, number] | undefined} */
    let begun;
    for (; i < motion.count && motion.phase(i) === phase; i++) {
      const piece = i;
      // One line of many points that cross each other takes much longer than several.
      if (points > TOGETHER) {
        canvas.stroke();
        canvas.beginPath();
        [points, begun] = [0, undefined];
      }
      const place = (/** @type {number} */ t) => motion.place(piece, t);
      const pixel = (/** @type {number} */ t) => { const [x, y] = place(t); return /** @type {[number, number]} */ ([camera.px(x), camera.py(y)]); };
      if (motion.joined) {
        const from = begun ?? pixel(motion.from(piece));
        const to = pixel(motion.to(piece));
        if ([...from, ...to].every((at) => Math.abs(at) < FAR)) {
          // A straight line.
          if (!begun) draw(from[0], from[1], true);
          draw(to[0], to[1], false);
          begun = to;
          continue;
        }
        begun = undefined;
      }
      const times = motion.smooth(i);
      for (let k = 1; k < times.length; k++) trace(camera, place, times[k - 1] ?? 0, times[k] ?? 0, draw);
    }
    canvas.stroke();
  }
  canvas.setLineDash([]);
}

/** Entries of the legend: the phases that occur, or the runs of a study.
 * @param {Motion[]} motions @param {import('./study.js').Side[]} [runs] @returns {{ name: string, svg: string }[]} */
export function legend(motions, runs) {
  const sample = (/** @type {string} */ colour, /** @type {string} */ dash, /** @type {number} */ width) =>
    `<svg width="36" height="12" aria-hidden="true"><line x1="2" y1="6" x2="34" y2="6" stroke="${colour}" stroke-width="${width}" stroke-dasharray="${dash}" stroke-linecap="round"/></svg>`;
  if (runs && runs.length > 1) return runs.map(({ name, letter, colour, dashed }) => ({ name: `${letter} ${name}`, svg: sample(colour, dashed ? '7 5' : '', 2.5) }));
  const seen = new Set();
  const strokes = Object.entries(STROKES);
  for (const motion of motions) for (let i = 0; i < motion.count && seen.size < strokes.length; i++) seen.add(motion.phase(i));
  return strokes.filter(([name]) => seen.has(name)).map(([name, { colour, dash, width }]) => ({ name, svg: sample(colour, dash.join(' '), width) }));
}
