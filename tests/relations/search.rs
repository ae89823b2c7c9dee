//! Tries a relation on many cases, and makes those that fail smaller.

use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::compare::Difference;
use super::relation::{Case, Fault, Outcome};

/// Cases of all relations together, without `KUGELBAHN_CASES`: about a minute.
const CASES: usize = 2700;
/// Relations.
const RELATIONS: usize = 10;
/// Failures after which a search ends.
const ENOUGH: usize = 12;
/// Smaller cases tried for one that fails, and how long that may take.
const SMALLER: u32 = 150;
const PATIENCE: Duration = Duration::from_secs(20);

/// Tries a relation on its share of the cases.
pub fn holds(name: &str, cases: BoxedStrategy<Case>) {
    let number = |of: &str| std::env::var(of).ok().map(|n| n.parse().unwrap_or_else(|_| panic!("{of} is a number")));
    let all = number("KUGELBAHN_CASES").unwrap_or(CASES);
    let first = number("KUGELBAHN_SEED").unwrap_or(7) as u8;
    let seed = name.bytes().fold(first, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte));
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]));
    let (mut tried, mut nothing, mut rows) = (0, 0, 0);
    let (mut rounding, mut tolerance, mut share) = (0.0_f64, 0.0_f64, 0.0);
    let mut found = Vec::new();
    let mut tightest: Option<(String, Case)> = None;
    let wanted = all.div_ceil(RELATIONS);
    while tried < wanted && found.len() < ENOUGH {
        let mut tree = cases.new_tree(&mut runner).expect("no case is filtered");
        tried += 1;
        match tree.current().check() {
            Outcome::Nothing => nothing += 1,
            Outcome::Holds(agreement) => {
                rows += agreement.rows;
                if agreement.rounding.max(agreement.tolerance) > rounding.max(tolerance) {
                    tightest = Some((agreement.tightest, tree.current()));
                }
                rounding = rounding.max(agreement.rounding);
                tolerance = tolerance.max(agreement.tolerance);
                share += agreement.share;
            }
            Outcome::Broken { what, files } => found.push(smallest(&mut *tree, what, files)),
        }
    }
    println!(
        "{name}: {tried} cases ({nothing} say nothing), {rows} rows over {share:.2} runs; largest residual {rounding:.2} of its bound by rounding, \
         {tolerance:.2} by tolerance; {} fail",
        found.len()
    );
    if let Some((what, case)) = tightest {
        println!("{name}: tightest {what}, {:?} of\n{}", case.relation, case.scenario);
    }
    assert!(2 * nothing < tried, "{name}: {nothing} of {tried} cases say nothing");
    let told: Vec<String> = found.iter().enumerate().map(|(i, (what, files))| tell(name, i, what, files)).collect();
    assert!(told.is_empty(), "{} of {tried} cases of `{name}` fail:\n{}", told.len(), told.join("\n"));
}

/// A smaller case that fails in the same way.
fn smallest(tree: &mut dyn ValueTree<Value = Case>, mut what: Fault, mut files: [String; 2]) -> (Fault, [String; 2]) {
    let start = Instant::now();
    let mut more = tree.simplify();
    for _ in 0..SMALLER {
        if !more || start.elapsed() > PATIENCE {
            break;
        }
        more = match tree.current().check() {
            Outcome::Broken { what: smaller, files: theirs } if smaller.is_like(&what) => {
                (what, files) = (smaller, theirs);
                tree.simplify()
            }
            _ => tree.complicate(),
        };
    }
    (what, files)
}

/// What is wrong, with the files; they are written if a folder for them is given.
fn tell(name: &str, index: usize, what: &Fault, files: &[String; 2]) -> String {
    let line = match what {
        Fault::Refused(why) => format!("the second is refused: {why}"),
        Fault::Panicked => "panics".to_owned(),
        Fault::Stopped(why) => format!("stops: {why}"),
        Fault::Differs(Difference { what, time, residual, bound, condition }) => {
            format!("at {time:?} s: {what}: {residual:e}, allowed {bound:e} (condition {condition:.1e})")
        }
    };
    let both = [("a", &files[0]), ("b", &files[1])];
    let both = if files[0] == files[1] { &both[..1] } else { &both };
    let mut told = format!("--- {name} {index}: {line}\n");
    for (letter, text) in both {
        told.push_str(&format!("# {letter}\n{text}\n"));
        if let Ok(folder) = std::env::var("KUGELBAHN_FOUND") {
            let path = Path::new(&folder).join(format!("{name}-{index}-{letter}.toml"));
            std::fs::write(&path, format!("# {line}\n{text}")).expect("KUGELBAHN_FOUND is a folder");
        }
    }
    told
}
