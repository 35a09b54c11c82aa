"""Who the travellers are: a pool of profiles of our own, or a researcher's (GroupTravelBench, section 3.2, stage 1).

The published pool of 3,718 profiles was not released. Ours is drawn from data/profiles.json, where each table names
its source; the same seed gives the same pool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmark.inputs import MB, LineProblem, Problems, filled_lines, numbered_lines, open_unpacked
from benchmark.jsonlines import read_json, unstorable_in
from benchmark.suites.grouptravel.synthesis.archetypes import DATA, WantedProfile
from benchmark.suites.grouptravel.synthesis.draws import dice, pick

POOL = 3_718
"""As many as the paper had."""
OF_AGE = 18
_LONGEST = MB
Sex = Literal["male", "female"]
Score = Annotated[float, Field(ge=0, le=1)]
_TABLES: dict[str, Any] = orjson.loads((DATA / "profiles.json").read_bytes())
_COUNTS: dict[str, Any] = orjson.loads((DATA / "profile_distribution.json").read_bytes())
_SEXES: dict[str, Sex] = {"男": "male", "女": "female"}
TOPICS: tuple[str, ...] = tuple(_TABLES["interests"]["topics"])
FLAVOURS: tuple[str, ...] = tuple(_TABLES["flavours"]["topics"])


class Profile(BaseModel):
    """One traveller. age: in years. interests, flavours: scores from 0 to 1 by topic; a topic left out counts 0.5."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: Annotated[str, Field(min_length=1, max_length=100)]
    age: Annotated[int, Field(ge=8, le=99)]
    sex: Sex
    married: bool = False
    children: bool = False
    occupation: Annotated[str, Field(max_length=60)] = ""
    car: bool = False
    interests: dict[str, Score] = {}
    flavours: dict[str, Score] = {}

    @property
    def purse(self) -> float:
        """What they spend beside others of their age, 1 as the usual."""
        factor: float = _TABLES["occupations"]["purse"].get(self.occupation, 1.0)
        return factor

    def fits(self, wanted: WantedProfile) -> bool:
        """Whether they can play a role."""
        return (
            wanted.age[0] <= self.age <= wanted.age[1]
            and (wanted.sex not in ("male", "female") or wanted.sex == self.sex)
            and wanted.married in (None, self.married)
            and wanted.children in (None, self.children)
        )

    def summary(self, language: str) -> str:
        """In a few words, as a model that writes their table reads them."""
        likes = sorted(self.interests | self.flavours, key=lambda topic: -self.score(topic))
        fond, cold = ", ".join(likes[:4]), ", ".join(reversed(likes[-3:]))
        if language == "en":
            work = _TABLES["occupations"]["en"].get(self.occupation, self.occupation)
            family = "married" if self.married else "single"
            kids = ", has children" if self.children else ""
            car = ", has a car" if self.car else ""
            return f"{self.sex}, {self.age}, {family}{kids}{car}, {work}; fond of {fond}; not of {cold}"
        sex = "男" if self.sex == "male" else "女"
        family = "已婚" if self.married else "未婚"
        kids = "，有孩子" if self.children else ""
        car = "，有车" if self.car else ""
        return f"{sex}，{self.age}岁，{family}{kids}{car}，{self.occupation}；喜欢：{fond}；不喜欢：{cold}"

    def score(self, topic: str) -> float:
        """How much a topic appeals, from 0 to 1."""
        return self.interests.get(topic, self.flavours.get(topic, 0.5))


@cache
def pool(seed: int = 0, count: int = POOL) -> tuple[Profile, ...]:
    """The built-in profiles; profile n is the same in a pool of any size."""
    return tuple(_profile(dice("profile", seed, number), number) for number in range(1, count + 1))


