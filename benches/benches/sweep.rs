//! Sweeps beside the runs that they are made of: what a row costs above its run, and what a second thread gives. A plain program:
//! each and its floor take turns, and least times count.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench prints, and fails loudly")]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

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

/// Seconds of one call.
fn time(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_secs_f64()
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
    let mut worker = Worker::new(&sweep);
    let [mut floor, mut put, mut rows, mut written] = [f64::INFINITY; 4];
    let (mut impacts, mut values, mut scenario) = (0, Vec::new(), sweep.variants.written().clone());
    let mut bytes = Vec::new();
    for _ in 0..40 {
        impacts = 0;
        floor = floor.min(time(|| {
            for scenario in &alone {
                let options = Options { interval: None, ..scenario.options() };
                let mut supervisor = scenario.supervisor(options).expect("a run");
                impacts += supervisor.run(&mut NoObserver).count.impacts;
            }
        }));
        put = put.min(time(|| {
            for index in 0..runs {
                sweep.plan.values(index, &mut values);
                sweep.variants.put(&mut scenario, &values).expect("values");
            }
        }));
        worker.clear();
        rows = rows.min(time(|| {
            (0..runs).for_each(|index| {
                worker.run(index);
            })
        }));
        bytes.clear();
        written =
            written.min(time(|| worker.tables().for_each(|table| drop(sweep.layout.format.encode(table, &mut bytes)))));
    }
    let each = |seconds: f64| seconds / runs as f64 * 1e6;
    println!("{:.1} bounces a run", impacts as f64 / runs as f64);
    println!("run alone                    {:.3} µs", each(floor));
    println!("the same in a sweep          {:.3} µs, {:.3} µs more", each(rows), each(rows - floor));
    println!("of that its values, put in   {:.3} µs", each(put));
    println!("and its row as CSV           {:.3} µs more, {} bytes", each(written), bytes.len() as u64 / runs);
    println!("ratio of a sweep to its runs {:.3}", (rows + written) / floor);

    // Whole sweeps, files and all, by one thread and by two.
    let sweep = sweep_of(200_000, &["impact.3.x", "end.x"]);
    let mut best = [f64::INFINITY; 2];
    for _ in 0..3 {
        for threads in [1, 2] {
            let folder = std::env::temp_dir().join(format!("kugelbahn-bench-sweep-{}", std::process::id()));
            let store = Store::open(&folder, &sweep).expect("a folder");
            let took = time(|| {
                drop(
                    execute(
                        &sweep,
                        &store,
                        Shard::WHOLE,
                        threads,
                        &|_, _| (),
                        &std::sync::atomic::AtomicBool::new(false),
                    )
                    .expect("a sweep"),
                )
            });
            best[threads - 1] = best[threads - 1].min(took);
            std::fs::remove_dir_all(&folder).expect("its folder");
        }
    }
    // What the machine gives: the same runs alone, by two threads at once.
    let alone = &alone;
    let work = || {
        for scenario in alone.iter().cycle().take(50_000) {
            let options = Options { interval: None, ..scenario.options() };
            scenario.supervisor(options).expect("a run").run(&mut NoObserver);
        }
    };
    let [mut one, mut both] = [f64::INFINITY; 2];
    for _ in 0..3 {
        one = one.min(time(work));
        both = both.min(time(|| {
            std::thread::scope(|scope| {
                scope.spawn(work);
                scope.spawn(work);
            })
        }));
    }
    println!("runs alone, two threads: {:.2} times as fast as one", 2.0 * one / both);
    println!("200 000 runs: one thread {:.3} s, two {:.3} s: {:.2} times as fast", best[0], best[1], best[0] / best[1]);
    println!("one thread to its runs alone: {:.3}", best[0] / (200_000.0 * floor / runs as f64));
}
