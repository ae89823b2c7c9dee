//! `[contact]` with a law other than "rigid".

use mechanics::{Ball, Compliance, CompliantLaw, OwnLaw, ParameterError};

use crate::complaints::at;
use crate::input::{InputError, Reader, Value, name_of, number, wrong_type};
use crate::methods::{Keys, Methods};
use crate::settings::{LAWS, Law};

/// Keys of our compliant laws, and the laws that have them.
const KEYS: [(&str, &[Law]); 5] = [
    ("youngs-modulus", &[Law::Hertz]),
    ("viscosity", &[Law::Hertz]),
    ("stiffness", &[Law::Hertz, Law::KelvinVoigt, Law::HuntCrossley]),
    ("damping", &[Law::KelvinVoigt, Law::HuntCrossley]),
    ("exponent", &[Law::HuntCrossley]),
];

/// Keys of every compliant law.
const SHARED: [&str; 3] = ["pull", "drag", "slip-speed"];

/// Keys of rigid contact alone.
pub(crate) const RIGID: [&str; 5] =
    ["restitution", "tangential-restitution", "rolling-damping", "rolling-resistance", "balls"];

/// Takes the keys of compliant contact, which is read once the ball is known.
pub(crate) fn leave_for_later(table: &mut Reader) {
    let own = |name: &str| LAWS.iter().all(|(known, _)| *known != name);
    if let Some(Value::String(name)) = table.get("law").map(|node| &node.value)
        && own(name)
    {
        table.rest();
    }
    for key in KEYS.map(|(key, _)| key).into_iter().chain(SHARED) {
        table.get(key);
    }
}

/// The law of compliant contact with a ball; `None`: the contact is rigid.
pub(crate) fn read_compliance(
    root: &mut Reader,
    ball: &Ball,
    methods: &Methods,
    stepping: bool,
) -> Result<Option<Compliance>, InputError> {
    let Some(mut table) = root.table("contact")? else { return Ok(None) };
    let table = &mut table;
    let laws: Vec<_> = LAWS.into_iter().chain(methods.laws().map(|name| (name, Law::Own(name)))).collect();
    let law = table.choice("law", &laws)?.unwrap_or(Law::Rigid);
    let name = name_of(&laws, law);
    check_keys(table, law, name)?;
    if law == Law::Rigid {
        return Ok(None);
    }
    let Some(node) = table.get("law") else { return Ok(None) };
    if stepping {
        return Err(InputError::new(&node.span, "time stepping knows rigid contact alone", "compliant contact")
            .with_help("leave `law` out, or run it event by event: `solver.method = \"newmark\"`"));
    }
    if ball.radius() == 0.0 {
        let message = "compliant contact needs a ball with a radius";
        return Err(InputError::new(&node.span, message, "a point can't be compressed")
            .with_help("give `radius` in [ball], in m, or leave `law` out"));
    }
    let law = match law {
        Law::Rigid => return Ok(None),
        Law::Own(name) => {
            let Some(make) = methods.law(name) else { return Ok(None) };
            table.get("friction");
            let numbers = table.rest();
            let keys = Keys::new(numbers.iter().map(|(key, value)| (key.clone(), *value, false)));
            let what = format!("the contact law \"{name}\"");
            let law = keys.make(&what, table.span(), |keys| make(keys, ball))?;
            CompliantLaw::Own(OwnLaw::new(name, numbers, law))
        }
        Law::Hertz => {
            let stiffness = hertz_stiffness(table, ball)?;
            CompliantLaw::Hertz { stiffness, viscosity: table.number_or("viscosity", 0.0)? }
        }
        Law::KelvinVoigt => CompliantLaw::KelvinVoigt {
            stiffness: needed(table, "stiffness", "k in N/m")?,
            damping: table.number_or("damping", 0.0)?,
        },
        Law::HuntCrossley => CompliantLaw::HuntCrossley {
            exponent: table.number_or("exponent", 1.5)?,
            stiffness: needed(table, "stiffness", "K in N/m^exponent")?,
            damping: table.number_or("damping", 0.0)?,
        },
    };
    let friction = read_friction(table)?;
    let slip_speed = table.number_or("slip-speed", 1e-3)?;
    let told = |error: ParameterError, table: &mut Reader| at(table.get(error.name).or(Some(node)), &error);
    let law = Compliance::new(law).map_err(|error| told(error, table))?;
    let law = law.with_friction(friction, slip_speed).map_err(|error| told(error, table))?;
    let (pull, drag) = (table.flag("pull")?.unwrap_or(false), table.flag("drag")?.unwrap_or(true));
    Ok(Some(law.with_pull(pull).with_drag(drag)))
}

