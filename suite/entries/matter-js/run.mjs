// matter-js: circles and static rectangles; gravity as a force; speeds are per step of 1000/60 ms there.
import Matter from "matter-js";
import { boxes, outline, serve } from "../stepped.mjs";

const { Bodies, Body, Collision, Composite, Engine: MatterEngine } = Matter;
const BASE = 1000 / 60;

class Engine {
  constructor(task, setting, step) {
    this.size = step * 1000;
    const best = setting.startsWith("best");
    // Its slop of 0.05 is meant for pixels, and its circles are polygons with at most as many sides as pixels.
    const PIXELS = best ? 200 / task.radius : 1000;
    this.pixels = PIXELS;
    this.engine = MatterEngine.create({ gravity: { x: 0, y: 0 }, ...(best ? { positionIterations: 20, velocityIterations: 20 } : {}) });
    this.g = task.g;
    const law = { restitution: task.e, friction: Math.min(task.mu, 100), frictionStatic: task.mu > 0 ? 10 : 0, frictionAir: 0, slop: best ? 1e-3 : 0.05 };
    const { slope = 0, y = 0, radius, from } = task.ground;
    const line = outline(task);
    const fixed = { isStatic: true, ...law };
    if (task.ground.kind === "arc" && from > 0) this.floor = [Bodies.circle(0, 0, radius * PIXELS, fixed, 500)];
    else {
      const turn = Math.atan(slope);
      const ground = line ? boxes(line.filter((_, i) => i % 10 === 0)) : [{ x: Math.sin(turn), y: y - Math.cos(turn), long: 200, high: 2, turn }];
      this.floor = ground.map((box) => Bodies.rectangle(box.x * PIXELS, -box.y * PIXELS, box.long * PIXELS, box.high * PIXELS, { ...fixed, angle: -box.turn }));
    }
    this.middle = this.floor[0].position.y;
    this.bodies = task.balls.map(([x, y, vx, vy, spin]) => {
      const body = Bodies.circle(x * PIXELS, -y * PIXELS, task.radius * PIXELS, law, 200);
      Body.setMass(body, task.mass);
      Body.setInertia(body, 0.4 * task.mass * (task.radius * PIXELS) ** 2);
      Body.setVelocity(body, { x: (vx * PIXELS * BASE) / 1000, y: (-vy * PIXELS * BASE) / 1000 });
      Body.setAngularVelocity(body, (-spin * BASE) / 1000);
      return body;
    });
    Composite.add(this.engine.world, [...this.floor, ...this.bodies]);
  }

  table(height, speed) {
    Body.setPosition(this.floor[0], { x: this.floor[0].position.x, y: this.middle - height * this.pixels });
    Body.setVelocity(this.floor[0], { x: 0, y: (-speed * this.pixels * BASE) / 1000 });
  }

  push(fx, fy) {
    this.bodies[0].force.x += (fx * this.pixels) / 1e6;
    this.bodies[0].force.y -= (fy * this.pixels) / 1e6;
  }

  step() {
    for (const body of this.bodies) body.force.y += (body.mass * this.g * this.pixels) / 1e6;
    MatterEngine.update(this.engine, this.size);
  }

  balls() {
    return this.bodies.map((b) => {
      const [v, w] = [Body.getVelocity(b), Body.getAngularVelocity(b)];
      return [b.position.x / this.pixels, -b.position.y / this.pixels, (v.x * 1000) / BASE / this.pixels, (-v.y * 1000) / BASE / this.pixels, (-w * 1000) / BASE];
    });
  }

  touching() {
    return this.floor.some((ground) => Collision.collides(this.bodies[0], ground)?.collided);
  }
}

serve(Engine, (setting) => (setting.includes("1/60") ? 1 / 60 : 1e-3));
