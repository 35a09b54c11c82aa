"""What a user says beside the constraints, in the session's language: a table of sentences each."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Final

from benchmark.suites.tripbench.frame import Frame
from benchmark.text.prompts import Prompts

PROMPTS: Final = Prompts(Path(__file__).parent / "prompts")
_TABLE: Final = "sentences"


def say(language: str, key: str, **fields: object) -> str:
    """A sentence of the table."""
    return PROMPTS.line(language, _TABLE, key, **fields)


def knows(language: str, key: str) -> bool:
    """Whether the table has a sentence."""
    return PROMPTS.has_line(language, _TABLE, key)


def trip_words(frame: Frame, language: str) -> str:
    """What is fixed of a trip, in a sentence."""
    between = say(language, "and")
    stays = between.join(
        say(language, "stay_one" if nights == 1 else "stay", city=city, nights=nights)
        for city, nights in frame.stays
    )
    return say(
        language,
        "trip_alone" if frame.people == 1 else "trip",
        origin=frame.origin,
        stays=stays,
        start=day_words(frame.start_date, language),
        end=day_words(frame.end_date, language),
        people=frame.people,
    )


def day_words(day: date, language: str) -> str:
    """A date in words."""
    return say(language, "date", year=day.year, month=day.month, day=day.day, iso=day.isoformat())
