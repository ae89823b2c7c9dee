//! Every condition of order, by rooted trees (Hairer, Nørsett, Wanner, *Solving ODEs I*, 2nd ed., §II.2, theorem 2.13).

use super::tableau::*;

/// A rooted tree: its branches.
#[derive(Clone)]
struct Tree(Vec<Tree>);

impl Tree {
    fn order(&self) -> usize {
        1 + self.0.iter().map(Tree::order).sum::<usize>()
    }
    /// γ: the order times the γ of the branches.
    fn density(&self) -> f64 {
        self.order() as f64 * self.0.iter().map(Tree::density).product::<f64>()
    }
    /// Σ over the columns below of stage i.
    fn weight(&self, a: &[[f64; 16]; 16], i: usize) -> f64 {
        self.0.iter().map(|branch| (0..i).map(|j| a[i][j] * branch.weight(a, j)).sum::<f64>()).product()
    }
}

/// All trees of orders 1 to `most`: a new branch is never larger than the one before it, so that each comes once.
fn trees(most: usize) -> Vec<Tree> {
    let mut all = vec![Tree(Vec::new())];
    for order in 2..=most {
        let mut found = Vec::new();
        extend(&all, all.len(), order - 1, &mut Vec::new(), &mut found);
        all.extend(found);
    }
    all
}

fn extend(known: &[Tree], from: usize, left: usize, branches: &mut Vec<Tree>, found: &mut Vec<Tree>) {
    if left == 0 {
        return found.push(Tree(branches.clone()));
    }
    for i in (0..from).filter(|i| known[*i].order() <= left) {
        branches.push(known[i].clone());
        extend(known, i + 1, left - known[i].order(), branches, found);
        branches.pop();
    }
}

fn full<const M: usize>(row: &[(usize, f64); M]) -> [f64; 16] {
    let mut all = [0.0; 16];
    for (i, a) in row {
        all[*i] = *a;
    }
    all
}

fn tableau() -> [[f64; 16]; 16] {
    let mut a = [[0.0; 16]; 16];
    a[1..=4].copy_from_slice(&[full(&A1), full(&A2), full(&A3), full(&A4)]);
    a[5..=8].copy_from_slice(&[full(&A5), full(&A6), full(&A7), full(&A8)]);
    a[9..=12].copy_from_slice(&[full(&A9), full(&A10), full(&A11), full(&B)]);
    a[13..=15].copy_from_slice(&[full(&A13), full(&A14), full(&A15)]);
    a
}

fn miss(a: &[[f64; 16]; 16], weights: &[f64; 16], part: f64, order: usize) -> f64 {
    let all = trees(order);
    all.iter().fold(0.0f64, |worst, tree| {
        let sum: f64 = (0..16).map(|i| weights[i] * tree.weight(a, i)).sum();
        worst.max((sum - part.powi(tree.order() as i32) / tree.density()).abs())
    })
}

#[test]
fn nodes_are_sums_of_rows() {
    for (c, row) in C.iter().zip(tableau()) {
        assert!((c - row.iter().sum::<f64>()).abs() < 1e-14, "{c}");
    }
}

/// 200 trees up to order 8, and one of 286 more of order 9 at least that is missed.
#[test]
fn order_8() {
    assert_eq!(trees(8).len(), 1 + 1 + 2 + 4 + 9 + 20 + 48 + 115);
    let a = tableau();
    let (eighth, ninth) = (miss(&a, &full(&B), 1.0, 8), miss(&a, &full(&B), 1.0, 9));
    assert!(eighth < 1e-14 && ninth > 1e-7, "{eighth:e} {ninth:e}");
    let (fifth, sixth) = {
        let mut weights = full(&B);
        for (i, e) in E5 {
            weights[i] -= e;
        }
        (miss(&a, &weights, 1.0, 5), miss(&a, &weights, 1.0, 6))
    };
    assert!(fifth < 1e-14 && sixth > 1e-6, "{fifth:e} {sixth:e}");
    let (third, fourth) = (miss(&a, &full(&B3), 1.0, 3), miss(&a, &full(&B3), 1.0, 4));
    assert!(third < 1e-14 && fourth > 1e-6, "{third:e} {fourth:e}");
}

/// The dense output, whose weights at a part s are what it makes of unit rates: 85 trees at each.
#[test]
fn dense_output_of_order_7() {
    let (a, b) = (tableau(), full(&B));
    let (d4, d5, d6, d7) = (full(&D4), full(&D5), full(&D6), full(&D7));
    for s in [0.1, 0.3, 0.5, 0.8, 1.0] {
        let rest = 1.0 - s;
        let mut weights = [0.0; 16];
        for i in 0..16 {
            let (start, end) = (f64::from(u8::from(i == 0)), f64::from(u8::from(i == 12)));
            let bend = start - b[i];
            let last = b[i] - end - bend;
            let inner = d4[i] + s * (d5[i] + rest * (d6[i] + s * d7[i]));
            weights[i] = s * (b[i] + rest * (bend + s * (last + rest * inner)));
        }
        let off = miss(&a, &weights, s, 7);
        assert!(off < 1e-13, "{s}: {off:e}");
    }
}
