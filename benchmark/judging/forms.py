"""The input forms: what a judge is shown, at which temperature, and how often an answer is asked for.

The form is part of who judged: ratings of two forms are never averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from benchmark.core.events import Event
from benchmark.judging.published import published_transcript
from benchmark.judging.transcript import Transcript, caravan_transcript
from benchmark.judging.wording import FormName


@dataclass(frozen=True, slots=True)
class InputForm:
    """tries: how many answers may be asked for until one can be read; without one the judgement is dropped."""

    name: FormName
    transcript: Callable[[Iterable[Event]], Transcript]
    temperature: float
    tries: int


PUBLISHED: FormName = "published"
CARAVAN: FormName = "caravan"
FORMS: Mapping[str, InputForm] = {
    PUBLISHED: InputForm(PUBLISHED, published_transcript, temperature=0.1, tries=1 + 10),
    CARAVAN: InputForm(CARAVAN, caravan_transcript, temperature=0.0, tries=1),
}
"""`published`: the published implementation's. `caravan`: no tables, but notes, rounds and compromises, at the
temperature of the paper's appendix C.1.
"""
