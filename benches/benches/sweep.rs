//! Sweeps beside the runs that they are made of: what a row costs above its run, and what a second thread gives. A plain program:
//! each and its floor take turns, and least times count.

#![allow(clippy::expect_used, reason = "a bench prints, and fails loudly")]

use std::cell::RefCell;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use benches::table::Table;
use kugelbahn::scenario::{Document, Scenario};
use kugelbahn::sweep::{Request, Shard, Store, Sweep, Worker, execute};
use supervisor::{NoObserver, Options};

/// 20 bounces or so of an elastic ball on a sine.
const SINE: &str = r#"
    initial = { position = [0.1, 1.0], velocity = [0.3, 0.0] }
    ground = { curve = { kind = "graph", y = "0.1*sin(3*x)" } }
    contact = { restitution = 1.0 }
    solver = { duration = 18.0 }
"#;

fn sweep_of(runs: u64, observe: &[&str]) -> Sweep {
    let request = Request {
        vary: vec![format!("initial.velocity.x=0.3..0.4/{runs}")],
        observe: observe.iter().map(|text| (*text).to_owned()).collect(),
        ..Request::default()
    };
    let document = Document::from_text(SINE, Path::new(""), &[], &Arc::default()).expect("a scenario");
    Sweep::new(document, request).expect("a sweep")
}

fn main() {
    let runs = 2_000;
    let sweep = sweep_of(runs, &["impact.3.x", "end.x"]);
    let mut alone: Vec<Scenario> = Vec::new();
    for index in 0..runs {
        let mut scenario = sweep.variants.written().clone();
        sweep.variants.put(&mut scenario, &sweep.values(index)).expect("values");
        alone.push(scenario);
    }
    let (mut values, mut scenario) = (Vec::new(), sweep.variants.written().clone());
    let worker = RefCell::new(Worker::new(&sweep));
    let mut table = Table::of("sweep");
    let floor = || {
        for scenario in &alone {
            let options = Options { interval: None, ..scenario.options() };
            black_box(scenario.supervisor(options).expect("a run").run(&mut NoObserver));
        }
    };
    let rows = || {
        worker.borrow_mut().clear();
        (0..runs).for_each(|index| {
            worker.borrow_mut().run(index);
        });
    };
    let mut bytes = Vec::new();
    let mut written = || {
        rows();
        bytes.clear();
        worker.borrow_mut().tables().for_each(|table| drop(sweep.layout.format.encode(&table, &mut bytes)));
    };
    table.pair("run with its row as CSV over its bounces", "1.1", runs, &mut written, floor);
    table.pair("run with its row over its bounces", "", runs, rows, floor);
    table.alone("values of a run, put in", "", runs, || {
        for index in 0..runs {
            sweep.plan.values(index, &mut values);
            sweep.variants.put(&mut scenario, &values).expect("values");
        }
    });

    // Whole sweeps, files and all, by one thread and by two.
    let many = sweep_of(200_000, &["impact.3.x", "end.x"]);
    let whole = |threads: usize| {
        let folder = std::env::temp_dir().join(format!("kugelbahn-bench-sweep-{}", std::process::id()));
        let store = Store::open(&folder, &many).expect("a folder");
        drop(execute(&many, &store, Shard::WHOLE, threads, &|_, _| (), &AtomicBool::new(false)).expect("a sweep"));
        std::fs::remove_dir_all(&folder).expect("its folder");
    };
    table.pair("a sweep of 200 000 runs: two threads over one", "", 200_000, || whole(2), || whole(1));
    // The machine's own: the same runs alone, by two threads at once.
    let both = || {
        std::thread::scope(|scope| {
            scope.spawn(floor);
            scope.spawn(floor);
        });
    };
    table.pair("bounces alone: two threads over one", "", 2 * runs, both, || (0..2).for_each(|_| floor()));
    table.record();
}
