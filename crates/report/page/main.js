// Puts the parts together.

import { Camera } from './camera.js';
import { connect } from './engine.js';
import { happenings, pileAt, piles } from './events.js';
import { save, text } from './files.js';
import { clock, plain, si } from './format.js';
import { Ground } from './ground.js';
import { Graphs } from './graphs.js';
import { account, Hud, proof, sentence } from './hud.js';
import { eventsCsv, keysOf, motionCsv, pop, saving, share, toast, unpop } from './keep.js';
import { Lens } from './lens.js';
import { grows, Live } from './live.js';
import { between, calm, circle, clamp, look, mark, polyline, rectangle, sized, small } from './look.js';
import { motions } from './motion.js';
import { Player } from './player.js';
import { samples, told } from './quantities.js';
import { legend, Scene } from './scene.js';
import { SERIES, Strip } from './strip.js';
import { studyPanels, sides, Study } from './study.js';
import { narrow, Tables, toml } from './tables.js';
import { language, note, speak, t, translated } from './words.js';

/** A scene so many times as wide as its picture is shown larger, so much, and the picture goes along. */
const [WIDE, CLOSER] = [1.6, 1.85];
/** A ball that is followed is shown larger. */
const FOLLOWED = 2.6;
/** The picture goes where it should be in this time, s. */
const LAG = 0.11;
const ICONS = { play: '<path d="M7 4l14 8-14 8z" fill="currentColor"/>', pause: '<path d="M6 4h4.5v16H6zM13.5 4H18v16h-4.5z" fill="currentColor"/>' };
const SHIELD = '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 1l7 2.6v5.2c0 4.6-3 8.3-7 10.2C6 17.1 3 13.4 3 8.8V3.6z" fill="none" stroke="currentColor" stroke-width="1.7"/>';
const SIGNS = { good: 'M6.3 9.8l2.7 2.7 4.8-5.200', bad: 'M10 5.5v5.5M10 13.5v.6' };

/** An element that the page has. @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

/** @typedef {{ letter: string, name: string, roams?: boolean, lost?: number, touch?: number, told: import('./strip.js').Told, track: import('./scene.js').Track }} Rival A run to compare with;
 * `roams`: it may go anywhere, so that the picture does not follow it; `lost`: when it fell through the track, `touch`: when it touched it first, s. */

/** @typedef {[button: string, key: string, words: string, act: () => void]} Control */

/** The page of a run. */
export class Page {
  constructor() {
    note(document.body);
    speak(language());
    look.refresh();
    this.camera = new Camera();
    this.scene = new Scene(element('scene', HTMLCanvasElement), element('trails', HTMLCanvasElement), element('back', HTMLCanvasElement), this.camera);
    this.player = new Player((time) => this.draw(time));
    this.lens = new Lens(element('lens', HTMLElement), (time) => { this.player.play(false); this.player.go(time); });
    this.strip = new Strip(element('strip', HTMLCanvasElement), (time) => { this.player.play(false); this.player.go(time); }, (pile) => this.magnify(true, pile));
    this.hud = new Hud();
    this.graphs = new Graphs(element('graphs', HTMLElement), (time) => this.player.go(time));
    this.tables = new Tables(element('tables', HTMLElement), (time) => this.player.go(time));
    this.study = new Study(element('study', HTMLElement), (run) => { this.ball = run; this.choose(); this.draw(this.player.time); });
    this.ball = 0;
    this.title = '';
    this.follow = false;
    /** Whether all of a wide track is seen. */
    this.whole = false;
    /** Whether the reader has chosen what is seen. */
    this.own = false;
    /** Whether something is dragged in the picture: it stands still then. */
    this.frozen = false;
    /** Which time the picture is of, s. */
    this.looked = NaN;
    this.moved = 0;
    /** What is written, so that nothing is written anew. */
    this.written = '';
    /** @type {any} */ this.all = undefined;
    /** How it was before paper. @type {{ theme: string, size: string, time: number, own: boolean } | undefined} */
    this.screen = undefined;
    this.sheet = '';
    /** Sheets of the drawer that are not of this run yet. */
    this.stale = { graphs: true, tables: true };
    this.sound = false;
    /** @type {AudioContext | undefined} */ this.audio = undefined;
    /** @type {(() => void) | undefined} */ this.film = undefined;
    /** @type {Live | undefined} */ this.live = undefined;
    /** Runs to compare with, by their letters. @type {Map<string, Rival>} */
    this.rivals = new Map();
    this.player.rate = (time) => Math.min(this.player.speed, this.lens.rate(time));
    this.player.pass = (from, to) => this.pass(from, to);
    this.controls();
    this.pointers();
  }

