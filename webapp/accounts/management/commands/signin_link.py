"""`manage.py signin_link [NAME]`: a link that signs in once."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from webapp.accounts.models import User
from webapp.accounts.services import issue_signin_link, local_researcher
from webapp.commands import BAD_INPUT, DatabaseCommand, server_address

LOCAL = ("*", "127.0.0.1", "localhost", "[::1]")


class Command(DatabaseCommand):
    help = "Print a one-time sign-in link, for the local researcher or for a named account."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?")
        parser.add_argument(
            "--anywhere",
            action="store_true",
            help="Let the link work from other machines too (named accounts)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name, anywhere = options["name"], options["anywhere"]
        if anywhere and not name:
            raise CommandError("--anywhere needs the name of an account", returncode=BAD_INPUT)
        if settings.BEHIND_PROXY and not anywhere:
            raise CommandError(
                "behind a proxy (CARAVAN_HTTPS) nobody is known to sit at this machine, so a link for it alone would "
                "not work; name an account: signin_link NAME --anywhere",
                returncode=BAD_INPUT,
            )
        user = User.objects.filter(username=name).first() if name else local_researcher()
        if user is None:
            raise CommandError(
                f"there is no account “{name}”; create_account makes one", returncode=BAD_INPUT
            )
        token = issue_signin_link(user=user, loopback_only=not anywhere)
        self.stdout.write(_address(anywhere) + reverse("signin_link", args=[token]))


def _address(anywhere: bool) -> str:
    """Where the web server is reached: for other machines by its name, if it has one."""
    named = [host for host in settings.ALLOWED_HOSTS if host not in LOCAL]
    if anywhere and named:
        return f"{'https' if settings.SESSION_COOKIE_SECURE else 'http'}://{named[0].lstrip('.')}"
    return server_address()
