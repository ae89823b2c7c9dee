// cannon-es: spheres, a plane, a sphere or a row of boxes in three dimensions, held in a plane by symmetry.
import { Body, Box, ContactMaterial, GSSolver, Material, NaiveBroadphase, Plane, Sphere, Vec3, World } from "cannon-es";
import { boxes, outline, serve } from "../stepped.mjs";

class Engine {
  constructor(task, setting, step) {
    this.size = step;
    this.world = new World({ gravity: new Vec3(0, -task.g, 0), broadphase: new NaiveBroadphase(), solver: new GSSolver() });
    const material = new Material();
    const best = setting.startsWith("best");
    if (best) this.world.solver.iterations = 100;
    const soft = best ? { contactEquationStiffness: 1e12, contactEquationRelaxation: 3, frictionEquationStiffness: 1e12 } : {};
    this.world.addContactMaterial(new ContactMaterial(material, material, { friction: task.mu, restitution: task.e, ...soft }));
    const { slope = 0, y = 0, radius, from } = task.ground;
    const line = outline(task);
    const add = (shape) => {
      const body = new Body({ mass: 0, type: Body.KINEMATIC, material });
      body.addShape(shape);
      this.world.addBody(body);
      return body;
    };
    if (task.ground.kind === "arc" && from > 0) this.floor = [add(new Sphere(radius))];
    else if (line) {
      this.floor = boxes(line.filter((_, i) => i % 10 === 0)).map((b) => {
        const body = add(new Box(new Vec3(b.long / 2, b.high / 2, 0.5)));
        body.position.set(b.x, b.y, 0);
        body.quaternion.setFromEuler(0, 0, b.turn);
        return body;
      });
    } else {
      this.floor = [add(new Plane())];
      this.floor[0].position.set(0, y, 0);
      // Its plane faces along z: laid on its back, then turned by the slope.
      this.floor[0].quaternion.setFromVectors(new Vec3(0, 0, 1), new Vec3(-slope, 1, 0).unit());
    }
    this.bodies = task.balls.map(([x, y, vx, vy, spin]) => {
      const body = new Body({ mass: task.mass, material, linearDamping: 0, angularDamping: 0, allowSleep: false });
      body.addShape(new Sphere(task.radius));
      body.position.set(x, y, 0);
      body.velocity.set(vx, vy, 0);
      body.angularVelocity.set(0, 0, spin);
      this.world.addBody(body);
      return body;
    });
  }

  table(height, speed) {
    this.floor[0].position.y = height;
    this.floor[0].velocity.y = speed;
  }

  push(fx, fy) {
    this.bodies[0].force.x += fx;
    this.bodies[0].force.y += fy;
  }

  step() {
    this.world.step(this.size);
  }

  balls() {
    return this.bodies.map((b) => [b.position.x, b.position.y, b.velocity.x, b.velocity.y, b.angularVelocity.z]);
  }

  touching() {
    return this.world.contacts.some((one) => one.bi === this.bodies[0] || one.bj === this.bodies[0]);
  }
}

serve(Engine, (setting) => (setting.includes("1/60") ? 1 / 60 : 1e-3));
