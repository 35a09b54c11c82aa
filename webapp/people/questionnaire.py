"""What people are asked when a session has ended: the questions, the form, and their answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.view import AGENT
from webapp.fields import NUL
from webapp.people.models import Guest, Study, study_of
from webapp.sessions.models import MetricValue, Session

Kind = Literal["scale", "text"]
KINDS: tuple[Kind, ...] = ("scale", "text")
LOWEST, HIGHEST = 1, 7
SCALE = range(LOWEST, HIGHEST + 1)
LONGEST_ANSWER = 5_000
"""Characters of a text."""
LONGEST_WORDS = 500
LONGEST_ANCHOR = 60
MOST_QUESTIONS = 40
RATER = "person:"
"""Before the id of the guest who gave a value of a metric."""
_KEY = re.compile(r"[a-z][a-z0-9_]{0,29}")
_SCALE_SEPARATOR = re.compile(r"\s*(?:…|\.\.\.)\s*")


@dataclass(frozen=True, slots=True)
class Question:
    """One question, in either language.

    key: of its answer, in files too. low, high: what the ends of a scale mean. required: an answer is asked for.
    """

    key: str
    kind: Kind
    zh: str
    en: str
    low_zh: str = ""
    high_zh: str = ""
    low_en: str = ""
    high_en: str = ""
    required: bool = False

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON, without what is empty."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Question:
        """From that."""
        return cls(**{"zh": "", "en": "", **plain})

    def words(self, language: str) -> str:
        """What is asked; in the other language where it was written in that alone."""
        return (self.zh or self.en) if language.startswith("zh") else (self.en or self.zh)

    def ends(self, language: str) -> tuple[str, str]:
        """What the lowest and the highest answer mean."""
        zh, en = (self.low_zh, self.high_zh), (self.low_en, self.high_en)
        first, other = (zh, en) if language.startswith("zh") else (en, zh)
        return first if any(first) else other


def _scale(key: str, en: str, ends_en: tuple[str, str], zh: str, ends_zh: tuple[str, str]) -> Question:
    return Question(key, "scale", zh, en, *ends_zh, *ends_en)


_HEARD_SCALE = _scale(
    "heard",
    "How well did the assistant listen to you?",
    ("not at all", "very well"),
    "助手有没有认真听取您的意见？",
    ("完全没有", "非常认真"),
)
STANDARD = (
    _scale(
        "satisfaction",
        "How satisfied are you with the plan?",
        ("not at all", "completely"),
        "您对这份行程方案满意吗？",
        ("完全不满意", "非常满意"),
    ),
    _scale(
        "fairness",
        "How fair is the plan to everybody in the group?",
        ("very unfair", "very fair"),
        "这份方案对同行的每个人公平吗？",
        ("很不公平", "非常公平"),
    ),
    _HEARD_SCALE,
    _scale(
        "effort",
        "How much effort did it cost you to take part?",
        ("very little", "very much"),
        "参与这次讨论费力吗？",
        ("毫不费力", "非常费力"),
    ),
    Question("open", "text", "还有什么想告诉我们的吗？", "Is there anything else that you want to tell us?"),
)
"""Asked where a study has no questions of its own."""
OF_THE_ASSISTANT = tuple(question for question in STANDARD if question is not _HEARD_SCALE)
"""The same for who was the assistant: they are not asked how it listened."""


def questions_of(study: Study) -> tuple[Question, ...]:
    """What the people of a study are asked."""
    if study.questions is None:
        return STANDARD
    return tuple(map(Question.of, study.questions))


def asked_in(session: Session) -> tuple[Question, ...]:
    """What the people of a session are asked."""
    return questions_of(study_of(session))


def asked_of(guest: Guest) -> tuple[Question, ...]:
    """What one of them is asked."""
    study = study_of(guest.seat.session)
    if study.questions is None and guest.seat.name == AGENT:
        return OF_THE_ASSISTANT
    return questions_of(study)


# The form.


class Scale(forms.TypedChoiceField):
    """Seven buttons in a row, which the arrow keys move among. low, high: what its ends mean."""

    def __init__(self, *, low: str, high: str, **options: Any) -> None:
        choices = [(number, str(number)) for number in SCALE]
        super().__init__(choices=choices, coerce=int, empty_value=None, widget=forms.RadioSelect, **options)
        self.low, self.high = low, high


class Questionnaire(forms.Form):
    """The questions in one language; nothing has to be answered but what the study marks."""

    def __init__(self, questions: Sequence[Question], language: str, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", "prefix": "answer", **options})
        self.questions = questions
        for question in questions:
            self.fields[question.key] = _field(question, language)


def _field(question: Question, language: str) -> forms.Field:
    given: dict[str, Any] = {"label": question.words(language), "required": question.required}
    if question.kind == "text":
        area = forms.Textarea(attrs={"rows": 4, "maxlength": LONGEST_ANSWER})
        return forms.CharField(max_length=LONGEST_ANSWER, widget=area, **given)
    low, high = question.ends(language)
    return Scale(low=low, high=high, **given)


def questionnaire(guest: Guest, data: Any = None) -> Questionnaire:
    """The form for a guest in the language of their seat, with what they answered before."""
    return Questionnaire(
        asked_of(guest), guest.language, data, initial=guest.answers if data is None else None
    )


# The answers.


def store_answers(guest: Guest, cleaned: Mapping[str, Any]) -> bool:
    """Keep what a guest answered, in place of what they answered before; scales are values of their session too.

    False where their data was removed: nothing is kept then.
    """
    asked = {question.key: question for question in asked_of(guest)}
    given = {key: value for key, value in cleaned.items() if key in asked and value not in (None, "")}
    answers = {
        key: value.replace(NUL, "") if isinstance(value, str) else value for key, value in given.items()
    }
    with transaction.atomic():
        mine = Guest.objects.select_for_update(of=("self",)).filter(pk=guest.pk, data_removed_at=None)
        if not mine.exists():
            return False
        guest.answers, guest.answered_at = answers, timezone.now()
        mine.update(answers=answers, answered_at=guest.answered_at)
        rows = MetricValue.objects.filter(session=guest.seat.session_id, profile="", rater=rater_of(guest))
        rows.delete()
        MetricValue.objects.bulk_create(
            MetricValue(
                session_id=guest.seat.session_id,
                profile="",
                rater=rater_of(guest),
                key=key,
                value=float(value),
            )
            for key, value in answers.items()
            if asked[key].kind == "scale"
        )
    return True


def rater_of(guest: Guest) -> str:
    """A person as values name them."""
    return f"{RATER}{guest.pk}"


# A study's own questions, as a researcher writes them.


class QuestionsField(forms.CharField):
    """Questions, one a line: `key | scale | English | Chinese | low…high | 低…高`; `key*` has to be answered.

    Its value is what `Study.questions` keeps: None for the standard ones.
    """

    def __init__(self, **options: Any) -> None:
        given = {
            "label": gettext_lazy("Questions at the end"),
            "required": False,
            "strip": False,  # lines are counted
            "widget": forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "class": "code"}),
            "help_text": gettext_lazy(
                "One per line: key | scale or text | English | Chinese | low…high | the same in "
                "Chinese. A scale goes from 1 to 7. An asterisk after the key makes the question "
                "required. Leave empty for the standard questions."
            ),
        }
        super().__init__(**{**given, **options})

    def prepare_value(self, value: Any) -> Any:
        """Stored questions as lines."""
        if value is None or isinstance(value, str):
            return value
        return "\n".join(as_line(Question.of(question)) for question in value)

    def to_python(self, value: Any) -> Any:
        """The questions of the lines."""
        text = super().to_python(value) or ""
        return parse_questions(text) if text.strip() else None

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether the lines ask something else."""
        try:
            return bool(self.to_python(data) != initial)
        except ValidationError:
            return True


