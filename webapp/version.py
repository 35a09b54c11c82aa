"""Which version of this program runs."""

from __future__ import annotations

import subprocess
import tomllib
from functools import cache

from django.conf import settings

GIT_S = 2.0


@cache
def caravan_version() -> str:
    """Of this program."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text("utf-8"))
    return str(project["project"]["version"])


@cache
def code_version() -> str:
    """The same with the commit, such as `1.2+0f3a9c1d`, where the program lies in a clone."""
    asked = ["git", "-C", str(settings.BASE_DIR), "rev-parse", "--short=8", "HEAD"]
    try:
        told = subprocess.run(asked, capture_output=True, text=True, timeout=GIT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return caravan_version()
    return f"{caravan_version()}+{told.stdout.strip()}"
