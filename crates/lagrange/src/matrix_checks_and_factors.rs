//! Dense or sparse matrices: how are they checked, multiplied and factorised?

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor as llt;
use faer::linalg::lu::partial_pivoting::{factor, solve};
use faer::linalg::matmul::matmul;
use faer::perm::PermRef;
use faer::sparse::linalg::lu::{LuRef, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMat, SparseColMatRef, Triplet};
use faer::{Accum, Conj, Mat, MatMut, MatRef, Par};

use crate::InputError;

/// A constant matrix.
#[derive(Clone, Debug)]
pub enum Matrix {
    /// A matrix with every entry stored.
    Dense(Mat<f64>),
    /// A matrix with only nonzero entries stored. If M, C and K are all sparse, so is the iteration matrix.
    Sparse(SparseColMat<usize, f64>),
}

impl From<Mat<f64>> for Matrix {
    fn from(matrix: Mat<f64>) -> Self {
        Matrix::Dense(matrix)
    }
}

impl From<SparseColMat<usize, f64>> for Matrix {
    fn from(matrix: SparseColMat<usize, f64>) -> Self {
        Matrix::Sparse(matrix)
    }
}

impl Matrix {
    /// Borrows the matrix.
    pub fn view(&self) -> MatrixView<'_> {
        match self {
            Matrix::Dense(matrix) => MatrixView::Dense(matrix.as_ref()),
            Matrix::Sparse(matrix) => MatrixView::Sparse(matrix.as_ref()),
        }
    }
}

