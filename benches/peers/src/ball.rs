//! What a run of the benchmark's ball comes to, and what it should come to.

use std::fmt;

use reference::table::{self, NamedNumbers};

/// 10 s have ten bounces: the tenth at 9.685 s, the eleventh at 10.192 s.
pub const TEN_BOUNCES: f64 = 10.0;
/// The benchmark's 20 s, in which all bounces end at 14.698 s.
pub const WHOLE: f64 = 20.0;
/// There are 332 bounces until hops last less than 1e-15 s: who does so many is stuck.
pub const STUCK: usize = 20_000;

/// What a run came to.
#[derive(Default)]
pub struct Run {
    /// Times of the bounces, s.
    pub bounces: Vec<f64>,
    /// State where it ended.
    pub time: f64,
    pub end: [f64; 4],
    pub steps: u64,
    pub rejected: u64,
    /// Why it could not go on.
    pub failure: Option<String>,
}

/// How 20 s ended.
pub enum Fate {
    /// On the ground, with errors of x and vx.
    Right([f64; 2]),
    /// Below the ground: height, and the time of the last bounce seen.
    Through(f64, f64),
    /// Bounces without end: the time.
    Stuck(f64),
    /// The solver's own words, and the time.
    Failed(String, f64),
}

impl Fate {
    pub fn is_right(&self) -> bool {
        matches!(self, Fate::Right(_))
    }
    pub fn errors(&self) -> String {
        match self {
            Fate::Right([x, vx]) => format!("{x:.1e}, {vx:.1e}"),
            _ => String::new(),
        }
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Right(_) => write!(f, "right: slides on the ground"),
            Fate::Through(height, last) => {
                write!(f, "**falls through** after a last bounce at {last:.6} s, y(20 s) = {height:.1} m")
            }
            Fate::Stuck(time) => write!(f, "**sticks** at {time:.6} s, {STUCK} bounces"),
            Fate::Failed(words, time) => write!(f, "**stops** at {time:.6} s: {words}"),
        }
    }
}

/// The exact bounces and end.
pub struct Exact {
    bounces: Vec<f64>,
    end: [f64; 2],
}

impl Exact {
    pub fn load() -> Self {
        let number = |table: &NamedNumbers, name: &str| table.number(name).expect("a number of this name");
        let table = table::find("hard_modelica_e0.9").expect("the benchmark's hard sphere");
        let end = table.part("state_at_20s_after_zeno_sliding").expect("its end");
        Exact {
            bounces: table.events().iter().map(|event| number(event, "t")).collect(),
            end: [number(&end, "x"), number(&end, "vx")],
        }
    }

    /// Errors of the tenth bounce and the largest of the first ten, s. All must be there, and no other by 10 s.
    pub fn errors(&self, name: &str, run: &Run) -> [f64; 2] {
        assert!(run.failure.is_none(), "{name}: {:?}", run.failure);
        assert_eq!(run.bounces.len(), 10, "{name}: {:?}", run.bounces);
        let errors: Vec<f64> = run.bounces.iter().zip(&self.bounces).map(|(a, b)| (a - b).abs()).collect();
        assert!(errors.iter().all(|error| *error < 0.05), "{name}: {errors:?}");
        [errors[9], errors.iter().copied().fold(0.0, f64::max)]
    }

    pub fn fate(&self, run: &Run) -> Fate {
        let last = run.bounces.last().copied().unwrap_or_default();
        if let Some(words) = &run.failure {
            Fate::Failed(words.clone(), run.time)
        } else if run.bounces.len() >= STUCK {
            Fate::Stuck(last)
        } else if run.end[1].abs() > 1e-3 {
            Fate::Through(run.end[1], last)
        } else {
            Fate::Right([(run.end[0] - self.end[0]).abs(), (run.end[2] - self.end[1]).abs()])
        }
    }
}
