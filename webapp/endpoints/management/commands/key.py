"""`manage.py key list|bind|free`: which server each key is sent to."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from sandbox.endpoints import check_address
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result
from webapp.endpoints import keys, selectors
from webapp.endpoints.models import KeyServer, ModelEndpoint


class Command(DatabaseCommand):
    help = (
        "List, bind and free the environment variables that hold keys, each sent to one server only. Exit code 2: "
        "bad input."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        add_json(verbs.add_parser("list", help="All variables with their servers"))
        bind = verbs.add_parser("bind", help="Send a variable's key to this server, and to no other")
        bind.add_argument("variable")
        bind.add_argument("address", help="Such as https://api.example.com")
        free = verbs.add_parser("free", help="Send a variable's key nowhere")
        free.add_argument("variable")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, f"_{options['verb']}")(options)

    def _list(self, options: dict[str, Any]) -> None:
        bound = [
            {"variable": each.variable, "server": each.server, "set": selectors.is_set(each.variable)}
            for each in KeyServer.objects.order_by("variable")
        ]
        lines = [
            f"{each['variable']} ({'set here' if each['set'] else 'not set here'}): {each['server']}"
            for each in bound
        ]
        none = "no key is bound yet; manage.py key bind VARIABLE ADDRESS does it"
        print_result(self, options, bound, "\n".join(lines) or none)

    def _bind(self, options: dict[str, Any]) -> None:
        variable, address = options["variable"], options["address"]
        try:
            check_address(address)
            keys.bind(variable=variable, address=address)
        except ValueError as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        server = keys.server_of(address)
        self.stdout.write(f"the key in {variable} is sent to {server}, and nowhere else")
        for endpoint in ModelEndpoint.objects.filter(key_variable=variable):
            if keys.server_of(endpoint.base_url) != server:
                self.stdout.write(f"  model “{endpoint.name}” at {endpoint.base_url} can't use it any more")

    def _free(self, options: dict[str, Any]) -> None:
        variable = options["variable"]
        if not keys.free(variable=variable):
            raise CommandError(f"{variable} is bound to no server", returncode=BAD_INPUT)
        self.stdout.write(f"the key in {variable} is sent nowhere")
