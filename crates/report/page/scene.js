// The picture: ground, path up to now, balls, arrows, marks of events, scale.

import { trace } from './camera.js';
import { lastUpTo } from './events.js';
import { round125, si, velocity } from './format.js';
import { arrow, band, between, calm, circle, clamp, look, marble, mark, polyline, rectangle, small, written } from './look.js';
import { t } from './words.js';

/** @typedef {import('./motion.js').State} State */
/** @typedef {{ px: number, py: number, size: number, angle: number, i: number }} Disc A ball, in pixels and rad. */
/** @typedef {import('./motion.js').PathMotion | import('./motion.js').KnotMotion} Motion */
/** @typedef {{ colour: string, dash: number[], width: number }} Line */
/** @typedef {{ motion: Motion, radius: number, touches: { time: number, nx: number, ny: number }[], next: number, run: number, boxes: Float32Array | undefined }} Track
 * A path: `touches`: normals where the ball touches; `next`: the first piece that is not drawn, `run`: length of what is, pixels. */
/** @typedef {{ px: number, py: number, from: import('./events.js').Happening, last: import('./events.js').Happening, count: number, pile?: import('./events.js').Pile, box?: number[] }} Spot A mark that says something. */

/** Arrows: what of a state, and its colour. */
const ARROWS = [
  { colour: 'v', of: (/** @type {State} */ s) => [s.vx, s.vy] },
  { colour: 'n', of: (/** @type {State} */ s) => [s.px, s.py] },
  { colour: 'f', of: (/** @type {State} */ s) => [s.fx, s.fy] },
];

/** Width and height on paper: 186 and 60 mm, in pixels of 1/96 inch. @type {[number, number]} */
const SHEET = [703, 227];
/** Pieces that the scale of arrows is found from. */
const LOOKS = 4000;
/** Pixels of the fastest, of a weight, and of what is no longer drawn by its size. */
const [FASTEST, WEIGHT, LONGEST] = [105, 46, 130];
/** Points that are drawn at once. */
export const TOGETHER = 200;
/** Shorter lines of a trail are drawn with the next ones, pixels. */
const SHORT = 0.3;
/** Pixels farther from the window than this are not given to the canvas, which counts in single precision. */
const FAR = 1e4;
/** Balls that are drawn at once, from how many on one is a stamp for all, and up to how many each is a marble. */
const [DISCS, ALIKE, MARBLES] = [64, 16, 40];
/** On smaller balls no mark has room, pixels. */
const LEAST_MARKED = 5;
/** Trails of more balls than these are not drawn all. */
const TRAILS = 12;
/** Pixels within which handles are shown. */
const SIGHT = 70;
/** A ring after an impact, ms. */
const RING = 450;
/** Colours of several balls. */
const LAYERS = ['ball', 'vane3', 'pot', 'v', 'spin'];

