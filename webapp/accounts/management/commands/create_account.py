"""`manage.py create_account NAME`: an account with a password."""

from __future__ import annotations

import sys
from getpass import getpass
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from webapp.accounts.models import Role
from webapp.accounts.services import create_account
from webapp.commands import BAD_INPUT, DatabaseCommand


class Command(DatabaseCommand):
    help = (
        "Create an account. The password is asked for, or read from standard input where that is no terminal."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--role", choices=Role.values, default=Role.RESEARCHER.value)

        parser.add_argument(
            "--administrator", action="store_true", help="It may read who saw personal data (audit log)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = create_account(
                username=options["name"],
                password=_ask_password(),
                role=options["role"],
                administrator=options["administrator"],
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages), returncode=BAD_INPUT) from error
        self.stdout.write(f"account “{user.username}” created, role {user.role}")


def _ask_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first = getpass("Password: ")
    if getpass("Again: ") != first:
        raise CommandError("the two passwords differ", returncode=BAD_INPUT)
    return first
