//! `ludex submit`: handing in from a terminal.

use std::fmt;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use referee::printable;
use serde_json::Value;

use crate::error::{bad_input, note};
use crate::input;

/// Hand in files or an archive, and wait for the verdict
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex submit http://127.0.0.1:7171/a/othello bot.c --token-file token
  LUDEX_TOKEN=… ludex submit https://games.example.org/a/othello main.cpp search.cpp

A token is made on the page \"Account\" of the course. HTTPS is left to curl, which knows the
certificates that this machine trusts.")]
pub(crate) struct Args {
    /// The page of the assignment
    url: String,
    /// Files, or one archive
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A file that holds the token; otherwise LUDEX_TOKEN does
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Do not wait for the verdict
    #[arg(long)]
    no_wait: bool,
}

/// How often the course is asked for the verdict.
const PACE: Duration = Duration::from_millis(700);

/// How long a course that has the hand-in may be away, as while it is restarted.
const AWAY: Duration = Duration::from_mins(5);

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (course, assignment) = Course::read(&args.url).map_err(bad_input)?;
    let token = token(args)?;
    let (kind, body) = form(&args.files)?;
    let path = format!("/api/a/{assignment}/hand-ins");
    let answer = course.ask("POST", &path, &token, Some((&kind, &body)))?;
    let id = answer["version"]
        .as_i64()
        .context("the course names no version")?;
    let mut out = std::io::stdout().lock();
    let text = |value: &Value| printable(value.as_str().unwrap_or_default());
    writeln!(
        out,
        "version {} received ({}, {})",
        answer["number"],
        text(&answer["language"]),
        text(&answer["hash"]).get(..12).unwrap_or_default()
    )?;
    writeln!(out, "{}", text(&answer["page"]))?;
    if args.no_wait {
        return Ok(());
    }
    let mut shown = 0;
    loop {
        let path = format!("/api/v/{id}");
        let asked = patiently(AWAY, || course.ask("GET", &path, &token, None));
        let news = asked.with_context(|| {
            let page = text(&answer["page"]);
            format!("no verdict yet, {page} will show it")
        })?;
        let steps = news["steps"].as_array().cloned().unwrap_or_default();
        for step in &steps[shown.min(steps.len())..] {
            let ok = step["ok"].as_bool().unwrap_or_default();
            let mark = if ok { "ok" } else { "FAILED" };
            writeln!(
                out,
                "{:<7} {mark:<7} {}",
                text(&step["step"]),
                text(&step["summary"])
            )?;
            if !ok {
                tell(&mut out, &step["detail"])?;
            }
        }
        shown = steps.len();
        match news["state"].as_str() {
            Some("passed") => return Ok(()),
            Some("failed") => bail!("the version has not passed"),
            _ => std::thread::sleep(PACE),
        }
    }
}

/// Asks again while nobody answers, for so long.
fn patiently<T>(
    longest: Duration,
    mut ask: impl FnMut() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut since = None;
    loop {
        let away = match ask() {
            Err(error) if error.is::<Away>() => error,
            answer => return answer,
        };
        let since = since.get_or_insert_with(|| {
            note(format_args!("{away}; asking again"));
            Instant::now()
        });
        if since.elapsed() >= longest {
            return Err(away);
        }
        std::thread::sleep(PACE);
    }
}

/// What went wrong in a step.
fn tell(out: &mut impl Write, detail: &Value) -> std::io::Result<()> {
    let line = |value: &Value| value.as_str().unwrap_or_default().to_string();
    for text in line(&detail["log"]).lines().take(40) {
        writeln!(out, "  {}", printable(text))?;
    }
    for failure in detail["cases"]["failures"]
        .as_array()
        .into_iter()
        .flatten()
        .take(3)
    {
        writeln!(
            out,
            "  {}: {}",
            printable(&line(&failure["name"])),
            printable(&line(&failure["what"]))
        )?;
        writeln!(out, "    {}", printable(&line(&failure["reproduce"])))?;
    }
    let command = line(&detail["command"]);
    match command.is_empty() {
        true => Ok(()),
        false => writeln!(out, "  to see it at home: {}", printable(&command)),
    }
}

/// Nobody answers at the moment: it may help to ask again.
#[derive(Debug)]
struct Away(String);

