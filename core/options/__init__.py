"""The options of a verb, declared once: page, API and command line are made from the same class.

`declaring` holds the classes and checks values; `forms`, `serializers` and `arguments` make the three surfaces.
"""

from core.options.declaring import (
    API,
    COMMAND,
    LARGEST_SEED,
    PAGE,
    File,
    Options,
    OptionsRefused,
    Pairs,
    only,
    option,
    refuse,
)

__all__ = [
    "API",
    "COMMAND",
    "LARGEST_SEED",
    "PAGE",
    "File",
    "Options",
    "OptionsRefused",
    "Pairs",
    "only",
    "option",
    "refuse",
]
