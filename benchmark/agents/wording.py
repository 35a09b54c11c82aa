"""The words that a model is given: template files under prompts/, one folder a language, and their version."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from string import Template

from sandbox.tools.language import Language

_FOLDER = Path(__file__).parent / "prompts"
_DIGEST = 8


def spoken(language: str) -> Language:
    """The prompts' language for a session's: Chinese for all but English, as the tools have it."""
    return "en" if language == "en" else "zh"


def fill(language: str, name: str, /, **fields: object) -> str:
    """The template prompts/LANGUAGE/NAME.txt with its `$fields` filled, without the newline at its end.

    Raises:
        KeyError: a field of the template is not given.
    """
    return _template(spoken(language), name).substitute(fields)


def fault(language: str, key: str, /, **fields: object) -> str:
    """The sentence `key` of faults.txt with its `$fields` filled.

    Raises:
        KeyError: there is no such sentence, or a field of it is not given.
    """
    return _faults(spoken(language))[key].substitute(fields)


def prompt_version(language: str) -> str:
    """The number in prompts/version.txt and a digest of all the language's files: `1-0f3a9c21`.

    The number is raised by hand when the way prompts are put together changes; the digest follows the words.
    """
    return _version(spoken(language))


@lru_cache(maxsize=128)
def _template(language: Language, name: str) -> Template:
    return Template((_FOLDER / language / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n"))


@lru_cache(maxsize=2)
def _faults(language: Language) -> dict[str, Template]:
    lines = _template(language, "faults").template.splitlines()
    return {key: Template(pattern) for key, _, pattern in (line.partition(" = ") for line in lines)}


@lru_cache(maxsize=2)
def _version(language: Language) -> str:
    digest = hashlib.sha256()
    for path in sorted((_FOLDER / language).glob("*.txt")):
        digest.update(f"{path.name}\n{path.read_text(encoding='utf-8')}\n".encode())
    number = (_FOLDER / "version.txt").read_text(encoding="utf-8").strip()
    return f"{number}-{digest.hexdigest()[:_DIGEST]}"
