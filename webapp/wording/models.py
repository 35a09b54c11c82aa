"""What a request to a model came to, and why words were withdrawn, in words."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.events import DraftWithdrawn, ModelCalled

_FAILURE_WORDS: dict[str, Promise] = {
    "no_key": gettext_lazy("this worker does not have the key"),
    "auth": gettext_lazy("the key was refused"),
    "not_found": gettext_lazy("there is no such address or model"),
    "refused": gettext_lazy("the request was refused"),
    "overflow": gettext_lazy("the context limit is exceeded"),
    "rate_limit": gettext_lazy("too many requests"),
    "server": gettext_lazy("the server failed"),
    "connection": gettext_lazy("the server cannot be reached"),
    "closed": gettext_lazy("the server closed the connection"),
    "timeout": gettext_lazy("no answer in time"),
    "cut": gettext_lazy("the answer broke off"),
    "filtered": gettext_lazy("the content filter cut the answer off"),
    "oversized": gettext_lazy("the answer is too long to be kept"),
    "malformed": gettext_lazy("the answer is not a chat completion"),
    "cancelled": gettext_lazy("broken off: the session was stopped, or its worker ended"),
}


def failure_words(kind: str) -> str:
    """Why a request had no answer."""
    return str(_FAILURE_WORDS.get(kind, kind))


def call_words(call: ModelCalled) -> str:
    """One line: who asked which model, what came of it, tokens, time, cost."""
    who = _("%(seat)s asked %(model)s") % {"seat": call.seat, "model": call.model or call.endpoint}
    return " · ".join([who, *(_answer(call) if call.answered else _failure(call))])


def _answer(call: ModelCalled) -> list[str]:
    parts = [call_tokens(call), _("%(s)s s") % {"s": f"{call.latency_ms / 1000:.1f}"}]
    if call.cost is not None:
        parts.append(f"{call.cost:.4f} {call.currency}")
    if call.attempt > 1:
        parts.append(_("attempt %(n)s") % {"n": call.attempt})
    if call.finish_reason == "length":
        parts.append(_("cut off at the output limit"))
    if call.note:
        parts.append(call.note)
    return parts


def call_tokens(call: ModelCalled) -> str:
    """The tokens of one request, in and out."""
    if call.tokens is None:
        return _("tokens unknown")
    return _("%(prompt)s + %(completion)s tokens") % {
        "prompt": f"{call.tokens.prompt:,}",
        "completion": f"{call.tokens.completion:,}",
    }


def _failure(call: ModelCalled) -> list[str]:
    status = f" ({call.status})" if call.status else ""
    parts = [failure_words(call.outcome) + status, _("attempt %(n)s") % {"n": call.attempt}]
    if call.retry_in_s is not None:
        parts.append(_("again in %(s)s s") % {"s": f"{call.retry_in_s:.1f}"})
    if call.unknown:
        parts.append(_("tokens unknown"))
    return parts


_WITHDRAWAL_WORDS: dict[str, Promise] = {
    "empty": gettext_lazy("it was empty"),
    "called_tools": gettext_lazy("it called tools in a turn that allows none"),
    "cut_off": gettext_lazy("it was cut off at the output limit"),
    "critique": gettext_lazy("a check found faults"),
    "reflection": gettext_lazy("it is a reflection on faults"),
    "translation": gettext_lazy("it translates the request for a program"),
    "unreadable": gettext_lazy("it could not be read"),
    "tree_level": gettext_lazy("it picks the rules of a level of the tree"),
    "tree_leaf": gettext_lazy("it fills a leaf of the tree"),
    "unknown_ids": gettext_lazy("it names what may not be said now"),
    "too_many_ids": gettext_lazy("it says too much at once"),
    "ended_ids": gettext_lazy("it replaces what does not hold now"),
    "left_out_ids": gettext_lazy("it leaves out what has to be said now"),
    "react_form": gettext_lazy("it did not keep the form of ReAct"),
}


def draft_words(draft: DraftWithdrawn) -> str:
    """Whose words did not count, and why."""
    why = withdrawal_words(draft.why)
    return _("%(who)s's answer did not count: %(why)s") % {"who": draft.speaker, "why": why}


def withdrawal_words(why: str) -> str:
    """Why an answer did not count, from the name of the reason."""
    return str(_WITHDRAWAL_WORDS.get(why, why.replace("_", " ")))
