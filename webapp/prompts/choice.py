"""From the set that a researcher chose to what logs and runs record of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from django.utils.translation import gettext as _

from benchmark.core.events import PromptSetChosen
from benchmark.promptsets import Problem, Role, check_files, serious
from benchmark.suites import suite_named
from webapp.forms import ChoiceRefused
from webapp.prompts.models import PromptSetVersion
from webapp.wording.remarks import remark_words

AT_SEATS: Final[tuple[Role, ...]] = ("agent", "users", "simulator")
"""Those who are told something in a session; judges come later."""


SHIPPED: Final = "shipped"
"""What names the words that are always there; no set has this name."""
OtherWords = PromptSetVersion | Literal["shipped"]
"""What a fork tells its models from there on: a set's words, or the shipped ones."""


def problem_line(problem: Problem) -> str:
    """What is wrong with a set, with the place, in one line."""
    words = remark_words(problem.remark)
    if problem.line:
        return _("%(path)s, line %(line)s: %(words)s") % {
            "path": problem.path,
            "line": problem.line,
            "words": words,
        }
    return f"{problem.path}: {words}" if problem.path else words


def refuse_unusable(version: PromptSetVersion, suite: str, field: str = "prompt_set") -> None:
    """
    Raises:
        ChoiceRefused: the set is of another benchmark, or its words no longer fit the templates of this version.
    """
    if version.prompt_set.suite != suite:
        words = _("The set “%(set)s” is for sessions of %(its)s, not of %(suite)s. Choose another set.")
        titles = {"its": suite_named(version.prompt_set.suite).title, "suite": suite_named(suite).title}
        raise ChoiceRefused(words % {"set": version, **titles}, field)
    if problems := serious(check_files(suite_named(suite).library, version.files)):
        words = _("The set “%(set)s” does not fit the prompts of this version of Caravan. %(why)s Edit it.")
        raise ChoiceRefused(words % {"set": version, "why": problem_line(problems[0])}, field)


def chosen_event(version: PromptSetVersion) -> PromptSetChosen:
    """What the log of a session says of its set, with the words that those at its seats are told."""
    set_ = version.prompt_set
    files = suite_named(set_.suite).library.of_roles(version.files, AT_SEATS)
    return PromptSetChosen(name=set_.name, set_version=version.number, digest=version.digest, files=files)


def other_words_event(words: OtherWords, suite: str) -> PromptSetChosen:
    """What the log of a fork says of the words from there on. No name stands for the shipped ones.

    Raises:
        ChoiceRefused: as `refuse_unusable`.
    """
    if words == SHIPPED:
        return PromptSetChosen(name="", set_version=0, digest="", files={})
    refuse_unusable(words, suite)
    return chosen_event(words)


def describe(version: PromptSetVersion) -> dict[str, Any]:
    """What a run says of its set: name, version, digest, and by role the digest of its own files."""
    set_ = version.prompt_set
    digests = suite_named(set_.suite).library.digests(version.files)
    return {"name": set_.name, "version": version.number, "digest": version.digest, "roles": digests}


def set_words(described: Mapping[str, Any] | None, role: str = "") -> str:
    """A set as reports name it, `warm@2 (0f3a9c21)`; "" for none. role: of whose words the digest is, "" for all.

    "" where the role has the shipped words.
    """
    if not described:
        return ""
    digest = described["roles"].get(role, "") if role else described["digest"]
    return f"{described['name']}@{described['version']} ({digest[:8]})" if digest else ""
