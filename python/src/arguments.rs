//! Arguments of a call, by name: what is unknown, missing, of another type or shape, or not finite is an `InputError`.

use kugelbahn::input::did_you_mean;
use kugelbahn::scenario::keys::KEYS;
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple};

use crate::errors::wrong;

/// The arguments of one call.
pub struct Arguments<'py> {
    py: Python<'py>,
    call: &'static str,
    given: Vec<(&'static str, Option<Bound<'py, PyAny>>)>,
    /// Names with a dot: keys of a scenario.
    pub keys: Vec<(String, Bound<'py, PyAny>)>,
}

impl<'py> Arguments<'py> {
    /// Of the call of a function with these parameters, the first `positional` of which may be given by place.
    pub fn new(
        call: &'static str,
        names: &[&'static str],
        positional: usize,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let py = args.py();
        let mut given: Vec<_> = names.iter().map(|name| (*name, None)).collect();
        let mut keys = Vec::new();
        if args.len() > positional {
            let message = format!("{call} takes {positional} arguments by place, and {} are given", args.len());
            return Err(wrong(py, &message, None, Some(&format!("name them: {}", names.join(", ")))));
        }
        for (place, value) in args.iter().enumerate() {
            given[place].1 = Some(value);
        }
        for (name, value) in named.into_iter().flatten() {
            let Ok(name) = name.extract::<String>() else {
                return Err(unfit("a name", &name, "a text of Unicode characters"));
            };
            match given.iter_mut().find(|(known, _)| *known == name) {
                Some((_, Some(_))) => {
                    return Err(wrong(py, &format!("{call} got `{name}` twice"), Some(&name), Some("give it once")));
                }
                Some((_, slot)) => *slot = Some(value),
                None if name.contains('.') => keys.push((name, value)),
                None => {
                    let close = did_you_mean(&name, names.iter().copied());
                    let help = close.map_or_else(
                        || format!("its arguments are {}", names.join(", ")),
                        |close| format!("did you mean `{close}`?"),
                    );
                    return Err(wrong(py, &format!("{call} has no argument `{name}`"), Some(&name), Some(&help)));
                }
            }
        }
        // None stands for what is not given.
        given.iter_mut().filter(|(_, value)| value.as_ref().is_some_and(|v| v.is_none())).for_each(|one| one.1 = None);
        Ok(Arguments { py, call, given, keys })
    }

    /// Refuses keys of a scenario.
    pub fn without_keys(self) -> PyResult<Self> {
        match self.keys.first() {
            None => Ok(self),
            Some((key, _)) => Err(wrong(
                self.py,
                &format!("{} has no argument `{key}`", self.call),
                Some(key),
                Some("keys of a scenario are for Simulation.replace"),
            )),
        }
    }

    /// An argument, if it is given.
    pub fn get(&self, name: &str) -> Option<&Bound<'py, PyAny>> {
        self.given.iter().find(|(known, _)| *known == name).and_then(|(_, value)| value.as_ref())
    }

    /// An argument that must be given.
    pub fn need(&self, name: &str, what: &str) -> PyResult<&Bound<'py, PyAny>> {
        let missing =
            || wrong(self.py, &format!("{} needs `{name}`", self.call), Some(name), Some(&format!("give {what}")));
        self.get(name).ok_or_else(missing)
    }

    /// A finite number that must be given.
    pub fn need_number(&self, name: &str, what: &str) -> PyResult<f64> {
        number(name, self.need(name, what)?)
    }

    /// A number, if it is given.
    pub fn number(&self, name: &str) -> PyResult<Option<f64>> {
        self.get(name).map(|value| number(name, value)).transpose()
    }

    /// A whole number in a range, if it is given.
    pub fn count(&self, name: &str, most: u64) -> PyResult<Option<u64>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let rule = format!("a whole number from 0 to {most}");
        match value.extract::<u64>() {
            Ok(count) if count <= most => Ok(Some(count)),
            _ => Err(unfit(name, value, &rule)),
        }
    }

    /// True or false; false where it is not given.
    pub fn truth(&self, name: &str) -> PyResult<bool> {
        let Some(value) = self.get(name) else { return Ok(false) };
        value.extract::<bool>().map_err(|_| unfit(name, value, "True or False"))
    }

    /// A callable, if it is given.
    pub fn callable(&self, name: &str, rule: &str) -> PyResult<Option<Py<PyAny>>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        if value.is_callable() { Ok(Some(value.clone().unbind())) } else { Err(unfit(name, value, rule)) }
    }

    /// A text, if it is given.
    pub fn text(&self, name: &str) -> PyResult<Option<String>> {
        self.get(name).map(|value| text(name, value)).transpose()
    }

    /// Texts: one, or a list; none where it is not given.
    pub fn texts(&self, name: &str) -> PyResult<Vec<String>> {
        let Some(value) = self.get(name) else { return Ok(Vec::new()) };
        texts(name, value)
    }
}

