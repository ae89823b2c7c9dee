//! `compare`, `converge`, `aim`, `fit`, `sweep`: the commands of these names, on a simulation.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use kugelbahn::aim::{AimError, Goal, Wish, aim_json};
use kugelbahn::compare::{
    ComparisonPlan, Draft, cases, comparison_table, convergence_table, known, methods, numbers, observables,
};
use kugelbahn::fit::{FitError, Reading, View, fit_json};
use kugelbahn::input::{InputError, Source};
use kugelbahn::scenario::Document;
use kugelbahn::sweep::{Request, Sweep, SweepError, Worker};
use kugelbahn::tables::{Cells, Table};
use kugelbahn::unknowns::Unknowns;
use kugelbahn::{compare as comparing, fit as fitting};
use numpy::PyArray1;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::arguments::{Arguments, array, key, texts, unfit};
use crate::errors::{input, refused, stopped, wrong};
use crate::simulation::Simulation;
use crate::unlocked::{goes_on, interruptible};

/// Runs of a sweep whose rows are kept in memory.
const MOST: u64 = 10_000_000;

/// The simulation of a call, and its text, with `until` or without.
fn simulation<'a>(given: &'a Arguments, py: Python, until: bool) -> PyResult<(&'a Bound<'a, Simulation>, String)> {
    let value = given.need("sim", "a kugelbahn.Simulation")?;
    let sim = value.cast::<Simulation>().map_err(|_| unfit("sim", value, "a kugelbahn.Simulation"))?;
    let state = &sim.get().state;
    let written = if until { state.written(py)? } else { state.inner.clone() };
    let text = written.to_toml().map_err(|error| refused(py, &error, Some("sim")))?;
    Ok((sim, text))
}

/// A list as on the command line: texts joined, numbers in their shortest form.
fn list(given: &Arguments, name: &str) -> PyResult<Option<String>> {
    let Some(value) = given.get(name) else { return Ok(None) };
    if let Ok(texts) = texts(name, value) {
        return Ok(Some(texts.join(",")));
    }
    let numbers = line(name, value, "a list of positive numbers, or a text such as \"0.02..0.001/2\"")?;
    Ok(Some(numbers.iter().map(|number| format!("{number:?}")).collect::<Vec<_>>().join(",")))
}

/// A number, or numbers in a line.
fn line(name: &str, value: &Bound<PyAny>, rule: &str) -> PyResult<Vec<f64>> {
    match array(name, value, rule)? {
        (numbers, shape) if shape.len() <= 1 => Ok(numbers),
        _ => Err(unfit(name, value, rule)),
    }
}

/// A frame of a kind.
fn frame<'py>(columns: &Bound<'py, PyDict>, kind: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    columns.py().import("kugelbahn._tables")?.call_method1("frame", (columns, kind))
}

/// The kind of frame that is asked for, which must be there.
fn kind_of(given: &Arguments, py: Python) -> PyResult<Option<String>> {
    let kind = given.text("kind")?;
    frame(&PyDict::new(py), kind.as_deref())?;
    Ok(kind)
}

/// A frame of a table, whose words are none where they are empty. Words that are all true or false are so.
fn table<'py>(py: Python<'py>, table: &Table, kind: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let made = PyDict::new(py);
    for (column, cells) in table.columns().iter().zip(table.cells()) {
        let values = match cells {
            Cells::Number(cells) => PyArray1::from_slice(py, cells).into_any(),
            Cells::Count(cells) => PyArray1::from_iter(py, cells.iter().map(|count| *count as i64)).into_any(),
            Cells::Word(cells) if !cells.is_empty() && cells.iter().all(|cell| matches!(&**cell, "true" | "false")) => {
                PyArray1::from_iter(py, cells.iter().map(|cell| cell == "true")).into_any()
            }
            Cells::Word(cells) => {
                PyList::new(py, cells.iter().map(|cell| Some(&**cell).filter(|cell| !cell.is_empty())))?.into_any()
            }
        };
        made.set_item(&column.name, values)?;
    }
    frame(&made, kind)
}

/// The document of a text, whose runs end with the work.
fn document(text: &str, ended: &Arc<AtomicBool>) -> Result<Document, InputError> {
    let document = Document::from_text(text, std::path::Path::new(""), &[], &Arc::default())?;
    Ok(Document { ended: Some(ended.clone()), ..document })
}

fn json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

