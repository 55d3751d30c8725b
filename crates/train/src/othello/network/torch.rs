//! Gradient descent on the network by PyTorch: steps and positions go to a Python process, which
//! has nothing to decide and gives the numbers back in the end.

use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use othello::eval::PHASES;
use othello::eval::network::{HIDDEN, WIDTH};
use othello::eval::pattern::Distinct;
use thiserror::Error;

use super::fit::Fitter;
use super::model::{
    ACTIVATION, HIDDEN_WEIGHT, HUBER, LAYERS, MOST, Model, OUTPUT_WEIGHT, SCALE, Sample,
};
use super::optimiser::{MEMORY, Step, TINY};

/// What the process runs.
const PROGRAM: &str = include_str!("torch.py");

/// What it says first, before the name of what it computes on.
const GREETING: &str = "PyTorch on ";

/// What can go wrong with the Python process.
#[derive(Debug, Error)]
pub enum TorchError {
    /// It does not start, or has no PyTorch.
    #[error("{}: {why}", python.display())]
    Start {
        /// The command.
        python: PathBuf,
        /// What the system or Python says.
        why: String,
    },
    /// It breaks off.
    #[error("{}: the fit broke off: {why}", python.display())]
    BrokeOff {
        /// The command.
        python: PathBuf,
        /// The last line of its errors, or how it ended.
        why: String,
    },
}

/// The process.
pub(super) struct Torch {
    python: PathBuf,
    child: Child,
    input: Option<BufWriter<ChildStdin>>,
    output: BufReader<ChildStdout>,
    /// What it says it computes on.
    device: String,
}

/// What a message asks for.
#[derive(Clone, Copy)]
enum Ask {
    Step(Step),
    Squares,
    Finish,
}

impl Torch {
    /// Starts it, and waits until it has found PyTorch.
    pub(super) fn start(python: &Path) -> Result<Torch, TorchError> {
        let mut child = Command::new(python)
            .args([OsStr::new("-c"), OsStr::new(PROGRAM)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| TorchError::Start {
                python: python.to_owned(),
                why: error.to_string(),
            })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both were asked for");
        };
        let mut torch = Torch {
            python: python.to_owned(),
            child,
            input: Some(BufWriter::with_capacity(1 << 20, input)),
            output: BufReader::new(output),
            device: String::new(),
        };
        let mut line = String::new();
        let read = (&mut torch.output).take(1000).read_line(&mut line);
        if let Some(device) = line.strip_prefix(GREETING) {
            torch.device = device.trim_end().to_owned();
            return Ok(torch);
        }
        let why = match read {
            Ok(0) | Err(_) => torch.last_words(),
            Ok(_) => "is no Python".to_owned(),
        };
        Err(TorchError::Start {
            python: python.to_owned(),
            why,
        })
    }

    /// What it computes on: a kind of GPU, or the processor.
    pub(super) fn device(&self) -> &str {
        &self.device
    }

    /// Sends the numbers to begin with.
    pub(super) fn begin(&mut self, model: &Model) -> Result<(), TorchError> {
        let says = Torch::says();
        let sent = self.send(|input| {
            input.write_all(&(says.len() as u32).to_le_bytes())?;
            input.write_all(says.as_bytes())?;
            let numbers = model.embeddings.iter().chain(&model.layers);
            numbers
                .map(|number| number.to_le_bytes())
                .try_for_each(|number| input.write_all(&number))
        });
        sent.map_err(|_| self.broke_off())
    }

    /// The sizes and units of the model, as JSON.
    fn says() -> String {
        let [first, second] = MEMORY;
        format!(
            "{{\"embeddings\": {}, \"width\": {WIDTH}, \"hidden\": {HIDDEN}, \"phases\": {PHASES}, \
             \"lanes\": {}, \"most\": {MOST}, \"activation\": {ACTIVATION}, \
             \"hidden_weight\": {HIDDEN_WEIGHT}, \"output_weight\": {OUTPUT_WEIGHT}, \
             \"scale\": {SCALE}, \"huber\": {HUBER}, \"memory\": [{first}, {second}], \
             \"tiny\": {TINY}}}",
            Distinct::get().count(),
            Sample::lanes(),
        )
    }

