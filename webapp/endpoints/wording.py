"""How endpoints, their tests and their use are told."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from benchmark.core.model_use import ModelUse
from webapp.endpoints.models import ModelEndpoint, ToolProtocol

_CAPABILITIES: dict[str, Promise] = {
    "chat": _("chat"),
    "tools": _("tool calls"),
    "parallel_tools": _("several tool calls at once"),
    "streaming": _("streaming"),
    "structured_output": _("structured output"),
    "usage": _("usage figures"),
    "logprobs": _("log-probabilities"),
}
_ROLES: dict[str, Promise] = {
    "agent": _("agent"),
    "travellers": _("travellers"),
    "simulator": _("simulator"),
    "judge": _("judge"),
    "meta_judge": _("meta-judge"),
    "writer": _("writer of tasks"),
    "repairer": _("repairer of answers"),
    "namer": _("namer of failures"),
    "experiment": _("experiments"),
    "": _("all"),
}
_SETTINGS: dict[str, Promise] = {
    "tools": _("tools"),
    "streams": _("answers"),
    "json_mode": _("JSON mode"),
    "logprobs": _("log-probabilities"),
    "limit_parameter": _("limit parameter"),
    "context_limit": _("context limit"),
    "max_tokens": _("longest answer"),
}


def capability_words(capability: str) -> str:
    """What a test tried; an unknown one as it is."""
    return str(_CAPABILITIES.get(capability, capability))


def role_words(role: str) -> str:
    """Who asked."""
    return str(_ROLES.get(role, role))


def suggestion_words(suggested: dict[str, Any]) -> list[str]:
    """Settings that a test suggests, in words."""
    return [f"{_SETTINGS.get(name, name)}: {_value_words(name, value)}" for name, value in suggested.items()]


def _value_words(name: str, value: Any) -> str:
    if name == "tools":
        return str(ToolProtocol(value).label)
    if name == "streams":
        return _now("in pieces") if value else _now("whole")
    if name == "limit_parameter":
        return str(value)
    if name in ("context_limit", "max_tokens"):
        return f"{value:,}"
    return _now("yes") if value else _now("no")


def works_words(works: bool | None) -> str:
    """Whether something works, as far as the test found out."""
    return _now("not determined") if works is None else _now("yes") if works else _now("no")


def tokens_words(use: ModelUse, name: str = "") -> str:
    """A figure of tokens, all of them without a name; `unknown` where nobody counted any."""
    if not use.tokens_known:
        return _now("unknown")
    count = getattr(use, name) if name else use.prompt + use.completion
    return f"{count:,}"


def unknown_words(use: ModelUse) -> str:
    """How many requests no figure of tokens holds; "" for none."""
    return _unknown_words(use.unknown)


def _unknown_words(count: int) -> str:
    if not count:
        return ""
    return ngettext("%(n)s request unknown", "%(n)s requests unknown", count) % {"n": count}


def cost_words(use: ModelUse) -> str:
    """Costs by currency, with the requests that they do not hold; a dash where there was nothing to pay.

    Where nobody knows any: `no price` if that alone is lacking, else `unknown`.
    """
    if not use.cost_known:
        return _now("no price") if use.unpriced == use.uncosted else _now("unknown")
    if not use.costs:
        return "–"
    paid = [f"{cost:,.4f} {currency}" for currency, cost in sorted(use.costs.items())]
    rest = (unpriced_words(use), _unknown_words(use.uncosted - use.unpriced))
    return " + ".join([*paid, *filter(None, rest)])


def unpriced_words(use: ModelUse) -> str:
    """How many requests cost something that nobody has set a price for; "" for none."""
    if not use.unpriced:
        return ""
    words = ngettext("%(n)s request without a price", "%(n)s requests without a price", use.unpriced)
    return words % {"n": use.unpriced}


def latency_words(milliseconds: float | None) -> str:
    """A time as long as a model takes."""
    if milliseconds is None:
        return "–"
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def why_words(why: str) -> str:
    """Why words did not count, from the reason's short name."""
    return why.replace("_", " ")


def price_words(endpoint: ModelEndpoint) -> str:
    """Prices per million tokens; `not known` where no cost can be told from them."""
    if endpoint.input_price is None or endpoint.output_price is None:
        return _now("not known")
    parts = [
        _now("%(price)s in") % {"price": f"{endpoint.input_price:g}"},
        _now("%(price)s out") % {"price": f"{endpoint.output_price:g}"},
    ]
    if endpoint.cached_price is not None:
        parts.append(_now("%(price)s cached") % {"price": f"{endpoint.cached_price:g}"})
    return f"{', '.join(parts)} {endpoint.currency}"
