//! Makes bodies and settings for time stepping from a scenario, and checks them.

use std::sync::Arc;

use collisions::{CollisionSettings, Collisions, Refused};
use curves::OffsetGround;
use mechanics::ContactLaw;
use moreau::{BallSettings, Balls, Body, ContactSolver, Executor, Kern};
use nalgebra::Vector2;
use supervisor::Scene;

use crate::input::{InputError, Span, plain, rounded};
use crate::physics::parameter_error;
use crate::scenario::{BallSetup, Scenario};
use crate::settings::{SteppingKind, SteppingMethod};

/// Data of Kern's scheme: a point mass in vertical motion.
pub(crate) struct Vertical {
    pub kern: Kern<Box<dyn Fn(f64) -> f64>>,
    /// Height of the ground, m.
    pub level: f64,
}

impl Scenario {
    /// Step h, s.
    pub fn step(&self) -> f64 {
        match self.solver.control {
            newmark::Control::Step { step, .. } => step,
            newmark::Control::Tolerance(_) => f64::NAN,
        }
    }

    /// Part of the step after which the predicted gap decides whether a contact is closed.
    pub(crate) fn prediction(&self) -> f64 {
        self.theta_scheme().map_or(1.0, |settings| settings.prediction)
    }

    /// Settings of Moreau's θ-scheme, if the run uses it.
    pub fn theta_scheme(&self) -> Option<&BallSettings> {
        self.stepping.as_ref().filter(|s| s.method.kind.has_theta()).map(|s| &s.method.settings)
    }

    /// Balls of time stepping; none of an event-driven run.
    pub fn ball_setups(&self) -> &[BallSetup] {
        self.stepping.as_ref().map_or(&[], |stepping| &stepping.balls)
    }

    pub(crate) fn ball_setup(&self, ball: usize) -> Option<&BallSetup> {
        self.ball_setups().get(ball)
    }

    /// One scene per ball.
    pub fn scenes(&self) -> Vec<Scene> {
        let Some(stepping) = &self.stepping else { return vec![self.scene.clone()] };
        let scene = |BallSetup { ball, ground, forces, .. }: &BallSetup| Scene {
            ground: ground.clone(),
            ball: *ball,
            forces: forces.clone(),
            ..self.scene.clone()
        };
        stepping.balls.iter().map(scene).collect()
    }

    /// Whether steps end with a projection onto g = 0.
    pub(crate) fn projects(&self) -> bool {
        self.theta_scheme().is_some_and(|settings| settings.projection.is_some())
    }

    /// Makes the run end at a step whose contacts miss `lcp-tolerance`.
    pub fn strict(mut self) -> Result<Self, InputError> {
        let Some(stepping) = self.stepping.as_mut().filter(|stepping| stepping.method.kind.has_theta()) else {
            let message =
                "`--strict` is for `solver.method = \"moreau\"` or \"events\": no other has an `lcp-tolerance`";
            return Err(InputError::without_place(message).with_help("leave `--strict` out"));
        };
        stepping.method.settings.strict = true;
        Ok(self)
    }

    /// Solves the contacts of a step by `executor`, which does not change any result.
    pub fn with_executor(mut self, executor: Arc<dyn Executor>) -> Result<Self, InputError> {
        let Some(stepping) = self.stepping.as_mut().filter(|stepping| stepping.method.kind == SteppingKind::Moreau)
        else {
            let message = "threads are for `solver.method = \"moreau\"`: no other has contacts of a step to share";
            return Err(InputError::without_place(message)
                .with_help("leave `--threads` out; runs of a sweep go on several threads by any method"));
        };
        stepping.executor = executor;
        Ok(self)
    }

    pub(crate) fn between(&self) -> &ContactLaw {
        self.stepping.as_ref().map_or(&self.scene.law, |stepping| &stepping.between)
    }

    /// The balls, ready for their first step.
    pub fn balls(&self) -> Result<Balls, moreau::InputError> {
        let settings = self.ball_settings();
        let first = self.bodies().into_iter().zip(self.releases()).filter(|(_, release)| *release <= 0.0);
        let first = first.map(|(body, _)| body).collect();
        let make = if self.is_resumed() { Balls::resumed } else { Balls::new };
        let balls = make(first, self.between().clone(), settings)?;
        Ok(match &self.stepping {
            Some(stepping) => balls.with_executor(stepping.executor.clone()),
            None => balls,
        })
    }

