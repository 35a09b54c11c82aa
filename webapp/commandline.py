"""`manage.py` without arguments: Caravan's commands with a line each, and Django's apart."""

from __future__ import annotations

import re
import sys
from textwrap import wrap

from django.core.management import BaseCommand, ManagementUtility, get_commands, load_command_class
from django.db import DatabaseError, connections

from webapp import memory
from webapp.counters import ERRORS, current_counts
from webapp.surroundings import faults_in_a_line

HEAD = "Caravan's commands. `{program} COMMAND --help` says what each takes; --json prints a result as JSON."
OWN = ("webapp.", "worker")
"""Where the apps with Caravan's commands are."""
WIDTH = 110


class CommandLine(ManagementUtility):
    """Django's command line with a list of commands that a researcher can read."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        """The command, with all that it imports."""
        command = super().fetch_command(subcommand)
        memory.resume_collections()
        return command

    def main_help_text(self, commands_only: bool = False) -> str:
        """The list; by names alone where a shell completes them."""
        if commands_only:
            return super().main_help_text(commands_only)
        commands = get_commands()
        own = {name: app for name, app in commands.items() if app.startswith(OWN)}
        lines = [HEAD.format(program=self.prog_name), ""]
        lines += [line for name in sorted(own) for line in _line(name, own[name])]
        others = wrap(" ".join(sorted(commands.keys() - own)), WIDTH - 2, break_on_hyphens=False)
        return "\n".join([*lines, "", "Django's own:", *(f"  {line}" for line in others)])


def _line(name: str, app: str) -> list[str]:
    """What a command is for: the first sentence of its help."""
    words = str(load_command_class(app, name).help)
    first = re.split(r"(?<=[a-z)])\. ", words, maxsplit=1)[0].rstrip(".")
    head, *rest = wrap(first, WIDTH - 22)
    return [f"  {name:<18}{head}", *(" " * 20 + line for line in rest)]


def execute() -> None:
    """Run the command that this process was called with."""
    memory.pause_collections()
    with faults_in_a_line():
        try:
            CommandLine(sys.argv).execute()
        finally:
            _keep_counts()


def _keep_counts() -> None:
    """Have metrics know what a command has played, asked and paid for."""
    if not current_counts().keys() - {ERRORS.name}:
        return
    from webapp.processes.services import keep_counts  # which needs Django set up

    try:
        keep_counts()
    except DatabaseError as error:
        print(f"caravan: warning: metrics lack what this command did: {error}", file=sys.stderr)
    finally:
        connections.close_all()
