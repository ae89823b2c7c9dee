//! Pages for what a program wants to do, each with a program that is compiled and run.

/// A force of one's own: a closure, or [`AppliedForce`](crate::mechanics::AppliedForce) where enclosures and
/// derivatives count.
///
/// A closure is seen at points only: derivatives of it are differences, and a pulse shorter than a step may be missed.
/// The trait is written once, over any [`Number`](crate::numbers::Number).
///
/// ```
/// use kugelbahn::prelude::*;
///
/// /// A spring to the origin, N/m.
/// struct Spring(f64);
///
/// impl AppliedForce for Spring {
///     fn at<N: Number>(&self, _time: N, body: &Body<N>) -> [N; 2] {
///         body.position.map(|x| -self.0 * x)
///     }
/// }
///
/// let throw = Simulation::new(Ball::point(1.0)?, Ground::graph("-9")?).gravity([0.0, 0.0]).thrown_from([1.0, 0.0], [0.0, 0.0]);
/// let closure = throw.clone().force(|_time, body| body.position.map(|x| -4.0 * x)).run(1.0)?;
/// let written = throw.applied_force(Spring(4.0)).run(1.0)?;
/// for run in [closure, written] {
///     assert!((run.at(1.0)?.position.x - 2.0_f64.cos()).abs() < 1e-8);
/// }
/// # Ok::<(), kugelbahn::Error>(())
/// ```
pub mod force {}

/// A ground: by formula, through points, from a file, or a [`Profile`](crate::curves::Profile) of one's own.
///
/// ```
/// use kugelbahn::prelude::*;
///
/// #[derive(Debug)]
/// struct Parabola;
///
/// impl Profile for Parabola {
///     fn point<N: Number>(&self, s: N) -> [N; 2] {
///         [s, 1.0 - 0.5 * s * s]
///     }
/// }
///
/// for ground in [Ground::of(Parabola, [-2.0, 2.0])?, Ground::graph("1 - 0.5*x^2")?] {
///     let bead = Simulation::new(Ball::point(1.0)?, ground).on_ground(-1.0, 0.0);
///     assert!((bead.run(1.0)?.at(0.0)?.acceleration.norm() - 9.81 * (0.5_f64).sqrt()).abs() < 1e-12);
/// }
/// # Ok::<(), kugelbahn::Error>(())
/// ```
pub mod ground {}

/// A law of contact: restitution and friction, or a [`Compliance`](crate::mechanics::Compliance) that lets the ball
/// give way.
///
/// ```
/// use kugelbahn::prelude::*;
///
/// let sphere = Simulation::new(Ball::solid_sphere(1.0, 0.1)?, Ground::graph("0")?).thrown_from([0.0, 1.0], [1.0, 0.0]);
/// let rigid = sphere.clone().restitution(0.8).friction(0.3).tangential_restitution(0.1);
/// assert_eq!(rigid.run(0.5)?.events()[0].kind, EventKind::Impact);
/// let hertz = Compliance::new(CompliantLaw::Hertz { stiffness: 1e6, viscosity: 20.0 })?.with_friction(0.3, 1e-3)?;
/// assert_eq!(sphere.compliance(hertz).run(0.5)?.events()[0].kind, EventKind::Touch);
/// # Ok::<(), kugelbahn::Error>(())
/// ```
pub mod law {}

/// To stop: with an event, with a moment in words, or by an observer, which a flag of another thread may move.
///
/// [`Run::ended`](crate::Run::ended) says which of them it was.
///
/// ```
/// use kugelbahn::prelude::*;
///
/// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).restitution(0.5).thrown_from([0.0, 1.0], [1.0, 0.0]);
/// let third = drop.clone().until_moments(&["impact.3", "t=5"]).run(9.0)?;
/// assert_eq!(third.ended(), Ended::Moment("impact.3".into()));
/// let far = drop.clone().until(|event| event.position().x > 0.9).run(9.0)?;
/// assert_eq!(far.ended(), Ended::Event);
/// let first = drop.run_observed(9.0, &mut |_: &Event| ControlFlow::Break(()))?;
/// assert_eq!((first.ended(), first.events().len()), (Ended::Observer, 1));
/// # Ok::<(), kugelbahn::Error>(())
/// ```
pub mod stop {}

