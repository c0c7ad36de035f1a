"""Static files in production."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names with a hash, also inside `import` statements: a module must not be loaded twice under two names."""

    support_js_module_import_aggregation = True
