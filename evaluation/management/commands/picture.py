"""Draw a picture of results: for a paper, a talk or a report."""

from typing import Any

from core.commands import DomainCommand
from core.errors import Missing
from curation.finding import find_release
from evaluation.results.options import PictureOptions
from evaluation.results.pictures import make_picture
from evaluation.results.reporting import newest_runs, titled


class Command(DomainCommand):
    help = "Draw results as a forest plot, dumbbells, a heat map, a reliability diagram or a radar: SVG, PDF or PNG."
    options = PictureOptions

    def perform(self, chosen: PictureOptions) -> dict[str, Any]:
        release = find_release(chosen.release)
        runs = newest_runs(release, list(chosen.models) or None)
        if not runs:
            raise Missing(f"No model has results on {release.key} yet. Run evaluate or import_predictions first.")
        picture = make_picture(release, runs, chosen.kind, chosen)
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_bytes(picture.content)
        return {"release": release.key, "picture": chosen.kind, "models": list(titled(runs)), "file": str(chosen.out)}

    def describe(self, result: dict[str, Any]) -> str:
        return f"Written: {result['file']}"
