"""Pages of sets of prompts."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.promptsets import Files, Problem, PromptFile, PromptLibrary, check_text
from benchmark.suites import SUITES, suite_named
from webapp.accounts.access import researcher_of, researchers_only
from webapp.forms import ChoiceRefused
from webapp.prompts import packing, selectors, services
from webapp.prompts.choice import SHIPPED, problem_line
from webapp.prompts.facing_lines import face_lines
from webapp.prompts.fields import set_choices
from webapp.prompts.forms import CopyForm, EditForm, ImportForm
from webapp.prompts.models import PromptSet, PromptSetVersion

LANGUAGES = ("en", "zh")


class Words(NamedTuple):
    """The words of a benchmark: of a version, or the shipped ones."""

    suite: str
    files: Files
    version: PromptSetVersion | None = None

    @property
    def library(self) -> PromptLibrary:
        """Its templates as they are shipped."""
        return suite_named(self.suite).library

    @property
    def spec(self) -> str:
        """As addresses name it."""
        return str(self.version) if self.version else SHIPPED

    @property
    def head(self) -> str:
        """What its page is called."""
        if self.version:
            return str(self.version)
        return _("Prompts of %(title)s, as shipped") % {"title": suite_named(self.suite).title}

    @property
    def copy_source(self) -> str:
        """As the address of a copy names it."""
        return str(self.version) if self.version else self.suite

    @property
    def address(self) -> str:
        """Of its page."""
        return (
            self.version.get_absolute_url() if self.version else reverse("shipped_prompts", args=[self.suite])
        )

    def text(self, file: PromptFile) -> str:
        """The words of a template."""
        return self.files.get(file.path, file.text)


def _version(name: str, number: int) -> PromptSetVersion:
    rows = PromptSetVersion.objects.select_related("prompt_set", "created_by")
    return get_object_or_404(rows, prompt_set__name=name, number=number)


def _words(suite: str = "", name: str = "", number: int = 0) -> Words:
    """Those that an address names."""
    if name:
        version = _version(name, number)
        return Words(version.prompt_set.suite, version.files, version)
    if suite not in SUITES:
        raise Http404
    return Words(suite, {})


def _language(request: HttpRequest) -> str:
    """Of the templates that are shown: the one that is asked for, else the page's."""
    asked = request.GET.get("language", "")
    if asked in LANGUAGES:
        return asked
    return "zh" if (get_language() or "").startswith("zh") else "en"


@researchers_only
def prompt_sets(request: HttpRequest) -> HttpResponse:
    """All sets, the shipped ones and those that researchers made."""
    context = {"rows": selectors.set_rows(), "shipped": selectors.shipped_sets()}
    return render(request, "prompts/list.html", context)


@researchers_only
def prompt_set(request: HttpRequest, name: str) -> HttpResponse:
    """A set: its newest version."""
    made = get_object_or_404(PromptSet, name=name)
    return _set_page(request, _words(name=name, number=services.newest_of(made).number))


@researchers_only
def words_page(request: HttpRequest, suite: str = "", name: str = "", number: int = 0) -> HttpResponse:
    """A version of a set, or the shipped words: every template."""
    return _set_page(request, _words(suite, name, number))


def _set_page(request: HttpRequest, words: Words) -> HttpResponse:
    language = _language(request)
    parts = [
        (part, [(file, file.path in words.files) for file in files])
        for part, files in selectors.files_by_part(words.library, language)
    ]
    unknown = sorted(path for path in words.files if path not in words.library.files)
    made = words.version.prompt_set if words.version else None
    versions = selectors.versions_of(made) if made else []
    context = {
        "words": words,
        "head": words.head,
        "title": suite_named(words.suite).title,
        "language": language,
        "languages": LANGUAGES,
        "parts": parts,
        "changed": len(words.files),
        "unknown": unknown,
        "versions": versions,
        "is_newest": bool(versions) and versions[0][0] == words.version,
        "deletable": made is not None
        and services.may_delete(researcher_of(request), made)
        and not any(used for _version, used in versions),
    }
    return render(request, "prompts/set.html", context)


