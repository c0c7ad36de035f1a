"""What can be chosen when a bundle is written or read."""

from core.text import _

BUNDLE = "bundle"  # among the formats of suites
REFUSE, KEEP, REPLACE = "refuse", "keep", "replace"
CONFLICTS = {
    REFUSE: _("Import nothing"),
    KEEP: _("Keep what is here"),
    REPLACE: _("Replace words, templates and settings"),
}