impl fmt::Display for Away {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Away {}

/// Where a course is.
#[derive(PartialEq, Debug)]
struct Course {
    /// Whether it is reached by HTTPS.
    secure: bool,
    /// The name and the port.
    host: String,
}

impl Course {
    /// The course and the assignment of an address: `http://127.0.0.1:7171/a/othello`.
    fn read(url: &str) -> Result<(Course, String), String> {
        let bad = || format!("{url} is not https://HOST/a/ASSIGNMENT");
        let (scheme, rest) = url.split_once("://").ok_or_else(bad)?;
        let (host, assignment) = rest.split_once("/a/").ok_or_else(bad)?;
        let secure = match scheme {
            "http" => false,
            "https" => true,
            _ => return Err(bad()),
        };
        let assignment = assignment.trim_end_matches('/');
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let named = |c: char| plain(c) || ".:[]_".contains(c);
        if host.is_empty()
            || !host.chars().all(named)
            || assignment.is_empty()
            || !assignment.chars().all(plain)
        {
            return Err(bad());
        }
        let host = match host.rsplit_once(':') {
            Some((_, port)) if port.parse::<u16>().is_ok() => host.into(),
            _ => format!("{host}:{}", if secure { 443 } else { 80 }),
        };
        Ok((Course { secure, host }, assignment.into()))
    }

    /// Asks the course; its answer if all went well.
    fn ask(
        &self,
        method: &str,
        path: &str,
        token: &str,
        body: Option<(&str, &[u8])>,
    ) -> anyhow::Result<Value> {
        let (kind, content) = body.unwrap_or(("text/plain", b""));
        let request = Request {
            method,
            path,
            token,
            kind,
            content,
        };
        let (status, answer) = match self.secure {
            true => by_curl(&self.host, &request)?,
            false => plainly(&self.host, &request)?,
        };
        let value: Value = serde_json::from_str(&answer).unwrap_or_default();
        match status {
            200..=299 => Ok(value),
            502..=504 => {
                let Course { host, .. } = self;
                let message = format!("cannot reach {host}: what stands before it says {status}");
                Err(Away(message).into())
            }
            401 => Err(bad_input("the course does not know the token")),
            status => {
                let said = value["error"].as_str().unwrap_or("no reason given");
                bail!("refused ({status}): {}", printable(said))
            }
        }
    }
}

fn token(args: &Args) -> anyhow::Result<String> {
    let text = match &args.token_file {
        Some(path) => String::from_utf8_lossy(&input::read_file(path)?).into_owned(),
        None => std::env::var("LUDEX_TOKEN")
            .map_err(|_| bad_input("the token is missing: --token-file FILE or LUDEX_TOKEN"))?,
    };
    let token = text.trim();
    match token.chars().all(|c| c.is_ascii_alphanumeric()) && !token.is_empty() {
        true => Ok(token.into()),
        false => Err(bad_input("the token is not a word of letters and digits")),
    }
}

/// The files as a form.
fn form(files: &[PathBuf]) -> anyhow::Result<(String, Vec<u8>)> {
    let boundary = format!("ludex-{}", web::random_token());
    let mut body = Vec::new();
    for file in files {
        let name = Path::new(file)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let name: String = name
            .chars()
            .map(|c| if c == '"' || c.is_control() { '_' } else { c })
            .collect();
        write!(
            body,
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        )?;
        body.extend(input::read_file(file)?);
        body.extend(b"\r\n");
    }
    write!(body, "--{boundary}--\r\n")?;
    Ok((format!("multipart/form-data; boundary={boundary}"), body))
}

/// What is sent.
struct Request<'a> {
    method: &'a str,
    path: &'a str,
    token: &'a str,
    kind: &'a str,
    content: &'a [u8],
}

/// Asks over HTTP: the status and the body of the answer.
fn plainly(host: &str, request: &Request) -> anyhow::Result<(u16, String)> {
    let lost = |error| Away(format!("cannot reach {host}: {error}"));
    let mut stream = TcpStream::connect(host).map_err(lost)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let Request {
        method,
        path,
        token,
        kind,
        content,
    } = request;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    stream.write_all(head.as_bytes()).map_err(lost)?;
    // A server that refuses may stop reading: what it says is worth more.
    let sent = stream.write_all(content);
    let mut answer = Vec::new();
    let read = stream.take(16 << 20).read_to_end(&mut answer);
    if answer.is_empty() {
        sent.map_err(lost)?;
        read.map_err(lost)?;
        return Err(Away(format!("{host} has broken off")).into());
    }
    let text = String::from_utf8_lossy(&answer);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
    let status = head.split(' ').nth(1);
    let status = status.and_then(|status| status.parse().ok());
    let status = status.context("the course does not speak HTTP")?;
    Ok((status, body.to_string()))
}

