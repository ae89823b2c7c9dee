// The loop of stepped.py for engines in JavaScript: reads tasks and settings as JSON, prints an outcome a line. An engine's class has
// step(), balls(), touching(), table(height, speed), push(fx, fy), made from (task, setting, step).
import { readFileSync } from "node:fs";

const CASES = new Set(["1", "2", "6", "7", "8", "9", "10", "11", "12a", "12b", "12c", "14a", "14b", "14c", "18a", "18b", "18c", "19"]);
const DRAWN = new Set(["1", "7", "9"]);
const POINT = 0.1;

function prepared(task) {
  if (!CASES.has(task.name)) return false;
  task.lift = 0;
  if (task.radius === 0) {
    task.radius = POINT;
    if (task.ground.kind === "arc") task.ground.radius += POINT;
    else {
      task.lift = POINT;
      task.balls = task.balls.map(([x, y, ...rest]) => [x, y + POINT, ...rest]);
    }
  }
  return true;
}

export function outline(task) {
  const ground = task.ground;
  if (ground.kind === "arc") {
    const count = 2000;
    return Array.from({ length: count + 1 }, (_, i) => {
      const angle = ground.from + ((ground.to - ground.from) * i) / count;
      return [ground.radius * Math.cos(angle), ground.radius * Math.sin(angle)];
    });
  }
  const wide = (50 * task.radius) / 100;
  return ground.kind === "parabola" ? Array.from({ length: 301 }, (_, i) => [(i - 150) * wide, ground.a * ((i - 150) * wide) ** 2]) : null;
}

// Boxes below a line, free side to the left: middle, length, height, turn.
export function boxes(line, high = 0.1) {
  return line.slice(1).map(([c, d], i) => {
    const [a, b] = line[i];
    const turn = Math.atan2(d - b, c - a);
    return { x: (a + c) / 2 + (high / 2) * Math.sin(turn), y: (b + d) / 2 - (high / 2) * Math.cos(turn), long: Math.hypot(c - a, d - b), high, turn };
  });
}

function table(task, t) {
  if (!task.motion) return [0, 0];
  const [a, w, p] = task.motion;
  return [a * Math.sin(w * t + p), a * w * Math.cos(w * t + p)];
}

function gap(task, t, x, y) {
  const ground = task.ground;
  if (ground.kind === "arc") {
    const far = Math.hypot(x, y);
    return ground.from > 0 ? far - ground.radius - task.radius : ground.radius - task.radius - far;
  }
  const parabola = ground.kind === "parabola";
  const slope = parabola ? 2 * ground.a * x : (ground.slope ?? 0);
  const height = parabola ? ground.a * x * x : (ground.y ?? 0) + slope * x;
  return (y - height - table(task, t)[0]) / Math.hypot(1, slope) - task.radius;
}

function deepest(task, t, balls) {
  let depth = -Infinity;
  balls.forEach(([x, y], i) => {
    depth = Math.max(depth, -gap(task, t, x, y));
    for (let j = 0; j < i; j++) depth = Math.max(depth, 2 * task.radius - Math.hypot(x - balls[j][0], y - balls[j][1]));
  });
  return depth;
}

function named(task, rows) {
  const state = {};
  if (rows.length > 1) {
    let energy = 0;
    rows.forEach(([x, y, vx, vy, spin], i) => {
      Object.assign(state, { [`x${i + 1}`]: x, [`y${i + 1}`]: y, [`vx${i + 1}`]: vx, [`vy${i + 1}`]: vy });
      energy += task.mass * ((vx * vx + vy * vy) / 2 + 0.2 * (task.radius * spin) ** 2 + task.g * y);
    });
    return { ...state, energy };
  }
  const [x, y, vx, vy, spin] = rows[0];
  return { x, y: y - task.lift, vx, vy, spin };
}

// A world with lengths so many times as large, for engines that are made for balls of some metres, as their manuals say.
class Scaled {
  constructor(Engine, task, setting, step, scale) {
    task = structuredClone(task);
    this.scale = scale;
    for (const key of ["radius", "y"]) if (key in task.ground) task.ground[key] *= scale;
    if (task.ground.kind === "parabola") task.ground.a /= scale;
    task.radius *= scale;
    task.g *= scale;
    task.balls = task.balls.map(([x, y, vx, vy, spin]) => [scale * x, scale * y, scale * vx, scale * vy, spin]);
    this.world = new Engine(task, setting, step);
  }