  /** @param {import('./data.js').Data} data @param {'new' | 'quick'} [how] quick: of another run of the same scenario, whose tables come later */
  show(data, how = 'new') {
    const again = how === 'quick';
    const runs = sides(data);
    const { study } = data.document;
    const [{ document: all, arrays }] = /** @type {[import('./study.js').Side]} */ (runs);
    this.runs = study ? runs : undefined;
    this.all = all;
    this.title = data.document.title;
    this.motions = runs.flatMap((run) => motions(run.document, run.arrays));
    this.ball = Math.min(this.ball, this.motions.length - 1);
    element('app', HTMLElement).hidden = false;
    element('title', HTMLElement).textContent = this.title;
    element('subtitle', HTMLElement).textContent = study?.about ?? '';
    const trouble = element('trouble', HTMLElement);
    element('view', HTMLElement).append(trouble);
    trouble.textContent = runs.map(wrong).filter(Boolean).join('\n');
    // That there is more than the page computes is no fault.
    trouble.classList.toggle('note', Boolean(all.page.live?.late));
    trouble.hidden = trouble.textContent === '';
    const { scene } = this;
    scene.lines = study ? runs.map(({ colour, dashed, letter }) => ({ colour, dash: dashed ? [7, 5] : [], letter })) : undefined;
    [scene.seen, scene.leftOut] = study?.seen ? [data.arrays.seen, data.arrays['left out']] : [undefined, undefined];
    const single = runs.map((run) => (run.document.page.balls.length === 1 ? happenings(run.document.page, 0) : []));
    scene.show(this.motions, scene.ground?.of(arrays) ?? new Ground(arrays), study ? { ...all.page, balls: runs.map((run) => run.document.page.balls[0]) } : all.page, single);
    this.player.begin = Math.min(...this.motions.map((motion) => motion.begin));
    this.player.end = Math.max(...this.motions.map((motion) => motion.end));
    const balls = element('ball', HTMLSelectElement);
    const options = this.motions.map((_, i) => `<option value="${i}">${study ? text(`${runs[i]?.letter ?? ''} ${runs[i]?.name ?? ''}`.trim()) : i + 1}</option>`).join('');
    this.hud.write(balls, options, true);
    element('which', HTMLElement).hidden = this.motions.length < 2;
    balls.value = String(this.ball);
    const [which] = element('which', HTMLElement).children;
    if (which) which.textContent = t(study ? 'run' : 'ball');
    const lines = legend(this.runs).map(({ name, svg }) => `<li>${svg}${text(name)}</li>`).join('');
    this.hud.write(element('legend', HTMLElement), lines, true);
    if (study) {
      this.graphs.extra = studyPanels(data);
      this.study.show(study, runs);
    }
    this.proof();
    if (!again) scene.resize();
    if (!again) this.own = false;
    this.account();
    if (!again) this.thumb();
    if (again) this.refresh(['graphs']); else this.choose();
    this.player.go(again ? this.player.time : this.player.begin);
  }

  /** What is told of the chosen ball. */
  account() {
    const { scene, motions, all } = this;
    const motion = motions?.[this.ball];
    if (!motion || !all) return;
    this.all = this.runs?.[this.ball]?.document ?? all;
    const { page } = this.all;
    const events = happenings(page, this.index());
    this.told = account(motion, page, this.index(), this.states(motion), events, this.runs || page.balls.length > 1 ? [] : piles(events));
    [scene.events, scene.piles, scene.strongest, scene.drawnFor] = [events, this.told.piles, this.told.strongest, ''];
    this.lens.pile = pileAt(this.told.piles, this.player.time);
    element('magnify', HTMLElement).hidden = this.told.piles.length === 0;
    if (!this.lens.pile && this.lens.open) this.magnify(false);
    const time = page.columns.indexOf('time');
    this.player.told = told(page);
    this.player.events = page.events.map((/** @type {any[]} */ row) => row[time]);
    const rivals = [...this.rivals.values()];
    scene.ghosts = rivals.map(({ track, letter, roams }) => ({ ...track, letter, roams, next: 0, run: 0 }));
    this.strip.show(this.told, rivals.find(({ roams }) => !roams)?.told);
    this.player.end = Math.max(this.player.end, ...rivals.map(({ told, roams }) => (roams ? -Infinity : told.motion.end)));
  }

  /** States as close as a line below the picture needs them. @param {import('./scene.js').Motion} motion */
  states(motion) {
    return samples(motion, motion.begin, motion.end, Math.max(200, 0.3 * this.camera.width), 2);
  }

  /** Which of the balls of its run the chosen one is. @returns {number} */
  index() {
    return this.runs ? 0 : this.ball;
  }

  /** All that is of the chosen ball. */
  choose() {
    if (!this.motions || !this.all) return;
    element('ball', HTMLSelectElement).value = String(this.ball);
    this.account();
    this.study.choose(this.ball);
    this.proof();
    if (!this.all.page.live) this.recorded();
    this.refresh(['graphs', 'tables']);
  }

  /** Sheets of the drawer are of another run now. @param {('graphs' | 'tables')[]} sheets */
  refresh(sheets) {
    for (const sheet of sheets) this.stale[sheet] = true;
    if (this.sheet) this.fill(this.sheet === 'graphs' ? 'graphs' : 'tables');
  }

  /** Fills a sheet, if it is not of this run yet. @param {'graphs' | 'tables'} sheet */
  fill(sheet) {
    const motion = this.motions?.[this.ball];
    if (!motion || !this.stale[sheet]) return;
    this.stale[sheet] = false;
    if (sheet === 'graphs') this.graphs.show(motion, this.all.page, this.index(), this.told?.events ?? []);
    else this.tables.show(this.all, motion, this.told?.piles ?? []);
  }

