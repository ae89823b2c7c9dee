//! [`KEYS`]: the table of all keys of a scenario, with unit, default, meaning and range.

use mechanics::{Ball, Compliance, ContactLaw, Forces, Range};
use newmark::{Control, Tolerance};
use serde_json::json;

use super::{Access, Key, Runs};
use crate::input::name_of;
use crate::methods::IMPACTS;
use crate::scenario::Scenario;
use crate::settings::{
    CONTACT_SOLVERS, FLIGHT_METHODS, FORMULATIONS, IMPACT_LAWS, INERTIA, LAWS, LOCALISATIONS, SCHEMES, names,
};
use crate::start_on_ground::Initial;
use crate::watch::{resolved_until, resolved_watches};

/// Values of fields that a row omits.
const NONE: Key = Key {
    path: "",
    kind: "",
    unit: "",
    default: "",
    words: "",
    range: Range::ANY,
    rule: "",
    names: Vec::new,
    runs: Runs::All,
    slider: &[],
    fixed: false,
    sparse: false,
    argument: "",
    access: Access::Apart,
};

/// Range of a tolerance of Newmark's scheme; below rounding none can be met.
const TOLERANCE: Range = Range::new("tolerance", 1e-15, 1.0 - f64::EPSILON / 2.0, "at least 1e-15 and below 1");
/// Range of a factor of time stepping and of Newmark's scheme.
const PART: Range = Range::new("part", 0.0, 1.0, "between 0 and 1");
const SPEED: Range = Range::not_negative("speed", "zero or positive (m/s)");

fn tolerance(scenario: &Scenario) -> Option<Tolerance> {
    if let Control::Tolerance(tolerance) = scenario.solver.control { Some(tolerance) } else { None }
}

macro_rules! keys {
    ($($path:literal $kind:literal $unit:literal $default:literal $words:literal $({ $($field:ident: $value:expr),* })?)*) => {
        /// All keys; those of one table in the order of a resolved scenario.
        pub static KEYS: &[Key] = &[$(
            Key { path: $path, kind: $kind, unit: $unit, default: $default, words: $words, $($($field: $value,)*)? ..NONE }
        ),*];
    };
}