export class Scene {
  /** @param {HTMLCanvasElement} element @param {HTMLCanvasElement} trails below it @param {HTMLCanvasElement} back below both @param {import('./camera.js').Camera} camera */
  constructor(element, trails, back, camera) {
    this.element = element;
    this.trails = trails;
    this.back = back;
    this.camera = camera;
    const context = (/** @type {HTMLCanvasElement} */ canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    this.canvas = context(element);
    this.still = context(trails);
    this.earth = context(back);
    /** Where and of what sky, ground and paths are drawn. */
    this.backFor = this.drawnFor = '';
    this.paper = false;
    /** Scale, width and height on the screen while paper is drawn. @type {number[] | undefined} */
    this.screen = undefined;
    this.arrows = true;
    this.editing = false;
    /** Whether the start and its velocity can be taken. */
    this.held = false;
    this.playing = false;
    /** Whether the reader did something. */
    this.touched = false;
    /** Whether there is earth where numbers are read. */
    this.covered = false;
    /** Where the pointer is, pixels. @type {[number, number] | undefined} */
    this.pointer = undefined;
    /** Lengths of one unit of each arrow, pixels. @type {number[]} */
    this.units = [];
    /** Other runs to compare with, drawn dashed, each with its letter. @type {(Track & { letter: string, roams?: boolean })[]} */
    this.ghosts = [];
    /** The point of a curve that was touched last. */
    this.chosen = -1;
    /** The path before the last change, in grey. @type {Track | undefined} */
    this.before = undefined;
    /** How the trails of a study's runs are drawn; else the chosen one is drawn by phase. @type {{ colour: string, dash: number[], letter: string }[] | undefined} */
    this.lines = undefined;
    /** Places that were seen: x, y, x, y, … m. @type {Float64Array | undefined} */
    this.seen = undefined;
    /** Those that are left out. @type {Float64Array | undefined} */
    this.leftOut = undefined;
    this.version = 0;
    /** @type {{ colour: string, ratio: number, picture: HTMLCanvasElement } | undefined} */ this.stamped = undefined;
    /** What can be dragged, pixels: the start and the tip of its velocity, points of curves. @type {() => { ends: [number, number][], places: [number, number][] }} */
    this.handles = () => ({ ends: [], places: [] });
    /** Where the balls are, and where they are drawn, pixels. @type {[number, number][]} */
    this.places = [];
    /** @type {[number, number][]} */ this.drawn = [];
    /** Angles in the picture before, rad. @type {number[]} */
    this.angles = [];
    /** Events of the chosen ball, those of them that are marked, and piles. @type {import('./events.js').Happening[]} */
    this.events = [];
    /** @type {import('./events.js').Pile[]} */ this.piles = [];
    this.marked = 0;
    /** @type {Spot[]} */ this.spots = [];
    /** @type {{ x: number, y: number, nx: number, ny: number, size: number, since: number }[]} */ this.rings = [];
    /** Time between dots on the path, s. */
    this.beat = 1;
    /** How many times as large as it is a ball is drawn. */
    this.enlarged = 1;
    /** @type {Track[]} */ this.tracks = [];
    /** Colours of the balls. @type {string[]} */
    this.layers = [];
    /** Some places of the path, m. @type {[number, number][]} */
    this.under = [];
    /** The largest impulse of the marked events, N s. */
    this.strongest = 1;
  }

  /** @param {Motion[]} motions @param {import('./ground.js').Ground} ground @param {any} page @param {import('./events.js').Happening[][]} events of each run of a study, else of its only ball */
  show(motions, ground, page, events) {
    const before = this.ground === ground ? ground.shapes() : '';
    this.motions = motions;
    this.ground = ground;
    this.page = page;
    const [left, right] = page.known ?? [null, null];
    this.camera.known = [left ?? -Infinity, right ?? Infinity];
    this.version += 1;
    this.tracks = motions.map((motion, i) => this.track(motion, page.balls[i]?.radius ?? 0, events[i] ?? []));
    this.rings = [];
    const heights = motions.map((motion) => motion.place(0, motion.begin)[1]);
    const order = heights.map((_, k) => k).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
    order.forEach((k, rank) => { this.layers[k] = LAYERS[motions.length <= LAYERS.length ? k : Math.floor((rank * LAYERS.length) / motions.length)] ?? 'ball'; });
    const most = [0, 0, 0];
    const places = /** @type {[number, number][]} */ ([]);
    motions.forEach((motion, ball) => {
      const looks = Math.min(motion.count, Math.ceil(LOOKS / motions.length));
      for (let k = 0; k < looks; k++) {
        // All pieces, or some at other times of each ball.
        const i = Math.floor(motion.count * (((k + 0.618 * ball) / looks) % 1));
        for (const part of [0.05, 0.5, 0.95]) {
          const state = motion.on(i, motion.from(i) + part * (motion.to(i) - motion.from(i)));
          ARROWS.forEach(({ of }, arrow) => { most[arrow] = Math.max(most[arrow] ?? 0, Math.hypot(...of(state))); });
          if (places.length < 4 * LOOKS) places.push([state.x - state.dx, state.y - state.dy]);
        }
      }
    });
    // Forces share one scale: that of the weight.
    const [force, weight] = [Math.max(most[1] ?? 0, most[2] ?? 0), (page.balls[0]?.mass ?? 0) * Math.hypot(...page.gravity)];
    const push = weight > 0 ? WEIGHT / weight : force > 0 ? FASTEST / force : 0;
    this.most = most;
    this.units = [(most[0] ?? 0) > 0 ? FASTEST / (most[0] ?? 1) : 0, push, push];
    this.motionBox = this.moved();
    ground.settle(places, this.motionBox);
    if (ground.shapes() !== before) this.backFor = '';
    const [first] = motions;
    this.under = Array.from({ length: first ? 60 : 0 }, (_, i) => { const at = between(first?.begin ?? 0, first?.end ?? 0, i / 59); return first?.place(first.find(at), at) ?? [NaN, NaN]; });
    const [begin, end] = [Math.min(...motions.map((motion) => motion.begin)), Math.max(...motions.map((motion) => motion.end))];
    this.beat = 2 * round125((end - begin) / 40 || 1);
  }

  /** @param {Motion} motion @param {number} radius m @param {import('./events.js').Happening[]} events @returns {Track} */
  track(motion, radius, events) {
    const touches = events.filter(({ nx, ny, other }) => !other && (nx !== 0 || ny !== 0)).map(({ time, nx, ny }) => ({ time, nx, ny }));
    const first = motion.count > 0 && motion.phase(0) !== 'flight' ? motion.on(0, motion.begin) : undefined;
    if (first && (first.nx !== 0 || first.ny !== 0)) touches.unshift({ time: motion.begin, nx: first.nx, ny: first.ny });
    return { motion, radius, touches, next: 0, run: 0, boxes: undefined };
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
    for (const canvas of [element, this.trails, this.back]) {
      [canvas.width, canvas.height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
    }
    this.ratio = ratio;
    this.backFor = this.drawnFor = '';
  }

  /** The box around all motions: left, right, low, high. @returns {number[]} */
  moved() {
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
          include(box, x - radius, y - radius);
          include(box, x + radius, y + radius);
        }
      }
      box[2] = Math.min(box[2] ?? 0, lowest + (carried[0] ?? 0));
      box[3] = Math.max(box[3] ?? 0, lowest + (carried[1] ?? 0));
    });
    return box;
  }

  /** The box around all motions, places that were seen and a track of about their size: left, right, low, high. @returns {number[]} */
  box() {
    const box = [...(this.motionBox ?? [])];
    for (let i = 0; i + 1 < (this.seen?.length ?? 0); i += 2) include(box, this.seen?.[i] ?? 0, this.seen?.[i + 1] ?? 0);
    for (const { motion, roams } of this.ghosts) for (let k = 0; k <= 100 && !roams; k++) { const { x, y } = motion.at(between(motion.begin, motion.end, k / 100)); include(box, x, y); }
    const [left = 0, right = 0, low = 0, high = 0] = box;
    if (!(left <= right && low <= high)) return [-1, 1, -1, 1];
    const size = Math.max(right - left, high - low);
    const [a = 0, b = 0, c = 0, d = 0] = this.ground?.extent() ?? [];
    if (b - a < 1.6 * size && d - c < 1.6 * size) { include(box, a, c); include(box, b, d); }
    const room = 0.03 * size + 0.01 * (size === 0 ? 100 : 1e-9);
    return [(box[0] ?? 0) - room, (box[1] ?? 0) + room, (box[2] ?? 0) - room, (box[3] ?? 0) + room];
  }

  /** Least radius of a ball in the picture, pixels: several balls that touch each other have their own. @returns {number} */
  least() {
    return (this.motions?.length ?? 0) > 1 && !this.lines ? 4 : (small() ? 10 : 13) * look.unit;
  }

  /** How far from its place a ball is drawn, which is drawn larger than it is, by its own normal: it touches where it touches, and in flight the shift goes evenly from touch to
   * touch, so that no parabola bends. @param {Track} track @param {number} i piece @param {number} time @returns {[number, number]} m */
  shift({ motion, radius, touches }, i, time) {
    const more = this.least() / this.camera.scale - radius;
    if (!(more > 0) || ((this.motions?.length ?? 0) > 1 && !this.lines)) return [0, 0];
    if (motion.joined) return [0, more];
    if (!['flight', 'compressed'].includes(motion.phase(i)) && 'entry' in motion) return [more * motion.entry(i, 'nx', time), more * motion.entry(i, 'ny', time)];
    const last = lastUpTo(touches, time);
    const [before, after] = [touches[last] ?? touches[last + 1], touches[last + 1] ?? touches[last]];
    if (!before || !after) return [0, 0];
    const part = after.time > before.time ? clamp((time - before.time) / (after.time - before.time), 0, 1) : 0;
    return [more * between(before.nx, after.nx, part), more * between(before.ny, after.ny, part)];
  }

  /** @param {number} time @param {number} ball the one that is chosen */
  draw(time, ball) {
    const { canvas, camera, motions, ground } = this;
    if (!motions || !ground) return;
    const state = motions[ball]?.at(time);
    if (!state) return;
    const moves = ground.moves(motions);
    const place = [camera.x, camera.y, camera.scale, camera.width, camera.height, look.of('sky1')].join();
    const key = `${place} ${ball} ${this.version}`;
    if (place !== this.backFor || moves) this.drawBack(time, state);
    this.backFor = moves ? '' : place;
    if (key !== this.drawnFor || [...this.tracks, ...this.ghosts, this.before].some((track) => track && !this.lines && track.next > track.motion.find(time) && time < track.motion.end)) this.clearStill();
    this.drawnFor = key;
    canvas.setTransform(1, 0, 0, 1, 0, 0);
    // A sheet of paper is new, and to clear it would clear what lies below this canvas, too.
    if (!this.paper) canvas.clearRect(0, 0, this.element.width, this.element.height);
    canvas.setTransform(this.ratio ?? 1, 0, 0, this.ratio ?? 1, 0, 0);
    this.drawPaths(time, ball);
    this.drawMarks(time, moves);
    if (!this.lines && motions.length <= TRAILS) this.drawDots(time, ball);
    this.drawChips(time);
    this.drawRings();
    this.drawBalls(time, ball);
    this.held = this.drawHandles(time);
    if (this.arrows) this.drawArrows(state, ball);
    this.drawScale();
  }

  /** Sky, floor and ground. @param {number} time @param {State} state */
  drawBack(time, { dx, dy }) {
    const { earth: canvas, camera: { width, height } } = this;
    canvas.setTransform(this.ratio ?? 1, 0, 0, this.ratio ?? 1, 0, 0);
    const sky = canvas.createLinearGradient(0, 0, 0, height);
    sky.addColorStop(0, look.of('sky1'));
    sky.addColorStop(0.85, look.of('sky2'));
    canvas.fillStyle = sky;
    canvas.fillRect(0, 0, width + 2, height + 2);
    // What is written below stands on it.
    if (!this.paper) {
      const floor = canvas.createLinearGradient(0, height - this.floor(), 0, height);
      floor.addColorStop(0, look.of('earth1'));
      floor.addColorStop(1, look.of('earth2'));
      canvas.fillStyle = floor;
      canvas.fillRect(0, height - this.floor(), width + 2, this.floor() + 2);
    }
    this.ground?.draw(canvas, this.camera, time, dx, dy);
  }

  /** Height of the floor that what is written stands on, pixels. @returns {number} */
  floor() {
    return (small() ? 104 : 94) * look.unit;
  }

  /** No path is drawn any more. */
  clearStill() {
    const { still, tracks } = this;
    still.setTransform(1, 0, 0, 1, 0, 0);
    if (!this.paper) still.clearRect(0, 0, this.trails.width, this.trails.height);
    still.setTransform(this.ratio ?? 1, 0, 0, this.ratio ?? 1, 0, 0);
    [...tracks, ...this.ghosts, ...(this.before ? [this.before] : [])].forEach((track) => { [track.next, track.run] = [0, 0]; });
    [this.marked, this.spots] = [0, []];
    const u = look.unit;
    const ground = this.ground?.covers(this.camera, [[20, 60], [180, 110], [330, 110]].map(([x = 0, y = 0]) => [x * u, y * u]));
    this.covered = !this.paper && (Boolean(ground) || this.under.some(([x, y]) => this.camera.px(x) > 0 && this.camera.px(x) < 350 * u && this.camera.py(y) > 0 && this.camera.py(y) < 105 * u));
    if (this.seen) this.drawSeen(this.seen, (x, y) => circle(x, y, 2.5));
    if (this.leftOut) this.drawSeen(this.leftOut, (x, y) => (path) => { for (const side of [-4, 4]) polyline([[x - 4, y - side], [x + 4, y + side]])(path); });
  }

  /** Paths up to a time: whole pieces stay, the last one is drawn anew each time; those of a study are whole. @param {number} time @param {number} ball */
  drawPaths(time, ball) {
    const { still, tracks, motions = [], lines } = this;
    const u = look.unit;
    /** @type {{ track: Track, line: Line | undefined }[]} */
    const all = tracks.flatMap((track, i) => {
      if (i !== ball && motions.length > TRAILS) return [];
      const line = lines?.[i];
      return [{ track, line: line ? { ...line, width: i === ball ? 3 : 1.8 } : i === ball ? undefined : { colour: look.of('path'), dash: [], width: 1.2 } }];
    });
    if (this.before) all.unshift({ track: this.before, line: { colour: look.of('ties'), dash: [], width: 1.4 } });
    for (const track of this.ghosts) all.unshift({ track, line: { colour: look.of('ghost'), dash: [1.5 * u, 6 * u], width: 2.6 * u } });
    const fresh = tracks.every(({ next }) => next === 0);
    for (const { track, line } of all) {
      const { motion } = track;
      const piece = lines || time >= motion.end ? motion.count : motion.find(time);
      track.run = this.drawPieces(still, track, track.next, piece, Infinity, line, track.run);
      track.next = piece;
      if (piece < motion.count) this.drawPieces(this.canvas, track, piece, piece + 1, time, line, track.run);
    }
    if (lines && fresh) this.drawLetters(still);
  }

  /** Pieces of a path, by phase or as one line. @param {CanvasRenderingContext2D} canvas @param {Track} track @param {number} first @param {number} end
   * @param {number} until s @param {Line | undefined} own @param {number} run length of what was drawn, pixels @returns {number} with these */
  drawPieces(canvas, track, first, end, until, own, run) {
    const { camera } = this;
    const { motion } = track;
    const u = look.unit;
    let [i, lastX, lastY, points] = [first, NaN, NaN, 0];
    let path = new Path2D();
    /** Parts too short to be seen are drawn with the next. @param {number} x @param {number} y @param {boolean} begins */
    const draw = (x, y, begins) => {
      const way = Math.abs(x - lastX) + Math.abs(y - lastY);
      if (way < SHORT) return;
      if (!begins) run += way;
      [lastX, lastY] = [x, y];
      points += 1;
      if (begins) path.moveTo(x, y); else path.lineTo(x, y);
    };
    while (i < end) {
      const phase = motion.phase(i);
      [lastX, lastY] = [NaN, NaN];
      let begun = run;
      const flush = () => {
        if (points === 0) return;
        const drawn = (/** @type {string} */ stroke, /** @type {number} */ width, /** @type {number[]} */ dash, /** @type {CanvasLineCap} */ cap) => mark(canvas, path, { stroke, width, dash, cap, from: dash.length > 0 ? begun : 0 });
        if (own) drawn(own.colour, own.width, own.dash, own.dash.length > 0 ? 'butt' : 'round');
        else if (phase === 'sliding') {
          drawn(look.of('ties'), 6 * u, [], 'butt');
          drawn(look.of('trail'), 6 * u, [2.2 * u, 4.4 * u], 'butt');
        } else if (phase === 'rolling') drawn(look.of('trail'), 4.6 * u, [], 'round');
        else if (phase === 'compressed') drawn(look.of('trail'), 2.6 * u, [2 * u, 3 * u], 'butt');
        else if (phase === 'flight') drawn(look.of('path'), 1.8 * u, [], 'round');
        [path, points, begun] = [new Path2D(), 0, run];
      };
      /** Where a line of rows is. @type {[number, number] | undefined} */
      let from;
      for (; i < end && motion.phase(i) === phase; i++) {
        const piece = i;
        // One line of many points that cross each other takes much longer than several.
        if (points > TOGETHER) {
          flush();
          path.moveTo(lastX, lastY);
        }
        const place = (/** @type {number} */ time) => {
          const [[x, y], [dx, dy]] = [motion.place(piece, time), this.shift(track, piece, time)];
          return /** @type {[number, number]} */ ([x + dx, y + dy]);
        };
        const pixel = (/** @type {number} */ time) => { const [x, y] = place(time); return /** @type {[number, number]} */ ([camera.px(x), camera.py(y)]); };
        if (motion.joined) {
          const [a, b] = [from ?? pixel(motion.from(piece)), pixel(Math.min(until, motion.to(piece)))];
          from = undefined;
          if (Math.max(Math.abs(a[0]), Math.abs(a[1]), Math.abs(b[0]), Math.abs(b[1])) < FAR) {
            // A straight line.
            if (points === 0 || lastX !== a[0]) draw(a[0], a[1], true);
            draw(b[0], b[1], false);
            from = b;
            continue;
          }
        }
        if (motion.count > 500 && until === Infinity && this.hidden(track, piece)) continue;
        const times = motion.smooth(i);
        for (let k = 1; k < times.length && (times[k - 1] ?? 0) < until; k++) trace(camera, place, times[k - 1] ?? 0, Math.min(until, times[k] ?? 0), draw);
      }
      flush();
    }
    return run;
  }

  /** Whether nothing of a piece is seen. @param {Track} track @param {number} i @returns {boolean} */
  hidden(track, i) {
    const { motion } = track;
    if (!track.boxes) {
      track.boxes = new Float32Array(4 * motion.count);
      for (let k = 0; k < motion.count; k++) {
        const box = [Infinity, -Infinity, Infinity, -Infinity];
        for (let part = 0; part <= 8; part++) include(box, ...motion.place(k, between(motion.from(k), motion.to(k), part / 8)));
        track.boxes.set(box, 4 * k);
      }
    }
    const { camera } = this;
    const { boxes } = track;
    const [left, right, top, bottom] = [camera.px(boxes[4 * i] ?? 0), camera.px(boxes[4 * i + 1] ?? 0), camera.py(boxes[4 * i + 3] ?? 0), camera.py(boxes[4 * i + 2] ?? 0)];
    const room = 60 + 0.2 * Math.max(right - left, bottom - top);
    return right < -room || left > camera.width + room || bottom < -room || top > camera.height + room;
  }

  /** Names paths of runs, each at other times. @param {CanvasRenderingContext2D} canvas */
  drawLetters(canvas) {
    const { camera, motions = [], lines = [] } = this;
    lines.forEach(({ letter, colour }, i) => {
      const { begin = 0, end = 0 } = motions[i] ?? {};
      for (let k = 0; k < 2; k++) {
        const { x, y } = motions[i]?.at(begin + ((end - begin) * (k + (i + 0.7) / (lines.length + 0.4))) / 2) ?? { x: NaN, y: NaN };
        written(canvas, letter, camera.px(x) - 4, camera.py(y) - 6, { fill: colour, font: look.text(700, 13), halo: 4 * look.unit });
      }
    });
  }

  /** Places that were seen. @param {Float64Array} places @param {(x: number, y: number) => import('./look.js').Path} shape */
  drawSeen(places, shape) {
    const { camera } = this;
    mark(this.still, (path) => {
      for (let i = 0; i + 1 < places.length; i += 2) {
        const [px, py] = [camera.px(places[i] ?? 0), camera.py(places[i + 1] ?? 0)];
        if (px > -9 && py > -9 && px < camera.width + 9 && py < camera.height + 9) shape(px, py)(path);
      }
    }, { stroke: look.of('ink') });
  }

  /** A dot each time as long: where they are far apart the ball is fast. @param {number} time @param {number} ball */
  drawDots(time, ball) {
    const { canvas, camera, tracks: { [ball]: track } } = this;
    if (!track) return;
    const u = look.unit;
    const places = /** @type {number[][]} */ ([]);
    for (let at = track.motion.begin; at < time && at <= track.motion.end; at += this.beat) {
      const i = track.motion.find(at);
      if (track.motion.phase(i) === 'resting') break;
      const [[x, y], [dx, dy]] = [track.motion.place(i, at), this.shift(track, i, at)];
      const [px, py] = [camera.px(x + dx), camera.py(y + dy)];
      if (Math.abs(px) < FAR && Math.abs(py) < FAR) places.push([px, py]);
    }
    mark(canvas, (path) => places.forEach(([px = 0, py = 0]) => circle(px, py, 3 * u)(path)), { fill: look.of('sky2'), stroke: look.of('trail'), width: 1.6 * u });
  }

  /** Marks of events up to a time that are not marked yet: a dent by the root of the impulse; ▼ lands, ▲ lifts, ■ slips or grips. @param {number} time @param {boolean} moves whether the ground does */
  drawMarks(time, moves) {
    const { still: canvas, camera, events, page } = this;
    const u = look.unit;
    if (moves || this.lines || (this.motions?.length ?? 0) > TRAILS) return;
    const [end, radius] = [this.lines ? events.length : lastUpTo(events, time) + 1, page.balls[0].radius];
    for (; this.marked < end; this.marked++) {
      const event = events[this.marked];
      if (!event || event.other || (event.nx === 0 && event.ny === 0)) continue;
      const [px, py] = [camera.px(event.x - radius * event.nx), camera.py(event.y - radius * event.ny)];
      if (!(Math.abs(px) < FAR && Math.abs(py) < FAR)) continue;
      const before = this.spots.at(-1);
      const impact = event.kind === 'impact';
      if (impact && before?.from.kind === 'impact' && Math.hypot(before.px - px, before.py - py) < 13 * u) {
        Object.assign(before, { last: event, count: before.count + 1 });
        continue;
      }
      this.spots.push({ px, py, from: event, last: event, count: 1 });
      canvas.save();
      canvas.translate(px, py);
      canvas.rotate(Math.atan2(event.nx, event.ny));
      // A dent is seen in the earth; on rails and stones it is small and has an edge.
      const bare = !this.ground?.covers(camera, [[px - 6 * u * event.nx, py + 6 * u * event.ny]]);
      const [s, low, high] = [6 * u, 4 * u, 12.4 * u];
      /** @type {Record<string, import('./look.js').Path>} */
      const shapes = {
        impact: (path) => path.arc(0, u, (3 + 6.5 * Math.sqrt(event.impulse / this.strongest)) * (bare ? 0.5 : 1) * u, 0, Math.PI), lands: polyline([[-s, low], [s, low], [0, high]]), lifts: polyline([[-s, high], [s, high], [0, low]]),
        slips: rectangle(-s * 0.7, 5 * u, s * 1.4, s * 1.4), other: rectangle(-s, 5 * u, 2 * s, 3 * u),
      };
      const kind = { impact: 'impact', landing: 'lands', touch: 'lands', 'lift-off': 'lifts', release: 'lifts', slip: 'slips', stick: 'slips' }[event.kind] ?? 'other';
      mark(canvas, (path) => { shapes[kind]?.(path); path.closePath(); }, { fill: look.of('onearth'), ...((bare || !impact) && { stroke: look.of('edge'), width: 1.2 * u }) });
      canvas.restore();
    }
  }

  /** What piles of bounces have come to. @param {number} time */
  drawChips(time) {
    const { canvas, camera } = this;
    const u = look.unit;
    this.spots = this.spots.filter(({ pile }) => !pile);
    canvas.font = look.text(700, 12);
    for (const pile of this.piles) {
      if (time < (pile.hops[4]?.time ?? Infinity) || this.lines || (this.motions?.length ?? 0) > 1) continue;
      const { x, y, nx, ny } = pile.end;
      const count = pile.hops.filter((hop) => !hop.summed && hop.time <= time).length;
      const words = time >= pile.to ? t('∞ bounces') : t('{0} bounces …', count);
      const wide = canvas.measureText(words).width + 16 * u;
      const radius = Math.max(this.least(), this.page.balls[0].radius * camera.scale);
      const [cx, cy] = [clamp(camera.px(x) - nx * (radius + 18 * u), wide / 2 + 4, camera.width - wide / 2 - 4), camera.py(y) + Math.min(ny * radius, 200) + 16 * u];
      if (!(Math.abs(camera.px(x)) < 2 * camera.width && cy > 0 && cy < camera.height - 60 * u)) continue;
      this.spots.push({ px: cx, py: cy + 9 * u, from: pile.end, last: pile.end, count, pile, box: [cx - wide / 2, cy, wide, 19 * u] });
      mark(canvas, rectangle(cx - wide / 2, cy, wide, 19 * u, 10 * u), { fill: look.of('accent') });
      written(canvas, words, cx, cy + 13.5 * u, { fill: look.of('accent-ink'), align: 'center' });
    }
  }

  /** The ball hits: a ring, by the root of the impulse. @param {import('./events.js').Happening} event */
  hit({ x, y, nx, ny, impulse }) {
    const radius = this.page.balls[0].radius;
    this.rings.push({ x: x - radius * nx, y: y - radius * ny, nx, ny, size: (10 + 26 * Math.sqrt(impulse / this.strongest)) * look.unit, since: performance.now() });
  }

  drawRings() {
    const { canvas, camera } = this;
    this.rings = calm() ? [] : this.rings.filter(({ since }) => performance.now() - since < RING);
    for (const { x, y, nx, ny, size, since } of this.rings) {
      const part = (performance.now() - since) / RING;
      const left = clamp(1 - part, 0, 1);
      mark(canvas, (path) => path.ellipse(camera.px(x), camera.py(y), size * (0.5 + part), size * (0.5 + part) * 0.4, Math.atan2(nx, ny), 0, 7), { stroke: look.of('n'), width: left * 5 * look.unit, alpha: left ** 1.5 });
    }
  }

  /** Balls that look alike at once; the chosen one on top. @param {number} time @param {number} ball the one that is chosen */
  drawBalls(time, ball) {
    const { camera, motions = [], page, lines, tracks } = this;
    [this.places, this.drawn] = [[], []];
    for (const ghost of this.ghosts) this.drawGhost(ghost, time);
    const alike = /** @type {Map<string, Disc[]>} */ (new Map());
    const least = this.least();
    motions.forEach((motion, i) => {
      const piece = motion.find(time);
      const track = /** @type {Track} */ (tracks[i]);
      const [[x, y], [dx, dy]] = [motion.place(piece, time), this.shift(track, piece, time)];
      const size = Math.max(least, (page.balls[i]?.radius ?? 0) * camera.scale);
      const [px, py] = [camera.px(x + dx), camera.py(y + dy)];
      this.places.push([camera.px(x), camera.py(y)]);
      this.drawn.push([px, py]);
      if (px < -size - 9 || py < -size - 9 || px > camera.width + size + 9 || py > camera.height + size + 9) return;
      const look = i === ball ? '' : `${size} ${lines?.[i]?.colour ?? this.colour(i)}`;
      const discs = alike.get(look) ?? [];
      discs.push({ px, py, size, angle: motion.turned(piece, time), i });
      alike.set(look, discs);
      if (i !== ball && discs.length >= DISCS) {
        this.drawDiscs(discs, look.split(' ')[1] ?? '');
        alike.delete(look);
      }
    });
    const [chosen] = alike.get('') ?? [];
    alike.delete('');
    for (const [look, discs] of alike) this.drawDiscs(discs, look.split(' ')[1] ?? '');
    const radius = page.balls[ball]?.radius ?? 0;
    this.enlarged = radius > 0 ? least / (radius * camera.scale) : Infinity;
    if (chosen) this.drawMarble(chosen, lines?.[ball]?.colour ?? this.colour(ball), motions.length > 1 && !lines);
    this.angles = this.playing ? motions.slice(0, MARBLES).map((motion) => motion.turned(motion.find(time), time)) : [];
  }

  /** Colour of one of several balls: of many by the height they start at. @param {number} i @returns {string} */
  colour(i) { return look.of(this.layers[i] ?? 'ball'); }

  /** @param {Disc} disc @param {string} colour @param {boolean} [ringed] it is the chosen one of several */
  drawMarble({ px, py, size, angle, i }, colour, ringed) {
    const { canvas, page } = this;
    const { mass = 1, radius = 0, inertia = 0 } = page.balls[i] ?? {};
    marble(canvas, [px, py, size], angle, angle - (this.angles[i] ?? angle), colour, inertia > 0.95 * mass * radius * radius && radius > 0);
    if (ringed) mark(canvas, circle(px, py, size + 2 * look.unit), { stroke: look.of('ink'), width: 2.2 * look.unit });
  }

  /** @param {Track & { letter: string }} ghost @param {number} time */
  drawGhost(ghost, time) {
    const { canvas, camera } = this;
    const { letter } = ghost;
    const [u, at] = [look.unit, clamp(time, ghost.motion.begin, ghost.motion.end)];
    const piece = ghost.motion.find(at);
    const [[x, y], [dx, dy]] = [ghost.motion.place(piece, at), this.shift(ghost, piece, at)];
    const [px, py, size] = [camera.px(x + dx), camera.py(y + dy), Math.max(this.least(), ghost.radius * camera.scale)];
    mark(canvas, circle(px, py, Math.min(size, FAR)), { fill: look.of('glass'), stroke: look.of('ghost'), width: 2.4 * u, dash: [4 * u, 3 * u] });
    written(canvas, letter, px, py + 4 * u, { fill: look.of('ghost'), font: look.text(700, 11.5), align: 'center' });
  }

  /** @param {Disc[]} discs of one size @param {string} colour */
  drawDiscs(discs, colour) {
    const { canvas, motions = [] } = this;
    const [{ size }] = /** @type {[Disc]} */ (discs);
    if (motions.length <= MARBLES && size >= LEAST_MARKED) return discs.forEach((disc) => this.drawMarble(disc, colour));
    if (discs.length >= ALIKE && size <= 4) return this.stamp(discs, colour);
    const circles = (/** @type {CanvasRenderingContext2D} */ path) => discs.forEach(({ px, py }) => circle(px, py, Math.min(size, 1e6))(path));
    // Its path shows through a ball that is large on the screen.
    mark(canvas, circles, { fill: colour, alpha: clamp(40 / size, 0.12, 1) });
    mark(canvas, circles, { stroke: look.of('edge'), width: Math.min(1.2, 0.2 * size) });
    if (size < LEAST_MARKED) return;
    // A mark that turns with the ball, thinner on a small one.
    const spokes = (/** @type {CanvasRenderingContext2D} */ path) => discs.forEach(({ px, py, angle }) => polyline([[px, py], [px + 0.9 * size * Math.cos(angle), py - 0.9 * size * Math.sin(angle)]])(path));
    mark(canvas, spokes, { stroke: '#fff', width: Math.min(2.5, 0.2 * size) });
  }

  /** Discs as small as they may be: one is drawn, and its picture stands for each. @param {Disc[]} discs @param {string} colour */
  stamp(discs, colour) {
    const [ratio, half] = [this.ratio ?? 1, 6];
    if (this.stamped?.colour !== colour || this.stamped.ratio !== ratio) {
      const picture = document.createElement('canvas');
      picture.width = picture.height = Math.ceil(2 * half * ratio);
      const canvas = /** @type {CanvasRenderingContext2D} */ (picture.getContext('2d'));
      canvas.scale(ratio, ratio);
      mark(canvas, circle(half, half, 4), { fill: colour, stroke: look.of('edge') });
      this.stamped = { colour, ratio, picture };
    }
    const { picture } = this.stamped;
    const side = picture.width / ratio;
    for (const { px, py } of discs) this.canvas.drawImage(picture, px - half, py - half, side, side);
  }

  /** What can be dragged, while it stands: near the pointer, and all of it while the track is edited; at the start a hint. @param {number} time @returns {boolean} whether the start and its velocity are there */
  drawHandles(time) {
    const { canvas, pointer } = this;
    const { ends: [start, tip], places } = this.handles();
    if (this.playing || this.paper) return false;
    const [u, least] = [look.unit, Math.max(this.least(), (this.page.balls[0]?.radius ?? 0) * this.camera.scale)];
    const near = (/** @type {number} */ x, /** @type {number} */ y) => this.editing || (pointer !== undefined && Math.hypot(x - pointer[0], y - pointer[1]) < SIGHT * u);
    const [accent, panel] = [look.of('accent'), look.of('panel')];
    const knob = (/** @type {number} */ x, /** @type {number} */ y) => mark(canvas, circle(x, y, 8 * u), { fill: panel, stroke: accent, width: 2.6 * u });
    places.forEach(([x, y], i) => { if (near(x, y)) knob(x, y); if (i === this.chosen && this.editing) mark(canvas, circle(x, y, 4 * u), { fill: accent }); });
    if (!start || !tip) return false;
    const [[x, y], shown] = [start, near(...start) || near(...tip)];
    if (!shown && (this.touched || time > (this.motions?.[0]?.begin ?? 0))) return false;
    mark(canvas, circle(x, y, least + 8 * u), { stroke: accent, width: 2.6 * u, dash: shown ? [] : [3 * u, 4 * u] });
    if (!shown) return false;
    mark(canvas, polyline([start, tip]), { stroke: accent, width: 1.2 * u });
    knob(...tip);
    for (const side of [-1, 1]) mark(canvas, polyline([[x - 5 * u, y + side * (least + 13 * u)], [x + 5 * u, y + side * (least + 13 * u)], [x, y + side * (least + 19 * u)]]), { fill: accent });
    return true;
  }

  /** An arrow as long as what it shows, beyond a length by its logarithm. @param {number[]} way pixels @returns {number[]} */
  bounded([dx = 0, dy = 0]) {
    const [length, most] = [Math.hypot(dx, dy), LONGEST * look.unit];
    const factor = length > most ? (most + Math.log(length / most) * 14 * look.unit) / length : 1;
    return [dx * factor, dy * factor];
  }

  /** @param {State} state @param {number} ball */
  drawArrows(state, ball) {
    const { canvas, camera, page, places: { [ball]: place }, drawn: { [ball]: at } } = this;
    if (!at || !place) return;
    const [u, { mass, radius }] = [look.unit, page.balls[ball]];
    const [room, size] = [[camera.width, camera.height - this.floor() - 6 * u], Math.max(this.least(), radius * camera.scale)];
    const weight = mass * 9.81;
    ARROWS.forEach(({ of, colour }, k) => {
      const [x = 0, y = 0] = of(state);
      const value = Math.hypot(x, y);
      const [dx = 0, dy = 0] = this.bounded([x * (this.units[k] ?? 0) * u, -y * (this.units[k] ?? 0) * u]);
      const length = Math.hypot(dx, dy);
      if (length < 7 * u || size > 400) return;
      const label = k === 0 ? velocity(value) : k === 1 ? `${(value / weight).toFixed(1)} g` : t('friction');
      // Friction acts where the ball touches.
      const away = k < 2 ? [(dx / length) * (size + 4 * u), (dy / length) * (size + 4 * u)] : [-state.nx * (size + 7 * u) + (dx / length) * 4 * u, state.ny * (size + 7 * u) + (dy / length) * 4 * u];
      // Beside the energies, which lie on top.
      const beside = small() || at[1] + dy > 215 * u ? 0 : 210 * u;
      arrow(canvas, [at[0] + (away[0] ?? 0), at[1] + (away[1] ?? 0)], [dx, dy], look.of(colour), label, [(room[0] ?? 0) - beside, room[1] ?? 0], k === 0 && this.held && state.time <= (this.motions?.[ball]?.begin ?? 0) ? 20 * u : 0);
    });
  }

  /** A bar that is as long as it says, and what else is not as it is. */
  drawScale() {
    const { canvas, camera } = this;
    const u = look.unit;
    const [left, bottom, length] = [(small() ? 9 : 16) * u, camera.height - (small() ? 14 : 17) * u, round125(((small() ? 70 : 110) * u) / camera.scale)];
    const right = left + length * camera.scale;
    const ink = look.of(this.paper ? 'ink' : 'onearth');
    canvas.font = look.text(500, 12.5);
    mark(canvas, polyline([[left, bottom - 5 * u], [left, bottom], [right, bottom], [right, bottom - 5 * u]]), { stroke: ink, width: 2 * u });
    const [several, more] = [(this.motions?.length ?? 0) > 1, this.enlarged];
    const drawn = several && !this.lines ? '' : more === Infinity ? t('a point mass, drawn as a ball') : more > 1.05 ? t('ball drawn {0}× its size', more < 10 ? more.toFixed(1) : Math.round(more)) : '';
    const dots = this.lines || (this.motions?.length ?? 0) > TRAILS ? '' : t('a dot every {0}', si(this.beat, 's'));
    const parts = [si(length, 'm'), ...(small() ? [] : [drawn, dots])].filter(Boolean);
    const words = () => parts.join('   ·   ');
    while (parts.length > 1 && right + canvas.measureText(words()).width > camera.width - (this.paper ? 20 : 290 * u)) parts.pop();
    written(canvas, words(), right + 8 * u, bottom, { fill: ink });
  }

  /** All layers in one picture. @returns {HTMLCanvasElement} */
  picture() {
    const whole = document.createElement('canvas');
    [whole.width, whole.height] = [this.element.width, this.element.height];
    this.compose(/** @type {CanvasRenderingContext2D} */ (whole.getContext('2d')));
    return whole;
  }

  /** @param {CanvasRenderingContext2D} canvas */
  compose(canvas) {
    for (const layer of [this.back, this.trails, this.element]) canvas.drawImage(layer, 0, 0);
  }
}

