//! The recipes of docs/cluster.md, as they stand there.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::cluster::{Process, free_address, has_nats_server, ludex, server, text};
use crate::waiting::wait_until;

/// The block of the page that contains a text.
fn recipe(part: &str) -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cluster.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut blocks = page.split("```").skip(1).step_by(2);
    let block = blocks.find(|block| block.contains(part)).unwrap();
    block.split_once('\n').unwrap().1.to_owned()
}

/// What the status of the server says.
fn status(folder: &Path, nats: &[&str]) -> String {
    let args = ["cluster", "status", "--creds", "lab/coordinator.creds"];
    text(&ludex(folder, &[&args, nats].concat()).output().unwrap())
}

/// Where programs are found, this one too.
fn path_with_ludex() -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_ludex")).parent().unwrap();
    format!("{}:{}", program.display(), std::env::var("PATH").unwrap())
}

#[test]
fn systemd_accepts_the_unit() {
    let verify = Command::new("systemd-analyze").arg("--version").output();
    if !verify.is_ok_and(|output| output.status.success()) {
        eprintln!("left out: there is no systemd-analyze");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let unit = home.path().join("ludex-worker.service");
    let text_of_it = recipe("[Service]").replace("/opt/ludex/ludex", env!("CARGO_BIN_EXE_ludex"));
    std::fs::write(&unit, &text_of_it).unwrap();
    let output = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(&unit)
        .output()
        .unwrap();
    // Other units of the machine are none of our business.
    let said = text(&output);
    let about_it: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("ludex-worker.service"))
        .collect();
    assert_eq!(about_it, [""; 0]);
    // The command is one that there is.
    let command = text_of_it
        .lines()
        .find(|line| line.starts_with("ExecStart="));
    let words: Vec<&str> = command.unwrap().split_whitespace().skip(1).collect();
    let output = ludex(home.path(), &words).arg("--help").output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
}

/// A job of the array, in an environment like that of Slurm, ends as `--signal` ends it.
#[test]
fn a_job_of_the_array_is_a_worker() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let Some((_server, address)) = server(folder, &[]) else {
        return;
    };
    let url = format!("nats://{address}");
    let script = recipe("#SBATCH").replace("nats://login:4222", &url);
    assert!(script.contains("#SBATCH --signal=B:INT@30\n"), "{script}");
    std::fs::write(folder.join("job.sh"), script).unwrap();
    std::fs::copy(folder.join("lab/worker.creds"), folder.join("worker.creds")).unwrap();
    let job = Command::new("sh")
        .arg("job.sh")
        .current_dir(folder)
        .env("PATH", path_with_ludex())
        .env("HOME", folder)
        .env("TMPDIR", folder)
        .env("SLURM_ARRAY_TASK_ID", "7")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut job = Process(job);
    wait_until("the worker is there", || {
        status(folder, &["--nats", &url]).contains("slurm-7 ")
    });
    let id = job.0.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(kill.success());
    let mut ended = None;
    wait_until("the worker ends", || {
        ended = job.0.try_wait().unwrap();
        ended.is_some()
    });
    assert!(ended.unwrap().success());
}

/// The processes of a script, which end with the test whatever it has started.
struct Script(Child);

impl Drop for Script {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.0.wait();
    }
}

/// The script is run as it stands there, with another port and fewer games at once.
#[test]
fn a_single_machine_plays_a_cup() {
    if !has_nats_server() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let address = free_address().to_string();
    let script = recipe("-j 48");
    assert_eq!(script.lines().count(), 5, "{script}");
    let script = script.replace("127.0.0.1:4222", &address);
    let script = script.replace("-j 48", "-j 2");
    let cup = "name = \"Cup\"\ngame = \"reversi\"\n[[player]]\nbot = \"random\"\n\
               [[player]]\nbot = \"greedy\"\n[[player]]\nbot = \"minimax:1\"\n";
    std::fs::write(folder.join("cup.toml"), cup).unwrap();
    let said = std::fs::File::create(folder.join("said")).unwrap();
    let process = Command::new("sh")
        .args(["-e", "-c", &script])
        .current_dir(folder)
        .env("PATH", path_with_ludex())
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(said.try_clone().unwrap())
        .stderr(said)
        .process_group(0)
        .spawn()
        .unwrap();
    let mut script = Script(process);
    let mut ended = None;
    wait_until("the cup is played", || {
        ended = script.0.try_wait().unwrap();
        ended.is_some()
    });
    let said = std::fs::read_to_string(folder.join("said")).unwrap();
    assert!(ended.unwrap().success(), "{said}");
    // The worker is there yet, and has done it.
    let url = format!("nats://{address}");
    let known = status(folder, &["--nats", &url]);
    assert!(known.contains("0/2 games, 3 pairs done"), "{known}");
    let records = ludex(folder, &["tournament", "export", "--format", "records"])
        .output()
        .unwrap();
    let records = text(&records);
    assert_eq!(records.matches("\"machine\":").count(), 6, "{records}");
}

#[test]
fn connections_can_be_encrypted() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let script = recipe("openssl").replace("DNS:host", "IP:127.0.0.1");
    let script = script.split("ludex cluster").next().unwrap();
    let made = Command::new("sh")
        .args(["-c", script])
        .current_dir(folder)
        .stderr(Stdio::null())
        .status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("left out: there is no openssl");
        return;
    }
    let tls = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
    let Some((_server, address)) = server(folder, &tls) else {
        return;
    };
    let url = format!("tls://{address}");
    // Nothing has been played: there is no stream yet.
    let known = status(folder, &["--nats", &url, "--nats-ca", "cert.pem"]);
    assert!(
        known.contains("no stream") || known.starts_with("nats-server "),
        "{known}"
    );
    let unknown = status(folder, &["--nats", &url]);
    assert!(
        unknown.starts_with(&format!("ludex: cannot connect to {url}: "))
            && unknown.contains("certificate"),
        "{unknown}"
    );
    let missing = status(folder, &["--nats", &url, "--nats-ca", "none.pem"]);
    assert!(
        missing.starts_with("ludex: none.pem: No such file"),
        "{missing}"
    );
}
