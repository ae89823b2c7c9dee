// The clock of the picture.

/** Slow motion goes by these steps. */
const SPEEDS = [1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

export class Player {
  /** @param {(time: number) => void} show */
  constructor(show) {
    this.show = show;
    this.time = 0;
    this.begin = 0;
    this.end = 1;
    /** Seconds of the run in a second, as the reader wishes. */
    this.speed = 1;
    /** Seconds of the run in a second now: less where bounces pile up. @type {(time: number) => number} */
    this.rate = () => this.speed;
    /** What a step of time passes: it may end earlier, and halt for some seconds. @type {(from: number, to: number) => { time: number, halt: number }} */
    this.pass = (_, to) => ({ time: to, halt: 0 });
    this.halt = 0;
    this.playing = false;
    /** Times of events, in order, up to a time, s; what comes later is not known. @type {number[]} */
    this.events = [];
    this.told = Infinity;
    /** When pictures were drawn, ms: the last ones. @type {number[]} */
    this.frames = [];
    this.last = 0;
  }

  /** Goes to a time, s. @param {number} time */
  go(time) {
    this.time = Math.min(this.end, Math.max(this.begin, time));
    this.halt = 0;
    this.show(this.time);
  }

  /** Plays, or stands still. @param {boolean} [on] */
  play(on = !this.playing) {
    if (on === this.playing) return;
    this.playing = on;
    if (on) {
      if (this.time >= this.end) this.time = this.begin;
      this.last = performance.now();
      this.frames = [];
      requestAnimationFrame((now) => this.frame(now));
    }
    this.show(this.time);
  }

  /** @param {number} now ms */
  frame(now) {
    if (!this.playing) return;
    const since = Math.min(250, Math.max(0, now - this.last)) / 1000;
    this.last = now;
    this.frames.push(now);
    if (this.frames.length > 600) this.frames.shift();
    this.halt = Math.max(0, this.halt - since);
    if (this.halt === 0) {
      const passed = this.pass(this.time, Math.min(this.end, this.time + since * this.rate(this.time)));
      [this.time, this.halt] = [passed.time, passed.halt];
    }
    if (this.time >= this.end && this.halt === 0) this.playing = false;
    this.show(this.time);
    if (this.playing) requestAnimationFrame((then) => this.frame(then));
  }

  /** To the event before or after. @param {number} direction −1 or 1 */
  step(direction) {
    this.play(false);
    const next = direction > 0 ? this.events.find((time) => time > this.time) : this.events.findLast((time) => time < this.time);
    this.go(next ?? (direction < 0 ? this.begin : this.told < this.end ? this.time : this.end));
  }

  /** Slower or faster. @param {number} direction −1 or 1 */
  faster(direction) {
    const at = SPEEDS.findIndex((speed) => speed >= this.speed * 0.999);
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + direction))] ?? 1;
  }
}
