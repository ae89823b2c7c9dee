// Puts the parts together.

import { Camera, zooms } from './camera.js';
import { connect } from './engine.js';
import { save, text } from './files.js';
import { clock, plain, si } from './format.js';
import { Ground } from './ground.js';
import { Graphs } from './graphs.js';
import { Live } from './live.js';
import { motions } from './motion.js';
import { narrow } from './paper.js';
import { Player, SPEEDS } from './player.js';
import { quantities, told } from './quantities.js';
import { legend, Scene } from './scene.js';
import { studyPanels, sides, Study } from './study.js';
import { Tables } from './tables.js';

/** An element that the page has. @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

/** The page of a run. */
export class Page {
  constructor() {
    this.camera = new Camera();
    this.scene = new Scene(element('scene', HTMLCanvasElement), element('trails', HTMLCanvasElement), this.camera);
    this.player = new Player((time) => this.draw(time));
    this.graphs = new Graphs(element('graphs', HTMLElement), (time) => this.player.go(time));
    this.tables = new Tables(element('tables', HTMLElement), (time) => this.player.go(time));
    this.study = new Study(element('study', HTMLElement), (run) => { this.ball = run; this.choose(); this.draw(this.player.time); });
    this.ball = 0;
    this.follow = false;
    /** Whether the reader has chosen what is seen. */
    this.own = false;
    this.written = '';
    /** What can be chosen. */
    this.options = '';
    this.lines = '';
    this.controls();
  }

  /** @param {import('./data.js').Data} data @param {'new' | 'quick'} [how] quick: of another run of the same scenario, whose tables come later */
  show(data, how = 'new') {
    const again = how === 'quick';
    const runs = sides(data);
    const { study } = data.document;
    const [{ document: all, arrays }] = /** @type {[import('./study.js').Side]} */ (runs);
    this.runs = study ? runs : undefined;
    this.all = all;
    this.motions = runs.flatMap((run) => motions(run.document, run.arrays));
    this.ball = Math.min(this.ball, this.motions.length - 1);
    element('app', HTMLElement).hidden = false;
    element('title', HTMLElement).textContent = data.document.title;
    element('subtitle', HTMLElement).textContent = study ? study.about : subtitle(all);
    const trouble = element('trouble', HTMLElement);
    trouble.textContent = runs.map(wrong).filter(Boolean).join('\n');
    // That there is more than the page computes is no fault.
    trouble.classList.toggle('note', Boolean(all.page.live?.late));
    trouble.hidden = trouble.textContent === '';
    this.scene.lines = runs.length > 1 ? runs.map(({ colour, dashed, letter }) => ({ colour, dash: dashed ? [7, 5] : [], letter })) : undefined;
    this.scene.seen = study?.seen ? data.arrays.seen : undefined;
    this.scene.leftOut = study?.seen ? data.arrays['left out'] : undefined;
    this.scene.show(this.motions, new Ground(arrays), study ? { ...all.page, balls: runs.map((run) => run.document.page.balls[0]) } : all.page);
    this.player.begin = Math.min(...this.motions.map((motion) => motion.begin));
    this.player.end = Math.max(...this.motions.map((motion) => motion.end));
    const balls = element('ball', HTMLSelectElement);
    const options = this.motions.map((_, i) => `<option value="${i}">${study ? text(`${runs[i]?.letter ?? ''} ${runs[i]?.name ?? ''}`.trim()) : i + 1}</option>`).join('');
    if (options !== this.options) balls.innerHTML = this.options = options;
    if (balls.parentElement?.firstChild) {
      balls.parentElement.hidden = this.motions.length < 2;
      balls.value = String(this.ball);
      balls.parentElement.firstChild.textContent = study ? 'run ' : 'ball ';
    }
    const lines = legend(this.motions, this.runs).map(({ name, svg }) => `<li>${svg}${text(name)}</li>`).join('');
    if (lines !== this.lines) element('legend', HTMLElement).innerHTML = this.lines = lines;
    if (study) {
      this.graphs.extra = studyPanels(data);
      this.study.show(study, runs);
    }
    if (!again) this.shape();
    if (!again) this.scene.resize();
    if (!again) this.fit();
    if (again) this.graph(); else this.choose();
    this.player.go(again ? this.player.time : this.player.begin);
  }

