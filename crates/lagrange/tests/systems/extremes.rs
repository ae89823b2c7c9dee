//! Numbers at the ends of what a float can be, and systems with nothing in them: an error or a motion, never a panic, never
//! NaN with `Ok`.

use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, MatMut};
use lagrange::mechanics::{ContactLaw, Friction};
use lagrange::{At, Gap, Gradients, InputError, Linear, Settings, Start, StepError, System, Theta};

fn law(restitution: f64, friction: f64) -> ContactLaw {
    let friction = Friction::Coefficient(friction);
    ContactLaw::new(restitution).and_then(|law| law.with_friction(friction)).expect("a law")
}

type Force = Box<dyn Fn(f64, &mut [f64])>;

fn diagonal(entries: &[f64]) -> Mat<f64> {
    Mat::from_fn(entries.len(), entries.len(), |i, j| if i == j { entries[i] } else { 0.0 })
}

fn sparse(entries: &[f64]) -> SparseColMat<usize, f64> {
    let n = entries.len();
    let triplets: Vec<_> = entries.iter().enumerate().map(|(i, x)| Triplet::new(i, i, *x)).collect();
    SparseColMat::try_new_from_triplets(n, n, &triplets).expect("a matrix")
}

/// n masses under gravity; each column of H is one relation `y = Hᵀq`.
fn masses(mass: &[f64], columns: &[&[f64]], law: ContactLaw) -> Result<Linear<impl Fn(f64, &mut [f64])>, InputError> {
    let n = mass.len();
    let weights = mass.to_vec();
    let force = move |_: f64, f: &mut [f64]| f.iter_mut().zip(&weights).for_each(|(f, m)| *f = -9.81 * m);
    let normal = Mat::from_fn(n, columns.len(), |i, r| columns[r][i]);
    let zero = || diagonal(&vec![0.0; n]);
    // Two masses slip at right angles to their relations.
    let slip = Mat::from_fn(n, columns.len(), |i, r| if i == 0 { -columns[r][n - 1] } else { columns[r][0] });
    Linear::new(diagonal(mass), zero(), zero(), force)?
        .with_relations(normal, vec![0.0; columns.len()], vec![law; columns.len()])?
        .with_tangential(slip)
}

fn start(position: &[f64], velocity: &[f64]) -> Start {
    Start { time: 0.0, position: position.to_vec(), velocity: velocity.to_vec() }
}

/// Steps until the first error; everything that can be read is a number after each.
fn steps<S: System>(scheme: &mut Theta<S>, count: usize) -> Option<StepError> {
    for _ in 0..count {
        let before = (scheme.index(), scheme.position().to_vec(), scheme.velocity().to_vec());
        if let Err(error) = scheme.step() {
            assert_eq!(before, (scheme.index(), scheme.position().to_vec(), scheme.velocity().to_vec()));
            return Some(error);
        }
        let ledger = scheme.energy();
        let numbers = scheme.position().iter().chain(scheme.velocity()).chain(scheme.normal_impulses());
        assert!(numbers.chain(scheme.tangential_impulses()).all(|x| x.is_finite()));
        assert!(ledger.external.is_finite() && ledger.normal.is_finite() && !ledger.kinetic.is_nan());
    }
    None
}

#[test]
fn nothing_at_all() {
    let system = masses(&[], &[], ContactLaw::default()).expect("a system");
    let mut scheme = Theta::new(system, Settings::new(1e-2), start(&[], &[])).expect("a start");
    assert_eq!(steps(&mut scheme, 10), None);
    let mut scheme = Theta::new(
        masses(&[1.0], &[], ContactLaw::default()).expect("a system"),
        Settings::new(1e-2),
        start(&[1.0], &[0.0]),
    )
    .expect("a start");
    assert_eq!(steps(&mut scheme, 100), None);
    assert!((scheme.velocity()[0] + 9.81).abs() < 1e-12 && scheme.mean_force(0) == 0.0);
}

/// Masses of any size beside each other fall alike, dense and sparse.
#[test]
fn masses_of_any_size() {
    for mass in [[1.0, 1e-200], [1e-200, 1e-200], [1e300, 1.0], [1e-20, 1.0]] {
        let run = |system: Linear<Force>| {
            let mut scheme = Theta::new(system, Settings::new(1e-2), start(&[1.0, 2.0], &[0.0; 2])).expect("a start");
            assert_eq!(steps(&mut scheme, 100), None);
            assert!(scheme.velocity().iter().all(|v| (v + 9.81).abs() < 1e-11), "{mass:?} {:?}", scheme.velocity());
        };
        let force = || -> Force { Box::new(move |_, f: &mut [f64]| (0..2).for_each(|i| f[i] = -9.81 * mass[i])) };
        let zero = || diagonal(&[0.0; 2]);
        run(Linear::new(diagonal(&mass), zero(), zero(), force()).expect("dense"));
        let none = || sparse(&[0.0; 2]);
        run(Linear::new(sparse(&mass), none(), none(), force()).expect("sparse"));
    }
}