def _file(words: Words, path: str) -> PromptFile:
    if path not in words.library.files:
        raise Http404
    return words.library.files[path]


@researchers_only
def file_page(
    request: HttpRequest, path: str, suite: str = "", name: str = "", number: int = 0
) -> HttpResponse:
    """The words of one template, its fields, and what is shipped where that is something else."""
    words = _words(suite, name, number)
    file = _file(words, path)
    text = words.text(file)
    shown = {
        "words": words,
        "head": words.head,
        "file": file,
        "text": text,
        "pairs": face_lines(file.text, text) if text != file.text else [],
    }
    return render(request, "prompts/file.html", shown)


@researchers_only
def edit_file(request: HttpRequest, name: str, path: str) -> HttpResponse:
    """Say one template of a set otherwise: that makes a new version of the set."""
    made = get_object_or_404(PromptSet, name=name)
    newest = services.newest_of(made)
    words = Words(made.suite, newest.files, newest)
    file = _file(words, path)
    problems: list[Problem] = []
    if request.method == "POST":
        data = request.POST.copy()
        if "shipped" in data:
            data["text"] = file.text
        form = EditForm(file, data)
        if form.is_valid():
            text = form.cleaned_data["text"]
            problems = check_text(file, text)
            version = None if "check" in data else _save(request, newest, form, path, text)
            if version is not None:
                for problem in problems:
                    messages.warning(request, problem_line(problem))
                return redirect("prompt_file", version.prompt_set.name, version.number, path)
    else:
        form = EditForm(file, initial={"text": words.text(file), "after": newest.number})
    context = {
        "words": words,
        "made": made,
        "title": suite_named(made.suite).title,
        "file": file,
        "form": form,
        "problems": [(problem, problem_line(problem)) for problem in problems],
        "checked": request.method == "POST" and form.is_valid() and not problems,
    }
    return render(request, "prompts/edit.html", context)


def _save(
    request: HttpRequest, newest: PromptSetVersion, form: EditForm, path: str, text: str
) -> PromptSetVersion | None:
    """The new version; None, with what is wrong in the form, where there is none."""
    try:
        return services.save_version(
            prompt_set=newest.prompt_set,
            files={**newest.files, path: text},
            comment=form.cleaned_data["comment"],
            after=form.cleaned_data["after"],
            created_by=researcher_of(request),
        )
    except services.SetRefused as refusal:
        others = [problem for problem in refusal.problems if problem.path != path]
        form.add_error("text", _("Correct these words first; the places are told above."))
        for problem in others:
            form.add_error(None, problem_line(problem))
    except ChoiceRefused as refusal:
        form.add_error(None if refusal.field == "after" else "text", str(refusal))
    return None


@researchers_only
def new_set(request: HttpRequest) -> HttpResponse:
    """A set with the words of another one: `of` in the address names a benchmark's shipped words, or NAME@NUMBER."""
    words = _words_named(request.GET.get("of", ""))
    form = CopyForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            version = services.create_set(
                **form.cleaned_data, suite=words.suite, files=words.files, created_by=researcher_of(request)
            )
            path = request.GET.get("file", "")
            if path in words.library.files:
                return redirect("edit_prompt_file", version.prompt_set.name, path)
            return redirect(version)
        except ChoiceRefused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
    context = {"form": form, "words": words, "title": suite_named(words.suite).title}
    return render(request, "prompts/new.html", context)


def _words_named(spec: str, suite: str = "") -> Words:
    """Those that `shipped`, a benchmark or NAME@NUMBER names. suite: of the shipped ones."""
    if spec in SUITES or spec == SHIPPED:
        return _words(suite=spec if spec in SUITES else suite)
    try:
        version = services.version_named(spec)
    except ChoiceRefused as refusal:
        raise Http404 from refusal
    return Words(version.prompt_set.suite, version.files, version)


