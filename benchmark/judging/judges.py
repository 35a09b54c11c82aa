"""The judge and the meta-judge: one request each."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from benchmark.judging.answers import read_calibration, read_judgement
from benchmark.judging.forms import FORMS
from benchmark.judging.room import over_limit, refuse_overlong
from benchmark.judging.transcript import Transcript
from benchmark.judging.verdict import Calibration, Judgement
from benchmark.judging.wording import fill, line
from benchmark.models import ChatRequest, Model, Reply
from sandbox.tools.language import Language


@dataclass(frozen=True, slots=True)
class Judge:
    """Rates a session in five dimensions (appendix A.7)."""

    model: Model

    def judge(self, transcript: Transcript) -> Judgement:
        """One request, and its answer read; whatever the answer is, it is kept.

        Raises:
            ModelFailure: there is no answer, or the request is too long for the model and was not made.
        """
        reply = _asked(self.model, judge_request(transcript))
        read = read_judgement(reply.text, transcript.turns, cut_off=_cut_off(reply))
        return replace(read, faults=(*over_limit(reply, self.model.setup), *read.faults))


@dataclass(frozen=True, slots=True)
class MetaJudge:
    """Says how far a judge's ratings can be relied on (section 4.2, appendix C.8)."""

    model: Model

    def calibrate(self, transcript: Transcript, judgement: Judgement) -> Calibration:
        """One request, and its answer read.

        Raises:
            ModelFailure: there is no answer, or the request is too long for the model and was not made.
        """
        reply = _asked(self.model, meta_request(transcript, judgement))
        read = read_calibration(reply.text, transcript.turns, cut_off=_cut_off(reply))
        return replace(read, faults=(*over_limit(reply, self.model.setup), *read.faults))


def judge_request(transcript: Transcript) -> ChatRequest:
    """What a judge is asked."""
    asked = fill(transcript.form, transcript.language, "judge_user", shown=transcript.text)
    return _request(transcript, "judge_system", asked)


def meta_request(transcript: Transcript, judgement: Judgement) -> ChatRequest:
    """What a meta-judge is asked: the transcript, the ratings, and which citations are known to be wrong."""
    language = transcript.language
    ratings = {
        name: {"score": rating.score, "rationale": rating.rationale, "turns": rating.turns}
        for name, rating in judgement.ratings.items()
    }
    asked = fill(
        transcript.form,
        language,
        "meta_user",
        shown=transcript.text,
        ratings=json.dumps(ratings, ensure_ascii=False, indent=1),
        unknown=line(language, "unknown", turns=_unknown(judgement, language)),
    )
    return _request(transcript, "meta_system", asked)


def _request(transcript: Transcript, template: str, asked: str) -> ChatRequest:
    form, language = transcript.form, transcript.language
    system = fill(form, language, template, rubric=fill(form, language, "rubric"))
    messages = ({"role": "system", "content": system}, {"role": "user", "content": _sendable(asked)})
    return ChatRequest(messages, temperature=FORMS[form].temperature, json_object=True)


def _asked(model: Model, request: ChatRequest) -> Reply:
    refuse_overlong(request, model.setup)
    return model.ask(request)


def _unknown(judgement: Judgement, language: Language) -> str:
    turns = sorted({turn for rating in judgement.ratings.values() for turn in rating.unknown})
    return ", ".join(map(str, turns)) or line(language, "none")


def _cut_off(reply: Reply) -> bool:
    return reply.finish_reason == "length"


def _sendable(text: str) -> str:
    """Half a surrogate pair, which published tasks and caches may hold, can't be sent."""
    return text.encode("utf-8", "replace").decode()
