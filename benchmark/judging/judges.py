"""The judge and the meta-judge: one request each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmark.judging.answers import JSON_READING
from benchmark.judging.room import over_limit, refuse_overlong
from benchmark.judging.rubric import Dimension, InputForm, Reading, Transcript
from benchmark.judging.verdict import Calibration, Judgement, Rating
from benchmark.models import ChatRequest, Model, Reply
from sandbox.tools.language import Language


@dataclass(frozen=True, slots=True)
class Judge:
    """Rates a session in each dimension."""

    model: Model
    form: InputForm
    dimensions: Sequence[Dimension]

    def judge(self, transcript: Transcript, *, tries: int = 0) -> Judgement:
        """One request, and its answer read; whatever the answer is, it is kept. tries: unusable answers before it.

        Raises:
            ModelFailure: there is no answer, or the request is too long for the model and was not made.
        """
        reply = _ask_model(self.model, judge_request(self.form, transcript, tries=tries))
        wanted = transcript.dimensions
        dimensions = [dimension for dimension in self.dimensions if wanted is None or dimension.key in wanted]
        read = reading_of(self.form).judgement(
            reply.text, dimensions, transcript.turns, cut_off=_cut_off(reply)
        )
        faults = (*over_limit(reply, self.model.setup), *read.faults)
        return replace(read, faults=faults, weight=transcript.weight)


@dataclass(frozen=True, slots=True)
class MetaJudge:
    """Says how far a judge's ratings can be relied on."""

    model: Model
    form: InputForm

    def calibrate(self, transcript: Transcript, judgement: Judgement) -> Calibration:
        """One request, and its answer read.

        Raises:
            ModelFailure: there is no answer, or the request is too long for the model and was not made.
        """
        reply = _ask_model(self.model, meta_request(self.form, transcript, judgement))
        read = reading_of(self.form).calibration(reply.text, transcript.turns, cut_off=_cut_off(reply))
        return replace(read, faults=(*over_limit(reply, self.model.setup), *read.faults))


def reading_of(form: InputForm) -> Reading:
    """How the answers to its requests are read."""
    return form.reading or JSON_READING


def judge_request(form: InputForm, transcript: Transcript, *, tries: int = 0) -> ChatRequest:
    """What a judge is asked. tries: how many unusable answers it has given to it."""
    asked = form.prompts.fill(transcript.language, "judge_user", shown=transcript.text)
    return _request(form, transcript.language, "judge_system", asked, form.temperature_at(tries))


def meta_request(form: InputForm, transcript: Transcript, judgement: Judgement) -> ChatRequest:
    """What a meta-judge is asked: the transcript, the ratings, and which citations are known to be wrong."""
    language, prompts = transcript.language, form.prompts
    ratings = {
        name: {"score": rating.score, "rationale": rating.rationale, **_cited_turns(rating, transcript)}
        for name, rating in judgement.ratings.items()
    }
    unknown = sorted({turn for rating in judgement.ratings.values() for turn in rating.unknown})
    asked = prompts.fill(
        language,
        "meta_user",
        shown=transcript.text,
        ratings=json.dumps(ratings, ensure_ascii=False, indent=1),
        unknown=prompts.line(
            language,
            "lines",
            "unknown",
            turns=", ".join(map(str, unknown)) or prompts.line(language, "lines", "none"),
        ),
    )
    return _request(form, language, "meta_system", asked, form.temperature)


def _request(
    form: InputForm, language: Language, template: str, asked: str, temperature: float
) -> ChatRequest:
    system = form.prompts.fill(language, template, rubric=form.prompts.fill(language, "rubric"))
    messages = ({"role": "system", "content": system}, {"role": "user", "content": _sendable(asked)})
    json_object = reading_of(form).json_object
    return ChatRequest(messages, temperature=temperature, json_object=json_object, top_p=form.top_p)


def _cited_turns(rating: Rating, transcript: Transcript) -> dict[str, Sequence[int]]:
    """The turns of a rating, where the transcript numbers its turns."""
    return {"turns": rating.turns} if transcript.turns else {}


def _ask_model(model: Model, request: ChatRequest) -> Reply:
    refuse_overlong(request, model.setup)
    return model.ask(request)


def _cut_off(reply: Reply) -> bool:
    return reply.finish_reason == "length"


def _sendable(text: str) -> str:
    """Half a surrogate pair, which published tasks and caches may hold, can't be sent."""
    return text.encode("utf-8", "replace").decode()