fn draft(text: &str, ended: &Arc<AtomicBool>) -> Result<Draft, InputError> {
    Ok(Draft::from_text(text, std::path::Path::new(""), &[])?.ending(ended.clone()))
}

/// The simulation by several methods, each judged by a reference: a frame, a row a method and step (or tolerance).
///
/// methods: such as "newmark", "bdf", or "all"; steps: fixed steps (s); tolerances: of event-driven methods; tries: runs timed
/// for each CPU time (default: none is timed); kind: of frame, "polars", "pandas" or "pyarrow" (default: the first that is there).
#[pyfunction]
#[pyo3(signature = (*args, **named), text_signature = "(sim, methods, steps=None, tolerances=None, tries=0, kind=None)")]
pub fn compare<'py>(args: &Bound<'py, PyTuple>, named: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
    let py = args.py();
    let names = ["sim", "methods", "steps", "tolerances", "tries", "kind"];
    let given = Arguments::new("compare", &names, 2, args, named)?.without_keys()?;
    let (_, text) = simulation(&given, py, false)?;
    given.need("methods", "methods such as [\"newmark\", \"bdf\"]")?;
    let asked = list(&given, "methods")?.unwrap_or_default();
    let (steps, tolerances) = (list(&given, "steps")?, list(&given, "tolerances")?);
    let (tries, kind) = (given.count("tries", 1000)?.unwrap_or(0) as usize, kind_of(&given, py)?);
    let rows = interruptible(py, move |ended| {
        let draft = draft(&text, ended)?;
        let (methods, skip) = methods("methods", &asked, draft.methods())?;
        let of = |name: &str, list: &Option<String>| list.as_ref().map(|list| numbers(name, list)).transpose();
        let (steps, tolerances) = (of("steps", &steps)?, of("tolerances", &tolerances)?);
        let (cases, _) = cases(&draft, &methods, skip, steps.as_deref(), tolerances.as_deref())?;
        let form = known(&draft.as_written()?);
        let plan = ComparisonPlan { tries, closed_form: form.as_ref(), progress: &|_, _, _| goes_on(ended) };
        comparing::compare(&draft, &cases, &plan).map(|comparison| comparison_table(&comparison))
    })?;
    let rows = rows.map_err(|error: InputError| input(py, &error, None))?;
    table(py, &rows, kind.as_deref())
}

/// Errors of methods over their steps, and the orders: a frame, a row a method, quantity and step.
///
/// methods: such as "newmark"; steps: fixed steps (s), two at least; observe: of x, v, lambda, energy, event-time; kind: of frame, as
/// in compare.
#[pyfunction]
#[pyo3(signature = (*args, **named), text_signature = "(sim, methods, steps, observe=None, kind=None)")]
pub fn converge<'py>(args: &Bound<'py, PyTuple>, named: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
    let py = args.py();
    let names = ["sim", "methods", "steps", "observe", "kind"];
    let given = Arguments::new("converge", &names, 3, args, named)?.without_keys()?;
    let (_, text) = simulation(&given, py, false)?;
    given.need("methods", "methods such as \"newmark\"")?;
    given.need("steps", "steps in s, such as [0.02, 0.01, 0.005]")?;
    let (asked, steps) = (list(&given, "methods")?.unwrap_or_default(), list(&given, "steps")?.unwrap_or_default());
    let (observe, kind) = (list(&given, "observe")?, kind_of(&given, py)?);
    let rows = interruptible(py, move |ended| {
        let draft = draft(&text, ended)?;
        let (methods, skip) = methods("methods", &asked, draft.methods())?;
        let (steps, wanted) = (numbers("steps", &steps)?, observables("observe", observe.as_deref())?);
        let form = known(&draft.as_written()?);
        let plan = ComparisonPlan { tries: 0, closed_form: form.as_ref(), progress: &|_, _, _| goes_on(ended) };
        comparing::converge(&draft, &methods, skip, &steps, wanted.as_deref(), &plan)
            .map(|(convergence, _)| convergence_table(&convergence))
    })?;
    let rows = rows.map_err(|error: InputError| input(py, &error, None))?;
    table(py, &rows, kind.as_deref())
}

