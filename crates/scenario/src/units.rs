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

/// The unit of the number at a dotted key, `initial.velocity.x` or `ground.1.contact.rolling-damping`; empty if it has none that is known
/// without the rest of the scenario.
pub fn unit_of(key: &str) -> &'static str {
    let parts = key.split('.').map(str::trim).filter(|part| part.parse::<u32>().is_err());
    let mut path = parts.collect::<Vec<_>>().join(".");
    // What one curve has of its own.
    if let Some((_, own)) = path.split_once("ground.contact.") {
        path = format!("contact.{own}");
    }
    let of = |path: &str| UNITS.iter().find(|(key, _)| *key == path).map(|(_, unit)| *unit);
    let of_pair = || of(path.strip_suffix(".x").or(path.strip_suffix(".y"))?);
    of(&path).or_else(of_pair).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::unit_of;

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
