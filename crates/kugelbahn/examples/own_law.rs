//! A contact law of one's own: rubber that stiffens as it is compressed.
#![allow(clippy::print_stdout, reason = "an example prints")]

use kugelbahn::prelude::*;

/// `k δ (1 + (δ/d)²) (1 + c δ̇)`
#[derive(Debug)]
struct Rubber {
    /// k, N/m; d, m; c, s/m.
    numbers: [f64; 3],
}

impl NormalLaw for Rubber {
    fn force(&self, compression: f64, rate: f64) -> f64 {
        let [stiffness, depth, damping] = self.numbers;
        stiffness * compression * (1.0 + (compression / depth).powi(2)) * (1.0 + damping * rate)
    }
}

const SCENARIO: &str = "
ball.radius = 0.1
ground.curve = { kind = 'graph', y = 0 }
initial.position = [0.0, 1.0]
contact = { law = 'rubber', k = 1e4, d = 0.01, c = 0.1 }";

fn main() -> Result<(), kugelbahn::Error> {
    let rubber = |keys: &Keys, _: &Ball| {
        Ok(Rubber { numbers: [keys.number("k")?, keys.number("d")?, keys.number_or("c", 0.0)] })
    };
    let run = Simulation::from_text_with(SCENARIO, Methods::builtin().with_law("rubber", rubber))?.run(2.0)?;
    for event in run.events() {
        println!("{:.9} s  {}, {:.6} m/s", event.time(), event.kind(), event.velocity_after().0);
    }
    println!("unexplained {:e} J", run.unexplained());
    Ok(())
}
