//! A ball that bounces under gravity and `f = A sin ωt`, flight by flight in closed form.

/// One flight.
#[derive(Clone, Copy, Debug)]
struct Flight {
    start: f64,
    height: f64,
    rise: f64,
}

/// With A/m < g every flight is concave, so it ends exactly once, between the ends it would have under g ± A/m; there it
/// is found by bisection.
#[derive(Clone, Debug)]
pub struct Forced {
    gravity: f64,
    /// A/m and ω.
    force: [f64; 2],
    flights: Vec<Flight>,
    impacts: Vec<(f64, f64)>,
    end: f64,
}

impl Forced {
    pub fn new(height: f64, gravity: f64, restitution: f64, force: [f64; 2]) -> Forced {
        let mut this = Forced { gravity, force, flights: Vec::new(), impacts: Vec::new(), end: 0.0 };
        let mut flight = Flight { start: 0.0, height, rise: 0.0 };
        loop {
            this.flights.push(flight);
            let fall = |g: f64| (flight.rise + (flight.rise * flight.rise + 2.0 * g * flight.height).sqrt()) / g;
            let (mut low, mut high) = (fall(gravity + force[0].abs()), fall(gravity - force[0].abs()));
            // More halvings than a number has bits.
            for _ in 0..70 {
                let middle = 0.5 * (low + high);
                if this.flown(flight, middle)[0] > 0.0 { low = middle } else { high = middle }
            }
            let (time, speed) = (flight.start + low, -this.flown(flight, low)[1]);
            this.impacts.push((time, speed));
            // What is left is shorter than 1e-10 s.
            if speed < 1e-11 || this.impacts.len() > 10_000 {
                this.end = time;
                return this;
            }
            flight = Flight { start: time, height: 0.0, rise: restitution * speed };
        }
    }

    /// Height and velocity some time into a flight.
    fn flown(&self, flight: Flight, since: f64) -> [f64; 2] {
        let ([a, omega], g) = (self.force, self.gravity);
        // sin and cos differences as products: flights get short.
        let half = 0.5 * omega * since;
        let middle = omega * (flight.start + 0.5 * since);
        let sines = 2.0 * middle.cos() * half.sin();
        let cosines = 2.0 * middle.sin() * half.sin();
        let swing = a / omega * ((omega * flight.start).cos() * since - sines / omega);
        [flight.height + since * (flight.rise - 0.5 * g * since) + swing, flight.rise - g * since + a / omega * cosines]
    }

    /// Height and velocity at a time.
    pub fn at(&self, time: f64) -> [f64; 2] {
        if time >= self.end {
            return [0.0; 2];
        }
        let index = self.flights.partition_point(|flight| flight.start <= time).saturating_sub(1);
        let flight = self.flights[index];
        self.flown(flight, time - flight.start)
    }

    /// Times, s, and speeds of approach, m/s.
    pub fn impacts(&self) -> impl Iterator<Item = (f64, f64)> {
        self.impacts.iter().copied()
    }

    /// Where they accumulate, s.
    pub fn end(&self) -> f64 {
        self.end
    }
}
