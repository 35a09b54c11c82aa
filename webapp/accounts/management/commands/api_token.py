"""`manage.py api_token VERB`: tokens by which programs use the API."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from webapp.accounts.models import User
from webapp.accounts.services import local_researcher
from webapp.accounts.tokens import (
    MOST_DAYS,
    READ_RUNS,
    SCOPES,
    USUAL_DAYS,
    issue_token,
    revoke_token,
    tokens_of,
)
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, add_verb, print_result
from webapp.terminal import table, text_of


class Command(DatabaseCommand):
    help = "Make, list and revoke tokens by which programs use the API."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(required=True, metavar="VERB")
        create = add_verb(verbs, "create", self._create, "Make a token; it is printed now and never again")
        create.add_argument("name", help="Of the program that uses it")
        create.add_argument(
            "--scope",
            nargs="+",
            default=[READ_RUNS],
            choices=list(SCOPES),
            metavar="SCOPE",
            help=f"What it may do, by default {READ_RUNS}: {', '.join(SCOPES)}",
        )
        create.add_argument(
            "--days", type=int, default=USUAL_DAYS, help=f"How long it is valid, 1 to {MOST_DAYS}"
        )
        add_verb(verbs, "list", self._list, "Tokens with what they may do, and when they were used last")
        revoke = add_verb(verbs, "revoke", self._revoke, "Refuse a token from now on")
        revoke.add_argument("number", type=int, help="As api_token list tells it")
        for verb in verbs.choices.values():
            verb.add_argument("--user", metavar="NAME", help="Whose; by default the local researcher's")
            add_json(verb)

    def handle(self, *args: Any, **options: Any) -> None:
        options["do"](options)

    def _create(self, options: dict[str, Any]) -> None:
        token, text = issue_token(
            user=_user(options), name=options["name"], scopes=options["scope"], days=options["days"]
        )
        result = {"number": token.pk, "token": text, "scopes": token.scopes, "expires": token.expires_at}
        print_result(self, options, result, text)

    def _list(self, options: dict[str, Any]) -> None:
        tokens, now = list(tokens_of(_user(options))), timezone.now()
        rows = table("number", "name", "begins with", "scopes", "last used", "expires")
        for token in tokens:
            used = f"{token.last_used_at:%Y-%m-%d %H:%M}" if token.last_used_at else "never"
            expires = f"{token.expires_at:%Y-%m-%d}" + ("" if token.is_usable(now) else ", expired")
            rows.add_row(str(token.pk), token.name, token.beginning, ", ".join(token.scopes), used, expires)
        result = [
            {
                "number": token.pk,
                "name": token.name,
                "beginning": token.beginning,
                "scopes": token.scopes,
                "last_used": token.last_used_at,
                "expires": token.expires_at,
                "usable": token.is_usable(now),
            }
            for token in tokens
        ]
        print_result(self, options, result, text_of(rows) if tokens else "no token")

    def _revoke(self, options: dict[str, Any]) -> None:
        if not revoke_token(user=_user(options), pk=options["number"]):
            raise CommandError(
                f"there is no token {options['number']} of this person; api_token list shows them",
                returncode=BAD_INPUT,
            )
        print_result(self, options, {"revoked": options["number"]}, f"token {options['number']} is revoked")


def _user(options: dict[str, Any]) -> User:
    if not options["user"]:
        return local_researcher()
    user = User.objects.filter(username=options["user"]).first()
    if user is None:
        raise CommandError(
            f"there is no account “{options['user']}”; create_account makes one", returncode=BAD_INPUT
        )
    return user
