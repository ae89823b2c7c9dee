//! Designs: their points, and how evenly they lie.

use scenario::Setting;
use sha2::{Digest, Sha256};
use sweep::{DIMENSIONS, Request, Sobol, Sweep, SweepError, normal_quantile, philox};

use crate::{HILLS, strings, sweep_of};

/// The first 2¹⁴ points in all dimensions as scipy 1.17.1 makes them (`scipy.stats.qmc.Sobol(21, scramble=False, bits=30)`, which takes
/// Joe and Kuo's numbers), 2¹⁴ times each, a line a point.
#[test]
fn sobol_as_published() {
    let sobol = Sobol::new(DIMENSIONS);
    let mut text = String::new();
    for index in 0..1 << 14 {
        let point: Vec<String> = (0..DIMENSIONS).map(|i| (sobol.cell(i, index) >> (52 - 14)).to_string()).collect();
        text += &(point.join(" ") + "\n");
    }
    let hash: String = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(text.starts_with("0 0 0 0 "));
    assert_eq!(
        text.lines().nth(1023).unwrap().split(' ').take(5).collect::<Vec<_>>(),
        ["16", "12336", "10032", "2384", "3056"]
    );
    assert_eq!(hash, "f2e6fcdafde524c312c8e31bfc3e53dd9744d217f0a12f105b4c918656551a32");
}

/// Points in four dimensions.
fn points(design: &str, seed: u64, count: u64) -> Vec<[f64; 4]> {
    let keys = ["contact.restitution", "initial.position.x", "initial.velocity.x", "initial.velocity.y"];
    let request = Request {
        sample: keys.iter().map(|key| format!("{key} ~ uniform(0, 1)")).collect(),
        count: Some(count),
        design: Some(design.to_owned()),
        seed,
        ..Request::default()
    };
    let sweep = sweep_of(HILLS, request).unwrap();
    let number = |value: &Setting| match value {
        Setting::Number(number) => *number,
        Setting::Text(_) => f64::NAN,
    };
    (0..count).map(|index| std::array::from_fn(|i| number(&sweep.values(index)[i]))).collect()
}

/// L₂ star discrepancy (Warnock's formula).
fn discrepancy(points: &[[f64; 4]]) -> f64 {
    let count = points.len() as f64;
    let ones: f64 = points.iter().map(|p| p.iter().map(|x| 0.5 * (1.0 - x * x)).product::<f64>()).sum();
    let pair = |p: &[f64; 4], q: &[f64; 4]| p.iter().zip(q).map(|(x, y)| 1.0 - x.max(*y)).product::<f64>();
    let twos: f64 = points.iter().map(|p| points.iter().map(|q| pair(p, q)).sum::<f64>()).sum();
    ((1.0_f64 / 3.0).powi(4) - 2.0 / count * ones + twos / (count * count)).sqrt()
}

#[test]
fn sobol_lies_more_evenly_than_random_numbers() {
    let random: Vec<f64> = (1..6).map(|seed| discrepancy(&points("random", seed, 1024))).collect();
    let least = random.iter().copied().fold(f64::INFINITY, f64::min);
    for seed in [0, 1, 2] {
        let sobol = discrepancy(&points("sobol", seed, 1024));
        println!("sobol {sobol:.3e}, random {random:?}");
        assert!(sobol < 0.5 * least, "{sobol} {random:?}");
    }
    assert!(points("sobol", 1, 4) != points("sobol", 2, 4));
}

/// Of each key one number in each of as many parts.
#[test]
fn latin_hypercube() {
    for count in [1, 2, 3, 7, 16, 17, 1000, 4097] {
        let points = points("latin", 3, count);
        assert!(count < 16 || points.windows(2).any(|pair| pair[0][3] > pair[1][3]), "in order: {count}");
        for i in 0..4 {
            let mut parts: Vec<u64> = points.iter().map(|p| (p[i] * count as f64) as u64).collect();
            parts.sort_unstable();
            assert!(parts.into_iter().eq(0..count));
        }
    }
}

