"""Profiles without what tells who somebody is: rewritten by a model, and looked through by rules (section 3.1)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmark.making import ModelStep, Unusable
from benchmark.models import ChatRequest
from benchmark.models.answers import storable
from benchmark.suites.travelbench.making.executability import PROMPTS
from benchmark.suites.travelbench.making.rows import Request, requests_in
from benchmark.text import guarded

BASICS, TASTES = "### 基本信息", "### 兴趣偏好"
"""The headings that every profile has."""
_PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_PLATE = guarded.compile(
    rf"[{_PROVINCES}][A-HJ-NP-Z]\s*[·•.\-]?\s*(?:[A-HJ-NP-Z0-9]{{5,6}}|[A-HJ-NP-Z0-9]{{4}}[挂学警港澳])(?![A-Za-z0-9])"
)
_PHONE = guarded.compile(r"(?<!\d)1[3-9]\d[\s-]?\d{4}[\s-]?\d{4}(?!\d)")
_CARD = guarded.compile(r"(?<!\d)[1-9]\d{16}[\dXx](?!\d)")
_MAIL = guarded.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
_NUMBER = r"(?:\d{1,5}|[一二三四五六七八九十百]{1,4})"
_STREET = guarded.compile(
    rf"[\u4e00-\u9fff]{{2,12}}(?:路|街|道|巷|弄|胡同|里)\s*{_NUMBER}\s*(?:弄|号|巷)(?!线)"
)
_ROOM = guarded.compile(rf"{_NUMBER}\s*(?:号楼|栋|幢|座|单元)\s*{_NUMBER}?\s*(?:单元|室|层)?")
_ENGLISH = guarded.compile(
    r"(?<!\w)\d{1,5}[A-Z]?\s+(?:[A-Z][a-z]+\s+){1,3}(?:Road|Rd|Street|St|Avenue|Ave|Lane|Alley)(?!\w)"
)
_SIGNS = (
    ("licence plate", _PLATE),
    ("telephone number", _PHONE),
    ("identity card", _CARD),
    ("e-mail address", _MAIL),
    ("address", _STREET),
    ("address", _ROOM),
    ("address", _ENGLISH),
)


class Leak(NamedTuple):
    """Something in a profile that tells who somebody is. kind: in words; text: as it stands there."""

    kind: str
    text: str


def leaks(profile: str) -> list[Leak]:
    """Plates, telephone numbers, identity cards, e-mail addresses and addresses with a number, in this order."""
    return [Leak(kind, match.group()) for kind, sign in _SIGNS for match in sign.finditer(profile)]


def profiles_in(path: Path) -> list[Request]:
    """The rows of a file that have a profile. Raises as `requests_in`."""
    return [request for request in requests_in(path) if request.task.user_profile]


def _request(row: Request) -> ChatRequest:
    system = PROMPTS.fill(row.language, "profile_system")
    asked = PROMPTS.fill(row.language, "profile_user", profile=row.task.user_profile)
    messages = ({"role": "system", "content": system}, {"role": "user", "content": asked})
    return ChatRequest(messages, temperature=0.0)


def read_profile(row: Request, text: str) -> dict[str, Any]:
    """`user_profile` as the model wrote it. Raises Unusable: it lacks a heading, or still tells who somebody is."""
    profile = _without_fence(storable(text).strip())
    if missing := [heading for heading in (BASICS, TASTES) if heading not in profile]:
        raise Unusable(f"the heading {missing[0]} is missing")
    if leaks_found := leaks(profile):
        raise Unusable(f"it still holds {_article(leaks_found[0].kind)}: {leaks_found[0].text}")
    return {"user_profile": profile}


def _without_fence(text: str) -> str:
    lines = text.split("\n")
    fenced = len(lines) > 2 and lines[0].startswith("```") and lines[-1].strip() == "```"
    return "\n".join(lines[1:-1]).strip() if fenced else text


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aei" else f"a {kind}"


ANONYMISE = ModelStep(
    "anonymise",
    "Have a model take out of each profile what tells who somebody is",
    models=1,
    rows=profiles_in,
    request=_request,
    read=read_profile,
)

# Requests with the profiles of other users, which makes more multi-turn tasks of them (appendix A).


def other_profiles(own: str, profiles: Sequence[str], each: int, seed: int, key: str) -> list[str]:
    """Profiles for one request, none of them its own, drawn by its key: other requests change nothing in it.

    profiles: different ones.

    Raises:
        ValueError: there are fewer than `each` others.
    """
    others = [profile for profile in profiles if profile != own]
    if not 1 <= each <= len(others):
        raise ValueError(
            f"{each} other profiles are asked for, and there are {len(others)}; ask for 1 to that"
        )
    return random.Random(f"{seed}/{key}").sample(others, each)