/// Asks over HTTPS by curl. The token stands in a file that only we can read, and not among the
/// arguments, which everybody on this machine can.
fn by_curl(host: &str, request: &Request) -> anyhow::Result<(u16, String)> {
    let Request {
        method,
        path,
        token,
        kind,
        content,
    } = request;
    let mut settings = tempfile::NamedTempFile::new().context("cannot write a file")?;
    let seconds = PATIENCE.as_secs();
    write!(
        settings,
        "silent\nshow-error\nproto = \"=https\"\nconnect-timeout = {seconds}\n\
         speed-limit = 1\nspeed-time = {seconds}\nrequest = \"{method}\"\n\
         url = \"https://{host}{path}\"\nheader = \"Authorization: Bearer {token}\"\n\
         header = \"Content-Type: {kind}\"\nheader = \"Expect:\"\ndata-binary = \"@-\"\n\
         write-out = \"\\n%{{http_code}}\"\n"
    )?;
    let curl = Command::new("curl")
        .args(["--disable", "--config"])
        .arg(settings.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut curl = match curl {
        Ok(curl) => curl,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(bad_input("for HTTPS this command needs curl: install it"));
        }
        Err(error) => return Err(error).context("cannot start curl"),
    };
    // If it stops reading, it says why.
    let sent = curl.stdin.take().map(|mut stdin| stdin.write_all(content));
    drop(sent);
    let output = curl.wait_with_output().context("curl")?;
    let answer = String::from_utf8_lossy(&output.stdout);
    let (body, status) = answer.rsplit_once('\n').unwrap_or_default();
    match status.parse() {
        Ok(status) if status > 0 => Ok((status, body.to_string())),
        _ => {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.lines().next().unwrap_or("curl says nothing");
            let message = format!("cannot reach {host}: {}", printable(said));
            Err(Away(message).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of answers, one after the other, and how often was asked.
    #[track_caller]
    fn check_patience(longest: Duration, answers: &[Result<u8, bool>], due: Result<u8, &str>) {
        let mut left = answers.iter();
        let answer = patiently(longest, || match left.next().unwrap() {
            Ok(value) => Ok(*value),
            Err(true) => Err(Away("away".into()).into()),
            Err(false) => Err(bad_input("refused")),
        });
        assert_eq!(
            answer.map_err(|e| e.to_string()),
            due.map_err(str::to_string)
        );
        assert_eq!(left.len(), 0);
    }

    #[test]
    fn a_course_that_is_away_is_asked_again() {
        check_patience(AWAY, &[Ok(1)], Ok(1));
        check_patience(AWAY, &[Err(true), Err(true), Ok(1)], Ok(1));
        check_patience(AWAY, &[Err(true), Err(false)], Err("refused"));
        check_patience(Duration::ZERO, &[Err(true)], Err("away"));
    }

    #[test]
    fn addresses_are_read() {
        let good = |url: &str| {
            let (course, assignment) = Course::read(url).unwrap();
            (course.secure, course.host, assignment)
        };
        let expected = |secure: bool, host: &str, assignment: &str| {
            (secure, host.to_string(), assignment.to_string())
        };
        assert_eq!(
            good("http://127.0.0.1:7171/a/x-1"),
            expected(false, "127.0.0.1:7171", "x-1")
        );
        assert_eq!(good("http://host/a/x/"), expected(false, "host:80", "x"));
        assert_eq!(good("https://h/a/x"), expected(true, "h:443", "x"));
        assert_eq!(good("https://[::1]:9/a/x"), expected(true, "[::1]:9", "x"));
        for bad in [
            "",
            "http://host/x",
            "http:///a/x",
            "http://h/a/",
            "http://h/a/x?y",
            "ftp://h/a/x",
            "https://h\"/a/x",
            "https://h@i/a/x",
        ] {
            assert!(Course::read(bad).is_err(), "{bad}");
        }
    }
}