/// Numbers of the simulation with which its run does what is asked: a dict as aim.json, and `simulation`.
///
/// free: keys with bounds if wanted, such as "velocity.y=0..5"; targets: such as "landing.x = 3.0"; or one quantity to
/// minimise or maximise; runs: allowed. A run lasts as `solver.duration` says, 10 s where nothing does.
///
/// >>> import kugelbahn as kb
/// >>> throw = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 0), velocity=(1, 4))
/// >>> found = kb.aim(throw, "velocity.x", targets="impact.1.x = 2")
/// >>> round(found["simulation"].run(1.0).at(0.0).velocity[0], 9)
/// np.float64(2.4525)
#[pyfunction]
#[pyo3(signature = (*args, **named), text_signature = "(sim, free, targets=None, minimise=None, maximise=None, runs=5000)")]
pub fn aim<'py>(args: &Bound<'py, PyTuple>, named: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
    let py = args.py();
    let names = ["sim", "free", "targets", "minimise", "maximise", "runs"];
    let given = Arguments::new("aim", &names, 2, args, named)?.without_keys()?;
    let (sim, text) = simulation(&given, py, true)?;
    given.need("free", "keys of the scenario, such as [\"initial.velocity.y\"]")?;
    let free = given
        .texts("free")?
        .iter()
        .flat_map(|keys| keys.split(','))
        .map(|one| key(one.trim()))
        .collect::<Vec<_>>()
        .join(",");
    let [targets, least, most] = ["targets", "minimise", "maximise"].map(|name| given.texts(name));
    let (targets, least, most) = (targets?, least?, most?);
    let runs = given.count("runs", u32::MAX.into())?.unwrap_or(5000).max(1) as u32;
    let watches = sim.get().state.inner.scenario().watches.clone();
    let found = interruptible(py, move |ended| {
        let targets = targets.iter().map(|text| Goal::target(text, &watches));
        let least = least.iter().map(|text| Goal::extreme("minimise", text, Wish::Least, &watches));
        let most = most.iter().map(|text| Goal::extreme("maximise", text, Wish::Greatest, &watches));
        let goals = targets.chain(least).chain(most).collect::<Result<Vec<_>, _>>()?;
        kugelbahn::aim::check(&goals)?;
        let unknowns = Unknowns::of(document(&text, ended)?, &free)?;
        let plan = kugelbahn::aim::AimPlan { runs, tolerance: 1e-11, progress: &|_, _| goes_on(ended) };
        let found = kugelbahn::aim::aim(&unknowns, &goals, &plan)?;
        let values: Vec<(String, f64)> =
            found.numbers.iter().map(|number| (number.key.clone(), number.value)).collect();
        Ok((aim_json(&found), values))
    })?;
    let (text, values) = found.map_err(|error| match error {
        AimError::Input(error) => input(py, &error, None),
        other => stopped(py, &other.to_string(), py.None()),
    })?;
    with_simulation(sim, json(py, &text)?, values)
}

