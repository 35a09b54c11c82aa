"""Judges as raters: the names under which their values stand."""

from __future__ import annotations

from hashlib import sha256

from benchmark.judging import Pair
from webapp.judging.models import JudgeBatch, Judgement, Rater
from webapp.judging.verdicts import pair_of

LONGEST = 200
"""The most characters of the stored name of a rater."""


def rater_of(pair: Pair, prompts: str) -> str:
    """The name of a judge in metric values: `wise (m) on published input, stern (n), prompts 1-0f3a9c21`."""
    return shorten_name(f"{pair.full_label}, {pair.meta_label}, prompts {prompts}")


def shorten_name(name: str) -> str:
    """The name or key of a rater, cut to what can be stored; a digest at its end keeps two long names apart."""
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 17]} {sha256(name.encode()).hexdigest()[:16]}"


def judge_of(judgement: Judgement) -> Rater:
    """The row of the rater that gave a verdict; it is made with the first verdict."""
    return judge_under(rater_of(pair_of(judgement.batch), judgement.prompts), judgement.batch)


def judge_under(key: str, batch: JudgeBatch) -> Rater:
    """The row of the judge of a batch under a name; it is made where it is not there."""
    setup = {"judge": batch.judge_setup, **({"meta_judge": batch.meta_setup} if batch.calibrated else {})}
    given = {"kind": Rater.Kind.JUDGE, "name": key, "endpoint": batch.judge, "setup": setup}
    rater, _new = Rater.objects.get_or_create(key=key, defaults=given)
    return rater