  /** Opens a sheet of the drawer, or closes it. @param {string} [sheet] */
  data(sheet = '') {
    const drawer = element('drawer', HTMLElement);
    this.sheet = sheet;
    drawer.hidden = sheet === '';
    drawer.dataset.sheet = sheet;
    document.body.classList.toggle('data', sheet !== '');
    element('data-open', HTMLElement).setAttribute('aria-expanded', String(sheet !== ''));
    const sheets = [...(this.runs ? [['study', t('Study')]] : []), ['events', `${t('Events')} ${this.all?.page.event_count ?? ''}`], ['graphs', t('Graphs')], ['audit', t('Energy')], ...(this.all?.page.steps ? [] : [['phases', t('Phases')]]), ['scenario', t('Scenario')], ...(this.live?.others().length ? [['beside', t('Others')]] : [])];
    const tabs = element('sheets', HTMLElement);
    tabs.innerHTML = sheets.map(([key, name]) => `<button type="button" role="tab" data-key="${key}" aria-selected="${key === sheet}">${name}</button>`).join('');
    tabs.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.resize();
    if (sheet === '') return;
    this.fill(sheet === 'graphs' ? 'graphs' : 'tables');
    if (sheet === 'graphs' && this.graphs.motion) this.graphs.resample();
    if (!this.stale.tables) this.tables.at(this.player.time);
  }

  /** The picture has another size. */
  resize() {
    if (!this.motions || !this.scene.resized()) return;
    this.scene.resize();
    this.lay();
    if (this.sheet === 'graphs') this.graphs.resample();
    this.draw(this.player.time, true);
  }

  /** What is shown is of no run that is asked for, or of it again. @param {boolean} refused @param {string} message in the picture */
  refuse(refused, message) {
    document.body.classList.toggle('refused', refused);
    const place = element('refused', HTMLElement);
    place.textContent = message;
    place.hidden = message === '';
  }

  /** All that is drawn in other colours or sizes. */
  anew() {
    look.refresh();
    this.hud.anew();
    this.thumb();
    this.scene.resize();
    if (!this.stale.graphs) this.graphs.anew();
    this.account();
    this.lay();
    this.draw(this.player.time, true);
  }

  /** For paper, or for the screen again. @param {boolean} paper */
  print(paper) {
    if (!this.motions || paper === this.scene.paper) return;
    const { dataset } = document.documentElement;
    if (paper) {
      this.screen = { theme: dataset.theme ?? '', size: dataset.size ?? '', time: this.player.time, own: this.own };
      [dataset.theme, dataset.size] = ['light', ''];
      this.fill('graphs');
      this.fill('tables');
      [this.tables.place, this.study.place].forEach(narrow);
    } else if (this.screen) [dataset.theme, dataset.size] = [this.screen.theme, this.screen.size];
    look.refresh();
    this.graphs.paper = paper;
    this.graphs.anew();
    this.scene.print(paper);
    // On paper all of the path is seen.
    this.own = !paper && Boolean(this.screen?.own);
    this.player.time = paper ? this.player.end : this.screen?.time ?? 0;
    this.hud.anew();
    this.draw(this.player.time, true);
  }

  /** The whole track. */
  fit() {
    this.own = false;
    this.draw(this.player.time, true);
  }

  /** What the picture should show: its middle, m, and pixels of a metre. @param {import('./motion.js').State} state */
  aim({ x, y, vx }) {
    const { camera: { width, height }, scene, lens } = this;
    const u = look.unit;
    const [left = 0, right = 1, low = 0, high = 1] = scene.box();
    const [wide, tall] = [Math.max(right - left, 1e-300), Math.max(high - low, 1e-300)];
    const upright = tall > 0.4 * wide;
    let room = small() ? [26 * u, width - 26 * u, 62 * u] : upright ? [170 * u, width - 205 * u, 30 * u] : [30 * u, width - 30 * u, 24 * u];
    if (lens.open) room = small() ? [26 * u, width - 26 * u, height * 0.6] : upright ? [26 * u, width * 0.31, 140 * u] : [30 * u, width - 30 * u, lens.place.offsetHeight + 36 * u];
    if (scene.paper) room = [12, width - 12, 8];
    const [from = 0, to = width, top = 0] = room;
    const bottom = height - (scene.paper ? 26 : scene.floor() + 8 * u);
    let scale = 0.97 * Math.min((to - from) / wide, (bottom - top) / tall);
    // What is read stands above what is not slim.
    if (upright && !small() && !scene.paper && 0.5 * (from + to) - 0.5 * wide * scale < 380 * u) scale = 0.97 * Math.min((to - from) / wide, (bottom - 140 * u) / tall);
    let middle = 0.5 * (left + right);
    const seen = 0.5 * (from + to);
    if (this.follow && !scene.paper) return { x, y, scale: scale * FOLLOWED };
    if (this.along(wide, tall)) {
      // Below what is read and the energies, if that leaves it as large as the whole track would be.
      scale = Math.max(scale, Math.min(scale * (small() ? 1.25 * CLOSER : CLOSER), (bottom - (small() ? top : 225 * u)) / tall));
      const half = (to - from) / 2 / scale;
      middle = clamp(x + clamp(vx * 0.12, -0.12 * half, 0.12 * half), Math.min(left + half, right - half), Math.max(left + half, right - half));
    }
    return { x: middle + (0.5 * width - seen) / scale, y: low + (bottom - 0.5 * height) / scale, scale };
  }

