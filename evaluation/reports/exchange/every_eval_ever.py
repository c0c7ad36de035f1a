"""Results in the schema of Every Eval Ever (`eval.schema.json`), a database of evaluations by many tools."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from evaluation.reports.exchange.evaluated import LOCAL_KINDS, UNKNOWN, Evaluated

SCHEMA = "0.3.0"
SECTIONS = {
    "by_functionality": "functionality", "by_class": "functionality class", "by_language": "language",
    "by_target": "target group", "by_label": "gold label",
}  # fmt: skip
LEVEL = 0.95


def as_every_eval_ever(evaluated: Evaluated) -> str:
    """Return the record: accuracy and F1 of all cases, accuracy by functionality, class, language, group and label."""
    moment = str(evaluated.finished_at.timestamp())
    record = {
        "schema_version": SCHEMA,
        "evaluation_id": f"{evaluated.suite}/{evaluated.model_id}/{moment}",
        "evaluation_timestamp": evaluated.finished_at.isoformat(timespec="seconds"),
        "retrieved_timestamp": moment,
        "source_metadata": {
            "source_name": "Touchstone",
            "source_type": "evaluation_run",
            "source_organization_name": evaluated.organisation or UNKNOWN,
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "touchstone", "version": evaluated.software or UNKNOWN},
        "model_info": _model(evaluated),
        "evaluation_results": list(_results(evaluated)),
    }
    return json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def _model(evaluated: Evaluated) -> dict[str, Any]:
    environment = evaluated.environment
    details = {
        # Where a model answers from is known of those that ran here; a server may be anyone's.
        "deployment_type": "self_deployed" if evaluated.kind in LOCAL_KINDS else UNKNOWN,
        "model_availability": "open_weights" if evaluated.hub_model else UNKNOWN,
    }
    told = {name: str(environment.get(name) or "") for name in ("kind", "revision", "fingerprint", "model")}
    return {
        "name": evaluated.model,
        "id": evaluated.model_id,
        "additional_details": details | {name: value for name, value in told.items() if value},
    }


def _results(evaluated: Evaluated) -> Iterator[dict[str, Any]]:
    overall, intervals = evaluated.overall, evaluated.overall.get("ci95_over_templates") or {}
    name = evaluated.suite
    yield from _result(evaluated, name, "accuracy", overall, overall["accuracy"], overall["ci95"])
    macro = (intervals.get("macro_f1"), overall["macro_f1"])
    yield from _result(evaluated, name, "f1_macro", overall, macro[1], macro[0])
    for label, value in overall["f1"].items():
        interval = (intervals.get("f1") or {}).get(label)
        yield from _result(evaluated, f"{name}: F1 of {label}", "f1", overall, value, interval)
    for section, title in SECTIONS.items():
        for key, found in evaluated.measures[section].items():
            named = f"{name}: {title} {key}"
            yield from _result(evaluated, named, "accuracy", found, found["accuracy"], found["ci95"])


def _result(
    evaluated: Evaluated, name: str, metric: str, found: Mapping[str, Any], value: float | None, interval: Any
) -> Iterator[dict[str, Any]]:
    """Yield one figure; nothing where it is undefined."""
    if value is None:
        return
    counts = {key: str(found[key]) for key in ("n", "correct", "templates") if found.get(key) is not None}
    uncertainty: dict[str, Any] = {"num_samples": found["n"]}
    if interval:
        uncertainty["confidence_interval"] = {
            "lower": interval[0], "upper": interval[1], "confidence_level": LEVEL,
            "method": "over templates, whose cases are not independent",
        }  # fmt: skip
    yield {
        "evaluation_result_id": f"{name}: {metric}",
        "evaluation_name": name,
        "source_data": _source(evaluated),
        "metric_config": {
            "metric_id": metric,
            "metric_kind": metric.partition("_")[0],
            "metric_unit": "proportion",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": 1,
        },
        "score_details": {"score": value, "details": counts, "uncertainty": uncertainty},
        **_generation(evaluated.environment),
    }


def _source(evaluated: Evaluated) -> dict[str, Any]:
    about = {
        "dataset_name": evaluated.suite,
        "additional_details": {"release": evaluated.release, "sha256": evaluated.sha256 or UNKNOWN},
    }
    if evaluated.hub_dataset:
        return {**about, "source_type": "hf_dataset", "hf_repo": evaluated.hub_dataset, "hf_split": "test"}
    if evaluated.url:
        return {**about, "source_type": "url", "url": [evaluated.url]}
    return {**about, "source_type": "other"}


def _generation(environment: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a language model was asked; nothing for other models."""
    arguments: dict[str, Any] = {}
    if isinstance(environment.get("prompt"), str):
        arguments["prompt_template"] = environment["prompt"]
    if isinstance(environment.get("temperature"), int | float):
        arguments["temperature"] = environment["temperature"]
    return {"generation_config": {"generation_args": arguments}} if arguments else {}
