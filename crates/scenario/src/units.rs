//! Units of the numbers of a scenario, for tables and axes.

/// A key and the unit of its number. Those that are not here have none, or one that depends on other keys.
const UNITS: [(&str, &str); 44] = [
    ("ball.mass", "kg"),
    ("ball.radius", "m"),
    ("balls.mass", "kg"),
    ("balls.radius", "m"),
    ("balls.density", "kg/m³"),
    ("balls.velocity", "m/s"),
    ("balls.speed", "m/s"),
    ("balls.spin", "rad/s"),
    ("initial.position", "m"),
    ("initial.velocity", "m/s"),
    ("initial.spin", "rad/s"),
    ("initial.time", "s"),
    ("initial.contact.x", "m"),
    ("initial.contact.speed", "m/s"),
    ("initial.contact.spin", "rad/s"),
    ("forces.gravity", "m/s²"),
    ("forces.linear-drag", "N s/m"),
    ("forces.wind", "m/s"),
    ("forces.magnus", "kg"),
    ("forces.drag.coefficient", "kg/m"),
    ("forces.drag.density", "kg/m³"),
    ("forces.drag.area", "m²"),
    ("contact.rolling-damping", "N s/m"),
    ("contact.youngs-modulus", "Pa"),
    ("contact.viscosity", "N s/m"),
    ("contact.slip-speed", "m/s"),
    ("solver.duration", "s"),
    ("solver.capture-speed", "m/s"),
    ("solver.step", "s"),
    ("solver.largest-step", "s"),
    ("solver.capture-tolerance", "m/s"),
    ("solver.lcp-tolerance", "m/s"),
    ("solver.projection", "m"),
    ("output.interval", "s"),
    ("output.times", "s"),
    ("watch.x", "m"),
    ("watch.y", "m"),
    ("watch.speed", "m/s"),
    ("watch.normal-force", "N"),
    ("watch.times", "s"),
    ("ground.motion.x", "m"),
    ("ground.motion.y", "m"),
    ("forces.external.x", "N"),
    ("forces.external.y", "N"),
];

/// Meaning of the number at a key, in a few words.
const WORDS: [(&str, &str); 64] = [
    ("ball.mass", "mass of the ball"),
    ("ball.radius", "radius of the ball"),
    ("ball.inertia", "moment of inertia, by m R²"),
    ("ball.release", "time at which it is let go"),
    ("initial.position.x", "start: place to the right"),
    ("initial.position.y", "start: height"),
    ("initial.velocity.x", "start: velocity to the right"),
    ("initial.velocity.y", "start: velocity upwards"),
    ("initial.spin", "start: spin, counter-clockwise"),
    ("initial.time", "start: time"),
    ("initial.s", "start: where on its curve it touched last"),
    ("initial.strands", "start: strands that are there of curves that cross themselves"),
    ("initial.contact.x", "start on the ground: place to the right"),
    ("initial.contact.s", "start on the ground: place along the curve"),
    ("initial.contact.speed", "start on the ground: speed along it"),
    ("initial.contact.spin", "start on the ground: spin"),
    ("forces.gravity", "gravity, downwards"),
    ("forces.gravity.x", "gravity to the right"),
    ("forces.gravity.y", "gravity upwards"),
    ("forces.drag.coefficient", "drag by the square of the speed"),
    ("forces.drag.cd", "drag coefficient"),
    ("forces.drag.density", "density of the air"),
    ("forces.drag.area", "cross-section of the ball"),
    ("forces.linear-drag", "drag by the speed"),
    ("forces.wind.x", "wind to the right"),
    ("forces.wind.y", "wind upwards"),
    ("forces.magnus", "Magnus force: lift by spin and speed"),
    ("forces.external.x", "external force to the right"),
    ("forces.external.y", "external force upwards"),
    ("contact.restitution", "restitution: how much a bounce gives back"),
    ("contact.tangential-restitution", "tangential restitution: how spin turns round in a bounce"),
    ("contact.friction", "friction coefficient μ"),
    ("contact.rolling-damping", "damping along the ground, by the speed"),
    ("contact.rolling-resistance", "rolling resistance"),
    ("contact.stiffness", "stiffness of the ball"),
    ("contact.youngs-modulus", "Young's modulus of the ball"),
    ("contact.viscosity", "viscosity of the ball"),
    ("contact.damping", "damping of the ball"),
    ("contact.exponent", "exponent of the contact force"),
    ("contact.slip-speed", "slip at which friction is full"),
    ("contact.balls.restitution", "restitution between balls"),
    ("contact.balls.tangential-restitution", "tangential restitution between balls"),
    ("contact.balls.friction", "friction coefficient between balls"),
    ("solver.duration", "how long the run lasts"),
    ("solver.step", "time step"),
    ("solver.largest-step", "longest step"),
    ("solver.tolerance", "error that is allowed"),
    ("solver.relative-tolerance", "error that is allowed, by the size"),
    ("solver.absolute-tolerance", "error that is allowed"),
    ("solver.capture-speed", "slower bounces may be summed up"),
    ("solver.capture-tolerance", "error of the velocity after bounces summed up"),
    ("solver.beta", "β of Newmark"),
    ("solver.gamma", "γ of Newmark"),
    ("solver.theta", "θ of the time stepping"),
    ("solver.prediction", "part of a step at which gaps are looked at"),
    ("solver.lcp-tolerance", "residual of contacts that share balls"),
    ("solver.projection", "how near to the ground places are projected"),
    ("output.interval", "time between rows"),
    ("output.times", "time of a row"),
    ("output.balls", "a ball that has rows"),
    ("ground.curve.x", "the ground: to the right, a formula"),
    ("ground.curve.y", "the ground: height, a formula"),
    ("ground.motion.x", "way of the ground to the right, a formula"),
    ("ground.motion.y", "way of the ground upwards, a formula"),
];

