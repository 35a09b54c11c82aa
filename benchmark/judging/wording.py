"""The words that judges are given: template files under prompts/, one folder a language, and their version.

An input form has files of its own under prompts/FORM/ in place of those that differ.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Literal

from sandbox.tools.language import Language

FormName = Literal["published", "caravan"]
"""What a judge is shown: the published benchmark's input, or Caravan's own."""
_FOLDER = Path(__file__).parent / "prompts"
_DIGEST = 8


def fill(form: FormName, language: Language, name: str, /, **fields: object) -> str:
    """The template LANGUAGE/NAME.txt with its `$fields` filled, without the newline at its end.

    Raises:
        KeyError: a field of the template is not given.
    """
    return _template(form, language, name).substitute(fields)


def line(language: Language, key: str, /, **fields: object) -> str:
    """The pattern `key` of lines.txt with its `$fields` filled.

    Raises:
        KeyError: there is no such pattern, or a field of it is not given.
    """
    return _lines(language)[key].substitute(fields)


@lru_cache(maxsize=4)
def prompt_version(form: FormName, language: Language) -> str:
    """The number in the form's version.txt and a digest of all that it says in a language: `1-0f3a9c21`.

    The number is raised by hand when the way prompts are put together changes; the digest follows the words.
    """
    digest = hashlib.sha256()
    for name in sorted(path.name for path in (_FOLDER / language).glob("*.txt")):
        digest.update(f"{name}\n{_file(form, language, name).read_text(encoding='utf-8')}\n".encode())
    number = _file(form, "", "version.txt").read_text(encoding="utf-8").strip()
    return f"{number}-{digest.hexdigest()[:_DIGEST]}"


def _file(form: FormName, folder: str, name: str) -> Path:
    """The form's own file, else the one that the forms share."""
    own = _FOLDER / form / folder / name
    return own if own.exists() else _FOLDER / folder / name


@lru_cache(maxsize=32)
def _template(form: FormName, language: Language, name: str) -> Template:
    return Template(_file(form, language, f"{name}.txt").read_text(encoding="utf-8").rstrip("\n"))


@lru_cache(maxsize=2)
def _lines(language: Language) -> dict[str, Template]:
    written = (_FOLDER / language / "lines.txt").read_text(encoding="utf-8").splitlines()
    return {key: Template(pattern) for key, _, pattern in (each.partition(" = ") for each in written)}
