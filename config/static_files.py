"""Static files in production."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

OUR_APPS = ("ui", "accounts", "core", "curation", "generation", "annotation", "evaluation")
_, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names with a hash, inside our modules' `import` statements too: nothing is loaded twice under two names.

    Only ours: Django's own switch for this also reads other people's bundles and stumbles over them.
    """

    patterns = (*HashedFilesMixin.patterns, *((f"{app}/*.js", IMPORTS) for app in OUR_APPS))
