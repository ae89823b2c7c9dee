//! The calendar of events, which no user sees: its source is compiled here as it is.

#[path = "../../src/calendar.rs"]
mod source;

use source::{Calendar, Due};

/// Entries that are replaced again and again come out in order.
#[test]
fn the_first_is_the_smallest() {
    let (mut calendar, mut dues) = (Calendar::new(17), [Due::NEVER; 17]);
    let mut number = 1u64;
    for round in 0..2000 {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let time = if round % 5 == 0 { f64::INFINITY } else { (number >> 58) as f64 };
        let (ball, due) = ((number >> 20) as usize % 17, Due { time, approach: (number >> 40 & 3) as f64 });
        calendar.set(ball, due);
        dues[ball] = due;
        let sooner = |a: &Due, b: &Due| a.time.total_cmp(&b.time).then(b.approach.total_cmp(&a.approach));
        let least = (0..17).min_by(|a, b| sooner(&dues[*a], &dues[*b]).then(a.cmp(b)));
        assert_eq!(calendar.first().map(|(ball, _)| ball), least);
    }
}
