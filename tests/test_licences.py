"""Which licences a run-time dependency may have, and that the page of dependencies names all of them."""

from __future__ import annotations

from importlib.metadata import Distribution
from pathlib import Path

import pytest

from tests import licences


@pytest.mark.parametrize(
    "licence",
    [
        "MIT",
        "BSD",
        "LGPL-3.0-only",
        "GNU Lesser General Public License v3 (LGPLv3)",
        "MIT OR GPL-2.0-or-later",
        "Apache-2.0 AND (MIT OR AGPL-3.0-only)",
        "GPL-3.0-or-later WITH GCC-exception-3.1",
        "MPL-2.0 AND (Apache-2.0 OR MIT)",
    ],
)
def test_a_program_under_any_licence_may_use_it(licence: str) -> None:
    assert licences.is_allowed(licence)


@pytest.mark.parametrize(
    "licence",
    [
        "",
        "GPL-3.0-only",
        "AGPL-3.0-or-later",
        "GPLv2+",
        "GNU General Public License v3 (GPLv3)",
        "GNU Affero General Public License v3 or later (AGPLv3+)",
        "MIT AND GPL-2.0-only",
        "GPL-2.0-only OR AGPL-3.0-only",
        "GPL-2.0-only WITH Font-exception-2.0",
    ],
)
def test_it_would_bind_the_whole_program(licence: str) -> None:
    assert not licences.is_allowed(licence)


def package(folder: Path, *lines: str) -> Distribution:
    """An installed package whose metadata has these lines."""
    (folder / "METADATA").write_text("\n".join(["Metadata-Version: 2.1", "Name: example", *lines, ""]))
    return Distribution.at(folder)


@pytest.mark.parametrize(
    ("lines", "declared"),
    [
        (["License-Expression: MIT", "License: GPL"], ["MIT"]),
        (["License: BSD-3-Clause"], ["BSD-3-Clause"]),
        (
            ["License: Dual License", "Classifier: License :: OSI Approved :: MIT License"],
            ["MIT License", "Dual License"],
        ),
        (["License: Copyright 2001", "        the GNU General Public License is another"], []),
        (["Classifier: License :: OSI Approved"], []),
    ],
)
def test_what_a_package_declares(tmp_path: Path, lines: list[str], declared: list[str]) -> None:
    assert licences.declared_licences(package(tmp_path, *lines)) == declared


def test_problems_name_the_package_and_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = {
        "free": "License: MIT",
        "bound": "License: GPL-3.0-only",
        "silent": "Summary: nothing",
        "new": "License: BSD",
    }
    for name, line in packages.items():
        (tmp_path / name).mkdir()
        package(tmp_path / name, line)
    monkeypatch.setattr(licences, "distribution", lambda name: Distribution.at(tmp_path / name))

    wanted = {**dict.fromkeys(packages, True), "elsewhere": False, "unlisted": False}
    listed = {"free": "MIT", "bound": "MIT", "silent": "MIT", "elsewhere": "AGPL-3.0-only", "gone": "MIT"}
    assert list(licences.problems(wanted, listed)) == [
        "bound: is under GPL-3.0-only, which we may not depend on; choose another package",
        "bound: docs/dependencies.md says MIT, the package says GPL-3.0-only",
        "silent: declares no licence; find it in the package's files, or choose another package",
        "new: docs/dependencies.md lacks it: add the row  | `new` | BSD | 0.0 MB | why |",
        "elsewhere: docs/dependencies.md names AGPL-3.0-only, which we may not depend on",
        "unlisted: docs/dependencies.md lacks it: add a row with its licence, size and reason",
        "gone: docs/dependencies.md has it, requirements.txt does not: delete the row",
    ]


def test_the_page_names_every_pin() -> None:
    assert licences.rows().keys() == licences.pins().keys()
