//! Reads compliant contact: `[contact]` with a law other than "rigid".

use mechanics::{Ball, Compliance, CompliantLaw, OwnLaw, ParameterError};

use crate::input::{InputError, Node, Reader, Value, name_of, number, wrong_type};
use crate::keys::{Key, Runs};
use crate::methods::{Keys, Methods};
use crate::physics::parameter_error;
use crate::settings::{LAWS, Law, names};
use crate::warning::Warning;

/// Marks the keys of compliant contact as read: they are read later, when the ball is known.
pub(crate) fn leave_for_later(table: &mut Reader) {
    if table.get("law").is_some_and(|node| matches!(&node.value, Value::String(name) if is_own(name))) {
        table.rest();
    }
    for key in Key::of("contact").filter(|key| matches!(key.runs, Runs::Compliant(_))) {
        table.get(key.name());
    }
}

/// Reads the law of compliant contact of a ball; `None`: the contact is rigid.
pub(crate) fn read_compliance(
    root: &mut Reader,
    ball: &Ball,
    methods: &Methods,
    stepping: bool,
) -> Result<Option<Compliance>, InputError> {
    let (Some(contact), Some(mut table)) = (root.get("contact"), root.table("contact")?) else { return Ok(None) };
    let table = &mut table;
    let laws: Vec<_> = LAWS.into_iter().chain(methods.laws().map(|name| (name, Law::Own(name)))).collect();
    let law = table.choice("law", &laws)?.unwrap_or(Law::Rigid);
    let name = name_of(&laws, law);
    check_keys(contact, name)?;
    let (Some(node), true) = (table.get("law"), law != Law::Rigid) else { return Ok(None) };
    if stepping {
        return Err(InputError::new(&node.span, "time stepping knows rigid contact alone", "compliant contact")
            .with_help("leave `law` out, or run it event by event: `solver.method = \"newmark\"`"));
    }
    if ball.radius() == 0.0 {
        let message = "compliant contact needs a ball with a radius";
        return Err(InputError::new(&node.span, message, "a point can't be compressed")
            .with_help("give `radius` in [ball], in m, or leave `law` out"));
    }
    // Keys of all laws; the remaining ones are for a law of the caller.
    let friction = read_friction(table)?;
    let slip_speed = table.number_or("slip-speed", 1e-3)?;
    let (pull, drag) = (table.flag("pull")?.unwrap_or(false), table.flag("drag")?.unwrap_or(true));
    let law = match law {
        Law::Rigid => return Ok(None),
        Law::Own(name) => {
            let Some(make) = methods.law(name) else { return Ok(None) };
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
    let refused =
        |error: ParameterError, table: &mut Reader| parameter_error(table.get(error.name).or(Some(node)), &error);
    let law = Compliance::new(law).map_err(|error| refused(error, table))?;
    let law = law.with_friction(friction, slip_speed).map_err(|error| refused(error, table))?;
    Ok(Some(law.with_pull(pull).with_drag(drag)))
}

fn is_own(law: &str) -> bool {
    LAWS.iter().all(|(known, _)| *known != law)
}

/// Keys of `[contact]` that have no meaning under a law of this name; a law of the caller may have any but `balls`.
fn foreign_keys<'a>(contact: &'a Node, law: &str) -> impl Iterator<Item = (&'static Key, &'a Node)> {
    let fits = move |key: &Key| match key.runs {
        _ if is_own(law) => key.name() != "balls",
        Runs::Rigid => law == "rigid",
        Runs::Compliant(laws) => law != "rigid" && (laws.is_empty() || laws.contains(&law)),
        _ => true,
    };
    Key::of("contact").filter(move |key| !fits(key)).filter_map(|key| Some((key, contact.get(key.name())?)))
}

/// Whether a key that does not fit is left aside: it is the file's, and `--set` gives the law.
fn is_left_aside(contact: &Node, node: &Node) -> bool {
    !node.span.is_setting() && contact.get("law").is_some_and(|law| law.span.is_setting())
}

/// Warning about keys of the file that have no meaning under the law that `--set` gives.
pub(crate) fn left_aside(tree: &Node) -> Option<Warning> {
    let contact = tree.get("contact")?;
    let Value::String(law) = &contact.get("law")?.value else { return None };
    let left = foreign_keys(contact, law).filter(|(_, node)| is_left_aside(contact, node));
    let keys: Vec<String> = left.map(|(key, _)| format!("`{}`", key.path)).collect();
    (!keys.is_empty()).then(|| Warning {
        code: "left-aside",
        cause: format!("{} of the file: no meaning under the law \"{law}\", which --set gives", keys.join(", ")),
        cure: "leave them out of the file, or `contact.law` as it is there".to_owned(),
    })
}

/// Refuses keys of other laws of contact that are not [left aside](left_aside).
fn check_keys(contact: &Node, name: &str) -> Result<(), InputError> {
    let refused = foreign_keys(contact, name).find(|(_, node)| !is_left_aside(contact, node));
    let Some((key, node)) = refused else { return Ok(()) };
    let key_name = key.name();
    let (message, label, help) = match key.runs {
        Runs::Compliant(laws) => {
            let theirs = names(&LAWS).into_iter().filter(|name| *name != "rigid");
            let theirs = theirs.filter(|name| laws.is_empty() || laws.contains(name));
            let theirs: Vec<String> = theirs.map(|name| format!("\"{name}\"")).collect();
            (
                format!("`{key_name}` is no key of the contact law \"{name}\""),
                format!("a key of {}", theirs.join(", ")),
                "set `law` in [contact], or leave the key out",
            )
        }
        _ => (
            format!("`{key_name}` is a key of rigid contact, and the law is \"{name}\""),
            "has no meaning here".to_owned(),
            "what a compliant contact gives back follows from its damping",
        ),
    };
    Err(InputError::new(&node.span, message, label).with_help(help))
}

/// Stiffness of a Hertzian contact, N/m^1.5, given or from Young's modulus.
fn hertz_stiffness(table: &mut Reader, ball: &Ball) -> Result<f64, InputError> {
    match (table.get("youngs-modulus"), table.get("stiffness")) {
        (Some(_), Some(node)) => {
            let both =
                InputError::new(&node.span, "both `youngs-modulus` and `stiffness` are given", "give one of them");
            Err(both.with_help("the stiffness is 2πE√(2R), by Gallois, Brac and Soriano"))
        }
        (Some(_), None) => {
            let modulus = table.ranged("contact.youngs-modulus")?.unwrap_or_default();
            Ok(CompliantLaw::gallois_stiffness(modulus, ball.radius()))
        }
        _ => needed(table, "stiffness", "K in N/m^1.5, or `youngs-modulus` = E in Pa, for 2πE√(2R)"),
    }
}

/// Reads the coefficient of friction, which must be finite.
fn read_friction(table: &mut Reader) -> Result<f64, InputError> {
    match table.get("friction") {
        Some(node) if matches!(&node.value, Value::String(text) if &**text == "infinite") => {
            Err(wrong_type(node, "friction", "a number: the friction of compliant contact is regularised"))
        }
        Some(node) => number(node, "friction"),
        None => Ok(0.0),
    }
}

fn needed(table: &mut Reader, key: &'static str, what: &str) -> Result<f64, InputError> {
    number(table.need(key, what)?, key)
}
