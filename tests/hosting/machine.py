"""A fresh Debian with a systemd of its own: a container with its own processes, network and disk, reached by no one else.

Needs root, debootstrap, systemd-nspawn and slirp4netns. The container reaches the package registries through the last, and listens on
nothing of this machine.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

PROGRAMS = ("debootstrap", "systemd-nspawn", "slirp4netns", "nsenter")
PACKAGES = "debootstrap systemd-container slirp4netns"
# what a fresh server has and debootstrap's smallest root lacks
INCLUDED = "systemd,systemd-sysv,dbus,ca-certificates,apt-utils,iproute2,procps"
MIRROR = "http://deb.debian.org/debian"
CLEAN = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
}
BOOTS_WITHIN = 60.0  # seconds


def why_not() -> str:
    """Why no machine can be made here; empty when one can."""
    lacking = [name for name in PROGRAMS if shutil.which(name) is None]
    return f"{', '.join(lacking)} not installed: apt-get install {PACKAGES}" if lacking else ""


@dataclass(frozen=True, slots=True)
class Machine:
    """A running container. pid: its init's, as this machine counts."""

    root: Path
    pid: int

    def run(self, script: str, *, seconds: float = 900.0) -> tuple[int, str]:
        """Exit status and output of a shell script of root's that stops at its first error, as if typed after a login."""
        own = [f"{name}={value}" for name, value in CLEAN.items()]
        command = ["nsenter", "-t", str(self.pid), "-m", "-u", "-i", "-n", "-p", "-r", "-w", "--"]
        command += ["env", "-i", *own, "bash", "-e", "-c", script]
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
        )
        return done.returncode, done.stdout


def fresh(base: Path, *, suite: str) -> None:
    """Lays a Debian of this suite into a folder, unless it lies there."""
    if (base / "made").exists():
        return
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir(parents=True)
    words = ["--variant=minbase", f"--include={INCLUDED}", suite, str(base / "root"), MIRROR]
    subprocess.run(["debootstrap", *words], check=True, stdout=subprocess.DEVNULL)
    (base / "made").touch()


@contextlib.contextmanager
def booted(root: Path) -> Iterator[Machine]:
    """The container on this root, until the block ends. It trusts the authorities that this machine trusts."""
    _connect(root)
    words = (
        "--boot",
        "--register=no",
        "--keep-unit",
        "--private-network",
        "--resolv-conf=off",
        "--console=pipe",
    )
    with contextlib.ExitStack() as stack:
        log = stack.enter_context((root.parent / "boot.log").open("wb"))
        keeper = subprocess.Popen(
            ["systemd-nspawn", "-q", "-D", str(root), *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        stack.callback(_end, keeper)
        machine = Machine(root, _init_of(keeper))
        network = subprocess.Popen(
            [
                "slirp4netns",
                "--configure",
                "--mtu=65520",
                "--disable-host-loopback",
                str(machine.pid),
                "tap0",
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        stack.callback(_end, network)
        _wait_for(machine)
        yield machine


def _connect(root: Path) -> None:
    """Names and certificates, which an installer or a provider gives a fresh server."""
    (root / "etc/resolv.conf").unlink(missing_ok=True)
    (root / "etc/resolv.conf").write_text("nameserver 10.0.2.3\n")
    (root / "etc/hosts").write_text("127.0.0.1 localhost gage.example.org\n::1 localhost\n")
    (root / "etc/hostname").write_text("gage\n")
    for path in Path("/usr/local/share/ca-certificates").glob("*.crt"):
        shutil.copy(path, root / "usr/local/share/ca-certificates")


def _init_of(keeper: subprocess.Popen[bytes]) -> int:
    deadline = time.monotonic() + BOOTS_WITHIN
    while time.monotonic() < deadline and keeper.poll() is None:
        for child in psutil.Process(keeper.pid).children():
            return int(child.pid)
        time.sleep(0.1)
    raise RuntimeError("the container does not start")


def _wait_for(machine: Machine) -> None:
    deadline, told = time.monotonic() + BOOTS_WITHIN, ""
    while time.monotonic() < deadline:
        time.sleep(0.5)
        status, told = machine.run("systemctl is-system-running && grep -q tap0 /proc/net/dev")
        if status == 0:
            machine.run("update-ca-certificates")
            return
    raise RuntimeError(f"the container does not come up: {told}")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
