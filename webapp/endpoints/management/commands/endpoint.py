"""`manage.py endpoint add|list|show|test|retire`: models behind OpenAI-compatible addresses."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from django import forms
from django.core.management.base import CommandError, CommandParser
from rich.table import Table

from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, add_verb, print_result
from webapp.endpoints import selectors, services
from webapp.endpoints.findings import Findings
from webapp.endpoints.forms import EndpointForm
from webapp.endpoints.models import SETUP_FIELDS, ModelEndpoint
from webapp.endpoints.options import endpoint_named
from webapp.endpoints.wording import (
    capability_words,
    cost_words,
    latency_words,
    role_words,
    suggestion_words,
    tokens_words,
    works_words,
)
from webapp.terminal import text_of

SHOWN_FIELDS = (*SETUP_FIELDS, "concurrency", "requests_per_minute", "retired")
KEYS = {
    "unneeded": "no key",
    "set": "set in this process; workers need it too",
    "missing": "not set in this process; set it where Caravan runs, for the workers as well",
    "refused": "must not be sent to this address; manage.py key list says where it may go",
    "bad": "holds what can't be a key: it must be printable ASCII characters",
}


class Command(DatabaseCommand):
    help = "Add, list, show, test and retire models. Exit code 0: done, 1: it does not answer, 2: bad input."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        listed = add_verb(verbs, "list", self._list, "All models with their use")
        add = add_verb(verbs, "add", self._add, "Add a model by its address and its name there")
        show = add_verb(verbs, "show", self._show, "Settings, last test and use of one model")
        test = add_verb(verbs, "test", self._test, "Send a few small requests and say what works")
        retire = add_verb(verbs, "retire", self._retire, "Offer a model no longer to new sessions")
        for verb in (listed, show, test):
            add_json(verb)
        for verb in (add, show, test, retire):
            verb.add_argument("name", help="What sessions and runs call it")
        add.add_argument("base_url", metavar="ADDRESS", help="The part before /chat/completions")
        add.add_argument("model", help="As the server names it")
        _add_settings(add)
        test.add_argument("--apply", action="store_true", help="Take over the settings that suit")
        retire.add_argument("--back", action="store_true", help="Offer it again")

    def handle(self, *args: Any, **options: Any) -> None:
        options["do"](options)

    def _add(self, options: dict[str, Any]) -> None:
        given = {name: options[name] for name in EndpointForm.base_fields if options[name] is not None}
        form = EndpointForm(given, administrator=True)
        if not form.is_valid():
            raise CommandError(_problems(form), returncode=BAD_INPUT)
        endpoint = services.create_endpoint(**form.cleaned_data)
        added = f"model “{endpoint.name}” is added: {endpoint.get_absolute_url()}"
        self.stdout.write("\n".join([added, *_key_words(endpoint)]))

    def _list(self, options: dict[str, Any]) -> None:
        rows = list(selectors.endpoint_rows())
        none = "there is no model yet; manage.py endpoint add NAME ADDRESS MODEL brings one in"
        table = _table("name", "model", "address", "last test", "sessions", "requests", "tokens", "cost")
        for row in rows:
            use = row.use.whole
            name = f"{row.endpoint.name} (retired)" if row.endpoint.retired else row.endpoint.name
            figures = (str(row.use.sessions), str(use.calls), tokens_words(use), cost_words(use))
            table.add_row(name, row.endpoint.model, row.endpoint.base_url, _works(row.findings), *figures)
        result = [
            {
                "name": row.endpoint.name,
                "model": row.endpoint.model,
                "address": row.endpoint.base_url,
                "retired": row.endpoint.retired,
                "works": row.findings.working,
                "lacking": row.findings.lacking,
                "sessions": row.use.sessions,
                "use": row.use.whole.summary(),
            }
            for row in rows
        ]
        print_result(self, options, result, self._draw_table(table) if rows else none)

    def _show(self, options: dict[str, Any]) -> None:
        endpoint = endpoint_named(options["name"])
        settings = {name: getattr(endpoint, name) for name in SHOWN_FIELDS}
        table = _table("setting", "value")
        for name, value in settings.items():
            table.add_row(name, "–" if value in (None, "") else str(value))
        findings = Findings.of(endpoint)
        uses = selectors.use_by_endpoint(endpoint).get(endpoint.name, selectors.EndpointUse()).uses
        lines = [
            *_key_words(endpoint),
            *_findings_words(endpoint, findings, self._draw_table),
            *(
                f"{role_words(use.role)}: {use.calls} requests, {use.failure_count} failed, {tokens_words(use)} "
                f"tokens, {use.unknown} requests unknown, cost {cost_words(use)}"
                for use in uses
            ),
        ]
        result = {
            "settings": {"name": endpoint.name, **settings},
            "key": selectors.key_state(endpoint),
            "test": findings.as_json(),
            "use": [use.summary() for use in uses],
        }
        print_result(self, options, result, "\n".join([self._draw_table(table).rstrip("\n"), *lines]))

    def _test(self, options: dict[str, Any]) -> None:
        endpoint = endpoint_named(options["name"])
        findings = services.run_test(name=endpoint.name) or Findings()
        applies = options["apply"] and findings.working
        lines = _findings_words(endpoint, findings, self._draw_table, applied=applies)
        if applies:
            services.apply_suggestion(endpoint=ModelEndpoint.objects.get(pk=endpoint.pk))
        print_result(self, options, {"name": endpoint.name, **findings.as_json()}, "\n".join(lines))
        if not findings.working:
            words = "was not found to answer: try again later" if findings.open else "does not answer"
            raise CommandError(f"model “{endpoint.name}” {words}")

    def _retire(self, options: dict[str, Any]) -> None:
        endpoint = endpoint_named(options["name"])
        services.retire(endpoint=endpoint, retired=not options["back"])
        words = "offered again" if options["back"] else "no longer offered"
        self.stdout.write(f"model “{endpoint.name}” is {words} to new sessions")

    def _draw_table(self, table: Table) -> str:
        return text_of(table, None if self.stdout.isatty() else 140)


def _key_words(endpoint: ModelEndpoint) -> list[str]:
    """Whether the key of a model is there, and where it may go."""
    variable = endpoint.key_variable
    return [f"  {variable}: {KEYS[selectors.key_state(endpoint)]}"] if variable else []


def _findings_words(
    endpoint: ModelEndpoint, findings: Findings, drawn: Callable[[Table], str], *, applied: bool = False
) -> list[str]:
    """What a test found, in lines. applied: whether the model takes the suggested settings over."""
    lines = [findings.problem] if findings.problem else []
    if findings.rows:
        table = _table("what", "works", "seen", "took")
        for row in findings.rows:
            took = latency_words(row.latency_ms or None)
            table.add_row(capability_words(row.capability), works_words(row.works), row.detail, took)
        lines.append(drawn(table).rstrip("\n"))
    lines += findings.warnings(endpoint)
    if suggested := suggestion_words(findings.suggested_settings(endpoint)):
        words = (
            "these settings were taken over" if applied else "these settings suit (--apply takes them over)"
        )
        lines.append(f"{words}: {', '.join(suggested)}")
    return lines


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """An option for each setting of the form; what is absent has the form's default."""
    for name, field in EndpointForm.base_fields.items():
        if name in ("name", "base_url", "model"):
            continue
        help_text = " ".join(part for part in (str(field.label), str(field.help_text)) if part)
        offered: Any = field.choices if isinstance(field, forms.ChoiceField) else ()
        choices = [str(value) for value, _ in offered] or None
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            dest=name,
            help=help_text.replace("%", "%%"),
            choices=choices,
            metavar=None if choices else "VALUE",
        )


def _problems(form: EndpointForm) -> str:
    return "\n".join(
        f"{name.replace('_', '-')}: {message}"
        for name, messages in form.errors.items()
        for message in messages
    )


def _works(findings: Findings) -> str:
    if not findings.rows:
        return "–"
    if not findings.working:
        return "not determined" if findings.open else "does not answer"
    return f"all but {', '.join(findings.lacking)}" if findings.lacking else "all"


def _table(*columns: str) -> Table:
    table = Table()
    for name in columns:
        table.add_column(
            name, justify="right" if name in ("sessions", "requests", "tokens", "cost") else "left"
        )
    return table
