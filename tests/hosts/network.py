"""Hosts of one machine: network namespaces with an address each on one bridge, which lies in a namespace too."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

NETWORK = "10.213.77"
STOP_S = 60.0


class NoNamespaces(RuntimeError):
    """This account or machine can't make network namespaces."""


def run_ip(*arguments: str) -> None:
    """Run `ip`.

    Raises:
        NoNamespaces: it fails; with what it says.
    """
    try:
        subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise NoNamespaces("there is no `ip`: install iproute2") from error
    except subprocess.CalledProcessError as error:
        raise NoNamespaces(f"ip {' '.join(arguments)}: {error.stderr.strip()}") from error


@dataclass
class Host:
    """A host of the network.

    address: its IPv4 address. folder: where its files are. processes: those that were started here, by name.
    """

    name: str
    namespace: str
    address: str
    folder: Path
    link: str
    hub: str
    processes: dict[str, subprocess.Popen[str]] = field(default_factory=dict)

    def _inside(self, command: Sequence[str]) -> list[str]:
        """The command as it is run on this host, which has a name of its own."""
        shell = f'hostname {self.name} && exec "$@"'
        return [
            "ip",
            "netns",
            "exec",
            self.namespace,
            "unshare",
            "--uts",
            "sh",
            "-c",
            shell,
            self.name,
            *command,
        ]

    def run(self, *command: str, env: Mapping[str, str], cwd: Path, given: str | None = None) -> str:
        """Run a command to its end; gives what it prints.

        Raises:
            AssertionError: it fails.
        """
        done = subprocess.run(
            self._inside(command),
            env=dict(env),
            cwd=cwd,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (
            f"{self.name}: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
        )
        return done.stdout

    def start(self, name: str, *command: str, env: Mapping[str, str], cwd: Path) -> None:
        """Start a process, whose output goes to a log of its name."""
        log: IO[Any] = (self.folder / f"{name}.log").open("a")
        with log:
            self.processes[name] = subprocess.Popen(
                self._inside(command), env=dict(env), cwd=cwd, stdout=log, stderr=log, text=True
            )

    def stop(self, name: str) -> None:
        """End a process as systemd does: politely, then by force."""
        process = self.processes.pop(name)
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def unplug(self) -> None:
        """Take the cable out: nothing comes or goes, and no end of a connection is told."""
        run_ip("-n", self.hub, "link", "set", self.link, "down")

    def plug_in(self) -> None:
        """Put the cable back."""
        run_ip("-n", self.hub, "link", "set", self.link, "up")


class Network:
    """Hosts by their names; each knows the addresses of all. folder: where their files go."""

    def __init__(self, names: Sequence[str], folder: Path) -> None:
        mark = f"cv{os.getpid() % 100_000}"
        self.hub = f"{mark}-hub"
        self.hosts = {
            name: Host(
                name, f"{mark}-{name}", f"{NETWORK}.{number}", folder / name, f"v{mark}{number}", self.hub
            )
            for number, name in enumerate(names, 10)
        }

    def __getitem__(self, name: str) -> Host:
        return self.hosts[name]

    def start(self, aliases: Mapping[str, str]) -> None:
        """Make the namespaces. aliases: further names of hosts, such as the one that people open, by name.

        Raises:
            NoNamespaces: this can't be done here.
        """
        run_ip("netns", "add", self.hub)
        run_ip("-n", self.hub, "link", "add", "bridge", "type", "bridge")
        run_ip("-n", self.hub, "link", "set", "bridge", "up")
        known = [f"{host.address} {host.name}" for host in self.hosts.values()]
        known += [f"{self.hosts[name].address} {alias}" for alias, name in aliases.items()]
        for host in self.hosts.values():
            host.folder.mkdir(parents=True)
            run_ip("netns", "add", host.namespace)
            run_ip(
                "-n",
                self.hub,
                "link",
                "add",
                host.link,
                "type",
                "veth",
                "peer",
                "name",
                "eth0",
                "netns",
                host.namespace,
            )
            run_ip("-n", self.hub, "link", "set", host.link, "master", "bridge", "up")
            run_ip("-n", host.namespace, "addr", "add", f"{host.address}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                run_ip("-n", host.namespace, "link", "set", device, "up")
            names = Path("/etc/netns") / host.namespace / "hosts"
            names.parent.mkdir(parents=True)
            names.write_text("\n".join(["127.0.0.1 localhost", *known, ""]))

    def stop(self) -> None:
        """End all processes, and take the namespaces away."""
        for host in self.hosts.values():
            for process in host.processes.values():
                process.terminate()
        for host in self.hosts.values():
            for process in host.processes.values():
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
            subprocess.run(["ip", "netns", "del", host.namespace], check=False, capture_output=True)
            shutil.rmtree(Path("/etc/netns") / host.namespace, ignore_errors=True)
        subprocess.run(["ip", "netns", "del", self.hub], check=False, capture_output=True)
