// rapier2d by its JavaScript package: balls, a cuboid, a ball or a polyline; numbers of single precision; continuous collisions on.
import RAPIER from "@dimforge/rapier2d-compat";
import { outline, serve } from "../stepped.mjs";

await RAPIER.init();

class Engine {
  constructor(task, setting, step) {
    this.world = new RAPIER.World({ x: 0, y: -task.g });
    this.world.timestep = step;
    if (setting.startsWith("best")) {
      this.world.numSolverIterations = 50;
      this.world.lengthUnit = task.radius;
      this.world.integrationParameters.normalizedAllowedLinearError = 1e-6;
    }
    const law = (collider) => collider.setFriction(task.mu).setRestitution(task.e).setFrictionCombineRule(RAPIER.CoefficientCombineRule.Min).setRestitutionCombineRule(RAPIER.CoefficientCombineRule.Min);
    const { slope = 0, y = 0, radius, from } = task.ground;
    const line = outline(task);
    const turn = Math.atan(slope);
    this.floor = this.world.createRigidBody(RAPIER.RigidBodyDesc.kinematicPositionBased());
    let shape;
    if (task.ground.kind === "arc" && from > 0) shape = RAPIER.ColliderDesc.ball(radius);
    else if (line) shape = RAPIER.ColliderDesc.polyline(new Float32Array(line.filter((_, i) => i % 2 === 0).flat()));
    else shape = RAPIER.ColliderDesc.cuboid(60, 1).setTranslation(Math.sin(turn), y - Math.cos(turn)).setRotation(turn);
    this.ground = this.world.createCollider(law(shape), this.floor);
    this.pairs = task.balls.map(([x, y, vx, vy, spin]) => {
      const about = RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y).setLinvel(vx, vy).setAngvel(spin).setCcdEnabled(true).setCanSleep(false);
      const body = this.world.createRigidBody(about);
      const shape = law(RAPIER.ColliderDesc.ball(task.radius)).setMassProperties(task.mass, { x: 0, y: 0 }, 0.4 * task.mass * task.radius ** 2);
      return [body, this.world.createCollider(shape, body)];
    });
    this.size = step;
  }

  table(height, speed) {
    this.floor.setTranslation({ x: 0, y: height });
    this.floor.setNextKinematicTranslation({ x: 0, y: height + speed * this.size });
  }

  push(fx, fy) {
    this.pairs[0][0].resetForces(true);
    this.pairs[0][0].addForce({ x: fx, y: fy }, true);
  }

  step() {
    this.world.step();
  }

  balls() {
    return this.pairs.map(([body]) => {
      const [p, v] = [body.translation(), body.linvel()];
      return [p.x, p.y, v.x, v.y, body.angvel()];
    });
  }

  touching() {
    let found = false;
    this.world.contactPair(this.pairs[0][1], this.ground, (manifold) => {
      found ||= manifold.numSolverContacts() > 0;
    });
    return found;
  }
}

serve(Engine, (setting) => (setting.includes("1/60") ? 1 / 60 : 1e-3));