/// Numbers of the simulation from places of a ball over time: a dict as fit.json, and `simulation`.
///
/// table: a frame or dict with columns such as t, x, y; an array of shape (n, 3) of them (s, m); or the path of a file that
/// `kugelbahn fit` reads, such as an export of Tracker. free: keys with bounds if wanted, such as "contact.restitution=0..1"; sigma: of
/// places (m), or the name of a column; huber: for tables with outliers, k in standard deviations; start, end: times of the table (s)
/// between which the run is; track: which ball of several; camera: find what the camera did, too; every_row: leave no row out.
#[pyfunction]
#[pyo3(signature = (*args, **named), text_signature = "(table, sim, free, sigma=None, columns=None, unit=None, fps=None, scale=None, y_down=False, huber=None, start=None, end=None, track=None, camera=False, every_row=False)")]
pub fn fit<'py>(args: &Bound<'py, PyTuple>, named: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
    let py = args.py();
    let names = [
        "table",
        "sim",
        "free",
        "sigma",
        "columns",
        "unit",
        "fps",
        "scale",
        "y_down",
        "huber",
        "start",
        "end",
        "track",
        "camera",
        "every_row",
    ];
    let given = Arguments::new("fit", &names, 3, args, named)?.without_keys()?;
    let (sim, text) = simulation(&given, py, true)?;
    given.need("free", "keys of the scenario, such as [\"contact.restitution\"]")?;
    let free = given
        .texts("free")?
        .iter()
        .flat_map(|keys| keys.split(','))
        .map(|one| key(one.trim()))
        .collect::<Vec<_>>()
        .join(",");
    let rows = given.need("table", "places over time: columns t, x, y")?;
    let file = rows.extract::<PathBuf>().ok();
    let table = match file {
        Some(_) => String::new(),
        None => py.import("kugelbahn._tables")?.call_method1("to_csv", (rows,))?.extract::<String>()?,
    };
    let sigma = match given.get("sigma") {
        Some(sigma) if sigma.extract::<f64>().is_ok() => given.number("sigma")?.map(|sigma| format!("{sigma:?}")),
        _ => given.text("sigma")?,
    };
    let (columns, unit, track) = (given.text("columns")?, given.text("unit")?, given.text("track")?);
    let (fps, start, end) = (given.number("fps")?, given.number("start")?, given.number("end")?);
    let (scale, huber) = (given.number("scale")?.unwrap_or(1.0), given.number("huber")?);
    let (down, camera, every_row) = (given.truth("y_down")?, given.truth("camera")?, given.truth("every_row")?);
    for (name, value) in [("start", start), ("end", end)] {
        if value.is_some_and(f64::is_infinite) {
            return Err(wrong(py, &format!("{name} = {value:?} is not allowed: it must be finite"), Some(name), None));
        }
    }
    for (name, value) in [("scale", Some(scale)), ("huber", huber), ("fps", fps)] {
        if value.is_some_and(|value| !(value > 0.0 && value.is_finite())) {
            let message = format!("{name} = {value:?} is not allowed: it must be positive and finite");
            return Err(wrong(py, &message, Some(name), None));
        }
    }
    let found = interruptible(py, move |ended| {
        let reading = Reading {
            columns: columns.as_deref(),
            sigma: sigma.as_deref(),
            unit: unit.as_deref(),
            fps,
            start,
            end,
            track: track.as_deref(),
            every_row: every_row || huber.is_some(),
        };
        let data = match &file {
            Some(path) => fitting::load(path, &reading)?,
            None => fitting::read(&Source::new("table", table), &reading)?,
        };
        let unknowns = Unknowns::of(document(&text, ended)?, &free)?;
        let plan = fitting::FitPlan {
            view: View { scale, down, ..View::PLAIN },
            scale: None,
            camera,
            huber,
            progress: &|_| goes_on(ended),
        };
        let found = fitting::fit(&unknowns, &data, &plan)?;
        // Those of the camera are not the simulation's.
        let own = found.parameters.iter().take(unknowns.list().len());
        let values = own.map(|parameter| (parameter.key.clone(), parameter.estimate)).collect();
        Ok((fit_json(&found, &data), values))
    })?;
    let (text, values) = found.map_err(|error| match error {
        FitError::Input(error) => input(py, &error, None),
        other => stopped(py, &other.to_string(), py.None()),
    })?;
    with_simulation(sim, json(py, &text)?, values)
}

/// Adds the simulation with the values found.
fn with_simulation<'py>(
    sim: &Bound<Simulation>,
    answer: Bound<'py, PyAny>,
    values: Vec<(String, f64)>,
) -> PyResult<Bound<'py, PyAny>> {
    let changes = PyDict::new(sim.py());
    for (key, value) in values {
        changes.set_item(key, value)?;
    }
    answer.set_item("simulation", sim.call_method("replace", (), Some(&changes))?)?;
    Ok(answer)
}

