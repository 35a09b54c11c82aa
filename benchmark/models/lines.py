"""Connections to one endpoint, shared by all requests to it in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from benchmark.models.setup import ModelSetup
from sandbox.endpoints import certificates, without_environment

_CONNECT_S = 15.0
_IDLE_CONNECTIONS = 100


class Line:
    """One `AsyncOpenAI` with its connections, as many as there are requests. It belongs to the running event loop."""

    def __init__(self, setup: ModelSetup, key: str) -> None:
        self.key, self._loop = key, asyncio.get_running_loop()
        self._users, self._retired = 0, False
        timeout = httpx2.Timeout(setup.timeout_s, connect=min(setup.timeout_s, _CONNECT_S), pool=None)
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=_IDLE_CONNECTIONS)
        client = AsyncOpenAI(
            base_url=setup.base_url,
            api_key=key,
            max_retries=0,
            timeout=timeout,
            http_client=DefaultAsyncHttpxClient(
                verify=certificates(),
                timeout=timeout,
                limits=limits,
                follow_redirects=False,  # a POST would become a GET
            ),
        )
        self._openai = without_environment(client)

    def serves(self, key: str) -> bool:
        """Whether it can be used with that key in the running event loop."""
        return self.key == key and self._in_own_loop and not self._retired

    @asynccontextmanager
    async def in_use(self) -> AsyncIterator[AsyncOpenAI]:
        """For one request: it is not closed before that has ended."""
        self._users += 1
        try:
            yield self._openai
        finally:
            self._users -= 1
            await self._close_if_over()

    async def retire(self) -> None:
        """Close it as soon as nobody uses it. One of another loop, such as that before a fork, is only let go."""
        self._retired = True
        if self._in_own_loop:
            await self._close_if_over()

    @property
    def _in_own_loop(self) -> bool:
        return self._loop is asyncio.get_running_loop()

    async def _close_if_over(self) -> None:
        if self._retired and not self._users:
            await self._openai.close()
