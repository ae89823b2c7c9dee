//! `Ball` and `Ground`.

use kugelbahn::curves::spline::Smoothing;
use kugelbahn::prelude as door;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arguments::{Arguments, array, pair, points, unfit};
use crate::errors::{refused, wrong};

/// A ball: its mass (kg), radius (m) and inertia factor k of I = k m R².
///
/// >>> import kugelbahn as kb
/// >>> kb.Ball.solid_sphere(mass=1.0, radius=0.05)
/// Ball(mass=1.0, radius=0.05, inertia=0.4)
#[pyclass(frozen, module = "kugelbahn")]
pub struct Ball(pub door::Ball);

/// Of the call of one of Ball's makers.
fn ball(
    call: &'static str,
    args: &Bound<PyTuple>,
    named: Option<&Bound<PyDict>>,
    make: impl Fn(f64, f64) -> Result<door::Ball, kugelbahn::mechanics::ParameterError>,
) -> PyResult<Ball> {
    let given = Arguments::new(call, &["mass", "radius"], 2, args, named)?.without_keys()?;
    let [mass, radius] =
        [("mass", "kg"), ("radius", "m")].map(|(name, unit)| given.need_number(name, &format!("its {name} in {unit}")));
    make(mass?, radius?).map(Ball).map_err(|error| refused(args.py(), &error.into(), None))
}

#[pymethods]
impl Ball {
    #[new]
    #[pyo3(signature = (*args, **named), text_signature = "(mass, radius, inertia)")]
    fn new(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let given = Arguments::new("Ball", &["mass", "radius", "inertia"], 3, args, named)?.without_keys()?;
        let mass = given.need_number("mass", "its mass in kg")?;
        let radius = given.need_number("radius", "its radius in m")?;
        let inertia = given.need_number("inertia", "k of I = k m R², such as 0.4")?;
        door::Ball::new(mass, radius, inertia).map(Ball).map_err(|error| refused(args.py(), &error.into(), None))
    }

    /// A point mass (kg), which has no radius and does not turn.
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(mass)")]
    fn point(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let given = Arguments::new("Ball.point", &["mass"], 1, args, named)?.without_keys()?;
        let mass = given.need_number("mass", "its mass in kg")?;
        door::Ball::point(mass).map(Ball).map_err(|error| refused(args.py(), &error.into(), None))
    }

    /// A solid sphere: mass (kg), radius (m); k = 2/5.
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(mass, radius)")]
    fn solid_sphere(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        ball("Ball.solid_sphere", args, named, door::Ball::solid_sphere)
    }

    /// A hollow sphere: mass (kg), radius (m); k = 2/3.
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(mass, radius)")]
    fn hollow_sphere(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        ball("Ball.hollow_sphere", args, named, door::Ball::hollow_sphere)
    }

    /// A disc: mass (kg), radius (m); k = 1/2.
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(mass, radius)")]
    fn disc(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        ball("Ball.disc", args, named, door::Ball::disc)
    }

    /// kg
    #[getter]
    fn mass(&self) -> f64 {
        self.0.mass()
    }

    /// m
    #[getter]
    fn radius(&self) -> f64 {
        self.0.radius()
    }

    /// k of I = k m R².
    #[getter]
    fn inertia(&self) -> f64 {
        self.0.inertia_factor()
    }

    fn __repr__(&self) -> String {
        format!("Ball(mass={:?}, radius={:?}, inertia={:?})", self.mass(), self.radius(), self.inertia())
    }

    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        other.cast::<Ball>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (f64, f64, f64))> {
        Ok((py.import("kugelbahn._pickle")?.getattr("ball")?, (self.mass(), self.radius(), self.inertia())))
    }
}

/// A ground curve; the ball is above a graph, and to the left of travel along any other.
///
/// >>> import kugelbahn as kb
/// >>> kb.Ground.graph("0.25*sin(pi*x)")
/// Ground.graph('0.25*sin(pi*x)')
#[pyclass(frozen, module = "kugelbahn")]
pub struct Ground {
    pub inner: door::Ground,
    /// Who made it, and of what: enough to make it again.
    made: (&'static str, Py<PyTuple>),
}

impl Ground {
    fn of<'py>(
        py: Python<'py>,
        maker: &'static str,
        argument: &str,
        ground: Result<door::Ground, kugelbahn::Error>,
        of: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>,
    ) -> PyResult<Self> {
        let inner = ground.map_err(|error| refused(py, &error, Some(argument)))?;
        Ok(Ground { inner, made: (maker, of.into_pyobject(py).map_err(Into::into)?.unbind()) })
    }
}

#[pymethods]
impl Ground {
    /// The graph y(x) of a formula, in m.
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(y)")]
    fn graph(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let given = Arguments::new("Ground.graph", &["y"], 1, args, named)?.without_keys()?;
        given.need("y", "a formula such as \"0.25*sin(pi*x)\"")?;
        let y = given.text("y")?.unwrap_or_default();
        Ground::of(args.py(), "graph", "y", door::Ground::graph(&y), (y,))
    }

    /// The curve (x(s), y(s)) of formulas, in m, for s in domain = (from, to).
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(x, y, domain)")]
    fn parametric(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let given = Arguments::new("Ground.parametric", &["x", "y", "domain"], 3, args, named)?.without_keys()?;
        for name in ["x", "y"] {
            given.need(name, "a formula of s")?;
        }
        let [x, y] = [given.text("x")?, given.text("y")?].map(Option::unwrap_or_default);
        let domain = pair("domain", given.need("domain", "the range of s, (from, to)")?)?;
        Ground::of(
            args.py(),
            "parametric",
            "x, y, domain",
            door::Ground::parametric(&x, &y, domain),
            (x, y, domain.to_vec()),
        )
    }