#[test]
fn huge_and_tiny() {
    let new = |h: f64, q: f64, v: f64| {
        let system = masses(&[1.0], &[&[1.0]], law(0.5, 0.0)).expect("a system");
        Theta::new(system, Settings::new(h), start(&[q], &[v]))
    };
    // What overflows stops the step.
    for (h, q, v) in [(1e300, 1.0, 0.0), (1e10, 1e300, 1e300), (1e-2, 1e300, -1e300), (1e-2, 1.0, -1e308)] {
        match new(h, q, v) {
            Ok(mut scheme) => {
                let stopped = steps(&mut scheme, 1000);
                println!("h = {h:e}, q = {q:e}, v = {v:e}: {stopped:?}");
                assert!(matches!(stopped, Some(StepError::Scheme(_)) | None));
            }
            Err(refused) => println!("h = {h:e}, q = {q:e}, v = {v:e}: {refused}"),
        }
    }
    let mut scheme = new(1e-300, 1.0, 0.0).expect("a start");
    assert_eq!(steps(&mut scheme, 1000), None);
    assert_eq!(scheme.position(), [1.0]);
    let mut scheme = new(1e-300, 0.0, -1.0).expect("a start");
    assert_eq!(steps(&mut scheme, 1000), None);
    // Time would stand still.
    let system = masses(&[1.0], &[], ContactLaw::default()).expect("a system");
    let late = Start { time: 1.0, ..start(&[1.0], &[0.0]) };
    let refused = Theta::new(system, Settings::new(1e-300), late).err().expect("refused").to_string();
    assert!(refused.contains("step = ") && refused.contains("start time"), "{refused}");
}

/// The same relation twice, thrice, with signs and factors; a row of H that nothing touches; an empty column.
#[test]
fn redundant_relations() {
    for law in [law(1.0, 0.0), law(0.5, 0.0), law(0.0, 0.0), law(1.0, 0.3)] {
        for columns in [
            vec![&[1.0, 0.0][..], &[1.0, 0.0]],
            vec![&[1.0, 0.0], &[1.0, 0.0], &[1.0, 0.0]],
            vec![&[1.0, 0.0], &[1e3, 0.0], &[0.0, 1.0]],
            vec![&[1.0, 0.0], &[0.0, 1.0], &[1.0, 1.0]],
        ] {
            let once = run_over(&columns[..1], law.clone());
            let system = masses(&[1.0, 2.0], &columns, law.clone()).expect("a system");
            let mut scheme = Theta::new(system, Settings::new(1e-2), start(&[0.5, 0.5], &[0.0; 2])).expect("a start");
            let stopped = steps(&mut scheme, 2000);
            assert_eq!(stopped, None, "{law:?} {columns:?}");
            let off = (scheme.position()[0] - once).abs();
            println!("{law:?} {columns:?}: {off:e}");
            assert!(columns[columns.len() - 1][1] != 0.0 || off < 1e-10, "{law:?} {columns:?} {off:e}");
            let ledger = scheme.energy();
            assert!(ledger.numerical().abs() < 1e-9 * (1.0 + ledger.external.abs()), "{ledger:?}");
        }
    }
}

fn run_over(columns: &[&[f64]], law: ContactLaw) -> f64 {
    let system = masses(&[1.0, 2.0], columns, law).expect("a system");
    let mut scheme = Theta::new(system, Settings::new(1e-2), start(&[0.5, 0.5], &[0.0; 2])).expect("a start");
    assert_eq!(steps(&mut scheme, 2000), None);
    scheme.position()[0]
}

/// A relation that no velocity changes is none.
#[test]
fn empty_relation() {
    let refused = masses(&[1.0, 1.0], &[&[1.0, 0.0], &[0.0, 0.0]], law(0.5, 0.0)).err().expect("refused");
    assert_eq!(refused.to_string(), "column 1 of H is zero: a relation must depend on q");
}

/// One field of a nonlinear system at a time is NaN from a place on.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Broken {
    Mass,
    Inertia,
    Internal,
    External,
    Gap,
    Gradient,
    Tangential,
    Potential,
    Dissipation,
}

struct Ball {
    broken: Broken,
    below: f64,
    laws: Vec<ContactLaw>,
}

impl Ball {
    fn or_nan(&self, field: Broken, q: f64, value: f64) -> f64 {
        if field == self.broken && q < self.below { f64::NAN } else { value }
    }
}