/// What is given does not fit a rule.
pub fn unfit(name: &str, value: &Bound<PyAny>, rule: &str) -> PyErr {
    let mut shown = value.repr().map_or_else(|_| "the value given".to_owned(), |text| text.to_string());
    if shown.chars().count() > 80 {
        shown = shown.chars().take(80).chain("…".chars()).collect();
    }
    wrong(value.py(), &format!("{name} = {shown} is not allowed: it must be {rule}"), Some(name), None)
}

/// A number; not NaN, and neither true nor false.
pub fn number(name: &str, value: &Bound<PyAny>) -> PyResult<f64> {
    let other = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBool>();
    match value.extract::<f64>() {
        Ok(number) if !number.is_nan() && !other => Ok(number),
        _ => Err(unfit(name, value, "a number")),
    }
}

/// A text.
pub fn text(name: &str, value: &Bound<PyAny>) -> PyResult<String> {
    value.extract::<String>().map_err(|_| unfit(name, value, "a text"))
}

/// One text, or a list of them.
pub fn texts(name: &str, value: &Bound<PyAny>) -> PyResult<Vec<String>> {
    match value.extract::<String>() {
        Ok(one) => Ok(vec![one]),
        Err(_) => value.extract::<Vec<String>>().map_err(|_| unfit(name, value, "a text or a list of texts")),
    }
}

/// A key of a scenario by its own name, or by that of an argument of `Simulation`; bounds or values may follow it.
pub fn key(name: &str) -> String {
    let end = name.find(['.', '=', ' ']).unwrap_or(name.len());
    let (first, rest) = name.split_at(end);
    match KEYS.iter().find(|key| key.argument == first) {
        Some(key) if !first.is_empty() => format!("{}{rest}", key.path),
        _ => name.to_owned(),
    }
}

/// Numbers as an array of any shape, in C order, and the shape; what NumPy can't make numbers of is refused.
pub fn array(name: &str, value: &Bound<PyAny>, rule: &str) -> PyResult<(Vec<f64>, Vec<usize>)> {
    let py = value.py();
    let numpy = py.import("numpy")?;
    let order = PyDict::new(py);
    order.set_item("order", "C")?;
    // What a mask hides is no number.
    if value.hasattr("mask")? && numpy.getattr("ma")?.call_method1("is_masked", (value,))?.is_truthy()? {
        return Err(unfit(name, value, &format!("{rule}, none of it masked")));
    }
    let plain = numpy.call_method1("asarray", (value,)).and_then(|array| {
        let kind = array.getattr("dtype")?.getattr("kind")?.extract::<String>()?;
        if matches!(kind.as_str(), "f" | "i" | "u") || array.getattr("size")?.extract::<usize>()? == 0 {
            numpy.call_method("asarray", (array, "f8"), Some(&order))
        } else {
            Err(unfit(name, value, rule))
        }
    });
    let made = plain.ok().and_then(|array| {
        let array = array.cast_into::<PyArrayDyn<f64>>().ok()?;
        let shape = numpy::PyUntypedArrayMethods::shape(&array).to_vec();
        Some((array.to_vec().ok()?, shape))
    });
    match made {
        Some((numbers, shape)) if numbers.iter().all(|number| number.is_finite()) => Ok((numbers, shape)),
        _ => Err(unfit(name, value, rule)),
    }
}

/// Two finite numbers.
pub fn pair(name: &str, value: &Bound<PyAny>) -> PyResult<[f64; 2]> {
    // Tuples and lists need no NumPy.
    let truth = |i: usize| value.get_item(i).is_ok_and(|item| item.is_instance_of::<PyBool>());
    if let Ok([a, b]) = value.extract::<[f64; 2]>()
        && !truth(0)
        && !truth(1)
        && a.is_finite()
        && b.is_finite()
    {
        return Ok([a, b]);
    }
    let rule = "two finite numbers, (x, y)";
    match array(name, value, rule)? {
        (numbers, shape) if shape == [2] => Ok([numbers[0], numbers[1]]),
        _ => Err(unfit(name, value, rule)),
    }
}

/// Points, an array of shape (n, 2).
pub fn points(name: &str, value: &Bound<PyAny>) -> PyResult<Vec<[f64; 2]>> {
    let rule = "finite numbers in an array of shape (n, 2), n points of x and y in m";
    match array(name, value, rule)? {
        (numbers, shape) if shape.len() == 2 && shape[1] == 2 => {
            Ok(numbers.chunks_exact(2).map(|point| [point[0], point[1]]).collect())
        }
        _ => Err(unfit(name, value, rule)),
    }
}