keys! {
    // Path, type, unit, default, words; then, in braces, the other fields of `Key`.
    "title" "string" "" "`\"untitled\"`" "for reports and figures"
    "ball" "table, or tables" "" "see below" "the ball; `[[ball]]` for [many balls](#many-balls)" {
        rule: "one, or several with `\"moreau\"` or `\"events\"`" }
    "balls" "tables" "" "none" "[balls that one table makes](#balls)" { rule: "with `\"moreau\"` or `\"events\"`" }
    "initial" "table" "" "required" "where and how fast the ball starts"
    "ground" "table" "" "required" "the curve"
    "forces" "table" "" "gravity alone" "what acts on the ball"
    "contact" "table" "" "no friction, e = 0" "laws of contact and impact"
    "solver" "table" "" "Newmark, 1e-9, 10 s" "method and accuracy"
    "output" "table" "" "duration/1000" "rows of the trajectory"
    "watch" "tables" "" "none" "[what is watched](#watch)" { runs: Runs::Events,
        access: Access::Told(|s| (!s.watches.is_empty()).then(|| resolved_watches(&s.watches, &s.curve))) }
    "sweep" "table" "" "none" "what [`kugelbahn sweep`](sweeps.md) varies and observes; a run ignores it"

    "ball.mass" "number" "kg" "1" "mass of the ball; m" { range: Ball::MASS, slider: &[[1e-3, 100.0]], argument: "mass",
        access: Access::Ball(|b| json!(b.mass()), |b, mass| Some(Ball::new(mass, b.radius(), b.inertia_factor()))) }
    "ball.radius" "number" "m" "0" "radius of the ball; R; 0 is a point mass" {
        range: Ball::RADIUS, slider: &[[0.0, 0.5]], argument: "radius", access: Access::Ball(|b| json!(b.radius()), |_, _| None) }
    "ball.inertia" "string or number" "" "`\"solid-sphere\"`"
        "moment of inertia, by m R²; k of I = k m R²; ignored if R = 0; a `\"point\"` with R > 0 does not turn" {
        range: Range::new("inertia", f64::MIN_POSITIVE, 1.0, "above 0 and at most 1, or a name such as \"solid-sphere\""),
        rule: "or 0 < k ≤ 1", names: || names(&INERTIA), slider: &[[0.01, 1.0]], access: Access::Ball(
            // A factor of 0 is only written by name.
            |b| if b.inertia_factor() > 0.0 { json!(b.inertia_factor()) } else { json!("point") },
            |b, k| (k > 0.0 && b.turns()).then(|| Ball::new(b.mass(), b.radius(), k))) }
    "ball.release" "" "s" "0" "time at which it is let go"

    "initial.position" "pair" "m" "required without `contact`" "start: place; the centre" {
        rule: "entries to 1e12; not below the ground", slider: &[[-10.0, 10.0]], argument: "position",
        access: Access::Start(|i| if let Initial::Thrown { position, .. } = i { Some(position.as_mut_slice()) } else { None }) }
    "initial.velocity" "pair" "m/s" "`[0, 0]`" "start: velocity; of the centre" {
        rule: "entries to 1e12", slider: &[[-20.0, 20.0]], argument: "velocity",
        access: Access::Start(|i| if let Initial::Thrown { velocity, .. } = i { Some(velocity.as_mut_slice()) } else { None }) }
    "initial.spin" "number" "rad/s" "0" "start: spin, counter-clockwise; ω" { rule: "to 1e12", slider: &[[-200.0, 200.0]], argument: "spin",
        access: Access::Start(|i| if let Initial::Thrown { spin, .. } = i { Some(std::slice::from_mut(spin)) } else { None }) }
    "initial.strands" "whole number" "" "0: all" "start: solid strands of curves that cross themselves; \
        needed where the touch at `s` leaves them open: `strands` of a row" { rule: "less than the number of combinations of strands" }
    "initial.s" "number" "as the curve's parameter" "none" "start: where on its curve it touched last; \
        this decides [which strands are solid](curves.md#curves-that-cross-themselves) for it: `last_s` of a row" {
        rule: "on the ground; beside `position`" }
    "initial.ground" "string" "" "the only curve" "`last_ground` of a row" { rule: "of several the one that `s` is of" }
    "initial.contact" "table" "" "—" "a start on the ground" { rule: "not beside the other keys" }
    "initial.time" "number" "s" "t = 0" "start: time; a row of a trajectory is a start from which the run goes on alike" {
        rule: "0 … 1e12", runs: Runs::Events, access: Access::Start(|i| match i {
            Initial::Thrown { time, .. } | Initial::OnGround { time, .. } => Some(std::slice::from_mut(time)) }) }

    "initial.contact.x" "number" "m" "this or `s`" "start on the ground: place to the right; abscissa of the ground point" {
        rule: "where the ground has one point", argument: "x" }
    "initial.contact.s" "number" "as the curve's parameter" "this or `x`" "start on the ground: place along the curve; \
        its parameter, as in the [outputs](output.md)" { rule: "on the ground" }
    "initial.contact.speed" "number" "m/s" "0" "start on the ground: speed along it; of the centre along τ; \
        its sign says on which side of a corner the ball is" { rule: "to 1e12", slider: &[[-20.0, 20.0]], argument: "speed",
        access: Access::Start(|i| if let Initial::OnGround { speed, .. } = i { Some(std::slice::from_mut(speed)) } else { None }) }
    "initial.contact.spin" "number or string" "rad/s" "0" "start on the ground: spin; ω; `\"rolling\"`: −speed/R" {
        rule: "to 1e12, or `\"rolling\"`", slider: &[[-200.0, 200.0]],
        access: Access::Start(|i| if let Initial::OnGround { spin, .. } = i { Some(std::slice::from_mut(spin.get_or_insert_default())) } else { None }) }

    "ground.curve" "string or table" "" "required" "the ground" {
        rule: "a [curve file](curves.md), relative to the scenario, or a table of the same form" }
    "ground.curve.x" "" "" "" "the ground: to the right, a formula"
    "ground.curve.y" "" "" "" "the ground: height, a formula"
    "ground.parameters" "table" "" "those of the curve" "values for the parameters of the curve" { rule: "names that the curve has" }
    "ground.gates" "list of tables" "" "those of the curve" "in place of the gates of the curve" {
        rule: "as [there](curves.md#keys-of-every-curve)" }
    "ground.motion" "table" "" "none" "carries the whole ground about" { runs: Runs::Events, fixed: true }
    "ground.motion.x" "formula of `t`" "m" "0, but one of `x`, `y` is needed" "way of the ground to the right, a formula" {
        rule: "smooth during the run" }
    "ground.motion.y" "formula of `t`" "m" "0" "way of the ground upwards, a formula" { rule: "smooth during the run" }
    "ground.motion.parameters" "table" "" "none" "constants of the formulas" { rule: "not `t`" }
    "[[ground]].name" "string" "" "required" "what events, rows and the final state call the curve" { rule: "not empty, no two alike" }
    "[[ground]].contact" "table" "" "that of `[contact]`" "what this curve has of its own" {
        rule: "the numbers of rigid contact", runs: Runs::Events }
    "[[ground]].motion" "table" "" "none" "carries this curve alone" { rule: "as [above](#groundmotion); rigid contact" }

    "forces.gravity" "number or pair" "m/s²" "9.81" "gravity; a number counts downwards, a pair as it is" {
        slider: &[[-20.0, 20.0], [-30.0, 0.0]], argument: "gravity",
        access: Access::ForcePair(Forces::gravity_vector, Forces::with_gravity) }
    "forces.drag" "table" "" "none" "quadratic drag"
    "forces.drag.coefficient" "number" "kg/m" "this, or the three below" "drag by the square of the speed; k_D: the force is −k_D‖w‖w" {
        range: Forces::DRAG, slider: &[[0.0, 0.5]], argument: "drag", access: Access::Force(Forces::drag, Forces::with_drag) }
    "forces.drag.cd" "number" "" "needed without `coefficient`" "drag coefficient" { range: Forces::DRAG }
    "forces.drag.density" "number" "kg/m³" "needed without `coefficient`" "density of the air" { range: Forces::DRAG }
    "forces.drag.area" "number" "m²" "needed without `coefficient`"
        "cross-section of the ball; k_D is half the product of the three" { range: Forces::DRAG }
    "forces.wind" "pair" "m/s" "`[0, 0]`" "wind; velocity of the air" {
        slider: &[[-20.0, 20.0]], argument: "wind", access: Access::ForcePair(Forces::wind, Forces::with_wind) }
    "forces.magnus" "number" "kg" "0" "Magnus force: lift by spin and speed; m_c: the force is m_c ω J w, w = v − wind" {
        range: Forces::MAGNUS, slider: &[[-0.1, 0.1]], argument: "magnus", access: Access::Force(Forces::magnus, Forces::with_magnus) }
    "forces.external" "table" "" "none" "a force by formulas" { access: Access::Told(|s| Some((*s.external).clone())) }
    "forces.external.x" "formula of `t, x, y, vx, vy, m, g, spin`" "N" "0" "external force to the right"
    "forces.external.y" "formula of `t, x, y, vx, vy, m, g, spin`" "N" "0" "external force upwards"
    "forces.external.torque" "formula of `t, x, y, vx, vy, m, g, spin`" "N m" "0"
        "torque about the centre in flight, counter-clockwise; I ω̇ = T; by the methods `\"taylor\"` and `\"auto\"`" { runs: Runs::Events }
    "forces.linear-drag" "number" "N s/m" "0" "drag by the speed; k_L: the force is −k_L w, w = v − wind" {
        range: Forces::LINEAR_DRAG, slider: &[[0.0, 0.5]], sparse: true, argument: "linear_drag",
        access: Access::Force(Forces::linear_drag, Forces::with_linear_drag) }

    "contact.law" "string" "" "`\"rigid\"`" "rigid contact, or a [ball that gives way](../theory/compliant.md)" {
        names: || names(&LAWS), rule: "or a [law of your own](../extending.md#a-contact-law)" }
    "contact.restitution" "number or formula of `v`" "" "0"
        "restitution: how much a bounce gives back; e, a number or a formula of the [speed of approach](../theory/contact.md#restitution) v in m/s" {
        range: ContactLaw::RESTITUTION, runs: Runs::Rigid, slider: &[[0.0, 1.0]], argument: "restitution",
        access: Access::Law(ContactLaw::coefficient_of_restitution, ContactLaw::with_restitution) }
    "contact.tangential-restitution" "number" "" "0" "tangential restitution: how spin turns round in a bounce; e_t" {
        range: ContactLaw::TANGENTIAL_RESTITUTION, runs: Runs::Rigid, slider: &[[-1.0, 1.0]], argument: "tangential_restitution",
        access: Access::Law(|law| Some(law.tangential_restitution()), ContactLaw::with_tangential_restitution) }
    "contact.impact" "string or table" "" "`\"newton\"`" "law of impact; a table has its name as `law`, and [numbers of its own](../extending.md#an-impact-law)" {
        names: || IMPACTS.to_vec(), rule: "or one of your own; event-driven runs", runs: Runs::Rigid }
    "contact.stiffness" "number" "N/m^1.5, N/m, N/mⁿ" "needed by a compliant law"
        "stiffness of the ball; K of `\"hertz\"`, k of `\"kelvin-voigt\"`, K of `\"hunt-crossley\"`" {
        range: Compliance::STIFFNESS, runs: Runs::Compliant(&["hertz", "kelvin-voigt", "hunt-crossley"]) }
    "contact.youngs-modulus" "number" "Pa" "—" "Young's modulus of the ball; E, for K = 2πE√(2R)" {
        range: Range::positive("youngs-modulus", "positive and finite (Pa)"), rule: "instead of `stiffness`",
        runs: Runs::Compliant(&["hertz"]) }
    "contact.viscosity" "number" "N s/m" "0" "viscosity of the ball; μ_v" {
        range: Compliance::VISCOSITY, runs: Runs::Compliant(&["hertz"]) }
    "contact.damping" "number" "N s/m, s/m" "0" "damping of the ball; d of `\"kelvin-voigt\"`, c of `\"hunt-crossley\"`" {
        range: Compliance::DAMPING, runs: Runs::Compliant(&["kelvin-voigt", "hunt-crossley"]) }
    "contact.exponent" "number" "" "1.5" "exponent of the contact force; n" {
        range: Compliance::EXPONENT, runs: Runs::Compliant(&["hunt-crossley"]) }
    "contact.pull" "boolean" "" "false" "damping may pull the ball back; else the force is cut at zero" { runs: Runs::Compliant(&[]) }
    "contact.drag" "boolean" "" "true" "drag acts in contact, too" { runs: Runs::Compliant(&[]) }
    "contact.friction" "number or string" "" "0" "friction coefficient μ; compliant: a number, regularised" {
        range: ContactLaw::FRICTION, rule: "or `\"infinite\"`", slider: &[[0.0, 2.0]], argument: "friction",
        access: Access::Law(|law| Some(law.sliding_coefficient()), ContactLaw::with_kinetic_friction) }
    "contact.static-friction" "number" "" "as `friction`"
        "static friction: up to where it sticks; μ_s: [what sticks](../theory/contact.md#static-friction) slips beyond it, and slides with `friction`" {
        range: ContactLaw::STATIC_FRICTION, rule: "no less than `friction`; event-driven runs", runs: Runs::Rigid,
        slider: &[[0.0, 2.0]], argument: "static_friction",
        access: Access::Law(ContactLaw::static_friction, ContactLaw::with_static_friction) }
    "contact.slip-speed" "number" "m/s" "1e-3" "slip at which friction is full; ε of the friction −μ N u/√(u² + ε²)" {
        range: Compliance::SLIP_SPEED, runs: Runs::Compliant(&[]) }
    "contact.rolling-damping" "number" "N s/m" "0" "damping along the ground, by the speed; d: −d v while in contact" {
        range: ContactLaw::ROLLING_DAMPING, runs: Runs::Rigid, slider: &[[0.0, 5.0]], argument: "rolling_damping",
        access: Access::Law(|law| Some(law.rolling_damping()), ContactLaw::with_rolling_damping) }
    "contact.rolling-resistance" "number" "" "0"
        "rolling resistance; c_rr: a [couple c_rr R λ](../theory/contact.md#rolling-resistance) against the spin" {
        range: ContactLaw::ROLLING_RESISTANCE, rule: "a ball that turns; event-driven runs", runs: Runs::Rigid,
        slider: &[[0.0, 0.2]], sparse: true, argument: "rolling_resistance",
        access: Access::Law(|law| Some(law.rolling_resistance()), ContactLaw::with_rolling_resistance) }
    "contact.balls" "table" "" "as `contact`" "law between balls" { rule: "`\"moreau\"`", runs: Runs::Rigid }
    "contact.balls.restitution" "number or formula of `v`" "" "as `contact`" "restitution between balls; e" {
        range: ContactLaw::RESTITUTION, slider: &[[0.0, 1.0]],
        access: Access::Law(ContactLaw::coefficient_of_restitution, ContactLaw::with_restitution) }
    "contact.balls.tangential-restitution" "number" "" "as `contact`" "tangential restitution between balls; e_t" {
        range: ContactLaw::TANGENTIAL_RESTITUTION, slider: &[[-1.0, 1.0]],
        access: Access::Law(|law| Some(law.tangential_restitution()), ContactLaw::with_tangential_restitution) }
    "contact.balls.friction" "number or string" "" "as `contact`" "friction coefficient between balls; μ" {
        range: ContactLaw::FRICTION, rule: "or `\"infinite\"`", slider: &[[0.0, 2.0]], access: Access::Law(|law| Some(law.sliding_coefficient()), ContactLaw::with_kinetic_friction) }

    "solver.method" "string" "" "`\"newmark\"`" "flight method of an event-driven run, such as [`\"ballistic\"`](../theory/ballistic.md), \
        [`\"taylor\"`](../theory/taylor.md) and [`\"auto\"`](../theory/ballistic.md#auto); `\"moreau\"`, `\"kern\"`: \
        [time stepping](../theory/time-stepping.md); `\"events\"`: [many balls](../theory/many-balls.md) event by event" {
        names: || [names(&FLIGHT_METHODS), names(&SCHEMES)].concat(), argument: "method",
        access: Access::Told(|s| Some(json!(match &s.stepping { Some(stepping) => stepping.method.kind.name(),
            None => s.solver.method.name() }))) }
    "solver.localisation" "string" "" "`\"certified\"`" "how contacts are found in flight; `\"parabola\"` is for comparison" {
        names: || names(&LOCALISATIONS), runs: Runs::Events,
        access: Access::Told(|s| Some(json!(name_of(&LOCALISATIONS, s.solver.localisation)))) }
    "solver.formulation" "string" "" "`\"symmetric\"`" "[contact method](../theory/index.md); [Taylor series](../theory/taylor.md), \
        which `\"auto\"` takes where none is given, but with a `step`" {
        names: || names(&FORMULATIONS), rule: "by tolerance the last three", runs: Runs::Events, argument: "formulation",
        access: Access::Told(|s| Some(json!(s.solver.formulation.name()))) }
    "solver.beta" "number" "" "0.25" "β of Newmark" {
        range: PART, rule: "other values with `index3` and `step`", runs: Runs::Events, slider: &[[0.0, 0.5]],
        access: Access::Told(|s| Some(json!(s.solver.scheme.beta()))) }
    "solver.gamma" "number" "" "0.5" "γ of Newmark" {
        range: PART, rule: "other values with `index3` and `step`", runs: Runs::Events, slider: &[[0.5, 1.0]],
        access: Access::Told(|s| Some(json!(s.solver.scheme.gamma()))) }
    "solver.tolerance" "number" "as the component" "1e-9" "error that is allowed; relative and absolute; \
        at least 1e-14 for all methods but `newmark`" {
        range: TOLERANCE, rule: "not beside `step`", runs: Runs::Events, argument: "tolerance",
        // A tolerance replaces a fixed step, and also sets the capture tolerance.
        access: Access::Solver(|_| None, |s, both| { s.control = Control::Tolerance(Tolerance { relative: both, absolute: both });
            s.capture_tolerance = both }) }
    "solver.relative-tolerance" "number" "" "`tolerance`" "error that is allowed, by the size; relative part" {
        range: TOLERANCE, rule: "as `tolerance`", runs: Runs::Events, slider: &[[1e-12, 1e-2]],
        access: Access::Told(|s| Some(json!(tolerance(s)?.relative))) }
    "solver.absolute-tolerance" "number" "as the component" "`tolerance`" "error that is allowed; absolute part" {
        range: TOLERANCE, rule: "as `tolerance`", runs: Runs::Events, slider: &[[1e-12, 1e-2]],
        access: Access::Told(|s| Some(json!(tolerance(s)?.absolute))) }
    "solver.largest-step" "number" "s" "none" "longest step that a tolerance may choose; where the \
        [judge of the ledger](../theory/ledger.md#the-judge) ends a run, a shorter one may show what the step missed" {
        rule: "≥ duration/1e12; not beside `step`", runs: Runs::Events,
        access: Access::Told(|s| tolerance(s).filter(|_| s.solver.largest_step.is_finite()).map(|_| json!(s.solver.largest_step))) }
    "solver.step" "number" "s" "—" "time step; fixed" { range: Range::positive("step", "positive and finite"),
        rule: "of time stepping and `\"events\"` required, at most the duration, at least duration/limit",
        slider: &[[1e-5, 0.1]], argument: "step",
        access: Access::Solver(|s| if let Control::Step { step, .. } = s.solver.control { Some(json!(step)) } else { None }, |s, step| {
            let extrapolate = matches!(s.control, Control::Step { extrapolate: true, .. });
            s.control = Control::Step { step, extrapolate } }) }
    "solver.extrapolate" "boolean" "" "false" "one extrapolation a step: order 4" { rule: "`newmark` with `step`", runs: Runs::Events,
        access: Access::Told(|s| if let Control::Step { extrapolate, .. } = s.solver.control { Some(json!(extrapolate)) } else { None }) }
    "solver.theta" "number" "" "0.5" "θ of the time stepping" {
        range: Range::new("theta", 0.5, 1.0, "between 0.5 and 1"), runs: Runs::Theta, slider: &[[0.5, 1.0]],
        access: Access::Told(|s| Some(json!(s.theta_scheme()?.theta))) }
    "solver.prediction" "number" "" "0.5" "part of a step at which gaps are looked at; a contact is closed by its gap there" {
        range: PART, runs: Runs::Theta, access: Access::Told(|s| Some(json!(s.theta_scheme()?.prediction))) }
    "solver.impact-law" "string" "" "`\"moreau\"`"
        "what [restitution](../theory/time-stepping.md#restitution-that-adds-no-energy) does where contacts share balls" {
        names: || names(&IMPACT_LAWS), runs: Runs::Theta,
        access: Access::Told(|s| Some(json!(name_of(&IMPACT_LAWS, s.theta_scheme()?.impact_law)))) }
    "solver.lcp" "string" "" "`\"gauss-seidel\"`" "solver for contacts that share balls" {
        names: || names(&CONTACT_SOLVERS), runs: Runs::Theta,
        access: Access::Told(|s| Some(json!(name_of(&CONTACT_SOLVERS, s.theta_scheme()?.solver)))) }
    "solver.lcp-tolerance" "number" "m/s" "1e-10"
        "residual of contacts that share balls; of the [complementarity problem](../theory/time-stepping.md#the-complementarity-problem)" {
        range: Range::positive("lcp-tolerance", "positive and finite (m/s)"), runs: Runs::Theta,
        access: Access::Told(|s| Some(json!(s.theta_scheme()?.tolerance))) }
    "solver.projection" "boolean or number" "m" "false" "how near to the ground places are projected; onto g ≥ 0; `true` is 1e-9" {
        range: Range::positive("projection", "positive and finite (m), or true or false"), runs: Runs::Theta,
        access: Access::Told(|s| Some(s.theta_scheme()?.projection.map_or(json!(false), |projection| json!(projection.tolerance)))) }
    "solver.duration" "number" "s" "10" "how long the run lasts; from `initial.time` on" {
        rule: "≥ 2.3e-300", slider: &[[1e-3, 100.0]], access: Access::Told(|s| Some(json!(s.solver.duration))) }
    "solver.capture-speed" "number" "m/s" "1e-6" "slower bounces may be summed up; [how](../theory/zeno.md); of time stepping: \
        slower than this in two steps is `resting`; of `\"events\"`: a slower bounce on straight ground ends there" {
        range: SPEED, slider: &[[1e-12, 1e-2]], argument: "capture_speed",
        access: Access::Solver(|s| Some(json!(s.solver.capture_speed)), |s, speed| s.capture_speed = speed) }
    "solver.capture-tolerance" "number" "m/s" "the absolute tolerance; 1e-9 with `step`"
        "error of the velocity after bounces summed up; its bound" {
        range: Range::positive("capture-tolerance", "positive"), runs: Runs::Events, slider: &[[1e-12, 1e-3]],
        access: Access::Solver(|s| Some(json!(s.solver.capture_tolerance)), |s, tolerance| s.capture_tolerance = tolerance) }
    "solver.limit" "whole number" "" "1e8" "events and steps, and 256 times as many evaluations of the ground in searches" {
        rule: "≥ 1", fixed: true, access: Access::Told(|s| Some(json!(s.solver.limit))) }
    "solver.until" "string or list" "" "none" "the run ends with the first of them, or with its duration" {
        rule: "[moments](commands.md#quantities): events, `watch.NAME.N`, `t=5` after the start", runs: Runs::Events,
        access: Access::Told(|s| (!s.until.is_empty()).then(|| resolved_until(&s.until, &s.watches))) }

    "output.interval" "number" "s" "duration/1000; of more than 100 balls so that all together have 100 000 rows" "time between rows" {
        rule: "≥ duration/1e8", slider: &[[1e-4, 0.1]], access: Access::Told(|s| Some(crate::resolved::number(s.interval))) }
    "output.balls" "list" "" "all" "a ball that has rows" { rule: "numbers of balls, from 1",
        access: Access::Told(|s| (!s.shown.is_empty()).then(|| s.shown.iter().map(|ball| ball + 1).collect())) }
    "output.contacts" "boolean" "" "false" "writes [`contacts.csv`](output.md#contactscsv): a row for each contact of the steps that have rows" {
        rule: "`method = \"moreau\"`", access: Access::Told(|s| s.contacts.then(|| json!(true))) }
    "output.format" "string" "" "`\"csv\"`"
        "what [tables](output.md) of rows, events and contacts are written as; Parquet in a program built with `--features parquet`" {
        names: || vec!["csv", "parquet"], access: Access::Told(|s| (s.format != tables::Format::Csv).then(|| json!(s.format.name()))) }
    "output.times" "list" "s" "none" "time of a row; beside the others" { rule: "0 … 1e12", runs: Runs::Events,
        access: Access::Told(|s| (!s.times.is_empty()).then(|| json!(s.times.to_vec()))) }

    "watch.name" "string" "" "required" "for rows, `until = \"watch.NAME\"` and quantities such as `watch.NAME.2.x`" {
        rule: "letters, digits, `-`, `_`; the first a letter; no two alike" }
    "watch.x" "number" "m" "—" "abscissa of the centre" { rule: "to 1e12" }
    "watch.y" "number" "m" "—" "height of the centre" { rule: "to 1e12" }
    "watch.s" "number" "as the curve's parameter" "—" "ground point of a ball on the ground" { rule: "to 1e12" }
    "watch.speed" "number" "m/s" "—" "speed of the centre" { rule: "0 … 1e12" }
    "watch.height" "string" "" "—" "v_y falls through zero" { names: || vec!["apex"] }
    "watch.turn" "boolean" "" "—" "v·τ of a ball on the ground passes zero" { rule: "true" }
    "watch.normal-force" "number" "N" "—" "λ" { rule: "to 1e12" }
    "watch.times" "list" "s" "—" "the clock comes to these" { rule: "0 … 1e12, one at least" }
    "watch.when" "formula of `t, x, y, vx, vy, spin, angle`" "" "—" "passes zero" { rule: "a number wherever the ball comes" }
    "watch.direction" "string" "" "both" "told only where the quantity grows, or falls" {
        names: || vec!["up", "down"], rule: "not of `\"apex\"` and `times`" }
    "watch.ground" "string" "" "every curve" "told only on this curve" { rule: "the name of a curve; of `s` and `turn`" }
    "watch.first" "boolean" "" "false" "told only the first time"

    "balls.count" "whole number" "" "as many as fit the grid, or are poured" "how many" { rule: "1 … 2e5; needed by `random`" }
    "balls.radius" "number or table" "m" "0" "R, or how it is drawn" { range: Ball::RADIUS }
    "balls.mass" "number or table" "kg" "1" "m, or how it is drawn" { range: Ball::MASS, rule: "not beside `density`" }
    "balls.density" "number" "kg/m³" "—" "m = 4/3 π R³ ρ" { range: Range::positive("density", "positive and finite (kg/m³)") }
    "balls.inertia" "string or number" "" "`\"solid-sphere\"`" "k" { rule: "as in `[ball]`" }
    "balls.velocity" "pair" "m/s" "`[0, 0]`" "of all" { rule: "not beside `speed`" }
    "balls.speed" "number" "m/s" "—" "of all, each in a direction drawn for it" { range: SPEED }
    "balls.spin" "number" "rad/s" "0" "of all"
    "balls.grid" "table" "" "—" "centres in rows, from the lower left corner of the two" { rule: "`from`, `to`, `spacing`" }
    "balls.random" "table" "" "—" "centres anywhere between two corners, in no other ball and in nothing solid; \
        a curve with ends has balls on both sides: close it to make it solid" { rule: "`from`, `to`" }
    "balls.pour" "table" "" "—" "let go one after the other, `rate` a second until `until` (s), at a point or anywhere between two corners \
        `[[x, y], [x, y]]`" { rule: "`rate`, `from`, `until`" }
    "balls.seed" "whole number" "" "1" "of all that is drawn; the same seed is the same balls, on every machine" { rule: "0 … 2^53" }
    "balls.table" "path" "" "—" "balls of a file: also `vx`, `vy`, `angle`, `spin`, `radius`, `mass`, `inertia`; `release`; where there \
        is a column `ball`, the last row of each number counts. They may overlap each other and, for time stepping, \
        the ground; event by event what is in the ground is put onto it" { rule: "CSV with columns `x`, `y`; beside it only `radius`, `mass`, `inertia`" }
}
