#!/usr/bin/python3
"""Attacks by name: attack.py NAME TOKEN HOME PID [position...]; see attack.c."""
import os, signal, socket, subprocess, sys, threading, time

name, token, home, referee = sys.argv[1:5]
home, referee = "/" + home, int(referee)


def through(what):
    print("THROUGH", what, file=sys.stderr, flush=True)


def refused(action, what):
    try:
        action()
    except OSError:
        return
    through(what)


def find_secret():
    for place, folders, files in os.walk("/"):
        folders[:] = [f for f in folders if os.path.join(place, f) not in ("/usr", "/proc")]
        if "secret.txt" in files:
            through(place)


def environment():
    known = {"PATH", "HOME", "TMPDIR", "PWD", "LANG", "LC_CTYPE"}
    for key in set(os.environ) - known:
        through("variable " + key)


def temporary():
    import tempfile
    with tempfile.TemporaryFile() as f:
        f.write(b"x")


def shared_memory():
    try:
        from multiprocessing import shared_memory
        block = shared_memory.SharedMemory(create=True, size=1 << 20, name=token[:20])
        os._exit(0 if print("3,2", flush=True) is None else 1)
    except OSError:
        pass


def threads():
    done = [threading.Thread(target=sum, args=([1, 2, 3],)) for _ in range(8)]
    [t.start() for t in done]
    [t.join() for t in done]


def children():
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)


def subprocesses():
    for _ in range(5):
        subprocess.Popen(["sleep", "1000"], start_new_session=True, stdout=subprocess.DEVNULL)


def memory():
    blocks = []
    while True:
        blocks.append(bytearray(b"x" * (8 << 20)))


def recursion():
    sys.setrecursionlimit(10**9)
    def down(n):
        return down(n + 1) + 1
    down(0)


def remove_folder():
    import shutil
    shutil.rmtree(os.getcwd(), ignore_errors=True)


def rename_folder():
    refused(lambda: os.rename(os.getcwd(), os.getcwd() + "-mine"), "renamed its folder")


def write_self():
    refused(lambda: open(__file__, "a").write("#"), "wrote its own program")


def siblings():
    here = os.path.dirname(os.path.abspath(__file__))
    for other in ("attack.c", "attack.sh", "table.txt"):
        refused(lambda: open(os.path.join(here, other)).read(), other)


def connect():
    refused(lambda: socket.create_connection(("127.0.0.1", 22), 1), "connected")


def serve():
    refused(lambda: socket.socket().listen(), "listened")


def crash():
    os.kill(os.getpid(), signal.SIGSEGV)


def answers(text):
    def say():
        sys.stdout.buffer.write(text)
        sys.stdout.flush()
        os._exit(0)
    return say


attacks = {
    "find-secret": find_secret,
    "environment": environment,
    "temporary": temporary,
    "shared-memory": shared_memory,
    "threads": threads,
    "children": children,
    "subprocesses": subprocesses,
    "memory": memory,
    "recursion": recursion,
    "remove-folder": remove_folder,
    "rename-folder": rename_folder,
    "write-self": write_self,
    "siblings": siblings,
    "connect": connect,
    "serve": serve,
    "crash": crash,
    "exit-code": lambda: sys.exit(77),
    "exception": lambda: 1 / 0,
    "affinity": lambda: refused(lambda: os.sched_setaffinity(0, range(64)), "affinity"),
    "nice": lambda: refused(lambda: os.nice(-5), "nice"),
    "setxattr": lambda: refused(lambda: os.setxattr(".", "user.x", b"y"), "setxattr"),
    "answer-empty": answers(b""),
    "answer-blank": answers(b" \n\n"),
    "answer-two": answers(b"3,2\n2,3\n"),
    "answer-nul": answers(b"3,2\0"),
    "answer-letters": answers(b"d3\n"),
    "answer-wide": answers("３,２\n".encode()),
    "answer-binary": answers(bytes(range(256))),
    "answer-overflow": answers(b"4294967299,2\n"),
    "answer-negative": answers(b"-1,-1\n"),
    "answer-outside": answers(b"8,8\n"),
    "answer-taken": answers(b"3,3\n"),
    "answer-escape": answers(b"\x1b[2J\x1b]0;owned\x07\n"),
}
attacks[name]()
print("3,2", flush=True)