    fn send(
        &mut self,
        write: impl FnOnce(&mut BufWriter<ChildStdin>) -> io::Result<()>,
    ) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        write(input)?;
        input.flush()
    }

    /// Sends a message with the positions that it is about, and reads as long an answer.
    fn ask(&mut self, ask: Ask, samples: &[Sample], answer: &mut [u8]) -> Result<(), TorchError> {
        let (kind, rates) = match ask {
            Ask::Step(step) => {
                let [first, second] = step.correction;
                (b's', [step.rate, step.decay, first, second])
            }
            Ask::Squares => (b'e', [0.0; 4]),
            Ask::Finish => (b'f', [0.0; 4]),
        };
        let sent = self.send(|input| {
            input.write_all(&[kind])?;
            input.write_all(&(samples.len() as u32).to_le_bytes())?;
            for rate in rates {
                input.write_all(&rate.to_le_bytes())?;
            }
            for weight in samples.iter().flat_map(|sample| &sample.weights) {
                input.write_all(&weight.to_le_bytes())?;
            }
            for sample in samples {
                input.write_all(&[sample.phase as u8])?;
            }
            for sample in samples {
                input.write_all(&sample.wanted.to_le_bytes())?;
            }
            Ok(())
        });
        let read = sent.and_then(|()| self.output.read_exact(answer));
        read.map_err(|_| self.broke_off())
    }

    fn broke_off(&mut self) -> TorchError {
        TorchError::BrokeOff {
            python: self.python.clone(),
            why: self.last_words(),
        }
    }

    /// The last line of its errors, or how it ended.
    fn last_words(&mut self) -> String {
        self.input = None;
        let mut text = Vec::new();
        if let Some(mut errors) = self.child.stderr.take() {
            let _ = errors.read_to_end(&mut text);
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        let last = text.lines().rfind(|line| !line.trim().is_empty());
        match (last, self.child.wait()) {
            (Some(line), _) => line.trim().to_owned(),
            (None, Ok(status)) => status.to_string(),
            (None, Err(error)) => error.to_string(),
        }
    }
}

impl Fitter for Torch {
    fn step(&mut self, samples: &[Sample], step: Step) -> Result<(), TorchError> {
        self.ask(Ask::Step(step), samples, &mut [])
    }

    fn squares(&mut self, samples: &[Sample]) -> Result<f64, TorchError> {
        let mut answer = [0; 8];
        self.ask(Ask::Squares, samples, &mut answer)?;
        Ok(f64::from_le_bytes(answer))
    }

    fn finish(mut self: Box<Self>) -> Result<Model, TorchError> {
        let embeddings = Distinct::get().count() * WIDTH;
        let mut answer = vec![0; 4 * (embeddings + PHASES * LAYERS)];
        self.ask(Ask::Finish, &[], &mut answer)?;
        let (numbers, _) = answer.as_chunks();
        let mut numbers = numbers.iter().map(|&number| f32::from_le_bytes(number));
        Ok(Model {
            embeddings: numbers.by_ref().take(embeddings).collect(),
            layers: numbers.collect(),
        })
    }
}

impl Drop for Torch {
    fn drop(&mut self) {
        // Whatever it still does is of no use to anybody.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::network::descent::Training;
    use crate::othello::network::model::samples::records;
    use crate::othello::record::Record;
    use crate::othello::selfplay::generator;

    fn samples() -> Vec<Sample> {
        let records = records();
        Sample::all(&records.iter().collect::<Vec<&Record>>())
    }

    fn model() -> Model {
        Model::new(&mut generator(1, 0))
    }

    #[test]
    fn a_python_that_is_missing_or_none_is_one_line() {
        let line = |python: &str| {
            let started = Torch::start(Path::new(python));
            started.err().expect("no PyTorch").to_string()
        };
        let missing = line("/no/such/python");
        assert!(missing.starts_with("/no/such/python: "), "{missing}");
        assert_eq!(line("echo"), "echo: is no Python");
        assert_eq!(line("false"), "false: exit status: 1");
    }

    #[test]
    fn a_fit_that_breaks_off_says_why() {
        let python = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/breaks-off");
        let mut torch = Torch::start(Path::new(python)).expect("a greeting");
        assert_eq!(torch.device(), "nothing");
        let error = torch.begin(&model()).expect_err("nobody reads");
        let wanted = format!("{python}: the fit broke off: out of memory");
        assert_eq!(error.to_string(), wanted);
    }

    #[test]
    fn pytorch_takes_the_same_steps() {
        let python = Path::new("python3");
        let has_torch = Command::new(python)
            .args(["-c", "import torch"])
            .stderr(Stdio::null())
            .status();
        if !has_torch.is_ok_and(|status| status.success()) {
            println!("skipped: no python3 with PyTorch");
            return;
        }
        let samples = samples();
        let mut torch = Torch::start(python).expect("a process");
        torch.begin(&model()).expect("numbers to begin with");
        let mut torch: Box<dyn Fitter> = Box::new(torch);
        let mut ours: Box<dyn Fitter> = Box::new(Training::new(model()));
        let fit = |fitter: &mut Box<dyn Fitter>| -> Vec<f64> {
            let mut squares = Vec::new();
            for number in 0..6 {
                squares.push(fitter.squares(&samples).expect("an answer"));
                let step = Step::new(number, 0.0005, 0.4);
                fitter.step(&samples, step).expect("a step");
            }
            squares
        };
        let (theirs, ours_squares) = (fit(&mut torch), fit(&mut ours));
        for (theirs, ours) in theirs.iter().zip(&ours_squares) {
            assert!((theirs - ours).abs() < 0.03 * ours, "{theirs}, not {ours}");
        }
        let (theirs, ours) = (torch.finish(), ours.finish());
        let (theirs, ours) = (theirs.expect("numbers"), ours.expect("numbers"));
        assert_eq!(theirs.embeddings.len(), ours.embeddings.len());
        let pairs = theirs.layers.iter().zip(&ours.layers);
        let off = pairs
            .map(|(theirs, ours)| (theirs - ours).abs())
            .sum::<f32>();
        assert!(off / (ours.layers.len() as f32) < 0.01, "{off}");
    }
}