/// A borrowed [`Matrix`].
#[derive(Clone, Copy, Debug)]
pub enum MatrixView<'a> {
    /// See [`Matrix::Dense`].
    Dense(MatRef<'a, f64>),
    /// See [`Matrix::Sparse`].
    Sparse(SparseColMatRef<'a, usize, f64>),
}

impl MatrixView<'_> {
    pub(crate) fn size(&self) -> (usize, usize) {
        match self {
            MatrixView::Dense(matrix) => (matrix.nrows(), matrix.ncols()),
            MatrixView::Sparse(matrix) => (matrix.nrows(), matrix.ncols()),
        }
    }

    /// Calls `entry` with row, column and value of every stored entry.
    pub(crate) fn for_each(&self, mut entry: impl FnMut(usize, usize, f64)) {
        match self {
            MatrixView::Dense(matrix) => {
                for j in 0..matrix.ncols() {
                    for i in 0..matrix.nrows() {
                        entry(i, j, matrix[(i, j)]);
                    }
                }
            }
            MatrixView::Sparse(matrix) => {
                for j in 0..matrix.ncols() {
                    for (i, value) in matrix.row_idx_of_col(j).zip(matrix.val_of_col(j)) {
                        entry(i, j, *value);
                    }
                }
            }
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        let mut zero = true;
        self.for_each(|_, _, value| zero &= value == 0.0);
        zero
    }

    /// `y ← y + a A x`
    #[inline]
    pub(crate) fn multiply_add(&self, a: f64, x: &[f64], y: &mut [f64]) {
        match self {
            MatrixView::Dense(matrix) => multiply_add(*matrix, a, x, y),
            MatrixView::Sparse(_) => self.for_each(|i, j, value| y[i] += a * value * x[j]),
        }
    }

    /// `xᵀ A x`
    pub(crate) fn quadratic(&self, x: &[f64]) -> f64 {
        if let MatrixView::Dense(matrix) = self
            && let Some(matrix) = matrix.try_as_col_major()
        {
            return (0..matrix.ncols()).zip(x).map(|(j, x_j)| x_j * dot(matrix.col(j).as_slice(), x)).sum();
        }
        let mut sum = 0.0;
        self.for_each(|i, j, value| sum += x[i] * value * x[j]);
        sum
    }

    /// Checks the size, and that all entries are finite.
    pub(crate) fn check(&self, field: &'static str, wanted: (usize, usize)) -> Result<(), InputError> {
        lcp::Failure::size(field, self.size(), wanted)?;
        let mut found = None;
        self.for_each(|row, column, value| {
            if !value.is_finite() && found.is_none() {
                found = Some((row, column, value));
            }
        });
        Ok(lcp::Failure::finite(field, found.into_iter())?)
    }

    /// Checks that the matrix is symmetric and positive definite.
    pub(crate) fn check_mass(&self, n: usize) -> Result<(), InputError> {
        self.check("M", (n, n))?;
        let mut largest = 0.0_f64;
        self.for_each(|_, _, value| largest = largest.max(value.abs()));
        let mut found = None;
        self.for_each(|row, column, value| {
            let mirrored = match self {
                MatrixView::Dense(matrix) => matrix[(column, row)],
                MatrixView::Sparse(matrix) => matrix.get(column, row).copied().unwrap_or(0.0),
            };
            if !((value - mirrored).abs() <= 1e-12 * largest) && found.is_none() {
                found = Some(InputError::Asymmetric { row, column, value, mirrored });
            }
        });
        if let Some(error) = found {
            return Err(error);
        }
        let singular = |pivot| InputError::Singular { pivot, size: n };
        match self {
            MatrixView::Dense(matrix) => {
                cholesky(&mut matrix.to_owned(), *matrix).map_err(|pivot| singular(Some(pivot)))
            }
            MatrixView::Sparse(matrix) => {
                use faer::sparse::linalg::solvers::{Llt, SymbolicLlt};
                // Where it can, the error names the row whose diagonal entry is not positive.
                let empty = |i: &usize| !(matrix.get(*i, *i).copied().unwrap_or(0.0) > 0.0);
                if let row @ Some(_) = (0..n).find(empty) {
                    return Err(singular(row));
                }
                let symbolic = SymbolicLlt::try_new(matrix.symbolic(), faer::Side::Lower);
                let symbolic = symbolic.map_err(|_| singular(None))?;
                let factors = Llt::try_new_with_symbolic(symbolic, *matrix, faer::Side::Lower);
                factors.map(drop).map_err(|_| singular(None))
            }
        }
    }
}

/// Largest size for which plain loops are faster than faer's kernels.
const SMALL: usize = 8;

/// `y ← y + a A x`
#[inline]
pub(crate) fn multiply_add(matrix: MatRef<'_, f64>, a: f64, x: &[f64], y: &mut [f64]) {
    let n = y.len();
    if n > SMALL {
        let (x, y) = (MatRef::from_column_major_slice(x, n, 1), MatMut::from_column_major_slice_mut(y, n, 1));
        return matmul(y, Accum::Add, matrix, x, a, Par::Seq);
    }
    for (j, x) in x.iter().enumerate() {
        for (i, y) in y.iter_mut().enumerate() {
            *y += a * matrix[(i, j)] * x;
        }
    }
}

/// `aᵀb`, in four independent sums, which a processor adds in parallel.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in a.zip(b) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    rest + (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// Size up to which a pivot of an n × n matrix is rounding, by its diagonal `entry`.
fn grain(n: usize, entry: f64) -> f64 {
    8.0 * n as f64 * f64::EPSILON * entry.abs()
}

/// Cholesky factorisation into `l`; an error is the index of a pivot that is not positive.
#[inline(always)]
fn cholesky(l: &mut Mat<f64>, matrix: MatRef<'_, f64>) -> Result<(), usize> {
    let n = matrix.nrows();
    for j in 0..n {
        for k in 0..j {
            let factor = l[(j, k)];
            for i in j..n {
                l[(i, j)] -= l[(i, k)] * factor;
            }
        }
        let pivot = l[(j, j)];
        if !(pivot > grain(n, matrix[(j, j)])) {
            return Err(j);
        }
        let root = pivot.sqrt();
        for i in j..n {
            l[(i, j)] /= root;
        }
    }
    Ok(())
}

/// Check of the mass matrix of each step; allocates only to refuse one.
pub(crate) struct MassCheck {
    lower: Mat<f64>,
    scratch: MemBuffer,
}

impl MassCheck {
    /// Workspace for n × n.
    pub fn new(n: usize) -> Self {
        let need = llt::cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default());
        MassCheck { lower: Mat::zeros(n, n), scratch: MemBuffer::new(need) }
    }

    /// Checks that a matrix is finite, symmetric and positive definite; errors are those of [`MatrixView::check_mass`].
    pub fn check(&mut self, mass: MatRef<'_, f64>) -> Result<(), InputError> {
        let n = mass.nrows();
        if self.is_symmetric(mass) && self.is_positive(mass) {
            return Ok(());
        }
        MatrixView::Dense(mass).check_mass(n)
    }

    fn is_symmetric(&self, mass: MatRef<'_, f64>) -> bool {
        let (mut largest, mut difference, mut finite) = (0.0_f64, 0.0_f64, 0.0);
        for j in 0..mass.ncols() {
            for i in 0..=j {
                let (upper, lower) = (mass[(i, j)], mass[(j, i)]);
                largest = largest.max(upper.abs());
                difference = difference.max((upper - lower).abs());
                finite += 0.0 * (upper + lower);
            }
        }
        finite == 0.0 && difference <= 1e-12 * largest
    }

    fn is_positive(&mut self, mass: MatRef<'_, f64>) -> bool {
        let n = mass.nrows();
        let lower = &mut self.lower;
        lower.copy_from(mass);
        if n <= SMALL {
            return cholesky(lower, mass).is_ok();
        }
        let stack = MemStack::new(&mut self.scratch);
        let done =
            llt::cholesky_in_place(lower.as_mut(), Default::default(), Par::Seq, stack, Default::default()).is_ok();
        done && (0..n).all(|i| lower[(i, i)].powi(2) > grain(n, mass[(i, i)]))
    }
}