def _joint() -> dict[tuple[str, Sex], float]:
    """Weights of age band and sex, without those who told neither."""
    shares: dict[tuple[str, Sex], float] = {}
    for key, count in _COUNTS["age_by_sex"].items():
        band, _, sex = key.partition("|")
        if band in _TABLES["ages"]["bands"] and sex in _SEXES:
            shares[band, _SEXES[sex]] = count * (_TABLES["young"]["times"] if band == "1-17" else 1)
    return shares


_JOINT = _joint()


def _profile(rng: Random, number: int) -> Profile:
    band, sex = pick(rng, _JOINT)
    low, high = _TABLES["ages"]["bands"][band]
    age = rng.randint(low, high)
    married = rng.random() < _TABLES["married"]["share"][band][_TABLES["married"]["order"].index(sex)]
    has_children = _TABLES["children"]["of_married"][band] if married else _TABLES["children"]["of_others"]
    children = age >= 20 and rng.random() < has_children
    jobs = _TABLES["occupations"]
    return Profile(
        id=f"profile_{number:05d}",
        age=age,
        sex=sex,
        married=married,
        children=children,
        occupation=pick(rng, jobs["by_band"][jobs["band_of"][band]]),
        car=rng.random() < _TABLES["car"]["share"][band],
        interests=_scores(rng, "interests", age, sex, children),
        flavours=_scores(rng, "flavours", age, sex, children),
    )


def _scores(rng: Random, kind: str, age: int, sex: Sex, children: bool) -> dict[str, float]:
    spread: float = _TABLES[kind]["spread"]
    return {
        topic: _score(terms, age, sex, children, rng.gauss(0, spread))
        for topic, terms in _TABLES[kind]["topics"].items()
    }


def _score(terms: Mapping[str, float], age: int, sex: Sex, children: bool, chance: float) -> float:
    youth, years = max(0, 30 - age) / 10, max(0, age - 50) / 10
    mean = terms["base"] + terms[sex] + terms["young"] * youth + terms["old"] * years
    return round(min(1.0, max(0.0, mean + terms["family"] * children + chance)), 2)


# A researcher's own profiles.


class BadProfiles(ValueError):
    """A file of profiles that can't be used; the message has a line for each problem."""


def read_profiles(path: Path, *, called: str = "") -> tuple[Profile, ...]:
    """The profiles of a JSONL file (.gz too), one object a line with the fields of `Profile`. called: what messages
    call the file, by default its path.

    Raises:
        BadProfiles: naming line, field and remedy of each problem.
        OSError: the file can't be read.
    """
    problems, profiles = Problems(), dict[str, Profile]()
    with open_unpacked(path) as file:
        for item in filled_lines(numbered_lines(file, _LONGEST), _LONGEST, "profile"):
            for told in [item] if isinstance(item, LineProblem) else _take_line(*item, profiles):
                problems.add(told)
    if problems:
        raise BadProfiles(f"{called or path}: these profiles can't be used\n{problems}")
    return tuple(profiles.values())


def _take_line(number: int, line: bytes, profiles: dict[str, Profile]) -> Iterator[LineProblem]:
    try:
        plain = read_json(line)
        if wrong := unstorable_in(plain):
            yield LineProblem(number, *wrong)
            return
        if not isinstance(plain, dict):
            yield LineProblem(number, "", "must be an object")
            return
        profile = Profile.model_validate(plain)
    except ValidationError as error:
        for item in error.errors():
            yield LineProblem(number, ".".join(map(str, item["loc"])), item["msg"])
    except ValueError as error:
        yield LineProblem(number, "", f"no JSON ({error}); write one object a line")
    else:
        topics = {"interests": TOPICS, "flavours": FLAVOURS}
        for field, known in topics.items():
            for topic in getattr(profile, field):
                if topic not in known:
                    message = f"is no topic; there are {', '.join(known)}"
                    yield LineProblem(number, f"{field}.{topic}", message)
        if profile.id in profiles:
            yield LineProblem(number, "id", f"{profile.id} stands on an earlier line; give each its own")
        profiles.setdefault(profile.id, profile)
