"""Run by Inspect's own Python: reads a log as `inspect view` does, and prints what it found as JSON."""

from __future__ import annotations

import json
import logging
import sys
import warnings
from collections import Counter
from typing import Any


def main(path: str) -> None:
    """Whatever Inspect warns of is an error."""
    warnings.simplefilter("error")
    told: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(record.getMessage())

    logging.getLogger().addHandler(Listener(logging.WARNING))
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries  # type: ignore[import-not-found]

    log = read_eval_log(path)
    summaries = read_eval_log_sample_summaries(path)
    found = {
        "warnings": told,
        "status": log.status,
        "epochs": log.eval.config.epochs,
        "model": log.eval.model,
        "means": {score.name: score.metrics["mean"].value for score in log.results.scores},
        "model_usage": {name: use.total_tokens for name, use in log.stats.model_usage.items()},
        "summaries": [[one.id, one.epoch] for one in summaries],
        "samples": [_sample(sample) for sample in log.samples],
    }
    print(json.dumps(found))


def _sample(sample: Any) -> dict[str, Any]:
    asked = [event for event in sample.events if event.event == "model"]
    return {
        "uuid": sample.uuid,
        "id": sample.id,
        "epoch": sample.epoch,
        "scores": {name: score.value for name, score in sample.scores.items()},
        "explained": all(score.explanation for score in sample.scores.values()),
        "error": sample.error.message if sample.error else None,
        "limit": sample.limit.type if sample.limit else None,
        "messages": len(sample.messages),
        "events": Counter(event.event for event in sample.events),
        "inputs": [len(event.input) for event in asked],
        "roles": sorted({event.role for event in asked}),
        "role_usage": {name: use.total_tokens for name, use in sample.role_usage.items()},
        "tools": sum(
            len(message.tool_calls or ()) for message in sample.messages if message.role == "assistant"
        ),
    }


if __name__ == "__main__":
    main(sys.argv[1])
