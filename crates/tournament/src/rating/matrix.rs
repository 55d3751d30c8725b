//! Symmetric positive definite matrices of a few hundred rows.

/// A square matrix, row by row.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.size + column]
    }

    pub(super) fn scale(&mut self, factor: f64) {
        self.cells.iter_mut().for_each(|cell| *cell *= factor);
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    /// The lower triangle L with L·Lᵀ = self (Cholesky).
    fn factor(&self) -> Matrix {
        let mut lower = Matrix::zero(self.size);
        for i in 0..self.size {
            for j in 0..=i {
                let sum = product(&lower.row(i)[..j], &lower.row(j)[..j]);
                *lower.at_mut(i, j) = if i == j {
                    (self.at(i, i) - sum).max(f64::MIN_POSITIVE).sqrt()
                } else {
                    (self.at(i, j) - sum) / lower.at(j, j)
                };
            }
        }
        lower
    }

    /// The x with self · x = right.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let lower = self.factor();
        let mut x = right.to_vec();
        for i in 0..self.size {
            x[i] = (x[i] - product(&lower.row(i)[..i], &x[..i])) / lower.at(i, i);
        }
        for i in (0..self.size).rev() {
            x[i] /= lower.at(i, i);
            let solved = x[i];
            for (k, cell) in lower.row(i)[..i].iter().enumerate() {
                x[k] -= cell * solved;
            }
        }
        x
    }

    pub(super) fn inverse(&self) -> Matrix {
        let lower = self.factor();
        // L⁻¹ column by column, each in a row: self⁻¹ = (L⁻¹)ᵀ · L⁻¹ is made of their products.
        let mut columns = Matrix::zero(self.size);
        for column in 0..self.size {
            *columns.at_mut(column, column) = 1.0 / lower.at(column, column);
            for i in column + 1..self.size {
                let sum = product(&lower.row(i)[column..i], &columns.row(column)[column..i]);
                *columns.at_mut(column, i) = -sum / lower.at(i, i);
            }
        }
        let mut inverse = Matrix::zero(self.size);
        for i in 0..self.size {
            for j in 0..=i {
                let value = product(&columns.row(i)[i..], &columns.row(j)[i..]);
                *inverse.at_mut(i, j) = value;
                *inverse.at_mut(j, i) = value;
            }
        }
        inverse
    }
}

/// The inner product of two vectors of one length.
fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_and_inverses_are_checked_by_multiplication() {
        let size = 9;
        let mut matrix = Matrix::zero(size);
        for i in 0..size {
            for j in 0..size {
                *matrix.at_mut(i, j) = 1.0 / (1.0 + i as f64 + j as f64);
            }
            *matrix.at_mut(i, i) += 1.0;
        }
        let inverse = matrix.inverse();
        for i in 0..size {
            for j in 0..size {
                let cell = product(matrix.row(i), inverse.row(j));
                let wanted = if i == j { 1.0 } else { 0.0 };
                assert!((cell - wanted).abs() < 1e-12, "{i} {j}: {cell}");
            }
        }
        let right: Vec<f64> = (0..size).map(|i| i as f64 - 3.0).collect();
        let x = matrix.solve(&right);
        for (i, wanted) in right.iter().enumerate() {
            assert!((product(matrix.row(i), &x) - wanted).abs() < 1e-12);
        }
    }
}
