"""The forms of studies and of their items."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from benchmark.suites import DEFAULT_SUITE, SUITES, suite_named
from webapp.catalogue.models import TaskCollection
from webapp.fields import NUL, plain_name
from webapp.judging.selectors import rubrics_offered
from webapp.judging.services import why_no_rubric
from webapp.labelling.choices import SLIGHTLY, choice_label, page_choice, page_choices
from webapp.labelling.items import ItemRequest, boolean_metrics, checked_answer
from webapp.labelling.models import OWN_SCALE, YES_NO, Kind, LabelItem, LabelStudy
from webapp.labelling.scales import dimension_label, rating_words
from webapp.labelling.strata import stratum_groups, stratum_labels
from webapp.sessions.models import Run
from webapp.sets.models import SessionSet

if TYPE_CHECKING:
    _Base = forms.ModelForm[LabelStudy]
else:
    _Base = forms.ModelForm

MOST_NAMES = 200
DIMENSION = re.compile(r"^[a-z][a-z0-9_]{0,39}$")
DAYS = (7, 14, 30, 90)
"""For which a link works."""
Section = tuple[Any, list[forms.BoundField]]


def stratum_choices(study: LabelStudy) -> list[tuple[str, Any]]:
    """What items can be balanced over."""
    return [("", _("nothing")), *stratum_labels(study.suite).items()]


class DimensionsField(forms.CharField):
    """Own dimensions of a rubric, a line each: `name = 中文 | English`."""

    widget = forms.Textarea({"rows": 4, "spellcheck": "false"})

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value or ""
        return "\n".join(f"{name} = {words['zh']} | {words['en']}" for name, words in value.items())

    def clean(self, value: Any) -> Any:
        lines = [line.strip() for line in str(super().clean(value)).replace(NUL, "").splitlines()]
        answers: dict[str, dict[str, str]] = {}
        for number, line in enumerate(lines, 1):
            if line:
                name, words = self._read(number, line)
                if name in answers:
                    raise forms.ValidationError(
                        _now("Line %(n)s: there is a dimension %(name)s already; give it another name.")
                        % {"n": number, "name": name}
                    )
                answers[name] = words
        if len(answers) > 12:
            raise forms.ValidationError(
                _now("At most 12 dimensions are allowed: people can't rate more of them carefully.")
            )
        return answers or None

    @staticmethod
    def _read(number: int, line: str) -> tuple[str, dict[str, str]]:
        name, equals, words = (part.strip() for part in line.partition("="))
        if not DIMENSION.match(name):
            raise forms.ValidationError(
                _now(
                    "Line %(n)s: “%(name)s” is not a name of a dimension. Begin with a lower-case "
                    "letter, then use letters, digits and _, such as: pacing = 节奏 | Pacing"
                )
                % {"n": number, "name": name[:40]}
            )
        zh, _bar, en = (part.strip() for part in words.partition("|"))
        if not equals or not (zh or en):
            raise forms.ValidationError(
                _now("Line %(n)s: write what people read after “=”, such as: pacing = 节奏 | Pacing")
                % {"n": number}
            )
        return name, {"zh": zh or en, "en": en or zh}


def _whole(label: Any, help_text: Any, least: int, most: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, help_text=help_text, min_value=least, max_value=most)


def rubric_choices() -> list[tuple[str, Any]]:
    """The first rubric of a benchmark, and those that are chosen by name; then those of messages."""
    named = ((name, _now(metric.name)) for name, metric in rubrics_offered().items())
    messages = (
        (
            rubric.name,
            _now("%(suite)s, messages: %(what)s") % {"suite": suite.title, "what": _now(rubric.title)},
        )
        for suite in map(suite_named, SUITES)
        for rubric in suite.rating.message_rubrics
    )
    return [("", _("the first one of the benchmark")), *named, *messages]


class StudyForm(_Base):
    """All settings of a study."""

    SECTIONS = (
        ("", ("name", "kind", "suite", "pilot")),
        (
            _("The question"),
            *(
                (
                    "question_zh",
                    "question_en",
                    "rubric",
                    "dimensions",
                    "allow_slight",
                    "allow_tie",
                    "rationale_required",
                    "see_both",
                    "show_chat",
                    "show_ticks",
                    "show_profile",
                    "blind",
                ),
            ),
        ),
        (_("Distribution of items"), ("per_item", "by_city", "lease_min", "seed")),
        (_("Quality checks"), ("qualification", "gold_every", "repeat_every", "min_view_s")),
        (_("Guidelines"), ("guidelines_zh", "guidelines_en")),
        (
            _("People who come from a panel"),
            ("panel", "consent_zh", "consent_en", "completion_code", "completion_url"),
        ),
        (_("After the study"), ("keep_days",)),
    )
    """The fields under their headings."""

    suite = forms.ChoiceField(
        label=_("Benchmark"), choices=lambda: [(n, suite_named(n).title) for n in SUITES]
    )
    rubric = forms.ChoiceField(
        label=_("Rubric"),
        required=False,
        choices=rubric_choices,
        help_text=_(
            "What people rate, on the scales of the benchmark's judge. With a rubric of messages, each item is one "
            "message."
        ),
    )
    dimensions = DimensionsField(
        label=_("Own dimensions"),
        required=False,
        help_text=_(
            "For a rubric, one per line: pacing = 节奏 | Pacing. Leave empty for those that the "
            "benchmark's judge rates."
        ),
    )
    per_item = _whole(
        _("Annotators per item"), _("Three or more, an odd number, so that majorities form."), 1, 50
    )
    lease_min = _whole(
        _("Minutes for an item"),
        _(
            "How long an item is kept for its annotator, and longer while the page is open. Then "
            "others may get it."
        ),
        1,
        24 * 60,
    )
    min_view_s = _whole(
        _("Shortest time"),
        _("In seconds. Faster answers are flagged as hurried, but not refused. 0 for no flag."),
        0,
        3_600,
    )
    gold_every = _whole(
        _("Items between known answers"),
        _(
            "After this many items, an annotator gets one with a known answer, which shows who "
            "answers at random. 0 for never."
        ),
        0,
        1_000,
    )
    repeat_every = _whole(
        _("Items between repeats"),
        _(
            "After this many items, an annotator gets an earlier one again with the sides swapped, "
            "which shows how consistent the answers are. 0 for never."
        ),
        0,
        1_000,
    )
    qualification = forms.FloatField(
        label=_("Needed to qualify"),
        min_value=0,
        max_value=100,
        help_text=_(
            "Percentage of the qualification items that an annotator must answer correctly. It is "
            "only used if the study has such items."
        ),
    )
    completion_url = forms.URLField(
        label=_("Address to open at the end"),
        required=False,
        max_length=500,
        assume_scheme="https",
        help_text=_(
            "For annotators who have answered everything, such as "
            "https://app.prolific.com/submissions/complete?cc=CODE"
        ),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        required=False,
        min_value=-(2**31),
        max_value=2**31 - 1,
        help_text=_("For the order of items and the first sides: the same seed gives the same order."),
    )

    class Meta:
        model = LabelStudy
        fields = (
            *("name", "kind", "suite", "pilot", "question_zh", "question_en"),
            *("rubric", "dimensions"),
            *("allow_slight", "allow_tie"),
            *(
                "rationale_required",
                "see_both",
                "show_chat",
                "show_ticks",
                "show_profile",
                "blind",
                "per_item",
                "by_city",
                "lease_min",
                "seed",
            ),
            *("qualification", "gold_every", "repeat_every", "min_view_s", "guidelines_zh", "guidelines_en"),
            *("panel", "consent_zh", "consent_en", "completion_code", "completion_url", "keep_days"),
        )
        widgets = {
            "guidelines_zh": forms.Textarea({"rows": 8}),
            "guidelines_en": forms.Textarea({"rows": 8}),
            "consent_zh": forms.Textarea({"rows": 4}),
            "consent_en": forms.Textarea({"rows": 4}),
            "question_zh": forms.Textarea({"rows": 2}),
            "question_en": forms.Textarea({"rows": 2}),
        }
        help_texts = {
            "name": _("Researchers see it, annotators do not."),
            "pilot": _(
                "For trying guidelines out. Copy the study for the real round: the copy has the same items."
            ),
            "question_zh": _("For a yes/no study. One language is enough; annotators then read that one."),
            "allow_slight": _(
                "The answers are A, slightly A, slightly B and B. In figures a slight answer counts for "
                "its side; files say which answers were slight."
            ),
            "allow_tie": _(
                "An additional answer to A, B and neither. The published protocol has no such answer."
            ),
            "rationale_required": _("Otherwise a reason is optional."),
            "see_both": _("Each plan must have been on screen to its end; the page tells which one was not."),
            "show_chat": _(
                "It is shown below the plans, folded. The way an agent talks may reveal which agent it is."
            ),
            "show_ticks": _(
                "Shows beside each plan what it does and does not do for each traveller, where the "
                "benchmark has rules for it. People then tend to agree with the rules, so such "
                "labels can't test the rules."
            ),
            "show_profile": _(
                "The profile that the simulated user knew and the assistant did not, if the task has one."
            ),
            "panel": _(
                "The page Annotators then has a link for Prolific, MTurk and similar panels. Each id "
                "that the panel adds to the link (PROLIFIC_PID, workerId, participant) becomes one "
                "annotator."
            ),
            "consent_zh": _(
                "What annotators agree to before they begin, in Markdown. Leave empty to ask for no consent."
            ),
            "keep_days": _(
                "So long after the study was closed, or after its last answer where nobody closes it, names of "
                "annotators, their reasons and notes and their links are removed for good; answers and figures stay. "
                "Leave empty to keep what the installation keeps."
            ),
            "completion_code": _(
                "Shown, with a button that copies it, to annotators who have answered everything."
            ),
            "blind": _("Names of agents, models and vendors are replaced in everything that is shown."),
            "by_city": _(
                "Annotators who were invited with cities get trips to these cities only. The others "
                "get all trips."
            ),
            "guidelines_zh": _(
                "Annotators read them first and can open them beside every item. Lines that begin with # "
                "are headings, lines that begin with - form a list. To show examples, give items the "
                "purpose “Example” under Items."
            ),
        }
        error_messages = {
            "name": {"unique": _("A study with this name already exists; choose another name.")}
        }

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        if len(rubric_choices()) == 1:
            del self.fields["rubric"]
        self.fields["keep_days"].widget.attrs["min"] = 1  # the kind of column says 0
        self.initial["qualification"] = round(100 * self.instance.qualification, 1)
        if not self.instance.pk or self.instance._state.adding:
            self.initial.setdefault("suite", DEFAULT_SUITE)

    def sections(self) -> list[Section]:
        """The headings, each with its fields."""
        return [
            (title, [self[name] for name in names if name in self.fields]) for title, names in self.SECTIONS
        ]

    def clean_name(self) -> str:
        """On one line."""
        name = plain_name(self.cleaned_data["name"], 100)
        if not name:
            raise forms.ValidationError(_now("Give the study a name of letters or digits."))
        return name

    def clean_seed(self) -> int:
        return self.cleaned_data["seed"] or 0

    def clean_qualification(self) -> float:
        """As a share."""
        return round(float(self.cleaned_data["qualification"]) / 100, 4)

    def clean(self) -> dict[str, Any]:
        """What the kind needs, and nothing that it has no use for."""
        given: dict[str, Any] = super().clean() or {}
        kind = given.get("kind")
        texts = ("question_zh", "question_en", "guidelines_zh", "guidelines_en", "consent_zh", "consent_en")
        for name in (*texts, "completion_code"):
            given[name] = str(given.get(name, "")).replace(NUL, "").strip()
        if kind == Kind.BINARY and not (given["question_zh"] or given["question_en"]):
            self.add_error(
                "question_en", _now("A yes/no study asks a question: write it in one language or both.")
            )
        if kind != Kind.RUBRIC and given.get("dimensions"):
            self.add_error(
                "dimensions", _now("Only a rubric has dimensions: choose that kind, or remove them.")
            )
        self._check_rubric(given)
        if kind != Kind.PAIRWISE and given.get("allow_tie"):
            self.add_error(
                "allow_tie", _now("“Equally good” is for pairs only: choose that kind, or untick it.")
            )
        if kind != Kind.PAIRWISE and given.get("allow_slight"):
            self.add_error(
                "allow_slight",
                _now("“Slightly better” is for pairs only: choose that kind, or untick it."),
            )
        if kind != Kind.PAIRWISE and given.get("see_both"):
            self.add_error("see_both", _now("Only pairs have two plans: choose that kind, or untick it."))
        return given

    def _check_rubric(self, given: dict[str, Any]) -> None:
        """One of the benchmark's, in a study of ratings without own dimensions; no name has two scales."""
        suite, rubric, own = (given.get(name) for name in ("suite", "rubric", "dimensions"))
        if rubric and given.get("kind") != Kind.RUBRIC:
            self.add_error("rubric", _now("Only a study of ratings has a rubric: choose that kind, or none."))
        elif rubric and own:
            self.add_error("rubric", _now("A study has a rubric or own dimensions: remove one of the two."))
        elif rubric and suite and suite_named(suite).rating.message_rubric(rubric):
            pass
        elif rubric and suite and (words := why_no_rubric(suite, rubric)):
            self.add_error("rubric", words)
        judged = suite_named(suite).rating.asked_dimensions if suite else ()
        for dimension in judged:
            if dimension.key in (own or ()) and dimension.scale != OWN_SCALE:
                words = _now(
                    "The benchmark's judge rates “%(name)s” from %(lowest)s to %(highest)s, and own dimensions "
                    "are rated from 1 to 5: choose another name."
                )
                ends = {"lowest": dimension.lowest, "highest": dimension.highest}
                self.add_error("dimensions", words % {"name": dimension.key, **ends})

    def settings(self) -> dict[str, Any]:
        """The arguments of `create_study` and `change_study`."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields if name in self.fields}


class RunsForm(forms.Form):
    """Which sessions of which runs become items."""

    runs = forms.ModelMultipleChoiceField(
        Run.objects.none(),
        label=_("Runs"),
        widget=forms.SelectMultiple({"size": 8}),
        help_text=_(
            "For pairs, two or more in which different agents did the same tasks. An agent that several of the runs "
            "have counts as one agent per run, and is named with the run."
        ),
        required=False,
    )
    sets = forms.ModelMultipleChoiceField(
        SessionSet.objects.none(),
        required=False,
        label=_("Sets of sessions"),
        widget=forms.SelectMultiple({"size": 4}),
        help_text=_("Their sessions of this benchmark become items, whatever runs they are of."),
    )
    require = forms.MultipleChoiceField(
        required=False, label=_("Only sessions or pairs with"), widget=forms.CheckboxSelectMultiple
    )
    only = forms.MultipleChoiceField(
        required=False,
        label=_("Only tasks of"),
        widget=forms.SelectMultiple({"size": 6}),
        help_text=_("Of one of the chosen values of each heading. Choose none for all tasks."),
    )
    differing = forms.BooleanField(
        required=False,
        initial=True,
        label=_("Only plans that differ"),
        help_text=_("Two plans that say the same don't show which agent is better."),
    )
    stratum = forms.ChoiceField(
        required=False,
        label=_("Balanced by"),
        help_text=_(
            "For instance, as many easy trips as hard ones. Statistics are also shown for each of "
            "these groups."
        ),
    )
    size = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=20_000,
        label=_("Number of items"),
        help_text=_("Leave empty for all."),
    )
    most_per_agents = forms.IntegerField(
        required=False,
        min_value=1,
        label=_("At most per pair of agents"),
        help_text=_("Pairs of agents get equal shares as long as they last; this limits each share."),
    )
    per_agent = forms.IntegerField(
        required=False,
        min_value=1,
        label=_("Items per agent"),
        help_text=_("The paper has 25 sessions of each agent rated."),
    )
    seed = forms.IntegerField(
        required=False,
        min_value=-(2**31),
        max_value=2**31 - 1,
        label=_("Seed"),
        help_text=_("The same seed chooses the same items."),
    )

    def __init__(self, data: Any = None, *, study: LabelStudy, **options: Any) -> None:
        super().__init__(data, prefix="runs", **options)
        runs = self.fields["runs"]
        assert isinstance(runs, forms.ModelMultipleChoiceField)
        runs.queryset = Run.objects.filter(suite=study.suite).order_by("-created_at")
        named = SessionSet.objects.filter(sessions__suite=study.suite).distinct()
        if named.exists():
            sets = self.fields["sets"]
            assert isinstance(sets, forms.ModelMultipleChoiceField)
            sets.queryset = named
        else:
            del self.fields["sets"]
        flags = [(metric.key, _now(metric.name)) for metric in boolean_metrics(study.suite)]
        self.fields["require"].choices = flags  # type: ignore[attr-defined]
        self.fields["stratum"].choices = stratum_choices(study)  # type: ignore[attr-defined]
        self.fields["only"].choices = stratum_groups(study.suite)  # type: ignore[attr-defined]
        self.fields["seed"].initial = study.seed
        if study.message_rubric is not None:
            self.fields["size"].label = _("Number of conversations")
            self.fields["size"].help_text = _(
                "Each gives all its messages that can be rated. Leave empty for all."
            )
            self.fields["per_agent"].label = _("Conversations per speaker")
            self.fields["per_agent"].help_text = ""
        for name in self._unused_fields(study, bool(flags)):
            del self.fields[name]

    @staticmethod
    def _unused_fields(study: LabelStudy, flags: bool) -> list[str]:
        pairs = study.kind == Kind.PAIRWISE
        unused = ["per_agent"] if pairs else ["differing", "most_per_agents"]
        return unused if flags else [*unused, "require"]

    def clean(self) -> dict[str, Any]:
        """Runs, sets, or both."""
        given = super().clean() or {}
        if not self.errors and not given.get("runs") and not given.get("sets"):
            offered = "sets" in self.fields
            words = _("Choose at least one run or set.") if offered else _("Choose at least one run.")
            self.add_error("runs", words)
        return given

    def item_request(self) -> ItemRequest:
        """What was chosen."""
        given = self.cleaned_data
        return ItemRequest(
            runs=list(given["runs"]),
            sets=list(given.get("sets", ())),
            only=given["only"],
            require=given.get("require", ()),
            differing=given.get("differing", False),
            stratum=given["stratum"],
            size=given["size"],
            most_per_agents=given.get("most_per_agents"),
            per_agent=given.get("per_agent"),
            seed=given["seed"] or 0,
        )


class SessionsForm(forms.Form):
    """The study in which some sessions become items."""

    study = forms.ModelChoiceField(LabelStudy.objects.none(), label=_("Study"), empty_label=None)

    def __init__(self, data: Any = None, *, suites: Collection[str], **options: Any) -> None:
        super().__init__(data, **options)
        studies = self.fields["study"]
        assert isinstance(studies, forms.ModelChoiceField)
        open_ones = LabelStudy.objects.filter(suite__in=suites).exclude(status=LabelStudy.Status.CLOSED)
        studies.queryset = open_ones.order_by("-created_at")


class TasksForm(forms.Form):
    """Which tasks become items."""

    collection = forms.ModelChoiceField(
        TaskCollection.objects.filter(complete=True), label=_("Collection"), empty_label=_("choose one")
    )
    stratum = forms.ChoiceField(required=False, label=_("Balanced by"))
    size = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=20_000,
        label=_("Number of items"),
        help_text=_("Leave empty for all."),
    )

    def __init__(self, data: Any = None, *, study: LabelStudy, **options: Any) -> None:
        super().__init__(data, prefix="tasks", **options)
        self.fields["stratum"].choices = stratum_choices(study)  # type: ignore[attr-defined]


def _rating_field(scale: range, label: str) -> forms.Field:
    if scale == YES_NO:
        choices = [("", "–"), *((rating, rating_words(rating, scale)) for rating in reversed(scale))]
        return forms.TypedChoiceField(
            required=False, coerce=int, empty_value=None, choices=choices, label=label
        )
    return forms.IntegerField(required=False, min_value=scale[0], max_value=scale[-1], label=label)


class AnswerForm(forms.Form):
    """An answer of the study: a known one, or an adjudicator's."""

    choice = forms.ChoiceField(required=False, widget=forms.RadioSelect, label=_("Answer"))

    def __init__(self, data: Any = None, *, study: LabelStudy, answer: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.study = study
        kept = answer or {}
        self.fields["choice"].initial = page_choice(kept)
        self.fields["choice"].choices = [  # type: ignore[attr-defined]
            (sent, choice_label(sent.removeprefix(SLIGHTLY), slight=sent.startswith(SLIGHTLY)))
            for sent in page_choices(study)
        ]
        if not study.choices:
            del self.fields["choice"]
        for name, scale in study.scales.items():
            field = _rating_field(scale, dimension_label(study, name))
            field.initial = kept.get("scores", {}).get(name)
            self.fields[f"score_{name}"] = field

    def answer(self) -> dict[str, Any]:
        """As it is stored. Raises ItemRefused where it is incomplete."""
        given = self.cleaned_data
        scores = {name: given.get(f"score_{name}") for name in self.study.dimension_names}
        return checked_answer(self.study, given.get("choice", ""), scores)


class KnownForm(AnswerForm):
    """What an item is for, and its known answer."""

    purpose = forms.ChoiceField(choices=LabelItem.Purpose, label=_("Purpose"))
    explanation = forms.CharField(
        required=False,
        max_length=2_000,
        widget=forms.Textarea({"rows": 3}),
        label=_("Explanation"),
        help_text=_("Shown with an example, and after the answer to a training item."),
    )
    field_order = ("purpose",)

    def __init__(self, data: Any = None, *, item: LabelItem, **options: Any) -> None:
        super().__init__(data, study=item.study, answer=item.answer, **options)
        self.fields["purpose"].initial = item.purpose
        self.fields["explanation"].initial = item.explanation
        if item.right_id is not None:
            self.fields["explanation"].help_text = _now(
                "Shown with an example, and after the answer to a training item. Call the two sides A and B, as they "
                "are on this page: examples and training items keep them so."
            )
        self.order_fields(
            ["purpose", "choice", *(n for n in self.fields if n.startswith("score_")), "explanation"]
        )


class DecisionForm(AnswerForm):
    """What an adjudicator decides."""

    note = forms.CharField(
        required=False,
        max_length=5_000,
        widget=forms.Textarea({"rows": 3}),
        label=_("Note"),
        help_text=_("The reason. It is kept with this decision and with later ones."),
    )

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.order_fields([*(name for name in self.fields if name != "note"), "note"])


class InviteForm(forms.Form):
    """Who is invited: a line each, with the cities that they know after a colon."""

    people = forms.CharField(
        widget=forms.Textarea({"rows": 4, "spellcheck": "false"}),
        label=_("Names"),
        help_text=_(
            "One name per line. After a colon you can add the cities that this person knows: Li Wei: "
            "杭州市, 苏州市"
        ),
    )
    days = forms.TypedChoiceField(
        coerce=int,
        choices=[(days, days) for days in DAYS],
        initial=30,
        label=_("Days until the links expire"),
    )

    def clean_people(self) -> list[tuple[str, list[str]]]:
        """Name and cities of each."""
        lines = [line for line in self.cleaned_data["people"].replace(NUL, "").splitlines() if line.strip()]
        if len(lines) > MOST_NAMES:
            raise forms.ValidationError(
                _now("At most %(n)s names at once; add the rest afterwards.") % {"n": MOST_NAMES}
            )
        return [self._person(number, line) for number, line in enumerate(lines, 1)]

    @staticmethod
    def _person(number: int, line: str) -> tuple[str, list[str]]:
        name, _colon, cities = line.replace("：", ":").partition(":")
        if not plain_name(name, 200):
            raise forms.ValidationError(
                _now("Line %(n)s has no name: write one before the colon.") % {"n": number}
            )
        named = re.split(r"[,，、;；]", cities)
        return plain_name(name, 200), [city for text in named if (city := plain_name(text, 60))]
