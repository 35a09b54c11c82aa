"""The traveller that speaks through a model (GroupTravelBench, A.5 and D.8)."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.core.actions import PASS, Action, Pass, Redo, Say
from benchmark.core.view import Draft
from benchmark.models import Model, Reply
from benchmark.suites.grouptravel.travellers.llm.bounds import Bounds, Fault, bounds_of
from benchmark.suites.grouptravel.travellers.llm.contract import faults, normalise
from benchmark.suites.grouptravel.travellers.llm.markers import marking
from benchmark.suites.grouptravel.travellers.llm.request import PROMPTS, request_of
from benchmark.suites.grouptravel.travellers.llm.trimming import trim
from benchmark.suites.grouptravel.travellers.people.agreeing import agreed_offers
from benchmark.suites.grouptravel.travellers.people.offers import marker
from benchmark.suites.grouptravel.view import GroupView

REGENERATIONS = 3
UNFINISHED, UNMARKED_CONSENT = "unfinished", "agrees_unmarked"
TRIMMED, GIVEN_UP = "trimmed", "given_up"
LONGEST_EVIDENCE = 200


@dataclass(frozen=True, slots=True)
class LlmUser:
    """Says what its model writes.

    Under the contract `markers` that is all: the engine asks again for a compromise marker that it can't accept, as
    the published runner does. Under `strict` a reply that breaks the contract is withdrawn under the name of its
    first fault and asked for again, three times at most in one turn. Then, without the model, one more draft is
    withdrawn: `trimmed`, the words of the newest draft from which the offending part can be cut, and they are said;
    or `given_up`, where there are none, and it passes. Words that agree to give way without a marker are asked for
    again once, as a person at the page is asked; said again, they are taken for words alone.
    """

    model: Model

    def act(self, view: GroupView) -> Action:
        """One model call at most. Without a card there is nothing to say.

        Raises:
            ModelFailure: the model gave no answer.
        """
        if view.card is None:
            return Pass()
        if view.contract == "markers":
            return _as_written(self.model.ask(request_of(view, view.card)))
        drafts, bounds = view.turn.drafts, bounds_of(view, view.card)
        if drafts and drafts[-1].why in (TRIMMED, GIVEN_UP):
            return Say(drafts[-1].content) if drafts[-1].why == TRIMMED else Pass()
        if len(drafts) > REGENERATIONS:
            return _last_resort(drafts, bounds)
        return _judge_reply(self.model.ask(request_of(view, view.card)), bounds, view)


def _as_written(reply: Reply) -> Action:
    """The engine finds a pass and a marker in it; nothing at all is a pass."""
    text = reply.text.strip()
    return Say(text, thought=reply.reasoning) if text else Pass(reply.reasoning)


def _judge_reply(reply: Reply, bounds: Bounds, view: GroupView) -> Action:
    text = normalise(reply.text)
    broken = [Fault(UNFINISHED)] if reply.finish_reason == "length" else []
    if reply_faults := [*broken, *faults(text, bounds), *_unmarked_consent(text, view)]:
        note = " ".join(_in_words(fault, view.language) for fault in reply_faults)
        return Redo(reply.text, why=reply_faults[0].name, note=note, thought=reply.reasoning)
    return Pass(reply.reasoning) if text == PASS else Say(text, thought=reply.reasoning)


def _unmarked_consent(text: str, view: GroupView) -> list[Fault]:
    """Consent that changes no table; the evidence is the marker that it lacks."""
    if any(draft.why == UNMARKED_CONSENT for draft in view.turn.drafts) or marking(text).spans:
        return []
    return [Fault("agrees_unmarked", marker(offer, view)) for offer in agreed_offers(view, text)[:1]]


def _in_words(fault: Fault, language: str) -> str:
    evidence = fault.evidence[:LONGEST_EVIDENCE].replace("\n", " ")
    return PROMPTS.line(language, "faults", fault.name, evidence=evidence)


def _last_resort(drafts: tuple[Draft, ...], bounds: Bounds) -> Redo:
    """The newest draft that can be trimmed; an answer that broke off never can."""
    for draft in reversed(drafts):
        if draft.why != UNFINISHED and (kept := trim(draft.content, bounds)):
            return Redo(kept, why=TRIMMED, note=draft.why)
    return Redo("", why=GIVEN_UP, note=drafts[-1].why)
