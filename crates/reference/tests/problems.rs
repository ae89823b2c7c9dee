//! Closed forms against integrations that share nothing with them, and against each other.

mod bounce {
    use reference::bounce::Bounce;

    #[test]
    fn zeno_time_of_the_issue() {
        let drop = Bounce { height: 1.0, gravity: 9.81, restitution: 0.9 };
        assert!((drop.zeno_time() - 8.5789492).abs() < 5e-8);
        assert!((drop.zeno_time() / drop.first_time() - 19.0).abs() < 1e-13);
        assert!((drop.impact_time(500) - drop.zeno_time()).abs() < 1e-14);
    }

    #[test]
    fn heights() {
        let drop = Bounce { height: 1.0, gravity: 9.81, restitution: 0.9 };
        for k in 1..40 {
            let (before, after) = (drop.impact_time(k), drop.impact_time(k + 1));
            let [top, speed] = drop.at(0.5 * (before + after));
            let rise = 0.9 * drop.impact_speed(k);
            assert!((top - rise * rise / (2.0 * 9.81)).abs() < 1e-14 && speed.abs() < 1e-13, "hop {k}");
            assert!(drop.at(before + 1e-9)[0] < 1e-8);
        }
        assert_eq!(drop.at(0.1), [1.0 - 0.5 * 9.81 * 0.1 * 0.1, -9.81 * 0.1]);
        assert_eq!(drop.at(8.58), [0.0, 0.0]);
        assert_eq!(Bounce { restitution: 0.0, ..drop }.at(1.0), [0.0, 0.0]);
    }

    #[test]
    fn flights_are_parabolas() {
        let drop = Bounce { height: 2.0, gravity: 9.81, restitution: 0.7 };
        for k in 1..20 {
            let rise = 0.7 * drop.impact_speed(k);
            let flight = drop.impact_time(k + 1) - drop.impact_time(k);
            assert!((flight - 2.0 * rise / 9.81).abs() < 1e-14, "impact {k}");
        }
    }
}

mod drag {
    use reference::bounce::Bounce;
    use reference::drag::{DragBounce, DragImpact};
    use reference::table;

    #[test]
    fn chain_agrees_with_the_table() {
        let table = table::find("drop_analytic").unwrap();
        let drop = DragBounce {
            height: table.number("y0").unwrap(),
            gravity: table.number("g").unwrap(),
            drag: table.number("k_over_m").unwrap(),
            restitution: table.number("e").unwrap(),
        };
        let events = table.events();
        assert_eq!(events.len(), 10);
        for (impact, event) in drop.impacts().zip(&events) {
            assert!((impact.time / event.number("t").unwrap() - 1.0).abs() < 1e-15);
            assert!((impact.speed / event.number("v_impact").unwrap() + 1.0).abs() < 2e-15);
        }
        assert!((drop.zeno_time() - table.number("zeno_time").unwrap()).abs() < 2e-14);
    }

    #[test]
    fn heights_between_impacts() {
        let drop = DragBounce { height: 2.0, gravity: 9.81, drag: 0.05, restitution: 0.8 };
        let impacts: Vec<DragImpact> = drop.impacts().take(20).collect();
        let just_before: Vec<f64> = impacts.iter().map(|impact| impact.time - 1e-9).collect();
        for (impact, [height, velocity]) in impacts.iter().zip(drop.at(&just_before)) {
            assert!((height - 1e-9 * impact.speed).abs() < 1e-13, "{height}");
            assert!((velocity + impact.speed).abs() < 1e-7, "{velocity}");
        }
        // v' = −g − k v|v|, y' = v by differences.
        let d = 1e-5;
        let times: Vec<f64> = (1..40).flat_map(|i| [-d, 0.0, d].map(|d| 0.0973 * f64::from(i) + d)).collect();
        for three in drop.at(&times).chunks(3) {
            let [y, v] = [0, 1].map(|i| (three[2][i] - three[0][i]) / (2.0 * d));
            let middle = three[1][1];
            if middle.abs() > 0.1 {
                assert!((y - middle).abs() < 1e-7, "{y} {middle}");
                assert!((v + 9.81 + 0.05 * middle * middle.abs()).abs() < 1e-6, "{v}");
            }
        }
    }

