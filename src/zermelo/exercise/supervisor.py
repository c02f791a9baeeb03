"""Starts a student's process with limits, and ends it together with all its children.

Run as ``python -I supervisor.py CONTROL MEGABYTES SECONDS COMMAND…``; does not import zermelo.
The command gets stdin and stdout. When it ends, or when the pipe CONTROL is closed (also because
the grader died), every process that it started is killed.

On Linux the command runs in a PID namespace of its own, if the system allows that: the kernel then
kills all processes at once, and they cannot send signals to the grader or read its memory.
Elsewhere this process adopts orphans (a "child subreaper", Linux) or kills the process group (other
systems), which malicious code can evade.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

CLONE_NEWUSER, CLONE_NEWPID = 0x10000000, 0x20000000
PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 38, 36
CAPABILITY_VERSION = 0x20080522
FILE_BYTES = 1 << 20  # of a file that the command writes
POLL_SECONDS = 0.02
KILL_SECONDS = 10.0


def _libc() -> ctypes.CDLL | None:
    """The system calls that Python does not wrap; None if this is not Linux."""
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _new_namespace(calls: ctypes.CDLL) -> bool:
    """Give children of this process their own PID namespace, if that is allowed."""
    user, group = os.getuid(), os.getgid()
    if calls.unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"),
                           ("gid_map", f"{group} {group} 1")):  # fmt: skip
            with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as file:
                file.write(text)
        return True
    return bool(calls.unshare(CLONE_NEWPID) == 0)


def _drop_privileges(calls: ctypes.CDLL) -> None:
    """Drop the privileges with which root could raise its limits again."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    calls.capset(header, (ctypes.c_uint32 * 6)())
    calls.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def limit(megabytes: int, seconds: int) -> None:
    """Set hard limits for memory, CPU time, file size and core dumps."""
    try:
        import resource
    except ImportError:  # not on this system: the grader's clock remains
        return
    for what, most in ((resource.RLIMIT_AS, megabytes << 20), (resource.RLIMIT_CPU, seconds),
                       (resource.RLIMIT_FSIZE, FILE_BYTES), (resource.RLIMIT_CORE, 0)):  # fmt: skip
        _, hard = resource.getrlimit(what)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (allowed, allowed))


def start(command: list[str], megabytes: int, seconds: int, control: int) -> int:
    """Start the command; returns the process to wait for, which may be its namespace's init."""
    calls = _libc()
    if calls is not None:
        calls.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    inside = calls is not None and _new_namespace(calls)
    child = os.fork()
    if child:
        return child
    try:
        os.close(control)
        if inside and (student := os.fork()):
            os._exit(_reap(student))
        limit(megabytes, seconds)
        if calls is not None:
            _drop_privileges(calls)
        os.execv(command[0], command)
    finally:
        os._exit(127)


def _reap(student: int) -> int:
    """Wait for the command as the init process of a namespace, which must reap all others."""
    while True:
        process, status = os.wait()
        if process == student:
            return exit_code(status)


def exit_code(status: int) -> int:
    """The exit code as in shells: 128 plus the signal number if a signal ended it."""
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def wait(child: int, control: int) -> int | None:
    """The exit code; None if the grader requested a stop."""
    while True:
        process, status = os.waitpid(child, os.WNOHANG)
        if process:
            return exit_code(status)
        if select.select([control], [], [], POLL_SECONDS)[0]:
            return None


def children() -> list[int]:
    """The child processes of this one, including adopted orphans."""
    found = []
    for entry in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        with contextlib.suppress(OSError, ValueError, IndexError):
            if entry.isdigit():
                with open(f"/proc/{entry}/stat", "rb") as file:
                    if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                        found.append(int(entry))
    return found


def _kill_all(child: int) -> None:
    """Kill all descendants, for at most KILL_SECONDS."""
    end = time.monotonic() + KILL_SECONDS
    with contextlib.suppress(OSError):
        os.kill(child, signal.SIGKILL)
    while time.monotonic() < end:
        for process in children():
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            break
        time.sleep(POLL_SECONDS / 4)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with contextlib.suppress(OSError):  # systems without subreapers: what stayed in the group
        os.killpg(0, signal.SIGTERM)


def main() -> None:
    control, megabytes, seconds = map(int, sys.argv[1:4])
    child = start(sys.argv[4:], megabytes, seconds, control)
    empty = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1):  # otherwise the grader would not see that the command closed them
        os.dup2(empty, fd)
    code = wait(child, control)
    _kill_all(child)
    os._exit(code or 0)


if __name__ == "__main__":
    main()
