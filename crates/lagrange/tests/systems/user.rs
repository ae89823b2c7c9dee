//! What a user's own system may get wrong, each with its own error: a double pendulum before a wall, broken in one place.

use lagrange::faer::sparse::{SparseColMat, Triplet};
use lagrange::faer::{Mat, MatMut};
use lagrange::lcp::Failure;
use lagrange::mechanics::{ContactLaw, Friction};
use lagrange::moreau;
use lagrange::{At, Gap, Gradients, InputError, Linear, Settings, Start, StepError, System, Theta};

fn law(restitution: f64, friction: f64) -> ContactLaw {
    let friction = Friction::Coefficient(friction);
    ContactLaw::new(restitution).and_then(|law| law.with_friction(friction)).expect("a law")
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Broken {
    Nothing,
    Asymmetric,
    Indefinite,
    Mass,
    Force,
    Inertia,
    Gap,
    Normal,
    Tangential,
    NoNormal,
    NoTangential,
    LosesNormal,
}

/// Masses and lengths 1; `late`: broken only where the second angle exceeds 0.3.
struct Pendulum {
    broken: Broken,
    /// Unknowns that nothing couples, so that M is large.
    more: usize,
    laws: Vec<ContactLaw>,
}

impl Pendulum {
    fn is(&self, broken: Broken, q: &[f64]) -> bool {
        self.broken == broken && q[1] > 0.3
    }
}

impl System for Pendulum {
    fn size(&self) -> usize {
        2 + self.more
    }
    fn mass(&self, q: &[f64], mut m: MatMut<'_, f64>) {
        let c = (q[0] - q[1]).cos();
        (m[(0, 0)], m[(0, 1)], m[(1, 0)], m[(1, 1)]) = (2.0, c, c, 1.0);
        (2..q.len()).for_each(|i| m[(i, i)] = 1.0);
        if self.is(Broken::Asymmetric, q) {
            m[(1, 0)] = -0.5 * c;
        }
        if self.is(Broken::Indefinite, q) {
            m[(0, 0)] = -2.0;
        }
        if self.is(Broken::Mass, q) {
            m[(1, 0)] = f64::NAN;
        }
    }
    fn inertia_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        let s = (q[0] - q[1]).sin();
        (f[0], f[1]) = (s * v[1] * v[1], -s * v[0] * v[0]);
        if self.is(Broken::Inertia, q) {
            f[1] = f64::NAN;
        }
    }
    fn internal_force(&self, at: At<'_>, f: &mut [f64]) {
        (f[0], f[1]) = (19.62 * at.position[0].sin(), 9.81 * at.position[1].sin());
        if self.is(Broken::Force, at.position) {
            f[0] = f64::NAN;
        }
    }
    fn potential(&self, q: &[f64]) -> f64 {
        -9.81 * (2.0 * q[0].cos() + q[1].cos())
    }
    fn laws(&self) -> &[ContactLaw] {
        &self.laws
    }
    fn relation(&self, i: usize, _: f64, q: &[f64], g: Gradients<'_>) -> Gap {
        for j in 0..2 - i {
            (g.normal[j], g.tangential[j]) = (-q[j].cos(), -q[j].sin());
        }
        if self.is(Broken::Normal, q) {
            g.normal[0] = f64::NAN;
        }
        if self.is(Broken::Tangential, q) {
            g.tangential[0] = f64::NAN;
        }
        if self.broken == Broken::NoNormal || self.is(Broken::LosesNormal, q) {
            g.normal.fill(0.0);
        }
        if self.broken == Broken::NoTangential {
            g.tangential.fill(0.0);
        }
        let x = q[0].sin() + if i == 0 { q[1].sin() } else { 0.0 };
        Gap::still(if self.is(Broken::Gap, q) { f64::NAN } else { 0.9 - x })
    }
}

fn new(broken: Broken, more: usize, position: [f64; 2], friction: f64) -> Result<Theta<Pendulum>, InputError> {
    let laws = vec![law(0.5, friction); 2];
    let mut start = Start { time: 0.0, position: position.to_vec(), velocity: vec![3.0, 3.0] };
    start.position.resize(2 + more, 0.0);
    start.velocity.resize(2 + more, 0.0);
    Theta::new(Pendulum { broken, more, laws }, Settings::new(1e-3), start)
}