@researchers_only
def compare(request: HttpRequest, suite: str) -> HttpResponse:
    """Two versions, of one set or of two, or the shipped words, line by line: `one` and `other` in the address."""
    if suite not in SUITES:
        raise Http404
    one, other = (_words_named(request.GET.get(side) or SHIPPED, suite) for side in ("one", "other"))
    if {one.suite, other.suite} != {suite}:
        raise Http404
    library = one.library
    files = [file for file in library.files.values() if one.text(file) != other.text(file)]
    gone = sorted(path for path in {*one.files, *other.files} if path not in library.files)
    context = {
        "suite": suite,
        "title": suite_named(suite).title,
        "one": one,
        "other": other,
        "choices": [(SHIPPED, _("as shipped")), *_flat_choices(suite, one, other)],
        "compared": [(file, face_lines(one.text(file), other.text(file))) for file in files],
        "gone": gone,
    }
    return render(request, "prompts/compare.html", context)


def _flat_choices(suite: str, *chosen: Words) -> list[tuple[str, str]]:
    """The versions that are offered, and those that are compared now."""
    offered = [pair for _name, pairs in list(set_choices(suite))[1:] for pair in pairs]
    listed = {value for value, _words_ in offered}
    own = [(words.spec, words.spec) for words in chosen if words.version and words.spec not in listed]
    return [*offered, *own]


@researchers_only
def export(request: HttpRequest, suite: str = "", name: str = "", number: int = 0) -> HttpResponse:
    """A zip of plain files with a manifest."""
    words = _words(suite, name, number)
    packed = packing.pack(words.version) if words.version else packing.pack_shipped(suite)
    named = packing.file_name(words.version) if words.version else f"prompts-{suite}.zip"
    response = HttpResponse(packed, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{named}"'
    return response


@researchers_only
def import_set(request: HttpRequest) -> HttpResponse:
    """Take in a zip: all of it, or nothing."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        given: dict[str, Any] = form.cleaned_data
        try:
            packed = packing.unpack(given["file"])
            version = services.take_in(
                packed=packed,
                into=given["into"],
                name=given["name"],
                suite=given["suite"],
                comment=given["comment"],
                created_by=researcher_of(request),
            )
            return redirect(version)
        except ChoiceRefused as refusal:
            field = "file" if refusal.field == "files" else refusal.field
            problems = refusal.problems if isinstance(refusal, services.SetRefused) else []
            lines = [problem_line(problem) for problem in problems[: services.MOST_TOLD]] or [str(refusal)]
            for line in lines:
                form.add_error(field if field in form.fields else None, line)
    return render(request, "prompts/import.html", {"form": form})


@require_POST
@researchers_only
def retire(request: HttpRequest, name: str) -> HttpResponse:
    """Offer a set no longer; with `back` in the data, again."""
    made = get_object_or_404(PromptSet, name=name)
    services.retire(made, retired="back" not in request.POST)
    return redirect(made)


@researchers_only
def delete(request: HttpRequest, name: str) -> HttpResponse:
    """Delete a set that nothing has used, after a question."""
    made = get_object_or_404(PromptSet, name=name)
    if not services.may_delete(researcher_of(request), made):
        words = _(
            "Only who made the set, or an administrator, may delete it. Copy it to have one of your own."
        )
        messages.error(request, words)
        return redirect(made)
    if request.method != "POST":
        return render(request, "prompts/delete.html", {"made": made})
    if services.delete_set(made):
        messages.success(request, _("The set “%(name)s” was deleted.") % {"name": name})
        return redirect("prompt_sets")
    messages.warning(
        request,
        _(
            "Sessions, judges or failure analyses have used this set, so it can't be deleted. Retire it instead."
        ),
    )
    return redirect(made)