  /** Graphs of the chosen ball. */
  graph() {
    const motion = this.motions?.[this.ball];
    if (!motion || !this.all) return;
    const time = this.all.page.columns.indexOf('time');
    this.player.told = told(this.all.page);
    this.player.events = this.all.page.events.map((/** @type {any[]} */ row) => row[time]);
    this.graphs.show(motion, this.all.page, this.index());
  }

  /** Which of the balls of its run the chosen one is. @returns {number} */
  index() {
    return this.runs ? 0 : this.ball;
  }

  /** Graphs and tables of the chosen ball. */
  choose() {
    const motion = this.motions?.[this.ball];
    if (!motion || !this.all) return;
    this.all = this.runs?.[this.ball]?.document ?? this.all;
    element('ball', HTMLSelectElement).value = String(this.ball);
    this.study.choose(this.ball);
    this.graph();
    this.tables.show(this.all, motion);
    document.getElementById('csv')?.addEventListener('click', () => save('motion.csv', this.motionCsv()));
    document.getElementById('csv-events')?.addEventListener('click', () => save('events.csv', this.eventsCsv()));
  }

  /** A picture as high as the track needs. */
  shape() {
    const [left = 0, right = 1, low = 0, high = 1] = this.scene.box();
    const part = (high - low) / (right - left);
    const canvas = this.scene.element;
    canvas.style.height = `clamp(15rem, ${Math.round(canvas.clientWidth * part) + 90}px, 62vh)`;
  }

  /** What is shown is of no run that is asked for, or of it again. @param {boolean} refused @param {string} message in the picture */
  refuse(refused, message) {
    document.body.classList.toggle('refused', refused);
    const place = element('refused', HTMLElement);
    place.textContent = message;
    place.hidden = message === '';
  }

  /** Text for those who sit far away, or of the usual size. @param {boolean} large */
  large(large) {
    element('large', HTMLInputElement).checked = large;
    document.documentElement.classList.toggle('large', large);
    this.shape();
    this.scene.resize();
    this.graphs.anew();
    this.fit();
    this.draw(this.player.time);
  }

  /** For paper, or for the screen again. @param {boolean} paper */
  print(paper) {
    if (!this.motions || paper === this.scene.paper) return;
    if (paper) [this.tables.place, this.study.place].forEach(narrow);
    this.graphs.print(paper);
    this.scene.print(paper);
    this.draw(this.player.time);
  }

  /** The whole track. */
  fit() {
    this.own = false;
    this.camera.show(this.scene.box());
  }

  /** The whole track, if some of it is out of sight and the reader has not chosen what is seen. */
  keep() {
    const box = this.scene.box();
    if (this.own || this.follow || this.camera.shows(box)) return;
    this.camera.show(box);
    this.draw(this.player.time);
  }

  /** @param {number} time */
  draw(time) {
    const motion = this.motions?.[this.ball];
    if (!motion) return;
    const state = motion.at(time);
    if (this.follow) [this.camera.x, this.camera.y] = [state.x, state.y];
    this.scene.draw(time, this.ball);
    this.graphs.at(time);
    if (!this.player.playing) this.tables.at(time);
    const { begin, end, playing, speed } = this.player;
    element('time', HTMLInputElement).value = String(Math.round((1e6 * (time - begin)) / (end - begin || 1)));
    element('time', HTMLInputElement).setAttribute('aria-valuetext', `${plain(time, 6)} s`);
    // What is written anew is laid out and painted anew, also where it is the same.
    const now = `${playing} ${speed}`;
    if (now !== this.written) {
      this.written = now;
      const play = element('play', HTMLButtonElement);
      play.textContent = playing ? 'Pause' : 'Play';
      play.setAttribute('aria-pressed', String(playing));
      document.body.classList.toggle('playing', playing);
      element('speed', HTMLSelectElement).value = String(speed);
    }
    const readout = element('readout', HTMLElement);
    readout.setAttribute('aria-live', playing ? 'off' : 'polite');
    const { phase } = state;
    const event = playing ? -1 : this.player.events.lastIndexOf(time);
    const when = event < 0 ? clock(time, Math.min(speed, this.graphs.to - this.graphs.from)) : `${plain(time, 12)} s · event ${event + 1} of ${this.player.events.length}: ${this.kind(event)}`;
    const missing = time >= this.player.told && time < end ? ` · events after ${plain(this.player.told, 6)} s are left out` : '';
    readout.textContent = `t = ${when} · ${phase} · ${si(phase === 'resting' ? 0 : Math.sqrt(state.square), 'm/s')}${missing}`;
  }