/// The first error in 3000 steps, after which the step that failed has changed nothing.
fn stopped(broken: Broken, more: usize, friction: f64) -> Option<StepError> {
    let mut scheme = new(broken, more, [0.1, 0.2], friction).expect("a start");
    for _ in 0..3000 {
        let before = (scheme.index(), scheme.position().to_vec(), scheme.velocity().to_vec());
        if let Err(error) = scheme.step() {
            println!("{broken:?}, {more}: {error}");
            assert_eq!(before, (scheme.index(), scheme.position().to_vec(), scheme.velocity().to_vec()));
            return Some(error);
        }
    }
    None
}

#[test]
fn mass_on_the_way() {
    for more in [0, 10] {
        let mass = |broken| match stopped(broken, more, 0.0) {
            Some(StepError::Mass { time, source }) => {
                assert!(time > 0.0 && time < 0.1);
                source
            }
            other => unreachable!("{other:?}"),
        };
        assert!(matches!(mass(Broken::Asymmetric), InputError::Asymmetric { row: 1, column: 0, .. }));
        assert!(matches!(mass(Broken::Indefinite), InputError::Singular { pivot: Some(0), .. }));
        assert!(matches!(mass(Broken::Mass), InputError::Entries(Failure::Entry { name: "M", row: 1, column: 0, .. })));
        assert_eq!(stopped(Broken::Nothing, more, 0.3), None);
    }
    let text = stopped(Broken::Indefinite, 0, 0.0).expect("stopped").to_string();
    assert!(text.starts_with("in the step from t = 0.03") && text.contains("M is not positive definite"), "{text}");
}

#[test]
fn not_a_number_on_the_way() {
    for (broken, name) in [
        (Broken::Force, "the internal force F is not finite"),
        (Broken::Inertia, "the inertia force Q is not finite"),
        (Broken::Gap, "y of relation 0 is NaN"),
        (Broken::Normal, "H of relation 0 is NaN"),
        (Broken::Tangential, "H_t of relation 0 is NaN"),
    ] {
        let text = stopped(broken, 0, 0.3).expect("stopped").to_string();
        assert!(text.starts_with(name) && text.contains("in the step from t = 0."), "{text}");
    }
    let error = stopped(Broken::LosesNormal, 0, 0.3);
    assert!(matches!(error, Some(StepError::NoGradient { relation: 0, .. })), "{error:?}");
}

/// A NaN anywhere in a large iteration matrix is found: `norm_max` of faer loses those that are not last.
#[test]
fn not_a_number_in_a_large_matrix() {
    struct Row(usize);
    impl System for Row {
        fn size(&self) -> usize {
            20
        }
        fn mass(&self, _: &[f64], mut mass: MatMut<'_, f64>) {
            (0..20).for_each(|i| mass[(i, i)] = 1.0);
        }
        fn internal_force(&self, at: At<'_>, force: &mut [f64]) {
            // Finite itself, but not to the right of where it starts: the differences are not.
            force[self.0] = if at.position[3] > 0.0 { f64::NAN } else { 1.0 };
        }
    }
    for row in 0..20 {
        let start = Start { time: 0.0, position: vec![0.0; 20], velocity: vec![0.0; 20] };
        let mut scheme = Theta::new(Row(row), Settings::new(1e-3), start).expect("a start");
        let text = scheme.step().expect_err("stopped").to_string();
        assert_eq!(text, "a derivative of M, Q or F is not finite in the step from t = 0.0");
    }
}

