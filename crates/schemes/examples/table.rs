//! The table of the book: each scheme's orders, penetration, energy, end of bounces and cost. `--quick` makes 1000 elastic bounces, not 10 000.
#![allow(clippy::print_stdout, clippy::panic, clippy::expect_used, reason = "it prints, and stops where a run does")]

#[path = "../tests/measure/mod.rs"]
mod measure;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    println!(
        "| scheme | order of q, v, λ | across impacts | deepest, hw | energy, e = 1 | after Zeno | looks at the ground |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let schemes = schemes::stepping::STEPPING.iter().map(|(name, _)| *name);
    for name in ["moreau"].into_iter().chain(schemes) {
        let [orders, looks] = measure::smooth(name).map_or(["—".to_owned(), "—".to_owned()], |smooth| {
            let [q, v, force] = smooth.orders;
            [format!("{q:.1}, {v:.1}, {force:.1}"), format!("{:.1}", smooth.evaluations)]
        });
        let (order, deepest) = measure::across(name);
        let order = order.map_or("exact".to_owned(), |order| format!("{order:.1}"));
        let energy = measure::elastic(name, if quick { 1000 } else { 10_000 });
        let energy = energy.map_or("stops".to_owned(), |energy| format!("{energy:.4}"));
        let zeno = measure::after_zeno(name);
        println!("| `{name}` | {orders} | {order} | {deepest:.2} | {energy} | {zeno} | {looks} |");
    }
}
