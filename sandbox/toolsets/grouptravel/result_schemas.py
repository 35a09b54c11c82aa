"""The JSON Schemas of the tools' results, committed under schemas/.

`python -m sandbox.toolsets.grouptravel.result_schemas` writes them.
"""

from __future__ import annotations

import json
from pathlib import Path

from sandbox.toolsets.grouptravel.tools import TOOLS

FOLDER = Path(__file__).parent / "schemas"


def result_schemas() -> dict[str, str]:
    """File name to content of the schema of each tool's result."""
    return {
        f"{name}.json": json.dumps(
            tool.result.model_json_schema(mode="serialization"), ensure_ascii=False, indent=2, sort_keys=True
        )
        + "\n"
        for name, tool in TOOLS.items()
    }


if __name__ == "__main__":
    for file_name, content in result_schemas().items():
        (FOLDER / file_name).write_text(content, encoding="utf-8")
