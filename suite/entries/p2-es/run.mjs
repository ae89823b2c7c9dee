// p2-es: circles, a plane, a circle or a row of boxes; equations that are springs, made as stiff as a step allows.
import { Body, Box, Circle, ContactMaterial, Material, Plane, World } from "p2-es";
import { boxes, outline, serve } from "../stepped.mjs";

class Engine {
  constructor(task, setting, step) {
    this.size = step;
    this.world = new World({ gravity: [0, -task.g] });
    this.world.sleepMode = World.NO_SLEEPING;
    const material = new Material();
    const best = setting.startsWith("best");
    if (best) this.world.solver.iterations = 100;
    const soft = best ? { stiffness: 1e12, relaxation: 3, frictionStiffness: 1e12 } : {};
    this.world.addContactMaterial(new ContactMaterial(material, material, { friction: task.mu, restitution: task.e, ...soft }));
    const { slope = 0, y = 0, radius, from } = task.ground;
    const line = outline(task);
    const add = (shape, about = {}) => {
      shape.material = material;
      const body = new Body({ mass: 0, type: Body.KINEMATIC, ...about });
      body.addShape(shape);
      this.world.addBody(body);
      return body;
    };
    if (task.ground.kind === "arc" && from > 0) this.floor = [add(new Circle({ radius }))];
    else if (line) this.floor = boxes(line.filter((_, i) => i % 10 === 0)).map((b) => add(new Box({ width: b.long, height: b.high }), { position: [b.x, b.y], angle: b.turn }));
    else this.floor = [add(new Plane(), { position: [0, y], angle: Math.atan(slope) })];
    this.bodies = task.balls.map(([x, y, vx, vy, spin]) => {
      const body = new Body({ mass: task.mass, position: [x, y], velocity: [vx, vy], angularVelocity: spin, damping: 0, angularDamping: 0 });
      const shape = new Circle({ radius: task.radius });
      shape.material = material;
      body.addShape(shape);
      body.inertia = 0.4 * task.mass * task.radius ** 2;
      body.invInertia = body.invInertiaSolve = 1 / body.inertia;
      this.world.addBody(body);
      return body;
    });
  }

  table(height, speed) {
    this.floor[0].position[1] = height;
    this.floor[0].velocity[1] = speed;
  }

  push(fx, fy) {
    this.bodies[0].force[0] += fx;
    this.bodies[0].force[1] += fy;
  }

  step() {
    this.world.step(this.size);
  }

  balls() {
    return this.bodies.map((b) => [b.position[0], b.position[1], b.velocity[0], b.velocity[1], b.angularVelocity]);
  }

  touching() {
    return this.world.narrowphase.contactEquations.some((one) => one.bodyA === this.bodies[0] || one.bodyB === this.bodies[0]);
  }
}

serve(Engine, (setting) => (setting.includes("1/60") ? 1 / 60 : 1e-3));
