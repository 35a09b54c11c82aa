"""What a process finds around it before Django is set up: environment variables, and the data folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

OWN = ("DATABASE_URL", "REDIS_URL", "HOST", "PORT")
PREFIX = "CARAVAN_"


def forget_empty_variables(environment: MutableMapping[str, str]) -> None:
    """Take away our variables that hold nothing or only blanks: they count as unset, for child processes too."""
    for name, value in list(environment.items()):
        if (name in OWN or name.startswith(PREFIX)) and not value.strip():
            del environment[name]


class Variables(environ.Env):  # type: ignore[misc]  # environ has no types
    """Environment variables, of which one that can't be read is named with what it may be."""

    FALSE_STRINGS = ("false", "off", "no", "n", "0")

    def int(self, var: str, default: Any = environ.Env.NOTSET) -> int:
        """A whole number, 0 or more.

        Raises:
            django.core.exceptions.ImproperlyConfigured: it is none.
        """
        given = self.ENVIRON.get(var)
        if given is not None and not given.strip().isdecimal():
            raise ImproperlyConfigured(
                f"{var} is “{given}”: set it to a whole number, 0 or more, or leave it out"
            )
        return int(super().int(var, default=default))

    def bool(self, var: str, default: Any = environ.Env.NOTSET) -> bool:
        """Yes or no.

        Raises:
            django.core.exceptions.ImproperlyConfigured: it is neither.
        """
        given = self.ENVIRON.get(var)
        if given is not None and given.strip().lower() not in (
            *self.BOOLEAN_TRUE_STRINGS,
            *self.FALSE_STRINGS,
        ):
            raise ImproperlyConfigured(f"{var} is “{given}”: set it to 1 or 0, or leave it out")
        return bool(super().bool(var, default=default))


@contextmanager
def faults_in_a_line() -> Iterator[None]:
    """End a process whose settings can't be used by one line in place of a traceback.

    Raises:
        SystemExit: with that line.
    """
    try:
        yield
    except ImproperlyConfigured as error:
        raise SystemExit(f"caravan: error: {error}") from error


def keep_private(folder: Path) -> None:
    """Make the data folder, and keep it and all that this process writes from other accounts of the machine.

    A folder that another account owns keeps its rights.
    """
    os.umask(0o077)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid == os.geteuid():
        folder.chmod(folder.stat().st_mode & 0o700)


def tighten(folder: Path) -> None:
    """Take the rights of group and others from what an earlier version left in a folder. Links are not followed."""
    for path in folder.rglob("*"):
        if not path.is_symlink() and (mode := path.stat().st_mode) & 0o077:
            path.chmod(mode & ~0o077)
