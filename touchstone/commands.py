"""The commands there are: what `touchstone --help` lists, read from their files without loading Django."""

import ast
from pathlib import Path

from touchstone.paths import APP_ROOT

# Which commands belong together is told by the app that has them.
TITLES = {
    "config": "Start and look after an instance",
    "curation": "Suites and releases",
    "generation": "Generate cases",
    "annotation": "Labels and agreement",
    "evaluation": "Test models",
    "core": "Background jobs",
    "accounts": "People",
}
OF_DJANGO = {
    "migrate": "Create or update the tables of the database.",
    "createsuperuser": "Make an administrator.",
    "changepassword": "Set the password of a person.",
}
WITHOUT_DATABASE = {
    "evaluate": "Run a model on SUITE@VERSION, an exported release or a table.",
    "compare": "Compare two results or two models: which functionalities got worse?",
    "picture": "Draw results as a forest plot, dumbbells, a heat map, a reliability diagram or a radar.",
    "models": "List models that can be named: preset:NAME, and what each counts as hateful.",
    "suites": "List the releases that instances and folders publish.",
    "get": "Fetch a release once and verify it.",
    "index": "Write the index of a folder of exported releases, to publish it anywhere.",
    "push": "Hand a sealed result to an instance.",
    "completion": "Print the completion script of bash, zsh or fish.",
}
WITH_NO_FILE = {"suites": "curation", "get": "curation", "index": "curation", "push": "evaluation"}
LONGEST = 88


def own_commands() -> dict[str, dict[str, str]]:
    """Return, by title, the name and the first sentence of every command of ours."""
    found: dict[str, dict[str, str]] = {title: {} for title in TITLES.values()}
    for app, title in TITLES.items():
        for file in sorted((APP_ROOT / app / "management" / "commands").glob("[a-z]*.py")):
            found[title][file.stem] = WITHOUT_DATABASE.get(file.stem) or _first_sentence(_help_of(file))
    for name, app in WITH_NO_FILE.items():
        found[TITLES[app]][name] = WITHOUT_DATABASE[name]
    start = found[TITLES["config"]]
    found[TITLES["config"]] = {"up": start.pop("up"), **start}
    found[TITLES["config"]] |= OF_DJANGO | {"completion": WITHOUT_DATABASE["completion"]}
    return {title: commands for title, commands in found.items() if commands}


def describe_commands() -> str:
    """Return the help of the whole program."""
    groups = own_commands()
    width = max(len(name) for commands in groups.values() for name in commands) + 2
    lines = [
        "usage: touchstone COMMAND [OPTIONS]",
        "",
        "The workbench for functional test suites of hate-speech detection models.",
        "",
        "  touchstone up --demo                                  try everything out in the browser",
        "  touchstone evaluate RELEASE --model hf:my/model       test a model; needs no server and no database",
        "  touchstone COMMAND --help                             options of one command",
    ]
    for title, commands in groups.items():
        lines += ["", f"{title}:"]
        lines += [f"  {name:<{width}}{sentence}" for name, sentence in commands.items()]
    lines += [
        "",
        "options:",
        f"  {'-h, --help':<{width}}Show this help.",
        f"  {'--version':<{width}}Show the version.",
        "",
        "Data is kept in the folder TOUCHSTONE_VAR, or else in your own data folder. --json prints one JSON document.",
    ]
    return "\n".join(lines)


def _help_of(file: Path) -> str:
    """Return the text of `help` in the class of a command."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "help" for to in node.targets):
            try:
                return str(ast.literal_eval(node.value))
            except ValueError:  # made from other texts
                break
    return ""


def _first_sentence(text: str) -> str:
    sentence = text.partition(". ")[0].rstrip(".") + "." if text else ""
    return sentence if len(sentence) <= LONGEST else sentence[: LONGEST - 1].rsplit(" ", 1)[0].rstrip(",;:") + " …"
