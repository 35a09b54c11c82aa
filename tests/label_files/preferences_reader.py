"""Run by the Python of `datasets` and TRL: reads preference pairs and prints what they take them for, as JSON.

TRL comes without PyTorch: its checks and conversions of data sets need none.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from datasets import load_dataset  # type: ignore[import-not-found]
from trl.data_utils import (  # type: ignore[import-not-found]
    extract_prompt,
    is_conversational,
    maybe_extract_prompt,
    maybe_unpair_preference_dataset,
)


def main(path: str) -> None:
    """The columns, their types, and each row as TRL's trainers for preferences begin with it."""
    rows = load_dataset("json", data_files=path, split="train", cache_dir=f"{path}.cache")
    first: dict[str, Any] = rows[0]
    unpaired = maybe_unpair_preference_dataset(rows.select_columns(["prompt", "chosen", "rejected"]))
    implicit = {side: _joined_text(first, side) for side in ("chosen", "rejected")}
    found = {
        "columns": rows.column_names,
        "types": {name: str(kind) for name, kind in rows.features.items()},
        "rows": list(rows),
        "conversational": [is_conversational(row) for row in rows],
        "explicit": [maybe_extract_prompt(row) == row for row in rows],
        "extracted": extract_prompt(implicit) if isinstance(first["prompt"], list) else None,
        "unpaired": [list(unpaired["label"]), unpaired.column_names],
    }
    print(json.dumps(found, ensure_ascii=False))


def _joined_text(row: dict[str, Any], side: str) -> Any:
    """The same pair with an implicit prompt, of which TRL must find the explicit one again."""
    return row["prompt"] + row[side]


main(sys.argv[1])
