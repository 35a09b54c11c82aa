"""A websocket of a running installation, byte by byte: what a client sees that obeys no rule of its own."""

from __future__ import annotations

import asyncio
import json
import struct
from dataclasses import dataclass
from typing import Any

TEXT, BINARY, CLOSE = 1, 2, 8


@dataclass
class Socket:
    """An open connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def connect(cls, port: int, path: str, cookie: str) -> Socket:
        """As a browser of this host opens it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        host = f"127.0.0.1:{port}"
        wanted = {
            "Host": host,
            "Origin": f"http://{host}",
            "Cookie": cookie,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in wanted.items())
        writer.write(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head
        return cls(reader, writer)

    def send(self, data: bytes, kind: int = TEXT) -> None:
        """One frame, masked by zeros."""
        size = len(data)
        length = (
            struct.pack(">B", 0x80 | size)
            if size < 126
            else struct.pack(">BH", 0xFE, size)
            if size < 2**16
            else struct.pack(">BQ", 0xFF, size)
        )
        self.writer.write(bytes([0x80 | kind]) + length + bytes(4) + data)

    async def frame(self) -> tuple[int, bytes]:
        """The next frame: its kind and what is in it."""
        first, size = await self.reader.readexactly(2)
        if size == 126:
            (size,) = struct.unpack(">H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", await self.reader.readexactly(8))
        return first & 0x0F, await self.reader.readexactly(size)

    async def next_message(self) -> dict[str, Any]:
        """The next text, as JSON."""
        kind, data = await self.frame()
        assert kind == TEXT, (kind, data)
        found: dict[str, Any] = json.loads(data)
        return found

    async def closing(self) -> tuple[int, str]:
        """Code and reason of the closing frame, whatever comes before it."""
        while True:
            kind, data = await self.frame()
            if kind == CLOSE:
                return int.from_bytes(data[:2]), data[2:].decode()
