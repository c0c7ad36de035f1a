"""A bundle as the answer to a request."""

import tempfile
from pathlib import Path

from django.http import FileResponse

from curation.bundles.services import export_bundle
from curation.models import Suite


def bundle_answer(suite: Suite, *, with_labels: bool) -> FileResponse:
    """Return a bundle of the suite, streamed from a file that goes with the answer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{suite.key}-bundle.zip"
        export_bundle(suite, path, with_labels=with_labels)
        return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type="application/zip")
