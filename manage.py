#!/usr/bin/env python
"""The command line: Caravan's commands, and Django's."""

import os
import sys

from webapp.commandline import execute

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    try:
        execute()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads, `head` for one, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more is written at the exit
        sys.exit(141)
