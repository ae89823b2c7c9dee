// planck.js (Box2D in JavaScript): circles, edges and chains, continuous collisions on.
import { Chain, Circle, Edge, Vec2, World } from "planck";
import { outline, serve } from "../stepped.mjs";

class Engine {
  constructor(task, setting, step) {
    this.size = step;
    this.iterations = setting.startsWith("best") ? [50, 50] : [8, 3];
    this.world = new World({ gravity: Vec2(0, -task.g), allowSleep: false });
    const law = { friction: task.mu, restitution: task.e };
    const { slope = 0, y = 0, radius, from } = task.ground;
    const line = outline(task);
    this.floor = this.world.createBody({ type: "kinematic" });
    if (task.ground.kind === "arc" && from > 0) this.floor.createFixture({ shape: new Circle(radius), ...law });
    else if (line) this.floor.createFixture({ shape: new Chain(line.filter((_, i) => i % 5 === 0).map(([x, y]) => Vec2(x, y))), ...law });
    else this.floor.createFixture({ shape: new Edge(Vec2(-1e4, y - 1e4 * slope), Vec2(1e5, y + 1e5 * slope)), ...law });
    this.bodies = task.balls.map(([x, y, vx, vy, spin]) => {
      const body = this.world.createBody({ type: "dynamic", position: Vec2(x, y), linearVelocity: Vec2(vx, vy), angularVelocity: spin, bullet: true });
      body.createFixture({ shape: new Circle(task.radius), density: 1, ...law });
      body.setMassData({ mass: task.mass, center: Vec2(0, 0), I: 0.4 * task.mass * task.radius ** 2 });
      return body;
    });
  }

  table(height, speed) {
    this.floor.setPosition(Vec2(0, height));
    this.floor.setLinearVelocity(Vec2(0, speed));
  }

  push(fx, fy) {
    this.bodies[0].applyForceToCenter(Vec2(fx, fy), true);
  }

  step() {
    this.world.step(this.size, ...this.iterations);
    this.world.clearForces();
  }

  balls() {
    return this.bodies.map((b) => [b.getPosition().x, b.getPosition().y, b.getLinearVelocity().x, b.getLinearVelocity().y, b.getAngularVelocity()]);
  }

  touching() {
    for (let edge = this.bodies[0].getContactList(); edge; edge = edge.next) if (edge.contact.isTouching()) return true;
    return false;
  }
}

serve(Engine, (setting) => (setting.includes("1/60") ? 1 / 60 : 1e-4), (setting, ball) => (setting.startsWith("best") ? 1 / ball.radius : 1));