    /// Straight from point to point: an array of shape (n, 2), in m.
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(xy)")]
    fn polyline(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let xy = xy(&Arguments::new("Ground.polyline", &["xy"], 1, args, named)?.without_keys()?)?;
        Ground::of(
            args.py(),
            "polyline",
            "xy",
            door::Ground::polyline(&xy),
            (PyArray2::from_vec2(args.py(), &rows(&xy))?,),
        )
    }

    /// A cubic spline through points: an array of shape (n, 2), in m.
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(xy)")]
    fn spline(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let xy = xy(&Arguments::new("Ground.spline", &["xy"], 1, args, named)?.without_keys()?)?;
        Ground::of(args.py(), "spline", "xy", door::Ground::spline(&xy), (PyArray2::from_vec2(args.py(), &rows(&xy))?,))
    }

    /// A smooth spline near points that scatter: an array of shape (n, 2), in m. sigma: the standard deviation of the points
    /// (m); or largest_deviation: how far the farthest may be off (m). With neither, the noise is found by generalised
    /// cross-validation.
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(xy, sigma=None, largest_deviation=None)")]
    fn smoothing_spline(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let names = ["xy", "sigma", "largest_deviation"];
        let given = Arguments::new("Ground.smoothing_spline", &names, 3, args, named)?.without_keys()?;
        let (xy, sigma, deviation) = (xy(&given)?, given.number("sigma")?, given.number("largest_deviation")?);
        let how = match (sigma, deviation) {
            (None, None) => Smoothing::CrossValidation,
            (Some(sigma), None) => Smoothing::Noise(sigma),
            (None, Some(deviation)) => Smoothing::LargestDeviation(deviation),
            (Some(_), Some(_)) => {
                let message = "`sigma` and `largest_deviation` are both given";
                return Err(wrong(args.py(), message, Some("sigma"), Some("give one of the two")));
            }
        };
        let ground = door::Ground::smoothing_spline(&xy, how);
        let of = (PyArray2::from_vec2(args.py(), &rows(&xy))?, sigma, deviation);
        Ground::of(args.py(), "smoothing_spline", "xy, sigma, largest_deviation", ground, of)
    }

    /// A curve file, such as curves/sine.toml; pickled by its path.
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(path)")]
    fn from_file(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let given = Arguments::new("Ground.from_file", &["path"], 1, args, named)?.without_keys()?;
        let path = given.need("path", "the path of a curve file")?;
        let path: std::path::PathBuf = path.extract().map_err(|_| unfit("path", path, "a path"))?;
        let whole = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        Ground::of(args.py(), "from_file", "path", door::Ground::from_file(&path), (whole,))
    }

    /// The text of a curve file (TOML).
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(text)")]
    fn from_text(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let given = Arguments::new("Ground.from_text", &["text"], 1, args, named)?.without_keys()?;
        given.need("text", "the text of a curve file")?;
        let text = given.text("text")?.unwrap_or_default();
        let ground = door::Ground::from_text(&text);
        if let Err(kugelbahn::Error::Input(error)) = &ground {
            return Err(crate::errors::input(args.py(), error, None));
        }
        Ground::of(args.py(), "from_text", "text", ground, (text,))
    }

    /// Lines for drawing between two abscissas (m): a list of arrays of shape (n, 2), in m.
    #[pyo3(signature = (*args, **named), text_signature = "($self, left, right)")]
    fn lines<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
        let given = Arguments::new("Ground.lines", &["left", "right"], 2, args, named)?.without_keys()?;
        let (left, _) = array("left", given.need("left", "an abscissa in m")?, "a finite number")?;
        let (right, _) = array("right", given.need("right", "an abscissa in m")?, "a finite number")?;
        let ends = [left, right].map(|end| end.first().copied().unwrap_or(0.0));
        lines(args.py(), self.inner.curve(), ends)
    }

    fn __repr__(&self, py: Python) -> PyResult<String> {
        let of = self.made.1.bind(py);
        let shown = of.get_item(0)?.repr()?.to_string();
        let shown = if of.len() == 1 && shown.len() < 80 { shown } else { "…".to_owned() };
        Ok(format!("Ground.{}({shown})", self.made.0))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        Ok((py.import("kugelbahn._pickle")?.getattr("ground")?, (self.made.0, self.made.1.clone_ref(py))))
    }
}

/// What makes a ground anew: a function, and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, Py<PyTuple>));

/// Lines of a ground between two abscissas.
pub fn lines<'py>(
    py: Python<'py>,
    ground: &kugelbahn::curves::Ground,
    [left, right]: [f64; 2],
) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
    let lines = kugelbahn::figures::ground_points(ground, left, right);
    let lines = lines.into_iter().filter(|line| !line.is_empty());
    lines
        .map(|line| Ok(PyArray2::from_vec2(py, &line.iter().map(|(x, y)| vec![*x, *y]).collect::<Vec<_>>())?))
        .collect()
}

fn xy(given: &Arguments) -> PyResult<Vec<[f64; 2]>> {
    points("xy", given.need("xy", "points, an array of shape (n, 2) in m")?)
}

fn rows(points: &[[f64; 2]]) -> Vec<Vec<f64>> {
    points.iter().map(|point| point.to_vec()).collect()
}