    #[test]
    fn little_drag_is_none() {
        let (height, gravity, restitution) = (1.0, 9.81, 0.9);
        let drop = DragBounce { height, gravity, drag: 1e-15, restitution };
        let free = Bounce { height, gravity, restitution };
        for (impact, k) in drop.impacts().zip(1..100) {
            assert!((impact.time - free.impact_time(k)).abs() < 1e-12);
        }
    }
}

mod circle {
    use reference::Collocation;
    use reference::circle::Circle;

    #[test]
    fn numbers_of_the_issue() {
        let circle = Circle { radius: 1.0, gravity: 9.81, inertia_factor: 0.0, start: 0.1, speed: 1.0 };
        assert!((circle.lift_off_angle() - 0.7991516).abs() < 5e-8);
        assert!((circle.lift_off_time() - 0.4407421).abs() < 5e-8);
    }

    #[test]
    fn classical_fractions() {
        for (k, cosine) in [(0.0, 2.0 / 3.0), (0.4, 10.0 / 17.0), (0.5, 4.0 / 7.0), (1.0, 0.5)] {
            let circle = Circle { radius: 2.0, gravity: 9.81, inertia_factor: k, start: 1e-6, speed: 0.0 };
            assert!((circle.lift_off_angle().cos() - cosine).abs() < 1e-12);
        }
    }

    /// θ̈ = g sin θ/((1+k)ρ), integrated, has λ = 0 at that angle and time, from rest and from speed.
    #[test]
    fn integration_agrees() {
        for (k, start, speed) in [(0.0, 0.1, 1.0), (0.4, 0.3, 0.0), (1.0, 0.0, 0.2)] {
            let circle = Circle { radius: 0.7, gravity: 9.81, inertia_factor: k, start, speed };
            let pull = 9.81 / (0.7 * (1.0 + k));
            let motion = |_: f64, [angle, rate]: &[f64; 2]| [*rate, pull * angle.sin()];
            let end = Collocation::new(8).integrate(motion, 0.0, [start, speed / 0.7], circle.lift_off_time(), 64);
            assert!((end[0] - circle.lift_off_angle()).abs() < 1e-13, "{k}: {end:?}");
            assert!((9.81 * end[0].cos() - 0.7 * end[1] * end[1]).abs() < 1e-12);
        }
    }
}

mod bowl {
    use reference::Collocation;
    use reference::bowl::Bowl;

    #[test]
    fn integration_agrees() {
        for k in [0.0, 0.4] {
            let bowl = Bowl { radius: 1.0, gravity: 9.81, mass: 1.0, inertia_factor: k, release: 60f64.to_radians() };
            let pull = 9.81 / (1.0 + k);
            let motion = |_: f64, [angle, rate]: &[f64; 2]| [*rate, -pull * angle.sin()];
            for time in [0.0, 0.3, 1.0, 3.0] {
                let [angle, rate] = Collocation::new(8).integrate(motion, 0.0, [bowl.release, 0.0], time, 200);
                let state = bowl.at(time);
                assert!((state.angle - angle).abs() < 2e-14, "{time}: {} {angle}", state.angle);
                assert!((state.rate - rate).abs() < 5e-14, "{time}: {} {rate}", state.rate);
            }
        }
    }

    #[test]
    fn period_energy_and_small_swings() {
        let bowl = Bowl { radius: 2.0, gravity: 9.81, mass: 3.0, inertia_factor: 0.0, release: 2.5 };
        assert!((bowl.at(bowl.period()).angle - 2.5).abs() < 1e-13);
        for i in 0..50 {
            let state = bowl.at(0.1 * f64::from(i));
            let energy = 0.5 * (state.velocity[0].powi(2) + state.velocity[1].powi(2)) + 9.81 * state.position[1];
            assert!((energy + 9.81 * 2.0 * 2.5f64.cos()).abs() < 1e-13);
        }
        let small = Bowl { release: 1e-5, ..bowl };
        assert!((small.period() / (2.0 * std::f64::consts::PI * (2.0 / 9.81f64).sqrt()) - 1.0).abs() < 1e-11);
    }
}

