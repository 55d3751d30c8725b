//! Adam with decoupled weight decay.

/// How fast the mean of gradients and that of their squares forget.
pub(super) const MEMORY: [f32; 2] = [0.9, 0.995];

/// Keeps a number that has had no gradient yet where it is.
pub(super) const TINY: f32 = 1e-8;

/// The rates of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) rate: f32,
    pub(super) decay: f32,
    /// What makes up for means that start from zero.
    pub(super) correction: [f32; 2],
}

impl Step {
    /// Step `number`, counted from 0.
    pub(super) fn new(number: usize, rate: f32, decay: f32) -> Step {
        let power = number as i32 + 1;
        Step {
            rate,
            decay,
            correction: MEMORY.map(|memory| 1.0 / (1.0 - memory.powi(power))),
        }
    }

    /// The same without decay.
    pub(super) fn without_decay(self) -> Step {
        Step { decay: 0.0, ..self }
    }

    /// Moves some numbers against their gradients.
    pub(super) fn apply(&self, numbers: &mut [f32], means: &mut [[f32; 2]], gradient: &[f32]) {
        for ((number, mean), &slope) in numbers.iter_mut().zip(means).zip(gradient) {
            mean[0] += (1.0 - MEMORY[0]) * (slope - mean[0]);
            mean[1] += (1.0 - MEMORY[1]) * (slope * slope - mean[1]);
            let size = (mean[1] * self.correction[1]).sqrt() + TINY;
            *number -= self.rate * (self.decay * *number + mean[0] * self.correction[0] / size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_a_bowl_is_found() {
        let (mut numbers, mut means) = ([3.0f32, -2.0], [[0.0; 2]; 2]);
        for number in 0..2000 {
            let gradient = [2.0 * (numbers[0] - 1.0), 20.0 * (numbers[1] - 0.5)];
            Step::new(number, 0.01, 0.0).apply(&mut numbers, &mut means, &gradient);
        }
        assert!((numbers[0] - 1.0).abs() < 0.01 && (numbers[1] - 0.5).abs() < 0.01);
    }

    #[test]
    fn what_has_no_gradient_decays() {
        let (mut numbers, mut means) = ([1.0f32], [[0.0; 2]]);
        for number in 0..100 {
            Step::new(number, 0.01, 1.0).apply(&mut numbers, &mut means, &[0.0]);
        }
        assert!((numbers[0] - 0.99f32.powi(100)).abs() < 1e-4);
    }
}