    /// Whether balls may start in each other, as left by an earlier run.
    fn is_resumed(&self) -> bool {
        self.ball_setups().iter().any(|ball_setup| ball_setup.resumed)
    }

    /// Release time of each ball, s.
    pub(super) fn releases(&self) -> Vec<f64> {
        self.ball_setups().iter().map(|ball_setup| ball_setup.release).collect()
    }

    fn ball_settings(&self) -> BallSettings {
        self.stepping.as_ref().map_or_else(|| BallSettings::new(self.step()), |stepping| stepping.method.settings)
    }

    pub(super) fn bodies(&self) -> Vec<Body> {
        let body = |ball_setup: &BallSetup| Body {
            ball: ball_setup.ball,
            ground: ball_setup.ground.clone(),
            forces: ball_setup.forces.clone(),
            law: self.scene.law.clone(),
            start: ball_setup.state(),
        };
        self.ball_setups().iter().map(body).collect()
    }

    /// The balls, ready for their first event.
    pub fn collisions(&self) -> Result<Collisions, Refused> {
        let settings = CollisionSettings {
            stepping: self.ball_settings(),
            capture_speed: self.solver.capture_speed,
            end: self.start.time() + self.solver.duration,
            limit: self.solver.limit,
            resumed: self.is_resumed(),
        };
        Collisions::poured(self.bodies(), &self.releases(), self.between().clone(), settings)
    }

    /// Checks ball, ground and method together.
    pub(crate) fn check_stepping(&self, spans: &[Span], place: Option<&Span>) -> Result<(), InputError> {
        let (Some(stepping), Some(place)) = (&self.stepping, place) else { return Ok(()) };
        let several = stepping.balls.len() > 1;
        if self.scene.ground.crosses_itself() {
            let message = "time stepping knows no loops: of strands that cross it sees both";
            return Err(InputError::new(place, message, "the ground crosses itself")
                .with_help("set `solver.method = \"newmark\"`, or draw the ground without a crossing"));
        }
        if !self.scene.own_laws.is_empty() {
            let message = "time stepping has one law of contact for all curves";
            return Err(InputError::new(place, message, "`contact` of a `[[ground]]` is for event-driven runs")
                .with_help("leave `contact` out of the `[[ground]]` tables, or set `solver.method = \"newmark\"`"));
        }
        let SteppingMethod { kind, settings } = stepping.method;
        let complain = |error: &moreau::InputError| complaint(error, spans, several);
        let check_balls = || self.balls().map(drop).map_err(|error| complain(&error));
        match kind {
            SteppingKind::Kern => self.vertical().map(drop).map_err(|why| {
                let message = format!("Kern's scheme can't run this: {why}");
                let rule = "for a point mass that moves up and down over level ground";
                InputError::new(place, message, rule)
                    .with_help("set `solver.method = \"moreau\"`, which knows all of this")
            }),
            SteppingKind::Own(name) => {
                let laws = [&self.scene.law, &stepping.between];
                let Some(law) = laws.iter().find(|law| law.rolling_damping() > 0.0) else { return check_balls() };
                let damping = plain(law.rolling_damping());
                let message =
                    format!("\"{name}\" is told of forces and of contacts, and `rolling-damping` is {damping} N s/m");
                Err(InputError::new(place, message, "knows no damping of contacts")
                    .with_help("leave `rolling-damping` out, or set `solver.method = \"moreau\"`"))
            }
            SteppingKind::Moreau | SteppingKind::Events => {
                let infinite = [&self.scene.law, &stepping.between].iter().any(|l| l.never_slips());
                if settings.solver == ContactSolver::Lemke && infinite {
                    let message = "lcp = \"lemke\" can't do infinite friction: μ is a number in its matrix";
                    return Err(InputError::new(place, message, "this run")
                        .with_help("set `lcp = \"gauss-seidel\"`, or give `friction` as a number"));
                }
                if kind == SteppingKind::Moreau {
                    return check_balls();
                }
                self.collisions().map(drop).map_err(|refused| match refused {
                    Refused::Input(error) => complain(&error),
                    Refused::Force { .. } => {
                        let message =
                            "between events balls fly on parabolas, and a force changes with place, velocity or time";
                        InputError::new(place, message, "knows gravity alone").with_help(
                            "leave drag, wind, Magnus and external forces out, or set `solver.method = \"moreau\"`",
                        )
                    }
                    Refused::Start(stop) => {
                        InputError::new(place, format!("the first events can't be predicted: {stop}"), "this run")
                            .with_help("set `solver.method = \"moreau\"`")
                    }
                    Refused::Damping { damping, .. } => {
                        let damping = plain(damping);
                        let message = format!(
                            "between events accelerations are constant, and `rolling-damping` is {damping} N s/m"
                        );
                        InputError::new(place, message, "knows no damping")
                            .with_help("leave `rolling-damping` out, or set `solver.method = \"moreau\"`")
                    }
                })
            }
        }
    }

