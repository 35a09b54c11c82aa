"""Who gave a verdict: a judge, and whoever checked it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmark.judging.rubric import PUBLISHED

NO_META_JUDGE = "no meta-judge"


@dataclass(frozen=True, slots=True)
class Pair:
    """A judge and a meta-judge: models under names, what they were shown, and how. Any other is another pair.

    meta_judge: "" where none was asked, so that the judge's ratings count as they are.
    form: the input form. rubric: the name of what was asked. prompts: versions, one a language. sessions: how many of
    a report's they gave a score.
    """

    judge: str
    meta_judge: str
    sessions: int = field(default=0, compare=False)
    judge_model: str = ""
    meta_model: str = ""
    prompts: tuple[str, ...] = ()
    form: str = PUBLISHED
    rubric: str = ""

    @property
    def models(self) -> tuple[str, str, str, str, str]:
        """Who they are and what they were shown, whatever they were asked and their prompts."""
        return self.judge, self.judge_model, self.meta_judge, self.meta_model, self.form

    @property
    def judge_label(self) -> str:
        """The judge's name and model, and what it was shown: `swapped (fixed5) on published input`."""
        return f"{_label(self.judge, self.judge_model)} on {self.form} input"

    @property
    def full_label(self) -> str:
        """The same, and what it was asked where that has a name: `… on published input by the rubric style`."""
        return f"{self.judge_label} by the rubric {self.rubric}" if self.rubric else self.judge_label

    @property
    def judge_names(self) -> tuple[str, ...]:
        """All that the judge may be called: by name, with its model, with what it was shown, or with both."""
        named = (self.judge, _label(self.judge, self.judge_model))
        return (*named, *(f"{name} on {self.form} input" for name in named))

    @property
    def meta_label(self) -> str:
        """The meta-judge's name and model, or that there is none."""
        return _label(self.meta_judge, self.meta_model) if self.meta_judge else NO_META_JUDGE


def _label(name: str, model: str) -> str:
    return f"{name} ({model})" if model else name


def prompts_apart(pair: Pair, pairs: Iterable[Pair]) -> str:
    """The versions of a pair's prompts; "" where they tell it from none of the pairs."""
    same = [other for other in pairs if (other.models, other.rubric) == (pair.models, pair.rubric)]
    alike = [other for other in same if other != pair]
    return ", ".join(pair.prompts) if alike else ""