/// Refuses keys of other laws of contact.
fn check_keys(table: &mut Reader, law: Law, name: &str) -> Result<(), InputError> {
    let own = matches!(law, Law::Own(_));
    let compliant = [Law::Hertz, Law::KelvinVoigt, Law::HuntCrossley];
    for (key, laws) in KEYS.into_iter().filter(|_| !own).chain(SHARED.map(|key| (key, &compliant[..]))) {
        if let (Some(node), false) = (table.get(key), own || laws.contains(&law)) {
            let theirs: Vec<String> =
                LAWS.iter().filter(|(_, law)| laws.contains(law)).map(|(name, _)| format!("\"{name}\"")).collect();
            let message = format!("`{key}` is no key of the contact law \"{name}\"");
            return Err(InputError::new(&node.span, message, format!("a key of {}", theirs.join(", ")))
                .with_help("set `law` in [contact], or leave the key out"));
        }
    }
    if law == Law::Rigid {
        return Ok(());
    }
    // A law of one's own may have the numbers among them for keys.
    for key in RIGID.into_iter().filter(|key| !own || *key == "balls") {
        if let Some(node) = table.get(key) {
            let message = format!("`{key}` is a key of rigid contact, and the law is \"{name}\"");
            return Err(InputError::new(&node.span, message, "has no meaning here")
                .with_help("what a compliant contact gives back follows from its damping"));
        }
    }
    Ok(())
}

/// Stiffness of a Hertzian ball, N/m^1.5, given or by Young's modulus.
fn hertz_stiffness(table: &mut Reader, ball: &Ball) -> Result<f64, InputError> {
    match (table.get("youngs-modulus"), table.get("stiffness")) {
        (Some(_), Some(node)) => {
            let both =
                InputError::new(&node.span, "both `youngs-modulus` and `stiffness` are given", "give one of them");
            Err(both.with_help("the stiffness is 2πE√(2R)"))
        }
        (Some(node), None) => {
            let modulus = number(node, "youngs-modulus")?;
            if !(modulus > 0.0 && modulus.is_finite()) {
                let error = ParameterError { name: "youngs-modulus", value: modulus, rule: "positive and finite (Pa)" };
                return Err(at(Some(node), &error));
            }
            Ok(CompliantLaw::benchmark_stiffness(modulus, ball.radius()))
        }
        _ => needed(table, "stiffness", "K in N/m^1.5, or `youngs-modulus` = E in Pa, for 2πE√(2R)"),
    }
}

/// The coefficient of friction, which is finite.
fn read_friction(table: &mut Reader) -> Result<f64, InputError> {
    match table.get("friction") {
        Some(node) if matches!(&node.value, Value::String(text) if &**text == "infinite") => {
            Err(wrong_type(node, "friction", "a number: the friction of compliant contact is regularised"))
        }
        Some(node) => {
            let friction = number(node, "friction")?;
            if !(friction >= 0.0 && friction.is_finite()) {
                let rule = "zero or positive and finite: the friction of compliant contact is regularised";
                return Err(at(Some(node), &ParameterError { name: "friction", value: friction, rule }));
            }
            Ok(friction)
        }
        None => Ok(0.0),
    }
}

fn needed(table: &mut Reader, key: &'static str, what: &str) -> Result<f64, InputError> {
    number(table.need(key, what)?, key)
}