  /** What an event is called. @param {number} index @returns {string} */
  kind(index) {
    const { columns, events } = this.all.page;
    return events[index][columns.indexOf('kind')];
  }

  controls() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => element(id, HTMLElement).addEventListener('click', act);
    on('play', () => this.player.play());
    on('previous', () => this.player.step(-1));
    on('next', () => this.player.step(1));
    on('fit', () => { this.fit(); this.draw(this.player.time); });
    on('closer', () => this.zoom(1.5));
    on('farther', () => this.zoom(1 / 1.5));
    on('shorter', () => this.graphs.zoom(1 / 2));
    on('longer', () => this.graphs.zoom(2));
    on('whole', () => this.graphs.zoom(Infinity));
    const speed = element('speed', HTMLSelectElement);
    speed.innerHTML = SPEEDS.map((value) => `<option value="${value}">${value < 1 ? `1/${Math.round(1 / value)}` : `${value}`}</option>`).join('');
    speed.addEventListener('change', () => { this.player.speed = Number(speed.value); this.draw(this.player.time); });
    const time = element('time', HTMLInputElement);
    time.addEventListener('input', () => { this.player.play(false); this.player.go(this.player.begin + (Number(time.value) / 1e6) * (this.player.end - this.player.begin)); });
    const ball = element('ball', HTMLSelectElement);
    ball.addEventListener('change', () => { this.ball = Number(ball.value); this.choose(); this.draw(this.player.time); });
    const follow = element('follow', HTMLInputElement);
    follow.addEventListener('change', () => { this.follow = follow.checked; this.draw(this.player.time); });
    const arrows = element('arrows', HTMLInputElement);
    arrows.addEventListener('change', () => { this.scene.arrows = arrows.checked; this.draw(this.player.time); });
    const large = element('large', HTMLInputElement);
    large.addEventListener('change', () => this.large(large.checked));
    this.pointers();
    const away = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => target.classList.toggle('away', !isIntersecting)));
    for (const id of ['tables', 'study']) away.observe(element(id, HTMLElement));
    for (const turn of ['beforeprint', 'afterprint']) addEventListener(turn, () => this.print(turn === 'beforeprint'));
    document.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => {
      if (!this.motions || !this.scene.resized()) return;
      this.scene.resize();
      this.graphs.resample();
      this.draw(this.player.time);
    }).observe(element('view', HTMLElement));
  }

  /** @param {number} factor @param {number} [px] @param {number} [py] */
  zoom(factor, px, py) {
    this.own = true;
    this.camera.zoom(px ?? this.camera.width / 2, py ?? this.camera.height / 2, factor);
    this.draw(this.player.time);
  }

  pointers() {
    const canvas = this.scene.element;
    /** @type {Map<number, [number, number]>} */
    const down = new Map();
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, [event.offsetX, event.offsetY]);
    });
    canvas.addEventListener('pointermove', (event) => {
      const before = down.get(event.pointerId);
      if (!before) return;
      const other = [...down.entries()].find(([id]) => id !== event.pointerId)?.[1];
      const now = /** @type {[number, number]} */ ([event.offsetX, event.offsetY]);
      down.set(event.pointerId, now);
      if (other) {
        const apart = (/** @type {[number, number]} */ p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
        this.zoom(apart(now) / Math.max(1, apart(before)), other[0], other[1]);
        return;
      }
      element('follow', HTMLInputElement).checked = this.follow = false;
      this.own = true;
      this.camera.pan(now[0] - before[0], now[1] - before[1]);
      this.draw(this.player.time);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(end, (event) => down.delete(/** @type {PointerEvent} */ (event).pointerId));
    }
    canvas.addEventListener('wheel', (event) => {
      if (!zooms(event, canvas)) return;
      event.preventDefault();
      this.zoom(1.2 ** -Math.sign(event.deltaY), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener('dblclick', () => { this.fit(); this.draw(this.player.time); });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const typing = target.matches('input:not([type="checkbox"]):not(#time), textarea, select') || event.ctrlKey || event.metaKey || event.altKey;
    if (typing || (event.key === ' ' && target.matches('button, summary, input'))) return;
    const { player } = this;
    /** @type {Record<string, () => void>} */
    const keys = {
      ' ': () => player.play(), ArrowRight: () => player.step(1), ArrowLeft: () => player.step(-1),
      '.': () => player.go(player.time + player.speed / 60), ',': () => player.go(player.time - player.speed / 60),
      ']': () => player.faster(1), '[': () => player.faster(-1), Home: () => player.go(player.begin), End: () => player.go(player.end),
      '+': () => this.zoom(1.5), '-': () => this.zoom(1 / 1.5), 0: () => this.fit(),
      t: () => this.graphs.zoom(1 / 2), T: () => this.graphs.zoom(2), a: () => this.graphs.zoom(Infinity),
      l: () => this.large(!element('large', HTMLInputElement).checked),
      f: () => { this.follow = !this.follow; element('follow', HTMLInputElement).checked = this.follow; },
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    this.draw(player.time);
  }

  /** The motion, row by row as the scenario asks. @returns {string} */
  motionCsv() {
    const motion = this.motions?.[this.ball];
    if (!motion || !this.all) return '';
    const list = quantities(this.all.page, this.index());
    const { interval, times = [] } = this.all.scenario.output;
    const ball = this.all.page.balls.length > 1 ? [this.index() + 1] : [];
    const first = Math.floor(motion.begin / interval);
    const rows = Math.min(2e5, Math.ceil((motion.end / interval) * (1 - 1e-12)) - first);
    const all = 'times' in motion ? [...motion.times] : [motion.begin, ...Array.from({ length: rows }, (_, i) => (first + i) * interval), ...times, motion.end];
    const inside = all.filter((time) => motion.begin <= time && time <= motion.end).sort((a, b) => a - b);
    const lines = [...new Set(inside)].map((time) => {
      const state = motion.at(time);
      return [...list.map(({ of }) => of(state)), state.phase, ...ball].join(',');
    });
    return [[...list.map(({ key }) => key), 'phase', ...(ball.length > 0 ? ['ball'] : [])].join(','), ...lines, ''].join('\n');
  }

  /** @returns {string} */
  eventsCsv() {
    const { columns, events } = this.all.page;
    const cell = (/** @type {any} */ value) => (/[",\n]/.test(String(value)) ? `"${String(value).replace(/"/g, '""')}"` : value);
    return [columns, ...events].map((row) => row.map(cell).join(',')).join('\n');
  }
}

/** What a reader must know of a run that is not all there. @param {import('./study.js').Side} side @returns {string} */
function wrong({ name, document: { stop, page, scenario } }) {
  const late = page.live?.late;
  const upTo = (/** @type {number} */ end, /** @type {number} */ of) => `shown up to t = ${plain(end, 6)} s of ${plain(of, 6)} s`;
  if (late) return `This is ${upTo(page.cut ?? page.end, scenario.solver.duration)}: ${late}.`;
  const cut = page.cut === null ? '' : `The path is ${upTo(page.cut, page.end)}: what comes later is left out, as it has too many pieces.`;
  const all = [stop ? `Stopped: ${stop}` : '', cut].filter(Boolean).join('\n');
  return all && name ? `${name}: ${all}` : all;
}

/** @param {any} all @returns {string} */
function subtitle(all) {
  const { page, ground, scenario } = all;
  const [ball] = page.balls;
  const balls = page.balls.length > 1 ? `${page.balls.length} balls` : `ball ${si(1000 * ball.mass, 'g')}, ${ball.radius > 0 ? `radius ${si(ball.radius, 'm')}` : 'point mass'}`;
  return `${balls}; ground: ${ground.title === 'untitled' ? ground.kind : `${ground.title} (${ground.kind})`}; ${scenario.solver.method}; ${page.event_count} ${page.event_count === 1 ? 'event' : 'events'} in ${plain(page.end, 6)} s`;
}

const engine = connect();
engine.open().then((data) => {
  const page = new Page();
  page.show(data);
  const live = data.document.page?.live;
  const behind = live ? new Live(page, live, element('live', HTMLElement), engine) : undefined;
  Object.assign(window, { kugelbahn: page, live: behind });
}).catch((error) => {
  const trouble = element('trouble', HTMLElement);
  trouble.textContent = `The page can't show its data: ${error.message}`;
  trouble.hidden = false;
});