/// Many runs of the simulation whose values vary: a frame, a row a run. The rows are those of `kugelbahn sweep`, to the bit.
///
/// vary: a dict from keys of the scenario to values, or to texts such as "0..1/101" (their product is run); sample: from keys to
/// laws such as "normal(0.8, 0.02)"; count, design ("random", "sobol", "latin") and seed of samples; observe: quantities such as
/// "impact.3.x", or "every impact: x, vx"; then the frame has a row an impact. threads: as many as there are processors. A run lasts as
/// `solver.duration` says, 10 s where nothing does. The force is none of Python's, which threads would wait for. kind: of frame, as in
/// compare.
///
/// >>> import kugelbahn as kb
/// >>> drop = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1))
/// >>> frame = kb.sweep(drop, vary={"restitution": [0.5, 0.6]}, observe="impact.1.time")
/// >>> len(frame)
/// 2
#[pyfunction]
#[pyo3(signature = (*args, **named), text_signature = "(sim, vary=None, sample=None, observe=None, count=None, design=None, seed=0, skip=0, threads=None, kind=None)")]
pub fn sweep<'py>(args: &Bound<'py, PyTuple>, named: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
    let py = args.py();
    let names = ["sim", "vary", "sample", "observe", "count", "design", "seed", "skip", "threads", "kind"];
    let given = Arguments::new("sweep", &names, 2, args, named)?.without_keys()?;
    let (sim, _) = simulation(&given, py, true)?;
    let document = sim.get().state.written(py)?.document().map_err(|error| refused(py, &error, Some("sim")))?;
    let request = Request {
        vary: varied(&given, "vary", "=")?,
        sample: varied(&given, "sample", " ~ ")?,
        count: given.count("count", MOST)?,
        design: given.text("design")?,
        seed: given.count("seed", u64::MAX)?.unwrap_or(0),
        observe: given.texts("observe")?,
        skip: given.count("skip", u64::MAX)?.unwrap_or(0),
        ..Request::default()
    };
    let threads = given.count("threads", 4096)?.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        |threads| (threads as usize).max(1),
    );
    let kind = kind_of(&given, py)?;
    let table = interruptible(py, move |ended| {
        let sweep = Sweep::new(Document { ended: Some(ended.clone()), ..document }, request)?;
        if sweep.layout.runs > MOST {
            let message = format!("{} runs are too many rows for memory: at most {MOST}", sweep.layout.runs);
            let error = InputError::without_place(message);
            return Err(error.with_help("write to_toml() to a file and use `kugelbahn sweep --out DIR`").into());
        }
        Ok::<_, SweepError>(rows(&sweep, threads, ended))
    })?;
    let table = table.map_err(|error| match error {
        SweepError::Input(error) => input(py, &error, None),
        other => wrong(py, &other.to_string(), None, None),
    })?;
    let Some(table) = table else { return Err(PyRuntimeError::new_err("a thread of the sweep ended early")) };
    let columns = PyDict::new(py);
    for (column, cells) in table.columns().iter().zip(table.cells()) {
        let values = match cells {
            Cells::Count(cells) => PyArray1::from_slice(py, cells).into_any(),
            Cells::Number(cells) => PyArray1::from_slice(py, cells).into_any(),
            Cells::Word(cells) => PyList::new(py, cells.iter().map(|word| &**word))?.into_any(),
        };
        columns.set_item(&column.name, values)?;
    }
    frame(&columns, kind.as_deref())
}

/// `KEY=VALUES` of a dict.
fn varied(given: &Arguments, name: &str, between: &str) -> PyResult<Vec<String>> {
    let Some(value) = given.get(name) else { return Ok(Vec::new()) };
    let dict = value.cast::<PyDict>().map_err(|_| unfit(name, value, "a dict from keys to values"))?;
    let one = |(key, values): (Bound<PyAny>, Bound<PyAny>)| {
        let key = self::key(&key.extract::<String>().map_err(|_| unfit(name, &key, "a key of the scenario, a text"))?);
        let text = match texts(&key, &values) {
            Ok(texts) => texts.join(","),
            Err(_) => {
                let numbers = line(&key, &values, "a finite number, a list of them, or a text such as \"0..1/101\"")?;
                numbers.iter().map(|number| format!("{number:?}")).collect::<Vec<_>>().join(",")
            }
        };
        Ok(format!("{key}{between}{text}"))
    };
    dict.iter().map(one).collect()
}

/// All rows, by index: of the section if one is observed, else of the runs. `None`: a thread failed.
fn rows(sweep: &Sweep, threads: usize, ended: &AtomicBool) -> Option<Table> {
    let next = AtomicU64::new(0);
    // The last table is that of the section.
    let wanted = sweep.layout.tables.len() - 1;
    let work = || {
        let (mut worker, mut made) = (Worker::new(sweep), Vec::new());
        loop {
            let chunk = next.fetch_add(1, Relaxed);
            if chunk >= sweep.layout.chunks() || ended.load(Relaxed) {
                return made;
            }
            worker.clear();
            for index in sweep.layout.runs_of(chunk) {
                worker.run(index);
                if ended.load(Relaxed) {
                    return made;
                }
            }
            made.extend(worker.tables().nth(wanted).map(|table| (chunk, table.into_owned())));
        }
    };
    let mut made: Vec<(u64, Table)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().ok()).collect::<Option<Vec<_>>>()
    })?
    .into_iter()
    .flatten()
    .collect();
    made.sort_by_key(|(chunk, _)| *chunk);
    let mut all = made.into_iter().map(|(_, table)| table);
    let mut whole = all.next()?;
    all.for_each(|table| whole.append(&table));
    Some(whole)
}
