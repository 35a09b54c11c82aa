"""What can go wrong."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """A field that is to be mended."""

    where: str
    what: str


class CaravanError(Exception):
    """Whatever a client can't do."""


class Refusal(CaravanError):
    """The server does not do this; the message says what helps.

    status: of HTTP. code: for programs, such as `unfit`. problems: the fields that are to be mended.
    """

    def __init__(self, status: int, code: str, detail: str, problems: list[Problem]) -> None:
        super().__init__(detail)
        self.status, self.code, self.problems = status, code, problems


class Unreachable(CaravanError):
    """The server could not be reached, or its answer did not arrive, however often it was tried."""


class BrokenList(CaravanError):
    """A list could not be read to its end."""