/// Means and deviations of 20 000 numbers, to five standard errors.
#[test]
fn laws_have_their_moments() {
    let request = Request {
        sample: strings(&[
            "initial.velocity.x ~ normal(3, 0.5)",
            "initial.velocity.y ~ lognormal(0.2, 0.3)",
            "initial.position.x ~ uniform(-1, 2)",
            "contact.restitution ~ choice(0.2, 0.4, 0.9)",
        ]),
        count: Some(20_000),
        seed: 11,
        ..Request::default()
    };
    let sweep = sweep_of(HILLS, request).unwrap();
    let spread = (0.09_f64.exp() - 1.0).sqrt();
    let mean = (0.2 + 0.045_f64).exp();
    let expected = [(3.0, 0.5), (mean, mean * spread), (0.5, 3.0 / 12.0_f64.sqrt()), (0.5, (0.26_f64 / 3.0).sqrt())];
    for (i, (mean, deviation)) in expected.into_iter().enumerate() {
        let numbers: Vec<f64> = (0..20_000)
            .map(|index| match &sweep.values(index)[i] {
                Setting::Number(number) => *number,
                Setting::Text(text) => panic!("{text}"),
            })
            .collect();
        let found = numbers.iter().sum::<f64>() / 2e4;
        let square = numbers.iter().map(|x| (x - found) * (x - found)).sum::<f64>() / 2e4;
        assert!((found - mean).abs() < 5.0 * deviation / 2e4_f64.sqrt(), "{i}: {found} {mean}");
        assert!((square.sqrt() / deviation - 1.0).abs() < 0.03, "{i}: {} {deviation}", square.sqrt());
    }
}

/// Grids have their ends to the bit; keys in order, the last fastest; samples are the same at each point of a grid.
#[test]
fn products() {
    let request = Request {
        vary: strings(&["contact.restitution=0.1..0.7/3", "ground.curve.parameters.a=log:1e-3..0.1/3"]),
        sample: strings(&["initial.velocity.x ~ uniform(0, 1)"]),
        count: Some(2),
        ..Request::default()
    };
    let sweep = sweep_of(HILLS, request).unwrap();
    let rows: Vec<Vec<Setting>> = (0..sweep.layout.runs).map(|index| sweep.values(index)).collect();
    assert_eq!(rows.len(), 18);
    let number = Setting::Number;
    assert_eq!(
        [&rows[0][0], &rows[17][0], &rows[0][1], &rows[17][1]],
        [&number(0.1), &number(0.7), &number(1e-3), &number(0.1)]
    );
    assert!(rows[0][..2] == rows[1][..2] && rows[1][0] == rows[2][0] && rows[1][1] != rows[2][1]);
    assert!(rows[0][2] == rows[16][2] && rows[0][2] != rows[1][2]);
    match rows[2][1] {
        Setting::Number(middle) => assert!((middle - 1e-2).abs() < 1e-16),
        Setting::Text(_) => panic!(),
    }
}