  /** Whether the picture goes along with the ball: the track is much wider than it. @param {number} wide m @param {number} tall m @returns {boolean} */
  along(wide, tall) {
    const { camera: { width, height }, scene } = this;
    return !this.whole && !scene.paper && !scene.lines && !this.lens.open && this.rivals.size === 0 && !scene.editing && !calm() && (this.motions?.length ?? 0) === 1 && wide / tall > (WIDE * width) / height;
  }

  /** Moves the picture to where it should be: at once, or while it plays in a short time. @param {import('./motion.js').State} state @param {boolean} hard */
  look(state, hard) {
    const { camera } = this;
    const now = performance.now();
    const since = Math.min(0.1, (now - this.moved) / 1000);
    this.moved = now;
    if (this.own || this.frozen) return;
    const aim = this.aim(state);
    // Nearer than a part of a pixel it is there: what stands still is not drawn anew.
    const away = Math.hypot(aim.x - camera.x, aim.y - camera.y) * aim.scale + Math.abs(aim.scale / camera.scale - 1) * camera.width;
    if (!hard && this.player.playing && !calm() && away > 0.2) {
      const part = 1 - Math.exp(-since / LAG);
      camera.x += part * (aim.x - camera.x);
      camera.y += part * (aim.y - camera.y);
      camera.scale *= (aim.scale / camera.scale) ** part;
      return;
    }
    // While values change at one time the picture stays, as long as it shows what it should.
    const [left = 0, right = 1, low = 0, high = 1] = this.scene.box();
    const seen = this.along(right - left, high - low) ? [state.x, state.x, state.y, high] : [left, right, low, high];
    const stays = !hard && this.looked === state.time && camera.shows(seen) && camera.py(low) < camera.height - this.scene.floor() && aim.scale < 1.5 * camera.scale;
    this.looked = state.time;
    if (stays) return;
    Object.assign(camera, aim);
  }

  /** @param {number} time @param {boolean} [hard] the picture moves at once */
  draw(time, hard = false) {
    const motion = this.motions?.[this.ball];
    if (!motion || !this.told) return;
    const { scene, player, lens } = this;
    const state = motion.at(time);
    this.look(state, hard);
    scene.playing = player.playing;
    scene.touched ||= player.playing;
    scene.draw(time, this.ball);
    element('view', HTMLElement).classList.toggle('covered', scene.covered);
    this.strip.draw(time);
    const [, , low = 0, high = 1] = scene.motionBox ?? [];
    this.hud.draw(this.told, state, high - low);
    if (!player.playing) lens.pile = lens.open && lens.pile && time >= lens.pile.from - (lens.pile.to - lens.pile.from) && time <= lens.pile.to + 1e-9 ? lens.pile : pileAt(this.told.piles, time);
    lens.draw(time, state, lens.pile ? motion.at(lens.pile.to).phase : '');
    if (this.sheet === 'graphs') this.graphs.at(time);
    else if (this.sheet && !this.stale.tables) this.tables.at(time);
    if (scene.rings.length > 0 && !player.playing) requestAnimationFrame(() => { if (!player.playing) this.draw(player.time); });
    this.film?.();
    this.say(time, state);
  }

