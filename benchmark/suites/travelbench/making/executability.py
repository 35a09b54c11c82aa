"""Whether a request can be carried out at all, as three models say, and why not (section 3.1)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from benchmark.judging.json_objects import objects_in
from benchmark.making import ModelStep, Unusable
from benchmark.models import ChatRequest
from benchmark.models.answers import storable
from benchmark.suites.travelbench.conversation.rules import TOOLSET
from benchmark.suites.travelbench.making.rows import Request, requests_in
from benchmark.text.prompts import Prompts
from sandbox.tools.language import Language
from sandbox.toolsets import toolset_named

PROMPTS = Prompts(Path(__file__).parent / "prompts")
MODELS = 3
CAUSES = {"tool": "missing_tool", "context": "missing_info", "intent": "no_actionable"}
"""What models call a cause, and the flag of a task that it sets."""
Fate = Literal["solvable", "unsolvable", "doubtful", "dropped"]


class Verdict(NamedTuple):
    """fate: dropped where the models disagree, doubtful where they give three causes. cause: a flag, "" for none."""

    fate: Fate
    cause: str = ""


def verdict(answers: Sequence[Mapping[str, Any]]) -> Verdict:
    """From the answers of all three models: only what all of them call impossible is unsolvable.

    Its cause is that of most of them; people have to decide where there is none.
    """
    refused = [answer["cause"] for answer in answers if not answer["executable"]]
    if not refused:
        return Verdict("solvable")
    if len(refused) < len(answers):
        return Verdict("dropped")
    [(cause, votes), *_] = Counter(refused).most_common(1)
    return Verdict("unsolvable", CAUSES[cause]) if 2 * votes > len(refused) else Verdict("doubtful")


def _request(row: Request) -> ChatRequest:
    system = PROMPTS.fill(row.language, "executable_system", tools=_tools(row.language))
    asked = PROMPTS.fill(
        row.language,
        "executable_user",
        time=row.task.time,
        context=row.task.context,
        query=row.task.query,
    )
    messages = ({"role": "system", "content": system}, {"role": "user", "content": asked})
    return ChatRequest(messages, temperature=0.0, json_object=True)


def _tools(language: Language) -> str:
    functions = (definition["function"] for definition in toolset_named(TOOLSET).definitions(language))
    return "\n".join(f"- {function['name']}: {function['description']}" for function in functions)


def read_answer(row: Request, text: str) -> dict[str, Any]:
    """`executable`, `cause` (None where it is) and `reasoning`. Raises Unusable."""
    answers = [answer for answer in objects_in(text).whole if "executable" in answer]
    if not answers:
        raise Unusable("no JSON object with `executable`")
    said = answers[-1]
    executable, cause = said["executable"], said.get("cause")
    if not isinstance(executable, bool):
        raise Unusable(
            f"`executable` is {json.dumps(executable, ensure_ascii=False)[:40]}, not true or false"
        )
    if not executable and cause not in CAUSES:
        shown = json.dumps(cause, ensure_ascii=False)[:40]
        raise Unusable(f"`cause` is {shown}, none of {', '.join(CAUSES)}")
    reasoning = said.get("reasoning")
    told = storable(reasoning).strip() if isinstance(reasoning, str) else ""
    return {"executable": executable, "cause": None if executable else cause, "reasoning": told}


ANNOTATE = ModelStep(
    "annotate",
    "Ask three models whether each request can be carried out, and if not, why",
    models=MODELS,
    rows=requests_in,
    request=_request,
    read=read_answer,
)
