"""A traveller that answers from its card when the agent asks, and passes otherwise.

python polite_traveller.py http://127.0.0.1:8000 LINK [COPY]

COPY: a name of its own, where several of them come by the link of one lobby.
"""

import sys

from caravan_seat import Seat


def wishes(table, name=""):
    """A preference table in words: "must visit: …; avg budget: …"."""
    if isinstance(table, dict):
        return "; ".join(filter(None, (wishes(value, key) for key, value in table.items())))
    told = ", ".join(map(str, table)) if isinstance(table, list) else str(table or "")
    return told and f"{name.replace('_', ' ')}: {told}"


with Seat(*sys.argv[1:3], "polite-traveller", "1.0", copy="".join(sys.argv[3:])) as seat:
    for table in seat.turns():
        view, turn = table["view"], table["turn"]
        if turn["kind"] == "mentioned" and not turn["problem"]:
            seat.say(f"My wishes: {wishes(view['card']['effective'])}.")
        else:
            seat.pass_()
print(seat.me["ended"])
