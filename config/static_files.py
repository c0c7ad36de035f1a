"""Static files in production."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

OUR_MODULES = ("ui/*.js", "accounts/*.js", "curation/*.js", "generation/*.js", "annotation/*.js", "evaluation/*.js")
_, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names with a hash, inside our modules' `import` statements too: nothing is loaded twice under two names.

    Only ours: Django's own switch for this also reads other people's bundles and stumbles over them.
    """

    patterns = (*HashedFilesMixin.patterns, *((files, IMPORTS) for files in OUR_MODULES))
