"""web_search: what the question is about."""

from __future__ import annotations

import re
from typing import cast

from sandbox.calls import Example
from sandbox.toolsets.base import Question
from sandbox.toolsets.grouptravel.nearest.records import fit_example, good, read_as, result_text
from sandbox.toolsets.grouptravel.nearest.sameness import same_words, text_of
from sandbox.toolsets.grouptravel.web_search import (
    FACTS,
    Answer,
    WebSearchArguments,
    WebSearchResult,
    search_note,
    subjects,
)
from sandbox.worlds.text import normalise

_NO_SUBJECT = re.compile(
    r"(?:19|20)\d\d年?|最新|官方|官网|预订|预约|时间|旅游|旅行|游玩|什么|有哪些|哪些|如何|怎么|是否|可以|需要|"
    r"\b(?:a|an|and|are|at|best|do|for|from|get|how|in|is|of|official|on|opening|hours|price|prices|the|there|"
    r"things|ticket|tickets|to|top|travel|visit|what|when|where|which|guide|tips)\b",
    re.IGNORECASE,
)


def web(question: Question) -> str:
    """The cached answer to the same question, else the cached answers that name all that this one is about.

    A question that only resembles another one is about something else; nothing is told of it.
    """
    asked = cast("WebSearchArguments", question.valid.arguments).query
    same = [each for each in good(question.examples) if same_words(asked, each.call.arguments.get("query"))]
    if same:
        return fit_example(same[0], question)
    answers = _answers(question, subject_of(asked))
    note = search_note(has_results=bool(answers)).to(question.language)
    return _result(asked, tuple(answers[:FACTS]), note) if answers else _foreign(question, asked)


def subject_of(query: str) -> frozenset[str]:
    """The words of a question that say what it is about."""
    words = (normalise(word) for part in subjects(query) for word in _NO_SUBJECT.split(part))
    return frozenset(word for word in words if len(word) > 1)


def _answers(question: Question, subject: frozenset[str]) -> list[Answer]:
    results = (read_as(WebSearchResult, example) for example in good(question.examples))
    every = (answer for result in results if result for answer in result.answers)
    return [answer for answer in dict.fromkeys(every) if subject and _names(answer, subject)]


def _names(answer: Answer, subject: frozenset[str]) -> bool:
    key = normalise(f"{answer.title}\n{answer.text}")
    return all(word in key for word in subject)


def _foreign(question: Question, asked: str) -> str:
    """An answer of another form to a question about the same things; else the tool's own that there is none."""
    for example in good(question.examples):
        if _is_about_the_same(example, asked) and read_as(WebSearchResult, example) is None:
            return fit_example(example, question)
    return _result(asked, (), search_note(has_results=False).to(question.language))


def _is_about_the_same(example: Example, asked: str) -> bool:
    subject = subject_of(asked)
    return bool(subject) and subject == subject_of(text_of(example.call.arguments.get("query")))


def _result(query: str, answers: tuple[Answer, ...], note: str) -> str:
    return result_text(WebSearchResult(query=query, answers=answers, note=note))
