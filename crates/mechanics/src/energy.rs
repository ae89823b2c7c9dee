//! How is energy accounted for? By a ledger of kinetic and potential energy, dissipation and work, and by its powers.

use nalgebra::Vector2;

use crate::{Forces, State};

/// The energy ledger, J. `total − total at the start + dissipated − work` is what remains unexplained.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Energy {
    /// Energy of translation and rotation.
    pub kinetic: f64,
    /// Energy `−m g·q` of gravity, and the elastic energy of a compressed ball.
    pub potential: f64,
    /// Energy lost so far to impacts, friction, damping and drag.
    pub dissipated: f64,
    /// Work done so far by the external force and torque, wind and moving ground.
    pub work: f64,
}

impl Energy {
    /// Sum of kinetic and potential energy, J.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Rates of the energy ledger, W.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Power {
    /// Power lost to drag and, in contact, to friction, damping and rolling resistance; not negative in a mode.
    pub dissipated: f64,
    /// Power of the external force, the wind, the torque in flight, and of `−m p̈` on moving ground.
    pub work: f64,
}

impl Forces {
    /// Powers of the ledger, W, without the torque's ([`Forces::turning_power`]). Drag dissipates `k_D‖w‖³ + k_L‖w‖²`.
    /// Work is that of drag and Magnus force along the wind, of the external force, and of `−m p̈` on moving ground.
    pub fn power(&self, time: f64, q: Vector2<f64>, v: Vector2<f64>, spin: f64) -> Power {
        let (p, p_dot, p_ddot) = self.origin(time);
        // Wind, and so w = v − wind, as seen from the ground.
        let wind = self.wind() - p_dot;
        let w = v - wind;
        let (speed, lift) = (w.norm(), self.magnus() * spin);
        let slowing = self.drag() * speed + self.linear_drag();
        let air = Vector2::new(-lift * w.y, lift * w.x) - slowing * w;
        let mut power =
            Power { dissipated: slowing * speed * speed, work: air.dot(&wind) - self.mass() * p_ddot.dot(&v) };
        if let Some(external) = self.external() {
            let force = self.external_force(external, time, (q + p).into(), (v + p_dot).into(), spin);
            power.work += Vector2::from(force).dot(&v);
        }
        power
    }

    /// Energy of a ball seen from the frame at rest less that seen from the ground, J, in a state seen from the ground:
    /// `m(v·ṗ + ṗ²/2 − g·p)`.
    pub fn carried_energy(&self, state: &State) -> f64 {
        let (p, p_dot, _) = self.origin(state.time);
        self.mass() * ((state.velocity + 0.5 * p_dot).dot(&p_dot) - self.gravity_vector().dot(&p))
    }
}

/// Nodes and weights on [0, 1] of Gauss and Legendre's rules of two to seven points (Abramowitz & Stegun, table 25.4).
const GAUSS: [&[(f64, f64)]; 6] = [
    &[(0.211_324_865_405_187_12, 0.5), (0.788_675_134_594_812_9, 0.5)],
    &[
        (0.112_701_665_379_258_31, 0.277_777_777_777_777_8),
        (0.5, 0.444_444_444_444_444_44),
        (0.887_298_334_620_741_7, 0.277_777_777_777_777_8),
    ],
    &[
        (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
        (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
        (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
        (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
    ],
    &[
        (0.046_910_077_030_668_004, 0.118_463_442_528_094_54),
        (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
        (0.5, 0.284_444_444_444_444_44),
        (0.769_234_655_052_841_55, 0.239_314_335_249_683_23),
        (0.953_089_922_969_332, 0.118_463_442_528_094_54),
    ],
    &[
        (0.033_765_242_898_423_99, 0.085_662_246_189_585_18),
        (0.169_395_306_766_867_73, 0.180_380_786_524_069_3),
        (0.380_690_406_958_401_56, 0.233_956_967_286_345_52),
        (0.619_309_593_041_598_5, 0.233_956_967_286_345_52),
        (0.830_604_693_233_132_2, 0.180_380_786_524_069_3),
        (0.966_234_757_101_576, 0.085_662_246_189_585_18),
    ],
    &[
        (0.025_446_043_828_620_736, 0.064_742_483_084_434_85),
        (0.129_234_407_200_302_77, 0.139_852_695_744_638_32),
        (0.297_077_424_311_301_4, 0.190_915_025_252_559_46),
        (0.5, 0.208_979_591_836_734_7),
        (0.702_922_575_688_698_5, 0.190_915_025_252_559_46),
        (0.870_765_592_799_697_2, 0.139_852_695_744_638_32),
        (0.974_553_956_171_379_3, 0.064_742_483_084_434_85),
    ],
];

impl Power {
    /// Integrates the power over `duration` s along a path of degree d to `[dissipated, work]` (J). `power` takes the
    /// time since the start, s. If the path is the motion itself, its force is of degree d − 2, its power of 2d − 3.
    /// Then d − 1 points are exact; 2 at least and 7 at most are taken.
    #[inline]
    pub fn over(degree: usize, duration: f64, mut power: impl FnMut(f64) -> Power) -> [f64; 2] {
        let rule = GAUSS[degree.saturating_sub(3).min(GAUSS.len() - 1)];
        rule.iter().fold([0.0; 2], |[dissipated, work], (part, weight)| {
            let there = power(part * duration);
            [dissipated + weight * duration * there.dissipated, work + weight * duration * there.work]
        })
    }
}
