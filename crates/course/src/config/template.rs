//! What `ludex course new` writes.

/// A course to begin with: every setting with a word about it.
pub const TEMPLATE: &str = r#"# A course. Whoever changes this file restarts `ludex serve --course`.
name = "My course"

# Where people reach the site: the beginning of the links of invitations. Put a server that speaks
# HTTPS before it when it is not on this machine alone.
url = "http://127.0.0.1:7171"

# Languages: without any [[language]] these are C, C++, Rust, Python, Java and ready executables,
# as far as their compilers are installed.
# [[language]]
# name = "C"
# extensions = ["c"]
# build = "gcc -O2 -o program {sources} -lm"
# run = "./program"

[[assignment]]
id = "othello"                 # its name in addresses
title = "An Othello player"
program = "othello"            # what is graded; see `ludex check --help`
# opens = 2026-10-01T08:00:00+02:00
# deadline = 2026-12-01T23:59:00+01:00   # then the final is played
hand-ins-per-day = 20
challenges-per-hour = 6

[assignment.limits]            # as in tournaments
wall = "1 s"
memory = "1 GB"

[assignment.check]
generated = 20                 # cases beside those that are built in
seed = 1                       # another one draws others; nobody knows which, here or elsewhere
pass = 100                     # per cent of the cases, to play

[[assignment.reference]]       # built-in bots, weakest first
bot = "random"
points = 10                    # for being stronger, when the interval says so

[[assignment.reference]]
bot = "greedy"
points = 10

[[assignment.reference]]
bot = "minimax:3"
points = 20

[assignment.ladder]
games = 60                     # of a version, at most
precision = 60                 # Elo points, half the width of the interval: enough is known

[assignment.final]
format = "round-robin"         # or swiss (rounds = 7), knockout, gauntlet
pairs = 1
references = false

[assignment.grade]
cases = 50                     # points when all cases pass
rank-bonus = 10                # for the first place
"#;