/// Reason why a matrix has no inverse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unsolvable {
    Singular,
    NotFinite,
}

/// A factorised matrix; solving allocates nothing.
pub(crate) enum Factor {
    Dense { lu: Mat<f64>, forward: Vec<usize>, inverse: Vec<usize>, diagonal: Vec<f64>, scratch: MemBuffer },
    Sparse { symbolic: Box<SymbolicLu<usize>>, numeric: Box<NumericLu<usize, f64>>, scratch: MemBuffer, size: usize },
}

impl Factor {
    /// Workspace for a dense n × n matrix.
    pub fn dense(n: usize) -> Self {
        let need = factor::lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default())
            .or(solve::solve_in_place_scratch::<usize, f64>(n, 1, Par::Seq));
        let (forward, inverse, diagonal) = (vec![0; n], vec![0; n], vec![0.0; n]);
        Factor::Dense { lu: Mat::zeros(n, n), forward, inverse, diagonal, scratch: MemBuffer::new(need) }
    }

    /// Factorises `Σ aᵢ Aᵢ` of n × n terms `(aᵢ, Aᵢ)`; sparse if all of them are.
    pub fn sum(n: usize, terms: &[(f64, MatrixView<'_>)]) -> Result<Self, Unsolvable> {
        if terms.iter().all(|(_, matrix)| matches!(matrix, MatrixView::Sparse(_))) {
            return Factor::sparse(n, terms).ok_or(Unsolvable::Singular);
        }
        let mut all = Factor::dense(n);
        all.factorise(|into| {
            into.fill(0.0);
            for (a, matrix) in terms {
                matrix.for_each(|i, j, value| into[(i, j)] += a * value);
            }
        })?;
        Ok(all)
    }

    /// Factorises a sum of sparse terms; `None`: it is singular.
    fn sparse(n: usize, terms: &[(f64, MatrixView<'_>)]) -> Option<Self> {
        let mut triplets = Vec::new();
        for (a, matrix) in terms {
            matrix.for_each(|i, j, value| triplets.push(Triplet::new(i, j, a * value)));
        }
        let matrix = SparseColMat::try_new_from_triplets(n, n, &triplets).ok()?;
        let symbolic = factorize_symbolic_lu(matrix.symbolic(), Default::default()).ok()?;
        let mut numeric = NumericLu::new();
        let mut scratch = MemBuffer::new(symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()));
        let stack = MemStack::new(&mut scratch);
        symbolic.factorize_numeric_lu(&mut numeric, matrix.as_ref(), Par::Seq, stack, Default::default()).ok()?;
        let scratch = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let mut factor = Factor::Sparse { symbolic: Box::new(symbolic), numeric: Box::new(numeric), scratch, size: n };
        if factor.restores(matrix.as_ref()) { Some(factor) } else { None }
    }

    /// Factorises the dense matrix that `fill` writes.
    pub fn factorise(&mut self, fill: impl FnOnce(&mut Mat<f64>)) -> Result<(), Unsolvable> {
        let Factor::Dense { lu, forward, inverse, diagonal, scratch } = self else { return Err(Unsolvable::Singular) };
        fill(lu);
        // Not by `norm_max`, which may lose a NaN; 0·x is 0 or NaN.
        let n = diagonal.len();
        if (0..n).any(|j| (0..n).fold(0.0, |sum, i| sum + 0.0 * lu[(i, j)]) != 0.0) {
            return Err(Unsolvable::NotFinite);
        }
        for (i, entry) in diagonal.iter_mut().enumerate() {
            *entry = lu[(i, i)];
        }
        factor::lu_in_place(lu.as_mut(), forward, inverse, Par::Seq, MemStack::new(scratch), Default::default());
        // Each pivot is compared with the diagonal entry of its column, since masses may differ by any factor.
        let zero = |entry: f64| f64::EPSILON * 1e-3 * entry.abs();
        let regular = diagonal.iter().enumerate().all(|(i, entry)| lu[(i, i)].abs() > zero(*entry));
        if regular { Ok(()) } else { Err(Unsolvable::Singular) }
    }

    /// Whether `A⁻¹A x = x` to at least one digit: a test for singular sparse matrices, whose pivots are not
    /// accessible.
    fn restores(&mut self, matrix: SparseColMatRef<'_, usize, f64>) -> bool {
        let n = matrix.nrows();
        // A vector that no matrix of mechanics is likely to map to zero.
        let x: Vec<f64> = (0..n).map(|i| 1.0 + (i as f64 * 0.618_033_988_749_894_9).fract()).collect();
        let mut y = vec![0.0; n];
        MatrixView::Sparse(matrix).multiply_add(1.0, &x, &mut y);
        self.solve(&mut y);
        x.iter().zip(&y).all(|(x, y)| (y - x).abs() < 0.5 * x)
    }

    /// `x ← A⁻¹ x`
    #[inline(always)]
    pub fn solve(&mut self, x: &mut [f64]) {
        match self {
            Factor::Dense { lu, forward, .. } if x.len() <= SMALL => substitute(lu.as_ref(), forward, x),
            _ => self.solve_large(x),
        }
    }

    fn solve_large(&mut self, x: &mut [f64]) {
        match self {
            Factor::Dense { lu, forward, inverse, scratch, .. } => {
                let n = lu.nrows();
                solve::solve_in_place(
                    lu.as_ref(),
                    lu.as_ref(),
                    PermRef::new_checked(forward, inverse, n),
                    MatMut::from_column_major_slice_mut(x, n, 1),
                    Par::Seq,
                    MemStack::new(scratch),
                );
            }
            Factor::Sparse { symbolic, numeric, scratch, size } => {
                LuRef::new_unchecked(symbolic, numeric).solve_in_place_with_conj(
                    Conj::No,
                    MatMut::from_column_major_slice_mut(x, *size, 1),
                    Par::Seq,
                    MemStack::new(scratch),
                );
            }
        }
    }
}

/// `x ← U⁻¹L⁻¹P x` of a small matrix.
#[inline(always)]
fn substitute(lu: MatRef<'_, f64>, permutation: &[usize], x: &mut [f64]) {
    let n = x.len();
    let mut y = [0.0; SMALL];
    for i in 0..n {
        y[i] = x[permutation[i]];
        for j in 0..i {
            y[i] -= lu[(i, j)] * y[j];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            y[i] -= lu[(i, j)] * y[j];
        }
        y[i] /= lu[(i, i)];
    }
    x.copy_from_slice(&y[..n]);
}