/// What makes no plan is refused.
#[test]
fn nonsense_is_refused() {
    let vary = |text: &str| Request { vary: strings(&[text]), ..Request::default() };
    let sample = |text: &str| Request { sample: strings(&[text]), count: Some(3), ..Request::default() };
    let requests = [
        vary("contact.restitution"),
        vary("contact.restitution=1..0/-3"),
        vary("contact.restitution=0..inf/3"),
        vary("contact.restitution=-1e308..1e308/3"),
        vary(".=1,2"),
        vary("contact.restitution=1,,2"),
        vary("contact.restitution=0..1/99999999999999999999"),
        vary("contact.restitution=0..1/9999999999999999"),
        vary("nothing=1,2"),
        sample("contact.restitution ~ normal(0.5, -0.1)"),
        sample("contact.restitution ~ normal(0.5, nan)"),
        sample("contact.restitution ~ norml(0.5, 0.1)"),
        sample("contact.restitution ~ uniform(1, 0)"),
        sample("contact.restitution ~ choice()"),
        sample("contact.restitution = 3"),
        Request { count: Some(0), ..sample("contact.restitution ~ uniform(0, 1)") },
        Request { count: None, ..sample("contact.restitution ~ uniform(0, 1)") },
        Request { design: Some("sobl".to_owned()), ..sample("contact.restitution ~ uniform(0, 1)") },
        Request { observe: strings(&["end.x", "end.x"]), ..vary("contact.restitution=0,1") },
        Request { observe: strings(&["every 0 impact: x"]), ..vary("contact.restitution=0,1") },
        Request { observe: strings(&["every 0 s: x"]), ..vary("contact.restitution=0,1") },
        Request { observe: strings(&["every 0.1 s: vx-before"]), ..vary("contact.restitution=0,1") },
        Request { observe: strings(&["every impact:"]), ..vary("contact.restitution=0,1") },
        Request { observe: strings(&["every impact: cycle(0)"]), ..vary("contact.restitution=0,1") },
        Request { skip: 3, ..vary("contact.restitution=0,1") },
        Request { table: Some("/nowhere.csv".to_owned()), ..Request::default() },
        Request { chunk: Some(0), ..vary("contact.restitution=0,1") },
        Request::default(),
    ];
    for request in requests {
        let found: Result<Sweep, SweepError> = sweep_of(HILLS, request.clone());
        let Err(SweepError::Input(error)) = found else { panic!("{request:?}: {found:?}") };
        assert!(error.help_text().is_some() || error.span().is_some(), "{error}");
    }
}

/// Symptom: `--vary k=nan..1/3` did not say how many points, and two numbers of one sign were not of one sign.
#[test]
fn ranges_are_refused_for_what_is_wrong() {
    let of = |range: &str| {
        let vary = strings(&[&format!("contact.restitution={range}")]);
        sweep_of(HILLS, Request { vary, ..Request::default() })
    };
    for (range, why) in [
        ("nan..1/3", "`nan` is no number"),
        ("0..inf/3", "`inf` is no number"),
        ("0..1", "does not say how many points"),
        ("log:5e-324..1e308/3", "the range is too long"),
        ("log:1e308..5e-324/3", "the range is too long"),
        ("log:-1..1/3", "two numbers of one sign"),
        ("log:0..1/3", "two numbers of one sign"),
    ] {
        let found = of(range);
        let Err(SweepError::Input(error)) = found else { panic!("{range}: {found:?}") };
        assert!(error.to_string().contains(why), "{range}: {error}");
    }
    // Their product is below what a number can be.
    assert!(of("log:1e-200..1e-190/3").is_ok());
}

/// Values of tables: Abramowitz and Stegun, Handbook of Mathematical Functions, tables 26.5 and 26.6, and of erfc(x/√2)/2.
#[test]
fn quantiles_are_as_in_tables() {
    assert_eq!(normal_quantile(0.5), 0.0);
    let tables = [
        (0.975, 1.959963984540054),
        (0.9, 1.2815515655446004),
        (0.999, 3.090232306167813),
        (1e-10, -6.361340902404056),
        (1e-20, -9.262340089798408),
    ];
    for (p, x) in tables {
        let found = normal_quantile(p);
        assert!((found / x - 1.0).abs() < 1e-14, "{p}: {found} {x}");
        assert!(p < 1e-5 || (normal_quantile(1.0 - p) / -x - 1.0).abs() < 1e-13);
    }
}

/// `kat_vectors` of the authors' library Random123.
#[test]
fn philox_as_published() {
    let zero = philox([0; 4], [0; 2]);
    assert_eq!(zero, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    let ones = philox([u32::MAX; 4], [u32::MAX; 2]);
    assert_eq!(ones, [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    let pi = philox([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]);
    assert_eq!(pi, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
}

/// The first cell of the first dimension, and the last, where each bit is set.
#[test]
fn fractions_are_inside() {
    let sobol = Sobol::new(1);
    let last = 0xA_AAAA_AAAA_AAAA;
    assert_eq!((sobol.cell(0, 0), sobol.cell(0, last)), (0, (1 << 52) - 1));
    assert!(sobol.at(0, 0) > 0.0 && sobol.at(0, last) < 1.0);
}
