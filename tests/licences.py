"""`make check`: no run-time dependency is under the GPL or AGPL, and docs/dependencies.md says what each is for.

What is read: the pins of requirements.txt, what their packages declare, and the tables of the page. The LGPL is
allowed, since a library under it may be used by a program under any licence.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from license_expression import ExpressionError, LicenseWithExceptionSymbol, Licensing, get_spdx_licensing
from packaging.requirements import Requirement

from tests import ROOT

PINS = ROOT / "requirements.txt"
PAGE = ROOT / "docs" / "dependencies.md"

_GPL = re.compile(r"(?<![A-Za-z])A?GPL|Affero|GNU General Public License")
"""Any name of the GPL or AGPL, and none of the LGPL ("GNU Lesser General Public License")."""
LINKING_EXCEPTIONS = {"GCC-exception-3.1", "GCC-exception-2.0", "Classpath-exception-2.0"}
"""Under these a program that uses a GPL library keeps its own licence."""
_CLASSIFIER = re.compile(r"License :: (?:OSI Approved :: )?")


@cache
def spdx() -> Licensing:
    """The list of SPDX licences, which takes a moment to read."""
    return get_spdx_licensing()


def is_allowed(licence: str) -> bool:
    """Whether we may depend on a package under this licence: an SPDX expression, or the name of a licence."""
    try:
        expression = spdx().parse(licence, validate=True)
    except ExpressionError:
        return _GPL.search(licence) is None
    return expression is not None and _allows(expression)


def _allows(expression: object) -> bool:
    """OR leaves the choice to us; AND does not."""
    if isinstance(expression, LicenseWithExceptionSymbol):
        exception = expression.exception_symbol.key
        return exception in LINKING_EXCEPTIONS or _allows(expression.license_symbol)
    parts = [_allows(part) for part in getattr(expression, "args", ())]
    if not parts:
        return _GPL.search(str(expression)) is None
    return any(parts) if isinstance(expression, spdx().OR) else all(parts)


def declared_licences(package: Distribution) -> list[str]:
    """The licences that a package names: its SPDX expression, else its classifiers, and its own words in one line."""
    if expression := package.metadata.get("License-Expression"):
        return [expression]
    classifiers = [line for line in package.metadata.get_all("Classifier") or [] if _CLASSIFIER.match(line)]
    names = [name for line in classifiers if (name := _CLASSIFIER.sub("", line)) != "OSI Approved"]
    text = (package.metadata.get("License") or "").strip()
    # A whole text speaks of many licences, such as those that its own is compatible with.
    line = [text] if text and "\n" not in text else []
    return ([", ".join(names)] if names else []) + line


def size_mb(package: Distribution) -> float:
    """What the files of an installed package take, in MB."""
    paths = [path.locate() for path in package.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6  # type: ignore[attr-defined]


def read_pins(path: Path) -> list[Requirement]:
    """The pins of a file, without their hashes."""
    whole = path.read_text("utf-8").replace("\\\n", " ").splitlines()
    return [Requirement(line.split(" --hash=")[0]) for line in whole if line and not line.startswith("#")]


def pins() -> dict[str, bool]:
    """Each pinned package, and whether it is installed on this system and Python."""
    wanted: dict[str, bool] = {}
    for requirement in read_pins(PINS):
        here = requirement.marker is None or requirement.marker.evaluate()
        wanted[requirement.name] = wanted.get(requirement.name, False) or here
    return wanted


def rows() -> dict[str, str]:
    """The licence of each package in the tables of the page."""
    cells = [line.split("|") for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    return {row[1].strip(" `"): row[2].strip() for row in cells}


def problems(wanted: dict[str, bool], listed: dict[str, str]) -> Iterator[str]:
    """One line for each thing to mend."""
    for name, installed in wanted.items():
        yield from _problems_of_package(name, listed.get(name)) if installed else ()
        if name not in listed and not installed:
            yield f"{name}: docs/dependencies.md lacks it: add a row with its licence, size and reason"
        elif not is_allowed(listed.get(name, "")) and name in listed:
            yield f"{name}: docs/dependencies.md names {listed[name]}, which we may not depend on"
    for name in listed.keys() - wanted.keys():
        yield f"{name}: docs/dependencies.md has it, requirements.txt does not: delete the row"


def _problems_of_package(name: str, listed: str | None) -> Iterator[str]:
    try:
        package = distribution(name)
    except PackageNotFoundError:
        yield f"{name}: not installed; run make check, which installs it"
        return
    licences = declared_licences(package)
    if not licences:
        yield f"{name}: declares no licence; find it in the package's files, or choose another package"
        return
    for licence in licences:
        if not is_allowed(licence):
            yield f"{name}: is under {licence}, which we may not depend on; choose another package"
    if listed is None:
        row = f"| `{name}` | {licences[0]} | {size_mb(package):.1f} MB | why |"
        yield f"{name}: docs/dependencies.md lacks it: add the row  {row}"
    elif _first_word(listed) != _first_word(licences[0]):
        yield f"{name}: docs/dependencies.md says {listed}, the package says {licences[0]}"


def _first_word(licence: str) -> str:
    """Other versions of a package, for another Python, may name the same licence in other words."""
    return re.split(r"[^A-Za-z]", licence, maxsplit=1)[0]


def main() -> int:
    """Print what is wrong; the exit code says whether something is."""
    found = list(problems(pins(), rows()))
    print(
        "\n".join(found) or "Every run-time dependency has a licence that allows it, and a row in the docs."
    )
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
