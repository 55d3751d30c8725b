//! Programs that keep running rest while their opponent is to move: they neither think in its
//! time nor take its processor, and nothing happens to their memory and folder unwatched.
//!
//! A control group is frozen by the kernel. Without one every process is sent a signal that it can
//! neither catch nor ignore. Processes that start or wake each other all the while may escape it;
//! the processor time that they use shows them.

use std::time::Duration;

use super::group::Group;
use super::{Process, tree};

/// So often the processes are listed and sent the signal, as long as new ones are found.
const PASSES: usize = 100;

/// Between two looks at a process that is about to end: it takes the longer, the more memory it has.
const ENDING: Duration = Duration::from_millis(1);

/// What a program may use while it rests: the counting itself is that coarse.
const RESTLESS: Duration = Duration::from_millis(200);

impl Process {
    /// Halts the program until it is woken.
    pub(crate) fn rest(&mut self) {
        match &self.group {
            Some(group) => group.freeze(true),
            None => self.halt(),
        }
        self.rested = Some(self.moment());
    }

    /// Whether it has gone on computing while it was to rest.
    pub(crate) fn is_restless(&mut self) -> bool {
        let Some(rested) = self.rested else {
            return false;
        };
        self.moment().cpu.saturating_sub(rested.cpu) > RESTLESS
    }

    /// Lets it go on. What it has used while it was to rest is on its bill: that begins with the
    /// moment that is returned.
    pub(crate) fn wake(&mut self) -> super::Moment {
        let mut moment = self.moment();
        let Some(rested) = self.rested.take() else {
            return moment;
        };
        moment.cpu = rested.cpu;
        match &self.group {
            Some(group) => group.freeze(false),
            None => signal(&tree::descendants(self.supervisor.pid), libc::SIGCONT),
        }
        moment
    }

    fn halt(&self) {
        let mut known = Vec::new();
        for _ in 0..PASSES {
            let found = tree::descendants(self.supervisor.pid);
            signal(&found, libc::SIGSTOP);
            // Who ends cannot be halted, and its end may continue others: it is waited for.
            let ending = found.iter().any(|pid| tree::is_ending(*pid));
            if !ending && found == known {
                return;
            }
            if ending {
                std::thread::sleep(ENDING);
            }
            known = found;
        }
    }
}

fn signal(processes: &[libc::pid_t], signal: libc::c_int) {
    for pid in processes {
        // SAFETY: a signal to a process of the program.
        unsafe {
            libc::kill(*pid, signal);
        }
    }
}

impl Group {
    fn freeze(&self, frozen: bool) {
        self.set("cgroup.freeze", u64::from(frozen));
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::folder::RunFolder;
    use crate::process::{Allowance, Event, Launch, User};
    use crate::{IsolationMode, Limits};

    /// Starts a script that says when it is ready; with its folder on the disk.
    fn start(script: &str, mode: IsolationMode) -> (Process, Option<RunFolder>) {
        let user = User::of_program();
        let place = match mode {
            IsolationMode::Namespaces => None,
            _ => Some(RunFolder::new(user).unwrap()),
        };
        let mut process = Process::start(&Launch {
            command: &["/bin/sh", "-c", script].map(String::from),
            given: &Rc::default(),
            file: None,
            place: place.as_ref(),
            read: &[],
            tools: &[],
            limits: &Limits::default(),
            mode,
            user,
        })
        .unwrap();
        wait(&mut process);
        (process, place)
    }

    /// Waits for a line.
    fn wait(process: &mut Process) {
        let mut ready = |output: &[u8]| output.contains(&b'\n');
        let event = process.wait(&mut ready, &Allowance::default(), &Default::default());
        assert_eq!(event, Event::Ready);
        process.take(usize::MAX);
    }

    /// Waits until it has used so much more.
    fn let_run(process: &mut Process, more: Duration) {
        let from = process.moment().cpu;
        while process.moment().cpu < from + more {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    const MODES: [IsolationMode; 4] = [
        IsolationMode::Namespaces,
        IsolationMode::Bwrap,
        IsolationMode::Landlock,
        IsolationMode::None,
    ];

    #[test]
    fn who_rests_computes_nothing() {
        const PONDERERS: &str =
            "(while :; do :; done) & (while :; do :; done) & echo ready; while :; do :; done";
        for mode in MODES {
            if crate::survey(mode).is_err() {
                println!("skipped: {mode}");
                continue;
            }
            let (mut process, _folder) = start(PONDERERS, mode);
            let some = Duration::from_millis(50);
            for _ in 0..3 {
                let_run(&mut process, some);
                process.rest();
                std::thread::sleep(6 * some);
                assert!(!process.is_restless(), "under {mode}");
                let before = process.moment();
                assert!(process.wake().cpu <= before.cpu, "under {mode}");
            }
            let_run(&mut process, some);
        }
    }

    /// What was sent meanwhile is read afterwards, and who has ended is not waited for.
    #[test]
    fn who_rests_goes_on_afterwards() {
        for mode in MODES {
            if crate::survey(mode).is_err() {
                println!("skipped: {mode}");
                continue;
            }
            let (mut process, _folder) = start("echo ready; read line; echo $line; exit 3", mode);
            process.rest();
            process.send(b"on\n");
            std::thread::sleep(Duration::from_millis(20));
            process.wake();
            wait(&mut process);
            process.rest();
            process.wake();
            let event = process.wait(&mut |_| false, &Allowance::default(), &Default::default());
            assert_eq!(event, Event::Ended);
            assert_eq!(process.finish().status, Some(3 << 8), "under {mode}");
        }
    }

    #[test]
    fn a_program_that_will_not_rest_is_seen() {
        // Nobody can keep another one awake by certain means, so this one is woken by the test.
        let script = "echo ready; while :; do :; done";
        let (mut process, _folder) = start(script, IsolationMode::None);
        process.rest();
        signal(&tree::descendants(process.supervisor.pid), libc::SIGCONT);
        while !process.is_restless() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