  /** Words of a time. @param {number} time @param {import('./motion.js').State} state */
  say(time, state) {
    const { player, strip, hud } = this;
    const { playing, speed } = player;
    const rate = player.rate(time);
    hud.write(element('rate', HTMLElement), (rate > 0.995 ? t('real time') : `1/${Number((1 / rate).toPrecision(2)).toLocaleString('en').replaceAll(',', ' ')}`) + (rate < 0.999 * speed ? ' ∞' : ''));
    const now = `${playing} ${speed} ${language()}`;
    if (now !== this.written) {
      this.written = now;
      const play = element('play', HTMLButtonElement);
      play.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${playing ? ICONS.pause : ICONS.play}</svg>`;
      play.setAttribute('aria-label', t(playing ? 'Pause' : 'Play'));
      document.body.classList.toggle('playing', playing);
      const slider = element('speed', HTMLInputElement);
      slider.value = String(Math.log10(speed));
      slider.style.setProperty('--p', `${(100 * (Math.log10(speed) + 3)) / 3}%`);
      element('readout', HTMLElement).setAttribute('aria-live', playing ? 'off' : 'polite');
    }
    const event = playing ? -1 : player.events.lastIndexOf(time);
    const pile = this.lens.open ? this.lens.pile : undefined;
    const digits = pile ? clamp(Math.ceil(-Math.log10(Math.max(Math.abs(pile.to - time), 1e-10))) + 2, 3, 10) : event < 0 ? 3 : 6;
    const clocked = `<span>${time.toFixed(digits).replace('-', '−')}</span> <small>${event < 0 ? t('s of {0}', plain(player.end, 4)) : `s · ${t('event {0} of {1}', event + 1, player.events.length)}`}</small>`;
    hud.write(element('clock', HTMLElement), clocked, true);
    const missing = time >= player.told && time < player.end ? t('events after {0} s are left out', plain(player.told, 6)) : '';
    const said = [this.scene.editing ? this.editing() : sentence(/** @type {import('./strip.js').Told} */ (this.told), time, { study: Boolean(this.runs), live: Boolean(this.live) }), missing].filter(Boolean).join(' · ');
    hud.write(element('readout', HTMLElement), said, true);
    if (playing) return;
    for (const place of [strip.element, this.lens.log]) {
      place?.setAttribute('aria-valuemin', String(player.begin));
      place?.setAttribute('aria-valuemax', String(player.end));
      place?.setAttribute('aria-valuenow', String(time));
    }
    strip.element.setAttribute('aria-valuetext', `${clock(time, 1)}, ${t(state.phase === 'flight' ? 'flying' : state.phase)}`);
    for (const rival of this.rivals.values()) hud.write(document.getElementById(`apart-${rival.letter}`) ?? undefined, this.apart(rival, time, state));
  }

  /** How far another run is from this one. @param {Rival} rival @param {number} time @param {import('./motion.js').State} state @returns {string} */
  apart({ told, lost }, time, { x, y }) {
    const other = told.motion.at(time);
    return lost !== undefined && time >= lost ? t('fell through the track at {0} s', lost.toFixed(2)) : t('now {0} apart', si(Math.hypot(other.x - x, other.y - y), 'm', 2));
  }

  /** A run beside this one, as it is drawn and told. @param {Omit<Rival, 'told' | 'track'>} rival @param {import('./scene.js').Motion} motion @param {any} page of it */
  beside(rival, motion, page) {
    const events = happenings(page, this.index());
    const track = this.scene.track(motion, page.balls[this.index()]?.radius ?? 0, events);
    this.rivals.set(rival.letter, { ...rival, told: account(motion, page, this.index(), this.states(motion), events, []), track });
    this.anew();
  }

  /** @returns {string} HTML */
  editing() {
    if (!this.live?.points.length) return t('This track has no points to drag: its numbers and formulas are at the right.');
    const how = ![...this.live.lists.values()].some(grows) ? 'drag them; a run follows each change.' : small() ? 'drag them; hold the track to add one, a point to take it away.' : 'drag them; a double click adds one, Delete takes the last touched away.';
    return `<b>${t('Points of the track:')}</b> ${t(how)}`;
  }

  /** A step of time: what it passes is seen and heard. @param {number} from @param {number} to @returns {{ time: number, halt: number }} */
  pass(from, to) {
    const passed = this.lens.pass(from, to);
    let count = 0;
    for (const event of this.told?.events ?? []) {
      if (event.time > passed.time || count >= 3) break;
      if (event.time <= from || event.kind !== 'impact') continue;
      count += 1;
      if ((this.motions?.length ?? 0) === 1) this.scene.hit(event);
      this.click(event.impulse / this.scene.strongest);
    }
    return passed;
  }

  /** A bounce is heard. @param {number} part of the strongest */
  click(part) {
    if (!this.sound) return;
    this.audio ??= new AudioContext();
    const { audio } = this;
    const [tone, loud, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
    tone.frequency.value = 260 + 700 * Math.sqrt(part);
    loud.gain.setValueAtTime(0.03 + 0.25 * Math.sqrt(part), now);
    loud.gain.exponentialRampToValueAtTime(1e-4, now + 0.07);
    tone.connect(loud).connect(audio.destination);
    tone.start(now);
    tone.stop(now + 0.08);
  }

  /** Opens the magnifier, or closes it. @param {boolean} open @param {import('./events.js').Pile} [pile] */
  magnify(open, pile = pileAt(this.told?.piles ?? [], this.player.time)) {
    const { lens } = this;
    if (open && !pile) return toast(t('No pile of bounces in this run.'));
    [lens.open, lens.pile] = [open, pile];
    lens.place.hidden = !open;
    element('view', HTMLElement).classList.toggle('lens', open);
    element('magnify', HTMLElement).setAttribute('aria-pressed', String(open));
    this.own = false;
    this.lay();
    const { time, playing } = this.player;
    if (open && pile && !playing && (time < pile.from - 0.4 * (pile.to - pile.from) || time > pile.to)) this.player.time = pile.hops[1]?.time ?? pile.from;
    this.draw(this.player.time, !playing);
  }

  /** Where the magnifier has room. */
  lay() {
    const { lens: { place, open }, camera: { width, height } } = this;
    place.style.cssText = '';
    if (!open || small()) return;
    const u = look.unit;
    const [left = 0, right = 1, low = 0, high = 1] = this.scene.box();
    const upright = high - low > 0.4 * (right - left);
    Object.assign(place.style, { right: `${element('energy', HTMLElement).offsetWidth + 28 * u}px`, left: `${upright ? width * 0.335 : Math.max(element('hud', HTMLElement).offsetWidth + 34 * u, width * 0.25)}px`, top: `${upright ? Math.max(12 * u, (height - place.offsetHeight) * 0.42) : 12 * u}px` });
  }

  /** The badge of what was checked. */
  proof() {
    const place = element('proof', HTMLElement);
    place.hidden = Boolean(this.runs && this.runs.length > 1);
    if (!this.all?.energy) return;
    const { state, short, long } = proof(this.all);
    place.dataset.state = state;
    const html = `${SHIELD}<path d="${state === 'proven' ? SIGNS.good : SIGNS.bad}" fill="none" stroke="currentColor" stroke-width="2"/></svg><span>${text(short)}<span class="long">: ${text(long)}</span></span>`;
    this.hud.write(place, html, true);
  }

  /** What that badge is about. */
  explain() {
    const { state, points } = proof(this.all);
    const sign = (/** @type {boolean} */ good) => `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${good ? 'M3 10.5l4.5 4.5L17 5' : 'M10 3v9M10 15v2'}" fill="none" stroke="currentColor" stroke-width="2.6"/></svg>`;
    const list = points.map(([good, head, words]) => `<li${good ? '' : ' class="bad"'}>${sign(good)}<div>${head ? `<b>${t(head)}</b> ` : ''}${text(words)}</div></li>`);
    const sheet = pop(element('proof', HTMLElement), `<h2>${t(state === 'proven' ? 'Why you can trust this picture' : 'What is known of this picture')}</h2><ul>${list.join('')}</ul><p><button type="button" class="btn">${t('See the audit')}</button></p>`);
    sheet.querySelector('button')?.addEventListener('click', () => { unpop(); this.data('audit'); });
  }

  /** A small picture of the track. */
  thumb() {
    const { motions: [motion] = [], scene } = this;
    if (!motion || !scene.ground) return;
    const [canvas, width, height] = sized(element('thumb', HTMLCanvasElement), [160, 90]);
    const camera = Object.assign(new Camera(), { width, height });
    camera.show(scene.box());
    const path = Array.from({ length: 121 }, (_, i) => { const time = between(motion.begin, motion.end, i / 120); return motion.place(motion.find(time), time); }).map(([x, y]) => [camera.px(x), camera.py(y)]);
    mark(canvas, rectangle(0, 0, width, height), { fill: look.of('sky1') });
    scene.ground.draw(canvas, camera, motion.begin, 0, 0);
    mark(canvas, polyline(path), { stroke: look.of('edge'), width: 2 });
    mark(canvas, circle(path[0]?.[0] ?? 0, path[0]?.[1] ?? 0, 7), { fill: look.of('ball') });
  }

  /** The rail of a run that nothing computes anew: its values, or the runs of a study. */
  recorded() {
    const { scenario, page } = this.all;
    const place = element('live', HTMLElement);
    if (this.runs) {
      const runs = this.runs.map(({ name, letter, colour }, i) => `<button type="button" role="radio" aria-checked="${i === this.ball}" data-run="${i}" class="btn" style="justify-content: flex-start; white-space: normal; text-align: left"><i class="key" style="border-color: ${text(colour)}"></i><b>${text(letter)}</b> ${text(name)}</button>`);
      place.innerHTML = `<h2><span>${t('Runs')}</span></h2><div class="tries" role="radiogroup" aria-label="${t('Runs')}">${runs.join('')}</div>`;
      for (const button of place.querySelectorAll('button')) button.addEventListener('click', () => { this.ball = Number(button.dataset.run); this.choose(); this.draw(this.player.time); });
      return;
    }
    const [ball] = page.balls;
    const { restitution, friction } = scenario.contact ?? {};
    const rows = [
      page.balls.length > 1 ? ['balls', page.balls.length] : ['mass', si(1000 * ball.mass, 'g')], ['radius', ball.radius > 0 ? si(ball.radius, 'm') : t('point mass')], ...(typeof restitution === 'number' ? [['bounciness', restitution]] : []),
      ['grip', friction === 'infinite' ? t('infinite') : friction], ['gravity', si(Math.hypot(...page.gravity), 'm/s²')], ['method', scenario.solver.method], ['duration', si(page.end, 's')],
    ].filter(([, value]) => ['string', 'number'].includes(typeof value));
    place.innerHTML = `<h2><span>${t('This run')}</span></h2><dl>${rows.map(([name, value]) => `<dt>${t(String(name))}</dt><dd>${text(String(value))}</dd>`).join('')}</dl><hr><p class="about">${t('A recorded run. To change it:')}<br><code>kugelbahn live scenario.toml</code></p>`;
  }

  /** What the reader can do: the button for it, its keys, what the sheet of keys says, and the act. @returns {Control[]} */
  acts() {
    const { player, scene, graphs } = this;
    const pressed = (/** @type {string} */ id, /** @type {boolean} */ is) => { element(id, HTMLElement).setAttribute('aria-pressed', String(is)); this.draw(player.time, !player.playing); };
    const leap = (/** @type {number} */ pictures) => { player.play(false); player.go(player.time + (pictures * player.rate(player.time)) / 60); };
    const pace = (/** @type {number} */ way) => { player.faster(way); this.draw(player.time); };
    const stretch = (/** @type {number} */ factor) => { if (this.sheet === 'graphs') graphs.zoom(factor); };
    return [
      ['play', ' ', 'play, pause', () => player.play()], ['previous', 'ArrowLeft', 'event before', () => player.step(-1)], ['next', 'ArrowRight', 'event after', () => player.step(1)],
      ['restart', 'Home', 'start', () => { player.play(false); player.go(player.begin); }], ['', 'End', 'end', () => player.go(player.end)],
      ['', ',', 'one picture back', () => leap(-1)], ['', '.', 'one picture on', () => leap(1)], ['', '[', 'slower', () => pace(-1)], ['', ']', 'faster', () => pace(1)],
      ['magnify', 'z', 'Zeno magnifier', () => this.magnify(!this.lens.open)], ['lens-close', '', '', () => this.magnify(false)], ['', 'g', 'keep this run as a ghost', () => this.live?.pin()],
      ['follow', 'f', 'follow the ball', () => { this.follow = !this.follow; this.own = false; pressed('follow', this.follow); }],
      ['fit', '0', 'the whole track', () => { this.whole = this.own ? this.whole : !this.whole; this.own = false; pressed('fit', this.whole); }],
      ['', '+', 'zoom in', () => this.zoom(1.5)], ['', '-', 'zoom out', () => this.zoom(1 / 1.5)],
      ['arrows', 'v', 'arrows', () => { scene.arrows = !scene.arrows; pressed('arrows', scene.arrows); }],
      ['edit', 'e', 'points of the track', () => { scene.editing = !scene.editing; player.play(false); pressed('edit', scene.editing); }],
      ['sound', 'm', 'sound of bounces', () => { this.sound = !this.sound; pressed('sound', this.sound); }], ['pick', 'o', 'examples', () => this.live?.gallery()],
      ['data-open', 'd', 'data', () => this.data(this.sheet ? '' : this.runs ? 'study' : 'events')], ['drawer-close', '', '', () => this.data()],
      ['shorter', 't', 'graphs: less time', () => stretch(1 / 2)], ['longer', 'T', 'graphs: more time', () => stretch(2)], ['whole', 'a', 'graphs: all', () => stretch(Infinity)],
      ['', 'l', 'large, as for a projector', () => { document.documentElement.dataset.size = document.documentElement.dataset.size === 'large' ? '' : 'large'; this.anew(); }],
      ['keys', '?', 'keys, language', () => keysOf(this, element('keys', HTMLElement), language(), (code) => this.speak(code))],
      ['proof', '', '', () => this.explain()], ['share', '', '', () => share(this)],
      ['save', '', '', () => saving(this, element('save', HTMLElement), { toml: () => (this.live ? this.live.saveToml() : save('scenario.toml', `${toml(this.all.scenario)}\n`, 'text/plain')), ...(this.live && { html: () => this.live?.saveHtml() }) })],
      ['drawer-csv', '', '', () => (this.sheet === 'graphs' ? save('motion.csv', motionCsv(this)) : save('events.csv', eventsCsv(this.all)))],
      ['theme', '', '', () => { document.documentElement.dataset.theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'; this.anew(); }],
    ];
  }

  controls() {
    const { player } = this;
    this.actions = this.acts();
    for (const [id, , , act] of this.actions) if (id) element(id, HTMLElement).addEventListener('click', act);
    const chosen = (/** @type {string} */ id, /** @type {(key: string) => void} */ act) => element(id, HTMLElement).addEventListener('click', (event) => { const { key } = /** @type {HTMLElement} */ (event.target).dataset; if (key) act(key); });
    chosen('sheets', (key) => this.data(key));
    chosen('series', (key) => this.graph(key));
    this.graph(this.strip.chosen);
    const speed = element('speed', HTMLInputElement);
    speed.addEventListener('input', () => {
      const value = Number(speed.value);
      player.speed = 10 ** ([-3, -2, -1, 0].find((decade) => Math.abs(value - decade) < 0.04) ?? value);
      this.say(player.time, /** @type {import('./motion.js').State} */ (this.motions?.[this.ball]?.at(player.time)));
    });
    const ball = element('ball', HTMLSelectElement);
    ball.addEventListener('change', () => { this.ball = Number(ball.value); this.choose(); this.draw(player.time); });
    for (const turn of ['beforeprint', 'afterprint']) addEventListener(turn, () => this.print(turn === 'beforeprint'));
    document.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('pointerdown', (event) => { if (!/** @type {HTMLElement} */ (event.target).closest('.pop, [aria-haspopup]')) unpop(); });
    document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    look.refresh();
    new ResizeObserver(() => { look.refresh(); this.resize(); }).observe(element('view', HTMLElement));
  }

  /** Chooses the graph below the picture. @param {string} key */
  graph(key) {
    this.strip.chosen = key;
    element('series', HTMLElement).innerHTML = SERIES.map(([one, name]) => `<button type="button" role="tab" data-key="${one}" aria-selected="${one === key}">${t(name)}</button>`).join('');
    this.draw(this.player.time);
  }

  /** Another language. @param {'en' | 'de'} code */
  speak(code) {
    speak(code);
    this.hud.anew();
    this.scene.drawnFor = this.strip.drawnFor = '';
    this.graph(this.strip.chosen);
    this.live?.build(this.all.page.live);
    this.choose();
    this.draw(this.player.time);
    if (this.sheet) this.data(this.sheet);
  }

  /** @param {number} factor @param {number} [px] @param {number} [py] */
  zoom(factor, px, py) {
    this.own = true;
    this.camera.zoom(px ?? this.camera.width / 2, py ?? this.camera.height / 2, factor);
    this.draw(this.player.time);
  }

  pointers() {
    const { scene, camera, player } = this;
    const canvas = scene.element;
    const down = /** @type {Map<number, [number, number]>} */ (new Map());
    let way = 0;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, [event.offsetX, event.offsetY]);
      way = 0;
    });
    canvas.addEventListener('pointermove', (event) => {
      const before = down.get(event.pointerId);
      const now = /** @type {[number, number]} */ ([event.offsetX, event.offsetY]);
      if (!before) return this.hover(now);
      const other = [...down.entries()].find(([id]) => id !== event.pointerId)?.[1];
      down.set(event.pointerId, now);
      way += Math.hypot(now[0] - before[0], now[1] - before[1]);
      if (other) {
        const apart = (/** @type {[number, number]} */ p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
        this.zoom(apart(now) / Math.max(1, apart(before)), other[0], other[1]);
        return;
      }
      if (way < 4) return;
      if (this.follow) element('follow', HTMLElement).click();
      this.own = true;
      camera.pan(now[0] - before[0], now[1] - before[1]);
      this.draw(player.time);
    });
    canvas.addEventListener('pointerup', (event) => { if (way < 4 && down.size === 1) this.touch(event.offsetX, event.offsetY); });
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, (event) => down.delete(/** @type {PointerEvent} */ (event).pointerId));
    canvas.addEventListener('pointerleave', () => { scene.pointer = undefined; this.tip(); if (!player.playing) this.draw(player.time); });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-0.0015 * clamp(event.deltaY, -300, 300)), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener('dblclick', () => this.fit());
  }

  /** The pointer is somewhere: what is there says what it is. @param {[number, number]} place */
  hover([x, y]) {
    const { scene, player } = this;
    scene.pointer = [x, y];
    const spot = scene.spots.find(({ px, py, box: [left = 0, top = 0, w = 0, h = 0] = [] }) => Math.hypot(px - x, py - y) < 12 * look.unit || (x > left && y > top && x < left + w && y < top + h));
    if (!spot) this.tip();
    else if (spot.pile) this.tip(t('a click: Zeno magnifier'), x, y);
    else if (spot.count > 1) this.tip(t('{0} bounces, {1} to {2} s', spot.count, spot.from.time.toFixed(3), spot.last.time.toFixed(3)), x, y);
    else this.tip(t('{0} at {1} s', t(spot.from.kind), spot.from.time.toFixed(3)) + (spot.from.impulse > 0 ? `, ${t('impulse {0}', si(spot.from.impulse, 'N s'))}` : ''), x, y);
    if (!player.playing && this.live) this.draw(player.time);
  }

  /** @param {string} [words] none: nothing is said @param {number} [x] @param {number} [y] */
  tip(words = '', x = 0, y = 0) {
    const place = element('tip', HTMLElement);
    place.hidden = words === '';
    if (words) Object.assign(place.style, { left: `${x}px`, top: `${y}px` });
    this.hud.write(place, words);
  }

  /** A click in the picture: a pile of bounces is magnified, one of several balls chosen. @param {number} x @param {number} y */
  touch(x, y) {
    const { scene } = this;
    const spot = scene.spots.find(({ box: [left = 0, top = 0, w = 0, h = 0] = [] }) => x > left - 4 && y > top - 4 && x < left + w + 4 && y < top + h + 4);
    if (spot?.pile) return this.magnify(true, spot.pile);
    if (scene.drawn.length < 2) return;
    const away = scene.drawn.map(([px, py]) => Math.hypot(px - x, py - y));
    const nearest = away.indexOf(Math.min(...away));
    if ((away[nearest] ?? 99) > 24 || nearest === this.ball) return;
    this.ball = nearest;
    this.choose();
    this.draw(this.player.time);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const typing = target.matches('input:not([type="checkbox"]), textarea, select') || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== 'Escape' && (typing || (event.key === ' ' && target.matches('button, summary, input')))) return;
    const escape = () => { unpop(); if (this.live && !this.live.closed()) return; if (this.lens.open) this.magnify(false); else if (this.scene.editing) element('edit', HTMLElement).click(); else this.data(); };
    const act = event.key === 'Escape' ? escape : this.actions?.find(([, key]) => key === event.key)?.[3];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Goes to the state that a link tells. @param {URLSearchParams} state */
  restore(state) {
    const { player } = this;
    const [ball, speed, graph] = [Number(state.get('ball')), Number(state.get('speed')), state.get('graph')];
    if (ball > 0 && ball <= (this.motions?.length ?? 0)) { this.ball = ball - 1; this.choose(); }
    if (speed >= 1e-3 && speed < 1) player.speed = speed;
    if (graph && SERIES.some(([key]) => key === graph)) this.graph(graph);
    if (Number.isFinite(Number(state.get('t') ?? NaN))) player.go(Number(state.get('t')));
    if (state.get('lens') && this.told?.piles.length) this.magnify(true);
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

const engine = connect();
engine.open().then(async (data) => {
  const page = new Page();
  const state = new URLSearchParams(location.hash.slice(1));
  page.show(data);
  const live = data.document.page?.live;
  if (live) page.live = new Live(page, live, element('live', HTMLElement), engine);
  element('pick', HTMLButtonElement).disabled = !live;
  element('edit', HTMLElement).hidden = !live;
  await page.live?.restore(state);
  page.restore(state);
  if (page.runs && !small()) page.data('study');
  Object.assign(window, { translated, kugelbahn: page, live: page.live, motionCsv: () => motionCsv(page), eventsCsv: () => eventsCsv(page.all) });
}).catch((error) => {
  const trouble = element('trouble', HTMLElement);
  trouble.textContent = `The page can't show its data: ${error.message}`;
  trouble.hidden = false;
});