/// The path of a key without numbers of lists, and without the table that its own value stands in.
fn path_of(key: &str) -> String {
    let parts = key.split('.').map(str::trim).filter(|part| part.parse::<u32>().is_err());
    let path = parts.collect::<Vec<_>>().join(".");
    // What one curve or one ball has of its own.
    match path.split_once("ground.contact.").map(|(_, own)| format!("contact.{own}")) {
        Some(own) => own,
        None => path.strip_prefix("ball.").filter(|own| own.starts_with("initial.")).unwrap_or(&path).to_owned(),
    }
}

/// Unit of the number at a dotted key, such as `initial.velocity.x`; empty if it has none, or one that other keys decide.
pub fn unit_of(key: &str) -> &'static str {
    let path = path_of(key);
    let of = |path: &str| UNITS.iter().find(|(key, _)| *key == path).map(|(_, unit)| *unit);
    let of_pair = || of(path.strip_suffix(".x").or(path.strip_suffix(".y"))?);
    of(&path).or_else(of_pair).unwrap_or_default()
}

/// Meaning of the number or formula at a dotted key, in a few words; of a number with its own name, its place.
pub fn words_of(key: &str) -> String {
    let path = path_of(key);
    let known = WORDS.iter().find(|(key, _)| *key == path).map(|(_, words)| (*words).to_owned());
    known.unwrap_or_else(|| {
        let (above, name) = path.rsplit_once('.').unwrap_or(("", &path));
        let table = match above.split('.').next() {
            Some("ground") => "the ground",
            Some("forces") => "forces",
            Some("contact") => "contact",
            _ => above,
        };
        let formula = if above.ends_with("parameters") { " in its formulas" } else { "" };
        format!("{table}: {}{formula}", name.replace('-', " "))
    })
}

#[cfg(test)]
mod tests {
    use super::{unit_of, words_of};

    #[test]
    fn words() {
        for (key, words) in [
            ("initial.velocity.y", "start: velocity upwards"),
            ("ball.2.initial.velocity.y", "start: velocity upwards"),
            ("ball.1.mass", "mass of the ball"),
            ("ground.1.contact.friction", "friction coefficient μ"),
            ("ground.curve.parameters.amplitude", "the ground: amplitude in its formulas"),
            ("ground.motion.parameters.f", "the ground: f in its formulas"),
        ] {
            assert_eq!(words_of(key), words, "{key}");
        }
        assert_eq!(unit_of("ball.3.initial.velocity.x"), "m/s");
    }

    #[test]
    fn names() {
        for (key, unit) in [
            ("initial.velocity.x", "m/s"),
            ("initial.velocity.1", "m/s"),
            ("initial.contact.x", "m"),
            ("forces.gravity", "m/s²"),
            ("forces.gravity.y", "m/s²"),
            ("ground.0.contact.rolling-damping", "N s/m"),
            ("watch.2.x", "m"),
            ("ground.curve.parameters.a", ""),
            ("contact.restitution", ""),
            ("", ""),
        ] {
            assert_eq!(unit_of(key), unit, "{key}");
        }
    }
}
