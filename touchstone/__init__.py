"""Touchstone: functional test suites for hate-speech detection models.

As a library it reads exported releases, evaluates models on them and compares results, without server or database:

    from touchstone import compare, evaluate, load_release
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from touchstone.library import Comparison, Picture, Release, Result, compare, evaluate, load_release

__all__ = ["Comparison", "Picture", "Release", "Result", "__version__", "compare", "evaluate", "load_release"]


def __getattr__(name: str) -> Any:
    # Loaded when asked for: the command needs neither numpy nor pandas to print its help.
    if name == "__version__":
        from touchstone.paths import version

        return version()
    if name in __all__:
        from touchstone.paths import make_importable

        make_importable()
        from touchstone import library

        return getattr(library, name)
    raise AttributeError(f"module 'touchstone' has no attribute '{name}'")