#[test]
fn forgotten_gradients() {
    let refused = |broken, q, friction| new(broken, 0, q, friction).err();
    for q in [[0.1, 0.2], [0.0, 0.0]] {
        assert!(matches!(refused(Broken::NoNormal, q, 0.0), Some(InputError::NoGradient { relation: 0 })));
        assert!(matches!(
            refused(Broken::NoTangential, q, 0.3),
            Some(InputError::NoTangential { relation: 0, friction: 0.3 })
        ));
        assert_eq!(refused(Broken::NoTangential, q, 0.0), None);
        // At [0, 0] the tangential gradients are zero, but not all around.
        assert_eq!(refused(Broken::Nothing, q, 0.3), None);
    }
    // Arms to the right: the normal gradient is zero there, and y at its lowest.
    let flat = std::f64::consts::FRAC_PI_2;
    assert_eq!(refused(Broken::Nothing, [-flat, -flat], 0.3), None);

    let one = || Mat::from_fn(2, 2, |i, j| if i == j { 1.0 } else { 0.0 });
    let zero = || Mat::<f64>::zeros(2, 2);
    let slope = |row: usize| Mat::from_fn(2, 1, |i, _| if i == row { 1.0 } else { 0.0 });
    let linear = || {
        Linear::new(one(), zero(), zero(), |_, _: &mut [f64]| {})
            .and_then(|l| l.with_relations(slope(0), vec![0.0], vec![law(0.5, 0.3)]))
            .expect("a system")
    };
    let start = || Start { time: 0.0, position: vec![0.0; 2], velocity: vec![0.0; 2] };
    let text = Theta::new(linear(), Settings::new(1e-3), start()).err().expect("refused").to_string();
    assert!(text.starts_with("relation 0 has friction 0.3, but column 0 of H_t is zero"), "{text}");
    let complete = linear().with_tangential(slope(1)).expect("a system");
    assert!(Theta::new(complete, Settings::new(1e-3), start()).is_ok());
}

/// `M + h²K/4 = 0` in one, two or all entries, or of rank 1.
#[test]
fn singular_sparse_matrix() {
    let h = 0.1;
    let sparse = |rows: [[f64; 3]; 3]| {
        let all = (0..3).flat_map(|i| (0..3).map(move |j| (i, j))).filter(|(i, j)| rows[*i][*j] != 0.0);
        let triplets: Vec<_> = all.map(|(i, j)| Triplet::new(i, j, rows[i][j])).collect();
        SparseColMat::<usize, f64>::try_new_from_triplets(3, 3, &triplets).expect("a matrix")
    };
    let one = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let k = 4.0 / (h * h);
    let new = |stiffness: [[f64; 3]; 3]| {
        let start = Start { time: 0.0, position: vec![0.0; 3], velocity: vec![1.0; 3] };
        Linear::new(sparse(one), sparse([[0.0; 3]; 3]), sparse(stiffness), |_, f: &mut [f64]| f[0] = 1.0)
            .and_then(|system| Theta::new(system, Settings::new(h), start))
            .err()
    };
    for stiffness in [
        [[-k, 0.0, 0.0], [0.0, -k, 0.0], [0.0, 0.0, -k]],
        [[-k, 0.0, 0.0], [0.0, k, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, k, 0.0], [k, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, k, k], [k, 0.0, k], [k, k, 0.0]],
        [[-0.9 * k, 0.3 * k, 0.0], [0.3 * k, -0.1 * k, 0.0], [0.0, 0.0, k]],
    ] {
        assert_eq!(new(stiffness), Some(InputError::Iteration { step: h }), "{stiffness:?}");
    }
    assert_eq!(new([[-0.999_999 * k, 0.0, 0.0], [0.0, 1e9, 0.0], [0.0, 0.0, 0.0]]), None);
}

#[test]
fn short_numbers() {
    let error = moreau::StepError::Newton {
        time: 3.5,
        change: 0.000_000_163_946_638_043_199_75,
        tolerance: 1e-12,
        iterations: 30,
    };
    let text = error.to_string();
    assert!(text.contains("by 1.639e-7 after") && text.contains("(tolerance 1e-12, relative)"), "{text}");
    assert!(InputError::Iteration { step: 1e-300 }.to_string().contains("h = 1e-300;"));
    assert!(InputError::Penetration { relation: 0, gap: -1e-20 }.to_string().contains("y = -1e-20:"));
}
