"""A Chromium for the browser tests: found, or installed, or a failure that says what to install."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
"""Chromium without windows: it shows the same pages, for a third of the processor time."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FONT = "fonts-wqy-microhei"
PATIENT = ("-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1")


def find_chromium() -> str:
    """The path of a browser: CARAVAN_CHROMIUM, the one without windows on the PATH or, when root, from the system's
    packages, another one on the PATH, Playwright's own.

    Raises:
        SystemExit: none can be had; the message says what to install.
    """
    given = os.environ.get("CARAVAN_CHROMIUM")
    if given:
        return given
    return (
        shutil.which(SHELL)
        or _from_system(SHELL)
        or _on_path()
        or _from_system("chromium")
        or _from_playwright()
        or _give_up()
    )


def _on_path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def _from_system(package: str) -> str | None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    print(f"installing {package} from the system's packages, once ...", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", package, FONT]):
        subprocess.run([*command, *PATIENT], check=False, env=quiet, stdout=subprocess.DEVNULL)
    return shutil.which(package)


def _from_playwright() -> str | None:
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def _give_up() -> str:
    raise SystemExit(
        f"no Chromium for the browser tests: install the package {SHELL} or chromium (and a CJK font such as "
        "fonts-wqy-microhei), or name a browser in CARAVAN_CHROMIUM"
    )


if __name__ == "__main__":
    print(find_chromium())
