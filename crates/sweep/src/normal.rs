//! The quantile function of the normal distribution.

/// Quantile by Wichura's rational functions (Appl. Statist. 37 (1988) 477, algorithm AS 241, PPND16), relative error
/// some 1e-16.
pub fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let [above, below] = rational(&MIDDLE, 0.425 * 0.425 - q * q);
        return q * above / below;
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    let r = libm::sqrt(-libm::log(tail));
    let [above, below] = if r <= 5.0 { rational(&NEAR, r - 1.6) } else { rational(&FAR, r - 5.0) };
    let size = above / below;
    if q < 0.0 { -size } else { size }
}

/// Values of the numerator and the denominator of a rational function.
fn rational(coefficients: &[[f64; 2]; 8], x: f64) -> [f64; 2] {
    coefficients.iter().rev().fold([0.0; 2], |sums, c| [sums[0] * x + c[0], sums[1] * x + c[1]])
}

/// Coefficients of numerator and denominator (a and b in the paper), from the constant on, near the median.
const MIDDLE: [[f64; 2]; 8] = [
    [3.3871328727963666080e0, 1.0],
    [1.3314166789178437745e2, 4.2313330701600911252e1],
    [1.9715909503065514427e3, 6.8718700749205790830e2],
    [1.3731693765509461125e4, 5.3941960214247511077e3],
    [4.5921953931549871457e4, 2.1213794301586595867e4],
    [6.7265770927008700853e4, 3.9307895800092710610e4],
    [3.3430575583588128105e4, 2.8729085735721942674e4],
    [2.5090809287301226727e3, 5.2264952788528545610e3],
];

/// Coefficients (c and d in the paper) in the tails.
const NEAR: [[f64; 2]; 8] = [
    [1.42343711074968357734e0, 1.0],
    [4.63033784615654529590e0, 2.05319162663775882187e0],
    [5.76949722146069140550e0, 1.67638483018380384940e0],
    [3.64784832476320460504e0, 6.89767334985100004550e-1],
    [1.27045825245236838258e0, 1.48103976427480074590e-1],
    [2.41780725177450611770e-1, 1.51986665636164571966e-2],
    [2.27238449892691845833e-2, 5.47593808499534494600e-4],
    [7.74545014278341407640e-4, 1.05075007164441684324e-9],
];

/// Coefficients (e and f in the paper) far in the tails.
const FAR: [[f64; 2]; 8] = [
    [6.65790464350110377720e0, 1.0],
    [5.46378491116411436990e0, 5.99832206555887937690e-1],
    [1.78482653991729133580e0, 1.36929880922735805310e-1],
    [2.96560571828504891230e-1, 1.48753612908506148525e-2],
    [2.65321895265761230930e-2, 7.86869131145613259100e-4],
    [1.24266094738807843860e-3, 1.84631831751005468180e-5],
    [2.71155556874348757815e-5, 1.42151175831644588870e-7],
    [2.01033439929228813265e-7, 2.04426310338993978564e-15],
];
