"""What the toy brings to the pages: the words of what its rules find."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from benchmark.plans.view import Mark
from webapp.pages import Pages
from webapp.pages.plans import CostWords, PlanPages, Sentence

_WORDS = {
    "dear": "it costs ¥%(over)d too much",
    "hungry": "there is nothing to eat",
    "early": "it begins at %(start)s already",
}


def _words(mark: Mark) -> Sentence:
    rules = "strict rules only" if mark.profile else ""
    return Sentence(at=mark.at, text=_WORDS[mark.key] % mark.params, users=mark.who, rules=rules)


PAGES = Pages(plans=PlanPages(words=_words, cost_words=CostWords(gettext_lazy("Cost of the party"))))