impl System for Ball {
    fn size(&self) -> usize {
        1
    }
    fn mass(&self, q: &[f64], mut mass: MatMut<'_, f64>) {
        mass[(0, 0)] = self.or_nan(Broken::Mass, q[0], 1.0);
    }
    fn inertia_force(&self, q: &[f64], _: &[f64], force: &mut [f64]) {
        force[0] = self.or_nan(Broken::Inertia, q[0], 0.0);
    }
    fn internal_force(&self, at: At<'_>, force: &mut [f64]) {
        force[0] = self.or_nan(Broken::Internal, at.position[0], 9.81);
    }
    fn external_force(&self, time: f64, force: &mut [f64]) {
        force[0] = self.or_nan(Broken::External, 1.0 - time, 0.0);
    }
    fn potential(&self, q: &[f64]) -> f64 {
        self.or_nan(Broken::Potential, q[0], 9.81 * q[0])
    }
    fn dissipation(&self, at: At<'_>) -> f64 {
        self.or_nan(Broken::Dissipation, at.position[0], 0.0)
    }
    fn laws(&self) -> &[ContactLaw] {
        &self.laws
    }
    fn relation(&self, _: usize, _: f64, q: &[f64], gradients: Gradients<'_>) -> Gap {
        gradients.normal[0] = self.or_nan(Broken::Gradient, q[0], 1.0);
        gradients.tangential[0] = self.or_nan(Broken::Tangential, q[0], 0.5);
        Gap::still(self.or_nan(Broken::Gap, q[0], q[0]))
    }
}

/// NaN at the start is refused by its name, NaN on the way is an error of the step.
#[test]
fn nan_in_each_field() {
    use Broken::*;
    for (broken, name) in [
        (Mass, "M["),
        (Inertia, "Q["),
        (Internal, "F["),
        (External, "F_ext["),
        (Gap, "y["),
        (Gradient, "H["),
        (Tangential, "H_t["),
        (Potential, "energy["),
        (Dissipation, "dissipation["),
    ] {
        let new = |below: f64| {
            let laws = vec![law(0.5, 0.2)];
            Theta::new(Ball { broken, below, laws }, Settings::new(1e-2), start(&[1.0], &[0.0]))
        };
        let refused = new(2.0).err().expect("refused").to_string();
        assert!(refused.starts_with(name) && refused.contains("NaN"), "{broken:?}: {refused}");
        let mut scheme = new(0.5).expect("a start");
        let mut stopped = None;
        for _ in 0..200 {
            stopped = scheme.step().err();
            if stopped.is_some() {
                break;
            }
            assert!(scheme.position()[0].is_finite() && scheme.velocity()[0].is_finite());
        }
        println!("{broken:?}: {stopped:?}");
        // Potential energy is the ledger's alone; the NaN stands there to see.
        assert!(stopped.is_some() || broken == Potential, "{broken:?}");
    }
}

/// Each entry of each matrix and vector.
#[test]
fn nan_in_each_entry() {
    let nan = f64::NAN;
    let none = |_: f64, _: &mut [f64]| {};
    let one = || diagonal(&[1.0, 1.0]);
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let broken = || {
            let mut matrix = one();
            matrix[(i, j)] = nan;
            matrix
        };
        let names = [
            Linear::new(broken(), one(), one(), none).err(),
            Linear::new(one(), broken(), one(), none).err(),
            Linear::new(one(), one(), broken(), none).err(),
            Linear::new(one(), one(), one(), none)
                .expect("m")
                .with_relations(broken(), vec![0.0; 2], vec![ContactLaw::default(); 2])
                .err(),
            Linear::new(one(), one(), one(), none)
                .and_then(|l| l.with_relations(one(), vec![0.0; 2], vec![ContactLaw::default(); 2]))
                .expect("relations")
                .with_tangential(broken())
                .err(),
        ];
        for (error, name) in names.into_iter().zip(["M", "C", "K", "H", "H_t"]) {
            let text = error.expect("refused").to_string();
            assert_eq!(text, format!("{name}[{i}, {j}] is NaN: it must be finite"));
        }
    }
    let refused = |law: ContactLaw| masses(&[1.0], &[&[1.0]], law).err().expect("refused").to_string();
    let plain = law(0.5, 0.2);
    let damped = plain.clone().with_rolling_damping(0.1).expect("a law");
    assert!(refused(damped).contains("relation 0: rolling-damping = 0.1"));
    assert!(refused(plain.clone().with_rolling_resistance(0.1).expect("a law")).contains("rolling-resistance = 0.1"));
    assert!(refused(plain.with_friction(Friction::Infinite).expect("a law")).contains("friction = inf"));
    let new = |settings: Settings, start: Start| {
        let system = masses(&[1.0], &[&[1.0]], ContactLaw::default()).expect("a system");
        Theta::new(system, settings, start).err().expect("refused").to_string()
    };
    let good = || start(&[1.0], &[0.0]);
    assert!(new(Settings::new(1e-2), start(&[nan], &[0.0])).starts_with("q[0, 0]"));
    assert!(new(Settings::new(1e-2), start(&[1.0], &[nan])).starts_with("v[0, 0]"));
    assert!(new(Settings::new(1e-2), Start { time: nan, ..good() }).starts_with("t[0, 0]"));
    assert!(new(Settings { tolerance: nan, ..Settings::new(1e-2) }, good()).starts_with("tolerance = NaN"));
    assert!(new(Settings { iterations: 0, ..Settings::new(1e-2) }, good()).starts_with("iterations = 0"));
    // −1e-3 through H = 1: penetration, with its number.
    let text = new(Settings::new(1e-2), start(&[-1e-3], &[0.0]));
    assert_eq!(text, "relation 0 starts with y = -0.001: it must be ≥ 0");
}