mod cycloid {
    use reference::cycloid::{Brachistochrone, Cycloid};
    use reference::{Collocation, integrate};

    /// `∫ √(1 + y′²)/√(2 g y) dx` over x = w u³, where the integrand is smooth, for the curve and for others near it.
    #[test]
    fn no_curve_near_it_is_faster() {
        let best = Brachistochrone { width: 2.0, drop: 1.0, gravity: 9.81 };
        let depth = |u: f64, bent: f64| best.depth(2.0 * u.powi(3)) + bent * u * u * (1.0 - u);
        let time = |bent: f64| {
            let part = |u: f64| {
                let h = 1e-4 * u;
                let slope = (8.0 * (depth(u + h, bent) - depth(u - h, bent)) - depth(u + 2.0 * h, bent)
                    + depth(u - 2.0 * h, bent))
                    / (12.0 * h);
                (6.0 * u * u).hypot(slope) / (2.0 * 9.81 * depth(u, bent)).sqrt()
            };
            integrate(part, 1e-7, 0.9999, 20) + 1e-4 * part(0.9999)
        };
        assert!((time(0.0) / best.time(0.0) - 1.0).abs() < 1e-5, "{} {}", time(0.0), best.time(0.0));
        let slower = [0.1, -0.1].map(|bent| time(bent) - time(0.0));
        // Both, and by the same: the first variation vanishes.
        assert!(slower.iter().all(|more| *more > 1e-5), "{slower:?}");
        assert!((slower[0] - slower[1]).abs() < 0.1 * slower[0], "{slower:?}");
    }

    /// Lagrange's equation for s: `2(1 + cos s) s̈ = sin s (ṡ² − g/a)`.
    #[test]
    fn integration_agrees() {
        let bowl = Cycloid { radius: 0.3, gravity: 9.81 };
        let motion =
            |_: f64, [s, rate]: &[f64; 2]| [*rate, 0.5 * s.sin() * (rate * rate - 9.81 / 0.3) / (1.0 + s.cos())];
        for release in [0.1, 1.0, 2.0] {
            for part in [0.2, 0.5, 1.0] {
                let time = part * bowl.period();
                let [s, _] = Collocation::new(8).integrate(motion, 0.0, [release, 0.0], time, 200);
                assert!((s - bowl.parameter_at(release, time)).abs() < 1e-12);
            }
        }
    }
}

mod elliptic {
    use std::f64::consts::FRAC_PI_2;

    use reference::{Collocation, complete_elliptic, integrate, jacobi};

    #[test]
    fn complete_integral_by_quadrature() {
        for m in [0.0, 0.25, 0.5, 0.9] {
            let k = integrate(|phi| 1.0 / (1.0 - m * phi.sin().powi(2)).sqrt(), 0.0, FRAC_PI_2, 64);
            assert!((complete_elliptic(m) / k - 1.0).abs() < 1e-15, "{m}");
        }
    }

    /// sn′ = cn dn, cn′ = −sn dn, dn′ = −m sn cn.
    #[test]
    fn derivatives_by_integration() {
        for m in [0.1, 0.25, 0.8] {
            let rule = |_: f64, [s, c, d]: &[f64; 3]| [c * d, -s * d, -m * s * c];
            for u in [0.5, 3.0, 11.0] {
                let [sn, cn, dn] = Collocation::new(8).integrate(rule, 0.0, [0.0, 1.0, 1.0], u, 100);
                let wave = jacobi(u, m);
                let off = (wave.sn - sn).abs().max((wave.cn - cn).abs()).max((wave.dn - dn).abs());
                assert!(off < 2e-14, "{m} {u}: {off}");
            }
        }
    }
}

mod parabola {
    use reference::parabola::Parabola;