/// The ball at any time: [`Run::at`](crate::Run::at) and [`Run::samples`](crate::Run::samples) read the dense output of
/// the method; [`Watch`](crate::Watch) locates when a quantity passes a value.
///
/// ```
/// use kugelbahn::prelude::*;
///
/// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).thrown_from([0.0, 1.0], [2.0, 0.0]);
/// let run = drop.watch(Watch::y(0.5).only_falling()).run(0.4)?;
/// let passed = run.crossings()[0].moment;
/// assert!((passed.time - (1.0_f64 / 9.81).sqrt()).abs() < 1e-15);
/// assert!((run.at(passed.time)?.position - passed.position).norm() < 1e-15);
/// assert_eq!(run.samples(0.1)?.count(), 5);
/// # Ok::<(), kugelbahn::Error>(())
/// ```
pub mod dense_output {}

/// To go on: [`Run::resume_to`](crate::Run::resume_to) a later time, or [`Running`](crate::Running), which can be
/// changed on the way and put back.
///
/// ```
/// use kugelbahn::prelude::*;
///
/// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).restitution(0.5).thrown_from([0.0, 1.0], [0.0, 0.0]);
/// assert_eq!(drop.run(0.5)?.resume_to(1.0)?.events().len(), drop.run(1.0)?.events().len());
/// let mut running = drop.start()?;
/// running.advance_to(0.5)?;
/// running.change(|simulation| simulation.gravity([0.0, -1.62]))?; // on the Moon from here on
/// assert!(running.advance_to(1.0)?.is_empty());
/// # Ok::<(), kugelbahn::Error>(())
/// ```
pub mod resume {}

/// Many runs: variants share the ground, and a [`Simulation`](crate::Simulation) goes to any thread.
///
/// ```
/// use kugelbahn::prelude::*;
///
/// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).thrown_from([0.0, 1.0], [0.0, 0.0]);
/// let seconds = std::thread::scope(|threads| {
///     let run = |restitution| {
///         let variant = drop.clone().restitution(restitution).until_moments(&["impact.2"]);
///         threads.spawn(move || Ok::<_, kugelbahn::Error>(variant.run(2.0)?.end()))
///     };
///     [0.5, 0.9].map(run).map(|thread| thread.join().expect("no panic"))
/// });
/// for (second, restitution) in seconds.into_iter().zip([0.5, 0.9]) {
///     assert!((second? - (1.0 + 2.0 * restitution) * (2.0_f64 / 9.81).sqrt()).abs() < 1e-14);
/// }
/// # Ok::<(), kugelbahn::Error>(())
/// ```
///
/// Thousands of runs with their rows on disk are a sweep of the command line, or crate [`sweep`](crate::sweep).
pub mod sweep {}

/// Errors: one type, which says place, value, rule and cure; a run that can't go on carries what was run.
///
/// ```
/// use kugelbahn::prelude::*;
///
/// let drop = Simulation::new(Ball::point(1.0)?, Ground::graph("0")?).thrown_from([0.0, 1.0], [0.0, 0.0]);
/// let wrong = drop.clone().restitution(1.5).run(1.0).unwrap_err();
/// assert!(wrong.to_string().starts_with("restitution = 1.5"));
/// let broken = drop.force(|time, _body| [if time > 0.2 { f64::NAN } else { 0.0 }, 0.0]);
/// match broken.run(1.0) {
///     Err(kugelbahn::Error::Stopped(run)) => assert!(run.end() < 0.3 && run.at(run.end())?.position.y > 0.5),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), kugelbahn::Error>(())
/// ```
pub mod errors {}