  table(height, speed) {
    this.world.table(this.scale * height, this.scale * speed);
  }

  push(fx, fy) {
    this.world.push(this.scale * fx, this.scale * fy);
  }

  step() {
    this.world.step();
  }

  balls() {
    return this.world.balls().map(([x, y, vx, vy, spin]) => [x / this.scale, y / this.scale, vx / this.scale, vy / this.scale, spin]);
  }

  touching() {
    return this.world.touching();
  }
}

function answer(Engine, task, setting, step, scale) {
  if (!prepared(task)) return null;
  if (task.number === "19") step = Math.max(step, 1e-3);
  const begun = process.hrtime.bigint();
  const world = new Scaled(Engine, task, setting, step, scale(task));
  let [t, k, balls, depth, touched] = [0, 0, world.balls(), 0, world.touching()];
  const [states, path, impacts, off, landing, stick] = [{}, [], [], [], [], []];
  const wanted = Object.entries(task.times).sort((a, b) => a[1] - b[1]);
  const every = Math.max(1, Math.round(task.end / step / 250));
  const last = Math.max(...wanted.map(([, at]) => at), ...Object.values(task.until));
  while (t < last) {
    if (task.motion) {
      const [now, then] = [table(task, t)[0], table(task, (k + 1) * step)[0]];
      world.table(now, (then - now) / step);
    }
    const before = balls;
    if (task.drag) {
      const [, , vx, vy] = balls[0];
      world.push(-task.drag * Math.hypot(vx, vy) * vx, -task.drag * Math.hypot(vx, vy) * vy);
    }
    world.step();
    k += 1;
    const now = k * step;
    balls = world.balls();
    if (balls.length < 10 || k % 5 === 0) depth = Math.max(depth, deepest(task, now, balls));
    const touches = world.touching();
    const lift = table(task, now)[1];
    // Less than gravity does in some steps is no impact but a ball that lies there.
    if (before[0][3] - lift < 0 && balls[0][3] - lift > 0 && balls[0][3] - before[0][3] > 4 * task.g * step) impacts.push(now);
    if (touched && !touches) off.push(now);
    if (touches && !touched && off.length) landing.push(now);
    const slip = [before[0], balls[0]].map((b) => b[2] + task.radius * b[4]);
    if ((Math.abs(slip[0]) > 1e-3 && Math.abs(slip[1]) <= 1e-3) || slip[0] * slip[1] < 0) stick.push(now);
    touched = touches;
    while (wanted.length && wanted[0][1] <= now + 1e-12) {
      const [index, at] = wanted.shift();
      const part = (at - t) / step;
      states[index] = named(task, before.map((p, i) => p.map((a, j) => a + part * (balls[i][j] - a))));
    }
    if (DRAWN.has(task.number) && k % every === 0) path.push([now, balls[0][1] - task.lift]);
    t = now;
  }
  // Flights that last: a contact that is not there for some steps was none.
  const pairs = off.map((a, i) => [a, landing[i] ?? Infinity]).filter(([a, b]) => b - a > 0.02);
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  let events = task.number === "11" ? { stick: stick.slice(0, 1) } : ["8", "9"].includes(task.number) ? { "lift-off": pairs.slice(0, 1).map(([a]) => a), landing: pairs.slice(0, 1).map(([, b]) => b).filter(isFinite) } : {};
  if (["1", "2", "14"].includes(task.number)) events = { impact: impacts };
  return { events, states, deepest: depth, evaluations: k, path, seconds };
}

export function serve(Engine, step, scale = () => 1) {
  const { tasks, settings } = JSON.parse(readFileSync(0, "utf8"));
  for (const task of tasks) {
    for (const setting of settings) console.log(JSON.stringify(answer(Engine, structuredClone(task), setting, step(setting), (ball) => scale(setting, ball))));
  }
}