/** Makes a box as large as that a place is in it. @param {number[]} box @param {number} x @param {number} y */
function include(box, x, y) {
  if (x < (box[0] ?? 0)) box[0] = x;
  if (x > (box[1] ?? 0)) box[1] = x;
  if (y < (box[2] ?? 0)) box[2] = y;
  if (y > (box[3] ?? 0)) box[3] = y;
}

/** Entries of the legend of a study: its runs. @param {import('./study.js').Side[]} [runs] @returns {{ name: string, svg: string }[]} */
export function legend(runs) {
  if (!runs || runs.length < 2) return [];
  const sample = (/** @type {string} */ colour, /** @type {string} */ dash) => `<svg width="36" height="12" aria-hidden="true"><line x1="2" y1="6" x2="34" y2="6" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dash}" stroke-linecap="round"/></svg>`;
  return runs.map(({ name, letter, colour, dashed }) => ({ name: `${letter} ${name}`, svg: sample(colour, dashed ? '7 5' : '') }));
}

/** A picture of a phase beside its name. @param {HTMLCanvasElement} element @param {string} phase */
export function swatch(element, phase) {
  const canvas = /** @type {CanvasRenderingContext2D} */ (element.getContext('2d'));
  canvas.setTransform(2, 0, 0, 2, 0, 0);
  canvas.clearRect(0, 0, 42, 14);
  band(canvas, [0, 0, 42, 14], phase, look.of('ink'));
}