    /// Data for Kern's scheme, or the reason why the scenario does not suit it.
    pub(crate) fn vertical(&self) -> Result<Vertical, String> {
        let ball_setup = self.ball_setups().first().ok_or("there is no ball")?;
        let state = ball_setup.state();
        if ball_setup.ball.radius() > 0.0 {
            return Err(format!("this ball has a radius of {} m", plain(ball_setup.ball.radius())));
        }
        if state.velocity.x != 0.0 {
            return Err(format!("this one starts with {} m/s to the side", plain(state.velocity.x)));
        }
        let level =
            level(&ball_setup.ground, state.position).ok_or("this ground is not one level line below the ball")?;
        let (law, forces) = (&self.scene.law, ball_setup.forces.clone());
        let of_time = "this force is not one of the time alone (no drag, Magnus force, x, y, vx, vy)";
        let refused = [
            (law.rolling_damping() > 0.0, "it knows no damping"),
            (forces.varies_in_motion(), of_time),
            (!forces.is_vertical(), "this force has a part to the side"),
            (!law.is_smooth(), "it knows no friction"),
        ];
        if let Some((_, why)) = refused.iter().find(|(refused, _)| *refused) {
            return Err((*why).to_owned());
        }
        let restitution = law.coefficient_of_restitution().ok_or("it knows one number of `restitution` alone")?;
        let x = state.position.x;
        let force = move |t: f64| forces.force(t, Vector2::new(x, level), Vector2::zeros(), 0.0).y;
        let force: Box<dyn Fn(f64) -> f64> = Box::new(force);
        let kern = Kern::new(ball_setup.ball.mass(), restitution, self.step(), force);
        Ok(Vertical { kern: kern.map_err(|error| error.to_string())?, level })
    }
}

/// Height of a ground that is one level line with the free side above; `None`: another ground.
fn level(ground: &OffsetGround, q: Vector2<f64>) -> Option<f64> {
    let [piece] = ground.ground().pieces() else { return None };
    let near = ground.ground().closest(q);
    let jet = piece.jet(near.parameter);
    (piece.is_straight() && jet.normal() == Vector2::new(0.0, 1.0) && jet.point.x == q.x).then_some(jet.point.y)
}

/// Message for an error of time stepping, at the position of the ball.
fn complaint(error: &moreau::InputError, spans: &[Span], several: bool) -> InputError {
    use moreau::InputError as E;
    let name = |ball: usize| if several { format!("ball {}", ball + 1) } else { "the ball".to_owned() };
    match error {
        E::Below { ball, depth } if *ball < spans.len() => {
            let message = format!("{} starts {} m below the ground", name(*ball), plain(rounded(*depth, 6)));
            InputError::new(&spans[*ball], message, "the centre of the ball, at least one radius above the ground")
        }
        E::Overlap { first, second, depth } if *second < spans.len() => {
            let (one, other, depth) = (name(*first), name(*second), plain(rounded(*depth, 6)));
            let message = format!("{one} and {other} overlap by {depth} m at the start");
            InputError::new(&spans[*second], message, format!("ball {} starts here", second + 1))
                .with_help("put their centres at least the sum of their radii apart")
        }
        E::Ball { ball, source } => {
            parameter_error(None, source).with_help(format!("it is a value of {}", name(*ball)))
        }
        E::Parameter(source) => parameter_error(None, source),
        other => InputError::without_place(other.to_string()),
    }
}
