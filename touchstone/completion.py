"""Completion scripts for shells: commands and their options, written out, so that a key press starts no Python."""

import argparse
from collections.abc import Mapping

from touchstone.commands import own_commands

SHELLS = ("bash", "zsh", "fish")
GENERAL = {"--version", "--traceback", "--no-color", "--force-color", "--skip-checks", "--pythonpath", "--settings"}


def completion_script(shell: str) -> str:
    """Return the script of a shell. Refuses a shell it does not know."""
    if shell not in SHELLS:
        raise ValueError(f"'{shell}' is not known. Choose from: {', '.join(SHELLS)}.")
    sentences = {name: sentence for commands in own_commands().values() for name, sentence in commands.items()}
    options = options_of_commands(list(sentences))
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](sentences, options)


def options_of_commands(names: list[str]) -> dict[str, dict[str, str]]:
    """Return, by command, its long options with the first words of their help."""
    from touchstone.cli import PARSERS
    from touchstone.management import prepare

    prepare()
    import django
    from django.core.management import get_commands, load_command_class

    django.setup()
    of_apps = get_commands()
    found = {}
    for name in names:
        if name in PARSERS:
            parser: argparse.ArgumentParser = PARSERS[name]()
        else:
            app = of_apps[name]
            command = load_command_class(app, name) if isinstance(app, str) else app
            parser = command.create_parser("touchstone", name)
        found[name] = _options(parser)
    return found


def _options(parser: argparse.ArgumentParser) -> dict[str, str]:
    found: dict[str, str] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, step in action.choices.items():
                found |= {name: ""} | _options(step)
        elif action.help is not argparse.SUPPRESS:
            text = " ".join((action.help or "").split())
            found |= {word: text[:60] for word in action.option_strings if word.startswith("--")}
    return {word: text for word, text in found.items() if word not in GENERAL}


def _bash(sentences: Mapping[str, str], options: Mapping[str, Mapping[str, str]]) -> str:
    cases = "\n".join(f'        {name}) words="{" ".join(known)}" ;;' for name, known in options.items())
    return f"""_touchstone() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{" ".join(sentences)} --help --version" -- "$current"))
        return
    fi
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -o bashdefault -F _touchstone touchstone
"""


def _zsh(sentences: Mapping[str, str], options: Mapping[str, Mapping[str, str]]) -> str:
    commands = "\n".join(f"        {_quoted(f'{name}:{text}')}" for name, text in sentences.items())
    cases = "\n".join(
        f"        {name}) known=({' '.join(_quoted(f'{word}:{text}') for word, text in known.items())}) ;;"
        for name, known in options.items()
    )
    return f"""#compdef touchstone
_touchstone() {{
    local -a commands known
    commands=(
{commands}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    case "$words[2]" in
{cases}
    esac
    _describe -o option known
    _files
}}
compdef _touchstone touchstone
"""


def _fish(sentences: Mapping[str, str], options: Mapping[str, Mapping[str, str]]) -> str:
    lines = [
        f"complete -c touchstone -n __fish_use_subcommand -f -a {name} -d {_quoted(text)}"
        for name, text in sentences.items()
    ]
    for name, known in options.items():
        for word, text in known.items():
            what = f"-l {word.removeprefix('--')}" if word.startswith("--") else f"-f -a {word}"
            lines.append(f"complete -c touchstone -n '__fish_seen_subcommand_from {name}' {what} -d {_quoted(text)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return a text in single quotes, as all three shells read it."""
    return "'" + text.replace("'", "’") + "'"
