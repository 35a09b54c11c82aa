"""The words that judges are given: template files under prompts/, one folder a language, and their version."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from string import Template

from sandbox.tools.language import Language

_FOLDER = Path(__file__).parent / "prompts"
_DIGEST = 8


def fill(language: Language, name: str, /, **fields: object) -> str:
    """The template prompts/LANGUAGE/NAME.txt with its `$fields` filled, without the newline at its end.

    Raises:
        KeyError: a field of the template is not given.
    """
    return _template(language, name).substitute(fields)


def line(language: Language, key: str, /, **fields: object) -> str:
    """The pattern `key` of lines.txt with its `$fields` filled.

    Raises:
        KeyError: there is no such pattern, or a field of it is not given.
    """
    return _lines(language)[key].substitute(fields)


@lru_cache(maxsize=2)
def prompt_version(language: Language) -> str:
    """The number in prompts/version.txt and a digest of all the language's files: `1-0f3a9c21`.

    The number is raised by hand when the way prompts are put together changes; the digest follows the words.
    """
    digest = hashlib.sha256()
    for path in sorted((_FOLDER / language).glob("*.txt")):
        digest.update(f"{path.name}\n{path.read_text(encoding='utf-8')}\n".encode())
    number = (_FOLDER / "version.txt").read_text(encoding="utf-8").strip()
    return f"{number}-{digest.hexdigest()[:_DIGEST]}"


@lru_cache(maxsize=16)
def _template(language: Language, name: str) -> Template:
    return Template((_FOLDER / language / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n"))


@lru_cache(maxsize=2)
def _lines(language: Language) -> dict[str, Template]:
    written = _template(language, "lines").template.splitlines()
    return {key: Template(pattern) for key, _, pattern in (each.partition(" = ") for each in written)}