def as_line(question: Question) -> str:
    """A question as a researcher writes it."""
    ends = [
        f"{low}…{high}" if low or high else ""
        for low, high in ((question.low_en, question.high_en), (question.low_zh, question.high_zh))
    ]
    key = question.key + ("*" if question.required else "")
    return " | ".join([key, question.kind, question.en, question.zh, *ends]).rstrip(" |")


def parse_questions(text: str) -> list[dict[str, Any]]:
    """The questions in some lines, as `Study.questions` keeps them.

    Raises:
        ValidationError: with a message for each line that can't be read, which names line, field and remedy.
    """
    questions: dict[str, Question] = {}
    problems: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            question = _question(line)
            if question.key in questions:
                raise _Bad(
                    _("key"),
                    _("“%(key)s” is used already; give each question a key of its own")
                    % {"key": question.key},
                )
            questions[question.key] = question
        except _Bad as bad:
            given = {"n": number, "field": bad.field, "problem": bad.problem}
            problems.append(_("Line %(n)s, %(field)s: %(problem)s.") % given)
    if len(questions) > MOST_QUESTIONS:
        problems.append(
            _("At most %(most)s questions are allowed; leave some out.") % {"most": MOST_QUESTIONS}
        )
    if problems:
        raise ValidationError(problems)
    return [question.plain for question in questions.values()]


class _Bad(ValueError):
    """A field of a line that can't be read."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field, self.problem = field, problem


def _question(line: str) -> Question:
    parts = [part.strip() for part in line.replace("｜", "|").split("|")]
    if len(parts) > 6:
        raise _Bad(_("end"), _("the line has more than six parts; write no | in the words"))
    key, kind, en, zh, ends_en, ends_zh = [*parts, *[""] * (6 - len(parts))]
    required, key = key.endswith("*"), key.removesuffix("*").strip()
    if not _KEY.fullmatch(key):
        raise _Bad(_("key"), _("write a lower-case letter, then at most 29 lower-case letters, digits or _"))
    if kind not in KINDS:
        raise _Bad(
            _("kind"), _("“%(kind)s” is not a kind of question; write scale or text") % {"kind": kind[:40]}
        )
    if not en and not zh:
        raise _Bad(_("English"), _("the question is missing; write it in English, Chinese, or both"))
    for field, words in ((_("English"), en), (_("Chinese"), zh)):
        if len(words) > LONGEST_WORDS or NUL in words:
            raise _Bad(field, _("shorten it to %(most)s characters") % {"most": LONGEST_WORDS})
    low_en, high_en = _ends(ends_en, kind, _("low…high"))
    low_zh, high_zh = _ends(ends_zh, kind, _("low…high in Chinese"))
    return Question(
        key, "text" if kind == "text" else "scale", zh, en, low_zh, high_zh, low_en, high_en, required
    )


def _ends(text: str, kind: str, field: str) -> tuple[str, str]:
    if not text:
        return "", ""
    if kind == "text":
        raise _Bad(field, _("only a scale has ends; leave them out, or choose scale"))
    ends = _SCALE_SEPARATOR.split(text)
    if len(ends) != 2 or not all(ends):
        raise _Bad(
            field, _("write two words or phrases with … between them, such as “not at all…completely”")
        )
    if any(len(end) > LONGEST_ANCHOR for end in ends):
        raise _Bad(field, _("shorten each end to %(most)s characters") % {"most": LONGEST_ANCHOR})
    return ends[0], ends[1]