    /// Flights by the root of a quadratic, reflections by the mirror formula.
    #[test]
    fn flights_and_reflections_keep_both_integrals() {
        let bowl = Parabola { focal_length: 0.5, gravity: 9.81 };
        let (mut q, mut v) = ([0.3, 1.5], [1.0, 0.0]);
        let (energy, distance) = (bowl.energy(q, v), bowl.focal_distance(q, v));
        for bounce in 0..1000 {
            // y + v_y t − g t²/2 = (x + v_x t)²/(4f); from a point on the ground one root is zero.
            let a = v[0] * v[0] / 2.0 + 9.81 / 2.0;
            let b = q[0] * v[0] - v[1];
            let c = if bounce == 0 { q[0] * q[0] / 2.0 - q[1] } else { 0.0 };
            let t = (-b + (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
            q[0] += v[0] * t;
            v[1] -= 9.81 * t;
            q[1] = q[0] * q[0] / 2.0;
            let n = [-q[0], 1.0];
            let twice = 2.0 * (n[0] * v[0] + n[1] * v[1]) / (1.0 + q[0] * q[0]);
            v = [v[0] - twice * n[0], v[1] - twice * n[1]];
            assert!((bowl.energy(q, v) / energy - 1.0).abs() < 1e-12);
            assert!((bowl.focal_distance(q, v) / distance - 1.0).abs() < 1e-12, "bounce {bounce}");
        }
    }
}

mod slip {
    use reference::slip::{Motion, SpinningBall};

    #[test]
    fn numbers_of_the_issue() {
        let ball = SpinningBall { radius: 0.1, inertia_factor: 0.4, friction: 0.2 };
        let start = Motion { speed: 3.0, spin: 0.0 };
        assert!((ball.roll_time(start, 9.81) - 0.4368720).abs() < 5e-8);
        assert!((ball.rolling(start).speed - 15.0 / 7.0).abs() < 1e-15);
        // Dropped by 0.9 m.
        let approach = (2.0 * 9.81 * 0.9f64).sqrt();
        let slips = ball.after_impact(Motion { speed: 0.0, spin: 50.0 }, approach, 0.0);
        assert!((slips.speed.abs() - 0.84043).abs() < 5e-6);
        let sticks = ball.after_impact(Motion { speed: 0.0, spin: 10.0 }, approach, 0.0);
        assert!((sticks.speed.abs() - 0.285714).abs() < 5e-7);
        assert!(ball.slip(sticks).abs() < 1e-15);
    }

    /// Both ways to roll lead to the same speed, and friction does the work that is missing.
    #[test]
    fn slip_and_energy_agree() {
        let ball = SpinningBall { radius: 0.3, inertia_factor: 0.6, friction: 0.1 };
        let start = Motion { speed: 2.0, spin: 5.0 };
        let end = ball.rolling(start);
        let hit = ball.after_impact(start, 1e6, 0.0);
        assert!((end.speed - hit.speed).abs() < 1e-14 && (end.spin - hit.spin).abs() < 1e-13);
        let energy = |m: Motion| 0.5 * (m.speed * m.speed + 0.6 * 0.09 * m.spin * m.spin);
        // Mean slip u/2 over the time, at force μg per kg.
        let work = 0.1 * 9.81 * 0.5 * ball.slip(start) * ball.roll_time(start, 9.81);
        assert!((energy(start) - energy(end) - work).abs() < 1e-14);
    }
}

mod shaken_table {
    use std::f64::consts::PI;

    use reference::shaken_table::ShakenTable;

    /// One period from just beside the orbit, the flight's end by bisection.
    fn map(orbit: &ShakenTable, phase: f64, speed: f64) -> (f64, f64) {
        let (a, w, g, e) = (orbit.amplitude(), orbit.omega, orbit.gravity, orbit.restitution);
        let start = phase / w;
        let gap = |t: f64| {
            let d = t - start;
            a * (phase.sin() - (w * t).sin()) + speed * d - 0.5 * g * d * d
        };
        let (mut up, mut down) = (start + 0.9 * orbit.period(), start + 1.1 * orbit.period());
        for _ in 0..80 {
            let middle = 0.5 * (up + down);
            *(if gap(middle) > 0.0 { &mut up } else { &mut down }) = middle;
        }
        let table = a * w * (w * up).cos();
        (w * up - 2.0 * PI, (1.0 + e) * table - e * (speed - g * (up - start)))
    }

    #[test]
    fn comes_back_and_its_multipliers_are_those_of_the_formula() {
        for e in [0.2, 0.5, 0.9] {
            let orbit = ShakenTable { gravity: 9.81, restitution: e, omega: 60.0, gamma: ShakenTable::doubling(e) };
            let (phase, speed) = (orbit.phase(), orbit.launch_speed());
            let (a, b) = map(&orbit, phase, speed);
            assert!((a - phase).abs() < 1e-12 && (b - speed).abs() < 1e-13, "{a} {b}");
            let d = 1e-5;
            let by_phase = (map(&orbit, phase + d, speed), map(&orbit, phase - d, speed));
            let by_speed = (map(&orbit, phase, speed + d), map(&orbit, phase, speed - d));
            let slope = |a: f64, b: f64| (a - b) / (2.0 * d);
            let trace = slope(by_phase.0.0, by_phase.1.0) + slope(by_speed.0.1, by_speed.1.1);
            // 1 + trace + determinant = 0: a multiplier of −1.
            assert!((1.0 + trace + e * e).abs() < 1e-6, "{trace}");
        }
    }
}

mod table {
    use reference::Collocation;
    use reference::table::find;

    /// The first hop of the throw over the sine without drag is a root of a parabola against the sine.
    #[test]
    fn first_impact_on_the_sine() {
        let first = find("sine_A0.5_vacuum").unwrap().events().remove(0);
        let t = first.number("t").unwrap();
        let gap = 2.0 + 5.0 * t - 0.5 * 9.81 * t * t - 0.5 * (std::f64::consts::PI * t).sin();
        assert!(gap.abs() < 1e-14);
        assert!((first.number("vy_before").unwrap() - (5.0 - 9.81 * t)).abs() < 1e-14);
    }

    /// The throw with drag, integrated here to its first impact.
    #[test]
    fn first_impact_with_drag() {
        let table = find("hard_modelica_e0.9").unwrap();
        let first = table.events().remove(0);
        let drag = table.number("k_over_m").unwrap();
        let motion = |_: f64, [_, _, vx, vy]: &[f64; 4]| {
            let brake = drag * vx.hypot(*vy);
            [*vx, *vy, -brake * vx, -brake * vy - 9.81]
        };
        let end = Collocation::new(8).integrate(motion, 0.0, [0.0, 2.0, 1.0, 5.0], first.number("t").unwrap(), 100);
        assert!(end[1].abs() < 1e-14);
        assert!((end[0] - first.number("x").unwrap()).abs() < 1e-14);
        assert!((end[3] - first.number("vy_before").unwrap()).abs() < 1e-14);
        assert!(find("no such thing").is_none());
    }
}

mod collocation {
    use reference::Collocation;

    #[test]
    fn oscillator_and_order() {
        let spring = |_: f64, [x, v]: &[f64; 2]| [*v, -*x];
        let [x, v] = Collocation::new(8).integrate(spring, 0.0, [1.0, 0.0], 10.0, 40);
        assert!((x - 10f64.cos()).abs() < 1e-15 && (v + 10f64.sin()).abs() < 1e-15);
        let error = |steps| {
            let [x, _] = Collocation::new(2).integrate(spring, 0.0, [1.0, 0.0], 10.0, steps);
            (x - 10f64.cos()).abs()
        };
        assert!((f64::log2(error(100) / error(200)) - 4.0).abs() < 0.05);
    }
}

mod quadrature {
    use reference::{gauss_legendre, integrate};

    #[test]
    fn polynomials_are_exact_and_smooth_functions_nearly() {
        for power in 0..16 {
            let sum: f64 = gauss_legendre(8).iter().map(|(x, w)| w * x.powi(power)).sum();
            assert!((sum * f64::from(power + 1) - 1.0).abs() < 1e-14);
        }
        assert!((integrate(f64::exp, 0.0, 1.0, 3) - 1f64.exp_m1()).abs() < 1e-15);
    }
}
