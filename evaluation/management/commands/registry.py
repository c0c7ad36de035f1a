"""Look after the registered models and their runs: list, archive, restore and delete."""

from typing import Any

from core.commands import DomainCommand
from core.options import API, PAGE, Options, option
from evaluation.models import DetectionModel, EvaluationRun
from evaluation.registry.archiving import archive, delete_subject, find_subject, restore

KEY: dict[str, Any] = {"help": "The key of a run, or the key or name of a model.", "positional": True, "metavar": "KEY"}
ELSEWHERE = {PAGE: "A button on the page of the model or run.", API: "The address names the model or run."}


class ListOptions(Options):
    """List registered models with their runs."""

    verb = "list models"
    without = {PAGE: "The page of models.", API: "GET of models and runs."}
    archived: bool = option(False, help="List what is archived, instead of the rest.")


class ArchiveOptions(Options):
    """Archive a model or a run: lists hide it, shared reports still show it."""

    verb = "archive model or run"
    without = ELSEWHERE
    key: str = option(**KEY)


class RestoreOptions(Options):
    """Restore a model or a run that is archived."""

    verb = "restore model or run"
    without = ELSEWHERE
    key: str = option(**KEY)


class DeleteOptions(Options):
    """Delete a run with its answers, or a model with all its runs."""

    verb = "delete model or run"
    without = ELSEWHERE
    key: str = option(**KEY)


STEPS = {
    ArchiveOptions: ("archived", archive),
    RestoreOptions: ("restored", restore),
    DeleteOptions: ("deleted", delete_subject),
}


class Command(DomainCommand):
    help = "List registered models and their runs, archive and restore them, or delete what no shared report shows."
    steps = {"list": ListOptions, "archive": ArchiveOptions, "restore": RestoreOptions, "delete": DeleteOptions}

    def perform(self, chosen: Options) -> dict[str, Any]:
        if isinstance(chosen, ListOptions):
            return {"models": list_models(is_archive=chosen.archived), "archived": chosen.archived}
        done, step = STEPS[type(chosen)]
        subject = find_subject(chosen.key)  # type: ignore[attr-defined]
        kind = "run" if isinstance(subject, EvaluationRun) else "model"
        step(subject, by=None)
        return {"kind": kind, "key": subject.key, "name": str(subject), "done": done}

    def describe(self, result: dict[str, Any]) -> str:
        if "models" not in result:
            return f"The {result['kind']} {result['name']} ({result['key']}) is {result['done']}."
        lines = []
        for model in result["models"]:
            lines.append(f"{model['name']} ({model['key']})")
            lines += [f"  {run['key']}  {run['release']}  {run['state']}" for run in model["runs"]]
        return "\n".join(lines) or ("Nothing is archived." if result["archived"] else "No models yet.")


def list_models(*, is_archive: bool) -> list[dict[str, Any]]:
    """Return the models and runs that are archived, or those that are not."""
    found = []
    for model in DetectionModel.objects.order_by("name"):
        runs = EvaluationRun.objects.filter(model_version__model=model).select_related("release__suite")
        shown = runs if is_archive and model.archived_at else runs.filter(archived_at__isnull=not is_archive)
        listed = [{"key": run.key, "release": run.release.key, "state": run.state} for run in shown]
        if bool(model.archived_at) == is_archive or (is_archive and listed):
            found.append({"key": model.key, "name": model.name, "runs": listed})
    return found
